// SPDX-License-Identifier: MIT
// Trajectories made of trajectories: arithmetic, distances, parts, fewer segments, fewer points, sets.
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "reference/trajectory_oracle.hpp"

#include <fidelity/qss/conversions.hpp>
#include <fidelity/qss/polyline.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/qss/trajectory_arithmetic.hpp>
#include <fidelity/qss/trajectory_distance.hpp>
#include <fidelity/qss/trajectory_set.hpp>
#include <fidelity/qss/trajectory_shape.hpp>

using namespace qss_test;
using namespace std::chrono_literals;
using series_test::require_rule;
using Trajectory = fd::Trajectory<>;
constexpr auto left = fd::Side::left;

namespace {
Trajectory random_trajectory(Random& random, std::size_t order) {
  const Events events = random_events(random, 25, order);
  return Trajectory{events, {.end = events.back().time() + 1}};
}
const Trajectory jumping{jumping_events(), {.end = 5.0}};
}  // namespace

TEST_CASE("sums and differences and products are those of the values everywhere") {
  Random random(1);
  for (int run = 0; run < 20; ++run) {
    const Trajectory a = random_trajectory(random, 3), b = random_trajectory(random, 4);
    const Trajectory sum = a + b, difference = a - b, product = a * b, other = 2.0 - a * 0.5 + -b;
    CHECK(product.order() == a.order() + b.order());
    CHECK(sum.span().begin == std::max(a.span().begin, b.span().begin));
    CHECK(sum.end() == std::min(*a.end(), *b.end()));
    double worst = 0;
    const auto compare = [&](double x, double y) {
      worst = std::max(worst, std::abs(x - y) / std::max(1.0, std::abs(y)));
    };
    for (int i = 0; i < 300; ++i) {
      double t = random.real(sum.span().begin, sum.span().end);
      if (i < 50) t = sum.knots()[static_cast<std::size_t>(i) % sum.knots().size()];
      for (const auto side : {fd::Side::right, left}) {
        if (side == left && t == sum.span().begin) continue;
        const double x = *a.value(t, side), y = *b.value(t, side);
        compare(*sum.value(t, side), x + y);
        compare(*difference.value(t, side), x - y);
        compare(*product.value(t, side), x * y);
        compare(*other.value(t, side), 2 - x / 2 - y);
      }
    }
    CHECK(worst <= 1e-12);
  }
  const Trajectory early{{fd::from_taylor(0.0, {1})}, {.end = 1.0}}, late{{fd::from_taylor(2.0, {1})}};
  require_rule(
      fd::Rule::window_outside, [&] { (void)(early + late); }, "in common");
  const Trajectory open = Trajectory{{fd::from_taylor(0.0, {1, 2})}} - late;
  CHECK(!open.end());
  CHECK(open.value(10) == 20.0);
  const Trajectory fourth{{fd::from_taylor(0.0, {1, 0, 0, 0, 1})}};
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)(fourth * fourth); }, "orders 4 and 4");
  require_rule(fd::Rule::bad_parameter, [&] { (void)(fourth * std::nan("")); });
}

TEST_CASE("distances agree with fine sums and are 0 for equal trajectories") {
  Random random(2);
  for (int run = 0; run < 10; ++run) {
    const Trajectory a = random_trajectory(random, 3), b = random_trajectory(random, 2);
    const Trajectory d = a - b;
    const fd::Window<double> window{d.span().begin, d.span().end};
    constexpr int steps = 100'000;
    double l1 = 0, l2 = 0, largest = 0, below = 0;
    const double h = (window.end - window.begin) / steps;
    for (int i = 0; i < steps; ++i) {
      const double x = *d.value(window.begin + (i + 0.5) * h);
      l1 += std::abs(x) * h;
      l2 += x * x * h;
      largest = std::max(largest, std::abs(x));
      below += x < 0.1 ? h : 0;
    }
    CHECK(fd::l1_distance(a, b, window) == Approx(l1).epsilon(1e-3));
    CHECK(fd::l2_distance(a, b, window) == Approx(std::sqrt(l2)).epsilon(1e-3));
    CHECK(fd::linf_distance(a, b, window) == Approx(largest).epsilon(1e-3));
    CHECK(fd::seconds_below(d, 0.1, window) == Approx(below).margin(1e-2));
    CHECK(fd::l1_distance(a, a, {a.span().begin, a.span().end}) == 0);
    CHECK(fd::linf_distance(a, a, {a.span().begin, a.span().end}) == 0);
  }
  CHECK(fd::seconds_below(Trajectory{worked_scenario(), {.end = 6.0}}, 4, {0, 6}) == 3);
  CHECK(fd::seconds_below(Trajectory{{fd::from_taylor(0.0, {1})}}, 1, {0, 6}) == 0);
  require_rule(fd::Rule::window_outside, [] { (void)fd::l2_distance(jumping, jumping, {-1, 2}); });
  require_rule(fd::Rule::window_empty, [] { (void)fd::l1_distance(jumping, jumping, {2, 1}); });
  require_rule(fd::Rule::bad_parameter, [] { (void)fd::seconds_below(jumping, std::nan(""), {0, 1}); });
}

