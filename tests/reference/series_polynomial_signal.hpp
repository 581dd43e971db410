// SPDX-License-Identifier: MIT
// The smallest Signal that is not a series: a list of polynomial pieces with gaps between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fidelity/series/segment.hpp>
#include <fidelity/series/signal.hpp>

namespace series_test {

/// Pieces in order of time. The last one is closed at its end, as the domain of a trajectory is.
template <class Time>
struct PolynomialSignal {
  using time_type = Time;
  std::vector<fidelity::Segment<Time>> pieces;

  std::size_t segment_count() const { return pieces.size(); }
  std::optional<fidelity::Segment<Time>> segment(std::size_t i) const {
    if (i >= pieces.size()) return std::nullopt;
    return pieces[i];
  }
  std::optional<std::size_t> segment_at(Time t) const {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < pieces.size() && pieces[i].window.begin <= t; ++i) last = i;
    return last;
  }
  std::optional<double> value(Time t, fidelity::Side side = fidelity::Side::right) const {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const auto& piece = pieces[side == fidelity::Side::right ? pieces.size() - 1 - k : k];
      const bool last = &piece == &pieces.back();
      const bool left_limit = piece.window.begin < t && t <= piece.window.end;
      const bool right_limit = piece.window.contains(t) || (last && t == piece.window.end);
      if (side == fidelity::Side::right ? right_limit : left_limit) return piece(t);
    }
    return std::nullopt;
  }
  fidelity::Window<Time> span() const { return {pieces.front().window.begin, pieces.back().window.end}; }
};

/// From events: a time and the Taylor coefficients from there to the next event, as of a quantised-state simulator.
template <class Time>
PolynomialSignal<Time> from_events(const std::vector<std::pair<Time, std::vector<double>>>& events, Time end) {
  PolynomialSignal<Time> signal;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Time until = i + 1 < events.size() ? events[i + 1].first : end;
    fidelity::Segment<Time> piece{{events[i].first, until}, events[i].first, {}, events[i].second.size() - 1};
    std::copy(events[i].second.begin(), events[i].second.end(), piece.coefficients.begin());
    signal.pieces.push_back(piece);
  }
  return signal;
}

static_assert(fidelity::Signal<PolynomialSignal<double>>);
static_assert(fidelity::Signal<PolynomialSignal<fidelity::Timestamp>>);

}  // namespace series_test
