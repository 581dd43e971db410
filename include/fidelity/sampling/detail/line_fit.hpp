// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/student_t.hpp>

namespace fidelity::detail {

/// Moments of samples (t, x) about their means; two sets merge without loss (Chan, Golub, LeVeque 1983).
struct LineMoments {
  double count = 0, mean_t = 0, mean_x = 0, tt = 0, tx = 0, xx = 0;

  static LineMoments of(double t, double x) { return {1, t, x, 0, 0, 0}; }

  /// Of both sets together.
  friend LineMoments operator+(const LineMoments& a, const LineMoments& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double both = a.count + b.count, share = b.count / both, weight = a.count * share;
    const double dt = b.mean_t - a.mean_t, dx = b.mean_x - a.mean_x;
    return {both,
            a.mean_t + share * dt,
            a.mean_x + share * dx,
            a.tt + b.tt + weight * dt * dt,
            a.tx + b.tx + weight * dt * dx,
            a.xx + b.xx + weight * dx * dx};
  }
};

/// The straight line through samples by least squares: x = mean + slope * (t - mean_t).
struct LineFit {
  double count, mean_t, mean, slope;
  double spread;          ///< of the residuals, by count - 2
  double standard_error;  ///< of the slope
};

/// What is rounding and not signal: 8 units in the last place of the largest absolute value.
inline double rounding_of(double largest) {
  return 8 * (std::nextafter(largest, std::numeric_limits<double>::infinity()) - largest);
}

/// The line of a set of samples, from its moments: as fast as can be, but the spread of a steep line without noise is
/// known to sqrt(rounding) of its height only, and counts as 0 below that. At least 3 samples at different times.
inline LineFit fit_line(const LineMoments& m) {
  const double slope = m.tx / m.tt;
  const double residual = std::max(0.0, m.xx - slope * m.tx);
  const bool rounding = residual <= 1e-15 * m.count * m.xx;
  const double spread = rounding ? 0.0 : std::sqrt(residual / (m.count - 2));
  return {m.count, m.mean_t, m.mean_x, slope, spread, spread / std::sqrt(m.tt)};
}

/// The same from the samples, with the residuals summed one by one. Spread, and slope times duration, count as 0 where
/// they are rounding. O(n). At least 3 samples, not all at one time; times in seconds from a near origin. The result is
/// not finite where it leaves the range of double.
inline LineFit fit_line(std::span<const double> times, std::span<const double> values) {
  const std::size_t n = values.size();
  const auto count = static_cast<double>(n);
  const double t0 = times[0], x0 = values[0];
  double sum_t = 0, sum_x = 0, largest = 0, farthest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum_t += times[i] - t0;
    sum_x += values[i] - x0;
    largest = std::max(largest, std::abs(values[i]));
    farthest = std::max(farthest, std::abs(values[i] - x0));
  }
  const double mean_t = sum_t / count, mean_x = sum_x / count;
  // In units of a power of two near the largest deviation no square overflows or vanishes.
  const int exponent = farthest > 0 && is_finite(farthest) ? std::ilogb(farthest) : 0;
  const double unit = std::scalbn(1.0, -exponent);
  double tt = 0, tx = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double dt = times[i] - t0 - mean_t;
    tt += dt * dt;
    tx += dt * ((values[i] - x0 - mean_x) * unit);
  }
  const double scaled_slope = tx / tt;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = (values[i] - x0 - mean_x) * unit - scaled_slope * (times[i] - t0 - mean_t);
    squares += residual * residual;
  }
  double slope = std::scalbn(scaled_slope, exponent);
  double spread = std::scalbn(std::sqrt(squares / (count - 2)), exponent);
  if (spread < rounding_of(largest)) spread = 0;
  if (std::abs(slope * (times[n - 1] - t0)) < rounding_of(largest)) slope = 0;
  return {count, t0 + mean_t, x0 + mean_x, slope, spread, spread / std::sqrt(tt)};
}

/// What a line may be and still count as steady.
struct LineLimits {
  double noise_max;   ///< of the spread about the line
  double slope_max;   ///< unit of the value per second
  double confidence;  ///< of the test of the slope, 0 to 1
  bool strict;        ///< the whole confidence interval of the slope must lie within its limit
};

struct LineVerdict {
  bool noise_failed, slope_failed;
  [[nodiscard]] bool steady() const { return !noise_failed && !slope_failed; }
};

/// A slope counts when it is both relevant (beyond its limit) and significant (two-sided t-test).
inline LineVerdict judge(const LineFit& line, const LineLimits& limits) {
  const double slope = std::abs(line.slope);
  LineVerdict verdict{line.spread > limits.noise_max, slope > limits.slope_max};
  if (verdict.slope_failed == limits.strict || line.standard_error == 0) return verdict;
  const double margin = student_t_quantile(1 - limits.confidence, line.count - 2) * line.standard_error;
  verdict.slope_failed = limits.strict ? slope + margin > limits.slope_max : slope > margin;
  return verdict;
}

}  // namespace fidelity::detail
