// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// Rows whose mass is larger than that of all columns they may reach (Hall, 1935).
struct HallWitness {
  std::vector<std::size_t> rows = {}, columns = {};
};

/// The witness in a plan with as little mass as possible on forbidden pairs: the first row with such mass, and all that
/// is connected with it. Rows reach columns over usable pairs, columns reach the rows that ship to them. No column
/// reached gets mass over a forbidden pair, or less of it would be possible.
template <class Cost>
HallWitness hall_witness(const Cost& cost, const SpanningTree& tree) {
  const std::size_t rows = cost.rows(), columns = cost.columns();
  std::vector<std::vector<std::size_t>> senders(columns);
  std::size_t start = no_index;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.flow(node) == 0) continue;
    const std::size_t row = tree.arc_row(node), column = tree.arc_column(node);
    if (cost(row, column) < largest_usable_cost)
      senders[column].push_back(row);
    else
      start = std::min(start, row);
  }
  HallWitness witness{.rows = {start}};
  std::vector<bool> row_seen(rows), column_seen(columns);
  row_seen[start] = true;
  for (std::size_t k = 0; k < witness.rows.size(); ++k)
    for (std::size_t j = 0; j < columns; ++j) {
      if (column_seen[j] || !(cost(witness.rows[k], j) < largest_usable_cost)) continue;
      column_seen[j] = true;
      witness.columns.push_back(j);
      for (const std::size_t row : senders[j]) {
        if (!row_seen[row]) witness.rows.push_back(row);
        row_seen[row] = true;
      }
    }
  std::sort(witness.rows.begin(), witness.rows.end());
  std::sort(witness.columns.begin(), witness.columns.end());
  return witness;
}

/// Throws Infeasible, or Overflow where a pair beyond the usable range would have been the way out. `takes_part` tells
/// which columns have mass.
template <class Cost, class Predicate>
[[noreturn]] void fail_infeasible(std::string_view function, const Cost& cost, const HallWitness& witness,
                                  Predicate&& takes_part) {
  for (const std::size_t i : witness.rows)
    for (std::size_t j = 0; j < cost.columns(); ++j)
      if (const double entry = cost(i, j); takes_part(j) && is_finite(entry) && !(entry < largest_usable_cost))
        throw Overflow(concat("fidelity::", function, ": every plan needs costs as large as ", entry,
                              ", whose sums are outside the range of double; divide all costs by a common factor"),
                       std::pair{i, j});
  const std::string message =
      concat("fidelity::", function, ": the forbidden pairs leave no plan: ", witness.rows.size(),
             witness.rows.size() == 1 ? " row (" : " rows (", "first: ", witness.rows.front(), ") may reach only ",
             witness.columns.size(), witness.columns.size() == 1 ? " column" : " columns", " of smaller mass");
  throw Infeasible(message, witness.rows, witness.columns);
}

}  // namespace fidelity::detail
