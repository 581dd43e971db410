// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/solve.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity {

/// A permutation of least cost, and the proof that it is one.
struct Assignment {
  std::vector<std::size_t> columns = {};   ///< the column of each row
  double cost = 0;                         ///< sum of the assigned costs
  std::vector<double> row_prices = {};     ///< u_i + v_j <= cost(i, j), with equality on assigned pairs; sum u = sum v
  std::vector<double> column_prices = {};  ///< v
  double gap = 0;                          ///< cost - bound by the prices, >= 0; at rounding level
};

/// The assignment problem: gives every row a column of its own so that the sum of the costs is least (what the
/// Hungarian method of Kuhn, 1955, is for). The transportation simplex with one unit a run: see transport() for method
/// and cost, its cost for equal weights is this one divided by n.
///
/// The matrix must be square. Ensembles of different size need transport() or wasserstein(): leaving runs out is
/// another quantity and no distance between ensembles; who wants it calls assign_partial(). +infinity forbids a pair.
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
  detail::Masses ones;
  ones.supply.assign(n, 1);
  ones.demand.assign(n, 1);
  ones.total = static_cast<std::int64_t>(n);
  TransportPlan plan = detail::solve_transport("assign", entries, ones, {});

  Assignment result{.cost = plan.cost,
                    .row_prices = std::move(plan.row_prices),
                    .column_prices = std::move(plan.column_prices),
                    .gap = plan.gap};
  for (const TransportEntry& entry : plan.entries) result.columns.push_back(entry.column);
  return result;
}

/// A partial matching. **Not** a Wasserstein distance: runs without a partner cost nothing.
struct PartialAssignment {
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  ///< (row, column), sorted; min(rows, columns) of them
  std::vector<std::size_t> rows_left_out = {};                  ///< without partner, if there are more rows
  std::vector<std::size_t> columns_left_out = {};               ///< without partner, if there are more columns
  double cost = 0;                                              ///< sum of the costs of the pairs
  double gap = 0;                                               ///< cost - proven lower bound, >= 0; at rounding level
};

namespace detail {

/// Costs with one more row or column, of cost 0, for what is left out.
template <class Cost>
class PaddedCost {
 public:
  explicit PaddedCost(const Cost& cost) : cost_(cost) {}
  [[nodiscard]] std::size_t rows() const { return cost_.rows() + (cost_.rows() < cost_.columns() ? 1 : 0); }
  [[nodiscard]] std::size_t columns() const { return cost_.columns() + (cost_.columns() < cost_.rows() ? 1 : 0); }
  double operator()(std::size_t row, std::size_t column) const {
    return row < cost_.rows() && column < cost_.columns() ? cost_(row, column) : 0.0;
  }

 private:
  const Cost& cost_;
};

}  // namespace detail

/// The cheapest way to give every run of the smaller side a partner of its own on the larger side, where the others are
/// left out. For a square matrix this is assign().
///
/// Use it to find partners, never to compare ensembles: for [[1, 2, 3], [6, 5, 4]] the pairs cost (1 + 4) / 2 = 2.5 on
/// average, while the Wasserstein distance is 17/6, because all three columns count there.
///
/// Throws InputError (empty, bad_cost), Infeasible if the forbidden pairs leave some run of the smaller side without a
/// partner, Overflow as assign().
template <CostSource Source>
[[nodiscard]] PartialAssignment assign_partial(const Source& cost) {
  const auto& source = detail::readable(cost);
  const auto entries = detail::access(source);
  const std::size_t n = entries.rows(), m = entries.columns();
  detail::check_costs("assign_partial", entries, false);
  const detail::PaddedCost padded(entries);
  detail::Masses masses;
  masses.supply.assign(n, 1);
  masses.demand.assign(m, 1);
  if (n < m) masses.supply.push_back(static_cast<std::int64_t>(m - n));
  if (m < n) masses.demand.push_back(static_cast<std::int64_t>(n - m));
  masses.total = static_cast<std::int64_t>(std::max(n, m));
  try {
    const TransportPlan plan = detail::solve_transport("assign_partial", padded, masses, {});
    PartialAssignment result{.cost = plan.cost, .gap = plan.gap};
    for (const TransportEntry& entry : plan.entries) {
      if (entry.row == n)
        result.columns_left_out.push_back(entry.column);
      else if (entry.column == m)
        result.rows_left_out.push_back(entry.row);
      else
        result.pairs.emplace_back(entry.row, entry.column);
    }
    return result;
  } catch (const Infeasible& none) {  // without the column that stands for "left out"
    std::vector<std::size_t> columns = none.columns;
    std::erase(columns, m);
    throw Infeasible(
        detail::concat("fidelity::assign_partial: the forbidden pairs leave no partners for all runs of the "
                       "smaller side; ",
                       none.rows.size(), " rows may reach only ", columns.size(), " columns"),
        none.rows, std::move(columns));
  }
}

}  // namespace fidelity
