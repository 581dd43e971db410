// SPDX-License-Identifier: MIT
#include <fidelity/validation/energy.hpp>
#include <fidelity/validation/leave_one_out.hpp>
#include <fidelity/validation/medoid.hpp>
#include <fidelity/validation/trimmed.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "transport/problems.hpp"

using namespace fidelity;
using problems::caught;
using problems::Matrix;

namespace {

Matrix line(const std::vector<double>& x) {
  return problems::matrix(x.size(), x.size(), [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - x[j]); });
}
EnergyDistance energy(std::vector<double> x, const std::vector<double>& y, std::vector<double> a = {},
                      const std::vector<double>& b = {}) {
  const std::size_t n = x.size();
  x.insert(x.end(), y.begin(), y.end());
  a.insert(a.end(), b.begin(), b.end());
  return energy_distance(line(x), n, a);
}

/// Least mean cost of a part of the mass, by trying everything: each row and column is cut into equal pieces, of which
/// `kept` are matched one to one. For a handful of pieces only.
double best_part(const Matrix& cost, std::size_t row_pieces, std::size_t column_pieces, std::size_t kept) {
  const auto rows = static_cast<std::size_t>(cost.rows()) * row_pieces;
  const auto columns = static_cast<std::size_t>(cost.cols()) * column_pieces;
  double best = problems::infinity;
  std::vector<bool> chosen(rows, false), used(columns, false);
  const auto match = [&](auto&& self, std::size_t row, std::size_t left, double sum) -> void {
    if (sum >= best) return;
    if (left == 0) best = sum;
    if (left == 0 || rows - row < left) return;
    self(self, row + 1, left, sum);
    for (std::size_t j = 0; j < columns; ++j)
      if (!used[j]) {
        used[j] = true;
        self(self, row + 1, left - 1,
             sum + cost(static_cast<Eigen::Index>(row / row_pieces), static_cast<Eigen::Index>(j / column_pieces)));
        used[j] = false;
      }
  };
  match(match, 0, kept, 0);
  return best / static_cast<double>(kept);
}

double total_mass(const std::vector<TrimmedRun>& runs) {
  return std::accumulate(runs.begin(), runs.end(), 0.0,
                         [](double sum, const TrimmedRun& run) { return sum + run.mass; });
}

}  // namespace

TEST_CASE("energy distances of scalars as SciPy gives them") {
  // ot_reference.json, scalar_avm: energy_distance_scipy_convention
  const auto check = [](const EnergyDistance& result, double expected) {
    REQUIRE(result.root());
    CHECK(*result.root() == Approx(expected).epsilon(1e-13).margin(1e-7));
  };
  check(energy({1, 2, 3}, {3, 1, 2}), 0);
  check(energy({0, 1, 2}, {5, 6, 7}), 2.8674417556808756);
  check(energy({0, 1, 3}, {5, 6, 8}), 2.70801280154532);
  check(energy({0, 1}, {0, 1}, {3, 1}, {2, 2}), 0.3535533905932738);
  check(energy({3.4, 3.9, 7.5, 7.8}, {4.5, 1.4}, {1.4, 0.9, 3.1, 7.2}, {3.2, 3.5}), 2.3674181638546394);
  check(energy({0, 1, 2.5, 6}, {0.5, 2, 4}), 0.6508541396588878);
  check(energy({2}, {0, 1, 2, 3, 10}), 1.131370849898476);
  check(energy({1, 1, 1, 2}, {1, 2, 2, 2, 2}), 0.7778174593052023);
  check(energy({0, 10}, {4, 5, 6}), 2.0275875100994063);
  check(energy({-3, -1.5, 0.25}, {-2, 2}), 1.1055415967851334);
  check(energy({0, 100, 1}, {0, 1}, {1, 0, 1}, {1, 1}), 0);
  check(energy({1e12, 1e12 + 1}, {1e12 + 0.5}), 0.7071067811865476);
  check(energy({960, 1020}, {960, 970, 1020, 1030}, {0.4, 0.6}, {0.2, 0.2, 0.5, 0.1}), 1);
  check(energy({12.5, 12.5, 12.5}, {12.1, 12.9, 13.4, 11.8}), 0.7071067811865476);
}

TEST_CASE("the energy value is twice the integral of the squared difference of the distribution functions") {
  // F - G of {0, 2, 3} and {1, 5}: 1/3 on [0,1), -1/6 on [1,2), 1/6 on [2,3), 1/2 on [3,5)
  const EnergyDistance result = energy({0, 2, 3}, {1, 5});
  CHECK(result.all_pairs == Approx(2 * (1.0 / 9 + 1.0 / 36 + 1.0 / 36 + 0.5)).epsilon(1e-14));
  CHECK(result.across == Approx((1 + 5 + 1 + 3 + 2 + 2) / 6.0));
  CHECK(*result.within_simulated == Approx(2));
  CHECK(*result.within_measured == Approx(4));
  CHECK(*result.debiased == Approx(2 * 14.0 / 6 - 2 - 4));
}

