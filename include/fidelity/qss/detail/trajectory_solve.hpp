// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fidelity/qss/detail/trajectory_data.hpp>
#include <fidelity/qss/level_times.hpp>
#include <fidelity/series/detail/polynomial.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity::detail {

/// Walks the segments from left to right and remembers on which side of the level the trajectory was last. A point on
/// the level is kept back until the side after it is known.
template <class Scalar, TimePoint Time>
class LevelSearch {
 public:
  LevelSearch(const TrajectoryData<Scalar, Time>& data, double level) : d_(data), level_(level) {}

  LevelTimes<Time> run() {
    for (std::size_t i = 0; i < d_.knots.size(); ++i) {
      if (i + 1 < d_.knots.size())
        visit(i, d_.knots[i + 1]);
      else if (!d_.end || d_.knots[i] < *d_.end)
        visit(i, d_.end.value_or(time_limit<Time>()));
      else if (on_level_at_end_ = false; first_value(i) == level_)
        meet(d_.knots[i]);  // an event at the end: its value counts, not the limit
    }
    if (on_level_at_end_ && !pending_) meet(*d_.end);
    if (pending_) settle(d_.end && *pending_ == *d_.end ? Meeting::end : Meeting::touch);
    if (flat_since_) found_.flat.push_back({*flat_since_, flat_until_});
    return std::move(found_);
  }

 private:
  /// The trajectory is on the level at t: the kind is decided by what follows.
  void meet(Time t) {
    if (pending_) settle(Meeting::touch);
    pending_ = t;
  }

  /// From the last meeting on the trajectory is on this side, -1 or 1.
  void turn_to(int side) {
    if (pending_) {
      const bool same = side_ == side;
      settle(*pending_ == d_.knots.front() && side_ == 0 ? Meeting::start
             : same                                      ? Meeting::touch
             : side > 0                                  ? Meeting::up
                                                         : Meeting::down);
    }
    side_ = side;
  }

  void settle(Meeting kind) {
    found_.points.push_back({*pending_, kind});
    pending_.reset();
  }

  void visit(std::size_t i, Time until) {
    const double first = first_value(i) - level_;
    const bool endless = !d_.end && i + 1 == d_.knots.size();
    const double length = endless ? 0 : seconds(until - d_.knots[i]);
    on_level_at_end_ = false;

    Segment<Time> piece = segment(i, until);
    piece.coefficients[0] = first;
    if (piece.degree == 0 && first == 0) return stay(i, until);
    if (!endless && surely_no_root(piece.coefficients, piece.degree, 0, length))
      return begin_with(i, first > 0 ? 1 : -1);

    const double end = search_end(piece, piece.coefficients);
    Roots roots = roots_between(piece.coefficients, piece.degree, 0, end);
    on_level_at_end_ = !endless && sign_of(piece.coefficients, piece.degree, end) == 0;
    const std::size_t inside = roots.count;
    if (i + 1 < d_.knots.size() && roots.count > 0 && !jump_at(i + 1))
      leave_to_knot(roots, piece.coefficients, piece.degree, end, first_value(i + 1) - level_);
    // A root with the stamp of the end belongs to the knot there, or is the end.
    while (roots.count > 0 && !endless) {
      const double root = roots.values[roots.count - 1];
      if (end - root > 4e-16 * end && offset("Trajectory::solve", piece.origin, root) < until) break;
      --roots.count;
    }
    if (roots.count < inside) on_level_at_end_ = true;

    double from = 0;
    for (std::size_t k = 0; k <= roots.count; ++k) {
      const double to = k < roots.count ? roots.values[k] : end;
      const int side = sign_of(piece.coefficients, piece.degree, from + 0.5 * (to - from));
      if (side != 0) k == 0 ? begin_with(i, side) : turn_to(side);
      if (k < roots.count) meet(std::min(offset("Trajectory::solve", piece.origin, to), until));
      from = to;
    }
  }

  /// Segment i begins, on this side of the level after its first instant.
  void begin_with(std::size_t i, int side) {
    close_flat();
    const bool on_level = first_value(i) == level_ && !after_flat_;
    if (on_level) {
      meet(d_.knots[i]);
    } else if (side_ != 0 && side != side_ && !after_flat_ && !jump_at(i)) {
      meet(d_.knots[i]);  // the passage is hidden in the rounding at the knot
    }
    after_flat_ = false;
    turn_to(side);
  }

  void stay(std::size_t i, Time until) {
    if (!flat_since_) flat_since_ = d_.knots[i];
    flat_until_ = until;
    if (pending_) settle(Meeting::touch);
  }
  void close_flat() {
    if (!flat_since_) return;
    found_.flat.push_back({*flat_since_, flat_until_});
    flat_since_.reset();
    after_flat_ = true;
  }

  [[nodiscard]] double first_value(std::size_t i) const { return static_cast<double>(d_.row(i)[0]); }

  [[nodiscard]] Segment<Time> segment(std::size_t i, Time until) const {
    Segment<Time> piece{{d_.knots[i], until}, d_.knots[i], {}, 0};
    for (std::size_t k = 0; k <= d_.order; ++k) {
      piece.coefficients[k] = static_cast<double>(d_.row(i)[k]);
      if (piece.coefficients[k] != 0) piece.degree = k;
    }
    return piece;
  }

  /// Does the value jump at knot i > 0? Simulators sum in double, and their stamps are rounded.
  [[nodiscard]] bool jump_at(std::size_t i) const {
    const auto before = segment(i - 1, d_.knots[i]);
    return jumps(before, segment(i, d_.knots[i]), stamp_rounding(before.window));
  }

  const TrajectoryData<Scalar, Time>& d_;
  double level_;
  LevelTimes<Time> found_;
  int side_ = 0;                 // of the last stretch that was not on the level
  std::optional<Time> pending_;  // on the level there, the side after it is not known yet
  std::optional<Time> flat_since_;
  Time flat_until_{};
  bool after_flat_ = false;
  bool on_level_at_end_ = false;  // the last segment arrives at the level
};

}  // namespace fidelity::detail
