// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/text.hpp>
#include <fidelity/io/detail/zone_rules.hpp>

namespace fidelity::detail::io {

/// A yearly change of the clock in a POSIX TZ rule, in the local time before it.
struct YearlyChange {
  char kind = 'M';  ///< 'M': month, week, weekday; 'J': day 1 to 365, 29
                    ///< February not counted; '0': day 0 to 365
  unsigned month = 1;
  unsigned week = 1;  ///< 5: the last
  unsigned day = 0;   ///< weekday from Sunday = 0, or day of the year
  std::chrono::seconds clock{2 * 3600};

  /// Seconds since 1970 in that local time.
  [[nodiscard]] std::chrono::seconds local(int in_year) const {
    using namespace std::chrono;
    const year y{in_year};
    const sys_days first{y / January / 1};
    sys_days date = first + days{day};
    if (kind == 'J') {
      date = first + days{day - 1 + (y.is_leap() && day >= 60 ? 1 : 0)};
    } else if (kind == 'M') {
      const weekday wanted{day};
      date = week == 5 ? sys_days{y / chrono_month() / wanted[std::chrono::last]}
                       : sys_days{y / chrono_month() / wanted[week]};
    }
    return date.time_since_epoch() + clock;
  }

 private:
  [[nodiscard]] std::chrono::month chrono_month() const { return std::chrono::month{month}; }
};

/// A rule such as CET-1CEST,M3.5.0,M10.5.0/3 (POSIX 8.3, with the hours of RFC 8536 section 3.3.1).
class PosixZone {
 public:
  std::chrono::seconds standard{};

  Fault parse(std::string_view text) {
    TextCursor cursor(text);
    if (!skip_name(cursor)) return {"a name of three or more letters, or one in < >, is missing"};
    if (!read_clock(cursor, 24, standard)) return {"the offset is not hh, hh:mm or hh:mm:ss up to 24 hours"};
    standard = -standard;  // POSIX counts west of Greenwich as positive
    if (cursor.at_end()) return {};
    if (!skip_name(cursor)) return {"the name of the summer time is missing"};
    summer_ = standard + std::chrono::hours{1};
    if (!cursor.at_end() && cursor.peek() != ',') {
      if (!read_clock(cursor, 24, *summer_)) return {"the offset of the summer time is not a clock time"};
      summer_ = -*summer_;
    }
    if (!cursor.skip(',')) return {"the days on which summer time begins and ends are missing"};
    if (!read_change(cursor, begin_) || !cursor.skip(',') || !read_change(cursor, end_) || !cursor.at_end())
      return {"the days of change are not Mm.w.d, Jn or n, with a time after a slash"};
    return order();
  }

  /// All offsets over the years that stamps can have.
  [[nodiscard]] ZoneRules rules() const {
    ZoneRules rules;
    rules.before = standard;
    if (!summer_) return rules;
    rules.transitions = changes();
    // Before the first change the other one of the two offsets holds.
    rules.before = rules.transitions.front().offset == standard ? *summer_ : standard;
    rules.tidy();
    return rules;
  }

 private:
  static bool skip_name(TextCursor& cursor) {
    std::size_t letters = 0;
    if (cursor.skip('<')) {
      for (; cursor.peek() != '>'; ++letters) {
        const char c = cursor.peek();
        if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-') return false;
        cursor.skip(c);
      }
      cursor.skip('>');
    } else {
      for (; is_letter(cursor.peek()); ++letters) cursor.skip(cursor.peek());
    }
    return letters >= 3;
  }
  static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

  static bool read_clock(TextCursor& cursor, int most_hours, std::chrono::seconds& clock) {
    const bool negative = cursor.peek() == '-';
    if (!cursor.skip('-')) cursor.skip('+');
    int parts[3] = {};
    if (!cursor.digits(1, 3, parts[0]) || parts[0] > most_hours) return false;
    for (int i = 1; i < 3 && cursor.skip(':'); ++i)
      if (!cursor.digits(1, 2, parts[i]) || parts[i] > 59) return false;
    clock = std::chrono::seconds{(parts[0] * 60 + parts[1]) * 60 + parts[2]};
    if (negative) clock = -clock;
    return true;
  }

  static bool read_change(TextCursor& cursor, YearlyChange& change) {
    change.kind = '0';
    for (const char kind : {'M', 'J'})
      if (cursor.skip(kind)) change.kind = kind;
    if (change.kind == 'M') {
      if (!cursor.digits(1, 2, change.month) || change.month < 1 || change.month > 12 || !cursor.skip('.') ||
          !cursor.digits(1, 1, change.week) || change.week < 1 || change.week > 5 || !cursor.skip('.') ||
          !cursor.digits(1, 1, change.day) || change.day > 6)
        return false;
    } else if (!cursor.digits(1, 3, change.day) || change.day > 365 || (change.kind == 'J' && change.day == 0)) {
      return false;
    }
    return !cursor.skip('/') || read_clock(cursor, 167, change.clock);
  }

  [[nodiscard]] std::vector<ZoneTransition> changes() const {
    constexpr int first_year = 1676;
    constexpr int last_year = 2264;
    std::vector<ZoneTransition> all;
    for (int year = first_year; year <= last_year; ++year) {
      all.push_back({std::chrono::sys_seconds{begin_.local(year) - standard}, *summer_});
      all.push_back({std::chrono::sys_seconds{end_.local(year) - *summer_}, standard});
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.instant < b.instant; });
    return all;
  }

  /// Summer time must end before it begins again.
  [[nodiscard]] Fault order() const {
    const auto all = changes();
    for (std::size_t i = 1; i < all.size() && *summer_ != standard; ++i)
      if (all[i].offset == all[i - 1].offset) return {"the summer times of two years overlap"};
    return {};
  }

  std::optional<std::chrono::seconds> summer_;
  YearlyChange begin_;
  YearlyChange end_;
};

}  // namespace fidelity::detail::io
