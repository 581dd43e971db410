// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/distance/metric.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparisons.hpp>
#include <fidelity/validation/detail/compare_lists.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity {

/// The simulated runs of one model. rank() takes any struct with these two members.
template <class Run = Series<>>
struct Model {
  std::string name;
  std::vector<Run> runs;
};

/// Holds several models against the same measured runs, on one time axis; with `resample` on one grid over the time
/// that all runs of all models have in common. The distances between measured runs are computed once.
///
/// A model shares a rank where its interval overlaps that of the best model of the rank: it cannot be told from it, and
/// the order inside a rank means nothing. (Of three models in a row whose neighbours overlap, the third has a rank of
/// its own if it is apart from the first.) Each interval contains the accident of the measured runs, which is common to
/// all models, so models are told apart late rather than wrongly. Ratios make models with different numbers of runs
/// comparable. Throws what compare() throws; collections are named after the models.
template <class Models, class Measurements, class M>
[[nodiscard]] Ranking rank(const Models& models, const Measurements& measurements, const M& metric,
                           const ComparisonOptions& options = {});

namespace detail {

/// What a ranking goes by: a value and, where there are any, the ends of its interval.
struct RankKey {
  double value, lower, upper;
};

/// Positions in order of their values, each with its rank: whoever overlaps the first of a rank has that rank.
inline std::vector<std::pair<std::size_t, std::size_t>> ranks_of(const std::vector<RankKey>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a].value < keys[b].value; });
  std::vector<std::pair<std::size_t, std::size_t>> ranks;
  std::size_t first = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (keys[order[k]].lower > keys[order[first]].upper) first = k;
    ranks.emplace_back(order[k], first + 1);
  }
  return ranks;
}

inline Ranking ranking_of(std::vector<Comparison> comparisons, const std::vector<std::string>& names) {
  Ranking ranking;
  const auto all = [&](auto has) { return std::all_of(comparisons.begin(), comparisons.end(), has); };
  ranking.by_ratio = all([](const Comparison& c) { return c.ratio.has_value(); });
  ranking.by_interval = all(
      [&](const Comparison& c) { return ranking.by_ratio ? c.ratio_interval.has_value() : c.interval.has_value(); });
  std::vector<RankKey> keys;
  for (const Comparison& c : comparisons) {
    const double value = ranking.by_ratio ? *c.ratio : c.distance;
    if (ranking.by_interval) {
      const auto& interval = ranking.by_ratio ? *c.ratio_interval : *c.interval;
      keys.push_back({value, std::min(value, interval.lower), std::max(value, interval.upper)});
    } else {
      keys.push_back({value, value, value});
    }
  }
  for (const auto& [position, place] : ranks_of(keys))
    ranking.models.push_back({place, position, names[position], std::move(comparisons[position])});
  return ranking;
}

}  // namespace detail

template <class Models, class Measurements, class M>
Ranking rank(const Models& models, const Measurements& measurements, const M& metric,
             const ComparisonOptions& options) {
  using S = detail::ElementOf<Measurements>;
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  if (std::size(models) == 0) detail::fail("rank", Rule::empty, "there is no model", {.collection = "models"});
  std::vector<detail::Collection<S>> lists;
  std::vector<std::string> names;
  for (const auto& model : models) {
    if (std::size(model.runs) == 0)
      detail::fail("rank", Rule::empty, "a model has no simulated run",
                   {.collection = "models", .index = names.size(), .name = std::string(model.name)});
    names.emplace_back(model.name);
    lists.emplace_back("simulations of " + names.back(), model.runs);
  }
  return detail::ranking_of(
      detail::compare_each(std::move(lists), detail::Collection<S>("measurements", measurements), metric, options),
      names);
}

}  // namespace fidelity
