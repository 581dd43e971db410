// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/io/csv_file.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/csv_reader.hpp>
#include <fidelity/io/detail/load_warnings.hpp>
#include <fidelity/io/detail/time_report.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/source.hpp>

namespace fidelity::detail::io {

/// Sorts the rows stably by time; what was out of order goes into the report (F35).
template <TimePoint Time, class Scalar>
void sort_rows(CsvRows<Time, Scalar>& rows, std::size_t channels, RowOrder order, const std::string& name,
               TimeReport& report) {
  const auto& times = rows.times;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] < times[i - 1])) continue;
    if (order == RowOrder::error)
      throw ParseError(name, rows.lines[i], 1,
                       concat("the stamp is earlier than that of the row before, ", to_text(times[i - 1]),
                              ": the option order may be sort"),
                       to_text(times[i]));
    ++report.backward_steps;
    report.largest_backward_step =
        std::max(report.largest_backward_step, seconds(difference("read_csv", times[i - 1], times[i])));
  }
  if (report.backward_steps == 0) return;
  std::vector<std::size_t> from(times.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::stable_sort(from.begin(), from.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  CsvRows<Time, Scalar> sorted;
  sorted.times.reserve(times.size());
  sorted.lines.reserve(times.size());
  sorted.values.reserve(rows.values.size());
  for (const std::size_t i : from) {
    sorted.times.push_back(times[i]);
    sorted.lines.push_back(rows.lines[i]);
    const auto row = rows.values.begin() + static_cast<std::ptrdiff_t>(i * channels);
    sorted.values.insert(sorted.values.end(), row, row + static_cast<std::ptrdiff_t>(channels));
  }
  rows.times = std::move(sorted.times);
  rows.lines = std::move(sorted.lines);
  rows.values = std::move(sorted.values);
}

/// Removes the channels that are not kept from row-by-row values.
template <class Scalar>
void drop_channels(std::vector<Scalar>& values, const std::vector<bool>& kept) {
  std::size_t out = 0;
  for (std::size_t in = 0, c = 0; in < values.size(); ++in, c = c + 1 == kept.size() ? 0 : c + 1)
    if (kept[c]) values[out++] = values[in];
  values.resize(out);
}

/// Turns rows into series and completes the report.
template <TimePoint Time, class Scalar>
class CsvAssembler {
 public:
  CsvAssembler(const FileSource& source, const CsvOptions<Time>& options)
      : source_(source), options_(options), reader_(source, options), rows_(reader_.read()) {
    keep_channels();
  }

  [[nodiscard]] std::vector<CsvGroup<Time, Scalar>> groups() {
    std::vector<CsvGroup<Time, Scalar>> groups;
    Time first{};
    Time last{};
    for (CsvRows<Time, Scalar>& rows : rows_) {
      TimeReport times;
      Series<Scalar, Time> series = build(rows, times);
      const auto span = series.span();
      add_times(reader_.report().times, times, groups.empty(), span.begin < first, last < span.end);
      first = groups.empty() ? span.begin : std::min(first, span.begin);
      last = groups.empty() ? span.end : std::max(last, span.end);
      note_discrete(series);
      groups.push_back({keys(rows), std::move(series), std::move(times)});
      rows = {};
    }
    return groups;
  }

  /// After groups().
  [[nodiscard]] LoadReport report() {
    LoadReport& report = reader_.report();
    for (std::size_t c = 0; c < report.channels.size(); ++c) report.channels[c].looks_discrete = discrete_[c];
    add_warnings(report);
    return std::move(report);
  }

 private:
  /// A column without a number is text and no channel, unless the caller named it (F13).
  void keep_channels() {
    LoadReport& report = reader_.report();
    const Layout& layout = reader_.layout();
    std::vector<bool> kept;
    for (auto& cells : reader_.cells()) {
      const std::size_t column = cells.report.position - 1;
      kept.push_back(cells.has_number || layout.channels_named);
      cells.report.good = report.rows - cells.report.bad;
      if (kept.back()) {
        names_.push_back(cells.report.name);
        report.channels.push_back(std::move(cells.report));
      } else {
        const auto& reasons = cells.report.reasons;
        const bool only_empty = reasons.size() == 1 && reasons.front().text.empty();
        const bool is_tail = column + 1 == layout.width && layout.names[column].empty();
        if (!(only_empty && is_tail)) report.text_columns.push_back(layout.label(column));
      }
    }
    if (names_.empty())
      throw reader_.no_rows(layout.width == 1 ? "the file has one column only: no delimiter was found"
                                              : "no column beside the time holds a number");
    if (names_.size() != kept.size())
      for (auto& rows : rows_) drop_channels(rows.values, kept);
    if (std::all_of(names_.begin(), names_.end(), [](const std::string& name) { return name.empty(); }))
      unnamed_ = true;
    discrete_.assign(names_.size(), options_.interpolation == Interpolation::linear);
  }

  Series<Scalar, Time> build(CsvRows<Time, Scalar>& rows, TimeReport& times) {
    const std::size_t channels = names_.size();
    const auto span = std::minmax_element(rows.times.begin(), rows.times.end());
    try {
      (void)difference("read_csv", *span.second, *span.first);
    } catch (const Overflow&) {
      throw ParseError(source_.name(), rows.lines.front(), 1, "the stamps span more than the time type can hold", "");
    }
    times.samples = rows.times.size();
    sort_rows(rows, channels, options_.order, source_.name(), times);
    const auto repeated = count_duplicates<Scalar, Time>(rows.times, rows.values, channels, options_.duplicates, times);
    if (repeated && options_.duplicates == Duplicates::error)
      throw ParseError(source_.name(), rows.lines[*repeated], 1,
                       concat("two rows have the same stamp (the other one in line ", rows.lines[*repeated - 1], "); ",
                              times.duplicate_times, " stamps occur more than once, ", times.identical_duplicates,
                              " with identical and ", times.conflicting_duplicates,
                              " with conflicting values: the option duplicates says what to do"),
                       to_text(rows.times[*repeated]));
    const Eigen::Index count = static_cast<Eigen::Index>(rows.times.size());
    SeriesOptions<Time> options{series_name(rows), {}, options_.interpolation, options_.max_gap, options_.duplicates};
    if (!unnamed_) options.channel_names = names_;
    const auto make = [&]() -> Series<Scalar, Time> {
      if (channels == 1 || !unnamed_) return {std::move(rows.times), std::move(rows.values), std::move(options)};
      using Matrix = typename SeriesBase<Scalar, Time>::Matrix;
      const Eigen::Map<const Matrix> values(rows.values.data(), count, static_cast<Eigen::Index>(channels));
      return {std::move(rows.times), values, std::move(options)};
    };
    Series<Scalar, Time> series = make();
    describe_steps(series, times);
    return series;
  }

  [[nodiscard]] std::vector<CsvKey> keys(const CsvRows<Time, Scalar>& rows) const {
    std::vector<CsvKey> all;
    for (std::size_t k = 0; k < rows.keys.size(); ++k)
      all.push_back({reader_.layout().label(reader_.layout().keys[k]), rows.keys[k]});
    return all;
  }

  [[nodiscard]] std::string series_name(const CsvRows<Time, Scalar>& rows) const {
    if (rows.keys.empty()) return options_.name.value_or(source_.stem());
    std::string name = options_.name.value_or("");
    for (const CsvKey& key : keys(rows)) name += concat(name.empty() ? "" : " ", key.column, "=", key.text);
    return name;
  }

  /// Finds the channels that hold only 0 and 1 but are joined by lines (F39).
  void note_discrete(const SeriesBase<Scalar, Time>& series) {
    for (std::size_t c = 0; c < discrete_.size(); ++c) {
      for (std::size_t i = 0; i < series.size() && discrete_[c]; ++i) {
        const Scalar x = series(i, c);
        discrete_[c] = x == Scalar{0} || x == Scalar{1} || !is_finite(x);
      }
      if (reader_.report().channels[c].good == 0) discrete_[c] = false;
    }
  }

  const FileSource& source_;
  const CsvOptions<Time>& options_;
  CsvReader<Time, Scalar> reader_;
  std::vector<CsvRows<Time, Scalar>> rows_;
  std::vector<std::string> names_;
  std::vector<bool> discrete_;
  bool unnamed_ = false;
};

}  // namespace fidelity::detail::io
