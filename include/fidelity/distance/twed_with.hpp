// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_cutoff.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>
#include <fidelity/distance/detail/point_costs.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/sequence.hpp>
#include <fidelity/distance/twed_with_options.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// The time warp edit distance with the caller's own distance of two values; made by twed_with(). Works with pairwise()
/// and compare() like a Twed, with one plain sweep a pair. Copies are the same metric; two calls of twed_with() make
/// two, and series prepared by one are refused by the other.
template <class PointDistance>
class TwedWith {
 public:
  TwedWith(PointDistance distance, TwedWithOptions options)
      : rule_(detail::make_point_rule(std::move(distance), std::move(options))) {}

  /// The distance of two series or of two sequences, with stamps relative to the earlier of the two first ones.
  template <class A, class B>
    requires detail::HasPoints<PointDistance, A> && detail::HasPoints<PointDistance, B>
  [[nodiscard]] double operator()(const A& a, const B& b) const {
    const auto origin = std::min(a.time(0), b.time(0));
    return (*this)(prepare(a, origin, {.collection = "a"}), prepare(b, origin, {.collection = "b"}));
  }
  /// The distance of two prepared ones. Throws InputError (bad_distance, with pair and samples) for a point distance
  /// that is NaN, infinite or negative; Overflow where the sum is outside the range of double.
  template <class Value, TimePoint Time>
  [[nodiscard]] double operator()(const detail::PreparedPoints<PointDistance, Value, Time>& a,
                                  const detail::PreparedPoints<PointDistance, Value, Time>& b) const {
    require_own(a, b);
    return detail::require_in_range("twed_with", detail::sweep_all(detail::point_costs(a, b)), a.place, b.place);
  }

  /// The distance where it is at most `cutoff` (>= 0), else nothing.
  template <class A, class B>
    requires detail::HasPoints<PointDistance, A> && detail::HasPoints<PointDistance, B>
  [[nodiscard]] std::optional<double> within(const A& a, const B& b, double cutoff) const {
    const auto origin = std::min(a.time(0), b.time(0));
    return within(prepare(a, origin, {.collection = "a"}), prepare(b, origin, {.collection = "b"}), cutoff);
  }
  template <class Value, TimePoint Time>
  [[nodiscard]] std::optional<double> within(const detail::PreparedPoints<PointDistance, Value, Time>& a,
                                             const detail::PreparedPoints<PointDistance, Value, Time>& b,
                                             double cutoff) const {
    detail::require_cutoff("TwedWith::within", cutoff);
    require_own(a, b);
    if (!detail::is_finite(cutoff)) return (*this)(a, b);
    // No use of the triangle inequality, which may not hold: costs never fall along a path.
    return detail::sweep_within(
        detail::point_costs(a, b), cutoff, [](std::size_t, std::size_t, double cost) { return cost; }, a.size(),
        [] { return 0.0; });
  }

  /// Checks a series or sequence and computes its deletions, with stamps relative to `origin`. InputError for a
  /// parameter out of its range, two samples at one time (unless accept_events), a value of a series that is NaN or
  /// infinite, a point distance of neighbours that is no distance.
  template <class A, TimePoint Time>
    requires detail::HasPoints<PointDistance, A>
  [[nodiscard]] auto prepare(const A& series, Time origin, InputLocation location = {}) const {
    return detail::prepare_points(rule_, series, origin, std::move(location));
  }

  /// Throws InputError where they were prepared by another metric, for another origin or of other numbers of channels.
  template <class Value, TimePoint Time>
  void require_own(const detail::PreparedPoints<PointDistance, Value, Time>& a,
                   const detail::PreparedPoints<PointDistance, Value, Time>& b) const {
    detail::require_same_rule(rule_, a, b);
  }

  [[nodiscard]] const TwedWithOptions& options() const { return rule_->options; }
  [[nodiscard]] const PointDistance& point_distance() const { return rule_->distance; }

 private:
  std::shared_ptr<const detail::PointRule<PointDistance>> rule_;
};

/// A time warp edit distance with any point distance: a callable on two values that returns a number >= 0 and may be
/// called from several threads. The values are
/// - those of a Sequence, of any type: states, categories;
/// - the numbers of a series of one channel, for a callable on (double, double);
/// - the samples of a series of any number of channels, for a callable on two std::span<const double>.
///
///   const auto steps = [](const State& x, const State& y) { return std::abs(rank(x) - rank(y)); };
///   const auto metric = fd::twed_with(steps, {.stiffness = 0.1, .penalty = 1});
///
/// InputError where stiffness or penalty are negative or not finite.
template <class PointDistance>
[[nodiscard]] TwedWith<PointDistance> twed_with(PointDistance distance, TwedWithOptions options) {
  return {std::move(distance), std::move(options)};
}

/// A metric where the point distance is one and stiffness > 0 (with events accepted, also penalty > 0); a pseudo-metric
/// with less; else as little as is known of the point distance.
template <class PointDistance>
[[nodiscard]] MetricStatus metric_status(const TwedWith<PointDistance>& metric) {
  const TwedWithOptions& options = metric.options();
  const bool collapses = options.stiffness == 0.0 || (options.accept_events && options.penalty == 0.0);
  if (options.point_distance != MetricStatus::metric) return options.point_distance;
  return collapses ? MetricStatus::pseudo_metric : MetricStatus::metric;
}

template <class PointDistance>
[[nodiscard]] MetricDescription describe(const TwedWith<PointDistance>& metric) {
  const TwedWithOptions& options = metric.options();
  std::string settings = "point distance " + (options.name.empty() ? "of the user" : options.name);
  if (options.accept_events) settings += ", events accepted";
  return {"time warp edit distance",
          {{"stiffness", options.stiffness, "/s"}, {"penalty", options.penalty, ""}},
          std::move(settings),
          metric_status(metric)};
}

namespace detail {
template <class PointDistance>
struct EditCosts<TwedWith<PointDistance>> {
  template <class Value, TimePoint Time, class F>
  static auto call(const TwedWith<PointDistance>& metric, const PreparedPoints<PointDistance, Value, Time>& a,
                   const PreparedPoints<PointDistance, Value, Time>& b, F&& f) {
    metric.require_own(a, b);
    return f(point_costs(a, b), double{metric.options().penalty});
  }
};
}  // namespace detail

}  // namespace fidelity
