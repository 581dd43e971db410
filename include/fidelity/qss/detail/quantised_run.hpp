// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/earliest.hpp>
#include <fidelity/qss/detail/first_exit.hpp>
#include <fidelity/qss/detail/guards.hpp>
#include <fidelity/qss/detail/liqss.hpp>
#include <fidelity/qss/detail/quantised_model.hpp>
#include <fidelity/qss/jet.hpp>
#include <fidelity/qss/qss_options.hpp>
#include <fidelity/qss/taylor_event.hpp>

namespace fidelity::detail {

/// One run of simulate(), with arguments that were checked. The clock starts at 0, so that a late start costs nothing
/// but the resolution of the stamps.
template <std::size_t Order, QssMethod Method, class System, class Sink, class Events>
class QuantisedRun : QuantisedModel<Order, System, Events> {
  using Base = QuantisedModel<Order, System, Events>;
  using Base::advance_x;
  using Base::copy_to_q;
  using Base::derivative;
  using Base::events_;
  using Base::fail_at;
  using Base::follow_derivative;
  using Base::guard;
  using Base::inputs_;
  using Base::look_beyond;
  using Base::look_for_curved;
  using Base::options_;
  using Base::reads_;
  using Base::renew_quantum;
  using Base::set_slopes;
  using Base::shortened;
  using Base::start_;
  using Base::states_;
  using Base::until_apart;
  using Base::watches_cut_;
  using typename Base::State;

 public:
  QuantisedRun(const System& system, const std::vector<double>& x0, const QssOptions& options, Sink& sink,
               const Events& events)
      : Base(system, x0, options, events),
        sink_(sink),
        length_(options.end - options.start),
        knot_(inputs_.next()),
        next_(x0.size()),
        guards_(events.count) {}

  void run() {
    look_for_curved();
    options_.convention == QssConvention::devs ? start_in_order() : start(0);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      emit_x(i, 0, EventKind::init);
      emit_q(i, 0, EventKind::init);
    }
    for (;;) {
      const auto [t, i] = next_.first();
      const auto [fall, falling] = guards_.first();
      if (knot_ <= std::min(t, fall) && knot_ < length_) {
        input_event(knot_);
      } else if (fall <= std::min(t, length_)) {
        state_event(falling, fall);
      } else if (t <= length_) {
        internal_event(i, t);
      } else {
        break;
      }
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      advance_x(i, length_);
      emit_x(i, length_, EventKind::end);
    }
  }

 private:
  // --- the start ---

