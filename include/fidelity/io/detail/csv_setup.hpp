// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/channel_cells.hpp>
#include <fidelity/io/detail/csv_checks.hpp>
#include <fidelity/io/detail/date_formats.hpp>
#include <fidelity/io/detail/decimal_sign.hpp>
#include <fidelity/io/detail/dialect.hpp>
#include <fidelity/io/detail/layout.hpp>
#include <fidelity/io/detail/records.hpp>
#include <fidelity/io/detail/time_column.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/source.hpp>

namespace fidelity::detail::io {

/// All that is decided about a file before its rows are read: form, columns, time unit, decimal sign.
template <TimePoint Time, class Scalar>
class CsvSetup {
 public:
  CsvSetup(const FileSource& source, const CsvOptions<Time>& options)
      : name_(source.name()),
        options_(options),
        time_({options.time_format, options.time_unit, options.time_origin, options.zone, options.zone_mode,
               options.round_to}),
        bytes_(checked_bytes(source.bytes(), name_)),
        dialect_(DialectFinder(bytes_, name_, request()).find()) {
    check_csv_options(options);
    Records first = records();
    while (first.next() && first.is_empty()) {
    }
    if (first.fields().empty() || first.is_empty()) throw no_rows("there are no data rows");
    layout_ = find_layout(dialect_, first.fields(), options);
    refuse_names_that_are_stamps();
    find_unit();
    find_decimal();
    find_time_format();
    describe();
  }

  [[nodiscard]] ParseError no_rows(std::string reason) const {
    if (bytes_.find('\n') == std::string_view::npos && bytes_.find('\r') != std::string_view::npos)
      reason += "; lines end with a carriage return alone, which is not read: convert them to LF";
    return {name_, dialect_.line, 1, std::move(reason), ""};
  }

  [[nodiscard]] LoadReport& report() { return report_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }

 protected:
  /// From the first data row on.
  [[nodiscard]] Records records() const {
    return Records(bytes_, name_, dialect_.signs, dialect_.position, dialect_.line);
  }

  /// The stamp of a row that is long enough; `text` of several columns lives until the next call.
  [[nodiscard]] Field stamp_of(const std::vector<Field>& fields) {
    Field stamp = fields[layout_.time.front()];
    if (layout_.time.size() > 1) {
      joined_.assign(stamp.text);
      for (std::size_t i = 1; i < layout_.time.size(); ++i) joined_.append(" ").append(fields[layout_.time[i]].text);
      stamp.text = joined_;
    }
    if (stamp.quoted) stamp.text = trimmed(stamp.text);
    return stamp;
  }

  /// A thousands mark that some number of the file shows, put into the style (F9). Looks once.
  bool find_mark() {
    NumberStyle& style = rules_.style;
    rules_.seek_mark = false;
    Records rows = records();
    while (rows.next())
      for (const std::size_t column : layout_.channels) {
        if (column >= rows.fields().size()) continue;
        for (const char mark : {style.decimal == '.' ? ',' : '.', '\''})
          if (shows_thousands(rows.fields()[column].text, style.decimal, mark)) {
            style.thousands = report_.thousands = mark;
            report_.thousands_found_by = FoundBy::detection;
            return true;
          }
      }
    return false;
  }

  std::string name_;
  const CsvOptions<Time>& options_;
  TimeColumn<Time> time_;
  std::string_view bytes_;
  DialectRequest request_;
  Dialect dialect_;
  Layout layout_;
  CellRules<Scalar> rules_;
  LoadReport report_;
  std::string joined_;

 private:
  const DialectRequest& request() {
    request_ = {options_.delimiter, options_.quote,          options_.comment, options_.names_row,
                options_.units_row, options_.first_data_row, std::nullopt,     {}};
    if (options_.time_format && time_.kind() == TimeColumn<Time>::Kind::pattern)
      request_.pattern.emplace(*options_.time_format);
    for (const std::string& text : options_.na) request_.na.push_back(lower(text));
    return request_;
  }

  /// A names row that looks like data in the time column would lose a row silently (F2).
  void refuse_names_that_are_stamps() const {
    if (!dialect_.names_row || dialect_.names_row_found_by != FoundBy::detection) return;
    const std::string& name = layout_.names[layout_.time.front()];
    CivilTime civil;
    if (looks_iso(name) || DateCandidates::is_known(name) || parse_decimal(name, '.') ||
        (request_.pattern && !request_.pattern->parse(name, civil)))
      throw ParseError(name_, *dialect_.names_row, 1,
                       "this row may hold names or data: the option names_row decides (a line number, or none)",
                       excerpt(name));
  }

  void find_unit() {
    if (time_.unit()) {
      report_.time_unit_found_by = FoundBy::option;
      return;
    }
    if (layout_.time.size() != 1) return;
    const std::size_t column = layout_.time.front();
    const auto named = unit_in_name(layout_.names[column]);
    const auto written = parse_time_unit(layout_.units[column]);
    if (named && written && *named != *written)
      throw ParseError(name_, *dialect_.names_row, 1,
                       concat("the time column's name says ", to_text(*named), " and the units row says ",
                              to_text(*written), ": the option time_unit decides"),
                       excerpt(layout_.names[column]));
    if (!named && !written) return;
    time_.set_unit(named ? *named : *written);
    report_.time_unit_found_by = named ? FoundBy::column_name : FoundBy::units_row;
  }

