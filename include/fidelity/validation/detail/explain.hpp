// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

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

/// Mean distance of two different runs of one side.
inline double mean_distance(const CostMatrix& within) {
  const auto size = static_cast<double>(within.rows());
  double sum = 0;
  for (Eigen::Index i = 0; i < within.rows(); ++i)
    for (Eigen::Index j = i + 1; j < within.cols(); ++j) sum += within(i, j) / (size * (size - 1) / 2);
  return sum;
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

/// Why there are no distances between the measured runs.
inline std::string no_measured_block(const Comparison& comparison, const ComparisonOptions& options) {
  if (has_flag(comparison, "cancelled")) return "the comparison was stopped before";
  return options.splits == 0 && options.permutations == 0
             ? "the distances between measured runs were not asked for (splits = 0, permutations = 0)"
             : "the distances between measured runs are not known";
}

/// Mean and largest distance of two different measured runs.
inline void measure_spread(Comparison& comparison, const ComparisonOptions& options) {
  if (comparison.simulated_matrix && comparison.simulations.size() > 1)
    comparison.simulated_spread = mean_distance(*comparison.simulated_matrix);
  const std::size_t m = comparison.measurements.size();
  if (!comparison.measured_matrix || m < 2) {
    comparison.absent.push_back({"measured_spread", m < 2 ? "the spread of the measured runs needs at least two of them"
                                                          : no_measured_block(comparison, options)});
    return;
  }
  const CostMatrix& measured = *comparison.measured_matrix;
  const Indices outliers = measured_outliers(measured, options.outlier_factor);
  if (!outliers.empty())
    object(comparison, "outlying_measured_runs",
           concat(counted(outliers.size(), "measured run"), " more than ", short_text(options.outlier_factor),
                  " times as far from the nearest other one as is usual; this widens the scale and lowers the ratio: ",
                  name_list(comparison.measurements, outliers)));
  const auto outlier = [&](Eigen::Index i) {
    return std::find(outliers.begin(), outliers.end(), static_cast<std::size_t>(i)) != outliers.end();
  };
  double largest = 0;
  for (Eigen::Index i = 0; i < measured.rows(); ++i)
    for (Eigen::Index j = i + 1; j < measured.cols(); ++j)
      if (!outlier(i) && !outlier(j)) largest = std::max(largest, measured(i, j));
  comparison.measured_spread = mean_distance(measured);
  comparison.measured_largest = largest;
  if (*comparison.measured_spread > 0) {
    comparison.relative_to_spread = comparison.distance / *comparison.measured_spread;
  } else {
    comparison.absent.push_back({"relative_to_spread", "all measured runs are equal"});
  }
}

/// Equal runs of both sides and how many distinct ones there are, where the blocks are known.
inline void count_distinct(Comparison& comparison) {
  const auto count = [&](std::optional<std::size_t>& distinct, const std::optional<CostMatrix>& block,
                         const std::vector<RunSummary>& runs, std::string_view side) {
    if (distinct || !block) return;
    distinct = flag_duplicates(comparison, runs, side, duplicate_groups(runs.size(), [&](std::size_t i, std::size_t k) {
                                 return (*block)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) == 0;
                               }));
  };
  count(comparison.distinct_simulations, comparison.simulated_matrix, comparison.simulations, "simulated");
  count(comparison.distinct_measurements, comparison.measured_matrix, comparison.measurements, "measured");
}

}  // namespace fidelity::detail
