// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>

namespace fidelity::detail {

/// Value at position q (k - 1) of the k sorted values, linear between neighbours. O(k); reorders the values.
inline double interpolated_quantile(std::vector<double>& values, double q) {
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
  std::nth_element(values.begin(), below, values.end());
  const double fraction = position - std::floor(position);
  if (below + 1 == values.end()) return *below;
  return *below + fraction * (*std::min_element(below + 1, values.end()) - *below);
}

/// Standard deviation of the noise from the differences of neighbours, at least 3 finite values. 0 for a straight line.
inline double noise_of(std::span<const double> values) {
  std::vector<double> steps(values.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = values[i + 1] - values[i];
  std::vector<double> distances = steps;
  const double median = interpolated_quantile(distances, 0.5);
  for (double& d : distances) d = std::fabs(d - median);

  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double negligible = 1e-9 * (*high - *low);
  // The quantiles (1 + q)/2 of the normal distribution.
  constexpr std::pair<double, double> normal[] = {
      {0.5, 0.6744897501960817}, {0.75, 1.1503493803760083}, {0.9, 1.6448536269514722}, {0.95, 1.959963984540054}};
  for (const auto& [q, z] : normal)
    if (const double a = interpolated_quantile(distances, q); a > negligible) return a / (std::sqrt(2.0) * z);

  CompensatedSum sum, squares;
  for (const double d : steps) sum.add(d);
  const double count = static_cast<double>(steps.size()), mean = sum.value() / count;
  for (const double d : steps) squares.add_product(d - mean, d - mean);
  return std::sqrt(std::max(0.0, squares.value()) / (count - 1) / 2);
}

}  // namespace fidelity::detail
