// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/report/html_tube.hpp>
#include <fidelity/report/junit.hpp>
#include <fidelity/validation/tube_signals.hpp>

#include "reference/markup.hpp"

namespace fd = fidelity;
using markup::count;
using namespace std::chrono_literals;

namespace {
using Run = fd::Series<double, double>;

Run run(std::vector<double> times, std::vector<double> values) {
  fd::SeriesOptions<double> options;
  options.duplicates = fd::Duplicates::event;
  return {std::move(times), std::move(values), std::move(options)};
}
Run record(std::vector<double> values, std::vector<std::string> names) {
  std::vector<double> times;
  for (std::size_t k = 0; k < values.size() / names.size(); ++k) times.push_back(static_cast<double>(k));
  fd::SeriesOptions<double> options;
  options.channel_names = std::move(names);
  return {std::move(times), std::move(values), std::move(options)};
}
}  // namespace

TEST_CASE("the size of a page depends on its width and not on the number of samples, and the one that fails is seen") {
  // A million samples give 0.37 MB as well; fewer keep the sanitizers quick.
  std::vector<double> times(150'000), values(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = 0.001 * static_cast<double>(i);
    values[i] = std::sin(0.1 * times[i]) + ((i * 7919) % 100 < 50 ? 0.05 : -0.05);
  }
  const Run reference(times, values);
  values[54'321] = 3.5;
  const Run test(times, values);
  const auto result = fd::check_tube(test, reference);
  CHECK(result.verdict == fd::Verdict::fail);
  const std::string page = fd::to_html(result, test, reference);
  CHECK(page.size() < 600'000);
  CHECK(markup::fault(page) == "");
  const std::string text = markup::seen(page);
  CHECK(text.find("1 of 150000 compared samples") != std::string::npos);
  CHECK(text.find("54.321 s") != std::string::npos);
  CHECK(count(page, "url(#failed)") >= 4);  // in both panels, wide and narrow
}

TEST_CASE("the tube is drawn around the reference and the error where it was judged") {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  const Run reference = run({0, 1, 2, 3, 4}, {0, 0, nan_value, 0, 0});
  const Run test = run({0, 1, 2, 3, 3, 4}, {0, 0.5, 9, 0, 0, 0});
  fd::Tube<double> tube{.relative = 0, .absolute = 1, .unit = "bar"};
  tube.time = 0.25;
  const auto result = fd::check_tube(test, reference, tube);
  const auto errors = fd::detail::drawn_errors(test, result.test);
  CHECK(errors(1) == 0.5);
  CHECK(std::isnan(errors(2)));  // not judged: no line across
  const auto figure = fd::tube_figure(result, test, reference);
  const std::string svg = figure->svg();
  CHECK(markup::fault(svg.substr(0, svg.find("<style>")) + svg.substr(svg.find("</style>") + 8)) == "");
  CHECK(count(svg, "class=\"band\"") == 2);
  CHECK(count(svg, "value in bar") == 1);
  CHECK_FALSE(markup::prints_no_number(svg));
  // Two single instants have no extent to draw; the page says the rest.
  const Run one = run({3}, {1});
  const auto instant = fd::check_tube(one, one);
  CHECK_FALSE(fd::tube_figure(instant, one, one));
  CHECK(markup::seen(fd::to_html(instant, one, one)).find("pass") != std::string::npos);
}

TEST_CASE("a band is drawn there and back and broken where it is missing") {
  fd::Figure figure(fd::Window{0.0, 4.0});
  const std::vector<double> times{0, 1, 2, 3, 4}, low{0, 0, std::nan(""), 0, 0}, high{1, 1, 1, 1, 1};
  figure.panel("x").band(times, low, high, "tolerance");
  const std::string svg = figure.svg();
  const auto path = svg.substr(svg.rfind("<path class=\"band\" d=\""));
  CHECK(count(path.substr(0, path.find("/>")), "M") == 2);
  CHECK(count(path.substr(0, path.find("/>")), "Z") == 2);
  CHECK_THROWS_AS(figure.panel("y").band(times, low, std::vector<double>{1}), fd::InputError);
}

TEST_CASE("a figure of absolute time tells a script where it begins and a narrow one has fewer points") {
  const fd::Timestamp t0{1'718'000'000s};
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  for (int k = 0; k < 20'000; ++k) {
    times.push_back(t0 + k * 1s);
    values.push_back(k % 2);
  }
  fd::Figure figure(fd::Window{times.front(), times.back()}, {.title = "x"});
  figure.panel("x").line(fd::Series<>(times, values), "a \"b\"");
  const std::string wide = figure.fragment(), narrow = figure.fragment(370);
  CHECK(count(wide, "data-utc=\"1718000000000\"") == 1);
  CHECK(count(wide, "data-name=\"a &quot;b&quot;\"") == 1);
  CHECK(count(wide, "<style>") == 0);
  CHECK(narrow.size() < wide.size() / 2);
  CHECK(markup::fault(narrow) == "");
}

TEST_CASE("the index of signals puts failures first and names what is missing") {
  const Run reference = record({0, 0, 0, 5, 1, 1, 1, 5}, {"a", "b & <c>", "gone", "left out"});
  const Run test = record({0, 9, 0, 7, 1, 9, 1, 7}, {"a", "b & <c>", "new", "left out"});
  fd::TubeRule<double> skip{"left*"};
  skip.skip = true;
  const auto checks = fd::check_tubes(test, reference, {skip});
  CHECK(checks.verdict == fd::Verdict::fail);
  REQUIRE(checks.signals.size() == 3);
  CHECK(checks.signals[2].result.reason.code == "missing_in_test");
  CHECK(checks.extra == std::vector<std::string>{"new"});
  CHECK(checks.skipped == std::vector<std::string>{"left out"});
  const std::string page = fd::to_html<double>(
      checks, {}, [](const fd::SignalCheck<double>& each) { return each.name == "a" ? "x.html" : ""; });
  CHECK(markup::fault(page) == "");
  const auto place = [&](const char* words) { return page.find(words); };
  CHECK(place("b &amp; &lt;c&gt;") < place(">gone<"));
  CHECK(place(">gone<") < place("<a href=\"x.html\">a</a>"));
  CHECK(place("1 pass, 1 fail, 1 incomplete") != std::string::npos);
  CHECK(markup::seen(page).find("In the test only, not judged") != std::string::npos);
  // Without signals nothing is compared, and that is no pass.
  CHECK(fd::to_html(fd::SignalChecks<double>{}).find("banner amber") != std::string::npos);
  CHECK_THROWS_AS(fd::check_tubes(run({0, 1}, {0, 1}), reference), fd::InputError);
}

TEST_CASE("an exact name goes before patterns and the first pattern before others") {
  const Run both = record({0, 0, 0, 1, 1, 1}, {"T_1", "T_2", "p"});
  const fd::TubeRule<double> rules[] = {
      {"T*", {.absolute = 1}}, {"*", {.absolute = 2}}, {"T_2", {.absolute = 3}, fd::Interpolation::hold}};
  const auto checks = fd::check_tubes(both, both, {rules[0], rules[1], rules[2]});
  CHECK(checks.verdict == fd::Verdict::pass);
  CHECK(checks.signals[0].result.tolerance == 1);
  CHECK(checks.signals[1].result.tolerance == 3);
  CHECK(checks.signals[1].interpolation == fd::Interpolation::hold);
  CHECK(checks.signals[2].result.tolerance == 2);
  CHECK(fd::matches_pattern("ab", "a?"));
  CHECK(fd::matches_pattern("", "*"));
  CHECK(fd::matches_pattern("body.v[1, 2]", "*.v[*]"));
  CHECK(fd::matches_pattern("aab", "*ab"));
  CHECK_FALSE(fd::matches_pattern("abc", "a?"));
  CHECK_FALSE(fd::matches_pattern("", "?"));
}
