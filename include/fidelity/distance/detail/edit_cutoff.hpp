// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_bounds.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>
#include <fidelity/distance/detail/exact_band.hpp>
#include <fidelity/distance/detail/lane_kernels.hpp>
#include <fidelity/distance/detail/wavefront.hpp>
#include <fidelity/distance/isa.hpp>

namespace fidelity::detail {

inline void require_cutoff(std::string_view function, double cutoff) {
  if (is_nan(cutoff) || cutoff < 0)
    fail(function, Rule::bad_parameter, "the cutoff must be a number >= 0", {.value = cutoff});
}

/// A path meets every row, so the sweep can end where `through_cell(i, j, D)`, which must never exceed what the full
/// sweep returns for a path through that cell, is above the cutoff for a whole row. After `patience` rows the rest is
/// left to `full()`, which returns the distance. Nothing where that is above the cutoff.
///
/// The cell that lets the sweep go on lies near the one that did so in the row before: it is remembered, and a row
/// costs one look in most cases.
template <class Costs, class ThroughCell, class Full>
std::optional<double> sweep_within(const Costs& costs, double cutoff, const ThroughCell& through_cell,
                                   std::size_t patience, const Full& full) {
  const std::size_t n = costs.rows(), m = costs.columns();
  const auto decide = [&](double distance) -> std::optional<double> {
    if (!is_finite(distance) || distance > cutoff) return std::nullopt;
    return distance;
  };
  EditRow row(m);
  NoDecisions none;
  std::size_t hopeful = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == patience) return decide(full());
    if (i == 0)
      sweep_first_row(costs, m, row);
    else
      sweep_row(costs, i, {0, m}, {0, m}, row, none);
    for (std::size_t hopeless = 0; through_cell(i, hopeful, row.cost[hopeful]) > cutoff;) {
      if (++hopeless == m) return std::nullopt;
      hopeful = hopeful + 1 == m ? 0 : hopeful + 1;
    }
  }
  return decide(row.cost[m - 1]);
}

/// The distance of two packed series where it is at most the finite `cutoff`, else nothing.
inline std::optional<double> twed_within(const PackedSeries& a, const PackedSeries& b, const Norm& norm, double penalty,
                                         double cutoff) {
  const auto full = [&] { return wavefront_sweep(a, b, norm, detected_isa()); };
  // Vector kernels are several times as fast as the sweep that looks at rows: it has to end early to be worth its
  // while.
  const bool fast = has_lanes(norm, a.channels) && detected_isa() != Isa::portable;
  return with_packed_costs(a, b, norm, [&](const auto& costs) -> std::optional<double> {
    if (diagonal_cost(a, b, costs.distance.point) <= cutoff) return full();
    const PairBounds bounds = pair_bounds(costs, penalty, a.channels);
    if (std::max({bounds.ends, bounds.length, bounds.potential, bounds.features}) > cutoff) return std::nullopt;
    return sweep_within(costs, cutoff, CostThroughCell(costs, penalty, a.channels), fast ? 1 + a.size() / 16 : a.size(),
                        full);
  });
}

}  // namespace fidelity::detail
