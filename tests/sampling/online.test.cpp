// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/sampling/online.hpp>
#include <fidelity/series/series.hpp>

#if __has_include(<boost/math/distributions/students_t.hpp>)
#include <boost/math/distributions/students_t.hpp>
#define FIDELITY_HAS_BOOST_MATH
#endif

namespace fd = fidelity;
using namespace std::chrono_literals;
using fd::OnlineState;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// 720 minutes: level 50, ramp to 80, level, fall to 62, level; noise of about 0.4 from a linear congruential
/// generator.
std::vector<double> plateaus() {
  std::uint64_t x = 12345;
  std::vector<double> values;
  for (int i = 0; i < 720; ++i) {
    double noise = -6;
    for (int k = 0; k < 12; ++k) {
      x = (1103515245 * x + 12345) % 2147483648u;
      noise += static_cast<double>(x) / 2147483648.0;
    }
    double base = i < 200 ? 50 : i < 260 ? 50 + 30 * (i - 200) / 59.0 : i < 480 ? 80 : 62;
    if (i >= 480 && i < 500) base = 80 - 18 * (i - 480) / 19.0;
    values.push_back(base + 0.4 * noise);
  }
  return values;
}

template <class Detector>
std::vector<OnlineState> states(Detector& detector, const std::vector<double>& values, double step = 60) {
  std::vector<OnlineState> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back(detector.push(step * static_cast<double>(i), values[i]).state);
  return all;
}

/// Index windows [begin, end) with a state.
std::vector<std::array<std::size_t, 2>> stretches(const std::vector<OnlineState>& all, OnlineState state) {
  std::vector<std::array<std::size_t, 2>> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != state) continue;
    if (found.empty() || found.back()[1] != i) found.push_back({i, i});
    found.back()[1] = i + 1;
  }
  return found;
}

std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  fd::detail::Random random(seed, 0, 0);
  std::vector<double> values(n);
  for (double& v : values) {
    v = -6;
    for (int k = 0; k < 12; ++k) v += random.uniform();
  }
  return values;
}

}  // namespace

TEST_CASE("quantiles of Student's t agree with the tables") {
  using fd::detail::student_t_quantile;
  CHECK(student_t_quantile(0.5, 1) == Approx(1).epsilon(1e-14));                                 // Cauchy: tan(pi/4)
  CHECK(student_t_quantile(0.1, 2) == Approx(std::sqrt(2 / (0.1 * 1.9)) * 0.9).epsilon(1e-14));  // closed form
  CHECK(student_t_quantile(0.05, 58) == Approx(2.0017174841452354).epsilon(1e-13));  // 50 digits, closed form
  CHECK(student_t_quantile(0.05, 1e9) == Approx(1.959963986912326).epsilon(1e-12));  // normal + (z + z^3) / (4 v)
}

TEST_CASE("quantiles of Student's t agree with Boost.Math to 1e-12") {
#ifdef FIDELITY_HAS_BOOST_MATH
  for (const double v : {1., 2., 3., 5., 13., 58., 79., 80., 300., 1e4, 1e6})
    for (const double tails : {0.999, 0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12}) {
      const boost::math::students_t_distribution<long double> peer(v);
      const auto expected = static_cast<double>(quantile(complement(peer, static_cast<long double>(tails) / 2)));
      CHECK(fd::detail::student_t_quantile(tails, v) == Approx(expected).epsilon(1e-12));
    }
#else
  WARN("skipped: Boost.Math is not installed");
#endif
}

TEST_CASE("the R-statistic finds the ramps between plateaus as the public library does") {
  fd::RStatistic<double> detector({.start_samples = 36, .skip_after_start = true});
  const auto found = states(detector, plateaus());
  CHECK(stretches(found, OnlineState::transient) == std::vector<std::array<std::size_t, 2>>{{204, 296}, {484, 538}});
  CHECK(stretches(found, OnlineState::unknown) == std::vector<std::array<std::size_t, 2>>{{0, 37}});
}

