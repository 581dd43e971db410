// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/series/series_base.hpp>

// Figures about the samples of a series. For the signal that they stand for, weighted with time, see statistics.hpp.

namespace fidelity {

/// The newest value of a one-channel series at some instant.
template <TimePoint Time>
struct LatestValue {
  std::optional<double> value = {};        ///< missing where there is no good sample or it is older than asked
  std::optional<Time> time = {};           ///< stamp of the last good sample, also where it is too old
  std::optional<Duration<Time>> age = {};  ///< from that stamp to the instant
  bool bad_since = false;                  ///< bad samples follow it, so the source may have failed
};

namespace detail {
template <class Scalar, TimePoint Time>
void require_one_channel(std::string_view function, const SeriesBase<Scalar, Time>& series) {
  if (series.channels() != 1)
    fail(function, Rule::not_one_channel,
         concat("the series has ", series.channels(), " channels; take one with channel(series, index or name)"),
         {.name = std::string(series.name())});
}
}  // namespace detail

/// The last good sample at or before t (a value is valid from its own stamp), however old or at most `max_age` old.
/// O(log size + bad samples that follow it). Throws InputError for several channels, a time that is not finite and a
/// negative max_age.
template <class Scalar, TimePoint Time>
[[nodiscard]] LatestValue<Time> latest(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Time> t,
                                       std::optional<std::type_identity_t<Duration<Time>>> max_age = {}) {
  detail::require_one_channel("latest", series);
  if (!detail::is_finite_time(t)) detail::fail("latest", Rule::time_not_finite, "the time must be finite");
  if (max_age && !(seconds(*max_age) >= 0))
    detail::fail("latest", Rule::bad_parameter, "max_age must not be negative", {.value = seconds(*max_age)});
  LatestValue<Time> found;
  const auto times = series.times();
  auto i = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  for (; i > 0 && !detail::is_finite(series(i - 1)); --i) found.bad_since = true;
  if (i == 0) return found;
  found.time = times[i - 1];
  found.age = detail::difference("latest", t, times[i - 1]);
  if (!max_age || *found.age <= *max_age) found.value = static_cast<double>(series(i - 1));
  return found;
}

/// How a window is covered by samples.
template <TimePoint Time>
struct SampleCount {
  std::size_t good = 0, bad = 0;                     ///< samples with begin <= stamp < end
  std::optional<Duration<Time>> longest_pause = {};  ///< longest time between two good samples that is bridged inside
};

/// Counts the samples in a window. A pause counts whole where a part of it lies in the window; that after the last
/// sample of a held series up to the end of the window. O(log size + samples inside).
template <class Scalar, TimePoint Time>
[[nodiscard]] SampleCount<Time> count_samples(const SeriesBase<Scalar, Time>& series,
                                              const std::type_identity_t<Window<Time>>& window) {
  detail::require_window("count_samples", window);
  detail::require_one_channel("count_samples", series);
  SampleCount<Time> count;
  const auto times = series.times();
  const auto first =
      static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), window.begin) - times.begin());
  std::size_t i = first;
  for (; i < times.size() && times[i] < window.end; ++i) ++(detail::is_finite(series(i)) ? count.good : count.bad);
  Segment<Time> piece{};
  for (std::size_t k = first > 0 ? first - 1 : 0; k < i; ++k) {
    if (!series.segment(k, piece) || !(window.begin < piece.window.end)) continue;
    const Time until = k + 1 < times.size() ? piece.window.end : std::min(piece.window.end, window.end);
    const auto pause = until - piece.window.begin;
    if (!count.longest_pause || pause > *count.longest_pause) count.longest_pause = pause;
  }
  return count;
}

/// The plain mean of the good samples in a window, whatever time they stand for; missing where there are none. The
/// mean of the signal is mean(signal, window).
template <class Scalar, TimePoint Time>
[[nodiscard]] std::optional<double> sample_mean(const SeriesBase<Scalar, Time>& series,
                                                const std::type_identity_t<Window<Time>>& window) {
  detail::require_window("sample_mean", window);
  detail::require_one_channel("sample_mean", series);
  const auto times = series.times();
  auto i = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), window.begin) - times.begin());
  detail::CompensatedSum sum;
  std::optional<double> reference;
  double count = 0;
  for (; i < times.size() && times[i] < window.end; ++i) {
    const auto value = static_cast<double>(series(i));
    if (!detail::is_finite(value)) continue;
    if (!reference) reference = value;
    sum.add(value - *reference);
    ++count;
  }
  if (!reference) return std::nullopt;
  return *reference + sum.value() / count;
}

}  // namespace fidelity
