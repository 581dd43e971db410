// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>

namespace fidelity::detail {

/// Room for rounding between a bound and the distance that a sweep computes. A computed path has at most two additions
/// a step, each cost a few roundings a channel, and the bound sums at most n + m terms: relative to the sum of the
/// magnitudes that enter. Squares of a Euclidean norm underflow below 1e-150: the absolute part.
struct RoundingRoom {
  double relative, absolute;

  RoundingRoom(std::size_t samples, std::size_t channels)
      : relative((8.0 * static_cast<double>(samples) + 4.0 * static_cast<double>(channels) + 64) *
                 std::numeric_limits<double>::epsilon()),
        absolute(static_cast<double>(samples) * 1e-150) {}

  /// A bound that is safe in spite of rounding; 0 is always one.
  [[nodiscard]] double safe(double bound, double magnitudes) const {
    const double lowered = bound - (relative * magnitudes + absolute);
    return is_finite(lowered) ? std::max(0.0, lowered) : 0.0;
  }
};

/// What a path through a cell costs at least in the end: a match pays both differences and a deletion the change of the
/// difference (triangle inequality), so the rest of the path costs at least the change of the difference up to the last
/// samples, and the deletions that make up for the lengths.
template <class Costs>
struct CostThroughCell {
  CostThroughCell(const Costs& costs_, double penalty_, std::size_t channels)
      : costs(costs_),
        penalty(penalty_),
        last(costs.match(costs.rows() - 1, costs.columns() - 1)),
        room(costs.rows() + costs.columns(), channels) {}

  [[nodiscard]] double operator()(std::size_t i, std::size_t j, double cost) const {
    const double match = costs.match(i, j);
    const std::size_t rest_a = costs.rows() - i, rest_b = costs.columns() - j;
    const double deletions = penalty * static_cast<double>(std::max(rest_a, rest_b) - std::min(rest_a, rest_b));
    return room.safe(cost + std::abs(last - match) + deletions, cost + last + match + deletions);
  }

  const Costs& costs;
  double penalty, last;
  RoundingRoom room;
};

/// The bounds of a pair: see LowerBounds.
struct PairBounds {
  double ends, length, potential, features;
};

template <class Costs>
PairBounds pair_bounds(const Costs& costs, double penalty, std::size_t channels) {
  const std::size_t n = costs.rows(), m = costs.columns(), excess = std::max(n, m) - std::min(n, m);
  const RoundingRoom room(n + m, channels);
  const double first = costs.match(0, 0), last = costs.match(n - 1, m - 1);
  const double missing = penalty * static_cast<double>(excess);

  double last_step = n == 1 && m == 1 ? 0.0 : std::numeric_limits<double>::max();
  if (n > 1 && m > 1) last_step = last + costs.match(n - 2, m - 2);
  if (n > 1) last_step = std::min(last_step, costs.delete_a(n - 1));
  if (m > 1) last_step = std::min(last_step, costs.delete_b(m - 1));

  double path_a = 0, path_b = 0, duration_a = 0, duration_b = 0;
  std::vector<double> deletions;  // of the longer series
  for (std::size_t i = 1; i < n; ++i) {
    path_a += costs.step_a(i);
    duration_a += costs.step_time_a(i);
    if (n > m) deletions.push_back(costs.delete_a(i));
  }
  for (std::size_t j = 1; j < m; ++j) {
    path_b += costs.step_b(j);
    duration_b += costs.step_time_b(j);
    if (m > n) deletions.push_back(costs.delete_b(j));
  }
  const auto cheapest = deletions.begin() + static_cast<std::ptrdiff_t>(excess);
  std::nth_element(deletions.begin(), cheapest, deletions.end());
  const double shortening = std::accumulate(deletions.begin(), cheapest, 0.0);

  const double features = first + std::abs(path_a - path_b) + std::abs(duration_a - duration_b) + missing;
  return {room.safe(first + last_step, first + last_step), room.safe(first + shortening, first + shortening),
          room.safe(first + std::abs(last - first) + missing, first + last + missing),
          room.safe(features, first + path_a + path_b + duration_a + duration_b + missing)};
}

}  // namespace fidelity::detail
