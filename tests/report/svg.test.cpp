// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include <fidelity/errors.hpp>
#include <fidelity/report/svg.hpp>
#include <fidelity/series/series.hpp>

#include "reference/series_polynomial_signal.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {

using Points = std::vector<fd::detail::DrawnPoint>;

fd::Series<double, double> series(std::vector<double> times, std::vector<double> values,
                                  fd::Interpolation interpolation = fd::Interpolation::linear) {
  fd::SeriesOptions<double> options;
  options.interpolation = interpolation;
  return {std::move(times), std::move(values), std::move(options)};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++found;
  return found;
}

/// Every element is closed in the right order, and no text holds bare markup.
bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  const std::regex tag(R"(<(/?)([a-zA-Z]+)(?:"[^"]*"|[^<>"])*?(/?)>)");
  for (auto i = std::sregex_iterator(svg.begin(), svg.end(), tag); i != std::sregex_iterator(); ++i) {
    if ((*i)[1].length() > 0) {
      if (open.empty() || open.back() != (*i)[2]) return false;
      open.pop_back();
    } else if ((*i)[3].length() == 0) {
      open.push_back((*i)[2]);
    }
  }
  const std::string rest = std::regex_replace(svg, tag, "");
  return open.empty() && rest.find('<') == std::string::npos;
}

}  // namespace

TEST_CASE("a linear series is drawn through its samples") {
  const Points line = fd::detail::drawn_line(series({0, 1, 4}, {1, 3, 2}), {0, 4}, 100);
  REQUIRE(line.size() == 3);  // the middle sample ends one piece and begins the next: it is drawn once
  CHECK(line[0].lifted);
  CHECK(line[0].value == 1);
  CHECK(line[1].place == 0.25);
  CHECK(line[1].value == 3);
  CHECK(line.back().place == 1);
  CHECK(line.back().value == 2);
}

TEST_CASE("a held series is drawn as stairs up to the end of the picture") {
  const Points line = fd::detail::drawn_line(series({0, 2}, {1, 5}, fd::Interpolation::hold), {0, 4}, 100);
  REQUIRE(line.size() == 4);
  CHECK(line[1].place == 0.5);
  CHECK(line[1].value == 1);  // level up to the step
  CHECK(line[2].place == 0.5);
  CHECK(line[2].value == 5);  // a vertical step: the pen stays down
  CHECK_FALSE(line[2].lifted);
  CHECK(line[3].place == 1);
}

TEST_CASE("a line is broken where the signal is missing") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Points line = fd::detail::drawn_line(series({0, 1, 2, 3, 4}, {1, 1, nan, 2, 2}), {0, 4}, 100);
  REQUIRE(line.size() == 4);
  CHECK(line[1].place == 0.25);
  CHECK(line[2].place == 0.75);
  CHECK(line[2].lifted);
}

