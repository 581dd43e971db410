// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity::detail {

/// The values that a stretch of a curve takes.
struct TubeHull {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void include(const TubeHull& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// The values of a polynomial piece from `begin` to `end`, both included.
template <TimePoint Time>
TubeHull hull_of_piece(const Segment<Time>& piece, Time begin, Time end) {
  TubeHull hull;
  if (piece.degree == 0) {
    hull.include(piece.coefficients[0]);
    return hull;
  }
  const double from = piece.seconds_to(begin), to = piece.seconds_to(end);
  hull.include(piece.at(from));
  hull.include(piece.at(to));
  for (const double e : roots_between(derivative(piece.coefficients, piece.degree), piece.degree - 1, from, to))
    hull.include(piece.at(e));
  return hull;
}

/// A signal as a curve in the plane of time and value, its jumps drawn as vertical lines: answers how far a value is
/// from the curve within a stretch of time. Borrows the signal. O(pieces) to make; O(log pieces + gaps in
/// the stretch) for each question.
template <Signal S>
class TubeCurve {
 public:
  using Time = typename S::time_type;

  explicit TubeCurve(const S& signal) : signal_(signal), span_(signal.span()) {
    for (std::size_t i = 0; i < places(); ++i) add(i);
    for (std::size_t size = block_size; size < parts_.size(); size *= block_size) {
      std::vector<Block> level;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (i % size == 0) level.push_back({{}, true});
        level.back().hull.include(parts_[i].hull);
        level.back().joined = level.back().joined && parts_[i].joined;
      }
      levels_.push_back(std::move(level));
    }
  }

  /// From the first to the last stamp.
  [[nodiscard]] const Window<Time>& span() const { return span_; }

  /// Where the signal is known, within its span.
  [[nodiscard]] WindowSet<Time> known() const {
    std::vector<Window<Time>> windows;
    for (const Part& part : parts_) {
      const Window<Time> window{part.begin, std::min(part.end, span_.end)};
      if (window.empty()) continue;
      if (part.joined && !windows.empty() && windows.back().end == window.begin)
        windows.back().end = window.end;
      else
        windows.push_back(window);
    }
    return WindowSet<Time>(std::move(windows));
  }

  /// Adds the values within a window: from its right limit at the begin to the left limit at the end; at the first and
  /// the last instant of the signal all there are.
  void add_values(const Window<Time>& window, std::optional<TubeHull>& all) const {
    const auto first = std::partition_point(parts_.begin(), parts_.end(), [&](const Part& part) {
      return part.end < window.begin || (part.end == window.begin && window.begin != span_.begin);
    });
    const auto behind = std::partition_point(first, parts_.end(), [&](const Part& part) {
      return part.begin < window.end || (part.begin == window.end && window.end == span_.end);
    });
    for_each_stretch(first, behind, window.begin, window.end, [&](const TubeHull& stretch) {
      if (!all) all.emplace();
      all->include(stretch);
    });
  }

  /// The value of the curve between two times, both included, that is nearest to `value`.
  [[nodiscard]] std::optional<double> nearest(double value, Time begin, Time end) const {
    std::optional<double> best;
    for_each_between(begin, end, [&](const TubeHull& stretch) {
      // Connected as it is, it takes every value of its hull.
      const double candidate = std::clamp(value, stretch.low, stretch.high);
      if (!best || std::abs(value - candidate) < std::abs(value - *best)) best = candidate;
    });
    return best;
  }

  /// The range of the values between two times, both included.
  [[nodiscard]] std::optional<TubeHull> values(Time begin, Time end) const {
    std::optional<TubeHull> all;
    for_each_between(begin, end, [&](const TubeHull& stretch) {
      if (!all) all.emplace();
      all->include(stretch);
    });
    return all;
  }

 private:
  static constexpr std::size_t block_size = 64;
  struct Part {
    Time begin, end;  ///< both included
    TubeHull hull;
    std::size_t place;
    bool joined;  ///< begins where the one before ends
  };
  struct Block {
    TubeHull hull;
    bool joined;
  };

  [[nodiscard]] std::size_t places() const {
    if constexpr (SampledSignal<S>)
      return signal_.size();
    else
      return signal_.segment_count();
  }

  void add(std::size_t i) {
    std::optional<Part> part;
    if (const auto piece = signal_.segment(i)) {
      // A last piece without an end is as good as constant: only its begin is asked for.
      const Time end = piece->window.end == time_limit<Time>() && piece->degree > 0 ? span_.end : piece->window.end;
      part = Part{piece->window.begin, end, hull_of_piece(*piece, piece->window.begin, end), i, false};
    }
    if constexpr (SampledSignal<S>) {
      // A sample is a point of the curve also where no piece begins with it: at an event, before a gap, at the end.
      const auto value = static_cast<double>(signal_(i));
      if (!part && is_finite(value)) part = Part{signal_.time(i), signal_.time(i), {value, value}, i, false};
    }
    if (!part) return;
    part->joined = !parts_.empty() && parts_.back().end == part->begin;
    // A bad row of an event leaves no jump to draw; places of a trajectory may be empty.
    if (SampledSignal<S> && part->joined) part->joined = parts_.back().place + 1 == i;
    parts_.push_back(*part);
  }

  [[nodiscard]] TubeHull cut(const Part& part, Time begin, Time end) const {
    if (begin <= part.begin && part.end <= end) return part.hull;
    return hull_of_piece(*signal_.segment(part.place), std::max(begin, part.begin), std::min(end, part.end));
  }

  template <class F>
  void for_each_between(Time begin, Time end, F&& f) const {
    const auto first =
        std::partition_point(parts_.begin(), parts_.end(), [&](const Part& part) { return part.end < begin; });
    const auto behind = std::partition_point(first, parts_.end(), [&](const Part& part) { return part.begin <= end; });
    for_each_stretch(first, behind, begin, end, f);
  }

  /// Calls f with the hull of every connected stretch of some parts, cut to begin and end.
  template <class Iterator, class F>
  void for_each_stretch(Iterator first, Iterator behind, Time begin, Time end, F&& f) const {
    if (first == behind) return;
    std::size_t i = static_cast<std::size_t>(first - parts_.begin());
    const std::size_t stop = static_cast<std::size_t>(behind - parts_.begin());
    TubeHull stretch = cut(parts_[i++], begin, end);
    while (i < stop) {
      // The largest block that begins here and lies inside.
      const Block* block = nullptr;
      std::size_t step = 1;
      for (std::size_t level = 0, size = block_size; level < levels_.size(); ++level, size *= block_size) {
        if (i % size != 0 || i + size >= stop || !levels_[level][i / size].joined) break;
        block = &levels_[level][i / size];
        step = size;
      }
      if (block == nullptr && !parts_[i].joined) {
        f(stretch);
        stretch = {};
      }
      stretch.include(block != nullptr ? block->hull : cut(parts_[i], begin, end));
      i += step;
    }
    f(stretch);
  }

  const S& signal_;
  Window<Time> span_;
  std::vector<Part> parts_;
  std::vector<std::vector<Block>> levels_;  ///< blocks of 64 parts, of 64 of those, ...
};

}  // namespace fidelity::detail
