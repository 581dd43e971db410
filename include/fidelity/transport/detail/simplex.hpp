// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/transport/detail/candidates.hpp>
#include <fidelity/transport/detail/first_basis.hpp>
#include <fidelity/transport/detail/hall_witness.hpp>
#include <fidelity/transport/detail/large_costs.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/pivot_limit.hpp>
#include <fidelity/transport/detail/price_levels.hpp>
#include <fidelity/transport/detail/priced_tree.hpp>
#include <fidelity/transport/detail/prices.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>
#include <fidelity/transport/detail/simplex_memory.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// Primal transportation simplex (Dantzig, 1951) on positive integer masses with equal totals.
///
/// Prices u (rows) and v (columns) make u + v = cost on every arc of the tree; a pair with cost < u + v enters.
/// Forbidden pairs are handled on two levels instead of by a large constant (rule O9): the first level counts mass on
/// forbidden pairs, the second is the cost, and a pair enters if the pair (count, cost) is less in dictionary order. On
/// the second level a forbidden arc left in the tree (it can carry no mass) counts as 0, so nothing large ever enters a
/// price.
template <class Cost>
class TransportSimplex {
 public:
  TransportSimplex(std::string_view function, const Cost& cost, const Masses& masses, const SimplexControl& control,
                   SimplexMemory& memory)
      : function_(function),
        cost_(cost),
        masses_(masses),
        memory_(memory),
        tree_(memory.tree),
        priced_tree_(memory.tree, memory.price),
        rows_(masses.supply.size()),
        columns_(masses.demand.size()),
        pivot_limit_(control.limit(cost)),
        report_(control.report) {
    if (rows_ + columns_ >= SpanningTree::none)
      throw Overflow(concat("fidelity::", function, ": ", rows_, " rows and ", columns_,
                            " columns are more than the solver can number"));
    const bool warm = control.warm && memory.has_basis;
    memory.has_basis = false;  // until the solve has succeeded
    if (!warm) {
      memory.price.assign(rows_ + columns_, 0.0);
      memory.candidates.reset(rows_);
    }
    row_price_ = memory.price.data();
    column_price_ = memory.price.data() + rows_;
    if (warm) {
      memory.candidates.read_costs(cost);
    } else {
      column_minima(cost, {column_price_, columns_});
      for (std::size_t row = 0; row < rows_; ++row) memory.candidates.collect(cost, row, column_prices());
    }
    FirstBasis<Cost> start(cost, masses, column_prices(), memory.candidates, memory.start, tree_);
    if (warm)
      start.build_from_tree();
    else
      start.build();
  }

  /// Returns a witness if there is no plan. Throws IterationLimit and Cancelled.
  [[nodiscard]] std::optional<HallWitness> solve() {
    if (!minimise()) return hall_witness(cost_, tree_);
    join_classes();
    const auto disturbing = [this] { return disturbing_cost(cost_, tree_, forbidden_from_); };
    for (std::optional<double> limit = disturbing(); limit && set_apart(*limit);) limit = disturbing();
    memory_.has_basis = true;
    return {};
  }

  [[nodiscard]] std::span<const double> column_prices() const { return {column_price_, columns_}; }
  /// The largest row prices that fit the column prices (rule O15).
  [[nodiscard]] std::vector<double> row_prices() const {
    return memory_.row_least.size() == rows_ ? memory_.row_least : fitting_row_prices(cost_, column_prices());
  }
  [[nodiscard]] std::size_t pivots() const { return pivots_; }

 private:
  enum class Level { forbidden, cost };

  // --- both levels, one after the other ---------------------------------------------------------------------------

  /// False if mass has to use forbidden pairs.
  bool minimise() {
    memory_.row_level.assign(rows_, 0.0);
    memory_.column_level.assign(columns_, 0.0);
    one_class_ = forbidden_from_ == largest_usable_cost;
    if (priced_tree_.some_arc([this](std::size_t node) { return forbidden_arc(node); })) {
      level_ = Level::forbidden;
      pivot_until_optimal();
      std::copy_n(row_price_, rows_, memory_.row_level.begin());
      std::copy_n(column_price_, columns_, memory_.column_level.begin());
      const auto is_zero = [](double level) { return level == 0; };
      one_class_ = one_class_ && std::all_of(memory_.row_level.begin(), memory_.row_level.end(), is_zero) &&
                   std::all_of(memory_.column_level.begin(), memory_.column_level.end(), is_zero);
    }
    level_ = Level::cost;
    if (priced_tree_.some_arc([this](std::size_t node) { return tree_.flow(node) > 0 && forbidden_arc(node); }))
      return false;
    pivot_until_optimal();
    return true;
  }

