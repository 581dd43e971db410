// SPDX-License-Identifier: MIT
// Cutoffs (T23) and lower bounds (T39): nothing shows where a computation ended early, and no bound is above a
// distance.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fidelity/distance/lower_bound.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;
using series_test::infinity;
using series_test::require_rule;
using Run = fd::Series<double, double>;

const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// within() and its sweep alone, which here never hands over to the full one.
std::vector<std::optional<double>> all_ways(const fd::PreparedTwed<double>& a, const fd::PreparedTwed<double>& b,
                                            const fd::Twed& metric, double cutoff) {
  const auto sweep = [&](const auto& costs) {
    const fd::detail::CostThroughCell through_cell(costs, metric.penalty, a.packed.channels);
    return fd::detail::sweep_within(costs, cutoff, through_cell, a.size(), [] { return -1.0; });
  };
  return {metric.within(a, b, cutoff), metric.within(b, a, cutoff),
          fd::detail::with_packed_costs(a.packed, b.packed, metric.norm, sweep)};
}

/// The state must be that of the comparison with the full value, for the cutoffs next to it and for others.
void check_cutoffs(const Run& a, const Run& b, const fd::Twed& metric) {
  const double origin = std::min(a.time(0), b.time(0));
  const auto x = metric.prepare(a, origin), y = metric.prepare(b, origin);
  const double distance = metric(x, y);
  for (const double cutoff : {std::nextafter(distance, 0.0), distance, std::nextafter(distance, infinity), 0.0,
                              distance * (1 - 1e-13), distance * 0.99, distance * 0.5, distance * 0.05, distance * 2})
    for (const auto& result : all_ways(x, y, metric, cutoff)) {
      REQUIRE(result.has_value() == (distance <= cutoff));
      if (result) REQUIRE(bits(*result) == bits(distance));
    }
}

Run constant(std::size_t length, double value, double step = 0.1) {
  return fd::regular(0.0, step, std::vector<double>(length, value));
}

}  // namespace

TEST_CASE("a cutoff gives the distance up to and with its value and nothing above") {
  Random random(41);
  for (const std::size_t channels : {1U, 3U})
    for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm::maximum(), fd::Norm(2.5)})
      for (int k = 0; k < 25; ++k) {
        const auto length = [&] { return static_cast<std::size_t>(uniform(random, 1, k % 5 == 0 ? 90 : 12)); };
        const fd::Twed metric{
            .stiffness = uniform(random, 0, 9) / 7.0, .penalty = uniform(random, 0, 9) / 3.0, .norm = norm};
        const auto a = oracle::rough_series(random, length(), channels);
        check_cutoffs(a, oracle::rough_series(random, length(), channels), metric);
      }
}

TEST_CASE("a cutoff is decided right where the bound of the rest of a path is tight: all of it is rounding") {
  Random random(42);
  for (int k = 0; k < 400; ++k) {
    const auto length = [&] { return static_cast<std::size_t>(uniform(random, 1, 60)); };
    const double level = uniform(random, 1, 99) / 7.0;
    const fd::Twed metric{.stiffness = k % 2 == 0 ? 0 : 1e-17, .penalty = uniform(random, 1, 99) / 77.0};
    check_cutoffs(constant(length(), level), constant(length(), level), metric);
    check_cutoffs(constant(length(), level), constant(1, level + 0.1), metric);
  }
}

TEST_CASE("a cutoff is right for series of one sample") {
  const Run one({0.5}, {2}), other({1}, {7}), many({0, 1, 2}, {7, 1, 4});
  for (const Run& b : {other, many, one}) check_cutoffs(one, b, twed);
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0};
  CHECK_FALSE(metric.within(Run({0}, {0}), Run({0.542}, {5}), 4.628));  // the distance is 5.271
  CHECK(metric.within(Run({0}, {0}), Run({0.542}, {5}), 5.271).value_or(0) == Approx(5.271));
}

TEST_CASE("of a series and itself the distance is within 0") {
  CHECK(twed.within(constant(5, 3), constant(5, 3), 0) == 0.0);
  CHECK(twed.within(constant(5, 3), constant(5, 3), -0.0) == 0.0);
  CHECK_FALSE(twed.within(constant(5, 3), constant(6, 3), 0));
}

TEST_CASE("a cutoff that is negative or no number is refused and an infinite one cuts nothing") {
  for (const double bad : {-1e-300, -1.0, -infinity, series_test::bad})
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)twed.within(constant(2, 0), constant(2, 1), bad); }, "cutoff");
  CHECK(twed.within(constant(2, 0), constant(2, 1), infinity) == twed(constant(2, 0), constant(2, 1)));
}

TEST_CASE("a distance outside the range of double is above every finite cutoff") {
  const Run huge({0, 1, 2}, {-1e308, 1e308, 0}), small({0, 1}, {0, 0});
  CHECK_THROWS_AS(twed(huge, small), fd::Overflow);
  for (const double cutoff : {0.0, 1.0, std::numeric_limits<double>::max()})
    CHECK_FALSE(twed.within(huge, small, cutoff));
  CHECK_THROWS_AS(twed.within(huge, small, infinity), fd::Overflow);
}

TEST_CASE("a cutoff takes series of other types and refuses series prepared for other parameters") {
  const fd::Series<float, double> floats({0, 1}, {1.0F, 2.0F});
  CHECK(twed.within(floats, constant(2, 1, 1.0), 100) == twed(floats, constant(2, 1, 1.0)));
  const auto x = twed.prepare(constant(2, 0), 0.0);
  const fd::Twed other{.stiffness = 0.3, .penalty = 0.8};
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)other.within(x, x, 1); }, "other parameters");
}

