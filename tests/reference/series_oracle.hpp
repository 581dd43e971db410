// SPDX-License-Identifier: MIT
// A naive second opinion about series: every rule written out sample by sample in long double, without segments.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fidelity/series/segment.hpp>
#include <fidelity/series/series_base.hpp>

namespace series_test {

using Real = long double;

/// A stretch [a, b) of time on which the signal is given by a function.
struct Stretch {
  Real a, b;
  std::function<Real(Real)> value;
};

/// A series as plain numbers: stamps in ticks (seconds for double), so that they are exact; values; how they are read.
struct NaiveSeries {
  std::vector<Real> times;
  std::vector<double> values;
  bool hold = false;
  std::optional<Real> max_gap;

  template <class Scalar, class Time>
  explicit NaiveSeries(const fidelity::SeriesBase<Scalar, Time>& series)
      : hold(series.interpolation() == fidelity::Interpolation::hold) {
    if (series.max_gap()) max_gap = plain(*series.max_gap());
    for (std::size_t i = 0; i < series.size(); ++i) {
      times.push_back(plain(series.time(i) - Time{}));
      values.push_back(static_cast<double>(series(i)));
    }
  }

  static Real plain(double d) { return d; }
  template <class Rep, class Period>
  static Real plain(std::chrono::duration<Rep, Period> d) {
    return static_cast<Real>(d.count());
  }

  /// What is known of [from, to): S5, F33, F40, F41.
  std::vector<Stretch> known(Real from, Real to) const {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const bool last = i + 1 == times.size();
      if (!std::isfinite(values[i]) || (!hold && last)) continue;
      const Real begin = times[i], x = values[i];
      Real end = last ? std::numeric_limits<Real>::infinity() : times[i + 1];
      std::function<Real(Real)> value = [x](Real) { return x; };
      if (hold) {
        if (max_gap) end = std::min(end, begin + *max_gap);
      } else {
        if (!std::isfinite(values[i + 1]) || (max_gap && end - begin > *max_gap)) continue;
        const Real y = values[i + 1], stop = end;
        value = [=](Real t) { return x + (y - x) * ((t - begin) / (stop - begin)); };
      }
      const Real a = std::max(begin, from), b = std::min(end, to);
      if (a < b) all.push_back({a, b, value});
    }
    return all;
  }
};

/// Integral by Gauss-Legendre with five points on each eighth of a stretch: exact for polynomials up to degree 9.
inline Real quadrature(const std::vector<Stretch>& stretches, const std::function<Real(Real t, Real x)>& f) {
  const Real near = std::sqrt(5 - 2 * std::sqrt(Real{10} / 7)) / 3,
             far = std::sqrt(5 + 2 * std::sqrt(Real{10} / 7)) / 3;
  const Real near_weight = (322 + 13 * std::sqrt(Real{70})) / 900, far_weight = (322 - 13 * std::sqrt(Real{70})) / 900;
  const Real nodes[] = {-far, -near, 0, near, far};
  const Real weights[] = {far_weight, near_weight, Real{128} / 225, near_weight, far_weight};
  Real sum = 0;
  for (const auto& s : stretches)
    for (int part = 0; part < 8; ++part)
      for (int k = 0; k < 5; ++k) {
        const Real half = (s.b - s.a) / 16, t = s.a + half * (2 * part + 1 + nodes[k]);
        sum += weights[k] * half * f(t, s.value(t));
      }
  return sum;
}

struct NaiveStatistics {
  Real known, integral, mean, standard_deviation, slope, minimum, maximum;
};

/// All statistics over stretches that are straight lines (minimum and maximum stand at their ends). `tick`: seconds
/// that the unit of their times stands for.
inline NaiveStatistics naive_statistics(const std::vector<Stretch>& stretches, Real tick = 1) {
  NaiveStatistics s{};
  s.known = quadrature(stretches, [](Real, Real) { return Real{1}; });
  s.integral = quadrature(stretches, [](Real, Real x) { return x; });
  s.mean = s.integral / s.known;
  const Real centre = quadrature(stretches, [](Real t, Real) { return t; }) / s.known;
  s.standard_deviation =
      std::sqrt(quadrature(stretches, [&](Real, Real x) { return (x - s.mean) * (x - s.mean); }) / s.known);
  s.slope = quadrature(stretches, [&](Real t, Real x) { return (t - centre) * (x - s.mean); }) /
            quadrature(stretches, [&](Real t, Real) { return (t - centre) * (t - centre); });
  s.known *= tick;
  s.integral *= tick;
  s.slope /= tick;
  s.minimum = std::numeric_limits<Real>::infinity();
  s.maximum = -s.minimum;
  for (const auto& stretch : stretches)
    for (const Real x : {stretch.value(stretch.a), stretch.value(stretch.b)}) {
      s.minimum = std::min(s.minimum, x);
      s.maximum = std::max(s.maximum, x);
    }
  return s;
}

struct NaiveCrossing {
  Real time;
  bool up;
};

/// Crossings seen by looking at the signal every `step`: coarse, but without any algebra. A stretch that the
/// signal spends on the level keeps the time at which it began.
inline std::vector<NaiveCrossing> naive_crossings(const std::vector<Stretch>& stretches, Real level, Real step) {
  std::vector<NaiveCrossing> found;
  int last = 0;
  Real since = 0;
  bool on_level = false;
  Real end = -std::numeric_limits<Real>::infinity();
  for (const auto& s : stretches) {
    if (s.a != end) {
      last = 0;
      on_level = false;
    }
    end = s.b;
    for (Real t = s.a + step / 2; t < s.b; t += step) {
      const Real x = s.value(t);
      const int side = x > level ? 1 : (x < level ? -1 : 0);
      if (side == 0) {
        if (!on_level) since = t;
        on_level = true;
        continue;
      }
      if (last != 0 && side != last) found.push_back({on_level ? since : t, side > 0});
      last = side;
      on_level = false;
    }
  }
  return found;
}

}  // namespace series_test
