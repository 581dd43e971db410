// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/qss/event_sampler.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/series.hpp>
#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/series_polynomial_signal.hpp"

using namespace fidelity;
using series_test::PolynomialSignal;
using series_test::require_rule;

namespace {

using Signal1 = PolynomialSignal<double>;
using Held = Series<double, double>;

/// The worked scenario of the Interpolator block.
const Signal1 scenario{
    {{{0, 1}, 0, {1, 1}, 1}, {{1, 3}, 1, {2, 1}, 1}, {{3, 4}, 3, {4, 0.5}, 1}, {{4, 6}, 4, {4.5, 1.5}, 1}}};
/// List E4 at order 3: two jumps.
const Signal1 e4{{{{0, 2}, 0, {1, -0.5, 0.25, -0.125}, 3},
                  {{2, 3.5}, 2, {0.5, -1, 0.75, 0.25}, 3},
                  {{3.5, 5}, 3.5, {-1, 0, 0, 2}, 3}}};

struct Row {
  double time;
  std::vector<double> coefficients;
};
template <class Time>
void check_events(const std::vector<TaylorEvent<double, Time>>& events, const std::vector<Row>& expected) {
  REQUIRE(events.size() == expected.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    INFO("event " << k);
    CHECK(std::abs(seconds(events[k].time() - Time{}) - expected[k].time) <= 1e-12);
    for (std::size_t c = 0; c < expected[k].coefficients.size(); ++c)
      CHECK(events[k].coefficient(c) == Approx(expected[k].coefficients[c]).epsilon(1e-13).margin(1e-13));
    CHECK(events[k].kind() == (k == 0 ? EventKind::init : EventKind::internal));
  }
}

Signal1 random_signal(detail::Random& random, bool jumps) {
  const auto uniform = [&] { return 4 * random.uniform() - 2; };
  Signal1 signal;
  double t = 0, value = uniform();
  for (int k = 0; k < 12; ++k) {
    const double length = 0.05 + random.uniform();
    Segment<double> piece{{t, t + length}, t, {value, uniform(), uniform(), uniform()}, 3};
    signal.pieces.push_back(piece);
    t += length;
    value = piece.at(length) + (jumps && random.uniform() < 0.3 ? uniform() : 0);
    signal.pieces.back().window.end = t;
  }
  return signal;
}

}  // namespace

TEST_CASE("a level sampler sends the start and then each new level") {
  check_events(LevelSampler{.quantum = 1}(scenario).events, {{0, {1, 1}},
                                                             {1, {2, 1}},
                                                             {2, {3, 1}},
                                                             {3, {4, 0.5}},
                                                             {13.0 / 3, {5, 1.5}},
                                                             {5, {6, 1.5}},
                                                             {17.0 / 3, {7, 1.5}}});
  const auto held = LevelSampler{.quantum = 1, .order = 0}(scenario);
  CHECK(held.derivatives == DerivativeSource::polynomials);
  for (const auto& event : held.events) CHECK(event.order() == 0);
}

TEST_CASE("a time sampler sends value and derivatives at each point up to the end") {
  const auto sampled = TimeSampler{0.0, 1.0, 3}(e4);
  check_events(sampled.events, {{0, {1, -0.5, 0.25, -0.125}},
                                {1, {0.625, -0.375, -0.125, -0.125}},
                                {2, {0.5, -1, 0.75, 0.25}},
                                {3, {0.5, 1.25, 1.5, 0.25}},
                                {4, {-0.75, 1.5, 3, 2}},
                                {5, {5.75, 13.5, 9, 2}}});
  CHECK(sampled.derivatives == DerivativeSource::polynomials);
  const auto late = TimeSampler{0.5, 2, 1}(e4).events;
  check_events(late, {{0.5, {0.796875, -0.34375}}, {2.5, {0.21875, -0.0625}}, {4.5, {1, 6}}});
  for (const auto& event : late) CHECK(event.order() == 1);
}

