// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <fidelity/sampling/change_points.hpp>
#include <fidelity/sampling/detail/line_fit.hpp>
#include <fidelity/sampling/segment_costs.hpp>

// The segments of one piece, on plain numbers.
namespace fidelity::detail {

/// Samples begin <= i < end of a piece with their line.
struct LineSegment {
  std::size_t begin, end;
  LineFit line;
};

inline LineFit line_of(std::span<const double> times, std::span<const double> values, std::size_t begin,
                       std::size_t end) {
  return fit_line(times.subspan(begin, end - begin), values.subspan(begin, end - begin));
}

/// Moves each change point, once from left to right, to the place within 5 samples where the squared residuals about
/// the lines before and after it are least; segments keep m >= 3 samples. On ties the smallest move, then the earlier.
inline void refine_change_points(std::span<const double> times, std::span<const double> values, std::size_t m,
                                 std::vector<std::size_t>& changes) {
  constexpr std::size_t reach = 5;
  double farthest = 0;
  for (const double value : values) farthest = std::max(farthest, std::abs(value - values[0]));
  // Squares in units of a power of two near the range of the values neither overflow nor vanish.
  const double unit = farthest > 0 && is_finite(farthest) ? std::scalbn(1.0, -std::ilogb(farthest)) : 1.0;
  const auto squares = [&](std::size_t begin, std::size_t end) {
    const LineFit line = line_of(times, values, begin, end);
    return (line.spread * unit) * (line.spread * unit) * (line.count - 2);
  };
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const std::size_t from = k == 0 ? 0 : changes[k - 1], found = changes[k];
    const std::size_t to = k + 1 < changes.size() ? changes[k + 1] : values.size();
    const auto at = [&](std::size_t place) { return squares(from, place) + squares(place, to); };
    std::size_t best = found;
    double least = at(found);
    const auto consider = [&](std::size_t place) {
      const double sum = at(place);
      if (sum < least * (1 - 1e-12)) best = place, least = sum;  // ties may differ by rounding
    };
    for (std::size_t move = 1; move <= reach; ++move) {
      if (found >= from + m + move) consider(found - move);
      if (found + move + m <= to) consider(found + move);
    }
    changes[k] = best;
  }
}

/// The change points of the values, moved to where lines fit, and the line of each segment. At least m >= 3 samples.
inline std::vector<LineSegment> line_segments(std::span<const double> times, std::span<const double> values,
                                              const SteadyStateCost& cost, const std::optional<Penalty>& penalty,
                                              std::size_t m) {
  const ChangePointOptions options{.min_section_size = m, .penalty = penalty};
  std::vector<std::size_t> changes =
      std::visit([&](const auto& c) { return change_points(values, c, options).indices; }, cost);
  refine_change_points(times, values, m, changes);
  std::vector<LineSegment> segments;
  changes.push_back(values.size());
  for (std::size_t begin = 0; const std::size_t end : changes) {
    segments.push_back({begin, end, line_of(times, values, begin, end)});
    const LineFit& line = segments.back().line;
    for (const double number : {line.mean, line.slope, line.spread, line.standard_error})
      if (!is_finite(number)) throw Overflow("fidelity::steady_state: a line through the values is not finite");
    begin = end;
  }
  return segments;
}

/// Do the lines of two segments that meet differ there by more than `level_jump`, and by more than rounding?
inline bool jumps_level(std::span<const double> times, std::span<const double> values, const LineSegment& before,
                        const LineSegment& after, double level_jump) {
  const auto at_boundary = [&](const LineFit& line) { return line.slope * (times[after.begin] - line.mean_t); };
  const double jump =
      std::abs((after.line.mean - before.line.mean) + (at_boundary(after.line) - at_boundary(before.line)));
  double largest = 0;
  for (std::size_t i = before.begin; i < after.end; ++i) largest = std::max(largest, std::abs(values[i]));
  return jump > level_jump && jump >= rounding_of(largest);
}

/// What a segment covers in time and how much it is spread.
template <class D>
struct SpreadOverTime {
  double spread;
  D duration;
};

/// The smallest spread such that the segments with no more cover half of the whole time; at least one segment.
template <class D>
double spread_of_the_quieter_half(std::vector<SpreadOverTime<D>> segments) {
  std::sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) { return a.spread < b.spread; });
  D whole{}, quiet{};
  for (const auto& segment : segments) whole += segment.duration;
  for (const auto& segment : segments) {
    quiet += segment.duration;
    if (quiet >= whole - quiet) return segment.spread;
  }
  return segments.back().spread;
}

}  // namespace fidelity::detail
