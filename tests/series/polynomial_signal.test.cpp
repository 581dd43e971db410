// SPDX-License-Identifier: MIT
// Everything about signals, asked of one that is not a series: polynomial pieces up to degree 7.
#include <chrono>
#include <cmath>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/series_oracle.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/series/resample.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Signal = PolynomialSignal<double>;

namespace {
// Four short trajectories of a quantised-state simulator; expected numbers from exact rational arithmetic.
const Signal seed = from_events<double>({{0, {1, 1}}, {1, {2, 1}}, {3, {4, 0.5}}, {4, {4.5, 1.5}}}, 6);
const Signal first = from_events<double>({{0, {1, -0.5}}, {2, {0.5, -1}}, {3.5, {-1, 0}}}, 5);
const Signal second = from_events<double>({{0, {1, -0.5, 0.25}}, {2, {0.5, -1, 0.75}}, {3.5, {-1, 0, 0}}}, 5);
const Signal third =
    from_events<double>({{0, {1, -0.5, 0.25, -0.125}}, {2, {0.5, -1, 0.75, 0.25}}, {3.5, {-1, 0, 0, 2}}}, 5);
}  // namespace

TEST_CASE("integral and mean and spread of trajectories up to degree three are exact") {
  struct Row {
    const Signal& signal;
    double a, b, integral, mean, standard_deviation;
  };
  const Row rows[] = {{seed, 0, 6, 23.75, 3.9583333333333335, 1.7593993608931178},
                      {seed, 0, 1, 1.5, 1.5, 0.28867513459481287},
                      {seed, 2.5, 4.5, 8.5625, 4.28125, 0.4318835925339142},
                      {seed, 2, 4, 7.75, 3.875, 0.43898557303553076},
                      {first, 0, 5, -0.875, -0.175, 0.6911644763247988},
                      {first, 1, 4, -0.625, -0.20833333333333334, 0.5253966755382705},
                      {first, 3.5, 5, -1.5, -1.0, 0.0},
                      {second, 0, 2, 1.6666666666666667, 0.8333333333333334, 0.07453559924999299},
                      {second, 2, 3.5, 0.46875, 0.3125, 0.13693063937629152},
                      {second, 0, 5, 0.6354166666666666, 0.12708333333333333, 0.773803399701041},
                      {second, 1, 4, 0.8020833333333334, 0.2673611111111111, 0.6218690869189689},
                      {third, 0, 2, 1.1666666666666667, 0.5833333333333334, 0.263146407435161},
                      {third, 2, 3.5, 0.78515625, 0.5234375, 0.35130943272608184},
                      {third, 3.5, 5, 1.03125, 0.6875, 1.913445144609213},
                      {third, 0, 5, 2.9830729166666665, 0.5966145833333333, 1.0803983868789604},
                      {third, 1, 4, 0.6809895833333334, 0.2269965277777778, 0.5911068314596449}};
  for (const auto& row : rows) {
    const fd::Window window{row.a, row.b};
    CHECK(std::abs(*fd::integral(row.signal, window).value - row.integral) <= 1e-14 * 24);
    CHECK(std::abs(*fd::mean(row.signal, window).value - row.mean) <= 1e-14);
    CHECK(std::abs(*fd::standard_deviation(row.signal, window).value - row.standard_deviation) <= 1e-14);
    CHECK(fd::coverage(row.signal, window) == 1);
  }
}

