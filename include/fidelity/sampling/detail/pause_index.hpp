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
      Segment<Time> piece{};
      for (std::size_t i = 0; i < signal.segment_count(); ++i) {
        const bool open = i + 1 == signal.size();  // a held last value goes on
        pauses_.push_back(!open && signal.segment(i, piece) ? piece.window.end - piece.window.begin : none);
      }
      blocks_.assign(pauses_.size() / size + 1, none);
      for (std::size_t i = 0; i < pauses_.size(); ++i) blocks_[i / size] = std::max(blocks_[i / size], pauses_[i]);
    }
  }

  [[nodiscard]] std::optional<Duration<Time>> longest(const Window<Time>& window) const {
    if constexpr (SampledSignal<S>) {
      const auto times = signal_.times();
      const auto last =
          static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), window.end) - times.begin());
      const auto first =
          static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), window.begin) - times.begin());
      // The ends as of the window's end, sample by sample; what lies between from the index.
      if (last < first + 4 * size) return longest_pause(signal_, window);
      std::optional<Duration<Time>> longest = longest_pause(signal_, Window<Time>{times[last - 2], window.end});
      const auto consider = [&](std::optional<Duration<Time>> pause) {
        if (pause && (!longest || *pause > *longest)) longest = pause;
      };
      if (window.begin < times[first]) consider(longest_pause(signal_, Window<Time>{window.begin, times[first]}));
      Duration<Time> between = none;
      for (std::size_t i = first; i < last - 2;) {
        const bool whole = i % size == 0 && i + size <= last - 2;
        between = std::max(between, whole ? blocks_[i / size] : pauses_[i]);
        i += whole ? size : 1;
      }
      if (between > none) consider(between);
      return longest;
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
