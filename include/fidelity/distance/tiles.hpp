// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace fidelity {

/// A block of a matrix of distances: rows [row_begin, row_end), columns [column_begin, column_end). The unit of work.
struct Tile {
  std::size_t row_begin, row_end;
  std::size_t column_begin, column_end;
  friend bool operator==(const Tile&, const Tile&) = default;
};

namespace detail {
inline constexpr std::size_t tile_size = 16;

inline std::vector<Tile> tiles(std::size_t rows, std::size_t columns, bool upper_only) {
  std::vector<Tile> list;
  for (std::size_t i = 0; i < rows; i += tile_size)
    for (std::size_t j = upper_only ? i : 0; j < columns; j += tile_size)
      list.push_back({i, std::min(i + tile_size, rows), j, std::min(j + tile_size, columns)});
  return list;
}
}  // namespace detail

/// The tiles that pairwise() works through, in order. They depend on the lengths of the series only, not on threads, so
/// that another scheduler can deal them out. Every entry stands in exactly one tile.
[[nodiscard]] inline std::vector<Tile> tiles(std::span<const std::size_t> row_lengths,
                                             std::span<const std::size_t> column_lengths) {
  return detail::tiles(row_lengths.size(), column_lengths.size(), false);
}

/// The tiles of a symmetric matrix: those that reach above the diagonal. Only entries with column > row count.
[[nodiscard]] inline std::vector<Tile> tiles(std::span<const std::size_t> lengths) {
  return detail::tiles(lengths.size(), lengths.size(), true);
}

}  // namespace fidelity