TEST_CASE("a time sampler does not let its points drift") {
  const Held line({0, 1000}, {0, 1000}, {.interpolation = Interpolation::linear});
  const auto events = TimeSampler{0.0, 0.1, 0}(line).events;
  REQUIRE(events.size() == 10001);
  for (std::size_t k = 0; k + 1 < events.size(); ++k) CHECK(events[k].time() == static_cast<double>(k) * 0.1);
  CHECK(events.back().time() == 1000);
}

TEST_CASE("a trigger sampler extrapolates from the event before") {
  const auto sampled = TriggerSampler{.order = 3}(e4, {0.25, 2, 2, 3, 5});
  check_events(sampled.events, {{0.25, {0.888671875, -0.3984375, 0.15625, -0.125}},
                                {2, {0.5, -1, 0.75, 0.25}},
                                {2, {0.5, -1, 0.75, 0.25}},
                                {3, {0.5, 1.25, 1.5, 0.25}},
                                {5, {5.75, 13.5, 9, 2}}});
}

TEST_CASE("a formula is sampled with its derivatives by jets") {
  const auto formula = [](const auto& t) { return sin(2.0 * t); };
  const auto sampled = TimeSampler{0.0, 0.25, 3}(formula, 2.0);
  REQUIRE(sampled.events.size() == 9);
  CHECK(sampled.derivatives == DerivativeSource::jets);
  for (const auto& event : sampled.events) {
    const double a = 2 * event.time();
    CHECK(event.coefficient(0) == Approx(std::sin(a)).margin(1e-14));
    CHECK(event.coefficient(1) == Approx(2 * std::cos(a)).margin(1e-14));
    CHECK(event.coefficient(2) == Approx(-2 * std::sin(a)).margin(1e-14));
    CHECK(event.coefficient(3) == Approx(-8 * std::cos(a) / 6).margin(1e-14));
  }
  CHECK(TriggerSampler{1}(formula, {0.5}).events[0].coefficient(1) == Approx(2 * std::cos(1.0)));
}

TEST_CASE("a level that is reached again right away makes no second event") {
  // Up to 1 and back to 0.2, up to 1 again: the level 1 is still that of the last event.
  const Held wave({0, 1, 2, 3, 4}, {0, 1, 0.2, 1.4, -0.5}, {.interpolation = Interpolation::linear});
  const auto events = LevelSampler{.quantum = 1}(wave).events;
  REQUIRE(events.size() == 3);
  CHECK(events[1].time() == 1);
  CHECK(events[2].coefficient(0) == 0);
}

TEST_CASE("a jump over levels makes one event with the value after it") {
  const Held steps({0, 1, 2, 3, 4}, {0.2, 3.7, 3.9, 4.1, 4.1}, {.interpolation = Interpolation::hold});
  const auto events = LevelSampler{.quantum = 1, .order = 0}(steps).events;
  check_events(events, {{0, {0.2}}, {1, {3.7}}, {3, {4.1}}});
}

TEST_CASE("a touch and the very end of a signal count as reached") {
  const Signal1 hill{{{{0, 2}, 1, {1, 0, -0.5}, 2}}};  // 0.5, 1 at its top, 0.5
  check_events(LevelSampler{.quantum = 1}(hill).events, {{0, {0.5}}, {1, {1, 0, -0.5}}});
  const Held line({0, 3}, {0.5, 2}, {.interpolation = Interpolation::linear});
  check_events(LevelSampler{.quantum = 1}(line).events, {{0, {0.5}}, {1, {1}}, {3, {2}}});
}

TEST_CASE("the offset is one of the levels") {
  const Held line({0, 4}, {0, 1}, {.interpolation = Interpolation::linear});
  check_events(LevelSampler{.quantum = 0.5, .offset = 0.125}(line).events, {{0, {0}}, {0.5, {0.125}}, {2.5, {0.625}}});
}

