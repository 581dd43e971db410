// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/transport/detail/greedy_start.hpp>
#include <fidelity/transport/detail/hall_witness.hpp>
#include <fidelity/transport/detail/large_costs.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/pivot_limit.hpp>
#include <fidelity/transport/detail/row_minimum.hpp>
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
  TransportSimplex(std::string_view function, const Cost& cost, const Masses& masses,
                   std::optional<std::size_t> pivot_limit)
      : function_(function),
        cost_(cost),
        masses_(masses),
        tree_(greedy_start(cost, masses.supply, masses.demand)),
        row_price_(masses.supply.size(), 0.0),
        column_price_(masses.demand.size(), 0.0),
        pivot_limit_(pivot_limit.value_or(1'000'000 + 1000 * tree_.size())) {}

  /// Returns a witness if there is no plan. Throws IterationLimit.
  [[nodiscard]] std::optional<HallWitness> solve() {
    if (!minimise()) return hall_witness(cost_, tree_);
    join_classes();
    const auto disturbing = [this] { return disturbing_cost(cost_, tree_, forbidden_from_); };
    for (std::optional<double> limit = disturbing(); limit && set_apart(*limit);) limit = disturbing();
    return {};
  }

  [[nodiscard]] const SpanningTree& tree() const { return tree_; }
  [[nodiscard]] const std::vector<double>& column_prices() const { return column_price_; }
  [[nodiscard]] std::size_t pivots() const { return pivots_; }

 private:
  enum class Level { forbidden, cost };

  // --- both levels, one after the other ---------------------------------------------------------------------------

  /// False if mass has to use forbidden pairs.
  bool minimise() {
    row_level_.assign(row_price_.size(), 0.0);
    column_level_.assign(column_price_.size(), 0.0);
    one_class_ = forbidden_from_ == largest_usable_cost;
    if (some_arc([this](std::size_t node) { return forbidden_arc(node); })) {
      level_ = Level::forbidden;
      pivot_until_optimal();
      row_level_ = row_price_;
      column_level_ = column_price_;
      const auto is_zero = [](double level) { return level == 0; };
      one_class_ = one_class_ && std::all_of(row_level_.begin(), row_level_.end(), is_zero) &&
                   std::all_of(column_level_.begin(), column_level_.end(), is_zero);
    }
    level_ = Level::cost;
    if (some_arc([this](std::size_t node) { return tree_.flow[node] > 0 && forbidden_arc(node); })) return false;
    pivot_until_optimal();
    return true;
  }

  /// Rule O19: when no row has an entering pair, the prices are computed anew from the tree and all rows are tried
  /// again.
  void pivot_until_optimal() {
    constexpr std::size_t patience = 10;
    const std::size_t rows = row_price_.size();
    tolerance_ = 8 * std::numeric_limits<double>::epsilon();
    compute_prices();
    bool fresh = true;
    std::size_t row = 0, clean_rows = 0, since_fresh = 0, rounds = 0;
    while (true) {
      if (clean_rows == rows || since_fresh > 100 * tree_.size()) {
        if (fresh) return;
        compute_prices();
        fresh = true;
        clean_rows = since_fresh = 0;
        if (++rounds > patience) tolerance_ *= 2;  // what is left is rounding noise of the prices
      }
      if (const std::size_t column = entering_column(row); column != no_index) {
        pivot(row, column);
        fresh = false;
        clean_rows = 0;
        ++since_fresh;
      } else {
        ++clean_rows;
      }
      row = row + 1 == rows ? 0 : row + 1;
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
    if (level_ == Level::cost && one_class_) {
      const RowMinimum least = row_minimum(cost_, row, column_price_);
      const double reduced = least.value - row_price_[row];
      if (!(reduced < 0) || least.column == no_index) return no_index;
      if (improves(cost_(row, least.column), reduced, row, least.column)) return least.column;
      // The least one is noise of a large price; another column may still improve.
    }
    std::size_t entering = no_index;
    double least = 0;
    for (std::size_t j = 0; j < column_price_.size(); ++j) {
      const double entry = cost_(row, j);
      if (level_ == Level::cost && (forbidden(entry) || row_level_[row] + column_level_[j] != 0)) continue;
      const double cost = level_cost(entry), reduced = cost - column_price_[j] - row_price_[row];
      if (reduced < least && improves(cost, reduced, row, j)) {
        least = reduced;
        entering = j;
      }
    }
    return entering;
  }

  void pivot(std::size_t row, std::size_t column) {
    if (pivots_ == pivot_limit_) fail_at_limit();
    ++pivots_;
    const double reduced = level_cost(cost_(row, column)) - column_price_[column] - row_price_[row];
    const std::size_t top = tree_.pivot(row, row_price_.size() + column);
    // Rows and columns of the part that was hung up anew move against each other, so that the new arc fits.
    const double change = tree_.is_row(top) ? reduced : -reduced;
    tree_.visit_below(top, [&](std::size_t node) {
      if (tree_.is_row(node))
        row_price_[node] += change;
      else
        column_price_[node - row_price_.size()] -= change;
    });
  }

  void compute_prices() {
    tree_.visit_below(root(), [this](std::size_t node) {
      if (tree_.parent[node] == no_index) {
        column_price_[node - row_price_.size()] = 0;
        return;
      }
      const std::size_t i = tree_.arc_row(node), j = tree_.arc_column(node);
      const double cost = level_cost(cost_(i, j));
      if (tree_.is_row(node))
        row_price_[node] = cost - column_price_[j];
      else
        column_price_[j] = cost - row_price_[i];
    });
  }

  [[nodiscard]] std::size_t root() const {
    std::size_t node = 0;
    while (tree_.parent[node] != no_index) node = tree_.parent[node];
    return node;
  }

  template <class Condition>
  [[nodiscard]] bool some_arc(Condition&& condition) const {
    for (std::size_t node = 0; node < tree_.size(); ++node)
      if (tree_.parent[node] != no_index && condition(node)) return true;
    return false;
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

  /// Pairs that connect rows and columns of different levels were left out of the second level. A shift of the prices
  /// by a multiple of the levels makes them fit as well; it is as small as possible. False if a pair that was only
  /// tried as forbidden does not fit.
  bool join_classes() {
    if (one_class_) return true;
    double least = 0, most = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < row_price_.size(); ++i)
      for (std::size_t j = 0; j < column_price_.size(); ++j) {
        const double entry = cost_(i, j), level = row_level_[i] + column_level_[j];
        if (!(entry < largest_usable_cost)) continue;
        const double slack = entry - row_price_[i] - column_price_[j];
        if (level < 0) least = std::max(least, slack / level);
        if (level > 0) most = std::min(most, slack / level);
        if (level == 0 && forbidden(entry) && slack < 0) return false;
      }
    if (least > most) return false;
    for (std::size_t i = 0; i < row_price_.size(); ++i) row_price_[i] = std::fma(least, row_level_[i], row_price_[i]);
    for (std::size_t j = 0; j < column_price_.size(); ++j)
      column_price_[j] = std::fma(least, column_level_[j], column_price_[j]);
    return true;
  }

  [[noreturn]] void fail_at_limit() const {
    // Any column prices give a bound once the row prices are made to fit them.
    const std::vector<double> none(column_price_.size(), 0.0);
    fail_at_pivot_limit(function_, cost_, masses_, tree_, level_ == Level::cost ? column_price_ : none, pivot_limit_);
  }

  std::string_view function_;
  const Cost& cost_;
  const Masses& masses_;
  SpanningTree tree_;
  std::vector<double> row_price_, column_price_;
  std::size_t pivot_limit_, pivots_ = 0;

  Level level_ = Level::cost;
  double tolerance_ = 0;
  double forbidden_from_ = largest_usable_cost;   ///< costs from here on count as forbidden
  std::vector<double> row_level_, column_level_;  ///< prices of the first level
  bool one_class_ = true;                         ///< all pairs that are not forbidden take part in the second level
};

}  // namespace fidelity::detail
