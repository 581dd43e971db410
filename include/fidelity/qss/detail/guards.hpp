// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/qss/detail/earliest.hpp>
#include <fidelity/qss/detail/first_exit.hpp>
#include <fidelity/qss/jet.hpp>

namespace fidelity::detail {

/// The smallest s > 0 at which a polynomial goes from above zero to below, or never.
template <std::size_t Size>
double first_fall(const Jet<Size>& g) {
  if constexpr (Size == 1) return never;
  if constexpr (Size == 2) return g.c[1] < 0 && g.c[0] > 0 ? -g.c[0] / g.c[1] : never;
  if constexpr (Size == 3) {
    const double a = g.c[2], b = g.c[1], c = g.c[0];
    if (a == 0) return first_fall(Jet<2>{c, b});
    const double discriminant = b * b - 4 * a * c;
    if (!(discriminant > 0)) return never;
    // Its slope there is -sqrt(discriminant), so that the falling root is (-b - sqrt) / (2 a) = 2 c / (-b + sqrt).
    const double root = std::sqrt(discriminant);
    const double s = b > 0 ? -(b + root) / (2 * a) : 2 * c / (root - b);
    return s > 0 ? s : never;
  }
}

/// When each guard fires: when it falls through zero, by its polynomial or because it has jumped.
class Guards {
 public:
  explicit Guards(std::size_t count) : above_(count), next_(count == 0 ? 1 : count) {}

  /// Is g above zero and stays so for a time that can be told from none?
  template <std::size_t Size>
  static bool holds(double t, const Jet<Size>& g) {
    return g.c[0] > 0 && t + first_fall(g) > t;
  }
  /// Guard k has the polynomial g from t on.
  template <std::size_t Size>
  void update(std::size_t k, double t, const Jet<Size>& g) {
    if (holds(t, g)) above_[k] = true;
    const double fall = t + first_fall(g);
    next_.set(k, above_[k] && !holds(t, g) ? t : fall > t ? fall : never);
  }
  /// Guard k has fired: it must rise above zero before it does again.
  void fired(std::size_t k) { above_[k] = false; }
  [[nodiscard]] Earliest::Entry first() const { return next_.first(); }

 private:
  std::vector<bool> above_;
  Earliest next_;
};

}  // namespace fidelity::detail
