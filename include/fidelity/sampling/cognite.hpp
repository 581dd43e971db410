// SPDX-License-Identifier: MIT
/// Compatibility with a reference system: the sampling of the public simulator connectors of Cognite
/// (cognitedata/dotnet-simulator-utils, folder Cognite.DataProcessing). Its numbers come out, on its grids of 0 and 1.
/// For new work use steady_state.hpp, logic.hpp and window_search.hpp, which are exact in time and free of scale.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include <fidelity/sampling/logic.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fidelity {

namespace detail {
template <TimePoint Time>
Duration<Time> granularity_in(std::chrono::minutes granularity) {
  if constexpr (std::same_as<Time, double>) {
    return seconds(granularity);
  } else {
    static_assert(std::convertible_to<std::chrono::minutes, Duration<Time>>,
                  "the grid of the connector is in minutes: the ticks of the time must be minutes or finer");
    return granularity;
  }
}
}  // namespace detail

/// The steady state detection of the reference system, for those who must keep its verdicts. The signal is put on a
/// grid (cognite::on_grid), cut by change points (EmpiricalDistribution, exact), and a segment of k grid values is
/// steady if both
///   1e5 (sd / k) / D < var_threshold,  |slope per millisecond| < 10^slope_threshold,
/// strictly, with D the mean of all grid values, clamped to [1e-4, 1e6].
///
/// Know what that means before you rely on it:
/// - The var threshold is no variance. It gets looser with the length of a segment: 1 % of noise gives 5.0 with 200
///   samples and 1.39 with 720.
/// - D is the mean, not its absolute value: where it is negative or 0, every signal with noise is transient.
/// - D is that of the whole range: a far segment changes all verdicts.
/// - slope_threshold -3 is 1 unit per second, 60 per minute: the default slope test practically never fails.
/// - Two steady segments at different levels are one run, without a cut.
/// - There is no limit for gaps: an outage becomes a straight line, and that is steady.
///
/// Write all three thresholds. The defaults are those of the published description; the code of the connector has 15,
/// 5.0, -3, that of its sister InDSL 15, 2.0, -3 with ddof 0.
struct CogniteSteadyState {
  std::size_t min_section_size = 15;  ///< grid points, >= 1; half of all where there are fewer than twice as many
  double var_threshold = 3.5;
  double slope_threshold = -3.0;  ///< exponent of the limit, per millisecond
  std::chrono::minutes granularity = std::chrono::minutes{1};
  bool bucket_means = false;  ///< cognite::bucket_means first: the aggregate "average" of the reference
  int ddof = 1;               ///< sd by k - ddof: 1 in the connector, 0 in InDSL
};

/// Grid values begin <= i < end between two change points.
template <TimePoint Time>
struct CogniteSegment {
  std::size_t begin, end;
  Window<Time> window;  ///< from its first stamp to that of the next segment, or to the last stamp of the grid
  double mean;
  std::optional<double> var_stat;      ///< what var_threshold bounds; missing for one value with ddof 1
  std::optional<double> slope_per_ms;  ///< missing for one value
  bool steady;
};

template <TimePoint Time>
struct CogniteSteadyStateReport {
  Status<Time> status;                         ///< unknown before the first and after the last stamp of the grid
  std::optional<Series<double, Time>> binary;  ///< the same on the grid as 0 and 1; missing where there is no sample
  std::vector<CogniteSegment<Time>> segments;  ///< empty where a value is bad, which makes all transient
  std::optional<double> mean;                  ///< of all grid values; missing where one is bad
  std::optional<double> divisor;               ///< D, the mean clamped to [1e-4, 1e6]
  std::size_t min_section_size;                ///< in use: smaller than asked for where the grid is short
};

/// What the reference finds in a series: samples in `within`, both ends included, and not after `as_of`. Stamps are
/// taken as they are: where they are whole milliseconds, as in the reference, its numbers come out; finer ones are not
/// rounded. Time n^2 with about 0.1 s for 5760 grid points. Throws InputError for thresholds that are NaN,
/// min_section_size 0, a granularity that is not positive, ddof other than 0 and 1, a series of several channels.
template <class Scalar, TimePoint Time>
[[nodiscard]] CogniteSteadyStateReport<Time> analyse_steady_state(
    const SeriesBase<Scalar, Time>& series, const std::same_as<CogniteSteadyState> auto& options,
    const std::type_identity_t<CheckOptions<Time>>& range = {});

/// The status of analyse_steady_state.
template <class Scalar, TimePoint Time>
[[nodiscard]] Status<Time> steady_state(const SeriesBase<Scalar, Time>& series,
                                        const std::same_as<CogniteSteadyState> auto& options,
                                        const std::type_identity_t<CheckOptions<Time>>& range = {}) {
  return analyse_steady_state(series, options, range).status;
}

