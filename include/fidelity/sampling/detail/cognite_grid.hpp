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
#include <fidelity/sampling/detail/cognite_samples.hpp>
#include <fidelity/series/resample.hpp>

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
