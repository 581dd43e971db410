// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/prices.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity {

/// A plan from any program, to be checked by verify(). Entries in any order; several entries of one pair add up.
struct ProposedPlan {
  std::vector<TransportEntry> entries = {};
  std::vector<double> supply = {};         ///< weights of the rows; empty: equal weights, total as the demand or 1
  std::vector<double> demand = {};         ///< weights of the columns, likewise
  std::vector<double> column_prices = {};  ///< optional; without them only the plan is checked
  std::vector<double> row_prices = {};     ///< optional; left out, the largest that fit the column prices are used
};

/// What verify() measured. Nothing is judged until feasible() or optimal() is asked.
struct Certificate {
  double cost = 0;                    ///< of the entries on pairs that are not forbidden
  double mass = 0;                    ///< total of the supply
  double largest_marginal_error = 0;  ///< largest difference between a row or column sum and its weight
  double smallest_mass = 0;           ///< least mass of an entry; negative masses are not a plan
  double forbidden_mass = 0;          ///< mass on forbidden pairs
  /// With prices only: the largest u_i + v_j - cost(i, j), at least 0; the largest |cost - u_i - v_j| where mass moves;
  /// the bound <supply, u> + <demand, v> - mass * price_violation; and cost - lower_bound.
  std::optional<double> price_violation = {}, slackness_error = {}, lower_bound = {}, gap = {};
  double local_size = 0;  ///< largest |cost| + |u| + |v| where mass moves: what rounding errors are to be compared with

  /// The plan moves exactly the given weights: errors at most `tolerance` times the mass, no negative and no forbidden
  /// mass.
  [[nodiscard]] bool feasible(double tolerance = 1e-12) const {
    return largest_marginal_error <= tolerance * mass && smallest_mass >= 0 && forbidden_mass == 0;
  }
  /// Feasible, and the prices prove that no plan costs less: violation, slackness and gap per mass are at most
  /// `tolerance` times local_size. False without prices.
  [[nodiscard]] bool optimal(double tolerance = 1e-12) const {
    const double limit = tolerance * local_size;
    return feasible(tolerance) && gap && *price_violation <= limit && *slackness_error <= limit &&
           std::fabs(*gap) <= limit * mass;
  }
};

namespace detail {

struct PlanParts {
  const std::vector<TransportEntry>& entries;
  const std::vector<double>&supply, &demand, &row_prices, &column_prices;
};

template <class Cost>
void check_plan(const Cost& cost, const PlanParts& plan) {
  const auto check_prices = [](const char* name, const std::vector<double>& prices, std::size_t size) {
    if (prices.size() != size)
      fail("verify", Rule::size_mismatch, concat(prices.size(), " prices for ", size, " runs"), {.collection = name});
    for (std::size_t k = 0; k < size; ++k)
      if (!is_finite(prices[k]))
        fail("verify", Rule::value_not_finite, "a price must be finite",
             {.collection = name, .index = k, .value = prices[k]});
  };
  if (!plan.column_prices.empty() || !plan.row_prices.empty())
    check_prices("column_prices", plan.column_prices, cost.columns());
  if (!plan.row_prices.empty()) check_prices("row_prices", plan.row_prices, cost.rows());
  for (std::size_t k = 0; k < plan.entries.size(); ++k) {
    const auto& [row, column, mass] = plan.entries[k];
    if (row >= cost.rows() || column >= cost.columns())
      fail("verify", Rule::index_out_of_range,
           concat("the pair (", row, ", ", column, ") is outside costs of ", cost.rows(), " x ", cost.columns()),
           {.collection = "entries", .index = k});
    if (!is_finite(mass))
      fail("verify", Rule::bad_weight, "a mass must be finite", {.collection = "entries", .index = k, .value = mass});
  }
}

/// Largest difference between the sums of the entries and the weights of one side.
template <class Index>
double marginal_error(const std::vector<TransportEntry>& entries, const std::vector<double>& weights, Index&& index) {
  std::vector<CompensatedSum> sums(weights.size());
  for (const TransportEntry& entry : entries) sums[index(entry)].add(entry.mass);
  double error = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sums[k].add(-weights[k]);
    error = std::max(error, std::fabs(sums[k].value()));
  }
  return error;
}

