// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/detail/polynomial.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity::detail {

/// The levels offset + k * quantum, and the two that the signal may reach next.
class Levels {
 public:
  Levels(double quantum, double offset) : quantum_(quantum), offset_(offset) {
    if (!is_finite(quantum) || !(quantum > 0))
      fail("LevelSampler", Rule::bad_parameter, "the quantum must be positive and finite", {.value = quantum});
    if (!is_finite(offset)) fail("LevelSampler", Rule::bad_parameter, "the offset must be finite", {.value = offset});
  }
  /// The last event has the value x: a level, or some value between two.
  void emitted(double x) {
    const double k = (x - offset_) / quantum_, nearest = std::round(k);
    if (!(std::abs(k) < 0x1p52) || !(std::abs(x) + quantum_ > std::abs(x)))
      fail("LevelSampler", Rule::bad_parameter, "the quantum is below the rounding of the signal", {.value = quantum_});
    if (level(nearest) == x) {
      below_ = nearest - 1, above_ = nearest + 1;
    } else {  // the quotient may be rounded across a level
      below_ = level(std::floor(k)) < x ? std::floor(k) : std::floor(k) - 1;
      above_ = level(below_ + 1) > x ? below_ + 1 : below_ + 2;
    }
  }
  [[nodiscard]] double below() const { return level(below_); }
  [[nodiscard]] double above() const { return level(above_); }

 private:
  [[nodiscard]] double level(double k) const { return offset_ + k * quantum_; }
  double quantum_, offset_, below_ = 0, above_ = 0;
};

/// The first place in (from, end) where the piece has the value `level`.
inline std::optional<double> first_place(Coefficients c, std::size_t degree, double level, double from, double end) {
  c[0] -= level;
  const Roots roots = roots_between(c, degree, from, end);
  return roots.count > 0 ? std::optional(roots.values[0]) : std::nullopt;
}

/// Calls emit(time, coefficients) for each event of a LevelSampler.
template <Signal S, class Emit>
void walk_levels(const S& signal, double quantum, double offset, Emit emit) {
  using Time = typename S::time_type;
  Levels levels(quantum, offset);
  if (signal.span().empty())
    fail("LevelSampler", Rule::empty, "the signal is one instant long; a trajectory of one event has no end by itself");
  std::optional<Segment<Time>> before;
  const auto emit_at = [&](const Segment<Time>& piece, Time t, double e, double value) {
    Coefficients c = shifted(piece.coefficients, piece.degree, e);
    c[0] = value;
    levels.emitted(value);
    emit(t, c);
  };
  // The value went from `from` to `to` at one time: is there an event, and with which value?
  const auto reached = [&](double from, double to, bool jump) -> std::optional<double> {
    const double low = std::min(from, to), high = std::max(from, to);
    if (high < levels.above() && low > levels.below()) return std::nullopt;
    if (jump) return to;
    return high >= levels.above() ? levels.above() : levels.below();
  };

  for_each_piece(signal, signal.span(), [&](const Segment<Time>& piece) {
    const double begin = piece.seconds_to(piece.window.begin);
    const double end = piece.degree > 0 ? piece.seconds_to(piece.window.end) : begin;
    const double first = piece.at(begin);
    if (!before) {
      emit_at(piece, piece.window.begin, begin, first);
    } else {
      if (before->window.end != piece.window.begin)
        fail("LevelSampler", Rule::window_outside,
             concat("the signal is missing from ", to_text(before->window.end), " on"));
      if (const auto value = reached((*before)(piece.window.begin), first, jumps_in(signal, *before, piece)))
        emit_at(piece, piece.window.begin, begin, *value);
    }
    double from = begin;
    while (piece.degree > 0) {
      const double low = levels.below(), high = levels.above();
      const auto down = first_place(piece.coefficients, piece.degree, low, from, end);
      const auto up = first_place(piece.coefficients, piece.degree, high, from, end);
      if (!down && !up) break;
      const bool rises = up && (!down || *up < *down);
      from = rises ? *up : *down;
      emit_at(piece, std::min(detail::offset("LevelSampler", piece.origin, from), piece.window.end), from,
              rises ? high : low);
    }
    before = piece;
  });
  if (!before) fail("LevelSampler", Rule::empty, "the signal is missing everywhere");
  const double last = (*before)(before->window.end);
  if (const auto value = reached(last, last, false))
    emit_at(*before, before->window.end, before->seconds_to(before->window.end), *value);
}

}  // namespace fidelity::detail
