// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <Eigen/Core>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/pairwise.hpp>

namespace fidelity {

/// Limits for the distances of a matrix: one for all, or one for each entry. They are not negative; infinity means
/// none.
class Cutoffs {
 public:
  Cutoffs(double all) : all_(all) {}                    // NOLINT: `pairwise_within(..., 2.5)` shall read so
  Cutoffs(CostMatrix each) : each_(std::move(each)) {}  // NOLINT

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return each_ ? (*each_)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) : all_;
  }
  /// InputError unless there is a limit >= 0 for every entry of a matrix of this shape.
  void require(std::string_view function, std::size_t rows, std::size_t columns) const {
    const auto check = [&](double cutoff, InputLocation where) {
      if (!detail::is_nan(cutoff) && cutoff >= 0) return;
      where.value = cutoff;
      detail::fail(function, Rule::bad_parameter, "a cutoff must be a number >= 0", std::move(where));
    };
    if (!each_) return check(all_, {});
    if (static_cast<std::size_t>(each_->rows()) != rows || static_cast<std::size_t>(each_->cols()) != columns)
      detail::fail(function, Rule::shape_mismatch,
                   detail::concat("the cutoffs of ", rows, " x ", columns, " distances are ", each_->rows(), " x ",
                                  each_->cols()));
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        check((*this)(i, j), {.collection = "cutoffs", .index = i, .sample = j});
  }

 private:
  double all_ = 0;
  std::optional<CostMatrix> each_ = {};
};

/// Distances up to a cutoff. Where `above` holds, the distance is larger than the cutoff, and that stands in its place
/// as a lower bound; elsewhere stands the distance itself. A distance that equals its cutoff is not above it.
struct DistancesWithin {
  CostMatrix distances;
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> above;
};

namespace detail {
template <class S, class M>
DistancesWithin matrix_within(const Collection<S>& rows, const Collection<S>* columns, const M& metric,
                              const Cutoffs& cutoffs, const PairwiseOptions& options) {
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  const bool symmetric = columns == nullptr;
  const std::size_t n = rows.size(), m = symmetric ? n : columns->size();
  cutoffs.require("pairwise_within", n, m);
  const auto origin = symmetric ? common_origin<S>({&rows}) : common_origin<S>({&rows, columns});
  const Collection<S> none;
  const Prepared a(rows, metric, origin), others(symmetric ? none : *columns, metric, origin);
  const auto& b = symmetric ? a : others;
  DistancesWithin result{empty_matrix(n, m), {}};
  result.distances.setZero();
  result.above.setConstant(result.distances.rows(), result.distances.cols(), false);
  for_each_distance(symmetric ? tiles(a.lengths) : tiles(a.lengths, b.lengths), a, b, metric, options.threads,
                    options.progress, tile_options(options), cutoffs,
                    [&](std::size_t row, std::size_t column, double distance) {
                      const auto i = static_cast<Eigen::Index>(row), j = static_cast<Eigen::Index>(column);
                      const double cutoff = cutoffs(row, column);
                      const bool above = !is_finite(distance) || distance > cutoff;
                      result.distances(i, j) = above ? cutoff : distance;
                      result.above(i, j) = above;
                      if (!symmetric) return;
                      result.distances(j, i) = result.distances(i, j);
                      result.above(j, i) = above;
                    });
  return result;
}
}  // namespace detail

/// pairwise() where only distances up to a cutoff are wanted, one cutoff for all entries or a matrix of them. What lies
/// above is told apart by a mask, never by a number, and depends on the value of the distance alone: not on kernels,
/// threads, or on whether a computation could end early. Distances outside the range of double are above every finite
/// cutoff. Cheaper than pairwise() where whole tiles lie far above. Throws what pairwise() throws, and InputError for a
/// cutoff that is negative or NaN, or a matrix of cutoffs of another shape.
template <class Rows, class Columns, class M>
[[nodiscard]] DistancesWithin pairwise_within(const Rows& rows, const Columns& columns, const M& metric,
                                              const Cutoffs& cutoffs, const PairwiseOptions& options = {}) {
  using Series = detail::ElementOf<Rows>;
  const detail::Collection<Series> row_list("rows", rows), column_list("columns", columns);
  return detail::matrix_within(row_list, &column_list, metric, cutoffs, options);
}

/// The symmetric matrix of one collection with itself. Of a matrix of cutoffs the entries above the diagonal count.
template <class Rows, class M>
[[nodiscard]] DistancesWithin pairwise_within(const Rows& rows, const M& metric, const Cutoffs& cutoffs,
                                              const PairwiseOptions& options = {}) {
  const detail::Collection<detail::ElementOf<Rows>> list("rows", rows);
  return detail::matrix_within(list, decltype(&list){nullptr}, metric, cutoffs, options);
}

}  // namespace fidelity
