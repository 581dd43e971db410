// SPDX-License-Identifier: MIT
// Random event lists with bursts and jumps against a naive oracle; roots of polynomials built from roots.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "reference/trajectory_oracle.hpp"

#include <fidelity/qss/trajectory.hpp>
#include <fidelity/qss/trajectory_arithmetic.hpp>
#include <fidelity/qss/trajectory_shape.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

using namespace qss_test;
using Trajectory = fd::Trajectory<>;
using fd::Meeting;
using Points = std::vector<fd::LevelTimes<double>::Point>;
constexpr auto left = fd::Side::left;
constexpr auto right = fd::Side::right;

namespace {

bool same_bits(std::optional<double> a, double b) {
  return a ? std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(b) : std::isnan(b);
}

/// Random times in and around the domain, and the knots themselves.
std::vector<double> query_times(Random& random, const Trajectory& y, std::size_t count) {
  std::vector<double> times(y.knots().begin(), y.knots().end());
  if (y.end()) times.push_back(*y.end());
  const double begin = y.span().begin - 1, end = y.span().end + 1;
  while (times.size() < count) times.push_back(random.real(begin, end));
  for (std::size_t i = times.size(); i > 1; --i)
    std::swap(times[i - 1], times[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
  return times;
}

/// The Taylor coefficients of scale * (e - r1) (e - r2) ...
std::vector<double> from_roots(const std::vector<double>& roots, double scale = 1) {
  std::vector<double> c{scale};
  for (const double r : roots) {
    c.insert(c.begin(), 0.0);
    for (std::size_t k = 0; k + 1 < c.size(); ++k) c[k] -= r * c[k + 1];
  }
  return c;
}
Points met(const std::vector<double>& roots, double end, double scale = 1) {
  return Trajectory{{fd::from_taylor(0.0, from_roots(roots, scale))}, {.end = end}}.solve(0).points;
}

}  // namespace

TEST_CASE("values and derivatives and integrals agree with a search through all events") {
  Random random(1);
  for (int run = 0; run < 40; ++run) {
    const auto order = static_cast<std::size_t>(run % 8);
    const Events events = random_events(random, 30, order);
    const double end = events.back().time() + 1;
    const Trajectory y{events, {.end = end}};
    double worst = 0;
    for (const double t : query_times(random, y, 100)) {
      for (const auto side : {right, left}) {
        for (std::size_t k = 0; k <= 4; ++k) {
          const auto value = y.derivative(t, k, side);
          const auto expected = naive_derivative(events, t, k, side);
          REQUIRE(value.has_value() == (expected.has_value() && t <= end));
          if (value) worst = std::max(worst, std::abs(*value - *expected) / std::max(1.0, std::abs(*expected)));
        }
      }
    }
    CHECK(worst <= 1e-13);
    const double a = random.real(events.front().time(), end), b = random.real(a, end);
    if (!(a < b)) continue;
    const double expected = naive_integral(events, a, b);
    const double scale = (b - a) * (1 + std::max(-*fd::minimum(y, {a, b}).value, *fd::maximum(y, {a, b}).value));
    CHECK(std::abs(*fd::integral(y, {a, b}).value - expected) <= 1e-13 * scale);
    const Trajectory whole = y.order() < 7 ? y.antiderivative() : y.truncated(6).antiderivative();
    if (y.order() < 7) CHECK(std::abs(*whole.value(b) - *whole.value(a) - expected) <= 1e-12 * scale);
    CHECK(whole.jumps(1e-11).empty());
    const Trajectory back = whole.derivative();
    for (double t = a; t < b; t += 0.1) CHECK(*back.value(t) == Approx(*y.truncated(6).value(t)).margin(1e-13));
  }
}

TEST_CASE("many values at once have the bits of single ones in every order and on both sides") {
  Random random(2);
  for (int run = 0; run < 60; ++run) {
    const auto order = static_cast<std::size_t>(run % 6);
    const bool closed = run % 3 != 0;
    const Events events = random_events(random, run % 5 == 0 ? 1 : 300, order, run % 4 == 0 ? 1e9 : -50);
    fd::TrajectoryOptions<> options;
    if (closed) options.end = events.back().time() + (run % 7 == 0 ? 0 : 2);
    if (run % 2 == 0) options.before = options.after = fd::Outside::extrapolate;
    const Trajectory y{events, options};
    std::vector<double> times = query_times(random, y, 1500), out(times.size());
    for (const auto side : {right, left}) {
      bool same = true;
      y.sample(times, out, side);
      for (std::size_t i = 0; i < times.size(); ++i) same = same && same_bits(y.value(times[i], side), out[i]);
      CHECK(same);
      auto sorted = times;
      std::sort(sorted.begin(), sorted.end());
      y.sample(sorted, out, side);
      for (std::size_t i = 0; i < times.size(); ++i) same = same && same_bits(y.value(sorted[i], side), out[i]);
      CHECK(same);
      for (const std::size_t count : {0U, 1U, 7U, 900U}) {
        const fd::Grid<double> grid{y.span().begin - 0.7, (y.span().end - y.span().begin + 1.7) / 890, count};
        std::vector<double> on_grid(count);
        y.sample(grid, on_grid, side);
        for (std::size_t i = 0; i < count; ++i) same = same && same_bits(y.value(grid[i], side), on_grid[i]);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("knots of any spacing are found") {
  Random random(3);
  for (const double growth : {1.0, 1.5, 40.0}) {  // up to all knots but one in one bucket of the index
    Events events;
    double t = 0, step = 1e-6;
    for (int i = 0; i < 180; ++i, t += step, step *= i % 2 == 0 ? growth : 1)
      events.push_back(fd::from_taylor(t, {static_cast<double>(i)}));
    const Trajectory y{events};
    for (std::size_t i = 0; i < y.knots().size(); ++i) {
      const double knot = y.knots()[i];
      CHECK(y.value(knot) == static_cast<double>(i));
      CHECK(y.value(std::nextafter(knot, 1e300)) == static_cast<double>(i));
      if (i > 0) CHECK(y.value(std::nextafter(knot, -1.0)) == static_cast<double>(i) - 1);
    }
  }
}

TEST_CASE("resampling a trajectory gives its values at the stamps") {
  Random random(4);
  const Events events = random_events(random, 50, 3);
  const Trajectory y{events, {.end = events.back().time() + 1}};
  const auto samples = fd::resample(y, fd::Every{0.01});
  for (std::size_t i = 0; i < samples.size(); ++i) CHECK(samples(i) == y.value(samples.time(i)).value());
  CHECK(samples.time(7) == events.front().time() + 7 * 0.01);
  const auto outside = fd::resample(y, fd::Every{0.5}, {events.front().time() - 1, events.front().time() + 1});
  CHECK(std::isnan(outside(0)));
}

TEST_CASE("a shift in time or value and a factor change what they should and nothing else") {
  Random random(5);
  const Events events = random_events(random, 30, 3);
  const Trajectory y{events, {.end = events.back().time() + 1}};
  const fd::Window<double> window{2, 9};
  const Trajectory later = fd::shift(y, 64), higher = y + 0.25, doubled = y * 2.0;
  CHECK(*fd::mean(later, {66, 73}).value == Approx(*fd::mean(y, window).value).epsilon(1e-13));
  CHECK(*fd::mean(higher, window).value == Approx(*fd::mean(y, window).value + 0.25).epsilon(1e-13));
  CHECK(*fd::standard_deviation(higher, window).value ==
        Approx(*fd::standard_deviation(y, window).value).epsilon(1e-13));
  CHECK(*fd::maximum(doubled, window).value == 2 * *fd::maximum(y, window).value);
  CHECK(doubled.solve(0.5).points == y.solve(0.25).points);
  // A start at 1e9 s costs only the resolution of the stamps.
  Events far;
  for (const Event& event : events) {
    const double t = std::round(event.time() * 1024) / 1024;
    far.push_back(fd::TaylorEvent<>("test", t + 1e9, event.coefficients(), event.kind()));
  }
  const Trajectory near = fd::shift(Trajectory{far}, -1e9);
  for (double t = 1; t < 10; t += 0.125) CHECK(near.value(t) == Trajectory{far}.value(t + 1e9));
}

TEST_CASE("a mean lies between minimum and maximum and integrals of parts add up") {
  Random random(6);
  for (int run = 0; run < 30; ++run) {
    const Events events = random_events(random, 20, 5);
    const double begin = events.front().time(), end = events.back().time() + 1, middle = random.real(begin, end);
    const Trajectory y{events, {.end = end}};
    const double whole = *fd::integral(y, {begin, end}).value;
    const double parts = *fd::integral(y, {begin, middle}).value + *fd::integral(y, {middle, end}).value;
    CHECK(parts == Approx(whole).margin(1e-13).epsilon(1e-12));
    const double mean = *fd::mean(y, {begin, end}).value;
    CHECK(*fd::minimum(y, {begin, end}).value <= mean);
    CHECK(mean <= *fd::maximum(y, {begin, end}).value);
  }
}

TEST_CASE("a series and the trajectory through the same points agree") {
  Random random(7);
  std::vector<double> times, values;
  Events lines, steps;
  for (int i = 0; i < 40; ++i) {
    times.push_back(i == 0 ? 0 : times.back() + 0.25 * static_cast<double>(1 << random.integer(0, 3)));  // exact slopes
    values.push_back(static_cast<double>(random.integer(-8, 8)) / 8);
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    steps.push_back(fd::from_taylor(times[i], {values[i]}));
    if (i + 1 == times.size()) break;
    lines.push_back(fd::from_taylor(times[i], {values[i], (values[i + 1] - values[i]) / (times[i + 1] - times[i])}));
  }
  const auto agree = [&](const auto& series, const Trajectory& y) {
    for (int run = 0; run < 50; ++run) {
      const double a = random.real(0, 20), b = a + random.real(0.1, 20);
      const fd::Window<double> window{a, std::min(b, times.back())};
      CHECK(fd::mean(series, window).value == fd::mean(y, window).value);
      CHECK(fd::minimum(series, window).value == fd::minimum(y, window).value);
      CHECK(fd::maximum(series, window).time == fd::maximum(y, window).time);
      CHECK(fd::standard_deviation(series, window).value == fd::standard_deviation(y, window).value);
      CHECK(fd::slope(series, window).value == fd::slope(y, window).value);
    }
    for (const double level : {0.0, 0.25, 0.3}) CHECK(fd::crossings(series, level) == fd::crossings(y, level));
  };
  agree(fd::Series<double, double>(times, values), Trajectory{lines, {.end = times.back()}});
  agree(fd::Series<double, double>(times, values, {.interpolation = fd::Interpolation::hold}), Trajectory{steps});
}

TEST_CASE("roots that a polynomial was built from are found with their kind") {
  CHECK(met({1}, 2) == Points{{1, Meeting::up}});
  CHECK(met({0.25, 0.5}, 2) == Points{{0.25, Meeting::down}, {0.5, Meeting::up}});
  CHECK(met({0.5, 0.5}, 2) == Points{{0.5, Meeting::touch}});
  CHECK(met({0.5, 0.5, 0.5}, 2) == Points{{0.5, Meeting::up}});
  CHECK(met({0.25, 0.5, 1.5}, 2) == Points{{0.25, Meeting::up}, {0.5, Meeting::down}, {1.5, Meeting::up}});
  CHECK(met({0.5, 0.5, 1.5}, 2, -1) == Points{{0.5, Meeting::touch}, {1.5, Meeting::down}});
  CHECK(met({0, 1}, 2) == Points{{0, Meeting::start}, {1, Meeting::up}});
  CHECK(met({1, 2}, 2) == Points{{1, Meeting::down}, {2, Meeting::end}});
  CHECK(met({0, 2}, 2) == Points{{0, Meeting::start}, {2, Meeting::end}});
  CHECK(met({2, 2}, 2) == Points{{2, Meeting::end}});
  CHECK(met({-1, 3}, 2).empty());
  CHECK(met({0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75}, 2).size() == 7);
  CHECK(met({}, 2, 0).empty());
  Random random(8);
  for (int run = 0; run < 200; ++run) {
    std::vector<double> roots(static_cast<std::size_t>(random.integer(1, 7)));
    for (double& r : roots) r = random.real(0.01, 1.99);
    std::sort(roots.begin(), roots.end());
    bool apart = true;
    for (std::size_t i = 1; i < roots.size(); ++i) apart = apart && roots[i] - roots[i - 1] > 0.05;
    if (!apart) continue;
    const Points found = met(roots, 2);
    REQUIRE(found.size() == roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
      CHECK(std::abs(found[i].time - roots[i]) <= 1e-9);
      CHECK(found[i].kind == ((roots.size() - i) % 2 == 1 ? Meeting::up : Meeting::down));
    }
  }
}

TEST_CASE("two roots very close together are both found or merged into a touch") {
  for (const double gap : {1e-3, 1e-6, 0x1p-26}) {
    const Points found = met({0.5, 0.5 + gap}, 2);
    REQUIRE(found.size() == 2);
    CHECK(std::abs(found[1].time - found[0].time - gap) <= 1e-3 * gap + 1e-15 / gap);
  }
  for (const Points& found : {met({0.5, 0.5 + 1e-15}, 2), met({0.5, 0.5 + 1e-9}, 2)}) {
    if (found.size() == 1)
      CHECK(found[0].kind == Meeting::touch);
    else
      CHECK(found.size() % 2 == 0);
  }
}

TEST_CASE("a root at a knot is one root of the piece that begins there") {
  const auto up_through_1 = [](double slope_before, double slope_after) {
    return Trajectory{{fd::from_taylor(0.0, {-slope_before, slope_before}), fd::from_taylor(1.0, {0, slope_after})},
                      {.end = 2.0}}
        .solve(0)
        .points;
  };
  CHECK(up_through_1(1, 0.5) == Points{{1, Meeting::up}});
  CHECK(up_through_1(1, -0.5) == Points{{1, Meeting::touch}});
  CHECK(up_through_1(0.1, 0.3) == Points{{1, Meeting::up}});
  // The left limit meets the level, the new value does not.
  CHECK(Trajectory{{fd::from_taylor(0.0, {-1, 1}), fd::from_taylor(1.0, {1})}, {.end = 2.0}}.solve(0).points.empty());
  // The value jumps over the level, or onto it.
  CHECK(Trajectory{{fd::from_taylor(0.0, {-1}), fd::from_taylor(1.0, {1})}, {.end = 2.0}}.solve(0).points.empty());
  CHECK(Trajectory{{fd::from_taylor(0.0, {-1}), fd::from_taylor(1.0, {0, 1})}, {.end = 2.0}}.solve(0).points ==
        Points{{1, Meeting::up}});
  // At the end the value of an event there counts.
  CHECK(Trajectory{{fd::from_taylor(0.0, {-1, 1}), fd::from_taylor(1.0, {3})}, {.end = 1.0}}.solve(0).points.empty());
  CHECK(Trajectory{{fd::from_taylor(0.0, {-1, 1}), fd::from_taylor(1.0, {0})}, {.end = 1.0}}.solve(0).points ==
        Points{{1, Meeting::end}});
}

TEST_CASE("a passage that rounding hides at a knot is neither lost nor doubled") {
  // Continuous but for the last bits: every piece is the exact continuation, rounded, of one cubic.
  Random random(9);
  for (int run = 0; run < 300; ++run) {
    const double offset = run % 3 == 0 ? 0 : run % 3 == 1 ? 1e3 : 1e8;
    const std::vector<double> c = from_roots({0.3, 0.7, 1.1}, random.real(0.5, 3));
    Events events;
    for (const double t : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3}) {
      const double jitter = run % 2 == 0 ? 0 : random.real(-2e-16, 2e-16);
      std::vector<double> shifted = c;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 3; k-- > i;) shifted[k] += (t + jitter) * shifted[k + 1];
      shifted[0] += offset;
      events.push_back(fd::from_taylor(t, shifted));
    }
    const Trajectory y{events, {.end = 1.5}};
    const auto points = y.solve(offset).points;
    int sum = 0;
    for (const auto& point : points) sum += point.kind == Meeting::up ? 1 : point.kind == Meeting::down ? -1 : 0;
    CHECK(sum == 1);  // from below to above
    CHECK(points.size() <= 3 + (offset > 1e6 ? 6U : 0U));
    int crossed = 0;
    for (const auto& crossing : fd::crossings(y, offset)) crossed += crossing.direction == fd::Direction::up ? 1 : -1;
    CHECK(crossed == 1);
  }
}

TEST_CASE("passages up minus down are the change of side") {
  Random random(10);
  for (int run = 0; run < 200; ++run) {
    const Events events = random_events(random, 15, static_cast<std::size_t>(run % 8));
    const Trajectory y{events, {.end = events.back().time() + 1}};
    const double level = random.real(-1, 1);
    const auto side = [&](double t) { return *y.value(t) > level ? 1 : -1; };
    int passed = 0;
    for (const auto& crossing : fd::crossings(y, level)) passed += crossing.direction == fd::Direction::up ? 2 : -2;
    CHECK(passed == side(*y.end()) - side(y.span().begin));
    // Every meeting is one: and between them, the knots and jumps aside, the side does not change.
    for (const auto& point : y.solve(level).points) CHECK(std::abs(*y.value(point.time) - level) <= 1e-9);
  }
}

TEST_CASE("flat stretches are windows and a passage through one is crossed at its begin") {
  const Trajectory y{{fd::from_taylor(0.0, {-1, 1}), fd::from_taylor(1.0, {0}), fd::from_taylor(2.0, {0, 0, 0}),
                      fd::from_taylor(3.0, {0, 1}), fd::from_taylor(4.0, {1, -1}), fd::from_taylor(5.0, {0, -1})},
                     {.end = 6.0}};
  const auto found = y.solve(0);
  CHECK(found.points == Points{{5, Meeting::down}});
  CHECK(found.flat == std::vector<fd::Window<double>>{{1, 3}});
  CHECK(fd::crossings(y, 0) ==
        std::vector<fd::Crossing<double>>{{1, fd::Direction::up, false}, {5, fd::Direction::down, false}});
  const Trajectory flat{{fd::from_taylor(0.0, {2}), fd::from_taylor(1.0, {2, 1})}, {.end = 2.0}};
  CHECK(flat.solve(2).points.empty());
  CHECK(flat.solve(2).flat == std::vector<fd::Window<double>>{{0, 1}});
}

TEST_CASE("a root with the stamp of a knot or of the end belongs to it") {
  const Event event = fd::from_taylor(1e9, {1e-9 - 1, 1});
  CHECK(Trajectory{{event}, {.end = 1e9 + 1}}.solve(0).points == Points{{1e9 + 1, Meeting::end}});
  CHECK(Trajectory{{event, fd::from_taylor(1e9 + 1, {1e-9, 1})}, {.end = 1e9 + 2}}.solve(0).points ==
        Points{{1e9 + 1, Meeting::up}});
}

TEST_CASE("a root short before a knot stays where it is") {
  // scale (10 - e)^3 + slope (10 - e) + offset, and the same about the next knot.
  const auto falling = [](double start, double scale, double slope, double offset, double length) {
    const double L = length;
    return Events{fd::from_taylor(start, {scale * L * L * L + slope * L + offset, -3 * scale * L * L - slope,
                                          3 * scale * L, -scale}),
                  fd::from_taylor(start + L, {offset, -slope, 0, -scale})};
  };
  const double start = 86400;
  const Events events = falling(start, 1e4, 1e-3, -1e-6, 10);
  const auto found = Trajectory{events, {.end = start + 20}}.solve(0).points;
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Meeting::down);
  CHECK(found[0].time - start == Approx(9.999606624).epsilon(1e-10));
  CHECK(found[0].time == fd::crossings(Trajectory{events, {.end = start + 20}}, 0).at(0).time);
  const Events later = falling(1e9, 1, 1, -0.05, 100);
  for (const double end : {100.0, 200.0}) {
    const auto points = Trajectory{end == 100 ? Events{later[0]} : later, {.end = 1e9 + end}}.solve(0).points;
    REQUIRE(points.size() == 1);
    CHECK(points[0].kind == Meeting::down);
    CHECK(std::abs(points[0].time - 1e9 - 99.950124) < 1e-6);
  }
}
