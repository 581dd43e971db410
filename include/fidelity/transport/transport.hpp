// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/certificate.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/solve.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity {

/// How transport() is to weigh the runs.
struct TransportOptions {
  /// One weight per row, of any unit: finite, not negative, not all zero. Empty: all rows weigh the same, and their
  /// total is that of the demand, or 1. Counts (integers up to a sum of 2^53) stay exact integers.
  std::vector<double> supply = {};
  /// One weight per column, as supply.
  std::vector<double> demand = {};
  /// Divide each side by its own sum. Without it sums that differ by more than 1e-9 of the larger one are an error, and
  /// smaller differences are taken as rounding: the demand is scaled, see TransportPlan::mass_adjustment.
  bool normalise = false;
  /// A safety limit on the pivots of the simplex; unset: 1e6 + 1000 (rows + columns), which no known problem reaches.
  std::optional<std::size_t> pivot_limit = {};
  /// Called now and then in a long solve, with the pivots done and the limit on them: how many it will take is not
  /// known. May cancel; then Cancelled is thrown and there is no plan.
  ProgressCallback progress = {};
};

namespace detail {

/// Checks costs and weights and solves.
template <CostSource Source>
TransportPlan transport_in(SimplexMemory& memory, const Source& cost, const TransportOptions& options, bool warm) {
  const auto& source = readable(cost);
  const auto entries = access(source);
  check_costs("transport", entries, false);
  const Masses masses =
      balance("transport", entries.rows(), entries.columns(), options.supply, options.demand, options.normalise);
  SimplexControl control{.pivot_limit = options.pivot_limit, .warm = warm};
  std::optional<ProgressReport> report;
  if (options.progress) control.report = &report.emplace(options.progress, static_cast<double>(control.limit(entries)));
  TransportPlan plan = solve_transport("transport", entries, masses, control, memory);
  if (!is_finite(plan.cost) || (plan.cost == 0 && plan.cost_per_mass != 0))
    throw Overflow(concat("fidelity::transport: the cost is ", plan.cost_per_mass,
                          " per unit of mass; its product with the total mass is outside the range of double"));
  return plan;
}

}  // namespace detail

/// The cheapest way to move the mass of the rows to the columns (Monge; Kantorovich, 1942): minimises
/// sum mass(i, j) cost(i, j) over all plans whose row sums are the supply and whose column sums are the demand. Exact:
/// a vertex of the polytope with a proof of optimality, not an entropic approximation. Cost keeps the unit and total of
/// the weights; `wasserstein` is the same with total 1.
///
/// Any number of rows and columns, weights and shape. Negative costs are legal, +infinity forbids a pair. Entries of
/// very different size do not disturb each other where an optimal plan avoids the large ones. Runs of weight 0 do not
/// influence the plan or its cost. The result depends on the input bits only; ties go to the lowest index.
///
/// Method: transportation simplex (Dantzig, 1951) on integer masses, with strongly feasible trees (Cunningham, 1976)
/// against cycling, and short lists of cheap columns for each row (Gottschlich and Schuhmacher, 2014). Memory:
/// O(rows + columns) beside the costs. Time: in practice about ten passes over the matrix and five pivots per run. For
/// one-dimensional samples sorting is faster, see wasserstein_1d; for many problems of similar size see
/// TransportSolver.
///
/// Throws InputError (empty, bad_cost, size_mismatch, bad_weight, zero_weights, mass_mismatch), Infeasible with a
/// witness if the forbidden pairs leave no plan, IterationLimit with bounds, Overflow for costs beyond 1e270 that no
/// plan avoids and for a total cost outside the range of double, Cancelled.
template <CostSource Source>
[[nodiscard]] TransportPlan transport(const Source& cost, const TransportOptions& options = {}) {
  detail::SimplexMemory memory;
  return detail::transport_in(memory, cost, options, false);
}

}  // namespace fidelity
