// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// Why a simulator sent an event. A trajectory evaluated as polynomial does not look at it; held and straight-line
/// evaluation pass from one event that is not external to the next.
enum class EventKind : std::uint8_t {
  init,      ///< the first event of a run
  internal,  ///< the state reached its quantum
  external,  ///< an input changed: the polynomial does, the value does not
  reset,     ///< the state was set to a new value
  end,       ///< the run ended here
};

/// One event of a quantised-state simulator: from `time` on, until the next event,
/// x(time + e) = sum of coefficients[k] * e^k, with e in seconds. These are Taylor coefficients, c[k] = (k-th
/// derivative) / k!, not derivatives; an event is therefore made by `from_taylor`, `from_derivatives` or
/// `from_integrator` only. Order (degree) 0 to 7.
template <std::floating_point Scalar = double, TimePoint Time = double>
class TaylorEvent {
 public:
  using time_type = Time;
  static constexpr std::size_t max_order = Segment<Time>::max_degree;

  [[nodiscard]] Time time() const { return time_; }
  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] EventKind kind() const { return kind_; }
  /// order() + 1 Taylor coefficients, the value first.
  [[nodiscard]] std::span<const Scalar> coefficients() const { return {coefficients_.data(), order_ + 1}; }
  /// Coefficient k; 0 above the order.
  [[nodiscard]] Scalar coefficient(std::size_t k) const { return k <= max_order ? coefficients_[k] : Scalar{0}; }

  friend bool operator==(const TaylorEvent&, const TaylorEvent&) = default;

  /// From order + 1 coefficients, already checked for number. Use the functions below.
  /// Throws InputError for a time or coefficient that is not finite, and for none or more than 8 coefficients.
  TaylorEvent(std::string_view function, Time time, std::span<const double> coefficients, EventKind kind)
      : time_(time), kind_(kind) {
    if (!detail::is_finite_time(time))
      detail::fail(function, Rule::time_not_finite, "the time of an event must be finite");
    if (coefficients.empty()) detail::fail(function, Rule::empty, "an event has at least one coefficient, its value");
    if (coefficients.size() > max_order + 1)
      detail::fail(function, Rule::bad_parameter, "an event has at most 8 coefficients, for order 7",
                   {.value = static_cast<double>(coefficients.size())});
    order_ = coefficients.size() - 1;
    for (std::size_t k = 0; k <= order_; ++k) {
      coefficients_[k] = static_cast<Scalar>(coefficients[k]) + Scalar{0};  // -0 becomes 0
      if (!detail::is_finite(coefficients_[k]))
        detail::fail(function, Rule::value_not_finite,
                     detail::concat("coefficient ", k, " of the event at ", to_text(time), " is not finite"),
                     {.collection = "coefficients", .index = k, .value = coefficients[k]});
    }
  }

 private:
  Time time_;
  std::array<Scalar, max_order + 1> coefficients_{};
  std::size_t order_ = 0;
  EventKind kind_ = EventKind::internal;
};

namespace detail {
/// The type of a time that is given as T: whole numbers are seconds.
template <class T>
using EventTime = std::conditional_t<std::integral<T>, double, T>;
}  // namespace detail

/// An event from Taylor coefficients {x, x', x''/2, x'''/6, ...}, value first, in unit of the value per second^k: what
/// the interpolator port of a quantised-state simulator sends.
template <std::floating_point Scalar = double, class Time>
  requires TimePoint<detail::EventTime<Time>>
[[nodiscard]] TaylorEvent<Scalar, detail::EventTime<Time>> from_taylor(Time t, std::span<const double> coefficients,
                                                                       EventKind kind = EventKind::internal) {
  return {"from_taylor", detail::EventTime<Time>(t), coefficients, kind};
}
template <std::floating_point Scalar = double, class Time>
  requires TimePoint<detail::EventTime<Time>>
[[nodiscard]] TaylorEvent<Scalar, detail::EventTime<Time>> from_taylor(Time t,
                                                                       std::initializer_list<double> coefficients,
                                                                       EventKind kind = EventKind::internal) {
  return {"from_taylor", detail::EventTime<Time>(t), {coefficients.begin(), coefficients.size()}, kind};
}

namespace detail {
template <std::floating_point Scalar, TimePoint Time>
TaylorEvent<Scalar, Time> event_from_derivatives(Time t, std::span<const double> derivatives, EventKind kind) {
  std::array<double, TaylorEvent<Scalar, Time>::max_order + 2> c{};  // one more, so that too many are seen as such
  const std::size_t count = std::min(derivatives.size(), c.size());
  double factorial = 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 1) factorial *= static_cast<double>(k);
    c[k] = derivatives[k] / factorial;
  }
  return {"from_derivatives", t, {c.data(), count}, kind};
}
}  // namespace detail

/// An event from plain derivatives {x, x', x'', x''', ...}, value first.
template <std::floating_point Scalar = double, class Time>
  requires TimePoint<detail::EventTime<Time>>
[[nodiscard]] TaylorEvent<Scalar, detail::EventTime<Time>> from_derivatives(Time t, std::span<const double> derivatives,
                                                                            EventKind kind = EventKind::internal) {
  return detail::event_from_derivatives<Scalar>(detail::EventTime<Time>(t), derivatives, kind);
}
template <std::floating_point Scalar = double, class Time>
  requires TimePoint<detail::EventTime<Time>>
[[nodiscard]] TaylorEvent<Scalar, detail::EventTime<Time>> from_derivatives(Time t,
                                                                            std::initializer_list<double> derivatives,
                                                                            EventKind kind = EventKind::internal) {
  return detail::event_from_derivatives<Scalar>(detail::EventTime<Time>(t),
                                                std::span<const double>(derivatives.begin(), derivatives.size()), kind);
}

/// An event from the state x of an integrator and what its input port carries, u = {x', x'', x'''/2}: the Taylor
/// coefficients of the derivative, so that c[k + 1] = u[k] / (k + 1).
template <std::floating_point Scalar = double, class Time>
  requires TimePoint<detail::EventTime<Time>>
[[nodiscard]] TaylorEvent<Scalar, detail::EventTime<Time>> from_integrator(Time t, double x,
                                                                           std::initializer_list<double> input,
                                                                           EventKind kind = EventKind::internal) {
  std::array<double, TaylorEvent<Scalar>::max_order + 2> c{x};
  const std::size_t count = std::min(input.size() + 1, c.size());
  for (std::size_t k = 1; k < count; ++k) c[k] = input.begin()[k - 1] / static_cast<double>(k);
  return {"from_integrator", detail::EventTime<Time>(t), {c.data(), count}, kind};
}

}  // namespace fidelity