TEST_CASE("every inner state of the R-statistic agrees with the published recursion") {
  // The first rows of the public record; the rest where the file is at hand.
  std::vector<std::array<double, 5>> rows{
      {37, 49.990834479406473, 0.19546662120945801, 0.20177295237649107, 1.7437417356144012},
      {38, 49.965052556470042, 0.17758172796426336, 0.18541151666714081, 1.7239873557019605},
      {39, 49.828947463586935, 0.20613504593963738, 0.20020918378883026, 1.8532770358961321}};
  const std::string path = FIDELITY_SHARED "/data/ssd_ref/ssid_synthetic720.csv";
  if (std::filesystem::exists(path)) {
    rows.clear();
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    for (std::array<double, 6> row; file >> row[0];) {
      for (std::size_t k = 1; k < 6; ++k) file.ignore(1, ','), file >> row[k];
      rows.push_back({row[0], row[1], row[2], row[3], row[4]});
    }
    CHECK(rows.size() == 683);
  }
  fd::RStatistic<double> detector({.start_samples = 36, .skip_after_start = true});
  const auto values = plateaus();
  auto row = rows.begin();
  for (std::size_t i = 0; i < values.size() && row != rows.end(); ++i) {
    const auto result = detector.push(60.0 * static_cast<double>(i), values[i]);
    if (static_cast<double>(i) != (*row)[0]) continue;
    CHECK(detector.details().filtered() == Approx((*row)[1]).epsilon(1e-12));
    CHECK(detector.details().variance_about_filter() == Approx((*row)[2]).epsilon(1e-12));
    CHECK(detector.details().variance_of_steps() == Approx((*row)[3]).epsilon(1e-12));
    CHECK(result.score.value() == Approx((*row)[4]).epsilon(1e-12));
    ++row;
  }
  CHECK(row == rows.end());
}

TEST_CASE("the R-statistic finds the steps of the test signal of InDSL") {
  const std::string path = FIDELITY_SHARED "/data/ssd_ref/indsl_ssid_test_signal.txt";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: no " << path);
    return;
  }
  std::ifstream file(path);
  std::vector<double> values;
  for (double v; file >> v;) values.push_back(v);
  fd::RStatistic<double> detector({.skip_after_start = true});
  const auto found = states(detector, values);
  CHECK(stretches(found, OnlineState::transient) ==
        std::vector<std::array<std::size_t, 2>>{{1001, 1039}, {1201, 1237}});
}

TEST_CASE("the R-statistic of a constant is 0 and of a clean step infinite") {
  fd::RStatistic<double> detector({.start_samples = 10});
  for (int i = 0; i < 20; ++i) detector.push(i, 5);
  CHECK(detector.last()->score == 0.0);
  CHECK(detector.last()->state == OnlineState::steady);
}

TEST_CASE("between accept and reject the R-statistic keeps its state") {
  // With all filters 1 the ratio is ((x - f) / (x - last))^2. The first is (5.5 / 1)^2; then f = last and it is 1.
  fd::RStatistic<double> between({.filters = {1, 1, 1}, .start_samples = 10, .accept = 0.5, .reject = 1.5});
  for (int i = 0; i < 20; ++i) between.push(i, i);
  CHECK(between.last()->score == 1.0);
  CHECK(between.last()->state == OnlineState::transient);
  CHECK(between.last()->since == 10);
  fd::RStatistic<double> at({.filters = {1, 1, 1}, .start_samples = 10, .accept = 1, .reject = 1});
  for (int i = 0; i < 20; ++i) at.push(i, i);
  CHECK(at.last()->score == 1.0);
  CHECK(at.last()->state == OnlineState::steady);
}

