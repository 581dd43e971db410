// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/transport/detail/candidates.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// The least entry of each column, 0 for a column without usable entries.
template <class Cost>
void column_minima(const Cost& cost, std::span<double> least) {
  std::fill(least.begin(), least.end(), std::numeric_limits<double>::infinity());
  double* const out = least.data();
  const std::size_t columns = least.size();
  for (std::size_t i = 0; i < cost.rows(); ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const double entry = cost(i, j);
      out[j] = entry < out[j] ? entry : out[j];
    }
  for (double& x : least)
    if (!(x < largest_usable_cost)) x = 0;
}

/// What a first basis is built in; kept from solve to solve.
struct StartMemory {
  struct Turn {
    double regret;
    std::uint32_t row, stamp;
  };
  struct Watcher {
    std::uint32_t row, next;
  };
  std::vector<std::int64_t> left = {}, room = {};
  std::vector<double> open_price = {};
  std::vector<bool> row_open = {};
  std::vector<Turn> turns = {};
  std::vector<std::uint32_t> stamps = {}, watched = {};
  std::vector<Watcher> watchers = {};
  std::vector<std::size_t> closed_columns = {};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs = {};
  std::vector<std::pair<double, std::size_t>> cheapest = {};
};

/// A first basis: rows ship to the cheapest columns that still have room. The row with the largest regret comes first,
/// that is the row that loses most if it does not get its best column (Reinfeld and Vogel, 1958), regrets being kept up
/// to date as columns fill. Every shipment closes one row or column and hangs it below the other, which gives exactly
/// rows + columns - 1 arcs. When both are full the column is closed, and the row takes one more column, empty: so the
/// tree is strongly feasible. Forbidden pairs are used only where nothing else is open.
template <class Cost>
class FirstBasis {
 public:
  FirstBasis(const Cost& cost, const Masses& masses, std::span<const double> column_price, const Candidates& candidates,
             StartMemory& memory, SpanningTree& tree)
      : cost_(cost),
        price_(column_price),
        candidates_(candidates),
        memory_(memory),
        tree_(tree),
        open_(masses.demand.size()) {
    memory_.left = masses.supply;
    memory_.room = masses.demand;
    memory_.open_price.assign(price_.begin(), price_.end());
    memory_.row_open.assign(masses.supply.size(), true);
  }

  void build() {
    tree_.reset(memory_.left.size(), memory_.room.size());
    ship_all();
    tree_.finish();
  }

  /// Keeps as much of the present tree as the masses allow: from the leaves up every node ships to or from its parent.
  void build_from_tree() {
    auto& arcs = memory_.arcs;
    arcs.clear();
    tree_.visit_below(tree_.root(), [&](SpanningTree::Index node) { arcs.emplace_back(node, tree_.parent(node)); });
    const std::size_t rows = memory_.left.size();
    tree_.reset(rows, memory_.room.size());
    for (std::size_t k = arcs.size(); k-- > 1;) {
      const auto [node, parent] = arcs[k];
      const std::size_t row = node < rows ? node : parent, column = (node < rows ? parent : node) - rows;
      if (memory_.row_open[row] && column_open(column)) ship(row, column);
    }
    ship_all();
    tree_.finish();
  }

 private:
  static constexpr double closed = -1e300;  // as a price: makes every pair of the column look forbidden
  static constexpr std::uint32_t nobody = SpanningTree::none;

  [[nodiscard]] bool column_open(std::size_t column) const { return memory_.open_price[column] != closed; }

  /// Ships what fits, and hangs the side that is done below the other.
  void ship(std::size_t row, std::size_t column) {
    const std::size_t rows = memory_.left.size();
    std::int64_t &left = memory_.left[row], &room = memory_.room[column];
    if (left < room || open_ == 1) {
      tree_.hang(row, rows + column, left);
      room -= left;
      memory_.row_open[row] = false;
    } else {
      tree_.hang(rows + column, row, room);
      left -= room;
      memory_.open_price[column] = closed;
      --open_;
      memory_.closed_columns.push_back(column);
    }
  }

