// SPDX-License-Identifier: MIT
#include <fidelity/transport/transport.hpp>
#include "problems.hpp"

using namespace fidelity;
using namespace problems;

namespace {

struct Case {
  Matrix cost;
  TransportPlan plan;
};

Case solved() {
  Random random(51);
  Matrix cost = uniform(random, 8, 11);
  TransportPlan plan =
      transport(cost, {.supply = weights(random, 8), .demand = weights(random, 11), .normalise = true});
  return {std::move(cost), std::move(plan)};
}

}  // namespace

TEST_CASE("an optimal plan passes, with numbers at rounding level") {
  const auto [cost, plan] = solved();
  const Certificate certificate = verify(cost, plan);
  CHECK(certificate.optimal());
  CHECK(certificate.cost == Approx(plan.cost).epsilon(1e-15));
  CHECK(certificate.mass == Approx(1));
  CHECK(certificate.largest_marginal_error < 1e-16);
  CHECK(certificate.smallest_mass > 0);
  CHECK(std::fabs(*certificate.gap) < 1e-15);
  CHECK(*certificate.lower_bound == Approx(plan.lower_bound));
}

TEST_CASE("a plan damaged in one entry is refused") {
  const auto [cost, plan] = solved();
  for (std::size_t k = 0; k < plan.entries.size(); ++k) {
    TransportPlan damaged = plan;
    damaged.entries[k].mass *= 1 + 1e-6;
    CHECK_FALSE(verify(cost, damaged).feasible());
    damaged = plan;
    damaged.entries.erase(damaged.entries.begin() + static_cast<std::ptrdiff_t>(k));
    CHECK_FALSE(verify(cost, damaged).feasible());
    damaged = plan;
    damaged.entries[k].column = (damaged.entries[k].column + 1) % 11;
    CHECK_FALSE(verify(cost, damaged).feasible());
    damaged = plan;
    damaged.entries[k].row = (damaged.entries[k].row + 1) % 8;
    CHECK_FALSE(verify(cost, damaged).optimal());
  }
}

TEST_CASE("a negative mass is no plan, even if the sums are right") {
  Matrix cost(2, 2);
  cost << 0, 1, 1, 0;
  const Certificate certificate =
      verify(cost, ProposedPlan{.entries = {{0, 0, 0.6}, {0, 1, -0.1}, {1, 0, -0.1}, {1, 1, 0.6}}});
  CHECK(certificate.largest_marginal_error < 1e-15);
  CHECK(certificate.smallest_mass == -0.1);
  CHECK_FALSE(certificate.feasible());
}

TEST_CASE("a feasible plan that costs more than the optimum is refused by the prices") {
  Random random(52);
  const Matrix cost = uniform(random, 6, 6);
  TransportPlan plan = transport(cost);
  std::swap(plan.entries[1].column, plan.entries[4].column);
  const Certificate certificate = verify(cost, plan);
  CHECK(certificate.feasible());
  CHECK_FALSE(certificate.optimal());
  CHECK(*certificate.gap > 1e-3);
  CHECK(*certificate.slackness_error > 1e-3);
}

TEST_CASE("wrong prices do not prove anything") {
  const auto [cost, plan] = solved();
  for (const double change : {1e-6, -1e-6}) {
    TransportPlan damaged = plan;
    damaged.row_prices[3] += change;
    CHECK_FALSE(verify(cost, damaged).optimal());
    damaged = plan;
    damaged.column_prices[10] += change;
    CHECK_FALSE(verify(cost, damaged).optimal());
  }
}

TEST_CASE("a plan of another program is checked with or without prices, in any order and in parts") {
  Matrix cost(2, 3);
  cost << 1, 2, 3, 6, 5, 4;
  const std::vector<TransportEntry> entries = {
      {1, 2, 1.0 / 3}, {0, 1, 1.0 / 12}, {0, 0, 1.0 / 3}, {1, 1, 1.0 / 6}, {0, 1, 1.0 / 12}};
  const Certificate plain = verify(cost, ProposedPlan{.entries = entries});
  CHECK(plain.feasible());
  CHECK(plain.cost == Approx(17.0 / 6).epsilon(1e-15));
  CHECK_FALSE(plain.gap);
  CHECK_FALSE(plain.optimal());
  const Certificate proven = verify(cost, ProposedPlan{.entries = entries, .column_prices = {0, 1, 0}});
  CHECK(proven.optimal());
  CHECK(*proven.lower_bound == Approx(17.0 / 6).epsilon(1e-15));
  const Certificate counts = verify(
      cost,
      ProposedPlan{.entries = {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 2, 1}}, .supply = {2, 2}, .demand = {1, 2, 1}});
  CHECK(counts.feasible());
  CHECK(counts.cost == 12);
}

TEST_CASE("mass on a forbidden pair is refused") {
  Matrix cost(2, 2);
  cost << 0, infinity, 1, 0;
  const Certificate certificate =
      verify(cost, ProposedPlan{.entries = {{0, 0, 0.25}, {0, 1, 0.25}, {1, 0, 0.25}, {1, 1, 0.25}}});
  CHECK(certificate.forbidden_mass == 0.25);
  CHECK_FALSE(certificate.feasible());
}

TEST_CASE("an empty plan is not a plan of cost 0") {
  const Certificate certificate = verify(Matrix::Ones(2, 2), ProposedPlan{.column_prices = {0, 0}});
  CHECK(certificate.largest_marginal_error == 0.5);
  CHECK_FALSE(certificate.feasible());
  CHECK_FALSE(certificate.optimal());
}

TEST_CASE("entries and prices that do not fit are errors") {
  const Matrix cost = Matrix::Ones(2, 2);
  const auto rule = [&](const ProposedPlan& plan) {
    return caught<InputError>([&] { (void)verify(cost, plan); }).rule;
  };
  CHECK(rule({.entries = {{0, 0, 0.5}, {2, 0, 0.5}}}) == Rule::index_out_of_range);
  CHECK(rule({.entries = {{0, 0, 0.5}, {0, 2, 0.5}}}) == Rule::index_out_of_range);
  CHECK(rule({.entries = {{0, 0, not_a_number}}}) == Rule::bad_weight);
  CHECK(rule({.supply = {1, 1, 1}}) == Rule::size_mismatch);
  CHECK(rule({.supply = {1, 1}, .demand = {1, 2}}) == Rule::mass_mismatch);
  CHECK(rule({.column_prices = {0, 0, 0}}) == Rule::size_mismatch);
  CHECK(rule({.column_prices = {0, 0}, .row_prices = {0}}) == Rule::size_mismatch);
  CHECK(rule({.row_prices = {0, 0}}) == Rule::size_mismatch);
  CHECK(rule({.column_prices = {0, infinity}}) == Rule::value_not_finite);
}
