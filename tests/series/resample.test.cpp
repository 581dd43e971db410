// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"

#include <fidelity/series/resample.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
using Values = std::vector<double>;
constexpr auto hold = fd::Interpolation::hold;
constexpr auto linear = fd::Interpolation::linear;

namespace {
/// Equal numbers, and missing where missing is expected.
template <class Time>
void check_values(const fd::Series<double, Time>& series, const Values& expected) {
  REQUIRE(series.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("point " << i);
    if (std::isnan(expected[i])) {
      CHECK(std::isnan(series(i)));
    } else {
      CHECK(std::abs(series(i) - expected[i]) <= 1e-12);
    }
  }
}
}  // namespace

TEST_CASE("a long gap is not filled by a line or by an old value") {
  // field case 13
  const auto check = [](auto start, auto minute, auto gap) {
    using Time = decltype(start);
    std::vector<Time> times;
    for (const int k : {0, 15, 30, 45, 105, 120, 150, 165}) times.push_back(start + minute * k);
    const fd::Series<double, Time> series(times, {10, 12, 14, 16, 40, 42, 48, 50}, {.max_gap = gap});
    check_values(fd::resample(series, fd::Every{minute * 15}), {10, 12, 14, 16, bad, bad, bad, 40, 42, 45, 48, 50});
    check_values(fd::resample(fd::with_interpolation(series, hold, gap), fd::Every{minute * 15}),
                 {10, 12, 14, 16, 16, 16, bad, 40, 42, 42, 48, 50});
  };
  check(0.0, 1.0, 30.0);
  check(Minutes{}, 1min, 30min);
  check(fd::Timestamp{1'700'000'000s}, 1min, 30min);
}

TEST_CASE("samples denser than the grid neither shift nor extrapolate it") {
  // field case 14
  const Series line({0, 10, 20, 30, 60, 120}, {5, 6, 50, 7, 8, 10});
  const auto steps = fd::with_interpolation(line, hold);
  check_values(fd::resample(line, fd::Every{60.0}), {5, 8, 10});
  check_values(fd::resample(steps, fd::Every{60.0}), {5, 8, 10});
  CHECK(std::abs(*fd::mean(steps, {0, 60}).value - 13.666666666666666) <= 1e-12);
  CHECK(fd::mean(steps, {60, 120}).value == 8.0);
}

TEST_CASE("published resampling examples come out") {
  const Series one({1, 2, 5, 6, 8}, {1, 2, 5, 6, 8});
  check_values(fd::resample(one, fd::Every{1}), {1, 2, 3, 4, 5, 6, 7, 8});
  check_values(fd::resample(fd::with_interpolation(one, hold), fd::Every{1}, {1, 10}), {1, 2, 2, 2, 5, 6, 6, 8, 8, 8});
  const Series two({2, 4, 5, 8, 8, 10, 11, 12, 14, 15, 17, 18}, {1, 1, 2, 3, 5, 6, 5, 5, 3.5, 3.2, 3.1, 1},
                   {.duplicates = fd::Duplicates::first});
  check_values(fd::resample(two, fd::Every{1}), {1, 1, 1, 2, 2.3333333333333335, 2.6666666666666665, 3, 4.5, 6, 5, 5,
                                                 4.25, 3.5, 3.2, 3.1500000000000004, 3.1, 1});
  check_values(fd::resample(fd::with_interpolation(two, hold), fd::Every{1}),
               {1, 1, 1, 2, 2, 2, 3, 3, 6, 5, 5, 5, 3.5, 3.2, 3.2, 3.1, 1});
  const Series squares({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100});
  check_values(fd::resample(squares, fd::Every{5}), {0, 25, 100});
  check_values(fd::resample(squares, fd::Every{1}, {5, 9}), {25, 36, 49, 64, 81});
  CHECK(fd::value_at(Series({238, 300}, {58, 60}), 240) == Approx(58.064516129032256).epsilon(1e-14));
}

TEST_CASE("the end of the window is a grid point if the grid meets it") {
  CHECK(fd::grid_times(fd::Every{0.1}, fd::Window{0.0, 0.3}).back() == 0.3);
  CHECK(fd::grid_times(fd::Every{0.1}, fd::Window{0.0, 0.3}).size() == 4);
  CHECK(fd::grid_times(fd::Every{0.1}, fd::Window{0.0, 0.35}).size() == 4);
  CHECK(fd::grid_times(fd::Every{0.1}, fd::Window{0.0, 0.35}).back() == 3 * 0.1);
  CHECK(fd::grid_times(fd::Every{3ns}, fd::Window{fd::Timestamp{1ns}, fd::Timestamp{7ns}}).size() == 3);
  CHECK(fd::grid_times(fd::Every{3ns}, fd::Window{fd::Timestamp{1ns}, fd::Timestamp{6ns}}).size() == 2);
  CHECK(fd::grid_times(fd::Every{1}, fd::Window{2.0, 2.0}) == Values{2});
}

TEST_CASE("a grid of a million points does not drift") {
  const auto times = fd::grid_times(fd::Every{0.1}, fd::Window{1000.0, 101'000.0});
  REQUIRE(times.size() == 1'000'001);
  CHECK(times[123'457] == 1000.0 + 123'457 * 0.1);
  CHECK(times.back() == 101'000.0);
  const fd::Timestamp start{1'700'000'000s};
  const auto ticks_of_a_third = fd::grid_times(fd::Every{333'333'333ns}, fd::Window{start, start + 100h});
  CHECK(ticks_of_a_third[1'000'000] == start + 333'333'333'000'000ns);
}

TEST_CASE("a duration is a step for double and a finer tick for integers") {
  CHECK(fd::grid_times(fd::Every{500ms}, fd::Window{0.0, 1.0}) == Values{0, 0.5, 1});
  CHECK(fd::grid_times(fd::Every{1min}, fd::Window{fd::Timestamp{}, fd::Timestamp{2min}}).size() == 3);
}

TEST_CASE("a grid that cannot be is refused") {
  require_rule(
      fd::Rule::window_empty,
      [] {
        (void)fd::grid_times(fd::Every{1}, fd::Window{1.0, 0.0});
      },
      "grid_times");
  require_rule(fd::Rule::time_not_finite, [] { (void)fd::grid_times(fd::Every{1}, fd::Window{0.0, bad}); });
  require_rule(fd::Rule::time_not_finite, [] { (void)fd::grid_times(fd::Every{1}, fd::Window{infinity, infinity}); });
  require_error<fd::Overflow>([] { (void)fd::grid_times(fd::Every{9e-16}, fd::Window{0.0, 1.0}); }, "too many points");
  require_error<fd::Overflow>(
      [] {
        (void)fd::grid_times(fd::Every{1ns}, fd::Window{fd::Timestamp{}, fd::Timestamp{9'000'000s}});
      },
      "too many points");
  require_error<fd::Overflow>(
      [] {
        (void)fd::grid_times(fd::Every{1h}, fd::Window{fd::Timestamp::min(), fd::Timestamp::max()});
      },
      "does not fit");
}

TEST_CASE("a step finer than the stamps can tell is refused") {
  require_rule(
      fd::Rule::bad_parameter,
      [] {
        (void)fd::resample(Series({1e9, 1e9 + 1e-6}, {1, 2}), fd::Every{1e-8});
      },
      "grid_times", "finer");
  CHECK(fd::resample(Series({1e9}, {1}), fd::Every{1e-8}).size() == 1);
}

TEST_CASE("all channels are resampled with their names and a gap of one stays a gap of one") {
  const fd::Series<> plant(ticks<fd::Timestamp>({0, 10, 20}), {1, 10, 2, bad, 3, 30},
                           {.name = "plant", .channel_names = {"a", "b"}, .interpolation = hold});
  const auto series = fd::resample(plant, fd::Every{5ns});
  CHECK(series.name() == "plant");
  CHECK(series.channel_names()[1] == "b");
  CHECK(series.interpolation() == hold);
  CHECK(series.size() == 5);
  CHECK(series(3, 0) == 2);
  CHECK(series(1, 1) == 10);
  CHECK(std::isnan(series(3, 1)));
  CHECK(series(4, 1) == 30);
}

TEST_CASE("a series of float is resampled to float") {
  const fd::Series<float, double> series({0, 1}, {0, 1});
  STATIC_REQUIRE(std::is_same_v<decltype(fd::resample(series, fd::Every{0.5})), fd::Series<float, double>>);
  CHECK(fd::resample(series, fd::Every{0.5})(1) == 0.5F);
}

TEST_CASE("given stamps may be irregular and outside the series") {
  const Series series({0, 2, 2, 4}, {0, 2, 10, 12}, {.duplicates = fd::Duplicates::event});
  const Values stamps{-1, 0.5, 2, 3.5, 5};
  check_values(fd::resample(series, stamps), {bad, 0.5, 10, 11.5, bad});
}

TEST_CASE("stamps that are wrong or miss the series are refused") {
  const Series series({0, 1}, {0, 1}, {.name = "flow"});
  const auto refused = [&](fd::Rule rule, const Values& stamps) {
    require_rule(rule, [&] { (void)fd::resample(series, stamps); });
  };
  refused(fd::Rule::window_outside, {2, 3});
  refused(fd::Rule::empty, {});
  refused(fd::Rule::time_not_increasing, {0.5, 0.25});
  refused(fd::Rule::time_repeated, {0.5, 0.5});
  refused(fd::Rule::time_not_finite, {0.5, bad});
  require_rule(
      fd::Rule::window_outside,
      [&] {
        (void)fd::resample(series, fd::Every{1}, {5, 7});
      },
      "resample", "all 3 points from 5 s to 7 s", "'flow'");
}

TEST_CASE("resampling a regular series on its own grid gives it back") {
  Random random(41);
  std::vector<fd::Timestamp> times;
  Values values;
  for (int k = 0; k < 1000; ++k) {
    times.push_back(fd::Timestamp{1'700'000'000s} + 100ms * k);
    values.push_back(random.real(-1, 1));
  }
  for (const auto interpolation : {hold, linear}) {
    const fd::Series<> series(times, values, {.interpolation = interpolation});
    const auto again = fd::resample(series, fd::Every{100ms});
    CHECK(again.values() == series.values());
    CHECK(std::equal(times.begin(), times.end(), again.times().begin(), again.times().end()));
  }
}
