// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/online_cores.hpp>
#include <fidelity/sampling/online_options.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/sample_statistics.hpp>

namespace fidelity {

/// What a detector says after a sample: the state, the stamp of the push that began it, and the figure by which it
/// decides (missing until there is one).
template <TimePoint Time>
struct OnlineResult {
  OnlineState state;
  Time since;
  std::optional<double> score;
  friend bool operator==(const OnlineResult&, const OnlineResult&) = default;
};

/// A detector of steady state for live data: push samples one by one. The state after a push lasts until the next. A
/// value that is not finite, or a step longer than `max_gap`, restarts the detector: unknown until it is filled again.
/// O(1) a push without allocation once it is filled (KellyHedengren O(samples); WindowedSlope amortised), and one
/// window of memory a change of state, which `status` returns and `forget` drops.
///
/// For recorded data where all of a window is known, steady_state finds the changes more sharply.
template <class Core, class Options, TimePoint Time>
class OnlineDetector {
 public:
  using time_type = Time;

  /// Throws InputError for options outside their ranges.
  explicit OnlineDetector(const Options& options, std::optional<Duration<Time>> max_gap = {});

  /// Takes the next sample. Throws InputError unless t is later than the one before; then nothing has changed.
  OnlineResult<Time> push(Time t, double x) {
    if (!detail::is_finite_time(t))
      detail::fail("OnlineDetector::push", Rule::time_not_finite, "the time of a sample must be finite");
    if (result_ && !(last_ < t))
      detail::fail(
          "OnlineDetector::push", Rule::time_not_increasing,
          detail::concat("the sample at ", to_text(t), " is not later than the one before, at ", to_text(last_)));
    if (result_) {
      const bool gap = max_gap_ && detail::difference("OnlineDetector::push", t, last_) > *max_gap_;
      record(gap ? last_ + *max_gap_ : t);
      if (gap) {
        covers(OnlineState::unknown, last_ + *max_gap_, t);
        restart();
      }
    } else {
      first_ = t;
    }
    if (!detail::is_finite(x)) restart();
    if (!origin_) origin_ = t;
    const detail::OnlineStep step =
        detail::is_finite(x) ? core_.push(seconds(detail::difference("OnlineDetector::push", t, *origin_)), x)
                             : detail::OnlineStep{};
    const bool same = result_ && result_->state == step.state;
    result_ = OnlineResult<Time>{step.state, same ? result_->since : t, step.score};
    last_ = t;
    return *result_;
  }

  /// The result of the last push; empty before the first.
  [[nodiscard]] const std::optional<OnlineResult<Time>>& last() const { return result_; }

  /// Restarts after steps longer than this too, as a signal with such a max_gap is missing there.
  void limit_gap(Duration<Time> max_gap) { max_gap_ = max_gap_ ? std::min(*max_gap_, max_gap) : max_gap; }

  /// Forgets everything, the recorded status too.
  void reset() {
    restart();
    forget();
    result_.reset();
  }

  /// From the first push (since reset or forget) to the last: holds where steady. With a later `until` the last state
  /// lasts on to there, within max_gap. A status without a range where that is no stretch of time.
  [[nodiscard]] Status<Time> status(std::optional<Time> until = {}) const {
    if (!result_) return {};
    const Time end = std::max(last_, until.value_or(last_));
    if (!(first_ < end)) return {};
    OnlineDetector extended = *this;
    const Time covered = max_gap_ ? std::min(end, detail::saturating_add(last_, *max_gap_)) : end;
    extended.record(covered);
    extended.covers(OnlineState::unknown, covered, end);
    return Status<Time>({first_, end}, WindowSet<Time>(std::move(extended.steady_)),
                        WindowSet<Time>(std::move(extended.unknown_)));
  }
  /// Drops the recorded status up to the last push; the state stays.
  void forget() {
    steady_.clear();
    unknown_.clear();
    first_ = last_;
  }

  /// The inner quantities of the method, for records and tests.
  [[nodiscard]] const Core& details() const { return core_; }

 private:
  void restart() {
    core_.restart();
    origin_.reset();
  }
  void record(Time until) { covers(result_->state, last_, until); }
  void covers(OnlineState state, Time begin, Time end) {
    if (state == OnlineState::transient || !(begin < end)) return;
    auto& windows = state == OnlineState::steady ? steady_ : unknown_;
    if (!windows.empty() && windows.back().end == begin)
      windows.back().end = end;
    else
      windows.push_back({begin, end});
  }

