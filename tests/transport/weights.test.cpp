// SPDX-License-Identifier: MIT
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

Matrix swap_costs() {
  Matrix cost(2, 2);
  cost << 0, 1, 1, 0;
  return cost;
}

InputError refused(const Matrix& cost, TransportOptions options) {
  return caught<InputError>([&] { (void)transport(cost, options); });
}

}  // namespace

TEST_CASE("counts keep their unit: the plan is in counts and so is the cost") {
  Matrix cost(2, 2);
  cost << 1, 9, 4, 2;
  const TransportPlan plan = transport(cost, {.supply = {3, 7}, .demand = {6, 4}});
  CHECK(plan.cost == 23);
  CHECK(plan.mass == 10);
  CHECK(plan.cost_per_mass == 2.3);
  CHECK(plan.entries == std::vector<TransportEntry>{{0, 0, 3}, {1, 0, 3}, {1, 1, 4}});
  CHECK(plan.units == std::vector<std::int64_t>{3, 3, 4});
  CHECK(plan.total_units == 10);
}

TEST_CASE("normalise divides each side by its own sum, exactly for counts") {
  Matrix cost(2, 2);
  cost << 0, 3, 5, 0;
  const TransportPlan plan = transport(cost, {.supply = {2, 2}, .demand = {1, 3}, .normalise = true});
  CHECK(plan.cost == 0.75);
  CHECK(plan.mass == 1);
  const TransportPlan unequal = transport(cost, {.supply = {1, 2}, .demand = {5, 2}, .normalise = true});
  CHECK(unequal.total_units == 21);
  CHECK(unequal.cost == Approx(5 * (5.0 / 7 - 1.0 / 3)).epsilon(1e-15));
  CHECK(unequal.mass_adjustment == 0);
  check_plan(cost, unequal);
}

TEST_CASE("one side without weights shares the total of the other equally") {
  Random random(31);
  const Matrix cost = uniform(random, 3, 4);
  const TransportPlan counts = transport(cost, {.supply = {1, 2, 4}});
  CHECK(counts.mass == 7);
  CHECK(counts.demand == std::vector<double>{1.75, 1.75, 1.75, 1.75});
  CHECK(counts.total_units == 28);
  check_plan(cost, counts);
  const TransportPlan floats = transport(cost, {.demand = {0.1, 0.3, 0.5, 0.1}});
  CHECK(floats.mass == Approx(1));
  CHECK(floats.demand == std::vector<double>{0.1, 0.3, 0.5, 0.1});
  for (const double weight : floats.supply) CHECK(weight == Approx(1.0 / 3).epsilon(1e-15));
  check_plan(cost, floats);
}

TEST_CASE("marginals of weights that are not dyadic hold to 1e-12 of the mass") {
  Random random(32);
  for (const double unit : {1e-300, 1e-9, 1.0, 1e12, 1e290}) {
    const Matrix cost = uniform(random, 40, 55);
    std::vector<double> supply = weights(random, 40), demand = weights(random, 55);
    for (double& weight : supply) weight *= unit;
    double here = 0, there = 0;
    for (const double weight : supply) here += weight;
    for (const double weight : demand) there += weight;
    for (double& weight : demand) weight *= here / there;
    const TransportPlan plan = transport(cost, {.supply = supply, .demand = demand});
    const Certificate certificate =
        verify(cost, ProposedPlan{.entries = plan.entries, .supply = supply, .demand = demand});
    CHECK(certificate.largest_marginal_error <= 1e-15 * plan.mass);
    CHECK(plan.cost_per_mass < 0.2);
    check_plan(cost, plan);
  }
}

TEST_CASE("sums that differ by rounding are balanced and reported, larger differences are refused") {
  const Matrix cost = swap_costs();
  for (const double off : {0.0, 1e-16, 1e-10, -1e-10, 9e-10}) {
    const TransportPlan plan = transport(cost, {.supply = {0.5, 0.5}, .demand = {0.2, 0.8 + off}});
    CHECK(plan.mass_adjustment == Approx((0.2 + 0.8 - (0.2 + (0.8 + off)))).margin(1e-16));
    CHECK(plan.cost == Approx(0.3).epsilon(1e-9));
    CHECK(plan.mass == 1);
    check_plan(cost, plan);
  }
  for (const double off : {1.1e-9, 3e-7, 1e-3, -3e-7, 1.0}) {
    const InputError error = refused(cost, {.supply = {0.5, 0.5}, .demand = {0.2, 0.8 + off}});
    CHECK(error.rule == Rule::mass_mismatch);
    CHECK(transport(cost, {.supply = {0.5, 0.5}, .demand = {0.2, 0.8 + off}, .normalise = true}).mass == 1);
  }
  require_error<InputError>(
      [&] {
        (void)transport(cost, {.supply = {1, 1}, .demand = {2, 1}});
      },
      "supply sums to 2", "demand to 3", "normalise");
  const TransportPlan large = transport(cost, {.supply = {5e9, 5e9}, .demand = {2e9, 8e9 + 1}});
  CHECK(large.mass_adjustment == Approx(-1e-10));
  check_plan(cost, large);
}

