// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/records.hpp>

namespace fidelity::detail::io {

/// Gathers what the numbers of a file say about its decimal sign (F9).
class DecimalEvidence {
 public:
  /// Looks at one cell; true when the sign is decided.
  bool add(std::string_view text) {
    if (text.empty() || text.find_first_of(".,") == std::string_view::npos) return false;
    double number = 0;
    const bool comma = parse_digits(text, {',', {}}, number);
    const bool point = parse_digits(text, {'.', {}}, number);
    const bool comma_groups = !point && possible_as(text, '.', ',');
    const bool point_groups = !comma && possible_as(text, ',', '.');
    if (comma || point) {
      const std::size_t sign = text.find(comma ? ',' : '.');
      std::size_t digits = 0;
      while (sign + 1 + digits < text.size() && is_digit(text[sign + 1 + digits])) ++digits;
      if (digits == 3) {
        comma_threes_ = comma_threes_ || comma;
      } else {
        decided_ = comma ? ',' : '.';
      }
    } else if (comma_groups != point_groups) {
      decided_ = comma_groups ? '.' : ',';
    }
    return decided_.has_value();
  }

  /// The sign; nothing if the numbers can be read in two ways.
  [[nodiscard]] std::optional<char> result() const {
    if (decided_) return decided_;
    if (comma_threes_) return std::nullopt;
    return '.';
  }

 private:
  static bool possible_as(std::string_view text, char decimal, char mark) {
    double number = 0;
    return parse_digits(text, {decimal, mark}, number);
  }

  std::optional<char> decided_;
  bool comma_threes_ = false;
};

/// The text without thousands marks, wherever they stand.
inline std::string without_marks(std::string_view text, char thousands) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t mark = thousands_mark(text, thousands);
    if (mark == 0) plain += text.front();
    text.remove_prefix(std::max<std::size_t>(mark, 1));
  }
  return plain;
}

/// The decimal sign of the numbers in these columns; nothing if they can be read in two ways.
inline std::optional<char> detect_decimal(Records rows, const std::vector<std::size_t>& columns,
                                          std::optional<char> thousands) {
  DecimalEvidence evidence;
  while (rows.next()) {
    for (const std::size_t column : columns) {
      if (column >= rows.fields().size()) continue;
      const std::string_view text = rows.fields()[column].text;
      if (thousands ? evidence.add(without_marks(text, *thousands)) : evidence.add(text)) return evidence.result();
    }
  }
  return evidence.result();
}

}  // namespace fidelity::detail::io
