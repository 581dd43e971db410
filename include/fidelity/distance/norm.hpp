// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fidelity/detail/require.hpp>

namespace fidelity {

/// The distance of two points of R^d: the p-norm of their difference, with the root. `Norm n = 2` is the Euclidean one,
/// `1` the sum of magnitudes, `Norm::maximum()` the largest magnitude. For one channel all are |x - y|.
/// Throws InputError unless p is a finite number >= 1.
class Norm {
 public:
  Norm(double p) : p_(p) {  // NOLINT: `.norm = 1` shall read so
    if (!detail::is_finite(p) || p < 1)
      detail::fail("Norm", Rule::bad_parameter, "p must be a finite number >= 1 (Norm::maximum() is the limit)",
                   {.value = p});
  }
  static Norm maximum() {
    Norm norm{1};
    norm.maximum_ = true;
    return norm;
  }

  [[nodiscard]] double p() const { return p_; }  ///< not meaningful for the maximum norm
  [[nodiscard]] bool is_maximum() const { return maximum_; }
  friend bool operator==(const Norm&, const Norm&) = default;

 private:
  double p_;
  bool maximum_ = false;
};

[[nodiscard]] inline std::string to_text(const Norm& norm) {
  return norm.is_maximum() ? "maximum" : detail::concat("L", norm.p());
}

}  // namespace fidelity
