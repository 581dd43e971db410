// SPDX-License-Identifier: MIT
// From absolute to elapsed time and back, regular series, and series without bad samples.
#include <chrono>
#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
constexpr auto hold = fd::Interpolation::hold;

namespace {
const fd::Timestamp now{1'700'000'000'123'456'789ns};
}

TEST_CASE("elapsed time begins at the first sample or at a given origin") {
  const fd::Series<> series({now, now + 1500ms}, {1, 2}, {.name = "level"});
  const auto since_first = fd::elapsed(series);
  STATIC_REQUIRE(std::is_same_v<decltype(since_first), const Series>);
  CHECK(since_first.time(0) == 0);
  CHECK(since_first.time(1) == 1.5);
  CHECK(since_first.name() == "level");
  CHECK(fd::elapsed(series, now - 1s).time(0) == 1);
  CHECK(fd::elapsed(series, now + 1s).time(1) == 0.5);
}

TEST_CASE("the bridge carries everything that a series knows") {
  const fd::Series<float> series({now, now + 1s, now + 1s}, {1, 10, 2, 20, 3, 30},
                                 {.name = "plant",
                                  .channel_names = {"a", "b"},
                                  .interpolation = hold,
                                  .max_gap = 2s,
                                  .duplicates = fd::Duplicates::event});
  const auto there = fd::elapsed(series);
  CHECK(there.channel_names()[1] == "b");
  CHECK(there.interpolation() == hold);
  CHECK(there.max_gap() == 2.0);
  CHECK(there.size() == 3);
  CHECK(there(2, 1) == 30.0F);
  const auto back = fd::at(there, now);
  CHECK(back.max_gap() == 2s);
  CHECK(back.time(2) == now + 1s);
  CHECK(back.values() == series.values());
}

