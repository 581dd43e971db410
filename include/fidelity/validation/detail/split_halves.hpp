// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/random.hpp>
#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity::detail {

using Indices = std::vector<std::size_t>;

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

struct GroupPair {
  Indices rows, columns;
};

struct Draws {
  std::vector<GroupPair> pairs;
  bool exhaustive;
};

/// Pairs of disjoint groups of size h among m runs: all of them if there are at most `count`, else `count` random ones.
inline Draws draw_disjoint(std::size_t m, std::size_t h, std::size_t count, std::uint64_t seed) {
  const std::size_t limit = 2 * count + 2;
  const std::size_t ordered = choices(m, h, limit) * choices(m - h, h, limit);
  Draws draws{{}, ordered / 2 <= count};
  if (draws.exhaustive) {
    for (const Indices& first : subsets(first_indices(m), h)) {
      Indices others;
      for (std::size_t i = 0; i < m; ++i)
        if (!std::binary_search(first.begin(), first.end(), i)) others.push_back(i);
      for (Indices& second : subsets(others, h))
        if (first < second) draws.pairs.push_back({first, std::move(second)});
    }
    return draws;
  }
  for (std::size_t r = 0; r < count; ++r) {
    Indices order = first_indices(m);
    Random(seed, 1, r).sample_to_front(std::span(order), 2 * h);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(h);
    draws.pairs.push_back({{order.begin(), middle}, {middle, middle + static_cast<std::ptrdiff_t>(h)}});
  }
  return draws;
}

/// Groups of size h among n rows and among m columns: all pairs if there are at most `count`, else random ones.
inline Draws draw_across(std::size_t n, std::size_t m, std::size_t h, std::size_t count, std::uint64_t seed) {
  const std::size_t limit = count + 1;
  Draws draws{{}, choices(n, h, limit) * choices(m, h, limit) <= count};
  if (draws.exhaustive) {
    const auto columns = subsets(first_indices(m), h);
    for (const Indices& rows : subsets(first_indices(n), h))
      for (const Indices& chosen : columns) draws.pairs.push_back({rows, chosen});
    return draws;
  }
  for (std::size_t r = 0; r < count; ++r) {
    Random random(seed, 2, r);
    Indices rows = first_indices(n), columns = first_indices(m);
    random.sample_to_front(std::span(rows), h);
    random.sample_to_front(std::span(columns), h);
    rows.resize(h);
    columns.resize(h);
    draws.pairs.push_back({std::move(rows), std::move(columns)});
  }
  return draws;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] + 0.5 * (values[half] - values[half - 1]);
}

/// The smallest value that at least a share q of the values do not exceed (no interpolation).
inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

/// The Wasserstein distance of every drawn pair of groups, on views of one matrix.
inline GroupDistances group_distances(const CostMatrix& matrix, const Draws& draws, double order, unsigned threads) {
  std::vector<double> values(draws.pairs.size());
  parallel_for(values.size(), threads, [&](std::size_t r) {
    const CostView view(matrix, draws.pairs[r].rows, draws.pairs[r].columns);
    values[r] = wasserstein(view, {.order = order}).value;
    return true;
  });
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return {mean, median(values), quantile(values, 0.95), values};
}

inline SplitHalves split_halves(const CostMatrix& across, const CostMatrix& measured, double order, std::size_t count,
                                std::uint64_t seed, unsigned threads) {
  const auto n = static_cast<std::size_t>(across.rows());
  const auto m = static_cast<std::size_t>(across.cols());
  const std::size_t h = std::min(n, m / 2);
  const Draws base = draw_disjoint(m, h, count, seed), like = draw_across(n, m, h, count, seed);
  return {h, base.exhaustive, like.exhaustive, group_distances(measured, base, order, threads),
          group_distances(across, like, order, threads)};
}

}  // namespace fidelity::detail