TEST_CASE("the window of Kelly and Hedengren gives the reference figures") {
  struct Row {
    std::size_t last;
    double slope_per_minute, level, spread;
    std::size_t inside;
  };
  const std::vector<Row> rows{{59, 0.010982315974720406, 49.67068130798638, 0.46676555619070004, 56},
                              {199, 0.004050619874970411, 49.86466411021849, 0.32094175534998154, 58},
                              {229, 0.24296139807185377, 46.4994621316091, 2.1990285676403043, 33},
                              {259, 0.5054931929050865, 50.11347630965213, 0.38210057980259904, 3},
                              {399, 0.0035804487385992277, 79.87397756484647, 0.42265868559260017, 60},
                              {499, -0.31414079529754174, 86.24104617265364, 3.7725088646400913, 43},
                              {719, -0.000978101562645524, 62.03967157272002, 0.4517969518310844, 57}};
  fd::KellyHedengren<double> detector({.samples = 60});
  const auto values = plateaus();
  auto row = rows.begin();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto result = detector.push(60.0 * static_cast<double>(i), values[i]);
    if (i < 59) CHECK_FALSE(result.score);
    if (i != row->last) continue;
    CHECK(60 * detector.details().slope() == Approx(row->slope_per_minute).epsilon(1e-9));
    CHECK(detector.details().level() == Approx(row->level).epsilon(1e-12));
    CHECK(detector.details().spread() == Approx(row->spread).epsilon(1e-9));
    CHECK(detector.details().inside() == row->inside);
    CHECK(result.score == static_cast<double>(row->inside) / 60);
    CHECK((result.state == OnlineState::steady) == (static_cast<double>(row->inside) >= 54));
    if (++row == rows.end()) break;
  }
  CHECK(row == rows.end());
}

TEST_CASE("the windowed slope tells a ramp from noise, each in physical units") {
  const auto options =
      fd::WindowedSlopeOptions<double>{.window = 1800, .noise_max = 1, .slope_max = fd::Rate{0.1, 60.0}};
  fd::WindowedSlope<double> detector(options);
  const auto found = states(detector, plateaus());
  CHECK(found[29] == OnlineState::unknown);  // 29 minutes are not yet the 30 of the window
  CHECK(found[30] == OnlineState::steady);
  CHECK(found[199] == OnlineState::steady);
  CHECK(found[230] == OnlineState::transient);
  CHECK(found[300] == OnlineState::steady);
  CHECK(found[490] == OnlineState::transient);
  CHECK(found[600] == OnlineState::steady);
  // The same ramp is steady where the limits allow it.
  fd::WindowedSlope<double> lenient({.window = 1800, .noise_max = 1, .slope_max = fd::Rate{1.0, 60.0}});
  CHECK(states(lenient, plateaus())[235] == OnlineState::steady);
  fd::WindowedSlope<double> quiet({.window = 1800, .noise_max = 0.1, .slope_max = fd::Rate{1.0, 60.0}});
  CHECK(states(quiet, plateaus())[100] == OnlineState::transient);
}

TEST_CASE("a slope within its limit counts as steady only when it is so with confidence if that is asked for") {
  // Alternating noise on a slope just below the limit: relevant is not proved, irrelevant neither.
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(0.09 * i + (i % 2 ? 1 : -1));
  const auto state = [&](bool strict) {
    fd::WindowedSlope<double> detector(
        {.window = 30, .noise_max = 2, .slope_max = fd::Rate{0.1, 1.0}, .strict = strict});
    return states(detector, values, 1).back();
  };
  CHECK(state(false) == OnlineState::steady);
  CHECK(state(true) == OnlineState::transient);
}

