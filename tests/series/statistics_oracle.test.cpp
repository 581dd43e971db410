// SPDX-License-Identifier: MIT
// Statistics against a naive oracle on random signals, and the properties that every statistic has.
#include <chrono>
#include <cmath>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/series_oracle.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace series_test;

namespace {
/// Irregular stamps, bad samples, events, any interpolation and max_gap.
template <class Scalar, class Time>
fd::Series<Scalar, Time> random_series(Random& random, bool with_gaps = true) {
  std::vector<Time> times;
  std::vector<Scalar> values;
  std::int64_t t = random.integer(-50, 50);
  for (auto n = random.integer(2, 30); n > 0; --n) {
    times.push_back(tick<Time>(t));
    values.push_back(static_cast<Scalar>(with_gaps && random.integer(0, 9) == 0 ? bad : random.real(-5, 5)));
    const bool repeated = times.size() > 1 && times.back() == times[times.size() - 2];
    if (random.integer(0, 4) != 0 || repeated) t += random.integer(1, 9);
  }
  fd::SeriesOptions<Time> options{.duplicates = fd::Duplicates::event};
  if (random.integer(0, 1) == 0) options.interpolation = fd::Interpolation::hold;
  if (with_gaps && random.integer(0, 1) == 0) options.max_gap = tick<Time>(random.integer(1, 9)) - Time{};
  return {times, values, options};
}

template <class Time>
fd::Window<Time> random_window(Random& random) {
  const auto begin = random.integer(-60, 150);
  return {tick<Time>(begin), tick<Time>(begin + random.integer(1, 120))};
}

template <class Scalar, class Time>
void check_against_oracle(std::uint64_t seed) {
  Random random(seed);
  const Real tick_seconds = fd::seconds(tick<Time>(1) - Time{});
  for (int round = 0; round < 400; ++round) {
    const auto series = random_series<Scalar, Time>(random);
    const auto window = random_window<Time>(random);
    const auto known =
        NaiveSeries(series).known(NaiveSeries::plain(window.begin - Time{}), NaiveSeries::plain(window.end - Time{}));
    const auto mean = fd::mean(series, window);
    if (known.empty()) {
      CHECK(mean.value == std::nullopt);
      CHECK(mean.coverage == 0);
      continue;
    }
    const auto expected = naive_statistics(known, tick_seconds);
    const auto near = [](const auto& aggregate, Real value, Real scale) {
      REQUIRE(aggregate.value);
      CHECK(std::abs(*aggregate.value - value) <= 1e-13L * scale);
    };
    CHECK(std::abs(mean.coverage - expected.known / fd::seconds(window.length())) <= 1e-15L);
    CHECK(fd::coverage(series, window) == mean.coverage);
    near(mean, expected.mean, 5);
    near(fd::integral(series, window), expected.integral, 5 * expected.known);
    near(fd::standard_deviation(series, window), expected.standard_deviation, 5);
    near(fd::slope(series, window), expected.slope, 5 / expected.known * 100);
    near(fd::minimum(series, window), expected.minimum, 5);
    near(fd::maximum(series, window), expected.maximum, 5);
  }
}
}  // namespace

TEST_CASE("statistics agree with a naive oracle on random signals in every time type and scalar") {
  check_against_oracle<double, double>(11);
  check_against_oracle<double, fd::Timestamp>(12);
  check_against_oracle<float, double>(13);
  check_against_oracle<float, std::chrono::sys_seconds>(14);
  check_against_oracle<double, Minutes>(15);
}

TEST_CASE("the time of an extremum is one at which the signal has that value or tends to it") {
  Random random(16);
  for (int round = 0; round < 300; ++round) {
    const auto series = random_series<double, fd::Timestamp>(random);
    const auto window = random_window<fd::Timestamp>(random);
    for (const auto& extremum : {fd::minimum(series, window), fd::maximum(series, window)}) {
      if (!extremum.value) continue;
      const auto side = extremum.left_limit ? fd::Side::left : fd::Side::right;
      const auto value = fd::value_at(series, *extremum.time, side);
      REQUIRE(value);
      CHECK(std::abs(*value - *extremum.value) <= 1e-14);
      CHECK((window.contains(*extremum.time) || extremum.left_limit));
    }
  }
}

