// SPDX-License-Identifier: MIT
// Two models of one car against its measured runs: which of them can be trusted?
//
// Given N simulated and M measured time series with different stamps and lengths, the time warp edit distance says how
// far two series are apart, optimal transport makes one number of all N x M of them, and groups of measured runs say
// how large that number is when nothing is wrong.
// The ranking says which model is nearest, and whether that is more than luck.
#include <fidelity/fidelity.hpp>
#include <fidelity/report/text.hpp>

#include <vector>

#include <fmt/core.h>

#include "vehicle_runs.hpp"

namespace fd = fidelity;

int main() {
  const auto measured = vehicle::measured_runs();

  // One m/s^2 of difference for one sample costs 1; so does a shift of it by half a second.
  const fd::Twed metric{.stiffness = 2.0, .penalty = 0.1};  // m/s^2 per s, m/s^2
  const fd::ComparisonOptions options{.criteria = {fd::Relative{1.3}}, .unit = "m/s^2"};

  const std::vector<fd::Model<vehicle::Run>> models{{"soft rear tyres and slow steering", vehicle::wrong_runs()},
                                                    {"the right parameters", vehicle::right_runs()}};
  const fd::Ranking ranking = fd::rank(models, measured, metric, options);
  for (const auto& model : ranking.models) fmt::print("The model with {}\n\n{}\n", model.name, model.comparison);
  fmt::print("{}", ranking);

  const auto& best = ranking.models.front();
  const auto& worst = ranking.models.back();
  return best.comparison.verdict == fd::Verdict::pass && worst.comparison.verdict == fd::Verdict::fail ? 0 : 1;
}
