// SPDX-License-Identifier: MIT
// The area metric, and the Wasserstein distance of scalars that it equals.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/transport/wasserstein_1d.hpp>
#include <fidelity/validation/area_metric.hpp>
#include "transport/problems.hpp"

using namespace fidelity;
using namespace problems;
using List = std::vector<double>;

namespace {

List list_or_empty(const nlohmann::json& values) { return values.is_null() ? List{} : values.get<List>(); }

/// Fractions are written as text.
double fraction(const nlohmann::json& value) {
  const auto text = value.get<std::string>();
  const auto slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

Matrix apart(const List& x, const List& y) {
  return matrix(x.size(), y.size(), [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - y[j]); });
}
List samples(Random& random, std::size_t size, bool ties) {
  List out(size);
  for (double& value : out) value = ties ? static_cast<double>(random.below(6)) : 10 * random.unit() - 3;
  return out;
}
List counts(Random& random, std::size_t size, std::size_t total) {
  List out(size);
  for (std::size_t k = 0; k < total; ++k) out[random.below(size)] += 1;
  return out;
}

}  // namespace

TEST_CASE("every reference vector of scalars has its areas and distances") {
  const auto file = nlohmann::json::parse(std::ifstream(FIDELITY_TEST_DATA "/ot_reference.json"));
  REQUIRE(file.at("scalar_avm").size() == 14);
  for (const auto& vector : file.at("scalar_avm")) {
    INFO(vector.at("id").get<std::string>());
    const List x = vector.at("x_sim").get<List>(), y = vector.at("y_ref").get<List>();
    const List a = list_or_empty(vector.at("x_weights")), b = list_or_empty(vector.at("y_weights"));
    const AreaMetric found = area_metric(x, y, {.simulated_weights = a, .measured_weights = b});
    const auto same = [](double value) { return Approx(value).epsilon(1e-13).margin(1e-15); };
    CHECK(found.area == same(fraction(vector.at("avm_exact"))));
    CHECK(found.low == same(fraction(vector.at("area_Fsim_above_Fref_exact"))));
    CHECK(found.high == same(fraction(vector.at("area_Fsim_below_Fref_exact"))));
    CHECK(found.cramer == same(fraction(vector.at("cramer_l2sq_exact"))));
    CHECK(found.energy() == same(vector.at("energy_distance_scipy_convention").get<double>()));
    const auto distance = [&](double order) {
      return wasserstein_1d(x, y, {.order = order, .supply = a, .demand = b, .normalise = true}).value;
    };
    CHECK(distance(1) == same(fraction(vector.at("avm_exact"))));
    CHECK(distance(2) == same(vector.at("w2").get<double>()));
    const ScalarSplit split = split_distance(x, y, {.simulated_weights = a, .measured_weights = b});
    CHECK(split.squared == same(fraction(vector.at("w2_squared_exact"))));
  }
}

TEST_CASE("the one-dimensional path agrees with the general solver for every order and weight") {
  Random random(71);
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = 1 + random.below(12), m = 1 + random.below(12);
    const List x = samples(random, n, round % 2 == 0), y = samples(random, m, round % 2 == 0);
    for (const double order : {1.0, 2.0, 3.0, 50.0}) {
      const List a = round % 3 == 0 ? List{} : counts(random, n, 20),
                 b = round % 3 == 0 ? List{} : counts(random, m, 20);
      const Wasserstein1d found = wasserstein_1d(x, y, {.order = order, .supply = a, .demand = b, .plan = true});
      const double expected = wasserstein(apart(x, y), {.order = order, .supply = a, .demand = b}).value;
      CHECK(found.value == Approx(expected).epsilon(1e-12).margin(1e-300));
      CHECK(found.value == wasserstein_1d(x, y, {.order = order, .supply = a, .demand = b}).value);
      const Certificate plan =
          verify(apart(x, y), ProposedPlan{.entries = found.entries,
                                           .supply = wasserstein(apart(x, y), {.supply = a}).plan.supply,
                                           .demand = wasserstein(apart(x, y), {.demand = b}).plan.demand});
      CHECK(plan.feasible());
      if (order == 1) CHECK(plan.cost == Approx(found.value).epsilon(1e-12).margin(1e-15));
    }
  }
}

TEST_CASE("heights of a histogram are weights and its places are positions") {
  const List places = {3, 1, 0, 2}, left = {0, 0.75, 0.25, 0}, right = {0.25, 0, 0, 0.75};
  CHECK(wasserstein_1d(places, places, {.supply = left, .demand = right}).value == Approx(1.5).epsilon(1e-15));
  CHECK(area_metric(places, places, {.simulated_weights = left, .measured_weights = right}).low == Approx(1.5));
}

TEST_CASE("an offset of 1e12 and samples near the ends of the range keep their digits") {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  CHECK(wasserstein_1d(List{1e12, 1e12 + 1}, List{1e12 + 3}).value == 2.5);
  CHECK(area_metric(List{1e12, 1e12 + 1}, List{1e12 + 3}).area == 2.5);
  CHECK(split_distance(List{1e12, 1e12 + 2}, List{1e12 + 3}).squared == 5);
  CHECK(split_distance(List{1e12, 1e12 + 2}, List{1e12 + 3}).location == 4);
  CHECK(wasserstein_1d(List{huge / 2, -huge / 2}, List{0.0}).value == huge / 2);
  CHECK(wasserstein_1d(List{huge / 2, -huge / 2}, List{0.0}, {.order = 3}).value == Approx(huge / 2));
  CHECK(wasserstein_1d(List{tiny}, List{0.0}).value == tiny);
  CHECK(wasserstein_1d(List{2e-200}, List{0.0}, {.order = 7}).value == Approx(2e-200).epsilon(1e-14).margin(0));
  CHECK_THROWS_AS(wasserstein_1d(List{huge}, List{-huge}), Overflow);
  CHECK_THROWS_AS(area_metric(List{huge}, List{-huge}), Overflow);
  CHECK_THROWS_AS(split_distance(List{1e200}, List{-1e200}), Overflow);
}

