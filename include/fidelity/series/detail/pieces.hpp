// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <fidelity/series/detail/polynomial.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity::detail {

/// Calls f with every present segment of a signal, cut to the window, in order of time. O(log n + pieces inside).
template <class S, class F>
void for_each_piece(const S& signal, const Window<typename S::time_type>& window, F&& f) {
  using Time = typename S::time_type;
  const auto last = signal.segment_at(window.end);
  if (!last) return;
  const auto cut_to_window = [&](Segment<Time>& piece) {
    piece.window = {std::max(piece.window.begin, window.begin), std::min(piece.window.end, window.end)};
    if (!piece.window.empty()) f(piece);
  };
  std::size_t i = signal.segment_at(window.begin).value_or(0);
  if constexpr (SampledSignal<S>) {  // one piece serves for all: three times as fast
    Segment<Time> piece{};
    for (; i <= *last; ++i)
      if (signal.segment(i, piece)) cut_to_window(piece);
  } else {
    for (; i <= *last; ++i)
      if (auto piece = signal.segment(i)) cut_to_window(*piece);
  }
}

/// A piece as a polynomial of the time from its middle, valid for -half <= u <= half. Odd powers cancel in integrals.
struct CentredPiece {
  Coefficients c;
  std::size_t degree;
  double half;
  double middle;  ///< seconds after the origin that was asked for

  /// Integral of the piece.
  [[nodiscard]] double integral() const {
    double sum = 0, power = 2 * half;
    for (std::size_t k = 0; k <= degree; k += 2, power *= half * half) sum += c[k] * power / static_cast<double>(k + 1);
    return sum;
  }
  /// Integral of u times the piece.
  [[nodiscard]] double first_moment() const {
    double sum = 0, power = 2 * half * half * half;
    for (std::size_t k = 1; k <= degree; k += 2, power *= half * half) sum += c[k] * power / static_cast<double>(k + 2);
    return sum;
  }
  /// Bound of the absolute value of the piece.
  [[nodiscard]] double bound() const {
    double sum = std::abs(c[degree]);
    for (std::size_t k = degree; k-- > 0;) sum = sum * half + std::abs(c[k]);
    return sum;
  }
  /// Integral of the square of the piece.
  [[nodiscard]] double square_integral() const {
    double sum = 0;
    for (std::size_t j = 0; j <= degree; ++j)
      for (std::size_t k = j % 2; k <= degree; k += 2) {
        double power = 2 * half;
        for (std::size_t p = 0; p < j + k; ++p) power *= half;
        sum += c[j] * c[k] * power / static_cast<double>(j + k + 1);
      }
    return sum;
  }
};

template <TimePoint Time>
CentredPiece centred(const Segment<Time>& piece, Time origin) {
  const double half = 0.5 * seconds(piece.window.end - piece.window.begin);
  const double middle = piece.seconds_to(piece.window.begin) + half;
  return {shifted(piece.coefficients, piece.degree, middle), piece.degree, half,
          seconds(piece.window.begin - origin) + half};
}

}  // namespace fidelity::detail
