// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
using View = fd::SeriesView<double, double>;

namespace {
const std::vector<double> times{0, 1, 2};
const std::vector<double> six{1, 2, 3, 4, 5, 6};
const Series plant({0, 1, 2, 3}, {1, 10, 2, 20, 3, 30, 4, 40}, {.name = "plant", .channel_names = {"flow", "level"}});
}  // namespace

TEST_CASE("a view of a series borrows its samples") {
  const View view = plant;
  CHECK(view.times().data() == plant.times().data());
  CHECK(view.values().data() == plant.values().data());
  CHECK(view.name().data() == plant.name().data());
  CHECK(view.channel_names().data() == plant.channel_names().data());
}

TEST_CASE("a view deduces its types from a series") {
  const fd::SeriesView view{plant};
  STATIC_REQUIRE(std::is_same_v<decltype(view), const View>);
}

TEST_CASE("a row-major buffer is mapped without a copy") {
  const View view(times, six, fd::Layout{2, 2, 1});
  CHECK(view.channels() == 2);
  CHECK(view.values().data() == six.data());
  CHECK(view(1, 0) == 3);
  CHECK(view(2, 1) == 6);
  CHECK(view.values()(1, 1) == 4);
}

TEST_CASE("a column-major buffer is mapped without a copy") {
  const View view(times, six, fd::Layout{2, 1, 3});
  CHECK(view.values().data() == six.data());
  CHECK(view(1, 0) == 2);
  CHECK(view(0, 1) == 4);
  CHECK(view.values()(2, 1) == 6);
}

TEST_CASE("every second value of a buffer is a view with stride two") {
  const View view(times, std::span<const double>(six).subspan(1), fd::Layout{1, 2, 1});
  CHECK(view(0) == 2);
  CHECK(view(2) == 6);
  CHECK(view.value(1.5) == 5.0);
}

TEST_CASE("an Eigen matrix of floats is mapped by its strides") {
  Eigen::MatrixXf matrix(3, 2);
  matrix << 1, 2, 3, 4, 5, 6;
  const std::span<const float> buffer(matrix.data(), 6);
  const fd::SeriesView<float, double> view(times, buffer, fd::Layout{2, matrix.innerStride(), matrix.outerStride()});
  CHECK(view.values() == matrix);
  CHECK(fd::channel(view, 1).values().data() == matrix.data() + 3);
}

TEST_CASE("one channel in a plain buffer needs no layout") {
  const View view(times, std::span<const double>(six).first(3),
                  {.name = "y", .interpolation = fd::Interpolation::hold});
  CHECK(view.name() == "y");
  CHECK(view.value(1.5) == 2.0);
}

TEST_CASE("a layout that reaches outside the buffer is refused") {
  const auto refused = [](std::size_t values, fd::Layout layout) {
    require_rule(
        fd::Rule::size_mismatch, [&] { View(times, std::span(six).first(values), layout); }, "SeriesView", "3 stamps");
  };
  refused(5, {2, 2, 1});
  refused(5, {2, 1, 3});
  refused(2, {1, 1, 1});
  refused(4, {1, 1, 1});
  refused(4, {1, 2, 1});
  refused(6, {1, -1, 1});
  refused(6, {2, 2, -1});
  refused(6, {2, PTRDIFF_MAX, 1});
  refused(6, {3, 1, PTRDIFF_MAX});
  refused(6, {2, PTRDIFF_MAX / 2, PTRDIFF_MAX / 2 + 2});
}

TEST_CASE("a layout in which two values share an element is refused") {
  const auto refused = [](fd::Layout layout) {
    require_rule(
        fd::Rule::bad_parameter, [&] { View(times, six, layout); }, "share an element");
  };
  refused({2, 1, 1});
  refused({2, 1, 2});
  refused({1, 0, 1});
  refused({2, 2, 0});
  CHECK_NOTHROW(View(times, six, fd::Layout{2, 2, 1}));
  CHECK_NOTHROW(View(std::span(times).first(1), six, fd::Layout{6, 0, 1}));
}

TEST_CASE("a buffer is checked like the samples of a series") {
  const auto refused = [](fd::Rule rule, std::vector<double> stamps, fd::ViewOptions<double> options = {}) {
    require_rule(
        rule, [&] { View(stamps, std::span(six).first(stamps.size()), options); }, "SeriesView");
  };
  const std::vector<std::string> names{"a", "b"};
  refused(fd::Rule::empty, {});
  refused(fd::Rule::time_not_finite, {0, bad, 2});
  refused(fd::Rule::time_not_increasing, {0, 2, 1});
  refused(fd::Rule::time_repeated, {0, 1, 1});
  refused(fd::Rule::bad_parameter, {0, 1, 2}, {.max_gap = 0.0});
  refused(fd::Rule::size_mismatch, {0, 1, 2}, {.channel_names = names});
  require_rule(
      fd::Rule::empty,
      [] {
        View(times, six, fd::Layout{0, 1, 1});
      },
      "at least one channel");
}

