// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/qss/detail/check_qss.hpp>
#include <fidelity/qss/detail/quantised_run.hpp>
#include <fidelity/qss/qss_options.hpp>
#include <fidelity/qss/taylor_event.hpp>

namespace fidelity {

/// State events: guard k (of `count`) is a function of the states as the derivatives see them; where it falls through
/// zero, `reset(k, x)` is called with the values of all states and may change them. The states that it has changed send
/// events of kind reset, all others internal ones: every q is made anew. A guard fires again only after it has been
/// above zero. Guards are seen with eight Taylor coefficients and looked at again where these do not suffice. Events
/// that come closer and closer without end (a ball that comes to rest) are an error where that can be told; with order
/// 1 and 2 slowly accumulating ones get lost in the quantum. Let such a system come to rest by a guard of its own.
///
///   const StateEvents bounce{1, [](std::size_t, const auto& q) { return q[0]; },             // height
///                            [](std::size_t, std::span<double> x) { x[1] *= -0.8; }};       // velocity
template <class Guard, class Reset>
struct StateEvents {
  std::size_t count;
  Guard guard;  ///< guard(k, q) -> Jet or number
  Reset reset;  ///< reset(k, std::span<double> x)
};
template <class Guard, class Reset>
StateEvents(std::size_t, Guard, Reset) -> StateEvents<Guard, Reset>;

/// A system without state events.
struct NoStateEvents {
  static constexpr std::size_t count = 0;
  static double guard(std::size_t, const auto&) { return 0; }
  static void reset(std::size_t, std::span<double>) {}
};

namespace detail {
template <class E>
inline constexpr bool is_state_events = std::same_as<E, NoStateEvents>;
template <class Guard, class Reset>
inline constexpr bool is_state_events<StateEvents<Guard, Reset>> = true;
template <class E>
concept SomeStateEvents = is_state_events<E>;
template <class S>
concept EventSink = std::invocable < S&,
        std::size_t, Port, const TaylorEvent<>
& > ;
}  // namespace detail

/// Solves x_i' = f(i, q), i = 0 .. n - 1, by quantised state systems (Kofman, Junco 2001; Kofman 2002, 2006): each
/// state is a polynomial of its own, x, and the derivatives see a simpler one, q, that is renewed only when the two are
/// one quantum apart. Small sources of events for tests, examples and studies; not a general simulator.
///
///   const auto oscillator = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : -q[0]; };
///   simulate(oscillator, {1.03, 0.37}, {.order = 3, .quantum = 0.01, .end = 10},
///            [](std::size_t state, Port port, const TaylorEvent<>& event) { ... });
///
/// `system(i, q)` is written once for all orders: q[j] is state j as a Jet, q.input(k) an input of the options,
/// q.time() the time; it returns the derivative of state i as a jet (or a number). What each derivative reads is seen
/// by itself, in every evaluation. The value of a condition on a state (a relay, abs, min, max, the end of a root) is
/// looked at when a state that the derivative reads has an event, not in between: it needs options.dt_max or a state
/// event to be seen in time. So does a system that reads q.time(), or inputs of degree `order` and more.
///
/// x has only the first terms of f(q(t)). Where f is not linear the next event of a state comes, at the latest, when
/// one of the terms that are cut off (up to the eighth power of time) amounts to a tenth of the quantum, and a state
/// that would have no event any more is compared with f at eight times ahead. Linear systems keep exactly the steps of
/// the method, and the conventions zero and devs those of the published engines, without this protection: there a
/// nonlinear system may fall asleep or take steps that are far too long.
///
/// `sink(state, port, event)` is called in order of time with the polynomials of x (Port::interpolator: init, internal,
/// external and reset events, and one of kind end for each state at the end) and of q (Port::normal: init, internal and
/// reset events). At equal times inputs and state events come before internal events, then the smaller index counts.
/// Runs are deterministic.
///
/// |q - x| <= quantum, for liqss twice the quantum. For a stable linear system x' = A x + B u with A = V L V^-1 and
/// inputs of degree below `order` that bounds the error for all times: |error| <= |V| |Re(L)^-1 L| |V^-1| quantum,
/// element by element. What a step cuts off of other inputs and of the time comes on top. There is no such bound for
/// an undamped oscillator, nor for other systems.
///
/// O(log n + derivatives that read the state) for each internal event; no allocation once every read has been seen.
///
/// Throws InputError for options out of range (bad_parameter), no state (empty), values or quanta of the wrong number
/// (size_mismatch), an input that does not cover the run (window_outside), a state or input that does not exist
/// (index_out_of_range); and during the run, with the state and the time, for a derivative that is not finite
/// (value_not_finite), a quantum that has become 0 or is lost in the rounding of its state, where time stands still
/// (a solution that goes to infinity), and where state events accumulate (bad_parameter).
template <class System, detail::EventSink Sink, detail::SomeStateEvents Events = NoStateEvents>
void simulate(const System& system, const std::vector<double>& x0, const QssOptions& options, Sink&& sink,
              const Events& events = {}) {
  detail::check_qss(x0, options);
  const auto run = [&]<std::size_t Order, QssMethod Method>() {
    detail::QuantisedRun<Order, Method, System, Sink, Events>(system, x0, options, sink, events).run();
  };
  if (options.method == QssMethod::liqss)
    return options.order == 1 ? run.template operator()<1, QssMethod::liqss>()
                              : run.template operator()<2, QssMethod::liqss>();
  switch (options.order) {
    case 1:
      return run.template operator()<1, QssMethod::qss>();
    case 2:
      return run.template operator()<2, QssMethod::qss>();
    default:
      return run.template operator()<3, QssMethod::qss>();
  }
}

/// All events of a run, one list a state.
struct QssRun {
  std::vector<std::vector<TaylorEvent<>>> states;  ///< x, interpolator port; the last event has kind end
  /// q, normal port: not the state, less accurate. Without an event of kind end: Trajectory<>(quantised[i], {.end =
  /// end}).
  std::vector<std::vector<TaylorEvent<>>> quantised;
  std::vector<std::size_t> steps;  ///< internal events of each state after the start
  double end;                      ///< seconds: where the run, and so each trajectory of x, ends
};

/// Runs to the end and keeps everything: `Trajectory{simulate(system, x0, options).states[0]}`. Throws as above.
template <class System, detail::SomeStateEvents Events>
[[nodiscard]] QssRun simulate(const System& system, const std::vector<double>& x0, const QssOptions& options,
                              const Events& events) {
  const std::size_t n = x0.size();
  QssRun run{std::vector<std::vector<TaylorEvent<>>>(n), std::vector<std::vector<TaylorEvent<>>>(n),
             std::vector<std::size_t>(n), options.end};
  simulate(
      system, x0, options,
      [&](std::size_t state, Port port, const TaylorEvent<>& event) {
        (port == Port::interpolator ? run.states : run.quantised)[state].push_back(event);
        if (port == Port::normal && event.kind() == EventKind::internal) ++run.steps[state];
      },
      events);
  return run;
}
template <class System>
[[nodiscard]] QssRun simulate(const System& system, const std::vector<double>& x0, const QssOptions& options) {
  return simulate(system, x0, options, NoStateEvents{});
}

}  // namespace fidelity
