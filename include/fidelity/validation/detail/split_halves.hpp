// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/median.hpp>
#include <fidelity/detail/random.hpp>
#include <fidelity/validation/detail/replicate.hpp>

namespace fidelity::detail {

/// Number of ways to choose k of n, held at `limit`.
inline std::size_t choices(std::size_t n, std::size_t k, std::size_t limit) {
  double product = 1;
  for (std::size_t i = 0; i < k; ++i) product *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return product >= static_cast<double>(limit) ? limit : static_cast<std::size_t>(std::llround(product));
}

/// All k-subsets of the items, each sorted, in lexicographic order.
inline std::vector<Indices> subsets(const Indices& items, std::size_t k) {
  std::vector<Indices> all;
  std::vector<bool> chosen(items.size(), false);
  std::fill_n(chosen.begin(), k, true);
  do {
    Indices subset;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (chosen[i]) subset.push_back(items[i]);
    all.push_back(std::move(subset));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return all;
}

inline Indices first_indices(std::size_t n) {
  Indices all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The indices below n that are not in a sorted list.
inline Indices others(std::size_t n, const Indices& sorted) {
  Indices rest;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::binary_search(sorted.begin(), sorted.end(), i)) rest.push_back(i);
  return rest;
}

/// What the random numbers of a replicate are for: each purpose has streams of its own.
enum Purpose : std::uint64_t { purpose_base = 1, purpose_like = 2, purpose_permutation = 3, purpose_bootstrap = 4 };

struct GroupPair {
  Indices rows, columns;
};

/// Pairs of groups: all there are, or random ones, each made when it is asked for.
struct Draws {
  std::size_t size;
  bool exhaustive;
  std::vector<GroupPair> pairs;                       ///< if exhaustive
  std::function<GroupPair(std::size_t)> random_pair;  ///< if not

  [[nodiscard]] GroupPair operator[](std::size_t r) const { return exhaustive ? pairs[r] : random_pair(r); }
};
inline Draws all_of(std::vector<GroupPair> pairs) { return {pairs.size(), true, std::move(pairs), {}}; }

/// Pairs of disjoint groups of size h among m runs: all of them if there are at most `count`, else `count` random ones.
inline Draws draw_disjoint(std::size_t m, std::size_t h, std::size_t count, std::uint64_t seed) {
  const std::size_t limit = 2 * count + 2;
  const std::size_t ordered = choices(m, h, limit) * choices(m - h, h, limit);
  if (ordered / 2 <= count) {
    std::vector<GroupPair> pairs;
    for (const Indices& first : subsets(first_indices(m), h))
      for (Indices& second : subsets(others(m, first), h))
        if (first < second) pairs.push_back({first, std::move(second)});
    return all_of(std::move(pairs));
  }
  return {count, false, {}, [=](std::size_t r) -> GroupPair {
            Indices order = first_indices(m);
            Random(seed, purpose_base, r).sample_to_front(std::span(order), 2 * h);
            const auto middle = order.begin() + static_cast<std::ptrdiff_t>(h);
            return {{order.begin(), middle}, {middle, middle + static_cast<std::ptrdiff_t>(h)}};
          }};
}

/// Groups of size h among n rows and among m columns: all pairs if there are at most `count`, else random ones.
inline Draws draw_across(std::size_t n, std::size_t m, std::size_t h, std::size_t count, std::uint64_t seed) {
  const std::size_t limit = count + 1;
  if (choices(n, h, limit) * choices(m, h, limit) <= count) {
    std::vector<GroupPair> pairs;
    const auto columns = subsets(first_indices(m), h);
    for (const Indices& rows : subsets(first_indices(n), h))
      for (const Indices& chosen : columns) pairs.push_back({rows, chosen});
    return all_of(std::move(pairs));
  }
  return {count, false, {}, [=](std::size_t r) -> GroupPair {
            Random random(seed, purpose_like, r);
            Indices rows = first_indices(n), columns = first_indices(m);
            random.sample_to_front(std::span(rows), h);
            random.sample_to_front(std::span(columns), h);
            rows.resize(h);
            columns.resize(h);
            return {std::move(rows), std::move(columns)};
          }};
}

/// The smallest value that at least a share q of the values do not exceed (no interpolation).
inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace fidelity::detail
