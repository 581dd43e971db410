// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// An arc without mass whose cost is far above those of all others carries its size into the prices, where small costs
/// drown (rule O10). If the tree has such an arc: a limit between its cost and the ordinary ones.
template <class Cost>
std::optional<double> disturbing_cost(const Cost& cost, const SpanningTree& tree, double forbidden_from) {
  constexpr double far_above = 1e4;
  std::vector<double> sizes;
  double used = 0, unused = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (node == tree.root()) continue;
    const double entry = cost(tree.arc_row(node), tree.arc_column(node));
    if (!(entry < forbidden_from)) continue;
    sizes.push_back(std::fabs(entry));
    if (tree.flow(node) > 0)
      used = std::max(used, std::fabs(entry));
    else
      unused = std::max(unused, entry);
  }
  if (sizes.empty()) return {};
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double ordinary = std::max(used, *middle);
  if (!(unused > far_above * ordinary)) return {};
  return std::max(std::sqrt(ordinary) * std::sqrt(unused), 1e-8 * unused);
}

}  // namespace fidelity::detail
