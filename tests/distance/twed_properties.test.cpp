// SPDX-License-Identifier: MIT
// Axioms of a metric and invariances (T7 to T11) on random series.
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;
using Run = fd::Series<double, double>;

/// A copy with other stamps and values.
Run changed(const Run& series, const std::function<double(double)>& time, const std::function<double(double)>& value) {
  std::vector<double> times, values;
  for (std::size_t i = 0; i < series.size(); ++i) {
    times.push_back(time(series.time(i)));
    for (std::size_t c = 0; c < series.channels(); ++c) values.push_back(value(series(i, c)));
  }
  return {times, values, {.channel_names = {series.channel_names().begin(), series.channel_names().end()}}};
}
double same(double x) { return x; }
std::function<double(double)> times(double factor) {
  return [factor](double x) { return factor * x; };
}
std::function<double(double)> plus(double offset) {
  return [offset](double x) { return x + offset; };
}

Run random_run(Random& random, std::size_t channels, int longest = 12) {
  return oracle::random_series(random, static_cast<std::size_t>(uniform(random, 1, longest)), channels).series();
}

/// Pairs of random series, with random dyadic parameters.
template <class Check>
void for_random_pairs(std::uint32_t seed, std::size_t channels, Check check) {
  Random random(seed);
  for (int k = 0; k < 300; ++k) {
    const Run a = random_run(random, channels), b = random_run(random, channels);
    check(a, b, uniform(random, 0, 8) / 8.0, uniform(random, 0, 8) / 8.0);
  }
}

void check_axioms(std::uint32_t seed, std::size_t channels, const fd::Norm& norm) {
  Random random(seed);
  for (int k = 0; k < 3000; ++k) {
    const fd::Twed twed{
        .stiffness = uniform(random, 1, 10) / 10.0, .penalty = uniform(random, 0, 10) / 10.0, .norm = norm};
    const Run x = random_run(random, channels, 6), y = random_run(random, channels, 6),
              z = random_run(random, channels, 6);
    const double xy = twed(x, y), yz = twed(y, z), xz = twed(x, z);
    REQUIRE(xz <= (xy + yz) * (1 + 1e-13));
    REQUIRE(xy >= 0);
    REQUIRE(twed(x, x) == 0);
    REQUIRE(std::bit_cast<std::uint64_t>(twed(y, x)) == std::bit_cast<std::uint64_t>(xy));
    const Run moved = changed(x, same, plus(0.125));
    REQUIRE(twed(x, moved) > 0);
  }
}

}  // namespace

TEST_CASE("the axioms of a metric hold for random triples in R^1") { check_axioms(11, 1, 2); }

TEST_CASE("the axioms of a metric hold for random triples in R^3") {
  check_axioms(12, 3, 2);
  check_axioms(13, 3, 1);
  check_axioms(14, 3, fd::Norm::maximum());
}

TEST_CASE("values, stiffness and penalty times c give the distance times c, exactly for dyadic c") {
  for (const std::size_t channels : {1U, 3U})
    for_random_pairs(21, channels, [](const Run& a, const Run& b, double stiffness, double penalty) {
      const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
      const double distance = twed(a, b);
      for (const double c : {0.25, 1024.0, 0.3}) {
        const fd::Twed scaled{.stiffness = c * stiffness, .penalty = c * penalty};
        const double result = scaled(changed(a, same, times(c)), changed(b, same, times(c)));
        if (c == 0.3) {
          REQUIRE(result == Approx(c * distance).epsilon(1e-13));
        } else {
          REQUIRE(result == c * distance);
        }
      }
    });
}

TEST_CASE("another unit of time with the inverse factor on stiffness changes nothing") {
  for_random_pairs(22, 1, [](const Run& a, const Run& b, double stiffness, double penalty) {
    const double distance = fd::Twed{.stiffness = stiffness, .penalty = penalty}(a, b);
    const auto other_unit = [&](double c) {
      return fd::Twed{.stiffness = stiffness / c, .penalty = penalty}(changed(a, times(c), same),
                                                                      changed(b, times(c), same));
    };
    REQUIRE(other_unit(1024) == distance);
    REQUIRE(other_unit(1000) == Approx(distance).epsilon(1e-12));
  });
}

TEST_CASE("a common shift of all values or of all stamps changes nothing") {
  for (const std::size_t channels : {1U, 3U})
    for_random_pairs(23, channels, [](const Run& a, const Run& b, double stiffness, double penalty) {
      const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
      const double distance = twed(a, b);
      const auto shifted = [&](double time, double value) {
        return twed(changed(a, plus(time), plus(value)), changed(b, plus(time), plus(value)));
      };
      REQUIRE(shifted(1048576, 0) == distance);
      REQUIRE(shifted(-1e9, 0) == distance);
      REQUIRE(shifted(0, 4096.5) == distance);
      REQUIRE(shifted(0.1, 0.3) == Approx(distance).epsilon(1e-12).margin(1e-12));
    });
}

TEST_CASE("the sign of the values does not matter") {
  for_random_pairs(24, 3, [](const Run& a, const Run& b, double stiffness, double penalty) {
    const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
    REQUIRE(twed(changed(a, same, times(-1)), changed(b, same, times(-1))) == twed(a, b));
  });
}

TEST_CASE("a higher stiffness or penalty never makes series closer") {
  for_random_pairs(25, 1, [](const Run& a, const Run& b, double stiffness, double penalty) {
    const double distance = fd::Twed{.stiffness = stiffness, .penalty = penalty}(a, b);
    REQUIRE(fd::Twed{.stiffness = stiffness + 0.125, .penalty = penalty}(a, b) >= distance);
    REQUIRE(fd::Twed{.stiffness = stiffness, .penalty = penalty + 0.125}(a, b) >= distance);
  });
}

TEST_CASE("one sample on either side: the match of the first samples and all deletions") {
  Random random(26);
  for (int k = 0; k < 300; ++k) {
    const Run one = random_run(random, 1, 1), many = random_run(random, 1);
    double expected = std::abs(one(0) - many(0)) + 0.5 * std::abs(one.time(0) - many.time(0));
    for (std::size_t j = 1; j < many.size(); ++j)
      expected += std::abs(many(j) - many(j - 1)) + 0.5 * (many.time(j) - many.time(j - 1)) + 0.25;
    const fd::Twed twed{.stiffness = 0.5, .penalty = 0.25};
    REQUIRE(twed(one, many) == expected);
    REQUIRE(twed(many, one) == expected);
  }
}

TEST_CASE("the sum of magnitudes with a zero channel is the distance of one channel") {
  for_random_pairs(27, 1, [](const Run& a, const Run& b, double stiffness, double penalty) {
    const auto with_zero = [](const Run& series) {
      std::vector<double> values;
      for (std::size_t i = 0; i < series.size(); ++i) values.insert(values.end(), {series(i), 0.0});
      return Run({series.times().begin(), series.times().end()}, values, {.channel_names = {"x", "zero"}});
    };
    const double expected = fd::Twed{.stiffness = stiffness, .penalty = penalty}(a, b);
    for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm::maximum()})
      REQUIRE(fd::Twed{.stiffness = stiffness, .penalty = penalty, .norm = norm}(with_zero(a), with_zero(b)) ==
              expected);
  });
}