TEST_CASE("a peak of one sample among a million stays and the picture is small") {
  std::vector<double> times(1'000'000), values(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = static_cast<double>(i);
    values[i] = std::sin(1e-5 * times[i]) + ((i * 7919) % 100 < 50 ? 0.5 : -0.5);
  }
  values[654'321] = 77;
  values[654'399] = -55;
  fd::Figure figure(fd::Window{0.0, 999'999.0});
  const auto& panel = figure.panel("x").line(series(times, values));
  const Points& line = panel.lines()[0].points;
  CHECK(line.size() <= 4 * 961);
  double low = 0, high = 0;
  for (const auto& point : line) {
    low = std::min(low, point.value);
    high = std::max(high, point.value);
  }
  CHECK(high == 77);
  CHECK(low == -55);
  CHECK(figure.svg().size() < 200'000);
}

TEST_CASE("turning points of a cubic between two columns are drawn") {
  // e - e^3 has its peak at 1/sqrt 3; the whole piece is a thousandth of the picture.
  const auto signal = series_test::from_events<double>({{0, {0, 1, 0, -1}}, {1, {0}}}, 1000);
  const Points line = fd::detail::drawn_line(signal, {0, 1000}, 100);
  double high = 0;
  for (const auto& point : line) high = std::max(high, point.value);
  CHECK(high == Approx(2 / (3 * std::sqrt(3.0))).epsilon(1e-12));
}

TEST_CASE("a figure is well-formed and escapes what the data brings along") {
  const std::string evil = "a<b> & \"c\" \x01 \xff \xc3\xa4";
  fd::Figure figure(fd::Window{0.0, 4.0}, {.title = evil, .caption = evil});
  figure.panel(evil)
      .line(series({0, 1, 4}, {1, 3, 2}), evil)
      .shade(fd::WindowSet<double>{{1, 2}, {3, 9}}, fd::Shade::holds, evil)
      .level(2, evil)
      .mark(2, evil)
      .mark(77, "outside")
      .note(evil)
      .points(std::vector<double>{1, 2, 9}, std::vector<double>{1, std::nan(""), 1}, evil);
  const std::string svg = figure.svg();
  CHECK(well_formed(svg));
  CHECK(count(svg, "a&lt;b&gt; &amp; &quot;c&quot; \xEF\xBF\xBD \xEF\xBF\xBD \xc3\xa4") >= 8);
  CHECK(count(svg, "outside") == 0);
  CHECK(count(svg, "r=\"2\"") == 1);  // one finite point inside
  CHECK(count(svg, "nan") == 0);
}

TEST_CASE("shaded stretches are cut at the edge of the picture") {
  fd::Figure figure(fd::Window{0.0, 4.0});
  const auto& panel = figure.panel("x").shade(fd::WindowSet<double>{{-5, 1}, {3, 9}}, fd::Shade::both);
  CHECK(panel.shades()[0].windows == fd::WindowSet<double>{{0, 1}, {3, 4}});
}

TEST_CASE("values without spread and values near the largest number have a scale") {
  for (const double value : {0.0, -7.0, 1e9, 1e-300, 1.7e308}) {
    fd::Figure figure(fd::Window{0.0, 1.0});
    figure.panel("x").line(series({0, 1}, {value, value}));
    const std::string svg = figure.svg();
    CHECK(well_formed(svg));
    CHECK(count(svg, "nan") + count(svg, "inf") == 0);
  }
  fd::Figure figure(fd::Window{0.0, 1.0});
  figure.panel("x").line(series({0, 1}, {-1.7e308, 1.7e308}, fd::Interpolation::hold));
  CHECK(count(figure.svg(), "nan") + count(figure.svg(), "inf") == 0);
}

TEST_CASE("the ticks of an axis are round and labelled with the decimals of their step") {
  std::vector<std::string> labels;
  for (const auto& tick : fd::detail::value_ticks(-0.12, 0.33, 5)) labels.push_back(tick.label);
  CHECK(labels == std::vector<std::string>{"-0.1", "0", "0.1", "0.2", "0.3"});
  labels.clear();
  for (const auto& tick : fd::detail::value_ticks(1995, 2105, 5)) labels.push_back(tick.label);
  CHECK(labels == std::vector<std::string>{"2000", "2050", "2100"});
}

TEST_CASE("the time axis shows clock times in UTC and the date where it begins and changes") {
  const fd::Timestamp begin{1'631'296'740s};  // 2021-09-10T17:59:00Z
  std::vector<std::string> labels;
  for (const auto& tick : fd::detail::time_ticks(fd::Window{begin, begin + 12h}, 5)) labels.push_back(tick.label);
  CHECK(labels == std::vector<std::string>{"2021-09-10 18:00", "21:00", "2021-09-11 00:00", "03:00"});
  const fd::Timestamp early{-90s};  // before 1970
  labels.clear();
  for (const auto& tick : fd::detail::time_ticks(fd::Window{early, early + 60s}, 6)) labels.push_back(tick.label);
  CHECK(labels.front() == "1969-12-31 23:58:30");
  CHECK(labels.size() == 7);
}

TEST_CASE("a figure is written whole and wrong sizes are refused") {
  fd::Figure figure(fd::Window{0.0, 1.0});
  figure.panel("x").line(series({0, 1}, {1, 2}));
  const auto path = std::filesystem::temp_directory_path() / "fidelity_svg_test.svg";
  fd::write_svg(path, figure);
  std::ifstream file(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == figure.svg());
  std::filesystem::remove(path);

  CHECK_THROWS_AS(fd::Figure(fd::Window{1.0, 1.0}), fd::InputError);
  CHECK_THROWS_AS(fd::Figure(fd::Window{0.0, 1.0}, {.width = 10}), fd::InputError);
  CHECK_THROWS_AS(fd::Figure(fd::Window{0.0, 1.0}, {.panel_height = std::nan("")}), fd::InputError);
  CHECK_THROWS_AS(figure.panel("y").level(std::nan("")), fd::InputError);
  CHECK_THROWS_AS(figure.panel("y").points(std::vector<double>{1}, std::vector<double>{}), fd::InputError);
}
