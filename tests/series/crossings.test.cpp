// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/series_oracle.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
using Crossings = std::vector<fd::Crossing<double>>;
constexpr auto hold = fd::Interpolation::hold;
constexpr auto up = fd::Direction::up;
constexpr auto down = fd::Direction::down;

namespace {
Series events(std::vector<double> times, std::vector<double> values) {
  return {std::move(times), std::move(values), {.duplicates = fd::Duplicates::event}};
}
Series line(std::vector<double> times, std::vector<double> values) { return {std::move(times), std::move(values)}; }
Series steps(std::vector<double> times, std::vector<double> values) {
  return {std::move(times), std::move(values), {.interpolation = hold}};
}
/// One polynomial piece on [0, end].
PolynomialSignal<double> polynomial(std::vector<double> coefficients, double end) {
  return from_events<double>({{0.0, std::move(coefficients)}}, end);
}
}  // namespace

TEST_CASE("a straight line crosses a level where it says so") {
  CHECK(fd::crossings(line({0, 4}, {0, 8}), 2) == Crossings{{1, up, false}});
  CHECK(fd::crossings(line({0, 4, 8}, {0, 8, 0}), 2) == Crossings{{1, up, false}, {7, down, false}});
  CHECK(fd::crossings(line({0, 4}, {0, 8}), 9).empty());
}

TEST_CASE("a crossing exactly at a sample is found once") {
  CHECK(fd::crossings(line({0, 1, 2}, {-1, 0, 1}), 0) == Crossings{{1, up, false}});
  CHECK(fd::crossings(line({0, 3, 7}, {0, 0.1, 0.3}), 0.1) == Crossings{{3, up, false}});
}

TEST_CASE("a signal that starts or ends on the level does not cross it there") {
  CHECK(fd::crossings(line({0, 1}, {0, 1}), 0).empty());
  CHECK(fd::crossings(line({0, 1}, {-1, 0}), 0).empty());
}

TEST_CASE("a touch is no crossing") {
  CHECK(fd::crossings(line({0, 1, 2}, {1, 0, 1}), 0).empty());
  CHECK(fd::crossings(line({0, 3, 7}, {0, 0.1, 0.03}), 0.1).empty());
  CHECK(fd::crossings(polynomial({1, -2, 1}, 3), 0).empty());
  CHECK(fd::crossings(polynomial({1, -5, 3, 9}, 1), 0).empty());  // (3 e - 1)^2 (e + 1) touches at 1/3
}

TEST_CASE("a stretch on the level is crossed once and at its begin") {
  CHECK(fd::crossings(line({0, 1, 3, 4}, {-1, 0, 0, 1}), 0) == Crossings{{1, up, false}});
  CHECK(fd::crossings(line({0, 1, 3, 4}, {-1, 0, 0, -1}), 0).empty());
  CHECK(fd::crossings(steps({0, 1, 2, 3}, {3, 2, 2, 1}), 2) == Crossings{{1, down, false}});
}

TEST_CASE("a held signal jumps over a level at a stamp") {
  CHECK(fd::crossings(steps({0, 1, 2}, {0, 2, 0}), 1) == Crossings{{1, up, true}, {2, down, true}});
  CHECK(fd::crossings(steps({0, 1, 2}, {0, 2, 3}), 2) == Crossings{{1, up, false}});
  CHECK(fd::crossings(steps({0, 1}, {1, 1 + 4e-16}), 1 + 2e-16).size() == 1);
  CHECK(fd::crossings(steps({0, 1}, {1, 1 + 4e-16}), 1 + 2e-16)[0].jump);
}

