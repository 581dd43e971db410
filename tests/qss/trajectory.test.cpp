// SPDX-License-Identifier: MIT
// Numbers by hand: the worked scenario of the interpolator, an event list with an equal-time pair and two jumps.
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/trajectory_oracle.hpp"

#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/statistics.hpp>

using namespace qss_test;
using namespace std::chrono_literals;
using series_test::require_rule;
using Trajectory = fd::Trajectory<>;
constexpr auto left = fd::Side::left;
constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(fd::Signal<Trajectory>);
static_assert(fd::Signal<fd::Trajectory<float, fd::Timestamp>>);

TEST_CASE("the worked scenario gives the values of its figure") {
  const Trajectory x{worked_scenario(), {.end = 6.0}};
  const double times[] = {0, 0.5, 1, 2, 3, 3.5, 4, 5, 6}, values[] = {1, 1.5, 2, 3, 4, 4.25, 4.5, 6, 7.5};
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(x.value(times[i]) == values[i]);
    if (i > 0) CHECK(x.value(times[i], left) == values[i]);
  }
  CHECK(x.derivative(3.0, 1, left) == 1.0);
  CHECK(x.derivative(3.0) == 0.5);
  CHECK(x.derivative(3.5) == 0.5);
  CHECK(x.derivative(4.0, 1, left) == 0.5);
  CHECK(x.derivative(4.0) == 1.5);
  CHECK(x.derivative(5.0) == 1.5);
  CHECK(x.derivative(6.0, 1, left) == 1.5);
  CHECK(x.jumps(1e-12).empty());
  CHECK(x.kinks(1e-12) == std::vector{3.0, 4.0});
  CHECK(fd::integral(x, {0, 6}).value == 23.75);
  Events uncut = worked_scenario();
  uncut.pop_back();
  CHECK(Trajectory{uncut}.value(5) == 5.0);  // what the event at 4 changed
}

TEST_CASE("an order below that of the events cuts values and derivatives") {
  struct Row {
    std::size_t order;
    std::vector<double> values, slopes;
    double value_left_2, slope_left_2, value_left_35, slope_left_35;
  };
  const Row rows[] = {
      {1, {0.75, 0.5, 0.5, 0.25, -0.5, -1, -1, -1}, {-1, -1, 0}, 0, -0.5, -1, -1},
      {2, {0.8125, 0.75, 0.5, 0.296875, 0.25, -1, -1, -1}, {-1, 0.5, 0}, 1, 0.5, 0.6875, 1.25},
      {3, {0.796875, 0.625, 0.5, 0.30078125, 0.5, -1, -0.75, 5.75}, {-1, 1.25, 1.5}, 0, -1, 1.53125, 2.9375}};
  const double at[] = {0.5, 1, 2, 2.25, 3, 3.5, 4, 5};
  for (const Row& row : rows) {
    INFO("order " << row.order);
    const Trajectory y{jumping_events(), {.order = row.order, .end = 5.0}};
    CHECK(y.order() == row.order);
    for (std::size_t i = 0; i < row.values.size(); ++i) CHECK(y.value(at[i]) == row.values[i]);
    const double slope_at[] = {2, 3, 4};
    for (std::size_t i = 0; i < 3; ++i) CHECK(y.derivative(slope_at[i]) == row.slopes[i]);
    CHECK(y.value(2, left) == row.value_left_2);
    CHECK(y.derivative(2, 1, left) == row.slope_left_2);
    CHECK(y.value(3.5, left) == row.value_left_35);
    CHECK(y.derivative(3.5, 1, left) == row.slope_left_35);
    if (row.order == 1) CHECK(y.derivative(1, 2) == 0.0);
    if (row.order == 3) CHECK(y.derivative(4, 3) == 12.0);
    CHECK(y.derivative(4, 4) == 0.0);
    CHECK(y.derivative(4, 40) == 0.0);
    const Trajectory cut = Trajectory{jumping_events(), {.end = 5.0}}.truncated(row.order);
    CHECK(cut.order() == row.order);
    for (double t = 0; t <= 5; t += 0.125) CHECK(cut.value(t) == y.value(t));
  }
}

