// SPDX-License-Identifier: MIT
#pragma once

#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/segment.hpp>

namespace fidelity::detail {

/// A sum with about 106 bits, so that the difference of two of them is as exact as the terms between.
class PrefixSum {
 public:
  void add(double x) {
    const Pair sum = two_sum(high_, x);
    const Pair normal = two_sum(sum.high, sum.low + low_);
    high_ = normal.high;
    low_ = normal.low;
  }
  [[nodiscard]] double minus(const PrefixSum& before) const {
    const Pair difference = two_sum(high_, -before.high_);
    return difference.high + (difference.low + (low_ - before.low_));
  }

 private:
  struct Pair {
    double high, low;
  };
  /// a + b and its rounding error (Knuth).
  static Pair two_sum(double a, double b) {
    const double sum = a + b, rest = sum - a;
    return {sum, (a - (sum - rest)) + (b - rest)};
  }
  double high_ = 0, low_ = 0;
};

/// Integral of a piece from one time to another, both within the piece.
template <TimePoint Time>
double integral_between(const Segment<Time>& piece, Time from, Time to) {
  const double length = seconds(to - from), half = 0.5 * length;
  const auto& c = piece.coefficients;
  if (piece.degree == 0) return c[0] * length;
  const double middle = piece.seconds_to(from) + half;
  if (piece.degree == 1) return (c[0] + c[1] * middle) * length;
  if (piece.degree <= 3) {
    // About the middle odd powers cancel.
    const double at_middle = c[0] + middle * (c[1] + middle * (c[2] + middle * c[3]));
    return (at_middle + (c[2] + 3 * c[3] * middle) * (half * half / 3)) * length;
  }
  Segment<Time> part = piece;
  part.window = {from, to};
  return centred(part, from).integral();
}

}  // namespace fidelity::detail
