// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail {

/// Finds the last of n increasing times at or before t. The span of the times is cut into 2 n equal buckets, each of
/// which knows its first time: O(1) where the times are spread evenly, O(log n) at worst; 8 n bytes.
template <TimePoint Time>
class TimeIndex {
 public:
  TimeIndex() = default;
  explicit TimeIndex(std::span<const Time> times) {
    const std::size_t n = times.size();
    if (n > std::numeric_limits<std::uint32_t>::max() / 2) return;
    const std::size_t buckets = 2 * n;
    first_time_ = times.front();
    scale_ = static_cast<double>(buckets) / plain(times.back() - times.front());
    if (!is_finite(scale_)) scale_ = 0;
    first_.assign(buckets + 1, static_cast<std::uint32_t>(n));
    for (std::size_t i = n; i-- > 0;) first_[bucket(times[i])] = static_cast<std::uint32_t>(i);
    // An empty bucket begins where the next one does.
    for (std::size_t b = buckets; b-- > 0;) first_[b] = std::min(first_[b], first_[b + 1]);
  }

  /// Position of the last time <= t; times.front() <= t is not checked.
  [[nodiscard]] std::size_t find(std::span<const Time> times, Time t) const {
    if (t >= times.back()) return times.size() - 1;
    return find_from(times, t, first_guess(t));
  }

  /// The same in two steps, so that many searches can overlap: the guess reads the index, the rest the times. Both for
  /// times.front() <= t < times.back() only.
  [[nodiscard]] std::size_t first_guess(Time t) const { return first_.empty() ? 0 : first_[bucket(t)]; }
  [[nodiscard]] std::size_t find_from(std::span<const Time> times, Time t, std::size_t guess) const {
    // Mostly none or one time of the bucket lies before t. No branch depends on that: it could not be predicted.
    std::size_t after = guess + static_cast<std::size_t>(times[guess] <= t);
    after += static_cast<std::size_t>(times[after] <= t);  // in range, because t < times.back()
    if (after < guess + 2) return after - 1;
    const auto begin = times.begin() + static_cast<std::ptrdiff_t>(after);
    const auto end = first_.empty() ? times.end() : times.begin() + static_cast<std::ptrdiff_t>(first_[bucket(t) + 1]);
    return static_cast<std::size_t>(std::upper_bound(begin, end, t) - times.begin()) - 1;
  }

 private:
  static double plain(double d) { return d; }
  template <class Rep, class Period>
  static double plain(std::chrono::duration<Rep, Period> d) {
    return static_cast<double>(d.count());
  }
  // Never falls as t rises, in whatever way it is rounded: that is all that find() relies on.
  [[nodiscard]] std::size_t bucket(Time t) const {
    const auto b = static_cast<std::size_t>(static_cast<std::int64_t>(plain(t - first_time_) * scale_));
    return std::min(b, first_.size() - 2);
  }

  Time first_time_{};
  double scale_ = 0;
  std::vector<std::uint32_t> first_;
};

}  // namespace fidelity::detail
