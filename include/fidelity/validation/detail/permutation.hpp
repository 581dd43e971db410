// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/validation/detail/replicate.hpp>
#include <fidelity/validation/detail/split_halves.hpp>

namespace fidelity::detail {

/// The ways to call `first` of `runs` pooled runs simulated: all of them if there are at most 10000, in lexicographic
/// order, else random ones.
class Relabelling {
 public:
  Relabelling(std::size_t runs, std::size_t first, std::size_t random, std::uint64_t seed)
      : runs_(runs), first_(first), seed_(seed), count_(random) {
    constexpr std::size_t most = 10000;
    if (choices(runs, std::min(first, runs - first), most + 1) > most) return;
    subsets_ = subsets(first_indices(runs), first);
    count_ = subsets_.size();
  }

  [[nodiscard]] bool exact() const { return !subsets_.empty(); }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// With groups of one size, every split comes a second time with the groups exchanged, mirrored in the order of all.
  [[nodiscard]] std::size_t solves() const { return exact() && 2 * first_ == runs_ ? count_ / 2 : count_; }
  void mirror(std::vector<double>& values) const {
    for (std::size_t r = values.size(); r < count_; ++r) values.push_back(values[count_ - 1 - r]);
  }

  [[nodiscard]] GroupPair observed() const { return split(first_indices(runs_)); }
  /// Each group in ascending order: the value depends on who is in it, not on the shuffle.
  [[nodiscard]] GroupPair groups(std::size_t r) const {
    if (exact()) return {subsets_[r], others(runs_, subsets_[r])};
    Indices order = first_indices(runs_);
    Random(seed_, purpose_permutation, r).sample_to_front(std::span(order), first_);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(first_);
    std::sort(order.begin(), middle);
    std::sort(middle, order.end());
    return split(order);
  }

 private:
  [[nodiscard]] GroupPair split(const Indices& order) const {
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(first_);
    return {{order.begin(), middle}, {middle, order.end()}};
  }

  std::size_t runs_, first_;
  std::uint64_t seed_;
  std::size_t count_;
  std::vector<Indices> subsets_ = {};
};

/// Masses of two groups of weighted runs, each divided by its own sum.
inline Masses masses_of(const Indices& rows, const Indices& columns, const std::vector<double>& weights) {
  if (weights.empty()) return equal_masses(rows.size(), columns.size());
  std::vector<double> supply, demand;
  for (const std::size_t run : rows) supply.push_back(weights[run]);
  for (const std::size_t run : columns) demand.push_back(weights[run]);
  return balance("permutation_test", rows.size(), columns.size(), supply, demand, true);
}

/// Share of the statistics, the observed one among them, that reach `least`. Where all splits were looked at, the
/// observed one is in the list already.
inline double share_reaching(const std::vector<double>& statistics, bool exact, double observed, double least) {
  std::size_t reaching = !exact && observed >= least ? 1 : 0;
  for (const double value : statistics) reaching += value >= least ? 1 : 0;
  return static_cast<double>(reaching) / static_cast<double>(statistics.size() + (exact ? 0 : 1));
}

}  // namespace fidelity::detail
