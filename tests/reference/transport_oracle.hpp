// SPDX-License-Identifier: MIT
// Naive oracles of the transport room. They share nothing with the library: no tree, no integer units, no prices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <Eigen/Core>

namespace reference {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Least cost over all permutations of a square matrix, n <= 8 or so; +infinity if all use forbidden pairs.
inline double best_permutation(const Matrix& cost) {
  std::vector<Eigen::Index> columns(static_cast<std::size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), Eigen::Index{0});
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (Eigen::Index i = 0; i < cost.rows(); ++i) sum += cost(i, columns[static_cast<std::size_t>(i)]);
    best = std::min(best, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

/// Least cost to ship integer masses, by successive shortest paths: Bellman-Ford on the residual graph, one path at a
/// time. Exact for integer costs. Nothing if the forbidden pairs (+infinity) leave no plan.
inline std::optional<double> successive_shortest_paths(const Matrix& cost, std::vector<std::int64_t> supply,
                                                       std::vector<std::int64_t> demand) {
  const auto n = static_cast<std::size_t>(cost.rows()), m = static_cast<std::size_t>(cost.cols());
  const double infinity = std::numeric_limits<double>::infinity();
  const auto entry = [&](std::size_t i, std::size_t j) {
    return cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  std::vector<std::vector<std::int64_t>> flow(n, std::vector<std::int64_t>(m, 0));
  while (std::accumulate(supply.begin(), supply.end(), std::int64_t{0}) > 0) {
    std::vector<double> to_row(n, infinity), to_column(m, infinity);
    std::vector<std::size_t> row_before(m, n), column_before(n, m);
    for (std::size_t i = 0; i < n; ++i)
      if (supply[i] > 0) to_row[i] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
          if (entry(i, j) < infinity && to_row[i] + entry(i, j) < to_column[j]) {
            to_column[j] = to_row[i] + entry(i, j);
            row_before[j] = i;
            changed = true;
          }
          if (flow[i][j] > 0 && to_column[j] - entry(i, j) < to_row[i]) {
            to_row[i] = to_column[j] - entry(i, j);
            column_before[i] = j;
            changed = true;
          }
        }
    }
    std::size_t goal = m;
    for (std::size_t j = 0; j < m; ++j)
      if (demand[j] > 0 && to_column[j] < infinity && (goal == m || to_column[j] < to_column[goal])) goal = j;
    if (goal == m) return {};

    std::int64_t step = demand[goal];
    std::size_t start = n;
    for (std::size_t j = goal; j != m;) {
      start = row_before[j];
      j = column_before[start];
      if (j != m) step = std::min(step, flow[start][j]);
    }
    step = std::min(step, supply[start]);
    for (std::size_t j = goal; j != m;) {
      const std::size_t i = row_before[j];
      flow[i][j] += step;
      j = column_before[i];
      if (j != m) flow[i][j] -= step;
    }
    supply[start] -= step;
    demand[goal] -= step;
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (flow[i][j] > 0) sum += static_cast<double>(flow[i][j]) * entry(i, j);
  return sum;
}

}  // namespace reference
