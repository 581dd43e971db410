// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/augmenting_paths.hpp>
#include <fidelity/transport/detail/hall_witness.hpp>
#include <fidelity/transport/detail/prices.hpp>

namespace fidelity {

/// A permutation of least cost, and the proof that it is one.
struct Assignment {
  std::vector<std::size_t> columns = {};   ///< the column of each row
  double cost = 0;                         ///< sum of the assigned costs
  std::vector<double> row_prices = {};     ///< u_i + v_j <= cost(i, j), with equality on assigned pairs; sum u = sum v
  std::vector<double> column_prices = {};  ///< v
  double gap = 0;                          ///< cost - bound by the prices, >= 0; at rounding level
};

/// The assignment problem: gives every row a column of its own so that the sum of the costs is least. The Hungarian
/// method (Kuhn, 1955) in the form of shortest augmenting paths (Tomizawa, 1971; Edmonds and Karp, 1972), O(n^3) time
/// and O(n) memory beside the costs. transport() gives the same cost divided by n for equal weights; on large matrices
/// of metric distances it is faster.
///
/// The matrix must be square. Ensembles of different size need transport() or wasserstein(): leaving runs out is
/// another quantity and no distance between ensembles. +infinity forbids a pair. Ties go to the lowest index.
///
/// Throws InputError (empty, shape_mismatch, bad_cost), Infeasible with a witness, Overflow for costs beyond 1e270 that
/// no assignment avoids.
template <CostSource Source>
[[nodiscard]] Assignment assign(const Source& cost) {
  const auto& source = detail::readable(cost);
  const auto entries = detail::access(source);
  const std::size_t n = entries.rows();
  if (n != entries.columns())
    detail::fail("assign", Rule::shape_mismatch,
                 detail::concat("the costs are ", n, " x ", entries.columns(),
                                ", not square; transport() compares ensembles of different size"),
                 {.collection = "cost"});
  detail::check_costs("assign", entries, false);

  detail::Matching matching = detail::augment_shortest_paths(entries);
  if (matching.no_plan) detail::fail_infeasible("assign", entries, *matching.no_plan, [](std::size_t) { return true; });

  Assignment result;
  result.columns = std::move(matching.column_of);
  result.column_prices = std::move(matching.column_prices);
  result.row_prices = detail::fitting_row_prices(entries, result.column_prices);
  const std::vector<std::size_t> ones(n, 1);
  detail::centre_prices(result.row_prices, result.column_prices, ones, ones, static_cast<double>(n));
  detail::CompensatedSum sum, gap;
  for (const double violation : detail::row_violations(entries, result.row_prices, result.column_prices, ones, ones))
    gap.add(violation);
  for (std::size_t i = 0; i < n; ++i) {
    const double entry = entries(i, result.columns[i]);
    sum.add(entry);
    gap.add(entry - result.row_prices[i] - result.column_prices[result.columns[i]]);
  }
  result.cost = sum.value();
  result.gap = std::max(0.0, gap.value());
  return result;
}

}  // namespace fidelity
