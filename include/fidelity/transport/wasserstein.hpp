// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/check_order.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/solve.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity {

/// How wasserstein() is to weigh the runs, and the order of the distance.
struct WassersteinOptions {
  double order = 1;                 ///< p, finite and >= 1
  std::vector<double> supply = {};  ///< weights of the rows; empty: equal. Only their shares matter
  std::vector<double> demand = {};  ///< weights of the columns, likewise
  /// Divide each side by its own sum, see TransportOptions::normalise. Equal sums are divided out in any case.
  bool normalise = false;
  std::optional<std::size_t> pivot_limit = {};  ///< see TransportOptions
  ProgressCallback progress = {};               ///< see TransportOptions
};

/// A Wasserstein distance with its plan and proof.
struct Wasserstein {
  double value = 0;  ///< W_p, in the unit of the distances
  double order = 1;  ///< p
  /// Gap of the certificate on the scale of the p-th power: W_p^p is between value^p - gap * scale^p and value^p.
  double gap = 0;
  double scale = 1;  ///< distances were divided by this before the power; 1 for p = 1
  /// The optimal plan, of total mass 1. Its cost, prices and gap belong to the costs (distance / scale)^p.
  TransportPlan plan = {};
};

namespace detail {

using PowerMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// (distance / scale)^p. What overflows is forbidden: it costs more than the whole plan that `scale` was taken from.
template <class Cost>
PowerMatrix powers(const Cost& distance, double scale, double order) {
  PowerMatrix out(static_cast<Eigen::Index>(distance.rows()), static_cast<Eigen::Index>(distance.columns()));
  for (std::size_t i = 0; i < distance.rows(); ++i)
    for (std::size_t j = 0; j < distance.columns(); ++j) {
      const double ratio = distance(i, j) / scale;
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          order == 2 ? ratio * ratio : std::pow(ratio, order);
    }
  return out;
}

inline double root(double power, double scale, double order) {
  return scale * (order == 2 ? std::sqrt(power) : std::pow(power, 1 / order));
}

inline TransportPlan solve_powers(const PowerMatrix& power, double scale, double order, const Masses& masses,
                                  const SimplexControl& control) {
  try {
    return solve_transport("wasserstein", access(power), masses, control);
  } catch (const IterationLimit& limit) {  // its bounds are bounds of powers
    const double lower = root(std::max(0.0, limit.lower_bound), scale, order);
    const double upper = root(limit.upper_bound, scale, order);
    throw IterationLimit(concat("fidelity::wasserstein: the pivot limit was reached before optimality was proved; the "
                                "distance lies between ",
                                lower, " and ", upper),
                         lower, upper);
  }
}

template <class Cost>
double largest_finite(const Cost& distance) {
  double largest = 0;
  for (std::size_t i = 0; i < distance.rows(); ++i)
    for (std::size_t j = 0; j < distance.columns(); ++j)
      if (const double d = distance(i, j); is_finite(d)) largest = std::max(largest, d);
  return largest;
}

}  // namespace detail

/// The Wasserstein (Kantorovich-Rubinstein, earth mover's) distance of order p between the ensemble of the rows and
/// that of the columns: (min over plans of sum mass(i, j) distance(i, j)^p)^(1/p), total mass 1. Order 1 has no root
/// and is the cost of the optimal transport plan. It is a metric between ensembles if the distance is one between their
/// runs.
///
/// `distance` holds one distance, not its power, per pair of a row and a column. Weights are equal, 1/n and 1/m, unless
/// given. For p > 1 the powers are stored (rows * columns doubles) after division by the largest finite distance, so
/// that a large p neither overflows nor underflows; order 1 copies nothing. Method and cost: see transport().
///
/// Throws as transport(), and InputError for a negative distance (bad_cost) and for an order that is below 1 or not
/// finite (bad_order).
template <CostSource Source>
[[nodiscard]] Wasserstein wasserstein(const Source& distance, const WassersteinOptions& options = {}) {
  const double order = options.order;
  detail::check_order("wasserstein", order);
  const auto& source = detail::readable(distance);
  const auto entries = detail::access(source);
  detail::check_costs("wasserstein", entries, true);
  detail::Masses masses = detail::balance("wasserstein", entries.rows(), entries.columns(), options.supply,
                                          options.demand, options.normalise);
  masses.make_total_one();

  detail::SimplexControl control{.pivot_limit = options.pivot_limit};
  std::optional<detail::ProgressReport> report;
  if (options.progress) control.report = &report.emplace(options.progress, static_cast<double>(control.limit(entries)));

  Wasserstein result{.order = order};
  if (order == 1) {
    result.plan = detail::solve_transport("wasserstein", entries, masses, control);
    result.value = result.plan.cost;
    result.gap = result.plan.gap;
    return result;
  }
  // A distance far above those of the plan can press their powers below the range of double. Then the largest distance
  // of the plan found is the better scale: the plan costs at most 1 there.
  constexpr double lost = 1e-250;
  if (const double largest = detail::largest_finite(entries); largest > 0) result.scale = largest;
  while (true) {
    result.plan =
        detail::solve_powers(detail::powers(entries, result.scale, order), result.scale, order, masses, control);
    double largest = 0;
    for (const TransportEntry& entry : result.plan.entries)
      largest = std::max(largest, entries(entry.row, entry.column));
    if (!(result.plan.cost < lost) || largest == 0 || largest == result.scale) break;
    result.scale = largest;
  }
  result.gap = result.plan.gap;
  result.value = detail::root(result.plan.cost, result.scale, order);
  return result;
}

}  // namespace fidelity
