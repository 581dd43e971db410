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
#include <fidelity/sampling/detail/change_empirical.hpp>
#include <fidelity/sampling/detail/change_moments.hpp>
#include <fidelity/sampling/detail/change_noise.hpp>
#include <fidelity/sampling/segment_costs.hpp>

// Costs prepared for one series: size() and operator()(begin, end) for any begin < end, in constant time.
namespace fidelity::detail {

class SquaresCost {
 public:
  SquaresCost(std::string_view function, std::span<const double> values, std::span<const double> weights)
      : moments_(function, values, weights) {}

  [[nodiscard]] std::size_t size() const { return moments_.size(); }
  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const { return moments_(begin, end).squares; }
  [[nodiscard]] const PrefixMoments& moments() const { return moments_; }

 private:
  PrefixMoments moments_;
};

class NormalCost {
 public:
  NormalCost(std::string_view function, std::span<const double> values, std::span<const double> weights,
             double min_spread)
      : moments_(function, values, weights), least_(min_spread * min_spread) {}

  [[nodiscard]] std::size_t size() const { return moments_.size(); }
  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const {
    const SegmentMoments s = moments_(begin, end);
    const double variance = std::max(s.squares / s.weight, least_);
    return s.weight * std::log(variance / least_) + s.squares / variance;
  }

 private:
  PrefixMoments moments_;
  double least_;  ///< variance
};

class LineCost {
 public:
  LineCost(std::string_view function, std::span<const double> values, std::span<const double> weights)
      : moments_(function, values, weights), sums_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const DoubleDouble x{static_cast<double>(i), 0}, y{moments_.value(i), 0};
      const DoubleDouble w{moments_.weight_of(i), 0}, wx = w * x;
      const Sums& s = sums_[i];
      sums_[i + 1] = {s.x + wx, s.y + w * y, s.xx + wx * x, s.xy + wx * y};
    }
  }

  [[nodiscard]] std::size_t size() const { return moments_.size(); }
  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const {
    if (end - begin < 3) return 0;
    const Sums &a = sums_[begin], &b = sums_[end];
    const DoubleDouble x = b.x - a.x, y = b.y - a.y, mean = x / moments_.weight(begin, end);
    const DoubleDouble xx = b.xx - a.xx - x * mean, xy = b.xy - a.xy - y * mean;
    const DoubleDouble whole = moments_.squares(begin, end), rest = whole - xy * xy / xx;
    return rest.high > rounding * whole.high ? rest.value() : 0;
  }

 private:
  /// A line whose values were rounded to doubles is a line: residuals of less than 1e-12 of the rise are none.
  static constexpr double rounding = 1e-24;

  struct Sums {
    DoubleDouble x, y, xx, xy;
  };
  PrefixMoments moments_;
  std::vector<Sums> sums_;
};

class PoissonCost {
 public:
  PoissonCost(std::string_view function, std::span<const double> values, std::span<const double> weights)
      : weight_(values.size() + 1), sum_(values.size() + 1), logs_(values.size() + 1) {
    const auto weight = [&](std::size_t i) { return DoubleDouble{weights.empty() ? 1.0 : weights[i], 0}; };
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < 0)
        fail(function, Rule::bad_parameter, "counts must be >= 0",
             {.collection = "values", .sample = i, .value = values[i]});
      weight_[i + 1] = weight_[i] + weight(i);
      sum_[i + 1] = sum_[i] + weight(i) * DoubleDouble{values[i], 0};
    }
    // About the rate of the whole series, so that the logarithms are small.
    if (sum_.back().high > 0) rate_ = (sum_.back() / weight_.back()).value();
    for (std::size_t i = 0; i < values.size(); ++i)
      logs_[i + 1] =
          logs_[i] + weight(i) * DoubleDouble{values[i] > 0 ? values[i] * std::log(values[i] / rate_) : 0.0, 0};
  }

  [[nodiscard]] std::size_t size() const { return sum_.size() - 1; }
  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const {
    const double sum = (sum_[end] - sum_[begin]).value();
    if (end - begin == 1 || sum <= 0) return 0;
    const double mean = sum / (weight_[end] - weight_[begin]).value();
    const double deviance = 2 * ((logs_[end] - logs_[begin]).value() - sum * std::log(mean / rate_));
    return deviance > 4e-15 * sum ? deviance : 0;  // equal counts cost nothing, in spite of rounding
  }

 private:
  double rate_ = 1;
  std::vector<DoubleDouble> weight_, sum_, logs_;
};

/// What NormalMeanVariance takes when it is not given: a tenth of the noise, but not less than the rounding of the
/// values makes alone. For a constant, which has no changes, any number.
inline double smallest_spread(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  double step = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (const double d = sorted[i] - sorted[i - 1]; d > 0 && (step == 0 || d < step)) step = d;
  if (step == 0) return 1;
  return std::max(values.size() < 3 ? 0 : noise_of(values) / 10, step / std::sqrt(12.0));
}

inline SquaresCost prepare(std::string_view function, const L2&, std::span<const double> values,
                           std::span<const double> weights) {
  return {function, values, weights};
}
inline LineCost prepare(std::string_view function, const LinearTrend&, std::span<const double> values,
                        std::span<const double> weights) {
  return {function, values, weights};
}
inline PoissonCost prepare(std::string_view function, const Poisson&, std::span<const double> values,
                           std::span<const double> weights) {
  return {function, values, weights};
}
inline EmpiricalCost prepare(std::string_view function, const EmpiricalDistribution&, std::span<const double> values,
                             std::span<const double> weights) {
  if (!weights.empty()) fail(function, Rule::bad_parameter, "the cost EmpiricalDistribution takes no weights");
  return {function, values};
}
inline NormalCost prepare(std::string_view function, const NormalMeanVariance& cost, std::span<const double> values,
                          std::span<const double> weights) {
  if (cost.min_spread && (!is_finite(*cost.min_spread) || *cost.min_spread <= 0))
    fail(function, Rule::bad_parameter, "min_spread must be finite and > 0", {.value = *cost.min_spread});
  return {function, values, weights, cost.min_spread.value_or(smallest_spread(values))};
}

}  // namespace fidelity::detail
