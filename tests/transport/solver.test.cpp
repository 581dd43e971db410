// SPDX-License-Identifier: MIT
// Solving again: from memory that was used before, from an earlier basis, and the value alone.
#include <chrono>
#include <thread>

#include <fidelity/transport/solver.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

void check_equal(const TransportPlan& plan, const TransportPlan& expected) {
  CHECK(plan.cost == expected.cost);
  CHECK(plan.entries == expected.entries);
  CHECK(plan.row_prices == expected.row_prices);
  CHECK(plan.column_prices == expected.column_prices);
  CHECK(plan.gap == expected.gap);
  CHECK(plan.pivots == expected.pivots);
}

std::vector<double> counts(Random& random, std::size_t size, std::size_t total) {
  std::vector<double> out(size);
  for (std::size_t k = 0; k < total; ++k) out[random.below(size)] += 1;
  return out;
}

}  // namespace

TEST_CASE("a solver gives the bits of transport whatever it solved before") {
  Random random(91);
  TransportSolver solver;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random.below(40), m = 1 + random.below(40);
    const Matrix cost = round % 3 == 0 ? integers(random, n, m, 4) : euclidean(random, n, m);
    const TransportOptions options{.supply = counts(random, n, 60), .demand = counts(random, m, 60)};
    check_equal(solver.solve(cost, options), transport(cost, options));
    if (round % 4 == 0) (void)solver.resolve(cost);
    if (round % 7 == 0) CHECK_THROWS_AS(solver.solve(Matrix::Constant(3, 3, infinity)), Infeasible);
  }
}

TEST_CASE("solving again after changed weights gives the cost of a cold solve and needs fewer pivots") {
  Random random(92);
  std::size_t warm_pivots = 0, cold_pivots = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 20 + random.below(60), m = 20 + random.below(60);
    const Matrix cost = round % 2 == 0 ? euclidean(random, n, m) : integers(random, n, m, 10);
    TransportOptions options{.supply = weights(random, n), .demand = weights(random, m), .normalise = true};
    TransportSolver solver;
    (void)solver.solve(cost, options);
    options.supply[random.below(n)] *= 1.1;
    options.demand[random.below(m)] *= 0.8;
    const TransportPlan warm = solver.resolve(cost, options), cold = transport(cost, options);
    CHECK(warm.cost == Approx(cold.cost).epsilon(1e-12));
    check_plan(cost, warm);
    warm_pivots += warm.pivots;
    cold_pivots += cold.pivots;
  }
  CHECK(4 * warm_pivots < cold_pivots);
}

TEST_CASE("solving again after changed costs, another view, other masses or another shape is right as well") {
  Random random(93);
  TransportSolver solver;
  Matrix pooled = euclidean(random, 60, 60);
  for (int round = 0; round < 60; ++round) {
    for (int k = 0; k < 20; ++k)
      pooled(static_cast<Eigen::Index>(random.below(60)), static_cast<Eigen::Index>(random.below(60))) = random.unit();
    if (round % 10 == 9) pooled(3, 4) = infinity;
    std::vector<std::size_t> rows(round % 5 == 4 ? 7 : 25), columns(30);
    for (auto* list : {&rows, &columns})
      for (std::size_t& index : *list) index = random.below(60);
    const CostView view(pooled, rows, columns);
    TransportOptions options;
    if (round % 3 == 1) options = {.supply = counts(random, rows.size(), 90), .demand = counts(random, 30, 90)};
    const TransportPlan warm = solver.resolve(view, options);
    CHECK(warm.cost == Approx(transport(view, options).cost).epsilon(1e-12));
    CHECK(verify(view, warm).optimal());
  }
  CHECK(solver.resolve(pooled.leftCols(1).eval()).cost == Approx(pooled.col(0).mean()));
}

