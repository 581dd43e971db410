// SPDX-License-Identifier: MIT
// Several models, several operating points, several signals.
#include <fidelity/series/series.hpp>
#include <fidelity/validation/compare.hpp>
#include <fidelity/validation/compare_points.hpp>
#include <fidelity/validation/compare_signals.hpp>
#include <fidelity/validation/rank.hpp>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {

/// A run that is one number: everything can be computed by hand.
struct Scalar {
  double x;
  std::string name = {};
};
using Metric = std::function<double(const Scalar&, const Scalar&)>;  // one type for all: cheaper to compile
const Metric difference = [](const Scalar& a, const Scalar& b) { return std::abs(a.x - b.x); };
using Scalars = std::vector<Scalar>;

/// `count` numbers from `start` in steps of `step`.
Scalars spread(double start, double step, int count) {
  Scalars all;
  for (int k = 0; k < count; ++k) all.push_back({start + step * k});
  return all;
}

bool has(const std::vector<fd::Finding>& findings, const std::string& code, const std::string& word = {}) {
  for (const auto& finding : findings)
    if (finding.code == code && finding.text.find(word) != std::string::npos) return true;
  return false;
}

std::vector<std::size_t> ranks(const std::vector<fd::detail::RankKey>& keys) {
  std::vector<std::size_t> by_position(keys.size());
  for (const auto& [position, rank] : fd::detail::ranks_of(keys)) by_position[position] = rank;
  return by_position;
}

/// Runs of two channels: a level and a slope times time.
using Run = fd::Series<double, double>;
Run two_channels(double pressure, double temperature, const std::string& name) {
  return Run({0, 1, 2}, std::vector<double>{pressure, temperature, pressure, temperature, pressure, temperature},
             {.name = name, .channel_names = {"pressure", "temperature"}});
}
const auto first_value = [](const Run& a, const Run& b) { return std::abs(a(0) - b(0)); };
using Signals = std::vector<fd::ComparedSignal<std::function<double(const Run&, const Run&)>>>;

const fd::ComparisonOptions quick{.bootstraps = 0, .splits = 99};
const std::vector<Run> measured_pair{two_channels(1, 10, "a"), two_channels(2, 30, "b"), two_channels(4, 20, "c")};
const std::vector<Run> simulated_pair{two_channels(2, 20, "u"), two_channels(4, 30, "v")};

}  // namespace

TEST_CASE("models are ordered by value and share a rank with the best that they overlap") {
  CHECK(ranks({{1, 1, 1}, {3, 3, 3}, {2, 2, 2}}) == std::vector<std::size_t>{1, 3, 2});
  CHECK(ranks({{1, 0.5, 1.5}, {1.4, 1.2, 2}, {3, 2.5, 4}}) == std::vector<std::size_t>{1, 1, 3});
  CHECK(ranks({{1, 0.5, 1.5}, {2, 1.5, 2.6}}) == std::vector<std::size_t>{1, 1});
  // the last is apart from the first, though the one between them overlaps both
  CHECK(ranks({{3, 2.5, 4}, {1, 0.5, 1.5}, {2, 1.2, 2.6}}) == std::vector<std::size_t>{3, 1, 1});
  CHECK(ranks({{1, 1, 1}, {1, 1, 1}, {2, 1, 2}, {5, 4, 6}, {6, 6, 6}}) == std::vector<std::size_t>{1, 1, 1, 4, 4});
  // a wide interval around a narrow one
  CHECK(ranks({{5, 1, 9}, {2, 1.5, 2.5}, {8, 7, 8.5}}) == std::vector<std::size_t>{1, 1, 3});
}

TEST_CASE("a ranking holds for each model what comparing it alone gives") {
  const Scalars measured = spread(0, 1, 8);
  const std::vector<fd::Model<Scalar>> models{
      {"far", spread(40, 1, 6)}, {"near", spread(0.3, 1, 8)}, {"also near", spread(0.2, 1, 8)}};
  const fd::ComparisonOptions options{
      .criteria = {fd::Relative{2}}, .permutations = 99, .bootstraps = 39, .splits = 99};
  const fd::Ranking ranking = fd::rank(models, measured, difference, options);
  REQUIRE(ranking.models.size() == 3);
  CHECK(ranking.by_ratio);
  CHECK(ranking.by_interval);
  CHECK(ranking.models[0].rank == 1);
  CHECK(ranking.models[1].rank == 1);
  CHECK(ranking.models[2].rank == 3);
  CHECK(ranking.models[2].name == "far");
  CHECK(ranking.models[2].comparison.verdict == fd::Verdict::fail);
  for (const auto& model : ranking.models) {
    const auto alone = fd::compare(models[model.index].runs, measured, difference, options);
    CHECK(model.name == models[model.index].name);
    CHECK(model.comparison.distance == alone.distance);
    CHECK(model.comparison.ratio == alone.ratio);
    CHECK(model.comparison.p_value == alone.p_value);
    CHECK(model.comparison.verdict == alone.verdict);
    CHECK(model.comparison.measured_matrix->isApprox(*alone.measured_matrix, 0));
  }
  require_error<fd::InputError>([&] { (void)fd::rank(std::vector<fd::Model<Scalar>>{}, measured, difference); },
                                "there is no model");
  require_error<fd::InputError>(
      [&] {
        (void)fd::rank(std::vector<fd::Model<Scalar>>{{"empty", {}}}, measured, difference);
      },
      "simulated run", "empty");
}