TEST_CASE("extrema of trajectories up to degree three are exact and say where they are") {
  struct Row {
    const Signal& signal;
    double a, b, low, t_low;
    bool low_is_limit;
    double high, t_high;
    bool high_is_limit;
  };
  const Row rows[] = {{seed, 0, 6, 1, 0, false, 7.5, 6, true},
                      {seed, 2, 4, 3, 2, false, 4.5, 4, true},
                      {second, 0, 2, 0.75, 1, false, 1, 0, false},
                      {second, 2, 3.5, 0.16666666666666666, 2.6666666666666665, false, 0.6875, 3.5, true},
                      {third, 0, 2, 0, 2, true, 1, 0, false},
                      {third, 2, 3.5, 0.21788722973939556, 2.5275252316519468, false, 1.53125, 3.5, true},
                      {third, 0, 5, -1, 3.5, false, 5.75, 5, true}};
  for (const auto& row : rows) {
    const auto low = fd::minimum(row.signal, {row.a, row.b}), high = fd::maximum(row.signal, {row.a, row.b});
    CHECK(std::abs(*low.value - row.low) <= 1e-15);
    CHECK(std::abs(*low.time - row.t_low) <= 1e-12);
    CHECK(low.left_limit == row.low_is_limit);
    CHECK(std::abs(*high.value - row.high) <= 1e-15);
    CHECK(std::abs(*high.time - row.t_high) <= 1e-12);
    CHECK(high.left_limit == row.high_is_limit);
  }
}

TEST_CASE("crossings of trajectories up to degree three are exact and jumps are marked") {
  using enum fd::Direction;
  struct Row {
    const Signal& signal;
    double level;
    std::vector<fd::Crossing<double>> crossings;
  };
  const Row rows[] = {
      {seed, 1, {}},
      {seed, 4.25, {{3.5, up, false}}},
      {seed, 6, {{5, up, false}}},
      {seed, 7.5, {}},
      {first, 0, {{2.5, down, false}}},
      {first, 0.5, {{1, down, false}}},
      {first, -1, {}},
      {second, 0, {{3.5, down, true}}},
      {second, 0.5, {{2, down, true}, {3.3333333333333335, up, false}, {3.5, down, true}}},
      {second, 0.75, {{2, down, true}}},
      {third, 0, {{3.5, down, true}, {4.2937005259841, up, false}}},
      {third,
       0.5,
       {{1.2955977425220848, down, false}, {3, up, false}, {3.5, down, true}, {4.40856029641607, up, false}}},
      {third,
       0.75,
       {{0.6388969194713526, down, false},
        {3.166012679457937, up, false},
        {3.5, down, true},
        {4.456465591386195, up, false}}},
  };
  for (const auto& row : rows) {
    const auto found = fd::crossings(row.signal, row.level);
    INFO("level " << row.level);
    REQUIRE(found.size() == row.crossings.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(std::abs(found[k].time - row.crossings[k].time) <= 1e-12);
      CHECK(found[k].direction == row.crossings[k].direction);
      CHECK(found[k].jump == row.crossings[k].jump);
    }
  }
}

TEST_CASE("a trajectory is resampled to a series of double with linear interpolation") {
  const auto series = fd::resample(third, fd::Every{0.5});
  STATIC_REQUIRE(std::is_same_v<decltype(series), const fd::Series<double, double>>);
  CHECK(series.size() == 11);
  CHECK(series.interpolation() == fd::Interpolation::linear);
  CHECK(series(2) == 0.625);
  CHECK(series(4) == 0.5);    // the right limit at a knot
  CHECK(series(10) == 5.75);  // the end of the domain
}

