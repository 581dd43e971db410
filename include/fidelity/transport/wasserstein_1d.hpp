// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/check_order.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/sorted_samples.hpp>
#include <fidelity/transport/plan.hpp>

namespace fidelity {

/// Order and weights of wasserstein_1d().
struct Wasserstein1dOptions {
  double order = 1;                 ///< p, finite and >= 1
  std::vector<double> supply = {};  ///< weight of each sample of x; empty: equal. Only their shares matter
  std::vector<double> demand = {};  ///< weight of each sample of y, likewise
  bool normalise = false;           ///< divide each side by its own sum, see TransportOptions::normalise
  bool plan = false;                ///< also give Wasserstein1d::entries
};

/// A Wasserstein distance between scalar samples.
struct Wasserstein1d {
  double value = 0;  ///< W_p, in the unit of the samples
  double order = 1;  ///< p
  /// If asked for: which sample of x (row) moves to which of y (column), total mass 1, sorted by row, then column.
  std::vector<TransportEntry> entries = {};
  double mass_adjustment = 0;  ///< relative change of the demand that made both sums equal, at most 1e-9 in size
};

/// The Wasserstein distance of order p between two sets of scalar samples with |x - y|: mass meets in order of size
/// (Vallender, 1974), which sorting finds in O((n + m) log(n + m)). The same value as wasserstein() of the matrix of
/// all |x_i - y_j|, without the matrix. For p = 1 it is the area between the distribution functions, see area_metric().
///
/// `x` and `y` are positions, one per sample, in any order; the weights move with their samples. Heights of a histogram
/// are weights (supply, demand), the places of its bars are positions.
///
/// Throws InputError (empty, value_not_finite, size_mismatch, bad_weight, zero_weights, mass_mismatch, bad_order),
/// Overflow if samples are farther apart than the largest double.
[[nodiscard]] inline Wasserstein1d wasserstein_1d(std::span<const double> x, std::span<const double> y,
                                                  const Wasserstein1dOptions& options = {}) {
  const double order = options.order;
  detail::check_order("wasserstein_1d", order);
  detail::check_samples("wasserstein_1d", "x", x);
  detail::check_samples("wasserstein_1d", "y", y);
  const detail::Masses masses =
      detail::balance("wasserstein_1d", x.size(), y.size(), options.supply, options.demand, options.normalise);
  const detail::SortedSamples from = detail::sort_samples(x, masses.supply, options.plan),
                              to = detail::sort_samples(y, masses.demand, options.plan);
  const double farthest =
      std::max(std::fabs(from.values.front() - to.values.back()), std::fabs(from.values.back() - to.values.front()));
  if (!detail::is_finite(farthest))
    throw Overflow("fidelity::wasserstein_1d: the samples are farther apart than the largest double");

  Wasserstein1d result{.order = order, .mass_adjustment = masses.adjustment};
  const auto total = static_cast<double>(masses.total);
  // Distances are summed on the scale of the largest one: no sum or power overflows, and the largest cannot vanish.
  double scale = 0;
  if (order == 1) {
    int exponent = 0;
    std::frexp(farthest, &exponent);
    scale = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));  // a power of two: nothing is rounded
  } else {
    detail::couple_in_order(from, to, [&](std::size_t k, std::size_t l, std::int64_t) {
      scale = std::max(scale, std::fabs(from.values[k] - to.values[l]));
    });
  }
  detail::CompensatedSum sum;
  detail::couple_in_order(from, to, [&](std::size_t k, std::size_t l, std::int64_t units) {
    const double distance = std::fabs(from.values[k] - to.values[l]);
    const auto mass = static_cast<double>(units);
    if (order == 1)
      sum.add_product(mass, distance / scale);
    else if (distance > 0)
      sum.add_product(mass, std::pow(distance / scale, order));
    if (options.plan) result.entries.push_back({from.positions[k], to.positions[l], mass / total});
  });
  const double power = sum.value() / total;
  result.value = scale * (order == 1 ? power : std::pow(power, 1 / order));
  std::sort(result.entries.begin(), result.entries.end(), [](const TransportEntry& a, const TransportEntry& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  return result;
}

}  // namespace fidelity
