// SPDX-License-Identifier: MIT
// Files that hold many series below each other, and the real files of ../shared.
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
const std::string shared = FIDELITY_SHARED "/data/";
fd::CsvText text(std::string_view bytes) { return {bytes, "test.csv"}; }
constexpr std::string_view runs =
    "engine,run,time_s,x,y\n"
    "A,1,0,1,10\nA,1,1,2,20\nB,1,0,3,30\nA,2,0,4,40\nB,1,2,5,50\nA,1,2,6,60\n";

bool has_shared() {
  if (std::filesystem::exists(shared)) return true;
  WARN("skipped: " << shared << " is absent");
  return false;
}
}  // namespace

TEST_CASE("a file of many runs becomes one series each, in order of first appearance") {
  const auto file = fd::read_csv_groups<double>(text(runs), {.group_by = {"engine", "run"}});
  REQUIRE(file.groups.size() == 3);
  CHECK(file.groups[0].series.name() == "engine=A run=1");
  CHECK(file.groups[1].series.name() == "engine=B run=1");
  CHECK(file.groups[2].series.name() == "engine=A run=2");
  CHECK(file.groups[1].keys == std::vector<fd::CsvKey>{{"engine", "B"}, {"run", "1"}});
  CHECK(file.groups[0].series.size() == 3);
  CHECK(file.groups[0].series(2, 1) == 60);
  CHECK(file.groups[1].series.time(1) == 2);
  CHECK(file.groups[0].series.channel_names()[0] == "x");
  CHECK(file.groups[0].times.period == 1);
  CHECK(file.groups[1].times.period == 2);
  CHECK(file.report.rows == 6);
  CHECK(file.report.times.samples == 6);
  CHECK(file.report.times.first == "0 s");
  CHECK(file.report.times.last == "2 s");
  CHECK_FALSE(file.report.times.period);
  CHECK(file.report.time_columns == std::vector<std::string>{"time_s"});
  const std::vector<fd::Series<double, double>> ensemble = file.series();
  CHECK(ensemble[2].name() == "engine=A run=2");
}

TEST_CASE("where keeps rows by exact text, alternatives for one column, agreement between columns") {
  const auto a = fd::read_csv_groups<double>(text(runs), {.group_by = {"run"}, .where = {{"engine", "A"}}});
  REQUIRE(a.groups.size() == 2);
  CHECK(a.groups[0].series.name() == "run=1");
  CHECK(a.groups[0].series.channels() == 2);
  CHECK(a.report.rows == 4);
  CHECK(a.report.rows_filtered == 2);
  const auto both = fd::read_csv_groups<double>(
      text(runs),
      {.group_by = {"engine"}, .where = {{"engine", "A"}, {"engine", "B"}, {"run", "1"}}, .channels = {"x"}});
  CHECK(both.groups.size() == 2);
  CHECK(both.report.rows == 5);
  const auto one = fd::read_csv<double>(text(runs), {.where = {{"engine", "A"}, {"run", "1"}}});
  CHECK(one.series.size() == 3);
}

TEST_CASE("a text that never occurs is an error that lists those that do") {
  require_error<fd::InputError>(
      [] {
        (void)fd::read_csv_groups<double>(text(runs), {.group_by = {"run"}, .where = {{"engine", "Mujoco"}}});
      },
      "'Mujoco' does not occur in column 'engine'", "'A', 'B'");
  require_error<fd::InputError>(
      [] {
        (void)fd::read_csv<double>(text(runs), {.where = {{"engine", "B"}, {"run", "2"}}});
      },
      "no row");
  require_error<fd::InputError>(
      [] {
        (void)fd::read_csv<double>(text(runs), {.where = {{"motor", "B"}}});
      },
      "where: there is no column 'motor'", "'engine', 'run'");
}

TEST_CASE("order and duplicates are judged within each series") {
  const auto file = fd::read_csv_groups<double>(text("run,t,x\n1,5,1\n2,0,2\n1,4,3\n2,5,4\n"), {.group_by = {"run"}});
  CHECK(file.report.times.backward_steps == 1);
  CHECK(file.groups[0].times.backward_steps == 1);
  CHECK(file.groups[1].times.backward_steps == 0);
  CHECK(file.groups[0].series(0) == 3);
  CHECK(file.report.times.duplicate_times == 0);
  require_error<fd::ParseError>(
      [] { (void)fd::read_csv_groups<double>(text("run,t,x\n1,5,1\n2,5,2\n1,5,3\n"), {.group_by = {"run"}}); },
      "test.csv:4:1: ", "duplicates");
}

TEST_CASE("the long form of one name column and one value column is read, too") {
  const auto file = fd::read_csv_groups(
      text("signal,time,value\nflow,2024-01-01T00:00Z,1\nlevel,2024-01-01T00:00Z,7\nflow,2024-01-01T00:01Z,2\n"),
      {.name = "plant", .group_by = {"signal"}});
  REQUIRE(file.groups.size() == 2);
  CHECK(file.groups[0].series.name() == "plant signal=flow");
  CHECK(file.groups[1].series(0) == 7);
}

TEST_CASE("a key may be text with any sign, and equal joins of different keys stay apart") {
  const auto file =
      fd::read_csv_groups<double>(text("a,b,t,x\n\"p q\",r,0,1\np,\"q r\",0,2\n"), {.group_by = {"a", "b"}});
  CHECK(file.groups.size() == 2);
}

