// SPDX-License-Identifier: MIT
// Signals of a small drive, for the demonstration of compare_signals: a reference and a test of it.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fidelity/series/series.hpp>

namespace drive {

using Record = fidelity::Series<double, double>;

/// speed (rad/s), valve (0 or 1), torque (Nm) and level (m) over 10 s. `late` seconds is how late the valve opens,
/// `surplus` what the torque has too much from 6 s to 7 s, `level_end` when the level was last recorded.
inline Record record(double late, double surplus, double level_end) {
  std::vector<double> times, values;
  for (int k = 0; k <= 1000; ++k) {
    const double t = 0.01 * k;
    const double speed = 150 * (1 - std::exp(-t / 1.5));
    const double valve = t >= 3 + late ? 1 : 0;
    const double torque = 20 * std::exp(-t / 2) * std::cos(4 * t) + (t >= 6 && t <= 7 ? surplus : 0);
    const double level = t <= level_end ? 1 + 0.05 * t : std::numeric_limits<double>::quiet_NaN();
    times.push_back(t);
    values.insert(values.end(), {speed, valve, torque, level});
  }
  return {std::move(times), std::move(values), {.channel_names = {"speed", "valve", "torque", "level"}}};
}

inline Record reference() { return record(0, 0, 5); }
inline Record test() { return record(0.05, 0.8, 10); }

}  // namespace drive
