// SPDX-License-Identifier: MIT
// Other conventions by name (T43) and the time window (T25): none is a metric, and all say so.
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/time_window.hpp>
#include <fidelity/distance/twed_variants.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;
using series_test::require_rule;
using Cost = std::int64_t;
using Run = fd::Series<double, double>;

static_assert(fd::BatchMetric<fd::TwedVariant, Run> && fd::BatchMetric<fd::TimeWindowTwed, Run>);
static_assert(!fd::Metric<fd::TwedVariant, int> && !fd::Metric<fd::TimeWindowTwed, int>);

struct Problem {
  oracle::Eighths a, b;
  int stiffness, penalty;

  [[nodiscard]] fd::Twed twed(const fd::Norm& norm = 2) const {
    return {.stiffness = stiffness / 8.0, .penalty = penalty / 8.0, .norm = norm};
  }
};

Problem random_problem(Random& random, std::size_t channels, int longest = 7) {
  const auto length = [&] { return static_cast<std::size_t>(uniform(random, 1, longest)); };
  return {oracle::random_series(random, length(), channels), oracle::random_series(random, length(), channels),
          uniform(random, 1, 8), uniform(random, 0, 8)};
}

/// Values come in units of 1/64 and are multiples of 1/8: the square in units of 1/64.
Cost sum_of_squares(const std::vector<Cost>& x, const std::vector<Cost>& y) {
  Cost sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += (x[c] - y[c]) / 8 * ((x[c] - y[c]) / 8);
  return sum;
}

}  // namespace

TEST_CASE("the squared variant violates the triangle inequality: 4 and 9 against 25") {
  const Run x({0, 1}, {0, 0}), y({0, 1}, {0, 2}), z({0, 1}, {0, 5});
  const auto squared = fd::squared({.stiffness = 0.1, .penalty = 0.5});
  CHECK(squared(x, y) == Approx(4));
  CHECK(squared(y, z) == Approx(9));
  CHECK(squared(x, z) == Approx(25));
  const Run low({0}, {-1}), middle({0}, {2}), high({0}, {3});
  CHECK(squared(low, middle) == 9);
  CHECK(squared(middle, high) == 1);
  CHECK(squared(low, high) == 16);
}

TEST_CASE("the squared variant equals the full table with squares exactly") {
  Random random(51);
  for (int k = 0; k < 600; ++k) {
    const Problem p = random_problem(random, k % 2 == 0 ? 1 : 3);
    const Cost expected = oracle::twed<Cost>(p.a.sequence<Cost>(p.stiffness), p.b.sequence<Cost>(p.stiffness),
                                             Cost{8} * p.penalty, sum_of_squares);
    REQUIRE(fd::squared(p.twed())(p.a.series(), p.b.series()) == static_cast<double>(expected) / 64);
  }
}

TEST_CASE("the first power is the distance itself and the third the full table with cubes") {
  Random random(52);
  for (int k = 0; k < 200; ++k) {
    const Problem p = random_problem(random, 2);
    const Run a = p.a.series(), b = p.b.series();
    REQUIRE(fd::power(p.twed(1))(a, b) == p.twed(1)(a, b));
    const auto cubes = [](const auto& x, const auto& y) {
      long double sum = 0;
      for (std::size_t c = 0; c < x.size(); ++c) sum += std::pow(oracle::magnitude(x[c] - y[c]) / 64, 3.0L) * 64;
      return sum;
    };
    const long double expected =
        oracle::twed<long double>(p.a.sequence<long double>(p.stiffness), p.b.sequence<long double>(p.stiffness),
                                  8.0L * p.penalty, cubes) /
        64;
    REQUIRE(fd::power(p.twed(3))(a, b) == Approx(static_cast<double>(expected)).epsilon(1e-12));
  }
}

TEST_CASE("the legacy border violates the triangle inequality: 5 and 2 against 8") {
  const Run a({2, 3}, {3, 0}), b({1}, {0}), c({1, 3}, {-1, -1});
  const auto legacy = fd::legacy_border(fd::Twed{.stiffness = 1, .penalty = 0});
  CHECK(legacy(a, b) == 5);
  CHECK(legacy(b, c) == 2);
  CHECK(legacy(a, c) == 8);
}

