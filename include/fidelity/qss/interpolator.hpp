// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/outside.hpp>
#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/segment.hpp>

namespace fidelity {

/// What becomes of an event that is earlier than the newest one: refuse it, or let it take back all that are later.
enum class LateEvent { error, rollback };

template <TimePoint Time = double>
struct InterpolatorOptions {
  std::optional<std::size_t> order = {};         ///< use only coefficients up to this one, for derivatives too
  LateEvent late = LateEvent::error;             ///< what to do with an event earlier than the newest one
  Outside before = Outside::missing;             ///< the answer before the first event
  Outside after = Outside::missing;              ///< the answer after the end
  std::optional<std::size_t> keep_events = {};   ///< remember only the newest so many events
  std::optional<Duration<Time>> keep_time = {};  ///< remember only so long before the newest event
  Outside forgotten = Outside::missing;          ///< the answer where the history is gone: missing or error
  std::size_t reserve = 0;                       ///< room for so many events from the start
};

/// The events of a running simulation as a smooth signal: push them as they come, ask for values at any time. The
/// newest polynomial goes on until an event cuts it; an event changes nothing before its own time. Right-continuous,
/// and of several events at one time the last one counts, as in Trajectory, whose values are the same to the last bit.
///
/// The watermark says how far the past is settled: no event before it will come. `advance_to` and `finish` move it, and
/// so does every event where late ones are refused.
template <std::floating_point Scalar = double, TimePoint Time = double>
class Interpolator {
 public:
  using scalar_type = Scalar;
  using time_type = Time;
  using Event = TaylorEvent<Scalar, Time>;

  explicit Interpolator(InterpolatorOptions<Time> options = {}) : options_(options) {
    const auto refuse = [](std::string_view sentence) { detail::fail("Interpolator", Rule::bad_parameter, sentence); };
    if (options.order && *options.order > Event::max_order) refuse("the order must be at most 7");
    if (options.keep_events && *options.keep_events == 0) refuse("keep_events must be at least 1");
    if (options.keep_time && !(*options.keep_time >= Duration<Time>{})) refuse("keep_time must be at least 0");
    if (options.forgotten != Outside::missing && options.forgotten != Outside::error)
      refuse("what is forgotten can be missing or an error, it cannot be held or extrapolated");
    kept_.reserve(options.reserve);
  }

  /// Adds an event. Amortised O(1), no allocation within what was reserved. An event of kind `end` also sets the end.
  /// Throws InputError for one before the watermark, for one before the newest unless late events roll back, and for
  /// one after the end.
  void push(const Event& event) {
    const Time t = event.time();
    if (finished_) fail_late("Interpolator::push", "nothing may come after finish()", t);
    if (watermark_ && t < *watermark_) fail_late("Interpolator::push", "no event may come before the watermark", t);
    if (!empty() && t < newest().time()) rollback(t);
    if (end_ && t > *end_) fail_late("Interpolator::push", "no event may come after one of kind end", t);
    if (!empty() && newest().time() == t) {
      std::optional<Scalar> held = kept_.back().replaced;
      if (newest().kind() != EventKind::external) held = newest().coefficient(0);
      kept_.back() = {event, held};
    } else {
      kept_.push_back({event, {}});
      forget();
    }
    if (event.kind() == EventKind::end) end_ = t;
    if (options_.late == LateEvent::error) watermark_ = t;
  }

  /// Takes back all events with a time > t. Throws InputError for t before the watermark: what is settled stays.
  void rollback(Time t) {
    require_finite("Interpolator::rollback", t);
    if (finished_) fail_late("Interpolator::rollback", "nothing can be taken back after finish()", t);
    if (watermark_ && t < *watermark_)
      fail_late("Interpolator::rollback", "nothing before the watermark can be taken back", t);
    if (forgotten_ && t < kept_[first_].event.time())
      fail_late("Interpolator::rollback", "the events there are forgotten", t);
    while (!empty() && newest().time() > t) kept_.pop_back();
    if (end_ && (*end_ > t || empty())) end_.reset();
  }

