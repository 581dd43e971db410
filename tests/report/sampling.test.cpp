// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <fidelity/errors.hpp>
#include <fidelity/report/sampling_csv.hpp>
#include <fidelity/report/sampling_figure.hpp>
#include <fidelity/report/sampling_json.hpp>
#include <fidelity/report/text.hpp>
#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {

const fd::Timestamp start{1'600'000'000s};  // 2020-09-13T12:26:40Z

/// 0 10 20 ... minutes after the start.
fd::Series<> held(const std::vector<double>& values) {
  std::vector<fd::Timestamp> times;
  for (std::size_t i = 0; i < values.size(); ++i) times.push_back(start + static_cast<int>(i) * 10min);
  return {times, values, {.interpolation = fd::Interpolation::hold}};
}

fd::SamplingResult<> sampled(std::chrono::minutes window) {
  const auto flow = held({0, 50, 50, 0, 50, 50, 50});
  const auto valve = held({1, 1, 1, 1, 1, 1, 1});
  return fd::sample({.run_time = start + 60min, .sampling_window = window, .validation_window = 1h},
                    {fd::logic("running", flow, fd::Greater{45}), fd::logic("open", valve, fd::Equal{1})},
                    {{"flow", flow}, {"a,b", valve}});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a sampling result reads in the words of the process engineer") {
  const std::string text = fmt::format("{}", sampled(20min));
  CHECK(contains(text, "SAMPLED: sampling and validation"));
  CHECK(contains(text, "run time           2020-09-13T13:26:40Z\n"));
  CHECK(contains(text, "validation window  2020-09-13T12:26:40Z to 2020-09-13T13:26:40Z (1 h)\n"));
  CHECK(contains(text, "sampling window    2020-09-13T13:06:40Z to 2020-09-13T13:26:40Z (20 min)\n"));
  CHECK(contains(text, "simulation time    2020-09-13T13:16:40Z\n"));
  CHECK(contains(
      text, "running  holds  66.67 %, unknown      0 %, longest run 20 min\n           > 45; longest pause 10 min\n"));
  CHECK(contains(text, "flow               50     100 %        2  10 min"));
}

TEST_CASE("a sampling without a window says what is in the way and shows no value") {
  const std::string text = fd::to_text(sampled(25min));
  CHECK(contains(text, "NO SAMPLING WINDOW"));
  CHECK(contains(text, "without running"));
  CHECK(contains(text, "would have fitted"));
  CHECK(contains(text, "without open     longest run 20 min"));
  CHECK_FALSE(contains(text, "average"));
  CHECK_FALSE(contains(text, "simulation time"));
}

TEST_CASE("shares are never rounded to all or nothing") {
  CHECK(fd::detail::percent(1) == "100 %");
  CHECK(fd::detail::percent(0.99999999) == "99.99 %");
  CHECK(fd::detail::percent(0) == "0 %");
  CHECK(fd::detail::percent(1e-9) == "0.01 %");
  CHECK(fd::detail::percent(2.0 / 3) == "66.67 %");
}

TEST_CASE("lengths of time and stamps are written short and exactly") {
  CHECK(fd::detail::duration_text(90'061) == "1 d 1 h 1 min 1 s");
  CHECK(fd::detail::duration_text(3600) == "1 h");
  CHECK(fd::detail::duration_text(59.5) == "59.5 s");
  CHECK(fd::detail::duration_text(61.25) == "1 min 1.25 s");
  CHECK(fd::detail::duration_text(0) == "0 s");
  CHECK(fd::detail::duration_text(119.9999999) == "2 min");
  CHECK(fd::detail::duration_text(3600.5) == "1 h 0.5 s");
  CHECK(fd::detail::short_time(start) == "2020-09-13T12:26:40Z");
  CHECK(fd::detail::short_time(start + 120ms) == "2020-09-13T12:26:40.12Z");
  CHECK(fd::detail::short_time(start + 1ns) == "2020-09-13T12:26:40.000000001Z");
  CHECK(fd::detail::short_time(1.5) == "1.5 s");
}

TEST_CASE("a sampling result as JSON holds every field under a schema") {
  const fd::Json json = fd::to_json(sampled(20min));
  CHECK(json["schema"] == "fidelity/sampling/1");
  CHECK(json["complete"] == true);
  CHECK(json["run_time"] == "2020-09-13T13:26:40.000000000Z");
  CHECK(json["sampling_window"]["begin"] == "2020-09-13T13:06:40.000000000Z");
  CHECK(json["inputs"][0]["value"] == 50.0);
  CHECK(json["inputs"][0]["age_seconds"].is_null());
  CHECK(json["conditions"][0]["status"]["holds"].size() == 2);
  CHECK(json["search"]["code"] == "found");
  CHECK(json["combined"]["holds"].size() == 2);
  CHECK(json["conditions"][0]["longest_pause_seconds"] == 600.0);
  const fd::Json none = fd::to_json(std::vector{sampled(25min), sampled(20min)});
  REQUIRE(none.size() == 2);
  CHECK(none[0]["sampling_window"].is_null());
  CHECK(none[0]["simulation_time"].is_null());
  CHECK(none[0]["search"]["shortfall_seconds"] == 300.0);
  CHECK(none[0]["search"]["conditions"][0]["fits_without"] == true);
}

TEST_CASE("sampling results as a table have one row a run time and empty cells for what is missing") {
  const std::string table = fd::to_csv(std::vector{sampled(20min), sampled(25min)}, {"flow", "a,b"});
  CHECK(table ==
        "run_time,code,sampling_start,sampling_end,simulation_time,flow,flow coverage,\"a,b\",\"a,b coverage\"\n"
        "2020-09-13T13:26:40.000000000Z,found,2020-09-13T13:06:40.000000000Z,2020-09-13T13:26:40.000000000Z,"
        "2020-09-13T13:16:40.000000000Z,50,1,1,1\n"
        "2020-09-13T13:26:40.000000000Z,runs_too_short,,,,,,,\n");
  CHECK_THROWS_AS(fd::to_csv(std::vector{sampled(20min)}, {"other", "a,b"}), fd::InputError);
  CHECK_THROWS_AS(fd::to_csv(std::vector{sampled(20min)}, {"flow"}), fd::InputError);
}

TEST_CASE("the sampling picture has a panel for each condition, their intersection and each input") {
  const auto flow = held({0, 50, 50, 0, 50, 50, 50});
  fd::SamplingPicture picture(sampled(20min));
  picture.condition("running", flow, {.unit = "m3/h", .levels = {45}, .marks = {start + 30min}});
  picture.condition("open", flow).input("flow", flow, "m3/h");
  const std::string svg = picture.figure().svg();
  std::size_t last = 0;
  for (const char* part : {"running (m3/h)", "holds: &gt; 45", "open", "all conditions", "flow (m3/h)",
                           "sampling window", "simulation time", "mean 50 m3/h", "coverage 100 %"}) {
    const std::size_t at = svg.find(part, last);
    CAPTURE(part);
    REQUIRE(at != std::string::npos);
    last = at;
  }
  CHECK_THROWS_AS(picture.condition("other", flow), fd::InputError);
  CHECK_THROWS_AS(picture.input("other", flow), fd::InputError);
}

TEST_CASE("without a window the sampling picture shows the reason and the longest stretch") {
  const auto flow = held({0, 50, 50, 0, 50, 50, 50});
  fd::SamplingPicture picture(sampled(25min));
  picture.condition("running", flow).input("flow", flow);
  const std::string svg = picture.figure().svg();
  CHECK(contains(svg, "No sampling window."));
  CHECK(contains(svg, "longest run 20 min"));
  CHECK_FALSE(contains(svg, "simulation time"));
  const auto disabled = fd::sample({.run_time = start, .enabled = false}, {}, {{"flow", flow}});
  CHECK_THROWS_AS(fd::SamplingPicture(disabled), fd::InputError);
}
