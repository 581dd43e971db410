// SPDX-License-Identifier: MIT
// A large offset costs no precision: S70, with exact sums in integers as the answer.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace series_test;

namespace {
constexpr double offset = 1e9;
constexpr double grain = 1.0 / 1024;  // values are whole grains, so that offset + value is exact
constexpr double ulp = 0x1p-23;       // of the offset

struct Moments {
  double mean, standard_deviation;
};

/// Mean and spread of n held samples of the same length from exact sums of grains (spread about 1).
Moments exact(const std::vector<std::int64_t>& grains) {
  std::int64_t sum = 0, squares = 0;
  for (const auto g : grains) sum += g, squares += g * g;
  const auto n = static_cast<long double>(grains.size());
  const long double mean = static_cast<long double>(sum) / n;
  return {static_cast<double>(mean * grain),
          static_cast<double>(std::sqrt(static_cast<long double>(squares) / n - mean * mean) * grain)};
}

void check_offset(std::int64_t count, bool drift) {
  Random random(5);
  std::vector<std::int64_t> grains;
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k) {
    grains.push_back(random.integer(-512, 512) + (drift ? 1024 * k / count : 0));
    times.push_back(tick<fd::Timestamp>(1'700'000'000'000'000'000 + 1'000'000'000 * k));
    values.push_back(offset + static_cast<double>(grains.back()) * grain);
  }
  const auto expected = exact(grains);
  const fd::Window window{times.front(), times.back() + std::chrono::seconds{1}};
  const fd::Series<> series(std::move(times), std::move(values), {.interpolation = fd::Interpolation::hold});
  CHECK(std::abs((*fd::mean(series, window).value - offset) - expected.mean) <= 1e-12 + 4 * ulp);
  CHECK(std::abs(*fd::standard_deviation(series, window).value - expected.standard_deviation) <= 4 * ulp);
}
}  // namespace

TEST_CASE("the mean of 1e6 samples at offset 1e9 is as good as the offset can be written") {
  check_offset(1'000'000, true);
}

TEST_CASE("the mean of 1e7 samples at offset 1e9 is as good as the offset can be written") {
  check_offset(10'000'000, false);
}

TEST_CASE("the mean of a million samples without offset keeps twelve digits of the spread") {
  std::vector<double> times, values;
  long double sum = 0;
  for (int k = 0; k <= 1'000'000; ++k) {
    times.push_back(k);
    values.push_back(std::sin(0.001 * k));
    if (k > 0) sum += (static_cast<long double>(values[values.size() - 2]) + values.back()) / 2;
  }
  const fd::Series<double, double> series(times, values);
  CHECK(std::abs(*fd::mean(series, {0, 1e6}).value - static_cast<double>(sum / 1e6L)) <= 1e-14);
  CHECK(std::abs(*fd::integral(series, {0, 1e6}).value - static_cast<double>(sum)) <= 1e-10);
}

TEST_CASE("the error of a sum does not grow with the number of samples") {
  std::vector<double> times, values;
  for (int k = 0; k < 1'000'000; ++k) {
    times.push_back(k);
    values.push_back(k == 0 ? 0 : 0.1);
  }
  const fd::Series<double, double> series(times, values, {.interpolation = fd::Interpolation::hold});
  CHECK(fd::integral(series, {0, 1e6}).value == static_cast<double>(static_cast<long double>(0.1) * 999'999));
  CHECK(std::abs(*fd::mean(series, {0, 1e6}).value - 0.0999999) <= 1e-16);
}

TEST_CASE("slope and spread of a small ramp survive a large offset in value and in time") {
  const fd::Timestamp start = tick<fd::Timestamp>(1'700'000'000'000'000'000);
  const fd::Series<> series({start, start + std::chrono::seconds{64}}, {offset, offset + 1});
  const fd::Window window{start, start + std::chrono::seconds{64}};
  CHECK(*fd::slope(series, window).value == Approx(1.0 / 64).epsilon(1e-6));
  CHECK(*fd::standard_deviation(series, window).value == Approx(1 / std::sqrt(12.0)).epsilon(1e-6));
}
