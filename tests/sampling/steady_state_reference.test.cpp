// SPDX-License-Identifier: MIT
// Known results of steady_state(): made signals, and real ones where they are at hand.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/steady_data.hpp"

#include <fidelity/sampling/steady_state.hpp>

namespace fd = fidelity;
using namespace steady_data;

namespace {

std::vector<double> made(const std::string& rule) {
  std::vector<double> values;
  if (rule.starts_with("100 samples at 0")) {
    for (int i = 0; i < 200; ++i) values.push_back(i < 100 ? 0 : 5);
  } else if (rule.starts_with("j +")) {
    for (int i = 0; i < 200; ++i) values.push_back(i + (i % 2 == 0 ? 0.1 : -0.1));
  } else {
    const double level = std::strtod(rule.c_str(), nullptr);
    for (int i = 0; i < 40; ++i) {
      const double move = rule.starts_with("100, 101") ? i : i % 2 == 0 ? 1 : -1;
      values.push_back(rule.starts_with("0, 40") ? 0 : level + move);
    }
  }
  return values;
}

fd::Series<double, Milliseconds> input_of(const Json& input) {
  if (input.contains("rule")) return every_minute(made(input.at("rule")));
  const auto plain = minutes_of_file(input.at("file"));
  std::vector<double> values;
  for (std::size_t i = 0; i < plain.size(); ++i)
    values.push_back(plain(i) * input.value("factor", 1.0) + input.value("offset", 0.0));
  return {{plain.times().begin(), plain.times().end()}, values};
}

bool available(const Json& input) {
  const std::string file = input.value("file", "");
  return file.empty() || file.ends_with("synthetic720.csv") || at_hand(file);
}

void check_case(const Json& vector) {
  INFO(vector.at("id").get<std::string>());
  if (!available(vector.at("input"))) return;
  const auto series = input_of(vector.at("input"));
  const Json &params = vector.at("params"), &expected = vector.at("expected");
  fd::SteadyStateOptions<Milliseconds> options{.min_duration = std::chrono::minutes(params.at("min_duration_min"))};
  REQUIRE(params.at("penalty") == "3 ln n");
  options.confidence = params.at("confidence");
  if (params.contains("noise_max")) options.noise_max = params.at("noise_max").get<double>();
  if (params.contains("slope_max_per_min"))
    options.slope_max = fd::Rate(params.at("slope_max_per_min").get<double>(), 1min);
  const auto report = fd::analyse_steady_state(series, options);

  CHECK(sample_windows(report.status.holds().windows(), series) == expected.at("steady_index_windows").get<Windows>());
  std::vector<std::size_t> changes, cuts;
  for (const auto& t : report.change_points) changes.push_back(static_cast<std::size_t>((t - series.time(0)) / 1min));
  for (const auto& t : report.status.cuts()) cuts.push_back(static_cast<std::size_t>((t - series.time(0)) / 1min));
  CHECK(changes == expected.at("change_points").get<std::vector<std::size_t>>());
  CHECK(cuts == expected.at("cuts").get<std::vector<std::size_t>>());
  CHECK(report.status.unknown().empty());
  CHECK(report.samples == series.size());
  CHECK(report.pieces == 1);
  CHECK(report.longest_pause == 1min);

  const Json& limits = expected.at("limits");
  const auto close = [](double value) { return Approx(value).epsilon(1e-6).margin(1e-300); };
  CHECK(*report.limits.noise_max == close(limits.at("noise_max")));
  CHECK(60 * report.limits.slope_max->per_second() == close(limits.at("slope_max")));
  CHECK(*report.limits.level_jump == close(limits.at("level_jump")));
  CHECK(report.limits.noise_derived == !params.contains("noise_max"));
  CHECK(report.limits.slope_derived == !params.contains("slope_max_per_min"));
  CHECK(report.limits.min_section_size == params.at("min_duration_min").get<std::size_t>());
  if (!expected.contains("segments")) return;
  REQUIRE(report.segments.size() == expected.at("segments").size());
  for (std::size_t k = 0; k < report.segments.size(); ++k) {
    const Json& segment = expected.at("segments")[k];
    const auto& found = report.segments[k];
    INFO("segment " << k);
    CHECK(found.samples == segment.at("end").get<std::size_t>() - segment.at("start").get<std::size_t>());
    CHECK(found.mean == close(segment.at("mean")));
    CHECK(found.spread == close(segment.at("noise")));
    CHECK(60 * found.slope == close(segment.at("slope")));
    CHECK(60 * found.standard_error == close(segment.at("slope_se")));
    CHECK(std::abs(found.slope) / found.standard_error == close(segment.at("t")));
    CHECK(found.steady() == segment.at("steady").get<bool>());
  }
}

}  // namespace

TEST_CASE("steady state of made signals is as computed from the rules") {
  const Json all = load("steady_state.json");
  for (const Json& vector : all.at("scale_free"))
    if (!vector.at("input").contains("file") || vector.at("id").get<std::string>().starts_with("synthetic720"))
      check_case(vector);
}

TEST_CASE("steady state of plant signals is as computed from the rules") {
  const Json all = load("steady_state.json");
  for (const Json& vector : all.at("scale_free"))
    if (vector.at("input").contains("file") && !vector.at("id").get<std::string>().starts_with("synthetic720"))
      check_case(vector);
}
