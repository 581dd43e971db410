// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace fidelity::detail {

/// Coefficients c[0] .. c[7] of a polynomial of at most degree 7.
using Coefficients = std::array<double, 8>;

/// Up to seven roots in ascending order.
struct Roots {
  std::array<double, 8> values{};
  std::size_t count = 0;

  void push(double e) {
    if (count == 0 || values[count - 1] < e) values[count++] = e;
  }
  [[nodiscard]] const double* begin() const { return values.data(); }
  [[nodiscard]] const double* end() const { return values.data() + count; }
};

struct Evaluation {
  double value;
  double error;  ///< bound of the rounding error of `value`
};

inline Evaluation evaluate(const Coefficients& c, std::size_t degree, double e) {
  double value = c[degree];
  double magnitude = std::abs(value);
  for (std::size_t k = degree; k-- > 0;) {
    value = value * e + c[k];
    magnitude = magnitude * std::abs(e) + std::abs(c[k]);
  }
  return {value, 2.0 * static_cast<double>(degree) * std::numeric_limits<double>::epsilon() * magnitude};
}

/// p(e) as with twice the digits: compensated Horner scheme (Graillat, Langlois, Louvet 2005). `error` bounds what is
/// left but for the last rounding, so that a value above it has the right sign. At e = 0 it is c[0] itself.
inline Evaluation evaluate_twice(const Coefficients& c, std::size_t degree, double e) {
  double value = c[degree], correction = 0, magnitude = std::abs(c[degree]);
  for (std::size_t k = degree; k-- > 0;) {
    const double product = value * e;
    const double product_error = std::fma(value, e, -product);
    const double sum = product + c[k];
    const double rest = sum - product;
    const double sum_error = (product - (sum - rest)) + (c[k] - rest);
    correction = correction * e + (product_error + sum_error);
    magnitude = magnitude * std::abs(e) + std::abs(c[k]);
    value = sum;
  }
  const double steps = 4 * static_cast<double>(degree) * std::numeric_limits<double>::epsilon();
  return {value + correction, steps * steps * magnitude};
}

/// The sign of p(e), 0 where p(e) cannot be told from 0 with twice the digits of a double.
inline int sign_of(const Coefficients& c, std::size_t degree, double e) {
  const auto [value, error] = evaluate_twice(c, degree, e);
  return std::abs(value) <= error ? 0 : (value > 0 ? 1 : -1);
}

/// p(e + shift): repeated synthetic division.
inline Coefficients shifted(Coefficients c, std::size_t degree, double shift) {
  for (std::size_t i = 0; i < degree; ++i)
    for (std::size_t k = degree; k-- > i;) c[k] += shift * c[k + 1];
  return c;
}

inline Coefficients derivative(const Coefficients& c, std::size_t degree) {
  Coefficients d{};
  for (std::size_t k = 1; k <= degree; ++k) d[k - 1] = static_cast<double>(k) * c[k];
  return d;
}

/// The root of p in [lo, hi], where p is monotone, rising or falling, and changes its sign: Newton's method kept
/// inside the bracket.
inline double bracketed_root(const Coefficients& c, std::size_t degree, double lo, double hi, bool rising) {
  const Coefficients slope = derivative(c, degree);
  double e = lo + 0.5 * (hi - lo);
  for (int step = 0;; ++step) {
    const double value = evaluate_twice(c, degree, e).value;
    if (value == 0) return e;
    ((value > 0) == rising ? hi : lo) = e;
    const double newton = e - value / evaluate(slope, degree - 1, e).value;
    const double next = newton > lo && newton < hi ? newton : lo + 0.5 * (hi - lo);
    if (next == e || next <= lo || next >= hi) return next;
    // Newton may creep from one side; every fourth step halves the bracket, so that there is an end: after some
    // thousand steps where the bracket spans the whole range of numbers.
    e = step % 4 == 3 ? lo + 0.5 * (hi - lo) : next;
  }
}

/// All roots of p strictly inside (lo, hi), ascending; a double root counts once. The zero polynomial has none.
/// Degree 1 and 2 in closed form without cancellation, above that by the roots of the derivative, between which p is
/// monotone: no root is lost.
inline Roots roots_between(const Coefficients& c, std::size_t degree, double lo, double hi) {
  while (degree > 0 && c[degree] == 0) --degree;
  Roots roots;
  const auto push_inside = [&](double e) {
    if (e > lo && e < hi) roots.push(e);
  };
  if (degree == 0) return roots;
  if (degree == 1) {
    push_inside(-c[0] / c[1]);
    return roots;
  }
  if (degree == 2) {
    // A common factor, a power of two, keeps the products within range.
    const int exponent = -std::ilogb(std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}));
    const double a = std::scalbn(c[2], exponent), b = std::scalbn(c[1], exponent), d = std::scalbn(c[0], exponent);
    // Its sign is exact, so that two close roots are not taken for one (Kahan 2004).
    const double product = 4 * a * d;
    const double discriminant = std::fma(b, b, -product) + std::fma(-4 * a, d, product);
    if (discriminant == 0) {
      push_inside(-b / (2 * a));
    } else if (discriminant > 0) {
      const double r = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
      const double first = r / a, second = d / r;
      push_inside(std::min(first, second));
      push_inside(std::max(first, second));
    }
    return roots;
  }
  const Roots turning = roots_between(derivative(c, degree), degree - 1, lo, hi);
  double left = lo;
  int left_sign = sign_of(c, degree, lo);
  for (std::size_t k = 0; k <= turning.count; ++k) {
    const bool last = k == turning.count;
    const double right = last ? hi : turning.values[k];
    const int right_sign = sign_of(c, degree, right);
    if (left_sign * right_sign < 0) push_inside(bracketed_root(c, degree, left, right, right_sign > 0));
    if (right_sign == 0 && !last) push_inside(right);
    left = right;
    left_sign = right_sign;
  }
  return roots;
}

}  // namespace fidelity::detail
