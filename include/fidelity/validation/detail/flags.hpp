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

#include <fidelity/detail/require.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity::detail {

/// Some items for a sentence: the first few, then how many more.
template <class Name>
std::string name_list(std::size_t count, Name name) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, count); ++k) text += (k == 0 ? "" : ", ") + name(k);
  if (count > shown) text += " and " + std::to_string(count - shown) + " more";
  return text;
}
inline std::string name_list(const std::vector<RunSummary>& runs, const Indices& chosen) {
  return name_list(chosen.size(), [&](std::size_t k) { return runs[chosen[k]].name; });
}

inline std::string counted(std::size_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : "s");
}

inline bool has_flag(const Comparison& comparison, std::string_view code) {
  return std::any_of(comparison.flags.begin(), comparison.flags.end(),
                     [&](const Finding& flag) { return flag.code == code; });
}

/// A finding that stands in the way of a pass: the numbers cannot be trusted to mean what they say.
inline void object(Comparison& comparison, std::string code, std::string text) {
  comparison.flags.push_back({code, text});
  comparison.reasons.push_back({std::move(code), std::move(text)});
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
inline void flag_short(Comparison& comparison, const std::vector<RunSummary>& simulations,
                       const std::vector<RunSummary>& measurements, double min_span) {
  std::vector<double> durations;
  for (const RunSummary& run : measurements) durations.push_back(run.duration);
  const double needed = min_span * median(durations);
  for (const auto& [side, runs] :
       {std::pair{"simulated run", &simulations}, std::pair{"measured run", &measurements}}) {
    const auto early = pick(*runs, [&, list = runs](std::size_t i) { return (*list)[i].duration < needed; });
    if (!early.empty())
      object(comparison, "short_runs",
             concat(counted(early.size(), side), " shorter than ", short_text(needed), " s (min_span ",
                    short_text(min_span), " of the median measured duration): ", name_list(*runs, early)));
  }
}

/// Runs that were left out for a bad value: a simulation that ends in NaN has failed.
inline void flag_invalid(Comparison& comparison) {
  const auto sentence = [](const std::vector<InvalidRun>& runs, std::string_view noun) {
    return concat(counted(runs.size(), noun),
                  " with a NaN or infinite value, left out: ", name_list(runs.size(), [&](std::size_t k) {
                    return concat(runs[k].name, " (sample ", runs[k].sample, ")");
                  }));
  };
  if (!comparison.invalid_simulations.empty())
    object(comparison, "invalid_simulated_runs", sentence(comparison.invalid_simulations, "simulated run"));
  if (!comparison.invalid_measurements.empty())
    object(comparison, "invalid_measured_runs", sentence(comparison.invalid_measurements, "measured run"));
}

/// Two sides at different rates. Steps that differ by less than two percent count as one rate.
inline bool rates_differ(const SamplingSteps& steps) {
  return std::abs(steps.simulated - steps.measured) > 0.02 * std::max(steps.simulated, steps.measured);
}
inline void flag_sampling(Comparison& comparison) {
  if (!comparison.sampling || !rates_differ(*comparison.sampling)) return;
  const SamplingSteps& steps = *comparison.sampling;
  const std::string unit = comparison.unit.empty() ? "" : " " + comparison.unit;
  std::string text = concat("the simulated runs have a sample every ", short_text(steps.simulated),
                            " s, the measured ones every ", short_text(steps.measured), " s");
  if (steps.cost) {
    const double share = comparison.distance > 0 ? std::min(1.0, *steps.cost / comparison.distance) : 1.0;
    text += concat("; the distance sees that too: the measured runs are ", short_text(*steps.cost), unit,
                   " from themselves at the simulated rate, so the rate explains up to ", std::lround(100 * share),
                   " % of the distance");
  }
  text += concat("; common_grid = ", short_text(std::max(steps.simulated, steps.measured)),
                 " would bring all runs to one grid first");
  comparison.flags.push_back({"sampling_differs", std::move(text)});
}

inline void note_cancelled(Comparison& comparison) {
  if (!has_flag(comparison, "cancelled"))
    object(comparison, "cancelled", "the comparison was stopped before all its numbers were computed");
}

}  // namespace fidelity::detail
