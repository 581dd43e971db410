// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
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

/// Coefficients of the jets that look beyond the order of a run.
inline constexpr std::size_t jet_size = 8;

/// The states of a run, what can be done with one of them, and the user's functions of them, checked: derivatives and
/// guards at a time since the start.
template <std::size_t Order, class System, class Events>
class QuantisedModel {
 protected:
  using State = QuantisedState<Order>;

  QuantisedModel(const System& system, const std::vector<double>& x0, const QssOptions& options, const Events& events)
      : system_(system),
        options_(options),
        events_(events),
        start_(options.start),
        inputs_(options.inputs, options.start),
        reads_(x0.size() + events.count, x0.size() + inputs_.count() + 1),
        states_(x0.size()),
        watches_cut_(options.convention == QssConvention::fresh),
        cut_(watches_cut_ ? x0.size() : 0) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i].x[0] = x0[i];
  }

  /// The derivative of state i at t, by the present polynomials of the states and the present pieces of the inputs.
  template <std::size_t Size>
  [[gnu::always_inline]] Jet<Size> evaluate(std::size_t i, double t) {
    reads_.begin(i);
    const Jet<Size> f = system_(i, SystemView<Order, Size>(states_, inputs_, reads_, start_, t));
    if (reads_.has_news()) learn(i);
    return f;
  }
  /// The same where it must be finite.
  template <std::size_t Size = Order>
  Jet<Size> derivative(std::size_t i, double t) {
    const auto f = evaluate<Size>(i, t);
    for (std::size_t k = 0; k < Order; ++k)
      if (!is_finite(f.c[k]))
        fail_at(k == 0 ? "the derivative of a state is not finite"
                       : "the Taylor coefficients of the derivative of a state are not finite",
                i, t, Rule::value_not_finite, f.c[k]);
    return f;
  }

  /// Guards see every coefficient that a jet of this library can hold: no quantum watches what they cut off.
  Jet<jet_size> guard(std::size_t k, double t) {
    reads_.begin(states_.size() + k);
    Jet<jet_size> g = events_.guard(k, SystemView<Order, jet_size>(states_, inputs_, reads_, start_, t));
    (void)reads_.has_news();
    for (std::size_t c = 0; c < Order; ++c)
      if (!is_finite(g.c[c]))
        fail("simulate", Rule::value_not_finite, concat("a guard is not finite at ", start_ + t, " s"),
             {.collection = "guards", .index = k, .value = g.c[c]});
    const auto bad = std::find_if(g.c.begin(), g.c.end(), [](double c) { return !is_finite(c); });
    std::fill(bad, g.c.end(), 0.0);
    return g;
  }

  /// x follows the derivative from t on. Whether that goes on beyond the order, so that x cuts something off, is seen
  /// by one coefficient more; once it has been, by all of them. The conventions of other engines look at nothing.
  void follow_derivative(std::size_t i, double t) {
    if (Order == 1 || !watches_cut_) {
      if (!states_[i].curved) return set_slopes(i, derivative(i, t));
    } else if (!states_[i].curved) {
      const auto f = derivative<Order + 1>(i, t);
      if (f.c[Order] == 0 && !states_[i].curved) return set_slopes(i, f);
    }
    look_beyond(i, t);
  }
  /// The same with all coefficients of the derivative.
  [[gnu::noinline]] void look_beyond(std::size_t i, double t) {
    const auto f = derivative<jet_size>(i, t);
    set_slopes(i, f);
    for (std::size_t k = Order; k < jet_size; ++k) {
      cut_[i][k - Order] = std::abs(f.c[k]) / static_cast<double>(k + 1);
      if (f.c[k] != 0) states_[i].curved = true;
    }
  }
  /// Finds the derivatives that are not linear even where all is at rest, by a look at them with slopes of any kind.
  void look_for_curved() {
    if (Order == 1 || !watches_cut_) return;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i].q[0] = states_[i].x[0];
      for (std::size_t k = 1; k < Order; ++k)
        states_[i].q[k] = (1 + 0.1 * static_cast<double>(i % 7)) / static_cast<double>(k + 1);
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const auto f = evaluate<jet_size>(i, 0);
      if (std::any_of(f.c.begin() + Order, f.c.end(), [](double c) { return c != 0; })) states_[i].curved = true;
    }
    for (State& state : states_) state.q = {};
  }
  /// The longest part of `wait` within which no term that x cuts off comes to more than a tenth of the quantum.
  [[nodiscard]] double shortened(std::size_t i, double wait) const {
    const double limit = 0.1 * states_[i].quantum;
    double power = wait;  // to the power k + 1
    for (std::size_t k = 1; k < jet_size; ++k) {
      power *= wait;
      if (k < Order) continue;
      const double c = cut_[i][k - Order];
      if (!(c * power > limit) || !is_finite(c)) continue;
      wait = std::pow(limit / c, 1 / static_cast<double>(k + 1));
      power = limit / c;
    }
    return wait;
  }

  /// The first part of `wait` after which the derivative is another one than x follows by more than rounding and a
  /// quantum, if nothing else happens: terms that no jet shows (t^9 at 0), a condition, the other branch of a root. It
  /// is looked for in eighths and then closed in.
  [[gnu::noinline]] double until_apart(std::size_t i, double t, double wait) {
    const State& state = states_[i];
    const auto apart = [&](double s) {
      const auto f = evaluate<Order>(i, t + s);
      double slope = 0, size = 0;
      for (std::size_t k = Order; k > 0; --k) {
        slope = slope * s + static_cast<double>(k) * state.x[k];
        size = size * s + static_cast<double>(k) * std::abs(state.x[k]);
      }
      const double gap = s * std::abs(f.c[0] - slope);
      return !is_finite(gap) || gap > state.quantum + 1e-12 * s * size;
    };
    double good = 0;
    for (int k = 1; k <= 8; ++k) {
      double bad = wait * k / 8;
      if (apart(bad)) {
        for (int halving = 0; halving < 60 && bad - good > 1e-9 * bad; ++halving) {
          const double middle = good + 0.5 * (bad - good);
          (apart(middle) ? bad : good) = middle;
        }
        return bad;
      }
      good = bad;
    }
    return never;
  }

  template <std::size_t Size>
  void set_slopes(std::size_t i, const Jet<Size>& f) {
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
  std::vector<State> states_;
  bool watches_cut_;

 private:
  /// Derivative i has read something for the first time.
  [[gnu::noinline]] void learn(std::size_t i) {
    const bool varies = reads_unwatched(i);
    if (varies && !options_.dt_max)
      fail("simulate", Rule::bad_parameter,
           "a system that reads the time, or an input whose degree is not below the order, needs dt_max", {.index = i});
    if (varies) reads_.add(i, i);  // so that each internal event evaluates it again
    states_[i].curved = states_[i].curved || (varies && watches_cut_);
    states_[i].reads_itself = reads_.reads(i, i);
  }

  /// Does derivative i read what no quantum watches: the time, and inputs that x cuts off?
  [[nodiscard]] bool reads_unwatched(std::size_t i) const {
    const std::size_t n = states_.size();
    bool found = reads_.reads(i, n + inputs_.count());
    for (std::size_t k = 0; k < inputs_.count(); ++k)
      found = found || (inputs_.highest_degree() >= Order && reads_.reads(i, n + k));
    return found;
  }

  std::vector<std::array<double, jet_size - Order>> cut_;  ///< of each state: |c| of what follows the terms of x
};

}  // namespace fidelity::detail
