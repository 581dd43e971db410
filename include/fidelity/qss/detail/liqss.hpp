// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fidelity/qss/detail/first_exit.hpp>
#include <fidelity/qss/detail/quantised_states.hpp>
#include <fidelity/qss/jet.hpp>

// Linearly implicit quantised states: LIQSS1 and LIQSS2 (Migoni, Kofman, Cellier 2012; Migoni, Bortolotto, Kofman,
// Cellier 2013). q is put one quantum ahead of x, where x comes towards it, or to where x stands still.
namespace fidelity::detail {

/// LIQSS2 for a state that hardly feels its own q in the step ahead: q goes on without a jump, with the slope that
/// keeps it within a quantum of x for longest, so that stiff neighbours are not shaken. d = q - x is a parabola that
/// bends against x'' from where it is to half a quantum on the other side and back. Returns false where that would not
/// do.
inline bool follow(QuantisedState<2>& state, const Jet<2>& below, const Jet<2>& above, double a) {
  const double quantum = state.quantum;
  const double d0 = std::clamp(state.q[0] - state.x[0], -0.9 * quantum, 0.9 * quantum);
  const double bend = 0.25 * (above[1] + below[1]);  // x'' / 2
  const double start = std::copysign(d0, d0 * bend), peak = std::max(0.5 * quantum, start);
  const double rise = std::sqrt((peak - start) / std::abs(bend)), fall = std::sqrt((peak + quantum) / std::abs(bend));
  if (a != 0 && !(std::abs(a) * (rise + fall) <= 0.1)) return false;
  const double slope = 2 * std::sqrt(std::abs(bend) * (peak - start));
  state.q = {state.x[0] + d0, 0.5 * (above[0] + below[0]) + a * d0 + std::copysign(slope, bend)};
  state.centre = 0;
  state.width = state.quantum;
  return true;
}

/// Puts q of a state whose x and q stand at the time of the event. `derivative()` evaluates f with the q of the state.
/// With q one quantum above or below x, and for order 2 with the slope of x there, the highest derivative that is
/// followed, x' or x'', must point from x to q. If it changes its sign in between, q goes where it vanishes, by the
/// secant a of f: the step then lasts until something else changes.
template <std::size_t Order, class Derivative>
void choose_q(QuantisedState<Order>& state, Derivative derivative) {
  const double x = state.x[0], quantum = state.quantum;
  const auto before = state.q;
  const auto evaluate_at = [&](double q0) {
    state.q = {q0};
    if constexpr (Order == 2) state.q[1] = derivative()[0];
    return derivative();
  };
  const Jet<Order> below = evaluate_at(x - quantum), above = evaluate_at(x + quantum);
  const double a = (above[0] - below[0]) / (2 * quantum);
  if constexpr (Order == 2) {
    state.q = before;
    if (follow(state, below, above, a)) return;
  }
  if (below[Order - 1] > 0 && above[Order - 1] > 0) {
    state.q = {x + quantum};
    if constexpr (Order == 2) state.q[1] = above[0];
    state.centre = 0.5 * quantum;
    state.width = 1.5 * quantum;
  } else if (below[Order - 1] < 0 && above[Order - 1] < 0) {
    state.q = {x - quantum};
    if constexpr (Order == 2) state.q[1] = below[0];
    state.centre = -0.5 * quantum;
    state.width = 1.5 * quantum;
  } else {
    // f = above + a (q - x - quantum): x' = 0, or x'' = a q' + u' = 0 with q' = x'.
    double slope = 0;
    if constexpr (Order == 2) slope = a == 0 ? above[0] : above[0] - above[1] / a;
    const double q0 = a == 0 ? x : x + quantum + (slope - above[0]) / a;
    state.q = {std::clamp(q0, x - quantum, x + quantum)};
    if constexpr (Order == 2) state.q[1] = slope;
    state.centre = state.q[0] - x;
    state.width = 0.5 * quantum;
  }
}

/// How long q stays, given d = q - x: until d leaves the range that choose_q() gave it, within two quanta.
template <std::size_t Order>
double liqss_exit(const QuantisedState<Order>& state, std::array<double, Order + 1> d, double horizon) {
  d[0] = std::clamp(d[0] - state.centre, -state.width, state.width);
  return first_exit(d, state.width, horizon, never);
}

}  // namespace fidelity::detail