TEST_CASE("at every cell the bound of a path through it is at most the cheapest way on") {
  using Cost = std::int64_t;
  Random random(43);
  double share = 0;
  int cells = 0;
  for (int k = 0; k < 400; ++k) {
    const auto a = oracle::random_series(random, static_cast<std::size_t>(uniform(random, 1, 5)), 2);
    const auto b = oracle::random_series(random, static_cast<std::size_t>(uniform(random, 1, 5)), 2);
    const int stiffness = uniform(random, 0, 8), penalty = uniform(random, 0, 8);
    const fd::Twed metric{.stiffness = stiffness / 8.0, .penalty = penalty / 8.0, .norm = 1};
    const auto x = metric.prepare(a.series(), 0.0), y = metric.prepare(b.series(), 0.0);
    const auto s = a.sequence<Cost>(stiffness), t = b.sequence<Cost>(stiffness);
    fd::detail::with_packed_costs(x.packed, y.packed, metric.norm, [&](const auto& costs) {
      const fd::detail::CostThroughCell through_cell(costs, metric.penalty, 2);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i == 0 ? 1 : 0; j < y.size(); ++j) {
          const auto rest = oracle::cheapest_path<Cost>(s, t, Cost{8} * penalty, oracle::sum_of_magnitudes<Cost>, i, j);
          const double bound = through_cell(i, j, 3.0), cheapest = 3.0 + static_cast<double>(rest) / 64;
          REQUIRE(bound <= cheapest);
          share += bound / cheapest, ++cells;
        }
    });
  }
  CHECK(share / cells > 0.5);  // it says something
}

TEST_CASE("no lower bound is above the distance that is computed") {
  Random random(44);
  double largest = 0;
  for (int k = 0; k < 2400; ++k) {
    const std::size_t channels = k % 3 == 0 ? 3 : 1;
    const auto length = [&] { return static_cast<std::size_t>(uniform(random, 1, 9)); };
    const fd::Twed metric{.stiffness = uniform(random, 0, 9) / 7.0,
                          .penalty = uniform(random, 0, 9) / 3.0,
                          .norm = k % 2 == 0 ? fd::Norm(2) : fd::Norm(1)};
    const Run a = oracle::rough_series(random, length(), channels);
    const Run b = k % 5 == 0 ? a : oracle::rough_series(random, length(), channels);
    const double distance = metric(a, b);
    const auto bounds = fd::lower_bounds(a, b, metric);
    for (const double bound : {bounds.ends, bounds.length, bounds.potential, bounds.features}) {
      REQUIRE(bound >= 0);
      REQUIRE(bound <= distance);
    }
    REQUIRE(fd::lower_bound(a, b, metric) == bounds.largest());
    if (distance > 0) largest = std::max(largest, bounds.largest() / distance);
  }
  CHECK(largest > 0.99);
}

TEST_CASE("each lower bound is nearly the distance where it sees all that there is") {
  const fd::Twed metric{.stiffness = 1, .penalty = 0.5};
  const auto check = [&](double bound, double distance) {
    CHECK(bound <= distance);
    CHECK(bound == Approx(distance).epsilon(1e-12));
  };
  const Run x({0}, {0}), y({2}, {3}), two({0, 1}, {0, 0}), two_late({0, 1}, {0, 2});
  check(fd::lower_bounds(x, y, metric).ends, 5);
  check(fd::lower_bounds(two, two_late, {.stiffness = 1, .penalty = 5}).ends, 2);
  check(fd::lower_bounds(x, two_late, metric).length, 3.5);
  check(fd::lower_bounds(two, two_late, metric).potential, 2);
  check(fd::lower_bounds(x, two_late, metric).features, 3.5);
  const auto prepared = metric.prepare(two, 0.0);
  CHECK(fd::lower_bound(prepared, prepared, metric) == 0);
}

TEST_CASE("the pivot bound is at most the distance") {
  Random random(45);
  for (int k = 0; k < 300; ++k) {
    std::vector<Run> runs;
    for (int i = 0; i < 5; ++i)
      runs.push_back(oracle::rough_series(random, static_cast<std::size_t>(uniform(random, 1, 9)), 1));
    if (k % 4 == 0) runs[1] = runs[0];
    std::vector<double> from_a, from_b;
    for (int p = 2; p < 5; ++p) {
      from_a.push_back(twed(runs[0], runs[static_cast<std::size_t>(p)]));
      from_b.push_back(twed(runs[1], runs[static_cast<std::size_t>(p)]));
    }
    REQUIRE(fd::pivot_bound(from_a, from_b, 9) <= twed(runs[0], runs[1]));
  }
  CHECK(fd::pivot_bound(std::vector{3.0, 1.0}, std::vector{1.0, 4.0}, 9) == Approx(3));
  CHECK(fd::pivot_bound(std::vector{3.0}, std::vector{std::nextafter(3.0, 4.0)}, 9) == 0);
}

TEST_CASE("pivot distances that are none are refused") {
  const std::vector<double> one = {1}, two = {1, 2}, none, bad = {series_test::bad}, negative = {-1};
  require_rule(
      fd::Rule::size_mismatch, [&] { (void)fd::pivot_bound(one, two, 9); }, "1 and 2");
  require_rule(
      fd::Rule::empty, [&] { (void)fd::pivot_bound(none, none, 9); }, "one pivot");
  require_rule(
      fd::Rule::bad_distance, [&] { (void)fd::pivot_bound(one, bad, 9); }, "finite");
  require_rule(
      fd::Rule::bad_distance, [&] { (void)fd::pivot_bound(negative, one, 9); }, "-1");
}
