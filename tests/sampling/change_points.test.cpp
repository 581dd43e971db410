// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/change_point_oracle.hpp"

#include <fidelity/sampling/change_points.hpp>

namespace fd = fidelity;
using change_point_oracle::Indices;
using change_point_oracle::scenario;
using change_point_oracle::Values;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity(), bad = std::numeric_limits<double>::quiet_NaN();
const Values step = {0, 1, 0, 1, 5, 6, 5, 6};

template <class Cost>
Indices found(const Values& y, const Cost& cost, const fd::ChangePointOptions& options = {}) {
  return fd::change_points(y, cost, options).indices;
}
}  // namespace

TEST_CASE("a step is found and its segments are described") {
  const auto result = fd::change_points(step, fd::L2{}, {.penalty = 3.0});
  CHECK(result.indices == Indices{4});
  CHECK(result.objective == 5);  // 1 + 1 + 3
  CHECK(result.penalty == 3);
  REQUIRE(result.segments.size() == 2);
  const auto& [begin, end, mean, spread] = result.segments[1];
  CHECK(begin == 4);
  CHECK(end == 8);
  CHECK(mean == 5.5);
  CHECK(spread == 0.5);
  CHECK(result.segments[0].length() == 4);
}

TEST_CASE("penalties are numbers or rules and each cost has its own") {
  const double n = 8, s = fd::noise_estimate(step);
  const auto used = [](const auto& cost, const fd::ChangePointOptions& options = {}) {
    return fd::change_points(step, cost, options).penalty;
  };
  CHECK(used(fd::EmpiricalDistribution{}) == Approx(3 * std::log(n)));
  CHECK(used(fd::L2{}) == Approx(2 * s * s * std::log(n)));
  CHECK(used(fd::LinearTrend{}) == Approx(3 * s * s * std::log(n)));
  CHECK(used(fd::NormalMeanVariance{}) == Approx(3 * std::log(n)));
  CHECK(used(fd::Poisson{}) == Approx(2 * std::log(n)));
  CHECK(used(fd::L2{}, {.penalty = 12}) == 12);
  CHECK(used(fd::L2{}, {.penalty = fd::Penalty::log_n(5)}) == Approx(5 * std::log(n)));
  CHECK(used(fd::L2{}, {.penalty = fd::Penalty::noise(4)}) == Approx(4 * s * s * std::log(n)));
}

TEST_CASE("the earliest last change point wins among equal ones") {
  // One change at 1 or at 2: 0 + 1/2 + 1/2 either way.
  CHECK(found({0, 1, 2}, fd::L2{}, {.penalty = 0.5}) == Indices{1});
  // None costs 1/2, as much as one change.
  CHECK(found({0, 1}, fd::L2{}, {.penalty = 0.5}).empty());
  CHECK(found({0.1, 0.2, 0.3}, fd::L2{}, {.penalty = 0.005}) == Indices{1});
}

TEST_CASE("a constant series has no change points whatever the cost") {
  for (const double level : {0.0, 7.25, 0.1, -1e9}) {
    const Values y(50, level);
    CHECK(found(y, fd::L2{}).empty());
    CHECK(found(y, fd::LinearTrend{}).empty());
    CHECK(found(y, fd::NormalMeanVariance{}).empty());
    CHECK(found(y, fd::EmpiricalDistribution{}).empty());
    CHECK(found(Values(50, std::abs(level)), fd::Poisson{}).empty());
    CHECK(fd::noise_estimate(y) == 0);
    CHECK(fd::change_points(y, fd::L2{}).segments.at(0).mean == level);
    CHECK(fd::change_points(y, fd::L2{}, {.penalty = 0}).indices.empty());
    CHECK(fd::change_points(y, fd::LinearTrend{}, {.penalty = 0}).indices.empty());
  }
}

TEST_CASE("a series shorter than two smallest segments is one segment") {
  CHECK(found({0, 0, 9, 9, 9}, fd::L2{}, {.min_section_size = 3, .penalty = 0.1}).empty());
  CHECK(found({0, 0, 0, 9, 9, 9}, fd::L2{}, {.min_section_size = 3, .penalty = 0.1}) == Indices{3});
  const auto whole = fd::change_points(Values{4}, fd::EmpiricalDistribution{}, {.min_section_size = 1000});
  CHECK(whole.segments.at(0).length() == 1);
  CHECK(whole.segments[0].spread == 0);
  CHECK(whole.objective == 0);
  CHECK(found({1, 2, 3, 4}, fd::EmpiricalDistribution{}, {.min_section_size = 3}).empty());
}

