// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace fidelity {

/// A block of a matrix of distances: row positions [row_begin, row_end), column positions [column_begin, column_end) of
/// a TileList. The unit of work.
struct Tile {
  std::size_t row_begin, row_end;
  std::size_t column_begin, column_end;
  friend bool operator==(const Tile&, const Tile&) = default;
};

/// The tiles that pairwise() works through, largest first. They depend on the lengths of the series only, not on
/// kernels, threads or ranks, so that another scheduler can deal them out: every entry stands in exactly one tile.
///
/// Tiles speak of positions in an order by length, longest series first, so that series of similar length stand side by
/// side; `row_order[position]` is the index of the series that the caller knows. In a symmetric list both orders are
/// the same and only entries with column position > row position count.
struct TileList {
  std::vector<std::size_t> row_order, column_order;
  bool symmetric = false;
  std::vector<Tile> tiles;

  [[nodiscard]] std::size_t size() const { return tiles.size(); }
  [[nodiscard]] bool empty() const { return tiles.empty(); }
  [[nodiscard]] const Tile& operator[](std::size_t k) const { return tiles[k]; }
  [[nodiscard]] auto begin() const { return tiles.begin(); }
  [[nodiscard]] auto end() const { return tiles.end(); }
};

/// Calls visit(i, j) for the entries of a tile in their order, row after row: i and j are the row and column of the
/// matrix, i < j in a symmetric one. visit returns false to end it; so does this function then.
template <class Visit>
bool for_each_entry(const TileList& list, const Tile& tile, Visit&& visit) {
  for (std::size_t p = tile.row_begin; p < tile.row_end; ++p)
    for (std::size_t q = list.symmetric ? std::max(tile.column_begin, p + 1) : tile.column_begin; q < tile.column_end;
         ++q) {
      const std::size_t i = list.row_order[p], j = list.column_order[q];
      if (!(list.symmetric ? visit(std::min(i, j), std::max(i, j)) : visit(i, j))) return false;
    }
  return true;
}

namespace detail {
inline constexpr std::size_t tile_size = 16;       ///< columns of a group: a multiple of every number of lanes
inline constexpr double largest_tile = 1U << 26U;  ///< cells; some ten milliseconds

inline std::vector<std::size_t> order_by_length(std::span<const std::size_t> lengths) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  return order;
}

/// Number of cells of the entries of a tile.
inline double cells_of(const TileList& list, const Tile& tile, std::span<const std::size_t> rows,
                       std::span<const std::size_t> columns) {
  double cells = 0;
  for_each_entry(list, tile, [&](std::size_t i, std::size_t j) {
    cells += static_cast<double>(rows[i]) * static_cast<double>(columns[j]);
    return true;
  });
  return cells;
}

inline TileList make_tiles(std::span<const std::size_t> rows, std::span<const std::size_t> columns, bool symmetric) {
  TileList list{order_by_length(rows), order_by_length(columns), symmetric, {}};
  for (std::size_t j = 0; j < columns.size(); j += tile_size) {
    const std::size_t end = std::min(j + tile_size, columns.size());
    // A group of few columns is swept with the lanes over the rows, which then have to be many.
    const std::size_t fewest = end - j < tile_size / 2 ? tile_size : 1;
    for (std::size_t i = 0; i < (symmetric ? end : rows.size());) {
      const double row_cells = static_cast<double>(rows[list.row_order[i]]) *
                               static_cast<double>(columns[list.column_order[j]]) * static_cast<double>(end - j);
      const auto most = static_cast<std::size_t>(std::clamp(largest_tile / row_cells, 1.0, 1.0 * tile_size));
      const std::size_t last = std::min(i + std::max(fewest, most), symmetric ? end : rows.size());
      if (!symmetric || end > i + 1) list.tiles.push_back({i, last, j, end});
      i = last;
    }
  }
  std::vector<std::pair<double, Tile>> by_size;
  for (const Tile& tile : list.tiles) by_size.emplace_back(cells_of(list, tile, rows, columns), tile);
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::pair(a.second.row_begin, a.second.column_begin) < std::pair(b.second.row_begin, b.second.column_begin);
  });
  for (std::size_t k = 0; k < by_size.size(); ++k) list.tiles[k] = by_size[k].second;
  return list;
}
}  // namespace detail

/// The tiles of the matrix of rows x columns, from the numbers of samples of the series.
[[nodiscard]] inline TileList tiles(std::span<const std::size_t> row_lengths,
                                    std::span<const std::size_t> column_lengths) {
  return detail::make_tiles(row_lengths, column_lengths, false);
}

/// The tiles of a symmetric matrix: each unordered pair once, none of a series with itself.
[[nodiscard]] inline TileList tiles(std::span<const std::size_t> lengths) {
  return detail::make_tiles(lengths, lengths, true);
}

}  // namespace fidelity
