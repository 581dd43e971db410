// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <fidelity/report/html_sampling.hpp>
#include <fidelity/sampling/validator.hpp>

#include "reference/markup.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
const fd::Timestamp t0{1'718'000'000s};  // 2024-06-10T06:13:20Z

/// An hour with one sample a minute; `name` comes from a file.
fd::SamplingResult<> sampled(double threshold, const fd::Series<>& flow, const std::string& name, bool enabled = true) {
  return fd::sample<fd::Timestamp>(
      {.run_time = t0 + 60min, .sampling_window = 10min, .validation_window = 60min, .enabled = enabled},
      {fd::logic(name, flow, fd::Greater{threshold})}, {{name, flow}});
}
}  // namespace

TEST_CASE("the page of a sampling is green only where all values are there") {
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  for (int k = 0; k <= 60; ++k) {
    times.push_back(t0 + k * 1min);
    values.push_back(k);
  }
  const fd::Series<> flow(times, values);
  const std::string name = "<b>flow</b> & \"co\"";
  const auto page = [&](const fd::SamplingResult<>& result) {
    fd::SamplingPicture<> picture(result, fd::Window{t0, t0 + 60min});
    if (!result.conditions.empty()) picture.condition(name, flow, {.unit = "m3/h", .levels = {20}});
    picture.input(name, flow);
    const std::string html = fd::to_html(result, picture.figure(), {.files = {"plant.csv"}});
    CHECK(markup::fault(html) == "");
    CHECK_FALSE(markup::prints_no_number(markup::seen(html)));
    return html;
  };
  const std::string found = page(sampled(20, flow, name));
  CHECK(found.find("banner green") != std::string::npos);
  for (const char* words : {"sampled", "2024-06-10T07:08:20Z", "average", "coverage", "100 %", "plant.csv"}) {
    INFO(words);
    CHECK(markup::seen(found).find(words) != std::string::npos);
  }
  CHECK(markup::count(found, "url(#chosen)") >= 2);
  const std::string none = page(sampled(55, flow, name));
  CHECK(none.find("banner amber") != std::string::npos);
  CHECK(markup::seen(none).find("no sampling window") != std::string::npos);
  CHECK(markup::count(none, "url(#chosen)") == 0);
  CHECK(markup::seen(page(sampled(20, flow, name, false))).find("latest value") != std::string::npos);
}
