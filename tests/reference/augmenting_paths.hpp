// SPDX-License-Identifier: MIT
// The second way to an assignment: shortest augmenting paths, the Hungarian method (Kuhn, 1955; Tomizawa, 1971; Edmonds
// and Karp, 1972). No tree, no pivots, no candidates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <fidelity/transport/detail/first_basis.hpp>
#include <fidelity/transport/detail/hall_witness.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>

namespace reference {

using namespace fidelity::detail;

/// A least-cost matching of the rows of a square matrix, or the rows that cannot all be matched.
struct Matching {
  std::vector<std::size_t> column_of = {}, row_of = {};
  std::vector<double> column_prices = {};
  std::optional<HallWitness> no_plan = {};
};

/// Looks for the cheapest way to give one more row a column: Dijkstra over reduced costs, where a column that is taken
/// leads on to its row. On success the matching is changed along the path and the prices are adjusted.
template <class Cost>
class ShortestPath {
 public:
  explicit ShortestPath(const Cost& cost)
      : cost_(cost), distance_(cost.columns()), before_(cost.columns()), open_(cost.columns()) {}

  /// False if the row has no way to a free column.
  bool augment(std::size_t start, Matching& matching) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::fill(distance_.begin(), distance_.end(), infinity);
    open_.resize(distance_.size());
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    rows_seen = {start};
    columns_seen.clear();

    std::size_t row = start;
    double travelled = 0;  // length of the path to `row`
    while (true) {
      // The reduced cost of a row's own column is its price; distances grow from there.
      const double row_price = row == start ? 0 : reduced(row, matching.column_of[row], matching);
      std::size_t nearest = no_index;
      for (std::size_t k = 0; k < open_.size(); ++k) {
        const std::size_t j = open_[k];
        const double entry = cost_(row, j);
        if (entry < largest_usable_cost) {
          const double length = travelled + ((entry - matching.column_prices[j]) - row_price);
          if (length < distance_[j]) {
            distance_[j] = length;
            before_[j] = row;
          }
        }
        if (nearest == no_index || distance_[j] < distance_[open_[nearest]] ||
            (distance_[j] == distance_[open_[nearest]] && is_better(j, open_[nearest], matching)))
          nearest = k;
      }
      if (nearest == no_index || !(distance_[open_[nearest]] < infinity)) return false;
      const std::size_t column = open_[nearest];
      travelled = distance_[column];
      if (matching.row_of[column] == no_index) {
        for (const std::size_t j : columns_seen) matching.column_prices[j] += distance_[j] - travelled;
        take_path(start, column, matching);
        return true;
      }
      open_[nearest] = open_.back();
      open_.pop_back();
      columns_seen.push_back(column);
      row = matching.row_of[column];
      rows_seen.push_back(row);
    }
  }

  std::vector<std::size_t> rows_seen = {}, columns_seen = {};  ///< what the last search reached

 private:
  [[nodiscard]] double reduced(std::size_t row, std::size_t column, const Matching& matching) const {
    return cost_(row, column) - matching.column_prices[column];
  }
  /// Among equally near columns a free one ends the search; then the lowest index.
  [[nodiscard]] static bool is_better(std::size_t a, std::size_t b, const Matching& matching) {
    const bool a_free = matching.row_of[a] == no_index, b_free = matching.row_of[b] == no_index;
    return a_free != b_free ? a_free : a < b;
  }
  void take_path(std::size_t start, std::size_t column, Matching& matching) const {
    while (true) {
      const std::size_t row = before_[column];
      matching.row_of[column] = row;
      std::swap(matching.column_of[row], column);
      if (row == start) return;
    }
  }

  const Cost& cost_;
  std::vector<double> distance_;
  std::vector<std::size_t> before_, open_;
};

/// Shortest augmenting paths, from column minima and the rows that find a free column at once.
template <class Cost>
Matching augment_shortest_paths(const Cost& cost) {
  const std::size_t n = cost.rows();
  Matching matching{.column_of = std::vector<std::size_t>(n, no_index),
                    .row_of = std::vector<std::size_t>(n, no_index),
                    .column_prices = std::vector<double>(n)};
  column_minima(cost, matching.column_prices);
  for (std::size_t i = 0; i < n; ++i) {
    const RowMinimum least = row_minimum(cost, i, matching.column_prices);
    if (!(least.value < largest_usable_cost) || matching.row_of[least.column] != no_index) continue;
    matching.column_of[i] = least.column;
    matching.row_of[least.column] = i;
  }
  ShortestPath<Cost> path(cost);
  for (std::size_t i = 0; i < n; ++i) {
    if (matching.column_of[i] != no_index || path.augment(i, matching)) continue;
    matching.no_plan = HallWitness{.rows = path.rows_seen, .columns = path.columns_seen};
    std::sort(matching.no_plan->rows.begin(), matching.no_plan->rows.end());
    std::sort(matching.no_plan->columns.begin(), matching.no_plan->columns.end());
    return matching;
  }
  return matching;
}

}  // namespace reference
