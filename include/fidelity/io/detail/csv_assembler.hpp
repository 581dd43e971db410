// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/io/csv_file.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/csv_reader.hpp>
#include <fidelity/io/detail/hold_over.hpp>
#include <fidelity/io/detail/interval_labels.hpp>
#include <fidelity/io/detail/load_warnings.hpp>
#include <fidelity/io/detail/time_report.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/source.hpp>

namespace fidelity::detail::io {

/// Turns rows into series and completes the report.
template <TimePoint Time, class Scalar>
class CsvAssembler {
 public:
  CsvAssembler(const FileSource& source, const CsvOptions<Time>& options)
      : source_(source), options_(options), reader_(source, options), rows_(reader_.read()) {
    keep_channels();
    if (options.bad == BadSamples::hold_over) drop_rows();
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
    if (first_dropped_ > 0)
      report.warnings.push_back(
          {"first value dropped", concat("label = end: ", first_dropped_, " first values have no ",
                                         "stamp before them and were left out; period keeps them")});
    if (over_long_ > 0)
      report.warnings.push_back(
          {"longer than period",
           concat(over_long_, " values were moved to a stamp that lies more ", "than period before them")});
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
      cells.report.good = report.rows - cells.report.bad - cells.report.suspect;
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
    discrete_.assign(names_.size(), interpolation() == Interpolation::linear);
  }

  /// A value of an interval holds throughout it.
  [[nodiscard]] Interpolation interpolation() const {
    return options_.label == Label::instant ? options_.interpolation : Interpolation::hold;
  }

  void drop_rows() {
    for (CsvRows<Time, Scalar>& rows : rows_) reader_.report().rows_held_over += drop_bad_rows(rows, names_.size());
    if (std::any_of(rows_.begin(), rows_.end(), [](const auto& rows) { return rows.times.empty(); }))
      throw reader_.no_rows("a series has no good sample, so that bad = hold_over leaves nothing of it");
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
    SeriesOptions<Time> options{series_name(rows), {}, interpolation(), options_.max_gap, options_.duplicates};
    if (!unnamed_) options.channel_names = names_;
    const bool hold_over = options_.bad == BadSamples::hold_over;
    const SeriesOptions<Time> same = options;
    Series<Scalar, Time> series = make(std::move(rows.times), std::move(rows.values), std::move(options));
    if (hold_over && channels > 1) series = held_over(series, same);
    if (options_.label == Label::end) series = labelled(series, same);
    describe_steps(series, times);
    return series;
  }

  [[nodiscard]] Series<Scalar, Time> make(std::vector<Time> times, std::vector<Scalar> values,
                                          SeriesOptions<Time> options) const {
    if (names_.size() == 1 || !unnamed_) return {std::move(times), std::move(values), std::move(options)};
    using Matrix = typename SeriesBase<Scalar, Time>::Matrix;
    const Eigen::Map<const Matrix> matrix(values.data(), static_cast<Eigen::Index>(times.size()),
                                          static_cast<Eigen::Index>(names_.size()));
    return {std::move(times), matrix, std::move(options)};
  }

  /// The series with bad samples beside good ones filled as if they were absent.
  [[nodiscard]] Series<Scalar, Time> held_over(const Series<Scalar, Time>& series, SeriesOptions<Time> options) const {
    options.duplicates = Duplicates::event;
    const auto refuse = [&](std::size_t c, std::size_t i) {
      fail("read_csv", Rule::bad_parameter,
           concat("bad = hold_over: the channel is bad from ", to_text(series.time(i)),
                  " on, and max_gap ends its value between two stamps of other channels: read it by itself"),
           {.name = names_[c], .sample = i});
    };
    auto values = HoldOver<Scalar, Time>(series).values(refuse);
    return make({series.times().begin(), series.times().end()}, std::move(values), std::move(options));
  }

  /// The series of intervals that end at the stamps.
  [[nodiscard]] Series<Scalar, Time> labelled(const Series<Scalar, Time>& series, SeriesOptions<Time> options) {
    std::vector<Time> begins = interval_begins<Time>(series.times(), options_.period, over_long_);
    if (begins.empty())
      throw ParseError(source_.name(), reader_.report().first_data_row, 1,
                       "label = end: the only value has no stamp before it, and no period was given", "");
    std::vector<Scalar> values;
    values.reserve(begins.size() * names_.size());
    for (std::size_t i = series.size() - begins.size(); i < series.size(); ++i)
      for (std::size_t c = 0; c < names_.size(); ++c) values.push_back(series(i, c));
    if (begins.size() < series.size()) ++first_dropped_;
    return make(std::move(begins), std::move(values), std::move(options));
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
  std::size_t first_dropped_ = 0;
  std::size_t over_long_ = 0;
};

}  // namespace fidelity::detail::io
