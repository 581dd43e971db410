// SPDX-License-Identifier: MIT
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include <fidelity/transport/assign.hpp>
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

nlohmann::json reference_file() {
  return nlohmann::json::parse(std::ifstream(FIDELITY_TEST_DATA "/ot_reference.json"));
}

Matrix cost_of(const nlohmann::json& problem) {
  const auto& rows = problem.at("cost");
  return matrix(rows.size(), rows.at(0).size(), [&](std::size_t i, std::size_t j) {
    const auto& entry = rows.at(i).at(j);
    return entry.is_string() ? infinity : entry.get<double>();
  });
}

/// The sum of the masses of each row and column, in units, must be the same for all of one side.
void check_uniform_units(const TransportPlan& plan, std::size_t rows, std::size_t columns) {
  std::vector<std::int64_t> row(rows), column(columns);
  for (std::size_t k = 0; k < plan.entries.size(); ++k) {
    row[plan.entries[k].row] += plan.units[k];
    column[plan.entries[k].column] += plan.units[k];
  }
  for (const std::int64_t units : row) CHECK(units * static_cast<std::int64_t>(rows) == plan.total_units);
  for (const std::int64_t units : column) CHECK(units * static_cast<std::int64_t>(columns) == plan.total_units);
}

}  // namespace

TEST_CASE("every reference problem has its exact cost and a proof") {
  const nlohmann::json file = reference_file();
  REQUIRE(file.at("problems").size() == 31);
  for (const auto& problem : file.at("problems")) {
    INFO(problem.at("id").get<std::string>());
    const Matrix cost = cost_of(problem);
    const TransportOptions options{.supply = problem.at("a_float").get<std::vector<double>>(),
                                   .demand = problem.at("b_float").get<std::vector<double>>()};
    if (problem.at("status") == "infeasible") {
      CHECK_THROWS_AS(transport(cost, options), Infeasible);
      continue;
    }
    const TransportPlan plan = transport(cost, options);
    CHECK(plan.cost == Approx(problem.at("optimal_cost").get<double>()).epsilon(1e-14).margin(1e-300));
    CHECK(std::fabs(plan.mass_adjustment) < 1e-15);
    check_plan(cost, plan);
  }
}

TEST_CASE("reference problems with equal weights need no weights and have exact marginals") {
  std::size_t count = 0;
  const nlohmann::json file = reference_file();
  for (const auto& problem : file.at("problems")) {
    const auto a = problem.at("a_float").get<std::vector<double>>(),
               b = problem.at("b_float").get<std::vector<double>>();
    const bool equal = std::all_of(a.begin(), a.end(), [&](double x) { return x == a.front(); }) &&
                       std::all_of(b.begin(), b.end(), [&](double x) { return x == b.front(); });
    if (!equal || problem.at("status") == "infeasible") continue;
    INFO(problem.at("id").get<std::string>());
    const Matrix cost = cost_of(problem);
    const TransportPlan plan = transport(cost);
    CHECK(plan.cost == Approx(problem.at("optimal_cost").get<double>()).epsilon(1e-15).margin(1e-300));
    CHECK(plan.mass == 1);
    check_uniform_units(plan, a.size(), b.size());
    check_plan(cost, plan);
    ++count;
  }
  CHECK(count > 15);
}

TEST_CASE("the generated reference problems have their exact cost and a proof") {
  const nlohmann::json file = reference_file();
  REQUIRE(file.at("generated_problems").size() == 5);
  for (const auto& problem : file.at("generated_problems")) {
    INFO(problem.at("id").get<std::string>());
    auto state = problem.at("seed").get<std::uint64_t>();
    const auto bound = problem.at("mod").get<std::uint64_t>();
    const auto n = problem.at("n").get<std::size_t>(), m = problem.at("m").get<std::size_t>();
    const Matrix cost = matrix(n, m, [&](std::size_t, std::size_t) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return (state >> 33U) % bound;
    });
    REQUIRE(cost.sum() == problem.at("checksum_sum").get<double>());
    const TransportPlan plan = transport(cost);
    CHECK(plan.cost == Approx(problem.at("optimal_cost").get<double>()).epsilon(1e-15).margin(1e-300));
    check_uniform_units(plan, n, m);
    check_plan(cost, plan);
    if (n == m) {
      const double assigned = assign(cost).cost / static_cast<double>(n);
      CHECK(assigned == Approx(problem.at("optimal_cost").get<double>()).epsilon(1e-15));
    }
  }
}

