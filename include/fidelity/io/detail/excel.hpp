// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/decimal.hpp>
#include <fidelity/io/time_unit.hpp>

namespace fidelity::detail::io {

/// The local time of a day number of Excel, rounded half to even to a multiple of `step` (F22).
inline Fault excel_time(std::string_view text, char decimal, TimeUnit unit, std::chrono::nanoseconds step,
                        LocalTime& local) {
  using namespace std::chrono;
  constexpr auto day_length = nanoseconds{hours{24}}.count();
  const auto number = parse_decimal(text, decimal);
  if (!number) return {"the serial is not a number"};
  const auto parts = nanosecond_parts(*number, unit);
  const auto rounded = whole_nanoseconds(*number, unit, step.count());
  if (!parts || !rounded) return outside_years();
  if (number->negative && number->digits != 0) return {"a serial cannot be negative"};
  const std::int64_t day = parts->whole / day_length;
  sys_days zero{1904y / January / 1};
  if (unit == TimeUnit::excel1900) {
    if (day == 60) return {"serial 60 is 29 February 1900, a day that never was"};
    if (day == 0) return {"a serial of the 1900 system is not below 1"};
    zero = sys_days{1899y / December / 30} + days{day < 60 ? 1 : 0};
  }
  const auto whole = floor<std::chrono::seconds>(nanoseconds{*rounded});
  local = {zero.time_since_epoch() + whole, (nanoseconds{*rounded} - whole).count()};
  return {};
}

}  // namespace fidelity::detail::io
