// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/tiles.hpp>

namespace fidelity::detail {

/// Channels are compared by position. The same names in another order are a mix-up that would give a plausible number.
template <class S>
bool same_names_in_other_order(const S& a, const S& b) {
  const auto x = a.channel_names(), y = b.channel_names();
  return !std::equal(x.begin(), x.end(), y.begin(), y.end()) &&
         std::is_permutation(x.begin(), x.end(), y.begin(), y.end());
}

/// A packing metric compares points of one space: refuses series that have another number of channels than the first,
/// or the same channels in another order.
template <class A, class B>
void require_same_channels(const A& rows, const B& columns) {
  if constexpr (A::packs && requires { rows.list[0].channels(); }) {
    const auto& first = rows.list.size() > 0 ? rows.list : columns.list;
    const auto check = [&](const auto& list) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].channels() != first[0].channels())
          fail("pairwise", Rule::channel_mismatch,
               concat(pair_text(first.place(0), list.place(i)), " have ", first[0].channels(), " and ",
                      list[i].channels(), " channels"),
               list.place(i));
        if (same_names_in_other_order(first[0], list[i]))
          fail("pairwise", Rule::channel_mismatch,
               concat(pair_text(first.place(0), list.place(i)), " have the same channels in another order"),
               list.place(i));
      }
    };
    check(rows.list);
    check(columns.list);
  }
}

/// One entry, or an error that names the pair.
template <class A, class B, class M>
double checked_distance(const A& rows, const B& columns, const M& metric, std::size_t i, std::size_t j) {
  double distance = 0;
  try {
    distance = static_cast<double>(metric(rows[i], columns[j]));
  } catch (const Overflow&) {
    throw Overflow(concat("fidelity::pairwise: the distance of ", pair_text(rows.list.place(i), columns.list.place(j)),
                          " is outside the range of double"),
                   std::pair{i, j});
  }
  if (!is_finite(distance) || distance < 0) {
    InputLocation where = rows.list.place(i);
    where.sample = j;
    where.value = distance;
    throw InputError(Rule::bad_distance,
                     concat("fidelity::pairwise: a distance must be finite and not negative; that of ",
                            pair_text(where, columns.list.place(j)), " is ", distance),
                     where);
  }
  return distance;
}

/// Fills a matrix tile by tile. In a symmetric one only entries above the diagonal are computed, then mirrored.
template <class Matrix, class A, class B, class M>
void fill_matrix(Matrix& matrix, const std::vector<Tile>& list, const A& rows, const B& columns, const M& metric,
                 std::optional<unsigned> threads, const ProgressCallback& callback, bool symmetric) {
  require_same_channels(rows, columns);
  const std::size_t n = rows.lengths.size(), m = columns.lengths.size();
  const auto computed = [&](std::size_t i, std::size_t j) { return !symmetric || i < j; };
  double cells = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = symmetric ? i + 1 : 0; j < m; ++j)
      cells += static_cast<double>(rows.lengths[i]) * static_cast<double>(columns.lengths[j]);

  ProgressReport progress(callback, cells);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> finished(callback ? list.size() : 0);
  parallel_for(list.size(), thread_count(threads, cells > 4e6), [&](std::size_t k) {
    const Tile& tile = list[k];
    for (std::size_t i = tile.row_begin; i < tile.row_end; ++i)
      for (std::size_t j = tile.column_begin; j < tile.column_end; ++j) {
        if (!computed(i, j)) continue;
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            checked_distance(rows, columns, metric, i, j);
        if (callback) finished[k].emplace_back(i, j);
        if (!progress.add(static_cast<double>(rows.lengths[i]) * static_cast<double>(columns.lengths[j]))) return false;
      }
    return true;
  });
  if (progress.cancelled()) {
    std::vector<bool> mask(n * m, false);
    std::size_t count = 0;
    for (const auto& tile : finished)
      for (const auto& [i, j] : tile) mask[i * m + j] = true, ++count;
    const std::size_t total = symmetric ? n * (n - 1) / 2 : n * m;
    throw Cancelled(concat("fidelity::pairwise: cancelled after ", count, " of ", total, " distances"), count, total,
                    std::move(mask));
  }
  if (!symmetric) return;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    matrix(i, i) = 0;
    for (Eigen::Index j = i + 1; j < matrix.cols(); ++j) matrix(j, i) = matrix(i, j);
  }
}

}  // namespace fidelity::detail