TEST_CASE("a run of weight 2 counts as two runs in the energy value") {
  const EnergyDistance weighted = energy({0, 2}, {1, 5, 7}, {2, 1}, {1, 1, 3});
  const EnergyDistance repeated = energy({0, 0, 2}, {1, 5, 7, 7, 7});
  CHECK(weighted.all_pairs == Approx(repeated.all_pairs).epsilon(1e-14));
  CHECK(weighted.across == Approx(repeated.across).epsilon(1e-14));
  // Over pairs of different runs (rule V5a): 1 5 by 1, 1 7 by 3, 5 7 by 3
  CHECK(*weighted.within_measured == Approx((4 * 1 + 6 * 3 + 2 * 3) / 7.0).epsilon(1e-14));
}

TEST_CASE("a single run leaves the debiased energy value absent and a distance of no negative type the root") {
  const EnergyDistance one = energy({1}, {0, 4});
  CHECK_FALSE(one.debiased);
  CHECK_FALSE(one.within_simulated);
  CHECK(one.within_measured == 4.0);
  CHECK(one.all_pairs == Approx(2 * 2 - 2));
  Matrix star = Matrix::Constant(4, 4, 1);  // a metric, but no Euclidean one
  star.diagonal().setZero();
  star(0, 1) = star(1, 0) = star(2, 3) = star(3, 2) = 2.1;
  CHECK(energy_distance(star, 2).all_pairs < 0);
  CHECK_FALSE(energy_distance(star, 2).root());
  CHECK(caught<InputError>([&] { (void)energy_distance(star, 4); }).rule == Rule::bad_parameter);
  CHECK(caught<InputError>([&] { (void)energy_distance(star, 2, {1, 1, 1, -1}); }).rule == Rule::bad_weight);
  CHECK(caught<InputError>([&] { (void)energy_distance(star, 2, {1, 1, 0, 0}); }).rule == Rule::zero_weights);
  CHECK_FALSE(energy({1, 5}, {0, 4}, {1, 0}, {1, 1}).debiased);
}

TEST_CASE("leaving out a run equals a fresh computation without it") {
  problems::Random random(21);
  const Matrix across = problems::euclidean(random, 5, 7);
  for (const double order : {1.0, 2.0, 3.5}) {
    const LeaveOneOut all = leave_one_out(across, {.order = order});
    CHECK(all.distance == Approx(wasserstein(across, {.order = order}).value).epsilon(1e-14));
    REQUIRE(all.simulations.size() == 5);
    REQUIRE(all.measurements.size() == 7);
    const auto fresh = [&](std::size_t row, std::size_t column) {
      std::vector<std::size_t> rows, columns;
      for (std::size_t i = 0; i < 5; ++i)
        if (i != row) rows.push_back(i);
      for (std::size_t j = 0; j < 7; ++j)
        if (j != column) columns.push_back(j);
      return wasserstein(CostView(across, rows, columns), {.order = order}).value;
    };
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(all.simulations[i].distance == Approx(fresh(i, 9)).epsilon(1e-13));
      CHECK(all.simulations[i].change == all.simulations[i].distance - all.distance);
    }
    for (std::size_t j = 0; j < 7; ++j) CHECK(all.measurements[j].distance == Approx(fresh(9, j)).epsilon(1e-13));
  }
  // Beside the 20th power of a diverged run those of the others vanish, until it is left out.
  Matrix diverged = across;
  diverged.row(2).setConstant(1e17);
  const LeaveOneOut steep = leave_one_out(diverged, {.order = 20});
  const std::vector<std::size_t> kept{0, 1, 3, 4}, every{0, 1, 2, 3, 4, 5, 6};
  CHECK(steep.simulations[2].distance ==
        Approx(wasserstein(CostView(across, kept, every), {.order = 20}).value).epsilon(1e-13));
  const LeaveOneOut single = leave_one_out(across.topRows(1));
  CHECK(single.simulations.empty());
  CHECK(single.measurements.size() == 7);
}

TEST_CASE("without a budget nothing is trimmed") {
  problems::Random random(22);
  const Matrix across = problems::euclidean(random, 6, 4);
  for (const double order : {1.0, 2.0}) {
    const TrimmedWasserstein result = trimmed_wasserstein(across, {}, order);
    CHECK(result.value == result.full);
    CHECK(result.full == Approx(wasserstein(across, {.order = order}).value).epsilon(1e-14));
    CHECK(result.simulations.empty());
    CHECK(result.measurements.empty());
  }
}

