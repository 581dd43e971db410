// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/qss/trajectory_arithmetic.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/statistics.hpp>

namespace fidelity {

namespace detail {

/// a - b, known all over the window.
template <class Scalar, TimePoint Time>
Trajectory<Scalar, Time> difference_over(std::string_view function, const Trajectory<Scalar, Time>& a,
                                         const Trajectory<Scalar, Time>& b, const Window<Time>& window) {
  require_window(function, window);
  const auto d = a - b;
  if (window.begin < d.knots().front() || (d.end() && window.end > *d.end()))
    fail(function, Rule::window_outside,
         concat("both trajectories must be known all over [", to_text(window.begin), ", ", to_text(window.end), ")"));
  return d;
}

/// Calls f(piece, from, to, sign) for the stretches of a signal in a window on which signal - level keeps its sign (-1,
/// 0, 1); from and to in seconds after the origin of the piece, whose first coefficient is taken relative to the level.
template <class S, class F>
void for_each_side(const S& signal, const Window<typename S::time_type>& window, double level, F&& f) {
  for_each_piece(signal, window, [&](auto piece) {
    piece.coefficients[0] -= level;
    const double begin = piece.degree > 0 ? piece.seconds_to(piece.window.begin) : 0;
    const double end = begin + seconds(piece.window.end - piece.window.begin);
    const Roots roots = roots_between(piece.coefficients, piece.degree, begin, end);
    double from = begin;
    for (std::size_t k = 0; k <= roots.count; ++k) {
      const double to = k < roots.count ? roots.values[k] : end;
      f(piece, from, to, sign_of(piece.coefficients, piece.degree, from + 0.5 * (to - from)));
      from = to;
    }
  });
}

/// The polynomial of a piece about the middle of the stretch from .. to.
template <TimePoint Time>
CentredPiece centred_between(const Segment<Time>& piece, double from, double to) {
  const double half = 0.5 * (to - from);
  return {shifted(piece.coefficients, piece.degree, from + half), piece.degree, half, 0};
}

}  // namespace detail

/// Integral of |a - b| over the window, in unit of the value times seconds. Exact: split where a - b changes its sign.
/// These distances throw InputError unless both trajectories are known all over the window.
template <class Scalar, TimePoint Time>
[[nodiscard]] double l1_distance(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b,
                                 const std::type_identity_t<Window<Time>>& window) {
  const auto d = detail::difference_over("l1_distance", a, b, window);
  detail::CompensatedSum sum;
  detail::for_each_side(d, window, 0, [&](const auto& piece, double from, double to, int) {
    sum.add(std::abs(detail::centred_between(piece, from, to).integral()));
  });
  return *detail::finite_result("l1_distance", sum.value());
}

/// Square root of the integral of (a - b)^2 over the window.
template <class Scalar, TimePoint Time>
[[nodiscard]] double l2_distance(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b,
                                 const std::type_identity_t<Window<Time>>& window) {
  const auto d = detail::difference_over("l2_distance", a, b, window);
  detail::CompensatedSum sum;
  detail::for_each_piece(d, window,
                         [&](const auto& piece) { sum.add(detail::centred(piece, window.begin).square_integral()); });
  return *detail::finite_result("l2_distance", std::sqrt(std::max(0.0, sum.value())));
}

/// Largest |a - b| in the window, limits from the left included.
template <class Scalar, TimePoint Time>
[[nodiscard]] double linf_distance(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b,
                                   const std::type_identity_t<Window<Time>>& window) {
  const auto d = detail::difference_over("linf_distance", a, b, window);
  return std::max({0.0, -*minimum(d, window).value, *maximum(d, window).value});
}

/// Seconds for which a signal is below a level in a window, as far as it is known there. Divided by the length it is
/// the distribution function of the value. Throws InputError for a level that is not finite.
template <Signal S>
[[nodiscard]] double seconds_below(const S& signal, double level, const Window<typename S::time_type>& window) {
  detail::require_window("seconds_below", window);
  if (!detail::is_finite(level))
    detail::fail("seconds_below", Rule::bad_parameter, "the level must be finite", {.value = level});
  detail::CompensatedSum sum;
  detail::for_each_side(signal, window, level, [&](const auto&, double from, double to, int side) {
    if (side < 0) sum.add(to - from);
  });
  return sum.value();
}

}  // namespace fidelity
