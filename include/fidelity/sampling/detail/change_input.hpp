// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/change_noise.hpp>
#include <fidelity/sampling/segment_costs.hpp>

namespace fidelity::detail {

inline void require_values(std::string_view function, std::span<const double> values) {
  if (values.empty()) fail(function, Rule::empty, "there are no values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const InputLocation where{.collection = "values", .sample = i, .value = values[i]};
    if (!is_finite(values[i])) fail(function, Rule::value_not_finite, "values must be finite", where);
    if (std::fabs(values[i]) > 1e100)
      throw Overflow(concat("fidelity::", function, ": the value ", values[i], " of sample ", i,
                            " is beyond 1e100; scale the values"));
  }
}

/// Empty, or one weight a sample, positive and not too small to be felt in a sum.
inline void require_weights(std::string_view function, std::span<const double> values,
                            std::span<const double> weights) {
  if (weights.empty()) return;
  if (weights.size() != values.size())
    fail(function, Rule::size_mismatch,
         concat("there are ", weights.size(), " weights for ", values.size(), " values"));
  double sum = 0;
  for (const double w : weights) sum += w;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const InputLocation where{.collection = "weights", .sample = i, .value = weights[i]};
    if (!is_finite(weights[i]) || weights[i] <= 0) fail(function, Rule::bad_weight, "a weight must be > 0", where);
    if (is_finite(sum) && weights[i] < 1e-12 * sum)
      fail(function, Rule::bad_weight, "a weight is less than 1e-12 of the sum of weights", where);
  }
  if (!is_finite(sum) || sum > 1e50 || sum < 1e-50)
    throw Overflow(concat("fidelity::", function, ": the sum of the weights, ", sum, ", is not within 1e-50 to 1e50"));
}

/// The number that a penalty stands for. A rule is for weights of mean 1 and is multiplied with their mean.
inline double penalty_for(std::string_view function, const Penalty& penalty, std::span<const double> values,
                          std::span<const double> weights) {
  if (!is_finite(penalty.factor()) || penalty.factor() < 0)
    fail(function, Rule::bad_parameter, "penalty must be finite and >= 0", {.value = penalty.factor()});
  if (penalty.kind() == Penalty::Kind::number) return penalty.factor();
  double number = penalty.factor() * std::log(static_cast<double>(values.size()));
  if (penalty.kind() == Penalty::Kind::noise) {
    const double noise = values.size() < 3 ? 0 : noise_of(values);
    number *= noise * noise;
  }
  if (!weights.empty()) {
    CompensatedSum sum;
    for (const double w : weights) sum.add(w);
    number *= sum.value() / static_cast<double>(weights.size());
  }
  if (!is_finite(number)) throw Overflow(concat("fidelity::", function, ": the penalty is not a finite number"));
  return number;
}

}  // namespace fidelity::detail