TEST_CASE("field case 25: coefficients and not derivatives and the last of equal events") {
  const Events events{fd::from_taylor(0.0, {1, 2, 0, 0}), fd::from_taylor(1.5, {4, -1, 0.5, 0}),
                      fd::from_taylor(2.0, {3.5, 0.25, -0.5, 0.125}), fd::from_taylor(2.0, {3.6, 0.25, -0.5, 0.125}),
                      fd::from_taylor(3.0, {3.4, 0, 0, 0})};
  const double at[] = {0, 0.5, 1.5, 2, 2.5, 3, 4};
  const double first[] = {1, 2, 4, 3.6, 3.725, 3.4, 3.4}, second[] = {1, 2, 4, 3.6, 3.6, 3.4, 3.4},
               third[] = {1, 2, 4, 3.6, 3.615625, 3.4, 3.4}, slope[] = {2, 2, -1, 0.25, -0.15625, 0, 0};
  const Trajectory y{events};
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(std::abs(*y.truncated(1).value(at[i]) - first[i]) <= 1e-12);
    CHECK(std::abs(*y.truncated(2).value(at[i]) - second[i]) <= 1e-12);
    CHECK(std::abs(*y.value(at[i]) - third[i]) <= 1e-12);
    CHECK(std::abs(*y.derivative(at[i]) - slope[i]) <= 1e-12);
  }
  CHECK(std::abs(*y.value(1.5, left) - 4) <= 1e-12);
  CHECK(std::abs(*y.value(2, left) - 3.625) <= 1e-12);
  CHECK(std::abs(*y.value(3, left) - 3.475) <= 1e-12);
  CHECK(!y.value(-0.1));
  // A first-order run of x' = -x / 2 from 4 with quantum 1/4.
  const double times[] = {0, 0.125, 0.2583333333333333, 0.40119047619047615, 0.5550366300366301, 0.7217032967032967};
  Events run;
  for (std::size_t i = 0; i < 6; ++i) {
    const double q = 4 - 0.25 * static_cast<double>(i);
    run.push_back(fd::from_integrator(times[i], q, {-0.5 * q}));
  }
  CHECK(std::abs(*Trajectory{run}.value(0.2) - 3.609375) <= 1e-12);
  CHECK(std::abs(*Trajectory{run}.value(0.5) - 3.0894345238095235) <= 1e-12);
}

TEST_CASE("outside the domain each policy answers as it says") {
  using fd::Outside;
  const Events events{fd::from_taylor(1.0, {2, 3}), fd::from_taylor(2.0, {4, -1, 2})};
  const auto with = [&](Outside before, Outside after) {
    return Trajectory{events, {.end = 3.0, .before = before, .after = after}};
  };
  const Trajectory missing{events, {.end = 3.0}};
  CHECK(!missing.value(0.5));
  CHECK(!missing.derivative(0.5));
  CHECK(!missing.value(1, left));
  CHECK(missing.value(1) == 2.0);
  CHECK(missing.value(1.5) == 3.5);
  CHECK(missing.value(2, left) == 5.0);
  CHECK(missing.value(2) == 4.0);
  CHECK(missing.value(3, left) == 5.0);
  CHECK(missing.value(3) == 5.0);
  CHECK(!missing.value(3.5));
  const Trajectory held = with(Outside::hold, Outside::hold);
  CHECK(held.value(0.5) == 2.0);
  CHECK(held.value(1, left) == 2.0);
  CHECK(held.derivative(0.5) == 0.0);
  CHECK(held.value(3.5) == 5.0);
  CHECK(held.derivative(3.5) == 0.0);
  CHECK(held.derivative(3) == 3.0);
  const Trajectory extrapolated = with(Outside::extrapolate, Outside::extrapolate);
  CHECK(extrapolated.value(0) == -1.0);
  CHECK(extrapolated.derivative(0) == 3.0);
  CHECK(extrapolated.value(4) == 10.0);
  CHECK(extrapolated.derivative(4, 2) == 4.0);
  const Trajectory error = with(Outside::error, Outside::error);
  require_rule(
      fd::Rule::window_outside, [&] { (void)error.value(0.5); }, "0.5 s is outside the domain from 1 s to 3 s");
  require_rule(
      fd::Rule::window_outside, [&] { (void)error.derivative(3.5); }, "3.5 s");
  CHECK(error.value(3) == 5.0);
  // The policies are for single times: what is outside stays unknown to a mean.
  CHECK(fd::coverage(held, {0, 2}) == 0.5);
}

