// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fidelity/transport/detail/row_minimum.hpp>

namespace fidelity::detail {

/// A basis of the transportation simplex: a spanning tree of the rows (nodes 0 .. rows - 1) and columns (nodes from
/// rows on), rooted at a column. `flow[node]` is the mass, in units, on the arc between the node and its parent.
///
/// The tree is strongly feasible (Cunningham, 1976): an arc without mass always hangs a row below a column. With the
/// choice of the leaving arc in pivot() no basis comes back, so the simplex cannot cycle (rule O18).
class SpanningTree {
 public:
  SpanningTree(std::size_t rows, std::size_t columns)
      : parent(rows + columns, no_index),
        depth(rows + columns, 0),
        flow(rows + columns, 0),
        rows_(rows),
        first_child_(rows + columns, no_index),
        next_(rows + columns, no_index),
        previous_(rows + columns, no_index) {}

  [[nodiscard]] std::size_t size() const { return parent.size(); }
  [[nodiscard]] bool is_row(std::size_t node) const { return node < rows_; }
  /// Row and column of the arc between a node and its parent.
  [[nodiscard]] std::size_t arc_row(std::size_t node) const { return is_row(node) ? node : parent[node]; }
  [[nodiscard]] std::size_t arc_column(std::size_t node) const { return (is_row(node) ? parent[node] : node) - rows_; }

  void hang(std::size_t node, std::size_t below, std::int64_t mass) {
    parent[node] = below;
    flow[node] = mass;
    previous_[node] = no_index;
    next_[node] = first_child_[below];
    if (next_[node] != no_index) previous_[next_[node]] = node;
    first_child_[below] = node;
  }

  /// Visits a node and all below it, parents first.
  template <class Visit>
  void visit_below(std::size_t top, Visit&& visit) const {
    std::size_t node = top;
    while (true) {
      visit(node);
      if (first_child_[node] != no_index) {
        node = first_child_[node];
        continue;
      }
      while (node != top && next_[node] == no_index) node = parent[node];
      if (node == top) return;
      node = next_[node];
    }
  }

  /// Sends as much mass as possible around the cycle that the arc row -> column closes, and exchanges that arc for one
  /// that has no mass left. Returns the top of the part of the tree that was hung up anew.
  std::size_t pivot(std::size_t row, std::size_t column_node) {
    // Mass grows on the arcs that the cycle passes from a row to a column and shrinks on the others. Of those that
    // become empty, the last one leaves, counted from the apex of the cycle in the direction of the entering arc.
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    std::size_t leaving = no_index;
    bool below_row = true;
    std::size_t a = row, b = column_node;
    while (a != b) {
      if (depth[a] >= depth[b]) {
        if (is_row(a) && flow[a] < step) {
          step = flow[a];
          leaving = a;
          below_row = true;
        }
        a = parent[a];
      } else {
        if (!is_row(b) && flow[b] <= step) {
          step = flow[b];
          leaving = b;
          below_row = false;
        }
        b = parent[b];
      }
    }
    const std::size_t apex = a;
    if (step > 0) {
      for (a = row; a != apex; a = parent[a]) flow[a] += is_row(a) ? -step : step;
      for (b = column_node; b != apex; b = parent[b]) flow[b] += is_row(b) ? step : -step;
    }

    const std::size_t top = below_row ? row : column_node;
    turn_over(top, below_row ? column_node : row, leaving, step);
    visit_below(top, [this](std::size_t node) { depth[node] = depth[parent[node]] + 1; });
    return top;
  }

  std::vector<std::size_t> parent;  ///< no_index at the root
  std::vector<std::size_t> depth;
  std::vector<std::int64_t> flow;

 private:
  void take_down(std::size_t node) {
    if (previous_[node] != no_index)
      next_[previous_[node]] = next_[node];
    else
      first_child_[parent[node]] = next_[node];
    if (next_[node] != no_index) previous_[next_[node]] = previous_[node];
  }

  /// Hangs `top` below `below`; the nodes on the way from `top` up to `last` change places with their parents.
  void turn_over(std::size_t top, std::size_t below, std::size_t last, std::int64_t mass) {
    std::size_t node = top;
    while (true) {
      const std::size_t old_parent = parent[node];
      const std::int64_t old_mass = flow[node];
      take_down(node);
      hang(node, below, mass);
      if (node == last) return;
      below = node;
      node = old_parent;
      mass = old_mass;
    }
  }

  std::size_t rows_;
  std::vector<std::size_t> first_child_, next_, previous_;
};

}  // namespace fidelity::detail
