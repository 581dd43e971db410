// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/series_helpers.hpp"

#include <fidelity/qss/taylor_event.hpp>

namespace fd = fidelity;
using series_test::require_rule;

namespace {
template <class Event>
std::vector<double> coefficients(const Event& event) {
  return {event.coefficients().begin(), event.coefficients().end()};
}
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("the three ways to make an event differ by the factorials") {
  CHECK(coefficients(fd::from_taylor(1.0, {1, -0.5, 0.25, -0.125})) == std::vector{1.0, -0.5, 0.25, -0.125});
  CHECK(coefficients(fd::from_derivatives(1.0, {1, -0.5, 0.5, -0.75})) == std::vector{1.0, -0.5, 0.25, -0.125});
  CHECK(coefficients(fd::from_integrator(1.0, 4.5, {1.5, 0.5, 0.75})) == std::vector{4.5, 1.5, 0.25, 0.25});
  CHECK(coefficients(fd::from_derivatives(0.0, {1, 1, 2, 6, 24, 120, 720, 5040})) == std::vector<double>(8, 1));
  CHECK(coefficients(fd::from_integrator(0.0, 7, {})) == std::vector<double>{7});
}

TEST_CASE("an event knows its time and order and kind and coefficients above the order are 0") {
  const auto event = fd::from_taylor(2.5, {1, 2}, fd::EventKind::external);
  CHECK(event.time() == 2.5);
  CHECK(event.order() == 1);
  CHECK(event.kind() == fd::EventKind::external);
  CHECK(event.coefficient(2) == 0);
  CHECK(event.coefficient(99) == 0);
  CHECK(fd::from_taylor(0.0, {1}).kind() == fd::EventKind::internal);
}

TEST_CASE("an event may carry absolute time and float coefficients") {
  const fd::Timestamp t{std::chrono::seconds{1'700'000'000}};
  const auto event = fd::from_taylor<float>(t, {0.1, 0.2});
  CHECK(event.time() == t);
  CHECK(event.coefficient(0) == 0.1F);
}

TEST_CASE("a zero is a zero without a sign") { CHECK(!std::signbit(fd::from_taylor(0.0, {-0.0}).coefficient(0))); }

TEST_CASE("an event that is not finite or not of order 0 to 7 is refused by name") {
  require_rule(
      fd::Rule::time_not_finite, [] { (void)fd::from_taylor(std::nan(""), {1}); }, "from_taylor");
  require_rule(
      fd::Rule::time_not_finite, [] { (void)fd::from_derivatives(infinity, {1}); }, "from_derivatives");
  require_rule(
      fd::Rule::value_not_finite,
      [] {
        (void)fd::from_taylor(1.5, {1, 2, std::nan("")});
      },
      "coefficient 2 of the event at 1.5 s");
  require_rule(
      fd::Rule::value_not_finite, [] { (void)fd::from_integrator(1.5, 0, {infinity}); }, "coefficient 1");
  require_rule(
      fd::Rule::value_not_finite, [] { (void)fd::from_taylor<float>(0.0, {1e300}); }, "coefficient 0");
  require_rule(
      fd::Rule::empty, [] { (void)fd::from_taylor(0.0, std::vector<double>{}); }, "value");
  for (const std::size_t count : {9U, 20U}) {
    const std::vector<double> many(count, 1);
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)fd::from_taylor(0.0, many); }, "at most 8");
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)fd::from_derivatives(0.0, many); }, "at most 8");
  }
  require_rule(
      fd::Rule::bad_parameter,
      [] {
        (void)fd::from_integrator(0.0, 1, {1, 1, 1, 1, 1, 1, 1, 1});
      },
      "at most 8");
}

TEST_CASE("a time in whole seconds is a time in seconds") {
  CHECK(fd::from_taylor(2, {1, 3}) == fd::from_taylor(2.0, {1, 3}));
  CHECK(fd::from_derivatives(2, {1, 3}) == fd::from_taylor(2.0, {1, 3}));
  CHECK(fd::from_integrator(2, 1, {3}) == fd::from_taylor(2.0, {1, 3}));
  CHECK(fd::from_taylor<float>(2, {1}).time() == 2.0);
}
