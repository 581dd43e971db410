// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ratio>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/decimal.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

template <class Time>
inline constexpr bool is_system_time = false;
template <class D>
inline constexpr bool is_system_time<std::chrono::time_point<std::chrono::system_clock, D>> =
    std::integral<typename D::rep>;

/// Nanoseconds as ticks of a duration, or a fault where it cannot hold them exactly.
template <class D>
Fault exact_ticks(std::int64_t nanoseconds, D& duration) {
  using Ratio = std::ratio_divide<std::nano, typename D::period>;
  const Signed128 scaled = static_cast<Signed128>(nanoseconds) * Ratio::num;
  if (scaled % Ratio::den != 0) return {"the stamp is finer than the ticks of the time type"};
  const Signed128 ticks = scaled / Ratio::den;
  using Rep = typename D::rep;
  if (ticks > std::numeric_limits<Rep>::max() || ticks < std::numeric_limits<Rep>::min())
    return {"the stamp lies outside the range of the time type"};
  duration = D{static_cast<Rep>(ticks)};
  return {};
}

/// Whether a time point lies in the years 1678 to 2261, without overflow whatever its tick is.
template <class D>
bool in_readable_years(std::chrono::sys_time<D> time) {
  constexpr double far = 1e10;  // seconds; more than any of those years
  const double rough = seconds(time.time_since_epoch());
  if (!(rough > -far && rough < far)) return false;
  const auto second =
      static_cast<std::int64_t>(std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
  return second >= first_second && second < end_second;
}

}  // namespace fidelity::detail::io
