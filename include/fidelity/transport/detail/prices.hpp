// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>

namespace fidelity::detail {

/// The largest row prices that fit the column prices, min_j cost(i, j) - v_j: they make any v feasible (rule O15).
/// A row without usable pairs has price 0.
template <class Cost>
std::vector<double> fitting_row_prices(const Cost& cost, std::span<const double> column_prices) {
  std::vector<double> prices(cost.rows());
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const double least = row_minimum(cost, i, column_prices).value;
    prices[i] = least < largest_usable_cost ? least : 0;
  }
  return prices;
}

/// How far each row price is too large for some column with weight: max_j u_i + v_j - cost(i, j), at least 0; 0 for
/// rows without weight. Lowering the row prices by it makes all prices feasible that count.
template <class Cost, class Weight>
std::vector<double> row_violations(const Cost& cost, const std::vector<double>& row_prices,
                                   const std::vector<double>& column_prices, const std::vector<Weight>& supply,
                                   const std::vector<Weight>& demand) {
  constexpr std::size_t lanes = 8;  // vector code, as in row_minimum
  std::vector<double> violations(row_prices.size(), 0.0), counted = column_prices;
  for (std::size_t j = 0; j < counted.size(); ++j)
    if (!(demand[j] > 0)) counted[j] = -std::numeric_limits<double>::infinity();
  const std::size_t columns = counted.size();
  const double* const v = counted.data();
  for (std::size_t i = 0; i < row_prices.size(); ++i) {
    if (!(supply[i] > 0)) continue;
    const double u = row_prices[i];
    double worst[lanes] = {};
    std::size_t j = 0;
    for (; j + lanes <= columns; j += lanes)
      for (std::size_t k = 0; k < lanes; ++k) {
        const double violation = u + v[j + k] - cost(i, j + k);
        worst[k] = violation > worst[k] ? violation : worst[k];
      }
    for (; j < columns; ++j) worst[0] = std::max(worst[0], u + v[j] - cost(i, j));
    violations[i] = *std::max_element(worst, worst + lanes);
  }
  return violations;
}

/// Moves one constant between both sides so that <a, u> = <b, v> (rule O14, the convention of POT).
template <class Weight>
void centre_prices(std::vector<double>& row_prices, std::vector<double>& column_prices,
                   const std::vector<Weight>& supply, const std::vector<Weight>& demand, double total) {
  CompensatedSum difference;
  for (std::size_t i = 0; i < row_prices.size(); ++i)
    difference.add_product(-static_cast<double>(supply[i]), row_prices[i]);
  for (std::size_t j = 0; j < column_prices.size(); ++j)
    difference.add_product(static_cast<double>(demand[j]), column_prices[j]);
  const double shift = difference.value() / total / 2;
  for (double& u : row_prices) u += shift;
  for (double& v : column_prices) v -= shift;
}

}  // namespace fidelity::detail
