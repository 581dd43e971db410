// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/trajectory_access.hpp>
#include <fidelity/qss/detail/trajectory_data.hpp>
#include <fidelity/qss/level_times.hpp>
#include <fidelity/qss/outside.hpp>
#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

/// What is to be made of a list of events.
template <TimePoint Time = double>
struct TrajectoryOptions {
  std::optional<std::size_t> order = {};  ///< use only coefficients up to this one, for derivatives too
  std::optional<Time> end = {};           ///< the domain ends here, closed; without it the last polynomial goes on
  bool sort = false;                      ///< order events by time, keeping the order of equal times
  Outside before = Outside::missing;      ///< the answer for a time before the first event
  Outside after = Outside::missing;       ///< the answer for a time after the end
  std::string name = {};
};

/// The smooth signal that the events of a quantised-state simulator stand for: from each event on, until the next, its
/// Taylor polynomial. It models Signal: mean, minimum, standard_deviation, crossings, resample, check, steady_state and
/// all else that asks a signal work on it exactly. Made of events of the interpolator port it is the state x; made of
/// events of the normal port it is the quantised state q and nothing else.
///
/// Right-continuous: at an event the new polynomial counts. Of several events at one time the last one counts; the left
/// limit comes from the last earlier time. The domain reaches from the first event to the end, which belongs to it;
/// without an end (none given and no event of kind `end`) the last polynomial goes on for ever.
///
/// It never changes and copies share the events, so a copy is cheap and safe to read from several threads. To add
/// events there is Interpolator.
template <std::floating_point Scalar = double, TimePoint Time = double>
class Trajectory {
 public:
  using scalar_type = Scalar;
  using time_type = Time;
  using Event = TaylorEvent<Scalar, Time>;

  /// From events in order of time. O(n). Throws InputError for no events, for a time that runs backward (unless they
  /// are to be sorted), an order above 7 and an end before the last event; Overflow where a polynomial leaves the range
  /// of numbers before the next event.
  explicit Trajectory(std::span<const Event> events, TrajectoryOptions<Time> options = {})
      : data_(from_events(events, std::move(options))) {}
  Trajectory(std::initializer_list<Event> events, TrajectoryOptions<Time> options = {})
      : Trajectory(std::span<const Event>(events.begin(), events.size()), std::move(options)) {}

  // Moving is copying: the events are shared, and a moved-from trajectory stays whole.
  Trajectory(const Trajectory&) = default;
  Trajectory& operator=(const Trajectory&) = default;
  ~Trajectory() = default;

  /// Degree of the polynomials, 0 to 7.
  [[nodiscard]] std::size_t order() const { return data_->order; }
  [[nodiscard]] std::string_view name() const { return data_->name; }
  /// The times of the events, each once, increasing.
  [[nodiscard]] std::span<const Time> knots() const& { return data_->knots; }
  std::span<const Time> knots() const&& = delete;  // would dangle
  /// The end of the domain, where there is one.
  [[nodiscard]] std::optional<Time> end() const { return data_->end; }
  /// The order() + 1 Taylor coefficients from knot i on; i < knots().size() is not checked.
  [[nodiscard]] std::span<const Scalar> coefficients(std::size_t i) const& { return {data_->row(i), order() + 1}; }
  std::span<const Scalar> coefficients(std::size_t i) const&& = delete;
  /// Why there is a knot: the kind of the last event there.
  [[nodiscard]] EventKind kind(std::size_t i) const { return data_->kinds[i]; }
  /// The events of which the same trajectory can be made: the last one at each knot, before it the value that it
  /// replaced if held() passes through that one, and one of kind `end` where there is an end.
  [[nodiscard]] std::vector<Event> events() const;

  // --- the signal (model of Signal) ---

  [[nodiscard]] std::size_t segment_count() const { return data_->knots.size(); }

  /// The piece from knot i to the next; nothing for one without length (an event at the end).
  [[nodiscard]] std::optional<Segment<Time>> segment(std::size_t i) const {
    const auto& d = *data_;
    if (i >= d.knots.size()) return std::nullopt;
    const Time until = i + 1 < d.knots.size() ? d.knots[i + 1] : d.end.value_or(detail::time_limit<Time>());
    if (!(d.knots[i] < until)) return std::nullopt;
    std::optional<Segment<Time>> piece(Segment<Time>{{d.knots[i], until}, d.knots[i], {}, 0});
    const Scalar* const row = d.row(i);
    for (std::size_t k = 0; k <= d.order; ++k) {
      piece->coefficients[k] = static_cast<double>(row[k]);
      if (row[k] != 0) piece->degree = k;
    }
    return piece;
  }

  /// The last knot at or before t; nothing before the first. O(1) where knots are spread evenly, else O(log n).
  [[nodiscard]] std::optional<std::size_t> segment_at(Time t) const {
    if (t < data_->knots.front()) return std::nullopt;
    return data_->index.find(data_->knots, t);
  }

  /// Value at t; outside the domain what the options say, by default nothing. Throws InputError for a time that is not
  /// finite, Overflow where the polynomial has left the range of numbers.
  [[nodiscard]] std::optional<double> value(Time t, Side side = Side::right) const {
    const auto& d = *data_;
    if (side == Side::right && d.knots.front() <= t && t < d.knots.back()) {
      const std::size_t i = d.index.find_from(d.knots, t, d.index.first_guess(t));
      return detail::horner(d.row(i), d.order, seconds(t - d.knots[i]));
    }
    return derivative(t, 0, side);
  }

