// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>

#include <fidelity/sampling/detail/logic_stretches.hpp>
#include <fidelity/series/sample_statistics.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity::detail {

/// The first time after t.
template <TimePoint Time>
Time just_after(Time t) {
  if constexpr (std::same_as<Time, double>) {
    return std::nextafter(t, std::numeric_limits<double>::infinity());
  } else if constexpr (std::floating_point<typename Time::rep>) {
    using Rep = typename Time::rep;
    return Time(
        typename Time::duration(std::nextafter(t.time_since_epoch().count(), std::numeric_limits<Rep>::infinity())));
  } else {
    return t == Time::max() ? t : t + typename Time::duration(1);
  }
}

/// Calls f with the samples up to run_time; not at all where there are none. A polynomial piece that began is known.
template <class Scalar, TimePoint Time, class F>
void as_of(const SeriesBase<Scalar, Time>& series, Time run_time, F&& f) {
  if (run_time < series.time(0)) return;
  f(slice(series, Window<Time>{series.time(0), just_after(run_time)}));
}
template <Signal S, class F>
  requires(!SampledSignal<S>)
void as_of(const S& signal, typename S::time_type, F&& f) { f(signal); }

template <class Scalar, TimePoint Time>
SampleCount<Time> count_known(const SeriesBase<Scalar, Time>& series, const Window<Time>& window) {
  return count_samples(series, window);
}
/// Of a signal that has no samples: the pieces that begin in the window.
template <Signal S>
  requires(!SampledSignal<S>)
SampleCount<typename S::time_type> count_known(const S& signal, const Window<typename S::time_type>& window) {
  SampleCount<typename S::time_type> count;
  for_each_piece(signal, window, [&](const auto& piece) {
    count.good += window.begin <= piece.origin && piece.origin < window.end;
    const auto length = piece.window.length();
    if (!count.longest_pause || length > *count.longest_pause) count.longest_pause = length;
  });
  return count;
}

template <class Scalar, TimePoint Time>
LatestValue<Time> latest_known(const SeriesBase<Scalar, Time>& series, Time t, std::optional<Duration<Time>> max_age) {
  return latest(series, t, max_age);
}
/// A signal that has no samples has a value at every known instant.
template <Signal S>
  requires(!SampledSignal<S>)
LatestValue<typename S::time_type> latest_known(const S& signal, typename S::time_type t,
                                                std::optional<Duration<typename S::time_type>>) {
  LatestValue<typename S::time_type> found{signal.value(t, Side::right)};
  if (found.value) {
    found.time = t;
    found.age = t - t;
  }
  return found;
}

}  // namespace fidelity::detail
