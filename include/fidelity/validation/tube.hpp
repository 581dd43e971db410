// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/finding.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/window.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity {

/// How far a test signal may be from its reference. In value by
///
///   tolerance = max(absolute, relative * max(span, nominal)) + rounding
///
/// where `span` is the largest minus the smallest value of the reference; a 0 stays 0. In time by `time`, for events
/// that come earlier or later: a sample then passes if any point of the reference curve, jumps drawn as vertical lines,
/// lies in the box of these half widths around it, edges included.
template <TimePoint Time = Timestamp>
struct Tube {
  double relative = 0.002;
  double absolute = 0;     ///< in the unit of the signal, as nominal and rounding
  double nominal = 0.001;  ///< magnitude of the signal: it cannot be read from data that is rounding noise
  double rounding = 0;     ///< of the numbers in the files
  Duration<Time> time{};
  /// What is compared, by default all. The last instant of the range belongs to a window that ends there.
  std::optional<WindowSet<Time>> within = {};
  double min_coverage = 1;  ///< with less of the reference compared there is no pass, 0 to 1
  bool both_ways = false;   ///< the samples of the reference are also held against the curve of the test
  std::string unit = {};    ///< of the signal, for reports
};

/// Samples that failed one after the other.
template <TimePoint Time = Timestamp>
struct FailedStretch {
  Time begin, end;  ///< first and last sample: equal for a single one
  std::size_t samples;
};

/// The samples of one signal, each held against the curve of the other.
template <TimePoint Time = Timestamp>
struct TubeSamples {
  std::vector<Time> times;     ///< of the compared samples; the rows of an event have the same
  std::vector<double> errors;  ///< sample minus nearest value of the curve within the time tolerance; NaN if bad
  std::vector<FailedStretch<Time>> failures;
  std::size_t failed = 0;   ///< bad ones included
  std::size_t bad = 0;      ///< NaN or infinite
  std::size_t beyond = 0;   ///< before the begin or after the end of the other signal: not judged
  std::size_t outside = 0;  ///< outside of the windows asked for: not judged
  std::size_t unknown = 0;  ///< where the other signal is missing: not judged
};

/// The outcome of check_tube(): fail if any sample fails; else incomplete if nothing was compared or too little of the
/// reference; else pass.
template <TimePoint Time = Timestamp>
struct TubeResult {
  Verdict verdict = Verdict::incomplete;
  Finding reason = {};  ///< inside_tube, outside_tube, bad_samples, nothing_compared, coverage, missing_in_test
  Tube<Time> tube = {};
  double tolerance = 0;                      ///< in value, as it was used
  double span = 0;                           ///< of the reference, within the windows
  double coverage = 0;                       ///< compared length / length of the reference within the windows
  std::optional<double> largest_error = {};  ///< magnitude, over the samples that are finite
  std::optional<Time> largest_error_time = {};
  std::optional<Window<Time>> common = {};              ///< the range of both
  std::size_t test_samples = 0, reference_samples = 0;  ///< in the series; of a trajectory the pieces
  TubeSamples<Time> test = {};                          ///< samples of the test against the reference
  std::optional<TubeSamples<Time>> reference = {};      ///< with both_ways: its samples against the test
};

/// Holds the samples of one test signal against a reference signal. The reference may be a series, held or linear, or
/// a trajectory: its curve is evaluated exactly, never on a grid. At an event of a sampled reference (two rows at one
/// time) and without a time tolerance, the left row of the test is held against the left limit, the right row against
/// the right one, a single row against either. A bad test sample fails. Where the reference is bad or missing nothing
/// is judged, which lowers the coverage. O(n log m) without and with a time tolerance.
///
/// Throws InputError for tolerances that are negative or not finite, a coverage outside 0 to 1, several channels, and
/// for both_ways with a reference that has no samples; Overflow where the span of the reference is not finite.
template <class Scalar, TimePoint Time, Signal Reference>
[[nodiscard]] TubeResult<Time> check_tube(const SeriesBase<Scalar, Time>& test, const Reference& reference,
                                          const Tube<Time>& tube = {});

/// The errors of the compared test samples as a series, for write_csv. Throws InputError where nothing was compared.
template <TimePoint Time>
[[nodiscard]] Series<double, Time> error_series(const TubeResult<Time>& result, std::string name = "error") {
  SeriesOptions<Time> options;
  options.name = std::move(name);
  options.duplicates = Duplicates::event;
  return {result.test.times, result.test.errors, std::move(options)};
}

}  // namespace fidelity

#include <fidelity/validation/detail/tube_check.hpp>
