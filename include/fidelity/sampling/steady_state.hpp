// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/sampling/rate.hpp>
#include <fidelity/sampling/segment_costs.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// What counts as steady. Give `noise_max` and `slope_max`, in the unit of the signal, for production; without them
/// they are derived from the data, which is good for a first look only: they then depend on what else the range holds.
template <TimePoint Time = Timestamp>
struct SteadyStateOptions {
  /// Largest standard deviation about the straight line of a segment; unit of the signal, >= 0. By default 3 times the
  /// smallest that half of the analysed time stays within.
  std::optional<double> noise_max = {};
  /// Largest slope, such as Rate{0.5, 1h}, >= 0. By default noise_max / min_duration.
  std::optional<Rate> slope_max = {};
  /// A slope fails only if it is beyond slope_max and also differs from 0 at this confidence (two-sided t-test). In
  /// [0, 1).
  double confidence = 0.95;
  /// Steady only where the whole confidence interval of the slope lies within slope_max.
  bool strict = false;
  /// Shortest segment, >= 0, counted in median steps between samples; at least 3 samples. By default 15 median steps.
  std::optional<Duration<Time>> min_duration = {};
  /// Two steady segments whose lines differ by more than this where they meet are two levels: the status gets a cut
  /// there, so no window joins them. Unit of the signal, >= 0; infinity: never cut. By default noise_max / 3.
  std::optional<double> level_jump = {};
  /// Width of the cells whose time-weighted means are analysed instead of the samples, counted from the begin of the
  /// range. Required for held series and for signals that are not made of samples.
  std::optional<Duration<Time>> step = {};
  SteadyStateCost cost = EmpiricalDistribution{};
  std::optional<Penalty> penalty = {};  ///< of a change point; default: that of the cost
  /// A segment that follows a steady one is judged with limits times this, >= 1. 1: off.
  double stickiness = 1;
  /// Range of the status: by default from the first stamp to `as_of` if that is given, else to the last stamp. Only
  /// what lies in it, both ends included, is looked at.
  std::optional<Window<Time>> within = {};
  /// No look-ahead: only samples with a stamp <= as_of are used, and from as_of on all is unknown.
  std::optional<Time> as_of = {};
};

/// A stretch between two change points with its straight line: value = mean + slope (t - mean stamp).
template <TimePoint Time>
struct SteadySegment {
  Window<Time> window;  ///< from its first stamp to that of the next segment, or to the last stamp of its piece
  std::size_t samples;  ///< or cells
  double mean;          ///< of the samples
  double spread;        ///< standard deviation about the line (n - 2); 0 below 8 units in the last place of the values
  double slope;         ///< unit of the signal per second; 0 where it adds up to no more than rounding
  double standard_error;  ///< of the slope, per second
  bool noise_failed, slope_failed;

  [[nodiscard]] bool steady() const { return !noise_failed && !slope_failed; }
};

/// The limits in use. Those that cannot be derived, since nothing was long enough to analyse, are missing.
struct SteadyLimits {
  std::optional<double> noise_max, level_jump;
  std::optional<Rate> slope_max;
  bool noise_derived, slope_derived;           ///< not given by the caller
  std::optional<double> min_duration_seconds;  ///< missing where there are no two samples in a row
  std::size_t min_section_size;                ///< samples in the shortest segment
};

/// Where a signal is steady, and how that was found.
template <TimePoint Time>
struct SteadyStateReport {
  Status<Time> status;
  std::vector<SteadySegment<Time>> segments;  ///< in order of time; where none is, nothing was judged
  std::vector<Time> change_points;            ///< stamps at which one segment ends and the next begins
  SteadyLimits limits;
  std::size_t samples = 0;           ///< good samples (or cells) in the range
  std::size_t pieces = 0;            ///< stretches of them without a gap
  std::size_t pieces_too_short = 0;  ///< with fewer than min_section_size: unknown
  Duration<Time> longest_pause{};    ///< longest time without a sample, or without a value, that was bridged
};

/// Where a signal is steady: constant but for noise, judged in the unit of the signal. The signal is cut where its
/// distribution changes, each boundary is moved by up to 5 samples to where straight lines fit best, and each segment
/// is judged by the noise about its line and by the slope of the line, apart. Offset and scale of the signal do not
/// matter; its sign may move a boundary, since the ranks of the default cost are not quite symmetric (L2 is). A change
/// of level is a cut in the status. Unknown: gaps, bad samples, and pieces too short to judge.
///
///   const auto steady = steady_state(channel(plant, "pressure"),
///                                    {.noise_max = 0.05, .slope_max = Rate{0.1, 1h}, .min_duration = 1h});
///
/// For a linear series its samples are analysed; `step` says to take means of cells instead. A cell that is known in
/// part counts as a whole. Not for thresholds of the public connector: see CogniteSteadyState.
///
/// Time n^2 with about 0.1 s for 1e4 samples without changes, near-linear with .cost = L2{}. Throws InputError for
/// limits outside their ranges; for a held series, or a signal not made of samples, without `step`; for a series of
/// several channels; and for more than 20 000 samples in one piece with the cost EmpiricalDistribution. Throws Overflow
/// where results leave the range of double.
template <Signal S>
[[nodiscard]] SteadyStateReport<typename S::time_type> analyse_steady_state(
    const S& signal, const SteadyStateOptions<typename S::time_type>& options = {});

/// The status of analyse_steady_state.
template <Signal S>
[[nodiscard]] Status<typename S::time_type> steady_state(
    const S& signal, const SteadyStateOptions<typename S::time_type>& options = {}) {
  return analyse_steady_state(signal, options).status;
}

}  // namespace fidelity

#include <fidelity/sampling/detail/steady_analysis.hpp>
