// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/level_walk.hpp>
#include <fidelity/qss/jet.hpp>
#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// Where the derivatives of sampled events come from.
enum class DerivativeSource {
  polynomials,  ///< the pieces of the signal: exact
  jets,         ///< a formula, by Taylor arithmetic: exact
};

/// What a sampler makes of a signal. The first event has kind init, the others internal.
template <TimePoint Time>
struct SampledEvents {
  std::vector<TaylorEvent<double, Time>> events;
  DerivativeSource derivatives;
};

namespace detail {
inline void check_sampler_order(std::string_view function, std::size_t order) {
  if (order > TaylorEvent<>::max_order)
    fail(function, Rule::bad_parameter, "the order must be 0 to 7", {.value = static_cast<double>(order)});
}

/// A formula of time that jets can go through.
template <class F>
concept Formula = std::invocable < const F&,
        const Jet<8>
& > &&std::convertible_to<std::invoke_result_t<const F&, const Jet<8>&>, Jet<8>>;

/// The piece that holds from t on; at the end of the signal the one before.
template <Signal S>
std::optional<Segment<typename S::time_type>> piece_at(const S& signal, typename S::time_type t) {
  const bool at_end = t == signal.span().end;
  for (auto place = signal.segment_at(t); place;
       place = at_end && *place > 0 ? std::optional(*place - 1) : std::nullopt)
    if (const auto piece = signal.segment(*place))
      return piece->window.contains(t) || (at_end && piece->window.end == t) ? piece : std::nullopt;
  return std::nullopt;
}

template <TimePoint Time, class CoefficientsAt>
SampledEvents<Time> sampled_at(std::string_view function, std::span<const Time> times, std::size_t order,
                               DerivativeSource source, CoefficientsAt coefficients_at) {
  check_sampler_order(function, order);
  SampledEvents<Time> sampled{{}, source};
  sampled.events.reserve(times.size());
  for (const Time t : times) {
    const Coefficients c = coefficients_at(t);
    sampled.events.emplace_back(function, t, std::span(c).first(order + 1),
                                sampled.events.empty() ? EventKind::init : EventKind::internal);
  }
  return sampled;
}

template <Signal S, class Time = typename S::time_type>
SampledEvents<Time> sampled_signal(std::string_view function, const S& signal, std::span<const Time> times,
                                   std::size_t order) {
  return sampled_at(function, times, order, DerivativeSource::polynomials, [&](Time t) {
    const auto piece = piece_at(signal, t);
    if (!piece) fail(function, Rule::window_outside, concat("the signal is missing at ", to_text(t)));
    return shifted(piece->coefficients, piece->degree, piece->seconds_to(t));
  });
}

template <Formula F>
SampledEvents<double> sampled_formula(std::string_view function, const F& formula, std::span<const double> times,
                                      std::size_t order) {
  return sampled_at(function, times, order, DerivativeSource::jets, [&](double t) {
    return Jet<8>(formula(Jet<8>{t, 1.0})).c;
  });
}
}  // namespace detail

/// An event at start + i * period (never a running sum), with value and derivatives of the signal there, right limits.
///
///   const auto events = TimeSampler{0.0, 0.1, 3}(signal).events;   // every 0.1 s, cubic pieces
///
/// Throws InputError for a period that is not positive, an order above 7 (bad_parameter), and where the signal is
/// missing at a point (window_outside).
template <TimePoint Time>
class TimeSampler {
 public:
  explicit TimeSampler(Time start, Duration<Time> period, std::size_t order = 3)
      : start_(start), period_(period), order_(order) {
    detail::check_sampler_order("TimeSampler", order);
  }

  /// Up to the end of the signal, the end included if it is a point.
  template <Signal S>
    requires std::same_as<typename S::time_type, Time>
  [[nodiscard]] SampledEvents<Time> operator()(const S& signal) const {
    const std::vector<Time> times = points(signal.span().end);
    return detail::sampled_signal("TimeSampler", signal, std::span<const Time>(times), order_);
  }
  /// A formula of time, `[](const auto& t) { return sin(t); }`, up to `end`.
  template <detail::Formula F>
    requires std::same_as<Time, double>
  [[nodiscard]] SampledEvents<double> operator()(const F& formula, double end) const {
    return detail::sampled_formula("TimeSampler", formula, points(end), order_);
  }

 private:
  [[nodiscard]] std::vector<Time> points(Time end) const { return grid_times(period_, Window<Time>{start_, end}); }

  Time start_;
  Every<Duration<Time>> period_;
  std::size_t order_;
};
template <class A, class B, class... Order>
  requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>)
TimeSampler(A, B, Order...)
->TimeSampler<double>;

/// An event at each given time (a list, or the moments of commands), ascending, from the polynomial that holds there:
/// extrapolated with the time since the event of the signal that it came from. Throws InputError for times that are not
/// ascending (time_not_increasing), an order above 7 (bad_parameter), and where the signal is missing (window_outside).
struct TriggerSampler {
  std::size_t order = 3;

  template <Signal S>
  [[nodiscard]] auto operator()(const S& signal, const std::vector<typename S::time_type>& times) const {
    check(times);
    return detail::sampled_signal("TriggerSampler", signal, std::span<const typename S::time_type>(times), order);
  }
  /// A formula of time, by jets.
  template <detail::Formula F>
  [[nodiscard]] SampledEvents<double> operator()(const F& formula, const std::vector<double>& times) const {
    check(times);
    return detail::sampled_formula("TriggerSampler", formula, times, order);
  }

 private:
  template <class Time>
  static void check(const std::vector<Time>& times) {
    for (std::size_t i = 1; i < times.size(); ++i)
      if (!(times[i - 1] <= times[i]))
        detail::fail("TriggerSampler", Rule::time_not_increasing, "the times must ascend",
                     {.collection = "times", .index = i});
  }
};

/// An event at the start, then one whenever the signal reaches a level offset + k * quantum other than that of the
/// last event: quantisation with a hysteresis of one quantum. The value of an event is its level exactly; a jump past
/// a level makes one event with the value after it. Held from event to event, the events stay within one quantum of a
/// signal at every time: a compact record with a guarantee.
///
///   const auto record = LevelSampler{.quantum = 0.5, .order = 0}(signal).events;
///
/// O(pieces + events). Throws InputError for a quantum that is not positive and finite or below the rounding of the
/// signal, an offset that is not finite, an order above 7 (bad_parameter), and a signal with a gap (window_outside),
/// which events cannot express.
struct LevelSampler {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::Required quantum;  ///< distance of two levels, in unit of the signal
  double offset = 0;         ///< one of the levels
  std::size_t order = 3;     ///< derivatives that each event carries, 0 to 7

  template <Signal S>
  [[nodiscard]] SampledEvents<typename S::time_type> operator()(const S& signal) const {
    detail::check_sampler_order("LevelSampler", order);
    SampledEvents<typename S::time_type> sampled{{}, DerivativeSource::polynomials};
    detail::walk_levels(signal, quantum, offset, [&](typename S::time_type t, const detail::Coefficients& c) {
      sampled.events.emplace_back("LevelSampler", t, std::span(c).first(order + 1),
                                  sampled.events.empty() ? EventKind::init : EventKind::internal);
    });
    return sampled;
  }
};

}  // namespace fidelity
