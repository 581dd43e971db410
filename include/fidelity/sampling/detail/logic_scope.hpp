// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fidelity/sampling/detail/logic_stretches.hpp>
#include <fidelity/sampling/detail/status_sweep.hpp>
#include <fidelity/sampling/status.hpp>

namespace fidelity {
template <TimePoint Time>
struct CheckOptions;
}

namespace fidelity::detail {

/// What a question reaches: the range of the status and the instant from which on nothing is known yet.
template <TimePoint Time>
struct Scope {
  Window<Time> range;
  Time limit;
};

template <TimePoint Time>
Scope<Time> scope_of(std::string_view function, Window<Time> span, const CheckOptions<Time>& options) {
  if (options.as_of && !is_finite_time(*options.as_of)) fail(function, Rule::time_not_finite, "as_of must be finite");
  if (options.within) {
    require_window(function, *options.within);
    span = *options.within;
  } else if (options.as_of) {
    span.end = *options.as_of;
  }
  return {span, options.as_of.value_or(time_limit<Time>())};
}

/// Also throws for a series of several channels.
template <class S>
Scope<typename S::time_type> scope_of_signal(std::string_view function, const S& signal,
                                             const CheckOptions<typename S::time_type>& options) {
  (void)signal.segment_count();
  return scope_of(function, signal.span(), options);
}

/// The places of a signal that a question needs.
struct Places {
  std::size_t first, end;  ///< end is one past the last
  std::size_t samples;     ///< of a series: those that may be used
};

template <class Scalar, TimePoint Time>
Places places_of(const SeriesBase<Scalar, Time>& series, const Scope<Time>& scope) {
  const auto times = series.times();
  const auto index = [&](auto place) { return static_cast<std::size_t>(place - times.begin()); };
  const std::size_t samples = index(std::upper_bound(times.begin(), times.end(), scope.limit));
  const std::size_t up_to_begin = index(std::upper_bound(times.begin(), times.end(), scope.range.begin));
  const std::size_t before_end = index(std::lower_bound(times.begin(), times.end(), scope.range.end));
  return {up_to_begin > 0 ? up_to_begin - 1 : 0, std::min(before_end, samples), samples};
}

template <class S>
  requires(!SampledSignal<S>)
Places places_of(const S& signal, const Scope<typename S::time_type>& scope) {
  const auto last = signal.segment_at(scope.range.end);
  return {signal.segment_at(scope.range.begin).value_or(0), last ? *last + 1 : 0, 0};
}

/// Up to where a record is known at time r: a straight line is not before it ends.
template <class S>
  requires(!SampledSignal<S>)
typename S::time_type known_until(const S&, typename S::time_type r) { return r; }
template <class Scalar, TimePoint Time>
Time known_until(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Time> r) {
  const auto after = std::upper_bound(series.times().begin(), series.times().end(), r);
  return series.interpolation() == Interpolation::hold || after == series.times().begin() ? r : *(after - 1);
}

/// The verdict of each region, stretch by stretch.
template <class S>
Status<typename S::time_type> check_levels(const S& signal, const ConditionLevels& levels,
                                           const std::vector<Truth>& verdicts,
                                           const Scope<typename S::time_type>& scope) {
  using Time = typename S::time_type;
  if (scope.range.empty()) return {};
  StatusBuilder<Time> builder(scope.range);
  const Places places = places_of(signal, scope);
  for (std::size_t i = places.first; i < places.end; ++i)
    place_stretches(signal, i, places.samples, levels, [&](Time begin, Time end, std::size_t region, std::size_t) {
      builder.put(begin, std::min(end, scope.limit), verdicts[region]);
    });
  return builder.finish();
}

/// Holds where the signal has a value, else unknown.
template <class S>
Status<typename S::time_type> where_known(const S& signal, const Scope<typename S::time_type>& scope) {
  return check_levels(signal, ConditionLevels("known", std::vector<double>{}), {Truth::holds}, scope);
}

}  // namespace fidelity::detail