TEST_CASE("an event over the level is a jump and one beside it is none") {
  CHECK(fd::crossings(events({0, 1, 1, 2}, {0, 0, 2, 2}), 1) == Crossings{{1, up, true}});
  CHECK(fd::crossings(events({0, 1, 1, 2}, {0, 0.5, 0.75, 2}), 1).size() == 1);
  CHECK_FALSE(fd::crossings(events({0, 1, 1, 2}, {0, 0.5, 0.75, 2}), 1)[0].jump);
  CHECK(fd::crossings(events({0, 1, 1, 2}, {2, 1, 1, 2}), 1).empty());
  CHECK(fd::crossings(events({0, 3, 3, 4}, {0, 0.1, 0.5, 0.5}), 0.1) == Crossings{{3, up, true}});
}

TEST_CASE("across a gap nothing is reported") {
  CHECK(fd::crossings(line({0, 1, 2, 3, 4}, {-1, -1, bad, 1, 1}), 0).empty());
  CHECK(fd::crossings(steps({0, 1, 2}, {-1, bad, 1}), 0).empty());
  CHECK(fd::crossings(Series({0, 1, 9, 10}, {-1, -1, 1, 1}, {.max_gap = 2.0}), 0).empty());
  CHECK(fd::crossings(Series({0, 9}, {-1, 1}, {.interpolation = hold, .max_gap = 2.0}), 0).empty());
  CHECK(fd::crossings(line({0, 1, 2, 3}, {-1, 0, bad, 1}), 0).empty());
}

TEST_CASE("a held value that reaches the next sample at its last age has no gap") {
  CHECK(fd::crossings(Series({0, 2}, {-1, 1}, {.interpolation = hold, .max_gap = 2.0}), 0) == Crossings{{2, up, true}});
}

TEST_CASE("an integer time is the nearest tick") {
  const fd::Series<> series({fd::Timestamp{10ns}, fd::Timestamp{13ns}}, {0, 3});
  CHECK(fd::crossings(series, 1.4)[0].time == fd::Timestamp{11ns});
  CHECK(fd::crossings(series, 1.6)[0].time == fd::Timestamp{12ns});
  const fd::Timestamp now{1'700'000'000'000'000'007ns};
  const fd::Series<> late({now, now + 2s}, {-1, 1});
  CHECK(fd::crossings(late, 0)[0].time == now + 1s);
}

TEST_CASE("two crossings in one parabola are found in order") {
  const auto found = fd::crossings(polynomial({1, -2, 1}, 3), 0.25);
  CHECK(found == Crossings{{0.5, down, false}, {1.5, up, false}});
}

TEST_CASE("two crossings that are close together are not taken for a touch") {
  // 2^-50 above the vertex of (e - 1)^2: roots at 1 -+ 2^-25
  const auto found = fd::crossings(polynomial({1, -2, 1}, 3), 0x1p-50);
  REQUIRE(found.size() == 2);
  CHECK(std::abs(found[0].time - (1 - 0x1p-25)) < 1e-15);
  CHECK(std::abs(found[1].time - (1 + 0x1p-25)) < 1e-15);
}

TEST_CASE("two close crossings of a cubic are not taken for a touch") {
  // (e - 1)^2 (e + 1) = 1 - e - e^2 + e^3
  const auto found = fd::crossings(polynomial({1, -1, -1, 1}, 3), 0x1p-49);
  REQUIRE(found.size() == 2);
  CHECK(std::abs(found[1].time - found[0].time - 0x1p-24) < 1e-12);
  CHECK(fd::crossings(polynomial({1, -1, -1, 1}, 3), 0).empty());
  CHECK(fd::crossings(polynomial({1, -1, -1, 1}, 3), -0x1p-49).empty());
}

TEST_CASE("two close crossings are told from a touch also where the products need more digits") {
  // (e - r)^2 - 2^-60 with r = 1 + 2^-30: in plain double the discriminant is 0
  const auto found = fd::crossings(polynomial({1 + 0x1p-29, -2 * (1 + 0x1p-30), 1}, 3), 0);
  REQUIRE(found.size() == 2);
  CHECK(found[0].time == 1);
  CHECK(std::abs(found[1].time - (1 + 0x1p-29)) < 1e-15);
}

