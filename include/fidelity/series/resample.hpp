// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

/// The points begin + k * step of a grid up to the end of the window, the end included if it is one (in double: if a
/// point lies within 4 units in the last place of it); one point where both ends are the same. Throws InputError for
/// a window that ends before it begins and for a step below the rounding of the stamps, Overflow for more than 1e15
/// points.
template <TimePoint Time, class Step>
[[nodiscard]] std::vector<Time> grid_times(const Every<Step>& every, const Window<Time>& window) {
  if (!(window.begin == window.end) || !detail::is_finite_time(window.begin))
    detail::require_window("grid_times", window);
  const auto length = detail::difference("grid_times", window.end, window.begin);
  const auto too_large = [&] {
    return Overflow(detail::concat("fidelity::grid_times: a step of ", seconds(every.step),
                                   " s gives too many points in ", seconds(length), " s"));
  };
  constexpr double limit = 1e15;
  std::size_t count = 0;
  if constexpr (std::same_as<Time, double>) {
    const double step = seconds(every.step);
    const double tolerance =
        4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(window.begin), std::abs(window.end));
    if (length > 0 && step <= tolerance)
      detail::fail("grid_times", Rule::bad_parameter, "the step is finer than stamps so large can tell",
                   {.value = step});
    const double steps = length > 0 ? std::floor((length + tolerance) / step) : 0;
    if (!(steps < limit)) throw too_large();
    count = static_cast<std::size_t>(steps) + 1;
    const Grid<Time> grid{window.begin, step, count};
    std::vector<Time> times(count);
    for (std::size_t k = 0; k < count; ++k) times[k] = grid[k];
    if (std::abs(times.back() - window.end) <= tolerance) times.back() = window.end;
    return times;
  } else {
    static_assert(detail::is_duration<Step>, "an absolute time needs a chrono step: Every{100ms}");
    const Duration<Time> step = every.step;
    if (!(seconds(length) / seconds(step) < limit)) throw too_large();
    count = static_cast<std::size_t>(length / step) + 1;
    const auto grid = detail::checked_grid("grid_times", window.begin, step, count);
    std::vector<Time> times(count);
    for (std::size_t k = 0; k < count; ++k) times[k] = grid[k];
    return times;
  }
}

namespace detail {

template <class S>
concept SomeSeries = requires(const S& s) {
  []<class Scalar, TimePoint Time>(const SeriesBase<Scalar, Time>&) {}(s);
};

template <class Scalar, TimePoint Time, class ValueOf>
Series<Scalar, Time> sampled(std::span<const Time> times, std::size_t channels, SeriesOptions<Time> options,
                             ValueOf value_of) {
  std::vector<Scalar> values(checked_product("resample", times.size(), channels));
  bool known = false;
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      const std::optional<double> x = value_of(times[i], c);
      known = known || x;
      values[i * channels + c] = static_cast<Scalar>(x.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  if (!known && !times.empty())
    fail("resample", Rule::window_outside,
         concat("the signal is missing at all ", times.size(), " points from ", to_text(times.front()), " to ",
                to_text(times.back())),
         {.name = options.name});
  using Map = Eigen::Map<const typename SeriesBase<Scalar, Time>::Matrix>;
  return Series<Scalar, Time>(
      {times.begin(), times.end()},
      Map(values.data(), static_cast<Eigen::Index>(times.size()), static_cast<Eigen::Index>(channels)),
      std::move(options));
}

}  // namespace detail

/// The values of a series (all channels) at the given stamps, which must increase. A stamp at which a channel is
/// missing gives NaN there, so gaps stay gaps; at an event the right limit is taken. However many samples lie between
/// two stamps, the value is that of the signal at the stamp: for means over cells use mean(). Throws InputError where
/// nothing is known at any stamp. O(points log samples).
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, Time> resample(const SeriesBase<Scalar, Time>& series,
                                            std::span<const std::type_identity_t<Time>> times) {
  std::vector<SeriesView<Scalar, Time>> channels;
  for (std::size_t c = 0; c < series.channels(); ++c) channels.push_back(channel(series, c));
  return detail::sampled<Scalar, Time>(times, series.channels(),
                                       {std::string(series.name()),
                                        {series.channel_names().begin(), series.channel_names().end()},
                                        series.interpolation()},
                                       [&](Time t, std::size_t c) { return channels[c].value(t); });
}

/// The same for any other signal, as a series of double with linear interpolation.
template <Signal S>
  requires(!detail::SomeSeries<S>)
[[nodiscard]] Series<double, typename S::time_type> resample(const S& signal,
                                                             std::span<const typename S::time_type> times) {
  return detail::sampled<double, typename S::time_type>(
      times, 1, {}, [&](typename S::time_type t, std::size_t) { return signal.value(t, Side::right); });
}

/// On a drift-free grid from the begin of the window to its end: resample(series, Every{100ms}, window).
template <class S, class Step>
  requires detail::SomeSeries<S> || Signal<S>
[[nodiscard]] auto resample(const S& signal, const Every<Step>& every, const Window<typename S::time_type>& window) {
  const auto times = grid_times(every, window);
  return resample(signal, std::span<const typename S::time_type>(times));
}

/// On a drift-free grid from the first instant of the signal to the last.
template <class S, class Step>
  requires detail::SomeSeries<S> || Signal<S>
[[nodiscard]] auto resample(const S& signal, const Every<Step>& every) {
  return resample(signal, every, signal.span());
}

}  // namespace fidelity
