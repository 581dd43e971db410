// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace fidelity::detail {

/// A sum that carries its own rounding errors (Neumaier, 1974) and those of its products. The products go through
/// std::fma so that no compiler can fuse them with the additions: the bits are the same on every platform.
class CompensatedSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    error_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  void add_product(double a, double b) {
    const double product = std::fma(a, b, 0.0);
    add(product);
    error_ += std::fma(a, b, -product);
  }
  [[nodiscard]] double value() const { return sum_ + error_; }

 private:
  double sum_ = 0, error_ = 0;
};

}  // namespace fidelity::detail
