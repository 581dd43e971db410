// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/date_formats.hpp>
#include <fidelity/io/detail/delimiter.hpp>
#include <fidelity/io/detail/iso8601.hpp>
#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/pattern.hpp>
#include <fidelity/io/detail/records.hpp>
#include <fidelity/io/load_report.hpp>

namespace fidelity::detail::io {

/// What the options say about the form of a file, without the types of times and values.
struct DialectRequest {
  std::optional<char> delimiter;
  char quote = '"';
  std::string comment;
  NamesRow names_row;
  std::optional<std::size_t> units_row;
  std::optional<std::size_t> first_data_row;
  std::optional<TimePattern> pattern;
  std::vector<std::string> na;  ///< in lower case
};

/// How a file is divided, what its columns are called and where its data begin.
struct Dialect {
  RecordSigns signs;
  FoundBy delimiter_found_by = FoundBy::rule;
  std::optional<std::size_t> names_row;
  FoundBy names_row_found_by = FoundBy::detection;
  std::vector<std::string> names;  ///< empty without a names row
  std::vector<std::string> units;  ///< empty without a units row
  std::size_t position = 0;        ///< where the first data row begins
  std::size_t line = 1;
  std::size_t comments = 0;
};

/// The text without a byte order mark. UTF-16 and NUL bytes are refused (F5).
inline std::string_view checked_bytes(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    throw ParseError(name, 1, 1, "the file is UTF-16; convert it to UTF-8", "");
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const void* const zero = bytes.empty() ? nullptr : std::memchr(bytes.data(), 0, bytes.size());
  if (zero != nullptr) {
    const std::string_view before =
        bytes.substr(0, static_cast<std::size_t>(static_cast<const char*>(zero) - bytes.data()));
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw ParseError(name, 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
                     before.size() - line_start + 1, "a NUL byte: the file is no UTF-8 text (perhaps UTF-16)", "");
  }
  return bytes;
}

/// The delimiter of a first line `sep=;`.
inline std::optional<char> sep_line(std::string_view bytes) {
  const std::string_view line = trimmed(bytes.substr(0, std::min(bytes.find_first_of("\r\n"), bytes.size())));
  if (line.size() != 5 || !equal_ignoring_case(line.substr(0, 4), "sep=")) {
    // A tab at the end does not survive trimming.
    return equal_ignoring_case(bytes.substr(0, 5), "sep=\t") ? std::optional('\t') : std::nullopt;
  }
  return line[4];
}

/// Whether a field is a number, a stamp, or a text in place of a value (`na`, in lower case). `certain` is set by the
/// first two.
inline bool is_value(std::string_view text, const std::vector<std::string>& na,
                     const std::optional<TimePattern>& pattern, bool& certain) {
  double number = 0;
  CivilTime civil;
  const bool value = parse_digits(text, {'.', {}}, number) || parse_digits(text, {',', {}}, number) ||
                     looks_iso(text) || DateCandidates::is_known(text) || (pattern && !pattern->parse(text, civil));
  certain = certain || value;
  return value || text.empty() || parse_number_word(text, number) ||
         std::find(na.begin(), na.end(), lower(text)) != na.end();
}

/// Finds the parts of a file that the options leave open.
class DialectFinder {
 public:
  DialectFinder(std::string_view bytes, const std::string& name, const DialectRequest& request)
      : bytes_(bytes), name_(name), request_(request) {}

  Dialect find() {
    dialect_.signs = {request_.delimiter.value_or(','), request_.quote, request_.comment};
    check_options();
    Records records = at_header();
    find_delimiter(records);
    records = Records(bytes_, name_, dialect_.signs, records.position(), records.next_line());
    read_names(records);
    read_units(records);
    if (request_.first_data_row) skip(records, *request_.first_data_row, "first_data_row");
    dialect_.position = records.position();
    dialect_.line = records.next_line();
    dialect_.comments += records.comments();
    return std::move(dialect_);
  }

 private:
  static void refuse(const std::string& why) { fail("read_csv", Rule::bad_parameter, why); }

  void check_options() const {
    if (request_.delimiter && std::string_view(",;|\t").find(*request_.delimiter) == std::string_view::npos)
      refuse("delimiter must be a comma, a semicolon, a bar or a tab");
    if (request_.quote != '"' && request_.quote != '\'') refuse("quote must be \" or '");
    const auto line = [&](const std::optional<std::size_t>& number, const char* option) {
      if (number && *number == 0) refuse(concat(option, " is a line number and counts from 1"));
    };
    line(request_.units_row, "units_row");
    line(request_.first_data_row, "first_data_row");
    if (request_.names_row.word() == NamesRow::line && request_.names_row.number() == 0)
      refuse("names_row is a line number and counts from 1");
    if (request_.names_row.word() == NamesRow::last_comment && request_.comment.empty())
      refuse("names_row = last_comment needs the option comment");
  }

