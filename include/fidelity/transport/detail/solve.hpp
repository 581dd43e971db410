// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/transport/detail/hall_witness.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/prices.hpp>
#include <fidelity/transport/detail/simplex.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity::detail {

/// The rows and columns with a positive weight (rule O7).
template <class Cost>
class ActiveCost {
 public:
  ActiveCost(const Cost& cost, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns)
      : cost_(cost), rows_(rows), columns_(columns) {}
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  double operator()(std::size_t row, std::size_t column) const { return cost_(rows_[row], columns_[column]); }

 private:
  const Cost& cost_;
  const std::vector<std::size_t>&rows_, &columns_;
};

/// Positions of the positive units; the others are taken out of the list.
inline std::vector<std::size_t> keep_positive(std::vector<std::int64_t>& units) {
  std::vector<std::size_t> positions;
  for (std::size_t k = 0; k < units.size(); ++k)
    if (units[k] > 0) positions.push_back(k);
  std::erase(units, 0);
  return positions;
}

/// What the simplex found, in terms of the whole problem.
struct Shipment {
  std::size_t row, column;
  std::int64_t units;
};
struct SimplexResult {
  std::vector<Shipment> shipments = {};  ///< sorted by row, then column
  std::vector<double> row_prices = {}, column_prices = {};
  std::size_t pivots = 0;
  std::optional<HallWitness> no_plan = {};
};

template <class Cost>
SimplexResult run_simplex(std::string_view function, const Cost& cost, const Masses& masses,
                          std::optional<std::size_t> pivot_limit) {
  TransportSimplex<Cost> simplex(function, cost, masses, pivot_limit);
  SimplexResult result;
  result.no_plan = simplex.solve();
  result.column_prices = simplex.column_prices();
  result.row_prices = fitting_row_prices(cost, result.column_prices);
  result.pivots = simplex.pivots();
  const SpanningTree& tree = simplex.tree();
  for (std::size_t node = 0; node < tree.size(); ++node)
    if (tree.flow[node] > 0) result.shipments.push_back({tree.arc_row(node), tree.arc_column(node), tree.flow[node]});
  std::sort(result.shipments.begin(), result.shipments.end(),
            [](const Shipment& a, const Shipment& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); });
  return result;
}

/// The same without the runs of weight 0. They get the largest prices that fit all others.
template <class Cost>
SimplexResult run_simplex_on_positive(std::string_view function, const Cost& cost, const Masses& masses,
                                      std::optional<std::size_t> pivot_limit) {
  const bool all = std::find(masses.supply.begin(), masses.supply.end(), 0) == masses.supply.end() &&
                   std::find(masses.demand.begin(), masses.demand.end(), 0) == masses.demand.end();
  if (all) return run_simplex(function, cost, masses, pivot_limit);

  Masses positive = masses;
  const std::vector<std::size_t> rows = keep_positive(positive.supply), columns = keep_positive(positive.demand);
  const ActiveCost<Cost> active(cost, rows, columns);
  SimplexResult result = run_simplex(function, active, positive, pivot_limit);
  if (result.no_plan) {
    for (std::size_t& row : result.no_plan->rows) row = rows[row];
    for (std::size_t& column : result.no_plan->columns) column = columns[column];
    return result;
  }
  for (Shipment& shipment : result.shipments) {
    shipment.row = rows[shipment.row];
    shipment.column = columns[shipment.column];
  }

  std::vector<double> column_prices(cost.columns(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < column_prices.size(); ++j)
      column_prices[j] = std::min(column_prices[j], cost(rows[i], j) - result.row_prices[i]);
  for (double& price : column_prices)
    if (!(price < largest_usable_cost)) price = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) column_prices[columns[j]] = result.column_prices[j];

  std::vector<double> row_prices = fitting_row_prices(cost, column_prices);
  for (std::size_t i = 0; i < rows.size(); ++i) row_prices[rows[i]] = result.row_prices[i];
  result.row_prices = std::move(row_prices);
  result.column_prices = std::move(column_prices);
  return result;
}

/// Solves a checked problem and writes down plan, prices and certificate (rules O11 to O15).
template <class Cost>
TransportPlan solve_transport(std::string_view function, const Cost& cost, const Masses& masses,
                              std::optional<std::size_t> pivot_limit) {
  SimplexResult result = run_simplex_on_positive(function, cost, masses, pivot_limit);
  if (result.no_plan)
    fail_infeasible(function, cost, *result.no_plan, [&](std::size_t column) { return masses.demand[column] > 0; });
  TransportPlan plan;
  plan.column_prices = std::move(result.column_prices);
  plan.row_prices = std::move(result.row_prices);
  const auto total = static_cast<double>(masses.total);
  centre_prices(plan.row_prices, plan.column_prices, masses.supply, masses.demand, total);

  // The gap is the mass times the slack of its pair: exact marginals make the rest of the two sums cancel.
  CompensatedSum unit_cost, unit_gap;
  const std::vector<double> violations =
      row_violations(cost, plan.row_prices, plan.column_prices, masses.supply, masses.demand);
  for (std::size_t i = 0; i < violations.size(); ++i) {
    plan.price_violation = std::max(plan.price_violation, violations[i]);
    unit_gap.add_product(static_cast<double>(masses.supply[i]), violations[i]);
  }
  for (const Shipment& shipment : result.shipments) {
    const auto units = static_cast<double>(shipment.units);
    const double entry = cost(shipment.row, shipment.column);
    unit_cost.add_product(units, entry);
    unit_gap.add_product(units, entry - plan.row_prices[shipment.row] - plan.column_prices[shipment.column]);
    plan.entries.push_back({shipment.row, shipment.column, masses.in_callers_unit(shipment.units)});
    plan.units.push_back(shipment.units);
  }
  plan.total_units = masses.total;
  for (const std::int64_t units : masses.supply) plan.supply.push_back(masses.in_callers_unit(units));
  for (const std::int64_t units : masses.demand) plan.demand.push_back(masses.in_callers_unit(units));

  plan.cost = masses.in_callers_unit(unit_cost.value());
  plan.mass = masses.in_callers_unit(masses.total);
  plan.cost_per_mass = unit_cost.value() / total;
  plan.gap = std::max(0.0, masses.in_callers_unit(unit_gap.value()));
  plan.lower_bound = plan.cost - plan.gap;
  plan.pivots = result.pivots;
  plan.mass_adjustment = masses.adjustment;
  return plan;
}

}  // namespace fidelity::detail
