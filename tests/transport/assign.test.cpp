// SPDX-License-Identifier: MIT
#include <fidelity/transport/assign.hpp>
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"
#include "reference/augmenting_paths.hpp"

using namespace fidelity;
using namespace problems;

namespace {

/// A permutation, its cost, and prices that prove it.
void check_assignment(const Matrix& cost, const Assignment& found) {
  const auto n = static_cast<std::size_t>(cost.rows());
  REQUIRE(found.columns.size() == n);
  std::vector<bool> taken(n);
  double sum = 0, size = 0, prices = 0;
  for (std::size_t i = 0; i < n; ++i) {
    REQUIRE(found.columns[i] < n);
    CHECK_FALSE(taken[found.columns[i]]);
    taken[found.columns[i]] = true;
    const double paid = cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(found.columns[i]));
    sum += paid;
    size = std::max(
        size, std::fabs(paid) + std::fabs(found.row_prices[i]) + std::fabs(found.column_prices[found.columns[i]]));
    prices += found.row_prices[i] + found.column_prices[i];
  }
  CHECK(found.cost == Approx(sum).epsilon(1e-13).margin(1e-300));
  CHECK(prices == Approx(sum).epsilon(1e-12).margin(1e-12 * size * static_cast<double>(n)));
  CHECK(found.gap >= 0);
  CHECK(found.gap <= 1e-13 * size * static_cast<double>(n));
  for (Eigen::Index i = 0; i < cost.rows(); ++i)
    for (Eigen::Index j = 0; j < cost.cols(); ++j)
      CHECK(found.row_prices[static_cast<std::size_t>(i)] + found.column_prices[static_cast<std::size_t>(j)] -
                cost(i, j) <=
            1e-13 * size);
}

}  // namespace

TEST_CASE("the assignment of the classic examples") {
  Matrix classic(3, 3), documentation(3, 3);
  classic << 400, 150, 400, 400, 450, 600, 300, 225, 300;
  documentation << 4, 1, 3, 2, 0, 5, 3, 2, 2;
  CHECK(assign(classic).cost == 850);
  CHECK(assign(documentation).cost == 5);
  CHECK(assign(documentation).columns == std::vector<std::size_t>{1, 0, 2});
  CHECK(assign(Matrix::Constant(1, 1, -7)).cost == -7);
}

TEST_CASE("small assignments agree with all permutations") {
  Random random(61);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random.below(6);
    const bool ties = round % 2 == 0;
    const Matrix cost = ties ? integers(random, n, n, 1 + random.below(6)) : uniform(random, n, n);
    const Assignment found = assign(cost);
    INFO("round " << round);
    CHECK(found.cost == Approx(reference::best_permutation(cost)).epsilon(1e-14).margin(1e-300));
    check_assignment(cost, found);
  }
}

TEST_CASE("small assignments with forbidden pairs agree with all permutations or have a witness") {
  Random random(62);
  int impossible = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random.below(6);
    Matrix cost = integers(random, n, n, 6);
    for (Eigen::Index k = 0; k < cost.size(); ++k)
      if (random.unit() < 0.5) cost.data()[k] = infinity;
    const double best = reference::best_permutation(cost);
    if (best < infinity) {
      const Assignment found = assign(cost);
      CHECK(found.cost == best);
      check_assignment(cost, found);
      continue;
    }
    ++impossible;
    const auto error = caught<Infeasible>([&] { (void)assign(cost); });
    CHECK(error.rows.size() > error.columns.size());
    for (const std::size_t i : error.rows)
      for (std::size_t j = 0; j < n; ++j)
        if (cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) < infinity)
          CHECK(std::find(error.columns.begin(), error.columns.end(), j) != error.columns.end());
  }
  CHECK(impossible > 300);
}

TEST_CASE("assignments agree with shortest augmenting paths on larger problems of several kinds") {
  Random random(63);
  for (const std::size_t n : {50U, 150U})
    for (const Matrix& cost :
         {uniform(random, n, n), euclidean(random, n, n), integers(random, n, n, 10),
          Matrix(Matrix::Constant(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n), 3))}) {
      const Assignment found = assign(cost);
      check_assignment(cost, found);
      const auto entries = detail::access(cost);
      const reference::Matching matching = reference::augment_shortest_paths(entries);
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += entries(i, matching.column_of[i]);
      CHECK(found.cost == Approx(sum).epsilon(1e-13).margin(1e-300));
    }
}

TEST_CASE("ties go to the lowest index") {
  CHECK(assign(Matrix::Zero(4, 4)).columns == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("a matrix that is not square is refused and sent to transport") {
  Matrix cost(2, 3);
  cost << 1, 2, 3, 6, 5, 4;
  const auto error = caught<InputError>([&] { (void)assign(cost); });
  CHECK(error.rule == Rule::shape_mismatch);
  require_error<InputError>([&] { (void)assign(cost); }, "fidelity::assign", "2 x 3", "transport()");
  CHECK(transport(cost).cost == Approx(17.0 / 6));
}

TEST_CASE("assign refuses bad costs and an empty matrix") {
  Matrix cost = Matrix::Ones(3, 3);
  CHECK(caught<InputError>([] { (void)assign(Matrix(0, 0)); }).rule == Rule::empty);
  for (const double bad : {not_a_number, -infinity}) {
    cost(2, 1) = bad;
    const auto error = caught<InputError>([&] { (void)assign(cost); });
    CHECK(error.rule == Rule::bad_cost);
    CHECK(error.index == 2U);
    CHECK(error.sample == 1U);
  }
}

TEST_CASE("a partial assignment leaves runs out and is not a distance") {
  Matrix cost(2, 3);
  cost << 1, 2, 3, 6, 5, 4;
  const PartialAssignment wide = assign_partial(cost);
  CHECK(wide.pairs == std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {1, 2}});
  CHECK(wide.cost == 5);
  CHECK(wide.columns_left_out == std::vector<std::size_t>{1});
  CHECK(wide.rows_left_out.empty());
  const PartialAssignment tall = assign_partial(Matrix(cost.transpose()));
  CHECK(tall.cost == 5);
  CHECK(tall.rows_left_out == std::vector<std::size_t>{1});
  CHECK(assign_partial(Matrix(cost.leftCols(2))).cost == assign(Matrix(cost.leftCols(2))).cost);

  Random random(64);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(5), m = 1 + random.below(5), larger = std::max(n, m);
    const Matrix part = integers(random, n, m, 7);
    Matrix square = Matrix::Zero(static_cast<Eigen::Index>(larger), static_cast<Eigen::Index>(larger));
    square.topLeftCorner(part.rows(), part.cols()) = part;
    const PartialAssignment found = assign_partial(part);
    CHECK(found.cost == reference::best_permutation(square));
    CHECK(found.pairs.size() == std::min(n, m));
    CHECK(found.gap < 1e-12);
  }
}

TEST_CASE("a partial assignment that forbidden pairs rule out has a witness without the runs left out") {
  Matrix cost = Matrix::Constant(4, 3, infinity);
  cost.col(0).setOnes();
  const auto tall = caught<Infeasible>([&] { (void)assign_partial(cost); });
  CHECK(tall.columns == std::vector<std::size_t>{0});
  const auto wide = caught<Infeasible>([&] { (void)assign_partial(Matrix(cost.transpose())); });
  for (const std::size_t row : wide.rows) CHECK(row < 3);
}
