// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// A tree with the prices that go with it: rows first, then columns, and on every arc of the tree the price of its row
/// plus that of its column is the cost. Owns neither.
class PricedTree {
 public:
  PricedTree(SpanningTree& tree, std::vector<double>& price) : tree_(tree), price_(price) {}

  /// The pair enters, whose cost is by `reduced` above its two prices; another arc leaves. Rows and columns of the part
  /// that is hung up anew move against each other, so that the new arc fits. It is the same to move all others instead,
  /// the other way round.
  void pivot(std::size_t row, std::size_t column_node, double reduced) {
    const SpanningTree::Index top = tree_.pivot(row, column_node);
    const bool few = 2 * std::size_t{tree_.count(top)} <= tree_.size();
    const double change = tree_.is_row(top) == few ? reduced : -reduced;
    double* const price = price_.data();
    const auto move = [&](std::size_t node) { price[node] += tree_.is_row(node) ? change : -change; };
    if (few)
      tree_.visit_below(top, move);
    else
      tree_.visit_others(top, move);
  }

  /// All prices anew, from the root, which has price 0; `arc_cost(node)` is that of the arc to the parent.
  template <class ArcCost>
  void compute_prices(ArcCost&& arc_cost) {
    double* const price = price_.data();
    tree_.visit_below(tree_.root(), [&](std::size_t node) {
      price[node] = node == tree_.root() ? 0 : arc_cost(node) - price[tree_.parent(node)];
    });
  }

  /// True for some node with an arc to its parent?
  template <class Condition>
  [[nodiscard]] bool some_arc(Condition&& condition) const {
    for (std::size_t node = 0; node < tree_.size(); ++node)
      if (node != tree_.root() && condition(node)) return true;
    return false;
  }

 private:
  SpanningTree& tree_;
  std::vector<double>& price_;
};

}  // namespace fidelity::detail
