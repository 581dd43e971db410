// SPDX-License-Identifier: MIT
// Definitions of the grid operations that cognite.hpp declares.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/cognite.hpp>
#include <fidelity/series/resample.hpp>

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

namespace fidelity::cognite {

template <class Scalar, TimePoint Time>
Series<double, Time> on_grid(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Duration<Time>> granularity,
                             const std::type_identity_t<GridOptions<Time>>& options) {
  return detail::plain_series(detail::on_grid("on_grid", detail::plain_samples(series), granularity,
                                              options.start.value_or(series.span().begin),
                                              options.end.value_or(series.span().end)));
}

template <class Scalar, TimePoint Time>
Series<double, Time> bucket_means(const SeriesBase<Scalar, Time>& series,
                                  std::type_identity_t<Duration<Time>> granularity) {
  return detail::plain_series(detail::bucket_means(detail::plain_samples(series), granularity));
}

template <class Scalar, TimePoint Time, class Condition>
Series<double, Time> logic_on_grid(const SeriesBase<Scalar, Time>& series, const Condition& condition,
                                   std::type_identity_t<Duration<Time>> granularity,
                                   std::optional<std::type_identity_t<Time>> end) {
  const auto samples = detail::plain_samples(series);
  const Time last = series.interpolation() == Interpolation::hold ? end.value_or(series.span().end) : series.span().end;
  auto grid = detail::on_grid("logic_on_grid", samples, granularity, series.span().begin, last);
  for (double& value : grid.values) value = detail::is_finite(value) && static_cast<bool>(condition(value)) ? 1.0 : 0.0;
  return detail::plain_series(std::move(grid));
}

template <class A, class B, TimePoint Time>
Series<double, Time> and_on_grid(const SeriesBase<A, Time>& a, const SeriesBase<B, Time>& b,
                                 std::type_identity_t<Duration<Time>> granularity) {
  if (a.size() == 1 && b.size() == 1)
    detail::fail("and_on_grid", Rule::bad_parameter, "two single samples have nothing in common to combine");
  const bool held_a = a.interpolation() == Interpolation::hold, held_b = b.interpolation() == Interpolation::hold;
  const Time start = std::max(a.span().begin, b.span().begin);
  Time end = std::min(a.span().end, b.span().end);
  if (held_a) end = b.span().end;
  if (held_b) end = held_a ? std::max(a.span().end, b.span().end) : a.span().end;
  if (end < start)
    detail::fail("and_on_grid", Rule::window_outside,
                 detail::concat("the series do not overlap: one starts at ", to_text(start), ", the other ends at ",
                                to_text(end)));
  auto both = detail::on_grid("and_on_grid", detail::plain_samples(a), granularity, start, end);
  const auto other = detail::on_grid("and_on_grid", detail::plain_samples(b), granularity, start, end);
  for (std::size_t i = 0; i < both.values.size(); ++i)
    both.values[i] = both.values[i] == 1.0 && other.values[i] == 1.0 ? 1.0 : 0.0;
  both.interpolation = held_a && held_b ? Interpolation::hold : Interpolation::linear;
  return detail::plain_series(std::move(both));
}

template <class Scalar, TimePoint Time>
std::optional<Time> find_end(const SeriesBase<Scalar, Time>& binary, std::type_identity_t<Duration<Time>> length) {
  (void)binary.segment_count();
  if (!(length >= Duration<Time>{}) || !detail::is_finite_duration(length))
    detail::fail("find_end", Rule::bad_parameter, "the length must be finite and not negative",
                 {.value = seconds(length)});
  for (std::size_t end = binary.size() - 1; end > 0;) {
    std::size_t begin = end;
    while (begin > 0 && binary(begin - 1) == 1) --begin;
    if (begin < end && binary.time(end) - binary.time(begin) >= length) return binary.time(end);
    end = begin < end ? begin : end - 1;
  }
  return std::nullopt;
}

template <class Scalar, TimePoint Time>
std::optional<double> grid_mean(const SeriesBase<Scalar, Time>& series,
                                std::type_identity_t<Duration<Time>> granularity,
                                const std::type_identity_t<GridOptions<Time>>& options) {
  const auto grid =
      detail::on_grid("grid_mean", detail::plain_samples(series), granularity,
                      options.start.value_or(series.span().begin), options.end.value_or(series.span().end));
  detail::CompensatedSum sum;
  for (const double value : grid.values) {
    if (!detail::is_finite(value)) return std::nullopt;
    sum.add(value);
  }
  const double mean = sum.value() / static_cast<double>(grid.values.size());
  if (!detail::is_finite(mean)) throw Overflow("fidelity::grid_mean: the mean is not a finite number");
  return mean;
}

template <class Scalar, TimePoint Time>
std::optional<double> latest_before(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Time> run_time) {
  (void)series.segment_count();
  if (!detail::is_finite_time(run_time))
    detail::fail("latest_before", Rule::time_not_finite, "the run time must be finite");
  const auto times = series.times();
  const auto after = std::lower_bound(times.begin(), times.end(), run_time) - times.begin();
  if (after == 0) return std::nullopt;
  const auto value = static_cast<double>(series(static_cast<std::size_t>(after - 1)));
  if (!detail::is_finite(value)) return std::nullopt;
  return value;
}

}  // namespace fidelity::cognite