TEST_CASE("two values are cut by a number only") {
  CHECK(found({0, 9}, fd::L2{}).empty());
  CHECK(found({0, 9}, fd::L2{}, {.penalty = 1}) == Indices{1});
  CHECK(found({0, 9}, fd::EmpiricalDistribution{}, {.penalty = 0}).empty());
}

TEST_CASE("offset and scale change no change point") {
  const Values y = scenario(600, true);
  for (const double offset : {1e6, -1e9, 1e9}) {
    Values moved = y;
    for (double& x : moved) x += offset;
    CHECK(found(moved, fd::L2{}) == found(y, fd::L2{}));
    CHECK(found(moved, fd::EmpiricalDistribution{}) == found(y, fd::EmpiricalDistribution{}));
    const fd::ChangePointOptions some{.min_section_size = 5};
    CHECK(found(moved, fd::LinearTrend{}, some) == found(y, fd::LinearTrend{}, some));
    CHECK(found(moved, fd::NormalMeanVariance{}, some) == found(y, fd::NormalMeanVariance{}, some));
  }
  Values scaled = y, mirrored(y.rbegin(), y.rend());
  for (double& x : scaled) x *= 1e-3;
  CHECK(found(scaled, fd::L2{}) == found(y, fd::L2{}));
  CHECK(found(scaled, fd::EmpiricalDistribution{}) == found(y, fd::EmpiricalDistribution{}));
  CHECK(found(scaled, fd::NormalMeanVariance{}) == found(y, fd::NormalMeanVariance{}));
  Indices back;
  for (const std::size_t c : found(mirrored, fd::L2{})) back.insert(back.begin(), y.size() - c);
  CHECK(back == found(y, fd::L2{}));
}

TEST_CASE("a quiet stretch keeps its digits beside a loud one") {
  // The step of 0.001 at 300 must not drown in squares of 1e18.
  Values y = scenario(400, false);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = i < 100 ? 1e9 * y[i] : 1e-5 * y[i] + (i < 300 ? 0 : 1e-3);
  const Indices changes = found(y, fd::L2{}, {.min_section_size = 2, .penalty = 1e-7});
  REQUIRE(!changes.empty());
  CHECK(changes.back() == 300);
  CHECK(std::count_if(changes.begin(), changes.end(), [](std::size_t c) { return c > 101; }) == 1);
}

TEST_CASE("the line cost finds the beginning of a ramp and the normal cost that of noise") {
  Values y = scenario(300, false);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.1 * y[i] + (i < 200 ? 0 : 0.1 * static_cast<double>(i - 200));
  const Indices ramp = found(y, fd::LinearTrend{}, {.min_section_size = 5});
  REQUIRE(ramp.size() == 1);
  CHECK(std::abs(static_cast<double>(ramp[0]) - 200) <= 5);
  Values noise = scenario(300, false);
  for (std::size_t i = 120; i < noise.size(); ++i) noise[i] *= 5;
  const Indices louder =
      found(noise, fd::NormalMeanVariance{}, {.min_section_size = 5, .penalty = fd::Penalty::log_n(4)});
  REQUIRE(louder.size() == 1);
  CHECK(std::abs(static_cast<double>(louder[0]) - 120) <= 5);
}

TEST_CASE("normal mean and variance take equal neighbours of rounded values for no change") {
  Values y = scenario(500, false);
  for (double& x : y) x = std::round(x);
  CHECK(found(y, fd::NormalMeanVariance{}).empty());
  for (std::size_t i = 250; i < y.size(); ++i) y[i] = 0;
  const Indices quiet = found(y, fd::NormalMeanVariance{});
  REQUIRE(quiet.size() == 1);
  CHECK(quiet[0] <= 250);
  CHECK(quiet[0] >= 245);
  const auto result = fd::change_points(Values{0, 0, 0, 0, 5, 5, 5, 5}, fd::NormalMeanVariance{.min_spread = 0.1});
  CHECK(result.indices == Indices{4});
  CHECK(result.objective == result.penalty);
}

