// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/qss/jet.hpp>
#include "catch.hpp"

using fidelity::Jet;

namespace {
constexpr double x = 0.7;
const Jet<5> t{x, 1};

/// Derivatives, turned into Taylor coefficients here.
void check_derivatives(const Jet<5>& jet, const std::vector<double>& derivatives) {
  double factorial = 1;
  for (std::size_t k = 0; k < 5; ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    INFO("derivative " << k);
    CHECK(jet[k] * factorial == Approx(derivatives[k]).epsilon(1e-13).margin(1e-13));
  }
}
}  // namespace

TEST_CASE("jets of elementary functions have the derivatives of their closed forms") {
  const double e = std::exp(x), s = std::sin(x), c = std::cos(x), l = std::log(x), r = std::sqrt(x);
  check_derivatives(exp(t), {e, e, e, e, e});
  check_derivatives(exp(-2.0 * t), {1 / (e * e), -2 / (e * e), 4 / (e * e), -8 / (e * e), 16 / (e * e)});
  check_derivatives(sin(t), {s, c, -s, -c, s});
  check_derivatives(cos(t), {c, -s, -c, s, c});
  check_derivatives(log(t), {l, 1 / x, -1 / (x * x), 2 / (x * x * x), -6 / (x * x * x * x)});
  check_derivatives(sqrt(t), {r, 0.5 / r, -0.25 / (x * r), 0.375 / (x * x * r), -0.9375 / (x * x * x * r)});
  check_derivatives(pow(t, 2.5), {x * x * r, 2.5 * x * r, 3.75 * r, 1.875 / r, -0.9375 / (x * r)});
  check_derivatives(pow(t, 3), {x * x * x, 3 * x * x, 6 * x, 6, 0});
  const double u = std::tanh(x), d = 1 - u * u;
  check_derivatives(tanh(t), {u, d, -2 * u * d, (6 * u * u - 2) * d, (16 * u - 24 * u * u * u) * d});
  const double w = 1 + x * x;
  check_derivatives(atan(t), {std::atan(x), 1 / w, -2 * x / (w * w), (6 * x * x - 2) / (w * w * w),
                              24 * x * (1 - x * x) / (w * w * w * w)});
  const double h = std::tan(x), g = 1 + h * h;
  check_derivatives(tan(t), {h, g, 2 * h * g, g * (2 + 6 * h * h), g * (16 * h + 24 * h * h * h)});
  check_derivatives(sinh(t), {std::sinh(x), std::cosh(x), std::sinh(x), std::cosh(x), std::sinh(x)});
  check_derivatives(cosh(t), {std::cosh(x), std::sinh(x), std::cosh(x), std::sinh(x), std::cosh(x)});
}

TEST_CASE("products and quotients and compositions follow the rules of calculus") {
  const double s = std::sin(x), c = std::cos(x), e = std::exp(x);
  check_derivatives(exp(t) * sin(t), {e * s, e * (s + c), 2 * e * c, 2 * e * (c - s), -4 * e * s});
  check_derivatives(1.0 / t, {1 / x, -1 / (x * x), 2 / (x * x * x), -6 / std::pow(x, 4), 24 / std::pow(x, 5)});
  check_derivatives((2.0 * t + 3) / (t - 1), {(2 * x + 3) / (x - 1), -5 / std::pow(x - 1, 2), 10 / std::pow(x - 1, 3),
                                              -30 / std::pow(x - 1, 4), 120 / std::pow(x - 1, 5)});
  // One and the same function by two ways.
  const Jet<5> q{1.3, -0.4, 0.7, 0.2, -0.9};
  const auto same = [](const Jet<5>& a, const Jet<5>& b) {
    for (std::size_t k = 0; k < 5; ++k) CHECK(a[k] == Approx(b[k]).epsilon(1e-13).margin(1e-13));
  };
  same(exp(log(q)), q);
  same(sqrt(q) * sqrt(q), q);
  same(q / q, 1);
  same(sin(q) * sin(q) + cos(q) * cos(q), 1);
  same(cosh(q) * cosh(q) - sinh(q) * sinh(q), 1);
  same(tan(atan(q)), q);
  same(pow(q, q), exp(q * log(q)));
  same(pow(q, -2), 1 / (q * q));
  same(tanh(q), sinh(q) / cosh(q));
  same(q - 2 * q + q / 2 + q * 0.5, 0);
}

TEST_CASE("whole powers of a base that is zero or negative are products") {
  check_derivatives(pow(Jet<5>{0, 1}, 2), {0, 0, 2, 0, 0});
  check_derivatives(pow(Jet<5>{-2, 1}, 3), {-8, 12, -12, 6, 0});
  check_derivatives(pow(t, 0), {1, 0, 0, 0, 0});
}

TEST_CASE("comparisons decide by the value just after the instant") {
  const Jet<3> rising{0, 1}, falling{0, -1}, bent{0, 0, -1};
  CHECK(rising > 0);
  CHECK(falling < 0);
  CHECK(bent < 0);
  CHECK(Jet<3>{} == 0);
  CHECK(abs(falling) == rising);
  CHECK(abs(rising) == rising);
  CHECK(min(rising, falling) == falling);
  CHECK(max(rising, 0) == rising);
  CHECK(max(falling, 0) == 0);
}

TEST_CASE("a jet of a number of coefficients takes what it has room for") {
  CHECK(Jet<2>{1, 2, 3} == Jet<2>{1, 2});
  CHECK(Jet<3>(7) == Jet<3>{7, 0, 0});
  CHECK(Jet<1>{2.5}.value() == 2.5);
}
