// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>

namespace fidelity {

/// The run in the middle of its ensemble: the index of the least (weighted) sum of distances to the others (Kaufman,
/// Rousseeuw, 1987). Sums that are equal to rounding are a tie, which the lowest index wins. `distances` is the
/// symmetric matrix of one ensemble, `weights` one positive weight for each run (empty: equal). Throws InputError.
[[nodiscard]] inline std::size_t medoid(const CostMatrix& distances, const std::vector<double>& weights = {}) {
  const auto runs = static_cast<std::size_t>(distances.rows());
  detail::check_symmetric("medoid", "distances", distances, runs);
  detail::check_positive_weights("medoid", weights, runs);
  std::size_t best = 0;
  double least = 0;
  for (std::size_t i = 0; i < runs; ++i) {
    detail::CompensatedSum sum;
    for (std::size_t j = 0; j < runs; ++j)
      sum.add_product(weights.empty() ? 1 : weights[j],
                      distances(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    if (i == 0 || sum.value() < least * (1 - detail::tie_tolerance)) {
      best = i;
      least = sum.value();
    }
  }
  return best;
}

}  // namespace fidelity
