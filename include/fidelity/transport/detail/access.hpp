// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

#include <Eigen/Core>

namespace fidelity::detail {

/// What lies together in memory: the entries of a row, those of a column, or neither for sure.
enum class Layout { rows, columns, strided };

/// Reads an entry of a matrix in memory as a double. Light to copy; owns nothing.
template <class Scalar, Layout layout>
class MatrixAccess {
 public:
  MatrixAccess(const Scalar* data, std::size_t rows, std::size_t columns, std::ptrdiff_t row_step,
               std::ptrdiff_t column_step)
      : data_(data), rows_(rows), columns_(columns), row_step_(row_step), column_step_(column_step) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double operator()(std::size_t row, std::size_t column) const {
    const auto down = static_cast<std::ptrdiff_t>(row) * (layout == Layout::columns ? 1 : row_step_);
    const auto along = static_cast<std::ptrdiff_t>(column) * (layout == Layout::rows ? 1 : column_step_);
    return static_cast<double>(data_[down + along]);
  }

 private:
  const Scalar* data_;
  std::size_t rows_, columns_;
  std::ptrdiff_t row_step_, column_step_;
};

template <class Cost>
inline constexpr bool columns_lie_together = false;
template <class Scalar>
inline constexpr bool columns_lie_together<MatrixAccess<Scalar, Layout::columns>> = true;

/// The same entries with rows and columns exchanged.
template <class Access>
class TurnedAccess {
 public:
  explicit TurnedAccess(const Access& access) : access_(access) {}

  [[nodiscard]] std::size_t rows() const { return access_.columns(); }
  [[nodiscard]] std::size_t columns() const { return access_.rows(); }
  double operator()(std::size_t row, std::size_t column) const { return access_(column, row); }

 private:
  Access access_;
};

/// Refers to an object with rows(), columns() and operator()(row, column).
template <class Source>
class SourceAccess {
 public:
  explicit SourceAccess(const Source& source) : source_(&source) {}

  [[nodiscard]] std::size_t rows() const { return source_->rows(); }
  [[nodiscard]] std::size_t columns() const { return source_->columns(); }
  double operator()(std::size_t row, std::size_t column) const { return static_cast<double>((*source_)(row, column)); }

 private:
  const Source* source_;
};

template <class T>
concept EigenDense = std::is_base_of_v<Eigen::DenseBase<T>, T>;

/// True for matrices, arrays, maps, refs and blocks; false for expressions such as `a + b`.
template <EigenDense Matrix>
inline constexpr bool in_memory = (Eigen::internal::traits<Matrix>::Flags & Eigen::DirectAccessBit) != 0;

/// The argument itself; an Eigen expression is evaluated once.
template <class Source>
decltype(auto) readable(const Source& source) {
  if constexpr (EigenDense<Source>) {
    if constexpr (in_memory<Source>) {
      return (source);
    } else {
      using Scalar = typename Source::Scalar;
      return Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>(source.derived().array());
    }
  } else {
    return (source);
  }
}

/// A light reader of the argument, which must outlive it.
template <class Source>
auto access(const Source& source) {
  if constexpr (EigenDense<Source>) {
    static_assert(in_memory<Source>, "evaluate the expression into a matrix first");
    constexpr bool row_major = Source::IsRowMajor;
    constexpr bool contiguous = Source::InnerStrideAtCompileTime == 1;
    constexpr Layout layout = !contiguous ? Layout::strided : row_major ? Layout::rows : Layout::columns;
    const std::ptrdiff_t inner = source.innerStride(), outer = source.outerStride();
    return MatrixAccess<typename Source::Scalar, layout>(
        source.derived().data(), static_cast<std::size_t>(source.rows()), static_cast<std::size_t>(source.cols()),
        row_major ? outer : inner, row_major ? inner : outer);
  } else {
    return SourceAccess<Source>(source);
  }
}

}  // namespace fidelity::detail
