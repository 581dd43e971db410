// SPDX-License-Identifier: MIT
#pragma once

#include <fidelity/transport/cost.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/simplex.hpp>
#include <fidelity/transport/detail/solve.hpp>
#include <fidelity/transport/plan.hpp>
#include <fidelity/transport/transport.hpp>
#include <fidelity/transport/wasserstein.hpp>

namespace fidelity {

/// Solves one transport problem after the other and keeps its memory, and on request its last basis. For a single
/// problem transport() and wasserstein() are simpler.
///
/// Not for use from several threads at once: give each its own. Of what it is given it keeps nothing: costs may be
/// different ones in every call, and of any size.
class TransportSolver {
 public:
  /// As transport(): the result depends on the arguments only, not on earlier calls.
  template <CostSource Source>
  [[nodiscard]] TransportPlan solve(const Source& cost, const TransportOptions& options = {}) {
    return detail::transport_in(memory_, cost, options, false);
  }

  /// As solve(), from the basis of the last call if that had as many rows and columns of positive weight: much faster
  /// after small changes of weights, costs or view, and right after any. The cost is that of solve() to rounding; among
  /// several optimal plans it may find another one.
  template <CostSource Source>
  [[nodiscard]] TransportPlan resolve(const Source& cost, const TransportOptions& options = {}) {
    return detail::transport_in(memory_, cost, options, true);
  }

  /// The Wasserstein distance of order 1 alone: the bits of wasserstein(distance, options).value, without the plan and
  /// its certificate. For replicates: give the runs as a CostView, or their numbers of copies as weights. Orders other
  /// than 1 and other options as in wasserstein(); progress is not called.
  template <CostSource Source>
  [[nodiscard]] double distance(const Source& distances, const WassersteinOptions& options = {}) {
    if (options.order != 1) return wasserstein(distances, options).value;
    const auto& source = detail::readable(distances);
    const auto entries = detail::access(source);
    detail::check_costs("wasserstein", entries, true);
    detail::Masses masses = detail::balance("wasserstein", entries.rows(), entries.columns(), options.supply,
                                            options.demand, options.normalise);
    masses.make_total_one();
    return detail::solve_transport_cost("wasserstein", entries, masses, {.pivot_limit = options.pivot_limit}, memory_);
  }

 private:
  detail::SimplexMemory memory_ = {};
};

}  // namespace fidelity
