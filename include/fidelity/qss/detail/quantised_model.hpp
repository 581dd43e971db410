// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/quantised_states.hpp>
#include <fidelity/qss/detail/reads.hpp>
#include <fidelity/qss/jet.hpp>
#include <fidelity/qss/qss_options.hpp>

namespace fidelity::detail {

/// The states of a run, what can be done with one of them, and the user's functions of them, checked: derivatives and
/// guards at a time since the start.
template <std::size_t Order, class System, class Events>
class QuantisedModel {
 protected:
  QuantisedModel(const System& system, const std::vector<double>& x0, const QssOptions& options, const Events& events)
      : system_(system),
        options_(options),
        events_(events),
        start_(options.start),
        inputs_(options.inputs, options.start),
        reads_(x0.size() + events.count, x0.size() + inputs_.count() + 1),
        states_(x0.size()) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i].x[0] = x0[i];
  }

  Jet<Order> derivative(std::size_t i, double t) {
    reads_.begin(i);
    const Jet<Order> f = system_(i, SystemView<Order>(states_, inputs_, reads_, start_, t));
    if (reads_.has_news()) learn(i);
    for (std::size_t k = 0; k < Order; ++k)
      if (!is_finite(f.c[k]))
        fail_at(k == 0 ? "the derivative of a state is not finite"
                       : "the Taylor coefficients of the derivative of a state are not finite",
                i, t, Rule::value_not_finite, f.c[k]);
    return f;
  }

  Jet<Order> guard(std::size_t k, double t) {
    reads_.begin(states_.size() + k);
    const Jet<Order> g = events_.guard(k, SystemView<Order>(states_, inputs_, reads_, start_, t));
    if (reads_.has_news() && reads_unwatched(states_.size() + k, Order == 1))
      fail("simulate", Rule::bad_parameter,
           "a guard that reads the time, or an input whose degree is not below the order, needs a higher order",
           {.collection = "guards", .index = k});
    for (std::size_t c = 0; c < Order; ++c)
      if (!is_finite(g.c[c]))
        fail("simulate", Rule::value_not_finite, concat("a guard is not finite at ", start_ + t, " s"),
             {.collection = "guards", .index = k, .value = g.c[c]});
    return g;
  }

  void set_slopes(std::size_t i, const Jet<Order>& f) {
    auto& x = states_[i].x;
    x[1] = f.c[0];
    if constexpr (Order > 1) x[2] = f.c[1] / 2;
    if constexpr (Order > 2) x[3] = f.c[2] / 3;
  }

  void copy_to_q(std::size_t i) {
    for (std::size_t k = 0; k < Order; ++k) states_[i].q[k] = states_[i].x[k];
    states_[i].q_time = states_[i].x_time;
  }

  void advance_x(std::size_t i, double t) {
    auto& state = states_[i];
    state.x = advanced(state.x, t - state.x_time);
    state.x_time = t;
  }

  void renew_quantum(std::size_t i) {
    auto& state = states_[i];
    const double size = std::abs(state.x[0]);
    state.quantum = std::max(options_.relative_quantum * size, options_.quantum[i]);
    if (!(state.quantum > 0) || size + state.quantum == size)
      fail_at("the quantum is 0 or lost in the rounding of the state", i, state.x_time, Rule::bad_parameter,
              state.quantum);
  }

  [[noreturn]] void fail_at(std::string_view sentence, std::size_t i, double t, Rule rule, double value) const {
    fail("simulate", rule, concat(sentence, ": state ", i, " at ", start_ + t, " s"), {.index = i, .value = value});
  }

  const System& system_;
  const QssOptions& options_;
  const Events& events_;
  double start_;
  InputCursor inputs_;
  Reads reads_;
  std::vector<QuantisedState<Order>> states_;

 private:
  /// Derivative i has read something for the first time.
  [[gnu::noinline]] void learn(std::size_t i) {
    const bool varies = reads_unwatched(i, true);
    if (varies && !options_.dt_max)
      fail("simulate", Rule::bad_parameter,
           "a system that reads the time, or an input whose degree is not below the order, needs dt_max", {.index = i});
    if (varies) reads_.add(i, i);  // so that each internal event evaluates it again
    states_[i].reads_itself = reads_.reads(i, i);
  }

  /// Does reader i read what no quantum watches: inputs that jets cut off, and the time where it counts?
  [[nodiscard]] bool reads_unwatched(std::size_t i, bool time_counts) const {
    const std::size_t n = states_.size();
    bool found = time_counts && reads_.reads(i, n + inputs_.count());
    for (std::size_t k = 0; k < inputs_.count(); ++k)
      found = found || (inputs_.highest_degree() >= Order && reads_.reads(i, n + k));
    return found;
  }
};

}  // namespace fidelity::detail
