// SPDX-License-Identifier: MIT
// One day of a small plant, for the examples: a pump feeds a heated vessel. One sample a minute, and what happens:
//
//   03:00 to 04:30   the pump stands
//   10:00 to 11:00   the operator raises the pressure from 12 to 15 bar
//   14:00 to 14:20   the temperature sensor sends no values
//   20:00 to 20:40   the flow falls below what the model of the plant is made for
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/series/series.hpp>

namespace plant {

/// Channels flow (m3/h), pressure (bar), temperature (degC); the same numbers on every platform.
inline fidelity::Series<> day() {
  using namespace std::chrono_literals;
  fidelity::detail::Random random(1, 0, 0);
  const auto noise = [&] {  // sum of twelve uniform numbers: close to normal, and the same everywhere
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    return sum;
  };
  const fidelity::Timestamp midnight = std::chrono::sys_days{std::chrono::year{2026} / 3 / 2};
  std::vector<fidelity::Timestamp> times;
  std::vector<double> values;
  double temperature = 80;
  for (int minute = 0; minute < 24 * 60; ++minute) {
    const double hour = minute / 60.0;
    double flow = 52 + 2 * std::sin(hour / 3), pressure = hour < 10 ? 12 : hour < 11 ? 12 + 3 * (hour - 10) : 15;
    if (hour >= 3 && hour < 4.5) flow = 0, pressure = 4;
    if (hour >= 20 && hour < 20 + 2 / 3.0) flow = 41;
    temperature += (72 + 0.6 * pressure - temperature) / 40;
    times.push_back(midnight + minute * 1min);
    values.push_back(flow > 0 ? flow + 0.4 * noise() : 0);
    values.push_back(pressure + 0.02 * noise());
    const bool silent = hour >= 14 && hour < 14 + 1 / 3.0;
    values.push_back(silent ? std::numeric_limits<double>::quiet_NaN() : temperature + 0.1 * noise());
  }
  return {std::move(times),
          std::move(values),
          {.name = "plant", .channel_names = {"flow", "pressure", "temperature"}, .max_gap = 10min}};
}

}  // namespace plant