/// The operations of the reference on grids. In all of them: of two samples at one time the first counts; `max_gap` is
/// ignored; a bad sample makes the grid values bad that depend on it. Where the reference resamples wrongly (data
/// denser than the grid, a late start) the right values come out.
namespace cognite {

template <TimePoint Time = Timestamp>
struct GridOptions {
  std::optional<Time> start = {};  ///< default: the first stamp
  std::optional<Time> end = {};    ///< default: the last stamp
};

/// Values at start + i granularity for i = 0 .. floor((end - start) / granularity): between samples on the straight
/// line, or held. The result is read like the series. O(samples + points). Throws InputError for a start before the
/// first sample, an end before the start or, of a linear series, after the last sample.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> on_grid(const SeriesBase<Scalar, Time>& series,
                                           std::type_identity_t<Duration<Time>> granularity,
                                           const std::type_identity_t<GridOptions<Time>>& options = {});

/// The aggregate "average": at s, a multiple of the granularity since the epoch, the time-weighted mean over [s, s +
/// granularity) from the first sample on. Buckets without a sample are absent; that of the last sample has its value.
/// O(samples).
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> bucket_means(const SeriesBase<Scalar, Time>& series,
                                                std::type_identity_t<Duration<Time>> granularity);

/// 1 at each grid stamp where the condition holds, else 0; a bad value fulfils none. From the first stamp; a held
/// series to `end`, a linear one to its last sample. The result is read like the series.
template <class Scalar, TimePoint Time, class Condition>
[[nodiscard]] Series<double, Time> logic_on_grid(const SeriesBase<Scalar, Time>& series, const Condition& condition,
                                                 std::type_identity_t<Duration<Time>> granularity,
                                                 std::optional<std::type_identity_t<Time>> end = {});

/// 1 at each grid stamp where both are exactly 1, else 0: a value between 0 and 1 on a straight line counts as 0. From
/// the later start; to the later end if both are held, else to the smallest end of the linear ones. `granularity` is
/// the smaller of theirs. Held if both are. Throws InputError where they do not overlap and for two single samples.
template <class A, class B, TimePoint Time>
[[nodiscard]] Series<double, Time> and_on_grid(const SeriesBase<A, Time>& a, const SeriesBase<B, Time>& b,
                                               std::type_identity_t<Duration<Time>> granularity);

/// End of the newest run of 1 that is at least `length` long. Sample i covers the time to the next one, the last none.
/// The length may be 0. O(samples).
template <class Scalar, TimePoint Time>
[[nodiscard]] std::optional<Time> find_end(const SeriesBase<Scalar, Time>& binary,
                                           std::type_identity_t<Duration<Time>> length);

/// Plain mean of the grid values, both ends with full weight: no time-weighted mean (mean()). Missing where a grid
/// value is bad. Throws as on_grid.
template <class Scalar, TimePoint Time>
[[nodiscard]] std::optional<double> grid_mean(const SeriesBase<Scalar, Time>& series,
                                              std::type_identity_t<Duration<Time>> granularity,
                                              const std::type_identity_t<GridOptions<Time>>& options = {});

/// The average of an input as the reference forms it, for a sampling plan: Input<>{"feed", feed,
/// cognite::GridMean{1min}}. Missing where the grid reaches outside of the samples up to the run time, or a grid value
/// is bad.
struct GridMean {
  std::chrono::minutes granularity;

  template <class Scalar, TimePoint Time>
  Aggregate operator()(const SeriesBase<Scalar, Time>& series, const Window<Time>& window, double min_coverage) const {
    Aggregate result{{}, coverage(series, window)};
    const bool outside = window.begin < series.time(0) || (series.interpolation() == Interpolation::linear &&
                                                           series.time(series.size() - 1) < window.end);
    if (!outside && result.coverage >= min_coverage)
      result.value = grid_mean(series, detail::granularity_in<Time>(granularity), {window.begin, window.end});
    return result;
  }
};

/// The sample that the reference takes where sampling is disabled: the last one strictly before the run time; missing
/// where there is none or it is bad.
template <class Scalar, TimePoint Time>
[[nodiscard]] std::optional<double> latest_before(const SeriesBase<Scalar, Time>& series,
                                                  std::type_identity_t<Time> run_time);

}  // namespace cognite
}  // namespace fidelity

#include <fidelity/sampling/detail/cognite_grid.hpp>
#include <fidelity/sampling/detail/cognite_steady.hpp>
