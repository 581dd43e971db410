// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// The weights of both sides as integers with one total, so that every sum and difference of masses is exact.
/// Uniform weights and counts are represented exactly; other weights to 2^-60 of the total, and never as 0.
struct Masses {
  std::vector<std::int64_t> supply = {}, demand = {};
  std::int64_t total = 0;
  double divisor = 1;  ///< one unit is 2^exponent / divisor in the caller's unit
  int exponent = 0;
  double adjustment = 0;  ///< relative change of the demand that made the totals equal

  [[nodiscard]] double in_callers_unit(double units) const { return std::ldexp(units / divisor, exponent); }
  [[nodiscard]] double in_callers_unit(std::int64_t units) const { return in_callers_unit(static_cast<double>(units)); }
  /// From now on the total mass is 1.
  void make_total_one() {
    divisor = static_cast<double>(total);
    exponent = 0;
  }
};

inline constexpr int unit_bits = 60;

inline std::int64_t total_of(const std::vector<std::int64_t>& units) {
  return std::accumulate(units.begin(), units.end(), std::int64_t{0});
}

/// Checks one list of weights and returns its sum.
inline double checked_sum(std::string_view function, const char* name, const std::vector<double>& weights,
                          std::size_t size) {
  if (weights.size() != size)
    fail(function, Rule::size_mismatch, concat(weights.size(), " weights for ", size, " runs"), {.collection = name});
  CompensatedSum sum;
  for (std::size_t k = 0; k < size; ++k) {
    if (!is_finite(weights[k]) || weights[k] < 0)
      fail(function, Rule::bad_weight, "a weight must be finite and not negative",
           {.collection = name, .index = k, .value = weights[k]});
    sum.add(weights[k]);
  }
  if (!is_finite(sum.value()))
    fail(function, Rule::bad_weight, "the sum of the weights is outside the range of double", {.collection = name});
  if (!(sum.value() > 0)) fail(function, Rule::zero_weights, "all weights are zero", {.collection = name});
  return sum.value();
}

inline bool are_counts(const std::vector<double>& weights, double sum) {
  if (sum > 9007199254740992.0) return false;  // 2^53
  for (const double weight : weights)
    if (weight != std::floor(weight)) return false;
  return true;
}

/// The power of two that brings `sum` just below 2^unit_bits.
inline int unit_exponent(double sum) {
  int exponent = 0;
  std::frexp(sum, &exponent);
  return exponent - unit_bits;
}

inline std::vector<std::int64_t> to_units(const std::vector<double>& weights, int exponent) {
  std::vector<std::int64_t> units;
  units.reserve(weights.size());
  for (const double weight : weights) {
    const std::int64_t rounded = std::llround(std::ldexp(weight, -exponent));
    units.push_back(weight > 0 && rounded == 0 ? 1 : rounded);
  }
  return units;
}

/// Changes all units in proportion until their total is `target`. What rounding leaves goes to the large ones.
inline void rescale(std::vector<std::int64_t>& units, std::int64_t target) {
  const std::int64_t total = total_of(units);
  if (total == target) return;
  const double change = static_cast<double>(target - total) / static_cast<double>(total);
  for (std::int64_t& unit : units)
    if (unit > 0) unit = std::max<std::int64_t>(1, unit + std::llround(static_cast<double>(unit) * change));

  std::int64_t rest = target - total_of(units);
  const std::int64_t large = target / static_cast<std::int64_t>(2 * units.size());
  std::int64_t receivers = 0;
  for (const std::int64_t unit : units) receivers += unit > large ? 1 : 0;
  for (std::int64_t& unit : units)
    if (unit > large) {
      const std::int64_t share = rest / receivers--;
      unit += share;
      rest -= share;
    }
}

/// `count` equal weights with the same total as the given side; the given side is refined where that makes them equal.
inline void add_uniform_side(Masses& masses, std::vector<std::int64_t>& given, std::vector<std::int64_t>& missing,
                             std::size_t count) {
  const auto runs = static_cast<std::int64_t>(count);
  std::int64_t total = total_of(given);
  const std::int64_t factor = runs / std::gcd(total, runs);
  if (total <= (std::int64_t{1} << unit_bits) / factor) {
    for (std::int64_t& unit : given) unit *= factor;
    total *= factor;
    masses.divisor = static_cast<double>(factor);
  }
  missing.assign(count, total / runs);
  for (std::int64_t k = 0; k < total % runs; ++k) ++missing[static_cast<std::size_t>(k)];
}