TEST_CASE("3 simulated against 4 measured runs cost what a 12 x 12 assignment of their parts costs") {
  Matrix cost(3, 4);
  cost << 1.2, 4.0, 2.5, 7.1, 3.3, 0.4, 2.9, 1.8, 6.0, 2.2, 0.9, 3.7;
  const TransportPlan plan = transport(cost);
  CHECK(plan.cost == Approx(1.5083333333333333).epsilon(1e-15));
  const auto masses = dense(plan);
  for (Eigen::Index i = 0; i < 3; ++i) CHECK(masses.row(i).sum() == Approx(1.0 / 3).epsilon(1e-15));
  for (Eigen::Index j = 0; j < 4; ++j) CHECK(masses.col(j).sum() == Approx(1.0 / 4).epsilon(1e-15));
  check_uniform_units(plan, 3, 4);

  const Matrix parts = matrix(12, 12, [&](std::size_t i, std::size_t j) {
    return cost(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(j / 3));
  });
  CHECK(plan.cost == Approx(assign(parts).cost / 12).epsilon(1e-14));
  Matrix moved(3, 4);
  moved << cost.row(2), cost.row(0), cost.row(1);
  moved.col(0).swap(moved.col(3));
  CHECK(transport(moved).cost == Approx(plan.cost).epsilon(1e-15));
}

TEST_CASE("a 2 x 2 problem done by hand") {
  Matrix cost(2, 2);
  cost << 0, 1, 1, 0;
  const TransportPlan plan = transport(cost, {.supply = {0.5, 0.5}, .demand = {0.2, 0.8}});
  CHECK(plan.cost == Approx(0.3).epsilon(1e-15));
  CHECK(plan.entries == std::vector<TransportEntry>{{0, 0, 0.2}, {0, 1, 0.3}, {1, 1, 0.5}});
  CHECK(plan.lower_bound == Approx(0.3));
  check_plan(cost, plan);
}

TEST_CASE("thousands of small integer problems with ties agree with successive shortest paths") {
  Random random(11);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t n = 1 + random.below(6), m = 1 + random.below(6), bound = 1 + random.below(9);
    const Matrix cost = integers(random, n, m, bound);
    std::vector<std::int64_t> supply(n), demand(m, 0);
    for (auto& units : supply) units = static_cast<std::int64_t>(random.below(4));
    supply[random.below(n)] += 1;
    for (const std::int64_t units : supply)
      for (std::int64_t k = 0; k < units; ++k) ++demand[random.below(m)];
    INFO("round " << round << ", " << n << " x " << m);
    const TransportPlan plan =
        transport(cost, {.supply = {supply.begin(), supply.end()}, .demand = {demand.begin(), demand.end()}});
    REQUIRE(plan.cost == reference::successive_shortest_paths(cost, supply, demand));
    for (const TransportEntry& entry : plan.entries) CHECK(entry.mass == std::floor(entry.mass));
    check_plan(cost, plan);
  }
}

TEST_CASE("small ensembles of different size agree with an assignment of equal parts") {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(5), m = 1 + random.below(5);
    const Matrix cost = uniform(random, n, m);
    const Matrix parts = matrix(n * m, n * m, [&](std::size_t i, std::size_t j) {
      return cost(static_cast<Eigen::Index>(i / m), static_cast<Eigen::Index>(j / n));
    });
    CHECK(transport(cost).cost == Approx(assign(parts).cost / static_cast<double>(n * m)).epsilon(1e-13));
  }
}

TEST_CASE("the cost does not depend on which side is the row side, nor on the order of the runs") {
  Random random(13);
  for (const auto& [n, m] : {std::pair{7U, 7U}, {12U, 5U}, {30U, 41U}}) {
    const Matrix cost = uniform(random, n, m);
    const TransportOptions options{.supply = weights(random, n), .demand = weights(random, m), .normalise = true};
    const TransportPlan plan = transport(cost, options);
    check_plan(cost, plan);
    const Matrix turned = cost.transpose();
    CHECK(transport(turned, {.supply = options.demand, .demand = options.supply, .normalise = true}).cost ==
          Approx(plan.cost).epsilon(1e-13));
    CHECK(transport(cost.transpose()).cost == Approx(transport(cost).cost).epsilon(1e-13));
    const Matrix reversed = cost.reverse();
    const std::vector<double> supply(options.supply.rbegin(), options.supply.rend());
    const std::vector<double> demand(options.demand.rbegin(), options.demand.rend());
    CHECK(transport(reversed, {.supply = supply, .demand = demand, .normalise = true}).cost ==
          Approx(plan.cost).epsilon(1e-13));
  }
}

