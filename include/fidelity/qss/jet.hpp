// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace fidelity {

/// A function of time near one instant, as its first `Size` Taylor coefficients: x(t + e) = c[0] + c[1] e + c[2] e^2 +
/// ..., c[k] = (k-th derivative) / k!. Arithmetic and functions of jets give the coefficients of the result exactly (up
/// to rounding, no difference quotients), so that one formula written for numbers also yields its derivatives.
///
///   const Jet<3> q{1, 2, 0.5};       // 1 + 2 e + 0.5 e^2
///   const Jet<3> f = -q * exp(q);    // found without a namespace, as for numbers of a class
///
/// A number converts to a constant jet. Recurrences: Griewank, Walther, Evaluating Derivatives (2008), chapter 13.
/// O(Size^2) for a product, quotient or function. Where a function has no derivative (sqrt at 0, say) coefficients are
/// NaN or infinite; simulate() makes an error of that.
template <std::size_t Size>
  requires(Size > 0)
struct Jet {
  std::array<double, Size> c{};

  constexpr Jet() = default;
  template <class Number>
    requires(std::integral<Number> || std::floating_point<Number>)
  constexpr Jet(Number constant) : c{static_cast<double>(constant)} {}  // NOLINT: converts on purpose
  /// Taylor coefficients, value first; missing ones are 0, more than Size are left out.
  constexpr Jet(std::initializer_list<double> coefficients) {
    std::size_t k = 0;
    for (const double coefficient : coefficients)
      if (k < Size) c[k++] = coefficient;
  }

  [[nodiscard]] constexpr double value() const { return c[0]; }
  [[nodiscard]] constexpr double operator[](std::size_t k) const { return c[k]; }

  constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
  constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
  constexpr Jet& operator*=(const Jet& b) { return *this = *this * b; }
  constexpr Jet& operator/=(const Jet& b) { return *this = *this / b; }

  friend constexpr Jet operator+(const Jet& a) { return a; }
  friend constexpr Jet operator-(const Jet& a) {
    return each([&](std::size_t k) { return -a.c[k]; });
  }
  friend constexpr Jet operator+(const Jet& a, const Jet& b) {
    return each([&](std::size_t k) { return a.c[k] + b.c[k]; });
  }
  friend constexpr Jet operator-(const Jet& a, const Jet& b) {
    return each([&](std::size_t k) { return a.c[k] - b.c[k]; });
  }
  friend constexpr Jet operator*(const Jet& a, const Jet& b) {
    Jet p;
    for (std::size_t k = 0; k < Size; ++k)
      for (std::size_t j = 0; j <= k; ++j) p.c[k] += a.c[j] * b.c[k - j];
    return p;
  }
  friend constexpr Jet operator/(const Jet& a, const Jet& b) {
    Jet d;
    for (std::size_t k = 0; k < Size; ++k) {
      double rest = a.c[k];
      for (std::size_t j = 0; j < k; ++j) rest -= d.c[j] * b.c[k - j];
      d.c[k] = rest / b.c[0];
    }
    return d;
  }
  // A number has one coefficient: its products need no sums.
  friend constexpr Jet operator*(const Jet& a, double b) {
    return each([&](std::size_t k) { return a.c[k] * b; });
  }
  friend constexpr Jet operator*(double a, const Jet& b) { return b * a; }
  friend constexpr Jet operator/(const Jet& a, double b) {
    return each([&](std::size_t k) { return a.c[k] / b; });
  }

  /// Order just after the instant: by value, and at equal values by the first derivative that differs.
  friend constexpr std::partial_ordering operator<=>(const Jet& a, const Jet& b) {
    for (std::size_t k = 0; k < Size; ++k)
      if (const auto order = a.c[k] <=> b.c[k]; order != 0) return order;
    return std::partial_ordering::equivalent;
  }
  friend constexpr bool operator==(const Jet& a, const Jet& b) { return a.c == b.c; }

  /// The jet whose coefficient k is f(k). Written without a loop, which g++ -O2 would keep.
  template <class F>
  [[nodiscard]] static constexpr Jet each(F f) {
    Jet jet;
    [&]<std::size_t... k>(std::index_sequence<k...>) { ((jet.c[k] = f(k)), ...); }
    (std::make_index_sequence<Size>{});
    return jet;
  }
};

