// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// Values and slopes at the knots, of which a cubic is made between every two.
template <TimePoint Time = double>
struct Hermite {
  std::vector<Time> times;
  std::vector<double> values;
  std::vector<double> slopes;  ///< per second
};

/// The cubics through given values with given slopes at n >= 2 knots. It is continuous with its slope, and ends with
/// the last knot. Throws InputError for sizes that differ, fewer than two knots, times that do not increase and numbers
/// that are not finite.
template <TimePoint Time>
[[nodiscard]] Trajectory<double, Time> from_hermite(const Hermite<Time>& hermite,
                                                    TrajectoryOptions<Time> options = {}) {
  const auto& [times, values, slopes] = hermite;
  if (times.size() != values.size() || times.size() != slopes.size())
    detail::fail("from_hermite", Rule::size_mismatch,
                 detail::concat("there are ", times.size(), " times, ", values.size(), " values and ", slopes.size(),
                                " slopes"));
  if (times.size() < 2) detail::fail("from_hermite", Rule::empty, "a cubic needs two knots");
  std::vector<TaylorEvent<double, Time>> events;
  events.reserve(times.size());
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    if (!(times[i] < times[i + 1]))
      detail::fail("from_hermite", Rule::time_not_increasing, "the times must increase", {.sample = i + 1});
    const double h = seconds(detail::difference("from_hermite", times[i + 1], times[i]));
    // Both numbers are 0 for a straight line, so that nothing large cancels.
    const double rise = (values[i + 1] - values[i]) / h;
    const double first = rise - slopes[i], second = slopes[i + 1] - rise;
    events.push_back(
        from_taylor(times[i], {values[i], slopes[i], (2 * first - second) / h, (second - first) / (h * h)}));
  }
  events.push_back(from_taylor(times.back(), {values.back(), slopes.back()}, EventKind::end));
  return Trajectory<double, Time>(events, std::move(options));
}

/// Values and slopes at the knots, right limits, and at the end. For a trajectory of order at most 3 without jumps of
/// value or slope this says everything, and from_hermite() makes it again but for rounding. Throws InputError for a
/// trajectory without an end.
template <class Scalar, TimePoint Time>
[[nodiscard]] Hermite<Time> to_hermite(const Trajectory<Scalar, Time>& trajectory) {
  if (!trajectory.end())
    detail::fail("to_hermite", Rule::bad_parameter, "the trajectory has no end",
                 {.name = std::string(trajectory.name())});
  Hermite<Time> hermite;
  hermite.times.assign(trajectory.knots().begin(), trajectory.knots().end());
  if (hermite.times.back() < *trajectory.end()) hermite.times.push_back(*trajectory.end());
  for (const Time t : hermite.times) {
    hermite.values.push_back(trajectory.value(t).value());
    hermite.slopes.push_back(trajectory.derivative(t).value());
  }
  return hermite;
}

/// How slopes are made of samples.
enum class SlopeRule {
  backward,  ///< to the sample before (the first one: to the next)
  centred,   ///< of the parabola through three samples, at both ends as well
  monotone,  ///< as `centred`, limited so that the cubic does not leave the range of its samples (Fritsch, Carlson
             ///< 1980)
};

