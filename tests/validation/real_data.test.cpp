// SPDX-License-Identifier: MIT
// Runs under the time warp edit distance. The real ones are read from a folder beside the clone and skipped where that
// is absent: a robot arm, 23 measured runs against physics engines with 20 runs each (Collins, Howard, Leitner 2018),
// and the Tennessee Eastman process, normal and with faults (Downs, Vogel 1993).
#include <fidelity/distance/twed.hpp>
#include <fidelity/io/csv.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/compare.hpp>
#include <fidelity/validation/rank.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
using Run = fd::Series<double, double>;
using Runs = std::vector<Run>;

bool has(const fd::Comparison& comparison, const std::string& code) {
  for (const auto& flag : comparison.flags)
    if (flag.code == code) return true;
  return false;
}
Run ramp(double offset) { return Run({0, 2, 4}, {offset, offset + 1, offset + 2}); }

/// Windows of normal operation or of a fault, each from its own start, in seconds.
Runs windows(const Run& record, std::size_t begin, std::size_t length, std::size_t every, std::size_t first) {
  Runs all;
  for (std::size_t k = first; begin + (k + 1) * length <= record.size(); k += every) {
    std::vector<double> times;
    for (std::size_t i = 0; i < length; ++i) times.push_back(180.0 * static_cast<double>(i));
    const auto rows =
        record.values().middleRows(static_cast<Eigen::Index>(begin + k * length), static_cast<Eigen::Index>(length));
    all.push_back(Run(std::move(times), rows));
  }
  return all;
}
}  // namespace

TEST_CASE("the same channels in another order are refused, other names are the caller's choice") {
  const auto series = [](std::vector<std::string> names) {
    return Run({0, 1}, std::vector<double>{0, 1, 2, 3}, {.channel_names = std::move(names)});
  };
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.1};
  const std::vector<Run> a{series({"x", "y"})}, b{series({"y", "x"})}, c{series({"p", "q"})};
  require_error<fd::InputError>([&] { (void)fd::compare(a, b, metric); }, "same channels in another order");
  CHECK(fd::compare(a, c, metric).distance == 0);
}

TEST_CASE("a bad sample names side, run and sample") {
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.1};
  const std::vector<Run> good{ramp(0), ramp(1)};
  const std::vector<Run> bad{ramp(0), Run({0, 1, 2}, {0, 1, std::numeric_limits<double>::quiet_NaN()}, {.name = "b"})};
  require_error<fd::InputError>([&] { (void)fd::compare(bad, good, metric); }, "simulations[1]", "'b'", "sample 2");
  require_error<fd::InputError>([&] { (void)fd::compare(good, bad, metric); }, "measurements[1]", "'b'", "sample 2");
}

TEST_CASE("bringing measured runs to the simulated rate changes the distance by no more than the cost of the rate") {
  const auto wave = [](std::size_t samples, double shift) {
    std::vector<double> times, values;
    for (std::size_t k = 0; k < samples; ++k) {
      times.push_back(6 * static_cast<double>(k) / static_cast<double>(samples - 1));
      values.push_back(std::sin(times.back() + shift));
    }
    return Run(std::move(times), std::move(values));
  };
  const fd::Twed metric{.stiffness = 0.1, .penalty = 0.02};
  for (const double order : {1.0, 2.0}) {
    Runs simulated, measured, slower;
    for (int k = 0; k < 4; ++k) simulated.push_back(wave(16, 0.2 + 0.1 * k)), measured.push_back(wave(61, 0.07 * k));
    for (const Run& run : measured) slower.push_back(fd::detail::at_rate(run, 0.4));
    const fd::ComparisonOptions options{.order = order, .permutations = 0, .bootstraps = 0};
    const auto recorded = fd::compare(simulated, measured, metric, options);
    const auto brought = fd::compare(simulated, slower, metric, options);
    REQUIRE(recorded.sampling->cost);
    CHECK_FALSE(brought.sampling->cost);
    CHECK(*recorded.sampling->cost > 0);
    CHECK(std::abs(recorded.distance - brought.distance) <= *recorded.sampling->cost * (1 + 1e-12));
  }
}