  /// Every q anew from the values of x at t: the start of a run, and again after a reset.
  void start(double t) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      renew_quantum(i);
      states_[i].q = {states_[i].x[0]};
      states_[i].q_time = states_[i].fired = t;
    }
    if constexpr (Method == QssMethod::liqss) {
      for (std::size_t i = 0; i < states_.size(); ++i) choose_q(states_[i], [&] { return derivative(i, t); });
    } else if (options_.convention == QssConvention::fresh) {
      for (std::size_t k = 1; k < Order; ++k)
        for (std::size_t i = 0; i < states_.size(); ++i)
          states_[i].q[k] = derivative(i, t)[k - 1] / static_cast<double>(k);
    }
    for (std::size_t i = 0; i < states_.size(); ++i) watches_cut_ ? look_beyond(i, t) : set_slopes(i, derivative(i, t));
    predict_all(t);
  }

  /// The start of a network of DEVS blocks: the states fire in order, and what has not fired yet reads as 0.
  void start_in_order() {
    for (std::size_t i = 0; i < states_.size(); ++i) set_slopes(i, derivative(i, 0));
    for (std::size_t i = 0; i < states_.size(); ++i) {
      renew_quantum(i);
      copy_to_q(i);
      for (const std::size_t j : states_reading(i)) set_slopes(j, derivative(j, 0));
    }
    predict_all(0);
  }

  // --- events ---

  void internal_event(std::size_t i, double t) {
    State& state = states_[i];
    if (t > state.fired) {
      repeated_ = 0;
    } else if (++repeated_ > 100 + 2 * states_.size()) {
      fail_at(concat("time stands still: the next event cannot be told from this one; the solution goes to infinity (",
                     "the state is ", short_text(state.x[0]), " and its derivative ", short_text(state.x[1]),
                     "), or the quantum is too small"),
              i, t, Rule::bad_parameter, state.quantum);
    }
    state.fired = t;
    advance_x(i, t);
    renew_quantum(i);
    const bool fresh = options_.convention == QssConvention::fresh;
    if constexpr (Method == QssMethod::liqss) {
      state.q = advanced(state.q, t - state.q_time);
      state.q_time = t;
      choose_q(state, [&] { return derivative(i, t); });
      follow_derivative(i, t);
    } else if (fresh) {
      state.q = {state.x[0]};
      state.q_time = t;
      if (!state.reads_itself) {
        follow_derivative(i, t);
        for (std::size_t k = 1; k < Order; ++k) state.q[k] = state.x[k];
      }
      if (state.reads_itself) {  // seen before, or just now
        for (std::size_t k = 1; k < Order; ++k) state.q[k] = derivative(i, t)[k - 1] / static_cast<double>(k);
        follow_derivative(i, t);
      }
    } else {
      copy_to_q(i);
    }
    predict(i, t);
    emit_x(i, t, EventKind::internal);
    emit_q(i, t, EventKind::internal);
    for (const std::size_t j : reads_.readers(i)) {
      if (j >= states_.size()) {
        update_guard(j - states_.size(), t);
      } else if (j != i || !fresh) {
        external_event(j, t);
      } else {
        emit_x(i, t, EventKind::external);  // evaluated above, with this very q
      }
    }
  }

  /// Whether the derivative is still linear is looked at in the state's own events, and where an input changes.
  void external_event(std::size_t j, double t, bool by_input = false) {
    advance_x(j, t);
    if (by_input) {
      follow_derivative(j, t);
    } else {
      states_[j].curved ? look_beyond(j, t) : set_slopes(j, derivative(j, t));
    }
    predict(j, t);
    emit_x(j, t, EventKind::external);
  }

  /// All inputs that have a knot at t: each state that reads one of them has one event.
  void input_event(double t) {
    touched_.clear();
    for (std::size_t k = 0; k < inputs_.count(); ++k) {
      if (inputs_.next(k) != t) continue;
      inputs_.pass(k);
      const auto readers = reads_.readers(states_.size() + k);
      touched_.insert(touched_.end(), readers.begin(), readers.end());
    }
    knot_ = inputs_.next();
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::size_t j : touched_) {
      if (j >= states_.size()) {
        update_guard(j - states_.size(), t);
      } else {
        external_event(j, t, true);
      }
    }
  }

  /// Guard k falls through zero: the reset sees and changes the values of all states, and every q is made anew.
  void state_event(std::size_t k, double t) {
    if (guards_.only_near(k, t, guard(k, t), length_)) return update_guard(k, t);
    if (t > last_reset_) resets_ = 0;
    last_reset_ = t;
    if (++resets_ > 100 + 2 * events_.count)
      fail("simulate", Rule::bad_parameter, concat("time stands still: state events without end at ", start_ + t, " s"),
           {.collection = "guards", .index = k});
    guards_.fired(k, t);
    values_.resize(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      advance_x(i, t);
      values_[i] = states_[i].x[0];
    }
    events_.reset(k, std::span<double>(values_));
    touched_.clear();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!is_finite(values_[i]))
        fail_at("a reset to a value that is not finite", i, t, Rule::value_not_finite, values_[i]);
      if (std::exchange(states_[i].x[0], values_[i]) != values_[i]) touched_.push_back(i);
    }
    start(t);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const auto kind =
          std::binary_search(touched_.begin(), touched_.end(), i) ? EventKind::reset : EventKind::internal;
      emit_x(i, t, kind);
      emit_q(i, t, kind);
    }
  }

  // --- parts of an event ---

  void update_guard(std::size_t k, double t) {
    const auto g = guard(k, t);
    guards_.update(k, t, g, length_);
    if (guards_.accumulate(k, t, g))
      fail("simulate", Rule::bad_parameter,
           concat("state events accumulate at ", short_text(start_ + t),
                  " s: they come closer and closer without end; let the system come to rest by a guard of its own"),
           {.collection = "guards", .index = k});
  }

  void predict_all(double t) {
    for (std::size_t i = 0; i < states_.size(); ++i) predict(i, t);
    for (std::size_t k = 0; k < events_.count; ++k) update_guard(k, t);
  }

  /// The states among those that read source i.
  [[nodiscard]] std::span<const std::size_t> states_reading(std::size_t i) const {
    const auto readers = reads_.readers(i);
    const auto end = std::lower_bound(readers.begin(), readers.end(), states_.size());
    return readers.first(static_cast<std::size_t>(end - readers.begin()));
  }

  /// The next internal event of state i, whose x stands at t.
  void predict(std::size_t i, double t) {
    const State& state = states_[i];
    const double left = length_ - t;
    const auto q = advanced(state.q, t - state.q_time);
    std::array<double, Order + 1> d;
    for (std::size_t k = 0; k < Order; ++k) d[k] = q[k] - state.x[k];
    d[Order] = -state.x[Order];
    double wait = 0;
    if constexpr (Method == QssMethod::liqss) {
      wait = liqss_exit(state, d, left);
    } else if (std::abs(d[0]) < (1 - 1e-9) * state.quantum) {
      wait = first_exit(d, state.quantum, left, next_.time(i) - t);
    }
    if (watches_cut_ && (state.curved || (Order > 1 && !(wait <= left)))) wait = watched(i, t, wait);
    double next = t + wait;
    if (options_.dt_max) next = std::min(next, std::max(t, state.fired + *options_.dt_max));
    next_.set(i, next);
  }

  /// The part of `wait` in which x can follow the derivative of state i, which may be another one than it seems.
  [[gnu::noinline]] double watched(std::size_t i, double t, double wait) {
    double longest = length_ - t;
    if (options_.dt_max) longest = std::min(longest, states_[i].fired + *options_.dt_max - t);
    if (!(longest > 0)) return wait;
    const bool sleeps = !(wait <= longest);
    if (!states_[i].curved) look_beyond(i, t);
    if (states_[i].curved) wait = shortened(i, std::min(wait, 2 * longest));
    return sleeps && !(wait <= longest) ? until_apart(i, t, longest) : wait;
  }

  // --- what the outside sees ---

  void emit_x(std::size_t i, double t, EventKind kind) {
    sink_(i, Port::interpolator, TaylorEvent<>("simulate", start_ + t, states_[i].x, kind));
  }
  void emit_q(std::size_t i, double t, EventKind kind) {
    sink_(i, Port::normal, TaylorEvent<>("simulate", start_ + t, states_[i].q, kind));
  }

  Sink& sink_;
  double length_, knot_;  // the end of the run, and the next knot of an input
  Earliest next_;
  Guards guards_;
  std::vector<std::size_t> touched_;
  std::vector<double> values_;
  std::size_t repeated_ = 0, resets_ = 0;
  double last_reset_ = -1;
};

}  // namespace fidelity::detail