TEST_CASE("there and back again every nanosecond of a month comes home") {
  Random random(51);
  std::vector<fd::Timestamp> times{now};
  while (times.back() - now < 30 * 24h)
    times.push_back(times.back() + std::chrono::nanoseconds{random.integer(1, 999'999'999'999)});
  const fd::Series<> series(times, std::vector<double>(times.size(), 1.0));
  const auto back = fd::at(fd::elapsed(series), now);
  CHECK(std::equal(times.begin(), times.end(), back.times().begin(), back.times().end()));
}

TEST_CASE("whole seconds of a century are placed exactly") {
  const Series series({-4e9, 0, 3'155'760'000.5}, {1, 2, 3});
  const auto placed = fd::at(series, fd::Timestamp{});
  CHECK(placed.time(0) == fd::Timestamp{-4'000'000'000s});
  CHECK(placed.time(2) == fd::Timestamp{3'155'760'000s + 500ms});
  const auto days = fd::at(Series({0, 86400, 172800 + 43201}, {1, 2, 3}), std::chrono::sys_days{});
  CHECK(days.time(1) == std::chrono::sys_days{} + std::chrono::days{1});
  CHECK(days.time(2) == std::chrono::sys_days{} + std::chrono::days{3});
}

TEST_CASE("elapsed seconds are rounded to the nearest tick") {
  const auto placed = fd::at(Series({-0.6, 0.4, 1.6}, {1, 2, 3}), std::chrono::sys_seconds{10s});
  CHECK(placed.time(0) == std::chrono::sys_seconds{9s});
  CHECK(placed.time(1) == std::chrono::sys_seconds{10s});
  CHECK(placed.time(2) == std::chrono::sys_seconds{12s});
}

TEST_CASE("two stamps that would become one are refused") {
  require_rule(
      fd::Rule::time_repeated,
      [] {
        (void)fd::at(Series({0, 0.2}, {1, 2}), std::chrono::sys_seconds{});
      },
      "at", "become equal", "sample 1");
  const fd::Series<> close({now, now + 1ns}, {1, 2});
  require_rule(
      fd::Rule::time_repeated, [&] { (void)fd::elapsed(close, fd::Timestamp{}); }, "elapsed", "become equal");
}

TEST_CASE("a place beyond the end of the time type is an overflow") {
  require_error<fd::Overflow>([] { (void)fd::at(Series({0, 1e10}, {1, 2}), fd::Timestamp{}); }, "at", "does not fit");
  require_error<fd::Overflow>([] { (void)fd::at(Series({0, 1e300}, {1, 2}), fd::Timestamp{}); }, "does not fit");
  require_error<fd::Overflow>([] { (void)fd::at(Series({0, 10}, {1, 2}), fd::Timestamp::max() - 5s); }, "does not fit");
  const fd::Series<> late({fd::Timestamp::max()}, {1});
  require_error<fd::Overflow>([&] { (void)fd::elapsed(late, fd::Timestamp::min()); }, "elapsed", "does not fit");
}

TEST_CASE("what max_gap bridged before the bridge is bridged after it") {
  const fd::Series<> series(ticks<fd::Timestamp>({100'000'000, 400'000'000, 700'000'001}), {1, 2, 3},
                            {.max_gap = 300ms});
  const auto there = fd::elapsed(series, fd::Timestamp{});
  CHECK(fd::value_at(there, 0.2).has_value());
  CHECK_FALSE(fd::value_at(there, 0.6).has_value());
  CHECK(fd::elapsed(fd::Series<>(ticks<fd::Timestamp>({0, 1'000'000'000}), {1, 2}, {.max_gap = 300ms})).max_gap() ==
        0.3);
}

TEST_CASE("a regular series is made from a start and a step") {
  const auto series = fd::regular(now, 100ms, std::vector<double>{1, 2, 3}, {.name = "y"});
  CHECK(series.time(2) == now + 200ms);
  CHECK(series.name() == "y");
  const auto two = fd::regular(0.0, 0.1, std::vector<float>{1, 2, 3, 4}, {.channel_names = {"a", "b"}});
  CHECK(two.size() == 2);
  CHECK(two.time(1) == 0.1);
  CHECK(two(1, 1) == 4.0F);
}

TEST_CASE("a regular series that cannot be is refused") {
  const std::vector<double> values{1, 2, 3};
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::regular(0.0, 0.0, values); }, "regular", "step");
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::regular(now, -1ns, values); }, "regular", "step");
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::regular(0.0, bad, values); }, "regular", "step");
  require_rule(
      fd::Rule::time_not_finite, [&] { (void)fd::regular(bad, 1.0, values); }, "regular");
  require_rule(
      fd::Rule::size_mismatch,
      [&] {
        (void)fd::regular(0.0, 1.0, values, {.channel_names = {"a", "b"}});
      },
      "regular", "3 values", "2 channels");
  require_rule(fd::Rule::empty, [&] { (void)fd::regular(0.0, 1.0, std::vector<double>{}); });
  require_rule(fd::Rule::time_repeated, [&] { (void)fd::regular(1e9, 1e-9, values); });
  require_error<fd::Overflow>([&] { (void)fd::regular(fd::Timestamp::max() - 1ns, 1ns, values); }, "regular");
  require_error<fd::Overflow>([&] { (void)fd::regular(now, std::chrono::nanoseconds::max() / 2 + 1ns, values); },
                              "regular");
  require_error<fd::Overflow>([&] { (void)fd::regular(0.0, 1e308, values); }, "regular");
}

TEST_CASE("a period is exact for ticks") {
  CHECK(fd::period(fd::regular(now, 100ms, std::vector<double>(50, 1.0))) == 100ms);
  CHECK(fd::period(fd::Series<>({now, now + 2ns, now + 5ns}, {1, 2, 3})) == std::nullopt);
  CHECK(fd::period(fd::Series<>({now, now + 2ns, now + 3ns}, {1, 2, 3})) == std::nullopt);
  CHECK(fd::period(fd::Series<>({now, now + 100ms, now + 200ms + 1ns}, {1, 2, 3})) == std::nullopt);
  CHECK(fd::period(fd::Series<>({now}, {1})) == std::nullopt);
}

TEST_CASE("a period of double allows the rounding of the stamps and no more") {
  std::vector<double> sums;
  for (int k = 0; k < 100; ++k) sums.push_back(1e6 + 0.1 * k);
  const std::vector<double> values(sums.size(), 1.0);
  CHECK(*fd::period(Series(sums, values)) == Approx(0.1));
  sums[50] += 1e-8;
  CHECK(fd::period(Series(sums, values)) == std::nullopt);
  sums[50] -= 2e-8;
  CHECK(fd::period(Series(sums, values)) == std::nullopt);
}

TEST_CASE("a series with an event is not regular") {
  CHECK(fd::period(Series({0, 1, 1, 2}, {1, 2, 3, 4}, {.duplicates = fd::Duplicates::event})) == std::nullopt);
  CHECK(fd::period(Series({1, 1}, {1, 2}, {.duplicates = fd::Duplicates::event})) == std::nullopt);
}

TEST_CASE("bad samples are removed by whole rows and counted") {
  const Series series({0, 1, 2, 3}, {1, 10, bad, 20, 3, infinity, 4, 40},
                      {.name = "plant", .channel_names = {"a", "b"}, .interpolation = hold, .max_gap = 9.0});
  const auto [good, removed] = fd::without_bad(series);
  CHECK(removed == 2);
  CHECK(good.size() == 2);
  CHECK(good.time(1) == 3);
  CHECK(good(1, 1) == 40);
  CHECK(good.name() == "plant");
  CHECK(good.channel_names()[0] == "a");
  CHECK(good.interpolation() == hold);
  CHECK(good.max_gap() == 9.0);
  CHECK(fd::without_bad(fd::channel(series, "a")).removed == 1);
  CHECK(fd::without_bad(good).removed == 0);
}

TEST_CASE("a series of bad samples only is refused") {
  require_rule(
      fd::Rule::empty,
      [] {
        (void)fd::without_bad(Series({0, 1}, {bad, infinity}, {.name = "x"}));
      },
      "without_bad", "all 2 samples", "'x'");
}
