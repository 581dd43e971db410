// SPDX-License-Identifier: MIT
// Runs of a car's answer to a step of the steering wheel, for the examples: lateral acceleration over time.
//
// Linear single-track model (Riekert, Schunck 1940), states v (lateral velocity, m/s) and r (yaw rate, rad/s):
//   m (v' + u r) = F_front + F_rear            F_front = c_front (delta - (v + a r) / u)
//   J r'         = a F_front - b F_rear        F_rear  = c_rear  (       - (v - b r) / u)
// u speed, m mass, J yaw inertia, a and b distances of the axles from the centre of mass, c cornering stiffness.
// The steering angle follows its step through a first-order lag. Mass, speed, grip and the time of the step vary from
// run to run, as in any series of tests; the sensor adds noise; stamps are irregular at equal mean rates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/series/series.hpp>

namespace vehicle {

using Run = fidelity::Series<double, double>;

/// What distinguishes the test car from a model of it.
struct Car {
  double steering_lag = 0.12;   ///< s
  double rear_stiffness = 1.0;  ///< factor on the cornering stiffness of the rear axle
};

inline constexpr Car test_car{};
inline constexpr Car right_model{};
/// The rear tyres are too soft and the steering answers too late: larger, slower lateral acceleration.
inline constexpr Car wrong_model{.steering_lag = 0.20, .rear_stiffness = 0.88};

/// One run of 3 s, 75 samples, in m/s^2. The same (car, seed, number) gives the same numbers on every platform.
inline Run run(const Car& car, std::uint64_t seed, std::uint64_t number, const std::string& name) {
  fidelity::detail::Random random(seed, 0, number);
  const auto normal = [&] {  // sum of twelve uniform numbers: close to normal, and the same everywhere
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    return sum;
  };
  const double u = 22.0 + 0.4 * normal();     // m/s
  const double m = 1500.0 + 40.0 * normal();  // kg
  const double grip = 1.0 + 0.03 * normal();
  const double step_time = 0.5 + 0.03 * normal();     // s
  const double angle = 0.03 * (1 + 0.02 * normal());  // rad at the wheels
  const double inertia = 2500.0, a = 1.2, b = 1.5;
  const double c_front = 80000.0 * grip, c_rear = 100000.0 * grip * car.rear_stiffness;

  constexpr std::size_t samples = 75;
  constexpr double mean_step = 0.04, tick = 0.0005;
  std::vector<double> times, values;
  double v = 0, r = 0, delta = 0, t = 0;
  const auto lateral_acceleration = [&] {
    return (c_front * (delta - (v + a * r) / u) - c_rear * (v - b * r) / u) / m;
  };
  for (std::size_t k = 0; k < samples; ++k) {
    const bool inside = k > 0 && k + 1 < samples;
    const double stamp = mean_step * static_cast<double>(k) + (inside ? 0.8 * mean_step * (random.uniform() - 0.5) : 0);
    for (; t < stamp; t += tick) {  // explicit Euler; the fastest time constant is about 0.1 s
      const double front = c_front * (delta - (v + a * r) / u), rear = -c_rear * (v - b * r) / u;
      delta += tick * ((t >= step_time ? angle : 0) - delta) / car.steering_lag;
      v += tick * ((front + rear) / m - u * r);
      r += tick * (a * front - b * rear) / inertia;
    }
    times.push_back(stamp);
    values.push_back(lateral_acceleration() + 0.04 * normal());
  }
  return Run(std::move(times), std::move(values), {.name = name, .channel_names = {"a_y"}});
}

/// An ensemble of runs.
inline std::vector<Run> runs(const Car& car, std::size_t count, std::uint64_t seed, const std::string& name) {
  std::vector<Run> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(run(car, seed, k, name + " " + std::to_string(k + 1)));
  return all;
}

/// The three ensembles of the examples.
inline std::vector<Run> measured_runs() { return runs(test_car, 24, 1, "measured"); }
inline std::vector<Run> right_runs() { return runs(right_model, 20, 2, "right"); }
inline std::vector<Run> wrong_runs() { return runs(wrong_model, 20, 3, "wrong"); }

}  // namespace vehicle