  void find_decimal() {
    NumberStyle& style = rules_.style;
    style.thousands = options_.thousands;
    const auto refuse = [](const char* why) { fail("read_csv", Rule::bad_parameter, why); };
    if (options_.decimal && *options_.decimal != '.' && *options_.decimal != ',') refuse("decimal must be . or ,");
    if (options_.thousands && std::string_view(".,' ").find(*options_.thousands) == std::string_view::npos)
      refuse("thousands must be . , ' or a blank");
    if (options_.decimal && options_.decimal == options_.thousands)
      refuse("decimal and thousands cannot be the same sign");
    report_.decimal_found_by = FoundBy::rule;
    if (options_.decimal) {
      style.decimal = *options_.decimal;
      report_.decimal_found_by = FoundBy::option;
    } else if (options_.thousands == '.' || options_.thousands == ',') {
      style.decimal = *options_.thousands == '.' ? ',' : '.';
    } else if (dialect_.signs.delimiter != ',') {
      std::vector<std::size_t> columns = layout_.channels;
      columns.insert(columns.end(), layout_.time.begin(), layout_.time.end());
      const auto sign = detect_decimal(records(), columns, options_.thousands);
      if (!sign)
        throw ParseError(name_, dialect_.line, 1,
                         "every number with a comma has three digits after it, so the comma may be the decimal sign or "
                         "group thousands: the option decimal or thousands decides",
                         "");
      style.decimal = *sign;
      report_.decimal_found_by = FoundBy::detection;
    }
    time_.set_decimal(style.decimal);
    rules_.decimal_given = options_.decimal.has_value();
    rules_.seek_mark = !options_.thousands && dialect_.signs.delimiter != ',';
    double number = 0;
    for (const std::string& text : request_.na)
      if (parse_number(std::string_view(text), style, number)) rules_.na_numbers.push_back(text);
    for (const double sentinel : options_.sentinels) rules_.sentinels.push_back(static_cast<Scalar>(sentinel));
    if (options_.max_abs && !(*options_.max_abs > 0)) refuse("max_abs must be positive");
    rules_.max_abs = options_.max_abs;
  }

  /// Calls visit(rows, stamp) for each stamp until it gives false.
  template <class Visit>
  void each_stamp(Visit&& visit) {
    Records rows = records();
    while (rows.next()) {
      if (rows.fields().size() < layout_.width || rows.is_empty() || !layout_.passes_filters(rows.fields())) continue;
      if (const Field stamp = stamp_of(rows.fields()); !stamp.text.empty() && !visit(rows, stamp)) return;
    }
  }

  /// Dates that are not ISO 8601: the one format of the list that fits all rows (F16). One row with day 13 decides.
  void find_time_format() {
    if (time_.kind() != TimeColumn<Time>::Kind::undecided) return;
    const bool all_rows = options_.bad_rows == BadRows::skip;
    DateCandidates candidates;
    bool found = false;
    each_stamp([&](const Records& rows, const Field& stamp) {
      if (!found && time_.shows_format(stamp.text)) return false;
      if (!candidates.add(stamp.text)) return all_rows;
      found = true;
      if constexpr (std::same_as<Time, double>) throw rows.error(stamp, TimeColumn<Time>::dates_are_no_double().reason);
      if (candidates.conflict())
        throw rows.error(stamp, "no one date format fits this and all rows before it: the option time_format decides");
      return all_rows || candidates.left().size() > 1;
    });
    if (!found) return;
    each_stamp([&](const Records& rows, const Field& stamp) {
      if (candidates.left().size() > 1 && !candidates.agree(stamp.text)) {
        std::string list;
        for (const DateFormat* format : candidates.left()) list += concat(list.empty() ? "" : " or ", format->text);
        throw rows.error(stamp, concat("all dates of this column can be read as ", list,
                                       ", which are different instants: the option time_format decides"));
      }
      return candidates.left().size() > 1;
    });
    time_.set_format(candidates.left().front()->text);
  }

  void describe() {
    report_.file = name_;
    report_.delimiter = dialect_.signs.delimiter;
    report_.delimiter_found_by = dialect_.delimiter_found_by;
    report_.decimal = rules_.style.decimal;
    if (!report_.thousands) report_.thousands = rules_.style.thousands;
    if (options_.thousands) report_.thousands_found_by = FoundBy::option;
    if (layout_.quality) report_.quality_column = layout_.label(*layout_.quality);
    report_.suspect_used = options_.suspect == Suspect::use;
    report_.names_row = dialect_.names_row;
    report_.names_row_found_by = dialect_.names_row_found_by;
    report_.units_row = options_.units_row;
    for (const std::size_t column : layout_.time) report_.time_columns.push_back(layout_.label(column));
  }
};

}  // namespace fidelity::detail::io
