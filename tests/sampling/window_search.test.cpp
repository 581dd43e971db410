// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/status_oracle.hpp"

#include <fidelity/sampling/logic.hpp>
#include <fidelity/sampling/window_search.hpp>
#include <fidelity/series/series.hpp>

using namespace status_test;
using namespace std::chrono_literals;
using fd::find_window;
using nlohmann::json;
using series_test::require_rule;
using Code = fd::WindowSearchCode;
using fd::Pick;

namespace {

Windows windows(const json& list) {
  std::vector<Window> out;
  for (const auto& pair : list) out.push_back(window(pair[0], pair[1]));
  return Windows(out);
}
std::vector<Window> listed(const json& list) {
  const Windows set = windows(list);
  return {set.windows().begin(), set.windows().end()};
}
Window one(const json& pair) { return window(pair[0], pair[1]); }

const std::map<std::string, Pick> picks = {{"newest", Pick::newest}, {"longest", Pick::longest}, {"all", Pick::all}};
const std::map<std::string, Code> codes = {{"range_too_short", Code::range_too_short},
                                           {"no_data", Code::no_data},
                                           {"never_holds", Code::never_holds},
                                           {"runs_too_short", Code::runs_too_short}};

}  // namespace

TEST_CASE("the window searches of the reference come out") {
  std::ifstream file(FIDELITY_TEST_DATA "/sampling/logic.json");
  const json problems = json::parse(file).at("window_search");
  CHECK(problems.size() == 14);
  for (const json& problem : problems) {
    INFO(problem.at("id"));
    const json &input = problem.at("input"), &params = problem.at("params"), &expected = problem.at("expected");
    fd::WindowOptions<Minutes> options{.length = minutes(params.at("length")),
                                       .pick = picks.at(params.at("pick")),
                                       .straddle = params.value("straddle", false)};
    if (params.contains("align")) options.align = minutes(params.at("align"));
    fd::WindowSearch<Minutes> found{};
    if (input.contains("A")) {
      const Status a(one(input.at("range")), windows(input.at("A"))), b(one(input.at("range")), windows(input.at("B")));
      CHECK((a & b).holds() == windows(expected.at("valid")));
      found = find_window({fd::Named{"A", a}, fd::Named{"B", b}}, options);
      CHECK(find_window(a & b, options).window == found.window);
    } else {
      std::vector<Minutes> cuts;
      for (const std::int64_t cut : input.value("cuts", std::vector<std::int64_t>{})) cuts.push_back(minute(cut));
      const Status s(one(input.at("range")), windows(input.at("valid")), windows(input.value("unknown", json::array())),
                     cuts);
      found = find_window(s, options);
    }
    if (expected.contains("reason")) {
      CHECK(found.code == codes.at(expected.at("reason")));
      CHECK_FALSE(found.window);
      CHECK_FALSE(found.reason.empty());
    } else {
      CHECK(found.code == Code::found);
      CHECK(found.reason.empty());
    }
    if (expected.contains("window") && !expected.at("window").is_null())
      CHECK(found.window == one(expected.at("window")));
    if (expected.contains("midpoint") && !expected.at("midpoint").is_null())
      CHECK(fd::middle(*found.window) == minute(expected.at("midpoint").get<std::int64_t>()));
    if (expected.contains("longest")) CHECK(found.longest_run == one(expected.at("longest")));
    if (expected.contains("shortfall")) CHECK(found.shortfall == minutes(expected.at("shortfall")));
    if (expected.contains("run")) CHECK(found.runs == std::vector{one(expected.at("run"))});
    if (expected.contains("runs")) CHECK(found.runs == listed(expected.at("runs")));
    if (expected.contains("windows")) CHECK(found.windows == listed(expected.at("windows")));
    if (expected.contains("longest_without")) {
      REQUIRE(found.conditions.size() == 2);
      for (const auto& condition : found.conditions)
        CHECK(condition.longest_run_without == one(expected.at("longest_without").at(condition.name)));
    }
  }
}