TEST_CASE("the windowed slope agrees with a batch computation at offset 1e9 and after a spike") {
  const auto values = noise(20'000, 7);
  fd::WindowedSlope<double> detector({.window = 300, .noise_max = 9, .slope_max = fd::Rate{1.0, 1.0}});
  std::vector<double> t, x;
  for (std::size_t i = 0; i < values.size(); ++i) {
    t.push_back(static_cast<double>(i));
    x.push_back(1e9 + values[i] + (i == 5000 ? 1e12 : 0));
    detector.push(1e7 + t[i], x[i]);
    if (i % 997 != 0 || i < 300 || (i >= 5000 && i <= 5300)) continue;
    const auto& line = detector.details().line();
    const auto batch = fd::detail::fit_line(std::span(t).last(301), std::span(x).last(301));
    REQUIRE(line.count == 301);
    CHECK(line.slope == Approx(batch.slope).epsilon(1e-6));
    CHECK(line.spread == Approx(batch.spread).epsilon(1e-9));
    CHECK(line.mean == Approx(batch.mean).epsilon(1e-15));
  }
}

TEST_CASE("the windowed slope does not judge from a window that has run empty") {
  fd::WindowedSlope<double> detector({.window = 3600, .noise_max = 1, .slope_max = fd::Rate{1.0, 1.0}});
  for (int i = 0; i <= 72; ++i) detector.push(60 * i, 5);
  CHECK(detector.last()->state == OnlineState::steady);
  for (int i = 0; i < 60; ++i) CHECK(detector.push(20'000 + 60 * i, 80).state == OnlineState::unknown);
  CHECK(detector.push(20'000 + 3600, 80).state == OnlineState::steady);
}

TEST_CASE("cumulated sums find a shift and learn the new level") {
  auto values = noise(600, 3);
  for (std::size_t i = 300; i < 600; ++i) values[i] += 4;
  fd::Cusum<double> detector({.start_samples = 100, .limit = 8});
  const auto found = states(detector, values);
  CHECK(stretches(found, OnlineState::unknown) == std::vector<std::array<std::size_t, 2>>{{0, 100}});
  const auto transient = stretches(found, OnlineState::transient);
  REQUIRE(transient.size() == 1);
  CHECK(transient[0][0] >= 301);
  CHECK(transient[0][0] <= 305);
  CHECK(transient[0][1] == transient[0][0] + 101);  // the sample that passed, and 100 from which it learns
  // Downwards too, and a tenth of the shift is not found within the run.
  for (double& v : values) v = -v;
  fd::Cusum<double> mirror({.start_samples = 100, .limit = 8});
  CHECK(states(mirror, values) == found);
}

TEST_CASE("cumulated sums follow their formula") {
  fd::Cusum<double> detector({.start_samples = 10, .slack = 0.5, .limit = 100});
  std::vector<double> start{1, -1, 1, -1, 1, -1, 1, -1, 1, -1};  // mean 0, variance 10/9
  double t = 0;
  for (const double v : start) detector.push(t++, v);
  const double sigma = std::sqrt(10.0 / 9);
  double up = 0, down = 0;
  for (const double v : {2.0, 3.0, -1.0, -5.0, 0.25}) {
    up = std::max(0.0, up + v - 0.5 * sigma);
    down = std::max(0.0, down - v - 0.5 * sigma);
    CHECK(detector.push(t++, v).score.value() == Approx(std::max(up, down)).epsilon(1e-12));
  }
}

TEST_CASE("a bad sample and a long step restart a detector and leave unknown stretches") {
  fd::RStatistic<> detector({.start_samples = 10}, 90s);
  const fd::Timestamp start{1'600'000'000s};
  const auto minute = [&](int k) { return start + k * 1min; };
  for (int i = 0; i < 20; ++i) detector.push(minute(i), 5);
  CHECK(detector.last()->since == minute(10));
  CHECK(detector.push(minute(20), not_a_number).state == OnlineState::unknown);
  CHECK(detector.last()->since == minute(20));
  for (int i = 21; i < 40; ++i) detector.push(minute(i), 5);
  CHECK(detector.last()->state == OnlineState::steady);
  CHECK(detector.push(minute(50), 5).state == OnlineState::unknown);  // 11 minutes without a sample
  for (int i = 51; i < 70; ++i) detector.push(minute(i), 5);
  using Set = fd::WindowSet<fd::Timestamp>;
  const auto status = detector.status();
  CHECK(status.range() == fd::Window{start, minute(69)});
  CHECK(status.holds() == Set{{minute(10), minute(20)}, {minute(31), minute(39) + 90s}, {minute(60), minute(69)}});
  CHECK(status.unknown() == Set{{start, minute(10)}, {minute(20), minute(31)}, {minute(39) + 90s, minute(60)}});
  detector.forget();
  CHECK(detector.status() == fd::Status<>{});
  detector.push(minute(70), 5);
  CHECK(detector.status().holds() == Set{{minute(69), minute(70)}});
}

TEST_CASE("after a restart a detector answers as a new one does") {
  const auto values = plateaus();
  const auto check = [&](auto fresh) {
    auto used = fresh;
    states(used, noise(300, 11));
    used.push(1e6, not_a_number);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto a = used.push(2e6 + 60 * static_cast<double>(i), values[i]);
      const auto b = fresh.push(60 * static_cast<double>(i), values[i]);
      REQUIRE(a.state == b.state);
      REQUIRE(a.score == b.score);
    }
  };
  check(fd::RStatistic<double>({}));
  check(fd::KellyHedengren<double>({.samples = 30}));
  check(fd::WindowedSlope<double>({.window = 1800, .noise_max = 1, .slope_max = fd::Rate{0.1, 60.0}}));
  check(fd::Cusum<double>({}));
}

TEST_CASE("a series run through a detector gives its status") {
  std::vector<double> times;
  for (int i = 0; i < 720; ++i) times.push_back(60.0 * i);
  const fd::Series<double, double> series(times, plateaus());
  const auto status = fd::run_online(fd::RStatistic<double>({.start_samples = 36, .skip_after_start = true}), series);
  CHECK(status.does_not_hold() == fd::WindowSet<double>{{204 * 60, 296 * 60}, {484 * 60, 538 * 60}});
  CHECK(status.unknown() == fd::WindowSet<double>{{0, 37 * 60}});
}

TEST_CASE("levels of several tests are shared out after Sidak") {
  CHECK(fd::sidak(0.05, 1) == Approx(0.05).epsilon(1e-15));
  CHECK(std::pow(1 - fd::sidak(0.05, 7), 7) == Approx(0.95).epsilon(1e-14));
  CHECK_THROWS_AS(fd::sidak(0, 3), fd::InputError);
  CHECK_THROWS_AS(fd::sidak(0.05, 0), fd::InputError);
}

TEST_CASE("detectors refuse options out of range and times that do not increase") {
  CHECK_THROWS_AS(fd::RStatistic<>({.filters = {0, 0.1, 0.1}}), fd::InputError);
  CHECK_THROWS_AS(fd::RStatistic<>({.start_samples = 9}), fd::InputError);
  CHECK_THROWS_AS(fd::RStatistic<>({.accept = 3, .reject = 2}), fd::InputError);
  CHECK_THROWS_AS(fd::KellyHedengren<>({.samples = 2}), fd::InputError);
  CHECK_THROWS_AS(fd::KellyHedengren<>({.samples = 9, .alpha = 1}), fd::InputError);
  CHECK_THROWS_AS(fd::KellyHedengren<>({.samples = 9, .p_min = not_a_number}), fd::InputError);
  const fd::Rate rate{1.0, 1min};
  CHECK_THROWS_AS(fd::WindowedSlope<>({.window = 0s, .noise_max = 1, .slope_max = rate}), fd::InputError);
  CHECK_THROWS_AS(fd::WindowedSlope<>({.window = 1s, .noise_max = -1, .slope_max = rate}), fd::InputError);
  CHECK_THROWS_AS(fd::WindowedSlope<>({.window = 1s, .noise_max = 1, .slope_max = rate, .confidence = 1}),
                  fd::InputError);
  CHECK_THROWS_AS(fd::Cusum<>({.slack = -1}), fd::InputError);
  CHECK_THROWS_AS(fd::Cusum<>({.limit = 0}), fd::InputError);
  CHECK_THROWS_AS(fd::Cusum<>({}, 0s), fd::InputError);
  CHECK_THROWS_AS((fd::Rate{not_a_number, 1min}), fd::InputError);
  CHECK_THROWS_AS((fd::Rate{1.0, 0min}), fd::InputError);

  fd::Cusum<double> detector({});
  detector.push(1, 5);
  CHECK_THROWS_AS(detector.push(1, 5), fd::InputError);
  CHECK_THROWS_AS(detector.push(not_a_number, 5), fd::InputError);
  CHECK_NOTHROW(detector.push(2, 5));
}
