// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fidelity::detail {

/// A basis of the transportation simplex: a spanning tree of the rows (nodes 0 .. rows - 1) and columns (nodes from
/// rows on), rooted at a column. `flow(node)` is the mass, in units, on the arc between the node and its parent.
///
/// The tree is strongly feasible (Cunningham, 1976): an arc without mass always hangs a row below a column. With the
/// choice of the leaving arc in pivot() no basis comes back, so the simplex cannot cycle (rule O18).
class SpanningTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index none = std::numeric_limits<Index>::max();

  /// All nodes without arcs; hang() all but one, then finish().
  void reset(std::size_t rows, std::size_t columns) {
    rows_ = static_cast<Index>(rows);
    nodes_.assign(rows + columns, Node{});
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool is_row(std::size_t node) const { return node < rows_; }
  [[nodiscard]] Index root() const { return root_; }
  [[nodiscard]] Index parent(std::size_t node) const { return nodes_[node].parent; }
  [[nodiscard]] std::int64_t flow(std::size_t node) const { return nodes_[node].flow; }
  /// Number of nodes in the part of the tree that hangs at a node, with the node.
  [[nodiscard]] Index count(std::size_t node) const { return nodes_[node].count; }
  /// Row and column of the arc between a node and its parent.
  [[nodiscard]] std::size_t arc_row(std::size_t node) const { return is_row(node) ? node : parent(node); }
  [[nodiscard]] std::size_t arc_column(std::size_t node) const { return (is_row(node) ? parent(node) : node) - rows_; }

  void hang(std::size_t node, std::size_t below, std::int64_t mass) {
    nodes_[node].parent = static_cast<Index>(below);
    nodes_[node].flow = mass;
  }

  /// Finds the root, the order and the counts, once everything hangs.
  void finish() {
    root_ = rows_;
    while (parent(root_) != none) root_ = parent(root_);
    // `last` as first child and `previous` as next sibling, until the order is known; the order from a stack.
    for (Node& node : nodes_) node.last = node.previous = none;
    for (Index node = 0; node < nodes_.size(); ++node)
      if (node != root_) nodes_[node].previous = std::exchange(nodes_[parent(node)].last, node);
    order_.clear();
    stack_.assign(1, root_);
    while (!stack_.empty()) {
      const Index node = stack_.back();
      stack_.pop_back();
      order_.push_back(node);
      for (Index child = nodes_[node].last; child != none; child = nodes_[child].previous) stack_.push_back(child);
    }
    const std::size_t size = order_.size();
    for (std::size_t k = 0; k < size; ++k) {
      Node& node = nodes_[order_[k]];
      node.count = 1;
      node.last = order_[k];
      node.next = order_[k + 1 == size ? 0 : k + 1];
      node.previous = order_[k == 0 ? size - 1 : k - 1];
    }
    for (std::size_t k = size; k-- > 1;) {
      const Node& node = nodes_[order_[k]];
      Node& above = nodes_[node.parent];
      above.count += node.count;
      if (above.last == node.parent) above.last = node.last;  // seen first: the child that comes last
    }
  }

  /// Visits a node and all below it, parents first.
  template <class Visit>
  void visit_below(Index top, Visit&& visit) const {
    visit_from(top, nodes_[top].count, visit);
  }
  /// Visits all nodes that visit_below does not, in some order.
  template <class Visit>
  void visit_others(Index top, Visit&& visit) const {
    visit_from(nodes_[nodes_[top].last].next, size() - nodes_[top].count, visit);
  }

  /// Sends as much mass as possible around the cycle that the arc row -> column closes, and exchanges that arc for one
  /// that has no mass left. Returns the top of the part of the tree that was hung up anew.
  Index pivot(std::size_t row, std::size_t column_node) {
    const auto first = static_cast<Index>(row), last = static_cast<Index>(column_node);
    // Mass grows on the arcs that the cycle passes from a row to a column and shrinks on the others. Of those that
    // become empty, the last one leaves, counted from the apex of the cycle in the direction of the entering arc.
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    Index leaving = none, a = first, b = last;
    bool below_row = true;
    while (a != b) {
      // The end with less below it cannot be above the other one. Conditional moves: no branch could be predicted.
      const bool on_column_side = nodes_[a].count >= nodes_[b].count;
      const Index node = on_column_side ? b : a;
      const Index up = nodes_[node].parent;
      const std::int64_t mass = nodes_[node].flow;
      const bool shrinks = is_row(node) != on_column_side;
      if (shrinks & ((mass < step) | (on_column_side & (mass == step)))) {
        step = mass;
        leaving = node;
        below_row = !on_column_side;
      }
      a = on_column_side ? a : up;
      b = on_column_side ? up : b;
    }
    const Index apex = a;
    if (step > 0) {
      for (a = first; a != apex; a = nodes_[a].parent) nodes_[a].flow += is_row(a) ? -step : step;
      for (b = last; b != apex; b = nodes_[b].parent) nodes_[b].flow += is_row(b) ? step : -step;
    }
    const Index top = below_row ? first : last, below = below_row ? last : first;
    const Index moved = nodes_[leaving].count;
    for (Index node = nodes_[leaving].parent; node != apex; node = nodes_[node].parent) nodes_[node].count -= moved;
    for (Index node = below; node != apex; node = nodes_[node].parent) nodes_[node].count += moved;
    turn_over(top, below, leaving, step);
    return top;
  }

 private:
  /// All nodes form a ring in which every node comes before those below it, and these lie together: a part of the tree
  /// is visited without looking for children (as in the network simplex codes since Bradley, Brown and Graves, 1977).
  struct Node {
    Index parent = none, count = 1;
    Index next = none, previous = none;  ///< in the ring
    Index last = none;                   ///< of the nodes below this one, or itself
    std::int64_t flow = 0;
  };

  template <class Visit>
  void visit_from(Index node, std::size_t count, Visit& visit) const {
    for (; count > 0; --count) {
      const Index next = nodes_[node].next;
      visit(node);
      node = next;
    }
  }

  void join(Index node, Index next) {
    nodes_[node].next = next;
    nodes_[next].previous = node;
  }

  /// Hangs `top` below `below`; the nodes on the way from `top` up to `leaving` change places with their parents.
  void turn_over(Index top, Index below, Index leaving, std::int64_t mass) {
    // Take the part of the ring out.
    const Index before = nodes_[leaving].previous, end = nodes_[leaving].last, behind = nodes_[end].next;
    const Index all = nodes_[leaving].count;
    for (Index a = nodes_[leaving].parent; a != none && nodes_[a].last == end; a = nodes_[a].parent)
      nodes_[a].last = before;
    join(before, behind);

    // Its new order: what is below `top`, then the parent of `top` with all that is left below it, and so on up.
    Index node = top, above = below, count = all, tail = none;
    // The part of the node before: its old end, and its old neighbours.
    Index inner_last = none, inner_before = none, inner_after = none;
    while (true) {
      const Node old = nodes_[node];
      Index rest_last = old.last, after = nodes_[old.last].next;
      if (tail != none) {
        if (old.last == inner_last) {
          rest_last = inner_before;
          after = inner_after;
        } else {
          join(inner_before, inner_after);
        }
        join(tail, node);
      }
      tail = rest_last;
      nodes_[node].parent = above;
      nodes_[node].flow = mass;
      nodes_[node].count = count;
      if (node == leaving) break;
      inner_before = old.previous;
      inner_last = old.last;
      inner_after = after;
      above = node;
      node = old.parent;
      mass = old.flow;
      count = all - old.count;
    }
    for (node = leaving; node != below; node = nodes_[node].parent) nodes_[node].last = tail;

    // Put it in again, right behind its new parent.
    join(tail, nodes_[below].next);
    join(below, top);
    for (Index a = below; a != none && nodes_[a].last == below; a = nodes_[a].parent) nodes_[a].last = tail;
  }

  Index rows_ = 0, root_ = none;
  std::vector<Node> nodes_ = {};
  std::vector<Index> order_ = {}, stack_ = {};
};

}  // namespace fidelity::detail
