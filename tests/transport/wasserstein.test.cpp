// SPDX-License-Identifier: MIT
#include <fidelity/transport/wasserstein.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

Matrix unequal_ensembles() {
  Matrix cost(3, 4);
  cost << 1.2, 4.0, 2.5, 7.1, 3.3, 0.4, 2.9, 1.8, 6.0, 2.2, 0.9, 3.7;
  return cost;
}
Matrix line(const std::vector<double>& x, const std::vector<double>& y) {
  return matrix(x.size(), y.size(), [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - y[j]); });
}

}  // namespace

TEST_CASE("W1 and W2 of 3 simulated against 4 measured runs") {
  const Wasserstein first = wasserstein(unequal_ensembles());
  CHECK(first.value == Approx(1.5083333333333333).epsilon(1e-15));
  CHECK(first.order == 1);
  CHECK(first.scale == 1);
  CHECK(first.gap < 1e-15);
  CHECK(wasserstein(unequal_ensembles(), {.order = 2}).value == Approx(1.626601774661928).epsilon(1e-15));
}

TEST_CASE("positions with weights are not samples") {
  const Matrix distance = line({0, 1, 2, 3}, {0, 1, 2, 3});
  const Wasserstein result = wasserstein(distance, {.supply = {0.25, 0.75, 0, 0}, .demand = {0, 0, 0.75, 0.25}});
  CHECK(result.value == Approx(1.5).epsilon(1e-15));
}

TEST_CASE("scalar samples of different number") {
  CHECK(wasserstein(line({0, 1, 3, 7}, {0.5, 2, 5}), {.order = 1}).value > 0);
  const Matrix squares = (Matrix(4, 3) << 0.25, 4, 16, 0.25, 1, 9, 4, 0.25, 2.25, 30.25, 16, 4).finished();
  const Matrix distance = squares.array().sqrt();
  CHECK(wasserstein(distance).value == Approx(25.0 / 24).epsilon(1e-14));
  CHECK(wasserstein(distance, {.order = 2}).value == Approx(std::sqrt(71.0 / 48)).epsilon(1e-14));
}

TEST_CASE("the total mass is 1 whatever the weights sum to") {
  const Matrix distance = unequal_ensembles();
  const double value = wasserstein(distance).value;
  const Wasserstein counts = wasserstein(distance, {.supply = {4, 4, 4}, .demand = {3, 3, 3, 3}});
  CHECK(counts.value == Approx(value).epsilon(1e-15));
  CHECK(counts.plan.mass == 1);
  CHECK(counts.plan.entries.front().mass <= 1.0 / 3);
  CHECK(caught<InputError>([&] {
          (void)wasserstein(distance, {.supply = {1, 1, 1}, .demand = {1, 1, 1, 1}});
        }).rule == Rule::mass_mismatch);
  CHECK(wasserstein(distance, {.supply = {1, 1, 1}, .demand = {1, 1, 1, 1}, .normalise = true}).value ==
        Approx(value).epsilon(1e-15));
}

TEST_CASE("W_p grows with p and stays within the largest distance") {
  Random random(71);
  for (int round = 0; round < 20; ++round) {
    const Matrix distance = euclidean(random, 9, 13);
    double before = 0;
    for (const double order : {1.0, 1.5, 2.0, 3.0, 10.0, 50.0, 1000.0}) {
      const Wasserstein result = wasserstein(distance, {.order = order});
      CHECK(result.value >= before * (1 - 1e-12));
      CHECK(result.value <= distance.maxCoeff());
      CHECK(result.order == order);
      before = result.value;
    }
  }
}