TEST_CASE("groups are read by read_csv_groups and single series by read_csv") {
  require_error<fd::InputError>([] { (void)fd::read_csv<double>(text(runs), {.group_by = {"run"}}); },
                                "read_csv_groups");
  require_error<fd::InputError>([] { (void)fd::read_csv_groups<double>(text(runs), {}); }, "group_by");
}

TEST_CASE("the six files of the reality gap are read by engine and run") {
  if (!has_shared()) return;
  const std::string folder = shared + "validation/reality_gap/";
  for (const char* task : {"exp1", "exp2", "exp3"}) {
    const auto measured = fd::read_csv_groups<double>(folder + task + "_measured.csv", {.group_by = {"run"}});
    CHECK(measured.groups.size() == 23);
    CHECK(measured.groups[0].series.channels() == 3);
    CHECK(measured.groups[0].series.name() == "run=1");
    const auto simulated =
        fd::read_csv_groups<double>(folder + task + "_simulated.csv", {.group_by = {"engine", "run"}});
    CHECK(simulated.groups.size() == 140);
    CHECK(simulated.groups[0].series.name() == "engine=Mujoco run=0");
    CHECK(simulated.report.channels[2].bad == 0);
    const auto one = fd::read_csv_groups<double>(folder + task + "_simulated.csv",
                                                 {.group_by = {"run"}, .where = {{"engine", "Mujoco"}}});
    CHECK(one.groups.size() == 20);
    for (const auto& group : one.groups) CHECK(group.times.median_step == Approx(task[3] == '1' ? 0.05 : 0.1));
  }
  CHECK(fd::read_csv_groups<double>(folder + "exp1_measured.csv", {.group_by = {"run"}}).report.rows == 17164);
}

TEST_CASE("files of the field are read with the options that they need") {
  if (!has_shared()) return;
  const auto read = [](const char* file, const fd::CsvOptions<>& options = {}) {
    return fd::read_csv(shared + file, options);
  };
  const auto run = read("tcpd/run_log.csv", {.time_columns = {"time_utc"}, .channels = {"Pace", "Distance"}});
  CHECK(run.series.size() == 376);
  CHECK(fd::to_text(run.series.time(0)) == "2018-07-31T18:22:28.000000000Z");
  CHECK_FALSE(run.report.zone_assumed);

  const auto pressure = read("indsl/suct_pressure_barg.csv");
  CHECK(pressure.series.size() == 4412);
  CHECK(pressure.report.zone_assumed);
  CHECK(pressure.report.times.median_step == 60);
  CHECK(pressure.report.times.longest_gap->seconds <= 600);
  CHECK(read("indsl/vol_flow_rate_m3h.csv").series.size() == 1061);
  const auto valve = read("indsl/shut_down_valve.csv");
  CHECK(valve.series.size() == 30011);
  CHECK(valve.report.channels[0].looks_discrete);
  CHECK(valve.report.times.longest_gap->seconds > 74 * 3600);
  const auto brown = read("indsl/brownian_noise_wave.csv");
  CHECK(brown.series.size() == 1200);
  CHECK(fd::to_text(brown.series.time(0)) == "2022-01-01T00:00:01.157462726Z");
  CHECK(read("indsl/ts_value_reduction_data.csv").series.size() == 100);
  const auto hours = read("indsl/hour_count.csv");
  CHECK(hours.series.size() == 58);
  CHECK(hours.series.channel_names()[0] == "ts_value::");
  CHECK(hours.report.times.period == 3600);
  const auto days = read("indsl/seasonal_with_trend_data.csv");
  CHECK(days.series.size() == 365);
  CHECK(days.report.delimiter == ';');
  CHECK(days.series.channels() == 2);
  CHECK(fd::read_csv<double>(shared + "indsl/pump_curve.csv").series.size() == 32);
  require_error<fd::ParseError>([&] { (void)read("indsl/density_pr_tmp.csv"); },
                                "density_pr_tmp.csv:2:1: ", "time_format");
  const auto density = read("indsl/density_pr_tmp.csv", {.time_format = "%m/%d/%Y %H:%M"});
  CHECK(density.series.size() == 10);
  CHECK(density.series.channel_names()[0] == "P_con (psi)");
  CHECK(density.report.time_columns[0] == "column 1");

  CHECK(read("cognite_ssd/ssd_sensor.csv").series.size() == 577);
  CHECK(read("cognite_ssd/logic_sensor.csv").report.times.period == 60);
  CHECK(fd::read_csv<double>(shared + "validation/tennessee_eastman/d00_te.csv").report.times.period == 180);
  CHECK(fd::read_csv<double>(shared + "validation/funnel_hvac/fail1_trended.csv").series.size() == 5041);
  CHECK(fd::read_csv<double>(shared + "validation/funnel_hvac/success7_test.csv").series.size() == 101);
  CHECK(fd::read_csv<double>(shared + "validation/iso18571_example/reference.csv").series.size() == 600);
  const auto balls =
      fd::read_csv_groups<double>(shared + "validation/ball_drops/ball_drops.csv", {.group_by = {"ball", "drop"}});
  CHECK(balls.groups.size() == 22);
  CHECK(balls.report.rows == 1064);
}