TEST_CASE("a whole weight is as many equal samples") {
  const Values y = {0, 2, 7, 8}, w = {2, 1, 1, 3}, repeated = {0, 0, 2, 7, 8, 8, 8};
  const auto a = fd::change_points(y, fd::L2{}, {.penalty = 3.0, .weights = w});
  const auto b = fd::change_points(repeated, fd::L2{}, {.penalty = 3.0});
  CHECK(a.indices == Indices{2});
  CHECK(b.indices == Indices{3});
  CHECK(a.objective == Approx(b.objective).epsilon(1e-14));
  CHECK(a.segments[1].mean == Approx(7.75));
  CHECK(a.segments[1].spread == Approx(b.segments[1].spread));
  // A rule follows the weights, so that their unit does not matter.
  const Values noisy = scenario(300, true), minutes(300, 1.0), seconds(300, 60.0);
  CHECK(found(noisy, fd::L2{}, {.weights = minutes}) == found(noisy, fd::L2{}));
  CHECK(found(noisy, fd::L2{}, {.weights = seconds}) == found(noisy, fd::L2{}));
}

TEST_CASE("a path leads from many change points to none") {
  const Values y = {0, 1, 0, 0, 1, 9, 8, 9, 8, 20, 20, 20};
  const auto path = fd::change_point_path(y, fd::L2{}, {0, 1000});
  REQUIRE(path.size() == 6);
  CHECK(path[0].change_points.indices == Indices{1, 2, 4, 5, 6, 7, 8, 9});
  CHECK(path[3].change_points.indices == Indices{5, 9});
  CHECK(path[3].low == Approx(0.45));
  CHECK(path[3].high == Approx(145.8));
  CHECK(path[5].change_points.indices.empty());
  CHECK(fd::change_point_path(y, fd::L2{}, {4, 4}).at(0).change_points.indices == Indices{5, 9});
  CHECK(fd::change_point_path(y, fd::EmpiricalDistribution{}, {0, 100}).back().change_points.indices.empty());
}

TEST_CASE("wrong calls of change points name the rule and the place") {
  using E = fd::InputError;
  const fd::L2 l2;
  require_error<E>([&] { (void)found({}, l2); }, "fidelity::change_points", "no values");
  require_error<E>([&] { (void)found({1, 2, bad}, l2); }, "finite", "sample 2", "nan");
  require_error<E>([&] { (void)found({1, infinity}, fd::EmpiricalDistribution{}); }, "finite", "sample 1", "inf");
  require_error<E>([&] { (void)found(step, l2, {.min_section_size = 0}); }, "min_section_size must be >= 1");
  require_error<E>([&] { (void)found(step, l2, {.penalty = -1}); }, "penalty must be finite and >= 0", "got -1");
  require_error<E>([&] { (void)found(step, l2, {.penalty = bad}); }, "penalty", "nan");
  require_error<E>([&] { (void)found(step, l2, {.penalty = fd::Penalty::noise(-2)}); }, "penalty", "got -2");
  require_error<E>([&] { (void)found(step, fd::NormalMeanVariance{.min_spread = 0}); }, "min_spread", "> 0");
  require_error<E>([&] { (void)found({1, -2}, fd::Poisson{}); }, "counts must be >= 0", "sample 1");
  const Values few = {1, 2}, zero = {1, 1, 1, 1, 0, 1, 1, 1}, tiny = {1, 1, 1, 1, 1e-13, 1, 1, 1};
  require_error<E>([&] { (void)found(step, l2, {.weights = few}); }, "2 weights for 8 values");
  require_error<E>([&] { (void)found(step, l2, {.weights = zero}); }, "a weight must be > 0", "weights, sample 4");
  require_error<E>([&] { (void)found(step, l2, {.weights = tiny}); }, "1e-12", "sample 4");
  require_error<E>([&] { (void)found(step, fd::EmpiricalDistribution{}, {.weights = step}); }, "weight");
  require_error<fd::Overflow>([&] { (void)found({1, 1e200}, l2); }, "1e+200", "sample 1", "scale the values");
  require_error<fd::Overflow>([&] { (void)found({0, 1e-200}, l2); }, "scale the values");
  const Values huge(8, 1e50);
  require_error<fd::Overflow>([&] { (void)found(step, l2, {.weights = huge}); }, "sum of the weights");
  require_error<E>([&] { (void)fd::change_point_path(step, l2, {3, 2}); }, "fidelity::change_point_path", "before");
  require_error<E>([&] { (void)fd::change_point_path(step, l2, {-1, 2}); }, "penalties", "got -1");
  require_error<E>([&] { (void)fd::change_point_path(step, l2, {1, 2}, {.penalty = 1}); }, "only one");
  require_error<E>([&] { (void)fd::noise_estimate(few); }, "fidelity::noise_estimate", "3 values");
}