TEST_CASE("the legacy border pays a different first sample once: 11.25 and not 20") {
  const auto run = [](std::vector<double> values) { return fd::regular(1.0, 1.0, std::move(values)); };
  const fd::Twed twed{.stiffness = 0.5, .penalty = 0.25};
  CHECK(twed(run({10, 0, 0, 0}), run({0, 0, 0, 0})) == 20);
  CHECK(fd::legacy_border(twed)(run({10, 0, 0, 0}), run({0, 0, 0, 0})) == 11.25);
}

TEST_CASE("the legacy border equals its full table exactly with and without squares") {
  Random random(53);
  for (int k = 0; k < 600; ++k) {
    Problem p = random_problem(random, 1);
    for (auto* s : {&p.a, &p.b})
      for (int& t : s->times) t += 20;
    const Run a = p.a.series(), b = p.b.series();
    const auto x = p.a.sequence<Cost>(p.stiffness), y = p.b.sequence<Cost>(p.stiffness);
    const auto expected = [&](auto distance) {
      return static_cast<double>(oracle::twed_with_legacy_border<Cost>(x, y, Cost{8} * p.penalty, distance)) / 64;
    };
    REQUIRE(fd::legacy_border(p.twed())(a, b) == expected(oracle::sum_of_magnitudes<Cost>));
    REQUIRE(fd::legacy_border(fd::squared(p.twed()))(a, b) == expected(sum_of_squares));
  }
}

TEST_CASE("variants are marked as not a metric and describe themselves") {
  const fd::Twed twed{.stiffness = 0.5, .penalty = 2};
  CHECK(fd::metric_status(fd::squared(twed)) == fd::MetricStatus::not_a_metric);
  CHECK(fd::metric_status(fd::legacy_border(twed)) == fd::MetricStatus::not_a_metric);
  CHECK(fd::metric_status(fd::time_window(twed, 1.0)) == fd::MetricStatus::not_a_metric);
  const fd::Twed sums{.stiffness = 0.5, .penalty = 2, .norm = 1};
  CHECK(fd::metric_status(fd::power(sums)) == fd::MetricStatus::metric);
  CHECK(fd::metric_status(fd::legacy_border(fd::power(sums))) == fd::MetricStatus::not_a_metric);
  const auto text = fd::describe(fd::legacy_border(fd::squared(twed)));
  CHECK(text.name == "variant of the time warp edit distance");
  CHECK(text.settings == "L2 norm, to the power 2, legacy border");
  CHECK(text.status == fd::MetricStatus::not_a_metric);
  CHECK(text.parameters[1].value == 2);
  const auto window = fd::describe(fd::time_window(twed, std::chrono::milliseconds{500}));
  CHECK(window.name == "upper bound of the time warp edit distance");
  CHECK(window.settings == "L2 norm, time window 0.5 s");
  CHECK(window.status == fd::MetricStatus::not_a_metric);
}

TEST_CASE("wrong calls of variants are refused") {
  const fd::Twed twed{.stiffness = 0.5, .penalty = 2};
  const Run run({0, 1}, {0, 1}), early({-1, 1}, {0, 1}, {.name = "early"});
  const auto rule = fd::Rule::bad_parameter;
  require_rule(
      rule, [] { (void)fd::squared({.stiffness = 1, .penalty = 1, .norm = 1}); }, "squared");
  require_rule(
      rule, [] { (void)fd::power({.stiffness = 1, .penalty = 1, .norm = fd::Norm::maximum()}); }, "power");
  require_rule(
      rule, [&] { (void)fd::legacy_border(twed)(run, early); }, "legacy_border", "b 'early'", "elapsed");
  const fd::Series<> absolute({fd::Timestamp{}}, {0});
  require_rule(
      rule, [&] { (void)fd::legacy_border(twed)(absolute, absolute); }, "legacy_border", "elapsed");
  CHECK(fd::squared(twed)(absolute, absolute) == 0);
  const auto x = fd::squared(twed).prepare(run, 0.0);
  require_rule(
      rule, [&] { (void)fd::legacy_border(twed)(x, x); }, "other parameters");
  CHECK_THROWS_AS(fd::squared(twed)(Run({0}, {1e200}), Run({0}, {0})), fd::Overflow);
  const fd::Twed negative{.stiffness = -1, .penalty = 2};
  require_rule(
      rule, [&] { (void)fd::squared(negative)(run, run); }, "stiffness");
}

