// SPDX-License-Identifier: MIT
// Definition of the steady state detection that cognite.hpp declares.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/change_points.hpp>
#include <fidelity/sampling/cognite.hpp>
#include <fidelity/sampling/detail/cognite_samples.hpp>

namespace fidelity::detail {

inline void require_cognite_options(const CogniteSteadyState& options) {
  const auto bad = [](const char* sentence, double value) {
    fail("steady_state", Rule::bad_parameter, sentence, {.value = value});
  };
  if (options.min_section_size < 1) bad("min_section_size must be at least 1", 0);
  if (is_nan(options.var_threshold)) bad("var_threshold must be a number", options.var_threshold);
  if (is_nan(options.slope_threshold)) bad("slope_threshold must be a number", options.slope_threshold);
  if (options.ddof != 0 && options.ddof != 1) bad("ddof must be 0 or 1", options.ddof);
  require_granularity("steady_state", options.granularity);
}

struct CogniteStatistics {
  double mean;
  std::optional<double> var_stat, slope_per_ms;
};

/// Values and milliseconds of one segment.
inline CogniteStatistics cognite_statistics(std::span<const double> milliseconds, std::span<const double> values,
                                            double divisor, int ddof) {
  const auto count = static_cast<double>(values.size());
  CompensatedSum sum, sum_t, squares, tt, tx;
  for (const double x : values) sum.add(x);
  for (const double t : milliseconds) sum_t.add(t);
  const double mean = sum.value() / count, mean_t = sum_t.value() / count;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double dx = values[i] - mean, dt = milliseconds[i] - mean_t;
    squares.add_product(dx, dx);
    tt.add_product(dt, dt);
    tx.add_product(dt, dx);
  }
  CogniteStatistics statistics{mean, {}, {}};
  if (count > ddof) statistics.var_stat = 1e5 * (std::sqrt(squares.value() / (count - ddof)) / count) / divisor;
  if (count > 1) statistics.slope_per_ms = tx.value() / tt.value();
  return statistics;
}

/// The samples of a series that count, averaged if asked for.
template <class Scalar, TimePoint Time>
PlainSamples<Time> cognite_samples(const SeriesBase<Scalar, Time>& series, const CogniteSteadyState& options,
                                   Duration<Time> granularity, const CheckOptions<Time>& range) {
  const auto times = series.times();
  const auto up_to = [&](Time t) {
    return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  };
  std::size_t first = 0, end = range.as_of ? up_to(*range.as_of) : times.size();
  if (range.within) {
    first = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), range.within->begin) - times.begin());
    if (!options.bucket_means) end = std::min(end, up_to(range.within->end));
    // The first bucket looks back to the sample before it.
    if (options.bucket_means && first > 0)
      while (--first > 0 && times[first - 1] == times[first]) {
      }
  }
  PlainSamples<Time> samples = plain_samples(series, first, std::max(first, end));
  if (!options.bucket_means || samples.times.empty()) return samples;
  samples = bucket_means(samples, granularity);
  if (range.within) {
    const auto from = std::lower_bound(samples.times.begin(), samples.times.end(), range.within->begin);
    const auto to = std::upper_bound(from, samples.times.end(), range.within->end);
    const auto value = [&](auto place) { return samples.values.begin() + (place - samples.times.begin()); };
    samples = {{from, to}, {value(from), value(to)}, samples.interpolation};
  }
  return samples;
}

}  // namespace fidelity::detail

namespace fidelity {

template <class Scalar, TimePoint Time>
CogniteSteadyStateReport<Time> analyse_steady_state(const SeriesBase<Scalar, Time>& series,
                                                    const std::same_as<CogniteSteadyState> auto& options,
                                                    const std::type_identity_t<CheckOptions<Time>>& range) {
  detail::require_cognite_options(options);
  const Duration<Time> granularity = detail::granularity_in<Time>(options.granularity);
  auto scope = detail::scope_of_signal("steady_state", series, range);
  auto samples = detail::cognite_samples(series, options, granularity, range);
  CogniteSteadyStateReport<Time> report{{}, {}, {}, {}, {}, options.min_section_size};
  if (samples.times.empty()) {
    report.status = detail::StatusBuilder<Time>(scope.range).finish();
    return report;
  }
  auto grid = detail::on_grid("steady_state", samples, granularity, samples.times.front(), samples.times.back());
  if (!range.within) scope.range.begin = grid.times.front();  // the first bucket may begin before the first sample

  const std::size_t n = grid.values.size();
  std::vector<double> flags(n, 0.0);
  report.min_section_size = std::max<std::size_t>(1, std::min(options.min_section_size, n / 2));
  detail::StatusBuilder<Time> status(scope.range);
  if (std::all_of(grid.values.begin(), grid.values.end(), [](double x) { return detail::is_finite(x); })) {
    detail::CompensatedSum sum;
    std::vector<double> milliseconds;
    for (std::size_t i = 0; i < n; ++i) {
      sum.add(grid.values[i]);
      milliseconds.push_back(1000 * seconds(grid.times[i] - grid.times[0]));
    }
    report.mean = sum.value() / static_cast<double>(n);
    report.divisor = std::clamp(*report.mean, 1e-4, 1e6);
    const double slope_limit = std::pow(10.0, options.slope_threshold);
    const ChangePoints found =
        change_points(grid.values, EmpiricalDistribution{}, {.min_section_size = report.min_section_size});
    for (const LevelSegment& part : found.segments) {
      const auto [mean, var_stat, slope] = detail::cognite_statistics(
          std::span(milliseconds).subspan(part.begin, part.length()),
          std::span(grid.values).subspan(part.begin, part.length()), *report.divisor, options.ddof);
      const bool steady =
          var_stat && slope && std::abs(*var_stat) < options.var_threshold && std::abs(*slope) < slope_limit;
      const Window<Time> window{grid.times[part.begin], part.end < n ? grid.times[part.end] : grid.times.back()};
      report.segments.push_back({part.begin, part.end, window, mean, var_stat, slope, steady});
      status.put(window.begin, window.end, steady ? Truth::holds : Truth::does_not_hold);
      std::fill(flags.begin() + static_cast<std::ptrdiff_t>(part.begin),
                flags.begin() + static_cast<std::ptrdiff_t>(part.end), steady ? 1.0 : 0.0);
    }
  } else {
    status.put(grid.times.front(), grid.times.back(), Truth::does_not_hold);
  }
  report.status = status.finish();
  grid.values = std::move(flags);
  report.binary = detail::plain_series(std::move(grid));
  return report;
}

}  // namespace fidelity
