// SPDX-License-Identifier: MIT
// One series against W others at once, one pair a lane, in the operations and the order of twed_sweep().
#pragma once

#include <cstddef>

#include <fidelity/distance/detail/simd.hpp>

namespace fidelity::detail {

/// One sweep: the row series A against W column series, which lie interleaved, column after column of the table. Per
/// column: values (channels x W), stamps (W, not where they are shared), cost of deletion (W), then D and E of the row
/// above (W each). All stamps are multiplied by the stiffness.
///
/// Lanes that are shorter than `length` go on with anything: D(i, j) depends on columns up to j only. A has `padding`
/// samples more in front, so that its number of rows is a multiple of the block of the kernel; they cost infinity.
template <class T>
struct LaneProblem {
  T* columns = nullptr;
  std::size_t length = 0;
  const T *earliest = nullptr, *latest = nullptr;  ///< stamps of a column, not decreasing; where shared, the stamps
  std::size_t channels = 1;
  const T *values = nullptr, *times = nullptr, *deletions = nullptr;
  std::size_t rows = 0, padding = 0;
  std::size_t first_row = 0;  ///< where not 0, the sweep goes on with the D and E that stand in the columns
  T infinity = 0;             ///< from outside, for options that assume there is none
};

/// Numbers per column.
template <class T>
std::size_t lane_stride(std::size_t width, std::size_t channels, bool shared) {
  return (channels + (shared ? 3 : 4)) * width;
}

// Point distances in lanes: what is kept of a sample of A, what is loaded of a column, and the distance of both.

struct LaneMagnitude {  // one channel
  FIDELITY_INLINE static std::size_t channels(std::size_t) { return 1; }
  template <class Level>
  struct Row {
    typename Level::Vector value;
    FIDELITY_INLINE void set(const typename Level::Scalar* sample) { Level::fill(value, *sample); }
  };
  template <class Level>
  struct Column {
    typename Level::Vector value;
    FIDELITY_INLINE void set(const typename Level::Scalar* from) { Level::load(value, from); }
  };
  template <class Level>
  FIDELITY_INLINE static void distance(typename Level::Vector& out, const Row<Level>& a, const Column<Level>& b,
                                       std::size_t, const typename Level::One& one) {
    Level::subtract_fused(out, b.value, a.value, one);
    Level::magnitude(out, out);
  }
};

/// Several channels: terms are folded one channel after the other.
template <class Fold>
struct LaneChannels {
  FIDELITY_INLINE static std::size_t channels(std::size_t count) { return count; }
  template <class Level>
  struct Row {
    const typename Level::Scalar* sample;
    FIDELITY_INLINE void set(const typename Level::Scalar* from) { sample = from; }
  };
  template <class Level>
  using Column = Row<Level>;
  template <class Level>
  FIDELITY_INLINE static void difference(typename Level::Vector& out, const Row<Level>& a, const Row<Level>& b,
                                         std::size_t c) {
    typename Level::Vector x;
    Level::load(out, b.sample + c * Level::width);
    Level::fill(x, a.sample[c]);
    Level::subtract(out, out, x);
  }
  template <class Level>
  FIDELITY_INLINE static void distance(typename Level::Vector& out, const Row<Level>& a, const Row<Level>& b,
                                       std::size_t channels, const typename Level::One&) {
    typename Level::Vector x;
    difference<Level>(x, a, b, 0);
    Fold::template term<Level>(out, x);
    for (std::size_t c = 1; c < channels; ++c) {
      difference<Level>(x, a, b, c);
      Fold::template term<Level>(x, x);
      Fold::template fold<Level>(out, out, x);
    }
    Fold::template finish<Level>(out);
  }
};
struct FoldSum {
  template <class Level>
  FIDELITY_INLINE static void term(typename Level::Vector& out, const typename Level::Vector& x) {
    Level::magnitude(out, x);
  }
  template <class Level>
  FIDELITY_INLINE static void fold(typename Level::Vector& out, const typename Level::Vector& x,
                                   const typename Level::Vector& y) {
    Level::add(out, x, y);
  }
  template <class Level>
  FIDELITY_INLINE static void finish(typename Level::Vector&) {}
};
struct FoldMaximum : FoldSum {
  template <class Level>
  FIDELITY_INLINE static void fold(typename Level::Vector& out, const typename Level::Vector& x,
                                   const typename Level::Vector& y) {
    Level::maximum(out, x, y);
  }
};
struct FoldSquares : FoldSum {
  template <class Level>
  FIDELITY_INLINE static void term(typename Level::Vector& out, const typename Level::Vector& x) {
    Level::multiply(out, x, x);
  }
  template <class Level>
  FIDELITY_INLINE static void finish(typename Level::Vector& out) {
    Level::root(out, out);
  }
};

/// How |r - s| of a stamp r of a column and s of the row is had: as it stands; as a difference whose sign is known;
/// from a table, because it is the same for all lanes.
enum class TimeTerm { any, before, after, shared };

inline constexpr std::size_t lane_chunk = 64;  ///< columns whose shared time terms are computed at once

/// The R rows of a block, one in the other, so that every number of theirs is a variable of its own.
template <class Level, class Point, int R>
struct LaneRows {
  using T = typename Level::Scalar;
  using Vector = typename Level::Vector;
  using One = typename Level::One;

