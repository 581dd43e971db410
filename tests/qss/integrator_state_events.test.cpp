// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <fidelity/qss/integrator.hpp>
#include "catch.hpp"
#include "reference/integrator_oracle.hpp"
#include "reference/series_helpers.hpp"

using namespace fidelity;
using series_test::require_rule;

namespace {

// Height and velocity of a ball that falls and loses a fifth of its speed in each bounce.
const auto ball = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : std::decay_t<decltype(q[1])>(-9.81); };
const StateEvents bounce{1, [](std::size_t, const auto& q) { return q[0]; },
                         [](std::size_t, std::span<double> x) { x[1] *= -0.8; }};

std::vector<double> times_of(const std::vector<TaylorEvent<>>& events, EventKind kind) {
  std::vector<double> times;
  for (const auto& event : events)
    if (event.kind() == kind) times.push_back(event.time());
  return times;
}

}  // namespace

TEST_CASE("a bouncing ball hits the ground at the times of its closed form") {
  std::vector<double> exact{std::sqrt(20 / 9.81)};
  for (double v = 9.81 * exact[0] * 0.8; exact.size() < 8; v *= 0.8) exact.push_back(exact.back() + 2 * v / 9.81);
  for (std::size_t order = 2; order <= 3; ++order) {
    const QssRun run = simulate(ball, {10, 0}, {.order = order, .quantum = 1e-5, .end = exact.back() + 0.1}, bounce);
    const auto hits = times_of(run.states[1], EventKind::reset);
    REQUIRE(hits.size() == exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k)
      CHECK(hits[k] == Approx(exact[k]).epsilon(order == 3 ? 1e-12 : 1e-4));
    CHECK(times_of(run.states[0], EventKind::reset).empty());  // the height does not jump
    CHECK(times_of(run.quantised[1], EventKind::reset) == hits);
  }
}

TEST_CASE("a first order run notices a state event when a quantised state changes") {
  const QssRun run = simulate(ball, {10, 0}, {.order = 1, .quantum = 1e-3, .end = 2}, bounce);
  const auto hits = times_of(run.states[1], EventKind::reset);
  REQUIRE(hits.size() == 1);
  CHECK(hits[0] == Approx(std::sqrt(20 / 9.81)).epsilon(1e-3));
}

TEST_CASE("a relay switches at its thresholds and the run follows") {
  // A heater: the state 1 is 1 or 0; on below 19 degrees, off above 21.
  const auto room = [](std::size_t i, const auto& q) {
    return i == 0 ? 30.0 * q[1] + 10.0 - q[0] : std::decay_t<decltype(q[0])>(0.0);
  };
  const StateEvents thermostat{2, [](std::size_t k, const auto& q) { return k == 0 ? q[0] - 19 : 21 - q[0]; },
                               [](std::size_t k, std::span<double> x) { x[1] = k == 0 ? 1 : 0; }};
  const QssRun run = simulate(room, {20, 0}, {.quantum = 1e-6, .end = 3}, thermostat);
  const auto switched = times_of(run.states[1], EventKind::reset);
  double t = std::log(10.0 / 9);
  REQUIRE(switched.size() > 6);
  for (std::size_t k = 0; k < switched.size(); ++k) {
    CHECK(switched[k] == Approx(t).epsilon(1e-4));
    t += k % 2 == 0 ? std::log((40.0 - 19) / (40 - 21)) : std::log(11.0 / 9);
  }
}

TEST_CASE("a guard may read the time") {
  const auto rest = [](std::size_t, const auto& q) { return 0.0 * q[0]; };
  const StateEvents at_two{1, [](std::size_t, const auto& q) { return 2.0 - q.time(); },
                           [](std::size_t, std::span<double> x) { x[0] = 5; }};
  for (std::size_t order = 1; order <= 3; ++order) {
    const QssRun run = simulate(rest, {1}, {.order = order, .quantum = 0.1, .start = 1, .end = 4}, at_two);
    CHECK(times_of(run.states[0], EventKind::reset) == std::vector<double>{2});
    CHECK(integrator_test::value_at(run.states[0], 1.999) == 1);
    CHECK(integrator_test::value_at(run.states[0], 2) == 5);
  }
}

TEST_CASE("a guard falls also where its first coefficients show nothing of it") {
  const auto clock = [](std::size_t, const auto& q) { return 1.0 + 0.0 * q[0]; };
  const auto to_zero = [](std::size_t, std::span<double> x) { x[0] = 0; };
  for (std::size_t order = 2; order <= 3; ++order) {
    const auto check = [&](auto guard, double period, double end) {
      const StateEvents events{1, [=](std::size_t, const auto& q) { return guard(q[0]); }, to_zero};
      const auto times = times_of(simulate(clock, {0}, {.order = order, .quantum = 1e-3, .end = end}, events).states[0],
                                  EventKind::reset);
      INFO("order " << order << " period " << period);
      REQUIRE(times.size() == static_cast<std::size_t>(end / period));
      for (std::size_t k = 0; k < times.size(); ++k)
        CHECK(times[k] == Approx(static_cast<double>(k + 1) * period).epsilon(1e-13));
    };
    check([](const auto& x) { return 16.0 - pow(x, 4); }, 2, 5);
    check([](const auto& x) { return 128.0 - pow(x, 7); }, 2, 5);
    check([](const auto& x) { return cos(x); }, std::acos(0.0), 5);
    check([](const auto& x) { return 100.0 - exp(x); }, std::log(100.0), 10);
    // Below zero for a thousandth of its period only: pi + asin(1 - 1e-5) before the next deepest point.
    check([](const auto& x) { return sin(10.0 * x) + (1 - 1e-5); }, (std::acos(-1.0) + std::asin(1 - 1e-5)) / 10, 5);
    // Touches zero, but does not fall through it.
    check([](const auto& x) { return 1.00001 + sin(10.0 * x) - 0.0 * x; }, 100, 5);
  }
}

