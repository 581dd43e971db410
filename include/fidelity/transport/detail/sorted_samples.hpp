// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Scalar samples from the smallest up, each with its mass in units; samples without mass are left out.
struct SortedSamples {
  std::vector<double> values = {};
  std::vector<std::int64_t> units = {};
  std::vector<std::size_t> positions = {};  ///< in the caller's list; empty unless asked for

  [[nodiscard]] std::size_t size() const { return values.size(); }
};

inline void check_samples(std::string_view function, const char* name, std::span<const double> values) {
  if (values.empty()) fail(function, Rule::empty, "there are no samples", {.collection = name});
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!is_finite(values[k]))
      fail(function, Rule::value_not_finite, "a sample must be finite",
           {.collection = name, .index = k, .value = values[k]});
}

/// Masses move with their samples. Equal samples keep their order.
inline SortedSamples sort_samples(std::span<const double> values, const std::vector<std::int64_t>& units,
                                  bool with_positions) {
  SortedSamples sorted;
  const bool equal = std::all_of(units.begin(), units.end(), [&](std::int64_t u) { return u == units.front(); });
  if (equal && !with_positions) {
    sorted.values.assign(values.begin(), values.end());
    sorted.units = units;
    std::sort(sorted.values.begin(), sorted.values.end());
    return sorted;
  }
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (units[k] > 0) order.push_back(k);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  for (const std::size_t k : order) {
    sorted.values.push_back(values[k]);
    sorted.units.push_back(units[k]);
  }
  if (with_positions) sorted.positions = std::move(order);
  return sorted;
}

/// The plan that is optimal for every convex cost of the difference: mass meets in order of size. Calls
/// visit(k, l, units) for the samples k of one side and l of the other; the totals must be equal.
template <class Visit>
void couple_in_order(const SortedSamples& x, const SortedSamples& y, Visit&& visit) {
  std::int64_t left = 0, room = 0;
  std::size_t k = 0, l = 0;
  while (k < x.size() && l < y.size()) {
    if (left == 0) left = x.units[k];
    if (room == 0) room = y.units[l];
    const std::int64_t units = std::min(left, room);
    visit(k, l, units);
    left -= units;
    room -= units;
    k += left == 0 ? 1 : 0;
    l += room == 0 ? 1 : 0;
  }
}

}  // namespace fidelity::detail
