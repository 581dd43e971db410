// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fidelity/detail/require.hpp>

namespace fidelity {

/// Absolute time: 64-bit nanoseconds since 1970-01-01T00:00:00Z, years 1678 to 2261. The default of all series.
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

namespace detail {
template <class T>
inline constexpr bool is_time_point = false;
template <class Clock, class D>
inline constexpr bool is_time_point<std::chrono::time_point<Clock, D>> = true;
template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
}  // namespace detail

/// Time of a sample: a std::chrono::time_point of any clock and tick (absolute, exact), or double seconds (elapsed
/// time of a simulation). The two never mix; elapsed() and at() lead from one to the other.
template <class T>
concept TimePoint = std::same_as<T, double> || detail::is_time_point<T>;

/// Difference of two times: a chrono duration, or double seconds.
template <TimePoint Time>
using Duration = decltype(Time{} - Time{});

/// A duration in seconds. Integer ticks are converted once; the result is the nearest double for up to 2^53 ticks and
/// within one unit in the last place beyond.
constexpr double seconds(double duration) { return duration; }
template <class Rep, class Period>
constexpr double seconds(std::chrono::duration<Rep, Period> duration) {
  constexpr auto num = static_cast<double>(Period::num);
  constexpr auto den = static_cast<double>(Period::den);
  if constexpr (std::integral<Rep> && Period::num == 1) {
    constexpr auto exact = std::int64_t{1} << 53;
    const auto ticks = static_cast<std::int64_t>(duration.count());
    if (ticks > exact || ticks < -exact) {  // whole seconds and the rest, so that only one rounding is visible
      return static_cast<double>(ticks / Period::den) + static_cast<double>(ticks % Period::den) / den;
    }
  }
  return static_cast<double>(duration.count()) * num / den;
}

/// Text of a time: ISO 8601 in UTC with nine decimals for system time, seconds for double and other clocks.
inline std::string to_text(double time) { return detail::text(time) + " s"; }
template <class Clock, class D>
std::string to_text(std::chrono::time_point<Clock, D> time) {
  using namespace std::chrono;
  const D since_epoch = time.time_since_epoch();
  std::string plain = detail::concat(seconds(since_epoch), " s since the epoch of its clock");
  if constexpr (std::same_as<Clock, system_clock> && std::integral<typename D::rep>) {
    if (!(seconds(since_epoch) > -6.2e10 && seconds(since_epoch) < 2.5e11)) return plain;  // years 6 to 9891
    const year_month_day date{sys_days{floor<days>(since_epoch)}};
    auto of_day = duration_cast<nanoseconds>(since_epoch % days{1});
    if (of_day < nanoseconds{0}) of_day += days{1};
    const std::int64_t rest = of_day.count();
    const auto padded = [](auto number, std::size_t width) {
      std::string digits = std::to_string(number);
      return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
    };
    const std::int64_t second = rest / 1'000'000'000;
    return padded(static_cast<int>(date.year()), 4) + '-' + padded(static_cast<unsigned>(date.month()), 2) + '-' +
           padded(static_cast<unsigned>(date.day()), 2) + 'T' + padded(second / 3600, 2) + ':' +
           padded(second / 60 % 60, 2) + ':' + padded(second % 60, 2) + '.' + padded(rest % 1'000'000'000, 9) + 'Z';
  } else {
    return plain;
  }
}

namespace detail {

/// to_text without zeros at the end of the fraction: for sentences.
template <TimePoint Time>
std::string short_time(Time t) {
  std::string full = to_text(t);
  const std::size_t dot = full.rfind('.');
  if (dot == std::string::npos || full.back() != 'Z') return full;
  const std::size_t last = full.find_last_not_of('0', full.size() - 2);
  full.erase(last == dot ? dot : last + 1, full.size() - 1 - (last == dot ? dot : last + 1));
  return full;
}

/// A length of time for sentences: "1 d 2 h", "3 min 7.25 s". Seconds have six digits.
inline std::string duration_text(double length_in_seconds) {
  if (!(length_in_seconds >= 60 && length_in_seconds < 1e15)) return short_text(length_in_seconds) + " s";
  auto minutes = static_cast<std::int64_t>(length_in_seconds / 60);
  double rest = length_in_seconds - 60 * static_cast<double>(minutes);
  if (rest >= 59.99995) {  // would be printed as 60
    rest = 0;
    ++minutes;
  }
  std::string words;
  const auto add = [&words](const std::string& part) { words += (words.empty() ? "" : " ") + part; };
  for (const auto& [unit, name] : {std::pair{1440, " d"}, std::pair{60, " h"}, std::pair{1, " min"}}) {
    if (minutes >= unit) add(std::to_string(minutes / unit) + name);
    minutes %= unit;
  }
  if (rest > 0) add(short_text(rest) + " s");
  return words;
}

template <TimePoint Time>
bool is_finite_time(Time t) {
  if constexpr (std::same_as<Time, double>) {
    return is_finite(t);
  } else if constexpr (std::floating_point<typename Time::rep>) {
    return is_finite(static_cast<double>(t.time_since_epoch().count()));
  } else {
    return true;
  }
}

template <class D>
bool is_finite_duration(D d) {
  if constexpr (std::same_as<D, double>) {
    return is_finite(d);
  } else if constexpr (std::floating_point<typename D::rep>) {
    return is_finite(static_cast<double>(d.count()));
  } else {
    return true;
  }
}

/// "As far as the question reaches": later than every stamp.
template <TimePoint Time>
constexpr Time time_limit() {
  if constexpr (std::same_as<Time, double>) {
    return std::numeric_limits<double>::max();
  } else {
    return Time::max();
  }
}

/// later - earlier, or Overflow: ticks never wrap around.
template <TimePoint Time>
Duration<Time> difference(std::string_view function, Time later, Time earlier) {
  const auto overflow = [&] {
    return Overflow(concat("fidelity::", function, ": the time from ", to_text(earlier), " to ", to_text(later),
                           " does not fit into the time type"));
  };
  if constexpr (std::same_as<Time, double>) {
    const double d = later - earlier;
    if (!is_finite(d)) throw overflow();
    return d;
  } else if constexpr (std::integral<typename Time::rep>) {
    typename Time::rep ticks{};
    if (__builtin_sub_overflow(later.time_since_epoch().count(), earlier.time_since_epoch().count(), &ticks))
      throw overflow();
    return Duration<Time>{ticks};
  } else {
    const auto d = later - earlier;
    if (!is_finite_duration(d)) throw overflow();
    return d;
  }
}

/// t + d, held at time_limit() instead of wrapping around (d >= 0).
template <TimePoint Time>
Time saturating_add(Time t, Duration<Time> d) {
  if constexpr (std::same_as<Time, double>) {
    return t > time_limit<Time>() - d ? time_limit<Time>() : t + d;
  } else {
    return t.time_since_epoch() > time_limit<Time>().time_since_epoch() - d ? time_limit<Time>() : t + d;
  }
}

/// t + offset seconds, rounded to the nearest tick; Overflow where the time type ends.
template <TimePoint Time>
Time offset(std::string_view function, Time t, double offset_seconds) {
  if constexpr (std::same_as<Time, double>) {
    return t + offset_seconds;
  } else {
    using Rep = typename Time::rep;
    using Period = typename Time::period;
    constexpr double per_second = static_cast<double>(Period::den) / static_cast<double>(Period::num);
    if constexpr (std::integral<Rep>) {
      // Whole seconds become ticks in integers: their product with 1e9 may need more than the 53 bits of a double.
      constexpr double limit = 9223372036854775808.0;
      const double whole = Period::num == 1 ? std::trunc(offset_seconds) : 0.0;
      const double rest = std::round((offset_seconds - whole) * per_second);
      std::int64_t ticks = 0;
      Rep sum{};
      if (!(std::abs(whole) < limit && std::abs(rest) < limit) ||
          __builtin_mul_overflow(static_cast<std::int64_t>(whole), std::int64_t{Period::den}, &ticks) ||
          __builtin_add_overflow(ticks, static_cast<std::int64_t>(rest), &ticks) ||
          __builtin_add_overflow(t.time_since_epoch().count(), ticks, &sum))
        throw Overflow(concat("fidelity::", function, ": ", to_text(t), " plus ", offset_seconds,
                              " s does not fit into the time type"));
      return Time{Duration<Time>{sum}};
    } else {
      return t + Duration<Time>{static_cast<Rep>(offset_seconds * per_second)};
    }
  }
}

}  // namespace detail

/// A step for a grid: `Every{100ms}` or `Every{0.1}` (seconds). Grid points are start + k * step, never a running sum,
/// so they do not drift. Throws InputError unless the step is positive and finite.
template <class Step>
struct Every {
  explicit Every(Step step_) : step(step_) {
    if (!(step > Step{}) || !detail::is_finite_duration(step))
      detail::fail("Every", Rule::bad_parameter, "the step must be positive and finite", {.value = seconds(step)});
  }
  Step step;
};
template <class Number>
  requires std::is_arithmetic_v<Number> Every(Number)
->Every<double>;

/// The points start + k * step for k = 0 .. count - 1.
template <TimePoint Time>
struct Grid {
  Time start;
  Duration<Time> step;
  std::size_t count;

  /// Point k; k < count is not checked.
  [[nodiscard]] Time operator[](std::size_t k) const {
    if constexpr (std::same_as<Time, double>) {
      return start + static_cast<double>(k) * step;
    } else {
      return start + static_cast<typename Time::rep>(k) * step;
    }
  }
};

namespace detail {
/// A grid whose last point the time type can hold; throws otherwise, and where the step is not positive.
template <TimePoint Time>
Grid<Time> checked_grid(std::string_view function, Time start, Duration<Time> step, std::size_t count) {
  if (!is_finite_time(start)) fail(function, Rule::time_not_finite, "a grid must start at a finite time");
  if (!(step > Duration<Time>{}) || !is_finite_duration(step))
    fail(function, Rule::bad_parameter, "the step must be positive and finite", {.value = seconds(step)});
  const Grid<Time> grid{start, step, count};
  const auto overflow = [&] {
    return Overflow(concat("fidelity::", function, ": ", count, " steps of ", seconds(step), " s from ", to_text(start),
                           " do not fit into the time type"));
  };
  if constexpr (std::same_as<Time, double>) {
    if (count > 0 && !is_finite(grid[count - 1])) throw overflow();
  } else if constexpr (std::floating_point<typename Time::rep>) {
    if (count > 0 && !is_finite_time(grid[count - 1])) throw overflow();
  } else {
    typename Time::rep ticks{};
    if (count > 0 && (__builtin_mul_overflow(count - 1, step.count(), &ticks) ||
                      __builtin_add_overflow(start.time_since_epoch().count(), ticks, &ticks)))
      throw overflow();
  }
  return grid;
}
}  // namespace detail

}  // namespace fidelity