TEST_CASE("a status that ends early counts to its own end when two are combined") {
  std::ifstream file(FIDELITY_TEST_DATA "/sampling/logic.json");
  const json problem = json::parse(file).at("intersection").at(0);
  const auto status = [&](const json& input) {
    const fd::Series<double, double> series(input.at("t").get<std::vector<double>>(),
                                            input.at("v").get<std::vector<double>>(),
                                            {.interpolation = fd::Interpolation::hold});
    return fd::check(series, fd::Equal{1.0}, {.within = fd::Window{series.span().begin, 10.0}});
  };
  const auto both = status(problem.at("input").at("a")) & status(problem.at("input").at("b"));
  const json& expected = problem.at("expected");
  for (std::size_t i = 0; i < expected.at("t").size(); ++i)
    CHECK((both.at(expected.at("t")[i].get<double>()) == yes) == (expected.at("v")[i] == 1));
}

TEST_CASE("the most recent sampling window of a plant is found and its failure explained") {
  // Logic and steady state in minutes, validation window 0 to 360, run time 360.
  const Status logic(window(0, 360), {window(0, 95), window(120, 300), window(310, 360)}),
      steady(window(0, 360), {window(40, 180), window(200, 290), window(320, 345)});
  const auto search = [&](std::int64_t length) { return find_window(logic & steady, {.length = minutes(length)}); };
  CHECK(search(60).window == window(230, 290));
  CHECK(search(90).window == window(200, 290));
  CHECK_FALSE(search(91).window);
  CHECK(search(25).window == window(320, 345));
  CHECK(search(26).window == window(264, 290));
  const auto found = find_window({fd::Named{"logic", logic}, fd::Named{"steady", steady}}, {.length = 91min});
  CHECK(found.code == Code::runs_too_short);
  CHECK(found.shortfall == 1min);
  CHECK(found.within == window(0, 360));
  CHECK(found.reason ==
        "The longest run, [1970-01-01T03:20:00Z, 1970-01-01T04:50:00Z), is 1 h 30 min long; a window "
        "of 1 h 31 min misses 1 min. It would have fitted without 'logic' or 'steady'.");
  REQUIRE(found.conditions.size() == 2);
  CHECK(found.conditions[0].name == "logic");
  CHECK(found.conditions[0].holds == Approx(325.0 / 360));
  CHECK(found.conditions[0].unknown == 0.0);
  CHECK(found.conditions[0].does_not_hold == Approx(35.0 / 360));
  CHECK(found.conditions[0].longest_run == window(120, 300));
  CHECK(found.conditions[0].prevents_alone == 25min);  // 95 to 120 while steady
  CHECK(found.conditions[0].fits_without);
  CHECK(found.conditions[1].prevents_alone == minutes(325 - 230));
}

TEST_CASE("nothing found is explained for data that cannot be judged") {
  using Series = fd::Series<double, double>;
  const auto search = [](const Series& series, double length) {
    return find_window(fd::check(series, fd::Greater{0.0}), {.length = length});
  };
  const auto one_sample = search(Series({3.0}, {1.0}), 1);
  CHECK(one_sample.code == Code::range_too_short);
  CHECK(one_sample.reason.find("One sample has no length") != std::string::npos);
  CHECK(one_sample.shortfall == 1.0);
  const auto all_bad = search(Series({0.0, 5.0}, {series_test::bad, 1.0}), 1);
  CHECK(all_bad.code == Code::no_data);
  CHECK(all_bad.reason == "The status is unknown throughout [0 s, 5 s): there are no data to judge.");
  const auto never = search(Series({0.0, 5.0, 10.0}, {-1.0, -1.0, series_test::bad}), 1);
  CHECK(never.code == Code::never_holds);
  CHECK(never.reason == "The status never holds in [0 s, 10 s); it is unknown in 50 % of it.");
  const auto short_range = search(Series({0.0, 5.0}, {1.0, 1.0}), 6);
  CHECK(short_range.code == Code::range_too_short);
  CHECK(short_range.reason == "What is searched, [0 s, 5 s), is 5 s long and so shorter than the window of 6 s.");
  CHECK(search(Series({0.0, 5.0}, {1.0, 1.0}), 5).window == fd::Window{0.0, 5.0});
  // Outside of the range of the status all is unknown.
  const Status s(window(0, 10), {window(0, 10)});
  CHECK(find_window(s, {.length = 1min, .within = window(20, 30)}).code == Code::no_data);
  CHECK(find_window(s, {.length = 11min, .within = window(-10, 30)}).code == Code::runs_too_short);
  const auto named = find_window({fd::Named{"only", Status(window(0, 10), {window(0, 4)})}}, {.length = 5min});
  REQUIRE(named.conditions.size() == 1);
  CHECK(named.conditions[0].fits_without);
  CHECK(named.conditions[0].prevents_alone == 6min);
  const auto nothing = find_window({fd::Named{"a", Status()}, fd::Named{"b", Status()}}, {.length = 5min});
  CHECK(nothing.code == Code::range_too_short);
  CHECK(nothing.conditions.empty());
}

