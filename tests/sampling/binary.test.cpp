// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <vector>

#include "reference/status_oracle.hpp"

#include <fidelity/sampling/binary.hpp>

using namespace status_test;
using namespace std::chrono_literals;
using fd::status_from_binary, fd::to_binary;
using series_test::bad, series_test::require_rule;
using Series = fd::Series<double, Minutes>;

namespace {
std::vector<double> values(const Series& series) {
  std::vector<double> out;
  for (std::size_t i = 0; i < series.size(); ++i) out.push_back(series(i));
  return out;
}
Series binary(std::vector<std::int64_t> t, std::vector<double> v, fd::SeriesOptions<Minutes> options = {}) {
  std::vector<Minutes> times;
  for (const auto count : t) times.push_back(minute(count));
  return {times, std::move(v), std::move(options)};
}
}  // namespace

TEST_CASE("a status at stamps is a held series of 0 and 1") {
  const Status s(window(0, 6), {window(0, 2), window(4, 5)}, {window(2, 3)});
  const std::vector<Minutes> stamps = {minute(-1), minute(0), minute(2), minute(3), minute(4), minute(6)};
  const Series out = to_binary(s, stamps, {.name = "running"});
  CHECK(values(out) == std::vector<double>{0, 1, 0, 0, 1, 0});
  CHECK(out.interpolation() == fd::Interpolation::hold);
  CHECK(out.name() == "running");
  const Series with_nan = to_binary(s, fd::Every{1min}, {.unknown = fd::UnknownAs::nan});
  REQUIRE(with_nan.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::isnan(with_nan(i)) == (i == 2 || i == 6));
  CHECK(with_nan(1) == 1.0);
  CHECK(with_nan(3) == 0.0);
  require_rule(fd::Rule::empty, [&] { (void)to_binary(s, std::vector<Minutes>{}); });
  require_rule(fd::Rule::time_repeated, [&] { (void)to_binary(s, std::vector{minute(1), minute(1)}); });
}

TEST_CASE("a binary series covers the time to the next stamp and its last sample nothing without an end") {
  const Series s = binary({0, 1, 2, 3, 5, 6}, {1, 0.999, bad, 1, series_test::infinity, 1});
  CHECK(status_from_binary(s) == Status(window(0, 6), {window(0, 1), window(3, 5)}, {window(2, 3), window(5, 6)}));
  CHECK(status_from_binary(s, {.end = minute(8)}) ==
        Status(window(0, 8), {window(0, 1), window(3, 5), window(6, 8)}, {window(2, 3), window(5, 6)}));
  CHECK(status_from_binary(binary({3}, {1})) == Status());
  CHECK(status_from_binary(binary({3}, {1}), {.end = minute(4)}) == Status(window(3, 4), {window(3, 4)}));
  // A gap is bridged no more than the series allows.
  CHECK(status_from_binary(binary({0, 9, 10}, {1, 1, 1}, {.max_gap = 4min})) ==
        Status(window(0, 10), {window(0, 4), window(9, 10)}, {window(4, 9)}));
  require_rule(fd::Rule::window_empty, [&] { (void)status_from_binary(s, {.end = minute(0)}); });
}

TEST_CASE("a status at every tick comes back from its binary series") {
  Random random(31);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Status s = from_dense(random_dense(random, 50));
    CHECK(status_from_binary(to_binary(s, fd::Every{1min}, {.unknown = fd::UnknownAs::nan})) == s);
  }
}
