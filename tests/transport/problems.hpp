// SPDX-License-Identifier: MIT
// Problems and checks that the tests of the transport room share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fidelity/transport/transport.hpp>
#include "catch.hpp"
#include "reference/transport_oracle.hpp"

namespace problems {

using reference::Matrix;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A small seeded generator (splitmix64): the same numbers on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

template <class Entry>
Matrix matrix(std::size_t rows, std::size_t columns, Entry&& entry) {
  Matrix out(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      out(i, j) = static_cast<double>(entry(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
  return out;
}
inline Matrix uniform(Random& random, std::size_t rows, std::size_t columns) {
  return matrix(rows, columns, [&](std::size_t, std::size_t) { return random.unit(); });
}
inline Matrix integers(Random& random, std::size_t rows, std::size_t columns, std::size_t bound) {
  return matrix(rows, columns, [&](std::size_t, std::size_t) { return random.below(bound); });
}
/// Distances between two sets of points in the plane.
inline Matrix euclidean(Random& random, std::size_t rows, std::size_t columns) {
  std::vector<double> x(2 * (rows + columns));
  for (double& value : x) value = random.unit();
  return matrix(rows, columns, [&](std::size_t i, std::size_t j) {
    const std::size_t k = rows + j;
    return std::sqrt((x[2 * i] - x[2 * k]) * (x[2 * i] - x[2 * k]) +
                     (x[2 * i + 1] - x[2 * k + 1]) * (x[2 * i + 1] - x[2 * k + 1]));
  });
}
inline std::vector<double> weights(Random& random, std::size_t size) {
  std::vector<double> out(size);
  for (double& weight : out) weight = 0.01 + random.unit();
  return out;
}

/// The proof holds, the plan is sorted and small, and the integer masses add up exactly.
inline void check_plan(const Matrix& cost, const fidelity::TransportPlan& plan, double tolerance = 1e-12) {
  const fidelity::Certificate certificate = fidelity::verify(cost, plan);
  INFO("marginals " << certificate.largest_marginal_error << " violation " << *certificate.price_violation
                    << " slackness " << *certificate.slackness_error << " gap " << *certificate.gap << " local size "
                    << certificate.local_size);
  CHECK(certificate.optimal(tolerance));
  CHECK(certificate.cost == Approx(plan.cost).epsilon(1e-13).margin(1e-300));
  CHECK(plan.gap >= 0);
  CHECK(plan.gap <= tolerance * certificate.local_size * plan.mass);
  CHECK(plan.price_violation <= tolerance * certificate.local_size);

  std::size_t positive = 0;
  for (const auto* side : {&plan.supply, &plan.demand})
    for (const double weight : *side) positive += weight > 0 ? 1 : 0;
  CHECK(plan.entries.size() < positive);
  REQUIRE(plan.units.size() == plan.entries.size());
  std::int64_t units = 0;
  for (std::size_t k = 0; k < plan.entries.size(); ++k) {
    units += plan.units[k];
    CHECK(plan.units[k] > 0);
    CHECK(plan.entries[k].mass > 0);
    if (k > 0)
      CHECK(std::pair(plan.entries[k - 1].row, plan.entries[k - 1].column) <
            std::pair(plan.entries[k].row, plan.entries[k].column));
  }
  CHECK(units == plan.total_units);

  double here = 0, there = 0;  // rule O14
  for (std::size_t i = 0; i < plan.supply.size(); ++i) here += plan.supply[i] * plan.row_prices[i];
  for (std::size_t j = 0; j < plan.demand.size(); ++j) there += plan.demand[j] * plan.column_prices[j];
  CHECK(here == Approx(there).epsilon(1e-9).margin(1e-9 * certificate.local_size * plan.mass));
}

/// The error that a call throws, for its fields.
template <class Error, class Call>
Error caught(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  FAIL("no error was thrown");
  throw;
}

}  // namespace problems
