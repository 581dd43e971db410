// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/trajectory_access.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/qss/trajectory_arithmetic.hpp>
#include <fidelity/series/detail/polynomial.hpp>

namespace fidelity {

/// The part of a trajectory in [window.begin, window.end], which is its new domain. It begins with an event of kind
/// init with the value there, unless one that is not external stands there. Throws InputError where the window has no
/// instant in common with the domain.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> slice(const Trajectory<Scalar, Time>& trajectory,
                                             const std::type_identity_t<Window<Time>>& window) {
  detail::require_window("slice", window);
  const auto& d = detail::TrajectoryAccess::data(trajectory);
  const Time begin = std::max(window.begin, d.knots.front());
  const Time end = std::min(window.end, d.end.value_or(window.end));
  if (end < begin)
    detail::fail("slice", Rule::window_outside,
                 detail::concat("the window [", to_text(window.begin), ", ", to_text(window.end),
                                ") has nothing in common with the domain from ", to_text(d.knots.front()), " on"),
                 {.name = d.name});
  auto part = detail::TrajectoryAccess::like(trajectory, d.order);
  part->end = end;
  for (std::size_t i = *trajectory.segment_at(begin); i < d.knots.size() && d.knots[i] <= end; ++i) {
    if (d.knots[i] >= begin) {
      part->append_knot(d, i);
      continue;
    }
    detail::Coefficients c{};
    for (std::size_t k = 0; k <= d.order; ++k) c[k] = static_cast<double>(d.row(i)[k]);
    c = detail::shifted(c, d.order, seconds(begin - d.knots[i]));
    std::array<Scalar, 8> row{};
    for (std::size_t k = 0; k <= d.order; ++k) row[k] = static_cast<Scalar>(c[k]);
    part->append(begin, row.data(), EventKind::init);
  }
  if (part->kinds.front() == EventKind::external && !part->replaced_at(0)) part->kinds.front() = EventKind::init;
  return detail::TrajectoryAccess::make("slice", std::move(part));
}

/// The same trajectory, `by` later. Throws Overflow where the time type ends and InputError where two knots fall
/// together by rounding.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> shift(const Trajectory<Scalar, Time>& trajectory,
                                             std::type_identity_t<Duration<Time>> by) {
  if (!detail::is_finite_duration(by)) detail::fail("shift", Rule::bad_parameter, "the shift must be finite");
  auto shifted = detail::TrajectoryAccess::copy(trajectory);
  const auto moved = [&](Time t) {
    if constexpr (!std::same_as<Time, double>) {
      // t + by fits where t - (0 - by) does.
      (void)detail::difference("shift", t, Time{} - by);
    }
    return t + by;
  };
  for (Time& t : shifted->knots) t = moved(t);
  if (shifted->end) shifted->end = moved(*shifted->end);
  for (std::size_t i = 1; i < shifted->knots.size(); ++i)
    if (!(shifted->knots[i - 1] < shifted->knots[i]))
      detail::fail("shift", Rule::time_repeated, "two knots fall together by rounding", {.sample = i});
  return detail::TrajectoryAccess::make("shift", std::move(shifted));
}

/// The trajectory with its time stretched by `factor` > 0 about its first knot: y(first + factor * e). For `double`
/// time. The value is scaled by trajectory * factor.
template <class Scalar>
[[nodiscard]] Trajectory<Scalar, double> scale_time(const Trajectory<Scalar, double>& trajectory, double factor) {
  if (!(factor > 0) || !detail::is_finite(factor))
    detail::fail("scale_time", Rule::bad_parameter, "the factor must be positive and finite", {.value = factor});
  auto scaled = detail::TrajectoryAccess::copy(trajectory);
  const double first = scaled->knots.front();
  for (double& t : scaled->knots) t = first + factor * (t - first);
  if (scaled->end) scaled->end = first + factor * (*scaled->end - first);
  for (std::size_t i = 0; i < scaled->knots.size(); ++i) {
    if (i > 0 && !(scaled->knots[i - 1] < scaled->knots[i]))
      detail::fail("scale_time", Rule::time_repeated, "two knots fall together by rounding", {.sample = i});
    double power = 1;
    for (std::size_t k = 0; k <= scaled->order; ++k, power /= factor) {
      Scalar& c = scaled->rows[i * (scaled->order + 1) + k];
      c = static_cast<Scalar>(static_cast<double>(c) * power);
    }
  }
  return detail::TrajectoryAccess::make("scale_time", std::move(scaled));
}

/// Fewer segments, nowhere more than `tolerance` away: each polynomial goes on for as long as it stays that close to
/// the trajectory. O(n). Jumps of up to twice the tolerance may appear; held() and linear() pass between the events
/// that stay. Throws InputError for a negative tolerance.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> simplify(const Trajectory<Scalar, Time>& trajectory, double tolerance) {
  if (!(tolerance >= 0) || !detail::is_finite(tolerance))
    detail::fail("simplify", Rule::bad_parameter, "the tolerance must be at least 0 and finite", {.value = tolerance});
  const auto& d = detail::TrajectoryAccess::data(trajectory);
  auto fewer = detail::TrajectoryAccess::like(trajectory, d.order);
  std::size_t start = 0;
  const auto coefficients = [&](std::size_t i, double e) {
    detail::Coefficients c{};
    for (std::size_t k = 0; k <= d.order; ++k) c[k] = static_cast<double>(d.row(i)[k]);
    return e == 0 ? c : detail::shifted(c, d.order, e);
  };
  const auto stays_close = [&](std::size_t i) {
    const bool last = i + 1 == d.knots.size();
    if (last && !d.end) return false;  // two different polynomials do not stay close for ever
    auto gap = coefficients(start, seconds(d.knots[i] - d.knots[start]));
    const auto own = coefficients(i, 0);
    for (std::size_t k = 0; k <= d.order; ++k) gap[k] -= own[k];
    const double length = seconds((last ? *d.end : d.knots[i + 1]) - d.knots[i]);
    const auto close = [&](double e) {
      const auto [value, error] = detail::evaluate(gap, d.order, e);
      return std::abs(value) + error <= tolerance;
    };
    if (!close(0) || !close(length)) return false;
    if (d.order < 2) return true;
    for (const double e : detail::roots_between(detail::derivative(gap, d.order), d.order - 1, 0, length))
      if (!close(e)) return false;
    return true;
  };
  for (std::size_t i = 0; i < d.knots.size(); ++i) {
    if (i > 0 && stays_close(i)) continue;
    start = i;
    fewer->append_knot(d, i);
  }
  return detail::TrajectoryAccess::make("simplify", std::move(fewer));
}

}  // namespace fidelity
