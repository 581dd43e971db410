// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
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

/// Writes the values of a signal at increasing times to out[0], out[stride], ...; NaN where it is missing. Every piece
/// is fetched once, so that many times in one piece cost little; what lies in none (isolated samples) is asked for.
template <class S, class Scalar>
void sample_into(const S& signal, std::span<const typename S::time_type> times, Scalar* out, std::size_t stride) {
  using Time = typename S::time_type;
  if constexpr (std::same_as<Scalar, double> && requires(std::span<double> to) { signal.sample(times, to); }) {
    if (stride == 1) return signal.sample(times, std::span<double>(out, times.size()));
  }
  std::optional<std::size_t> place;
  std::optional<Segment<Time>> piece;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Time t = times[i];
    if (!piece || !piece->window.contains(t)) {
      // Mostly the next piece is the right one.
      piece = place && *place + 1 < signal.segment_count() ? signal.segment(++*place) : std::nullopt;
      if (!piece || !piece->window.contains(t)) {
        place = is_finite_time(t) ? signal.segment_at(t) : std::nullopt;
        piece = place ? signal.segment(*place) : std::nullopt;
      }
    }
    const bool inside = piece && piece->window.contains(t);
    out[i * stride] = static_cast<Scalar>(
        inside ? (*piece)(t) : signal.value(t, Side::right).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
}

template <class Scalar, TimePoint Time>
void require_some_known(std::span<const Scalar> values, std::span<const Time> times, const std::string& name) {
  for (const Scalar x : values)
    if (!(x != x)) return;
  if (times.empty()) return;
  fail("resample", Rule::window_outside,
       concat("the signal is missing at all ", times.size(), " points from ", to_text(times.front()), " to ",
              to_text(times.back())),
       {.name = name});
}

template <class Scalar, TimePoint Time>
Series<Scalar, Time> sampled(const SeriesBase<Scalar, Time>& series, std::vector<Time> times) {
  SeriesOptions<Time> options{std::string(series.name()),
                              {series.channel_names().begin(), series.channel_names().end()},
                              series.interpolation()};
  const std::size_t channels = series.channels();
  std::vector<Scalar> values(checked_product("resample", times.size(), channels));
  for (std::size_t c = 0; c < channels; ++c)
    sample_into(channel(series, c), std::span<const Time>(times), values.data() + c, channels);
  require_some_known<Scalar, Time>(values, times, options.name);
  if (channels == 1) return Series<Scalar, Time>(std::move(times), std::move(values), std::move(options));
  using Map = Eigen::Map<const typename SeriesBase<Scalar, Time>::Matrix>;
  const Map matrix(values.data(), static_cast<Eigen::Index>(times.size()), static_cast<Eigen::Index>(channels));
  return Series<Scalar, Time>(std::move(times), matrix, std::move(options));
}

template <Signal S>
  requires(!SampledSignal<S>)
Series<double, typename S::time_type> sampled(const S& signal, std::vector<typename S::time_type> times) {
  using Time = typename S::time_type;
  std::vector<double> values(times.size());
  sample_into(signal, std::span<const Time>(times), values.data(), 1);
  require_some_known<double, Time>(values, times, {});
  return Series<double, Time>(std::move(times), std::move(values));
}

}  // namespace detail

/// The values of a series (all channels) at the given stamps, which must increase. A stamp at which a channel is
/// missing gives NaN there, so gaps stay gaps; at an event the right limit is taken. However many samples lie between
/// two stamps, the value is that of the signal at the stamp: for means over cells use mean(). Throws InputError where
/// nothing is known at any stamp. O(points log samples), less where many stamps fall into one piece.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, Time> resample(const SeriesBase<Scalar, Time>& series,
                                            std::span<const std::type_identity_t<Time>> times) {
  return detail::sampled<Scalar, Time>(series, std::vector<Time>(times.begin(), times.end()));
}

/// The same for any other signal, as a series of double with linear interpolation.
template <Signal S>
  requires(!detail::SampledSignal<S>)
[[nodiscard]] Series<double, typename S::time_type> resample(const S& signal,
                                                             std::span<const typename S::time_type> times) {
  return detail::sampled(signal, std::vector<typename S::time_type>(times.begin(), times.end()));
}

/// On a drift-free grid from the begin of the window to its end: resample(series, Every{100ms}, window).
template <class S, class Step>
  requires detail::SampledSignal<S> || Signal<S>
[[nodiscard]] auto resample(const S& signal, const Every<Step>& every, const Window<typename S::time_type>& window) {
  return detail::sampled(signal, grid_times(every, window));
}

/// On a drift-free grid from the first instant of the signal to the last.
template <class S, class Step>
  requires detail::SampledSignal<S> || Signal<S>
[[nodiscard]] auto resample(const S& signal, const Every<Step>& every) {
  return resample(signal, every, signal.span());
}

}  // namespace fidelity
