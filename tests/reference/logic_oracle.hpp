// SPDX-License-Identifier: MIT
// Random series on whole minutes with small whole values, and the verdict of a condition tick by tick: held values by
// looking them up, straight lines by integer arithmetic.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "status_oracle.hpp"

#include <fidelity/series/series.hpp>

namespace status_test {

/// The samples of a series in whole numbers; nothing for a bad one.
struct Samples {
  std::vector<std::int64_t> t;
  std::vector<std::optional<std::int64_t>> y;
  bool hold = false;
  std::optional<std::int64_t> max_gap = {};

  std::size_t size() const { return t.size(); }

  /// Those with a stamp <= r.
  Samples up_to(std::int64_t r) const {
    Samples out{{}, {}, hold, max_gap};
    for (std::size_t i = 0; i < size() && t[i] <= r; ++i) out.t.push_back(t[i]), out.y.push_back(y[i]);
    return out;
  }

  template <class Time = Minutes>
  fidelity::Series<double, Time> series() const {
    std::vector<Time> times;
    std::vector<double> values;
    for (std::size_t i = 0; i < size(); ++i) {
      times.push_back(series_test::tick<Time>(t[i]));
      values.push_back(y[i] ? static_cast<double>(*y[i]) : series_test::bad);
    }
    fidelity::SeriesOptions<Time> options{
        .interpolation = hold ? fidelity::Interpolation::hold : fidelity::Interpolation::linear,
        .duplicates = fidelity::Duplicates::event};
    if (max_gap) options.max_gap = series_test::tick<Time>(*max_gap) - series_test::tick<Time>(0);
    return {times, values, options};
  }
};

/// Steps of 1 to 7 minutes, event pairs, bad samples, values 0 to 4 that often stay.
inline Samples random_samples(Random& random, std::size_t size) {
  Samples out;
  out.hold = random.integer(0, 1) == 0;
  if (random.integer(0, 2) == 0) out.max_gap = random.integer(2, 6);
  std::int64_t t = random.integer(-10, 10), y = 2;
  for (std::size_t i = 0; i < size; ++i) {
    const bool pair = i > 0 && random.integer(0, 9) == 0 && (i < 2 || out.t[i - 2] != t);
    if (i > 0 && !pair) t += random.integer(1, 7);
    if (random.integer(0, 2) > 0) y = random.integer(0, 4);
    out.t.push_back(t);
    out.y.push_back(random.integer(0, 11) == 0 ? std::nullopt : std::optional(y));
  }
  return out;
}

/// What is known of the signal in [t, t + 1): nothing, one value, or a line from y0 to y1 of which `offset` of
/// `length` minutes have passed.
struct Tick {
  bool known = false, sloped = false;
  std::int64_t y0 = 0, y1 = 0, offset = 0, length = 1;

  /// Is it above a level? Of a line the part from the crossing, rounded to the nearest minute.
  bool above(double level) const {
    if (!sloped) return static_cast<double>(y0) > level;
    // Twice the level is whole in all tests.
    const auto twice = static_cast<std::int64_t>(2 * level);
    const std::int64_t rise = std::abs(y1 - y0), way = y1 > y0 ? twice - 2 * y0 : 2 * y0 - twice;
    std::int64_t crossing = 0;
    if (way >= 2 * rise) {
      crossing = length;
    } else if (way > 0) {
      crossing = (way * length + rise) / (2 * rise);  // way * length / (2 rise), half up
    }
    return (offset >= crossing) == (y1 > y0);
  }
  bool on(double level) const { return !sloped && static_cast<double>(y0) == level; }
};

inline Tick tick_at(const Samples& samples, std::int64_t t) {
  std::size_t after = 0;
  while (after < samples.size() && samples.t[after] <= t) ++after;
  if (after == 0 || !samples.y[after - 1]) return {};
  const std::int64_t since = samples.t[after - 1], y = *samples.y[after - 1];
  if (samples.hold) {
    if (samples.max_gap && t >= since + *samples.max_gap) return {};
    return {true, false, y, y, 0, 1};
  }
  if (after == samples.size() || !samples.y[after]) return {};
  const std::int64_t length = samples.t[after] - since;
  if (samples.max_gap && length > *samples.max_gap) return {};
  return {true, y != *samples.y[after], y, *samples.y[after], t - since, length};
}

/// The status of a verdict on ticks over a range.
inline Status by_ticks(const Samples& samples, const Window& range, const std::function<bool(const Tick&)>& verdict) {
  std::vector<Window> holds, missing;
  for (Minutes t = range.begin; t < range.end; t += minutes(1)) {
    const Tick tick = tick_at(samples, t.time_since_epoch().count());
    if (tick.known && !verdict(tick)) continue;
    (tick.known ? holds : missing).push_back({t, t + minutes(1)});
  }
  return {range, Windows(holds), Windows(missing)};
}

}  // namespace status_test