TEST_CASE("a touch at a time that is no double is no crossing") {
  for (int k = 3; k < 200; k += 2) {
    // (k e - 1)^2 (e + 1)
    const auto touching =
        polynomial({1, 1.0 - 2 * k, static_cast<double>(k * k - 2 * k), static_cast<double>(k * k)}, 1);
    CHECK(fd::crossings(touching, 0).empty());
  }
}

TEST_CASE("a passage through a triple root is a crossing") {
  CHECK(fd::crossings(polynomial({-1, 3, -3, 1}, 2.5), 0) == Crossings{{1, up, false}});
}

TEST_CASE("rounding at a knot makes neither a jump nor a crossing") {
  // 0.1 * 3 is one unit above 0.3
  const auto after = [](double slope) {
    return fd::crossings(from_events<double>({{0.0, {0, 0.1}}, {3.0, {0.3, slope}}}, 6.0), 0.3);
  };
  CHECK(after(0.1) == Crossings{{3, up, false}});
  CHECK(after(-0.1).empty());
}

TEST_CASE("crossings do not depend on the unit of the values") {
  for (const double unit : {1e-200, 1e-160, 1e160, 1e200}) {
    const auto found = fd::crossings(polynomial({1 * unit, -2 * unit, 1 * unit}, 3), 0.25 * unit);
    REQUIRE(found.size() == 2);
    CHECK(found[0].time == Approx(0.5));
    CHECK(found[1].time == Approx(1.5));
  }
}

TEST_CASE("all roots of a polynomial of degree seven are found") {
  // e (e-1) (e-2) ... (e-6), shifted by 1/2 so that all seven roots lie inside
  std::vector<double> c{1};
  for (int k = 0; k < 7; ++k) {
    c.insert(c.begin(), 0.0);
    for (std::size_t i = 0; i + 1 < c.size(); ++i) c[i] -= (k + 0.5) * c[i + 1];
  }
  const auto found = fd::crossings(polynomial(c, 8), 0);
  REQUIRE(found.size() == 7);
  for (std::size_t k = 0; k < 7; ++k) {
    CHECK(found[k].time == Approx(static_cast<double>(k) + 0.5).epsilon(1e-12));
    CHECK(found[k].direction == (k % 2 == 0 ? up : down));
  }
}

TEST_CASE("a root at the end of a piece belongs to the next piece") {
  // 1 - e^2 from 0 to 1, then on down, back up, or flat
  const auto after = [](std::vector<double> next) {
    return fd::crossings(from_events<double>({{0.0, {1, 0, -1}}, {1.0, std::move(next)}}, 2.0), 0);
  };
  CHECK(after({0, -2}) == Crossings{{1, down, false}});
  CHECK(after({0, 2}).empty());
  CHECK(after({0}).empty());
  CHECK(after({-1}) == Crossings{{1, down, true}});
  CHECK(after({0.5}).empty());
}

TEST_CASE("a level that is not finite is refused") {
  for (const double level : {bad, infinity})
    require_rule(
        fd::Rule::bad_parameter,
        [&] {
          (void)fd::crossings(line({0, 1}, {0, 1}), level);
        },
        "crossings", "level");
}

namespace {
template <class Time>
void check_random_crossings(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<Time> times;
    std::vector<double> values;
    std::int64_t t = random.integer(-50, 50);
    for (auto n = random.integer(1, 25); n > 0; --n) {
      times.push_back(tick<Time>(t));
      values.push_back(random.integer(0, 9) == 0 ? bad : static_cast<double>(random.integer(-3, 3)));
      const bool repeated = times.size() > 1 && times.back() == times[times.size() - 2];
      if (random.integer(0, 4) != 0 || repeated) t += random.integer(1, 5);
    }
    fd::SeriesOptions<Time> options{.duplicates = fd::Duplicates::event};
    if (random.integer(0, 1) == 0) options.interpolation = hold;
    if (random.integer(0, 1) == 0) options.max_gap = tick<Time>(random.integer(1, 5)) - Time{};
    const fd::Series<double, Time> series(times, values, options);
    const double level = static_cast<double>(random.integer(-6, 6)) / 2;

    const Real step = 1.0L / 64;
    const auto expected = naive_crossings(NaiveSeries(series).known(-1000, 1000), level, step);
    const auto found = fd::crossings(series, level);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK((found[k].direction == up) == expected[k].up);
      const Real rounding = std::same_as<Time, double> ? 0 : 0.5L;
      CHECK(std::abs(NaiveSeries::plain(found[k].time - Time{}) - expected[k].time) <= step + rounding);
    }
  }
}
}  // namespace

