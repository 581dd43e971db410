// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/trajectory_access.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/detail/polynomial.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

namespace detail {

/// Splits stretches without jumps where they are farthest from their chord (Ramer 1972; Douglas, Peucker 1973), with
/// the distance taken over the whole polynomials, not at points.
template <class Scalar, TimePoint Time>
class Thinning {
 public:
  Thinning(const TrajectoryData<Scalar, Time>& data, double tolerance) : d_(data), tolerance_(tolerance) {}

  Series<double, Time> run() {
    const Time end = d_.end.value_or(d_.knots.back());
    for (std::size_t first = 0; first < d_.knots.size();) {
      std::size_t last = first;  // the last piece of a stretch without a jump
      while (last + 1 < d_.knots.size() && !jumps_after(last)) ++last;
      const Time until = last + 1 < d_.knots.size() ? d_.knots[last + 1] : end;
      add(d_.knots[first], value(first, 0));
      if (d_.knots[first] < until) thin({d_.knots[first], value(first, 0), first}, {until, at(last, until), last});
      first = last + 1;
    }
    return Series<double, Time>(std::move(times_), std::move(values_),
                                {.name = d_.name, .channel_names = {}, .duplicates = Duplicates::event});
  }

 private:
  struct Point {
    Time time;
    double value;
    std::size_t piece;  // in which it lies; the end of a stretch lies in its last piece
  };

  [[nodiscard]] double value(std::size_t i, double e) const { return horner(d_.row(i), d_.order, e); }
  [[nodiscard]] double at(std::size_t i, Time t) const { return value(i, seconds(t - d_.knots[i])); }
  /// Is there a jump at the end of piece i, by more than rounding?
  [[nodiscard]] bool jumps_after(std::size_t i) const {
    const auto left = evaluate(coefficients(i), d_.order, seconds(d_.knots[i + 1] - d_.knots[i]));
    const double right = value(i + 1, 0);
    return std::abs(left.value - right) > left.error + 4e-16 * std::abs(right);
  }
  [[nodiscard]] Coefficients coefficients(std::size_t i) const {
    Coefficients c{};
    for (std::size_t k = 0; k <= d_.order; ++k) c[k] = static_cast<double>(d_.row(i)[k]);
    return c;
  }
  void add(Time t, double x) {
    times_.push_back(t);
    values_.push_back(x);
  }

  /// Adds the points after `a` up to `b`. A list of ends, not recursion: a long run must not exhaust the stack.
  void thin(Point a, const Point& last) {
    std::vector<Point> ends{last};
    while (!ends.empty()) {
      const Point b = ends.back();
      Point worst = a;
      if (deviation(a, b, worst) > tolerance_ && a.time < worst.time && worst.time < b.time) {
        ends.push_back(worst);
      } else {
        add(b.time, b.value);
        a = b;
        ends.pop_back();
      }
    }
  }

  /// Largest distance of the trajectory from the chord a - b, and where.
  double deviation(const Point& a, const Point& b, Point& worst) const {
    const double slope = (b.value - a.value) / seconds(b.time - a.time);
    double largest = 0;
    for (std::size_t i = a.piece; i <= b.piece; ++i) {
      const Time from = std::max(a.time, d_.knots[i]);
      const Time to = i == b.piece ? b.time : d_.knots[i + 1];
      if (!(from < to)) continue;
      Coefficients gap = coefficients(i);
      const double origin = seconds(d_.knots[i] - a.time);
      gap[0] -= a.value + slope * origin;
      gap[1] -= slope;
      const std::size_t degree = std::max<std::size_t>(d_.order, 1);
      const auto consider = [&](double e) {
        const double distance = std::abs(evaluate(gap, degree, e).value);
        if (distance <= largest) return;
        largest = distance;
        const Time t = offset("polyline", d_.knots[i], e);
        worst = {t, at(i, t), i};
      };
      const double begin = seconds(from - d_.knots[i]), end = seconds(to - d_.knots[i]);
      if (from > a.time) consider(begin);
      for (const double e : roots_between(derivative(gap, degree), degree - 1, begin, end)) consider(e);
    }
    return largest;
  }

  const TrajectoryData<Scalar, Time>& d_;
  double tolerance_;
  std::vector<Time> times_;
  std::vector<double> values_;
};

}  // namespace detail

/// A series of points of the trajectory such that the straight lines between them are nowhere more than `tolerance`
/// away from it (but for rounding): few points where it is nearly straight. A jump gives two samples at one time.
/// Without an end it reaches to the last knot. Throws InputError for a tolerance that is not positive.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> polyline(const Trajectory<Scalar, Time>& trajectory, double tolerance) {
  if (!(tolerance > 0) || !detail::is_finite(tolerance))
    detail::fail("polyline", Rule::bad_parameter, "the tolerance must be positive and finite", {.value = tolerance});
  return detail::Thinning<Scalar, Time>(detail::TrajectoryAccess::data(trajectory), tolerance).run();
}

}  // namespace fidelity
