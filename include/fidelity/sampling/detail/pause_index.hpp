// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/sampling/detail/as_of.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity::detail {

/// The longest pause that a signal bridges inside a window, with what is known at its end.
template <Signal S>
std::optional<Duration<typename S::time_type>> longest_pause(const S& signal,
                                                             const Window<typename S::time_type>& window) {
  std::optional<Duration<typename S::time_type>> longest;
  as_of(signal, window.end, [&](const auto& known) { longest = count_known(known, window).longest_pause; });
  return longest;
}

/// The same for many windows of one signal: O(log samples + samples inside / 64). For other signals than series as
/// above.
template <Signal S>
class PauseIndex {
 public:
  using Time = typename S::time_type;

  explicit PauseIndex(const S& signal) : signal_(signal) {
    if constexpr (SampledSignal<S>) {
      const auto times = signal.times();
      const auto gap = signal.max_gap();
      const bool hold = signal.interpolation() == Interpolation::hold;
      pauses_.assign(times.size() - 1, none);  // a held last value goes on: its pause is open
      for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const auto step = times[i + 1] - times[i];
        if (!is_finite(signal(i)) || (!hold && (!is_finite(signal(i + 1)) || (gap && step > *gap)))) continue;
        // As the piece says it: in double (t + gap) - t is not gap.
        pauses_[i] = gap ? std::min(times[i + 1], saturating_add(times[i], *gap)) - times[i] : step;
      }
      blocks_.assign(pauses_.size() / size + 1, none);
      for (std::size_t i = 0; i < pauses_.size(); ++i) blocks_[i / size] = std::max(blocks_[i / size], pauses_[i]);
    }
  }

  [[nodiscard]] std::optional<Duration<Time>> longest(const Window<Time>& window) const {
    if constexpr (SampledSignal<S>) {
      const auto times = signal_.times();
      const auto index = [&](auto place) { return static_cast<std::size_t>(place - times.begin()); };
      const std::size_t past = index(std::lower_bound(times.begin(), times.end(), window.end));
      if (past == 0) return std::nullopt;
      const std::size_t inside = index(std::upper_bound(times.begin(), times.end(), window.begin));
      Duration<Time> longest = none;
      const auto consider = [&](std::size_t i,
                                Duration<Time> pause) {  // one that ends before the window does not count
        if (pause > longest && window.begin < saturating_add(times[i], pause)) longest = pause;
      };
      std::size_t i = inside > 0 ? inside - 1 : 0;
      if (i + 1 < past) consider(i, pauses_[i]), ++i;
      while (i + 1 < past) {
        const bool whole = i % size == 0 && i + size < past;
        longest = std::max(longest, whole ? blocks_[i / size] : pauses_[i]);
        i += whole ? size : 1;
      }
      // After the last sample the window's end is all that is known, unless a sample stands there.
      if (past < times.size() && times[past] == window.end) {
        consider(i, pauses_[i]);
      } else if (signal_.interpolation() == Interpolation::hold && is_finite(signal_(i))) {
        const auto gap = signal_.max_gap();
        consider(i, (gap ? std::min(window.end, saturating_add(times[i], *gap)) : window.end) - times[i]);
      }
      return longest > none ? std::optional(longest) : std::nullopt;
    } else {
      return longest_pause(signal_, window);
    }
  }

 private:
  static constexpr std::size_t size = 64;
  static constexpr Duration<Time> none{};
  S signal_;
  std::vector<Duration<Time>> pauses_, blocks_;
};

}  // namespace fidelity::detail
