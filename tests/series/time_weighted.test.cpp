// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using Json = nlohmann::json;
using namespace series_test;

namespace {

/// A key that may carry its unit: "t" or "t_s".
const Json& either(const Json& object, const std::string& key) {
  return object.contains(key) ? object.at(key) : object.at(key + "_s");
}

/// The problem on a clock of any kind: its numbers are whole ticks.
template <class Time>
fd::Series<double, Time> series_of(const Json& problem, fd::Interpolation interpolation) {
  const Json& input = problem.at("input");
  std::vector<Time> times;
  std::vector<double> values;
  for (const Json& t : either(input, "t")) times.push_back(tick<Time>(t.get<std::int64_t>()));
  for (const Json& v : input.at("v")) values.push_back(v.is_string() ? bad : v.get<double>());
  const bool events = problem.at("params").value("duplicates", "error") == "event";
  return {times,
          values,
          {.interpolation = interpolation, .duplicates = events ? fd::Duplicates::event : fd::Duplicates::error}};
}

/// All windows of a problem. Returns how many there were.
template <class Time>
std::size_t check_means(const Json& problem, const std::string& key, fd::Interpolation interpolation) {
  const auto series = series_of<Time>(problem, interpolation);
  const Json &expected = problem.at("expected"), &windows = either(problem.at("params"), "windows");
  const double tolerance = problem.at("tolerance");
  REQUIRE(expected.at(key).size() == windows.size());
  for (std::size_t k = 0; k < windows.size(); ++k) {
    INFO(key << " " << k);
    const fd::Window window{tick<Time>(windows[k][0].get<std::int64_t>()),
                            tick<Time>(windows[k][1].get<std::int64_t>())};
    const double mean = expected.at(key)[k];
    // A problem without this list has all of every window.
    const double coverage = expected.contains("coverage") ? expected.at("coverage")[k].get<double>() : 1.0;
    const auto found = fd::mean(series, window);
    REQUIRE(found.value);
    CHECK(std::abs(*found.value - mean) <= tolerance * std::max(1.0, std::abs(mean)));
    CHECK(std::abs(found.coverage - coverage) <= 1e-15);
    CHECK((found.coverage == 1) == (coverage == 1));
    CHECK(fd::coverage(series, window) == found.coverage);
    const double area = mean * coverage * fd::seconds(window.length());
    const auto integral = fd::integral(series, window);
    REQUIRE(integral.value);
    CHECK(std::abs(*integral.value - area) <= tolerance * std::max(1.0, std::abs(area)));
    CHECK(integral.coverage == found.coverage);
    // Coverage is a limit that can be asked for: met where it is just reached.
    CHECK(fd::mean(series, window, {.min_coverage = found.coverage}).value == found.value);
    if (coverage < 1) CHECK_FALSE(fd::mean(series, window, {.min_coverage = found.coverage + 1e-9}).value);
  }
  return windows.size();
}

template <class Time>
std::size_t check_problem(const Json& problem) {
  constexpr auto hold = fd::Interpolation::hold, linear = fd::Interpolation::linear;
  if (problem.at("expected").contains("means_step"))
    return check_means<Time>(problem, "means_step", hold) + check_means<Time>(problem, "means_linear", linear);
  return check_means<Time>(problem, "means", problem.at("input").at("interpolation") == "step" ? hold : linear);
}

Json problems() {
  return Json::parse(std::ifstream(FIDELITY_TEST_DATA "/sampling/time_weighted.json")).at("time_weighted");
}

}  // namespace

TEST_CASE("time-weighted means coverage and integrals agree with exact arithmetic in every reference window") {
  const Json all = problems();
  CHECK(all.size() == 8);
  std::size_t windows = 0;
  for (const Json& problem : all) {
    INFO(problem.at("id").get<std::string>());
    windows += check_problem<double>(problem);
    check_problem<Minutes>(problem);
  }
  CHECK(windows == 17);
}

TEST_CASE("a reference event pair has an integral and both limits") {
  bool seen = false;
  for (const Json& problem : problems()) {
    const Json& expected = problem.at("expected");
    if (!expected.contains("integral")) continue;
    seen = true;
    const auto series = series_of<double>(problem, fd::Interpolation::linear);
    const Json& window = problem.at("params").at("windows")[0];
    const auto integral = fd::integral(series, {window[0], window[1]});
    CHECK(std::abs(integral.value.value() - expected.at("integral").get<double>()) <= 1e-12);
    for (const auto& [t, value] : expected.at("left").items())
      CHECK(fd::value_at(series, std::stod(t), fd::Side::left) == value.get<double>());
    for (const auto& [t, value] : expected.at("right").items())
      CHECK(fd::value_at(series, std::stod(t), fd::Side::right) == value.get<double>());
    CHECK(expected.at("left").size() == 2);
    CHECK(expected.at("right").size() == 2);
  }
  CHECK(seen);
}

TEST_CASE("the time-weighted mean is not the plain mean of the samples that the reference warns of") {
  std::size_t seen = 0;
  for (const Json& problem : problems()) {
    if (problem.at("id") != "indsl_411" && problem.at("id") != "linear_window") continue;
    const bool first = problem.at("id") == "linear_window";
    const double plain = first ? problem.at("plain_mean_of_samples_in_first_window").get<double>()
                               : problem.at("expected").at("plain_mean_of_samples").get<double>();
    const Json& window = either(problem.at("params"), "windows")[0];
    const auto series = series_of<double>(problem, fd::Interpolation::linear);
    CHECK(std::abs(fd::mean(series, {window[0], window[1]}).value.value() - plain) > 0.4);
    ++seen;
  }
  CHECK(seen == 2);
}
