// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fidelity/io/detail/text.hpp>

namespace fidelity::detail::io {

/// Why a text is no stamp: a sentence, or null if it is one. A fatal fault concerns the column, not the row.
struct Fault {
  const char* reason = nullptr;
  bool fatal = false;
  explicit operator bool() const { return reason != nullptr; }
};

/// The fields of a written date and time.
struct CivilTime {
  int year = 0;
  unsigned month = 1;
  unsigned day = 1;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  std::int64_t nanosecond = 0;
  bool has_offset = false;
  std::int64_t offset_minutes = 0;
};

inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
inline constexpr std::int64_t first_second = -9214560000;  ///< 1678-01-01T00:00:00Z
inline constexpr std::int64_t end_second = 9214646400;     ///< 2262-01-01T00:00:00Z

inline Fault outside_years() { return {"the stamp lies outside the years 1678 to 2261"}; }

/// A time on some clock: seconds since 1970-01-01T00:00 of that clock, and decimals of a second.
struct LocalTime {
  std::chrono::seconds second{};
  std::int64_t nanosecond = 0;
};

/// The fields as one number; refuses dates and times of day that do not exist (F19).
inline Fault to_local_time(const CivilTime& civil, LocalTime& local) {
  using namespace std::chrono;
  const year_month_day date{year{civil.year}, month{civil.month}, day{civil.day}};
  if (!date.ok()) return {"the day does not exist"};
  if (civil.minute > 59) return {"the minute is not below 60"};
  if (civil.second > 59) return {"the second is not below 60"};
  if (civil.hour > 24) return {"the hour is not below 24"};
  if (civil.hour == 24 && (civil.minute != 0 || civil.second != 0 || civil.nanosecond != 0))
    return {"hour 24 is midnight only"};
  local.second = sys_days{date}.time_since_epoch() + hours{civil.hour} + minutes{civil.minute} +
                 std::chrono::seconds{civil.second};
  local.nanosecond = civil.nanosecond;
  return {};
}

/// Nanoseconds since 1970 in UTC, exactly (F14). `offset` is local time minus UTC.
inline Fault to_nanoseconds(const LocalTime& local, std::chrono::seconds offset, std::int64_t& nanoseconds) {
  const std::int64_t second = (local.second - offset).count();
  if (second < first_second || second >= end_second) return outside_years();
  nanoseconds = second * nanoseconds_per_second + local.nanosecond;
  return {};
}

/// A reader of fixed forms inside one text.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool skip_blanks() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    return rest_.size() != before;
  }

  /// Between `least` and `most` digits, as many as there are.
  template <class Number>
  bool digits(std::size_t least, std::size_t most, Number& number) {
    Number value = 0;
    std::size_t count = 0;
    for (; count < most && count < rest_.size() && is_digit(rest_[count]); ++count)
      value = static_cast<Number>(value * 10 + static_cast<Number>(rest_[count] - '0'));
    if (count < least) return false;
    rest_.remove_prefix(count);
    number = value;
    return true;
  }

  /// Decimals of a second: 1 to 9 digits, any further ones must be zeros.
  Fault fraction(std::int64_t& nanosecond) {
    std::size_t count = 0;
    std::int64_t value = 0;
    for (; count < rest_.size() && is_digit(rest_[count]); ++count) {
      if (count < 9) value = value * 10 + (rest_[count] - '0');
      if (count >= 9 && rest_[count] != '0') return {"a second has at most nine decimals"};
    }
    if (count == 0) return {"a fraction of a second needs digits"};
    for (std::size_t k = count; k < 9; ++k) value *= 10;
    rest_.remove_prefix(count);
    nanosecond = value;
    return {};
  }

  /// Z, +hh, +hhmm or +hh:mm (F18).
  Fault offset(CivilTime& civil) {
    constexpr Fault wrong{"the offset from UTC is not Z, +hh, +hhmm or +hh:mm"};
    civil.has_offset = true;
    civil.offset_minutes = 0;
    if (skip('Z')) return {};
    const bool negative = peek() == '-';
    if (!skip('+') && !skip('-')) return wrong;
    std::int64_t hours = 0;
    std::int64_t minutes = 0;
    if (!digits(2, 2, hours)) return wrong;
    if (skip(':') ? !digits(2, 2, minutes) : is_digit(peek()) && !digits(2, 2, minutes)) return wrong;
    if (hours > 23 || minutes > 59) return wrong;
    civil.offset_minutes = (negative ? -1 : 1) * (hours * 60 + minutes);
    return {};
  }

 private:
  std::string_view rest_;
};

}  // namespace fidelity::detail::io