namespace {
/// Random pieces, some apart from the next; degrees up to 7, origins away from the windows.
template <class Time>
PolynomialSignal<Time> random_signal(Random& random, std::int64_t ticks_per_unit) {
  PolynomialSignal<Time> signal;
  std::int64_t t = random.integer(-20, 20) * ticks_per_unit;
  for (auto n = random.integer(1, 8); n > 0; --n) {
    const auto length = random.integer(1, 3) * ticks_per_unit;
    fd::Segment<Time> piece{{tick<Time>(t), tick<Time>(t + length)},
                            tick<Time>(t - random.integer(-1, 1) * ticks_per_unit),
                            {},
                            static_cast<std::size_t>(random.integer(0, 7))};
    double scale = 1;
    for (std::size_t k = 0; k <= piece.degree; ++k, scale /= 3) piece.coefficients[k] = random.real(-1, 1) * scale;
    signal.pieces.push_back(piece);
    t += length + (random.integer(0, 3) == 0 ? ticks_per_unit : 0);
  }
  return signal;
}

template <class Time>
std::vector<Stretch> stretches_of(const PolynomialSignal<Time>& signal, fd::Window<Time> window) {
  std::vector<Stretch> all;
  for (const auto& piece : signal.pieces) {
    const auto common = fd::intersection(piece.window, window);
    if (!common) continue;
    const auto in_seconds = [](Time t) { return static_cast<Real>(fd::seconds(t - Time{})); };
    const Real origin = in_seconds(piece.origin);
    all.push_back({in_seconds(common->begin), in_seconds(common->end), [=](Real t) {
                     Real x = 0;
                     for (std::size_t k = 8; k-- > 0;) x = x * (t - origin) + static_cast<Real>(piece.coefficients[k]);
                     return x;
                   }});
  }
  return all;
}

template <class Time>
void check_random_signals(std::uint64_t start, std::int64_t ticks_per_unit) {
  Random random(start);
  for (int round = 0; round < 150; ++round) {
    const auto signal = random_signal<Time>(random, ticks_per_unit);
    const auto span = signal.span();
    const auto quarter = (span.end - span.begin) / 4;
    const fd::Window<Time> window{span.begin + quarter / 2, span.end - quarter};
    const auto known = stretches_of(signal, window);
    if (known.empty()) continue;
    const auto expected = naive_statistics(known);
    CHECK(std::abs(*fd::mean(signal, window).value - expected.mean) <= 1e-12L);
    CHECK(std::abs(*fd::integral(signal, window).value - expected.integral) <= 1e-11L);
    CHECK(std::abs(*fd::standard_deviation(signal, window).value - expected.standard_deviation) <= 1e-10L);
    CHECK(std::abs(*fd::slope(signal, window).value - expected.slope) <= 1e-11L);

    Real low = 1e9L, high = -1e9L;  // by looking at many points
    for (const auto& s : known)
      for (int k = 0; k <= 1000; ++k) {
        const Real x = s.value(s.a + (s.b - s.a) * k / 1000);
        low = std::min(low, x), high = std::max(high, x);
      }
    const Real minimum = *fd::minimum(signal, window).value, maximum = *fd::maximum(signal, window).value;
    CHECK(minimum <= low + 1e-13L);
    CHECK(minimum >= low - 1e-4L);
    CHECK(maximum >= high - 1e-13L);
    CHECK(maximum <= high + 1e-4L);

    const double level = random.real(-1, 1);
    const auto all = stretches_of(signal, {span.begin, span.end});
    const auto naive = naive_crossings(all, level, 1.0L / 4096);
    const auto found = fd::crossings(signal, level);
    REQUIRE(found.size() == naive.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK((found[k].direction == fd::Direction::up) == naive[k].up);
      CHECK(std::abs(fd::seconds(found[k].time - Time{}) - naive[k].time) <= 1.0L / 4096 + 1e-9L);
      const auto left = signal.value(found[k].time, fd::Side::left), right = signal.value(found[k].time);
      if (!found[k].jump && std::same_as<Time, double>) CHECK(std::abs(*left - level) <= 1e-9);
      if (found[k].jump) CHECK((*left < level) == (*right > level));
    }
  }
}
}  // namespace

TEST_CASE("statistics and crossings agree with quadrature and dense sampling up to degree seven") {
  check_random_signals<double>(31, 1);
  check_random_signals<fd::Timestamp>(32, 1'000'000'000);
}

TEST_CASE("all statistics of one parabola by hand") {
  const auto signal = from_events<fd::Timestamp>({{fd::Timestamp{}, {0, 0, 3}}}, fd::Timestamp{2s});
  const fd::Window window{fd::Timestamp{}, fd::Timestamp{2s}};
  CHECK(fd::integral(signal, window).value == 8.0);
  CHECK(fd::mean(signal, window).value == 4.0);
  CHECK(*fd::standard_deviation(signal, window).value == Approx(std::sqrt(12.8)).epsilon(1e-15));
  CHECK(*fd::slope(signal, window).value == Approx(6).epsilon(1e-15));
  CHECK(fd::crossings(signal, 3.0)[0].time == fd::Timestamp{1s});
}