  void pivot_until_optimal() {
    tolerance_ = 8 * std::numeric_limits<double>::epsilon();
    memory_.row_least.clear();
    compute_prices();
    if (level_ == Level::cost && one_class_)
      pivot_with_candidates();
    else
      pivot_row_by_row();
  }

  /// By turns: pivots among the candidates until none improves, prices computed anew from the tree (rule O19), and a
  /// search of a part of the rows for more candidates. Ends when all rows were read without finding any, at one and
  /// the same prices.
  void pivot_with_candidates() {
    constexpr std::size_t parts = 4, patience = 50;
    const std::size_t part = std::max<std::size_t>(1, rows_ / parts);
    memory_.row_least.resize(rows_);
    pivot_among_candidates();
    std::size_t row = 0, clean_rows = 0, rows_read = 0;
    while (true) {
      bool found_any = false;
      for (std::size_t k = 0; k < part; ++k) {
        const auto [found, least] = memory_.candidates.renew(
            cost_, row, column_prices(), row_price_[row], [&](std::size_t column, double entry, double reduced) {
              return improves(entry, reduced - row_price_[row], row, column);
            });
        memory_.row_least[row] = least < largest_usable_cost ? least : 0;
        found_any = found_any || found;
        clean_rows = found ? 0 : clean_rows + 1;
        ++rows_read;
        row = row + 1 == rows_ ? 0 : row + 1;
        if (clean_rows == rows_) return;
      }
      if (!found_any) continue;
      if (rows_read > patience * rows_) {
        tolerance_ *= 2;  // what is left is rounding noise of the prices
        rows_read = 0;
      }
      pivot_among_candidates();
      clean_rows = 0;
    }
  }

  /// Looks at a few rows at a time and takes the pair with the least reduced cost among them.
  void pivot_among_candidates() {
    constexpr std::size_t group = 4;
    const std::size_t most = pivots_ + 10 * tree_.size();
    std::size_t row = 0, clean_rows = 0;
    while (clean_rows < rows_ && pivots_ < most) {
      double least = 0;
      std::size_t entering_row = no_index, entering_column = no_index;
      for (std::size_t k = 0; k < group; ++k) {
        const auto columns = memory_.candidates.columns(row);
        const auto costs = memory_.candidates.costs(row);
        double best = std::numeric_limits<double>::infinity();
        std::size_t at = 0;
        for (std::size_t c = 0; c < columns.size(); ++c) {
          const double reduced = costs[c] - column_price_[columns[c]];
          at = reduced < best ? c : at;
          best = reduced < best ? reduced : best;
        }
        const double reduced = best - row_price_[row];
        if (reduced < least && improves(costs[at], reduced, row, columns[at])) {
          least = reduced;
          entering_row = row;
          entering_column = columns[at];
        }
        ++clean_rows;
        row = row + 1 == rows_ ? 0 : row + 1;
      }
      if (entering_row == no_index) continue;
      pivot(entering_row, entering_column, least);
      clean_rows = 0;
    }
    compute_prices();
  }

  /// For the first level, and for levels that fall apart into classes: every row is read for every pivot. Rule O19:
  /// when no row has an entering pair, the prices are computed anew from the tree and all rows are tried again.
  void pivot_row_by_row() {
    constexpr std::size_t patience = 10;
    bool fresh = true;
    std::size_t row = 0, clean_rows = 0, since_fresh = 0, rounds = 0;
    while (true) {
      if (clean_rows == rows_ || since_fresh > 100 * tree_.size()) {
        if (fresh) return;
        compute_prices();
        fresh = true;
        clean_rows = since_fresh = 0;
        if (++rounds > patience) tolerance_ *= 2;  // what is left is rounding noise of the prices
      }
      if (const std::size_t column = entering_column(row); column != no_index) {
        pivot(row, column, level_cost(cost_(row, column)) - column_price_[column] - row_price_[row]);
        fresh = false;
        clean_rows = 0;
        ++since_fresh;
      } else {
        ++clean_rows;
      }
      row = row + 1 == rows_ ? 0 : row + 1;
    }
  }

