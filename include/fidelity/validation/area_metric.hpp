// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/masses.hpp>
#include <fidelity/transport/detail/sorted_samples.hpp>

namespace fidelity {

/// Weights of area_metric(). Only their shares matter: each side is divided by its own sum.
struct AreaMetricOptions {
  std::vector<double> simulated_weights = {};  ///< one per simulated sample; empty: equal
  std::vector<double> measured_weights = {};   ///< one per measured sample; empty: equal
};

/// What lies between the distribution functions of two sets of scalar samples.
struct AreaMetric {
  double area = 0;    ///< area validation metric, low + high, in the unit of the samples; the Wasserstein distance W_1
  double low = 0;     ///< part of it where the simulation is low: its distribution function is above the measured one
  double high = 0;    ///< part of it where the simulation is high; high - low = mean(simulated) - mean(measured)
  double cramer = 0;  ///< integral of the squared difference of the distribution functions (Cramer, 1928), same unit

  /// Root of 2 * cramer: the energy distance (Szekely and Rizzo) in the convention of SciPy.
  [[nodiscard]] double energy() const { return std::sqrt(2 * cramer); }
};

namespace detail {

/// Both sides sorted, with equal totals.
struct SamplePair {
  SortedSamples simulated, measured;
  double total;
};

inline SamplePair sample_pair(const char* function, std::span<const double> simulated, std::span<const double> measured,
                              const AreaMetricOptions& options) {
  check_samples(function, "simulated", simulated);
  check_samples(function, "measured", measured);
  const Masses masses =
      balance(function, simulated.size(), measured.size(), options.simulated_weights, options.measured_weights, true);
  SamplePair pair{sort_samples(simulated, masses.supply, false), sort_samples(measured, masses.demand, false),
                  static_cast<double>(masses.total)};
  const double lowest = std::min(pair.simulated.values.front(), pair.measured.values.front());
  const double highest = std::max(pair.simulated.values.back(), pair.measured.values.back());
  if (!is_finite(highest - lowest))
    throw Overflow(concat("fidelity::", function, ": the samples are farther apart than the largest double"));
  return pair;
}

}  // namespace detail

/// The area validation metric (Ferson, Oberkampf and Ginzburg, 2008): the area between the empirical distribution
/// functions of simulated and measured values of one quantity, for example of one feature of each run. 0 only if both
/// are equal. Split by side, it says whether the simulation is low or high. O((n + m) log(n + m)).
///
/// Throws InputError (empty, value_not_finite, size_mismatch, bad_weight, zero_weights), Overflow if samples are
/// farther apart than the largest double.
[[nodiscard]] inline AreaMetric area_metric(std::span<const double> simulated, std::span<const double> measured,
                                            const AreaMetricOptions& options = {}) {
  const auto [x, y, total] = detail::sample_pair("area_metric", simulated, measured, options);
  detail::CompensatedSum low, high, squares;
  std::size_t k = 0, l = 0;
  std::int64_t ahead = 0;  // total * (F_simulated - F_measured), exact
  double at = std::min(x.values.front(), y.values.front());
  while (k < x.size() || l < y.size()) {
    const bool take_x = l == y.size() || (k < x.size() && x.values[k] <= y.values[l]);
    const double next = take_x ? x.values[k] : y.values[l];
    // The shares are rounded once; the width is that of neighbours, so an offset common to all samples costs nothing.
    const double width = next - at, share = static_cast<double>(ahead) / total;
    if (ahead > 0) low.add_product(share, width);
    if (ahead < 0) high.add_product(-share, width);
    squares.add_product(share * share, width);
    ahead += take_x ? x.units[k++] : -y.units[l++];
    at = next;
  }
  return {.area = low.value() + high.value(), .low = low.value(), .high = high.value(), .cramer = squares.value()};
}

/// What mavm_interval() has to be told.
struct MavmOptions {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  /// N, at least 1: the number of experiments behind the measured distribution. There is no default, because
  /// implementations differ: one public code puts the number of steps of the simulated distribution function here.
  detail::Required experiments;
};

/// Error of the model on both sides, in the unit of the samples.
struct MavmInterval {
  double least = 0;
  double most = 0;
  double safety_factor = 0;  ///< F_s, 4 for one experiment, towards 1.25 for many
};

/// The modified area validation metric (Voyles and Roy, 2015): the interval [|t1 - t2|, |t1 + t2|] with
/// t1 = (high - low) / 2, t2 = F_s (high + low) / 2 and the safety factor F_s = 1.25 + 1.2 (4 - 1.25) / N^(1/3).
/// `mavm_interval(metric, {.experiments = 12})`. Throws InputError (bad_parameter) if N is not a number >= 1.
[[nodiscard]] inline MavmInterval mavm_interval(const AreaMetric& metric, const MavmOptions& options) {
  constexpr double one = 4, many = 1.25;
  const double n = options.experiments;
  if (!detail::is_finite(n) || n < 1)
    detail::fail("mavm_interval", Rule::bad_parameter, "the number of experiments must be at least 1", {.value = n});
  const double factor = many + 1.2 * (one - many) / std::cbrt(n);
  const double t1 = (metric.high - metric.low) / 2, t2 = factor * (metric.high + metric.low) / 2;
  return {.least = std::fabs(t1 - t2), .most = std::fabs(t1 + t2), .safety_factor = factor};
}

/// Where a squared Wasserstein distance of order 2 between scalar samples comes from: W_2^2 = location + spread +
/// shape.
struct ScalarSplit {
  double squared = 0;   ///< W_2^2, in the squared unit of the samples
  double location = 0;  ///< (difference of the means)^2
  double spread = 0;    ///< (difference of the standard deviations, with divisor n)^2
  double shape = 0;     ///< what is left, >= 0: different forms of the distributions
};

/// Splits W_2^2 of two sets of scalar samples (Irpino and Romano, 2007). Throws as area_metric(); Overflow also where
/// squares leave the range of double.
[[nodiscard]] inline ScalarSplit split_distance(std::span<const double> simulated, std::span<const double> measured,
                                                const AreaMetricOptions& options = {}) {
  const auto pair = detail::sample_pair("split_distance", simulated, measured, options);
  const double total = pair.total;
  // All from values about a common origin, so that an offset costs no digits.
  const double origin = pair.measured.values.front();
  const auto moments = [&](const detail::SortedSamples& side) {
    detail::CompensatedSum sum, squares;
    for (std::size_t k = 0; k < side.size(); ++k)
      sum.add_product(static_cast<double>(side.units[k]) / total, side.values[k] - origin);
    const double mean = sum.value();
    for (std::size_t k = 0; k < side.size(); ++k) {
      const double from_mean = side.values[k] - origin - mean;
      squares.add_product(static_cast<double>(side.units[k]) / total, from_mean * from_mean);
    }
    return std::pair{mean, std::sqrt(squares.value())};
  };
  const auto here = moments(pair.simulated), there = moments(pair.measured);
  detail::CompensatedSum centred;
  detail::couple_in_order(pair.simulated, pair.measured, [&](std::size_t k, std::size_t l, std::int64_t units) {
    const double apart =
        (pair.simulated.values[k] - origin - here.first) - (pair.measured.values[l] - origin - there.first);
    centred.add_product(static_cast<double>(units) / total, apart * apart);
  });
  const double location = (here.first - there.first) * (here.first - there.first);
  const double spread = (here.second - there.second) * (here.second - there.second);
  const ScalarSplit split{.squared = location + centred.value(),
                          .location = location,
                          .spread = spread,
                          .shape = std::max(0.0, centred.value() - spread)};
  if (!detail::is_finite(split.squared))
    throw Overflow("fidelity::split_distance: the squared distance is outside the range of double");
  return split;
}

/// One number of each run, compared: a feature such as rise time, overshoot or peak.
struct FeatureComparison {
  std::vector<double> simulated = {}, measured = {};  ///< the feature of each run
  AreaMetric area = {};
  ScalarSplit split = {};
};

/// Takes a feature, any callable run -> number, of every run of both ensembles and compares the two sets of numbers.
/// A feature that is NaN or infinite is an InputError (value_not_finite) that says at which run.
template <class Simulated, class Measured, class Feature>
[[nodiscard]] FeatureComparison compare_feature(const Simulated& simulated, const Measured& measured, Feature&& feature,
                                                const AreaMetricOptions& options = {}) {
  FeatureComparison result;
  for (const auto& run : simulated) result.simulated.push_back(static_cast<double>(feature(run)));
  for (const auto& run : measured) result.measured.push_back(static_cast<double>(feature(run)));
  result.area = area_metric(result.simulated, result.measured, options);
  result.split = split_distance(result.simulated, result.measured, options);
  return result;
}

}  // namespace fidelity
