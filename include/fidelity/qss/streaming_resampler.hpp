// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/interpolator.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// Emits the points start + k * step of an endless grid, in order and each exactly once, as soon as nothing can change
/// the value there any more (Interpolator::is_final). Where the end is settled, by finish(t_end) or by an event of kind
/// `end` before the watermark, the points up to it are emitted, the end included if it is one (in double: within 4
/// units in the last place, as grid_times() has it), and none beyond.
///
///     for (const auto& event : stream) {
///       interpolator.push(event);
///       resampler.emit(interpolator, [&](double t, std::optional<double> x) { ... });
///     }
template <TimePoint Time = double>
class StreamingResampler {
 public:
  /// Throws InputError for a step that is not positive or a time that is not finite.
  StreamingResampler(Time start, Duration<Time> step, Side side = Side::right)
      : grid_(detail::checked_grid("StreamingResampler", start, step, 0)), side_(side) {}

  /// Calls sink(time, optional value) for every point that has become final since the last call; returns their number.
  /// Throws InputError where the history of a point is gone before it was emitted.
  template <std::floating_point Scalar, class Sink>
  std::size_t emit(const Interpolator<Scalar, Time>& interpolator, Sink&& sink) {
    const std::size_t before = emitted_;
    const std::optional<Time> end = interpolator.end();
    const bool ended = end && interpolator.is_final(*end);
    for (; !done_; ++emitted_) {
      Time point = grid_[emitted_];
      if (ended) {
        if (within_rounding(point, *end)) point = *end;
        if (point > *end) {
          done_ = true;
          break;
        }
      }
      if (!interpolator.is_final(point, side_)) break;
      if (interpolator.is_forgotten(point, side_))
        detail::fail("StreamingResampler::emit", Rule::window_outside,
                     detail::concat("the history at ", to_text(point), " is gone; emit more often or keep more"));
      sink(point, interpolator.value(point, side_));
    }
    return emitted_ - before;
  }

  /// Number of points emitted so far.
  [[nodiscard]] std::size_t emitted() const { return emitted_; }

 private:
  static bool within_rounding(Time a, Time b) {
    if constexpr (std::same_as<Time, double>) {
      return std::abs(a - b) <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
    } else {
      return a == b;
    }
  }

  Grid<Time> grid_;
  Side side_;
  std::size_t emitted_ = 0;
  bool done_ = false;
};

}  // namespace fidelity