template <class Cost>
void check_prices_against(const Cost& cost, const PlanParts& plan, Certificate& certificate) {
  const std::vector<double> u =
      plan.row_prices.empty() ? fitting_row_prices(cost, plan.column_prices) : plan.row_prices;
  const std::vector<double>& v = plan.column_prices;
  const std::vector<double> violations = row_violations(cost, u, v, plan.supply, plan.demand);
  certificate.price_violation = *std::max_element(violations.begin(), violations.end());
  certificate.slackness_error = 0;
  for (const TransportEntry& entry : plan.entries) {
    const double paid = cost(entry.row, entry.column);
    if (entry.mass == 0 || !is_finite(paid)) continue;
    const double earned_here = u[entry.row], earned_there = v[entry.column];
    certificate.slackness_error = std::max(*certificate.slackness_error, std::fabs(paid - earned_here - earned_there));
    certificate.local_size =
        std::max(certificate.local_size, std::fabs(paid) + std::fabs(earned_here) + std::fabs(earned_there));
  }
  CompensatedSum bound;
  for (std::size_t i = 0; i < u.size(); ++i) bound.add_product(plan.supply[i], u[i] - violations[i]);
  for (std::size_t j = 0; j < v.size(); ++j) bound.add_product(plan.demand[j], v[j]);
  certificate.lower_bound = bound.value();
  certificate.gap = certificate.cost - bound.value();
}

template <class Cost>
Certificate verify_parts(const Cost& cost, const PlanParts& plan) {
  check_plan(cost, plan);
  Certificate certificate;
  CompensatedSum paid, forbidden, mass;
  certificate.smallest_mass = plan.entries.empty() ? 0 : std::numeric_limits<double>::max();
  for (const TransportEntry& entry : plan.entries) {
    const double price = cost(entry.row, entry.column);
    certificate.smallest_mass = std::min(certificate.smallest_mass, entry.mass);
    if (is_finite(price))
      paid.add_product(entry.mass, price);
    else
      forbidden.add(std::fabs(entry.mass));
  }
  for (const double weight : plan.supply) mass.add(weight);
  certificate.cost = paid.value();
  certificate.mass = mass.value();
  certificate.forbidden_mass = forbidden.value();
  certificate.largest_marginal_error =
      std::max(marginal_error(plan.entries, plan.supply, [](const TransportEntry& entry) { return entry.row; }),
               marginal_error(plan.entries, plan.demand, [](const TransportEntry& entry) { return entry.column; }));
  if (!plan.column_prices.empty()) check_prices_against(cost, plan, certificate);
  return certificate;
}

}  // namespace detail

/// Checks a plan from any program against costs and weights, and its prices if there are any, in O(rows * columns). It
/// shares nothing with the solver: the bound is computed from weights and prices alone.
///
/// Throws InputError for costs and weights as transport(), and for entries and prices that do not fit (size_mismatch,
/// index_out_of_range, bad_weight, value_not_finite). A wrong plan is no error: it shows in the Certificate.
template <CostSource Source>
[[nodiscard]] Certificate verify(const Source& cost, const ProposedPlan& plan) {
  const auto& source = detail::readable(cost);
  const auto entries = detail::access(source);
  detail::check_costs("verify", entries, false);
  const detail::Masses masses =
      detail::balance("verify", entries.rows(), entries.columns(), plan.supply, plan.demand, false);
  std::vector<double> supply = plan.supply, demand = plan.demand;
  if (supply.empty())
    for (const std::int64_t units : masses.supply) supply.push_back(masses.in_callers_unit(units));
  if (demand.empty())
    for (const std::int64_t units : masses.demand) demand.push_back(masses.in_callers_unit(units));
  return detail::verify_parts(entries, {plan.entries, supply, demand, plan.row_prices, plan.column_prices});
}

/// Checks the plan of transport() against the costs.
template <CostSource Source>
[[nodiscard]] Certificate verify(const Source& cost, const TransportPlan& plan) {
  return verify(cost, ProposedPlan{.entries = plan.entries,
                                   .supply = plan.supply,
                                   .demand = plan.demand,
                                   .column_prices = plan.column_prices,
                                   .row_prices = plan.row_prices});
}

}  // namespace fidelity