  void skip(Records& records, std::size_t line, const char* option) const {
    if (line < records.next_line())
      refuse(concat(option, " = ", line, " does not lie after line ", records.next_line() - 1, ", which is taken"));
    if (!records.skip_to_line(line)) refuse(concat(option, " = ", line, " lies behind the end of '", name_, "'"));
  }

  /// Moves to the row with the names, or to the first row of data where there are none.
  Records at_header() {
    Records records(bytes_, name_, dialect_.signs);
    if (const auto sep = sep_line(bytes_)) {
      sep_ = sep;
      records.skip_to_line(2);
    }
    const NamesRow& row = request_.names_row;
    if (row.word() == NamesRow::line) {
      skip(records, row.number(), "names_row");
    } else if (row.word() == NamesRow::none && request_.first_data_row) {
      skip(records, *request_.first_data_row, "first_data_row");
    } else {
      for (;;) {  // past comments and lines of nothing but blanks and delimiters
        if (records.skip_comment()) continue;
        const std::size_t end = std::min(bytes_.find('\n', records.position()), bytes_.size());
        const std::string_view line = bytes_.substr(records.position(), end - records.position());
        if (line.find_first_not_of(" \t\r,;|") != std::string_view::npos || end == bytes_.size()) break;
        records.skip_to_line(records.next_line() + 1);
      }
      dialect_.comments = records.comments();
      if (row.word() == NamesRow::last_comment) {
        if (records.comments() == 0) throw ParseError(name_, 1, 1, "there is no comment line before the data", "");
        comment_names_ =
            Records(bytes_, name_, dialect_.signs, records.last_comment_position(), records.last_comment_line());
      }
    }
    return records;
  }

  void find_delimiter(const Records& start) {
    if (request_.delimiter) {
      dialect_.delimiter_found_by = FoundBy::option;
    } else if (sep_) {
      dialect_.signs.delimiter = *sep_;
      dialect_.delimiter_found_by = FoundBy::sep_line;
      if (std::string_view(",;|\t").find(*sep_) == std::string_view::npos)
        throw ParseError(name_, 1, 5, "the delimiter must be a comma, a semicolon, a bar or a tab",
                         std::string(1, *sep_));
    } else {
      const std::size_t data_row = request_.first_data_row ? *request_.first_data_row
                                   : request_.units_row    ? *request_.units_row + 1
                                                           : 0;
      const Records& header = comment_names_ ? *comment_names_ : start;
      dialect_.signs.delimiter = detect_delimiter(bytes_, name_, dialect_.signs, header, start, data_row);
      dialect_.delimiter_found_by = FoundBy::detection;
    }
  }

  void read_names(Records& records) {
    dialect_.names_row_found_by = request_.names_row.word() == NamesRow::detect ? FoundBy::detection : FoundBy::option;
    if (request_.names_row.word() == NamesRow::none) return;
    Records header = records;
    if (comment_names_)
      header = Records(bytes_, name_, dialect_.signs, comment_names_->position(), comment_names_->next_line());
    if (!header.next_with_comments()) return;
    if (request_.names_row.word() == NamesRow::detect) {
      if (request_.first_data_row && header.line() >= *request_.first_data_row) return;
      bool certain = false;
      const auto& fields = header.fields();
      if (std::all_of(fields.begin(), fields.end(),
                      [&](const Field& f) { return is_value(f.text, request_.na, request_.pattern, certain); }) &&
          certain)
        return;
    }
    dialect_.names_row = header.line();
    std::unordered_set<std::string> known;
    for (const Field& field : header.fields()) {
      if (!field.text.empty() && !known.insert(std::string(field.text)).second)
        throw header.error(field, "two columns have the same name");
      dialect_.names.emplace_back(field.text);
    }
    if (!comment_names_) records = header;
  }

  void read_units(Records& records) {
    if (!request_.units_row) return;
    skip(records, *request_.units_row, "units_row");
    records.next_with_comments();
    for (const Field& field : records.fields()) dialect_.units.emplace_back(field.text);
  }

  std::string_view bytes_;
  const std::string& name_;
  const DialectRequest& request_;
  Dialect dialect_;
  std::optional<char> sep_;
  std::optional<Records> comment_names_;
};

}  // namespace fidelity::detail::io
