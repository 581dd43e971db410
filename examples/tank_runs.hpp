// SPDX-License-Identifier: MIT
// A tank for the examples: level h in m, inflow u in m/s, time constant T of the outflow.
//   T h' = u T - h      h(0) = 0      u steps from 0.05 to 0.10 m/s at 30 s
// In a series of tests the inflow varies from run to run; the level sensor adds noise.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/qss/integrator.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/series.hpp>

namespace tank {

using Run = fidelity::Series<double, double>;

inline constexpr double time_constant = 20, step_time = 30, end = 90;  // s

/// The exact level of a run whose inflow is `factor` times the nominal one.
inline double exact(double t, double factor = 1) {
  const double first = factor * 1.0, second = factor * 2.0;  // u T
  if (t < step_time) return first * (1 - std::exp(-t / time_constant));
  return second + (exact(std::nextafter(step_time, 0.0), factor) - second) * std::exp(-(t - step_time) / time_constant);
}

/// What varies from run to run: the inflow, by 4 percent.
inline double inflow_factor(fidelity::detail::Random& random) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += random.uniform();
  return 1 + 0.04 * sum;
}

/// A quantised-state simulation of the tank: events of the level, the step of the inflow as an external event.
inline fidelity::Trajectory<> simulated(double factor = 1) {
  const auto system = [](std::size_t, const auto& q) { return q.input(0) - q[0] / time_constant; };
  const Run inflow({0, step_time}, {0.05 * factor, 0.10 * factor}, {.interpolation = fidelity::Interpolation::hold});
  const auto run = fidelity::simulate(system, {0.0}, {.order = 3, .quantum = 0.05, .end = end, .inputs = {inflow}});
  return fidelity::Trajectory<>(run.states[0]);
}

/// A measured run: one sample about every second, with noise of 1 cm.
inline Run measured(std::uint64_t number) {
  fidelity::detail::Random random(7, 0, number);
  const double factor = inflow_factor(random);
  std::vector<double> times, values;
  for (double t = 0; t <= end; t += 0.8 + 0.4 * random.uniform()) {
    double noise = -6;
    for (int k = 0; k < 12; ++k) noise += random.uniform();
    times.push_back(t);
    values.push_back(exact(t, factor) + 0.01 * noise);
  }
  return {std::move(times), std::move(values), {.name = "measured " + std::to_string(number + 1)}};
}

}  // namespace tank
