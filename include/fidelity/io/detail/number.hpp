// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fidelity/io/detail/decimal.hpp>
#include <fidelity/io/detail/short_number.hpp>
#include <fidelity/io/detail/text.hpp>

namespace fidelity::detail::io {

/// How numbers are written in a file.
struct NumberStyle {
  char decimal = '.';
  std::optional<char> thousands = {};
};

/// Length of the thousands mark at the start of s, 0 if there is none. A blank also stands for U+00A0 and U+202F.
inline std::size_t thousands_mark(std::string_view s, char mark) {
  if (s.empty()) return 0;
  if (s.front() == mark) return 1;
  if (mark == ' ' && s.substr(0, 2) == "\xC2\xA0") return 2;
  if (mark == ' ' && s.substr(0, 3) == "\xE2\x80\xAF") return 3;
  return 0;
}

/// The number with a point and without thousands marks; nothing where the digits are not grouped in full threes or
/// where another sign than those of the style stands. Checks no more of the number than that.
inline std::optional<std::string> plain_number(std::string_view s, const NumberStyle& style,
                                               std::size_t* marks = nullptr) {
  std::string plain;
  std::size_t group = 0;  // digits since the last mark
  std::size_t count = 0;
  bool whole = true;  // before the decimal sign and the exponent
  for (std::size_t i = 0; i < s.size();) {
    const char c = s[i];
    const std::size_t mark = style.thousands ? thousands_mark(s.substr(i), *style.thousands) : 0;
    if (mark > 0) {
      if (!whole || (count == 0 ? group == 0 || group > 3 : group != 3)) return std::nullopt;
      ++count;
      group = 0;
      i += mark;
      continue;
    }
    if (whole && !is_digit(c) && !(i == 0 && (c == '-' || c == '+'))) {
      if (count > 0 && group != 3) return std::nullopt;
      whole = false;
    }
    if (c == style.decimal) {
      plain += '.';
    } else if (c == '.' || c == ',') {
      return std::nullopt;
    } else {
      plain += c;
    }
    group += is_digit(c) ? 1 : 0;
    ++i;
  }
  if (whole && count > 0 && group != 3) return std::nullopt;
  if (marks != nullptr) *marks = count;
  return plain;
}

/// A decimal number with a point (F10), rounded to nearest. Too large a number is infinite, too small a one zero.
template <class Scalar>
bool parse_plain(const char* first, const char* last, Scalar& value) {
  const bool plus = first != last && *first == '+';
  if (plus) ++first;
  const char* digit = first;
  if (!plus && digit != last && *digit == '-') ++digit;
  if (digit == last || !(is_digit(*digit) || *digit == '.')) return false;
  const auto result = std::from_chars(first, last, value);
  if (result.ptr != last) return false;
  if (result.ec == std::errc{}) return true;
  if (result.ec != std::errc::result_out_of_range) return false;
  const auto number = parse_decimal({first, static_cast<std::size_t>(last - first)}, '.');
  if (!number) return false;
  value = number->exponent > -34 && number->digits != 0 ? std::numeric_limits<Scalar>::infinity() : Scalar{0};
  if (number->negative) value = -value;
  return true;
}

/// nan, inf and infinity in any case, with a sign; true and false in any case are 1 and 0.
template <class Scalar>
bool parse_number_word(std::string_view s, Scalar& value) {
  const bool sign = !s.empty() && (s.front() == '-' || s.front() == '+');
  const bool negative = sign && s.front() == '-';
  if (sign) s.remove_prefix(1);
  if (s.size() < 3 || s.size() > 8) return false;
  if (equal_ignoring_case(s, "nan")) {
    value = std::numeric_limits<Scalar>::quiet_NaN();
  } else if (equal_ignoring_case(s, "inf") || equal_ignoring_case(s, "infinity")) {
    value = negative ? -std::numeric_limits<Scalar>::infinity() : std::numeric_limits<Scalar>::infinity();
  } else if (!sign && equal_ignoring_case(s, "true")) {
    value = Scalar{1};
  } else if (!sign && equal_ignoring_case(s, "false")) {
    value = Scalar{0};
  } else {
    return false;
  }
  return true;
}

/// A number in digits; false for any other text, also for words.
template <class Scalar>
bool parse_digits(std::string_view s, const NumberStyle& style, Scalar& value) {
  if (parse_short(s.data(), s.data() + s.size(), style.decimal, value)) return true;
  if (style.decimal == '.' && !style.thousands) return parse_plain(s.data(), s.data() + s.size(), value);
  const auto plain = plain_number(s, style);
  return plain && parse_plain(plain->data(), plain->data() + plain->size(), value);
}

/// A number as F10 has it; false for any other text.
template <class Scalar>
bool parse_number(std::string_view s, const NumberStyle& style, Scalar& value) {
  return parse_digits(s, style, value) || parse_number_word(s, value);
}

/// The thousands mark that would make a number of this text, which is none in the given style.
inline std::optional<char> possible_thousands(std::string_view s, char decimal) {
  const auto number_with = [&](char mark, char sign, std::size_t least) {
    std::size_t marks = 0;
    double value = 0;
    const auto plain = plain_number(s, {sign, mark}, &marks);
    return plain && marks >= least && parse_plain(plain->data(), plain->data() + plain->size(), value);
  };
  if (s.empty() || !(is_digit(s.front()) || s.front() == '-' || s.front() == '+')) return std::nullopt;
  const char other = decimal == '.' ? ',' : '.';
  for (const char mark : {other, '\'', ' '})
    if (number_with(mark, decimal, 1)) return mark;
  if (number_with(decimal, other, 1)) return decimal;
  return std::nullopt;
}

/// Whether the text is a number that shows its thousands mark: beside the decimal sign, or twice.
inline bool shows_thousands(std::string_view s, char decimal, char mark) {
  std::size_t marks = 0;
  double value = 0;
  const auto plain = plain_number(s, {decimal, mark}, &marks);
  return plain && marks > 0 && (marks > 1 || s.find(decimal) != std::string_view::npos) &&
         parse_plain(plain->data(), plain->data() + plain->size(), value);
}

/// Whether the text is an integer that the number type cannot hold exactly. `value` is what it was read as.
template <class Scalar>
bool is_inexact_integer(std::string_view s, Scalar value) {
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) s.remove_prefix(1);
  while (!s.empty() && s.front() == '0') s.remove_prefix(1);
  if (s.size() <= static_cast<std::size_t>(std::numeric_limits<Scalar>::digits10)) return false;
  for (const char c : s)
    if (!is_digit(c)) return false;
  char buffer[400];
  const Scalar size = value < 0 ? -value : value;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, size, std::chars_format::fixed);
  return end.ec != std::errc{} || std::string_view(buffer, static_cast<std::size_t>(end.ptr - buffer)) != s;
}

}  // namespace fidelity::detail::io
