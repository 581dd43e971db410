// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/series_base.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity::detail {

/// One channel with at most `limit` points: the smallest and the largest value of every stretch, in order of time.
template <class Scalar, TimePoint Time>
Outline outline(const SeriesBase<Scalar, Time>& series, std::size_t channel, Time origin, std::size_t limit = 1000) {
  Outline drawn;
  const auto add = [&](std::size_t i) {
    const auto value = static_cast<double>(series(i, channel));
    drawn.times.push_back(seconds(difference("compare", series.time(i), origin)));
    drawn.values.push_back(is_finite(value) ? value : std::numeric_limits<double>::quiet_NaN());
  };
  const std::size_t n = series.size();
  const std::size_t stretches = limit / 2;
  if (n <= limit) {
    for (std::size_t i = 0; i < n; ++i) add(i);
    return drawn;
  }
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * n / stretches, end = (k + 1) * n / stretches;
    std::size_t smallest = begin, largest = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (!(series(i, channel) >= series(smallest, channel))) smallest = i;
      if (series(i, channel) > series(largest, channel)) largest = i;
    }
    add(std::min(smallest, largest));
    if (smallest != largest) add(std::max(smallest, largest));
  }
  return drawn;
}

}  // namespace fidelity::detail