TEST_CASE("a guard that starts below zero fires when it has risen and falls again") {
  const auto clock = [](std::size_t, const auto& q) { return 1.0 + 0.0 * q[0]; };
  const StateEvents hump{1, [](std::size_t, const auto& q) { return sin(q[0]) - 0.5; },
                         [](std::size_t, std::span<double> x) { x[0] = 10; }};
  for (std::size_t order = 2; order <= 3; ++order) {
    const QssRun run = simulate(clock, {0}, {.order = order, .quantum = 1e-3, .end = 9}, hump);
    const auto times = times_of(run.states[0], EventKind::reset);
    REQUIRE(times.size() == 2);
    const double down = std::acos(-1.0) - std::asin(0.5);
    CHECK(times[0] == Approx(down).epsilon(1e-13));
    CHECK(times[1] == Approx(down + (down + 4 * std::acos(-1.0) - 10)).epsilon(1e-12));
  }
}

TEST_CASE("state events that come closer and closer without end are an error") {
  for (std::size_t order = 1; order <= 3; ++order)
    for (const double part : {0.5, 0.8}) {
      const StateEvents damped{1, [](std::size_t, const auto& q) { return q[0]; },
                               [=](std::size_t, std::span<double> x) { x[1] *= -part; }};
      const double limit = std::sqrt(20 / 9.81) * (1 + 2 * part / (1 - part));
      INFO("order " << order << " restitution " << part);
      require_rule(
          Rule::bad_parameter,
          [&] {
            (void)simulate(ball, {10, 0}, {.order = order, .quantum = 1e-3, .end = 60}, damped);
          },
          "state events accumulate at", order == 3 ? to_text(limit).substr(0, 5) : "guards[0]");
    }
  // A guard of its own lets it come to rest: slow and low, the ball stays.
  const auto resting = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : (i == 1 ? -9.81 : 0.0) * q[2]; };
  const StateEvents comes_to_rest{1, [](std::size_t, const auto& q) { return q[0]; },
                                  [](std::size_t, std::span<double> x) {
                                    x[1] *= -0.5;
                                    if (x[1] < 1e-3) x[0] = x[1] = x[2] = 0;
                                  }};
  const QssRun run = simulate(resting, {10, 0, 1}, {.quantum = 1e-6, .end = 60}, comes_to_rest);
  CHECK(std::abs(integrator_test::value_at(run.states[0], 60)) < 1e-6);
}

TEST_CASE("a guard that is not linear fires where it vanishes and not where its cut polynomial does") {
  const auto grow = [](std::size_t, const auto& q) { return 0.1 * q[0]; };
  const StateEvents at_volume{1, [](std::size_t, const auto& q) { return 8.0 - q[0] * q[0] * q[0]; },
                              [](std::size_t, std::span<double> x) { x[0] = 1; }};
  const QssRun run = simulate(grow, {1}, {.quantum = 1e-9, .end = 20}, at_volume);
  const auto times = times_of(run.states[0], EventKind::reset);
  REQUIRE(times.size() == 2);
  CHECK(times[0] == Approx(10 * std::log(2.0)).epsilon(1e-7));
  CHECK(times[1] == Approx(20 * std::log(2.0)).epsilon(1e-7));
}

TEST_CASE("state events that never end or give no number are errors") {
  const auto fall = [](std::size_t, const auto& q) { return -1.0 + 0.0 * q[0]; };
  const StateEvents flip{2, [](std::size_t k, const auto& q) { return k == 0 ? q[0] : -q[0]; },
                         [](std::size_t k, std::span<double> x) { x[0] = k == 0 ? -1 : 1; }};
  CHECK_NOTHROW(simulate(fall, {1}, {.quantum = 0.1, .end = 4}, flip));
  // Here each of two guards sets off the other.
  const StateEvents flop{2, [](std::size_t k, const auto& q) { return q[k]; },
                         [](std::size_t k, std::span<double> x) { x[k] = 1, x[1 - k] = -1; }};
  require_rule(
      Rule::bad_parameter,
      [&] {
        (void)simulate(fall, {1, 2}, {.quantum = 0.1, .end = 4}, flop);
      },
      "state events without end");
  const StateEvents broken{1, [](std::size_t, const auto& q) { return q[0]; },
                           [](std::size_t, std::span<double> x) { x[0] = series_test::bad; }};
  require_rule(
      Rule::value_not_finite, [&] { (void)simulate(fall, {1}, {.quantum = 0.1, .end = 4}, broken); }, "reset",
      "state 0 at 1 s");
  const StateEvents unknown{1, [](std::size_t, const auto& q) { return log(q[0] - 2); },
                            [](std::size_t, std::span<double>) {}};
  require_rule(
      Rule::value_not_finite, [&] { (void)simulate(fall, {1}, {.quantum = 0.1, .end = 4}, unknown); }, "guards[0]");
}
