// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/logic.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/resample.hpp>

// What the steady state detection looks at: samples or means of cells, in pieces without a gap.
namespace fidelity::detail {

/// Good samples in a row without a gap.
template <TimePoint Time>
struct SteadyPiece {
  std::vector<Time> stamps;
  std::vector<double> seconds;  ///< since the first stamp
  std::vector<double> values;
  Time end;  ///< of what the last sample covers

  void add(Time stamp, double value) {
    seconds.push_back(stamps.empty() ? 0.0 : fidelity::seconds(stamp - stamps.front()));
    stamps.push_back(stamp);
    values.push_back(value);
  }
};

template <TimePoint Time>
struct SteadyInput {
  std::vector<SteadyPiece<Time>> pieces;
  Duration<Time> longest_pause{};
  std::optional<Duration<Time>> median_step = {};
};

/// The samples of a linear series with a stamp in the range, both ends included.
template <class Scalar, TimePoint Time>
SteadyInput<Time> samples_in_pieces(const SeriesBase<Scalar, Time>& series, const Scope<Time>& scope) {
  SteadyInput<Time> input;
  const auto times = series.times();
  const Time last = std::min(scope.range.end, scope.limit);
  std::vector<Duration<Time>> steps;
  bool open = false;
  auto i = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), scope.range.begin) - times.begin());
  for (; i < times.size() && times[i] <= last; ++i) {
    const auto value = static_cast<double>(series(i));
    if (!is_finite(value)) {
      open = false;
      continue;
    }
    if (open) {
      const Duration<Time> step = times[i] - times[i - 1];
      open = !(series.max_gap() && step > *series.max_gap());
      if (open) {
        input.longest_pause = std::max(input.longest_pause, step);
        if (step > Duration<Time>{}) steps.push_back(step);
      }
    }
    if (!std::exchange(open, true)) input.pieces.emplace_back();
    input.pieces.back().add(times[i], value);
    input.pieces.back().end = times[i];
  }
  if (!steps.empty()) {
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    input.median_step = *middle;
    if (steps.size() % 2 == 0) {
      const Duration<Time> below = *std::max_element(steps.begin(), middle);
      input.median_step = below + (*middle - below) / 2;
    }
  }
  return input;
}

/// Time-weighted means over the cells of a signal that end within the range. A cell without a known part ends a piece.
template <class S>
SteadyInput<typename S::time_type> cells_in_pieces(const S& signal, const Scope<typename S::time_type>& scope,
                                                   Duration<typename S::time_type> step,
                                                   const std::optional<typename S::time_type>& as_of) {
  using Time = typename S::time_type;
  SteadyInput<Time> input;
  input.median_step = step;
  const Window<Time> whole{scope.range.begin, std::min(scope.range.end, scope.limit)};
  if (whole.empty()) return input;
  constexpr double most = 1e8;
  if (!(seconds(whole.length()) / seconds(step) <= most))
    fail("steady_state", Rule::bad_parameter, "`step` makes more than 1e8 cells of the range",
         {.value = seconds(step)});
  const Time known_end = as_of ? std::min(whole.end, known_until(signal, *as_of)) : whole.end;
  const std::vector<Time> edges = grid_times(Every<Duration<Time>>{step}, whole);

  std::optional<Time> known_to;  // end of the last value in the piece
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    CompensatedSum sum, length;
    std::optional<double> reference;
    const Window<Time> cell{edges[k], std::min(edges[k + 1], known_end)};
    if (!cell.empty()) {
      for_each_piece(signal, cell, [&](const Segment<Time>& segment) {
        CentredPiece part = centred(segment, cell.begin);
        if (!reference) reference = part.c[0];
        part.c[0] -= *reference;
        sum.add(part.integral());
        length.add(2 * part.half);
        if (known_to) input.longest_pause = std::max(input.longest_pause, segment.window.begin - *known_to);
        known_to = segment.window.end;
      });
    }
    if (!reference) {
      known_to.reset();
      continue;
    }
    const double mean = *reference + sum.value() / length.value();
    if (!is_finite(mean)) throw Overflow("fidelity::steady_state: the mean of a cell is not a finite number");
    if (input.pieces.empty() || input.pieces.back().end != edges[k]) input.pieces.emplace_back();
    input.pieces.back().add(edges[k], mean);
    input.pieces.back().end = edges[k + 1];
  }
  if constexpr (SampledSignal<S>) {
    for (const auto& piece : input.pieces)
      for_each_piece(signal, {piece.stamps.front(), std::min(piece.end, known_end)}, [&](const Segment<Time>& segment) {
        input.longest_pause = std::max(input.longest_pause, segment.window.length());
      });
  }
  return input;
}

}  // namespace fidelity::detail
