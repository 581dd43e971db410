// SPDX-License-Identifier: MIT
// Vectors from exact rational arithmetic and segments of published runs with 50 digits (Q9, Q15, Q19, Q20, Q26 to Q32).
#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/trajectory_oracle.hpp"

#include <fidelity/qss/conversions.hpp>
#include <fidelity/qss/interpolator.hpp>
#include <fidelity/qss/streaming_resampler.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/qss/trajectory_distance.hpp>
#include <fidelity/series/statistics.hpp>

using namespace qss_test;
using nlohmann::json;
using Trajectory = fd::Trajectory<>;

namespace {

json read(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return json::parse(file);
}
const json& reference() {
  static const json all = read(FIDELITY_TEST_DATA "/qss/qss_trajectory_reference.json");
  return all;
}

fd::EventKind kind(const json& event) {
  return event.value("kind", "internal") == "external" ? fd::EventKind::external : fd::EventKind::internal;
}
Events events(const json& list, const char* coefficients = "c") {
  Events all;
  for (const json& event : list)
    all.push_back(
        fd::from_taylor(event.at("t").get<double>(), event.at(coefficients).get<std::vector<double>>(), kind(event)));
  return all;
}
Trajectory trajectory(const json& problem) {
  const json& data = reference().at("trajectories").at(problem.at("trajectory").get<std::string>());
  return Trajectory{events(data.at("events")), {.end = data.at("t_end").get<double>()}};
}

void check_close(double x, double expected, double tolerance) {
  INFO("got " << x << ", expected " << expected);
  CHECK(std::abs(x - expected) <= tolerance * std::max(1.0, std::abs(expected)));
}

const char* name(fd::Meeting kind) {
  const char* const names[] = {"up", "down", "touch", "start", "end"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

TEST_CASE("integrals and means and spreads are those of exact arithmetic") {
  for (const json& problem : reference().at("integrals")) {
    INFO(problem.dump());
    const Trajectory y = trajectory(problem);
    const fd::Window<double> window{problem.at("a"), problem.at("b")};
    check_close(*fd::integral(y, window).value, problem.at("integral"), 1e-14);
    check_close(*fd::mean(y, window).value, problem.at("mean"), 1e-14);
    check_close(*fd::standard_deviation(y, window).value, problem.at("standard_deviation"), 1e-14);
    check_close(std::sqrt(*fd::mean(y * y, window).value), problem.at("rms"), 1e-14);
    check_close(*y.antiderivative().value(window.end) - *y.antiderivative().value(window.begin), problem.at("integral"),
                1e-14);
  }
}

TEST_CASE("extrema and their times are those of exact arithmetic") {
  for (const json& problem : reference().at("extrema")) {
    INFO(problem.dump());
    const Trajectory y = trajectory(problem);
    const fd::Window<double> window{problem.at("a"), problem.at("b")};
    const auto low = fd::minimum(y, window), high = fd::maximum(y, window);
    check_close(*low.value, problem.at("minimum"), 1e-15);
    check_close(*low.time, problem.at("t_minimum"), 1e-12);
    CHECK(low.left_limit == problem.at("minimum_is_left_limit").get<bool>());
    check_close(*high.value, problem.at("maximum"), 1e-15);
    check_close(*high.time, problem.at("t_maximum"), 1e-12);
    CHECK(high.left_limit == problem.at("maximum_is_left_limit").get<bool>());
  }
}

TEST_CASE("levels are met and crossed when and how exact arithmetic says") {
  for (const json& problem : reference().at("levels")) {
    INFO(problem.dump());
    const Trajectory y = trajectory(problem);
    const double level = problem.at("level");
    const auto met = y.solve(level);
    REQUIRE(met.points.size() == problem.at("solve").size());
    for (std::size_t i = 0; i < met.points.size(); ++i) {
      check_close(met.points[i].time, problem.at("solve")[i].at("t"), 1e-13);
      CHECK(name(met.points[i].kind) == problem.at("solve")[i].at("kind").get<std::string>());
    }
    const json flat = problem.value("flat", json::array());
    REQUIRE(met.flat.size() == flat.size());
    for (std::size_t i = 0; i < flat.size(); ++i) CHECK(met.flat[i] == fd::Window<double>{flat[i][0], flat[i][1]});
    const auto crossed = fd::crossings(y, level);
    REQUIRE(crossed.size() == problem.at("crossings").size());
    for (std::size_t i = 0; i < crossed.size(); ++i) {
      const json& expected = problem.at("crossings")[i];
      check_close(crossed[i].time, expected.at("t"), 1e-13);
      CHECK((crossed[i].direction == fd::Direction::up) == (expected.at("direction") == "up"));
      CHECK(crossed[i].jump == expected.at("jump").get<bool>());
    }
  }
}

TEST_CASE("held and linear readings and their distances are those of exact arithmetic") {
  const json& problem = reference().at("modes");
  const Trajectory x = trajectory(problem);
  const Trajectory held = x.held(), line = x.linear();
  for (std::size_t i = 0; i < problem.at("t").size(); ++i) {
    const double t = problem.at("t")[i];
    check_close(*x.value(t), problem.at("polynomial")[i], 1e-15);
    check_close(*held.value(t), problem.at("hold")[i], 0);
    check_close(*line.value(t), problem.at("linear")[i], 1e-15);
  }
  check_close(*fd::integral(held, {0, 6}).value, problem.at("integral_hold_0_6"), 0);
  check_close(fd::l1_distance(x, held, {0, 6}), problem.at("l1_distance_hold"), 1e-15);
  check_close(std::pow(fd::l2_distance(x, held, {0, 6}), 2), 151.0 / 12, 1e-15);
  check_close(fd::linf_distance(x, held, {0, 6}), problem.at("linf_distance_hold"), 0);
}

TEST_CASE("a streamed grid point comes out as soon as it is final and not before") {
  const json& problem = reference().at("streaming");
  const Events list = events(reference().at("trajectories").at("seed").at("events"));
  fd::Interpolator<> live;
  fd::StreamingResampler<> resampler(problem.at("grid").at("t0").get<double>(),
                                     problem.at("grid").at("dt").get<double>());
  std::size_t next = 0;
  for (const json& step : problem.at("steps")) {
    INFO(step.dump());
    if (step.contains("push")) {
      REQUIRE(list[next].time() == step.at("push").get<double>());
      live.push(list[next++]);
    } else if (step.contains("push_value_at")) {
      const double t = step.at("push_value_at");
      live.push(fd::from_taylor(t, {*live.value(t)}));
    } else if (step.contains("advance_to")) {
      live.advance_to(step.at("advance_to"));
    } else {
      live.finish(step.at("finish"));
    }
    json final = json::array();
    resampler.emit(live, [&](double t, std::optional<double> x) { final.push_back({t, x.value()}); });
    CHECK(final == step.at("final"));
  }
}

TEST_CASE("a late event takes back what comes after it") {
  const json& problem = reference().at("rollback");
  fd::Interpolator<> live({.late = fd::LateEvent::rollback});
  for (const Event& event : events(problem.at("events"))) live.push(event);
  live.push(events(json::array({problem.at("then_push")})).front());
  const Trajectory y = live.trajectory();
  CHECK(std::vector<double>(y.knots().begin(), y.knots().end()) ==
        problem.at("remaining_event_times").get<std::vector<double>>());
  for (const json& query : problem.at("queries")) CHECK(live.value(query[0].get<double>()) == query[1].get<double>());
  CHECK(live.value(2, fd::Side::left) == problem.at("left_limit_at_2").get<double>());
}

TEST_CASE("conversions are exact where the reference is") {
  for (const json& problem : reference().at("conversions")) {
    INFO(problem.dump());
    std::vector<double> made;
    const auto take = [&](const auto& c) { made.assign(c.begin(), c.end()); };
    if (problem.contains("derivatives")) {
      take(fd::from_derivatives(0.0, problem.at("derivatives").get<std::vector<double>>()).coefficients());
    } else if (problem.contains("integrator_state")) {
      const auto u = problem.at("integrator_inputs").get<std::vector<double>>();
      take(fd::from_integrator(0.0, problem.at("integrator_state").get<double>(), {u[0], u[1], u[2]}).coefficients());
    } else if (problem.contains("hermite")) {
      const json& h = problem.at("hermite");
      const Trajectory y = fd::from_hermite(fd::Hermite<>{h.at("t"), h.at("y"), h.at("dy")});
      take(y.coefficients(0));
      CHECK(fd::highest_power_first(y, 0) == problem.at("highest_power_first").get<std::vector<double>>());
    } else {
      const json& shift = problem.at("shift");
      const Trajectory y{{fd::from_taylor(0.0, shift.at("taylor").get<std::vector<double>>())}};
      for (std::size_t k = 0; k < 4; ++k)
        made.push_back(*y.derivative(shift.at("by").get<double>(), k) / std::tgamma(static_cast<double>(k) + 1));
    }
    CHECK(made == problem.at("taylor").get<std::vector<double>>());
  }
}

namespace {

/// Every number that the reference has about the signals of one run.
void check_run(const json& run) {
  INFO(run.at("name"));
  const double end = run.at("t_end");
  for (const json& signal : run.at("signals")) {
    const fd::TrajectoryOptions<> options{.end = end};
    const Trajectory x{events(signal.at("segments")), options};
    const Trajectory q{events(signal.at("normal_port"), "q"), options};
    const Trajectory step = q.truncated(0);
    double worst = 0;
    const auto compare = [&](double value, double expected) {
      worst = std::max(worst, std::abs(value - expected) / std::max(1.0, std::abs(expected)));
    };
    for (const json& point : signal.at("grid")) {
      const double t = point.at("t");
      compare(x.value(t).value(), point.at("x"));
      compare(x.derivative(t).value(), point.at("dx"));
      compare(x.derivative(t, 2).value(), point.at("d2x"));
      compare(q.value(t).value(), point.at("q"));
      compare(step.value(t).value(), point.at("step"));
    }
    CHECK(worst <= 1e-13);
    worst = 0;
    for (const json& window : signal.value("window_integrals", json::array())) {
      const fd::Window<double> w{window.at("a"), window.at("b")};
      compare(*fd::integral(x, w).value, window.at("integral"));
      compare(*fd::mean(x, w).value, window.at("mean"));
    }
    CHECK(worst <= 1e-13);
    for (const json& level : signal.value("level_crossings", json::array())) {
      INFO(level.dump());
      const auto expected = level.at("times").get<std::vector<double>>();
      const auto crossed = fd::crossings(x, level.at("level").get<double>());
      const auto met = x.solve(level.at("level"));
      REQUIRE(crossed.size() == expected.size());
      std::vector<double> passed;
      for (const auto& point : met.points)
        if (point.kind == fd::Meeting::up || point.kind == fd::Meeting::down) passed.push_back(point.time);
      REQUIRE(passed.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        check_close(crossed[i].time, expected[i], 1e-9);
        check_close(passed[i], expected[i], 1e-9);
      }
    }
    // A continuous state: what jumps there are is rounding of the file.
    CHECK(x.jumps(1e-9).empty());
  }
}

}  // namespace

TEST_CASE("segments of nine runs give the values and integrals and crossings of the reference") {
  const json all = read(FIDELITY_TEST_DATA "/qss/qss_reference_small.json");
  CHECK(all.at("cases").size() == 9);
  for (const json& run : all.at("cases")) check_run(run);
}

TEST_CASE("segments of all runs give the values and integrals and crossings of the reference") {
  std::ifstream file(FIDELITY_SHARED "/reference/qss_reference.json");
  if (!file) {
    WARN("skipped: ../shared/reference/qss_reference.json is not there");
    return;
  }
  const json all = json::parse(file);
  CHECK(all.at("cases").size() == 38);
  for (const json& run : all.at("cases")) check_run(run);
}

TEST_CASE("events at one time and cut orders give the vectors of the reference") {
  const json all = read(FIDELITY_TEST_DATA "/qss/qss_reference_small.json");
  for (const json& problem : all.at("interpolator_vectors")) {
    const std::size_t order = problem.at("order");
    INFO("order " << order);
    const Trajectory y{events(problem.at("events")), {.order = order}};
    for (const json& point : problem.at("right")) {
      check_close(*y.value(point.at("t")), point.at("y"), 1e-14);
      check_close(*y.derivative(point.at("t")), point.at("dy"), 1e-14);
      check_close(*y.derivative(point.at("t"), 2), point.at("d2y"), 1e-14);
    }
    for (const json& point : problem.at("left_limits")) {
      check_close(*y.value(point.at("t"), fd::Side::left), point.at("y_left"), 1e-14);
      check_close(*y.derivative(point.at("t"), 1, fd::Side::left), point.at("dy_left"), 1e-14);
    }
  }
}