TEST_CASE("an exact fit in double is a fit and stays inside its run") {
  for (const double begin : {0.1, 0.7, 1e9 + 0.1}) {
    for (const double length : {0.1, 0.3, 1.1}) {
      const fd::Status<double> s({0.0, 2e9}, {{begin, begin + length}});
      const auto found = find_window(s, {.length = (begin + length) - begin});
      REQUIRE(found.window);
      CHECK(found.window->begin >= begin);
      CHECK(found.window->end == begin + length);
    }
  }
}

TEST_CASE("aligned ends are multiples since the epoch or a given origin") {
  const auto search = [](Window run, std::int64_t length, std::int64_t align, std::int64_t origin) {
    return find_window(Status(window(-100, 100), {run}),
                       {.length = minutes(length), .align = minutes(align), .align_origin = minute(origin)});
  };
  CHECK(search(window(-97, -3), 30, 10, 0).window == window(-40, -10));
  CHECK(search(window(-97, -3), 30, 10, 7).window == window(-33, -3));
  CHECK(search(window(3, 97), 87, 10, 0).window == window(3, 90));
  const auto missed = search(window(3, 97), 88, 10, 0);
  CHECK(missed.code == Code::runs_too_short);
  CHECK(missed.shortfall == 1min);
  CHECK(missed.longest_run == window(3, 97));
  CHECK(missed.reason.find("with an aligned end misses 1 min") != std::string::npos);
  CHECK(search(window(1, 9), 1, 10, 0).code == Code::runs_too_short);
  const auto in_double = [](double end) {
    return find_window(fd::Status<double>({0.0, 9.0}, {{0.0, end}}), {.length = 0.05, .align = 0.1}).window->end;
  };
  CHECK(in_double(0.75) == 7 * 0.1);
  CHECK(in_double(3 * 0.1) == 3 * 0.1);
  CHECK(in_double(4.3) == 43 * 0.1);  // though 4.3 / 0.1 is below 43
  CHECK(in_double(0.3) == 0.2);       // the double 3 * 0.1 lies after the double 0.3
}

TEST_CASE("a search finds what trying every end finds") {
  Random random(21);
  constexpr std::int64_t size = 80;
  int found_some = 0, found_none = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    const Dense ticks = random_dense(random, size);
    const auto own_cuts = random_cuts(random, size), more_cuts = random_cuts(random, size);
    const Status s = from_dense(ticks, own_cuts);
    const std::int64_t first = random.integer(-5, 60), last = first + random.integer(1, 60);
    const std::int64_t length = random.integer(1, 9), align = random.integer(0, 1) == 0 ? 1 : random.integer(2, 5);
    const bool straddle = random.integer(0, 2) == 0;
    std::set<std::int64_t> cuts(own_cuts.begin(), own_cuts.end());
    cuts.insert(more_cuts.begin(), more_cuts.end());
    if (straddle) cuts.clear();
    fd::WindowOptions<Minutes> options{.length = minutes(length), .within = window(first, last), .straddle = straddle};
    if (align > 1) options.align = minutes(align);
    for (const auto cut : more_cuts) options.cuts.push_back(minute(cut));
    const auto ends = window_ends(ticks, cuts, first, last, length, align);
    INFO("repeat " << repeat);

    const auto newest = find_window(s, options);
    CHECK(newest.window.has_value() == !ends.empty());
    if (!ends.empty()) CHECK(newest.window == window(*ends.rbegin() - length, *ends.rbegin()));
    (ends.empty() ? found_none : found_some)++;
    CHECK((newest.code == Code::found) == !ends.empty());
    CHECK((newest.shortfall > 0min) == ends.empty());

    // Runs: the ticks that hold, divided at cuts.
    std::vector<Window> runs;
    for (std::int64_t t = std::max<std::int64_t>(first, 0); t < std::min(last, size); ++t) {
      if (ticks[static_cast<std::size_t>(t)] != yes) continue;
      if (!runs.empty() && runs.back().end == minute(t) && cuts.count(t) == 0) {
        runs.back().end = minute(t + 1);
      } else {
        runs.push_back(window(t, t + 1));
      }
    }
    std::optional<Window> longest, longest_with_window;
    std::vector<Window> all, all_runs;
    for (const Window& run : runs) {
      if (!longest || run.length() >= longest->length()) longest = run;
      std::int64_t end = run.end.time_since_epoch().count();
      while (end % align != 0) --end;
      if (minute(end) - minutes(length) < run.begin) continue;
      all_runs.push_back(run);
      all.push_back(window(end - length, end));
      if (!longest_with_window || run.length() >= longest_with_window->length()) longest_with_window = run;
    }
    CHECK(newest.longest_run == (ends.empty() ? longest : std::nullopt));
    options.pick = Pick::all;
    const auto every = find_window(s, options);
    CHECK(every.windows == all);
    CHECK(every.runs == all_runs);
    CHECK(every.longest_run == (all.empty() ? longest : std::nullopt));
    options.pick = Pick::longest;
    const auto best = find_window(s, options);
    CHECK(best.runs == (longest_with_window ? std::vector{*longest_with_window} : std::vector<Window>{}));
    if (longest) CHECK(std::count(all.begin(), all.end(), best.window.value_or(window(0, 0))) == (all.empty() ? 0 : 1));
  }
  CHECK(found_some > 100);
  CHECK(found_none > 100);
}

