// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace fidelity::detail {

/// Gamma(a + 1/2) / Gamma(a) for a > 0, to a few units in the last place: the asymptotic series (Tricomi and Erdelyi
/// 1951) where it converges at once, carried down by Gamma(x + 1) = x Gamma(x). A difference of logarithms of Gamma
/// would lose digits in proportion to a.
inline double gamma_half_ratio(double a) {
  double factor = 1;
  for (; a < 40; ++a) factor *= a / (a + 0.5);
  const double r = 1 / a;
  const double series =
      1 + r * (-1.0 / 8 + r * (1.0 / 128 +
                               r * (5.0 / 1024 + r * (-21.0 / 32768 + r * (-399.0 / 262144 + r * (869.0 / 4194304))))));
  return factor * std::sqrt(a) * series;
}

/// The incomplete beta function I_x(a, b) divided by x^a y^b / B(a, b), y = 1 - x, by the continued fraction of
/// DiDonato and Morris (1992, equation 9), which does not cancel where x is close to 1. O(sqrt(max(a, b))) steps for x
/// <= (a + 1) / (a + b + 2).
inline double beta_fraction(double a, double b, double x, double y) {
  const double lambda = (a + b) * y - b;
  double before = 0, numerator = 1, below_before = 1, denominator = a / (a + 1) * (lambda + 1);
  for (double n = 1; n < 1e6; ++n) {
    const double step = a + 2 * n - 1;
    const double alpha = (a + n - 1) / step * ((a + b + n - 1) / step) * n * (b - n) * x * x;
    const double beta = n + n * (b - n) * x / step + (a + n) / (step + 2) * (lambda + 1 + n * (1 + y));
    const double next = beta * numerator + alpha * before, next_below = beta * denominator + alpha * below_before;
    const double change = std::abs(next / next_below - numerator / denominator);
    // Scaled, so that neither part overflows.
    before = numerator / next_below;
    below_before = denominator / next_below;
    numerator = next / next_below;
    denominator = 1;
    if (change <= 1e-16 * std::abs(numerator)) break;
  }
  return numerator / denominator;
}

/// Probability that Student's t with v > 0 degrees of freedom is farther from 0 than t >= 0.
inline double student_t_tails(double t, double v) {
  if (t == 0) return 1;
  const double a = 0.5 * v, s = t * t / v;
  // I_x(a, 1/2) with x = v / (v + t^2); powers by log1p, since x is close to 1 for large v.
  const double power = std::exp(-a * std::log1p(s)) * std::sqrt(s / (1 + s));
  const double density = gamma_half_ratio(a) / std::sqrt(3.14159265358979323846) * power;
  const double x = 1 / (1 + s);
  const double y = s / (1 + s);
  if (x < (a + 1) / (a + 2.5)) return density * beta_fraction(a, 0.5, x, y);
  // Near the middle 1 - I_y(1/2, a) by its power series, whose terms are all positive.
  double sum = 0, term = 2;
  for (double n = 0; term > 1e-17 * sum; ++n) {
    sum += term;
    term *= (a + 0.5 + n) / (1.5 + n) * y;
  }
  return 1 - density * sum;
}

/// The t for which a share `tails` of Student's t with v degrees of freedom is farther from 0: the two-sided quantile
/// at confidence 1 - tails. Relative error below 1e-12. 0 < tails < 1, v > 0. By Newton's method on the logarithm of
/// the tail, kept in a bracket.
inline double student_t_quantile(double tails, double v) {
  double low = 0, high = 1;
  while (student_t_tails(high, v) > tails && high < 1e300) {
    low = high;
    high *= 2;
  }
  const double scale = 2 * gamma_half_ratio(0.5 * v) / std::sqrt(3.14159265358979323846 * v);
  double t = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {
    const double tail = student_t_tails(t, v);
    (tail > tails ? low : high) = t;
    const double density = scale * std::exp(-0.5 * (v + 1) * std::log1p(t * t / v));  // both sides
    double next = t + tail / density * std::log(tail / tails);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - t);
    t = next;
    if (step <= 2 * std::numeric_limits<double>::epsilon() * t) break;
  }
  return t;
}

}  // namespace fidelity::detail
