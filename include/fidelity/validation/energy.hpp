// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity {

/// The energy value of two ensembles: 2 mean d(X, Y) - mean d(X, X') - mean d(Y, Y'), in the unit of the distances.
struct EnergyDistance {
  /// With the pairs of a run with itself. Never negative where the distance is of negative type (Euclidean norms are;
  /// time warp edit distances are not always), and larger than 0 for two samples of one distribution.
  double all_pairs = 0;
  /// Without them: 0 on average for two samples of one distribution, so it may be negative. Needs two runs a side.
  std::optional<double> debiased = {};
  double across = 0;                            ///< mean distance of a simulated and a measured run
  std::optional<double> within_simulated = {};  ///< mean distance of two different simulated runs
  std::optional<double> within_measured = {};   ///< mean distance of two different measured runs

  /// For scalars with |x - y|: the root of `all_pairs`, which SciPy's energy_distance returns. Absent if that is
  /// negative, which cannot be for such distances.
  [[nodiscard]] std::optional<double> root() const {
    if (!(all_pairs >= 0)) return {};
    return std::sqrt(all_pairs);
  }
};

namespace detail {

/// Sum of w_i w_j d(i, j) over two groups.
inline double weighted_distances(const CostMatrix& pooled, const Indices& rows, const Indices& columns,
                                 const std::vector<double>& weights) {
  CompensatedSum sum;
  for (const std::size_t i : rows) {
    const auto row = static_cast<Eigen::Index>(i);
    double along = 0;
    for (const std::size_t j : columns)
      along += (weights.empty() ? 1 : weights[j]) * pooled(row, static_cast<Eigen::Index>(j));
    sum.add((weights.empty() ? 1 : weights[i]) * along);
  }
  return sum.value();
}

/// Sum of the weights of a group and of their squares, and how many are positive.
struct WeightSums {
  double sum = 0, squares = 0;
  std::size_t runs = 0;
  WeightSums(const Indices& group, const std::vector<double>& weights) {
    for (const std::size_t k : group) {
      const double weight = weights.empty() ? 1 : weights[k];
      sum += weight;
      squares += weight * weight;
      runs += weight > 0 ? 1 : 0;
    }
  }
  [[nodiscard]] double different_pairs() const { return sum * sum - squares; }
};

inline EnergyDistance energy_of(const CostMatrix& pooled, const Indices& simulated, const Indices& measured,
                                const std::vector<double>& weights) {
  const WeightSums a(simulated, weights), b(measured, weights);
  const double inside_a = weighted_distances(pooled, simulated, simulated, weights);
  const double inside_b = weighted_distances(pooled, measured, measured, weights);
  EnergyDistance energy;
  energy.across = weighted_distances(pooled, simulated, measured, weights) / (a.sum * b.sum);
  energy.all_pairs = 2 * energy.across - inside_a / (a.sum * a.sum) - inside_b / (b.sum * b.sum);
  if (a.runs > 1) energy.within_simulated = inside_a / a.different_pairs();
  if (b.runs > 1) energy.within_measured = inside_b / b.different_pairs();
  if (energy.within_simulated && energy.within_measured)
    energy.debiased = 2 * energy.across - *energy.within_simulated - *energy.within_measured;
  return energy;
}

}  // namespace detail

/// The energy value (Szekely, Rizzo, 2004, 2013) of the first `simulations` runs of a pooled matrix against the others:
/// a companion of the Wasserstein distance that needs no transport problem. `weights` holds one weight for
/// each pooled run, positive for one of either side at least; empty: equal. O((N + M)^2). Throws InputError for a
/// matrix that holds no distances, for sizes and weights out of range.
[[nodiscard]] inline EnergyDistance energy_distance(const CostMatrix& pooled, std::size_t simulations,
                                                    const std::vector<double>& weights = {}) {
  detail::check_pooled("energy_distance", pooled, simulations);
  const auto runs = static_cast<std::size_t>(pooled.rows());
  const detail::Indices simulated = detail::first_indices(simulations), measured = detail::others(runs, simulated);
  if (!weights.empty()) {
    detail::checked_sum("energy_distance", "weights", weights, runs);
    for (const detail::Indices* side : {&simulated, &measured})
      if (!(detail::WeightSums(*side, weights).sum > 0))
        detail::fail("energy_distance", Rule::zero_weights, "all weights of one side are zero",
                     {.collection = "weights"});
  }
  return detail::energy_of(pooled, simulated, measured, weights);
}

}  // namespace fidelity
