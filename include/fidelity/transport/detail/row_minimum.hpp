// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Costs from here on are never part of a sum: +infinity, and finite numbers so large that sums of them could overflow.
inline constexpr double largest_usable_cost = 1e270;
inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);

struct RowMinimum {
  double value = std::numeric_limits<double>::infinity();
  std::size_t column = no_index;
};

/// The least cost(row, j) - price[j]; ties go to the lowest column. Blocks with independent running minima: in
/// this form compilers turn the loop into vector code. +infinity has no column.
template <class Cost>
RowMinimum row_minimum(const Cost& cost, std::size_t row, std::span<const double> price) {
  constexpr std::size_t block = 256, lanes = 8;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double* const prices = price.data();
  const std::size_t columns = price.size();
  RowMinimum least;
  std::size_t winner = 0;
  for (std::size_t begin = 0; begin < columns; begin += block) {
    const std::size_t end = begin + block < columns ? begin + block : columns;
    double low[lanes] = {infinity, infinity, infinity, infinity, infinity, infinity, infinity, infinity};
    std::size_t j = begin;
    for (; j + lanes <= end; j += lanes)
      for (std::size_t k = 0; k < lanes; ++k) {
        const double reduced = cost(row, j + k) - prices[j + k];
        low[k] = reduced < low[k] ? reduced : low[k];
      }
    for (; j < end; ++j) {
      const double reduced = cost(row, j) - prices[j];
      low[0] = reduced < low[0] ? reduced : low[0];
    }
    double lowest = low[0];
    for (const double x : low) lowest = x < lowest ? x : lowest;
    if (lowest < least.value) {
      least.value = lowest;
      winner = begin;
    }
  }
  if (least.value < infinity)
    for (std::size_t j = winner; j < columns && least.column == no_index; ++j)
      if (cost(row, j) - prices[j] == least.value) least.column = j;
  return least;
}

/// True if no entry of a row is NaN, infinite, below -largest_usable_cost or, if asked, negative. On the bits, without
/// a branch: vector code. May be false for entries that are legal, such as +infinity and -0.
template <class Cost>
bool plain_row(const Cost& cost, std::size_t row, bool are_distances) {
  constexpr std::uint64_t sign = 0x8000000000000000U;
  constexpr std::uint64_t to_sign = sign - std::bit_cast<std::uint64_t>(largest_usable_cost);
  const std::uint64_t signs = are_distances ? sign : 0;
  std::uint64_t odd = 0;
  const std::size_t columns = cost.columns();
  for (std::size_t j = 0; j < columns; ++j) {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(cost(row, j)));
    odd |= (bits & signs) | ((bits & ~sign) + to_sign);
  }
  return (odd & sign) == 0;
}

/// Refuses an empty matrix, NaN, -infinity and, if asked, negative entries. Names the first bad entry, row by row.
template <class Cost>
void check_costs(std::string_view function, const Cost& cost, bool are_distances) {
  if (cost.rows() == 0 || cost.columns() == 0)
    fail(function, Rule::empty, concat("the costs are ", cost.rows(), " x ", cost.columns()), {.collection = "cost"});
  for (std::size_t i = 0; i < cost.rows(); ++i) {
    if (plain_row(cost, i, are_distances)) continue;
    for (std::size_t j = 0; j < cost.columns(); ++j) {
      const double entry = cost(i, j);
      const bool not_a_number = is_nan(entry);
      if (not_a_number || (entry < 0 && (are_distances || !is_finite(entry))))
        fail(function, Rule::bad_cost,
             concat(not_a_number    ? "a cost is not a number"
                    : are_distances ? "a distance is negative"
                                    : "a cost is -infinity",
                    " (row ", i, ", column ", j, ")"),
             {.collection = "cost", .index = i, .sample = j, .value = entry});
      if (entry < -largest_usable_cost)
        throw Overflow(concat("fidelity::", function, ": the cost ", entry, " of row ", i, ", column ", j,
                              " is too large for sums of costs; divide all costs by a common factor"),
                       std::pair{i, j});
    }
  }
}

}  // namespace fidelity::detail
