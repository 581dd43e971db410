// SPDX-License-Identifier: MIT
// 32 problems with distances from exact rational arithmetic (60 digits where a root is taken).
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;
using nlohmann::json;

json reference() {
  std::ifstream file(FIDELITY_TEST_DATA "/twed_reference.json");
  return json::parse(file);
}

std::vector<double> flat(const json& values) {
  std::vector<double> out;
  for (const auto& sample : values)
    if (sample.is_array())
      for (const auto& x : sample) out.push_back(x);
    else
      out.push_back(sample);
  return out;
}

Run run(const json& problem, const char* times, const char* values) {
  const std::size_t channels = problem.at("dim");
  return {problem.at(times).get<std::vector<double>>(), flat(problem.at(values)),
          fd::SeriesOptions<double>{.channel_names = std::vector<std::string>(channels, std::string("x"))}};
}

bool dyadic(double x) { return std::abs(x) < 1e7 && x * 4096 == std::floor(x * 4096); }

/// All sums and products of the problem are exact in double.
bool exact(const json& problem) {
  if (problem.at("dim") > 1 && problem.at("p") != 1) return false;
  for (const char* key : {"a", "ta", "b", "tb"})
    for (const double x : flat(problem.at(key)))
      if (!dyadic(x)) return false;
  return dyadic(problem.at("nu")) && dyadic(problem.at("lam"));
}

}  // namespace

TEST_CASE("Twed gives the distances of exact arithmetic in both orders of the arguments") {
  const json cases = reference().at("cases");
  REQUIRE(cases.size() == 32);
  int exact_cases = 0;
  for (const json& problem : cases) {
    INFO(problem.at("name"));
    const fd::Twed twed{.stiffness = problem.at("nu").get<double>(),
                        .penalty = problem.at("lam").get<double>(),
                        .norm = problem.at("p").get<double>()};
    const Run a = run(problem, "ta", "a"), b = run(problem, "tb", "b");
    const double expected = problem.at("expected"), distance = twed(a, b);
    CHECK(std::abs(distance - expected) <= 1e-12 * expected);
    CHECK(twed(b, a) == distance);
    if (exact(problem)) {
      CHECK(distance == expected);
      ++exact_cases;
    }
  }
  CHECK(exact_cases >= 14);
}

TEST_CASE("a large common offset of the values changes no bit of a dyadic problem") {
  const json cases = reference().at("cases");
  for (const json& problem : cases) {
    const std::string name = problem.at("name");
    if (name != "large_offset" && name != "large_offset_zero") continue;
    const fd::Twed twed{.stiffness = problem.at("nu").get<double>(), .penalty = problem.at("lam").get<double>()};
    CHECK(twed(run(problem, "ta", "a"), run(problem, "tb", "b")) == 2.75);
  }
}