TEST_CASE("a slice has the values of the whole and knows where it ends") {
  const Trajectory part = fd::slice(jumping, {1, 4});
  CHECK(part.span() == fd::Window{1.0, 4.0});
  CHECK(!part.value(0.5));
  CHECK(!part.value(4.5));
  for (double t = 1; t <= 4; t += 0.125) CHECK(*part.value(t) == Approx(*jumping.value(t)).margin(1e-15));
  CHECK(part.value(2, left) == 0.0);
  CHECK(fd::slice(jumping, {-5, 50}).span() == jumping.span());
  CHECK(fd::slice(jumping, {3.5, 4}).segment_count() == 1);
  CHECK(fd::slice(jumping, {-1, 0.0}).value(0) == 1.0);
  require_rule(fd::Rule::window_outside, [] { (void)fd::slice(jumping, {6, 7}); });
  require_rule(fd::Rule::window_outside, [] { (void)fd::slice(jumping, {-2, -1}); });
  CHECK(fd::slice(Trajectory{{fd::from_taylor(0.0, {0, 1})}}, {5, 6}).value(5.5) == 5.5);
}

TEST_CASE("time can be shifted and stretched") {
  const Trajectory later = fd::shift(jumping, 10), slower = fd::scale_time(jumping, 2);
  CHECK(later.span() == fd::Window{10.0, 15.0});
  CHECK(slower.end() == 10.0);
  for (double t = 0; t <= 5; t += 0.125) {
    CHECK(later.value(t + 10) == jumping.value(t));
    CHECK(*slower.value(2 * t) == Approx(*jumping.value(t)).margin(1e-15));
    CHECK(*slower.derivative(2 * t) == Approx(*jumping.derivative(t) / 2).margin(1e-15));
  }
  const fd::Timestamp start{1'700'000'000s};
  const fd::Trajectory<double, fd::Timestamp> y{{fd::from_taylor(start, {1, 2})}, {.end = start + 1h}};
  CHECK(fd::shift(y, 30min).value(start + 30min + 2s) == 5.0);
  require_error<fd::Overflow>([&] { (void)fd::shift(y, std::chrono::nanoseconds::max()); });
  require_rule(fd::Rule::bad_parameter, [] { (void)fd::shift(jumping, std::nan("")); });
  require_rule(fd::Rule::bad_parameter, [] { (void)fd::scale_time(jumping, 0); });
  require_rule(fd::Rule::time_repeated, [] {
    (void)fd::shift(Trajectory{{fd::from_taylor(0.0, {1}), fd::from_taylor(1e-9, {1})}}, 1e9);
  });
}

TEST_CASE("a simplified trajectory has fewer segments and is never farther away than the tolerance") {
  Random random(3);
  for (const double tolerance : {1e-4, 1e-2, 0.3}) {
    Events events;
    for (int i = 0; i < 400; ++i) {
      const double t = 0.01 * i, x = std::sin(t);
      events.push_back(fd::from_derivatives(t, {x, std::cos(t), -x, -std::cos(t)}));
    }
    const Trajectory whole{events, {.end = 4.0}}, fewer = fd::simplify(whole, tolerance);
    CHECK(fewer.segment_count() < 40);
    CHECK(fd::linf_distance(whole, fewer, {0, 4}) <= tolerance);
    const Trajectory noisy = random_trajectory(random, 3), simple = fd::simplify(noisy, tolerance);
    CHECK(fd::linf_distance(noisy, simple, {noisy.span().begin, noisy.span().end}) <= tolerance);
  }
  CHECK(fd::simplify(jumping, 0).segment_count() == 3);
  CHECK(fd::simplify(Trajectory{{fd::from_taylor(0.0, {1}), fd::from_taylor(1.0, {1})}, {.end = 2.0}}, 0)
            .segment_count() == 1);
  // Equal at both ends of the second piece and 1/4 apart in its middle.
  const Trajectory bulge{{fd::from_taylor(0.0, {0, 0, 0}), fd::from_taylor(1.0, {0, 1, -1})}, {.end = 2.0}};
  CHECK(fd::simplify(bulge, 0.24).segment_count() == 2);
  CHECK(fd::simplify(bulge, 0.26).segment_count() == 1);
  require_rule(fd::Rule::bad_parameter, [] { (void)fd::simplify(jumping, -1); });
}

TEST_CASE("a polyline stays within its tolerance and keeps jumps") {
  Random random(4);
  for (int run = 0; run < 12; ++run) {
    const Trajectory y = run % 2 == 0 ? random_trajectory(random, 5) : random_trajectory(random, 3).antiderivative();
    const double tolerance = run % 3 == 0 ? 1e-3 : 0.05;
    const auto points = fd::polyline(y, tolerance);
    CHECK(points.span() == y.span());
    double worst = 0;
    for (int i = 0; i < 5000; ++i) {
      const double t = random.real(y.span().begin, y.span().end);
      worst = std::max(worst, std::abs(*points.value(t) - *y.value(t)));
    }
    CHECK(worst <= tolerance * (1 + 1e-9));
    CHECK(worst > tolerance / 20);  // and is not finer than it has to be
    for (const double jump : y.jumps(1e-9))
      CHECK(points.value(jump, left) == Approx(*y.value(jump, left)).margin(1e-13));
  }
  const Trajectory line{{fd::from_taylor(0.0, {0, 1}), fd::from_taylor(1.0, {1, 1}), fd::from_taylor(2.0, {2, 1})},
                        {.end = 3.0}};
  CHECK(fd::polyline(line, 1e-6).size() == 2);
  CHECK(fd::polyline(Trajectory{{fd::from_taylor(1.0, {5})}}, 1).size() == 1);
  require_rule(fd::Rule::bad_parameter, [&] { (void)fd::polyline(line, 0); });
}

TEST_CASE("plots get two rows where there is a jump and grids can be joined with knots") {
  const auto rows = fd::at_knots(jumping);
  const std::vector<double> times(rows.times().begin(), rows.times().end());
  CHECK(times == std::vector{0.0, 2.0, 2.0, 3.5, 3.5, 5.0});
  CHECK(rows(1) == 0);
  CHECK(rows(2) == 0.5);
  CHECK(rows(3) == 1.53125);
  CHECK(rows(5) == 5.75);
  CHECK(fd::grid_and_knots(jumping, fd::Every{1.0}) == std::vector{0.0, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0});
}

TEST_CASE("several trajectories become the channels of one series") {
  const std::vector<Trajectory> set{Trajectory{worked_scenario(), {.end = 6.0, .name = "level"}},
                                    Trajectory{jumping_events(), {.end = 5.0, .name = "flow"}}};
  const auto series = fd::resample_together(set, fd::Every{0.5});
  CHECK(series.size() == 13);
  CHECK(series.channel_names()[1] == "flow");
  CHECK(series(7, 0) == 4.25);
  CHECK(series(8, 1) == -0.75);
  CHECK(std::isnan(series(12, 1)));
  CHECK(fd::resample_together(set, fd::Every{0.5}, fd::Window{1.0, 2.0}).size() == 3);
  require_rule(fd::Rule::empty, [] { (void)fd::resample_together(std::vector<Trajectory>{}, fd::Every{1.0}); });
  require_rule(fd::Rule::window_outside, [&] {
    (void)fd::resample_together(set, fd::Every{0.5}, fd::Window{10.0, 11.0});
  });
}

TEST_CASE("what an external event replaced still counts for holding after every operation") {
  // In a state that depends on itself every internal event is replaced by an external one at the same time.
  const auto external = fd::EventKind::external;
  const Trajectory x{{fd::from_taylor(0.0, {1, 1}, fd::EventKind::init), fd::from_taylor(1.0, {2, 1}),
                      fd::from_taylor(1.0, {2, 0.5}, external), fd::from_taylor(2.0, {2.5, 1}, external),
                      fd::from_taylor(3.0, {3.5, 1}), fd::from_taylor(3.0, {3.5, 0.25}, external)},
                     {.end = 4.0}};
  const auto same = [](const Trajectory& a, const Trajectory& b) {
    for (double t = 0; t < 4; t += 0.25) CHECK(a.value(t) == b.value(t));
  };
  const Trajectory held = x.held(), line = x.linear();
  REQUIRE(held.value(2.5) == 2.0);
  REQUIRE(held.value(3.5) == 3.5);
  same((x + 0.0).held(), held);
  same((x * 2.0).held(), held * 2.0);
  same((1.0 - x).held(), 1.0 - held);
  same((x * 2.0).linear(), line * 2.0);
  same(fd::slice(x, {0, 4}).held(), held);
  same(fd::simplify(x, 0).held(), held);
  same(fd::shift(x, 1).held(), fd::shift(held, 1));
  same(x.truncated(0).held(), held);
  same(Trajectory{x.events()}.held(), held);
  same(Trajectory{x.events()}.linear(), line);
  same(fd::trajectory_from_table(fd::event_table(x)).held(), held);
  // All knots of a derivative and of an integral count: their values are not those of the events.
  CHECK(x.derivative().held().value(1.5) == 0.5);
  CHECK(x.derivative().held().value(2.5) == 1.0);
  CHECK(x.antiderivative().held().value(2.5) == 3.75);
}

TEST_CASE("a slice begins with an event of its own and so do its held values") {
  const Trajectory x{{fd::from_taylor(0.0, {1, 1}), fd::from_taylor(1.0, {2, 2}, fd::EventKind::external),
                      fd::from_taylor(2.0, {4, 0})},
                     {.end = 3.0}};
  for (const double begin : {0.5, 1.0}) {
    const Trajectory part = fd::slice(x, {begin, 3});
    CHECK(part.kind(0) == fd::EventKind::init);
    CHECK(part.held().span() == part.span());
    CHECK(part.held().value(begin) == x.value(begin));
  }
}
