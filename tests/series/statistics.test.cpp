// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
constexpr auto hold = fd::Interpolation::hold;

namespace {
Series minutes(std::vector<double> times, std::vector<double> values, fd::Interpolation interpolation) {
  return {std::move(times), std::move(values), {.interpolation = interpolation, .duplicates = fd::Duplicates::event}};
}
}  // namespace

TEST_CASE("the mean of a held signal counts the value from before the window") {
  // field case 11 a, also as plant data on a clock of minutes
  const auto check = [](const auto& series, auto t) {
    const double means[] = {17.09090909090909, 19.0, 15.733333333333333, 12.0};
    const double coverages[] = {0.9166666666666666, 1, 1, 1};
    for (int k = 0; k < 4; ++k) {
      const auto mean = fd::mean(series, {t(60 * k), t(60 * k + 60)});
      CHECK(std::abs(*mean.value - means[k]) <= 1e-12);
      CHECK(mean.coverage == Approx(coverages[k]).epsilon(1e-15));
    }
  };
  check(minutes({5, 50, 65, 110, 128}, {12, 40, 12, 40, 12}, hold), [](int k) { return static_cast<double>(k); });
  check(
      fd::Series<double, Minutes>(ticks<Minutes>({5, 50, 65, 110, 128}), {12, 40, 12, 40, 12}, {.interpolation = hold}),
      [](int k) { return tick<Minutes>(k); });
}

TEST_CASE("the mean of a linear signal interpolates the edges and extrapolates nothing") {
  // field case 11 b and c
  const auto series = minutes({21, 24, 33, 37, 52}, {80, 95, 65, 71, 101}, fd::Interpolation::linear);
  const auto b = fd::mean(series, {22, 40});
  CHECK(std::abs(*b.value - 77.44444444444444) <= 1e-12);
  CHECK(b.coverage == 1);
  const auto c = fd::mean(series, {46, 60});
  CHECK(std::abs(*c.value - 95.0) <= 1e-12);
  CHECK(c.coverage == Approx(0.42857142857142855).epsilon(1e-15));
}

TEST_CASE("time without a good value shortens the known time and nothing else") {
  const auto a = fd::mean(minutes({-5, 15, 30}, {10, bad, 20}, hold), {0, 60});
  CHECK(std::abs(*a.value - 16.666666666666668) <= 1e-12);
  CHECK(a.coverage == 0.75);
  CHECK(*fd::mean(minutes({-10, 2, 55}, {100, 10, 100}, hold), {0, 60}).value == Approx(20.5).epsilon(1e-14));
  CHECK(*fd::mean(minutes({-50, 190, 230}, {10, 20, 40}, hold), {180, 240}).value ==
        Approx(21.666666666666668).epsilon(1e-14));
}

TEST_CASE("a jump adds nothing to an integral") {
  const auto series = minutes({0, 2, 2, 4, 6, 6, 9}, {1, 1, 5, 3, 3, -1, -1}, fd::Interpolation::linear);
  CHECK(fd::integral(series, {0, 9}).value == 13.0);
  CHECK(std::abs(*fd::mean(series, {0, 9}).value - 1.4444444444444444) <= 1e-12);
  CHECK(fd::coverage(series, {0, 9}) == 1);
}

TEST_CASE("the integral has the unit of the value times seconds whatever the tick") {
  const fd::Series<double, Minutes> series(ticks<Minutes>({0, 2}), {3, 3});
  CHECK(fd::integral(series, {tick<Minutes>(0), tick<Minutes>(2)}).value == 360.0);
}

