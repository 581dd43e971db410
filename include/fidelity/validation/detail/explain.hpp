// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity::detail {

/// Names of the runs for a sentence: the first few, then how many more.
inline std::string name_list(const std::vector<RunSummary>& runs, const Indices& chosen) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, chosen.size()); ++k) text += (k == 0 ? "" : ", ") + runs[chosen[k]].name;
  if (chosen.size() > shown) text += " and " + std::to_string(chosen.size() - shown) + " more";
  return text;
}

inline std::string counted(std::size_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : "s");
}

/// What the plan moves: matches, the part of every run in the cost, and its nearest run on the other side.
inline void explain_plan(Comparison& comparison) {
  const auto entry = [&](std::size_t i, std::size_t j) {
    return comparison.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  auto& simulations = comparison.simulations;
  auto& measurements = comparison.measurements;
  double total = 0;
  for (const auto& [row, column, mass] : comparison.plan.entries) {
    comparison.matches.push_back({row, column, mass, entry(row, column)});
    const double cost = mass * std::pow(entry(row, column), comparison.order);
    simulations[row].contribution += cost;
    measurements[column].contribution += cost;
    total += cost;
  }
  for (auto* runs : {&simulations, &measurements})
    for (RunSummary& run : *runs) run.share = total > 0 ? run.contribution / total : 0;
  for (std::size_t i = 0; i < simulations.size(); ++i)
    for (std::size_t j = 0; j < measurements.size(); ++j) {
      const double distance = entry(i, j);
      if (j == 0 || distance < simulations[i].nearest_distance)
        simulations[i].nearest = j, simulations[i].nearest_distance = distance;
      if (i == 0 || distance < measurements[j].nearest_distance)
        measurements[j].nearest = i, measurements[j].nearest_distance = distance;
    }
}

/// Groups of runs at distance 0 from each other. `same(i, k)` decides for two runs.
template <class Same>
std::vector<Indices> duplicate_groups(std::size_t count, Same same) {
  std::vector<Indices> groups;
  for (std::size_t i = 0; i < count; ++i) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Indices& g) { return same(g.front(), i); });
    if (known == groups.end()) {
      groups.push_back({i});
    } else {
      known->push_back(i);
    }
  }
  return groups;
}

/// Flags equal runs; returns the number of distinct ones.
inline std::size_t flag_duplicates(Comparison& comparison, const std::vector<RunSummary>& runs, std::string_view side,
                                   const std::vector<Indices>& groups) {
  for (const Indices& group : groups)
    if (group.size() > 1)
      comparison.flags.push_back({"duplicate_runs", concat(group.size(), " ", side,
                                                           " runs are equal (distance 0): ", name_list(runs, group))});
  if (groups.size() == 1 && runs.size() > 1)
    comparison.flags.push_back(
        {"single_distinct_run", concat("all ", runs.size(), " ", side, " runs are one and the same")});
  return groups.size();
}

/// Runs that stand out: diverged simulations, measurements that no simulation explains, runs that end early.
inline void flag_outliers(Comparison& comparison, double diverged_factor, double min_span) {
  const auto pick = [](const std::vector<RunSummary>& runs, auto condition) {
    Indices chosen;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (condition(runs[i])) chosen.push_back(i);
    return chosen;
  };
  if (comparison.measured_largest) {
    const double largest = *comparison.measured_largest;
    const auto diverged = pick(comparison.simulations,
                               [&](const RunSummary& run) { return run.nearest_distance > diverged_factor * largest; });
    if (!diverged.empty())
      comparison.flags.push_back(
          {"diverged_runs", concat(counted(diverged.size(), "simulated run"), " more than ", diverged_factor,
                                   " times as far from every measured run as any two of those are from each other: ",
                                   name_list(comparison.simulations, diverged))});
    const auto unexplained =
        pick(comparison.measurements, [&](const RunSummary& run) { return run.nearest_distance > largest; });
    if (!unexplained.empty())
      comparison.flags.push_back(
          {"unexplained_runs",
           concat(counted(unexplained.size(), "measured run"),
                  " farther from every simulated run than any two measured runs are from each other: ",
                  name_list(comparison.measurements, unexplained))});
    if (largest == 0)
      comparison.flags.push_back({"no_spread", "all measured runs are equal: there is no spread to compare with"});
  }
  std::vector<double> durations;
  for (const RunSummary& run : comparison.measurements) durations.push_back(run.duration);
  const double needed = min_span * median(durations);
  for (const auto& [side, runs] :
       {std::pair{"simulated", &comparison.simulations}, std::pair{"measured", &comparison.measurements}}) {
    const auto early = pick(*runs, [&](const RunSummary& run) { return run.duration < needed; });
    if (early.empty()) continue;
    Finding finding{"short_runs", concat(counted(early.size(), concat(side, " run")), " shorter than ",
                                         short_text(needed), " s, which is ", min_span,
                                         " of the median duration of the measured ones: ", name_list(*runs, early))};
    comparison.flags.push_back(finding);
    comparison.reasons.push_back(std::move(finding));
  }
}

}  // namespace fidelity::detail