TEST_CASE("crossings agree with looking at the signal step by step") {
  check_random_crossings<double>(2);
  check_random_crossings<std::chrono::sys_seconds>(3);
  check_random_crossings<fd::Timestamp>(4);
}

namespace {
/// x' = (10 - q) / 2 in steps of a tenth, as a simulator of order 1 sends it: the value after each step is exact and
/// the stamp is rounded.
template <class Time>
PolynomialSignal<Time> stepping(Time t) {
  std::vector<std::pair<Time, std::vector<double>>> events;
  for (int k = 0; k <= 94; ++k) {
    const double x = 0.1 * k, slope = 0.5 * (10 - x);
    events.push_back({t, {x, slope}});
    t = fd::detail::offset("test", t, 0.1 / slope);
  }
  return from_events<Time>(events, t);
}
template <class Time>
void check_crossed_once(Time start) {
  const auto signal = stepping(start);
  for (std::size_t k = 1; k <= 94; ++k) {
    const double exact = signal.pieces[k].coefficients[0];
    for (const double level : {exact, std::nextafter(exact, 100), std::nextafter(exact, -100)}) {
      const auto found = fd::crossings(signal, level);
      REQUIRE(found.size() == 1);
      CHECK(found[0].direction == up);
      CHECK_FALSE(found[0].jump);
    }
  }
}
}  // namespace

TEST_CASE("a passage at a knot with a rounded stamp is one crossing and no jump") {
  for (const double start : {0.0, 10.0, 86400.0, 1e6, 1e9}) check_crossed_once(start);
  check_crossed_once(fd::Timestamp{});
  check_crossed_once(fd::Timestamp{1'700'000'000s});
}

TEST_CASE("a jump is told from the rounding of a stamp") {
  const double t = 1e9, slope = 5;
  const auto after = [&](double gap) {
    return fd::crossings(from_events<double>({{t, {-slope, slope}}, {t + 1, {gap, slope}}}, t + 2), gap / 2);
  };
  CHECK(after(1e-7) == Crossings{{t + 1, up, false}});  // less than one unit in the last place of the stamp
  CHECK(after(1e-3) == Crossings{{t + 1, up, true}});
  // Also where a sample series with coarse ticks jumps by less than its slope in one tick.
  using Second = std::chrono::sys_seconds;
  const fd::Series<double, Second> series({Second{0s}, Second{1s}, Second{1s}, Second{2s}}, {0, 4, 6, 9},
                                          {.duplicates = fd::Duplicates::event});
  CHECK(fd::crossings(series, 5)[0].jump);
}

TEST_CASE("a crossing is found however far the range of numbers is searched") {
  const auto endless = [](std::vector<double> c) {
    return fd::crossings(polynomial(std::move(c), fd::detail::time_limit<double>()), 0);
  };
  const auto found = endless({1, -1, 0, 1e-300});
  REQUIRE(found.size() == 2);
  CHECK(found[0] == fd::Crossing<double>{1, down, false});
  CHECK(found[1].time == Approx(1e150));
  CHECK(endless({1, -1, 1, 1e-160}).empty());
  REQUIRE(endless({-1, 1, 1, 1e-160}).size() == 1);
  // Where a root may lie beyond the range of numbers there is an error, no answer.
  require_error<fd::Overflow>([&] { (void)endless({1, -1, 1, -1e-160}); }, "range of numbers");
}
