// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/validation/significance.hpp>

namespace fidelity {

/// What becomes of a run that holds a NaN or infinite value: an error that names it (the default), or a comparison
/// without it that says so and cannot pass: it fails for a simulated run and is incomplete for a measured one.
enum class InvalidRuns { refuse, record };

/// How compare() works and judges. Only what is asked for is computed: `splits = 0` leaves out the ratio,
/// `permutations = 0` the distances between simulated runs with all that needs them (p, energy distance, medoid of the
/// simulated runs), both the distances between measured runs (spread, flags of diverged runs).
struct ComparisonOptions {
  std::vector<Criterion> criteria = {};  ///< without one the verdict is incomplete
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::size_t permutations = 999;        ///< behind p, at most 1e6; all where there are at most 10000; 0: no p
  std::size_t bootstraps = 999;          ///< behind the intervals, at most 1e6; 0: no intervals
  std::size_t splits = 999;              ///< random groups behind the ratio, at most 1e6; all if not more; 0: no ratio
  double confidence = 0.95;              ///< of the intervals, between 0 and 1; 1 - confidence is the level of flags
  IntervalMethod interval_method = IntervalMethod::percentile;
  Resample bootstrap_runs = Resample::both;  ///< whose runs are drawn anew for the intervals
  bool ratio_interval = true;                ///< the dearest part: 50 transport problems for each bootstrap
  bool leave_one_out = true;                 ///< the distance without each run in turn
  OutlierBudget outlier_budget = {};         ///< what a trimmed distance beside the full one may leave out
  std::uint64_t seed = 20090201;             ///< the same seed gives the same numbers on every platform
  std::string unit = {};                     ///< unit of the values, for reports
  double diverged_factor = 10;  ///< a run is diverged beyond this multiple of the largest distance of measured runs
  double outlier_factor = 5;  ///< a measured run is an outlier if its nearest one is this many times farther than usual
  double min_span = 0.95;     ///< a run is short below this share of the median measured duration; 0: never
  InvalidRuns invalid_runs = InvalidRuns::refuse;
  /// Bring all runs to one grid of this many seconds over the time that all have in common, before anything else.
  std::optional<double> common_grid = {};
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  /// Receives cells of the distance matrices done and in total, then replicates likewise. Stopped after the distances
  /// between the two sides, compare() returns what is complete, and the verdict is not a pass.
  ProgressCallback progress = {};
};

}  // namespace fidelity
