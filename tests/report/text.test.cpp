// SPDX-License-Identifier: MIT
#include <fidelity/fidelity.hpp>
#include <fidelity/report/text.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
using Run = fd::Series<double, double>;

std::vector<Run> runs(std::initializer_list<double> heights, const std::string& name) {
  std::vector<Run> all;
  for (const double h : heights)
    all.push_back(Run({0, 1, 2}, {0, h, 2 * h}, {.name = name + " " + std::to_string(all.size() + 1)}));
  return all;
}
const fd::Twed metric{.stiffness = 0.1, .penalty = 0.5};

fd::Comparison example(std::vector<fd::Criterion> criteria = {fd::Relative{1.5}}) {
  return fd::compare(runs({1, 1.2, 1.1}, "sim"), runs({1, 1.3, 1.1, 0.9}, "test"), metric,
                     {.criteria = std::move(criteria), .bootstraps = 39, .unit = "m"});
}
bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("the first line is the verdict") {
  CHECK(fd::to_text(example()).rfind("PASS: 3 simulated against 4 measured runs\n", 0) == 0);
  CHECK(fd::to_text(example({fd::Absolute{0}})).rfind("FAIL: ", 0) == 0);
  CHECK(fd::to_text(example({})).rfind("INCOMPLETE: ", 0) == 0);
}

TEST_CASE("numbers stand with their units and the parameters with theirs") {
  const auto comparison = example();
  const std::string text = fd::to_text(comparison);
  INFO(text);
  CHECK(holds(text, fmt::format("{:.6g} m", comparison.distance)));
  CHECK(holds(text, fmt::format("{:.4g}", *comparison.ratio)));
  CHECK(holds(text, "stiffness 0.1 m/s"));
  CHECK(holds(text, "penalty 0.5 m"));
  CHECK(holds(text, "a metric"));
  CHECK(holds(text, "seed 20090201"));
}

TEST_CASE("a compound unit is put in brackets before it is divided") {
  const auto comparison = fd::compare(runs({1}, "a"), runs({2}, "b"), metric, {.unit = "m/s^2"});
  CHECK(holds(fd::to_text(comparison), "stiffness 0.1 (m/s^2)/s"));
}

TEST_CASE("a missed criterion says by how much, a criterion without a value says why") {
  CHECK(holds(fd::to_text(example({fd::Absolute{0}})), "is above the limit 0"));
  const auto comparison =
      fd::compare(runs({1}, "a"), runs({2, 3}, "b"), metric, {.criteria = {fd::Relative{2}}, .unit = "m"});
  const std::string text = fd::to_text(comparison);
  CHECK(holds(text, "incomplete  ratio <= 2: two groups of measured runs need at least 4 of them"));
  CHECK_FALSE(holds(text, "nan"));
}

TEST_CASE("runs are listed by their part, the largest first, and the rest is counted") {
  const std::string text = fd::to_text(example(), {.runs = 2});
  CHECK(holds(text, "... 1 more"));
  CHECK(holds(text, "... 2 more"));
  CHECK_FALSE(holds(fd::to_text(example(), {.runs = 0}), "nearest"));
  const auto comparison = example();
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (comparison.simulations[i].share > comparison.simulations[largest].share) largest = i;
  const std::string listed = text.substr(text.find("simulated runs by"));
  CHECK(holds(listed.substr(0, listed.find('%')), comparison.simulations[largest].name));
}

TEST_CASE("long findings are wrapped, and none is told twice") {
  auto comparison = example();
  std::string words;
  for (int k = 0; k < 60; ++k) words += "word" + std::to_string(k) + (k < 59 ? " " : "");
  comparison.reasons = {{"a", words}};
  comparison.flags = {{"a", words}, {"b", words + " end"}};
  const std::string text = fd::to_text(comparison);
  std::size_t longest = 0, begin = 0, times = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin))
    longest = std::max(longest, end - begin);
  for (std::size_t at = text.find("word41"); at != std::string::npos; at = text.find("word41", at + 1)) ++times;
  CHECK(longest <= 120);
  CHECK(times == 2);
}

TEST_CASE("fmt prints a verdict, a comparison and a load report") {
  CHECK(fmt::format("{}", fd::Verdict::incomplete) == "incomplete");
  const auto comparison = example();
  CHECK(fmt::format("{}", comparison) == fd::to_text(comparison));
  const fd::LoadReport report{.file = "plant.csv", .rows = 3};
  CHECK(fmt::format("{}", report) == fd::to_text(report));
}

