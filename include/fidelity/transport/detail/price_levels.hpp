// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <fidelity/transport/detail/row_minimum.hpp>

namespace fidelity::detail {

/// Prices were found without the pairs that connect rows and columns of different levels (see TransportSimplex). A
/// shift by a multiple of the levels makes these pairs fit as well; it is as small as possible. False, and nothing is
/// shifted, if none does, or if a pair of equal levels does not fit whose cost is from `forbidden_from` on and was left
/// out too.
template <class Cost>
bool join_levels(const Cost& cost, std::span<double> row_price, std::span<double> column_price,
                 std::span<const double> row_level, std::span<const double> column_level, double forbidden_from) {
  double least = 0, most = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < row_price.size(); ++i)
    for (std::size_t j = 0; j < column_price.size(); ++j) {
      const double entry = cost(i, j), level = row_level[i] + column_level[j];
      if (!(entry < largest_usable_cost)) continue;
      const double slack = entry - row_price[i] - column_price[j];
      if (level < 0) least = std::max(least, slack / level);
      if (level > 0) most = std::min(most, slack / level);
      if (level == 0 && !(entry < forbidden_from) && slack < 0) return false;
    }
  if (least > most) return false;
  for (std::size_t i = 0; i < row_price.size(); ++i) row_price[i] = std::fma(least, row_level[i], row_price[i]);
  for (std::size_t j = 0; j < column_price.size(); ++j)
    column_price[j] = std::fma(least, column_level[j], column_price[j]);
  return true;
}

}  // namespace fidelity::detail
