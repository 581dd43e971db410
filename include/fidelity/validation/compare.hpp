// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/validation/detail/check_comparison.hpp>
#include <fidelity/validation/detail/compare_lists.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/judge.hpp>
#include <fidelity/validation/detail/summarise.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity {

/// Holds N simulated runs against M measured ones: the distance of every pair, the Wasserstein distance of the two
/// ensembles (Muskulus, Verduyn-Lunel 2011), what it means on the scale of the measured runs, how sure that is, which
/// runs are to blame, and a verdict by the caller's criteria. Rows are simulations, columns measurements, everywhere.
///
/// `metric` is a Twed or any callable (series, series) -> number. N, M >= 1; numbers that need more (the ratio needs
/// M >= 4 and N >= 2) are absent with a reason, never 0. Cost: every pair of the N + M runs once (fewer with
/// `permutations = 0`), then a small transport problem for each replicate. Where the two sides are sampled at
/// different rates, M more distances say what the rate alone costs. Throws what pairwise() and wasserstein() throw,
/// with collections named "simulations" and "measurements", and InputError for options out of their range.
template <class Simulations, class Measurements, class M>
[[nodiscard]] Comparison compare(const Simulations& simulations, const Measurements& measurements, const M& metric,
                                 const ComparisonOptions& options = {}) {
  using S = detail::ElementOf<Simulations>;
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  std::vector<detail::Collection<S>> lists;
  lists.emplace_back("simulations", simulations);
  return std::move(
      detail::compare_each(std::move(lists), detail::Collection<S>("measurements", measurements), metric, options)
          .front());
}

/// The same from ready matrices: N x M distances, and optionally the symmetric M x M ones of the measured runs and N x
/// N ones of the simulated runs. What needs a matrix that is missing is absent. Runs have no names, spans or outlines.
/// InputError for entries that are no distances.
struct DistanceBlocks {
  CostMatrix across;                         ///< simulations x measurements
  std::optional<CostMatrix> measured = {};   ///< measurements x measurements
  std::optional<CostMatrix> simulated = {};  ///< simulations x simulations
};
[[nodiscard]] inline Comparison compare_matrices(DistanceBlocks blocks, const ComparisonOptions& options = {}) {
  Comparison comparison;
  comparison.metric.name = "given matrix";
  comparison.matrix = std::move(blocks.across);
  comparison.measured_matrix = std::move(blocks.measured);
  comparison.simulated_matrix = std::move(blocks.simulated);
  detail::name_runs(comparison.simulations, static_cast<std::size_t>(comparison.matrix.rows()), "simulation");
  detail::name_runs(comparison.measurements, static_cast<std::size_t>(comparison.matrix.cols()), "measurement");
  detail::check(options, comparison.simulations.size(), comparison.measurements.size());
  if (comparison.measured_matrix)
    detail::check_symmetric("compare_matrices", "measured", *comparison.measured_matrix,
                            comparison.measurements.size());
  if (comparison.simulated_matrix)
    detail::check_symmetric("compare_matrices", "simulated", *comparison.simulated_matrix,
                            comparison.simulations.size());
  comparison.input_hash = detail::matrix_hash(comparison.matrix);
  detail::judge(comparison, options);
  return comparison;
}

/// The N x M matrix alone, or with the M x M one of the measured runs.
[[nodiscard]] inline Comparison compare_matrices(CostMatrix distances,
                                                 std::optional<CostMatrix> measured_distances = {},
                                                 const ComparisonOptions& options = {}) {
  return compare_matrices(DistanceBlocks{std::move(distances), std::move(measured_distances)}, options);
}

}  // namespace fidelity