TEST_CASE("the engines of the reality gap are ranked and the diverged and deterministic ones named") {
  const std::filesystem::path folder = std::filesystem::path(FIDELITY_SHARED) / "data/validation/reality_gap";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no folder ../shared");
    return;
  }
  const auto read = [&](const char* file, std::vector<fd::CsvColumn> groups, std::string engine) {
    fd::CsvOptions<double> options{.time_columns = {"time_s"}};
    options.group_by = std::move(groups);
    if (!engine.empty()) options.where = {{"engine", std::move(engine)}};
    return fd::read_csv_groups<double>(folder / file, options).series();
  };
  const Runs measured = read("exp1_measured.csv", {"run"}, {});
  REQUIRE(measured.size() == 23);
  std::vector<fd::Model<Run>> engines;
  for (const char* name : {"VRepODE", "Mujoco"})
    engines.push_back({name, read("exp1_simulated.csv", {"engine", "run"}, name)});
  const fd::Twed metric{.stiffness = 0.05, .penalty = 0.005};
  const auto ranking = fd::rank(engines, measured, metric,
                                {.criteria = {fd::Relative{1.5}},
                                 .permutations = 39,
                                 .bootstraps = 39,
                                 .splits = 99,
                                 .unit = "m",
                                 .common_grid = 0.1});
  CHECK(ranking.by_ratio);
  CHECK(ranking.by_interval);
  const auto& last = ranking.models.back();
  CHECK(last.name == "VRepODE");
  CHECK(last.rank == 2);
  CHECK(std::isfinite(last.comparison.distance));
  CHECK(last.comparison.distance > 1e16);
  CHECK(has(last.comparison, "diverged_runs"));
  CHECK(last.comparison.p_value == 1.0 / 40);
  const auto& first = ranking.models.front().comparison;
  CHECK(first.verdict == fd::Verdict::fail);
  CHECK(first.distinct_simulations == 1U);
  for (const char* code : {"single_distinct_run", "not_meaningful", "distinguishable"}) CHECK(has(first, code));
  CHECK_FALSE(has(first, "diverged_runs"));
  CHECK(has(first, "short_runs"));  // before all were cut to what they have in common
  CHECK(*first.ratio < *last.comparison.ratio);
  CHECK(first.measured_spread == last.comparison.measured_spread);
  CHECK(first.drawn == fd::Resample::measured);
}

TEST_CASE("faults of the Tennessee Eastman process are told from normal operation where they can be seen") {
  const std::filesystem::path folder = std::filesystem::path(FIDELITY_SHARED) / "data/validation/tennessee_eastman";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no folder ../shared");
    return;
  }
  const auto read = [&](const char* name) {
    return fd::read_csv<double>(folder / (std::string(name) + "_te.csv")).series;
  };
  const Run normal = read("d00");
  std::vector<double> scale;  // by the standard deviations of normal operation
  for (std::size_t c = 0; c < normal.channels(); ++c) {
    const auto column = normal.values().col(static_cast<Eigen::Index>(c)).array();
    scale.push_back(1 / std::sqrt((column - column.mean()).square().mean()));
  }
  REQUIRE(scale.size() == 4);
  constexpr std::size_t length = 20, onset = 160;  // one hour; a fault begins after eight
  const std::vector<fd::Model<Run>> models{{"normal", windows(normal, 0, length, 2, 1)},
                                           {"d02", windows(read("d02"), onset, length, 2, 0)},
                                           {"d04", windows(read("d04"), onset, length, 2, 0)}};
  const fd::Twed metric{.stiffness = 0.01 / 60, .penalty = 1, .scale = scale};
  const auto ranking = fd::rank(
      models, windows(normal, 0, length, 2, 0), metric,
      {.criteria = {fd::WithinMeasured{}, fd::Reject{0.05}}, .permutations = 199, .bootstraps = 0, .splits = 199});
  for (const auto& model : ranking.models) {
    INFO(model.name << " p " << *model.comparison.p_value << " ratio " << *model.comparison.ratio);
    CHECK(model.comparison.verdict == (model.name == "d02" ? fd::Verdict::fail : fd::Verdict::pass));
    CHECK((*model.comparison.p_value <= 0.05) == (model.name == "d02"));
  }
}
