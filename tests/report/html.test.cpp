// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fidelity/report/html.hpp>

#include "reference/markup.hpp"

namespace fd = fidelity;
using markup::count;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Everything that a page can show, made by hand: 2 simulated against 3 measured runs.
fd::Comparison comparison() {
  fd::Comparison c;
  c.distance = 0.25;
  c.unit = "m/s^2";
  c.metric = {"time warp edit distance", {{"stiffness", 2, "/s"}, {"penalty", 0.1, ""}}, "L2 norm", {}};
  c.verdict = fd::Verdict::fail;
  c.reasons = {{"ratio", "ratio 1.9 is above the limit 1.3"}};
  c.criteria = {{"ratio", 1.9, 1.3, "", fd::Verdict::fail},
                {"distance", 0.25, 0.5, "m/s^2", fd::Verdict::pass},
                {"largest", {}, {}, "", fd::Verdict::incomplete, "there is no limit"}};
  const auto run = [](std::string name, double share, std::size_t nearest) {
    fd::RunSummary r{std::move(name)};
    r.samples = 3;
    r.duration = 4;
    r.share = share;
    r.contribution = 0.25 * share;
    r.nearest = nearest;
    r.nearest_distance = 0.2;
    r.outlines = {{{0, 1, 4}, {1, 3, nan_value}}};
    return r;
  };
  c.simulations = {run("sim 1", 0.75, 0), run("sim 2", 0.25, 2)};
  c.measurements = {run("meas 1", 0.5, 0), run("meas 2", 0.3, 1), run("meas 3", 0.2, 1)};
  c.matrix.resize(2, 3);
  c.matrix << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
  c.matches = {{0, 0, 0.5, 0.1}, {1, 2, 0.5, 0.6}};
  c.halves = fd::SplitHalves{1, true, true, {0.1, 0.1, 0.2, {0.1, 0.1, 0.2}}, {0.19, 0.19, 0.3, {0.2, 0.19, 0.18}}};
  c.ratio = 1.9;
  c.permutation.emplace();
  c.permutation->statistics = {0.1, 0.2, 0.25, 0.3};
  c.permutation->statistic = 0.25;
  c.p_value = 0.5;
  c.flags = {{"unexplained_runs", "1 measured run farther than usual: meas 2"}};
  c.absent = {{"interval", "needs more runs"}};
  return c;
}

}  // namespace

TEST_CASE("a page is well-formed and complete without its script, and fetches nothing") {
  const std::string page = fd::to_html(comparison(), {.title = "Brakes", .files = {"a.csv"}});
  CHECK(markup::fault(page) == "");
  const std::string text = markup::seen(page);
  for (const char* words : {"Brakes", "2 simulated against 3 measured runs", "ratio 1.9 is above the limit 1.3",
                            "0.25 m/s^2", "stiffness 2 (m/s^2)/s", "not evaluated", "there is no limit", "meas 2",
                            "unexplained_runs", "needs more runs", "a.csv", "observed", "75.0 %", "? incomplete"}) {
    INFO(words);
    CHECK(text.find(words) != std::string::npos);
  }
  CHECK(count(page, "<script>") == 1);
  for (const char* outside :
       {"src=", "<link", "@import", "url(http", "fetch(", "XMLHttp", "eval(", "onclick", "<img"}) {
    INFO(outside);
    CHECK(count(page, outside) == 0);
  }
  CHECK(count(page, "http") == count(page, "http://www.w3.org/2000/svg") + count(page, "http-equiv"));
  CHECK(count(page, "default-src 'none'") == 1);
  CHECK(count(page, "prefers-color-scheme:dark") > 0);
  CHECK(count(page, "@media print") > 0);
  CHECK_FALSE(markup::prints_no_number(page.substr(0, page.find("<script>"))));
  // A run that a flag names is marked: the column in both pictures.
  CHECK(count(page, "! meas 2") == 2);
  CHECK(count(page, "! meas 1") == 0);
}