TEST_CASE("levels that are held stay within one quantum of any signal") {
  detail::Random random(4);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Signal1 signal = random_signal(random, repeat % 2 == 1);
    const double quantum = 0.03 + random.uniform(), offset = random.uniform();
    const auto events = LevelSampler{.quantum = quantum, .offset = offset, .order = 0}(signal).events;
    const double end = signal.pieces.back().window.end;
    for (std::size_t k = 1; k < events.size(); ++k) CHECK(events[k].time() > events[k - 1].time());
    std::size_t last = 0;
    double largest = 0;
    for (int m = 0; m <= 3000; ++m) {
      const double t = std::min(end, end * m / 3000);
      while (last + 1 < events.size() && events[last + 1].time() <= t) ++last;
      largest = std::max(largest, std::abs(signal.value(t).value() - events[last].coefficient(0)));
    }
    CHECK(largest <= quantum * (1 + 1e-12));
    for (const auto& event : events) {
      const double left = signal.value(event.time(), event.time() > 0 ? Side::left : Side::right).value();
      const double right = signal.value(event.time()).value();
      const double value = event.coefficient(0);
      CHECK((std::abs(value - right) < 1e-12 || std::abs(value - left) < 1e-12));
    }
  }
}

TEST_CASE("samplers keep to the ticks of an absolute time") {
  using namespace std::chrono_literals;
  using Minutes = series_test::Minutes;
  const Minutes start{Minutes::duration{27'000'000}};
  const Series<double, Minutes> line({start, start + 60min}, {0, 60}, {.interpolation = Interpolation::linear});
  const auto levels = LevelSampler{.quantum = 20}(line).events;
  REQUIRE(levels.size() == 4);
  CHECK(levels[1].time() == start + 20min);
  CHECK(levels[1].coefficient(1) == Approx(1.0 / 60));
  const auto points = TimeSampler{start, 15min}(line).events;
  REQUIRE(points.size() == 5);
  CHECK(points[3].time() == start + 45min);
  CHECK(points[3].coefficient(0) == 45);
}

TEST_CASE("samplers refuse what they cannot do") {
  const double nan = series_test::bad;
  const Held gap({0, 1, 2, 3}, {1, nan, 1, 1}, {.interpolation = Interpolation::hold});
  require_rule(
      Rule::bad_parameter, [&] { (void)LevelSampler{.quantum = 0}(e4); }, "quantum");
  require_rule(
      Rule::bad_parameter, [&] { (void)LevelSampler{.quantum = nan}(e4); }, "quantum");
  require_rule(
      Rule::bad_parameter, [&] { (void)LevelSampler{.quantum = 1e-17}(e4); }, "rounding");
  require_rule(
      Rule::bad_parameter, [&] { (void)LevelSampler{.quantum = 1, .offset = nan}(e4); }, "offset");
  require_rule(
      Rule::bad_parameter, [&] { (void)LevelSampler{.quantum = 1, .order = 8}(e4); }, "0 to 7");
  require_rule(
      Rule::window_outside, [&] { (void)LevelSampler{.quantum = 1}(gap); }, "missing from 1 s");
  require_rule(
      Rule::window_outside,
      [&] {
        (void)TimeSampler{0.0, 0.5}(gap);
      },
      "missing at 1 s");
  require_rule(
      Rule::window_outside,
      [&] {
        (void)TimeSampler{-1.0, 0.5}(e4);
      },
      "missing at -1 s");
  require_rule(
      Rule::window_outside, [&] { (void)TriggerSampler{}(e4, {5.5}); }, "missing at 5.5 s");
  require_rule(
      Rule::time_not_increasing,
      [&] {
        (void)TriggerSampler{}(e4, {2, 1});
      },
      "times[1]");
  require_rule(
      Rule::bad_parameter, [&] { (void)TimeSampler(0.0, 0.0); }, "step must be positive");
  require_rule(
      Rule::bad_parameter, [&] { (void)TimeSampler(0.0, 1.0, 8); }, "0 to 7");
}

TEST_CASE("a level sampler says of one event without an end that the end is what is missing") {
  require_rule(
      Rule::empty,
      [] {
        (void)LevelSampler{.quantum = 0.5}(Trajectory<>{{from_taylor(0.0, {0, 1})}});
      },
      "has no end");
}