TEST_CASE("a load report tells what was found, skipped and assumed") {
  fd::LoadReport report{
      .file = "plant.csv", .delimiter = ';', .decimal = ',', .names_row = 2, .first_data_row = 3, .rows = 10};
  report.rows_bad = 2;
  report.first_bad_rows = {{7, "no stamp: 'x'"}};
  report.time_format = "ISO 8601";
  report.zone = "UTC";
  report.times = {
      .samples = 10, .first = "a", .last = "b", .median_step = 0.5, .backward_steps = 4, .duplicate_times = 3};
  report.channels = {{.name = "flow", .unit = "m3/h", .position = 2, .good = 8, .bad = 2, .reasons = {{"Bad", 2}}}};
  report.text_columns = {"comment"};
  report.warnings = {{"zone assumed", "stamps are taken as UTC"}};
  const std::string text = fd::to_text(report);
  INFO(text);
  for (const char* part :
       {"plant.csv: 10 rows, 1 channel: flow [m3/h]", "delimiter ';'", "decimal ','", "names in line 2",
        "ISO 8601, zone UTC", "a to b, irregular, median step 0.5 s", "2 bad, left out", "line 7: no stamp: 'x'",
        "4 backward steps", "3 times more than once", "2 of 10 samples of 'flow': 2 x 'Bad'", "comment",
        "zone assumed: stamps are taken as UTC"}) {
    INFO(part);
    CHECK(holds(text, part));
  }
}

TEST_CASE("what was computed beside the distance stands in the text and what was not does not") {
  const auto with = [&](fd::ComparisonOptions options) {
    options.unit = "m";
    return fd::to_text(fd::compare(runs({1, 1.2, 1.1}, "sim"), runs({1, 1.3, 1.1, 0.9}, "test"), metric, options));
  };
  const std::string all = with({.criteria = {fd::Absolute{9}, fd::Reject{0.001}, fd::WithinMeasured{}},
                                .bootstraps = 99,
                                .outlier_budget = {.simulated = 0.4}});
  INFO(all);
  for (const char* part : {"95 % interval", "exchanges of runs (all)", "energy distance", "trimmed distance",
                           "without the worst 40 % of the simulated", "distance without it", "most typical: ",
                           " >= 0.001", "simulated groups against 95 % of measured ones", "99 bootstraps", "input "})
    CHECK(holds(all, part));
  const std::string little = with({.permutations = 0, .bootstraps = 0, .splits = 0, .leave_one_out = false});
  INFO(little);
  for (const char* part : {"95 %", "exchanges", "energy distance", "trimmed", "distance without it", "nan"})
    CHECK_FALSE(holds(little, part));
  CHECK(holds(little, "permutations = 0"));
  const std::string rejected =
      fd::to_text(fd::compare(runs({5, 5.2, 5.1, 5.3}, "sim"), runs({1, 1.3, 1.1, 0.9}, "test"), metric,
                              {.criteria = {fd::Reject{0.05}}, .bootstraps = 0}));
  CHECK(holds(rejected, "fail        p 0.0285714 < 0.05"));
}

TEST_CASE("tables of models and signals and points are aligned and name what matters") {
  const auto measured = runs({1, 1.3, 1.1, 0.9}, "test");
  std::vector<fd::Model<Run>> models{{"a model with a long name", runs({5, 6, 7}, "far")},
                                     {"b", runs({1, 1.2, 1.1}, "near")}};
  const fd::ComparisonOptions options{.criteria = {fd::Absolute{1}}, .permutations = 0, .bootstraps = 0, .unit = "m"};
  const std::string ranking = fmt::format("{}", fd::rank(models, measured, metric, options));
  INFO(ranking);
  CHECK(holds(ranking, "rank  model                     distance / m"));
  CHECK(holds(ranking, "\n     1  b "));
  CHECK(holds(ranking, "\n     2  a model with a long name"));
  CHECK(holds(ranking, "ordered by ratio"));
  CHECK_FALSE(holds(ranking, "interval"));  // none was asked for, so there is no column

  const std::vector<fd::OperatingPoint<Run>> points{{"idle", models[1].runs, measured},
                                                    {"full", models[0].runs, measured}};
  const std::string several = fmt::format("{}", fd::compare_points(points, metric, options));
  INFO(several);
  CHECK(several.rfind("FAIL: 2 operating points, the worst is full\n  full: ", 0) == 0);
  CHECK(holds(several, "  idle    3/4 "));

  std::vector<Run> named;
  for (const double height : {1.0, 1.5, 1.2}) named.push_back(Run({0, 1}, {0, height}, {.channel_names = {"level"}}));
  auto own = options;
  own.criteria = {fd::Absolute{0}};
  const std::string signals =
      fmt::format("{}", fd::compare_signals(named, named, {{.name = "level", .metric = metric, .unit = "m"}}, own));
  INFO(signals);
  CHECK(signals.rfind("PASS: 1 signal of 3 simulated and 3 measured runs\n", 0) == 0);
  CHECK(holds(signals, "  level"));
  CHECK(holds(signals, "joint comparison\nPASS"));
}
