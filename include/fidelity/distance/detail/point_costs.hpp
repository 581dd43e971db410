// SPDX-License-Identifier: MIT
// The costs of steps where the caller says how far two values are apart.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/exact.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/sequence.hpp>
#include <fidelity/distance/twed_with_options.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity::detail {

template <class D, class Value>
concept DistanceOf = requires(const D& distance, const Value& x) {
  { distance(x, x) } -> std::convertible_to<double>;
};

template <class S>
inline constexpr bool is_sequence = false;
template <class Value, class Time>
inline constexpr bool is_sequence<Sequence<Value, Time>> = true;

template <class D, class S>
constexpr bool has_points() {
  if constexpr (is_sequence<S>) {
    return DistanceOf<D, typename S::value_type>;
  } else if constexpr (SampledSignal<S>) {
    return DistanceOf<D, double> || DistanceOf<D, std::span<const double>>;
  } else {
    return false;
  }
}
/// A series or sequence whose values the point distance D takes.
template <class D, class S>
concept HasPoints = has_points<D, S>();

/// A point distance with the parameters that go with it. Its address stands for the metric: callables cannot be
/// compared.
template <class D>
struct PointRule {
  D distance;
  TwedWithOptions options;
};

template <class D>
std::shared_ptr<const PointRule<D>> make_point_rule(D distance, TwedWithOptions options) {
  for (const double parameter : {double{options.stiffness}, double{options.penalty}})
    if (!is_finite(parameter) || parameter < 0)
      fail("twed_with", Rule::bad_parameter, "stiffness and penalty must be finite and not negative",
           {.value = parameter});
  return std::make_shared<const PointRule<D>>(PointRule<D>{std::move(distance), std::move(options)});
}

/// A checked series or sequence of a TwedWith.
template <class D, class Value, TimePoint Time>
struct PreparedPoints {
  std::shared_ptr<const PointRule<D>> rule;
  Time origin;
  InputLocation place;
  std::size_t channels = 1;
  std::vector<double> times;      ///< stiffness * (t - origin)
  std::vector<double> deletions;  ///< entry 0 is not used
  std::vector<Value> values;      ///< of a series with several channels sample after sample

  [[nodiscard]] std::size_t size() const { return times.size(); }
  [[nodiscard]] decltype(auto) point(std::size_t i) const {
    if constexpr (DistanceOf<D, Value>) {
      return values[i];
    } else {
      return std::span<const double>(values.data() + i * channels, channels);
    }
  }
};

/// The point distance of sample i of x and sample j of y.
template <class Points>
double checked_point_distance(const Points& x, std::size_t i, const Points& y, std::size_t j) {
  const auto distance = static_cast<double>(x.rule->distance(x.point(i), y.point(j)));
  if (is_finite(distance) && distance >= 0) return distance;
  InputLocation where = x.place;
  where.sample = i;
  where.value = distance;
  const auto sample = [](std::size_t k, const Points& of) {
    const std::string place = place_text(of.place);
    return concat("sample ", k, place.empty() ? "" : " of ", place);
  };
  throw InputError(Rule::bad_distance,
                   concat("fidelity::twed_with: a point distance must be finite and not negative; that of ",
                          sample(i, x), " and ", sample(j, y), " is ", distance),
                   where);
}

/// A user's point distance, each value of it checked.
struct CheckedPointDistance {
  template <class Points>
  FIDELITY_EXACT double operator()(const Points& a, std::size_t i, const Points& b, std::size_t j) const {
    return checked_point_distance(a, i, b, j);
  }
};
template <class Points>
StepCosts<Points, CheckedPointDistance> point_costs(const Points& a, const Points& b) {
  return {a, b, {}};
}

/// Refuses what was prepared by another metric, for another origin or with another number of channels.
template <class Rule_, class Points>
void require_same_rule(const Rule_& rule, const Points& a, const Points& b) {
  if (a.rule != rule || b.rule != rule || a.origin != b.origin)
    fail("twed_with", Rule::bad_parameter,
         concat(pair_text(a.place, b.place), " were prepared by another metric or for another origin"));
  if (a.channels != b.channels)
    fail("twed_with", Rule::channel_mismatch,
         concat(pair_text(a.place, b.place), " have ", a.channels, " and ", b.channels, " channels"), b.place);
}

/// What a declared metric must be on a series: 0 from each value to itself, the same both ways between neighbours.
template <class Points>
void try_out(const Points& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    InputLocation where = points.place;
    where.sample = i;
    where.value = checked_point_distance(points, i, points, i);
    if (*where.value != 0)
      fail("twed_with", Rule::bad_distance, "a point distance declared as a metric must be 0 from a value to itself",
           where);
    if (i > 0 && checked_point_distance(points, i, points, i - 1) != checked_point_distance(points, i - 1, points, i)) {
      where.value = checked_point_distance(points, i, points, i - 1);
      fail("twed_with", Rule::bad_distance,
           "a point distance declared as a metric must be the same in both orders of its arguments", where);
    }
  }
}

template <class D, class Scalar, TimePoint Time>
std::vector<double> point_values(const SeriesBase<Scalar, Time>& series, const InputLocation& place) {
  if (DistanceOf<D, double> && series.channels() != 1)
    fail("twed_with", Rule::not_one_channel,
         "a point distance of two numbers needs series of one channel; one of std::span<const double> takes samples",
         place);
  std::vector<double> values;
  for (std::size_t i = 0; i < series.size(); ++i)
    for (std::size_t c = 0; c < series.channels(); ++c) {
      values.push_back(static_cast<double>(series(i, c)));
      if (is_finite(values.back())) continue;
      InputLocation where = place;
      where.sample = i;
      where.value = values.back();
      fail("twed_with", Rule::value_not_finite, "a value is NaN or infinite; without_bad() removes such samples",
           where);
    }
  return values;
}
template <class D, class Value, TimePoint Time>
const std::vector<Value>& point_values(const Sequence<Value, Time>& sequence, const InputLocation&) {
  return sequence.values();
}

template <class D, class S, TimePoint Time>
auto prepare_points(const std::shared_ptr<const PointRule<D>>& rule, const S& series, Time origin,
                    InputLocation place) {
  place.name = std::string(series.name());
  using Value = typename std::remove_cvref_t<decltype(point_values<D>(series, place))>::value_type;
  PreparedPoints<D, Value, Time> points{rule, origin, place, 1, {}, {}, point_values<D>(series, place)};
  if constexpr (SampledSignal<S>) points.channels = series.channels();
  const TwedWithOptions& options = rule->options;
  for (std::size_t i = 0; i < series.size(); ++i) {
    InputLocation where = place;
    where.sample = i;
    if (i > 0 && series.time(i) == series.time(i - 1) && !options.accept_events)
      fail("twed_with", Rule::time_repeated,
           concat("two samples at ", to_text(series.time(i)), ", an event: accepted only with accept_events"), where);
    points.times.push_back(options.stiffness * seconds(difference("twed_with", series.time(i), origin)));
    if (!is_finite(points.times.back()))
      throw Overflow(
          concat("fidelity::twed_with: scaled stamps are outside the range of double, in ", place_text(place)));
  }
  if (options.point_distance == MetricStatus::metric || options.point_distance == MetricStatus::pseudo_metric)
    try_out(points);
  points.deletions.assign(points.size(), 0.0);
  const auto costs = point_costs(points, points);
  for (std::size_t i = 1; i < points.size(); ++i)
    points.deletions[i] = (costs.step_a(i) + costs.step_time_a(i)) + options.penalty;
  return points;
}

}  // namespace fidelity::detail
