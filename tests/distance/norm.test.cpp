// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <Eigen/Core>

#include <fidelity/distance/norm.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

Run point(std::vector<double> values) {
  const Eigen::Map<const Eigen::RowVectorXd> row(values.data(), static_cast<Eigen::Index>(values.size()));
  return Run({0.0}, row);
}

/// The distance of two samples at one time is the norm itself.
double norm_of(const fd::Norm& norm, std::vector<double> x, std::vector<double> scale = {}) {
  const std::vector<double> zero(x.size(), 0.0);
  const fd::Twed twed{.stiffness = 1, .penalty = 1, .norm = norm, .scale = std::move(scale)};
  return twed(point(std::move(x)), point(zero));
}

}  // namespace

TEST_CASE("the norms of (3, -4, 12) are 19, 13, 12 and the cube root of 1819") {
  CHECK(norm_of(1, {3, -4, 12}) == 19);
  CHECK(norm_of(2, {3, -4, 12}) == 13);
  CHECK(norm_of(fd::Norm::maximum(), {3, -4, 12}) == 12);
  CHECK(norm_of(3, {3, -4, 12}) == Approx(std::cbrt(1819.0)).epsilon(1e-15));
}

TEST_CASE("for one channel all norms are the magnitude") {
  for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm(3.5), fd::Norm::maximum()})
    CHECK(norm_of(norm, {-0.1}) == 0.1);
}

TEST_CASE("scale factors are applied channel by channel before the norm") {
  CHECK(norm_of(1, {3, -4}, {2, 0.5}) == 8);
  CHECK(norm_of(2, {3, 1}, {1, 4}) == 5);
  CHECK(norm_of(fd::Norm::maximum(), {3, -4}, {2, 0.5}) == 6);
  CHECK(norm_of(2, {3}, {2}) == 6);
}

TEST_CASE("factors enter the deletions too") {
  const Run a({0, 1}, {0, 0, 3, 1}, {.channel_names = {"x", "y"}}), b({0}, {0, 0}, {.channel_names = {"x", "y"}});
  CHECK(fd::Twed{.stiffness = 1, .penalty = 10, .scale = {1, 4}}(a, b) == 5 + 1 + 10);
}

TEST_CASE("a zero channel changes nothing and the order of channels at most a rounding") {
  CHECK(norm_of(1, {0.1, 0}) == 0.1);
  CHECK(norm_of(2, {0.1, 0.7, 0.3}) == Approx(norm_of(2, {0.3, 0.1, 0.7})).epsilon(1e-15));
}

TEST_CASE("high and low orders of magnitude do not leave the range of double in a general norm") {
  CHECK(norm_of(3, {3e-120, 4e-120}) == Approx(std::cbrt(91.0) * 1e-120).epsilon(1e-14));
  CHECK(norm_of(3, {3e120, 4e120}) == Approx(std::cbrt(91.0) * 1e120).epsilon(1e-14));
  CHECK(norm_of(1000, {0.25, 0.125}) == 0.25);
  CHECK(norm_of(3, {0, 0}) == 0);
  CHECK(norm_of(2, {3e-150, 4e-150}) == Approx(5e-150).epsilon(1e-14));
  CHECK(norm_of(2, {3e150, 4e150}) == Approx(5e150).epsilon(1e-14));
}

TEST_CASE("cells outside the range of double do not spoil a distance inside it") {
  const double high = 0.9e308;  // the second sample of a and the last two of b are 1.8e308 apart
  const fd::SeriesOptions<double> two{.channel_names = {"x", "zero"}};
  const Run a({0, 1, 2}, {0, 0, high, 0, 0, 0}, two);
  const Run b({0, 1, 2, 3, 4}, {0, 0, high, 0, 0, 0, -high, 0, -high, 0}, two);
  for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(3), fd::Norm::maximum()}) {
    const fd::Twed twed{.stiffness = 1, .penalty = 1, .norm = norm};
    CHECK(twed(a, b) == high);
    CHECK(twed(b, a) == high);
  }
}

TEST_CASE("a norm of an order that is not a finite number of at least 1 is refused") {
  for (const double p : {0.999, 0.0, -2.0, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    try {
      const fd::Norm norm(p);
      FAIL("no error was thrown");
    } catch (const fd::InputError& error) {
      CHECK(error.rule == fd::Rule::bad_parameter);
      REQUIRE(error.value);
      CHECK((*error.value == p || std::isnan(p)));
    }
  }
}

TEST_CASE("a norm says what it is") {
  CHECK(fd::to_text(fd::Norm(2)) == "L2");
  CHECK(fd::to_text(fd::Norm(1.5)) == "L1.5");
  CHECK(fd::to_text(fd::Norm::maximum()) == "maximum");
  CHECK_FALSE(fd::Norm::maximum() == fd::Norm(1));
}
