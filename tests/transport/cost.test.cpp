// SPDX-License-Identifier: MIT
// All ways to hand over costs give the same answer.
#include <fidelity/transport/assign.hpp>
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

using Strided = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

/// The same numbers as the row-major matrix of doubles. Only the prices, which are not unique, may be others where the
/// problem is solved by its columns because these lie together.
template <CostSource Source>
void check_same(const Source& cost, const TransportPlan& expected, bool by_columns = false) {
  const TransportPlan plan = transport(cost);
  CHECK(plan.cost == expected.cost);
  CHECK(plan.entries == expected.entries);
  if (!by_columns) {
    CHECK(plan.row_prices == expected.row_prices);
    CHECK(plan.gap == expected.gap);
  }
  CHECK(verify(cost, plan).optimal());
}

template <class Source>
concept CanView = requires(Source&& source, std::vector<std::size_t> list) {
  CostView(std::forward<Source>(source), list, list);
};
static_assert(CanView<const Matrix&>);
static_assert(!CanView<Matrix>, "a view of a temporary would dangle");
static_assert(!CostSource<std::vector<double>>);
static_assert(!CostSource<double>);

}  // namespace

TEST_CASE("row-major, column-major, strided, mapped and computed matrices give the same bits") {
  Random random(81);
  const Matrix cost = uniform(random, 21, 34);
  const TransportPlan expected = transport(cost);
  const Eigen::MatrixXd column_major = cost;
  check_same(column_major, expected, true);
  check_same(Eigen::Map<const Matrix>(cost.data(), 21, 34), expected);
  check_same(Eigen::Ref<const Eigen::MatrixXd>(column_major), expected, true);

  Eigen::MatrixXd larger = Eigen::MatrixXd::Constant(50, 80, -1);
  larger.block(3, 5, 21, 34) = cost;
  check_same(larger.block(3, 5, 21, 34), expected, true);

  std::vector<double> memory(21 * 34 * 6, not_a_number);
  Eigen::Map<Matrix, 0, Strided> strided(memory.data(), 21, 34, Strided(34 * 6, 3));
  strided = cost;
  check_same(strided, expected);
  const Matrix turned = cost.transpose();
  check_same(turned.transpose(), expected, true);
  check_same(cost * 1.0, expected);
}

TEST_CASE("a column-major matrix without a plan has rows that compete as witness") {
  Random random(87);
  int impossible = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(5);
    Matrix cost = integers(random, n, n, 6);
    for (Eigen::Index k = 0; k < cost.size(); ++k)
      if (random.unit() < 0.6) cost.data()[k] = infinity;
    const Eigen::MatrixXd column_major = cost;
    const double best = reference::best_permutation(cost) / static_cast<double>(n);
    if (best < infinity) {
      CHECK(transport(column_major).cost == Approx(best).epsilon(1e-14));
      continue;
    }
    ++impossible;
    const auto error = caught<Infeasible>([&] { (void)transport(column_major); });
    CHECK(error.rows.size() > error.columns.size());
    std::vector<std::size_t> reached;
    for (std::size_t j = 0; j < n; ++j)
      if (std::any_of(error.rows.begin(), error.rows.end(), [&](std::size_t i) {
            return cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) < infinity;
          }))
        reached.push_back(j);
    CHECK(error.columns == reached);
  }
  CHECK(impossible > 50);
}

TEST_CASE("float and integer matrices are solved in double") {
  Random random(82);
  const Matrix cost = uniform(random, 18, 18);
  const Eigen::MatrixXf single = cost.cast<float>();
  const Matrix same = single.cast<double>();
  check_same(single, transport(same), true);
  Eigen::MatrixXf hole = single;
  hole(3, 4) = std::numeric_limits<float>::infinity();
  Matrix same_hole = same;
  same_hole(3, 4) = infinity;
  check_same(hole, transport(same_hole), true);
  hole(3, 4) = std::numeric_limits<float>::quiet_NaN();
  CHECK(caught<InputError>([&] { (void)transport(hole); }).rule == Rule::bad_cost);

  const Eigen::MatrixXi counts = Eigen::MatrixXi::NullaryExpr(
      9, 9, [](Eigen::Index i, Eigen::Index j) { return static_cast<int>((i * 7 + j * 5) % 11); });
  CHECK(transport(counts).cost == transport(Matrix(counts.cast<double>())).cost);
}

