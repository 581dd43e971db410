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
#include <fidelity/validation/significance.hpp>
#include <fidelity/version.hpp>

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
  std::optional<double> distance_without = {};  ///< of the ensembles without this run; missing for an only run
};

/// A run that was left out because it holds a NaN or infinite value.
struct InvalidRun {
  std::string name;
  std::size_t index;   ///< among the runs given
  std::size_t sample;  ///< the first bad one
};

/// One entry of the transport plan: this much mass of a simulated run is matched with a measured one.
struct Match {
  std::size_t simulation;
  std::size_t measurement;
  double mass;
  double distance;
};

/// How densely both sides are sampled: median over the runs of the mean time between two samples, in seconds.
struct SamplingSteps {
  double simulated;
  double measured;
  /// Where the two differ by more than 2 %: how far the measured runs are from themselves at the simulated rate (mean
  /// of order p). A distance that prices deletions sees the rate. By the triangle inequality this is the most by which
  /// the distance of the ensembles would change if the measured runs were brought to the simulated rate.
  std::optional<double> cost = {};
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
  std::optional<double> simulated_spread = {};  ///< mean distance of two different simulated runs
  std::optional<SplitHalves> halves = {};

  /// Share of exchanges of runs between the sides that lead to at least this distance: small if the ensembles differ.
  /// A large p does not show that they agree.
  std::optional<double> p_value = {};
  std::optional<PermutationTest> permutation = {};
  std::optional<Interval> interval = {};             ///< of the distance
  std::optional<Interval> ratio_interval = {};       ///< of the ratio
  Resample drawn = Resample::both;                   ///< whose runs were drawn anew for them
  double confidence = 0.95;                          ///< of the intervals; 1 - confidence is the level of flags
  std::optional<EnergyDistance> energy = {};         ///< another distance from the same matrices, to compare with
  std::optional<TrimmedWasserstein> trimmed = {};    ///< the distance without the mass that costs most, beside it
  std::optional<std::size_t> simulated_medoid = {};  ///< the simulated run nearest to all simulated ones
  std::optional<std::size_t> measured_medoid = {};   ///< the measured run nearest to all measured ones
  std::optional<SamplingSteps> sampling = {};        ///< of runs with stamps
  std::optional<double> common_grid = {};            ///< all runs were brought to one grid of so many seconds
  std::vector<Finding> absent = {};                  ///< which numbers are missing, and why

  Verdict verdict = Verdict::incomplete;
  std::vector<Finding> reasons = {};  ///< why the verdict is what it is; what stands in the way of a pass comes first
  std::vector<CriterionResult> criteria = {};
  std::vector<Finding> flags = {};  ///< what a reader must know: codes in docs/methods.md

  std::vector<RunSummary> simulations = {};
  std::vector<RunSummary> measurements = {};
  std::vector<InvalidRun> invalid_simulations = {};      ///< left out on request
  std::vector<InvalidRun> invalid_measurements = {};     ///< left out on request
  std::optional<std::size_t> distinct_simulations = {};  ///< not known from the matrix between both sides alone
  std::optional<std::size_t> distinct_measurements = {};
  std::vector<Match> matches = {};

  CostMatrix matrix = {};                           ///< simulations x measurements
  std::optional<CostMatrix> measured_matrix = {};   ///< measurements x measurements
  std::optional<CostMatrix> simulated_matrix = {};  ///< simulations x simulations
  TransportPlan plan = {};

  std::uint64_t seed = 0;
  /// FNV-1a (64 bits) of the input: run by run, simulations first, the numbers of samples and channels, then of each
  /// sample its stamp (double bits of seconds, or ticks) and its values (double bits), each number low byte first. Of
  /// the matrices of distances where the runs are no series.
  std::uint64_t input_hash = 0;
  std::string library_version = version;
  double matrix_seconds = 0;  ///< run time of the distances
  double solve_seconds = 0;   ///< run time of the transport problem and of all replicates
};

}  // namespace fidelity
