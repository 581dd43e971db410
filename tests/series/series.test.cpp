// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Times = std::vector<double>;
using Values = std::vector<double>;

TEST_CASE("a series knows its samples and its name") {
  const fd::Series<double, double> series({0, 1, 3}, {5, 6, 7}, {.name = "level"});
  CHECK(series.size() == 3);
  CHECK(series.channels() == 1);
  CHECK(series.name() == "level");
  CHECK(series.channel_names().empty());
  CHECK(series.interpolation() == fd::Interpolation::linear);
  CHECK(series.max_gap() == std::nullopt);
  CHECK(series.span() == fd::Window{0.0, 3.0});
  CHECK(series.time(2) == 3);
  CHECK(series(1) == 6);
}

TEST_CASE("a plain series is of double and nanoseconds") {
  const fd::Series series(ticks<fd::Timestamp>({1, 2}), Values{3, 4});
  STATIC_REQUIRE(std::is_same_v<decltype(series), const fd::Series<>>);
  CHECK(series.time(1) == fd::Timestamp{2ns});
}

TEST_CASE("values of several channels are given row by row") {
  const fd::Series<double, double> series({0, 1}, {1, 2, 3, 4, 5, 6}, {.channel_names = {"a", "b", "c"}});
  REQUIRE(series.channels() == 3);
  CHECK(series(0, 2) == 3);
  CHECK(series(1, 0) == 4);
  CHECK(series.values()(1, 2) == 6);
  CHECK(series.channel_names()[1] == "b");
}

TEST_CASE("a matrix of any layout and number type makes a series") {
  Eigen::MatrixXd column_major(2, 3);
  column_major << 1, 2, 3, 4, 5, 6;
  const fd::Series a(Times{0, 1}, column_major);
  CHECK(a.channels() == 3);
  CHECK(a(0, 1) == 2);
  CHECK(a(1, 0) == 4);
  const fd::Series b(Times{0, 1, 2}, (column_major.transpose() * 2).rowwise().sum());
  CHECK(b.channels() == 1);
  CHECK(b(2) == 18);
  const fd::Series<float, double> c(Times{0, 1}, Eigen::ArrayXXi::Constant(2, 2, 7));
  CHECK(c(1, 1) == 7.0F);
}

TEST_CASE("a series of one sample is a series") {
  const fd::Series<double, double> series({1}, {2});
  CHECK(series.size() == 1);
  CHECK(series.span() == fd::Window{1.0, 1.0});
}

TEST_CASE("a series without samples or channels is refused") {
  require_rule(
      fd::Rule::empty, [] { fd::Series<double, double>({}, Values{}, {.name = "flow"}); }, "Series",
      "at least one sample", "'flow'");
  require_rule(
      fd::Rule::empty,
      [] {
        fd::Series<double, double>({0, 1}, Eigen::MatrixXd(2, 0));
      },
      "at least one channel");
}

TEST_CASE("numbers of stamps and values and names must agree") {
  require_rule(
      fd::Rule::size_mismatch,
      [] {
        fd::Series<double, double>({0, 1}, {1, 2, 3});
      },
      "2 stamps", "3 values", "1 channel");
  require_rule(
      fd::Rule::size_mismatch,
      [] {
        fd::Series<double, double>({0, 1}, Eigen::MatrixXd(3, 2));
      },
      "2 stamps", "6 values", "2 channels");
  require_rule(
      fd::Rule::size_mismatch,
      [] {
        fd::Series<double, double>({0, 1}, Eigen::MatrixXd(2, 2), {.channel_names = {"a"}});
      },
      "2 channels", "1 channel names");
  require_rule(
      fd::Rule::size_mismatch,
      [] {
        fd::Series<double, double>({0, 1}, {1, 2, 3}, {.channel_names = {"a", "b"}});
      },
      "3 values");
}

TEST_CASE("a number of channels that makes the size wrap around is refused") {
  require_error<fd::Overflow>(
      [] {
        fd::Series<double, double>({0, 1, 2, 3}, Eigen::MatrixXd(0, PTRDIFF_MAX / 2));
      },
      "do not fit into memory");
}

TEST_CASE("a stamp that is no finite number is refused") {
  for (const double t : {bad, infinity, -infinity})
    require_rule(
        fd::Rule::time_not_finite,
        [t] {
          fd::Series<double, double>({0, t}, {1, 2}, {.name = "x"});
        },
        "Series", "finite", "'x'", "sample 1");
}

TEST_CASE("stamps that run backward are refused whatever becomes of duplicates") {
  using enum fd::Duplicates;
  for (const auto policy : {error, first, last, mean, event})
    require_rule(
        fd::Rule::time_not_increasing,
        [policy] {
          fd::Series<double, double>({0, 2, 1}, {1, 2, 3}, {.duplicates = policy});
        },
        "1 s follows 2 s", "sample 2");
}

TEST_CASE("two samples at one time are refused unless a policy is given") {
  require_rule(
      fd::Rule::time_repeated,
      [] {
        fd::Series<double, double>({0, 1, 1}, {1, 2, 2});
      },
      "two samples at 1 s", "duplicates", "sample 2");
}

TEST_CASE("an error carries the rule and the place as fields") {
  try {
    fd::Series<double, double>({0, 1, 1}, {1, 2, 2}, {.name = "flow"});
    FAIL("no error was thrown");
  } catch (const fd::InputError& error) {
    CHECK(error.name == "flow");
    CHECK(error.sample == 2U);
  }
}

TEST_CASE("a max_gap must be positive and finite") {
  for (const double gap : {0.0, -1.0, bad, infinity})
    require_rule(
        fd::Rule::bad_parameter, [gap] { fd::Series<double, double>({0}, {1}, {.max_gap = gap}); }, "max_gap");
  require_rule(
      fd::Rule::bad_parameter, [] { fd::Series<>({fd::Timestamp{}}, {1}, {.max_gap = 0ns}); }, "max_gap");
}

