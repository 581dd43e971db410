// SPDX-License-Identifier: MIT
// One pair in vector lanes. A block of `rows` rows of the table is swept along the columns at once, every row one
// column behind the row above it: what a cell needs of its left neighbour was computed one step ago, what it needs of
// the row above one step (upper) and two steps ago (diagonal), all of it in registers. Row k * R + r of a block is lane
// k of vector r, so only the last vector has to move its lanes. Between blocks stands one row of D and E in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <fidelity/distance/detail/exact_band.hpp>
#include <fidelity/distance/detail/lane_sweep.hpp>
#include <fidelity/distance/detail/simd.hpp>

namespace fidelity::detail {

/// A series as the kernel reads it. `deletions[i]` is the cost of deleting sample i >= 1.
template <class T>
struct SweepSeries {
  std::size_t channels, size;
  const T* times;
  const T* values;
  const T* deletions;
};

/// The memory of one sweep: linear in the lengths.
template <class T>
struct WavefrontMemory {
  static constexpr std::size_t margin = 72;  // the rows of the largest block, 64, and some

  SweepSeries<T> a, b;
  std::size_t stride;              ///< numbers a column: channels, time, deletion
  std::vector<T> columns;          ///< b, one column after the other, and `margin` columns more
  std::vector<T> cost;             ///< D of the row above the block; place margin + j is column j
  std::vector<T> cost_with_match;  ///< E likewise
  std::vector<T> points;           ///< values in lanes, used for several channels

  WavefrontMemory(const SweepSeries<T>& rows, const SweepSeries<T>& streamed)
      : a(rows),
        b(streamed),
        stride(b.channels + 2),
        columns((b.size + margin) * stride),
        points(2 * margin * b.channels) {
    for (std::size_t j = 0; j < b.size; ++j) {
      std::copy_n(b.values + j * b.channels, b.channels, &columns[j * stride]);
      columns[j * stride + b.channels] = b.times[j];
      columns[j * stride + b.channels + 1] = b.deletions[j];
    }
  }
  void reset() {
    cost.assign(b.size + 2 * margin, std::numeric_limits<T>::infinity());
    cost_with_match.assign(b.size + 2 * margin, std::numeric_limits<T>::infinity());
    cost_with_match[margin - 1] = 0;  // the way into the first cell: 0 + phi(0, 0)
  }
};

/// Moves all lanes up by one: `entering` becomes the first lane, what was in the last one is returned.
template <class Level, std::size_t... K>
FIDELITY_INLINE typename Level::Scalar pass_lanes(typename Level::Vector& x, typename Level::Scalar entering,
                                                  std::index_sequence<K...>) {
  constexpr std::size_t width = sizeof...(K);
  if constexpr (requires { x.lane; }) {
    const auto leaving = x.lane[width - 1];
    for (std::size_t k = width - 1; k > 0; --k) x.lane[k] = x.lane[k - 1];
    x.lane[0] = entering;
    return leaving;
  } else {
    x = __builtin_shufflevector(x, x, (K + width - 1) % width...);
    const auto leaving = x[0];
    x[0] = entering;
    return leaving;
  }
}

/// A block of R vectors of rows on its way along the columns.
template <class Level, class Fold, std::size_t R, bool OneChannel>
struct WavefrontBlock {
  using T = typename Level::Scalar;
  using Vector = typename Level::Vector;
  static constexpr std::size_t width = Level::width;
  static constexpr std::size_t rows = R * width;
  using Lanes = std::make_index_sequence<width>;
  using Rows = std::make_index_sequence<R>;
  using One = typename Level::One;

  // By row: of the series a.
  Vector value[R], time[R], deletion[R];
  // By step modulo R: of the series b, lane k is k * R columns behind. Row r reads what entered r steps ago.
  Vector column_value[R], column_time[R], column_deletion[R];
  Vector cost[R], cost_with_match[2][R];  // D of the last step, E of the last two

