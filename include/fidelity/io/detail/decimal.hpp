// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/time_unit.hpp>

namespace fidelity::detail::io {

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

/// A written number, exactly: digits * 10^exponent. `inexact` if digits beyond the 34th were not all zeros.
struct Decimal {
  Unsigned128 digits = 0;
  std::int64_t exponent = 0;
  bool negative = false;
  bool inexact = false;
};

/// Sign, digits, decimal sign, exponent as in F10; nothing for any other text.
inline std::optional<Decimal> parse_decimal(std::string_view s, char decimal_sign) {
  constexpr int most_digits = 34;                      // times 864 still below 10^37
  constexpr std::int64_t far = 1'000'000'000'000'000;  // exponents beyond it need not be told apart
  Decimal number;
  std::size_t i = 0;
  if (i < s.size() && (s[i] == '+' || s[i] == '-')) number.negative = s[i++] == '-';
  bool any = false;
  bool after_sign = false;
  int kept = 0;
  for (; i < s.size(); ++i) {
    if (s[i] == decimal_sign && !after_sign) {
      after_sign = true;
      continue;
    }
    if (!is_digit(s[i])) break;
    any = true;
    if (kept < most_digits) {
      number.digits = number.digits * 10 + static_cast<unsigned>(s[i] - '0');
      kept += number.digits != 0 ? 1 : 0;
      number.exponent -= after_sign ? 1 : 0;
    } else {
      number.inexact = number.inexact || s[i] != '0';
      number.exponent += after_sign ? 0 : 1;
    }
  }
  if (!any) return std::nullopt;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    const bool down = i < s.size() && s[i] == '-';
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (i == s.size()) return std::nullopt;
    std::int64_t power = 0;
    for (; i < s.size() && is_digit(s[i]); ++i) power = power < far ? power * 10 + (s[i] - '0') : power;
    number.exponent += down ? -power : power;
  }
  if (i != s.size()) return std::nullopt;
  return number;
}

/// The magnitude of a number in a unit: whole nanoseconds and where the rest of one stands: 0, below half, half, above
/// half, as 0 to 3.
struct NanosecondParts {
  std::int64_t whole = 0;
  int rest = 0;
};

/// Nothing if they do not fit.
inline std::optional<NanosecondParts> nanosecond_parts(const Decimal& number, TimeUnit unit) {
  const UnitSize& size = unit_size(unit);
  std::int64_t exponent = number.exponent + size.exponent;
  Unsigned128 value = number.digits * size.base;
  constexpr auto limit = static_cast<Unsigned128>(std::numeric_limits<std::int64_t>::max());
  NanosecondParts parts;
  if (value == 0) return parts;
  for (; exponent > 0; --exponent) {
    if (value > limit) return std::nullopt;
    value *= 10;
  }
  if (exponent < 0) {
    Unsigned128 divisor = 1;
    for (; exponent < 0 && divisor <= value; ++exponent) divisor *= 10;
    // With divisor > value and powers of ten left, the value is below a tenth.
    const bool tiny = exponent < 0;
    const Unsigned128 rest = tiny ? 1 : value % divisor;
    value = tiny ? 0 : value / divisor;
    const Unsigned128 other = divisor - rest;
    parts.rest = rest > other ? 3 : rest == other ? (number.inexact ? 3 : 2) : rest != 0 || number.inexact ? 1 : 0;
  }
  if (value > limit) return std::nullopt;
  parts.whole = static_cast<std::int64_t>(value);
  return parts;
}

/// The number in a unit, as nanoseconds, rounded half to even to a multiple of `step` (F21, F22). Nothing if they do
/// not fit.
inline std::optional<std::int64_t> whole_nanoseconds(const Decimal& number, TimeUnit unit, std::int64_t step = 1) {
  const auto parts = nanosecond_parts(number, unit);
  if (!parts) return std::nullopt;
  std::int64_t count = parts->whole / step;
  // What is left to half a step, in half nanoseconds: 2 whole + rest against step.
  const std::int64_t lack = step - 2 * (parts->whole % step);
  const int rest = parts->rest;
  const bool above = lack < 0 || (lack == 0 && rest > 0) || (lack == 1 && rest == 3);
  const bool tie = (lack == 0 && rest == 0) || (lack == 1 && rest == 2);
  if (above || (tie && count % 2 != 0)) ++count;
  std::int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(count, step, &nanoseconds)) return std::nullopt;
  return number.negative ? -nanoseconds : nanoseconds;
}

/// The number in a unit, as seconds; the nearest double (for more than 34 digits within one unit in the last place).
/// Infinite if no double is large enough.
inline double double_seconds(const Decimal& number, TimeUnit unit) {
  const UnitSize& size = unit_size(unit);
  Unsigned128 value = number.digits * size.base;
  char buffer[64];
  char* const end = buffer + sizeof buffer;
  char* digit = buffer + 40;
  char* const last = digit;
  do {
    *--digit = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  *last = 'e';
  const char* const stop = std::to_chars(last + 1, end, number.exponent + size.exponent - 9).ptr;
  double result = 0;
  if (std::from_chars(digit, stop, result).ec == std::errc::result_out_of_range)
    result = number.exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
  return number.negative ? -result : result;
}

}  // namespace fidelity::detail::io
