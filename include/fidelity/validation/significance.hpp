// SPDX-License-Identifier: MIT
/// Whether the distance of two ensembles is more than chance, and how well it is known: everything from one pooled
/// matrix of distances, computed once (pairwise_pooled). See docs/methods.md for what these numbers mean and when not
/// to trust them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/validation/bootstrap.hpp>
#include <fidelity/validation/detail/distance_checks.hpp>
#include <fidelity/validation/detail/permutation.hpp>
#include <fidelity/validation/energy.hpp>
#include <fidelity/validation/leave_one_out.hpp>
#include <fidelity/validation/medoid.hpp>
#include <fidelity/validation/split_halves.hpp>
#include <fidelity/validation/trimmed.hpp>

namespace fidelity {

/// What a permutation test computes of two groups: their Wasserstein distance, or the energy value of all pairs.
enum class Statistic { wasserstein, energy };

struct PermutationOptions {
  Statistic statistic = Statistic::wasserstein;
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::size_t permutations = 999;        ///< random ones, at most 1e6; all splits where there are at most 10000
  std::uint64_t seed = 20090201;         ///< the same seed gives the same numbers on every platform
  std::vector<double> weights = {};      ///< one for each pooled run, which it goes with; empty: equal
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  ProgressCallback progress = {};        ///< receives permutations done and in total
};

/// A p-value with the sample that it was read from.
struct PermutationTest {
  double statistic = 0;  ///< of the runs as they are, in the unit of the distances
  /// Share of the permutations whose statistic is at least as large. Small: the ensembles differ. Large: nothing is
  /// known, least of all that they agree; it must not make a verdict pass.
  double p_value = 1;
  double smallest_p = 1;  ///< what the largest of the statistics would have got: a test at a level below has no power
  bool exact = false;     ///< all splits were looked at, the one as it is among them
  std::vector<double> statistics = {};  ///< one for each permutation; exact: lexicographic, the first is `statistic`
  std::uint64_t seed = 0;
};

/// Are two ensembles told apart by more than the luck of who is called simulated? The first `simulations` runs of the
/// pooled matrix are simulated, the others measured. Their labels are exchanged; if both ensembles come from one
/// distribution, all ways to hand out the labels are equally likely (Fisher, 1935; Pitman, 1937).
///
/// Where there are at most 10 000 splits, all are looked at, and p = count / splits. Otherwise
/// p = (1 + count) / (1 + permutations) for random ones (Phipson, Smyth, 2010). `count` are the statistics that are at
/// least the observed one less 1e-12 of the largest pooled distance, so that ties count. Weighted runs keep their
/// weight under either label, and each group is divided by its own sum.
///
/// Permutation r depends on the seed and r only: the result is the same for every number of threads, and a longer test
/// begins with the statistics of a shorter one. Cost: one transport problem of n x m for each permutation.
/// Throws InputError for a matrix that holds no distances, for sizes, weights and options out of range; Cancelled.
[[nodiscard]] inline PermutationTest permutation_test(const CostMatrix& pooled, std::size_t simulations,
                                                      const PermutationOptions& options = {}) {
  detail::check_pooled("permutation_test", pooled, simulations);
  detail::check_order("permutation_test", options.order);
  detail::check_replicates("permutation_test", "permutations", options.permutations);
  const auto runs = static_cast<std::size_t>(pooled.rows());
  detail::check_positive_weights("permutation_test", options.weights, runs);

  const detail::Relabelling relabelling(runs, simulations, options.permutations, options.seed);
  const detail::ReplicateCosts costs(pooled, options.order);
  const auto statistic = [&](detail::SimplexMemory& memory, const detail::GroupPair& groups) {
    return options.statistic == Statistic::energy
               ? detail::energy_of(pooled, groups.rows, groups.columns, options.weights).all_pairs
               : costs.distance(memory, "permutation_test", groups.rows, groups.columns,
                                detail::masses_of(groups.rows, groups.columns, options.weights));
  };
  PermutationTest test{.exact = relabelling.exact(), .seed = options.seed};
  const unsigned threads =
      detail::replicate_threads(options.threads, relabelling.size(), simulations, runs - simulations);
  test.statistics = detail::replicate_values("permutation_test", relabelling.solves(), threads, options.progress, [&] {
    return [&, memory = detail::SimplexMemory{}](std::size_t r) mutable {
      return statistic(memory, relabelling.groups(r));
    };
  });
  relabelling.mirror(test.statistics);
  detail::SimplexMemory own;
  test.statistic = test.exact ? test.statistics.front() : statistic(own, relabelling.observed());

  const double tolerance = detail::tie_tolerance * pooled.maxCoeff();
  const auto share = [&](double reached) {
    return detail::share_reaching(test.statistics, test.exact, test.statistic, reached - tolerance);
  };
  test.p_value = share(test.statistic);
  test.smallest_p = share(std::max(test.statistic, *std::max_element(test.statistics.begin(), test.statistics.end())));
  return test;
}

}  // namespace fidelity