TEST_CASE("without an end the last polynomial goes on and with one it stops there") {
  const Trajectory open{worked_scenario()};
  CHECK(open.span() == fd::Window{0.0, 4.0});
  CHECK(!open.end());
  CHECK(open.value(1e6) == 4.5 + 1.5 * (1e6 - 4));
  CHECK(fd::mean(open, {4, 8}).value == 7.5);
  CHECK(fd::crossings(open, 4.5e3) == std::vector<fd::Crossing<double>>{{3001, fd::Direction::up, false}});
  CHECK(open.solve(4.5e3).points == std::vector<fd::LevelTimes<double>::Point>{{3001, fd::Meeting::up}});
  require_error<fd::Overflow>([] { (void)Trajectory{{fd::from_taylor(0.0, {0, 0, 1})}}.value(1e200); }, "finite");
  const Trajectory closed{{fd::from_taylor(0.0, {1, 1}), fd::from_taylor(2.0, {7}, fd::EventKind::end)}};
  CHECK(closed.end() == 2.0);
  CHECK(closed.value(2, left) == 3.0);
  CHECK(closed.value(2) == 7.0);
  CHECK(!closed.value(2.5));
  CHECK(!closed.segment(1));
  CHECK(fd::maximum(closed, {0, 2}).value == 3.0);
}

TEST_CASE("held and linear pass from one event that is not external to the next") {
  const Trajectory x{worked_scenario(), {.end = 6.0}};
  const double at[] = {0, 0.5, 1, 2, 3, 3.5, 4, 5}, held[] = {1, 1, 2, 2, 4, 4, 4, 4},
               line[] = {1, 1.5, 2, 3, 4, 4.583333333333333, 5.166666666666667, 6.333333333333333};
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(x.held().value(at[i]) == held[i]);
    CHECK(std::abs(*x.linear().value(at[i]) - line[i]) <= 1e-14);
  }
  CHECK(x.held().value(6, left) == 4.0);
  CHECK(x.linear().value(6) == 7.5);
  CHECK(fd::integral(x.held(), {0, 6}).value == 17.0);
  // An internal event that an external one at the same time replaces still counts for holding.
  const Trajectory pair{{fd::from_taylor(0.0, {1, 1}), fd::from_taylor(1.0, {2, 1}),
                         fd::from_taylor(1.0, {2.5, 3}, fd::EventKind::external), fd::from_taylor(2.0, {5.5, 0})}};
  CHECK(pair.value(1) == 2.5);
  CHECK(pair.held().value(1.5) == 2.0);
  CHECK(pair.linear().value(1.5) == 3.75);
  // Without an end a line has no second point after the last event.
  CHECK(pair.linear().end() == 2.0);
  CHECK(!pair.linear().value(2.5));
  CHECK(pair.held().value(9) == 5.5);
  const Trajectory external{{fd::from_taylor(0.0, {1}, fd::EventKind::external)}};
  require_rule(
      fd::Rule::empty, [&] { (void)external.held(); }, "external");
}

TEST_CASE("a jump is a knot where the value differs and a kink one where the slope does") {
  const Trajectory y{jumping_events(), {.end = 5.0}};
  CHECK(y.jumps(0) == std::vector{2.0, 3.5});
  CHECK(y.jumps(0.5) == std::vector{3.5});
  CHECK(y.kinks(0) == std::vector{3.5});
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)y.jumps(-1); }, "jumps");
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)y.kinks(std::nan("")); }, "kinks");
}

TEST_CASE("a trajectory gives back the events that count") {
  const Trajectory y{jumping_events(), {.end = 5.0}};
  const auto events = y.events();
  REQUIRE(events.size() == 4);
  CHECK(events[1] == jumping_events()[2]);
  // The end is an event of its own.
  CHECK(events[3].kind() == fd::EventKind::end);
  const Trajectory again{events};
  CHECK(again.end() == 5.0);
  CHECK(again.events() == events);
  CHECK(!again.value(5.5));
  for (const double t : {0.0, 2.0, 4.75, 5.0})
    for (std::size_t k = 0; k < 4; ++k) CHECK(again.derivative(t, k) == y.derivative(t, k));
  const Trajectory ends_in_a_knot{{fd::from_taylor(0.0, {1, 1}), fd::from_taylor(1.0, {7, 1})}, {.end = 1.0}};
  CHECK(ends_in_a_knot.events().size() == 2);
  CHECK(Trajectory{ends_in_a_knot.events()}.end() == 1.0);
  CHECK(y.kind(0) == fd::EventKind::internal);
  CHECK(y.coefficients(2)[3] == 2);
}

TEST_CASE("events out of order are refused or sorted with equal times in their order") {
  const Events events{fd::from_taylor(2.0, {1}), fd::from_taylor(0.0, {5}), fd::from_taylor(2.0, {3})};
  require_rule(
      fd::Rule::time_not_increasing, [&] { (void)Trajectory{events}; }, "0 s follows 2 s", "events[1]");
  const Trajectory sorted{events, {.sort = true}};
  CHECK(sorted.value(1) == 5.0);
  CHECK(sorted.value(2) == 3.0);
}

