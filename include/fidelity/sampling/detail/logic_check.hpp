// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/sampling/detail/logic_difference.hpp>
#include <fidelity/sampling/detail/logic_frozen.hpp>
#include <fidelity/sampling/detail/logic_levels.hpp>
#include <fidelity/sampling/detail/logic_scope.hpp>
#include <fidelity/sampling/detail/logic_stretches.hpp>
#include <fidelity/sampling/logic.hpp>

namespace fidelity {

template <Signal S, LevelCondition Condition>
Status<typename S::time_type> check(const S& signal, const Condition& condition,
                                    const CheckOptions<typename S::time_type>& options) {
  detail::require_condition("check", condition);
  const detail::ConditionLevels levels("check", condition.levels());
  return detail::check_levels(signal, levels, levels.verdicts(condition),
                              detail::scope_of_signal("check", signal, options));
}

namespace detail {

/// A switch with two levels: regions 1 and 3 are the levels, 0 and 4 lie outside.
class Switch {
 public:
  explicit Switch(const Hysteresis& condition) : high_(double{condition.off} < double{condition.on}) {}
  [[nodiscard]] Truth state() const { return state_; }
  void forget() { state_ = Truth::unknown; }
  void see(std::size_t region) {
    if (!high_) region = 4 - region;
    if (region >= 3) state_ = Truth::holds;
    if (region == 0) state_ = Truth::does_not_hold;
  }

