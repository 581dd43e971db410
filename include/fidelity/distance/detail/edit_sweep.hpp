// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/detail/exact.hpp>

namespace fidelity {
/// The three steps of an edit script.
enum class EditKind { match, delete_a, delete_b };
}  // namespace fidelity

namespace fidelity::detail {

/// Columns [begin, end) of one row of the table: those that some path reaches.
struct ColumnRange {
  std::size_t begin, end;
};

/// One row of the two tables: D(i, j), the least cost of turning the first i samples of a into the first j of b, and
/// E(i, j) = D(i, j) + match(i, j), so that each match is computed once.
struct EditRow {
  explicit EditRow(std::size_t columns) : cost(columns), cost_with_match(columns) {}
  std::vector<double> cost, cost_with_match;
};

/// Takes the chosen steps where nobody wants them.
struct NoDecisions {
  void operator()(std::size_t, EditKind) const {}
};

/// Row 0: the first samples are matched, then b is deleted.
template <class Costs>
FIDELITY_EXACT void sweep_first_row(const Costs& costs, std::size_t end, EditRow& row) {
  FIDELITY_EXACT_BODY
  for (std::size_t j = 0; j < end; ++j) {
    const double match = costs.match(0, j);
    row.cost[j] = j == 0 ? match : row.cost[j - 1] + costs.border_b(j);
    row.cost_with_match[j] = row.cost[j] + match;
  }
}

/// Row i >= 1 in place of row i - 1, with the operations and the order of twed_sweep(). Both ranges are of cells that a
/// path reaches: above.begin <= now.begin <= above.end <= now.end. `decide(j, kind)` receives the step that was chosen:
/// a match where it is among the cheapest, else the deletion in a, else that in b.
template <class Costs, class Decide>
FIDELITY_EXACT void sweep_row(const Costs& costs, std::size_t i, ColumnRange above, ColumnRange now, EditRow& row,
                              Decide& decide) {
  FIDELITY_EXACT_BODY
  double* const cost = row.cost.data();
  double* const cost_with_match = row.cost_with_match.data();
  const double delete_a = costs.delete_a(i);
  std::size_t j = now.begin;
  double left = 0, diagonal = 0;  // D(i, j - 1) and E(i - 1, j - 1)
  const auto store = [&](double match) {
    diagonal = cost_with_match[j];
    cost[j] = left;
    cost_with_match[j] = left + match;
  };
  {  // the first cell has no neighbour on its left
    const double match = costs.match(i, j);
    const bool from_above = j<above.end, from_diagonal = j> above.begin;
    const double by_a = from_above ? cost[j] + (j == 0 ? costs.border_a(i) : delete_a) : 0.0;
    const double by_match = from_diagonal ? cost_with_match[j - 1] + match : 0.0;
    const bool matched = from_diagonal && (!from_above || by_match <= by_a);
    left = matched ? by_match : by_a;
    decide(j, matched ? EditKind::match : EditKind::delete_a);
    store(match);
    ++j;
  }
  for (const std::size_t end = std::min(above.end, now.end); j < end; ++j) {
    const double match = costs.match(i, j);
    const double by_match = diagonal + match, by_a = cost[j] + delete_a, by_b = left + costs.delete_b(j);
    const EditKind of_two = by_match <= by_a ? EditKind::match : EditKind::delete_a;
    const double least_of_two = std::min(by_match, by_a);
    decide(j, least_of_two <= by_b ? of_two : EditKind::delete_b);
    left = std::min(least_of_two, by_b);
    store(match);
  }
  for (; j < now.end; ++j) {  // nothing above; a neighbour on the diagonal only for the first of these
    const double match = costs.match(i, j);
    const double by_match = diagonal + match, by_b = left + costs.delete_b(j);
    const bool matched = j == above.end && by_match <= by_b;
    left = matched ? by_match : by_b;
    decide(j, matched ? EditKind::match : EditKind::delete_b);
    store(match);
  }
}

/// D(n, m) where only the cells of `range(i)` may be used, no value where no path stays in them. It is called for one
/// row after the other, and no end of a range may lie before that of the row above.
template <class Costs, class RangeOfRow>
std::optional<double> sweep_ranges(const Costs& costs, RangeOfRow&& range) {
  const std::size_t n = costs.rows(), m = costs.columns();
  ColumnRange above = range(0);
  if (above.begin > 0 || above.end == 0) return std::nullopt;
  EditRow row(m);
  sweep_first_row(costs, above.end, row);
  NoDecisions none;
  for (std::size_t i = 1; i < n; ++i) {
    ColumnRange now = range(i);
    now.begin = std::max(now.begin, above.begin);
    if (now.begin >= now.end || now.begin > above.end) return std::nullopt;
    sweep_row(costs, i, above, now, row, none);
    above = now;
  }
  if (above.end < m) return std::nullopt;
  return row.cost[m - 1];
}

/// D(n, m) of the full table.
template <class Costs>
double sweep_all(const Costs& costs) {
  return *sweep_ranges(costs, [m = costs.columns()](std::size_t) { return ColumnRange{0, m}; });
}

}  // namespace fidelity::detail
