// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fidelity/detail/exact.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>

namespace fidelity::detail {

/// The chosen step of each cell of some rows, 2 bits a cell.
class Decisions {
 public:
  Decisions(std::size_t rows, std::size_t columns) : stride_(words(columns)), bits_(rows * stride_) {}

  static std::size_t bytes(std::size_t rows, std::size_t columns) { return rows * words(columns) * 8; }

  [[nodiscard]] EditKind operator()(std::size_t row, std::size_t j) const {
    return static_cast<EditKind>((bits_[row * stride_ + j / 32] >> (2 * (j % 32))) & 3U);
  }

  /// Takes the decisions of one row from left to right.
  struct RowWriter {
    std::uint64_t* next;
    std::uint64_t word = 0;
    void operator()(std::size_t j, EditKind kind) {
      word |= static_cast<std::uint64_t>(kind) << (2 * (j % 32));
      if (j % 32 == 31) flush();
    }
    void flush() {
      *next++ = word;
      word = 0;
    }
  };
  void record(std::size_t row, std::size_t columns, auto&& sweep) {
    RowWriter writer{bits_.data() + row * stride_};
    sweep(writer);
    if (columns % 32 != 0) writer.flush();
  }

 private:
  static std::size_t words(std::size_t columns) { return (columns + 31) / 32; }
  std::size_t stride_;
  std::vector<std::uint64_t> bits_;
};

/// A step without its cost. Cells are counted from 0.
struct EditCell {
  EditKind kind;
  std::size_t i, j;
};

/// The cheapest path through the full table, first step first, and its cost D(n, m).
///
/// Rows are traced in blocks from the last to the first. A block whose decisions fit into the budget is swept once more
/// from the row above it; a larger one is split, and the first rows of its parts are stored. So the choice at each cell
/// is the same for every budget.
template <class Costs>
class EditTrace {
 public:
  EditTrace(const Costs& costs, std::size_t budget) : costs_(costs), j_(costs.columns() - 1) {
    cells_.reserve(costs.rows() + costs.columns());
    const std::size_t last = costs.rows() - 1;
    EditRow row(costs.columns());
    sweep_first_row(costs, costs.columns(), row);
    if (last == 0) {
      cost_ = row.cost[j_];
    } else {
      trace(0, last, row.cost, budget);
    }
    for (; j_ > 0; --j_) cells_.push_back({EditKind::delete_b, 0, j_});
    cells_.push_back({EditKind::match, 0, 0});
    std::reverse(cells_.begin(), cells_.end());
  }
  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] const std::vector<EditCell>& cells() const { return cells_; }

 private:
  /// From cell (last, j_) up to row `first`, whose costs are `top`.
  void trace(std::size_t first, std::size_t last, const std::vector<double>& top, std::size_t budget) {
    const std::size_t rows = last - first, columns = j_ + 1;
    if (rows == 1 || Decisions::bytes(rows, columns) <= budget) {
      trace_block(first, last, top);
      return;
    }
    const std::size_t affordable = budget / 2 / (8 * columns), parts = std::clamp<std::size_t>(affordable, 2, rows);
    const auto part = [&](std::size_t k) { return first + k * (rows / parts) + std::min(k, rows % parts); };
    std::vector<std::vector<double>> stored;  // rows part(1), part(2), ...
    EditRow row = restart(first, top);
    NoDecisions none;
    for (std::size_t k = 1; k < parts; ++k) {
      for (std::size_t i = part(k - 1) + 1; i <= part(k); ++i)
        sweep_row(costs_, i, {0, columns}, {0, columns}, row, none);
      stored.push_back(row.cost);
    }
    row = EditRow(0);
    for (std::size_t k = parts; k-- > 0;) {
      trace(part(k), part(k + 1), k == 0 ? top : stored.back(), budget / 2);
      if (k > 0) stored.pop_back();
    }
  }

  void trace_block(std::size_t first, std::size_t last, const std::vector<double>& top) {
    const std::size_t columns = j_ + 1;
    Decisions decisions(last - first, columns);
    EditRow row = restart(first, top);
    for (std::size_t i = first + 1; i <= last; ++i)
      decisions.record(i - first - 1, columns, [&](auto& decide) {
        sweep_row(costs_, i, {0, columns}, {0, columns}, row, decide);
      });
    if (cells_.empty()) cost_ = row.cost[j_];
    for (std::size_t i = last; i > first;) {
      const EditKind kind = decisions(i - first - 1, j_);
      cells_.push_back({kind, i, j_});
      if (kind != EditKind::delete_b) --i;
      if (kind != EditKind::delete_a) --j_;
    }
  }

  /// Row `first` of both tables from that of D.
  EditRow restart(std::size_t first, const std::vector<double>& top) const {
    EditRow row(j_ + 1);
    for (std::size_t j = 0; j <= j_; ++j) {
      row.cost[j] = top[j];
      row.cost_with_match[j] = top[j] + costs_.match(first, j);
    }
    return row;
  }

  const Costs& costs_;
  std::size_t j_;
  double cost_ = 0;
  std::vector<EditCell> cells_;
};

/// Cost of a path, with the operations of the sweep: bit for bit D(n, m) for the path that the trace found.
template <class Costs, class Steps>
FIDELITY_EXACT double replay_steps(const Costs& costs, const Steps& steps) {
  FIDELITY_EXACT_BODY
  double cost = 0, match_before = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& step = steps[k];
    const double match = costs.match(step.i, step.j);
    if (k == 0)
      cost = match;
    else if (step.kind == EditKind::match)
      cost = (cost + match_before) + match;
    else if (step.kind == EditKind::delete_a)
      cost += costs.delete_a(step.i);
    else
      cost += costs.delete_b(step.j);
    match_before = match;
  }
  return cost;
}

}  // namespace fidelity::detail