TEST_CASE("costs times a power of two give the same plan and the same bits") {
  Random random(14);
  const Matrix cost = uniform(random, 23, 31);
  const TransportPlan plan = transport(cost);
  for (const int exponent : {-700, -300, -1, 1, 40, 600}) {
    const TransportPlan scaled = transport(cost * std::ldexp(1.0, exponent));
    CHECK(scaled.cost == std::ldexp(plan.cost, exponent));
    CHECK(scaled.entries == plan.entries);
    CHECK(scaled.row_prices.front() == std::ldexp(plan.row_prices.front(), exponent));
  }
}

TEST_CASE("a constant added to a row or column of costs adds its mass times the constant") {
  Random random(15);
  const std::size_t n = 17, m = 23;
  const Matrix cost = uniform(random, n, m);
  const TransportOptions options{.supply = weights(random, n), .demand = weights(random, m), .normalise = true};
  const TransportPlan plan = transport(cost, options);
  const std::vector<double> x = weights(random, n), y = weights(random, m);
  double added = 0;
  for (std::size_t i = 0; i < n; ++i) added += plan.supply[i] * 100 * x[i];
  for (std::size_t j = 0; j < m; ++j) added -= plan.demand[j] * 100 * y[j];
  const Matrix moved = matrix(n, m, [&](std::size_t i, std::size_t j) {
    return cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) + 100 * x[i] - 100 * y[j];
  });
  const TransportPlan other = transport(moved, options);
  check_plan(moved, other);
  CHECK(other.cost == Approx(plan.cost + added).epsilon(1e-12));
  CHECK(other.entries == plan.entries);
}

TEST_CASE("a run split into two of half its weight, or a run of weight 0, changes nothing") {
  Random random(16);
  const Matrix cost = uniform(random, 4, 6);
  const TransportPlan plan = transport(cost, {.supply = {1, 2, 3, 6}, .demand = {2, 2, 2, 2, 2, 2}});
  Matrix more(6, 6);
  more << cost, cost.row(3), Eigen::RowVectorXd::Constant(6, -1e6);
  const TransportPlan split = transport(more, {.supply = {1, 2, 3, 3, 3, 0}, .demand = {2, 2, 2, 2, 2, 2}});
  CHECK(split.cost == Approx(plan.cost).epsilon(1e-14));
  CHECK(std::all_of(split.entries.begin(), split.entries.end(), [](const auto& entry) { return entry.row < 5; }));
  check_plan(more, split);
}

TEST_CASE("degenerate problems end with a clean proof") {
  Random random(17);
  std::vector<std::pair<const char*, Matrix>> family;
  family.emplace_back("constant, square", Matrix::Constant(60, 60, 2.5));
  family.emplace_back("constant, 40 x 60", Matrix::Constant(40, 60, 2.5));
  family.emplace_back("zero", Matrix::Zero(50, 50));
  family.emplace_back("0/1", integers(random, 80, 80, 2));
  family.emplace_back("0/1, 60 x 90", integers(random, 60, 90, 2));
  family.emplace_back("identical rows", Matrix::Ones(70, 1) * uniform(random, 1, 70));
  family.emplace_back("identical rows, 400 x 600", Matrix::Ones(400, 1) * uniform(random, 1, 600));
  family.emplace_back("integer grid points", matrix(100, 100, [](std::size_t i, std::size_t j) {
                        const auto far = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
                        return far(i / 10, j % 10) + far(i % 10, j / 10);
                      }));
  family.emplace_back("products", matrix(90, 90, [](std::size_t i, std::size_t j) { return (i + 1) * (j + 1); }));
  family.emplace_back("sorted points", matrix(80, 120, [](std::size_t i, std::size_t j) {
                        return std::fabs(static_cast<double>(3 * i) - static_cast<double>(2 * j));
                      }));
  family.emplace_back("sorted points, squared", matrix(80, 120, [](std::size_t i, std::size_t j) {
                        const double d = static_cast<double>(3 * i) - static_cast<double>(2 * j);
                        return d * d;
                      }));
  for (const auto& [name, cost] : family) {
    INFO(name);
    check_plan(cost, transport(cost));
  }
  const Matrix skew = uniform(random, 100, 140);
  std::vector<double> supply(100), demand(140);
  for (std::size_t i = 0; i < supply.size(); ++i) supply[i] = std::pow(10.0, -static_cast<double>(i % 15));
  for (std::size_t j = 0; j < demand.size(); ++j) demand[j] = std::pow(7.0, -static_cast<double>(j % 18));
  check_plan(skew, transport(skew, {.supply = supply, .demand = demand, .normalise = true}));
}

