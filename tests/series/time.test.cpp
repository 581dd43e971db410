// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <limits>

#include "reference/series_helpers.hpp"

#include <fidelity/series/time.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;

TEST_CASE("any clock and tick is a time and so is double but nothing else") {
  STATIC_REQUIRE(fd::TimePoint<fd::Timestamp>);
  STATIC_REQUIRE(fd::TimePoint<double>);
  STATIC_REQUIRE(fd::TimePoint<std::chrono::sys_seconds>);
  STATIC_REQUIRE(fd::TimePoint<std::chrono::steady_clock::time_point>);
  STATIC_REQUIRE(fd::TimePoint<std::chrono::local_seconds>);
  STATIC_REQUIRE_FALSE(fd::TimePoint<float>);
  STATIC_REQUIRE_FALSE(fd::TimePoint<int>);
  STATIC_REQUIRE_FALSE(fd::TimePoint<std::chrono::seconds>);
}

TEST_CASE("a duration in seconds is the nearest double") {
  CHECK(fd::seconds(100ms) == 0.1);
  CHECK(fd::seconds(-1ns) == -1e-9);
  CHECK(fd::seconds(2min) == 120.0);
  CHECK(fd::seconds(2.5) == 2.5);
  CHECK(fd::seconds(std::chrono::nanoseconds{1'700'000'000'123'456'789}) == 1700000000.123456789);
  CHECK(fd::seconds(std::chrono::nanoseconds{-1'700'000'000'123'456'789}) == -1700000000.123456789);
  CHECK(fd::seconds(std::chrono::nanoseconds::max()) == 9223372036.854775807);
  CHECK(fd::seconds(std::chrono::nanoseconds::min()) == -9223372036.854775808);
}

TEST_CASE("a duration of whole seconds beyond 2^53 ticks stays whole") {
  CHECK(fd::seconds(std::chrono::nanoseconds{9'007'199'000'000'000'001}) == 9007199000.000000001);
  CHECK(fd::seconds(std::chrono::nanoseconds{1'700'000'000'123'456'836}) == 1700000000.123456836);
  CHECK(fd::seconds(std::chrono::milliseconds{(std::int64_t{1} << 53) + 1}) == 9007199254740.993);
}

TEST_CASE("a system time is written in UTC with nine decimals") {
  CHECK(fd::to_text(fd::Timestamp{}) == "1970-01-01T00:00:00.000000000Z");
  CHECK(fd::to_text(fd::Timestamp{1'700'000'000'123'456'789ns}) == "2023-11-14T22:13:20.123456789Z");
  CHECK(fd::to_text(fd::Timestamp{-1ns}) == "1969-12-31T23:59:59.999999999Z");
  CHECK(fd::to_text(std::chrono::sys_days{std::chrono::year{2024} / 2 / 29}) == "2024-02-29T00:00:00.000000000Z");
  CHECK(fd::to_text(std::chrono::sys_seconds{86399s}) == "1970-01-01T23:59:59.000000000Z");
}

TEST_CASE("the first and the last instant of a time type can be written") {
  CHECK(fd::to_text(fd::Timestamp::min()) == "1677-09-21T00:12:43.145224192Z");
  CHECK(fd::to_text(fd::Timestamp::max()) == "2262-04-11T23:47:16.854775807Z");
  CHECK(fd::to_text(std::chrono::sys_seconds::max()) == "9223372036854775808 s since the epoch of its clock");
}

TEST_CASE("a time of another clock and a double are written in seconds") {
  CHECK(fd::to_text(std::chrono::steady_clock::time_point{1500ms}) == "1.5 s since the epoch of its clock");
  CHECK(fd::to_text(0.1) == "0.1 s");
}

TEST_CASE("a step is a positive duration or a positive number of seconds") {
  CHECK(fd::Every{100ms}.step == 100ms);
  CHECK(fd::Every{0.1}.step == 0.1);
  CHECK(fd::Every{2}.step == 2.0);
  CHECK(fd::Every{0.5F}.step == 0.5);
  require_rule(
      fd::Rule::bad_parameter, [] { (void)fd::Every{0.0}; }, "Every", "positive", "got 0");
  require_rule(
      fd::Rule::bad_parameter, [] { (void)fd::Every{-1ms}; }, "positive");
  require_rule(
      fd::Rule::bad_parameter, [] { (void)fd::Every{bad}; }, "finite");
  require_rule(
      fd::Rule::bad_parameter, [] { (void)fd::Every{infinity}; }, "finite");
}

TEST_CASE("a grid point is a product and not a running sum") {
  const fd::Grid<double> grid{0.0, 0.1, 1'000'001};
  CHECK(grid[3] == 3 * 0.1);
  CHECK(grid[1'000'000] == 100'000.0);
  const fd::Grid<fd::Timestamp> ticks_of_a_third{fd::Timestamp{7ns}, 333'333'333ns, 4};
  CHECK(ticks_of_a_third[3] == fd::Timestamp{1'000'000'006ns});
}