TEST_CASE("explanations agree with counting ticks") {
  Random random(22);
  constexpr std::int64_t size = 60;
  int explained = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto count = static_cast<std::size_t>(random.integer(1, 4));
    std::vector<Dense> ticks;
    std::vector<fd::Named<Minutes>> named;
    for (std::size_t i = 0; i < count; ++i) {
      ticks.push_back(random_dense(random, size));
      named.push_back({"c" + std::to_string(i), from_dense(ticks[i])});
    }
    const std::int64_t length = random.integer(3, 9);
    const auto found = find_window(named, {.length = minutes(length)});
    if (found.window) {
      CHECK(found.conditions.empty());
      continue;
    }
    ++explained;
    REQUIRE(found.conditions.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      Dense others(size, yes);
      std::int64_t alone = 0;
      for (std::size_t t = 0; t < size; ++t) {
        for (std::size_t j = 0; j < count; ++j)
          if (j != i) others[t] = std::min(others[t], ticks[j][t]);
        alone += others[t] == yes && ticks[i][t] != yes ? 1 : 0;
      }
      const auto& condition = found.conditions[i];
      CHECK(condition.prevents_alone == minutes(alone));
      CHECK(condition.fits_without == !window_ends(others, {}, 0, size, length, 1).empty());
      CHECK(condition.holds == Approx(static_cast<double>(std::count(ticks[i].begin(), ticks[i].end(), yes)) / size));
      CHECK(condition.longest_run == named[i].status.longest(yes));
      CHECK(condition.longest_run_without == from_dense(others).longest(yes));
    }
  }
  CHECK(explained > 100);
}

TEST_CASE("wrong searches are refused") {
  const Status s(window(0, 10), {window(0, 10)});
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)find_window(s, {.length = 0min}); }, "length", "0");
  require_rule(fd::Rule::bad_parameter, [&] { (void)find_window(s, {.length = -1min}); });
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)find_window(s, {.length = 1min, .align = 0min}); }, "align");
  require_rule(fd::Rule::window_empty, [&] { (void)find_window(s, {.length = 1min, .within = window(3, 3)}); });
  require_rule(fd::Rule::empty, [] { (void)find_window(std::vector<fd::Named<Minutes>>{}, {.length = 1min}); });
  const fd::Status<double> d({0.0, 1.0}, {});
  require_rule(fd::Rule::bad_parameter, [&] { (void)find_window(d, {.length = series_test::infinity}); });
  require_rule(fd::Rule::bad_parameter, [&] { (void)find_window(d, {.length = series_test::bad}); });
  require_rule(fd::Rule::time_not_finite, [&] { (void)find_window(d, {.length = 1, .cuts = {series_test::bad}}); });
}