TEST_CASE("the one-sided areas differ by the means, swap with the sides and scale with the unit") {
  Random random(72);
  for (int round = 0; round < 100; ++round) {
    const List x = samples(random, 1 + random.below(15), round % 2 == 0),
               y = samples(random, 1 + random.below(15), false);
    const AreaMetric found = area_metric(x, y), turned = area_metric(y, x);
    const auto mean = [](const List& v) {
      double sum = 0;
      for (const double value : v) sum += value;
      return sum / static_cast<double>(v.size());
    };
    CHECK(found.high - found.low == Approx(mean(x) - mean(y)).margin(1e-12));
    CHECK(found.low == Approx(turned.high).margin(1e-14));
    CHECK(found.area == Approx(wasserstein_1d(x, y).value).epsilon(1e-12).margin(1e-15));
    List scaled_x = x, scaled_y = y, shuffled = x;
    for (double& value : scaled_x) value *= 8;
    for (double& value : scaled_y) value *= 8;
    CHECK(area_metric(scaled_x, scaled_y).area == 8 * found.area);
    std::reverse(shuffled.begin(), shuffled.end());
    CHECK(area_metric(shuffled, y).area == found.area);
    const ScalarSplit split = split_distance(x, y);
    CHECK(split.squared == Approx(std::pow(wasserstein_1d(x, y, {.order = 2}).value, 2)).epsilon(1e-11).margin(1e-14));
    CHECK(split.squared == Approx(split.location + split.spread + split.shape).epsilon(1e-11).margin(1e-14));
  }
}

TEST_CASE("the interval of the modified metric by hand") {
  const AreaMetric metric{.area = 1.5, .low = 0.5, .high = 1};
  const MavmInterval one = mavm_interval(metric, {.experiments = 1});  // F_s = 1.25 + 3.3 = 4.55
  CHECK(one.safety_factor == Approx(4.55));
  CHECK(one.least == Approx(std::fabs(0.25 - 4.55 * 0.75)));
  CHECK(one.most == Approx(0.25 + 4.55 * 0.75));
  CHECK(mavm_interval(metric, {.experiments = 27}).safety_factor == Approx(1.25 + 1.1));
  for (const double bad : {0.0, -1.0, not_a_number, infinity})
    CHECK(caught<InputError>([&] { (void)mavm_interval(metric, {.experiments = bad}); }).rule == Rule::bad_parameter);
  static_assert(!std::is_default_constructible_v<MavmOptions>, "N has no default");
}

TEST_CASE("a feature of every run is compared") {
  const std::vector<List> simulated = {{0, 3, 1}, {0, 5, 1}}, measured = {{1, 2}, {4, 1}, {3}};
  const auto peak = [](const List& run) { return *std::max_element(run.begin(), run.end()); };
  const FeatureComparison found = compare_feature(simulated, measured, peak);
  CHECK(found.simulated == List{3, 5});
  CHECK(found.measured == List{2, 4, 3});
  CHECK(found.area.area == Approx(1));  // the simulation is high everywhere: 4 - 3
  CHECK(found.area.low == 0);
  CHECK(found.split.location == Approx(1));
  const auto error = caught<InputError>([&] {
    (void)compare_feature(simulated, measured, [](const List& run) { return run.size() == 1 ? not_a_number : 1.0; });
  });
  CHECK(error.rule == Rule::value_not_finite);
  CHECK(error.collection == "measured");
  CHECK(error.index == 2U);
}

TEST_CASE("bad samples, weights and orders are errors") {
  const List x = {1, 2, 3};
  const auto rule_of = [](auto&& call) { return caught<InputError>(call).rule; };
  for (const double bad : {not_a_number, infinity, -infinity})
    for (const std::size_t at : {0U, 1U, 2U}) {
      List y = x;
      y[at] = bad;
      CHECK(rule_of([&] { (void)wasserstein_1d(x, y); }) == Rule::value_not_finite);
      CHECK(caught<InputError>([&] { (void)area_metric(y, x); }).index == at);
    }
  CHECK(rule_of([&] { (void)wasserstein_1d(List{}, x); }) == Rule::empty);
  CHECK(rule_of([&] { (void)area_metric(x, List{}); }) == Rule::empty);
  CHECK(rule_of([&] { (void)wasserstein_1d(x, x, {.supply = {1, 2}}); }) == Rule::size_mismatch);
  CHECK(rule_of([&] { (void)wasserstein_1d(x, x, {.supply = {1, -2, 3}}); }) == Rule::bad_weight);
  CHECK(rule_of([&] { (void)area_metric(x, x, {.measured_weights = {0, 0, 0}}); }) == Rule::zero_weights);
  CHECK(rule_of([&] {
          (void)wasserstein_1d(x, x, {.supply = {1, 1, 1}, .demand = {2, 1, 1}});
        }) == Rule::mass_mismatch);
  for (const double order : {0.5, 0.0, not_a_number, infinity})
    CHECK(rule_of([&] { (void)wasserstein_1d(x, x, {.order = order}); }) == Rule::bad_order);
}