TEST_CASE("stamps whose span the time type cannot hold are an overflow") {
  require_error<fd::Overflow>(
      [] {
        fd::Series<>({fd::Timestamp::min(), fd::Timestamp::max()}, {1, 2});
      },
      "Series", "does not fit into the time type");
  require_error<fd::Overflow>([] { fd::Series<double, double>({-1.7e308, 1.7e308}, {1, 2}); }, "does not fit");
}

namespace {
fd::Series<double, double> with_duplicates(fd::Duplicates policy) {
  return {{0, 1, 1, 1, 2, 2}, {10, 11, bad, 14, 20, 21}, {.duplicates = policy}};
}
Values values_of(const fd::SeriesBase<double, double>& series) {
  Values all;
  for (std::size_t i = 0; i < series.size(); ++i) all.push_back(series(i));
  return all;
}
Times times_of(const fd::SeriesBase<double, double>& series) { return {series.times().begin(), series.times().end()}; }
}  // namespace

TEST_CASE("duplicates first and last keep one sample in order of the rows") {
  CHECK(values_of(with_duplicates(fd::Duplicates::first)) == Values{10, 11, 20});
  CHECK(values_of(with_duplicates(fd::Duplicates::last)) == Values{10, 14, 21});
  CHECK(times_of(with_duplicates(fd::Duplicates::last)) == Times{0, 1, 2});
}

TEST_CASE("duplicates mean is that of the good values of each channel") {
  CHECK(values_of(with_duplicates(fd::Duplicates::mean)) == Values{10, 12.5, 20.5});
  const fd::Series<double, double> two({0, 0, 1}, {1, bad, 3, bad, 5, 6},
                                       {.channel_names = {"a", "b"}, .duplicates = fd::Duplicates::mean});
  CHECK(two.size() == 2);
  CHECK(two(0, 0) == 2);
  CHECK(std::isnan(two(0, 1)));
  CHECK(two(1, 1) == 6);
}

TEST_CASE("duplicates mean of two large values does not overflow") {
  const fd::Series<double, double> series({0, 0, 0}, {1.5e308, 1.5e308, bad}, {.duplicates = fd::Duplicates::mean});
  CHECK(series(0) == Approx(1.5e308));
}

TEST_CASE("duplicates event keep the first and the last of the rows at one time") {
  CHECK(times_of(with_duplicates(fd::Duplicates::event)) == Times{0, 1, 1, 2, 2});
  CHECK(values_of(with_duplicates(fd::Duplicates::event)) == Values{10, 11, 14, 20, 21});
}

TEST_CASE("a copy shares the samples and outlives the original") {
  auto original = std::make_unique<fd::Series<double, double>>(
      Times{0, 1}, Values{2, 3}, fd::SeriesOptions<double>{.name = "level", .channel_names = {"y"}});
  const auto copy = *original;
  CHECK(copy.times().data() == original->times().data());
  CHECK(copy.values().data() == original->values().data());
  original.reset();
  CHECK(copy.name() == "level");
  CHECK(copy.channel_names()[0] == "y");
  CHECK(copy(1) == 3);
}

TEST_CASE("a series that was moved from stays whole") {
  fd::Series<double, double> a({0, 1}, {2, 3}, {.name = "a"});
  const auto b = std::move(a);
  CHECK(a.size() == 2);  // NOLINT: this is what is tested
  CHECK(a(1) == 3);
  CHECK(a.name() == "a");
  CHECK(b(1) == 3);
}

TEST_CASE("assignment replaces all that a series knows") {
  fd::Series<double, double> a({0, 1}, {2, 3}, {.name = "a"});
  const fd::Series<double, double> b({5, 6, 7}, {1, 2, 3},
                                     {.name = "b", .interpolation = fd::Interpolation::hold, .max_gap = 2.0});
  a = b;
  CHECK(a.size() == 3);
  CHECK(a.name() == "b");
  CHECK(a.interpolation() == fd::Interpolation::hold);
  CHECK(a.max_gap() == 2.0);
  const auto& same = a;
  a = same;
  CHECK(a(2) == 3);
}

TEST_CASE("a series from a view owns a copy of what the view shows") {
  const fd::Series<double, double> all({0, 1, 1, 2}, {1, 10, 2, 20, 3, 30, 4, 40},
                                       {.name = "all",
                                        .channel_names = {"a", "b"},
                                        .interpolation = fd::Interpolation::hold,
                                        .max_gap = 5.0,
                                        .duplicates = fd::Duplicates::event});
  const fd::Series copy{fd::slice(fd::channel(all, "b"), {1.0, 3.0})};
  STATIC_REQUIRE(std::is_same_v<decltype(copy), const fd::Series<double, double>>);
  CHECK(copy.values().data() != all.values().data());
  CHECK(times_of(copy) == Times{1, 1, 2});
  CHECK(values_of(copy) == Values{20, 30, 40});
  CHECK(copy.name() == "b");
  CHECK(copy.interpolation() == fd::Interpolation::hold);
  CHECK(copy.max_gap() == 5.0);
}

TEST_CASE("stamps of a steady clock and of whole seconds work alike") {
  using Steady = std::chrono::steady_clock::time_point;
  const fd::Series<double, Steady> a({Steady{1s}, Steady{2s}}, {1, 2}, {.max_gap = 500ms});
  CHECK(a.max_gap() == 500ms);
  const fd::Series<float, std::chrono::sys_seconds> b(ticks<std::chrono::sys_seconds>({1, 2}), {1, 2});
  CHECK(b.value(b.time(1)) == 2.0);
}
