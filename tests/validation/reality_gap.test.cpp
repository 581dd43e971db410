// SPDX-License-Identifier: MIT
// A robot arm: 23 measured runs against physics engines with 20 runs each, positions in metres (Collins, Howard,
// Leitner 2018). Read from a folder beside the clone; skipped where that is absent.
#include <fidelity/distance/twed.hpp>
#include <fidelity/io/csv.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/validation/compare.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
using Runs = std::vector<fd::Series<double, double>>;

bool has(const fd::Comparison& comparison, const std::string& code) {
  for (const auto& flag : comparison.flags)
    if (flag.code == code) return true;
  return false;
}
}  // namespace

TEST_CASE("the engines of the reality gap are told apart from the measured runs, and the diverged one is named") {
  const std::filesystem::path folder = std::filesystem::path(FIDELITY_SHARED) / "data/validation/reality_gap";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no folder ../shared");
    return;
  }
  const auto on_grid = [](Runs runs) {
    for (auto& run : runs) run = fd::resample(run, fd::Every{0.05}, fd::Window{0.0, 5.95});
    return runs;
  };
  const auto engine = [&](const std::string& name) {
    return on_grid(fd::read_csv_groups<double>(
                       folder / "exp1_simulated.csv",
                       {.group_by = {"engine", "run"}, .where = {{"engine", name}}, .time_columns = {"time_s"}})
                       .series());
  };
  const Runs measured = on_grid(
      fd::read_csv_groups<double>(folder / "exp1_measured.csv", {.group_by = {"run"}, .time_columns = {"time_s"}})
          .series());
  REQUIRE(measured.size() == 23);
  const fd::Twed metric{.stiffness = 0.05, .penalty = 0.005};
  const fd::ComparisonOptions options{.criteria = {fd::Relative{1.5}}, .unit = "m"};

  const auto good = fd::compare(engine("Mujoco"), measured, metric, options);
  CHECK(good.verdict == fd::Verdict::fail);
  CHECK(good.distinct_simulations == 1U);
  CHECK(has(good, "single_distinct_run"));
  CHECK(has(good, "distinguishable"));
  CHECK_FALSE(has(good, "diverged_runs"));

  const auto diverged = fd::compare(engine("VRepODE"), measured, metric, options);
  CHECK(diverged.verdict == fd::Verdict::fail);
  CHECK(std::isfinite(diverged.distance));
  CHECK(diverged.distance > 1e16);
  CHECK(has(diverged, "diverged_runs"));
  CHECK(*good.ratio < *diverged.ratio);
  CHECK(good.measured_spread == diverged.measured_spread);
}