/// Integers in proportion to the weights of both sides, each divided by its own sum.
inline void normalise_sides(Masses& masses, const std::vector<double>& supply, double supply_sum,
                            const std::vector<double>& demand, double demand_sum) {
  if (are_counts(supply, supply_sum) && are_counts(demand, demand_sum)) {
    const auto a = static_cast<std::int64_t>(supply_sum), b = static_cast<std::int64_t>(demand_sum);
    const std::int64_t divisor = std::gcd(a, b);
    if (a / divisor <= (std::int64_t{1} << unit_bits) / b) {
      masses.supply = to_units(supply, 0);
      masses.demand = to_units(demand, 0);
      for (std::int64_t& unit : masses.supply) unit *= b / divisor;
      for (std::int64_t& unit : masses.demand) unit *= a / divisor;
      return;
    }
  }
  masses.supply = to_units(supply, unit_exponent(supply_sum));
  masses.demand = to_units(demand, unit_exponent(demand_sum));
  rescale(masses.demand, total_of(masses.supply));
}

/// Masses of a problem with `rows` x `columns` costs. An empty list means uniform weights, with the total of the other
/// side, or 1 if both are empty. Sums that differ by more than 1e-9 of the larger one are refused (rule O5).
inline Masses balance(std::string_view function, std::size_t rows, std::size_t columns,
                      const std::vector<double>& supply, const std::vector<double>& demand, bool normalise) {
  Masses masses;
  const double supply_sum = supply.empty() ? 0 : checked_sum(function, "supply", supply, rows);
  const double demand_sum = demand.empty() ? 0 : checked_sum(function, "demand", demand, columns);

  if (supply.empty() && demand.empty()) {
    const auto n = static_cast<std::int64_t>(rows), m = static_cast<std::int64_t>(columns);
    const std::int64_t divisor = std::gcd(n, m);
    masses.supply.assign(rows, m / divisor);
    masses.demand.assign(columns, n / divisor);
    const std::int64_t units = n / divisor * m;
    masses.divisor = static_cast<double>(units);
  } else if (supply.empty() || demand.empty()) {
    const std::vector<double>& weights = supply.empty() ? demand : supply;
    const double sum = supply.empty() ? demand_sum : supply_sum;
    masses.exponent = are_counts(weights, sum) ? 0 : unit_exponent(sum);
    auto& given = supply.empty() ? masses.demand : masses.supply;
    given = to_units(weights, masses.exponent);
    add_uniform_side(masses, given, supply.empty() ? masses.supply : masses.demand, supply.empty() ? rows : columns);
  } else if (normalise) {
    normalise_sides(masses, supply, supply_sum, demand, demand_sum);
  } else {
    const double larger = std::max(supply_sum, demand_sum);
    if (std::fabs(supply_sum - demand_sum) > 1e-9 * larger)
      fail(function, Rule::mass_mismatch,
           concat("supply sums to ", supply_sum, " and demand to ", demand_sum,
                  "; ask for normalise to divide each side by its own sum"),
           {.collection = "demand", .value = demand_sum});
    const bool counts = are_counts(supply, supply_sum) && are_counts(demand, demand_sum) && supply_sum == demand_sum;
    masses.exponent = counts ? 0 : unit_exponent(larger);
    masses.supply = to_units(supply, masses.exponent);
    masses.demand = to_units(demand, masses.exponent);
    const std::int64_t difference = total_of(masses.supply) - total_of(masses.demand);
    masses.adjustment = static_cast<double>(difference) / static_cast<double>(total_of(masses.demand));
    rescale(masses.demand, total_of(masses.supply));
  }
  masses.total = total_of(masses.supply);
  if (normalise) masses.make_total_one();
  return masses;
}

}  // namespace fidelity::detail