TEST_CASE("a window split in two has the sum of integrals and known times") {
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    const auto series = random_series<double, double>(random);
    const double a = random.real(-60, 60), b = a + random.real(0.1, 50), c = b + random.real(0.1, 50);
    const auto left = fd::integral(series, {a, b}), right = fd::integral(series, {b, c}),
               whole = fd::integral(series, {a, c});
    CHECK(left.value.value_or(0) + right.value.value_or(0) == Approx(whole.value.value_or(0)).margin(1e-11));
    CHECK(left.coverage * (b - a) + right.coverage * (c - b) == Approx(whole.coverage * (c - a)).margin(1e-11));
    const auto low = fd::minimum(series, {a, c}).value;
    if (low)
      CHECK(*low ==
            std::min(fd::minimum(series, {a, b}).value.value_or(99), fd::minimum(series, {b, c}).value.value_or(99)));
  }
}

TEST_CASE("shifting and scaling the values shifts and scales the statistics") {
  Random random(18);
  for (int round = 0; round < 200; ++round) {
    const auto series = random_series<double, double>(random);
    const auto window = random_window<double>(random);
    const double factor = random.real(-3, 3), shift = random.real(-100, 100);
    const std::vector<double> times(series.times().begin(), series.times().end());
    const fd::Series<double, double> changed(
        times, (series.values().array() * factor + shift).eval(),
        {.interpolation = series.interpolation(), .max_gap = series.max_gap(), .duplicates = fd::Duplicates::event});
    const auto mean = fd::mean(series, window);
    if (!mean.value) continue;
    CHECK(*fd::mean(changed, window).value == Approx(*mean.value * factor + shift).margin(1e-11));
    CHECK(*fd::standard_deviation(changed, window).value ==
          Approx(*fd::standard_deviation(series, window).value * std::abs(factor)).margin(1e-11));
    CHECK(*fd::slope(changed, window).value == Approx(*fd::slope(series, window).value * factor).margin(1e-9));
    const auto low = factor > 0 ? fd::minimum(changed, window) : fd::maximum(changed, window);
    CHECK(*low.value == Approx(*fd::minimum(series, window).value * factor + shift).margin(1e-11));
  }
}

TEST_CASE("a power of two as unit changes no digit") {
  Random random(19);
  for (int round = 0; round < 200; ++round) {
    const auto series = random_series<double, double>(random);
    const auto window = random_window<double>(random);
    const std::vector<double> times(series.times().begin(), series.times().end());
    const fd::Series<double, double> changed(
        times, (series.values() * 0x1p-80).eval(),
        {.interpolation = series.interpolation(), .max_gap = series.max_gap(), .duplicates = fd::Duplicates::event});
    const auto scaled = [](std::optional<double> x) { return x ? std::optional(*x * 0x1p-80) : x; };
    CHECK(fd::mean(changed, window).value == scaled(fd::mean(series, window).value));
    CHECK(fd::standard_deviation(changed, window).value == scaled(fd::standard_deviation(series, window).value));
    CHECK(fd::slope(changed, window).value == scaled(fd::slope(series, window).value));
    CHECK(fd::maximum(changed, window).value == scaled(fd::maximum(series, window).value));
  }
}

TEST_CASE("shifting time by whole ticks changes nothing in integer time") {
  Random random(20);
  const auto shift = std::chrono::nanoseconds{1'700'000'000'000'000'003};
  for (int round = 0; round < 200; ++round) {
    const auto series = random_series<double, fd::Timestamp>(random);
    const auto window = random_window<fd::Timestamp>(random);
    std::vector<fd::Timestamp> times(series.times().begin(), series.times().end());
    for (auto& t : times) t += shift;
    const fd::Series<> later(
        times, series.values(),
        {.interpolation = series.interpolation(), .max_gap = series.max_gap(), .duplicates = fd::Duplicates::event});
    const fd::Window late{window.begin + shift, window.end + shift};
    CHECK(fd::mean(later, late).value == fd::mean(series, window).value);
    CHECK(fd::standard_deviation(later, late).value == fd::standard_deviation(series, window).value);
    CHECK(fd::slope(later, late).value == fd::slope(series, window).value);
    CHECK(fd::coverage(later, late) == fd::coverage(series, window));
  }
}

TEST_CASE("a mean lies between minimum and maximum") {
  Random random(21);
  for (int round = 0; round < 300; ++round) {
    const auto series = random_series<double, double>(random);
    const auto window = random_window<double>(random);
    const auto mean = fd::mean(series, window).value;
    if (!mean) continue;
    CHECK(*mean >= *fd::minimum(series, window).value - 1e-14);
    CHECK(*mean <= *fd::maximum(series, window).value + 1e-14);
  }
}