TEST_CASE("a ranking computes the distances between measured runs once") {
  std::atomic<int> calls{0};
  const Metric counting = [&](const Scalar& a, const Scalar& b) {
    ++calls;
    return std::abs(a.x - b.x);
  };
  const std::vector<fd::Model<Scalar>> models{{"a", spread(0, 1, 3)}, {"b", spread(1, 1, 4)}, {"c", spread(2, 1, 5)}};
  (void)fd::rank(models, spread(0, 1, 6), counting, {.permutations = 9, .bootstraps = 0});
  CHECK(calls == 6 * (3 + 4 + 5) + 6 * 5 / 2 + 3 + 6 + 10);
}

TEST_CASE("models without a ratio are all ordered by distance") {
  const std::vector<fd::Model<Scalar>> models{{"one run", spread(5, 1, 1)}, {"many runs", spread(9, 1, 6)}};
  const auto ranking = fd::rank(models, spread(0, 1, 6), difference, {.permutations = 0, .bootstraps = 0});
  CHECK_FALSE(ranking.by_ratio);
  CHECK_FALSE(ranking.by_interval);
  CHECK(ranking.models.front().name == "one run");
}

TEST_CASE("a model is as good as at its worst operating point") {
  using Point = fd::OperatingPoint<Scalar>;
  const fd::ComparisonOptions options{.criteria = {fd::Absolute{1}}, .permutations = 0, .bootstraps = 0};
  const std::vector<Point> points{{"idle", spread(0.5, 1, 5), spread(0, 1, 5)},
                                  {"full load", spread(3, 1, 5), spread(0, 1, 5)},
                                  {"part load", spread(0, 1, 5), spread(0, 1, 5)}};
  const auto result = fd::compare_points(points, difference, options);
  CHECK(result.verdict == fd::Verdict::fail);
  CHECK(result.worst == 1);
  CHECK(result.by_ratio);
  CHECK(has(result.reasons, "criterion_missed", "full load: "));
  CHECK(result.points[0].comparison.verdict == fd::Verdict::pass);
  CHECK(result.points[2].comparison.distance == 0);

  const auto judged = [&](std::vector<Point> some) { return fd::compare_points(some, difference, options); };
  CHECK(judged({points[0], points[2]}).verdict == fd::Verdict::pass);
  CHECK(judged({points[0], points[2]}).worst == 0);
  // a point that passes does not outweigh one that cannot be judged, however small its numbers are
  const Scalars outlying{{0}, {1}, {2}, {3}, {1000}};
  const auto incomplete = judged({points[0], {"outlier", outlying, outlying}});
  CHECK(incomplete.verdict == fd::Verdict::incomplete);
  CHECK(incomplete.worst == 1);
  CHECK(fd::compare_points(points, difference, {.permutations = 0, .bootstraps = 0}).verdict ==
        fd::Verdict::incomplete);
  require_error<fd::InputError>([&] { (void)judged({}); }, "no operating point");
}

TEST_CASE("several signals have scales of their own and one plan together") {
  const Signals signals{{.name = "pressure", .metric = first_value, .unit = "bar"},
                        {.name = "temperature", .metric = first_value, .unit = "K"}};
  const auto result = fd::compare_signals(simulated_pair, measured_pair, signals, quick);
  REQUIRE(result.signals.size() == 2);
  const auto& [pressure, temperature] = std::tie(result.signals[0], result.signals[1]);
  CHECK(pressure.scale == Approx((1 + 3 + 2) / 3.0));
  CHECK(temperature.scale == Approx((20 + 10 + 10) / 3.0));
  CHECK(pressure.weight == 0.5);
  CHECK(pressure.comparison.unit == "bar");
  CHECK(pressure.comparison.simulations[1].name == "v");
  const double expected = 0.5 * std::abs(2.0 - 1.0) / 2 + 0.5 * std::abs(20.0 - 10.0) / (40.0 / 3);
  CHECK(result.joint.matrix(0, 0) == Approx(expected));
  const double separate = 0.5 * pressure.scaled_distance + 0.5 * temperature.scaled_distance;
  CHECK(result.joint.distance >= separate * (1 - 1e-12));
  CHECK(0.5 * pressure.joint_plan_distance / pressure.scale +
            0.5 * temperature.joint_plan_distance / temperature.scale ==
        Approx(result.joint.distance));
  CHECK(pressure.joint_plan_distance >= pressure.comparison.distance * (1 - 1e-12));
  CHECK(result.joint.simulations[0].outlines.size() == 2);
  const auto squared = fd::compare_signals(simulated_pair, measured_pair, signals, {.order = 2, .bootstraps = 0});
  double sum = 0;
  for (const auto& match : squared.joint.matches)
    sum +=
        match.mass * std::pow(std::abs(simulated_pair[match.simulation](0) - measured_pair[match.measurement](0)), 2);
  CHECK(sum > 0);
  CHECK(squared.signals[0].joint_plan_distance == Approx(std::sqrt(sum)));
  CHECK(result.joint.input_hash != 0);
  CHECK(result.verdict == fd::Verdict::incomplete);
  CHECK(has(result.reasons, "no_criterion"));
}

