// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include <Eigen/Core>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/detail/fill_matrix.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/tiles.hpp>

namespace fidelity {

/// Distances of every row series from every column series, row-major.
using CostMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct PairwiseOptions {
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work, one for small work
  ProgressCallback progress = {};        ///< receives cells (products of lengths) done and in total
  std::optional<Isa> isa = {};           ///< default: the highest level that this machine has; lower ones for tests
  Precision precision =
      Precision::full;  ///< `single` only where the metric has such kernels (Twed with L1, L2, maximum)
};

/// How a metric presents itself when it is used with these options: says so where single precision was asked for.
template <class M>
[[nodiscard]] MetricDescription describe(const M& metric, const PairwiseOptions& options) {
  MetricDescription description = describe(metric);
  if (options.precision == Precision::single)
    description.settings += description.settings.empty() ? "single precision" : ", single precision";
  return description;
}

namespace detail {
inline TileOptions tile_options(const PairwiseOptions& options) {
  return {chosen_isa("pairwise", options.isa), options.precision};
}

/// Has the matrix of the caller the right shape?
template <class Matrix>
void require_shape(const Matrix& matrix, std::size_t rows, std::size_t columns) {
  static_assert(std::is_same_v<typename Matrix::Scalar, double>, "distances are double");
  if (static_cast<std::size_t>(matrix.rows()) != rows || static_cast<std::size_t>(matrix.cols()) != columns)
    fail("pairwise_into", Rule::shape_mismatch,
         concat("the matrix for ", rows, " x ", columns, " distances is ", matrix.rows(), " x ", matrix.cols()));
}

/// All distances of a collection from another one, into a matrix of the right shape.
template <class Matrix, class S, class M>
void fill_rectangle(Matrix& matrix, const Collection<S>& rows, const Collection<S>& columns, const M& metric,
                    const PairwiseOptions& options) {
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  const auto origin = common_origin<S>({&rows, &columns});
  const Prepared a(rows, metric, origin), b(columns, metric, origin);
  fill_matrix(matrix, tiles(a.lengths, b.lengths), a, b, metric, options.threads, options.progress, false,
              tile_options(options));
}

/// All distances inside a collection, into a square matrix.
template <class Matrix, class S, class M>
void fill_square(Matrix& matrix, const Collection<S>& list, const M& metric, const PairwiseOptions& options) {
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  const Prepared a(list, metric, common_origin<S>({&list}));
  fill_matrix(matrix, tiles(a.lengths), a, a, metric, options.threads, options.progress, true, tile_options(options));
}

/// Rows and columns as one collection, rows first.
template <class Rows, class Columns>
Collection<ElementOf<Rows>> union_of(const Rows& rows, const Columns& columns) {
  Collection<ElementOf<Rows>> list("rows", rows);
  list.append("columns", columns);
  return list;
}

inline CostMatrix empty_matrix(std::size_t rows, std::size_t columns) {
  checked_product("pairwise", checked_product("pairwise", rows, columns), sizeof(double));
  return CostMatrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}
}  // namespace detail

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
/// The result is the same bit for bit for every number of threads and every `isa`. `threads = 1` starts none. Memory
/// besides result and packed series (24 bytes a sample of one channel): for each thread about 360 bytes a sample of the
/// longest series with one channel, 64 more for each further one.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise(const Rows& rows, const Columns& columns, const M& metric,
                                  const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  const detail::Collection<Series> row_list("rows", rows), column_list("columns", columns);
  CostMatrix matrix = detail::empty_matrix(row_list.size(), column_list.size());
  detail::fill_rectangle(matrix, row_list, column_list, metric, options);
  return matrix;
}

/// The symmetric matrix of one collection with itself: each pair is computed once, the diagonal is exactly 0.
template <class Rows, class M>
[[nodiscard]] CostMatrix pairwise(const Rows& rows, const M& metric, const PairwiseOptions& options = {}) {
  const detail::Collection<detail::ElementOf<Rows>> list("rows", rows);
  CostMatrix matrix = detail::empty_matrix(list.size(), list.size());
  detail::fill_square(matrix, list, metric, options);
  return matrix;
}

/// The symmetric matrix of the union, rows first: blocks [rows x rows, rows x columns; columns x rows, columns x
/// columns]. What permutation tests and medoids need.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise_pooled(const Rows& rows, const Columns& columns, const M& metric,
                                         const PairwiseOptions& options = {}) {
  const auto list = detail::union_of(rows, columns);
  CostMatrix matrix = detail::empty_matrix(list.size(), list.size());
  detail::fill_square(matrix, list, metric, options);
  return matrix;
}

/// pairwise() into memory of the caller: an Eigen matrix, map or block of double, by rows or by columns, with any
/// strides. InputError (shape_mismatch) unless it has a row for each of `rows` and a column for each of `columns`.
/// After an exception its entries mean nothing, except those that Cancelled marks.
template <class Matrix, class Rows, class Columns, class M>
void pairwise_into(Matrix&& matrix, const Rows& rows, const Columns& columns, const M& metric,
                   const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  const detail::Collection<Series> row_list("rows", rows), column_list("columns", columns);
  detail::require_shape(matrix, row_list.size(), column_list.size());
  detail::fill_rectangle(matrix, row_list, column_list, metric, options);
}

/// The symmetric pairwise() into memory of the caller.
template <class Matrix, class Rows, class M>
void pairwise_into(Matrix&& matrix, const Rows& rows, const M& metric, const PairwiseOptions& options = {}) {
  const detail::Collection<detail::ElementOf<Rows>> list("rows", rows);
  detail::require_shape(matrix, list.size(), list.size());
  detail::fill_square(matrix, list, metric, options);
}

/// pairwise_pooled() into memory of the caller.
template <class Matrix, class Rows, class Columns, class M>
void pairwise_pooled_into(Matrix&& matrix, const Rows& rows, const Columns& columns, const M& metric,
                          const PairwiseOptions& options = {}) {
  const auto list = detail::union_of(rows, columns);
  detail::require_shape(matrix, list.size(), list.size());
  detail::fill_square(matrix, list, metric, options);
}

}  // namespace fidelity