  template <std::size_t... r>
  FIDELITY_INLINE void start(const SweepSeries<T>& a, std::size_t first_row, T infinite, T* points,
                             std::index_sequence<r...>) {
    (start_row<r>(a, first_row + r, infinite, points + r * width), ...);
  }
  template <std::size_t r>
  FIDELITY_INLINE void start_row(const SweepSeries<T>& a, std::size_t first_row, T infinite, T* points) {
    // Rows below the last one copy the row above: deletions that cost nothing, matches that cost infinity.
    T lanes[3][width];
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t i = first_row + k * R;
      const bool exists = i < a.size;
      lanes[0][k] = exists && OneChannel ? a.values[i] : T{0};
      lanes[1][k] = exists ? a.times[i] : infinite;
      lanes[2][k] = exists ? a.deletions[i] : T{0};
      if constexpr (!OneChannel)
        for (std::size_t c = 0; c < a.channels; ++c) {
          points[c * 2 * rows + k] = exists ? a.values[i * a.channels + c] : T{0};
          points[(c * 2 + 1) * rows + k] = 0;
        }
    }
    Level::load(value[r], lanes[0]);
    Level::load(time[r], lanes[1]);
    Level::load(deletion[r], lanes[2]);
    Level::fill(column_value[r], T{0});
    Level::fill(column_time[r], T{0});
    Level::fill(column_deletion[r], T{0});
    Level::fill(cost[r], infinite);
    Level::fill(cost_with_match[0][r], infinite);
    Level::fill(cost_with_match[1][r], infinite);
  }

  /// One step: row r is at column `column - r`, lane k another k * R behind. Phase is the number of the step modulo R.
  template <std::size_t Phase>
  FIDELITY_INLINE void step(const T* column, std::size_t channels, T* above, T* above_with_match, T* points,
                            const One& one) {
    constexpr std::size_t parity = Phase % 2;
    Vector phi[R];
    if constexpr (OneChannel) {
      pass_lanes<Level>(column_value[Phase], column[0], Lanes{});
    } else {
      for (std::size_t r = 0; r < R; ++r) Level::fill(phi[r], T{0});
      for (std::size_t c = 0; c < channels; ++c) add_channel<Phase>(phi, column[c], points + c * 2 * rows, Rows{});
    }
    pass_lanes<Level>(column_time[Phase], column[channels], Lanes{});
    pass_lanes<Level>(column_deletion[Phase], column[channels + 1], Lanes{});
    Vector upper = cost[R - 1], diagonal = cost_with_match[parity][R - 1];
    above[-static_cast<std::ptrdiff_t>(rows)] = pass_lanes<Level>(upper, above[0], Lanes{});
    above_with_match[-static_cast<std::ptrdiff_t>(rows) - 1] =
        pass_lanes<Level>(diagonal, above_with_match[-1], Lanes{});
    cells<Phase>(phi, upper, diagonal, one, Rows{});
  }

  template <std::size_t Phase, std::size_t... K>
  FIDELITY_INLINE void add_channel(Vector (&sum)[R], T entering, T* points, std::index_sequence<K...>) {
    Vector latest;
    Level::load(latest, points + rows + Phase * width);
    pass_lanes<Level>(latest, entering, Lanes{});
    Level::store(points + rows + Phase * width, latest);
    (add_row_of_channel<Phase, K>(sum[K], points), ...);
  }
  template <std::size_t Phase, std::size_t r>
  FIDELITY_INLINE void add_row_of_channel(Vector& sum, const T* points) {
    Vector x, y;
    Level::load(x, points + r * width);
    Level::load(y, points + rows + (Phase + R - r) % R * width);
    Level::subtract(x, y, x);
    Fold::template term<Level>(x, x);
    Fold::template fold<Level>(sum, sum, x);
  }