TEST_CASE("the tree is strongly feasible after it was built again from another one") {
  Random random(94);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random.below(12), m = 1 + random.below(12);
    const Matrix cost = integers(random, n, m, 4);
    const auto entries = detail::access(cost);
    detail::SimplexMemory memory;
    for (int again = 0; again < 4; ++again) {
      std::vector<double> supply(n, 1), demand(m, 1);
      for (double& weight : supply) weight += static_cast<double>(random.below(3));
      for (double& weight : demand) weight += static_cast<double>(random.below(3));
      const detail::Masses masses = detail::balance("test", n, m, supply, demand, true);
      detail::TransportSimplex simplex("test", entries, masses, {.warm = again > 0}, memory);
      const auto check_tree = [&] {
        std::vector<std::int64_t> row(n), column(m);
        for (std::size_t node = 0; node < memory.tree.size(); ++node) {
          if (node == memory.tree.root()) continue;
          CHECK(memory.tree.flow(node) >= 0);
          if (memory.tree.flow(node) == 0) CHECK(memory.tree.is_row(node));
          row[memory.tree.arc_row(node)] += memory.tree.flow(node);
          column[memory.tree.arc_column(node)] += memory.tree.flow(node);
        }
        CHECK(row == masses.supply);
        CHECK(column == masses.demand);
        // Every node comes before those below it, and these lie together.
        for (detail::SpanningTree::Index top = 0; top < n + m; ++top) {
          std::vector<bool> below(n + m);
          memory.tree.visit_below(top, [&](detail::SpanningTree::Index node) {
            CHECK((node == top || below[memory.tree.parent(node)]));
            below[node] = true;
          });
          std::size_t others = 0;
          memory.tree.visit_others(top, [&](detail::SpanningTree::Index node) {
            CHECK_FALSE(below[node]);
            ++others;
          });
          CHECK(others + memory.tree.count(top) == n + m);
        }
      };
      check_tree();
      CHECK_FALSE(simplex.solve());
      check_tree();
    }
  }
}

TEST_CASE("the distance alone has the bits of wasserstein") {
  Random random(95);
  const Matrix pooled = euclidean(random, 40, 40);
  TransportSolver solver;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::size_t> rows(1 + random.below(20)), columns(1 + random.below(20));
    for (auto* list : {&rows, &columns})
      for (std::size_t& index : *list) index = random.below(40);
    const CostView view(pooled, rows, columns);
    CHECK(solver.distance(view) == wasserstein(view).value);
    const WassersteinOptions options{.supply = counts(random, rows.size(), 15),
                                     .demand = counts(random, columns.size(), 15)};
    CHECK(solver.distance(view, options) == wasserstein(view, options).value);
  }
  CHECK(solver.distance(pooled, {.order = 2}) == wasserstein(pooled, {.order = 2}).value);
  Matrix negative = pooled;
  negative(39, 39) = -1e-300;
  CHECK(caught<InputError>([&] { (void)solver.distance(negative); }).rule == Rule::bad_cost);
}

TEST_CASE("a long solve can be cancelled and leaves no plan") {
  Random random(96);
  const Matrix cost = uniform(random, 120, 120);
  int calls = 0;
  double limit = 0;
  // The callback comes at most ten times a second: wait for that inside the costs.
  const CostFunction slow(120, 120, [&](std::size_t i, std::size_t j) {
    if (i == 60 && j == 60) std::this_thread::sleep_for(std::chrono::milliseconds(40));
    return cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  });
  const TransportOptions options{.progress = [&](const Progress& progress) {
    ++calls;
    limit = progress.total;
    return Continue::no;
  }};
  const auto error = caught<Cancelled>([&] { (void)transport(slow, options); });
  CHECK(calls == 1);
  CHECK(limit == 1'000'000 + 1000.0 * 240);
  CHECK(error.finished > 0);
  CHECK(transport(cost, {.progress = [](const Progress&) { return Continue::yes; }}).cost == transport(cost).cost);
}
