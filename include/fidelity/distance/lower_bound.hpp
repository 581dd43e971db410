// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_bounds.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/twed.hpp>

namespace fidelity {

/// Numbers that the distance of a pair cannot be below, in its unit. Each is safe against rounding: never above the
/// distance that is computed. They reject gross outliers cheaply; a typical pair is several times as far apart.
struct LowerBounds {
  double ends = 0;    ///< match of the first samples and the cheapest last step
  double length = 0;  ///< that match and the cheapest deletions that bring the longer series to the length of the other
  double potential =
      0;                ///< that match, the change of the difference up to the last samples, the penalty of the lengths
  double features = 0;  ///< that match, difference of the total variations and of the durations, penalty of the lengths

  [[nodiscard]] double largest() const { return std::max({ends, length, potential, features}); }
};

/// All four bounds of two series, or of two that were prepared. O(n + m). Throws what the distance throws.
template <class A, class B>
[[nodiscard]] LowerBounds lower_bounds(const A& a, const B& b, const Twed& twed) {
  if constexpr (requires { a.packed; }) {
    detail::require_prepared_by("lower_bounds", twed, a, b);
    return detail::with_packed_costs(a.packed, b.packed, twed.norm, [&](const auto& costs) {
      const auto [ends, length, potential, features] = detail::pair_bounds(costs, twed.penalty, a.packed.channels);
      return LowerBounds{ends, length, potential, features};
    });
  } else {
    const auto [x, y] = detail::prepare_pair(twed, a, b);
    return lower_bounds(x, y, twed);
  }
}

/// The largest of them.
template <class A, class B>
[[nodiscard]] double lower_bound(const A& a, const B& b, const Twed& twed) {
  return lower_bounds(a, b, twed).largest();
}

/// A lower bound of the distance of a and b from the distances of both to the same other series (pivots), by the
/// triangle inequality: the largest |from_a[k] - from_b[k]|, less the room for rounding of distances of series with at
/// most `longest` samples (and a thousand channels). Only for a metric or pseudo-metric. InputError for different
/// numbers of distances, for one that is negative or not finite, and for none.
[[nodiscard]] inline double pivot_bound(std::span<const double> from_a, std::span<const double> from_b,
                                        std::size_t longest) {
  if (from_a.size() != from_b.size())
    detail::fail("pivot_bound", Rule::size_mismatch,
                 detail::concat("there are ", from_a.size(), " and ", from_b.size(), " distances to the pivots"));
  if (from_a.empty()) detail::fail("pivot_bound", Rule::empty, "there must be at least one pivot");
  const detail::RoundingRoom room(2 * longest, 1000);
  double bound = 0;
  for (std::size_t k = 0; k < from_a.size(); ++k) {
    for (const double distance : {from_a[k], from_b[k]})
      if (!detail::is_finite(distance) || distance < 0)
        detail::fail("pivot_bound", Rule::bad_distance, "a distance must be finite and not negative",
                     {.index = k, .value = distance});
    bound = std::max(bound, room.safe(std::abs(from_a[k] - from_b[k]), from_a[k] + from_b[k]));
  }
  return bound;
}

}  // namespace fidelity
