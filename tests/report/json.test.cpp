// SPDX-License-Identifier: MIT
#include <fidelity/fidelity.hpp>
#include <fidelity/report/json.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
using Run = fd::Series<double, double>;

fd::Comparison example() {
  std::vector<Run> simulated, measured;
  for (int k = 0; k < 3; ++k)
    simulated.push_back(Run({0, 1, 2}, {0, 1.0 / 3 + k, 2}, {.name = "sim " + std::to_string(k)}));
  for (int k = 0; k < 5; ++k)
    measured.push_back(Run({0, 1, 2}, {0, 0.1 * k, 2}, {.name = "test " + std::to_string(k)}));
  return fd::compare(simulated, measured, fd::Twed{.stiffness = 0.1, .penalty = 0.5},
                     {.criteria = {fd::Absolute{10}, fd::Relative{1}}, .unit = "m"});
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "fidelity_json_test";
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};
}  // namespace

TEST_CASE("a comparison reads back from its file with every number exact") {
  const Folder folder;
  const auto comparison = example();
  fd::write_json(folder.path / "result.json", comparison);
  std::ifstream file(folder.path / "result.json");
  const auto json = fd::Json::parse(file);
  CHECK(json.at("schema") == "fidelity/comparison/1");
  CHECK(json.at("version") == fd::version);
  CHECK(json.at("verdict") == "fail");
  CHECK(json.at("unit") == "m");
  CHECK(json.at("distance").get<double>() == comparison.distance);
  CHECK(json.at("ratio").get<double>() == *comparison.ratio);
  CHECK(json.at("criteria").size() == 2);
  CHECK(json.at("criteria")[0].at("outcome") == "pass");
  CHECK(json.at("criteria")[1].at("value").get<double>() == *comparison.ratio);
  CHECK(json.at("matrix").size() == 3);
  CHECK(json.at("matrix")[1][4].get<double>() == comparison.matrix(1, 4));
  CHECK(json.at("measured_matrix")[0][4].get<double>() == (*comparison.measured_matrix)(0, 4));
  CHECK(json.at("simulations")[2].at("name") == "sim 2");
  CHECK(json.at("simulations")[0].at("outlines")[0].at("values")[1].get<double>() == 1.0 / 3);
  CHECK(json.at("split_halves").at("base").at("values").get<std::vector<double>>() == comparison.halves->base.values);
  CHECK(json.at("metric").at("parameters")[0].at("name") == "stiffness");
  CHECK(json.at("metric").at("status") == "metric");
  CHECK(json.begin().key() == "schema");
}

TEST_CASE("what is absent is null and has a reason") {
  const std::vector<Run> one{Run({0, 1}, {0, 1})};
  const auto json = fd::to_json(fd::compare(one, one, fd::Twed{.stiffness = 0.1, .penalty = 0.5}));
  CHECK(json.at("ratio").is_null());
  CHECK(json.at("split_halves").is_null());
  CHECK(json.at("measured_spread").is_null());
  CHECK(json.at("absent").size() >= 2);
  CHECK(json.at("verdict") == "incomplete");
  CHECK(json.at("reasons")[0].at("code") == "no_criterion");
}

TEST_CASE("bad samples in an outline are null in the file") {
  auto comparison = example();
  comparison.simulations[0].outlines[0].values[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(fd::to_json(comparison).dump().find("null") != std::string::npos);
  CHECK(
      fd::Json::parse(fd::to_json(comparison).dump()).at("simulations")[0].at("outlines")[0].at("values")[1].is_null());
}

TEST_CASE("a file that cannot be written throws, names the file and leaves nothing behind") {
  const Folder folder;
  const auto missing = folder.path / "no such folder" / "result.json";
  require_error<std::system_error>([&] { fd::write_json(missing, example()); }, "result.json");
  std::filesystem::create_directories(folder.path / "taken.json" / "inside");
  require_error<std::system_error>([&] { fd::write_json(folder.path / "taken.json", example()); }, "taken.json");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path)) ++entries;
  CHECK(entries == 1);
}

TEST_CASE("a load report is written with all its counts") {
  fd::LoadReport report{.file = "plant.csv", .rows = 10};
  report.rows_bad = 2;
  report.channels = {{.name = "flow", .good = 8, .bad = 2, .reasons = {{"Bad", 2}}, .first_bad = {{7, "Bad"}}}};
  report.times.duplicate_times = 3;
  report.times.longest_gap = fd::GapReport{"a", "b", 60};
  report.warnings = {{"zone assumed", "stamps are taken as UTC"}};
  const auto json = fd::to_json(report);
  CHECK(json.at("schema") == "fidelity/load_report/1");
  CHECK(json.at("rows") == 10);
  CHECK(json.at("rows_bad") == 2);
  CHECK(json.at("channels")[0].at("first_bad")[0].at("line") == 7);
  CHECK(json.at("channels")[0].at("reasons")[0].at("count") == 2);
  CHECK(json.at("times").at("duplicate_times") == 3);
  CHECK(json.at("times").at("longest_gap").at("seconds") == 60);
  CHECK(json.at("thousands").is_null());
  CHECK(json.at("warnings")[0].at("code") == "zone assumed");
}
