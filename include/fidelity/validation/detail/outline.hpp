// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/series_base.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity::detail {

/// One channel with at most `limit` points: of every stretch the smallest and the largest value and one bad sample, in
/// order of time.
template <class Scalar, TimePoint Time>
Outline outline(const SeriesBase<Scalar, Time>& series, std::size_t channel, Time origin, std::size_t limit = 1000) {
  Outline drawn;
  const auto add = [&](std::size_t i) {
    const auto value = static_cast<double>(series(i, channel));
    drawn.times.push_back(seconds(difference("compare", series.time(i), origin)));
    drawn.values.push_back(is_finite(value) ? value : std::numeric_limits<double>::quiet_NaN());
  };
  const std::size_t n = series.size();
  const std::size_t stretches = limit / 3;
  if (n <= limit) {
    for (std::size_t i = 0; i < n; ++i) add(i);
    return drawn;
  }
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * n / stretches, end = (k + 1) * n / stretches;
    // Bad samples must not hide a peak: they are looked for apart from the extremes.
    std::size_t smallest = end, largest = end, bad = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_finite(series(i, channel))) {
        bad = i;
      } else {
        if (smallest == end || series(i, channel) < series(smallest, channel)) smallest = i;
        if (largest == end || series(i, channel) > series(largest, channel)) largest = i;
      }
    }
    std::array<std::size_t, 3> chosen{smallest, largest, bad};
    std::sort(chosen.begin(), chosen.end());
    for (std::size_t c = 0; c < chosen.size(); ++c)
      if (chosen[c] != end && (c == 0 || chosen[c] != chosen[c - 1])) add(chosen[c]);
  }
  return drawn;
}

}  // namespace fidelity::detail
