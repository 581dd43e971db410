// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// How a signal is at a level where it meets it.
enum class Meeting : std::uint8_t {
  up,     ///< from below to above
  down,   ///< from above to below
  touch,  ///< on the same side before and after
  start,  ///< at the first instant of the domain
  end,    ///< at the last instant of the domain
};

/// The times at which a trajectory has a given value, in ascending order. A stretch on which it has that value all the
/// time is in `flat`, from its first to its last instant, and gives no entry in `points`.
template <TimePoint Time>
struct LevelTimes {
  struct Point {
    Time time;
    Meeting kind;
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::vector<Point> points;
  std::vector<Window<Time>> flat;
};

}  // namespace fidelity