  template <std::size_t Phase, std::size_t... K>
  FIDELITY_INLINE void cells(Vector (&phi)[R], const Vector& upper, const Vector& diagonal, const One& one,
                             std::index_sequence<K...>) {
    (cell<Phase, R - 1 - K>(phi[R - 1 - K], upper, diagonal, one), ...);  // from below: a row reads the one above it
  }
  template <std::size_t Phase, std::size_t r>
  FIDELITY_INLINE void cell(Vector& phi, const Vector& upper, const Vector& diagonal, const One& one) {
    constexpr std::size_t parity = Phase % 2, entry = (Phase + R - r) % R;
    if constexpr (OneChannel) {
      Level::subtract(phi, column_value[entry], value[r]);
      Level::magnitude(phi, phi);
    } else {
      Fold::template finish<Level>(phi);
    }
    Vector lag, match, deletion_a, deletion_b;
    Level::subtract(lag, column_time[entry], time[r]);
    Level::magnitude(lag, lag);
    Level::add_fused(phi, phi, lag, one);
    if constexpr (r == 0) {
      Level::add_fused(match, diagonal, phi, one);
      Level::add(deletion_a, upper, deletion[0]);
    } else {
      Level::add_fused(match, cost_with_match[parity][r - 1], phi, one);
      Level::add(deletion_a, cost[r - 1], deletion[r]);
    }
    Level::add(deletion_b, cost[r], column_deletion[entry]);
    Level::minimum(match, match, deletion_b);
    Level::minimum(cost[r], match, deletion_a);
    Level::add_fused(cost_with_match[parity][r], cost[r], phi, one);
  }

  template <std::size_t... Phase>
  FIDELITY_INLINE void steps(const T* column, std::size_t stride, T* above, T* above_with_match, T* points,
                             const One& one, std::index_sequence<Phase...>) {
    (step<Phase>(column + Phase * stride, stride - 2, above + Phase, above_with_match + Phase, points, one), ...);
  }
};

/// Vectors of rows in a block: enough to hide the latency of a step, few enough for registers, short series and the
/// time to compile; a multiple of 2.
inline constexpr std::size_t wavefront_vectors = 4;

/// The sweep, block by block, of the cells in the band and some beside it. The bits are those of twed_sweep(): the
/// order of the three candidates of a minimum does not matter, and every other operation is the same.
template <class Level, class Fold, bool OneChannel>
FIDELITY_INLINE typename Level::Scalar wavefront(WavefrontMemory<typename Level::Scalar>& memory,
                                                 const DiagonalBand& band) {
  using T = typename Level::Scalar;
  constexpr std::size_t vectors = wavefront_vectors;
  using Block = WavefrontBlock<Level, Fold, vectors, OneChannel>;
  static_assert(vectors % 2 == 0 && Block::rows + vectors <= WavefrontMemory<T>::margin);
  constexpr auto rows = static_cast<std::ptrdiff_t>(Block::rows), stepping = static_cast<std::ptrdiff_t>(vectors);
  T* const cost = memory.cost.data() + memory.margin;
  T* const cost_with_match = memory.cost_with_match.data() + memory.margin;
  T* const points = memory.points.data();
  const T infinite = memory.cost.back();  // from memory, for options that assume there is none
  const std::size_t stride = OneChannel ? 3 : memory.stride;
  const auto n = static_cast<std::ptrdiff_t>(memory.a.size), m = static_cast<std::ptrdiff_t>(memory.b.size);
  typename Level::One one;
  Level::make_one(one);
  for (std::ptrdiff_t i = 0; i < n; i += rows) {
    // The columns in the band, then the steps until D and E of the last row have come out. A column that no block has
    // reached holds infinity, and so does the one left of a block, where its rows begin.
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, i - band.highest);
    const std::ptrdiff_t end = std::min(m, i + rows - band.lowest);
    Block block;
    block.start(memory.a, static_cast<std::size_t>(i), infinite, points, typename Block::Rows{});
    const T* column = memory.columns.data() + static_cast<std::size_t>(begin) * stride;
    for (std::ptrdiff_t j = begin; j <= end + rows; j += stepping, column += vectors * stride)
      block.steps(column, stride, cost + j, cost_with_match + j, points, one, typename Block::Rows{});
  }
  return cost[m - 1];
}

}  // namespace fidelity::detail
