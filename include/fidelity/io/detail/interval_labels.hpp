// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/time_column.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

/// The beginnings of intervals that end at the stamps, each at the stamp before (F27). Without a period the first one
/// is left out. `over_long` counts those that are longer than the period.
template <TimePoint Time>
std::vector<Time> interval_begins(std::span<const Time> ends, const std::optional<Duration<Time>>& period,
                                  std::size_t& over_long) {
  std::vector<Time> begins;
  begins.reserve(ends.size());
  if (period) {
    if constexpr (std::same_as<Time, double>) {
      begins.push_back(ends.front() - *period);
    } else {
      typename Time::rep first{};
      const bool overflow = __builtin_sub_overflow(ends.front().time_since_epoch().count(), period->count(), &first);
      if (overflow || !in_readable_years(Time{typename Time::duration{first}}))
        fail("read_csv", Rule::bad_parameter, "the first stamp minus period lies outside the years 1678 to 2261");
      begins.push_back(Time{typename Time::duration{first}});
    }
  }
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    begins.push_back(ends[i]);
    if (period && ends[i + 1] - ends[i] > *period) ++over_long;
  }
  return begins;
}

}  // namespace fidelity::detail::io
