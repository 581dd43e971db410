// SPDX-License-Identifier: MIT
// Two models of one car against its measured runs: which of them can be trusted?
//
// Given N simulated and M measured time series with different stamps and lengths, the time warp edit distance says how
// far two series are apart, optimal transport makes one number of all N x M of them, and groups of measured runs say
// how large that number is when nothing is wrong.
#include <fidelity/fidelity.hpp>
#include <fidelity/report/text.hpp>

#include <fmt/core.h>

#include "vehicle_runs.hpp"

namespace fd = fidelity;

int main() {
  const auto measured = vehicle::measured_runs();

  // One m/s^2 of difference for one sample costs 1; so does a shift of it by half a second.
  const fd::Twed metric{.stiffness = 2.0, .penalty = 0.1};  // m/s^2 per s, m/s^2
  const fd::ComparisonOptions options{.criteria = {fd::Relative{1.3}}, .unit = "m/s^2"};

  fmt::print("The right model\n\n");
  const auto right = fd::compare(vehicle::right_runs(), measured, metric, options);
  fmt::print("{}\n", right);

  fmt::print("A model with soft rear tyres and slow steering\n\n");
  const auto wrong = fd::compare(vehicle::wrong_runs(), measured, metric, options);
  fmt::print("{}", wrong);

  return right.verdict == fd::Verdict::pass && wrong.verdict == fd::Verdict::fail ? 0 : 1;
}