TEST_CASE("a large order neither overflows nor underflows, nor does a distance far above the others") {
  for (const double size : {1e-200, 1.0, 1e200}) {
    const Matrix distance = unequal_ensembles() * size;
    CHECK(wasserstein(distance, {.order = 1000}).value / size == Approx(2.9).epsilon(0.2));
    CHECK(wasserstein(distance, {.order = 2}).value / size == Approx(1.626601774661928).epsilon(1e-14));
  }
  Matrix distance = unequal_ensembles();
  const double cubed = wasserstein(distance, {.order = 20}).value;
  for (const double far : {1e20, 1e100, 1e308, infinity}) {
    Matrix more(4, 5);
    more.setConstant(far);
    more.topLeftCorner(3, 4) = distance;
    more(3, 4) = 0;
    const Wasserstein result = wasserstein(more, {.order = 20, .supply = {4, 4, 4, 12}, .demand = {3, 3, 3, 3, 12}});
    CHECK(result.value == Approx(cubed * std::pow(0.5, 1.0 / 20)).epsilon(1e-13));
    CHECK(result.plan.gap < 1e-12);
  }
}

TEST_CASE("the triangle inequality holds between three ensembles of one metric") {
  Random random(72);
  for (int round = 0; round < 40; ++round) {
    const Matrix pooled = [&] {
      std::vector<double> x(48);
      for (double& value : x) value = random.unit();
      return matrix(24, 24,
                    [&](std::size_t i, std::size_t j) { return std::hypot(x[i] - x[j], x[24 + i] - x[24 + j]); });
    }();
    for (const double order : {1.0, 2.0, 3.0}) {
      const double ab = wasserstein(pooled.block(0, 6, 6, 8), {.order = order}).value;
      const double bc = wasserstein(pooled.block(6, 14, 8, 10), {.order = order}).value;
      const double ac = wasserstein(pooled.block(0, 14, 6, 10), {.order = order}).value;
      CHECK(ac <= (ab + bc) * (1 + 1e-12));
    }
    CHECK(wasserstein(pooled).value == 0);
    CHECK(wasserstein(pooled, {.order = 2}).value == 0);
  }
}

TEST_CASE("all distances 0 is 0 for every order") {
  for (const double order : {1.0, 2.0, 7.5}) CHECK(wasserstein(Matrix::Zero(3, 2), {.order = order}).value == 0);
}

TEST_CASE("a limit on pivots reports bounds of the distance, not of its power") {
  Random random(73);
  const Matrix distance = uniform(random, 30, 40) * 100;
  const double value = wasserstein(distance, {.order = 2}).value;
  const auto error = caught<IterationLimit>([&] { (void)wasserstein(distance, {.order = 2, .pivot_limit = 1}); });
  CHECK(error.lower_bound <= value);
  CHECK(error.upper_bound >= value);
  CHECK(error.upper_bound < 100);
}

TEST_CASE("bad orders, negative distances and bad weights are errors") {
  Matrix distance = unequal_ensembles();
  for (const double order : {0.0, 0.5, 1 - 1e-15, -1.0, infinity, not_a_number}) {
    const auto error = caught<InputError>([&] { (void)wasserstein(distance, {.order = order}); });
    CHECK(error.rule == Rule::bad_order);
    REQUIRE(error.value);
  }
  CHECK(caught<InputError>([&] { (void)wasserstein(distance, {.supply = {1, -1, 1}}); }).rule == Rule::bad_weight);
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 2}, {2, 3}}) {
    Matrix bad = distance;
    bad(i, j) = -1e-9;
    const auto error = caught<InputError>([&] { (void)wasserstein(bad); });
    CHECK(error.rule == Rule::bad_cost);
    CHECK(error.index == static_cast<std::size_t>(i));
    CHECK(error.sample == static_cast<std::size_t>(j));
    require_error<InputError>([&] { (void)wasserstein(bad, {.order = 2}); }, "fidelity::wasserstein", "negative");
  }
  distance.row(1).setConstant(infinity);
  CHECK_THROWS_AS(wasserstein(distance), Infeasible);
  CHECK_THROWS_AS(wasserstein(distance, {.order = 3}), Infeasible);
}
