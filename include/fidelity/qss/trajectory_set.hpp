// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// Several trajectories, each with its own knots, at the same increasing times: one channel each, named as they are.
/// NaN where one is missing. Throws InputError for no trajectory and where nothing is known at any time.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> resample_together(const std::vector<Trajectory<Scalar, Time>>& trajectories,
                                                     std::span<const std::type_identity_t<Time>> times) {
  if (trajectories.empty()) detail::fail("resample_together", Rule::empty, "there is no trajectory");
  Eigen::MatrixXd values(static_cast<Eigen::Index>(times.size()), static_cast<Eigen::Index>(trajectories.size()));
  SeriesOptions<Time> options;
  for (std::size_t c = 0; c < trajectories.size(); ++c) {
    trajectories[c].sample(times, {values.data() + c * times.size(), times.size()});  // a column is contiguous
    options.channel_names.emplace_back(trajectories[c].name());
  }
  detail::require_some_known<double, Time>({values.data(), static_cast<std::size_t>(values.size())}, times, {});
  return Series<double, Time>({times.begin(), times.end()}, values, std::move(options));
}

/// On a drift-free grid over the window, by default from the first instant of any trajectory to the last.
template <class Scalar, TimePoint Time, class Step>
[[nodiscard]] Series<double, Time> resample_together(const std::vector<Trajectory<Scalar, Time>>& trajectories,
                                                     const Every<Step>& every,
                                                     std::optional<std::type_identity_t<Window<Time>>> window = {}) {
  if (trajectories.empty()) detail::fail("resample_together", Rule::empty, "there is no trajectory");
  if (!window) {
    window = trajectories.front().span();
    for (const auto& trajectory : trajectories) {
      window->begin = std::min(window->begin, trajectory.span().begin);
      window->end = std::max(window->end, trajectory.span().end);
    }
  }
  return resample_together(trajectories, grid_times(every, *window));
}

/// The points of a grid over the domain and all knots, increasing, each once: for plots that must not miss an event.
template <class Scalar, TimePoint Time, class Step>
[[nodiscard]] std::vector<Time> grid_and_knots(const Trajectory<Scalar, Time>& trajectory, const Every<Step>& every) {
  const auto grid = grid_times(every, trajectory.span());
  const auto knots = trajectory.knots();
  std::vector<Time> times;
  times.reserve(grid.size() + knots.size());
  std::set_union(grid.begin(), grid.end(), knots.begin(), knots.end(), std::back_inserter(times));
  return times;
}

/// The values at all knots and at the end, for plots: two rows, the left and the right limit, where they differ.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<double, Time> at_knots(const Trajectory<Scalar, Time>& trajectory) {
  std::vector<Time> times;
  std::vector<double> values;
  const auto add = [&](Time t, double x) {
    times.push_back(t);
    values.push_back(x);
  };
  const auto knots = trajectory.knots();
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const double right = trajectory.value(knots[i]).value();
    if (i > 0)
      if (const double left = trajectory.value(knots[i], Side::left).value(); left != right) add(knots[i], left);
    add(knots[i], right);
  }
  if (const auto end = trajectory.end(); end && *end > knots.back()) add(*end, trajectory.value(*end).value());
  return Series<double, Time>(
      std::move(times), std::move(values),
      {.name = std::string(trajectory.name()), .channel_names = {}, .duplicates = Duplicates::event});
}

}  // namespace fidelity
