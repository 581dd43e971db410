// SPDX-License-Identifier: MIT
// Steady state by the rules as they are written, in long double and without any saving.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace steady_oracle {

using Real = long double;

struct Line {
  Real mean_t, mean, slope, squares, spread, standard_error;
};

inline Line line(const std::vector<double>& t, const std::vector<double>& y, std::size_t begin, std::size_t end) {
  const Real n = static_cast<Real>(end - begin);
  Line l{};
  for (std::size_t i = begin; i < end; ++i) l.mean_t += t[i] / n, l.mean += y[i] / n;
  Real tt = 0, ty = 0;
  for (std::size_t i = begin; i < end; ++i) {
    tt += (t[i] - l.mean_t) * (t[i] - l.mean_t);
    ty += (t[i] - l.mean_t) * (y[i] - l.mean);
  }
  l.slope = ty / tt;
  for (std::size_t i = begin; i < end; ++i) {
    const Real residual = y[i] - l.mean - l.slope * (t[i] - l.mean_t);
    l.squares += residual * residual;
  }
  l.spread = std::sqrt(l.squares / (n - 2));
  l.standard_error = l.spread / std::sqrt(tt);
  return l;
}

/// Probability that Student's t is farther from 0 than x: 1 - the integral of the density from -x to x, by Simpson's
/// rule over the angle in t = sqrt(v) tan(angle).
inline Real student_tails(Real x, Real v) {
  const Real end = std::atan(x / std::sqrt(v)), half_pi = std::acos(Real{0});
  const auto integral = [&](Real to) {
    const int steps = 2000;
    Real sum = 0;
    for (int i = 0; i <= steps; ++i)
      sum += std::pow(std::cos(to * i / steps), v - 1) * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
    return sum * to / (3 * steps);
  };
  return 1 - integral(end) / integral(half_pi);
}

struct Limits {
  std::optional<double> noise_max, slope_max, level_jump;
  double confidence = 0.95, stickiness = 1;
  std::size_t m = 15;
  double min_duration = 0;  // seconds
};

struct Result {
  std::vector<std::size_t> changes, cuts;
  std::vector<bool> steady;
  std::vector<Line> lines;
  Real noise_max = 0, slope_max = 0;
  Real margin = 1;  ///< how far, relatively, the nearest decision was from the other one
};

/// One piece, from the change points before refinement.
inline Result analyse(const std::vector<double>& t, const std::vector<double>& y, std::vector<std::size_t> changes,
                      const Limits& limits) {
  const std::size_t n = y.size();
  Result result;
  const auto note = [&](Real a, Real b) {
    result.margin = std::min(result.margin, std::abs(a - b) / std::max({std::abs(a), std::abs(b), Real{1e-300}}));
  };
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const long from = k == 0 ? 0 : static_cast<long>(changes[k - 1]);
    const long to = k + 1 < changes.size() ? static_cast<long>(changes[k + 1]) : static_cast<long>(n);
    const long found = static_cast<long>(changes[k]), m = static_cast<long>(limits.m);
    std::optional<Real> least;
    long best = found;
    for (long place = found - 5; place <= found + 5; ++place) {
      if (place - from < m || to - place < m) continue;
      const auto at = static_cast<std::size_t>(place);
      const Real sum =
          line(t, y, static_cast<std::size_t>(from), at).squares + line(t, y, at, static_cast<std::size_t>(to)).squares;
      if (least) note(sum, *least);
      if (!least || sum < *least) least = sum, best = place;
    }
    changes[k] = static_cast<std::size_t>(best);
  }
  result.changes = changes;

  std::vector<std::size_t> edges{0};
  edges.insert(edges.end(), changes.begin(), changes.end());
  edges.push_back(n);
  const auto stamp = [&](std::size_t edge) { return edge < n ? t[edge] : t[n - 1]; };
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) result.lines.push_back(line(t, y, edges[k], edges[k + 1]));
  if (limits.noise_max) {
    result.noise_max = *limits.noise_max;
  } else {
    std::optional<Real> smallest;
    for (const Line& candidate : result.lines) {
      Real covered = 0;
      for (std::size_t k = 0; k < result.lines.size(); ++k)
        if (result.lines[k].spread <= candidate.spread) covered += stamp(edges[k + 1]) - stamp(edges[k]);
      if (2 * covered >= t[n - 1] - t[0] && (!smallest || candidate.spread < *smallest)) smallest = candidate.spread;
    }
    result.noise_max = 3 * *smallest;
  }
  result.slope_max = limits.slope_max ? Real{*limits.slope_max} : result.noise_max / limits.min_duration;
  const Real jump = limits.level_jump ? Real{*limits.level_jump} : result.noise_max / 3;
  for (std::size_t k = 0; k < result.lines.size(); ++k) {
    const Line& l = result.lines[k];
    const bool follows = k > 0 && result.steady[k - 1];
    const Real h = follows ? Real{limits.stickiness} : Real{1};
    const Real degrees = static_cast<Real>(edges[k + 1] - edges[k]) - 2;
    const Real tails = student_tails(std::abs(l.slope) / l.standard_error, degrees);
    const bool relevant = std::abs(l.slope) > h * result.slope_max, significant = tails < 1 - Real{limits.confidence};
    note(l.spread, h * result.noise_max), note(std::abs(l.slope), h * result.slope_max);
    note(tails, 1 - Real{limits.confidence});
    result.steady.push_back(l.spread <= h * result.noise_max && !(relevant && significant));
    if (follows && result.steady[k]) {
      const Real at = t[edges[k]];
      const Line& before = result.lines[k - 1];
      const Real gap = std::abs(before.mean + before.slope * (at - before.mean_t) - l.mean - l.slope * (at - l.mean_t));
      note(gap, jump);
      if (gap > jump) result.cuts.push_back(edges[k]);
    }
  }
  return result;
}

}  // namespace steady_oracle
