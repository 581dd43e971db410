// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/transport/detail/check_order.hpp>

namespace fidelity::detail {

/// Distances that differ by less than this share of the largest one are equal: ties of a permutation test (rule V8).
inline constexpr double tie_tolerance = 1e-12;

inline void check_replicates(std::string_view function, std::string_view name, std::size_t count) {
  if (count == 0 || count > 1'000'000)
    fail(function, Rule::bad_parameter, concat(name, " must lie between 1 and 1000000"),
         {.value = static_cast<double>(count)});
}

[[noreturn]] inline void fail_entry(std::string_view function, std::string_view sentence, const char* collection,
                                    const CostMatrix& matrix, Eigen::Index row, Eigen::Index column) {
  fail(function, Rule::bad_cost, concat(sentence, ", in row ", row, ", column ", column),
       {.collection = collection,
        .index = static_cast<std::size_t>(row),
        .sample = static_cast<std::size_t>(column),
        .value = matrix(row, column)});
}

/// At least one run on either side; every entry finite and not negative.
inline void check_distances(std::string_view function, const char* collection, const CostMatrix& matrix) {
  if (matrix.size() == 0) fail(function, Rule::empty, "there are no distances", {.collection = collection});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      if (!is_finite(matrix(i, j)) || matrix(i, j) < 0)
        fail_entry(function, "a distance must be finite and not negative", collection, matrix, i, j);
}
inline void check_across(std::string_view function, const CostMatrix& across) {
  check_distances(function, "across", across);
}

/// Distances of `runs` runs from each other: square, symmetric to a share of the largest one, 0 on the diagonal.
inline void check_symmetric(std::string_view function, const char* collection, const CostMatrix& matrix,
                            std::size_t runs, double tolerance = 1e-9) {
  const auto size = static_cast<Eigen::Index>(runs);
  if (matrix.rows() != size || matrix.cols() != size)
    fail(function, Rule::shape_mismatch,
         concat("the distances of ", runs, " runs from each other are a square matrix of that size; this one is ",
                matrix.rows(), " x ", matrix.cols()),
         {.collection = collection});
  check_distances(function, collection, matrix);
  const double rounding = tolerance * matrix.maxCoeff();
  for (Eigen::Index i = 0; i < size; ++i) {
    if (matrix(i, i) != 0)
      fail_entry(function, "the distance of a run from itself must be 0", collection, matrix, i, i);
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::fabs(matrix(i, j) - matrix(j, i)) > rounding)
        fail_entry(function, "distances of runs from each other must be symmetric", collection, matrix, i, j);
  }
}

/// The size of the groups behind a ratio, for matrices that allow one.
inline std::size_t check_groups(std::string_view function, const CostMatrix& across, const CostMatrix& measured) {
  check_across(function, across);
  const auto n = static_cast<std::size_t>(across.rows()), m = static_cast<std::size_t>(across.cols());
  if (n < 2 || m < 4)
    fail(function, Rule::shape_mismatch,
         concat("groups need at least 2 simulated and 4 measured runs; there are ", n, " and ", m),
         {.collection = "across"});
  check_symmetric(function, "measured", measured, m);
  return std::min(n, m / 2);
}

/// One positive, finite weight for each run, or none at all. (A group of runs without weight would be empty.)
inline void check_positive_weights(std::string_view function, const std::vector<double>& weights, std::size_t runs) {
  if (weights.empty()) return;
  if (weights.size() != runs)
    fail(function, Rule::size_mismatch, concat(weights.size(), " weights for ", runs, " runs"),
         {.collection = "weights"});
  for (std::size_t k = 0; k < runs; ++k)
    if (!is_finite(weights[k]) || !(weights[k] > 0))
      fail(function, Rule::bad_weight, "a weight must be positive and finite",
           {.collection = "weights", .index = k, .value = weights[k]});
}

/// A pooled matrix whose first `simulations` runs are simulated and whose others, at least one, are measured.
inline void check_pooled(std::string_view function, const CostMatrix& pooled, std::size_t simulations) {
  const auto runs = static_cast<std::size_t>(pooled.rows());
  check_symmetric(function, "pooled", pooled, runs, tie_tolerance);  // else relabelling would break ties
  if (simulations == 0 || simulations >= runs)
    fail(function, Rule::bad_parameter,
         concat("of ", runs, " pooled runs at least one must be simulated and one measured; number of simulated runs"),
         {.collection = "pooled", .value = static_cast<double>(simulations)});
}

}  // namespace fidelity::detail