  /// Promises that no event before `t` will come. An earlier promise stays.
  void advance_to(Time t) {
    require_finite("Interpolator::advance_to", t);
    if (!watermark_ || *watermark_ < t) watermark_ = t;
  }

  /// Ends the stream: the domain is closed at `t_end`. After an event of kind `end` that is its time, wherever the
  /// watermark is; otherwise throws InputError where it is before the newest event or before the watermark.
  void finish(Time t_end) {
    require_finite("Interpolator::finish", t_end);
    if (finished_) fail_late("Interpolator::finish", "it is finished already", t_end);
    const bool too_early = (!empty() && t_end < newest().time()) || (watermark_ && t_end < *watermark_);
    if (end_ ? *end_ != t_end : too_early)
      fail_late("Interpolator::finish", "the end must not contradict what is known", t_end);
    advance_to(t_end);
    end_ = t_end;
    finished_ = true;
  }

  /// Value at t; O(1) at and after the newest event, else O(log events). Before the first event, after the end and
  /// where the history is gone the answer is what the options say. Throws InputError for a time that is not finite,
  /// Overflow where the polynomial has left the range of numbers.
  [[nodiscard]] std::optional<double> value(Time t, Side side = Side::right) const { return derivative(t, 0, side); }
  [[nodiscard]] std::optional<double> second_derivative(Time t, Side side = Side::right) const {
    return derivative(t, 2, side);
  }

  /// The k-th derivative at t, in unit of the value per second^k.
  [[nodiscard]] std::optional<double> derivative(Time t, std::size_t k = 1, Side side = Side::right) const {
    require_finite("Interpolator::value", t);
    if (empty()) {
      (void)outside(options_.before, t);
      return std::nullopt;
    }
    const Event* event = &newest();
    bool held = false;
    if (const Event& oldest = kept_[first_].event; t < oldest.time() || (side == Side::left && t == oldest.time())) {
      const Outside policy = is_forgotten(t, side) ? options_.forgotten : options_.before;
      if (!outside(policy, t)) return std::nullopt;
      held = policy == Outside::hold;
      event = &oldest;
      if (held) t = oldest.time();
    } else if (end_ && t > *end_) {
      if (!outside(options_.after, t)) return std::nullopt;
      held = options_.after == Outside::hold;
      if (held) t = *end_;
    } else if (t < event->time() || (side == Side::left && t == event->time())) {
      event = &before(t, side);
    }
    if (held && k > 0) return 0.0;
    const auto c = event->coefficients();
    const std::size_t order = std::min(event->order(), options_.order.value_or(Event::max_order));
    const double e = seconds(detail::difference("Interpolator::value", t, event->time()));
    const double y = detail::horner_derivative(c.data(), order, k, e);
    if (!detail::is_finite(y))
      throw Overflow(
          detail::concat("fidelity::Interpolator::value: the polynomial is not a finite number at ", to_text(t)));
    return y;
  }

  /// The newest event, if there is one.
  [[nodiscard]] std::optional<Event> last_event() const {
    if (empty()) return std::nullopt;
    return newest();
  }
  /// No event before this time will come.
  [[nodiscard]] std::optional<Time> watermark() const { return watermark_; }
  [[nodiscard]] std::optional<Time> end() const { return end_; }
  [[nodiscard]] bool finished() const { return finished_; }
  /// Number of remembered events, one a time.
  [[nodiscard]] std::size_t size() const { return kept_.size() - first_; }

  /// Can nothing change the value at t any more? For the right value an event at t itself still can; before the first
  /// event, where that is held or extrapolated, another first event can.
  [[nodiscard]] bool is_final(Time t, Side side = Side::right) const {
    if (finished_) return true;
    if (!watermark_ || !(side == Side::right ? *watermark_ > t : *watermark_ >= t)) return false;
    const bool from_first = options_.before == Outside::hold || options_.before == Outside::extrapolate;
    if (!from_first || forgotten_) return true;
    if (empty()) return false;
    const Time first = kept_[first_].event.time();
    return t > first || (side == Side::right && t == first) || *watermark_ > first;
  }

