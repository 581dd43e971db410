// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/fill_matrix.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/tiles.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/detail/judge.hpp>
#include <fidelity/validation/detail/prepare_runs.hpp>
#include <fidelity/validation/detail/sampling_rate.hpp>
#include <fidelity/validation/detail/summarise.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

/// Distances between the measured runs: computed by the first of several models that are held against them.
struct MeasuredBlock {
  std::optional<CostMatrix> matrix = {};
};

inline double cell_count(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
  double a = 0, b = 0;
  for (const auto n : rows) a += static_cast<double>(n);
  for (const auto m : columns) b += static_cast<double>(m);
  return a * b;
}
/// Cells of a symmetric matrix: every unordered pair once.
inline double cell_count(const std::vector<std::size_t>& lengths) {
  double sum = 0, pairs = 0;
  for (const auto n : lengths) pairs += sum * static_cast<double>(n), sum += static_cast<double>(n);
  return pairs;
}

/// Fills the blocks of the pooled matrix that are asked for, each pair once, under one count of progress. Stopped after
/// the distances between the two sides, it keeps those and says so.
template <class A, class B, class M>
void fill_blocks(Comparison& comparison, const A& a, const B& b, const M& metric, const ComparisonOptions& options,
                 MeasuredBlock& measured) {
  const bool within_simulated = options.permutations > 0;
  const bool within_measured = options.splits > 0 || options.permutations > 0;
  const double across_cells = cell_count(a.lengths, b.lengths);
  const double measured_cells = within_measured && !measured.matrix ? cell_count(b.lengths) : 0;
  const double total = across_cells + measured_cells + (within_simulated ? cell_count(a.lengths) : 0);
  double before = 0;
  const auto part = [&]() -> ProgressCallback {
    if (!options.progress) return {};
    return [&options, before, total](const Progress& progress) {
      return options.progress({before + progress.done, total});
    };
  };
  const auto n = static_cast<Eigen::Index>(a.lengths.size()), m = static_cast<Eigen::Index>(b.lengths.size());
  comparison.matrix.resize(n, m);
  fill_matrix(comparison.matrix, fidelity::tiles(a.lengths, b.lengths), a, b, metric, options.threads, part(), false);
  before += across_cells;
  const auto fill_within = [&](std::optional<CostMatrix>& block, const auto& side, Eigen::Index size) {
    CostMatrix matrix(size, size);
    fill_matrix(matrix, fidelity::tiles(side.lengths), side, side, metric, options.threads, part(), true);
    block = std::move(matrix);
  };
  try {
    if (within_measured && !measured.matrix) fill_within(measured.matrix, b, m);
    before += measured_cells;
    if (within_simulated) fill_within(comparison.simulated_matrix, a, n);
  } catch (const Cancelled&) {
    note_cancelled(comparison);
  }
  if (within_measured) comparison.measured_matrix = measured.matrix;
}

/// Everything about two collections of runs that are ready to be compared. What is known from before (input hash,
/// invalid and short runs) stands in `comparison` already.
template <class S, class M, class Origin>
void compare_lists(Comparison& comparison, const Collection<S>& simulations, const Collection<S>& measurements,
                   const M& metric, const Origin& origin, const ComparisonOptions& options, MeasuredBlock& measured) {
  const auto started = std::chrono::steady_clock::now();
  const Prepared a(simulations, metric, origin), b(measurements, metric, origin);
  comparison.metric = describe(metric);
  comparison.simulations = summarise(simulations, origin, "simulation");
  comparison.measurements = summarise(measurements, origin, "measurement");
  if constexpr (HasTimes<S>) comparison.origin = to_text(*origin);
  fill_blocks(comparison, a, b, metric, options, measured);
  if constexpr (!Sampled<S>) comparison.input_hash = matrix_hash(comparison.matrix);
  measure_sampling(comparison, measurements, metric, origin, options);
  comparison.matrix_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  const auto same = [&](std::size_t i, std::size_t k) {
    if (comparison.simulated_matrix)
      return (*comparison.simulated_matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) == 0;
    return equal_rows(comparison.matrix, i, k) && static_cast<double>(metric(a[i], a[k])) == 0;
  };
  comparison.distinct_simulations =
      flag_duplicates(comparison, comparison.simulations, "simulated", duplicate_groups(simulations.size(), same));
  judge(comparison, options);
}

/// Several models against the same measurements: one time axis, the distances between the measured runs once.
template <class S, class M>
void compare_prepared(std::vector<Comparison>& results, const std::vector<Collection<S>>& models,
                      const Collection<S>& measurements, const M& metric, const ComparisonOptions& options) {
  Collection<S> all = measurements;
  for (const auto& model : models)
    for (std::size_t i = 0; i < model.size(); ++i) all.add(model[i], model.place(i));
  const auto origin = common_origin<S>({&all});
  MeasuredBlock measured;
  for (std::size_t k = 0; k < models.size(); ++k)
    compare_lists(results[k], models[k], measurements, metric, origin, options, measured);
}

/// The same from what the caller gave. Invalid runs are found first, short ones before anything is cut, then all are
/// brought to one grid where that is asked for.
template <class S, class M>
std::vector<Comparison> compare_each(std::vector<Collection<S>> models, Collection<S> measurements, const M& metric,
                                     const ComparisonOptions& options) {
  for (const auto& model : models) check(options, model.size(), measurements.size());
  std::vector<Comparison> results(models.size());
  if constexpr (Sampled<S>)
    for (std::size_t k = 0; k < models.size(); ++k) {
      InputHash hash;
      add_runs(hash, models[k]);
      add_runs(hash, measurements);
      results[k].input_hash = hash.value();
    }
  if (options.invalid_runs == InvalidRuns::record) {
    std::vector<InvalidRun> invalid;
    measurements = valid_runs(measurements, invalid, "measurement");
    for (std::size_t k = 0; k < models.size(); ++k) {
      models[k] = valid_runs(models[k], results[k].invalid_simulations, "simulation");
      results[k].invalid_measurements = invalid;
    }
  }
  if (!options.common_grid) {
    compare_prepared(results, models, measurements, metric, options);
    return results;
  }
  if constexpr (!Griddable<S>) {
    fail("compare", Rule::bad_parameter, "common_grid needs runs that are series", {.value = *options.common_grid});
  } else {
    using Run = Series<typename S::scalar_type, typename S::time_type>;
    Collection<S> all = measurements;
    const auto spans = spans_of(measurements, "measurement");
    for (std::size_t k = 0; k < models.size(); ++k) {
      flag_short(results[k], spans_of(models[k], "simulation"), spans, options.min_span);
      for (std::size_t i = 0; i < models[k].size(); ++i) all.add(models[k][i], models[k].place(i));
    }
    const auto window = common_window<S>({&all});
    const std::vector<Run> measured_runs = on_grid(measurements, *options.common_grid, window);
    std::vector<std::vector<Run>> model_runs;
    std::vector<Collection<Run>> lists;
    for (const auto& model : models) {
      model_runs.push_back(on_grid(model, *options.common_grid, window));
      lists.push_back(in_place_of(model, model_runs.back()));
    }
    compare_prepared(results, lists, in_place_of(measurements, measured_runs), metric, options);
    return results;
  }
}

}  // namespace fidelity::detail
