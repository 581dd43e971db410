// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <fidelity/io/time_unit.hpp>
#include <fidelity/io/zone.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

/// What is asked of a time column.
template <TimePoint Time>
struct TimeRequest {
  std::optional<std::string> format = {};
  std::optional<TimeUnit> unit = {};
  std::optional<Time> origin = {};
  std::optional<Zone> zone = {};
  ZoneMode zone_mode = ZoneMode::strict;
  std::optional<std::chrono::nanoseconds> round_to = {};
};

}  // namespace fidelity::detail::io