TEST_CASE("a buffer may hold events of two samples but not of three") {
  const std::vector<double> pair{0, 1, 1}, triple{1, 1, 1};
  const auto values = std::span(six).first(3);
  const View view(pair, values, {.events = true});
  CHECK(view.value(1, fd::Side::left) == 2.0);
  CHECK(view.value(1) == 3.0);
  require_rule(
      fd::Rule::time_repeated, [&] { View(triple, values, {.events = true}); }, "three samples at 1 s");
}

TEST_CASE("a channel is a view of its column with its own name") {
  const auto by_index = fd::channel(plant, 1);
  const auto by_name = fd::channel(plant, "level");
  for (const auto& level : {by_index, by_name}) {
    CHECK(level.channels() == 1);
    CHECK(level.name() == "level");
    CHECK(level.channel_names().size() == 1);
    CHECK(level.values().data() == plant.values().data() + 1);
    CHECK(level(3) == 40);
  }
  CHECK(fd::channel(by_name, "level")(0) == 10);
}

TEST_CASE("a channel without a name has that of the series") {
  const Series unnamed({0, 1}, Eigen::MatrixXd::Ones(2, 2), {.name = "plant"});
  CHECK(fd::channel(unnamed, 1).name() == "plant");
  const Series empty_name({0, 1}, Eigen::MatrixXd::Ones(2, 2), {.name = "plant", .channel_names = {"a", ""}});
  CHECK(fd::channel(empty_name, 1).name() == "plant");
}

TEST_CASE("a channel that is not there or not unique is refused") {
  require_rule(
      fd::Rule::index_out_of_range, [] { (void)fd::channel(plant, 2); }, "channel", "no channel 2", "series has 2",
      "'plant'");
  require_rule(
      fd::Rule::unknown_name, [] { (void)fd::channel(plant, "Flow"); }, "no channel 'Flow'", "'flow', 'level'");
  const Series twice({0, 1}, Eigen::MatrixXd::Ones(2, 2), {.channel_names = {"a", "a"}});
  require_rule(
      fd::Rule::unknown_name, [&] { (void)fd::channel(twice, "a"); }, "several channels 'a'");
  const Series unnamed({0, 1}, Eigen::MatrixXd::Ones(2, 2));
  require_rule(
      fd::Rule::unknown_name, [&] { (void)fd::channel(unnamed, "a"); }, "no names");
}

TEST_CASE("a slice holds the samples from begin up to but not at end") {
  const auto part = fd::slice(plant, {1.0, 3.0});
  CHECK(part.size() == 2);
  CHECK(part.times().data() == plant.times().data() + 1);
  CHECK(part.values().data() == plant.values().data() + 2);
  CHECK(part(1, 1) == 30);
  CHECK(part.channel_names()[0] == "flow");
  CHECK(fd::slice(plant, {0.5, 1.5}).size() == 1);
  CHECK(fd::slice(plant, {-9.0, 9.0}).size() == 4);
  CHECK(fd::slice(fd::slice(plant, {1.0, 9.0}), {2.0, 9.0}).size() == 2);
}

TEST_CASE("a slice takes both sides of an event or none") {
  const Series series({0, 1, 1, 2}, {1, 2, 3, 4}, {.duplicates = fd::Duplicates::event});
  CHECK(fd::slice(series, {1.0, 2.0}).size() == 2);
  CHECK(fd::slice(series, {0.0, 1.0}).size() == 1);
}

TEST_CASE("a slice without samples is refused") {
  require_rule(
      fd::Rule::window_outside,
      [] {
        (void)fd::slice(plant, {1.25, 1.75});
      },
      "slice", "no sample lies in", "[1.25 s, 1.75 s)", "from 0 s to 3 s");
  require_rule(fd::Rule::window_outside, [] { (void)fd::slice(plant, {4.0, 5.0}); });
  require_rule(
      fd::Rule::window_empty,
      [] {
        (void)fd::slice(plant, {2.0, 2.0});
      },
      "slice");
  require_rule(
      fd::Rule::time_not_finite,
      [] {
        (void)fd::slice(plant, {0.0, bad});
      },
      "slice");
}

TEST_CASE("the same samples can be read with another interpolation") {
  const Series line({0, 10, 30}, {0, 1, 3}, {.max_gap = 100.0});
  const auto steps = fd::with_interpolation(line, fd::Interpolation::hold, 15.0);
  CHECK(steps.values().data() == line.values().data());
  CHECK(steps.interpolation() == fd::Interpolation::hold);
  CHECK(steps.max_gap() == 15.0);
  CHECK(line.value(5) == 0.5);
  CHECK(steps.value(5) == 0.0);
  CHECK(steps.value(26) == std::nullopt);
  CHECK(fd::with_interpolation(steps, fd::Interpolation::linear).max_gap() == std::nullopt);
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::with_interpolation(line, fd::Interpolation::hold, -1.0); },
      "with_interpolation", "max_gap");
}
