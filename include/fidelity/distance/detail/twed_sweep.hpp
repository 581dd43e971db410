// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/detail/exact.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/norm.hpp>

namespace fidelity::detail {

/// A series as the sweep reads it.
struct PackedSeries {
  std::size_t channels = 1;
  std::vector<double> times;      ///< stiffness * (t - origin)
  std::vector<double> values;     ///< sample after sample, scaled
  std::vector<double> deletions;  ///< cost of deleting sample i >= 1; entry 0 is not used

  [[nodiscard]] std::size_t size() const { return times.size(); }
  [[nodiscard]] const double* sample(std::size_t i) const { return values.data() + i * channels; }
};

// Point distances. Channels in order, rounded squares, rounded sums, then one root.

struct MagnitudeDistance {  // one channel
  FIDELITY_EXACT double operator()(const double* x, const double* y) const { return std::abs(*x - *y); }
};
struct SumDistance {
  std::size_t channels;
  FIDELITY_EXACT double operator()(const double* x, const double* y) const {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += std::abs(x[c] - y[c]);
    return sum;
  }
};
struct EuclideanDistance {
  std::size_t channels;
  FIDELITY_EXACT double operator()(const double* x, const double* y) const {
    FIDELITY_EXACT_BODY
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      const double difference = x[c] - y[c];
      sum += difference * difference;
    }
    return std::sqrt(sum);
  }
};
struct MaximumDistance {
  std::size_t channels;
  FIDELITY_EXACT double operator()(const double* x, const double* y) const {
    double largest = 0;
    for (std::size_t c = 0; c < channels; ++c) largest = std::max(largest, std::abs(x[c] - y[c]));
    return largest;
  }
};
struct PowerDistance {  // in units of the largest magnitude, because its power may leave the range of double
  std::size_t channels;
  double p;
  FIDELITY_EXACT double operator()(const double* x, const double* y) const {
    FIDELITY_EXACT_BODY
    const double largest = MaximumDistance{channels}(x, y);
    if (largest == 0 || !is_finite(largest)) return largest;
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += std::pow(std::abs(x[c] - y[c]) / largest, p);
    return largest * std::pow(sum, 1 / p);
  }
};

/// Calls f with the point distance that a norm over a number of channels asks for.
template <class F>
auto with_point_distance(const Norm& norm, std::size_t channels, F&& f) {
  if (channels == 1) return f(MagnitudeDistance{});
  if (norm.is_maximum()) return f(MaximumDistance{channels});
  if (norm.p() == 1) return f(SumDistance{channels});
  if (norm.p() == 2) return f(EuclideanDistance{channels});
  return f(PowerDistance{channels, norm.p()});
}

template <class PointDistance>
FIDELITY_EXACT void fill_deletions(PackedSeries& a, double penalty, PointDistance distance) {
  FIDELITY_EXACT_BODY
  a.deletions.assign(a.size(), 0.0);
  for (std::size_t i = 1; i < a.size(); ++i)
    a.deletions[i] = (distance(a.sample(i), a.sample(i - 1)) + (a.times[i] - a.times[i - 1])) + penalty;
}

/// The recurrence, row by row. D(i, j) is the least cost of turning the first i samples of a into the first j of b;
/// E(i, j) = D(i, j) + phi(i, j), so that the match cost phi is computed once a cell. One row of each is kept.
template <class PointDistance>
FIDELITY_EXACT double twed_sweep(const PackedSeries& a, const PackedSeries& b, PointDistance distance) {
  FIDELITY_EXACT_BODY
  const std::size_t n = a.size(), m = b.size();
  std::vector<double> cost(m), cost_with_match(m);  // D and E of the row above, overwritten from the left

  // First row: the first samples are always matched, then b is deleted.
  for (std::size_t j = 0; j < m; ++j) {
    const double match = distance(a.sample(0), b.sample(j)) + std::abs(a.times[0] - b.times[j]);
    cost[j] = j == 0 ? match : cost[j - 1] + b.deletions[j];
    cost_with_match[j] = cost[j] + match;
  }
  for (std::size_t i = 1; i < n; ++i) {
    double diagonal = cost_with_match[0];  // E(i - 1, j - 1)
    double left = cost[0] + a.deletions[i];
    cost[0] = left;
    cost_with_match[0] = left + (distance(a.sample(i), b.sample(0)) + std::abs(a.times[i] - b.times[0]));
    for (std::size_t j = 1; j < m; ++j) {
      const double match = distance(a.sample(i), b.sample(j)) + std::abs(a.times[i] - b.times[j]);
      left = std::min(std::min(diagonal + match, cost[j] + a.deletions[i]), left + b.deletions[j]);
      diagonal = cost_with_match[j];
      cost[j] = left;
      cost_with_match[j] = left + match;
    }
  }
  return cost[m - 1];
}

inline void fill_deletions(PackedSeries& a, double penalty, const Norm& norm) {
  with_point_distance(norm, a.channels, [&](auto distance) { fill_deletions(a, penalty, distance); });
}

inline double twed_sweep(const PackedSeries& a, const PackedSeries& b, const Norm& norm) {
  return with_point_distance(norm, a.channels, [&](auto distance) { return twed_sweep(a, b, distance); });
}

}  // namespace fidelity::detail
