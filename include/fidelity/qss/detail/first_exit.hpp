// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace fidelity::detail {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// The smallest s > 0 with |d(s)| = level, for a polynomial d of degree 1 to 3 with |d(0)| < level, if it is not
/// beyond `horizon`; else never, or some time beyond the horizon. `guess` helps if it is near and does not matter else.
/// Roots of degree 2 are taken without cancellation, those of degree 3 by Newton's method inside brackets.
inline double first_exit(const std::array<double, 2>& d, double level, double, double) {
  return d[1] == 0 ? never : (level - std::copysign(1.0, d[1]) * d[0]) / std::abs(d[1]);
}

inline double first_exit(const std::array<double, 3>& d, double level, double horizon, double guess) {
  // Turned so that the curve bends upwards: it always leaves at +level, and may have left at -level before.
  const double a = std::abs(d[2]);
  if (a == 0) return first_exit(std::array{d[0], d[1]}, level, horizon, guess);
  const double b = d[2] < 0 ? -d[1] : d[1], below = level - (d[2] < 0 ? -d[0] : d[0]);
  const double above = 2 * level - below;
  if (b >= 0) return 2 * below / (b + std::sqrt(b * b + 4 * a * below));
  const double down = b * b - 4 * a * above;
  if (down >= 0) return 2 * above / (-b + std::sqrt(down));
  return (-b + std::sqrt(b * b + 4 * a * below)) / (2 * a);
}

/// d(s) - target over d'(s).
inline double newton_step(const std::array<double, 4>& d, double target, double s) {
  return ((d[0] - target) + s * (d[1] + s * (d[2] + s * d[3]))) / (d[1] + s * (2 * d[2] + s * 3 * d[3]));
}

/// Newton's method on a stretch on which d - target is monotone and bends one way, from that end of it (or the other
/// side of the root) where all steps go the same way: one that turns back is rounding.
inline double newton_root(const std::array<double, 4>& d, double target, double s) {
  double before = 0;
  for (int k = 0; k < 100; ++k) {
    const double step = newton_step(d, target, s);
    if (!(step * before >= 0)) break;
    s -= step;
    if (std::abs(step) <= 1e-5 * s) {  // the next one is good to 1e-10, the one after that to rounding
      s -= newton_step(d, target, s);
      const double last = newton_step(d, target, s);
      return std::abs(last) <= 1e-9 * s ? s - last : s;
    }
    before = step;
  }
  return s;
}

/// Where to start: at one Newton step from the guess, if that shows it to be good and stays between from and to.
inline bool good_start(const std::array<double, 4>& d, double target, double from, double to, double& guess) {
  if (!(guess > from && guess < to)) return false;
  const double step = newton_step(d, target, guess);
  const double s = guess - step;
  if (!(s > from && s < to && std::abs(step) <= 0.25 * (guess - from))) return false;
  guess = s;
  return true;
}

inline double first_exit(const std::array<double, 4>& d, double level, double horizon, double guess) {
  if (d[3] == 0) return first_exit(std::array{d[0], d[1], d[2]}, level, horizon, guess);
  if (d[0] == 0 && d[1] == 0 && d[2] == 0) return std::cbrt(level / std::abs(d[3]));
  // Between the turning points and the inflection d is monotone and bends one way.
  const double inflection = -d[2] / (3 * d[3]);
  const double discriminant = d[2] * d[2] - 3 * d[3] * d[1];
  std::array<double, 3> ends{inflection};
  std::size_t count = 1;
  if (discriminant > 0) {
    const double r = -(d[2] + std::copysign(std::sqrt(discriminant), d[2]));
    const double first = r / (3 * d[3]), second = d[1] / r;
    ends = {std::min(first, second), inflection, std::max(first, second)};
    count = 3;
  }
  double from = 0, value = d[0];
  for (std::size_t k = 0; k < count; ++k) {
    const double to = ends[k];
    if (!(to > from)) continue;
    const double reached = d[0] + to * (d[1] + to * (d[2] + to * d[3]));
    if (std::abs(reached) >= level) {
      const bool rises = reached > value;
      const double target = rises ? level : -level;
      if (good_start(d, target, from, to, guess)) return newton_root(d, target, guess);
      // The curve is steepest at `to` where it bends in the direction that it goes, else at `from`.
      const double bend = 2 * d[2] + 3 * d[3] * (from + to);
      return newton_root(d, target, rises == (bend > 0) ? to : from);
    }
    if (to >= horizon) return never;
    from = to;
    value = reached;
  }
  const double target = std::copysign(level, d[3]);
  if (good_start(d, target, from, never, guess)) return newton_root(d, target, guess);
  // d(from + y) = value + m y + b y^2 + d3 y^3, all terms of one sign: each of them gives an upper bound of y.
  const double m = std::abs(d[1] + from * (2 * d[2] + from * 3 * d[3]));
  const double b = std::abs(d[2] + 3 * d[3] * from), a = std::abs(d[3]);
  const double gap = std::abs(target - value);
  double y = never;
  if (m > 0) y = gap / m;
  if (b > 0 && b * y * y > gap) y = std::sqrt(gap / b);
  if (a * y * y * y > gap) y = std::cbrt(gap / a);
  return newton_root(d, target, from + y);
}

}  // namespace fidelity::detail