TEST_CASE("variants fill a matrix with the numbers of single pairs") {
  Random random(54);
  std::vector<Run> runs;
  for (int k = 0; k < 5; ++k) {
    auto run = oracle::random_series(random, 6, 1);
    for (int& t : run.times) t += 20;
    runs.push_back(run.series());
  }
  const auto check = [&](const auto& metric) {
    const auto matrix = fd::pairwise(runs, runs, metric);
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (std::size_t j = 0; j < runs.size(); ++j)
        CHECK(matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) == metric(runs[i], runs[j]));
    CHECK(fd::pairwise(runs, metric) == matrix);
  };
  const fd::Twed twed{.stiffness = 0.5, .penalty = 0.25};
  check(fd::squared(twed));
  check(fd::legacy_border(fd::squared(twed)));
  check(fd::time_window(twed, 1000.0));
}

TEST_CASE("a time window equals the full table with infinite costs outside and never falls below the distance") {
  Random random(55);
  int without_path = 0, narrower = 0;
  for (int k = 0; k < 1500; ++k) {
    Problem p = random_problem(random, 1, 9);
    if (const int late = p.b.times[0] - p.a.times[0]; k % 2 == 0)
      for (int& t : p.b.times) t -= late;
    const Run a = p.a.series(), b = p.b.series();
    const double distance = p.twed()(a, b);
    std::optional<double> before;
    for (const int eighths : {0, 4, 10, 20, 40, 80, 1000}) {
      const auto bound = fd::time_window(p.twed(), eighths / 8.0).upper_bound(a, b);
      const Cost expected = oracle::twed_in_window<Cost>(p.a.sequence<Cost>(p.stiffness),
                                                         p.b.sequence<Cost>(p.stiffness), Cost{8} * p.penalty,
                                                         oracle::sum_of_magnitudes<Cost>, Cost{p.stiffness} * eighths);
      REQUIRE(bound.has_value() == (expected >= 0));
      without_path += bound ? 0 : 1;
      if (!bound) {
        REQUIRE_FALSE(before);
        continue;
      }
      REQUIRE(*bound == static_cast<double>(expected) / 64);
      REQUIRE(*bound >= distance);
      if (before) REQUIRE(*bound <= *before);
      narrower += *bound > distance ? 1 : 0;
      before = bound;
    }
    REQUIRE(before == distance);
  }
  CHECK(without_path > 1000);
  CHECK(narrower > 100);
}

TEST_CASE("no band gives less than the distance where a large one gives it: 30.014") {
  const auto rising = fd::regular(0.0, 1.0, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  const auto constant = fd::regular(0.0, 1.0, std::vector<double>(8, 10.0));
  const fd::Twed twed{.stiffness = 0.001, .penalty = 1};
  CHECK(fd::time_window(twed, 0.0).upper_bound(rising, constant) == 86);
  CHECK(fd::time_window(twed, 7.0).upper_bound(rising, constant) == twed(rising, constant));
}

TEST_CASE("pairs that are as far apart in time as the window says are inside it exactly") {
  using namespace std::chrono_literals;
  const fd::Timestamp start{1'700'000'000s};
  const fd::Twed twed{.stiffness = 1, .penalty = 1};
  const auto run = [&](auto offset) { return fd::regular(start + offset, 100ms, std::vector<double>(30, 0.0)); };
  for (const auto late : {0ms, 100ms, 300ms, 700ms}) {
    CHECK(fd::time_window(twed, late).upper_bound(run(0ms), run(late)));
    CHECK(fd::time_window(twed, late).upper_bound(run(late), run(0ms)));
    CHECK_FALSE(fd::time_window(twed, late).upper_bound(run(0ms), run(late + 1ns)));
  }
}

TEST_CASE("a matrix names the pair that has no path in the window") {
  const std::vector<Run> rows = {Run({0, 1}, {0, 0}, {.name = "first"}), Run({0, 1}, {0, 0}, {.name = "second"})};
  const std::vector<Run> columns = {Run({0, 1}, {0, 0}), Run({5, 6}, {0, 0}, {.name = "late"})};
  const auto metric = fd::time_window({.stiffness = 1, .penalty = 1}, 2.0);
  require_rule(
      fd::Rule::no_path, [&] { (void)fd::pairwise(rows, columns, metric); }, "rows[0] 'first'", "columns[1] 'late'",
      "2 s");
}

TEST_CASE("a window that is negative or not finite is refused") {
  const Run run({0, 1}, {0, 1});
  for (const double bad : {-1e-9, series_test::bad, series_test::infinity})
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)fd::time_window({.stiffness = 1, .penalty = 1}, bad)(run, run); },
        "window");
}
