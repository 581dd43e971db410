// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/transport/detail/candidates.hpp>
#include <fidelity/transport/detail/first_basis.hpp>
#include <fidelity/transport/detail/spanning_tree.hpp>

namespace fidelity::detail {

/// What a simplex works in; kept from solve to solve, so that many small problems allocate once, and so that a solve
/// may start from the tree and the prices of the one before.
struct SimplexMemory {
  SpanningTree tree = {};
  std::vector<double> price = {};  ///< of the rows, then of the columns
  Candidates candidates = {};
  std::vector<double> row_least = {};  ///< least cost - column price of each row, where the last pass found it
  std::vector<double> row_level = {}, column_level = {};
  StartMemory start = {};
  bool has_basis = false;                            ///< tree, prices and candidates belong to a solved problem of
  std::vector<std::size_t> rows = {}, columns = {};  ///< these runs of positive weight
};

/// What a solve may be asked for beside the problem.
struct SimplexControl {
  std::optional<std::size_t> pivot_limit = {};
  bool warm = false;  ///< start from the basis in the memory, which has to be of the same size
  ProgressReport* report = nullptr;

  template <class Cost>
  [[nodiscard]] std::size_t limit(const Cost& cost) const {
    return pivot_limit.value_or(1'000'000 + 1000 * (cost.rows() + cost.columns()));
  }
};

}  // namespace fidelity::detail
