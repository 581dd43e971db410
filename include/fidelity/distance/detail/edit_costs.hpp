// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fidelity/detail/exact.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>

namespace fidelity::detail {

/// What single steps between two series with `times` and `deletions` cost, from distance(a, i, b, j) of two samples.
/// The sweeps for edit scripts, cutoffs and variants read any type with these members; the border is row and column 0,
/// where only one step is possible. The attribute keeps a product in a user's distance out of the additions here.
template <class Samples, class SampleDistance>
struct StepCosts {
  const Samples& a;
  const Samples& b;
  SampleDistance distance;

  [[nodiscard]] std::size_t rows() const { return a.size(); }
  [[nodiscard]] std::size_t columns() const { return b.size(); }

  [[nodiscard]] FIDELITY_EXACT double value(std::size_t i, std::size_t j) const { return distance(a, i, b, j); }
  [[nodiscard]] FIDELITY_EXACT double time(std::size_t i, std::size_t j) const {
    return std::abs(a.times[i] - b.times[j]);
  }
  [[nodiscard]] FIDELITY_EXACT double match(std::size_t i, std::size_t j) const { return value(i, j) + time(i, j); }

  [[nodiscard]] double delete_a(std::size_t i) const { return a.deletions[i]; }
  [[nodiscard]] double delete_b(std::size_t j) const { return b.deletions[j]; }
  [[nodiscard]] double border_a(std::size_t i) const { return a.deletions[i]; }
  [[nodiscard]] double border_b(std::size_t j) const { return b.deletions[j]; }

  // The parts of a deletion without the penalty.
  [[nodiscard]] FIDELITY_EXACT double step_a(std::size_t i) const { return distance(a, i, a, i - 1); }
  [[nodiscard]] FIDELITY_EXACT double step_b(std::size_t j) const { return distance(b, j, b, j - 1); }
  [[nodiscard]] double step_time_a(std::size_t i) const { return a.times[i] - a.times[i - 1]; }
  [[nodiscard]] double step_time_b(std::size_t j) const { return b.times[j] - b.times[j - 1]; }
};

/// The point distance of two samples of packed series.
template <class PointDistance>
struct PackedDistance {
  PointDistance point;
  FIDELITY_EXACT double operator()(const PackedSeries& a, std::size_t i, const PackedSeries& b, std::size_t j) const {
    return point(a.sample(i), b.sample(j));
  }
};
template <class PointDistance>
using PackedCosts = StepCosts<PackedSeries, PackedDistance<PointDistance>>;

/// Calls f with the costs of the steps between two packed series.
template <class F>
auto with_packed_costs(const PackedSeries& a, const PackedSeries& b, const Norm& norm, F&& f) {
  return with_point_distance(norm, a.channels, [&](auto distance) {
    return f(PackedCosts<decltype(distance)>{a, b, {distance}});
  });
}

/// Both series of a call, prepared with stamps relative to the earlier of the two first ones.
template <class M, class A, class B>
auto prepare_pair(const M& metric, const A& a, const B& b) {
  const auto origin = std::min(a.time(0), b.time(0));
  return std::pair(metric.prepare(a, origin, {.collection = "a"}), metric.prepare(b, origin, {.collection = "b"}));
}

/// Refuses prepared series that were made by another metric, for another origin or of another number of channels.
template <class M, class A, class B>
void require_prepared_by(std::string_view function, const M& metric, const A& a, const B& b) {
  if (!(a.parameters == metric) || !(b.parameters == metric) || a.origin != b.origin)
    fail(function, Rule::bad_parameter,
         concat(pair_text(a.place, b.place), " were prepared with other parameters or for another origin"));
  if (a.packed.channels != b.packed.channels)
    fail(function, Rule::channel_mismatch,
         concat(pair_text(a.place, b.place), " have ", a.packed.channels, " and ", b.packed.channels, " channels"),
         b.place);
}

/// A distance, or Overflow where it is none; with the names of the pair where they are known.
inline double require_in_range(std::string_view function, double distance, const InputLocation& a = {},
                               const InputLocation& b = {}) {
  if (!is_finite(distance))
    throw Overflow(
        concat("fidelity::", function, ": the distance of ", pair_text(a, b), " is outside the range of double"));
  return distance;
}

/// Calls f(costs, penalty) for two prepared series of the metric M; specialised for metrics whose steps can be listed.
template <class M>
struct EditCosts;

template <class M>
concept HasEditCosts = requires {
  sizeof(EditCosts<M>);
};

/// The same for series or prepared series.
template <class A, class B, class M, class F>
auto with_edit_costs(const A& a, const B& b, const M& metric, F&& f) {
  if constexpr (requires { EditCosts<M>::call(metric, a, b, f); }) {
    return EditCosts<M>::call(metric, a, b, f);
  } else {
    const auto [x, y] = prepare_pair(metric, a, b);
    return EditCosts<M>::call(metric, x, y, f);
  }
}
}  // namespace fidelity::detail
