// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail {

/// What every series promises of its stamps: at least one, finite, never running backward, with a span that the time
/// type can hold; and of its shape: at least one channel, one name a channel or none.
template <TimePoint Time>
void check_samples(std::string_view function, std::span<const Time> times, std::size_t channels,
                   std::span<const std::string> channel_names, const std::optional<Duration<Time>>& max_gap,
                   std::string_view name) {
  const auto where = [&](std::size_t i) { return InputLocation{.name = std::string(name), .sample = i}; };
  if (times.empty()) fail(function, Rule::empty, "a series has at least one sample", {.name = std::string(name)});
  if (channels == 0) fail(function, Rule::empty, "a series has at least one channel", {.name = std::string(name)});
  if (!channel_names.empty() && channel_names.size() != channels)
    fail(function, Rule::size_mismatch,
         concat("there are ", channels, " channels and ", channel_names.size(), " channel names"),
         {.name = std::string(name)});
  if (max_gap && !(*max_gap > Duration<Time>{} && is_finite_duration(*max_gap)))
    fail(function, Rule::bad_parameter, "max_gap must be positive and finite",
         {.name = std::string(name), .value = seconds(*max_gap)});
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!is_finite_time(times[i])) fail(function, Rule::time_not_finite, "a stamp must be a finite number", where(i));
    if (i > 0 && times[i] < times[i - 1])
      fail(function, Rule::time_not_increasing,
           concat("stamps must increase; ", to_text(times[i]), " follows ", to_text(times[i - 1])), where(i));
  }
  (void)difference(function, times.back(), times.front());
}

/// No more than `allowed` samples at one time: 1, or 2 where they are the sides of an event.
template <TimePoint Time>
void refuse_repeated(std::string_view function, std::span<const Time> times, std::string_view name,
                     std::size_t allowed = 1) {
  for (std::size_t i = allowed; i < times.size(); ++i)
    if (times[i] == times[i - allowed])
      fail(function, Rule::time_repeated,
           allowed == 1
               ? concat("two samples at ", to_text(times[i]), "; the duplicates policy says what to do with them")
               : concat("three samples at ", to_text(times[i]), "; an event has two, the left and the right limit"),
           {.name = std::string(name), .sample = i});
}

}  // namespace fidelity::detail
