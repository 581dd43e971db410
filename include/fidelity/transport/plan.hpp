// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace fidelity {

/// Mass that a plan moves from a row (simulated run) to a column (reference run).
struct TransportEntry {
  std::size_t row = 0;
  std::size_t column = 0;
  double mass = 0;  ///< > 0, in the unit of the weights

  friend bool operator==(const TransportEntry&, const TransportEntry&) = default;
};

/// An optimal plan and the proof that it is one. There is no plan without the proof: a failed solve throws.
struct TransportPlan {
  double cost = 0;           ///< sum of mass * cost, in the unit of the weights times that of the costs
  double mass = 0;           ///< total mass
  double cost_per_mass = 0;  ///< cost / mass

  /// Sorted by row, then column; at most (rows + columns - 1) of them, counting those with a positive weight only.
  std::vector<TransportEntry> entries = {};
  /// The exact masses: entry k moves units[k] of total_units. With uniform weights a unit is gcd(n, m) / (n m) of the
  /// mass.
  std::vector<std::int64_t> units = {};
  std::int64_t total_units = 0;

  std::vector<double> supply = {};  ///< weights of the rows as used
  std::vector<double> demand = {};  ///< weights of the columns as used, after mass_adjustment

  /// Prices (dual variables) u, v: u_i + v_j <= cost(i, j) for all pairs that are not forbidden, with equality where
  /// mass moves, shifted so that <supply, u> = <demand, v>. First-order sensitivity of the cost to the weights. They
  /// are not unique when the plan is degenerate, which is usual for equal weights.
  std::vector<double> row_prices = {};
  std::vector<double> column_prices = {};

  double lower_bound = 0;      ///< no plan costs less, by the prices
  double gap = 0;              ///< cost - lower_bound, >= 0; at rounding level
  double price_violation = 0;  ///< largest u_i + v_j - cost(i, j) where both weights are positive, at least 0
  std::size_t pivots = 0;      ///< pivots of the simplex
  double mass_adjustment = 0;  ///< relative change of the demand that made both sums equal, at most 1e-9 in size
};

/// The plan as a matrix of masses, rows x columns.
[[nodiscard]] inline Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dense(
    const TransportPlan& plan) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix masses =
      Matrix::Zero(static_cast<Eigen::Index>(plan.supply.size()), static_cast<Eigen::Index>(plan.demand.size()));
  for (const TransportEntry& entry : plan.entries)
    masses(static_cast<Eigen::Index>(entry.row), static_cast<Eigen::Index>(entry.column)) += entry.mass;
  return masses;
}

}  // namespace fidelity
