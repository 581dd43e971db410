// SPDX-License-Identifier: MIT
// Forbidden pairs and costs of very different size.
#include <fidelity/transport/assign.hpp>
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

/// The rows hold more than all columns they may reach, and the columns listed are all of those.
void check_witness(const Matrix& cost, const std::vector<double>& supply, const std::vector<double>& demand,
                   const Infeasible& error) {
  REQUIRE(!error.rows.empty());
  double here = 0, there = 0;
  std::vector<bool> reached(demand.size());
  for (const std::size_t row : error.rows) {
    here += supply.at(row);
    for (std::size_t j = 0; j < demand.size(); ++j)
      if (demand[j] > 0 && cost(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(j)) < infinity)
        reached[j] = true;
  }
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < demand.size(); ++j)
    if (reached[j]) {
      columns.push_back(j);
      there += demand[j];
    }
  CHECK(error.columns == columns);
  CHECK(here > there);
}

/// About `share` of the entries replaced.
Matrix with_holes(Random& random, Matrix cost, double share, double value) {
  for (Eigen::Index i = 0; i < cost.rows(); ++i)
    for (Eigen::Index j = 0; j < cost.cols(); ++j)
      if (random.unit() < share) cost(i, j) = value;
  return cost;
}

}  // namespace

TEST_CASE("two rows that compete for one column are the witness") {
  Matrix cost(3, 3);
  cost << infinity, 1, infinity, infinity, 3, infinity, 2, infinity, 3;
  const auto error = caught<Infeasible>([&] { (void)transport(cost); });
  CHECK(error.rows == std::vector<std::size_t>{0, 1});
  CHECK(error.columns == std::vector<std::size_t>{1});
  require_error<Infeasible>([&] { (void)transport(cost); }, "transport", "2 rows", "1 column");
  const auto again = caught<Infeasible>([&] { (void)assign(cost); });
  CHECK(again.rows == error.rows);
  CHECK(again.columns == error.columns);
}

TEST_CASE("a row or a column without any partner is infeasible") {
  Matrix cost = Matrix::Ones(3, 4);
  cost.row(1).setConstant(infinity);
  const auto row = caught<Infeasible>([&] { (void)transport(cost); });
  CHECK(row.rows == std::vector<std::size_t>{1});
  CHECK(row.columns.empty());
  cost.setOnes();
  cost.col(2).setConstant(infinity);
  check_witness(cost, std::vector<double>(3, 4), std::vector<double>(4, 3),
                caught<Infeasible>([&] { (void)transport(cost); }));
  CHECK_THROWS_AS(transport(Matrix::Constant(2, 2, infinity)), Infeasible);
}

TEST_CASE(
    "small problems with forbidden pairs agree with successive shortest paths, the impossible ones have a witness") {
  Random random(41);
  int possible = 0, impossible = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::size_t n = 1 + random.below(6), m = 1 + random.below(6);
    const Matrix full = integers(random, n, m, 1 + random.below(9));
    const double share = 0.3 + 0.4 * random.unit();
    const Matrix cost = with_holes(random, full, share, infinity);
    std::vector<std::int64_t> supply(n), demand(m, 0);
    for (auto& units : supply) units = static_cast<std::int64_t>(random.below(4));
    supply[random.below(n)] += 1;
    for (const std::int64_t units : supply)
      for (std::int64_t k = 0; k < units; ++k) ++demand[random.below(m)];
    const TransportOptions options{.supply = {supply.begin(), supply.end()}, .demand = {demand.begin(), demand.end()}};
    const auto expected = reference::successive_shortest_paths(cost, supply, demand);
    INFO("round " << round << ", " << n << " x " << m);
    if (expected) {
      const TransportPlan plan = transport(cost, options);
      REQUIRE(plan.cost == *expected);
      check_plan(cost, plan);
      ++possible;
    } else {
      check_witness(cost, options.supply, options.demand, caught<Infeasible>([&] { (void)transport(cost, options); }));
      ++impossible;
    }
  }
  CHECK(possible > 1000);
  CHECK(impossible > 1000);
}

