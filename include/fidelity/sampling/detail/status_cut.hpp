// SPDX-License-Identifier: MIT
#pragma once

#include <fidelity/sampling/status.hpp>

namespace fidelity::detail {

/// A long status seen through `window` by someone who knows it up to `known_until`. O(log windows + windows inside).
template <TimePoint Time>
Status<Time> cut(const Status<Time>& whole, const Window<Time>& window, Time known_until) {
  if (!(window.begin < known_until)) return Status<Time>(window, {}, WindowSet<Time>{window});
  if (!(known_until < window.end)) return restrict_to(whole, window);
  return restrict_to(restrict_to(whole, {window.begin, known_until}), window);
}

/// The status with its part in `tail.range()` replaced.
template <TimePoint Time>
Status<Time> with_tail(const Status<Time>& status, const Status<Time>& tail) {
  const WindowSet<Time> replaced{tail.range()};
  return Status<Time>(status.range(), (status.holds() - replaced) | tail.holds(),
                      (status.unknown() - replaced) | tail.unknown(), {status.cuts().begin(), status.cuts().end()});
}

}  // namespace fidelity::detail