 private:
  bool high_;
  Truth state_ = Truth::unknown;
};

/// The place from which on the state at the begin of the first place can be told: one that decides, or the begin of
/// what is known without a gap.
template <class S>
std::size_t deciding_place(const S& signal, const Places& places, const ConditionLevels& levels,
                           const Hysteresis& condition) {
  using Time = typename S::time_type;
  std::size_t start = places.first;
  std::optional<Time> joins;  // begin of the earliest place that counts
  for (std::size_t i = places.first + 1; i-- > 0;) {
    std::optional<Window<Time>> extent;
    Switch state(condition);
    place_stretches(signal, i, places.samples, levels,
                    [&](Time begin, Time end, std::size_t region, std::size_t at_begin) {
                      extent = extent ? Window<Time>{extent->begin, end} : Window<Time>{begin, end};
                      state.see(at_begin);
                      state.see(region);
                    });
    if (!extent) {
      if (!joins) break;
      continue;  // an event pair, or a gap that the next place shows
    }
    if (joins && extent->end != *joins) break;
    start = i;
    joins = extent->begin;
    // What is decided inside the first place may come after the begin of the range.
    if (i < places.first && state.state() != Truth::unknown) break;
  }
  return start;
}

/// Is every stretch of a piece within the limit of its rate?
template <TimePoint Time, class F>
void rate_stretches(const Segment<Time>& piece, const ConditionLevels& levels, F&& f) {
  Segment<Time> slope = piece;
  slope.coefficients = derivative(piece.coefficients, piece.degree);
  slope.degree = piece.degree > 0 ? piece.degree - 1 : 0;
  polynomial_stretches(slope, levels, f);
}

}  // namespace detail

template <Signal S>
Status<typename S::time_type> check(const S& signal, const Hysteresis& condition,
                                    const CheckOptions<typename S::time_type>& options) {
  using Time = typename S::time_type;
  const detail::ConditionLevels levels("check", std::array{double{condition.on}, double{condition.off}});
  if (levels.values().size() < 2)
    detail::fail("check", Rule::bad_parameter, "on and off of a Hysteresis must differ", {.value = condition.on});
  const auto scope = detail::scope_of_signal("check", signal, options);
  if (scope.range.empty()) return {};
  const detail::Places places = detail::places_of(signal, scope);
  detail::StatusBuilder<Time> builder(scope.range);
  if (places.first >= places.end) return builder.finish();

  detail::Switch state(condition);
  std::optional<Time> reached;
  for (std::size_t i = detail::deciding_place(signal, places, levels, condition); i < places.end; ++i)
    detail::place_stretches(signal, i, places.samples, levels,
                            [&](Time begin, Time end, std::size_t region, std::size_t at_begin) {
                              if (reached && *reached != begin) state.forget();
                              reached = end;
                              state.see(at_begin);
                              state.see(region);
                              builder.put(begin, std::min(end, scope.limit), state.state());
                            });
  return builder.finish();
}

template <Signal S>
Status<typename S::time_type> check(const S& signal, const Known&, const CheckOptions<typename S::time_type>& options) {
  using Time = typename S::time_type;
  const auto scope = detail::scope_of_signal("known", signal, options);
  if (scope.range.empty()) return {};
  WindowSet<Time> not_yet;
  if (options.as_of) {
    const Time from = std::max(scope.range.begin, detail::known_until(signal, *options.as_of));
    if (from < scope.range.end) not_yet = {{from, scope.range.end}};
  }
  return detail::StatusAccess::make(scope.range, detail::where_known(signal, scope).holds(), std::move(not_yet), {});
}

template <class Scalar, TimePoint Time>
Status<Time> check(const SeriesBase<Scalar, Time>& series, const NotFrozen<std::type_identity_t<Time>>& condition,
                   const std::type_identity_t<CheckOptions<Time>>& options) {
  detail::require_condition("not_frozen", condition);
  const auto scope = detail::scope_of_signal("not_frozen", series, options);
  if (scope.range.empty()) return {};
  const detail::Places places = detail::places_of(series, scope);
  const Status<Time> value = detail::where_known(series, scope);
  const WindowSet<Time> frozen(
      detail::FrozenStretches<Scalar, Time>(series, condition, places.samples).windows(places, scope.range.end));
  return detail::StatusAccess::make(scope.range, value.holds() - frozen, value.unknown(), {});
}

template <Signal S>
Status<typename S::time_type> check(const S& signal, const RateWithin& condition,
                                    const CheckOptions<typename S::time_type>& options) {
  using Time = typename S::time_type;
  const double limit = condition.limit.per_second();
  if (!detail::is_finite(limit) || limit < 0)
    detail::fail("rate_within", Rule::bad_parameter, "the limit must be finite and not negative", {.value = limit});
  const auto scope = detail::scope_of_signal("rate_within", signal, options);
  if constexpr (detail::SampledSignal<S>)
    if (signal.interpolation() == Interpolation::hold)
      detail::fail("rate_within", Rule::bad_parameter, "a held signal has no rate",
                   {.name = std::string(signal.name())});
  if (scope.range.empty()) return {};
  const detail::Places places = detail::places_of(signal, scope);
  detail::StatusBuilder<Time> builder(scope.range);
  const detail::ConditionLevels levels("rate_within", std::array{-limit, limit});
  const std::vector<Truth> verdicts = levels.verdicts(Between{-limit, limit});
  for (std::size_t i = places.first; i < places.end; ++i) {
    if constexpr (detail::SampledSignal<S>) {
      if (!detail::joined(signal, i, places.samples)) continue;
      const double rise = static_cast<double>(signal(i + 1)) - static_cast<double>(signal(i));
      const double rate = std::abs(rise) / seconds(signal.time(i + 1) - signal.time(i));
      builder.put(signal.time(i), signal.time(i + 1), rate <= limit ? Truth::holds : Truth::does_not_hold);
    } else if (const auto piece = signal.segment(i)) {
      detail::rate_stretches(*piece, levels, [&](Time begin, Time end, std::size_t region, std::size_t) {
        builder.put(begin, std::min(end, scope.limit), verdicts[region]);
      });
    }
  }
  return builder.finish();
}

template <Signal A, Signal B, LevelCondition Condition>
  requires std::same_as<typename A::time_type, typename B::time_type> Status<typename A::time_type> check_difference(
      const A& a, const B& b, const Condition& condition, const CheckOptions<typename A::time_type>& options) {
    using Time = typename A::time_type;
    detail::require_condition("check_difference", condition);
    const detail::ConditionLevels levels("check_difference", condition.levels());
    const std::vector<Truth> verdicts = levels.verdicts(condition);
    (void)a.segment_count(), (void)b.segment_count();
    const Window<Time> span{std::min(a.span().begin, b.span().begin), std::max(a.span().end, b.span().end)};
    const auto scope = detail::scope_of("check_difference", span, options);
    if (scope.range.empty()) return {};
    detail::StatusBuilder<Time> builder(scope.range);
    detail::PieceCursor<A> of_a(a, detail::places_of(a, scope));
    detail::PieceCursor<B> of_b(b, detail::places_of(b, scope));
    while (!of_a.done() && !of_b.done()) {
      const Window<Time>&in_a = of_a.piece().window, &in_b = of_b.piece().window;
      if (const auto common = intersection(in_a, in_b))
        detail::difference_stretches(of_a, of_b, *common, levels,
                                     [&](Time begin, Time end, std::size_t region, std::size_t) {
                                       builder.put(begin, std::min(end, scope.limit), verdicts[region]);
                                     });
      in_a.end < in_b.end ? of_a.next() : of_b.next();
    }
    return builder.finish();
  }

template <Signal S, class Condition>
typename S::time_type settled_until(const S& signal, const Condition& condition, typename S::time_type r) {
  using Time = typename S::time_type;
  if (!detail::is_finite_time(r)) detail::fail("settled_until", Rule::time_not_finite, "the time must be finite");
  (void)signal.segment_count();
  if constexpr (std::same_as<Condition, NotFrozen<Time>>) {
    detail::require_condition("settled_until", condition);
    const auto samples = static_cast<std::size_t>(std::upper_bound(signal.times().begin(), signal.times().end(), r) -
                                                  signal.times().begin());
    if (samples == 0) return r;
    using Scalar = typename S::scalar_type;
    return signal.time(detail::FrozenStretches<Scalar, Time>(signal, condition, samples).begin_of(samples - 1));
  } else {
    return detail::known_until(signal, r);
  }
}

}  // namespace fidelity