namespace detail {
/// The jet r with value r0 and slope r' = a' d, where d may read the coefficients of r that are already known.
template <std::size_t Size, class Factor>
Jet<Size> integrated(const Jet<Size>& a, double r0, Factor factor) {
  Jet<Size> r{r0};
  for (std::size_t k = 1; k < Size; ++k) {
    double sum = 0;
    for (std::size_t j = 1; j <= k; ++j) sum += static_cast<double>(j) * a.c[j] * factor(r, k - j);
    r.c[k] = sum / static_cast<double>(k);
  }
  return r;
}
/// The function with value r0 and derivative `slope` (a jet that does not read the result).
template <std::size_t Size>
Jet<Size> integrated(const Jet<Size>& a, double r0, const Jet<Size>& slope) {
  return integrated(a, r0, [&](const Jet<Size>&, std::size_t k) { return slope.c[k]; });
}

/// u and v with u' = v a', v' = sign u a': sine and cosine (-1), or the hyperbolic ones (+1).
template <std::size_t Size>
std::pair<Jet<Size>, Jet<Size>> coupled(const Jet<Size>& a, double u0, double v0, double sign) {
  Jet<Size> u{u0}, v{v0};
  for (std::size_t k = 1; k < Size; ++k) {
    double du = 0, dv = 0;
    for (std::size_t j = 1; j <= k; ++j) {
      const double slope = static_cast<double>(j) * a.c[j];
      du += slope * v.c[k - j];
      dv += slope * u.c[k - j];
    }
    u.c[k] = du / static_cast<double>(k);
    v.c[k] = sign * dv / static_cast<double>(k);
  }
  return {u, v};
}
}  // namespace detail

template <std::size_t Size>
[[nodiscard]] Jet<Size> exp(const Jet<Size>& a) {
  return detail::integrated(a, std::exp(a.c[0]), [](const Jet<Size>& r, std::size_t k) { return r.c[k]; });
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> log(const Jet<Size>& a) {
  return detail::integrated(a, std::log(a.c[0]), 1.0 / a);
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> sqrt(const Jet<Size>& a) {
  Jet<Size> r{std::sqrt(a.c[0])};
  for (std::size_t k = 1; k < Size; ++k) {
    double rest = a.c[k];
    for (std::size_t j = 1; j < k; ++j) rest -= r.c[j] * r.c[k - j];
    r.c[k] = rest / (2 * r.c[0]);
  }
  return r;
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> sin(const Jet<Size>& a) {
  return detail::coupled(a, std::sin(a.c[0]), std::cos(a.c[0]), -1).first;
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> cos(const Jet<Size>& a) {
  return detail::coupled(a, std::sin(a.c[0]), std::cos(a.c[0]), -1).second;
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> tan(const Jet<Size>& a) {
  const auto [sine, cosine] = detail::coupled(a, std::sin(a.c[0]), std::cos(a.c[0]), -1);
  return sine / cosine;
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> sinh(const Jet<Size>& a) {
  return detail::coupled(a, std::sinh(a.c[0]), std::cosh(a.c[0]), 1).first;
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> cosh(const Jet<Size>& a) {
  return detail::coupled(a, std::sinh(a.c[0]), std::cosh(a.c[0]), 1).second;
}
/// From its differential equation r' = (1 - r^2) a', which holds for large arguments too.
template <std::size_t Size>
[[nodiscard]] Jet<Size> tanh(const Jet<Size>& a) {
  return detail::integrated(a, std::tanh(a.c[0]), [](const Jet<Size>& r, std::size_t k) {
    double factor = k == 0 ? 1 : 0;
    for (std::size_t j = 0; j <= k; ++j) factor -= r.c[j] * r.c[k - j];
    return factor;
  });
}
template <std::size_t Size>
[[nodiscard]] Jet<Size> atan(const Jet<Size>& a) {
  return detail::integrated(a, std::atan(a.c[0]), 1.0 / (1.0 + a * a));
}

/// a to a constant power. Whole powers from 0 to 64 are products, so that the base may be zero or negative.
template <std::size_t Size>
[[nodiscard]] Jet<Size> pow(const Jet<Size>& a, double exponent) {
  if (exponent >= 0 && exponent <= 64 && exponent == std::floor(exponent)) {
    Jet<Size> r{1.0}, square = a;
    for (auto rest = static_cast<unsigned>(exponent); rest > 0; rest /= 2, square *= square)
      if (rest % 2 == 1) r *= square;
    return r;
  }
  // a r' = exponent r a'
  Jet<Size> r{std::pow(a.c[0], exponent)};
  for (std::size_t k = 1; k < Size; ++k) {
    double sum = 0;
    for (std::size_t j = 1; j <= k; ++j)
      sum += (exponent * static_cast<double>(j) - static_cast<double>(k - j)) * a.c[j] * r.c[k - j];
    r.c[k] = sum / (static_cast<double>(k) * a.c[0]);
  }
  return r;
}
/// a to the power b, for a > 0.
template <std::size_t Size>
[[nodiscard]] Jet<Size> pow(const Jet<Size>& a, const Jet<Size>& b) {
  return exp(b * log(a));
}

/// Absolute value, smaller and larger one: the branch that holds just after the instant.
template <std::size_t Size>
[[nodiscard]] constexpr Jet<Size> abs(const Jet<Size>& a) {
  return a < Jet<Size>{} ? -a : a;
}
template <std::size_t Size>
[[nodiscard]] constexpr Jet<Size> min(const Jet<Size>& a, const std::type_identity_t<Jet<Size>>& b) {
  return b < a ? b : a;
}
template <std::size_t Size>
[[nodiscard]] constexpr Jet<Size> max(const Jet<Size>& a, const std::type_identity_t<Jet<Size>>& b) {
  return a < b ? b : a;
}

}  // namespace fidelity
