// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/detail/prepare_runs.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

/// Median over the runs of the mean time between two samples, in seconds. What a distance that prices deletions sees
/// is how many samples there are, so stamps that jitter about one rate count as that rate.
inline std::optional<double> usual_step(const std::vector<RunSummary>& runs) {
  std::vector<double> steps;
  for (const RunSummary& run : runs)
    if (run.samples > 1 && run.duration > 0) steps.push_back(run.duration / static_cast<double>(run.samples - 1));
  if (steps.empty()) return std::nullopt;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

/// A run on equal steps of about `step` seconds from its first to its last stamp; without what is missing there.
template <class S>
auto at_rate(const S& run, double step) {
  using Time = typename S::time_type;
  const double duration = seconds(run.span().length());
  const auto count = static_cast<std::size_t>(std::max(1.0, std::round(duration / step)));
  std::vector<Time> times;
  times.reserve(count + 1);
  for (std::size_t k = 0; k < count; ++k)
    times.push_back(
        offset<Time>("compare", run.time(0), duration * (static_cast<double>(k) / static_cast<double>(count))));
  times.push_back(run.span().end);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return without_bad(resample(run, std::span<const Time>(times))).series;
}

/// What a different number of samples alone costs: the order-p mean of the distances of every measured run from itself
/// at the rate of the simulated ones. By the triangle inequality, bringing the measured runs to that rate changes the
/// Wasserstein distance by no more.
template <class S, class M, class Origin>
std::optional<double> cost_of_rate(const Collection<S>& measured, double step, const M& metric, const Origin& origin,
                                   double order, std::optional<unsigned> threads) {
  using Run = Series<typename S::scalar_type, typename S::time_type>;
  if constexpr (!std::is_constructible_v<S, const Run&>) {
    return std::nullopt;
  } else {
    std::vector<Run> resampled;
    double cells = 0;
    for (std::size_t j = 0; j < measured.size(); ++j) {
      if (seconds(measured[j].span().length()) > 1e7 * step) return std::nullopt;
      resampled.push_back(at_rate(measured[j], step));
      cells += static_cast<double>(measured[j].size()) * static_cast<double>(resampled.back().size());
    }
    const std::vector<S> views(resampled.begin(), resampled.end());
    const Collection<S> copies = in_place_of(measured, views);
    const Prepared a(measured, metric, origin), b(copies, metric, origin);
    std::vector<double> distances(measured.size());
    parallel_for(distances.size(), thread_count(threads, cells > 4e6), [&](std::size_t j) {
      distances[j] = static_cast<double>(metric(a[j], b[j]));
      return true;
    });
    for (const double d : distances)
      if (!is_finite(d) || d < 0) return std::nullopt;
    const double largest = *std::max_element(distances.begin(), distances.end());
    if (largest == 0) return 0.0;
    double mean = 0;
    for (const double d : distances) mean += std::pow(d / largest, order) / static_cast<double>(distances.size());
    return largest * std::pow(mean, 1 / order);
  }
}

template <class S, class M, class Origin>
void measure_sampling(Comparison& comparison, const Collection<S>& measured, const M& metric, const Origin& origin,
                      const ComparisonOptions& options) {
  const auto simulated_step = usual_step(comparison.simulations), step = usual_step(comparison.measurements);
  if (!simulated_step || !step) return;
  comparison.sampling = {*simulated_step, *step};
  if (!rates_differ(*comparison.sampling)) return;
  if constexpr (Sampled<S>)
    comparison.sampling->cost = cost_of_rate(measured, *simulated_step, metric, origin, options.order, options.threads);
}

}  // namespace fidelity::detail
