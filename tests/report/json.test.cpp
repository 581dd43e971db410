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
                     {.criteria = {fd::Absolute{10}, fd::Relative{1}, fd::Reject{1e-9}},
                      .bootstraps = 99,
                      .outlier_budget = {.simulated = 0.4},
                      .unit = "m"});
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
  CHECK(json.at("schema") == "fidelity/comparison/2");
  CHECK(json.at("version") == fd::version);
  CHECK(json.at("verdict") == "fail");
  CHECK(json.at("unit") == "m");
  CHECK(json.at("distance").get<double>() == comparison.distance);
  CHECK(json.at("ratio").get<double>() == *comparison.ratio);
  CHECK(json.at("criteria").size() == 3);
  CHECK(json.at("criteria")[2].at("relation") == ">=");
  CHECK(json.at("criteria")[0].at("outcome") == "pass");
  CHECK(json.at("criteria")[1].at("value").get<double>() == *comparison.ratio);
  CHECK(json.at("matrix").size() == 3);
  CHECK(json.at("matrix")[1][4].get<double>() == comparison.matrix(1, 4));
  CHECK(json.at("measured_matrix")[0][4].get<double>() == (*comparison.measured_matrix)(0, 4));
  CHECK(json.at("simulations")[2].at("name") == "sim 2");
  CHECK(json.at("simulations")[0].at("outlines")[0].at("values")[1].get<double>() == 1.0 / 3);
  CHECK(json.at("split_halves").at("base").at("values").get<std::vector<double>>() == comparison.halves->base.values);
  CHECK(json.at("p_value").get<double>() == *comparison.p_value);
  CHECK(json.at("permutation").at("statistics").get<std::vector<double>>() == comparison.permutation->statistics);
  CHECK(json.at("interval").at("lower").get<double>() == comparison.interval->lower);
  CHECK(json.at("interval").at("values").get<std::vector<double>>() == comparison.interval->values);
  CHECK(json.at("ratio_interval").at("upper").get<double>() == comparison.ratio_interval->upper);
  CHECK(json.at("energy").at("debiased").get<double>() == *comparison.energy->debiased);
  CHECK(json.at("trimmed").at("value").get<double>() == comparison.trimmed->value);
  CHECK(json.at("trimmed").at("simulations").size() == comparison.trimmed->simulations.size());
  CHECK(json.at("simulated_medoid").get<std::size_t>() == *comparison.simulated_medoid);
  CHECK(json.at("simulations")[1].at("change_without").get<double>() ==
        *comparison.simulations[1].distance_without - comparison.distance);
  CHECK(json.at("simulated_matrix")[0][2].get<double>() == (*comparison.simulated_matrix)(0, 2));
  CHECK(json.at("sampling").at("simulated_step") == 1);
  CHECK(json.at("input_hash").get<std::string>().size() == 16);
  CHECK(std::stoull(json.at("input_hash").get<std::string>(), nullptr, 16) == comparison.input_hash);
  CHECK(json.at("weights").at("measurements")[4].get<double>() == 0.2);
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
  CHECK(json.at("interval").is_null());
  CHECK(json.at("trimmed").is_null());
  CHECK(json.at("simulations")[0].at("distance_without").is_null());
}

TEST_CASE("a ranking and signals and points hold their comparisons whole") {
  std::vector<fd::Model<Run>> models;
  for (const double height : {2.0, 0.2})
    models.push_back({height > 1 ? "far" : "near", {Run({0, 1}, {0, height}), Run({0, 1}, {0, height + 0.1})}});
  const std::vector<Run> measured{Run({0, 1}, {0, 0.1}), Run({0, 1}, {0, 0.2})};
  const fd::Twed metric{.stiffness = 0.1, .penalty = 0.5};
  const auto ranking = fd::rank(models, measured, metric);
  const auto json = fd::to_json(ranking);
  CHECK(json.at("schema") == "fidelity/ranking/1");
  CHECK(json.at("ordered_by") == "distance");
  CHECK(json.at("models")[0].at("name") == "near");
  CHECK(json.at("models")[0].at("index") == 1);
  CHECK(json.at("models")[1].at("comparison").at("distance").get<double>() == ranking.models[1].comparison.distance);

  std::vector<fd::OperatingPoint<Run>> points;
  for (const auto& model : models) points.push_back({model.name, model.runs, measured});
  const auto whole = fd::to_json(fd::compare_points(points, metric, {.criteria = {fd::Absolute{1}}}));
  CHECK(whole.at("verdict") == "fail");
  CHECK(whole.at("worst_name") == "far");
  CHECK(whole.at("points")[1].at("comparison").at("verdict") == "pass");
  CHECK(whole.at("reasons").size() >= 2);

  std::vector<Run> named;
  for (const double height : {1.0, 1.5}) named.push_back(Run({0, 1}, {0, height}, {.channel_names = {"level"}}));
  const auto signals = fd::to_json(fd::compare_signals(
      named, named, {{.name = "level", .metric = {.stiffness = 0.1, .penalty = 0.5}, .unit = "m", .nominal = 2}}));
  CHECK(signals.at("schema") == "fidelity/signals/1");
  CHECK(signals.at("signals")[0].at("scale") == 2);
  CHECK(signals.at("signals")[0].at("nominal") == true);
  CHECK(signals.at("joint").at("distance") == 0);
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
