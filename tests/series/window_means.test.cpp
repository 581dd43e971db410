// SPDX-License-Identifier: MIT
// Means of many windows: equal to mean() of each, also far into a long series and at a large offset (S70, Q27).
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/window_means.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;

namespace {

/// mean(), means() and between() of the prepared signal against mean() of the signal itself.
template <class S>
void check_windows(const S& signal, const std::vector<typename S::time_type>& edges, double tolerance) {
  using Time = typename S::time_type;
  const fd::PreparedMeans<S> prepared(signal);
  std::vector<fd::Window<Time>> windows;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) windows.push_back({edges[i], edges[i + 1]});
  for (std::size_t i = 0; i + 6 < edges.size(); i += 2) windows.push_back({edges[i], edges[i + 6]});
  for (std::size_t i = edges.size() - 3; i > 2; i -= 2) windows.push_back({edges[i - 2], edges[i]});
  const auto many = prepared.means(windows);
  const auto between = fd::window_means(signal, std::span<const Time>(edges));
  REQUIRE(many.size() == windows.size());
  REQUIRE(between.size() == edges.size() - 1);
  int wrong = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto expected = fd::mean(signal, windows[i]);
    const auto check = [&](const fd::Aggregate& got) {
      const bool same =
          got.value.has_value() == expected.value.has_value() && std::abs(got.coverage - expected.coverage) <= 1e-14 &&
          (got.coverage == 1) == (expected.coverage == 1) && (got.coverage == 0) == (expected.coverage == 0) &&
          (!got.value || std::abs(*got.value - *expected.value) <= tolerance);
      wrong += same ? 0 : 1;
    };
    check(many[i]);
    check(prepared.mean(windows[i]));
    if (i < between.size()) check(between[i]);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("means of windows over series with gaps are those of mean") {
  Random random(1);
  for (int run = 0; run < 60; ++run) {
    std::vector<fd::Timestamp> times, edges;
    std::vector<double> values;
    std::int64_t t = 0;
    for (int i = 0; i < 80; ++i) {
      times.push_back(tick<fd::Timestamp>(t));
      t += random.integer(1, 4) * 250'000'000;
      values.push_back(run % 3 > 0 && random.integer(0, 5) == 0 ? bad : random.real(-1, 1));
    }
    std::int64_t edge = -1'000'000'000;
    for (int i = 0; i < 60; ++i) {
      edges.push_back(tick<fd::Timestamp>(edge));
      // Often on a sample, sometimes far.
      edge += random.integer(0, 3) == 0 ? random.integer(1, 9'000'000'000) : random.integer(1, 4) * 250'000'000;
    }
    fd::SeriesOptions<> options;
    if (run % 2 == 0) options.interpolation = fd::Interpolation::hold;
    if (run % 4 > 1) options.max_gap = 600ms;
    check_windows(fd::Series<>(times, values, options), edges, 1e-14);
  }
}

TEST_CASE("means of windows over polynomials up to degree seven are those of mean") {
  Random random(2);
  for (int run = 0; run < 40; ++run) {
    PolynomialSignal<double> signal;
    double t = 0;
    for (int i = 0; i < 40; ++i) {
      if (random.integer(0, 6) == 0) t += 0.5;  // a gap
      fd::Segment<double> piece{{t, t + random.real(0.1, 2)}, t, {}, static_cast<std::size_t>(run % 8)};
      for (std::size_t k = 0; k <= piece.degree; ++k) piece.coefficients[k] = random.real(-1, 1);
      t = piece.window.end;
      signal.pieces.push_back(piece);
    }
    std::vector<double> edges{-1};
    while (edges.size() < 120) edges.push_back(edges.back() + random.real(0.001, 1));
    for (std::size_t i = 10; i < 40; ++i) edges.push_back(signal.pieces[i].window.begin);
    std::sort(edges.begin(), edges.end());
    check_windows(signal, edges, 1e-11);
  }
}

TEST_CASE("a window far into ten million samples at offset 1e9 is as good as the offset can be written") {
  constexpr double offset = 1e9, grain = 1.0 / 1024, ulp = 0x1p-23;
  constexpr std::int64_t count = 10'000'000;
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  std::vector<std::int64_t> grains;
  times.reserve(count), values.reserve(count), grains.reserve(count);
  Random random(3);
  for (std::int64_t k = 0; k < count; ++k) {
    grains.push_back(random.integer(-512, 512));
    times.push_back(tick<fd::Timestamp>(1'700'000'000'000'000'000 + 1'000'000'000 * k));
    values.push_back(offset + static_cast<double>(grains.back()) * grain);
  }
  const auto start = times.front();
  const fd::PreparedMeans prepared(
      fd::Series<>(std::move(times), std::move(values), {.interpolation = fd::Interpolation::hold}));
  const auto check = [&](std::int64_t from, std::int64_t to) {
    std::int64_t sum = 0;
    for (std::int64_t k = from; k < to; ++k) sum += grains[static_cast<std::size_t>(k)];
    const double expected = static_cast<double>(sum) * grain / static_cast<double>(to - from);
    const auto mean = prepared.mean({start + from * 1s, start + to * 1s});
    CHECK(mean.coverage == 1);
    CHECK(std::abs((*mean.value - offset) - expected) <= 1e-12 + 4 * ulp);
  };
  check(0, count);
  check(9'999'990, 9'999'999);
  check(9'000'000, 9'000'003);
  check(1, count - 1);
}

TEST_CASE("a short window at the end of a long piece or of a long signal keeps its digits") {
  // The integral up to the window is so large that a double holds it to 6e-8.
  const fd::Series<double, double> steps({-1, 0, 1e8, 1e8 + 1, 1e8 + 2}, {0, 3, 0.1, 0.7, 0.4},
                                         {.interpolation = fd::Interpolation::hold});
  const fd::PreparedMeans prepared(steps);
  CHECK(std::abs(*prepared.mean({1e8, 1e8 + 0x1p-20}).value - 0.1) <= 1e-15);
  CHECK(std::abs(*prepared.mean({1e8, 1e8 + 2}).value - 0.4) <= 1e-15);
  CHECK(std::abs(*prepared.mean({1e8 + 0.5, 1e8 + 2.5}).value - 0.475) <= 1e-15);
  CHECK(prepared.mean({1e8 - 1, 1e8}).value == 3.0);
  CHECK(prepared.mean({12345, 12345.0625}).value == 3.0);
  // And one whose rounding errors add up: each sum below is off by as much as the window is large.
  std::vector<double> times{0, 1e15}, values{0, 1};
  for (int i = 1; i <= 64; ++i) {
    times.push_back(1e15 + 0.125 * i);
    values.push_back(i % 2 == 0 ? 0.3 : 0.6);
  }
  values[0] = -7;
  const fd::PreparedMeans far(fd::Series<double, double>(times, values, {.interpolation = fd::Interpolation::hold}));
  CHECK(std::abs(*far.mean({1e15 + 0.25, 1e15 + 7.75}).value - 0.45) <= 1e-14);
}

TEST_CASE("a value outside the window costs a mean nothing however large it is") {
  const fd::Series<double, double> series({0, 1, 2, 4, 5}, {1e200, 0.1, 0.3, 0.2, -1e200},
                                          {.interpolation = fd::Interpolation::hold});
  CHECK(std::abs(*fd::PreparedMeans(series).mean({1, 4}).value - 0.7 / 3) <= 1e-16);
  CHECK(std::abs(*fd::PreparedMeans(series).mean({1, 5}).value - 0.225) <= 1e-16);
}

TEST_CASE("coverage that is too small gives no value and nothing known gives none") {
  const fd::Series<double, double> series({0, 1, 2, 3}, {1, bad, 3, 4});
  const fd::PreparedMeans prepared(series);
  CHECK(!prepared.mean({0, 2}).value);
  CHECK(prepared.mean({2, 4}).value == 3.5);
  CHECK(prepared.mean({2, 4}).coverage == 0.5);
  CHECK(!prepared.mean({2, 4}, {.min_coverage = 0.6}).value);
  CHECK(!prepared.mean({-5, -4}).value);
  CHECK(!prepared.mean({5, 6}).value);
  CHECK(prepared.mean({-5, 6}).coverage == Approx(1.0 / 11));
  const fd::PreparedMeans nothing(fd::Series<double, double>({0, 1}, {bad, bad}));
  CHECK(!nothing.mean({0, 1}).value);
  const std::vector<double> edges{0, 0.5, 1};
  CHECK(nothing.between(edges)[1].coverage == 0);
}

TEST_CASE("wrong windows and edges are refused") {
  const fd::Series<double, double> series({0, 1}, {1, 2});
  const fd::PreparedMeans prepared(series);
  const auto edges = [&](std::vector<double> list) { return [&prepared, list] { (void)prepared.between(list); }; };
  require_rule(fd::Rule::window_empty, [&] { (void)prepared.mean({1, 1}); });
  require_rule(
      fd::Rule::bad_parameter,
      [&] {
        (void)prepared.mean({0, 1}, {.min_coverage = 2});
      },
      "min_coverage");
  require_rule(fd::Rule::empty, edges({1}), "two edges");
  require_rule(fd::Rule::time_not_increasing, edges({0, 1, 1}), "sample 2");
  require_rule(fd::Rule::time_not_finite, edges({0, bad, 1}), "sample 1");
  require_rule(fd::Rule::window_empty, [&] {
    const std::vector<fd::Window<double>> windows{{0, 1}, {2, 1}};
    (void)prepared.means(windows);
  });
}