TEST_CASE("a budget of one run takes the diverged one and leaves the distance of the others") {
  problems::Random random(23);
  for (const double far : {50.0, 1e16, 1e200})
    for (const double order : {1.0, 2.0, 20.0}) {
      Matrix across = problems::euclidean(random, 20, 20);
      across.row(7).setConstant(far);
      INFO("far " << far << ", order " << order);
      const TrimmedWasserstein one = trimmed_wasserstein(across, {.simulated = 0.05}, order);
      REQUIRE(one.simulations.size() == 1);
      CHECK(one.simulations[0].run == 7);
      CHECK(one.simulations[0].share == 1);
      CHECK(one.simulations[0].mass == 0.05);
      CHECK(one.measurements.empty());
      CHECK(one.used.simulated == 0.05);
      CHECK(one.full >= far / 20);
      Matrix rest(19, 20);
      rest << across.topRows(7), across.bottomRows(12);
      CHECK(one.value == Approx(wasserstein(rest, {.order = order}).value).epsilon(1e-12));
    }
}

TEST_CASE("a budget that is whole runs in decimals is whole runs") {
  for (std::size_t runs = 1; runs <= 100; ++runs)
    for (std::size_t whole = 0; whole < runs; ++whole) {
      const double budget = static_cast<double>(whole) / static_cast<double>(runs);
      CHECK(detail::RunParts("simulated", budget, runs).trimmed == static_cast<std::int64_t>(1000 * whole));
    }
}

TEST_CASE("trimmed distances equal the best part of the mass found by trying all") {
  problems::Random random(24);
  for (int round = 0; round < 60; ++round) {
    // Budgets that are whole runs, so that pieces of runs suffice: integer plans are optimal.
    const Matrix square = problems::integers(random, 4, 4, 6);
    for (std::size_t runs = 0; runs < 4; ++runs) {
      const double budget = static_cast<double>(runs) / 4;
      CHECK(trimmed_wasserstein(square, {budget, budget}).value ==
            Approx(best_part(square, 1, 1, 4 - runs)).margin(1e-13));
    }
    const Matrix wide = problems::integers(random, 2, 3, 6);
    CHECK(trimmed_wasserstein(wide, {0.5, 0}).value == Approx(best_part(wide, 3, 1, 3)).margin(1e-13));
    CHECK(trimmed_wasserstein(wide, {0.5, 1.0 / 3}).value == Approx(best_part(wide, 2, 1, 2)).margin(1e-13));
    CHECK(trimmed_wasserstein(wide, {0, 1.0 / 3}).value == Approx(best_part(wide, 1, 1, 2)).margin(1e-13));
    CHECK(trimmed_wasserstein(wide, {0.25, 0.5}).value == Approx(best_part(wide, 2, 2, 3)).margin(1e-13));
  }
}

TEST_CASE("a larger budget never gives a larger distance and is used up") {
  problems::Random random(25);
  for (int round = 0; round < 10; ++round) {
    const Matrix across = problems::euclidean(random, 9, 6);
    for (const double order : {1.0, 3.0}) {
      double before = problems::infinity;
      for (const double budget : {0.0, 0.01, 0.1, 0.15, 0.3, 0.5, 0.9, 0.9999999}) {
        const TrimmedWasserstein result = trimmed_wasserstein(across, {budget, budget / 2}, order);
        CHECK(result.value <= before * (1 + 1e-12));
        CHECK(result.used.simulated <= budget);
        CHECK(result.used.simulated >= budget - 0.001 / 9);
        CHECK(total_mass(result.simulations) == Approx(result.used.simulated).margin(1e-15));
        CHECK(total_mass(result.measurements) == Approx(result.used.measured).margin(1e-15));
        before = result.value;
      }
    }
  }
  const Matrix across = problems::euclidean(random, 4, 4);
  for (const double budget : {-0.1, 1.0, problems::not_a_number})
    CHECK(caught<InputError>([&] { (void)trimmed_wasserstein(across, {.measured = budget}); }).rule ==
          Rule::bad_parameter);
}

TEST_CASE("the medoid has the least sum of distances and the lowest index among equals") {
  CHECK(medoid(line({0, 10, 4, 5, 7})) == 3);
  CHECK(medoid(line({7})) == 0);
  CHECK(medoid(line({0, 1, 2, 3})) == 1);          // 1 and 2 are equal
  CHECK(medoid(line({2.4, 1.2, 2.2, 0.6})) == 1);  // 1.2 and 2.2: 2.8000000000000003 and 2.8
  CHECK(medoid(Matrix::Zero(5, 5)) == 0);
  CHECK(medoid(line({0, 10, 4, 5, 7}), {10, 1, 1, 1, 1}) == 0);
  CHECK(caught<InputError>([&] { (void)medoid(line({1, 2}).leftCols(1)); }).rule == Rule::shape_mismatch);
  CHECK(caught<InputError>([&] { (void)medoid(line({1, 2}), {1}); }).rule == Rule::size_mismatch);
}
