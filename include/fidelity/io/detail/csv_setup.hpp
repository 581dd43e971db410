// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/channel_cells.hpp>
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
        time_(options.time_format, options.time_unit, options.time_origin, options.zone),
        bytes_(checked_bytes(source.bytes(), name_)),
        dialect_(DialectFinder(bytes_, name_, request()).find()) {
    Records first = records();
    while (first.next() && first.is_empty()) {
    }
    if (first.fields().empty() || first.is_empty()) throw no_rows("there are no data rows");
    layout_ = find_layout(dialect_, first.fields(), options);
    refuse_names_that_are_stamps();
    find_unit();
    find_decimal();
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

  std::string name_;
  const CsvOptions<Time>& options_;
  TimeColumn<Time> time_;
  std::string_view bytes_;
  DialectRequest request_;
  Dialect dialect_;
  Layout layout_;
  CellRules<Scalar> rules_;
  LoadReport report_;

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
    if (looks_iso(name) || parse_decimal(name, '.') || (request_.pattern && !request_.pattern->parse(name, civil)))
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
      style.decimal = detect_decimal();
      report_.decimal_found_by = FoundBy::detection;
    }
    time_.set_decimal(style.decimal);
    rules_.decimal_given = options_.decimal.has_value();
    double number = 0;
    for (const std::string& text : request_.na)
      if (parse_number(std::string_view(text), style, number)) rules_.na_numbers.push_back(text);
    for (const double sentinel : options_.sentinels) rules_.sentinels.push_back(static_cast<Scalar>(sentinel));
    if (options_.max_abs && !(*options_.max_abs > 0)) refuse("max_abs must be positive");
    rules_.max_abs = options_.max_abs;
  }

  [[nodiscard]] std::string without_marks(std::string_view text) const {
    std::string plain;
    while (!text.empty()) {
      const std::size_t mark = thousands_mark(text, *options_.thousands);
      if (mark == 0) plain += text.front();
      text.remove_prefix(std::max<std::size_t>(mark, 1));
    }
    return plain;
  }

  [[nodiscard]] char detect_decimal() const {
    DecimalEvidence evidence;
    std::vector<std::size_t> columns = layout_.channels;
    columns.insert(columns.end(), layout_.time.begin(), layout_.time.end());
    Records rows = records();
    while (rows.next()) {
      for (const std::size_t column : columns) {
        if (column >= rows.fields().size()) continue;
        const Field& field = rows.fields()[column];
        if (evidence.add(options_.thousands ? without_marks(field.text) : std::string(field.text)))
          return *evidence.result();
      }
    }
    if (const auto sign = evidence.result()) return *sign;
    throw ParseError(
        name_, dialect_.line, 1,
        "every number with a comma has three digits after it, so the comma may be the decimal sign or group "
        "thousands: the option decimal or thousands decides",
        "");
  }

  void describe() {
    report_.file = name_;
    report_.delimiter = dialect_.signs.delimiter;
    report_.delimiter_found_by = dialect_.delimiter_found_by;
    report_.decimal = rules_.style.decimal;
    report_.thousands = rules_.style.thousands;
    report_.names_row = dialect_.names_row;
    report_.names_row_found_by = dialect_.names_row_found_by;
    report_.units_row = options_.units_row;
    for (const std::size_t column : layout_.time) report_.time_columns.push_back(layout_.label(column));
  }
};

}  // namespace fidelity::detail::io
