// SPDX-License-Identifier: MIT
#include <vector>

#include <fidelity/distance/tiles.hpp>

#include "catch.hpp"

namespace {
namespace fd = fidelity;

/// How often each entry stands in a tile.
std::vector<int> counts(const std::vector<fd::Tile>& list, std::size_t rows, std::size_t columns) {
  std::vector<int> count(rows * columns, 0);
  for (const fd::Tile& tile : list) {
    REQUIRE(tile.row_begin < tile.row_end);
    REQUIRE(tile.column_begin < tile.column_end);
    REQUIRE(tile.row_end <= rows);
    REQUIRE(tile.column_end <= columns);
    for (std::size_t i = tile.row_begin; i < tile.row_end; ++i)
      for (std::size_t j = tile.column_begin; j < tile.column_end; ++j) ++count[i * columns + j];
  }
  return count;
}
}  // namespace

TEST_CASE("every entry of a rectangle stands in exactly one tile") {
  for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 33U, 70U})
    for (const std::size_t m : {0U, 1U, 16U, 31U, 32U, 50U}) {
      const std::vector<std::size_t> rows(n, 3), columns(m, 5);
      for (const int count : counts(fd::tiles(rows, columns), n, m)) REQUIRE(count == 1);
    }
}

TEST_CASE("every entry above the diagonal stands in exactly one tile, no entry in two") {
  for (const std::size_t n : {0U, 1U, 2U, 16U, 17U, 40U, 65U}) {
    const std::vector<std::size_t> lengths(n, 3);
    const auto list = fd::tiles(lengths);
    for (const fd::Tile& tile : list) REQUIRE(tile.row_begin <= tile.column_begin);  // none lies below the diagonal
    const auto count = counts(list, n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        REQUIRE(count[i * n + j] <= 1);
        if (i < j) REQUIRE(count[i * n + j] == 1);
      }
  }
}

TEST_CASE("an empty collection has no tiles") {
  CHECK(fd::tiles(std::vector<std::size_t>{}, std::vector<std::size_t>{1, 2}).empty());
  CHECK(fd::tiles(std::vector<std::size_t>{1, 2}, std::vector<std::size_t>{}).empty());
  CHECK(fd::tiles(std::vector<std::size_t>{}).empty());
}
