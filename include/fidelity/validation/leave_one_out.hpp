// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity {

struct LeaveOneOutOptions {
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  ProgressCallback progress = {};        ///< receives runs left out and in total
};

/// What the distance would be without one run.
struct LeftOut {
  double distance;
  double change;  ///< distance without the run - distance with all: negative for a run that holds the ensembles apart
};

/// One entry for each run; empty where a side has a single run, which cannot be left out.
struct LeaveOneOut {
  double distance = 0;  ///< with all runs
  std::vector<LeftOut> simulations = {};
  std::vector<LeftOut> measurements = {};
};

/// The Wasserstein distance of N simulated and M measured runs without each of them in turn; the others share its
/// weight. Shows which runs the distance hangs on. `across` holds the N x M distances. Cost: N + M transport problems.
/// Throws InputError for entries that are no distances and for options out of range; Cancelled.
[[nodiscard]] inline LeaveOneOut leave_one_out(const CostMatrix& across, const LeaveOneOutOptions& options = {}) {
  detail::check_across("leave_one_out", across);
  detail::check_order("leave_one_out", options.order);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  const detail::Indices rows = detail::first_indices(n), columns = detail::first_indices(m);
  const detail::ReplicateCosts costs(across, options.order);
  const std::size_t first = n > 1 ? n : 0, count = first + (m > 1 ? m : 0);
  const auto make_worker = [&] {
    return [&, memory = detail::SimplexMemory{}](std::size_t k) mutable {
      const detail::Indices some_rows = k < first ? detail::others(n, {k}) : rows;
      const detail::Indices some_columns = k < first ? columns : detail::others(m, {k - first});
      return costs.distance(memory, "leave_one_out", some_rows, some_columns,
                            detail::equal_masses(some_rows.size(), some_columns.size()));
    };
  };
  const std::vector<double> without = detail::replicate_values(
      "leave_one_out", count, detail::replicate_threads(options.threads, count, n, m), options.progress, make_worker);

  LeaveOneOut result{.distance = costs.distance("leave_one_out", rows, columns)};
  for (std::size_t k = 0; k < without.size(); ++k)
    (k < first ? result.simulations : result.measurements).push_back({without[k], without[k] - result.distance});
  return result;
}

}  // namespace fidelity