  Core core_;
  std::optional<Duration<Time>> max_gap_;
  std::optional<OnlineResult<Time>> result_;
  std::optional<Time> origin_;  ///< of the seconds that the method sees
  Time first_{}, last_{};
  std::vector<Window<Time>> steady_, unknown_;
};

/// Steady state by the ratio of two estimates of the noise variance: about a filtered value, and from successive steps
/// (Cao and Rhinehart 1995). Score: the ratio R, about 1 for white noise, infinite where the steps vanish and the value
/// moves.
template <TimePoint Time = Timestamp>
using RStatistic = OnlineDetector<detail::RStatisticCore, RStatisticOptions, Time>;

/// Steady state by the share of a window's samples that lie within a confidence band about its level, once the drift
/// from its first to its last sample is taken out (Kelly and Hedengren 2013). Score: that share.
template <TimePoint Time = Timestamp>
using KellyHedengren = OnlineDetector<detail::KellyHedengrenCore, KellyHedengrenOptions, Time>;

/// Steady state by the line of least squares through the samples of the last `window`: its spread and its slope, in
/// physical units, as in steady_state. Score: the slope per second.
template <TimePoint Time = Timestamp>
using WindowedSlope = OnlineDetector<detail::WindowedSlopeCore, WindowedSlopeOptions<Time>, Time>;

/// Change of level by cumulated sums (Page 1954), two-sided; mean and sigma are learnt from the first samples, and
/// anew after each change, while the state stays transient. Score: the larger sum, unit of the signal.
template <TimePoint Time = Timestamp>
using Cusum = OnlineDetector<detail::CusumCore, CusumOptions, Time>;

/// Pushes all samples of a one-channel series and returns the detector's status over them, to the end of the series.
/// A gap of the series (max_gap) restarts the detector.
template <class Detector, class Scalar>
[[nodiscard]] Status<typename Detector::time_type> run_online(
    Detector detector, const SeriesBase<Scalar, typename Detector::time_type>& series) {
  detail::require_one_channel("run_online", series);
  detector.reset();
  if (const auto gap = series.max_gap()) detector.limit_gap(*gap);
  for (std::size_t i = 0; i < series.size(); ++i) detector.push(series.time(i), static_cast<double>(series(i, 0)));
  return detector.status();
}

/// The level for each of `tests` tests at which all together keep the level alpha (Sidak 1967): 1 - (1 - alpha)^(1/k).
[[nodiscard]] inline double sidak(double alpha, std::size_t tests) {
  if (!(alpha > 0 && alpha < 1)) detail::fail("sidak", Rule::bad_parameter, "alpha must lie between 0 and 1");
  if (tests == 0) detail::fail("sidak", Rule::empty, "there must be at least one test");
  return -std::expm1(std::log1p(-alpha) / static_cast<double>(tests));
}

namespace detail {

inline void require_option(bool good, std::string_view function, std::string_view rule, double value) {
  if (!good) fail(function, Rule::bad_parameter, rule, {.value = value});
}
inline void check_options(const RStatisticOptions& o) {
  for (const double filter : {o.filters.value, o.filters.variance, o.filters.steps})
    require_option(filter > 0 && filter <= 1, "RStatistic", "a filter must lie in (0, 1]", filter);
  require_option(o.start_samples >= 10, "RStatistic", "start_samples must be at least 10",
                 static_cast<double>(o.start_samples));
  require_option(o.accept > 0, "RStatistic", "accept must be above 0", o.accept);
  require_option(o.reject >= o.accept, "RStatistic", "reject must be at least accept", o.reject);
}
inline void check_options(const KellyHedengrenOptions& o) {
  require_option(o.samples >= 3, "KellyHedengren", "samples must be at least 3", static_cast<double>(o.samples));
  require_option(o.alpha > 0 && o.alpha < 1, "KellyHedengren", "alpha must lie between 0 and 1", o.alpha);
  require_option(o.p_min >= 0 && o.p_min <= 1, "KellyHedengren", "p_min must lie between 0 and 1", o.p_min);
}
template <TimePoint Time>
void check_options(const WindowedSlopeOptions<Time>& o) {
  const double window = seconds(Duration<Time>(o.window)), slope = o.slope_max.per_second();
  require_option(window > 0 && is_finite(window), "WindowedSlope", "window must be longer than 0", window);
  require_option(o.noise_max >= 0, "WindowedSlope", "noise_max must be at least 0", o.noise_max);
  require_option(slope >= 0, "WindowedSlope", "slope_max must be at least 0", slope);
  require_option(o.confidence >= 0 && o.confidence < 1, "WindowedSlope", "confidence must lie in [0, 1)", o.confidence);
}
inline void check_options(const CusumOptions& o) {
  require_option(o.start_samples >= 10, "Cusum", "start_samples must be at least 10",
                 static_cast<double>(o.start_samples));
  require_option(o.slack >= 0 && is_finite(o.slack), "Cusum", "slack must be at least 0", o.slack);
  require_option(o.limit > 0 && is_finite(o.limit), "Cusum", "limit must be above 0", o.limit);
}

/// The options, once they are known to be good: so that nothing is sized by bad ones.
template <class Options>
const Options& checked(const Options& options) {
  check_options(options);
  return options;
}

}  // namespace detail

template <class Core, class Options, TimePoint Time>
OnlineDetector<Core, Options, Time>::OnlineDetector(const Options& options, std::optional<Duration<Time>> max_gap)
    : core_(detail::checked(options)), max_gap_(max_gap) {
  if (max_gap_ && !(seconds(*max_gap_) > 0))
    detail::fail("OnlineDetector", Rule::bad_parameter, "max_gap must be longer than 0", {.value = seconds(*max_gap_)});
}

}  // namespace fidelity
