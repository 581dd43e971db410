// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparisons.hpp>
#include <fidelity/validation/detail/compare_lists.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity {

/// Both ensembles at one operating point. compare_points() takes any struct with these three members.
template <class Run = Series<>>
struct OperatingPoint {
  std::string name;
  std::vector<Run> simulations;
  std::vector<Run> measurements;
};

/// Compares the ensembles of every point with the same metric, criteria and options. Throws what compare() throws;
/// collections are named after the points.
template <class Points, class M>
[[nodiscard]] PointsComparison compare_points(const Points& points, const M& metric,
                                              const ComparisonOptions& options = {});

namespace detail {
/// How much a verdict stands in the way: fail, incomplete, pass.
inline int severity(Verdict verdict) { return verdict == Verdict::fail ? 2 : (verdict == Verdict::incomplete ? 1 : 0); }

inline void judge_points(PointsComparison& result) {
  const auto& points = result.points;
  result.by_ratio = std::all_of(points.begin(), points.end(),
                                [](const PointResult& point) { return point.comparison.ratio.has_value(); });
  const auto badness = [&](const PointResult& point) {
    const Comparison& c = point.comparison;
    return std::pair{severity(c.verdict), result.by_ratio ? *c.ratio : c.distance};
  };
  result.verdict = Verdict::pass;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Comparison& c = points[k].comparison;
    if (badness(points[k]) > badness(points[result.worst])) result.worst = k;
    if (severity(c.verdict) > severity(result.verdict)) result.verdict = c.verdict;
    if (c.verdict == Verdict::pass) continue;
    for (const Finding& reason : c.reasons)
      result.reasons.push_back({reason.code, points[k].name + ": " + reason.text});
  }
}
}  // namespace detail

template <class Points, class M>
PointsComparison compare_points(const Points& points, const M& metric, const ComparisonOptions& options) {
  if (std::size(points) == 0)
    detail::fail("compare_points", Rule::empty, "there is no operating point", {.collection = "points"});
  using S = detail::ElementOf<decltype(std::begin(points)->simulations)>;
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  PointsComparison result;
  for (const auto& point : points) {
    const std::string name(point.name);
    if (std::size(point.simulations) == 0 || std::size(point.measurements) == 0)
      detail::fail("compare_points", Rule::empty, "an operating point needs simulated and measured runs",
                   {.collection = "points", .index = result.points.size(), .name = name});
    std::vector<detail::Collection<S>> lists;
    lists.emplace_back("simulations of " + name, point.simulations);
    result.points.push_back(
        {name, std::move(detail::compare_each(std::move(lists),
                                              detail::Collection<S>("measurements of " + name, point.measurements),
                                              metric, options)
                             .front())});
  }
  detail::judge_points(result);
  return result;
}

}  // namespace fidelity
