// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/partial_transport.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity {

/// How much of either ensemble may be set aside as outliers: a share of its runs, from 0 to below 1.
struct OutlierBudget {
  double simulated = 0;
  double measured = 0;
};

/// A run that was set aside, wholly or in part.
struct TrimmedRun {
  std::size_t run;
  double mass;   ///< of its ensemble, whose mass is 1
  double share;  ///< of the run; 1: all of it
};

/// A distance without the worst part of the ensembles, beside the full one.
struct TrimmedWasserstein {
  double value = 0;  ///< W_p of what was kept, which counts as the whole; never above `full`
  double full = 0;   ///< W_p with nothing set aside
  double order = 1;
  OutlierBudget used = {};  ///< the budget, rounded down to thousandths of a run: so much was set aside
  std::vector<TrimmedRun> simulations = {};
  std::vector<TrimmedRun> measurements = {};
};

/// The Wasserstein distance after the most distant part of the ensembles, up to a stated share of each, has been set
/// aside: partial optimal transport (Alvarez-Esteban et al., 2008; Figalli, 2010; Caffarelli, McCann, 2010), exact. The
/// plan moves all mass but that of the budgets and chooses what to leave so that the rest costs least; a run may be set
/// aside in part. It tells whether a few runs make the distance. It is no distance to judge a model by: a budget of 5 %
/// hides one diverged run in 20. Show it beside the full value.
///
/// The budgets of the two sides are independent: {.measured = 0.05} forgives measurements only. Among several best
/// choices of runs one is returned. `across` holds the N x M distances. Cost: two transport problems.
/// Throws InputError for entries that are no distances, for an order below 1 and for a budget outside [0, 1).
[[nodiscard]] inline TrimmedWasserstein trimmed_wasserstein(const CostMatrix& across, OutlierBudget budget,
                                                            double order = 1) {
  detail::check_across("trimmed_wasserstein", across);
  detail::check_order("trimmed_wasserstein", order);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  const detail::RunParts simulated("simulated", budget.simulated, n), measured("measured", budget.measured, m);

  TrimmedWasserstein result{.order = order, .used = {simulated.used(), measured.used()}};
  const detail::ReplicateCosts costs(across, order);
  result.full = costs.distance("trimmed_wasserstein", detail::first_indices(n), detail::first_indices(m));
  result.value = result.full;
  if (simulated.trimmed == 0 && measured.trimmed == 0) return result;

  const detail::PartialPlan plan = detail::partial_transport(across, simulated, measured, order);
  result.value = std::min(plan.distance, result.full);
  const auto list = [](const std::vector<double>& shares) {
    std::vector<TrimmedRun> runs;
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (shares[k] > 0) runs.push_back({k, shares[k] / static_cast<double>(shares.size()), shares[k]});
    return runs;
  };
  result.simulations = list(plan.trimmed_rows);
  result.measurements = list(plan.trimmed_columns);
  return result;
}

}  // namespace fidelity
