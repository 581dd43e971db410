// SPDX-License-Identifier: MIT
// Known results: published vectors, real data, and series with change points that people marked.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "reference/change_point_oracle.hpp"

#include <fidelity/sampling/change_point_scores.hpp>
#include <fidelity/sampling/change_points.hpp>

namespace fd = fidelity;
using change_point_oracle::Indices;
using change_point_oracle::Values;
using Json = nlohmann::json;

namespace {

const std::filesystem::path shared = FIDELITY_SHARED;

bool at_hand(const std::string& folder) {
  const bool exists = std::filesystem::exists(shared / folder);
  if (!exists) WARN("skipped: " << folder << " is not beside the project");
  return exists;
}

Json vectors() { return Json::parse(std::ifstream(FIDELITY_TEST_DATA "/sampling/change_points.json")); }

/// The last column of a text file, without headings.
Values last_column(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  Values values;
  for (std::string line; std::getline(file, line);) {
    const std::string cell = line.substr(line.rfind(',') + 1);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (end != cell.c_str()) values.push_back(value);
  }
  return values;
}

/// Stamps of one month and values, on a grid of whole minutes, linear in between.
Values on_minutes(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  Values grid;
  long previous_time = 0;
  double previous = 0;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    int day = 0, hour = 0, minute = 0;
    double value = 0;
    REQUIRE(std::sscanf(line.c_str(), "2021-08-%d %d:%d:00,%lf", &day, &hour, &minute, &value) == 4);
    const long time = (day * 24L + hour) * 60 + minute;
    if (grid.empty()) previous_time = time - 1, previous = value;
    const double length = static_cast<double>(time - previous_time);
    for (long t = previous_time + 1; t <= time; ++t)
      grid.push_back(previous + (value - previous) * (static_cast<double>(t - previous_time) / length));
    previous_time = time, previous = value;
  }
  return grid;
}

Values read_file(const Json& input) {
  const std::string file = input.at("file");
  if (file.ends_with("suct_pressure_barg.csv")) return on_minutes(shared / file);
  if (file.ends_with("ssd_sensor.csv")) return last_column(shared / "data/cognite_ssd/ssd_resampled.csv");
  return last_column(shared / file);
}

Values made(const Json& input) {
  if (input.contains("y")) return input.at("y").get<Values>();
  if (input.contains("generator")) {
    const bool steps = input.at("generator") == "B";
    return change_point_oracle::scenario(input.at("n"), steps, input.value("offset", 0.0));
  }
  const std::string rule = input.at("rule");
  Values ramp(rule.ends_with("10000") ? 10000 : 1000);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i + 1);
  return ramp;
}

template <class Cost>
void check(const Json& vector, const Values& y, const Cost& cost) {
  CAPTURE(vector.at("id"));
  const Json& params = vector.at("params");
  fd::ChangePointOptions options{.min_section_size = params.at("min_section")};
  if (params.contains("penalty")) options.penalty = params.at("penalty").get<double>();
  const auto found = fd::change_points(y, cost, options);
  const Json& expected = vector.at("expected");
  if (expected.contains("change_points")) CHECK(found.indices == expected.at("change_points").get<Indices>());
  if (expected.contains("change_points_one_optimum")) {
    const auto one = expected.at("change_points_one_optimum").get<Indices>();
    CHECK((found.indices == one || change_point_oracle::earlier(found.indices, one)));
  }
  if (expected.contains("objective"))
    CHECK(found.objective == Approx(expected.at("objective").get<double>()).epsilon(1e-9));
}

void check_noise(const Json& vector, const Values& y) {
  CAPTURE(vector.at("id"));
  CHECK(fd::noise_estimate(y) == Approx(vector.at("expected").at("noise").get<double>()).epsilon(1e-9).margin(0));
}

}  // namespace

TEST_CASE("published vectors with typed-in or generated values") {
  const Json all = vectors();
  for (const Json& vector : all.at("empirical_distribution"))
    if (!vector.at("input").contains("file")) check(vector, made(vector.at("input")), fd::EmpiricalDistribution{});
  for (const Json& vector : all.at("l2")) check(vector, made(vector.at("input")), fd::L2{});
  for (const Json& vector : all.at("noise_estimate"))
    if (!vector.at("input").contains("file")) check_noise(vector, made(vector.at("input")));
}

TEST_CASE("published vectors on files of real data") {
  if (!at_hand("data/indsl")) return;
  const Json all = vectors();
  for (const Json& vector : all.at("empirical_distribution"))
    if (vector.at("input").contains("file")) check(vector, read_file(vector.at("input")), fd::EmpiricalDistribution{});
  for (const Json& vector : all.at("noise_estimate"))
    if (vector.at("input").contains("file")) check_noise(vector, read_file(vector.at("input")));
}

TEST_CASE("known changes of quality control series are found and a series without one stays whole") {
  if (!at_hand("data/tcpd")) return;
  const std::pair<const char*, Indices> sets[] = {{"quality_control_1", {146}},
                                                  {"quality_control_2", {97}},
                                                  {"quality_control_3", {179}},
                                                  {"quality_control_4", {341}},
                                                  {"quality_control_5", {}}};
  for (const auto& [name, known] : sets) {
    const Values y = last_column(shared / "data/tcpd" / (std::string(name) + ".csv"));
    for (const auto& found : {fd::change_points(y, fd::EmpiricalDistribution{}, {.min_section_size = 15}).indices,
                              fd::change_points(y, fd::L2{}, {.min_section_size = 15}).indices}) {
      CAPTURE(name, known, found);
      CHECK(fd::agreement(known, found, 5).recall == 1);
      if (known.empty()) CHECK(found.empty());
    }
  }
}

TEST_CASE("change points of the well log agree with those that people marked") {
  if (!at_hand("data/tcpd")) return;
  const Values y = last_column(shared / "data/tcpd/well_log.csv");
  const Json people = Json::parse(std::ifstream(shared / "data/tcpd/annotations.json"));
  std::vector<Indices> annotations;
  for (const auto& marked : people.at("well_log")) annotations.push_back(marked.get<Indices>());
  const auto found = fd::change_points(y, fd::EmpiricalDistribution{}, {.min_section_size = 5}).indices;
  CAPTURE(found);
  CHECK(fd::agreement(annotations, found).f1 > 0.9);
  CHECK(fd::covering(annotations, found, y.size()) > 0.8);
}
