// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/segment.hpp>

namespace fidelity {

/// A piecewise polynomial of time with one channel: what every question about a signal is asked of. A one-channel
/// series and a trajectory of a quantised-state simulator are models.
///
/// `segment(i)` for i < segment_count() gives the pieces in order of time, or nothing where the signal is missing;
/// `segment_at(t)` is the last place that begins at or before t; `value(t, side)` also answers at instants without
/// length (an isolated sample); `span()` is the first and last instant at which something is known.
template <class S>
concept Signal = TimePoint<typename S::time_type> && requires(const S& signal, std::size_t i, typename S::time_type t) {
  { signal.segment_count() } -> std::convertible_to<std::size_t>;
  { signal.segment(i) } -> std::same_as<std::optional<Segment<typename S::time_type>>>;
  { signal.segment_at(t) } -> std::same_as<std::optional<std::size_t>>;
  { signal.value(t, Side::left) } -> std::same_as<std::optional<double>>;
  { signal.span() } -> std::same_as<Window<typename S::time_type>>;
};

/// The value at t, or nothing where the signal is missing. O(log n).
template <Signal S>
[[nodiscard]] std::optional<double> value_at(const S& signal, typename S::time_type t, Side side = Side::right) {
  if (!detail::is_finite_time(t)) detail::fail("value_at", Rule::time_not_finite, "the time must be finite");
  return signal.value(t, side);
}

namespace detail {
/// How far the stamp at the end of a piece may be off, in seconds, where it was rounded: a tick, or a few units in the
/// last place.
template <TimePoint Time>
double stamp_rounding(const Window<Time>& window) {
  const auto of = [](double begin, double end) {
    return 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
  };
  if constexpr (std::same_as<Time, double>) {
    return of(window.begin, window.end);
  } else if constexpr (std::floating_point<typename Time::rep>) {
    return of(seconds(window.begin.time_since_epoch()), seconds(window.end.time_since_epoch()));
  } else {
    return seconds(Duration<Time>{1});
  }
}

/// How far a polynomial may move within `duration` seconds about e.
inline double movement(const Coefficients& c, std::size_t degree, double e, double duration) {
  const Coefficients about = shifted(c, degree, e);
  double moved = 0;
  for (std::size_t k = degree; k > 0; --k) moved = (moved + std::abs(about[k])) * duration;
  return moved;
}

/// Are the limits of two pieces that touch different, by more than rounding? `stamp` seconds is how far the time where
/// they touch may be off.
template <TimePoint Time>
bool jumps(const Segment<Time>& before, const Segment<Time>& after, double stamp) {
  const double end = before.seconds_to(before.window.end), begin = after.seconds_to(after.window.begin);
  const auto left = evaluate(before.coefficients, before.degree, end);
  const auto right = evaluate(after.coefficients, after.degree, begin);
  const double rounding = before.degree + after.degree > 0 ? 4e-16 * std::abs(right.value) : 0;
  // The coefficients are sums themselves, of numbers as large as the terms of the polynomial.
  const double beyond = std::abs(left.value - right.value) - (8 * (left.error + right.error) + rounding);
  if (!(beyond > 0)) return false;
  return beyond > std::max(movement(before.coefficients, before.degree, end, stamp),
                           movement(after.coefficients, after.degree, begin, stamp));
}

/// The same for two pieces of a signal. A simulator rounds the stamp for which it computed a value; a sample has the
/// stamp that it has.
template <class S, TimePoint Time>
bool jumps_in(const S&, const Segment<Time>& before, const Segment<Time>& after) {
  return jumps(before, after, SampledSignal<S> ? 0 : stamp_rounding(before.window));
}

/// Takes away the last roots of a piece that only rounding keeps apart from its end: the next piece, without a jump,
/// begins with `next`, which is not on the side to which those roots lead. The passage then belongs to the knot.
inline void leave_to_knot(Roots& roots, const Coefficients& c, std::size_t degree, double end, double next) {
  const double last = evaluate_twice(c, degree, end).value;
  if ((last > 0 && next > 0) || (last < 0 && next < 0)) return;
  const double gap = std::abs(last - next);
  while (roots.count > 0) {
    const double root = roots.values[roots.count - 1];
    if (std::abs(evaluate_twice(c, degree, root + 0.5 * (end - root)).value) > gap) break;
    --roots.count;
  }
}

/// Where to stop looking for roots of `c` in a piece, in seconds from its origin. A piece without an end is searched as
/// far as it can have roots (Fujiwara 1916) or the time type reaches.
template <TimePoint Time>
double search_end(const Segment<Time>& piece, const Coefficients& c) {
  if (piece.degree == 0) return 1;
  if (piece.window.end != time_limit<Time>()) return piece.seconds_to(piece.window.end);
  double end = 0;
  for (std::size_t k = 1; k <= piece.degree; ++k)
    end = std::max(end, std::pow(std::abs(c[piece.degree - k] / c[piece.degree]), 1.0 / static_cast<double>(k)));
  end = 2 * std::max(end, piece.seconds_to(piece.window.begin)) + 1;
  if constexpr (!std::same_as<Time, double>)
    end = std::min(
        end, (seconds(time_limit<Time>().time_since_epoch()) - seconds(piece.origin.time_since_epoch())) * (1 - 1e-12));
  if (is_finite(evaluate(c, piece.degree, end).value)) return end;
  // No term overflows up to here, and beyond it there is no root where all terms about it have one sign.
  double reach = time_limit<double>();
  for (std::size_t k = 1; k <= piece.degree; ++k)
    if (c[k] != 0) reach = std::min(reach, std::pow(1e300 / std::abs(c[k]), 1.0 / static_cast<double>(k)));
  if (reach > piece.seconds_to(piece.window.begin)) {
    const Coefficients about = shifted(c, piece.degree, reach);
    const auto [low, high] = std::minmax_element(about.begin(), about.end());
    if (!(*low < 0 && *high > 0)) return reach;
  }
  throw Overflow(concat("fidelity::crossings: the last piece, from ", to_text(piece.window.begin),
                        " on without an end, leaves the range of numbers"));
}

/// Is it certain at little cost that the polynomial has no root in [begin, end]? Up to degree 3 it lies between its
/// Bernstein coefficients on [0, end]; otherwise c[0] is compared with how far the other terms can reach.
inline bool surely_no_root(const Coefficients& c, std::size_t degree, double begin, double end) {
  const double reach = std::max(std::abs(begin), std::abs(end));
  double moved = 0;
  for (std::size_t k = degree; k > 0; --k) moved = (moved + std::abs(c[k])) * reach;
  const double rounding = 1e-14 * (moved + std::abs(c[0]));
  if (std::abs(c[0]) > moved + rounding) return true;
  if (degree > 3 || begin < 0) return false;
  const double p = c[1] * end / 3, q = c[2] * end * end / 3, r = c[3] * end * end * end;
  const double b1 = c[0] + p, b2 = b1 + p + q, b3 = b2 + p + 2 * q + r;
  return std::min({c[0], b1, b2, b3}) > rounding || std::max({c[0], b1, b2, b3}) < -rounding;
}
}  // namespace detail

/// The way a signal passes a level: from below to above, or back.
enum class Direction { up, down };

/// One passage of a signal from below a level to above it (up) or back (down).
template <TimePoint Time>
struct Crossing {
  Time time;
  Direction direction;
  bool jump;  ///< the signal jumps at this time, it does not pass through the level
  friend bool operator==(const Crossing&, const Crossing&) = default;
};

/// All times at which the signal goes from below `level` to above it or back, ascending. Exact for pieces of every
/// degree: closed form up to degree 2, bracketed between turning points above (relative error about 1e-15); integer
/// times are rounded to the nearest tick. A touch is no crossing; a crossing through a stretch on the level is
/// reported once, at its begin. Where two pieces touch but for the rounding of values and stamps (that of a stamp is
/// looked at for signals without samples), a passage is one crossing and no jump; pieces no longer than that rounding
/// can still be crossed more than once. Across a gap nothing is reported. O(n) for n segments. Throws InputError for a
/// level that is not finite.
template <Signal S>
[[nodiscard]] std::vector<Crossing<typename S::time_type>> crossings(const S& signal, double level) {
  using Time = typename S::time_type;
  if (!detail::is_finite(level))
    detail::fail("crossings", Rule::bad_parameter, "the level must be finite", {.value = level});

  std::vector<Crossing<Time>> found;
  int last = 0;                    // side of the last stretch that was not on the level
  std::optional<Time> zero_since;  // begin of the stretch on the level that follows it

  // `before` and `next` are the pieces that touch this one, where there are such.
  using Piece = std::optional<Segment<Time>>;
  const auto look_through = [&](const Segment<Time>& piece, const Piece& before, const Segment<Time>* next) {
    detail::Coefficients c = piece.coefficients;
    c[0] -= level;
    const double begin = piece.seconds_to(piece.window.begin);
    const double end = detail::search_end(piece, c);
    detail::Roots roots;
    if (!detail::surely_no_root(c, piece.degree, begin, end))
      roots = detail::roots_between(c, piece.degree, begin, end);
    if (next != nullptr && roots.count > 0 && !detail::jumps_in(signal, piece, *next))
      detail::leave_to_knot(roots, c, piece.degree, end, (*next)(next->window.begin) - level);
    double from = begin;
    for (std::size_t k = 0; k <= roots.count; ++k) {
      const double to = k < roots.count ? roots.values[k] : end;
      // A root within rounding of the end belongs to the next piece, whose first value is exact.
      if (k < roots.count && end - to <= 4e-16 * std::max(std::abs(begin), std::abs(end))) continue;
      const int side = detail::sign_of(c, piece.degree, from + 0.5 * (to - from));
      const Time since = k == 0 ? piece.window.begin : detail::offset("crossings", piece.origin, from);
      if (side == 0) {
        if (!zero_since) zero_since = since;
      } else {
        if (last != 0 && side != last) {
          const bool jump = k == 0 && !zero_since && before && detail::jumps_in(signal, *before, piece);
          found.push_back({zero_since.value_or(since), side > 0 ? Direction::up : Direction::down, jump});
        }
        last = side;
        zero_since.reset();
      }
      from = to;
    }
  };

  Piece before, waiting;  // a piece waits until it is known what follows
  detail::for_each_piece(signal, {signal.span().begin, detail::time_limit<Time>()}, [&](const Segment<Time>& piece) {
    const bool touches = waiting && waiting->window.end == piece.window.begin;
    if (waiting) look_through(*waiting, before, touches ? &piece : nullptr);
    if (touches) {
      before = waiting;
    } else {
      before.reset();
      last = 0;
      zero_since.reset();
    }
    waiting = piece;
  });
  if (waiting) look_through(*waiting, before, nullptr);
  return found;
}

}  // namespace fidelity