/// Slopes of a series at its n >= 2 samples, per second. Throws InputError for bad samples, events, gaps longer than
/// max_gap, a held series and one sample.
template <class Scalar, TimePoint Time>
[[nodiscard]] Hermite<Time> hermite_from_samples(const SeriesBase<Scalar, Time>& series, SlopeRule rule) {
  const std::size_t n = series.size();
  const InputLocation where{.name = std::string(series.name())};
  if (series.channels() != 1)
    detail::fail("hermite_from_samples", Rule::not_one_channel, "take one channel of the series", where);
  if (n < 2) detail::fail("hermite_from_samples", Rule::empty, "a slope needs two samples", where);
  if (series.interpolation() == Interpolation::hold)
    detail::fail("hermite_from_samples", Rule::bad_parameter, "the series is held from sample to sample, not smooth",
                 where);
  Hermite<Time> hermite{{series.times().begin(), series.times().end()}, std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> lengths(n - 1), rises(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    hermite.values[i] = static_cast<double>(series(i));
    if (!detail::is_finite(hermite.values[i]))
      detail::fail("hermite_from_samples", Rule::value_not_finite, "a bad sample has no slope",
                   {.name = where.name, .sample = i});
    if (i == 0) continue;
    if (series.time(i) == series.time(i - 1))
      detail::fail("hermite_from_samples", Rule::time_repeated, "a jump has no slope",
                   {.name = where.name, .sample = i});
    if (series.max_gap() && series.time(i) - series.time(i - 1) > *series.max_gap())
      detail::fail("hermite_from_samples", Rule::window_outside, "before this sample the series has a gap",
                   {.name = where.name, .sample = i});
    lengths[i - 1] = seconds(series.time(i) - series.time(i - 1));
    rises[i - 1] = (hermite.values[i] - hermite.values[i - 1]) / lengths[i - 1];
  }
  std::vector<double>& slopes = hermite.slopes;
  if (rule == SlopeRule::backward || n == 2) {
    for (std::size_t i = 0; i < n; ++i) slopes[i] = rises[i == 0 ? 0 : i - 1];
    return hermite;
  }
  for (std::size_t i = 1; i + 1 < n; ++i)
    slopes[i] = (lengths[i] * rises[i - 1] + lengths[i - 1] * rises[i]) / (lengths[i - 1] + lengths[i]);
  slopes[0] = 2 * rises[0] - slopes[1];
  slopes[n - 1] = 2 * rises[n - 2] - slopes[n - 2];
  if (rule == SlopeRule::monotone) {
    for (std::size_t i = 0; i < n; ++i) {
      const double left = rises[i == 0 ? 0 : i - 1], right = rises[std::min(i, n - 2)];
      const double limit = left * right > 0 ? 3 * std::min(std::abs(left), std::abs(right)) : 0;
      const double sign = left < 0 ? -1 : 1;
      slopes[i] = sign * std::clamp(sign * slopes[i], 0.0, limit);
    }
  }
  return hermite;
}

/// The coefficients of knot i in the order of a polynomial that is written highest power first.
template <class Scalar, TimePoint Time>
[[nodiscard]] std::vector<double> highest_power_first(const Trajectory<Scalar, Time>& trajectory, std::size_t i) {
  if (i >= trajectory.segment_count())
    detail::fail("highest_power_first", Rule::index_out_of_range,
                 detail::concat("there is no knot ", i, "; the trajectory has ", trajectory.segment_count()));
  const auto c = trajectory.coefficients(i);
  return {c.rbegin(), c.rend()};
}

/// The events as a table: channels c0 ... cn and kind (0 init, 1 internal, 2 external, 3 reset, 4 end), one row an
/// event of Trajectory::events(), so that an end is a row and a replaced event is one, at the same time as the next.
/// What write_csv() makes of it, read_csv() with `duplicates = Duplicates::event` and trajectory_from_table() read back
/// bit for bit.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> event_table(const Trajectory<Scalar, Time>& trajectory) {
  const std::size_t columns = trajectory.order() + 2;
  const auto events = trajectory.events();
  std::vector<Time> times;
  std::vector<double> values;
  values.reserve(events.size() * columns);
  for (const auto& event : events) {
    times.push_back(event.time());
    for (std::size_t k = 0; k + 1 < columns; ++k) values.push_back(static_cast<double>(event.coefficient(k)));
    values.push_back(static_cast<double>(event.kind()));
  }
  SeriesOptions<Time> options;
  options.name = std::string(trajectory.name());
  for (std::size_t k = 0; k + 1 < columns; ++k) options.channel_names.push_back(detail::concat("c", k));
  options.channel_names.emplace_back("kind");
  options.interpolation = Interpolation::hold;
  options.duplicates = Duplicates::event;
  return Series<double, Time>(std::move(times), std::move(values), std::move(options));
}

/// The trajectory of such a table. Throws InputError where its channels are not c0 ... cn and kind.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> trajectory_from_table(const SeriesBase<Scalar, Time>& table,
                                                             TrajectoryOptions<Time> options = {}) {
  const auto names = table.channel_names();
  bool right = table.channels() >= 2 && names.size() == table.channels() && names.back() == "kind";
  for (std::size_t k = 0; right && k + 1 < names.size(); ++k) right = names[k] == detail::concat("c", k);
  if (!right)
    detail::fail("trajectory_from_table", Rule::unknown_name, "the channels must be c0, c1, ... and kind",
                 {.name = std::string(table.name())});
  std::vector<TaylorEvent<Scalar, Time>> events;
  std::vector<double> c(table.channels() - 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = static_cast<double>(table(i, k));
    const double kind = static_cast<double>(table(i, c.size()));
    if (!(kind >= 0 && kind <= 4 && kind == std::floor(kind)))
      detail::fail("trajectory_from_table", Rule::bad_parameter, "a kind is 0 to 4",
                   {.name = std::string(table.name()), .sample = i, .value = kind});
    events.push_back(
        from_taylor<Scalar>(table.time(i), std::span<const double>(c), static_cast<EventKind>(static_cast<int>(kind))));
  }
  return Trajectory<Scalar, Time>(events, std::move(options));
}

}  // namespace fidelity
