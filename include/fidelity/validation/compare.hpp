// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/validation/detail/explain.hpp>
#include <fidelity/validation/detail/judge.hpp>
#include <fidelity/validation/detail/outline.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity {

/// Holds N simulated runs against M measured ones: the distance of every pair, the Wasserstein distance of the two
/// ensembles (Muskulus, Verduyn-Lunel 2011), what it means on the scale of the measured runs, which runs are to blame,
/// and a verdict by the caller's criteria. Rows are simulations, columns measurements, everywhere.
///
/// `metric` is a Twed or any callable (series, series) -> number. N, M >= 1; numbers that need more (the ratio needs
/// M >= 4 and N >= 2) are absent with a reason, never 0. Cost: N M + M (M - 1) / 2 distances, then `splits` small
/// transport problems twice. Throws what pairwise() and wasserstein() throw, with collections named "simulations" and
/// "measurements", and InputError for options out of their range.
template <class Simulations, class Measurements, class M>
[[nodiscard]] Comparison compare(const Simulations& simulations, const Measurements& measurements, const M& metric,
                                 const ComparisonOptions& options = {});

/// The same from ready matrices: N x M distances, and optionally the symmetric M x M ones of the measured runs (without
/// them there is no ratio). Runs have no names, spans or outlines then. InputError for entries that are no distances.
[[nodiscard]] inline Comparison compare_matrices(CostMatrix distances,
                                                 std::optional<CostMatrix> measured_distances = {},
                                                 const ComparisonOptions& options = {}) {
  Comparison comparison;
  comparison.metric.name = "given matrix";
  comparison.matrix = std::move(distances);
  comparison.measured_matrix = std::move(measured_distances);
  detail::name_runs(comparison.simulations, static_cast<std::size_t>(comparison.matrix.rows()), "simulation");
  detail::name_runs(comparison.measurements, static_cast<std::size_t>(comparison.matrix.cols()), "measurement");
  detail::check(options, comparison.simulations.size(), comparison.measurements.size());
  detail::check_measured_matrix(comparison);
  detail::judge(comparison, options);
  return comparison;
}

template <class Simulations, class Measurements, class M>
Comparison compare(const Simulations& simulations, const Measurements& measurements, const M& metric,
                   const ComparisonOptions& options) {
  using Series = detail::ElementOf<Simulations>;
  static_assert(Metric<M, Series>, "the metric must be callable as metric(series, series) -> number");
  const auto started = std::chrono::steady_clock::now();
  const detail::Collection<Series> rows("simulations", simulations), columns("measurements", measurements);
  detail::check(options, rows.size(), columns.size());

  const auto origin = detail::common_origin<Series>({&rows, &columns});
  const detail::Prepared a(rows, metric, origin), b(columns, metric, origin);
  Comparison comparison;
  comparison.metric = describe(metric);
  comparison.simulations = detail::summarise(rows, origin, "simulation");
  comparison.measurements = detail::summarise(columns, origin, "measurement");
  if constexpr (detail::HasTimes<Series>) comparison.origin = to_text(*origin);

  // One progress count over both matrices.
  const double across_cells = detail::cell_count(a.lengths, b.lengths), measured_cells = detail::cell_count(b.lengths);
  const auto part = [&](double before) -> ProgressCallback {
    if (!options.progress) return {};
    return [&options, before, total = across_cells + measured_cells](const Progress& progress) {
      return options.progress({before + progress.done, total});
    };
  };
  const auto n = static_cast<Eigen::Index>(rows.size()), m = static_cast<Eigen::Index>(columns.size());
  comparison.matrix.resize(n, m);
  detail::fill_matrix(comparison.matrix, tiles(a.lengths, b.lengths), a, b, metric, options.threads, part(0), false);
  comparison.measured_matrix.emplace(m, m);
  detail::fill_matrix(*comparison.measured_matrix, tiles(b.lengths), b, b, metric, options.threads, part(across_cells),
                      true);
  comparison.matrix_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  comparison.distinct_simulations = detail::flag_duplicates(
      comparison, comparison.simulations, "simulated",
      detail::duplicate_groups(rows.size(), [&](std::size_t i, std::size_t k) {
        return detail::equal_rows(comparison.matrix, i, k) && static_cast<double>(metric(a[i], a[k])) == 0;
      }));
  detail::judge(comparison, options);
  return comparison;
}

}  // namespace fidelity