TEST_CASE("one plan for all signals costs more than a plan for each where the signals disagree") {
  // pressure alone is matched straight, temperature alone crosswise: no single plan does both
  const std::vector<Run> measured{two_channels(0, 0, "a"), two_channels(1, 1, "b")};
  const std::vector<Run> simulated{two_channels(0, 1, "u"), two_channels(1, 0, "v")};
  const Signals signals{{.name = "pressure", .metric = first_value, .nominal = 1, .weight = 1},
                        {.name = "temperature", .metric = first_value, .nominal = 0.5, .weight = 2}};
  const auto result = fd::compare_signals(simulated, measured, signals, quick);
  CHECK(result.signals[0].comparison.distance == 0);
  CHECK(result.signals[1].comparison.distance == 0);
  CHECK(result.joint.distance == Approx(1));  // temperature weighs more: pressure pays
  CHECK(result.signals[0].joint_plan_distance == Approx(1));
  CHECK(result.signals[1].joint_plan_distance == 0);
  CHECK(result.signals[1].nominal);
  const auto squared = fd::compare_signals(simulated, measured, signals, {.order = 2, .bootstraps = 0});
  CHECK(squared.signals[0].joint_plan_distance == Approx(1));
}

TEST_CASE("the verdict over signals needs every criterion of all of them") {
  const auto verdict = [&](double pressure, double joint, bool on_temperature = false) {
    Signals signals{{.name = "pressure", .metric = first_value, .criteria = {fd::Absolute{pressure}}},
                    {.name = "temperature", .metric = first_value}};
    if (on_temperature) signals[1].criteria = {fd::Relative{1}};  // needs more measured runs
    return fd::compare_signals(simulated_pair, measured_pair, signals,
                               {.criteria = {fd::Absolute{joint}}, .bootstraps = 0})
        .verdict;
  };
  CHECK(verdict(100, 100) == fd::Verdict::pass);
  CHECK(verdict(0, 100) == fd::Verdict::fail);
  CHECK(verdict(100, 0) == fd::Verdict::fail);
  CHECK(verdict(100, 100, true) == fd::Verdict::incomplete);
  CHECK(verdict(0, 100, true) == fd::Verdict::fail);
}

TEST_CASE("a signal without a scale is an error that names it unless a nominal is given") {
  const std::vector<Run> still{two_channels(1, 10, "a"), two_channels(1, 30, "b")};
  const auto call = [&](const std::vector<Run>& measured, Signals signals) {
    (void)fd::compare_signals(simulated_pair, measured, signals, quick);
  };
  const Signals plain{{.name = "temperature", .metric = first_value}, {.name = "pressure", .metric = first_value}};
  require_error<fd::InputError>([&] { call(still, plain); }, "signals[1] 'pressure'", "nominal");
  require_error<fd::InputError>([&] { call({still[0]}, plain); }, "'temperature'", "two measured runs");
  Signals given = plain;
  given[1].nominal = 2;
  CHECK_NOTHROW(call(still, given));
  require_error<fd::InputError>([&] { call(still, {}); }, "no signal");
  given[1].nominal = 0;
  require_error<fd::InputError>([&] { call(still, given); }, "nominal must be positive");
  given[1] = {.name = "flow", .metric = first_value};
  require_error<fd::InputError>([&] { call(still, given); }, "flow");
  given[1] = {.name = "temperature", .metric = first_value};
  require_error<fd::InputError>([&] { call(still, given); }, "twice");
  given[1] = {.name = "pressure", .metric = first_value, .weight = -1};
  require_error<fd::InputError>([&] { call(still, given); }, "weight");
}

TEST_CASE("a run that is bad in one signal is left out of all when that is asked for") {
  auto simulated = simulated_pair;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  simulated.push_back(
      Run({0, 1}, std::vector<double>{1, 2, 3, nan}, {.name = "broken", .channel_names = {"pressure", "temperature"}}));
  const Signals signals{{.name = "pressure", .metric = first_value}, {.name = "temperature", .metric = first_value}};
  const auto result = fd::compare_signals(simulated, measured_pair, signals,
                                          {.criteria = {fd::Absolute{100}}, .invalid_runs = fd::InvalidRuns::record});
  CHECK(result.verdict == fd::Verdict::fail);
  CHECK(result.joint.matrix.rows() == 2);
  CHECK(result.signals[0].comparison.matrix.rows() == 2);
  REQUIRE(result.joint.invalid_simulations.size() == 1);
  CHECK(result.joint.invalid_simulations[0].name == "broken");
  CHECK(result.joint.invalid_simulations[0].index == 2);
  CHECK(result.joint.invalid_simulations[0].sample == 1);
  CHECK(has(result.reasons, "invalid_simulated_runs", "broken"));
}
