// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity {

template <TimePoint Time>
struct PreparedTimeWindowTwed;

/// An upper bound of the time warp edit distance: only paths count on which the two samples dealt with are never more
/// than `window` seconds apart (Sakoe-Chiba, in time and not in sample numbers). Made by time_window(). Never below the
/// distance, never larger for a larger window. Not a metric.
///
/// Where no path stays in the window, for instance because one series begins more than the window after the other, or
/// has a gap twice as long, there is no number: upper_bound() returns nothing, and the call operator, which pairwise()
/// and compare() use, throws InputError (no_path) that names the pair. O(cells in the window) time.
struct TimeWindowTwed {
  Twed twed;
  double window;  ///< seconds, >= 0

  template <class ScalarA, class ScalarB, TimePoint Time>
  [[nodiscard]] std::optional<double> upper_bound(const SeriesBase<ScalarA, Time>& a,
                                                  const SeriesBase<ScalarB, Time>& b) const {
    const auto [x, y] = detail::prepare_pair(*this, a, b);
    return upper_bound(x, y);
  }
  template <TimePoint Time>
  [[nodiscard]] std::optional<double> upper_bound(const PreparedTimeWindowTwed<Time>& a,
                                                  const PreparedTimeWindowTwed<Time>& b) const;

  template <class ScalarA, class ScalarB, TimePoint Time>
  [[nodiscard]] double operator()(const SeriesBase<ScalarA, Time>& a, const SeriesBase<ScalarB, Time>& b) const {
    const auto [x, y] = detail::prepare_pair(*this, a, b);
    return (*this)(x, y);
  }
  template <TimePoint Time>
  [[nodiscard]] double operator()(const PreparedTimeWindowTwed<Time>& a, const PreparedTimeWindowTwed<Time>& b) const;

  /// Checks and packs a series as Twed::prepare() does. InputError for a window that is negative or not finite.
  template <class Scalar, TimePoint Time>
  [[nodiscard]] PreparedTimeWindowTwed<Time> prepare(const SeriesBase<Scalar, Time>& series, Time origin,
                                                     InputLocation location = {}) const;

  friend bool operator==(const TimeWindowTwed&, const TimeWindowTwed&) = default;
};

/// A checked and packed series of a TimeWindowTwed.
template <TimePoint Time>
struct PreparedTimeWindowTwed {
  TimeWindowTwed parameters;
  Time origin;
  InputLocation place;
  detail::PackedSeries packed;
  std::vector<Time> stamps;  ///< as given: differences of integer ticks are exact
};

/// `time_window(twed, 5s)` or, in seconds, `time_window(twed, 5.0)`.
template <class Window>
[[nodiscard]] TimeWindowTwed time_window(const Twed& twed, const Window& window) {
  return {twed, seconds(window)};
}

[[nodiscard]] inline MetricStatus metric_status(const TimeWindowTwed&) { return MetricStatus::not_a_metric; }

[[nodiscard]] inline MetricDescription describe(const TimeWindowTwed& windowed) {
  MetricDescription text = describe(windowed.twed);
  text.name = "upper bound of the time warp edit distance";
  text.settings += ", time window " + detail::text(windowed.window) + " s";
  text.status = metric_status(windowed);
  return text;
}

template <class Scalar, TimePoint Time>
PreparedTimeWindowTwed<Time> TimeWindowTwed::prepare(const SeriesBase<Scalar, Time>& series, Time origin,
                                                     InputLocation location) const {
  if (!detail::is_finite(window) || window < 0)
    detail::fail("time_window", Rule::bad_parameter, "the window must be finite and not negative", {.value = window});
  PreparedTwed<Time> checked = twed.prepare(series, origin, std::move(location));
  return {*this,
          origin,
          std::move(checked.place),
          std::move(checked.packed),
          {series.times().begin(), series.times().end()}};
}

template <TimePoint Time>
std::optional<double> TimeWindowTwed::upper_bound(const PreparedTimeWindowTwed<Time>& a,
                                                  const PreparedTimeWindowTwed<Time>& b) const {
  detail::require_prepared_by("time_window", *this, a, b);
  detail::ColumnRange near{0, 0};
  const auto near_sample = [&](std::size_t i) {
    const auto later_by = [&](Time u, Time t) { return seconds(detail::difference("time_window", u, t)); };
    while (near.begin < b.stamps.size() && later_by(a.stamps[i], b.stamps[near.begin]) > window) ++near.begin;
    while (near.end < b.stamps.size() && later_by(b.stamps[near.end], a.stamps[i]) <= window) ++near.end;
    return near;
  };
  const auto bound = detail::with_packed_costs(
      a.packed, b.packed, twed.norm, [&](const auto& costs) { return detail::sweep_ranges(costs, near_sample); });
  if (bound) detail::require_in_range("time_window", *bound, a.place, b.place);
  return bound;
}

template <TimePoint Time>
double TimeWindowTwed::operator()(const PreparedTimeWindowTwed<Time>& a, const PreparedTimeWindowTwed<Time>& b) const {
  if (const auto bound = upper_bound(a, b)) return *bound;
  InputLocation where = a.place;
  where.value = window;
  throw InputError(Rule::no_path,
                   detail::concat("fidelity::time_window: no path between ", detail::pair_text(a.place, b.place),
                                  " stays in the window of ", window, " s"),
                   where);
}

}  // namespace fidelity