TEST_CASE("ten tenths against two halves differ by rounding only") {
  Random random(33);
  const Matrix cost = uniform(random, 10, 2);
  const TransportPlan plan = transport(cost, {.supply = std::vector<double>(10, 0.1), .demand = {0.5, 0.5}});
  CHECK(plan.cost == Approx(transport(cost).cost).epsilon(1e-15));
  check_plan(cost, plan);
}

TEST_CASE("a positive weight never vanishes beside a large one") {
  Random random(34);
  const Matrix cost = uniform(random, 3, 2);
  const TransportPlan plan = transport(cost, {.supply = {1e-30, 1, 1e-25}, .demand = {0.5, 0.5}});
  check_plan(cost, plan);
  std::vector<bool> seen(3);
  for (const TransportEntry& entry : plan.entries) seen[entry.row] = true;
  CHECK(seen == std::vector<bool>{true, true, true});
}

TEST_CASE("runs of weight 0 have no influence, whatever they cost") {
  Matrix cost(3, 3);
  cost << 1e6, -5, infinity, 1, -100, 2, 3, -1e200, 1;
  const TransportPlan plan = transport(cost, {.supply = {0, 0.5, 0.5}, .demand = {0.25, 0, 0.75}});
  CHECK(plan.cost == 1.25);
  CHECK(plan.entries == std::vector<TransportEntry>{{1, 0, 0.25}, {1, 2, 0.25}, {2, 2, 0.5}});
  check_plan(cost, plan);
  for (std::size_t i = 0; i < 3; ++i)  // their prices keep all pairs feasible
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(plan.row_prices[i] + plan.column_prices[j] -
                cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) <=
            1e-12);
}

TEST_CASE("a total cost outside the range of double is an error, not infinity or 0") {
  const Matrix large = Matrix::Constant(2, 2, 1e150), small = Matrix::Constant(2, 2, 1e-200);
  require_error<Overflow>([&] { (void)transport(large, {.supply = {1e200, 1e200}}); }, "transport", "1e+150 per unit");
  require_error<Overflow>([&] { (void)transport(small, {.supply = {1e-200, 1e-200}}); }, "transport");
}

TEST_CASE("bad weights are named wherever they stand") {
  const Matrix cost = Matrix::Ones(5, 5);
  for (const std::size_t position : {0U, 2U, 4U})
    for (const double bad : {-0.5, not_a_number, infinity, -infinity}) {
      std::vector<double> good(5, 0.2), broken = good;
      broken[position] = bad;
      const InputError here = refused(cost, {.supply = broken, .demand = good});
      CHECK(here.rule == Rule::bad_weight);
      CHECK(here.collection == "supply");
      CHECK(here.index == position);
      const InputError there = refused(cost, {.supply = good, .demand = broken});
      CHECK(there.collection == "demand");
      CHECK(there.index == position);
      REQUIRE(there.value);
    }
  CHECK(refused(cost, {.supply = {1e308, 1e308, 1e308, 1, 1}}).rule == Rule::bad_weight);
}

TEST_CASE("wrong sizes, no weight at all and unequal sums are errors, never the number 0") {
  const Matrix cost = swap_costs(), wide = Matrix::Ones(2, 3);
  CHECK(refused(wide, {.supply = {0.5, 0.5}, .demand = {0.5, 0.5}}).rule == Rule::size_mismatch);
  CHECK(refused(cost, {.supply = {1, 1, 1}, .demand = {2, 0}}).rule == Rule::size_mismatch);
  CHECK(refused(Matrix::Ones(3, 2), {.supply = {1, 1, 1}, .demand = {2, 0}}).rule == Rule::mass_mismatch);
  CHECK(refused(cost, {.supply = {0, 0}, .demand = {0, 0}}).rule == Rule::zero_weights);
  CHECK(refused(cost, {.supply = {1, 1}, .demand = {0, 0}, .normalise = true}).rule == Rule::zero_weights);
  CHECK(refused(cost, {.supply = {1.5, -0.5}, .demand = {0.5, 0.5}}).rule == Rule::bad_weight);
  Matrix nan = cost;
  nan(0, 1) = not_a_number;
  CHECK(refused(nan, {.supply = {0.5, 0.5}, .demand = {0.5, 0.5}}).rule == Rule::bad_cost);
}
