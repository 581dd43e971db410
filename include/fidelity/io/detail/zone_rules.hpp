// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace fidelity {

/// From `instant` on (UTC), local time minus UTC is `offset`.
struct ZoneTransition {
  std::chrono::sys_seconds instant;
  std::chrono::seconds offset;
};

namespace detail::io {

/// No offset from UTC is larger; TZif allows -25 h to 26 h.
inline constexpr std::chrono::seconds largest_offset{26 * 3600};

/// The instants that a local time can mean, as offsets from UTC: none where the clock was set forward over it, several
/// where it was set back.
struct LocalOffsets {
  int count = 0;
  std::chrono::seconds first{};  ///< of the earliest instant
  std::chrono::seconds last{};   ///< of the latest
};

/// Offsets from UTC over time. Immutable.
struct ZoneRules {
  std::string name;                         ///< as it stands in a report
  std::chrono::seconds before{};            ///< the offset before the first transition
  std::vector<ZoneTransition> transitions;  ///< strictly increasing

  [[nodiscard]] LocalOffsets find(std::chrono::seconds local) const {
    LocalOffsets found;
    auto next = std::partition_point(transitions.begin(), transitions.end(), [&](const ZoneTransition& transition) {
      return transition.instant.time_since_epoch() <= local - largest_offset;
    });
    std::chrono::seconds offset = next == transitions.begin() ? before : std::prev(next)->offset;
    auto from = std::chrono::seconds::min();
    for (;; ++next) {
      const auto until = next == transitions.end() ? std::chrono::seconds::max() : next->instant.time_since_epoch();
      if (from <= local - offset && local - offset < until) {
        if (found.count++ == 0) found.first = offset;
        found.last = offset;
      }
      if (until > local + largest_offset) return found;
      from = until;
      offset = next->offset;
    }
  }

  /// Removes transitions that change nothing; of several at one instant the last one counts.
  void tidy() {
    std::vector<ZoneTransition> kept;
    for (const ZoneTransition& transition : transitions) {
      if (!kept.empty() && kept.back().instant == transition.instant) kept.pop_back();
      const auto in_force = kept.empty() ? before : kept.back().offset;
      if (transition.offset != in_force) kept.push_back(transition);
    }
    transitions = std::move(kept);
  }
};

}  // namespace detail::io
}  // namespace fidelity
