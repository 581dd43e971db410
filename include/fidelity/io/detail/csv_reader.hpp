// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/channel_cells.hpp>
#include <fidelity/io/detail/csv_rows.hpp>
#include <fidelity/io/detail/csv_setup.hpp>
#include <fidelity/io/detail/filter_words.hpp>
#include <fidelity/io/detail/records.hpp>
#include <fidelity/io/detail/row_list.hpp>
#include <fidelity/io/detail/status_column.hpp>
#include <fidelity/io/source.hpp>

namespace fidelity::detail::io {

/// Reads a file once from front to back. read() gives the rows of each group; report() what was met on the way.
template <TimePoint Time, class Scalar>
class CsvReader : public CsvSetup<Time, Scalar> {
 public:
  using Rows = CsvRows<Time, Scalar>;

  CsvReader(const FileSource& source, const CsvOptions<Time>& options)
      : CsvSetup<Time, Scalar>(source, options), status_(options.quality_map, options.quality_mask) {
    for (const Layout::Filter& filter : layout_.filters) matches_.emplace_back(filter.texts.size());
    for (const std::size_t column : layout_.channels) {
      auto& cells = cells_.emplace_back();
      cells.report.name = layout_.names[column];
      cells.report.unit = layout_.units[column];
      cells.report.position = column + 1;
    }
  }

  [[nodiscard]] std::vector<Rows> read() {
    Records rows = records();
    while (rows.next()) read_row(rows);
    report_.rows_comment = dialect_.comments + rows.comments();
    report_.zone_assumed = time_.zone_assumed();
    report_.rows_unknown_status = status_.unknown();
    refuse_local_times();
    for (std::size_t i = 0; i < matches_.size(); ++i)
      for (std::size_t k = 0; k < matches_[i].size(); ++k)
        if (matches_[i][k] == 0) refuse_filter(records(), layout_, i, k, name_);
    if (groups_.empty()) {
      if (report_.rows_filtered > 0)
        fail("read_csv", Rule::empty, concat("where: no row of '", name_, "' has all of these texts"));
      throw this->no_rows(report_.rows_bad == 0
                              ? "there are no data rows"
                              : concat("all ", report_.rows_bad, " data rows are bad; the first in line ",
                                       report_.first_bad_rows.front().line, ": ",
                                       report_.first_bad_rows.front().reason));
    }
    describe_time();
    return std::move(groups_);
  }

  [[nodiscard]] std::vector<ChannelCells<Scalar>>& cells() { return cells_; }

 private:
  using CsvSetup<Time, Scalar>::name_;
  using CsvSetup<Time, Scalar>::options_;
  using CsvSetup<Time, Scalar>::time_;
  using CsvSetup<Time, Scalar>::bytes_;
  using CsvSetup<Time, Scalar>::dialect_;
  using CsvSetup<Time, Scalar>::layout_;
  using CsvSetup<Time, Scalar>::rules_;
  using CsvSetup<Time, Scalar>::report_;
  using CsvSetup<Time, Scalar>::records;

  void describe_time() {
    using Kind = typename TimeColumn<Time>::Kind;
    report_.time_format_found_by = options_.time_format || options_.time_unit ? FoundBy::option : FoundBy::detection;
    report_.time_unit = time_.unit();
    report_.time_format = time_.unit() ? "number" : time_.format();
    if (time_.kind() == Kind::number) return;
    report_.zone = time_.has_offset() ? "offset of each row" : to_text(options_.zone.value_or(Zone::utc()));
  }

  void bad_row(const Records& rows, const Field& field, const std::string& reason) {
    if (options_.bad_rows == BadRows::error) throw rows.error(field, reason);
    ++report_.rows_bad;
    if (report_.first_bad_rows.size() < 10)
      report_.first_bad_rows.push_back({rows.line(), concat(reason, ": '", excerpt(field.text), "'")});
  }

  void read_row(const Records& rows) {
    const std::vector<Field>& fields = rows.fields();
    if (fields.front().text.empty() && rows.is_empty()) {
      ++report_.rows_empty;
      return;
    }
    if (report_.first_data_row == 0) report_.first_data_row = rows.line();
    ++data_row_;
    const std::size_t expected = layout_.row_size();
    if (fields.size() != expected || (layout_.spare_tail && !fields.back().text.empty())) {
      bad_row(rows, fields[std::min(fields.size() - 1, layout_.width)],
              concat("the row has ", fields.size(), fields.size() == 1 ? " field" : " fields", " instead of ",
                     fields.size() == expected ? layout_.width : expected));
      return;
    }
    if (!layout_.filters.empty() && !passes(fields)) {
      ++report_.rows_filtered;
      return;
    }
    Time time{};
    if (!read_time(rows, time)) return;
    Rows& group = find_group(fields);
    if (const Fault fault = group.order.resolve(time_, time))
      throw rows.error(fields[layout_.time.front()], fault.reason);
    group.times.push_back(time);
    group.lines.push_back(rows.line());
    const auto mark = [this] { return this->find_mark(); };
    const Quality quality = layout_.quality ? status_.read(fields[*layout_.quality].text) : Quality::good;
    for (std::size_t c = 0; c < layout_.channels.size(); ++c) {
      const Field& field = fields[layout_.channels[c]];
      group.values.push_back(quality == Quality::good
                                 ? cells_[c].read(rows, field, rules_, mark)
                                 : cells_[c].read(rows, field, rules_, mark, quality, options_.suspect == Suspect::use,
                                                  fields[*layout_.quality].text));
    }
    ++report_.rows;
  }

