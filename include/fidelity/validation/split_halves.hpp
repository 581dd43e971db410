// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity {

/// Distances between groups of `half_size` runs, over many random draws.
struct GroupDistances {
  double mean;
  double median;
  double quantile95;           ///< the smallest value that at least 95 % of the draws do not exceed
  std::vector<double> values;  ///< in the order of the draws
};

/// The scale that makes a distance of ensembles readable: what two groups of measured runs give, and what a simulated
/// and a measured group of the same size give.
struct SplitHalves {
  std::size_t half_size;
  bool exhaustive_base;  ///< all splits, not a random draw of them
  bool exhaustive_like;
  GroupDistances base;  ///< measured against measured, disjoint groups
  GroupDistances like;  ///< simulated against measured
};

struct SplitOptions {
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::size_t splits = 999;              ///< random groups of either kind, at most 1e6; all where there are not more
  std::uint64_t seed = 20090201;         ///< the same seed gives the same numbers on every platform
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  ProgressCallback progress = {};        ///< receives groups compared and in total
};

/// Wasserstein distances between random groups of h = min(N, floor(M / 2)) runs: of two disjoint groups of measured
/// runs (`base`), and of a simulated and a measured group (`like`). like.median / base.median is the ratio of a
/// comparison: about 1 where simulated runs cannot be told from measured ones. Both sides have groups of one size
/// because the distance of two samples grows as they get smaller, also for samples of one distribution.
///
/// `across` holds the N x M distances, `measured` the symmetric M x M ones. Cost: at most 2 * splits transport problems
/// of h x h. Throws InputError for entries that are no distances, for sizes that do not fit, for N < 2 or M < 4
/// (groups of one run are no ensembles) and for options out of range; Cancelled.
[[nodiscard]] SplitHalves split_halves(const CostMatrix& across, const CostMatrix& measured,
                                       const SplitOptions& options = {});

namespace detail {

inline GroupDistances summarise_groups(std::vector<double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return {mean, median(values), quantile(values, 0.95), values};
}

}  // namespace detail

inline SplitHalves split_halves(const CostMatrix& across, const CostMatrix& measured, const SplitOptions& options) {
  constexpr const char* function = "split_halves";
  detail::check_order(function, options.order);
  detail::check_replicates(function, "splits", options.splits);
  const std::size_t h = detail::check_groups(function, across, measured);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  const detail::Draws base = detail::draw_disjoint(m, h, options.splits, options.seed);
  const detail::Draws like = detail::draw_across(n, m, h, options.splits, options.seed);
  const detail::ReplicateCosts measured_costs(measured, options.order), across_costs(across, options.order);
  const detail::Masses masses = detail::equal_masses(h, h);
  const std::size_t count = base.size + like.size;
  const auto make_worker = [&] {
    return [&, memory = detail::SimplexMemory{}](std::size_t r) mutable {
      const bool is_base = r < base.size;
      const detail::GroupPair groups = is_base ? base[r] : like[r - base.size];
      return (is_base ? measured_costs : across_costs).distance(memory, function, groups.rows, groups.columns, masses);
    };
  };
  const std::vector<double> values = detail::replicate_values(
      function, count, detail::replicate_threads(options.threads, count, h, h), options.progress, make_worker);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(base.size);
  return {h, base.exhaustive, like.exhaustive, detail::summarise_groups({values.begin(), middle}),
          detail::summarise_groups({middle, values.end()})};
}

}  // namespace fidelity