TEST_CASE("30 % forbidden pairs cost the same as infinity, as 1e20, as 1e32 and as the largest double") {
  const Matrix plain = [] {
    Random random(42);
    return uniform(random, 120, 120);
  }();
  const auto holes = [&](double value) {
    Random random(43);
    return with_holes(random, plain, 0.3, value);
  };
  const TransportPlan forbidden = transport(holes(infinity));
  check_plan(holes(infinity), forbidden);
  for (const double large : {1e6, 1e20, 1e32, 1e290, std::numeric_limits<double>::max()}) {
    INFO(large);
    const TransportPlan plan = transport(holes(large));
    CHECK(plan.cost == forbidden.cost);
    CHECK(plan.entries == forbidden.entries);
    check_plan(holes(large), plan);
    CHECK(assign(holes(large)).cost == assign(holes(infinity)).cost);
  }
}

TEST_CASE("ensembles that fall apart into blocks cost the sum of their blocks, whatever stands between them") {
  Random random(44);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 3 + random.below(8), m = 3 + random.below(8);
    const Matrix first = uniform(random, n, n), second = uniform(random, m, m);
    const double alone =
        transport(first).cost * static_cast<double>(n) + transport(second).cost * static_cast<double>(m);
    for (const double above : {infinity, 1e6, 1e20, 1e32})
      for (const double below : {infinity, 1e7, 1e22, 0.25}) {
        Matrix cost(static_cast<Eigen::Index>(n + m), static_cast<Eigen::Index>(n + m));
        const auto a = static_cast<Eigen::Index>(n), b = static_cast<Eigen::Index>(m);
        cost << first, Matrix::Constant(a, b, above), Matrix::Constant(b, a, below), second;
        INFO("round " << round << ", above " << above << ", below " << below);
        const TransportPlan plan = transport(cost);
        CHECK(plan.cost == Approx(alone / static_cast<double>(n + m)).epsilon(1e-12));
        check_plan(cost, plan);
        CHECK(plan.gap < 1e-15 * (above < 1e7 || below < 1 ? 1e9 : 1));
      }
  }
}

TEST_CASE("one run that must take a huge cost does not spoil the rest") {
  Random random(45);
  Matrix cost = uniform(random, 20, 20);
  const double rest = transport(cost.bottomRightCorner(19, 19)).cost * 19;
  cost.row(0).setConstant(1e20);
  cost.col(0).setConstant(1e20);
  cost(0, 0) = 1e9;
  const TransportPlan plan = transport(cost);
  CHECK(plan.cost * 20 == Approx(1e9 + rest).epsilon(1e-13));
  CHECK(plan.gap <= 1e-12 * plan.cost);
}

TEST_CASE("costs whose sums leave the range of double are an error where no plan avoids them") {
  Matrix cost = Matrix::Constant(3, 3, 1e300);
  require_error<Overflow>([&] { (void)transport(cost); }, "transport", "1e+300");
  require_error<Overflow>([&] { (void)assign(cost); }, "assign");
  cost(1, 2) = -1e300;
  const auto error = caught<Overflow>([&] { (void)transport(cost); });
  CHECK(error.pair == std::pair<std::size_t, std::size_t>{1, 2});
  Matrix row = Matrix::Constant(2, 2, infinity);
  row(0, 0) = 1e280;
  row(1, 1) = 1;
  CHECK_THROWS_AS(transport(row), Overflow);
  row(0, 0) = 1e260;
  CHECK(transport(row).cost == Approx(5e259));
}

TEST_CASE("unit differences survive an offset of 1e12 and costs of 1e-12") {
  Random random(46);
  const Matrix small = integers(random, 30, 40, 50);
  const double cost = transport(small).cost;
  const Matrix offset = small.array() + 1e12;
  CHECK(transport(offset).cost == Approx(1e12 + cost).epsilon(1e-16));
  const TransportPlan plan = transport(offset);
  CHECK(plan.entries == transport(small).entries);
  CHECK(transport(small * 1e-12).cost == Approx(cost * 1e-12).epsilon(1e-14));
}
