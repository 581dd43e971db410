// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <Eigen/Core>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/detail/fill_matrix.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/tiles.hpp>

namespace fidelity {

/// Distances of every row series from every column series, row-major.
using CostMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct PairwiseOptions {
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work, one for small work
  ProgressCallback progress = {};        ///< receives cells (products of lengths) done and in total
};

/// The N x M matrix of distances of every series of `rows` from every one of `columns`; any contiguous ranges of
/// series or views, of any lengths. Entry (i, j) is the value of metric(rows[i], columns[j]), with all stamps taken
/// relative to the earliest first stamp of the call. An empty collection gives an empty matrix.
///
/// Every series is checked once, before any distance is computed: errors name collection, index, name and sample. So is
/// the time axis: first stamps that spread over more than ten times the longest run are an error (far_apart) that
/// points to elapsed(). A NaN, infinite or negative distance is an InputError (bad_distance, located at the row series,
/// `sample` is the column of the matrix), a distance outside the range of double is Overflow; both name the pair.
/// Cancelled where the progress callback says so; its mask has the shape of the matrix and, where that is symmetric,
/// marks entries above the diagonal only.
///
/// The result is the same bit for bit for every number of threads. `threads = 1` starts none.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise(const Rows& rows, const Columns& columns, const M& metric,
                                  const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  static_assert(Metric<M, Series>, "the metric must be callable as metric(series, series) -> number");
  const detail::Collection<Series> row_list("rows", rows), column_list("columns", columns);
  const auto origin = detail::common_origin<Series>({&row_list, &column_list});
  const detail::Prepared a(row_list, metric, origin), b(column_list, metric, origin);
  CostMatrix matrix(static_cast<Eigen::Index>(row_list.size()), static_cast<Eigen::Index>(column_list.size()));
  detail::fill_matrix(matrix, tiles(a.lengths, b.lengths), a, b, metric, options.threads, options.progress, false);
  return matrix;
}

/// The symmetric matrix of one collection with itself: each pair is computed once, the diagonal is exactly 0.
template <class Rows, class M>
[[nodiscard]] CostMatrix pairwise(const Rows& rows, const M& metric, const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  static_assert(Metric<M, Series>, "the metric must be callable as metric(series, series) -> number");
  const detail::Collection<Series> list("rows", rows);
  const detail::Prepared a(list, metric, detail::common_origin<Series>({&list}));
  const auto size = static_cast<Eigen::Index>(list.size());
  CostMatrix matrix(size, size);
  detail::fill_matrix(matrix, tiles(a.lengths), a, a, metric, options.threads, options.progress, true);
  return matrix;
}

/// The symmetric matrix of the union, rows first: blocks [rows x rows, rows x columns; columns x rows, columns x
/// columns]. What permutation tests and medoids need.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise_pooled(const Rows& rows, const Columns& columns, const M& metric,
                                         const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  static_assert(Metric<M, Series>, "the metric must be callable as metric(series, series) -> number");
  detail::Collection<Series> list("rows", rows);
  list.append("columns", columns);
  const detail::Prepared a(list, metric, detail::common_origin<Series>({&list}));
  const auto size = static_cast<Eigen::Index>(list.size());
  CostMatrix matrix(size, size);
  detail::fill_matrix(matrix, tiles(a.lengths), a, a, metric, options.threads, options.progress, true);
  return matrix;
}

}  // namespace fidelity
