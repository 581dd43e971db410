// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity::detail {

/// A labelled place on an axis.
struct Tick {
  double place;  ///< value, or share of the time axis from 0 to 1
  std::string label;
};

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
inline double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

/// A number on a scale whose ticks are `step` apart: as many decimals as the step has, no more.
inline std::string tick_label(double value, double step) {
  if (std::abs(value) < 0.5 * step) return "0";
  if (std::abs(value) >= 1e7 || step < 1e-5) {
    const int digits = static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(step)));
    return fmt::format("{:.{}e}", value, std::clamp(digits, 0, 15));
  }
  return fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))));
}

/// About `count` round places on a scale from low to high.
inline std::vector<Tick> value_ticks(double low, double high, int count) {
  std::vector<Tick> ticks;
  const double step = round_step((high - low) / count);
  for (double k = std::ceil(low / step); k * step <= high && ticks.size() < 50; ++k)
    ticks.push_back({k * step, tick_label(k * step, step)});
  return ticks;
}

/// Round places on the time axis of `range`, at most `count`. System time gets clock times in UTC, with the date where
/// it changes; other times get seconds.
template <TimePoint Time>
std::vector<Tick> time_ticks(const Window<Time>& range, int count) {
  using namespace std::chrono;
  const double length = seconds(range.length());
  std::vector<Tick> ticks;
  if constexpr (std::same_as<Time, double>) {
    for (Tick& tick : value_ticks(range.begin, range.end, count))
      ticks.push_back({(tick.place - range.begin) / length, std::move(tick.label)});
  } else if constexpr (std::same_as<typename Time::clock, system_clock> && std::integral<typename Time::rep>) {
    constexpr std::array<std::int64_t, 20> steps{1,     2,     5,     10,    15,        30,       60,
                                                 120,   300,   600,   900,   1800,      3600,     7200,
                                                 10800, 21600, 43200, 86400, 2 * 86400, 7 * 86400};
    if (length < count) {  // below a second: seconds from the begin
      for (Tick& tick : value_ticks(0, length, count)) ticks.push_back({tick.place / length, "+" + tick.label + " s"});
      return ticks;
    }
    std::int64_t step = steps.back();
    for (std::size_t i = steps.size(); i-- > 0;)
      if (length / static_cast<double>(steps[i]) <= count) step = steps[i];
    while (length / static_cast<double>(step) > count) step *= 2;
    const std::int64_t begin = floor<duration<std::int64_t>>(range.begin.time_since_epoch()).count();
    std::int64_t second = (begin >= 0 ? begin / step : -((-begin + step - 1) / step)) * step;
    for (std::int64_t last_day = INT64_MIN;; second += step) {
      const double place = (static_cast<double>(second - begin) -
                            seconds(range.begin.time_since_epoch() - duration<std::int64_t>(begin))) /
                           length;
      if (place > 1) break;
      if (place < 0) continue;
      const std::string text = fidelity::to_text(sys_time<duration<std::int64_t>>(duration<std::int64_t>(second)));
      const std::int64_t day = (second - (second % 86400 + 86400) % 86400) / 86400;
      std::string label = step >= 86400 ? text.substr(0, 10) : text.substr(11, step % 60 == 0 ? 5 : 8);
      if (day != last_day && step < 86400) label = text.substr(0, 10) + " " + label;
      last_day = day;
      ticks.push_back({place, std::move(label)});
    }
  } else {
    for (Tick& tick : value_ticks(0, length, count)) ticks.push_back({tick.place / length, "+" + tick.label + " s"});
  }
  return ticks;
}

}  // namespace fidelity::detail
