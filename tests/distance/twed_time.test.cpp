// SPDX-License-Identifier: MIT
// Stamps of every kind give the distance that small stamps give (T15, T17, T18).
#include <chrono>
#include <cstdint>
#include <ratio>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using namespace std::chrono_literals;
using Run = fd::Series<double, double>;

const std::vector<double> seconds_a = {0, 1, 2.5, 4, 7}, values_a = {0, 1.5, 3, 2, -1};
const std::vector<double> seconds_b = {0.5, 1.5, 3, 3.5, 6, 8}, values_b = {0.25, 1, 3.5, 3, 0.5, -1};
const fd::Twed twed{.stiffness = 0.1, .penalty = 1};

template <class Time>
fd::Series<double, Time> from(Time start, const std::vector<double>& seconds, const std::vector<double>& values) {
  std::vector<Time> times;
  for (const double s : seconds) {
    if constexpr (std::is_same_v<Time, double>) {
      times.push_back(start + s);
    } else {
      times.push_back(start + std::chrono::duration_cast<fd::Duration<Time>>(std::chrono::duration<double>(s)));
    }
  }
  return {times, values};
}

template <class Time>
double distance(Time start) {
  return twed(from(start, seconds_a, values_a), from(start, seconds_b, values_b));
}

}  // namespace

TEST_CASE("epoch nanoseconds give the bits of small stamps") {
  const double small = distance(0.0);
  CHECK(distance(fd::Timestamp{1'700'000'000s}) == small);
  CHECK(distance(fd::Timestamp{1'700'000'000s + 1ns}) == small);
  CHECK(distance(fd::Timestamp{-1'700'000'000s}) == small);
  CHECK(distance(fd::Timestamp::max() - 10s) == small);
  CHECK(distance(fd::Timestamp::min()) == small);
}

TEST_CASE("one nanosecond is seen at any date") {
  const fd::Series<> a({fd::Timestamp{1'700'000'000s}}, {0}), b({fd::Timestamp{1'700'000'000s + 1ns}}, {0});
  CHECK(fd::Twed{.stiffness = 1e9, .penalty = 0}(a, b) == 1);
}

TEST_CASE("epoch seconds in double and coarse ticks give the bits of small stamps") {
  const double small = distance(0.0);
  CHECK(distance(1.7e9) == small);
  CHECK(distance(-1.7e9) == small);
  CHECK(distance(std::chrono::sys_time<std::chrono::milliseconds>{1'700'000'000s}) == small);
  CHECK(distance(std::chrono::steady_clock::time_point{12345s}) == small);
}

TEST_CASE("stamps are seconds whatever their ticks") {
  using Hours =
      std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int64_t, std::ratio<3600>>>;
  const fd::Series<double, Hours> a({Hours{std::chrono::hours{1}}}, {0}), b({Hours{std::chrono::hours{3}}}, {0});
  CHECK(fd::Twed{.stiffness = 0.5, .penalty = 0}(a, b) == 3600);
}

TEST_CASE("a shift of one time axis is seen") {
  const Run a = from(0.0, seconds_a, values_a), late = from(1.0, seconds_a, values_a);
  CHECK(twed(a, late) == Approx(0.1 * (2 * 5 - 1)));
}

TEST_CASE("negative stamps are ordinary") {
  CHECK(distance(-8.0) == distance(0.0));
  CHECK(distance(-100.0) == distance(0.0));
}

TEST_CASE("two samples at one time are accepted as an event where the metric says so") {
  const Run event({0, 1, 1, 2}, {0, 0, 4, 4}, {.duplicates = fd::Duplicates::event});
  const Run step({0, 2}, {0, 4});
  const fd::Twed accepting{.stiffness = 0.5, .penalty = 0.25, .accept_events = true};
  // Delete the sample at 1 with value 0 (0 + 0.5 + 0.25), the one at 1 with value 4 too (4 + 0 + 0.25) ...
  CHECK(accepting(event, event) == 0);
  CHECK(accepting(event, step) == accepting(step, event));
  // ... or match (1, 4) with (2, 4) (0.5) after deleting (1, 0): 0.75 + 0 + 0.5, coming from phi = 0.5 * 1 + 0,
  // then delete (2, 4): 0 + 0.5 + 0.25.
  CHECK(accepting(event, step) == 0.75 + (0.5 + 0.5) + 0.75);
}

TEST_CASE("the earliest first stamp is the origin of a matrix, whichever series has it") {
  const std::vector<Run> rows = {from(0.1, seconds_a, values_a), from(0.3, seconds_b, values_b)};
  const std::vector<Run> columns = {from(0.7, seconds_b, values_b), from(-0.2, seconds_a, values_a)};
  const auto matrix = fd::pairwise(rows, columns, twed);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      CHECK(matrix(i, j) == twed(twed.prepare(rows[static_cast<std::size_t>(i)], -0.2),
                                 twed.prepare(columns[static_cast<std::size_t>(j)], -0.2)));
}

TEST_CASE("runs that start far apart are refused with the name of the function that helps") {
  const auto check = [](const std::vector<Run>& rows, const std::vector<Run>& columns) {
    require_error<fd::InputError>([&] { (void)fd::pairwise(rows, columns, twed); }, "elapsed");
    require_error<fd::InputError>([&] { (void)fd::pairwise(columns, rows, twed); }, "elapsed");
    require_error<fd::InputError>([&] { (void)fd::pairwise_pooled(rows, columns, twed); }, "elapsed");
    std::vector<Run> both = rows;
    both.insert(both.end(), columns.begin(), columns.end());
    try {
      (void)fd::pairwise(both, twed);
      FAIL("no error was thrown");
    } catch (const fd::InputError& error) {
      CHECK(error.rule == fd::Rule::far_apart);
    }
  };
  const Run simulated = from(0.0, seconds_a, values_a), measured = from(1.7e9, seconds_b, values_b);
  check({simulated}, {measured});
  check({simulated, simulated}, {simulated, measured});

  const std::vector<fd::Series<>> days = {from(fd::Timestamp{0s}, seconds_a, values_a),
                                          from(fd::Timestamp{24h}, seconds_a, values_a)};
  require_error<fd::InputError>([&] { (void)fd::pairwise(days, twed); }, "elapsed", "86400 s", "7 s");
  const std::vector<Run> own_starts = {fd::elapsed(days[0]), fd::elapsed(days[1])};
  CHECK(fd::pairwise(own_starts, twed)(0, 1) == 0);
}

TEST_CASE("first stamps may spread over ten times the longest run") {
  const Run first({0, 8}, {0, 0}), short_one({3, 4}, {0, 0});
  const auto with = [&](double start) { return std::vector<Run>{first, short_one, Run({start, start + 1}, {0, 0})}; };
  CHECK_NOTHROW(fd::pairwise(with(80), twed));
  CHECK_THROWS_AS(fd::pairwise(with(80.5), twed), fd::InputError);
}

TEST_CASE("runs of one sample have no length to compare the spread of their starts with") {
  const std::vector<Run> points = {Run({0}, {1}), Run({100}, {1})};
  CHECK(fd::pairwise(points, twed)(0, 1) == Approx(10));
}
