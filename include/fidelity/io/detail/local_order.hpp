// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/time_column.hpp>
#include <fidelity/io/zone.hpp>

namespace fidelity::detail::io {

/// Tells the occurrences of repeated local times apart by the order of the rows (F25): the first until local time steps
/// back, then the second. Does nothing unless the zone mode is infer_by_order.
template <TimePoint Time>
class LocalOrder {
 public:
  /// `time` is what the column read last. A fault if the instants do not increase.
  Fault resolve(const TimeColumn<Time>& column, Time& time) {
    if (column.zone_mode() != ZoneMode::infer_by_order || !column.is_civil()) return {};
    const bool repeated = column.occurs() == TimeColumn<Time>::Occurs::several;
    if (repeated && takes_latest(column))
      if (const Fault fault = column.read_latest(time)) return fault;
    const bool stands_still = previous_ && time == *previous_ && (repeated || repeated_);
    if (stands_still || (previous_ && time < *previous_))
      return {"the order of the rows does not resolve the repeated hour, for the instants do not increase", true};
    previous_ = time;
    repeated_ = repeated;
    return {};
  }

 private:
  bool takes_latest(const TimeColumn<Time>& column) {
    const auto local =
        std::chrono::nanoseconds{column.local().second} + std::chrono::nanoseconds{column.local().nanosecond};
    // Two local times of the same repeated hour are less than its length apart.
    const auto length = column.offsets().first - column.offsets().last;
    if (!local_ || local >= *local_ + length) {
      latest_ = false;
    } else if (local <= *local_) {  // hourly rows name the repeated hour twice
      latest_ = true;
    }
    local_ = local;
    return latest_;
  }

  std::optional<Time> previous_;
  bool repeated_ = false;
  std::optional<std::chrono::nanoseconds> local_;  ///< of the last repeated one
  bool latest_ = false;
};

}  // namespace fidelity::detail::io
