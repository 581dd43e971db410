// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/sampling/detail/logic_levels.hpp>
#include <fidelity/series/detail/polynomial.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/series_base.hpp>

// Signals cut into stretches in which they stay in one region of the levels. All functions call
// f(begin, end, region, region at begin); a stretch may be shorter than a tick, with begin == end. Pieces are never cut
// before their crossings are found, so the same crossing falls on the same tick whatever range is asked for.
namespace fidelity::detail {

/// Where the straight line from (t0, y0) to (t1, y1) passes a level between y0 and y1; the nearest tick.
template <TimePoint Time>
Time crossing_time(Time t0, Time t1, double y0, double y1, double level) {
  const Duration<Time> length = t1 - t0;
  double rise = level - y0, whole = y1 - y0;
  if (!is_finite(whole)) rise = 0.5 * level - 0.5 * y0, whole = 0.5 * y1 - 0.5 * y0;
  if constexpr (std::same_as<Time, double>) {
    return std::min(t1, t0 + rise / whole * length);
  } else {
    using Rep = typename Time::rep;
    const auto ticks = static_cast<double>(length.count());
    const double product = rise * ticks;  // exact, so that halves are, for small whole numbers
    const double offset = is_finite(product) ? product / whole : rise / whole * ticks;
    if constexpr (std::integral<Rep>) {
      return offset >= ticks ? t1 : t0 + Duration<Time>{static_cast<Rep>(std::llround(offset))};
    } else {
      return std::min(t1, t0 + Duration<Time>{static_cast<Rep>(offset)});
    }
  }
}

/// A straight line with y0 != y1.
template <TimePoint Time, class F>
void line_stretches(Time t0, Time t1, double y0, double y1, const ConditionLevels& levels, F&& f) {
  const std::size_t first = levels.region(y0), last = levels.region(y1);
  std::size_t at_begin = first;
  Time from = t0;
  if (y0 < y1) {
    const std::size_t top = last - last % 2;
    std::size_t region = first + first % 2;
    for (; region < top; region += 2) {
      const Time to = crossing_time(t0, t1, y0, y1, levels[region / 2]);
      f(from, to, region, at_begin);
      from = to;
      at_begin = region + 1;
    }
    f(from, t1, region, at_begin);
  } else {
    const std::size_t bottom = last + last % 2;
    std::size_t region = first - first % 2;
    for (; region > bottom; region -= 2) {
      const Time to = crossing_time(t0, t1, y0, y1, levels[region / 2 - 1]);
      f(from, to, region, at_begin);
      from = to;
      at_begin = region - 1;
    }
    f(from, t1, region, at_begin);
  }
}

/// Region of a polynomial at `e`.
inline std::size_t polynomial_region(const Coefficients& c, std::size_t degree, double e,
                                     const ConditionLevels& levels) {
  const auto sign = [&](double level) {
    Coefficients shifted_down = c;
    shifted_down[0] -= level;
    return is_finite(level) ? sign_of(shifted_down, degree, e) : level > 0 ? -1 : 1;
  };
  const auto values = levels.values();
  const auto level = std::partition_point(values.begin(), values.end(), [&](double value) { return sign(value) > 0; });
  const auto below = 2 * static_cast<std::size_t>(level - values.begin());
  return level != values.end() && sign(*level) == 0 ? below + 1 : below;
}

/// A polynomial piece of any degree.
template <TimePoint Time, class F>
void polynomial_stretches(const Segment<Time>& piece, const ConditionLevels& levels, F&& f) {
  const Coefficients& c = piece.coefficients;
  std::size_t degree = piece.degree;
  while (degree > 0 && c[degree] == 0) --degree;
  if (degree == 0) {
    const std::size_t region = levels.region(c[0]);
    f(piece.window.begin, piece.window.end, region, region);
    return;
  }
  const double begin = piece.seconds_to(piece.window.begin), end = piece.seconds_to(piece.window.end);
  std::vector<std::pair<double, std::size_t>> roots;  // with the region of their level
  for (std::size_t k = 0; k < levels.values().size(); ++k) {
    if (!is_finite(levels[k])) continue;
    Coefficients shifted_down = c;
    shifted_down[0] -= levels[k];
    // A root within rounding of the end belongs to the next piece, whose first value is exact.
    for (const double root : roots_between(shifted_down, degree, begin, end))
      if (end - root > 4e-16 * std::max(std::abs(begin), std::abs(end))) roots.emplace_back(root, 2 * k + 1);
  }
  std::sort(roots.begin(), roots.end());
  double from = begin;
  Time since = piece.window.begin;
  std::size_t at_begin = polynomial_region(c, degree, begin, levels);
  for (std::size_t k = 0; k <= roots.size(); ++k) {
    const bool last = k == roots.size();
    const double to = last ? end : roots[k].first;
    const Time until = last ? piece.window.end : std::clamp(offset("check", piece.origin, to), since, piece.window.end);
    f(since, until, polynomial_region(c, degree, from + 0.5 * (to - from), levels), at_begin);
    from = to;
    since = until;
    if (!last) at_begin = roots[k].second;
  }
}

/// End of the known window of sample i of a held series; its begin if there is none.
template <class Scalar, TimePoint Time>
Time held_until(const SeriesBase<Scalar, Time>& series, std::size_t i, std::size_t samples) {
  const Time begin = series.time(i);
  const Time end = i + 1 < samples ? series.time(i + 1) : time_limit<Time>();
  return series.max_gap() ? std::min(end, saturating_add(begin, *series.max_gap())) : end;
}

/// Is there a straight line from sample i to the next?
template <class Scalar, TimePoint Time>
bool joined(const SeriesBase<Scalar, Time>& series, std::size_t i, std::size_t samples) {
  if (i + 1 >= samples || !is_finite(series(i)) || !is_finite(series(i + 1))) return false;
  const Time begin = series.time(i), end = series.time(i + 1);
  return begin < end && !(series.max_gap() && end - begin > *series.max_gap());
}

/// Place i of a series, read from its samples without making a segment.
template <class Scalar, TimePoint Time, class F>
void place_stretches(const SeriesBase<Scalar, Time>& series, std::size_t i, std::size_t samples,
                     const ConditionLevels& levels, F&& f) {
  const auto y = static_cast<double>(series(i));
  if (series.interpolation() == Interpolation::hold) {
    const Time end = held_until(series, i, samples);
    if (!is_finite(y) || !(series.time(i) < end)) return;
    const std::size_t region = levels.region(y);
    f(series.time(i), end, region, region);
  } else if (joined(series, i, samples)) {
    const auto next = static_cast<double>(series(i + 1));
    const std::size_t region = levels.region(y);
    if (y == next || (region % 2 == 0 && region == levels.region(next))) {
      f(series.time(i), series.time(i + 1), region, region);
    } else {
      line_stretches(series.time(i), series.time(i + 1), y, next, levels, f);
    }
  }
}

/// Place i of any other signal.
template <class S, class F>
  requires(!SampledSignal<S>)
void place_stretches(const S& signal, std::size_t i, std::size_t, const ConditionLevels& levels, F&& f) {
  if (const auto piece = signal.segment(i)) polynomial_stretches(*piece, levels, f);
}

}  // namespace fidelity::detail
