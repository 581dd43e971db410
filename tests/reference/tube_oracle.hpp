// SPDX-License-Identifier: MIT
// The tube check once more, naive and slow: the reference as a list of straight strokes in the plane of time and value,
// every one of them looked at for every sample.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fidelity/series/series.hpp>

namespace oracle {

using Curve = fidelity::Series<double, double>;

struct Stroke {
  double t0, v0, t1, v1;
};

/// Horizontal or slanted strokes between samples, vertical ones at jumps, a point for every good sample.
inline std::vector<Stroke> strokes(const Curve& curve) {
  std::vector<Stroke> all;
  const bool hold = curve.interpolation() == fidelity::Interpolation::hold;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double t = curve.time(i), v = curve(i);
    if (!std::isfinite(v)) continue;
    all.push_back({t, v, t, v});
    if (i + 1 == curve.size()) continue;
    const double next_t = curve.time(i + 1), next_v = curve(i + 1);
    if (next_t == t) {
      if (std::isfinite(next_v)) all.push_back({t, v, t, next_v});
      continue;
    }
    const bool long_gap = curve.max_gap() && next_t - t > *curve.max_gap();
    if (hold) {
      const double end = long_gap ? t + *curve.max_gap() : next_t;
      all.push_back({t, v, end, v});
      if (!long_gap && std::isfinite(next_v)) all.push_back({next_t, v, next_t, next_v});
    } else if (!long_gap && std::isfinite(next_v)) {
      all.push_back({t, v, next_t, next_v});
    }
  }
  return all;
}

/// How far a value is from the nearest point of the strokes within [begin, end]; NaN where there is none.
inline double distance_to(const std::vector<Stroke>& strokes, double value, double begin, double end) {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const Stroke& s : strokes) {
    if (s.t1 < begin || s.t0 > end) continue;
    const auto at = [&](double t) { return s.t1 == s.t0 ? s.v0 : s.v0 + (s.v1 - s.v0) * ((t - s.t0) / (s.t1 - s.t0)); };
    double low = at(std::max(begin, s.t0)), high = at(std::min(end, s.t1));
    if (s.t0 == s.t1) low = s.v0, high = s.v1;
    if (low > high) std::swap(low, high);
    const double distance = value < low ? low - value : (value > high ? value - high : 0);
    if (!(distance >= best)) best = distance;
  }
  return best;
}

}  // namespace oracle