  typename Point::template Row<Level> point;
  Vector time, deletion;
  Vector left;      // D(i, j - 1)
  Vector diagonal;  // E(i - 1, j - 1)
  LaneRows<Level, Point, R - 1> next;

  FIDELITY_INLINE void set(const LaneProblem<T>& p, std::size_t i) {
    point.set(p.values + i * p.channels);
    Level::fill(time, p.times[i]);
    Level::fill(deletion, p.deletions[i]);
    Level::fill(left, p.infinity);
    Level::fill(diagonal, i == p.padding ? T{0} : p.infinity);  // the first samples are always matched
    next.set(p, i + 1);
  }

  /// One column: `cost` and `with_match` are D and E of the row above, and become those of the last row.
  template <TimeTerm term>
  FIDELITY_INLINE void step(Vector& cost, Vector& with_match, const typename Point::template Column<Level>& column,
                            const Vector& stamp, const T* shared, const Vector& column_deletion, std::size_t channels,
                            const One& one) {
    Vector match, duration, above;
    Point::template distance<Level>(match, point, column, channels, one);
    if constexpr (term == TimeTerm::shared) {
      Level::fill(duration, *shared);
    } else if constexpr (term == TimeTerm::before) {
      Level::subtract_fused(duration, time, stamp, one);
    } else {
      Level::subtract_fused(duration, stamp, time, one);
      if constexpr (term == TimeTerm::any) Level::magnitude(duration, duration);
    }
    Level::add_fused(match, match, duration, one);

    // As many operations on the pipes that multiply as on those that add, which also take minima.
    if constexpr (term == TimeTerm::shared) {
      Level::add_fused(diagonal, diagonal, match, one);
    } else {
      Level::add(diagonal, diagonal, match);
    }
    Level::add(above, cost, deletion);
    Level::minimum(diagonal, diagonal, above);
    Level::add(left, left, column_deletion);
    Level::minimum(left, diagonal, left);
    diagonal = with_match;
    cost = left;
    Level::add_fused(with_match, left, match, one);
    next.template step<term>(cost, with_match, column, stamp, shared + lane_chunk, column_deletion, channels, one);
  }
};
template <class Level, class Point>
struct LaneRows<Level, Point, 0> {
  FIDELITY_INLINE void set(const LaneProblem<typename Level::Scalar>&, std::size_t) {}
  template <TimeTerm, class... Arguments>
  FIDELITY_INLINE void step(const Arguments&...) {}
};

/// Columns [begin, end) of a block of rows.
template <class Level, class Point, int R, TimeTerm term>
FIDELITY_INLINE void lane_columns(LaneRows<Level, Point, R>& rows, const LaneProblem<typename Level::Scalar>& p,
                                  std::size_t begin, std::size_t end, const typename Level::Scalar* shared,
                                  const typename Level::One& one) {
  constexpr std::size_t W = Level::width;
  constexpr std::size_t stamps = term == TimeTerm::shared ? 0 : W;
  const std::size_t channels = Point::channels(p.channels);
  const std::size_t stride = channels * W + stamps + 3 * W;
  typename Level::Scalar* at = p.columns + begin * stride;
  for (std::size_t j = begin; j < end; ++j, at += stride) {
    typename Point::template Column<Level> column;
    typename Level::Vector stamp, deletion, cost, with_match;
    column.set(at);
    typename Level::Scalar* const rest = at + channels * W;
    Level::load(stamp, rest);  // not used where stamps are shared
    Level::load(deletion, rest + stamps);
    Level::load(cost, rest + stamps + W);
    Level::load(with_match, rest + stamps + 2 * W);
    rows.template step<term>(cost, with_match, column, stamp, shared + (j - begin), deletion, channels, one);
    Level::store(rest + stamps + W, cost);
    Level::store(rest + stamps + 2 * W, with_match);
  }
}

/// All columns of a block of rows whose lanes share their stamps: the time terms of a chunk first, vectors along j.
template <class Level, class Point, int R>
FIDELITY_INLINE void lane_block_shared(LaneRows<Level, Point, R>& rows, const LaneProblem<typename Level::Scalar>& p,
                                       std::size_t i, const typename Level::One& one) {
  alignas(64) typename Level::Scalar terms[R * lane_chunk];
  for (std::size_t begin = 0; begin < p.length; begin += lane_chunk) {
    for (std::size_t k = 0; k < R; ++k) {
      typename Level::Vector time, x;
      Level::fill(time, p.times[i + k]);
      for (std::size_t j = 0; j < lane_chunk; j += Level::width) {  // the array of stamps is padded to whole chunks
        Level::load(x, p.earliest + begin + j);
        Level::subtract(x, x, time);
        Level::magnitude(x, x);
        Level::store(terms + k * lane_chunk + j, x);
      }
    }
    const std::size_t end = begin + lane_chunk < p.length ? begin + lane_chunk : p.length;
    lane_columns<Level, Point, R, TimeTerm::shared>(rows, p, begin, end, terms, one);
  }
}

/// The whole sweep: afterwards D of a column holds the distances of A from lanes of that length.
template <class Level, class Point, int R, bool shared, bool signs>
FIDELITY_INLINE void lane_sweep(const LaneProblem<typename Level::Scalar>& p) {
  constexpr std::size_t W = Level::width;
  const std::size_t stride = (p.channels + (shared ? 3 : 4)) * W;
  typename Level::Vector infinite;
  Level::fill(infinite, p.infinity);
  for (std::size_t j = 0; p.first_row == 0 && j < p.length; ++j) {
    Level::store(p.columns + (j + 1) * stride - 2 * W, infinite);
    Level::store(p.columns + (j + 1) * stride - W, infinite);
  }
  typename Level::One one;
  Level::make_one(one);
  std::size_t before = 0, after = 0;  // columns before the block, and from where on they are after it
  for (std::size_t i = p.first_row; i < p.rows; i += R) {
    LaneRows<Level, Point, R> rows;
    rows.set(p, i);
    if constexpr (shared) {
      lane_block_shared<Level, Point, R>(rows, p, i, one);
    } else if constexpr (signs) {
      while (before < p.length && p.latest[before] <= p.times[i]) ++before;
      while (after < p.length && p.earliest[after] < p.times[i + R - 1]) ++after;
      lane_columns<Level, Point, R, TimeTerm::before>(rows, p, 0, before, p.times, one);
      const std::size_t middle = after < before ? before : after;
      lane_columns<Level, Point, R, TimeTerm::any>(rows, p, before, middle, p.times, one);
      lane_columns<Level, Point, R, TimeTerm::after>(rows, p, middle, p.length, p.times, one);
    } else {
      lane_columns<Level, Point, R, TimeTerm::any>(rows, p, 0, p.length, p.times, one);
    }
  }
}

}  // namespace fidelity::detail
