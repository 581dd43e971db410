// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/transport/transport.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity {

/// A run drawn with at most 1000 points: of every stretch its smallest and largest value, so that peaks stay.
/// NaN stands where samples are bad.
struct Outline {
  std::vector<double> times;   ///< seconds after the origin of the comparison
  std::vector<double> values;  ///< in the unit of the signal
};

/// What a comparison keeps of one run.
struct RunSummary {
  std::string name;
  std::size_t samples = 0;
  double begin = 0;                    ///< first stamp, in seconds after the origin of the comparison
  double duration = 0;                 ///< from the first to the last stamp, in seconds
  std::vector<Outline> outlines = {};  ///< one a channel
  double share = 0;                    ///< its part of the transport cost (of the p-th powers of the distances), 0 to 1
  double contribution = 0;  ///< share * distance of the ensembles, so that those of one side add up to that distance
  std::size_t nearest = 0;  ///< index of the nearest run of the other side
  double nearest_distance = 0;
};

/// One entry of the transport plan: this much mass of a simulated run is matched with a measured one.
struct Match {
  std::size_t simulation;
  std::size_t measurement;
  double mass;
  double distance;
};

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

/// Everything about one comparison of N simulated with M measured runs.
struct Comparison {
  double distance = 0;  ///< Wasserstein distance of the two ensembles, in the unit of the signal
  double order = 1;
  double gap = 0;  ///< the exact distance lies between distance - gap and distance: the certificate of the solver
  std::string unit = {};  ///< as given by the caller; may be empty
  MetricDescription metric = {};
  std::string origin = {};  ///< the instant that is time 0

  /// like / base: about 1 when simulated runs cannot be told from measured ones, whatever the numbers of runs.
  std::optional<double> ratio = {};
  /// distance / mean distance of two measured runs. Descriptive, never a criterion: it is below 1 for wrong models too.
  std::optional<double> relative_to_spread = {};
  std::optional<double> measured_spread = {};   ///< mean distance of two different measured runs
  std::optional<double> measured_largest = {};  ///< largest distance of two measured runs that are no outliers
  std::optional<SplitHalves> halves = {};
  std::vector<Finding> absent = {};  ///< which numbers are missing, and why

  Verdict verdict = Verdict::incomplete;
  std::vector<Finding> reasons = {};  ///< why the verdict is what it is; what stands in the way of a pass comes first
  std::vector<CriterionResult> criteria = {};
  std::vector<Finding> flags = {};  ///< diverged, duplicate, short and unexplained runs, missing spread

  std::vector<RunSummary> simulations = {};
  std::vector<RunSummary> measurements = {};
  std::optional<std::size_t> distinct_simulations = {};  ///< not known from a matrix alone
  std::size_t distinct_measurements = 0;
  std::vector<Match> matches = {};

  CostMatrix matrix = {};                          ///< simulations x measurements
  std::optional<CostMatrix> measured_matrix = {};  ///< measurements x measurements
  TransportPlan plan = {};

  std::uint64_t seed = 0;
  double matrix_seconds = 0;  ///< run time of the distances
  double solve_seconds = 0;   ///< run time of the transport problem and of the split halves
};

}  // namespace fidelity
