// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/replicate.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity::detail {

/// How often each run was drawn, in one replicate.
class Resampled {
 public:
  Resampled(std::size_t n, std::size_t m, bool draw_rows, std::uint64_t seed, std::size_t replicate)
      : row_counts_(n, draw_rows ? 0 : 1), column_counts_(m, 0) {
    Random random(seed, purpose_bootstrap, replicate);
    for (std::size_t k = 0; k < m; ++k) ++column_counts_[random.below(m)];
    if (draw_rows)
      for (std::size_t k = 0; k < n; ++k) ++row_counts_[random.below(n)];
  }

  [[nodiscard]] const std::vector<std::int64_t>& row_counts() const { return row_counts_; }
  [[nodiscard]] const std::vector<std::int64_t>& column_counts() const { return column_counts_; }

 private:
  std::vector<std::int64_t> row_counts_, column_counts_;
};

/// Two groups with integer weights, without the runs of weight 0; each is divided by its own sum.
struct WeightedGroups {
  Indices rows = {}, columns = {};
  Masses masses = {};

  WeightedGroups(const Indices& some_rows, const std::vector<std::int64_t>& row_counts, const Indices& some_columns,
                 const std::vector<std::int64_t>& column_counts) {
    keep(some_rows, row_counts, rows, masses.supply);
    keep(some_columns, column_counts, columns, masses.demand);
    if (empty()) return;
    const std::int64_t a = total_of(masses.supply), b = total_of(masses.demand), divisor = std::gcd(a, b);
    for (std::int64_t& units : masses.supply) units *= b / divisor;
    for (std::int64_t& units : masses.demand) units *= a / divisor;
    masses.total = a / divisor * b;
  }
  [[nodiscard]] bool empty() const { return rows.empty() || columns.empty(); }

 private:
  static void keep(const Indices& group, const std::vector<std::int64_t>& counts, Indices& kept,
                   std::vector<std::int64_t>& units) {
    for (const std::size_t k : group)
      if (counts[k] > 0) {
        kept.push_back(k);
        units.push_back(counts[k]);
      }
  }
};

/// The ratio of a comparison for resampled runs. The groups are drawn once, from the runs as they are, and their
/// members weighted: copies of a run must not stand on both sides of a split, where they would be at distance 0.
class RatioReplicates {
 public:
  RatioReplicates(const CostMatrix& across, const CostMatrix& measured, std::size_t half_size, double order,
                  std::uint64_t seed)
      : across_(across, order), measured_(measured, order) {
    constexpr std::size_t most = 25;
    const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
    const Draws like = draw_across(n, m, half_size, most, seed), base = draw_disjoint(m, half_size, most, seed);
    for (std::size_t k = 0; k < like.size; ++k) like_.push_back(like[k]);
    for (std::size_t k = 0; k < base.size; ++k) base_.push_back(base[k]);
  }

  /// Infinite if the measured groups have distance 0 or no run left.
  [[nodiscard]] double operator()(SimplexMemory& memory, const Resampled& draw) const {
    std::vector<double> like, base;
    for (const GroupPair& groups : like_) add(memory, like, across_, groups, draw.row_counts(), draw.column_counts());
    for (const GroupPair& groups : base_)
      add(memory, base, measured_, groups, draw.column_counts(), draw.column_counts());
    if (like.empty() || base.empty()) return std::numeric_limits<double>::infinity();
    const double scale = median(std::move(base));
    return scale > 0 ? median(std::move(like)) / scale : std::numeric_limits<double>::infinity();
  }

 private:
  static void add(SimplexMemory& memory, std::vector<double>& values, const ReplicateCosts& costs,
                  const GroupPair& groups, const std::vector<std::int64_t>& row_counts,
                  const std::vector<std::int64_t>& column_counts) {
    const WeightedGroups kept(groups.rows, row_counts, groups.columns, column_counts);
    if (!kept.empty())
      values.push_back(costs.distance(memory, "bootstrap_ratio", kept.rows, kept.columns, kept.masses));
  }

  ReplicateCosts across_, measured_;
  std::vector<GroupPair> like_, base_;
};

struct Ends {
  double lower, upper;
};

/// Quantiles of sorted values that leave (1 - level) / 2 out on either side: of 999 values and 95 %, numbers 25 and 975
/// (Davison, Hinkley, 1997, section 2.2.2).
inline Ends percentile_ends(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double rank = (1 - level) / 2 * static_cast<double>(values.size() + 1);
  const auto outside = std::max<std::size_t>(1, static_cast<std::size_t>(rank * (1 + 1e-12)));
  return {values[outside - 1], values[values.size() - outside]};
}

inline void check_level(std::string_view function, double level, std::size_t replicates) {
  check_replicates(function, "replicates", replicates);
  if (!(level > 0 && level < 1))
    fail(function, Rule::bad_parameter, "the level must lie between 0 and 1", {.value = level});
  if ((1 - level) / 2 * static_cast<double>(replicates + 1) * (1 + 1e-12) < 1)
    fail(function, Rule::bad_parameter,
         concat("an interval of level ", level, " needs more replicates: at least ",
                std::ceil(2 / (1 - level) * (1 - 1e-12)) - 1),
         {.value = static_cast<double>(replicates)});
}

}  // namespace fidelity::detail
