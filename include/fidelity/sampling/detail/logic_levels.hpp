// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/conditions.hpp>
#include <fidelity/sampling/truth.hpp>

namespace fidelity::detail {

/// The values of a signal divided by levels. m levels make 2 m + 1 regions, numbered from below: region 2 k + 1 is
/// level k itself, the even ones lie between levels.
class ConditionLevels {
 public:
  template <class Range>
  ConditionLevels(std::string_view function, const Range& levels) : sorted_(std::begin(levels), std::end(levels)) {
    for (const double level : sorted_)
      if (is_nan(level)) fail(function, Rule::bad_parameter, "a threshold must not be NaN");
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  }

  [[nodiscard]] std::span<const double> values() const { return sorted_; }
  [[nodiscard]] double operator[](std::size_t k) const { return sorted_[k]; }

  /// Region of a finite value.
  [[nodiscard]] std::size_t region(double y) const {
    if (sorted_.size() == 1)
      return static_cast<std::size_t>(y > sorted_[0]) + static_cast<std::size_t>(y >= sorted_[0]);
    const auto level = std::lower_bound(sorted_.begin(), sorted_.end(), y);
    const auto below = 2 * static_cast<std::size_t>(level - sorted_.begin());
    return level != sorted_.end() && *level == y ? below + 1 : below;
  }

  /// The verdict of a condition in each region.
  template <class Condition>
  [[nodiscard]] std::vector<Truth> verdicts(const Condition& condition) const {
    std::vector<Truth> verdicts(2 * sorted_.size() + 1, Truth::does_not_hold);
    for (std::size_t region = 0; region < verdicts.size(); ++region) {
      const double y = region % 2 == 1 ? sorted_[region / 2] : between(region / 2);
      // No value of a signal reaches an infinite level.
      if (is_finite(y) && static_cast<bool>(condition(y))) verdicts[region] = Truth::holds;
    }
    return verdicts;
  }

 private:
  /// Some finite value above level k - 1 and below level k, if there is one.
  [[nodiscard]] double between(std::size_t k) const {
    constexpr double largest = std::numeric_limits<double>::max();
    const bool bounded_below = k > 0 && is_finite(sorted_[k - 1]);
    const bool bounded_above = k < sorted_.size() && is_finite(sorted_[k]);
    if (bounded_below && bounded_above) return 0.5 * sorted_[k - 1] + 0.5 * sorted_[k];
    if (bounded_below) return std::min(largest, sorted_[k - 1] + std::max(1.0, std::abs(sorted_[k - 1])));
    if (bounded_above) return std::max(-largest, sorted_[k] - std::max(1.0, std::abs(sorted_[k])));
    return 0;
  }

  std::vector<double> sorted_;
};

inline void require_condition(std::string_view function, const Between& condition) {
  if (condition.low > condition.high)
    fail(function, Rule::bad_parameter, concat("Between needs low <= high; low is ", condition.low, ", high"),
         {.value = condition.high});
}
inline void require_condition(std::string_view function, const Equal& condition) {
  if (!is_finite(condition.tolerance) || condition.tolerance < 0)
    fail(function, Rule::bad_parameter, "the tolerance must be finite and not negative",
         {.value = condition.tolerance});
}
inline void require_condition(std::string_view function, const NotEqual& condition) {
  require_condition(function, Equal{condition.value, condition.tolerance});
}
inline void require_condition(std::string_view function, const Predicate& condition) {
  if (!condition.holds) fail(function, Rule::empty, "the predicate has no function", {.name = condition.name});
}
template <class Condition>
void require_condition(std::string_view, const Condition&) {}

}  // namespace fidelity::detail
