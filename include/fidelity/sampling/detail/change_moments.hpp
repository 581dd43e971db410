// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/change_double_double.hpp>

namespace fidelity::detail {

/// Weight, mean and sum of squared deviations of a segment.
struct SegmentMoments {
  double weight, mean, squares;
};

/// Prefix sums of weights, values and squares: the moments of any segment in constant time.
class PrefixMoments {
 public:
  /// Values are finite and not beyond 1e100; weights is empty (all 1) or has the same size. Throws Overflow where
  /// squares would vanish.
  PrefixMoments(std::string_view function, std::span<const double> values, std::span<const double> weights)
      : values_(values.begin(), values.end()),
        weights_(weights),
        weight_(weights.empty() ? 0 : values.size() + 1),
        sum_(values.size() + 1),
        squares_(values.size() + 1) {
    const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
    require_squarable(function, *low, *high);
    const double centre = offset(*low, *high);
    for (double& y : values_) y -= centre;
    lowest_ = *low;
    highest_ = *high;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const DoubleDouble y{values_[i], 0}, w{weight_of(i), 0};
      if (!weights.empty()) weight_[i + 1] = weight_[i] + w;
      sum_[i + 1] = sum_[i] + w * y;
      squares_[i + 1] = squares_[i] + w * (y * y);
    }
  }

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] double value(std::size_t i) const { return values_[i]; }  ///< less the offset
  [[nodiscard]] double lowest() const { return lowest_; }
  [[nodiscard]] double highest() const { return highest_; }
  [[nodiscard]] double weight_of(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }

  [[nodiscard]] DoubleDouble weight(std::size_t begin, std::size_t end) const {
    return weights_.empty() ? DoubleDouble{static_cast<double>(end - begin), 0} : weight_[end] - weight_[begin];
  }
  /// Of the samples begin <= i < end, begin < end. The mean is less the offset.
  [[nodiscard]] SegmentMoments operator()(std::size_t begin, std::size_t end) const {
    if (end - begin == 1) return {weight_of(begin), values_[begin], 0};
    const DoubleDouble w = weight(begin, end);
    return {w.value(), ((sum_[end] - sum_[begin]) / w).value(), squares(begin, end).value()};
  }
  /// The sum of squared deviations alone, with all its digits; exactly 0 for equal values.
  [[nodiscard]] DoubleDouble squares(std::size_t begin, std::size_t end) const {
    const DoubleDouble s = sum_[end] - sum_[begin], whole = squares_[end] - squares_[begin];
    const DoubleDouble rest = whole - s * s / weight(begin, end);
    return rest.high > 1e-28 * whole.high ? rest : DoubleDouble{};
  }

 private:
  static void require_squarable(std::string_view function, double low, double high) {
    if (low < high && high - low < 1e-100)
      throw Overflow(concat("fidelity::", function, ": the squares of values between ", low, " and ", high,
                            " leave the range of the number type; scale the values"));
  }

  /// What can be taken away from all values without rounding (Sterbenz), so that it costs no digit of any.
  static double offset(double low, double high) {
    return (low > 0 && high <= 2 * low) || (high < 0 && low >= 2 * high) ? low : 0;
  }

  std::vector<double> values_;
  std::span<const double> weights_;
  double lowest_ = 0, highest_ = 0;
  std::vector<DoubleDouble> weight_, sum_, squares_;
};

}  // namespace fidelity::detail