  void ship_all() {
    memory_.watched.assign(price_.size(), nobody);
    memory_.watchers.clear();
    memory_.stamps.assign(memory_.left.size(), 0);
    memory_.turns.clear();
    for (std::size_t row = 0; row < memory_.left.size(); ++row)
      if (memory_.row_open[row]) queue(row);
    while (!memory_.turns.empty()) {
      std::pop_heap(memory_.turns.begin(), memory_.turns.end(), later);
      const auto [regret, row, stamp] = memory_.turns.back();
      memory_.turns.pop_back();
      if (!memory_.row_open[row] || memory_.stamps[row] != stamp) continue;
      memory_.closed_columns.clear();
      ship_row(row);
      for (const std::size_t column : memory_.closed_columns)
        for (std::uint32_t k = memory_.watched[column]; k != nobody; k = memory_.watchers[k].next)
          if (memory_.row_open[memory_.watchers[k].row]) queue(memory_.watchers[k].row);
    }
  }

  /// Ties: lowest row.
  static bool later(const StartMemory::Turn& a, const StartMemory::Turn& b) {
    return a.regret != b.regret ? a.regret < b.regret : a.row > b.row;
  }

  /// Finds the regret of a row; it is queued again when one of its two best columns closes.
  void queue(std::size_t row) {
    const auto columns = candidates_.columns(row);
    const auto costs = candidates_.costs(row);
    double best = 0, regret = -1;  // without an open candidate: last
    std::size_t found = 0;
    for (std::size_t k = 0; k < columns.size() && found < 2; ++k) {
      const std::size_t j = columns[k];
      if (!column_open(j)) continue;
      const double reduced = costs[k] - price_[j];
      regret = found == 0 ? std::numeric_limits<double>::infinity() : reduced - best;
      best = reduced;
      ++found;
      memory_.watchers.push_back({static_cast<std::uint32_t>(row), memory_.watched[j]});
      memory_.watched[j] = static_cast<std::uint32_t>(memory_.watchers.size() - 1);
    }
    // A list that is full ends before the columns do.
    if (found == 1 && columns.size() == Candidates::width)
      regret = std::max(0.0, costs.back() - price_[columns.back()] - best);
    memory_.turns.push_back({regret, static_cast<std::uint32_t>(row), ++memory_.stamps[row]});
    std::push_heap(memory_.turns.begin(), memory_.turns.end(), later);
  }

  void ship_row(std::size_t row) {
    for (const std::size_t column : candidates_.columns(row)) {
      if (!column_open(column)) continue;
      ship(row, column);
      if (!memory_.row_open[row]) return;
    }
    // Beyond the candidates: by scanning for a few columns, from a heap when it needs many.
    constexpr std::size_t scans = 8;
    for (std::size_t k = 0; k < scans && memory_.row_open[row]; ++k) {
      const RowMinimum least = row_minimum(cost_, row, memory_.open_price);
      ship(row, least.value < largest_usable_cost ? least.column : first_open_column());
    }
    if (!memory_.row_open[row]) return;
    auto& cheapest = memory_.cheapest;
    cheapest.clear();
    for (std::size_t j = 0; j < price_.size(); ++j) {
      const double reduced = cost_(row, j) - memory_.open_price[j];
      if (reduced < largest_usable_cost) cheapest.emplace_back(reduced, j);
    }
    std::make_heap(cheapest.begin(), cheapest.end(), std::greater<>{});
    while (memory_.row_open[row]) {
      if (cheapest.empty()) {
        ship(row, first_open_column());
        continue;
      }
      std::pop_heap(cheapest.begin(), cheapest.end(), std::greater<>{});
      const std::size_t column = cheapest.back().second;
      cheapest.pop_back();
      ship(row, column);
    }
  }

  std::size_t first_open_column() {
    while (!column_open(first_open_)) ++first_open_;
    return first_open_;
  }

  const Cost& cost_;
  std::span<const double> price_;
  const Candidates& candidates_;
  StartMemory& memory_;
  SpanningTree& tree_;
  std::size_t open_, first_open_ = 0;
};

}  // namespace fidelity::detail
