// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// Which limit of a signal at a jump: the value from there on (right, the default) or the one up to there (left).
enum class Side { right, left };

/// One polynomial piece of a signal: x(t) = sum of coefficients[k] * e^k with e = t - origin in seconds, valid in
/// `window`. Coefficient k has the unit of the value per second^k; those above `degree` are 0.
template <TimePoint Time>
struct Segment {
  static constexpr std::size_t max_degree = 7;

  Window<Time> window;
  Time origin;
  std::array<double, max_degree + 1> coefficients{};
  std::size_t degree = 0;

  /// Value at t (Horner), also outside the window.
  [[nodiscard]] double operator()(Time t) const { return at(seconds_to(t)); }

  /// Seconds from the origin to t; 0 for a constant piece, which may be held for longer than a duration can say.
  [[nodiscard]] double seconds_to(Time t) const {
    return degree == 0 ? 0.0 : seconds(detail::difference("Segment", t, origin));
  }

  /// Value at `e` seconds after the origin.
  [[nodiscard]] double at(double e) const {
    double x = coefficients[degree];
    for (std::size_t k = degree; k-- > 0;) x = x * e + coefficients[k];
    return x;
  }
};

}  // namespace fidelity
