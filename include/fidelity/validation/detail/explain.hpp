// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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

/// What the plan moves: matches, the part of every run in the cost, and its nearest run on the other side. `scale` is
/// what the solver divided the distances by before the power, so that none of them overflows.
inline void explain_plan(Comparison& comparison, double scale) {
  const auto entry = [&](std::size_t i, std::size_t j) {
    return comparison.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  auto& simulations = comparison.simulations;
  auto& measurements = comparison.measurements;
  double total = 0;
  for (const auto& [row, column, mass] : comparison.plan.entries) {
    comparison.matches.push_back({row, column, mass, entry(row, column)});
    const double cost = mass * std::pow(entry(row, column) / scale, comparison.order);
    simulations[row].share += cost;
    measurements[column].share += cost;
    total += cost;
  }
  for (auto* runs : {&simulations, &measurements})
    for (RunSummary& run : *runs) {
      run.share = total > 0 ? run.share / total : 0;
      run.contribution = run.share * comparison.distance;
    }
  for (std::size_t i = 0; i < simulations.size(); ++i)
    for (std::size_t j = 0; j < measurements.size(); ++j) {
      const double distance = entry(i, j);
      if (j == 0 || distance < simulations[i].nearest_distance)
        simulations[i].nearest = j, simulations[i].nearest_distance = distance;
      if (i == 0 || distance < measurements[j].nearest_distance)
        measurements[j].nearest = i, measurements[j].nearest_distance = distance;
    }
}

/// Equal runs have equal rows in a matrix of distances (to rounding); the reverse need not hold.
inline bool equal_rows(const CostMatrix& matrix, std::size_t i, std::size_t k) {
  const auto a = matrix.row(static_cast<Eigen::Index>(i)), b = matrix.row(static_cast<Eigen::Index>(k));
  return ((a - b).array().abs() <= 1e-9 * a.array().max(b.array())).all();
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

/// The runs for which a condition holds.
template <class Condition>
Indices pick(const std::vector<RunSummary>& runs, Condition condition) {
  Indices chosen;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (condition(i)) chosen.push_back(i);
  return chosen;
}

/// A finding that stands in the way of a pass: the numbers cannot be trusted to mean what they say.
inline void object(Comparison& comparison, std::string code, std::string text) {
  comparison.flags.push_back({code, text});
  comparison.reasons.push_back({std::move(code), std::move(text)});
}

/// Measured runs that are far from all others. They widen the scale that everything is held against: a wrong model
/// would pass beside a bad measurement.
inline Indices measured_outliers(const CostMatrix& measured, double factor) {
  const Eigen::Index m = measured.rows();
  Indices outliers;
  if (m < 3) return outliers;
  std::vector<double> nearest;
  for (Eigen::Index i = 0; i < m; ++i) {
    double least = std::numeric_limits<double>::max();
    for (Eigen::Index j = 0; j < m; ++j)
      if (i != j) least = std::min(least, measured(i, j));
    nearest.push_back(least);
  }
  const double usual = median(nearest);
  for (std::size_t i = 0; i < nearest.size(); ++i)
    if (usual > 0 && nearest[i] > factor * usual) outliers.push_back(i);
  return outliers;
}

/// Runs that stand out on the scale of the measured ones: diverged simulations, unexplained measurements, equal ones.
inline void flag_distant(Comparison& comparison, double diverged_factor) {
  const auto& simulations = comparison.simulations;
  const auto& measurements = comparison.measurements;
  const auto copies = pick(simulations, [&](std::size_t i) { return simulations[i].nearest_distance == 0; });
  if (!copies.empty())
    comparison.flags.push_back(
        {"identical_to_measured", concat(counted(copies.size(), "simulated run"),
                                         " at distance 0 from a measured one: ", name_list(simulations, copies))});
  if (!comparison.measured_largest) return;
  const double largest = *comparison.measured_largest;
  if (largest == 0) {
    comparison.flags.push_back({"no_spread", "all measured runs are equal: there is no spread to compare with"});
    return;
  }
  const auto diverged =
      pick(simulations, [&](std::size_t i) { return simulations[i].nearest_distance > diverged_factor * largest; });
  if (!diverged.empty())
    object(comparison, "diverged_runs",
           concat(counted(diverged.size(), "simulated run"), " more than ", short_text(diverged_factor),
                  " times as far from every measured run as any two of those are from each other: ",
                  name_list(simulations, diverged)));
  const auto unexplained =
      pick(measurements, [&](std::size_t j) { return measurements[j].nearest_distance > largest; });
  if (!unexplained.empty())
    comparison.flags.push_back(
        {"unexplained_runs",
         concat(counted(unexplained.size(), "measured run"),
                " farther from every simulated run than any two measured runs are from each other: ",
                name_list(measurements, unexplained))});
}

/// Runs that end early, in comparison with the measured ones.
inline void flag_short(Comparison& comparison, double min_span) {
  std::vector<double> durations;
  for (const RunSummary& run : comparison.measurements) durations.push_back(run.duration);
  const double needed = min_span * median(durations);
  for (const auto& [side, runs] :
       {std::pair{"simulated run", &comparison.simulations}, std::pair{"measured run", &comparison.measurements}}) {
    const auto early = pick(*runs, [&, list = runs](std::size_t i) { return (*list)[i].duration < needed; });
    if (!early.empty())
      object(comparison, "short_runs",
             concat(counted(early.size(), side), " shorter than ", short_text(needed), " s (min_span ",
                    short_text(min_span), " of the median measured duration): ", name_list(*runs, early)));
  }
}

}  // namespace fidelity::detail