  // --- one pivot --------------------------------------------------------------------------------------------------

  [[nodiscard]] bool forbidden(double entry) const { return !(entry < forbidden_from_); }
  [[nodiscard]] bool forbidden_arc(std::size_t node) const {
    return forbidden(cost_(tree_.arc_row(node), tree_.arc_column(node)));
  }
  [[nodiscard]] double level_cost(double entry) const {
    if (level_ == Level::forbidden) return forbidden(entry) ? 1 : 0;
    return forbidden(entry) ? 0 : entry;
  }

  [[nodiscard]] bool improves(double entry, double reduced, std::size_t row, std::size_t column) const {
    const double size = std::fabs(entry) + std::fabs(row_price_[row]) + std::fabs(column_price_[column]);
    return reduced < -(tolerance_ * size);
  }

  [[nodiscard]] std::size_t entering_column(std::size_t row) const {
    std::size_t entering = no_index;
    double least = 0;
    for (std::size_t j = 0; j < columns_; ++j) {
      const double entry = cost_(row, j);
      if (level_ == Level::cost && (forbidden(entry) || memory_.row_level[row] + memory_.column_level[j] != 0))
        continue;
      const double cost = level_cost(entry), reduced = cost - column_price_[j] - row_price_[row];
      if (reduced < least && improves(cost, reduced, row, j)) {
        least = reduced;
        entering = j;
      }
    }
    return entering;
  }

  void pivot(std::size_t row, std::size_t column, double reduced) {
    if (pivots_ == pivot_limit_) fail_at_limit();
    ++pivots_;
    if (report_ != nullptr && pivots_ % pivots_per_report == 0 && !report_->add(pivots_per_report))
      throw Cancelled(concat("fidelity::", function_, ": cancelled after ", pivots_, " pivots; there is no plan"),
                      pivots_, pivot_limit_);
    priced_tree_.pivot(row, rows_ + column, reduced);
  }

  void compute_prices() {
    priced_tree_.compute_prices(
        [this](std::size_t node) { return level_cost(cost_(tree_.arc_row(node), tree_.arc_column(node))); });
  }

  // --- costs of very different size (rule O10) --------------------------------------------------------------------

  /// Costs that drown others in the prices (see disturbing_cost) are tried as forbidden. If the prices then prove that
  /// no pair of them could help, that is the answer; otherwise the solve goes on as before. True on success.
  bool set_apart(double limit) {
    const double before = std::exchange(forbidden_from_, limit);
    if (minimise() && join_classes()) return true;
    forbidden_from_ = before;
    minimise();
    join_classes();
    return false;
  }

  /// False if a pair that was only tried as forbidden does not fit.
  bool join_classes() {
    return one_class_ || join_levels(cost_, {row_price_, rows_}, {column_price_, columns_}, memory_.row_level,
                                     memory_.column_level, forbidden_from_);
  }

  [[noreturn]] void fail_at_limit() const {
    // Any column prices give a bound once the row prices are made to fit them.
    const std::vector<double> none(columns_, 0.0);
    fail_at_pivot_limit(function_, cost_, masses_, tree_,
                        level_ == Level::cost ? column_prices() : std::span<const double>(none), pivot_limit_);
  }

  static constexpr std::size_t pivots_per_report = 256;

  std::string_view function_;
  const Cost& cost_;
  const Masses& masses_;
  SimplexMemory& memory_;
  SpanningTree& tree_;
  PricedTree priced_tree_;
  std::size_t rows_, columns_;
  double *row_price_ = nullptr, *column_price_ = nullptr;
  std::size_t pivot_limit_, pivots_ = 0;
  ProgressReport* report_;

  Level level_ = Level::cost;
  double tolerance_ = 0;
  double forbidden_from_ = largest_usable_cost;  ///< costs from here on count as forbidden
  bool one_class_ = true;                        ///< all pairs that are not forbidden take part in the second level
};

}  // namespace fidelity::detail