  /// First and last instant of the domain. Without an end the last event stands for it, as for a held series.
  [[nodiscard]] Window<Time> span() const { return {data_->knots.front(), data_->end.value_or(data_->knots.back())}; }

  // --- derivatives and integrals ---

  /// The k-th derivative at t, in unit of the value per second^k; otherwise as value().
  [[nodiscard]] std::optional<double> derivative(Time t, std::size_t k = 1, Side side = Side::right) const {
    const auto& d = *data_;
    if (!detail::is_finite_time(t))
      detail::fail("Trajectory::value", Rule::time_not_finite, "the time must be finite", {.name = d.name});
    std::size_t i = 0;
    bool held = false;
    if (t < d.knots.front() || (side == Side::left && t == d.knots.front())) {
      if (!answered_outside(d.before, t, held)) return std::nullopt;
      if (held) t = d.knots.front();
    } else if (d.end && t > *d.end) {
      if (!answered_outside(d.after, t, held)) return std::nullopt;
      if (held) t = *d.end;
      i = d.knots.size() - 1;
    } else {
      i = d.index.find(d.knots, t);
      if (side == Side::left && d.knots[i] == t) --i;
    }
    if (held && k > 0) return 0.0;
    const double e = seconds(detail::difference("Trajectory::value", t, d.knots[i]));
    const double y = detail::horner_derivative(d.row(i), d.order, k, e);
    if (!detail::is_finite(y))
      throw Overflow(
          detail::concat("fidelity::Trajectory::value: the polynomial is not a finite number at ", to_text(t)));
    return y;
  }

  /// The derivative, of order - 1 with the same knots, right-continuous: jumps of the value leave no trace in it.
  [[nodiscard]] Trajectory derivative() const;
  /// The integral from the first knot on: of order + 1, continuous, 0 at the first knot. Throws InputError for order 7.
  [[nodiscard]] Trajectory antiderivative() const;

  // --- other readings of the same events, each a trajectory of its own ---

  /// Only coefficients up to `order`, for derivatives too: what a simulator of lower order would have sent.
  [[nodiscard]] Trajectory truncated(std::size_t order) const;
  /// The value of the last event that is not external, held: what a plot of the plain events shows. Throws InputError
  /// where all events are external.
  [[nodiscard]] Trajectory held() const;
  /// Straight lines between events that are not external; from the last one to the value at the end. Without an end
  /// it ends with the last such event, since a line needs its second point.
  [[nodiscard]] Trajectory linear() const;

  // --- questions ---

  /// All times in the domain at which the value is `level`. O(n); segments that cannot reach the level are skipped.
  /// Throws InputError for a level that is not finite.
  [[nodiscard]] LevelTimes<Time> solve(double level) const;

  /// Knots where the left and the right value differ by more than `tolerance`, a number >= 0. Without resets the state
  /// of a quantised-state simulator has none but for rounding: a jump marks a reset or a fault of the source.
  [[nodiscard]] std::vector<Time> jumps(double tolerance) const { return knots_where_differ("jumps", 0, tolerance); }
  /// Knots where the left and the right slope differ by more than `tolerance`, per second.
  [[nodiscard]] std::vector<Time> kinks(double tolerance) const { return knots_where_differ("kinks", 1, tolerance); }

  /// The values at many times, written to `out` (as many); NaN where the trajectory is missing, as in a series. The
  /// same bits as value() gives. Any order of times is right; increasing ones take a nanosecond or two each, others
  /// about as long as value(). Throws InputError where the sizes differ and as value().
  void sample(std::span<const Time> times, std::span<double> out, Side side = Side::right) const;
  /// The same on a grid, without a list of times.
  void sample(const Grid<Time>& grid, std::span<double> out, Side side = Side::right) const;

 private:
  using Data = detail::TrajectoryData<Scalar, Time>;

  /// Is there an answer, and is it a held value?
  bool answered_outside(Outside policy, Time t, bool& held) const {
    if (policy == Outside::error)
      detail::fail("Trajectory::value", Rule::window_outside,
                   detail::concat(to_text(t), " is outside the domain from ", to_text(span().begin), " to ",
                                  to_text(span().end)),
                   {.name = data_->name});
    held = policy == Outside::hold;
    return policy != Outside::missing;
  }

  friend struct detail::TrajectoryAccess;
  explicit Trajectory(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  static std::shared_ptr<const Data> from_events(std::span<const Event> events, TrajectoryOptions<Time>&& options);
  [[nodiscard]] std::vector<Time> knots_where_differ(std::string_view function, std::size_t k, double tolerance) const;

  std::shared_ptr<const Data> data_;  // never written after construction
};

template <class Scalar, TimePoint Time>
Trajectory(const std::vector<TaylorEvent<Scalar, Time>>&, TrajectoryOptions<Time> = {}) -> Trajectory<Scalar, Time>;

}  // namespace fidelity

#include <fidelity/qss/detail/trajectory_functions.hpp>
