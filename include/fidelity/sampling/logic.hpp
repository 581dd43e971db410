// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include <fidelity/sampling/conditions.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/series_base.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

template <TimePoint Time = Timestamp>
struct CheckOptions {
  /// Range of the status: by default from the first stamp to `as_of` if that is given, else to the last stamp. Give it
  /// (say, up to the run time) to carry the last held value on.
  std::optional<Window<Time>> within = {};
  /// No look-ahead: only samples with a stamp <= as_of are used, and from as_of on all is unknown. A straight line that
  /// ends later is not known yet, a polynomial piece of another signal is known from its begin.
  std::optional<Time> as_of = {};
};

/// Where the signal fulfils the condition, exactly: a held value counts from its stamp to the end of its known window;
/// on a straight line a level is crossed where the line says so, and at the roots of a polynomial piece; integer times
/// are rounded to the nearest tick. Unknown where the signal is: before the first sample, in gaps, at bad samples,
/// after the last sample of a linear signal. `within` does not change the verdict at any instant: what happened before
/// it is looked at where it matters (hysteresis, frozen stretches).
///
///   const Status<> running = check(channel(plant, "flow"), Greater{45.0}, {.within = Window{run_time - 24h,
///   run_time}});
///
/// O(log samples + samples inside). A series of one sample without `within` gives a status without a range. Throws
/// InputError for a NaN threshold, Between with low > high, a tolerance that is negative or not finite, an empty
/// `within`, a series of several channels.
template <Signal S, LevelCondition Condition>
[[nodiscard]] Status<typename S::time_type> check(const S& signal, const Condition& condition,
                                                  const CheckOptions<typename S::time_type>& options = {});

/// Throws InputError also where on and off are equal.
template <Signal S>
[[nodiscard]] Status<typename S::time_type> check(const S& signal, const Hysteresis& condition,
                                                  const CheckOptions<typename S::time_type>& options = {});

template <Signal S>
[[nodiscard]] Status<typename S::time_type> check(const S& signal, const Known& condition,
                                                  const CheckOptions<typename S::time_type>& options = {});

/// For a series: it looks at samples. Throws InputError unless the duration is positive and finite.
template <class Scalar, TimePoint Time>
[[nodiscard]] Status<Time> check(const SeriesBase<Scalar, Time>& series,
                                 const NotFrozen<std::type_identity_t<Time>>& condition,
                                 const std::type_identity_t<CheckOptions<Time>>& options = {});

/// Throws InputError for a held series and for a limit that is negative or not finite.
template <Signal S>
[[nodiscard]] Status<typename S::time_type> check(const S& signal, const RateWithin& condition,
                                                  const CheckOptions<typename S::time_type>& options = {});

/// Where a - b fulfils the condition: check_difference(inlet, outlet, Greater{0.0}) is "inlet above outlet". Unknown
/// where one of them is. The difference of two piecewise linear signals is cut at its own crossings; two equal samples
/// at one stamp have the difference 0 exactly. By default it ranges from the earlier begin to the later end.
template <Signal A, Signal B, LevelCondition Condition>
  requires std::same_as<typename A::time_type, typename B::time_type>
[[nodiscard]] Status<typename A::time_type> check_difference(const A& a, const B& b, const Condition& condition,
                                                             const CheckOptions<typename A::time_type>& options = {});

/// Where the signal has a value: check(signal, Known{}).
template <Signal S>
[[nodiscard]] Status<typename S::time_type> known(const S& signal,
                                                  const CheckOptions<typename S::time_type>& options = {}) {
  return check(signal, Known{}, options);
}

/// not_frozen(series, {.duration = 10min, .tolerance = 0.01, .exempt = {0.0}}).
template <class Scalar, TimePoint Time>
[[nodiscard]] Status<Time> not_frozen(const SeriesBase<Scalar, Time>& series,
                                      const std::type_identity_t<NotFrozen<Time>>& condition,
                                      const std::type_identity_t<CheckOptions<Time>>& options = {}) {
  return check(series, condition, options);
}

/// rate_within(signal, Rate{5.0, 1min}).
template <Signal S>
[[nodiscard]] Status<typename S::time_type> rate_within(const S& signal, const Rate& limit,
                                                        const CheckOptions<typename S::time_type>& options = {}) {
  return check(signal, RateWithin{limit}, options);
}

/// For many run times over one record: before the instant returned, which is not after r, the status of the whole
/// record and the status as_of r agree. Between it and r the status as_of r is unknown; only for NotFrozen it must be
/// asked for by check(series, condition, {.within = {that instant, r}, .as_of = r}). For check_difference it is the
/// earlier instant of both signals. O(log samples); for NotFrozen plus the samples of the last stretch.
template <Signal S, class Condition>
[[nodiscard]] typename S::time_type settled_until(const S& signal, const Condition& condition, typename S::time_type r);

}  // namespace fidelity

#include <fidelity/sampling/detail/logic_check.hpp>
