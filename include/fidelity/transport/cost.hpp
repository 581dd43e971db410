// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/access.hpp>

namespace fidelity {

/// What transport(), wasserstein() and assign() accept as costs: an Eigen matrix, array, map or block of any arithmetic
/// scalar and layout (read without a copy; an expression such as `a + b` is evaluated once), a CostFunction, a
/// CostView, or any object with rows(), columns() and operator()(row, column). Rows are simulated, columns are
/// reference runs; +infinity forbids a pair.
template <class T>
concept CostSource = detail::EigenDense<T> || requires(const T& cost, std::size_t k) {
  { cost.rows() } -> std::convertible_to<std::size_t>;
  { cost.columns() } -> std::convertible_to<std::size_t>;
  { cost(k, k) } -> std::convertible_to<double>;
};

/// Costs given by a function of (row, column). Every entry is asked for many times during a solve and must be the same
/// each time: put an expensive distance into a matrix first.
template <class Function>
class CostFunction {
 public:
  CostFunction(std::size_t rows, std::size_t columns, Function function)
      : rows_(rows), columns_(columns), function_(std::move(function)) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double operator()(std::size_t row, std::size_t column) const { return static_cast<double>(function_(row, column)); }

 private:
  std::size_t rows_, columns_;
  Function function_;
};

/// A problem inside a larger cost matrix: entry (i, j) is the entry (rows[i], columns[j]) of the matrix, nothing is
/// copied. Indices may repeat. The matrix and both lists must outlive the view.
///
/// An index outside the matrix is an InputError (index_out_of_range).
template <class Access>
class CostView {
 public:
  template <CostSource Source>
  CostView(const Source& matrix, std::span<const std::size_t> rows, std::span<const std::size_t> columns)
      : cost_(detail::access(matrix)), rows_(rows), columns_(columns) {
    check("rows", rows_, cost_.rows());
    check("columns", columns_, cost_.columns());
  }
  /// A matrix, and an owner of costs in general, must outlive the view: no temporaries.
  template <CostSource Source>
  CostView(const Source&& matrix, std::span<const std::size_t>, std::span<const std::size_t>) = delete;

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  double operator()(std::size_t row, std::size_t column) const { return cost_(rows_[row], columns_[column]); }

 private:
  static void check(const char* collection, std::span<const std::size_t> indices, std::size_t size) {
    for (std::size_t k = 0; k < indices.size(); ++k)
      if (indices[k] >= size)
        detail::fail("CostView", Rule::index_out_of_range,
                     detail::concat("index ", indices[k], " is outside a matrix of ", size, " ", collection),
                     {.collection = collection, .index = k});
  }

  Access cost_;
  std::span<const std::size_t> rows_, columns_;
};

template <CostSource Source>
CostView(const Source&, std::span<const std::size_t>, std::span<const std::size_t>)
    -> CostView<decltype(detail::access(std::declval<const Source&>()))>;

}  // namespace fidelity
