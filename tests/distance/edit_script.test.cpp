// SPDX-License-Identifier: MIT
// Edit scripts and parts of the distance (T21, T22).
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <fidelity/distance/edit_script.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;
using series_test::require_rule;
using Run = fd::Series<double, double>;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

std::string letters(const fd::EditScript& script) {
  std::string text;
  for (const auto& step : script.steps) text += "MAB"[static_cast<int>(step.kind)];
  return text;
}

/// A path, whose replay gives the distance bit for bit, and whose costs and parts add up to it.
template <class A, class B>
fd::EditScript checked_script(const A& a, const B& b, const fd::Twed& twed) {
  const auto script = fd::edit_script(a, b, twed);
  const double distance = twed(a, b), room = 1e-13 * (1 + distance);
  REQUIRE(bits(script.cost) == bits(distance));
  REQUIRE(bits(fd::replay(script, a, b, twed)) == bits(distance));
  double sum = 0;
  for (const auto& step : script.steps) sum += step.cost;
  REQUIRE(std::abs(sum - distance) <= room);
  const auto parts = fd::parts(script, a, b, twed);
  REQUIRE(std::abs(parts.sum() - distance) <= room);
  REQUIRE(parts.matches + parts.deletions_a == a.size());
  REQUIRE(parts.matches + parts.deletions_b == b.size());
  REQUIRE(parts.penalty == twed.penalty * static_cast<double>(parts.deletions_a + parts.deletions_b));
  return script;
}

const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};

}  // namespace

TEST_CASE("the script of a small problem is the one worked out by hand") {
  const Run one({1}, {2}), three({0, 1, 3}, {1, 4, 3});
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.25};
  const auto script = fd::edit_script(one, three, metric);
  CHECK(script.cost == 7.5);
  CHECK(script.steps == std::vector<fd::EditStep>{{fd::EditKind::match, 0, 0, 1.5},
                                                  {fd::EditKind::delete_b, 0, 1, 3.75},
                                                  {fd::EditKind::delete_b, 0, 2, 2.25}});
  const auto parts = fd::parts(one, three, metric);
  CHECK(parts.value == 1 + 3 + 1);
  CHECK(parts.time == 0.5 + 0.5 + 1);
  CHECK(parts.penalty == 0.5);
  CHECK(parts.matches == 1);
  CHECK(parts.deletions_a == 0);
  CHECK(parts.deletions_b == 2);
  CHECK(fd::parts(three, one, metric).deletions_a == 2);
}

TEST_CASE("the cheapest sum is chosen and not the cheapest neighbour: 7.5 and not 8") {
  const auto x = fd::regular(0.0, 1.0, std::vector<double>{2, 4, 2});
  const auto y = fd::regular(0.0, 1.0, std::vector<double>{2, 1, 0});
  CHECK(checked_script(x, y, {.stiffness = 0.5, .penalty = 0.25}).cost == 7.5);
}

TEST_CASE("the scripts of the reference problems have the letters of exact arithmetic where one path is cheapest") {
  std::ifstream file(FIDELITY_TEST_DATA "/twed_reference.json");
  const auto cases = nlohmann::json::parse(file).at("cases");
  int compared = 0;
  for (const auto& problem : cases) {
    INFO(problem.at("name"));
    const auto run = [&](const char* times, const char* values) {
      std::vector<double> flat;
      for (const auto& sample : problem.at(values)) {
        if (sample.is_array())
          for (const auto& x : sample) flat.push_back(x);
        else
          flat.push_back(sample);
      }
      return Run(problem.at(times).get<std::vector<double>>(), flat,
                 {.channel_names = std::vector<std::string>(problem.at("dim").get<std::size_t>(), std::string("x"))});
    };
    const fd::Twed metric{.stiffness = problem.at("nu").get<double>(),
                          .penalty = problem.at("lam").get<double>(),
                          .norm = problem.at("p").get<double>()};
    const auto script = checked_script(run("ta", "a"), run("tb", "b"), metric);
    CHECK(script.cost == Approx(problem.at("expected").get<double>()).epsilon(1e-12));
    if (problem.at("n_optimal_paths") != 1) continue;
    CHECK(letters(script) == problem.at("ops_one_optimal"));
    ++compared;
  }
  CHECK(compared == 18);
}

TEST_CASE("of equally cheap steps the match is taken and else the deletion in a: letters of the exact table") {
  Random random(31);
  for (int k = 0; k < 600; ++k) {
    using Cost = std::int64_t;
    auto a = oracle::random_series(random, static_cast<std::size_t>(uniform(random, 1, 7)), 1);
    auto b = oracle::random_series(random, static_cast<std::size_t>(uniform(random, 1, 7)), 1);
    for (auto* s : {&a, &b})  // few levels, so that many paths are equally cheap
      for (int& x : s->values) x = (x / 8) * 8;
    const int stiffness = uniform(random, 0, 1) * 8, penalty = uniform(random, 0, 2) * 8;
    const auto script =
        checked_script(a.series(), b.series(), {.stiffness = stiffness / 8.0, .penalty = penalty / 8.0});
    REQUIRE(letters(script) == oracle::cheapest_letters<Cost>(a.sequence<Cost>(stiffness), b.sequence<Cost>(stiffness),
                                                              Cost{8} * penalty, oracle::sum_of_magnitudes<Cost>));
  }
}

