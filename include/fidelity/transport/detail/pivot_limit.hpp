// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// Throws IterationLimit: the plan of the tree is an upper bound (none if it uses forbidden pairs), and the column
/// prices, whatever they are, give a lower bound with the row prices that fit them.
template <class Cost>
[[noreturn]] void fail_at_pivot_limit(std::string_view function, const Cost& cost, const Masses& masses,
                                      const SpanningTree& tree, std::span<const double> column_prices,
                                      std::size_t limit) {
  CompensatedSum upper, lower;
  bool feasible = true;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.flow(node) == 0) continue;
    const double entry = cost(tree.arc_row(node), tree.arc_column(node));
    if (entry < largest_usable_cost)
      upper.add_product(static_cast<double>(tree.flow(node)), entry);
    else
      feasible = false;
  }
  for (std::size_t i = 0; i < masses.supply.size(); ++i)
    lower.add_product(static_cast<double>(masses.supply[i]), row_minimum(cost, i, column_prices).value);
  for (std::size_t j = 0; j < column_prices.size(); ++j)
    lower.add_product(static_cast<double>(masses.demand[j]), column_prices[j]);
  const double above = feasible ? masses.in_callers_unit(upper.value()) : std::numeric_limits<double>::infinity();
  const double below = std::min(above, masses.in_callers_unit(lower.value()));
  throw IterationLimit(concat("fidelity::", function, ": no proven optimum within ", limit,
                              limit == 1 ? " pivot" : " pivots", "; the optimum lies between ", below, " and ", above),
                       below, above);
}

}  // namespace fidelity::detail
