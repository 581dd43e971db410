// SPDX-License-Identifier: MIT
#include <vector>

#include <fidelity/distance/tiles.hpp>

#include "catch.hpp"

namespace {
namespace fd = fidelity;

/// How often each entry stands in a tile.
std::vector<int> counts(const fd::TileList& list, std::size_t rows, std::size_t columns) {
  std::vector<int> count(rows * columns, 0);
  for (const fd::Tile& tile : list) {
    REQUIRE(tile.row_begin < tile.row_end);
    REQUIRE(tile.column_begin < tile.column_end);
    REQUIRE(tile.row_end <= rows);
    REQUIRE(tile.column_end <= columns);
    fd::for_each_entry(list, tile, [&](std::size_t i, std::size_t j) {
      ++count[i * columns + j];
      return true;
    });
  }
  return count;
}

/// Lengths from 1 to 9000, so that tiles have from 1 to 16 rows.
std::vector<std::size_t> lengths_of(std::size_t count, unsigned step) {
  std::vector<std::size_t> lengths;
  for (std::size_t k = 0; k < count; ++k) lengths.push_back(k % 3 == 0 ? 3 : 1 + k * step * 37 % 9000);
  return lengths;
}
}  // namespace

TEST_CASE("every entry of a rectangle stands in exactly one tile") {
  for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 33U, 70U})
    for (const std::size_t m : {0U, 1U, 16U, 31U, 32U, 50U}) {
      const std::vector<std::size_t> rows(n, 3), columns(m, 5);
      for (const int count : counts(fd::tiles(rows, columns), n, m)) REQUIRE(count == 1);
      for (const int count : counts(fd::tiles(lengths_of(n, 5), lengths_of(m, 7)), n, m)) REQUIRE(count == 1);
    }
}

TEST_CASE("every entry above the diagonal stands in exactly one tile, no entry in two") {
  for (const std::size_t n : {0U, 1U, 2U, 16U, 17U, 40U, 65U})
    for (const auto& lengths : {std::vector<std::size_t>(n, 3), lengths_of(n, 11)}) {
      const auto list = fd::tiles(lengths);
      CHECK(list.symmetric);
      CHECK(list.row_order == list.column_order);
      const auto count = counts(list, n, n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) REQUIRE(count[i * n + j] == (i < j ? 1 : 0));
    }
}

TEST_CASE("series of equal length keep their order, others stand by length") {
  const std::vector<std::size_t> equal = {5, 5, 5}, mixed = {2, 9, 2, 7, 9};
  CHECK(fd::tiles(equal, mixed).row_order == std::vector<std::size_t>{0, 1, 2});
  CHECK(fd::tiles(equal, mixed).column_order == std::vector<std::size_t>{1, 4, 3, 0, 2});
}

TEST_CASE("tiles come largest first and stay small where series are long") {
  for (const bool symmetric : {false, true}) {
    const auto lengths = lengths_of(70, 13);
    const auto list = symmetric ? fd::tiles(lengths) : fd::tiles(lengths, lengths);
    double before = 1e300;
    for (const fd::Tile& tile : list) {
      const double cells = fd::detail::cells_of(list, tile, lengths, lengths);
      CHECK(cells <= before);
      CHECK((cells <= fd::detail::largest_tile || tile.row_end - tile.row_begin == 1 ||
             tile.column_end - tile.column_begin < 8));
      before = cells;
    }
  }
}

TEST_CASE("the columns of a tile fill all lanes of every kernel") {
  const auto list = fd::tiles(lengths_of(64, 3), lengths_of(70, 5));
  for (const fd::Tile& tile : list)
    CHECK((tile.column_begin % 16 == 0 && (tile.column_end % 16 == 0 || tile.column_end == 70)));
}

TEST_CASE("an empty collection has no tiles") {
  CHECK(fd::tiles(std::vector<std::size_t>{}, std::vector<std::size_t>{1, 2}).empty());
  CHECK(fd::tiles(std::vector<std::size_t>{1, 2}, std::vector<std::size_t>{}).empty());
  CHECK(fd::tiles(std::vector<std::size_t>{}).empty());
}
