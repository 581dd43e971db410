// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <fidelity/detail/exact.hpp>

namespace fidelity::detail {

/// An unevaluated sum of two doubles, about 32 digits (Dekker 1971; Knuth, TAOCP 2, 4.2.2). Differences of prefix sums
/// keep their digits in it, also where one stretch of a series is a million times louder than another.
struct DoubleDouble {
  double high = 0, low = 0;

  [[nodiscard]] double value() const { return high + low; }
};

FIDELITY_EXACT inline DoubleDouble exact_sum(double a, double b) {
  FIDELITY_EXACT_BODY
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

FIDELITY_EXACT inline DoubleDouble exact_product(double a, double b) {
  FIDELITY_EXACT_BODY
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

FIDELITY_EXACT inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  FIDELITY_EXACT_BODY
  const DoubleDouble high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const DoubleDouble sum = exact_sum(high.high, high.low + low.high);
  return exact_sum(sum.high, sum.low + low.low);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + DoubleDouble{-b.high, -b.low}; }

FIDELITY_EXACT inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  FIDELITY_EXACT_BODY
  const DoubleDouble product = exact_product(a.high, b.high);
  return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

FIDELITY_EXACT inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  FIDELITY_EXACT_BODY
  const double first = a.high / b.high;
  const DoubleDouble rest = a - b * DoubleDouble{first, 0};
  return exact_sum(first, rest.high / b.high);
}

}  // namespace fidelity::detail
