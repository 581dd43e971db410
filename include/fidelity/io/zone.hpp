// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fidelity/detail/require.hpp>

namespace fidelity {

/// The zone of stamps that name no offset themselves: UTC or a fixed offset from it. Never the machine's own zone.
class Zone {
 public:
  [[nodiscard]] static Zone utc() { return Zone(std::chrono::minutes{0}); }
  /// Local time minus UTC, as in +01:00. Throws InputError unless it is shorter than a day.
  [[nodiscard]] static Zone fixed(std::chrono::minutes offset) {
    if (offset >= std::chrono::hours{24} || offset <= std::chrono::hours{-24})
      detail::fail("Zone::fixed", Rule::bad_parameter, "the offset in minutes must be shorter than a day",
                   {.value = static_cast<double>(offset.count())});
    return Zone(offset);
  }
  [[nodiscard]] std::chrono::minutes offset() const { return offset_; }

 private:
  explicit Zone(std::chrono::minutes offset) : offset_(offset) {}
  std::chrono::minutes offset_;
};

/// "UTC" or "+01:00".
inline std::string to_text(const Zone& zone) {
  const auto minutes = zone.offset().count();
  if (minutes == 0) return "UTC";
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const long long size = std::llabs(static_cast<long long>(minutes));
  return (minutes < 0 ? "-" : "+") + two(size / 60) + ':' + two(size % 60);
}

}  // namespace fidelity