  bool passes(const std::vector<Field>& fields) {
    bool pass = true;
    for (std::size_t i = 0; i < layout_.filters.size(); ++i) {
      const Layout::Filter& filter = layout_.filters[i];
      const auto found = std::find(filter.texts.begin(), filter.texts.end(), fields[filter.column].text);
      pass = pass && found != filter.texts.end();
      if (found != filter.texts.end()) ++matches_[i][static_cast<std::size_t>(found - filter.texts.begin())];
    }
    return pass;
  }

  bool read_time(const Records& rows, Time& time) {
    using Kind = typename TimeColumn<Time>::Kind;
    using Occurs = typename TimeColumn<Time>::Occurs;
    const Field stamp = this->stamp_of(rows.fields());
    if (stamp.text.empty()) {
      bad_row(rows, stamp, "the stamp is empty");
      return false;
    }
    if (time_.kind() == Kind::undecided && options_.bad_rows == BadRows::skip && !time_.shows_format(stamp.text)) {
      bad_row(rows, stamp, "the stamp is neither ISO 8601 nor a number (the option time_format names other forms)");
      return false;
    }
    Fault fault = time_.decide(stamp.text);
    if (!fault) fault = time_.read(stamp.text, time);
    if (time_.occurs() != Occurs::once) note_local_time(rows, stamp);
    if (!fault) return true;
    if (fault.fatal) throw rows.error(stamp, fault.reason);
    if (time_.occurs() == Occurs::never) return false;
    const bool detected = time_.kind() == Kind::pattern && !options_.time_format;
    bad_row(rows, stamp,
            detected ? concat(fault.reason, " (the rows before show ", time_.format(), ")") : fault.reason);
    return false;
  }

  /// Local times that occur twice or never: all rows are listed in one error at the end (F25, F26).
  void note_local_time(const Records& rows, const Field& stamp) {
    const bool never = time_.occurs() == TimeColumn<Time>::Occurs::never;
    if (!never) ++report_.rows_repeated_hour;
    if (!never && options_.zone_mode != ZoneMode::strict) return;
    RowList& list = never ? skipped_ : repeated_;
    if (list.empty())
      (never ? skipped_error_ : repeated_error_)
          .emplace(rows.error(stamp, never ? "local times that were skipped when the clock was set forward"
                                           : "local times that occur twice, for the clock was set back"));
    list.add(data_row_);
  }

  void refuse_local_times() const {
    const auto refuse = [&](const std::optional<ParseError>& first, const RowList& list, const char* advice) {
      if (!first) return;
      throw ParseError(name_, first->line, first->column,
                       concat(first->reason, " in ", to_text(*options_.zone), ": ", list.count(), " data rows (",
                              list.text(), ")", advice),
                       first->text);
    };
    refuse(skipped_error_, skipped_, "");
    refuse(repeated_error_, repeated_, ": the option zone_mode decides");
  }

  Rows& find_group(const std::vector<Field>& fields) {
    const auto is_same = [&](const std::vector<std::string>& keys) {
      for (std::size_t k = 0; k < keys.size(); ++k)
        if (fields[layout_.keys[k]].text != keys[k]) return false;
      return true;
    };
    if (!groups_.empty() && is_same(groups_[last_group_].keys)) return groups_[last_group_];
    std::vector<std::string> keys;
    for (const std::size_t column : layout_.keys) keys.emplace_back(fields[column].text);
    const auto [place, is_new] = group_of_.emplace(keys, groups_.size());
    if (is_new) {
      groups_.emplace_back().keys = std::move(keys);
      if (layout_.keys.empty()) reserve(groups_.back());
    }
    last_group_ = place->second;
    return groups_[last_group_];
  }

  /// Room for as many rows as the first ones promise; each cell takes at least one byte of the file.
  void reserve(Rows& rows) const {
    Records probe = records();
    std::size_t count = 0;
    while (count < 50 && probe.next()) ++count;
    const std::size_t used = std::max<std::size_t>(probe.position() - dialect_.position, 1);
    const std::size_t bytes = bytes_.size() - dialect_.position;
    const double estimate = 1.05 * static_cast<double>(bytes) / static_cast<double>(used) * static_cast<double>(count);
    const std::size_t most = bytes / std::max<std::size_t>(layout_.width, 1) + 1;
    const std::size_t expected = std::min(most, static_cast<std::size_t>(estimate) + 16);
    rows.times.reserve(expected);
    rows.lines.reserve(expected);
    rows.values.reserve(expected * layout_.channels.size());
  }

  std::vector<ChannelCells<Scalar>> cells_;
  std::vector<Rows> groups_;
  std::map<std::vector<std::string>, std::size_t> group_of_;
  std::size_t last_group_ = 0;
  std::vector<std::vector<std::size_t>> matches_;
  StatusColumn status_;
  std::size_t data_row_ = 0;
  RowList repeated_;
  RowList skipped_;
  std::optional<ParseError> repeated_error_;
  std::optional<ParseError> skipped_error_;
};

}  // namespace fidelity::detail::io
