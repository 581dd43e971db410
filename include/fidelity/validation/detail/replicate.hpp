// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/transport/wasserstein.hpp>

namespace fidelity::detail {

using Indices = std::vector<std::size_t>;

/// Powers below this may have lost their digits beside that of the largest distance, see wasserstein().
inline constexpr double lost_power = 1e-250;

/// Equal masses for two groups of these sizes.
inline Masses equal_masses(std::size_t rows, std::size_t columns) {
  return balance("wasserstein", rows, columns, {}, {}, false);
}

/// One matrix of distances, made ready for many Wasserstein distances between groups of its runs: the powers of an
/// order p > 1 are taken once. The matrix must outlive it.
class ReplicateCosts {
 public:
  ReplicateCosts(const CostMatrix& distances, double order) : distances_(distances), order_(order) {
    if (order == 1) return;
    if (const double largest = largest_finite(access(distances)); largest > 0) scale_ = largest;
    powers_ = powers(access(distances), scale_, order);
  }

  /// W_p between the runs `rows` and `columns` with these masses. It depends on these only: the memory, one for each
  /// thread, is emptied before use.
  [[nodiscard]] double distance(SimplexMemory& memory, std::string_view function, const Indices& rows,
                                const Indices& columns, Masses masses) const {
    masses.make_total_one();
    const CostView view(order_ == 1 ? distances_ : powers_, rows, columns);
    const double cost = solve_transport_cost(function, access(view), masses, {}, memory);
    if (order_ == 1) return cost;
    if (cost >= lost_power) return root(cost, scale_, order_);
    const std::vector<double> supply(masses.supply.begin(), masses.supply.end());
    const std::vector<double> demand(masses.demand.begin(), masses.demand.end());
    return wasserstein(CostView(distances_, rows, columns),
                       {.order = order_, .supply = supply, .demand = demand, .normalise = true})
        .value;
  }
  /// The same with equal masses.
  [[nodiscard]] double distance(std::string_view function, const Indices& rows, const Indices& columns) const {
    SimplexMemory memory;
    return distance(memory, function, rows, columns, equal_masses(rows.size(), columns.size()));
  }

 private:
  const CostMatrix& distances_;
  double order_, scale_ = 1;
  PowerMatrix powers_;
};

/// values[r] = make_worker()(r) for every replicate, on up to `threads` threads. Cancelled says how many are finished.
template <class MakeWorker>
std::vector<double> replicate_values(std::string_view function, std::size_t count, unsigned threads,
                                     const ProgressCallback& callback, MakeWorker&& make_worker) {
  std::vector<double> values(count);
  std::atomic<std::size_t> finished{0};
  ProgressReport progress(callback, static_cast<double>(count));
  parallel_for_with(count, threads, [&] {
    return [&, work = make_worker()](std::size_t r) mutable {
      values[r] = work(r);
      ++finished;
      return progress.add(1);
    };
  });
  if (progress.cancelled())
    throw Cancelled(concat("fidelity::", function, ": cancelled after ", finished.load(), " of ", count, " replicates"),
                    finished, count);
  return values;
}

/// Threads for `count` solves of n x m.
inline unsigned replicate_threads(std::optional<unsigned> asked, std::size_t count, std::size_t n, std::size_t m) {
  return thread_count(asked, static_cast<double>(count) * static_cast<double>(n) * static_cast<double>(m) > 1e6);
}

}  // namespace fidelity::detail