TEST_CASE("all statistics of a straight line") {
  const Series series({0, 4}, {1, 9});
  CHECK(fd::mean(series, {1, 3}).value == 5.0);
  CHECK(fd::integral(series, {1, 3}).value == 10.0);
  CHECK(*fd::standard_deviation(series, {1, 3}).value == Approx(2 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(fd::slope(series, {1, 3}).value == 2.0);
  CHECK(fd::minimum(series, {1, 3}).value == 3.0);
  CHECK(fd::maximum(series, {1, 3}).value == 7.0);
}

TEST_CASE("all statistics of a held square wave") {
  const Series series({0, 1, 2, 3}, {0, 4, 0, 4}, {.interpolation = hold});
  CHECK(fd::mean(series, {0, 4}).value == 2.0);
  CHECK(fd::standard_deviation(series, {0, 4}).value == 2.0);
  CHECK(fd::slope(series, {0, 2}).value == 3.0);  // 12 integral (t - 1)(x - 2) / 8 = 12 * 2 / 8
  CHECK(fd::slope(series, {1, 2}).value == 0.0);
}

TEST_CASE("a constant has its own value as mean and no spread however it is cut") {
  for (const double x : {0.1, -1e300, 1e9 + 0.1, 5e-324}) {
    const Series series({0, 0.1, 0.3, 0.7, 1.9}, {x, x, x, x, x});
    for (const fd::Window<double> window : {fd::Window{0.0, 1.9}, fd::Window{0.05, 0.95}}) {
      CHECK(fd::mean(series, window).value == x);
      CHECK(fd::standard_deviation(series, window).value == 0.0);
      CHECK(fd::slope(series, window).value == 0.0);
      CHECK(fd::minimum(series, window).value == x);
    }
  }
}

TEST_CASE("full coverage is exactly one and not almost one") {
  std::vector<double> times, values;
  for (int k = 0; k <= 1000; ++k) {
    times.push_back(0.1 * k);
    values.push_back(k % 7);
  }
  const Series series(times, values);
  Random random(62);
  for (int k = 0; k < 100; ++k) {
    const fd::Window window{random.real(0, 40), random.real(50, 100)};
    CHECK(fd::coverage(series, window) == 1);
    CHECK(fd::mean(series, window, {.min_coverage = 1}).value);
  }
}

TEST_CASE("coverage below the minimum turns the value into a missing one and stays visible") {
  const Series series({0, 3}, {1, 2});
  CHECK(fd::mean(series, {0, 4}, {.min_coverage = 0.75}).value == 1.5);
  const auto low = fd::mean(series, {0, 4}, {.min_coverage = 0.76});
  CHECK(low.value == std::nullopt);
  CHECK(low.coverage == 0.75);
  CHECK(fd::integral(series, {0, 4}, {.min_coverage = 0.76}).value == std::nullopt);
  CHECK(fd::standard_deviation(series, {0, 4}, {.min_coverage = 0.76}).value == std::nullopt);
  CHECK(fd::slope(series, {0, 4}, {.min_coverage = 0.76}).value == std::nullopt);
  CHECK(fd::minimum(series, {0, 4}, {.min_coverage = 0.76}).value == std::nullopt);
  CHECK(fd::maximum(series, {0, 4}, {.min_coverage = 0.76}).time == std::nullopt);
}

TEST_CASE("a window in which nothing is known has no value and coverage zero") {
  const Series line({0, 1}, {1, 2}), one({5}, {7}), gap({0, 1, 2}, {1, bad, 2});
  for (const auto* series : {&line, &one, &gap}) {
    const fd::Window<double> window = series == &gap ? fd::Window{0.5, 1.5} : fd::Window{4.5, 5.5};
    CHECK(fd::coverage(*series, window) == 0);
    CHECK(fd::mean(*series, window).value == std::nullopt);
    CHECK(fd::integral(*series, window).value == std::nullopt);
    CHECK(fd::standard_deviation(*series, window).value == std::nullopt);
    CHECK(fd::slope(*series, window).value == std::nullopt);
    CHECK(fd::minimum(*series, window).value == std::nullopt);
    CHECK(fd::maximum(*series, window).value == std::nullopt);
    CHECK(fd::mean(*series, window).coverage == 0);
  }
}

TEST_CASE("an extremum says when it is first reached") {
  const Series series({0, 1, 2, 3, 4}, {5, 1, 5, 1, 3});
  const auto low = fd::minimum(series, {0, 4}), high = fd::maximum(series, {0, 4});
  CHECK(low.value == 1.0);
  CHECK(low.time == 1.0);
  CHECK_FALSE(low.left_limit);
  CHECK(high.time == 0.0);
}

TEST_CASE("an extremum that is only a left limit says so") {
  const auto series = minutes({0, 2, 2, 4}, {0, 9, 1, 1}, fd::Interpolation::linear);
  const auto high = fd::maximum(series, {0, 4});
  CHECK(high.value == 9.0);
  CHECK(high.time == 2.0);
  CHECK(high.left_limit);
  const auto end = fd::maximum(series, {0, 1});
  CHECK(end.value == 4.5);
  CHECK(end.time == 1.0);
  CHECK(end.left_limit);
  CHECK_FALSE(fd::maximum(Series({0, 1}, {2, 3}), {0, 5}).left_limit);
}

TEST_CASE("the extremum at the last sample is the sample itself and not its rounded neighbour") {
  for (int k = 1; k <= 200; ++k) {
    const double low = 0.1 * k, high = std::nextafter(low, 1e9) + 1e-3 * (k % 3), dt = 0.7 * k;
    const Series series({0, dt}, {low, high});
    CHECK(fd::maximum(series, {0, 1e3}).value == high);
    CHECK(fd::minimum(Series({0, dt}, {high, low}), {0, 1e3}).value == low);
  }
}

TEST_CASE("a last sample one unit above an earlier one is the maximum") {
  Random random(61);
  for (int k = 0; k < 500; ++k) {
    const double high = random.real(1, 2), earlier = std::nextafter(high, 0), low = random.real(-1, 0);
    const Series series({0, 1, 1 + random.real(0.1, 1)}, {earlier, low, high});
    CHECK(fd::maximum(series, {0, 3}).value == high);
    CHECK(fd::maximum(series, {0, 3}).time == series.time(2));
  }
}

TEST_CASE("a left limit outside the window does not count") {
  const auto series = minutes({0, 2, 2, 4}, {0, 9, 1, 1}, fd::Interpolation::linear);
  CHECK(fd::maximum(series, {2, 4}).value == 1.0);
}

TEST_CASE("each channel has its own mean") {
  const fd::Series<double, double> plant({0, 2}, {1, 10, 3, bad}, {.channel_names = {"a", "b"}});
  const auto all = fd::means(plant, {0, 2});
  REQUIRE(all.size() == 2);
  CHECK(all[0].value == 2.0);
  CHECK(all[1].value == std::nullopt);
  CHECK(fd::means(plant, {0, 3}, {.min_coverage = 0.9})[0].value == std::nullopt);
}

TEST_CASE("a wrong window or option is refused and gives no number") {
  const Series series({0, 1}, {1, 2});
  const auto each = [&](fd::Rule rule, fd::Window<double> window, fd::AggregateOptions options = {}) {
    require_rule(
        rule, [&] { (void)fd::mean(series, window, options); }, "mean");
    require_rule(
        rule, [&] { (void)fd::integral(series, window, options); }, "integral");
    require_rule(
        rule, [&] { (void)fd::standard_deviation(series, window, options); }, "standard_deviation");
    require_rule(
        rule, [&] { (void)fd::slope(series, window, options); }, "slope");
    require_rule(
        rule, [&] { (void)fd::minimum(series, window, options); }, "minimum");
    require_rule(
        rule, [&] { (void)fd::maximum(series, window, options); }, "maximum");
    require_rule(rule, [&] { (void)fd::means(series, window, options); });
  };
  each(fd::Rule::window_empty, {1, 1});
  each(fd::Rule::window_empty, {1, 0});
  each(fd::Rule::time_not_finite, {0, bad});
  each(fd::Rule::time_not_finite, {0, infinity});
  each(fd::Rule::bad_parameter, {0, 1}, {.min_coverage = -0.1});
  each(fd::Rule::bad_parameter, {0, 1}, {.min_coverage = 1.1});
  each(fd::Rule::bad_parameter, {0, 1}, {.min_coverage = bad});
  require_rule(
      fd::Rule::window_empty,
      [&] {
        (void)fd::coverage(series, {1, 1});
      },
      "coverage");
}

TEST_CASE("a series of several channels has no one mean") {
  const Series plant({0, 1}, Eigen::MatrixXd::Ones(2, 2));
  require_rule(
      fd::Rule::not_one_channel,
      [&] {
        (void)fd::mean(plant, {0, 1});
      },
      "channel(series");
  require_rule(
      fd::Rule::not_one_channel,
      [&] {
        (void)fd::maximum(plant, {0, 1});
      },
      "channel(series");
}

TEST_CASE("a result that is no finite number is an overflow and never a plausible number") {
  const Series large({0, 1, 2}, {1.7e308, -1.7e308, 0}, {.interpolation = hold});
  require_error<fd::Overflow>([&] { (void)fd::standard_deviation(large, {0, 2}); }, "standard_deviation");
  require_error<fd::Overflow>([&] { (void)fd::mean(large, {0, 2}); }, "mean", "not a finite number");
  require_error<fd::Overflow>([] { (void)fd::integral(Series({0, 1e9}, {1e300, 1e300}), {0, 1e9}); }, "integral");
  require_error<fd::Overflow>(
      [] {
        const fd::Series<> one({fd::Timestamp{}}, {1}, {.interpolation = hold});
        (void)fd::mean(one, {fd::Timestamp::min(), fd::Timestamp::max()});
      },
      "does not fit");
}

TEST_CASE("the standard deviation of very large and very small values is right") {
  for (const double unit : {1e-300, 1e-160, 1e160, 1e300}) {
    const Series series({0, 1}, {-unit, unit}, {.interpolation = hold});
    CHECK(*fd::standard_deviation(series, {0, 2}).value / unit == Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("statistics of a value held since long before the window do not wrap around") {
  const fd::Series<> series({fd::Timestamp{-9'000'000'000s}}, {7}, {.interpolation = hold});
  const fd::Window<fd::Timestamp> window{fd::Timestamp{9'000'000'000s}, fd::Timestamp{9'000'000'100s}};
  CHECK(fd::mean(series, window).value == 7.0);
  CHECK(fd::maximum(series, window).value == 7.0);
  CHECK(fd::slope(series, window).value == 0.0);
}

TEST_CASE("total variation adds all that the value travels, jumps between touching pieces included") {
  // 0 up to 1, a jump to 3, down to 2; from 4 on e - e^2 up to 1/4 and back to 0 at 5.
  const auto signal = series_test::from_events<double>({{0, {0, 1}}, {1, {3, -1}}, {2, {2}}, {4, {0, 1, -1}}}, 5);
  CHECK(fd::total_variation(signal, {0, 2}).value == 1 + 2 + 1);
  CHECK(fd::total_variation(signal, {2, 4}).value == 0);
  CHECK(fd::total_variation(signal, {3, 5}).value == 2 + 0.25 + 0.25);
  CHECK(fd::total_variation(signal, {4, 9}).coverage == 0.2);
  CHECK_FALSE(fd::total_variation(signal, {6, 9}).value);
}