TEST_CASE("a function of row and column gives the bits of the matrix that it describes") {
  Random random(83);
  const std::vector<double> x = weights(random, 25), y = weights(random, 19);
  const auto distance = [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - y[j]) + 0.001 * x[i] * y[j]; };
  check_same(CostFunction(25, 19, distance), transport(matrix(25, 19, distance)));
  CHECK(caught<InputError>([&] { (void)transport(CostFunction(0, 3, distance)); }).rule == Rule::empty);
}

TEST_CASE("a view of index lists equals a copy, repeated runs included") {
  Random random(84);
  const Matrix pooled = uniform(random, 30, 30);
  const Eigen::MatrixXd column_major = pooled;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> rows(1 + random.below(20)), columns(1 + random.below(20));
    for (auto* list : {&rows, &columns})
      for (std::size_t& index : *list) index = random.below(30);
    const Matrix copy = matrix(rows.size(), columns.size(), [&](std::size_t i, std::size_t j) {
      return pooled(static_cast<Eigen::Index>(rows[i]), static_cast<Eigen::Index>(columns[j]));
    });
    const TransportPlan expected = transport(copy);
    check_same(CostView(pooled, rows, columns), expected);
    check_same(CostView(column_major, rows, columns), expected);
    check_plan(copy, expected);
  }
}

TEST_CASE("repeated runs in a view cost the same as counts of them") {
  Random random(85);
  const Matrix pooled = uniform(random, 6, 8);
  const std::vector<std::size_t> rows = {4, 1, 1, 1, 4, 0}, columns = {7, 7, 2, 3, 3, 3};
  const double repeated = transport(CostView(pooled, rows, columns)).cost;
  const TransportPlan counted = transport(pooled, {.supply = {1, 3, 0, 0, 2, 0}, .demand = {0, 0, 1, 3, 0, 0, 0, 2}});
  CHECK(counted.cost_per_mass == Approx(repeated).epsilon(1e-14));
  CHECK(assign(CostView(pooled, rows, columns)).cost == Approx(counted.cost).epsilon(1e-14));
}

TEST_CASE("a view of a view and a view of a function") {
  Random random(86);
  const Matrix pooled = uniform(random, 10, 10);
  const std::vector<std::size_t> all = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, some = {0, 3, 5};
  const CostView reversed(pooled, all, all);
  const CostFunction function(10, 10, [&](std::size_t i, std::size_t j) {
    return pooled(9 - static_cast<Eigen::Index>(i), 9 - static_cast<Eigen::Index>(j));
  });
  const double expected = transport(CostView(reversed, some, some)).cost;
  CHECK(transport(CostView(function, some, some)).cost == expected);
  const std::vector<std::size_t> direct = {9, 6, 4};
  CHECK(transport(CostView(pooled, direct, direct)).cost == expected);
}

TEST_CASE("an index outside the matrix is an error that names its place") {
  const Matrix pooled = Matrix::Ones(3, 4);
  const std::vector<std::size_t> rows = {0, 2, 3}, columns = {3, 0}, none = {};
  const auto error = caught<InputError>([&] { CostView(pooled, rows, columns); });
  CHECK(error.rule == Rule::index_out_of_range);
  CHECK(error.collection == "rows");
  CHECK(error.index == 2U);
  CHECK(caught<InputError>([&] { CostView(pooled, columns, rows); }).collection == "rows");
  CHECK(caught<InputError>([&] { (void)transport(CostView(pooled, none, columns)); }).rule == Rule::empty);
}