TEST_CASE("absolute time is as exact as its ticks") {
  const fd::Timestamp start{1'700'000'000s};
  const std::vector<fd::TaylorEvent<double, fd::Timestamp>> events{fd::from_taylor(start, {1, -0.5, 0.25, -0.125}),
                                                                   fd::from_taylor(start + 2s, {0.5, -1, 0.75, 0.25})};
  const fd::Trajectory y{events, {.end = start + 3s}};
  CHECK(y.value(start + 500ms) == 0.796875);
  CHECK(y.value(start + 2250ms) == 0.30078125);
  CHECK(y.value(start + 2s, left) == 0.0);
  CHECK(!y.value(start + 3001ms));
  CHECK(fd::mean(y, {start, start + 2s}).value == 7.0 / 12);
  const auto samples = fd::resample(y, fd::Every{250ms});
  CHECK(samples.size() == 13);
  CHECK(samples(9) == 0.30078125);
  CHECK(y.solve(0.5).points.back().time == start + 3s);
  // Seconds in double from the same start cost no more than the resolution of the stamp.
  const Trajectory far{{fd::from_taylor(1e9, {1, -0.5, 0.25, -0.125})}};
  CHECK(far.value(1e9 + 0.5) == 0.796875);
}

TEST_CASE("coefficients in float are evaluated in double") {
  const fd::Trajectory<float> y{{fd::from_taylor<float>(0.0, {1, 1e-9}), fd::from_taylor<float>(1.0, {2})}};
  CHECK(y.value(0.5) == 1 + 0.5 * static_cast<double>(1e-9F));
  CHECK(y.derivative().value(0.5) == static_cast<double>(1e-9F));
  CHECK(fd::resample(y, fd::Every{0.5})(2) == 2);
}

TEST_CASE("a wrong call names the trajectory and the rule") {
  const Events one{fd::from_taylor(1.0, {1})};
  require_rule(
      fd::Rule::empty,
      [] {
        (void)Trajectory{Events{}, {.name = "tank"}};
      },
      "'tank'");
  require_rule(
      fd::Rule::bad_parameter,
      [&] {
        (void)Trajectory{one, {.order = 8}};
      },
      "order");
  require_rule(
      fd::Rule::bad_parameter,
      [&] {
        (void)Trajectory{one, {.end = 0.5}};
      },
      "0.5 s lies before");
  require_rule(fd::Rule::time_not_finite, [&] { (void)Trajectory{one, {.end = infinity}}; });
  require_rule(fd::Rule::time_not_finite, [&] { (void)Trajectory{one}.value(std::nan("")); });
  require_rule(fd::Rule::time_not_finite, [&] { (void)Trajectory{one}.value(-infinity); });
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)Trajectory{one}.solve(infinity); }, "level");
  const Events ended{fd::from_taylor(1.0, {1}, fd::EventKind::end), fd::from_taylor(2.0, {1})};
  require_rule(
      fd::Rule::time_not_increasing, [&] { (void)Trajectory{ended}; }, "kind end");
  const Events end_at_1{fd::from_taylor(1.0, {1}, fd::EventKind::end)};
  require_rule(
      fd::Rule::bad_parameter,
      [&] {
        (void)Trajectory{end_at_1, {.end = 3.0}};
      },
      "3 s", "1 s");
  require_error<fd::Overflow>(
      [] {
        (void)Trajectory{{fd::from_taylor(0.0, {0, 1e300}), fd::from_taylor(1e10, {0})}};
      },
      "0 s");
  require_error<fd::Overflow>([] {
    (void)fd::Trajectory<double, fd::Timestamp>{
        {fd::from_taylor(fd::Timestamp::min(), {1}), fd::from_taylor(fd::Timestamp::max(), {1})}};
  });
  std::vector<double> out(3);
  const std::vector<double> at{1, 2};
  require_rule(
      fd::Rule::size_mismatch, [&] { Trajectory{one}.sample(at, out); }, "2", "3");
  require_rule(fd::Rule::size_mismatch, [&] { Trajectory{one}.sample(fd::Grid<double>{0, 1, 2}, out); });
  require_rule(fd::Rule::bad_parameter, [&] { Trajectory{one}.sample(fd::Grid<double>{0, 0, 3}, out); });
  require_rule(fd::Rule::time_not_finite, [&] { Trajectory{one}.sample(std::vector{1.0, std::nan(""), 2.0}, out); });
  const Trajectory seven{{fd::from_taylor(0.0, {0, 0, 0, 0, 0, 0, 0, 1})}};
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)seven.antiderivative(); }, "order 8");
}