TEST_CASE("scripts of several channels replay to the bits of the distance in every norm") {
  Random random(32);
  for (const std::size_t channels : {1U, 3U})
    for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm::maximum(), fd::Norm(3)})
      for (int k = 0; k < 15; ++k) {
        const auto a = oracle::rough_series(random, static_cast<std::size_t>(uniform(random, 1, 70)), channels);
        const auto b = oracle::rough_series(random, static_cast<std::size_t>(uniform(random, 1, 70)), channels);
        (void)checked_script(a, b, {.stiffness = 0.3, .penalty = 0.7, .norm = norm, .scale = {}});
      }
}

TEST_CASE("the same script results for every memory limit") {
  Random random(33);
  for (const std::size_t n : {1U, 2U, 3U, 31U, 64U, 150U})
    for (const std::size_t m : {1U, 2U, 32U, 33U, 97U}) {
      auto a = oracle::rough_series(random, n, 1), b = oracle::rough_series(random, m, 1);
      if (m == 33)
        a = fd::regular(0.0, 1.0, std::vector<double>(n, 1.0)), b = fd::regular(0.0, 1.0, std::vector<double>(m, 1.5));
      const auto script = checked_script(a, b, twed);
      for (const std::size_t limit : {0U, 64U, 800U, 3000U, 20000U}) {
        const auto small = fd::edit_script(a, b, twed, {.memory_limit = limit});
        REQUIRE(bits(small.cost) == bits(script.cost));
        REQUIRE(small.steps == script.steps);
      }
    }
}

TEST_CASE("a script of a series with itself matches sample by sample") {
  Random random(34);
  const auto a = oracle::rough_series(random, 40, 2);
  CHECK(letters(fd::edit_script(a, a, twed)) == std::string(40, 'M'));
  CHECK(fd::edit_script(a, a, twed).cost == 0);
}

TEST_CASE("any other path costs as much or more and steps that are no path are refused") {
  const Run a({0, 1, 2}, {1, 5, 2}), b({0, 1, 2}, {1, 2, 2});
  using enum fd::EditKind;
  const auto cost = [&](std::vector<fd::EditStep> steps) { return fd::replay({0, std::move(steps)}, a, b, twed); };
  CHECK(cost({{match, 0, 0, 0}, {match, 1, 1, 0}, {match, 2, 2, 0}}) >= twed(a, b));
  CHECK(cost({{match, 0, 0, 0}, {delete_a, 1, 0, 0}, {delete_a, 2, 0, 0}, {delete_b, 2, 1, 0}, {delete_b, 2, 2, 0}}) >=
        twed(a, b));
  const auto refused = [&](std::vector<fd::EditStep> steps, const char* text) {
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)cost(steps); }, "replay", text);
    require_rule(
        fd::Rule::bad_parameter,
        [&] {
          (void)fd::parts(fd::EditScript{0, steps}, a, b, twed);
        },
        text);
  };
  refused({}, "step 0");
  refused({{delete_a, 0, 0, 0}, {match, 1, 1, 0}, {match, 2, 2, 0}}, "step 0");
  refused({{match, 0, 0, 0}, {match, 1, 1, 0}}, "step 2");
  refused({{match, 0, 0, 0}, {match, 2, 2, 0}}, "step 1");
  refused({{match, 0, 0, 0}, {match, 1, 1, 0}, {delete_a, 2, 2, 0}}, "step 2");
  refused({{match, 0, 0, 0}, {match, 1, 1, 0}, {match, 2, 2, 0}, {match, 3, 3, 0}}, "step 3");
}

TEST_CASE("scripts of views and absolute times and prepared series") {
  using namespace std::chrono_literals;
  const fd::Timestamp start{1'700'000'000s};
  const fd::Series<float> a({start, start + 1s, start + 3s}, {1.0F, 4.0F, 3.0F});
  const fd::Series<> b({start, start + 2s}, {1.5, 2});
  const auto script = fd::edit_script(a, b, twed);
  CHECK(script.cost == twed(a, b));
  CHECK(fd::edit_script(fd::SeriesView(a), b, twed).steps == script.steps);
  const auto x = twed.prepare(a, start), y = twed.prepare(b, start);
  CHECK(fd::edit_script(x, y, twed).steps == script.steps);
  CHECK(fd::parts(x, y, twed).sum() == Approx(script.cost));
  const fd::Twed other{.stiffness = 0.3, .penalty = 0.8};
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::edit_script(x, y, other); }, "other parameters");
}

TEST_CASE("scripts throw what the distance throws") {
  const Run huge({0, 1}, {-1e308, 1e308}, {.name = "huge"}), small({0}, {0}), bad({0}, {series_test::bad});
  CHECK_THROWS_AS(fd::edit_script(huge, small, twed), fd::Overflow);
  CHECK_THROWS_AS(fd::parts(small, huge, twed), fd::Overflow);
  require_rule(
      fd::Rule::value_not_finite, [&] { (void)fd::edit_script(small, bad, twed); }, "sample 0");
  const Run two({0}, {1, 2}, {.channel_names = {"x", "y"}});
  require_rule(
      fd::Rule::channel_mismatch, [&] { (void)fd::edit_script(small, two, twed); }, "1 and 2 channels");
}
