// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/detail/bootstrap.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/split_halves.hpp>

namespace fidelity {

/// How the ends of an interval are read from the resampled values: as their quantiles, or those mirrored at the
/// estimate (Davison, Hinkley, 1997, sections 5.2 and 5.3).
enum class IntervalMethod { percentile, basic };
/// Whose runs are drawn anew.
enum class Resample { both, measured };

struct BootstrapOptions {
  double level = 0.95;  ///< between 0 and 1; so far out that `replicates` can tell: level <= 1 - 2 / (replicates + 1)
  std::size_t replicates = 999;  ///< at most 1e6
  IntervalMethod method = IntervalMethod::percentile;
  Resample resample = Resample::both;
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::uint64_t seed = 20090201;         ///< the same seed gives the same numbers on every platform
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  ProgressCallback progress = {};        ///< receives replicates done and in total
};

/// A bootstrap interval with the values that it was read from.
struct Interval {
  double lower = 0;
  double upper = 0;
  double level = 0;
  double estimate = 0;              ///< of the runs as they are
  std::vector<double> values = {};  ///< of the replicates, in their order; without those that have none
  std::uint64_t seed = 0;
};

/// How well the Wasserstein distance of two ensembles is known, from the runs there are: runs are drawn with
/// replacement, as many as there are, and the distance is computed again (Efron, 1979). `across` holds the N x M
/// distances; a run that is drawn k times gets k times the weight, nothing else is computed.
///
/// The interval is about the distance that many more runs would give. Do not trust it where that is near 0 (not above
/// the 95 % quantile of the split halves): distances cannot be negative, and those of samples are too large. With one
/// simulated run only the measured ones are drawn. See docs/methods.md for how often it held in simulation studies.
///
/// Replicate r depends on the seed and r only. Cost: one transport problem of at most N x M for each replicate. Throws
/// InputError for entries that are no distances, for M < 2 (nothing can be said about what was measured once) and for
/// options out of range; Cancelled.
[[nodiscard]] Interval bootstrap_interval(const CostMatrix& across, const BootstrapOptions& options = {});

/// The same for the ratio of a comparison, whose split halves are given. In a replicate the groups keep their members,
/// with the weights that were drawn: copies of one run on both sides of a split would be at distance 0. Weighted groups
/// are as far apart as smaller ones, which draws their ratio towards 1; so the values are multiplied with one factor
/// that brings their median to the estimate. The basic method mirrors on a scale of logarithms.
///
/// Nothing where the measured runs have so little spread that the ratio, or an end of the interval, is no number. Cost:
/// 50 transport problems of h x h for each replicate. Throws as bootstrap_interval() and split_halves().
[[nodiscard]] std::optional<Interval> bootstrap_ratio(const CostMatrix& across, const CostMatrix& measured,
                                                      const SplitHalves& halves, const BootstrapOptions& options = {});

inline Interval bootstrap_interval(const CostMatrix& across, const BootstrapOptions& options) {
  constexpr const char* function = "bootstrap_interval";
  detail::check_across(function, across);
  detail::check_order(function, options.order);
  detail::check_level(function, options.level, options.replicates);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  if (m < 2)
    detail::fail(function, Rule::shape_mismatch, "an interval needs at least 2 measured runs; there is 1",
                 {.collection = "across"});
  const detail::ReplicateCosts costs(across, options.order);
  const detail::Indices rows = detail::first_indices(n), columns = detail::first_indices(m);
  Interval interval{.level = options.level, .seed = options.seed};
  interval.estimate = costs.distance(function, rows, columns);
  interval.values = detail::replicate_values(
      function, options.replicates, detail::replicate_threads(options.threads, options.replicates, n, m),
      options.progress, [&] {
        return [&, memory = detail::SimplexMemory{}](std::size_t r) mutable {
          const detail::Resampled draw(n, m, options.resample == Resample::both, options.seed, r);
          const detail::WeightedGroups groups(rows, draw.row_counts(), columns, draw.column_counts());
          return costs.distance(memory, function, groups.rows, groups.columns, groups.masses);
        };
      });
  const detail::Ends ends = detail::percentile_ends(interval.values, options.level);
  interval.lower = ends.lower;
  interval.upper = ends.upper;
  if (options.method == IntervalMethod::basic) {
    interval.lower = std::max(0.0, 2 * interval.estimate - ends.upper);
    interval.upper = std::max(0.0, 2 * interval.estimate - ends.lower);
  }
  return interval;
}

inline std::optional<Interval> bootstrap_ratio(const CostMatrix& across, const CostMatrix& measured,
                                               const SplitHalves& halves, const BootstrapOptions& options) {
  constexpr const char* function = "bootstrap_ratio";
  detail::check_order(function, options.order);
  detail::check_level(function, options.level, options.replicates);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  const std::size_t h = detail::check_groups(function, across, measured);
  if (halves.half_size != h)
    detail::fail(function, Rule::size_mismatch,
                 detail::concat("the split halves have groups of ", halves.half_size, " runs, not of ", h),
                 {.collection = "halves"});
  if (!(halves.base.median > 0)) return {};

  const detail::RatioReplicates ratio(across, measured, h, options.order, options.seed);
  Interval interval{.level = options.level, .estimate = halves.like.median / halves.base.median, .seed = options.seed};
  interval.values = detail::replicate_values(
      function, options.replicates, detail::replicate_threads(options.threads, 50 * options.replicates, h, h),
      options.progress, [&] {
        return [&, memory = detail::SimplexMemory{}](std::size_t r) mutable {
          return ratio(memory, detail::Resampled(n, m, options.resample == Resample::both, options.seed, r));
        };
      });
  const double factor = interval.estimate / detail::median(interval.values);
  for (double& value : interval.values) value *= factor;
  const detail::Ends ends = detail::percentile_ends(interval.values, options.level);
  if (!(factor > 0) || !detail::is_finite(ends.upper) || !(ends.lower > 0)) return {};
  std::erase_if(interval.values, [](double value) { return !detail::is_finite(value); });
  interval.lower = ends.lower;
  interval.upper = ends.upper;
  if (options.method == IntervalMethod::basic) {
    interval.lower = interval.estimate * (interval.estimate / ends.upper);
    interval.upper = interval.estimate * (interval.estimate / ends.lower);
  }
  return interval;
}

}  // namespace fidelity