TEST_CASE("names from files stay text") {
  fd::Comparison c = comparison();
  const std::string evil = "<script>alert(\"1\")</script> & 'K\xc3\xbchler' \x01\xff";
  c.simulations[0].name = c.measurements[0].name = c.unit = c.metric.name = c.criteria[0].name = evil;
  c.flags[0] = c.absent[0] = c.reasons[0] = {evil, evil};
  const std::string page = fd::to_html(c, {.title = evil, .files = {evil}});
  CHECK(markup::fault(page) == "");
  CHECK(count(page, "<script>") == 1);
  CHECK(count(page, "alert(\"1\")") == 0);
  CHECK(count(page, "K\xc3\xbchler") > 10);
}

TEST_CASE("only a pass is green") {
  fd::Comparison c = comparison();
  const auto banner = [&] {
    const std::string page = fd::to_html(c);
    const auto begin = page.find("<div class=\"banner ");
    return page.substr(begin, page.find("</b>", begin) - begin);
  };
  CHECK(banner() == "<div class=\"banner red\" id=\"verdict\"><b>\u2717 fail");
  c.verdict = fd::Verdict::incomplete;
  CHECK(banner() == "<div class=\"banner amber\" id=\"verdict\"><b>? incomplete");
  c.verdict = fd::Verdict::pass;
  CHECK(banner() == "<div class=\"banner green\" id=\"verdict\"><b>\u2713 pass");
  // A comparison of nothing, as it is made.
  const std::string nothing = fd::to_html(fd::Comparison{});
  CHECK(markup::fault(nothing) == "");
  CHECK(nothing.find("banner amber") != std::string::npos);
  CHECK(markup::seen(nothing).find("No criterion was given") != std::string::npos);
}

TEST_CASE("a page of strange numbers says so in words") {
  fd::Comparison c = comparison();
  c.distance = nan_value;
  c.criteria[0].value = std::numeric_limits<double>::infinity();
  c.simulations[0].nearest_distance = nan_value;
  c.permutation->statistics = {0.1, std::numeric_limits<double>::infinity()};
  c.matrix(0, 0) = 1e308;
  c.halves->base.values = {0.2, 0.2};
  const std::string page = fd::to_html(c);
  CHECK(markup::fault(page) == "");
  CHECK_FALSE(markup::prints_no_number(page.substr(0, page.find("<script>"))));
  CHECK(markup::seen(page).find("not a number") != std::string::npos);
}

TEST_CASE("a page of many long runs stays small and keeps their peaks") {
  fd::Comparison c;
  const auto many = [](std::vector<fd::RunSummary>& runs, std::size_t n, double peak) {
    for (std::size_t r = 0; r < n; ++r) {
      fd::RunSummary run{"run " + std::to_string(r)};
      run.duration = 999;
      run.outlines.resize(1);
      for (int k = 0; k < 1000; ++k) {
        run.outlines[0].times.push_back(k);
        run.outlines[0].values.push_back(k % 7 + (r == 5 && k == 321 ? peak : 0.0));
      }
      run.share = 1.0 / static_cast<double>(n);
      runs.push_back(std::move(run));
    }
  };
  many(c.simulations, 200, 1000);
  many(c.measurements, 200, 0);
  c.matrix = fd::CostMatrix::Constant(200, 200, 0.5);
  const std::string page = fd::to_html(c);
  CHECK(page.size() < 2'000'000);
  CHECK(markup::fault(page) == "");
  CHECK(markup::seen(page).find("1000") != std::string::npos);  // the peak is on the scale
  CHECK(markup::seen(page).find("Of 200 x 200 runs") != std::string::npos);
}

TEST_CASE("a page is written whole") {
  const auto path = std::filesystem::temp_directory_path() / "fidelity_html_test.html";
  fd::write_html(path, comparison());
  std::ifstream file(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == fd::to_html(comparison()));
  std::filesystem::remove(path);
}