  /// Is the history at t gone?
  [[nodiscard]] bool is_forgotten(Time t, Side side = Side::right) const {
    return forgotten_ &&
           (empty() || t < kept_[first_].event.time() || (side == Side::left && t == kept_[first_].event.time()));
  }

  /// The remembered events as a trajectory: the same values, to the last bit, and the same answer before them. Throws
  /// InputError where there is none.
  [[nodiscard]] Trajectory<Scalar, Time> trajectory(std::string name = {}) const;

 private:
  struct Kept {
    Event event;
    std::optional<Scalar> replaced;  // value of the last event at this time that is not external, if `event` is not it
  };

  [[nodiscard]] bool empty() const { return kept_.size() == first_; }
  [[nodiscard]] const Event& newest() const { return kept_.back().event; }

  [[nodiscard]] const Event& before(Time t, Side side) const {
    const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto after =
        side == Side::right
            ? std::upper_bound(begin, kept_.end(), t, [](Time x, const Kept& k) { return x < k.event.time(); })
            : std::lower_bound(begin, kept_.end(), t, [](const Kept& k, Time x) { return k.event.time() < x; });
    return std::prev(after)->event;
  }

  static void require_finite(std::string_view function, Time t) {
    if (!detail::is_finite_time(t)) detail::fail(function, Rule::time_not_finite, "the time must be finite");
  }

  [[nodiscard]] bool outside(Outside policy, Time t) const {
    if (policy == Outside::error) {
      std::string known = "no event has come yet";
      if (!empty())
        known = detail::concat("known ", forgotten_ ? "still " : "", "from ", to_text(kept_[first_].event.time()),
                               end_ ? " to " + to_text(*end_) : std::string(" on"));
      detail::fail("Interpolator::value", Rule::window_outside,
                   detail::concat(to_text(t), " is outside what is known; ", known));
    }
    return policy != Outside::missing;
  }

  /// Drops what the limits no longer cover. The room is used again when half of it is free.
  void forget() {
    const auto drop = [&] {
      ++first_;
      forgotten_ = true;
    };
    while (options_.keep_events && size() > *options_.keep_events) drop();
    // The event that was valid at the limit stays.
    while (options_.keep_time && size() > 1 && newest().time() - kept_[first_ + 1].event.time() >= *options_.keep_time)
      drop();
    if (first_ > 16 && first_ >= size()) {
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

  [[noreturn]] void fail_late(std::string_view function, std::string_view sentence, Time t) const {
    std::string message = detail::concat(sentence, "; the time is ", to_text(t));
    if (watermark_) message += detail::concat(", the watermark ", to_text(*watermark_));
    if (!empty()) message += detail::concat(", the newest event ", to_text(newest().time()));
    if (end_) message += detail::concat(", the end ", to_text(*end_));
    detail::fail(function, Rule::time_not_increasing, message);
  }

  InterpolatorOptions<Time> options_;
  std::vector<Kept> kept_;  // from first_ on; times increase
  std::size_t first_ = 0;
  bool forgotten_ = false;
  std::optional<Time> watermark_, end_;
  bool finished_ = false;
};

template <std::floating_point Scalar, TimePoint Time>
Trajectory<Scalar, Time> Interpolator<Scalar, Time>::trajectory(std::string name) const {
  std::vector<Event> events;
  for (std::size_t i = first_; i < kept_.size(); ++i) {
    const auto& [event, replaced] = kept_[i];
    if (replaced) {
      const double held = static_cast<double>(*replaced);
      events.emplace_back("Interpolator::trajectory", event.time(), std::span<const double>(&held, 1),
                          EventKind::internal);
    }
    events.push_back(event);
  }
  return Trajectory<Scalar, Time>(events, {.order = options_.order,
                                           .end = end_,
                                           .before = forgotten_ ? options_.forgotten : options_.before,
                                           .after = options_.after,
                                           .name = std::move(name)});
}

}  // namespace fidelity
