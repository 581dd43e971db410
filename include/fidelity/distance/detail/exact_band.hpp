// SPDX-License-Identifier: MIT
// Which cells a cheapest path can visit. A path through the diagonal i - j = k leaves one corner of the table by k
// deletions and comes back to the other corner by more of them. Where even the cheapest deletions cost more than a path
// that is known, no cell of that diagonal matters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <fidelity/detail/exact.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>

namespace fidelity::detail {

/// The cells (i, j) with lowest <= i - j <= highest.
struct DiagonalBand {
  std::ptrdiff_t lowest, highest;
};

/// The diagonals of both corners of an n x m table, those between them, and `margin` more on both sides.
inline DiagonalBand band_about_corners(std::size_t n, std::size_t m, std::size_t margin) {
  const auto last = static_cast<std::ptrdiff_t>(n) - static_cast<std::ptrdiff_t>(m);
  const auto beside = static_cast<std::ptrdiff_t>(margin);
  return {std::min<std::ptrdiff_t>(0, last) - beside, std::max<std::ptrdiff_t>(0, last) + beside};
}

/// Cost of the path that matches sample by sample and then deletes the rest of the longer series, with the operations
/// of the sweep: never below the distance that the sweep computes.
template <class PointDistance>
FIDELITY_EXACT double diagonal_cost(const PackedSeries& a, const PackedSeries& b, PointDistance distance) {
  FIDELITY_EXACT_BODY
  const std::size_t shorter = std::min(a.size(), b.size());
  double cost = 0, cost_with_match = 0;
  for (std::size_t i = 0; i < shorter; ++i) {
    const double match = distance(a.sample(i), b.sample(i)) + std::abs(a.times[i] - b.times[i]);
    cost = cost_with_match + match;
    cost_with_match = cost + match;
  }
  for (std::size_t i = shorter; i < a.size(); ++i) cost += a.deletions[i];
  for (std::size_t j = shorter; j < b.size(); ++j) cost += b.deletions[j];
  return cost;
}

/// The margin about the corners outside of which no path costs as little as `bound`, the computed cost of some path; no
/// value where the margin would be `limit` or more. Every path pays `first_match`, the deletions that make up for the
/// lengths, and one more on both sides for every diagonal beyond the corners; the cheapest ones are summed.
/// `deletions_a` and `deletions_b` are the costs from sample 1 on; their order is lost. O(n + m) on average.
///
/// A sweep inside the band gives the bits of the full one, because the comparison leaves room for rounding: the path
/// that the full sweep finds has at most 2 (n + m) roundings, the sums n + m.
template <class T>
std::optional<std::size_t> band_margin(std::vector<T>& deletions_a, std::vector<T>& deletions_b, T first_match, T bound,
                                       std::size_t limit) {
  const std::size_t n = deletions_a.size(), m = deletions_b.size(), both = std::min(n, m);
  const T room = T{4} * static_cast<T>(n + m + 4) * std::numeric_limits<T>::epsilon();
  const T affordable = bound * (1 + room);
  if (!is_finite(affordable) || limit == 0) return std::nullopt;
  const auto at = [](auto first, std::size_t k) { return first + static_cast<std::ptrdiff_t>(k); };
  const auto first_a = at(deletions_a.begin(), n - both), first_b = at(deletions_b.begin(), m - both);
  std::nth_element(deletions_a.begin(), first_a, deletions_a.end());
  std::nth_element(deletions_b.begin(), first_b, deletions_b.end());
  T spent = std::accumulate(deletions_a.begin(), first_a, first_match);
  spent = std::accumulate(deletions_b.begin(), first_b, spent);
  // Bisection: the `low` cheapest of the rest are affordable, the `high` cheapest are not.
  std::size_t low = 0, high = both + 1;
  for (std::size_t middle = std::min(limit, both); high - low > 1; middle = low + (high - low) / 2) {
    T more = spent;
    for (const auto first : {first_a, first_b}) {
      std::nth_element(at(first, low), at(first, middle), at(first, std::min(high, both)));
      more = std::accumulate(at(first, low), at(first, middle), more);
    }
    if (more > affordable) {
      high = middle;
    } else if (middle >= limit) {
      return std::nullopt;
    } else {
      low = middle;
      spent = more;
    }
  }
  return low;
}

}  // namespace fidelity::detail
