// SPDX-License-Identifier: MIT
// Twed against two naive forms of itself, on random small irregular problems.
#include <cmath>
#include <cstdint>

#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;

constexpr int parameters[] = {0, 2, 8};  // eighths: 0, 0.25, 1

struct Problem {
  oracle::Eighths a, b;
  int stiffness, penalty;

  [[nodiscard]] fd::Twed twed(fd::Norm norm = 2) const {
    return {.stiffness = stiffness / 8.0, .penalty = penalty / 8.0, .norm = norm};
  }
};

Problem random_problem(Random& random, int longest, std::size_t channels) {
  const auto length = [&] { return static_cast<std::size_t>(uniform(random, 1, longest)); };
  return {oracle::random_series(random, length(), channels), oracle::random_series(random, length(), channels),
          parameters[uniform(random, 0, 2)], parameters[uniform(random, 0, 2)]};
}

/// In units of 1/64: integers, hence exact.
template <class Distance>
double exact_twed(const Problem& p, Distance distance) {
  using Cost = std::int64_t;
  return static_cast<double>(oracle::twed<Cost>(p.a.sequence<Cost>(p.stiffness), p.b.sequence<Cost>(p.stiffness),
                                                Cost{8} * p.penalty, distance)) /
         64;
}

}  // namespace

TEST_CASE("one channel: the sweep equals the full table of the paper exactly") {
  Random random(1);
  for (int k = 0; k < 4000; ++k) {
    const Problem p = random_problem(random, 8, 1);
    REQUIRE(p.twed()(p.a.series(), p.b.series()) == exact_twed(p, oracle::sum_of_magnitudes<std::int64_t>));
  }
}

TEST_CASE("the sum of magnitudes and the maximum over channels equal the full table exactly") {
  Random random(2);
  for (int k = 0; k < 2000; ++k) {
    const Problem p = random_problem(random, 7, static_cast<std::size_t>(uniform(random, 2, 4)));
    const auto a = p.a.series(), b = p.b.series();
    REQUIRE(p.twed(1)(a, b) == exact_twed(p, oracle::sum_of_magnitudes<std::int64_t>));
    REQUIRE(p.twed(fd::Norm::maximum())(a, b) == exact_twed(p, oracle::largest_magnitude<std::int64_t>));
  }
}

TEST_CASE("the p-norms of several channels equal the full table in long double to rounding") {
  Random random(3);
  for (int k = 0; k < 1500; ++k) {
    const Problem p = random_problem(random, 7, 3);
    const double order = (k % 3 == 0) ? 2.0 : (k % 3 == 1) ? 3.0 : 1.5;
    const auto norm = [&](const std::vector<long double>& x, const std::vector<long double>& y) {
      long double sum = 0;
      for (std::size_t c = 0; c < x.size(); ++c)
        sum += std::pow(oracle::magnitude(x[c] - y[c]), static_cast<long double>(order));
      return std::pow(sum, 1 / static_cast<long double>(order));
    };
    const long double expected =
        oracle::twed<long double>(p.a.sequence<long double>(p.stiffness), p.b.sequence<long double>(p.stiffness),
                                  8.0L * p.penalty, norm) /
        64;
    REQUIRE(p.twed(order)(p.a.series(), p.b.series()) == Approx(static_cast<double>(expected)).epsilon(1e-13));
  }
}

TEST_CASE("no path among all that exist is cheaper") {
  using Cost = std::int64_t;
  Random random(4);
  for (int k = 0; k < 1500; ++k) {
    const Problem p = random_problem(random, 5, 1);
    const Cost cheapest = oracle::cheapest_path<Cost>(p.a.sequence<Cost>(p.stiffness), p.b.sequence<Cost>(p.stiffness),
                                                      Cost{8} * p.penalty, oracle::sum_of_magnitudes<Cost>);
    REQUIRE(p.twed()(p.a.series(), p.b.series()) == static_cast<double>(cheapest) / 64);
  }
}
