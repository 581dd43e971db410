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
#include <fidelity/transport/detail/access.hpp>
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
  std::vector<Shipment> shipments = {};
  std::vector<double> row_prices = {}, column_prices = {};
  std::size_t pivots = 0;
  std::optional<HallWitness> no_plan = {};
};

template <class Cost>
SimplexResult run_simplex(std::string_view function, const Cost& cost, const Masses& masses,
                          const SimplexControl& control, SimplexMemory& memory) {
  TransportSimplex<Cost> simplex(function, cost, masses, control, memory);
  SimplexResult result;
  result.no_plan = simplex.solve();
  if (result.no_plan) return result;
  result.column_prices.assign(simplex.column_prices().begin(), simplex.column_prices().end());
  result.row_prices = simplex.row_prices();
  result.pivots = simplex.pivots();
  const SpanningTree& tree = memory.tree;
  for (std::size_t node = 0; node < tree.size(); ++node)
    if (tree.flow(node) > 0) result.shipments.push_back({tree.arc_row(node), tree.arc_column(node), tree.flow(node)});
  return result;
}

/// The same without the runs of weight 0. They get the largest prices that fit all others.
template <class Cost>
SimplexResult run_simplex_on_positive(std::string_view function, const Cost& cost, const Masses& masses,
                                      SimplexControl control, SimplexMemory& memory) {
  Masses positive = masses;
  const std::vector<std::size_t> rows = keep_positive(positive.supply), columns = keep_positive(positive.demand);
  control.warm = control.warm && rows == memory.rows && columns == memory.columns;
  memory.rows = rows;
  memory.columns = columns;
  if (rows.size() == cost.rows() && columns.size() == cost.columns())
    return run_simplex(function, cost, masses, control, memory);

  const ActiveCost<Cost> active(cost, rows, columns);
  SimplexResult result = run_simplex(function, active, positive, control, memory);
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

/// From columns (`rows` of the witness) that need more mass than the rows they may reach hold, to the rows that are
/// left: those have more mass than the columns that are left, and may reach no others.
template <class Cost>
HallWitness turned_witness(const Cost& cost, const Masses& masses, const HallWitness& witness) {
  HallWitness turned;
  for (std::size_t i = 0; i < cost.rows(); ++i)
    if (masses.supply[i] > 0 && !std::binary_search(witness.columns.begin(), witness.columns.end(), i))
      turned.rows.push_back(i);
  for (std::size_t j = 0; j < cost.columns(); ++j)
    if (masses.demand[j] > 0 && std::any_of(turned.rows.begin(), turned.rows.end(),
                                            [&](std::size_t i) { return cost(i, j) < largest_usable_cost; }))
      turned.columns.push_back(j);
  return turned;
}

/// Solves a checked problem: by its columns where these are what lies together in memory.
template <class Cost>
SimplexResult solve_checked(std::string_view function, const Cost& cost, const Masses& masses,
                            const SimplexControl& control, SimplexMemory& memory) {
  SimplexResult result;
  if constexpr (columns_lie_together<Cost>) {
    Masses turned = masses;
    turned.supply.swap(turned.demand);
    result = run_simplex_on_positive(function, TurnedAccess<Cost>(cost), turned, control, memory);
    if (result.no_plan) result.no_plan = turned_witness(cost, masses, *result.no_plan);
    result.row_prices.swap(result.column_prices);
    for (Shipment& shipment : result.shipments) std::swap(shipment.row, shipment.column);
  } else {
    result = run_simplex_on_positive(function, cost, masses, control, memory);
  }
  if (result.no_plan)
    fail_infeasible(function, cost, *result.no_plan, [&](std::size_t column) { return masses.demand[column] > 0; });
  std::sort(result.shipments.begin(), result.shipments.end(),
            [](const Shipment& a, const Shipment& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); });
  return result;
}

/// The cost in units: compensated, always in the order of the plan (rule O13).
template <class Cost>
double cost_in_units(const Cost& cost, const std::vector<Shipment>& shipments) {
  CompensatedSum sum;
  for (const Shipment& shipment : shipments)
    sum.add_product(static_cast<double>(shipment.units), cost(shipment.row, shipment.column));
  return sum.value();
}

/// Solves a checked problem and writes down plan, prices and certificate (rules O11 to O15).
template <class Cost>
TransportPlan solve_transport(std::string_view function, const Cost& cost, const Masses& masses,
                              const SimplexControl& control, SimplexMemory& memory) {
  SimplexResult result = solve_checked(function, cost, masses, control, memory);
  TransportPlan plan;
  plan.column_prices = std::move(result.column_prices);
  plan.row_prices = std::move(result.row_prices);
  const auto total = static_cast<double>(masses.total);
  centre_prices(plan.row_prices, plan.column_prices, masses.supply, masses.demand, total);

  // The gap is the mass times the slack of its pair: exact marginals make the rest of the two sums cancel.
  CompensatedSum unit_gap;
  const std::vector<double> violations =
      row_violations(cost, plan.row_prices, plan.column_prices, masses.supply, masses.demand);
  for (std::size_t i = 0; i < violations.size(); ++i) {
    plan.price_violation = std::max(plan.price_violation, violations[i]);
    unit_gap.add_product(static_cast<double>(masses.supply[i]), violations[i]);
  }
  for (const Shipment& shipment : result.shipments) {
    unit_gap.add_product(
        static_cast<double>(shipment.units),
        cost(shipment.row, shipment.column) - plan.row_prices[shipment.row] - plan.column_prices[shipment.column]);
    plan.entries.push_back({shipment.row, shipment.column, masses.in_callers_unit(shipment.units)});
    plan.units.push_back(shipment.units);
  }
  plan.total_units = masses.total;
  for (const std::int64_t units : masses.supply) plan.supply.push_back(masses.in_callers_unit(units));
  for (const std::int64_t units : masses.demand) plan.demand.push_back(masses.in_callers_unit(units));

  const double unit_cost = cost_in_units(cost, result.shipments);
  plan.cost = masses.in_callers_unit(unit_cost);
  plan.mass = masses.in_callers_unit(masses.total);
  plan.cost_per_mass = unit_cost / total;
  plan.gap = std::max(0.0, masses.in_callers_unit(unit_gap.value()));
  plan.lower_bound = plan.cost - plan.gap;
  plan.pivots = result.pivots;
  plan.mass_adjustment = masses.adjustment;
  return plan;
}

template <class Cost>
TransportPlan solve_transport(std::string_view function, const Cost& cost, const Masses& masses,
                              const SimplexControl& control) {
  SimplexMemory memory;
  return solve_transport(function, cost, masses, control, memory);
}

/// The cost alone, with the bits of TransportPlan::cost. The proof is the simplex' own: a last pass over all pairs at
/// prices fresh from the tree found none that improves (rule O19).
template <class Cost>
double solve_transport_cost(std::string_view function, const Cost& cost, const Masses& masses,
                            const SimplexControl& control, SimplexMemory& memory) {
  const SimplexResult result = solve_checked(function, cost, masses, control, memory);
  return masses.in_callers_unit(cost_in_units(cost, result.shipments));
}

}  // namespace fidelity::detail
