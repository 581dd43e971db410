// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/validation/detail/replicate.hpp>

namespace fidelity::detail {

/// The runs of one side, in thousandths of a run, and how many of these are set aside. Integers keep the masses of a
/// partial transport exact, and products of two sides below 2^60 for all matrices that fit into memory.
struct RunParts {
  RunParts(const char* side, double budget, std::size_t runs_) : runs(static_cast<std::int64_t>(runs_)) {
    if (!is_finite(budget) || budget < 0 || budget >= 1)
      fail("trimmed_wasserstein", Rule::bad_parameter, concat("the budget of ", side, " runs must lie in [0, 1)"),
           {.collection = "budget", .value = budget});
    // 0.05 of 20 runs is one run, although 0.05 is no binary number.
    trimmed = static_cast<std::int64_t>(std::floor(budget * static_cast<double>(whole()) * (1 + 1e-12)));
    trimmed = std::min(trimmed, whole() - 1);
  }
  [[nodiscard]] std::int64_t whole() const { return runs * parts; }
  [[nodiscard]] std::int64_t kept() const { return whole() - trimmed; }
  [[nodiscard]] double used() const { return static_cast<double>(trimmed) / static_cast<double>(whole()); }

  static constexpr std::int64_t parts = 1000;
  std::int64_t runs, trimmed = 0;
};

struct PartialPlan {
  double distance = 0;                                          ///< W_p of the kept mass, which counts as 1
  std::vector<double> trimmed_rows = {}, trimmed_columns = {};  ///< share of each run
};

/// What is set aside goes to a row and a column without costs, which exchange nothing with each other.
inline PartialPlan partial_transport(const CostMatrix& across, const RunParts& rows, const RunParts& columns,
                                     double order) {
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  // Both sides keep the same mass: a part of a row weighs as much as the kept columns have parts, and vice versa.
  const std::int64_t divisor = std::gcd(rows.kept(), columns.kept());
  const std::int64_t row_part = columns.kept() / divisor, column_part = rows.kept() / divisor;
  Masses masses;
  masses.supply.assign(n, RunParts::parts * row_part);
  masses.demand.assign(m, RunParts::parts * column_part);
  masses.supply.push_back(columns.trimmed * column_part);
  masses.demand.push_back(rows.trimmed * row_part);
  masses.total = total_of(masses.supply);
  const auto kept = static_cast<double>(rows.kept() * row_part);

  double scale = 1;
  if (const double most = largest_finite(access(across)); order != 1 && most > 0) scale = most;
  while (true) {
    const PowerMatrix power = order == 1 ? PowerMatrix(across) : powers(access(across), scale, order);
    const CostFunction cost(n + 1, m + 1, [&](std::size_t i, std::size_t j) {
      if (i == n && j == m) return std::numeric_limits<double>::infinity();
      return i == n || j == m ? 0 : power(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    });
    const TransportPlan plan = solve_transport("trimmed_wasserstein", access(cost), masses, {});
    PartialPlan result{.trimmed_rows = std::vector<double>(n, 0), .trimmed_columns = std::vector<double>(m, 0)};
    CompensatedSum sum;
    double farthest = 0;
    for (std::size_t k = 0; k < plan.entries.size(); ++k) {
      const auto& [i, j, mass] = plan.entries[k];
      const auto units = static_cast<double>(plan.units[k]);
      if (i == n) {
        result.trimmed_columns[j] = units / static_cast<double>(masses.demand[j]);
      } else if (j == m) {
        result.trimmed_rows[i] = units / static_cast<double>(masses.supply[i]);
      } else {
        sum.add_product(units, cost(i, j));
        farthest = std::max(farthest, across(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
      }
    }
    const double mean = sum.value() / kept;
    // As in wasserstein(): beside the distance of an outlier the powers of the others may have lost their digits.
    if (order != 1 && mean < lost_power && farthest > 0 && farthest != scale) {
      scale = farthest;
      continue;
    }
    result.distance = order == 1 ? mean : root(mean, scale, order);
    return result;
  }
}

}  // namespace fidelity::detail
