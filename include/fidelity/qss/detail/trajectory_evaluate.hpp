// SPDX-License-Identifier: MIT
// The one way in which polynomials of events are evaluated: streaming, offline, alone or many at a time.
#pragma once

#include <cstddef>

namespace fidelity::detail {

/// sum of c[k] * e^k (Horner), computed in double.
template <class Scalar>
double horner(const Scalar* c, std::size_t order, double e) {
  double x = static_cast<double>(c[order]);
  for (std::size_t k = order; k-- > 0;) x = x * e + static_cast<double>(c[k]);
  return x;
}

/// (k + d)! / k!, the factor that the d-th derivative gives to coefficient k + d.
inline double falling(std::size_t k, std::size_t d) {
  double factor = 1;
  for (std::size_t j = 1; j <= d; ++j) factor *= static_cast<double>(k + j);
  return factor;
}

/// The d-th derivative of the same polynomial at e; 0 above the order.
template <class Scalar>
double horner_derivative(const Scalar* c, std::size_t order, std::size_t d, double e) {
  if (d == 0) return horner(c, order, e);
  if (d > order) return 0;
  double x = falling(order - d, d) * static_cast<double>(c[order]);
  for (std::size_t k = order - d; k-- > 0;) {
    const double factored = falling(k, d) * static_cast<double>(c[k + d]);
    x = x * e + factored;
  }
  return x;
}

}  // namespace fidelity::detail
