// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include <fidelity/io/detail/civil.hpp>

namespace fidelity::detail::io {

/// Two digits at s[i]; a number above 99 if they are none.
constexpr unsigned two_digits(std::string_view s, std::size_t i) {
  const auto high = static_cast<unsigned>(s[i] - '0');
  const auto low = static_cast<unsigned>(s[i + 1] - '0');
  return high > 9 || low > 9 ? 100 : high * 10 + low;
}

/// YYYY-MM-DD and nothing else, or followed by T or a blank and a time of day (F18). After a blank the hour may have
/// one digit. `date_only` says which; whether the date exists is not checked here.
inline Fault parse_iso(std::string_view s, CivilTime& civil, bool& date_only) {
  constexpr Fault wrong{"the stamp is not ISO 8601 (the option time_format names other forms)"};
  civil = CivilTime{};
  if (s.size() < 10 || s[4] != '-' || s[7] != '-') return wrong;
  const unsigned century = two_digits(s, 0);
  const unsigned year = two_digits(s, 2);
  civil.month = two_digits(s, 5);
  civil.day = two_digits(s, 8);
  if (century > 99 || year > 99 || civil.month > 99 || civil.day > 99) return wrong;
  civil.year = static_cast<int>(century * 100 + year);
  date_only = s.size() == 10;
  if (date_only) return {};

  if (s[10] != 'T' && s[10] != ' ') return wrong;
  std::string_view clock = s.substr(11);
  if (clock.size() >= 2 && s[10] == ' ' && is_digit(clock[0]) && clock[1] == ':') {
    civil.hour = static_cast<unsigned>(clock[0] - '0');
    clock.remove_prefix(2);
  } else {
    if (clock.size() < 5 || clock[2] != ':') return wrong;
    civil.hour = two_digits(clock, 0);
    clock.remove_prefix(3);
  }
  if (clock.size() < 2) return wrong;
  civil.minute = two_digits(clock, 0);
  if (civil.hour > 99 || civil.minute > 99) return wrong;
  TextCursor rest(clock.substr(2));
  if (rest.skip(':')) {
    if (!rest.digits(2, 2, civil.second)) return wrong;
    if (rest.skip('.') || rest.skip(',')) {
      if (const Fault fault = rest.fraction(civil.nanosecond)) return fault;
    }
  }
  if (rest.at_end()) return {};
  if (rest.peek() != 'Z' && rest.peek() != '+' && rest.peek() != '-') return wrong;
  if (const Fault fault = rest.offset(civil)) return fault;
  return rest.at_end() ? Fault{} : wrong;
}

/// Whether a text is meant as an ISO 8601 stamp: YYYY-MM-DD and nothing else, or followed by T or a blank.
inline bool looks_iso(std::string_view s) {
  CivilTime civil;
  bool date_only = false;
  return s.size() >= 10 && !parse_iso(s.substr(0, 10), civil, date_only) &&
         (s.size() == 10 || s[10] == 'T' || s[10] == ' ');
}

}  // namespace fidelity::detail::io
