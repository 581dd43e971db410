// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity::detail {

/// Samples as the reference sees them: one a stamp.
template <TimePoint Time>
struct PlainSamples {
  std::vector<Time> times;
  std::vector<double> values;
  Interpolation interpolation;
};

/// Samples first <= i < end; of two at one time the first.
template <class Scalar, TimePoint Time>
PlainSamples<Time> plain_samples(const SeriesBase<Scalar, Time>& series, std::size_t first, std::size_t end) {
  (void)series.segment_count();  // throws for several channels
  PlainSamples<Time> plain{{}, {}, series.interpolation()};
  for (std::size_t i = first; i < end; ++i) {
    if (!plain.times.empty() && plain.times.back() == series.time(i)) continue;
    plain.times.push_back(series.time(i));
    plain.values.push_back(static_cast<double>(series(i)));
  }
  return plain;
}
template <class Scalar, TimePoint Time>
PlainSamples<Time> plain_samples(const SeriesBase<Scalar, Time>& series) {
  return plain_samples(series, 0, series.size());
}

template <TimePoint Time>
Series<double, Time> plain_series(PlainSamples<Time> samples) {
  return {std::move(samples.times), std::move(samples.values), {.interpolation = samples.interpolation}};
}

template <class D>
void require_granularity(std::string_view function, D granularity) {
  if (!(granularity > D{}) || !is_finite_duration(granularity))
    fail(function, Rule::bad_parameter, "the granularity must be positive and finite", {.value = seconds(granularity)});
}

template <TimePoint Time>
PlainSamples<Time> on_grid(std::string_view function, const PlainSamples<Time>& samples, Duration<Time> granularity,
                           Time start, Time end) {
  require_granularity(function, granularity);
  const auto refuse = [&](std::string_view what, Time t, std::string_view limit, Time bound) {
    fail(function, Rule::window_outside, concat(what, to_text(t), limit, to_text(bound)));
  };
  if (start < samples.times.front())
    refuse("the grid starts at ", start, ", before the first sample at ", samples.times.front());
  if (end < start) refuse("the grid ends at ", end, ", before its start at ", start);
  if (samples.interpolation == Interpolation::linear && end > samples.times.back())
    refuse("the grid ends at ", end, ", after the last sample of a linear series at ", samples.times.back());

  PlainSamples<Time> grid{
      grid_times(Every<Duration<Time>>{granularity}, Window<Time>{start, end}), {}, samples.interpolation};
  std::size_t i = 0;  // the last sample at or before the grid stamp
  for (const Time t : grid.times) {
    while (i + 1 < samples.times.size() && samples.times[i + 1] <= t) ++i;
    const bool exact = samples.times[i] == t || i + 1 == samples.times.size();
    double value = samples.values[i];
    if (!exact && samples.interpolation == Interpolation::linear) {
      const Time t0 = samples.times[i], t1 = samples.times[i + 1];
      value += (samples.values[i + 1] - value) * (seconds(t - t0) / seconds(t1 - t0));
    }
    grid.values.push_back(value);
  }
  return grid;
}

/// Begin of the bucket that holds t.
template <TimePoint Time>
Time bucket_begin(Time t, Duration<Time> granularity) {
  if constexpr (std::same_as<Time, double>) {
    return std::floor(t / granularity) * granularity;
  } else if constexpr (std::floating_point<typename Time::rep>) {
    return Time(std::floor(t.time_since_epoch() / granularity) * granularity);
  } else {
    auto over = t.time_since_epoch() % granularity;
    if (over < Duration<Time>{}) over += granularity;
    return t - over;
  }
}

/// Integral of the samples over [begin, end], which lies within them; first: the last sample at or before begin.
template <TimePoint Time>
double plain_integral(const PlainSamples<Time>& samples, std::size_t first, Time begin, Time end) {
  const double reference = samples.values[first];
  CompensatedSum sum;
  for (std::size_t i = first; i + 1 < samples.times.size() && samples.times[i] < end; ++i) {
    const Time t0 = samples.times[i], t1 = samples.times[i + 1];
    const Time from = std::max(t0, begin), to = std::min(t1, end);
    double height = samples.values[i] - reference;
    if (samples.interpolation == Interpolation::linear)  // at the middle of the part
      height += (samples.values[i + 1] - samples.values[i]) *
                (0.5 * (seconds(from - t0) + seconds(to - t0)) / seconds(t1 - t0));
    sum.add(height * seconds(to - from));
  }
  return sum.value() + reference * seconds(end - begin);
}

template <TimePoint Time>
PlainSamples<Time> bucket_means(const PlainSamples<Time>& samples, Duration<Time> granularity) {
  require_granularity("bucket_means", granularity);
  PlainSamples<Time> means{{}, {}, samples.interpolation};
  const std::size_t n = samples.times.size();
  for (std::size_t i = 0, next = 0; i < n; i = next) {
    const Time bucket = bucket_begin(samples.times[i], granularity);
    for (next = i + 1; next < n && bucket_begin(samples.times[next], granularity) == bucket;) ++next;
    double value = samples.values[n - 1];
    if (next < n) {
      const Time begin = i == 0 ? samples.times[0] : bucket, end = bucket + granularity;
      value =
          plain_integral(samples, i == 0 || samples.times[i] == bucket ? i : i - 1, begin, end) / seconds(end - begin);
    }
    means.times.push_back(bucket);
    means.values.push_back(value);
  }
  return means;
}

}  // namespace fidelity::detail