TEST_CASE("the tree stays strongly feasible, which is the guard against cycling") {
  Random random(25);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(12), m = 1 + random.below(12);
    const Matrix cost = integers(random, n, m, 4);
    const auto entries = detail::access(cost);
    const detail::Masses masses = detail::balance("test", n, m, {}, {}, false);
    for (std::size_t limit = 0; limit < 40; limit += 3) {  // after the greedy start, and after some pivots
      detail::SimplexMemory memory;
      detail::TransportSimplex simplex("test", entries, masses, {.pivot_limit = limit}, memory);
      try {
        (void)simplex.solve();
      } catch (const IterationLimit&) {
      }
      const detail::SpanningTree& tree = memory.tree;
      for (std::size_t node = 0; node < tree.size(); ++node)
        if (node != tree.root() && tree.flow(node) == 0) CHECK(tree.is_row(node));
    }
  }
}

TEST_CASE("an ensemble against itself costs nothing") {
  Random random(18);
  const std::vector<double> x = weights(random, 60);
  const Matrix cost = matrix(60, 60, [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - x[j]); });
  const TransportPlan plan = transport(cost);
  CHECK(plan.cost == 0);
  check_plan(cost, plan);
}

TEST_CASE("very flat, very tall and very small problems") {
  Random random(19);
  for (const auto& [n, m] : {std::pair{1U, 1U}, {5U, 960U}, {960U, 5U}, {1U, 10000U}, {10000U, 1U}, {9U, 3000U}}) {
    const Matrix cost = uniform(random, n, m);
    const TransportPlan plan = transport(cost);
    check_plan(cost, plan);
    if (n == 1 || m == 1) CHECK(plan.cost == Approx(cost.mean()).epsilon(1e-13));
  }
}

TEST_CASE("a pivot limit is an error whose bounds hold the optimum") {
  Random random(20);
  const Matrix cost = uniform(random, 30, 40);
  const TransportPlan plan = transport(cost);
  REQUIRE(plan.pivots > 10);
  for (std::size_t limit = 0; limit < plan.pivots; limit += 3) {
    const auto error = caught<IterationLimit>([&] { (void)transport(cost, {.pivot_limit = limit}); });
    CHECK(error.lower_bound <= plan.cost);
    CHECK(error.upper_bound >= plan.cost);
    CHECK(error.upper_bound < 1);
  }
  require_error<IterationLimit>([&] { (void)transport(cost, {.pivot_limit = 1}); }, "transport", "1 pivot;", "between");
  CHECK(transport(cost, {.pivot_limit = plan.pivots}).cost == plan.cost);
}

TEST_CASE("the same input gives the same plan, prices and bits") {
  Random random(21);
  const Matrix cost = integers(random, 50, 70, 5);
  const TransportPlan first = transport(cost), second = transport(cost);
  CHECK(first.cost == second.cost);
  CHECK(first.entries == second.entries);
  CHECK(first.row_prices == second.row_prices);
  CHECK(first.column_prices == second.column_prices);
  CHECK(first.pivots == second.pivots);
}

TEST_CASE("negative costs are legal") {
  Matrix cost(2, 2);
  cost << -3, 2, 4, -5;
  CHECK(transport(cost).cost == -4);
  check_plan(cost, transport(cost));
}

TEST_CASE("bad costs are named by row and column wherever they stand") {
  Random random(22);
  const Matrix good = uniform(random, 5, 7);
  for (const auto& [i, j] : {std::pair{0, 0}, {2, 3}, {4, 6}})
    for (const double bad : {not_a_number, -infinity}) {
      Matrix cost = good;
      cost(i, j) = bad;
      const auto error = caught<InputError>([&] { (void)transport(cost); });
      CHECK(error.rule == Rule::bad_cost);
      CHECK(error.collection == "cost");
      CHECK(error.index == static_cast<std::size_t>(i));
      CHECK(error.sample == static_cast<std::size_t>(j));
      REQUIRE(error.value);
      CHECK((std::isnan(bad) ? std::isnan(*error.value) : *error.value == bad));
    }
  CHECK(caught<InputError>([] { (void)transport(Matrix(0, 3)); }).rule == Rule::empty);
  CHECK(caught<InputError>([] { (void)transport(Matrix(3, 0)); }).rule == Rule::empty);
  require_error<InputError>([] { (void)transport(Matrix(0, 0)); }, "fidelity::transport", "0 x 0");
}
