// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fidelity/transport/detail/row_minimum.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// The least entry of each column, 0 for a column without usable entries.
template <class Cost>
std::vector<double> column_minima(const Cost& cost) {
  std::vector<double> least(cost.columns(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < cost.rows(); ++i)
    for (std::size_t j = 0; j < least.size(); ++j) {
      const double entry = cost(i, j);
      least[j] = entry < least[j] ? entry : least[j];
    }
  for (double& x : least)
    if (!(x < largest_usable_cost)) x = 0;
  return least;
}

/// Rows in order of regret: how much a row loses if it cannot have its best column. Ties: lowest index.
template <class Cost>
std::vector<std::size_t> order_of_regret(const Cost& cost, const std::vector<double>& price) {
  std::vector<double> regret(cost.rows());
  for (std::size_t i = 0; i < cost.rows(); ++i) {
    double best = std::numeric_limits<double>::infinity(), second = best;
    for (std::size_t j = 0; j < price.size(); ++j) {
      const double reduced = cost(i, j) - price[j];
      second = std::min(second, std::max(best, reduced));
      best = std::min(best, reduced);
    }
    regret[i] = best < largest_usable_cost ? second - best : second;
  }
  std::vector<std::size_t> order(cost.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return regret[a] > regret[b]; });
  return order;
}

/// Hands a row its open columns from the cheapest up: by scanning for the first few, from a heap when it needs many.
template <class Cost>
class CheapestColumns {
 public:
  CheapestColumns(const Cost& cost, std::size_t row, const std::vector<double>& open_price)
      : cost_(cost), row_(row), open_price_(open_price) {}

  /// no_index when only forbidden pairs are left.
  std::size_t next() {
    constexpr std::size_t scans = 8;
    if (used_++ < scans) {
      const RowMinimum least = row_minimum(cost_, row_, open_price_);
      return least.value < largest_usable_cost ? least.column : no_index;
    }
    if (used_ == scans + 1) {
      for (std::size_t j = 0; j < open_price_.size(); ++j) {
        const double reduced = cost_(row_, j) - open_price_[j];
        if (reduced < largest_usable_cost) heap_.emplace_back(reduced, j);
      }
      std::make_heap(heap_.begin(), heap_.end(), std::greater<>{});
    }
    if (heap_.empty()) return no_index;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    const std::size_t column = heap_.back().second;
    heap_.pop_back();
    return column;
  }

 private:
  const Cost& cost_;
  std::size_t row_, used_ = 0;
  const std::vector<double>& open_price_;
  std::vector<std::pair<double, std::size_t>> heap_;
};

/// A first basis: rows ship to the cheapest columns that still have room, the row with the largest regret first. Every
/// shipment closes one row or column and hangs it below the other, which gives exactly rows + columns - 1 arcs. When
/// both are full the column is closed, and the row takes one more column, empty: so the tree is strongly feasible.
/// Forbidden pairs are used only where nothing else is open.
template <class Cost>
SpanningTree greedy_start(const Cost& cost, const std::vector<std::int64_t>& supply,
                          const std::vector<std::int64_t>& demand) {
  constexpr double closed = -1e300;  // as a price: makes every pair of the column look forbidden
  const std::size_t rows = supply.size();
  SpanningTree tree(rows, demand.size());
  std::vector<double> price = column_minima(cost);
  const std::vector<std::size_t> order = order_of_regret(cost, price);
  std::vector<std::int64_t> room = demand;
  std::size_t open = demand.size(), first_open = 0;

  for (const std::size_t row : order) {
    CheapestColumns<Cost> columns(cost, row, price);
    std::int64_t left = supply[row];
    while (true) {
      std::size_t column = columns.next();
      if (column == no_index) {
        while (price[first_open] == closed) ++first_open;
        column = first_open;
      }
      if (left < room[column] || open == 1) {
        tree.hang(row, rows + column, left);
        room[column] -= left;
        break;
      }
      tree.hang(rows + column, row, room[column]);
      left -= room[column];
      price[column] = closed;
      --open;
    }
  }
  std::size_t root = rows;
  while (tree.parent[root] != no_index) ++root;
  tree.visit_below(root,
                   [&](std::size_t node) { tree.depth[node] = node == root ? 0 : tree.depth[tree.parent[node]] + 1; });
  return tree;
}

}  // namespace fidelity::detail
