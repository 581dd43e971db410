// SPDX-License-Identifier: MIT
#include <fidelity/detail/random.hpp>
#include <fidelity/io/csv.hpp>
#include <fidelity/validation/tube.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/series_polynomial_signal.hpp"
#include "reference/tube_oracle.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
using Run = fd::Series<double, double>;
using Tube = fd::Tube<double>;
const double nan_value = std::numeric_limits<double>::quiet_NaN();

Run run(std::vector<double> times, std::vector<double> values,
        fd::Interpolation interpolation = fd::Interpolation::linear, std::optional<double> max_gap = {}) {
  fd::SeriesOptions<double> options;
  options.interpolation = interpolation;
  options.max_gap = max_gap;
  options.duplicates = fd::Duplicates::event;
  return {std::move(times), std::move(values), std::move(options)};
}
constexpr auto hold = fd::Interpolation::hold;

/// Exact tolerance, so that dy is what is written.
Tube within(double tolerance, double time = 0) {
  Tube tube{.relative = 0, .absolute = tolerance, .nominal = 0};
  tube.time = time;
  return tube;
}
}  // namespace

TEST_CASE("signals at numerical zero, large constants, other lengths and NaN are judged as in case 26") {
  struct Case {
    const char* name;
    Run reference, test;
    Tube tube;
    fd::Verdict verdict;
    double tolerance, largest, coverage;
  };
  const Case cases[] = {
      {"zero",
       run({0, 1, 2}, {1e-17, -2e-17, 0}),
       run({0, 1, 2}, {1e-17, 1.4e-16, -3e-16}),
       {},
       fd::Verdict::pass,
       2e-06,
       3e-16,
       1},
      {"constant",
       run({0, 10}, {418250.5, 418250.5}),
       run({0, 5, 10}, {418250.5, 418254.0, 418250.25}),
       {.nominal = 400000},
       fd::Verdict::pass,
       800,
       3.5,
       1},
      {"longer",
       run({0, 1, 2}, {0, 1, 2}),
       run({0, 1, 2, 3}, {0, 1.001, 2, 99}),
       {},
       fd::Verdict::pass,
       0.004,
       0.0009999999999998899,
       1},
      {"shorter",
       run({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}),
       run({0, 1, 2}, {0, 1, 2}),
       {},
       fd::Verdict::incomplete,
       0.008,
       0,
       0.5},
      {"nan", run({0, 1, 2}, {0, 1, 2}), run({0, 1, 2}, {0, nan_value, 2}), {}, fd::Verdict::fail, 0.004, 0, 1},
      {"real error",
       run({0, 1, 2}, {0, 1, 2}),
       run({0, 0.5, 1, 2}, {0, 0.51, 1, 2}),
       {},
       fd::Verdict::fail,
       0.004,
       0.010000000000000009,
       1},
      {"zero tolerance",
       run({0, 1}, {1, 1}),
       run({0, 1}, {1, 1.05}),
       {.relative = 0, .absolute = 0},
       fd::Verdict::fail,
       0,
       0.050000000000000044,
       1}};
  for (const Case& each : cases) {
    INFO(each.name);
    const auto result = fd::check_tube(each.test, each.reference, each.tube);
    CHECK(result.verdict == each.verdict);
    CHECK(result.tolerance == Approx(each.tolerance).epsilon(1e-9).margin(0));
    CHECK(result.coverage == Approx(each.coverage).margin(1e-12));
    CHECK(*result.largest_error == Approx(each.largest).epsilon(1e-9).margin(0));
  }
  const auto longer = fd::check_tube(cases[2].test, cases[2].reference);
  CHECK(longer.test.beyond == 1);
  CHECK(longer.largest_error_time == 1.0);
  const auto bad = fd::check_tube(cases[4].test, cases[4].reference);
  CHECK(bad.test.bad == 1);
  CHECK(bad.reason.code == "bad_samples");
  CHECK(fd::check_tube(cases[3].test, cases[3].reference).reason.code == "coverage");
}

TEST_CASE("an error on the edge of the tube passes and the next number beyond fails") {
  const Run reference = run({0, 2}, {0, 0});
  CHECK(fd::check_tube(run({0, 1, 2}, {0, 0.25, 0}), reference, within(0.25)).verdict == fd::Verdict::pass);
  const auto beyond = fd::check_tube(run({0, 1, 2}, {0, std::nextafter(0.25, 1), 0}), reference, within(0.25));
  CHECK(beyond.verdict == fd::Verdict::fail);
  CHECK(beyond.test.failures.size() == 1);
  Tube rounded = within(0.25);
  rounded.rounding = 0.5;
  CHECK(fd::check_tube(run({0, 1, 2}, {0, 0.75, 0}), reference, rounded).verdict == fd::Verdict::pass);
}

TEST_CASE("a late event passes within the time tolerance and not beyond") {
  const Run reference = run({0, 5, 10}, {0, 1, 1}, hold);
  const auto late = [](double by) { return run({0, 5, 5 + by, 10}, {0, 0, 1, 1}, hold); };
  CHECK(fd::check_tube(late(0.5), reference, within(0.1)).verdict == fd::Verdict::fail);
  CHECK(fd::check_tube(late(0.5), reference, within(0.1, 0.5)).verdict == fd::Verdict::pass);
  // The edge of the box counts: the row at 5.5 sees the old value at its corner.
  CHECK(fd::check_tube(run({0, 5.5, 10}, {0, 0, 1}, hold), reference, within(0.1, 0.5)).verdict == fd::Verdict::pass);
  const auto beyond = fd::check_tube(run({0, 5.5, 10}, {0, 0, 1}, hold), reference, within(0.1, 0.49));
  CHECK(beyond.verdict == fd::Verdict::fail);
  CHECK(*beyond.largest_error == 1);
  // The jump is a vertical line: a value between the two levels lies on it.
  CHECK(fd::check_tube(run({0, 5.5, 10}, {0, 0.5, 1}, hold), reference, within(0, 0.5)).verdict == fd::Verdict::pass);
}

TEST_CASE("a held test that is late by one sample does not pass without a time tolerance") {
  const Run reference = run({0, 1, 2, 3}, {0, 1, 2, 3}, hold);
  CHECK(fd::check_tube(run({0, 1, 2, 3}, {0, 0, 1, 2}, hold), reference, within(0.1)).verdict == fd::Verdict::fail);
  CHECK(fd::check_tube(run({0, 1, 2, 3}, {0, 0, 1, 2}, hold), reference, within(0.1, 1)).verdict == fd::Verdict::pass);
}

TEST_CASE("the rows of an event are held against their own limit and a single row against either") {
  const Run reference = run({0, 5, 5, 10}, {0, 0, 1, 1});
  const auto judged = [&](std::vector<double> times, std::vector<double> values) {
    return fd::check_tube(run(std::move(times), std::move(values)), reference, within(0.1)).verdict;
  };
  CHECK(judged({0, 5, 5, 10}, {0, 0, 1, 1}) == fd::Verdict::pass);
  CHECK(judged({0, 5, 5, 10}, {0, 1, 1, 1}) == fd::Verdict::fail);
  CHECK(judged({0, 5, 5, 10}, {0, 0, 0, 1}) == fd::Verdict::fail);
  CHECK(judged({0, 5, 10}, {0, 0, 1}) == fd::Verdict::pass);
  CHECK(judged({0, 5, 10}, {0, 1, 1}) == fd::Verdict::pass);
  CHECK(judged({0, 5, 10}, {0, 0.5, 1}) == fd::Verdict::fail);  // on the jump, but only a time tolerance draws it
  // Two rows of the test where the reference has one, also at its ends.
  CHECK(judged({0, 0, 5, 10, 10}, {0, 0, 1, 1, 1}) == fd::Verdict::pass);
  CHECK(judged({0, 0, 5, 10}, {0.5, 0, 1, 1}) == fd::Verdict::fail);
}

TEST_CASE("bad and missing reference is left out and lowers the coverage") {
  const Run reference = run({0, 1, 2, 3, 4}, {0, 0, nan_value, 0, 0});
  const Run test = run({0, 1, 1.5, 2, 2.5, 3, 4}, {0, 0, 9, 9, 9, 0, 0});
  const auto result = fd::check_tube(test, reference, within(0.1));
  CHECK(result.verdict == fd::Verdict::incomplete);
  CHECK(result.coverage == 0.5);
  CHECK(result.test.unknown == 3);
  Tube half = within(0.1);
  half.min_coverage = 0.5;
  CHECK(fd::check_tube(test, reference, half).verdict == fd::Verdict::pass);

  // Held: the value counts up to the bad sample and not on it.
  const Run held = run({0, 1, 2, 3, 4}, {0, 0, nan_value, 0, 0}, hold);
  const auto on_bad = fd::check_tube(test, held, half);
  CHECK(on_bad.coverage == 0.75);
  CHECK(on_bad.verdict == fd::Verdict::fail);  // the 9 at 1.5
  CHECK(on_bad.test.failed == 1);
  CHECK(on_bad.test.unknown == 2);

  const Run gap = run({0, 1, 3, 4}, {0, 0, 0, 0}, fd::Interpolation::linear, 1.0);
  CHECK(fd::check_tube(run({0, 2, 4}, {0, 9, 0}), gap, half).coverage == 0.5);
  // A gap in the test lowers the coverage as well.
  CHECK(fd::check_tube(gap, run({0, 4}, {0, 0}), within(0.1)).coverage == 0.5);
}

TEST_CASE("nothing compared is never a pass") {
  const Run reference = run({0, 1, 2}, {0, 0, 0});
  const auto apart = fd::check_tube(run({5, 6}, {0, 0}), reference, within(1));
  CHECK(apart.verdict == fd::Verdict::incomplete);
  CHECK(apart.reason.code == "nothing_compared");
  CHECK_FALSE(apart.common);
  CHECK(apart.test.beyond == 2);
  CHECK_FALSE(apart.largest_error);
  Tube any = within(1);
  any.min_coverage = 0;
  CHECK(fd::check_tube(run({-1, 5}, {0, 0}), reference, any).verdict == fd::Verdict::incomplete);  // steps over it all
  any.within = fd::WindowSet<double>{};
  CHECK(fd::check_tube(reference, reference, any).reason.code == "nothing_compared");
  CHECK_THROWS_AS(fd::error_series(apart), fd::InputError);
  // One sample against one sample is a comparison of all there is.
  CHECK(fd::check_tube(run({3}, {1}), run({3}, {1}), within(0)).verdict == fd::Verdict::pass);
  CHECK(fd::check_tube(run({3}, {1}), run({3}, {nan_value}), within(0)).verdict == fd::Verdict::incomplete);
}

TEST_CASE("the windows asked for decide what is compared, and the span is that of the reference in them") {
  const Run reference = run({0, 2, 4, 6, 8}, {0, 100, 1, 2, 3}, hold);
  Tube tube{.relative = 0.5, .nominal = 0, .within = fd::WindowSet<double>{{4, 8}}};
  const auto result = fd::check_tube(run({0, 2, 4, 6, 8}, {7, 7, 1, 2, 3}), reference, tube);
  CHECK(result.span == 2);
  CHECK(result.tolerance == 1);
  CHECK(result.test.outside == 2);
  CHECK(result.test.times == std::vector<double>{4, 6, 8});  // the last instant of all is compared
  CHECK(result.verdict == fd::Verdict::pass);
  // Both rows of an event at the very begin belong to the reference.
  CHECK(fd::check_tube(reference, run({0, 0, 8}, {9, 0, 0})).span == 9);
  tube.within = fd::WindowSet<double>{{4, 6}};
  const auto half_open = fd::check_tube(run({4, 5, 6}, {1, 1, 55}), reference, tube);
  CHECK(half_open.span == 0);
  CHECK(half_open.test.times.size() == 2);
  CHECK(half_open.verdict == fd::Verdict::pass);
}

TEST_CASE("a coarse test that steps over a peak fails both ways only") {
  const Run reference = run({0, 1, 2, 3, 4}, {0, 0, 5, 0, 0});
  const Run coarse = run({0, 1, 3, 4}, {0, 0, 0, 0});
  CHECK(fd::check_tube(coarse, reference, within(0.1)).verdict == fd::Verdict::pass);
  Tube both = within(0.1);
  both.both_ways = true;
  const auto result = fd::check_tube(coarse, reference, both);
  CHECK(result.verdict == fd::Verdict::fail);
  CHECK(*result.largest_error == 5);
  CHECK(result.largest_error_time == 2.0);
  CHECK(result.reference->failures.size() == 1);
}

TEST_CASE("failures that follow each other are one stretch") {
  const Run reference = run({0, 9}, {0, 0});
  const auto result =
      fd::check_tube(run({0, 1, 2, 3, 4, 5, 9}, {0, 1, nan_value, 0, -1, 0, 0}), reference, within(0.5));
  REQUIRE(result.test.failures.size() == 2);
  CHECK(result.test.failures[0].begin == 1);
  CHECK(result.test.failures[0].end == 2);
  CHECK(result.test.failures[0].samples == 2);
  CHECK(result.test.failures[1].begin == 4);
  CHECK(result.test.failed == 3);
  const auto errors = fd::error_series(result);
  CHECK(errors.size() == 7);
  CHECK(errors(4) == -1);
}

TEST_CASE("a curved reference is judged between its pieces and at its turning points") {
  // e - e^2 has its peak of 1/4 at 1/2; then it stays at 0.
  const auto parabola = series_test::from_events<double>({{0, {0, 1, -1}}, {1, {0}}}, 4);
  const auto at = [&](double t, double value, double time) {
    return fd::check_tube(run({t}, {value}), parabola, within(1e-9, time)).largest_error.value();
  };
  CHECK(at(0.25, 0.1875, 0) == 0);
  CHECK(at(0.25, 0.25, 0) == 0.0625);
  CHECK(at(0.25, 0.3, 0.25) == Approx(0.05));
  CHECK(at(0.3, 0.3, 0.4) == Approx(0.05));  // the peak lies inside
  CHECK(at(3, 0.3, 0.5) == Approx(0.3));
}

TEST_CASE("the tube agrees with strokes drawn one by one") {
  for (std::uint64_t round = 0; round < 400; ++round) {
    fd::detail::Random random(7, 0, round);
    const auto below = [&](double n) { return std::floor(n * random.uniform()); };
    const auto draw = [&](std::size_t n, bool with_bad, double max_gap) {
      std::vector<double> times, values;
      double t = below(4);
      for (std::size_t i = 0; i < n; ++i) {
        const bool event = i > 0 && random.uniform() < 0.2 && (i < 2 || times[i - 2] != t);
        if (!event) t += 1 + below(3);
        times.push_back(t);
        values.push_back(with_bad && random.uniform() < 0.1 ? nan_value : below(6));
      }
      return run(std::move(times), std::move(values), random.uniform() < 0.5 ? hold : fd::Interpolation::linear,
                 (with_bad && random.uniform() < 0.5) ? std::optional(max_gap) : std::nullopt);
    };
    const bool gaps = round % 2 == 1;  // without gaps long stretches are looked at block by block
    const Run reference = draw(2 + static_cast<std::size_t>(below(round % 40 == 0 ? 9000 : 30)), gaps, 2.5);
    const Run test = draw(2 + static_cast<std::size_t>(below(60)), false, 3);
    const double time = 0.5 + below(round % 3 == 0 ? 20000 : 4);
    const auto result = fd::check_tube(test, reference, within(0.75, time));
    const auto strokes = oracle::strokes(reference);
    std::size_t failed = 0;
    bool one_side = false;
    INFO("round " << round);
    for (std::size_t i = 0; i < result.test.times.size(); ++i) {
      const double t = result.test.times[i];
      const auto rows = std::equal_range(test.times().begin(), test.times().end(), t);
      const auto judged = std::equal_range(result.test.times.begin(), result.test.times.end(), t);
      auto k = static_cast<std::size_t>(rows.first - test.times().begin());
      if (rows.second - rows.first > judged.second - judged.first) {
        one_side = true;  // of the two rows only one was judged: the other limit is missing
        continue;
      }
      if (i > 0 && result.test.times[i - 1] == t) ++k;
      const double distance = oracle::distance_to(strokes, test(k), t - time, t + time);
      CHECK(std::abs(result.test.errors[i]) == Approx(distance).margin(1e-12));
      if (distance > 0.75) ++failed;
    }
    if (!one_side) CHECK(result.test.failed == failed);
  }
}

TEST_CASE("a long time tolerance ends where it says and does not bridge a gap") {
  std::vector<double> times, values;
  for (int k = 0; k < 300; ++k) {
    times.push_back(k);
    values.push_back(k == 150 ? nan_value : k);
  }
  const Run ramp = run(times, values);
  const auto error = [&](double t, double value, double time) {
    return *fd::check_tube(run({t}, {value}), ramp, within(0, time)).largest_error;
  };
  CHECK(error(90, 128, 37.5) == 0.5);  // reaches to 127.5
  CHECK(error(90, 127, 37.5) == 0);
  CHECK(error(90, 52, 37.5) == 0.5);
  CHECK(error(200, 150, 190) == 1);  // 149 and 151 are on the curve, nothing between
}

TEST_CASE("absolute time is compared exactly and a time tolerance reaches to its end without wrapping around") {
  const fd::Timestamp t0{1'718'000'000s};
  const fd::Series<> reference({t0, t0 + 1s, t0 + 2s}, {0.0, 0.0, 1.0}, {.interpolation = hold});
  const fd::Series<> late({t0, t0 + 2s, t0 + 2s + 100ns}, {0.0, 0.0, 1.0}, {.interpolation = hold});
  fd::Tube<> tube{.relative = 0.1};
  CHECK(fd::check_tube(late, reference, tube).verdict == fd::Verdict::fail);
  tube.time = 1ns;
  CHECK(fd::check_tube(late, reference, tube).verdict == fd::Verdict::pass);
  tube.time = fd::Duration<fd::Timestamp>::max();
  CHECK(fd::check_tube(late, reference, tube).verdict == fd::Verdict::pass);
}

TEST_CASE("wrong tolerances are refused and numbers out of range are no tolerance") {
  const Run one = run({0, 1}, {0, 1});
  for (const double wrong : {-1.0, nan_value, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(fd::check_tube(one, one, {.relative = wrong}), fd::InputError);
    CHECK_THROWS_AS(fd::check_tube(one, one, {.absolute = wrong}), fd::InputError);
    CHECK_THROWS_AS(fd::check_tube(one, one, {.nominal = wrong}), fd::InputError);
    CHECK_THROWS_AS(fd::check_tube(one, one, {.rounding = wrong}), fd::InputError);
    CHECK_THROWS_AS(fd::check_tube(one, one, within(1, wrong)), fd::InputError);
    CHECK_THROWS_AS(fd::check_tube(one, one, {.min_coverage = wrong}), fd::InputError);
  }
  // A span that overflows would be a tube in which everything passes.
  const Run wide = run({0, 1}, {-1.7e308, 1.7e308}, hold);
  CHECK_THROWS_AS(fd::check_tube(wide, wide), fd::Overflow);
  const auto far = fd::check_tube(run({0, 1}, {-1.7e308, 1e308}), run({0, 1}, {1e308, 1e308}), within(1));
  CHECK(far.verdict == fd::Verdict::fail);
  CHECK(std::isfinite(*far.largest_error));
}

TEST_CASE("measured control signals of a building fail and pass as published with their tool") {
  const std::filesystem::path folder = std::filesystem::path(FIDELITY_SHARED) / "data/validation/funnel_hvac";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no folder ../shared");
    return;
  }
  const auto read = [&](const char* name) {
    return fd::read_csv<double>(folder / name, {.time_unit = fd::TimeUnit::s}).series;
  };
  const auto same = fd::check_tube(read("success7_test.csv"), read("success7_reference.csv"), within(0));
  CHECK(same.verdict == fd::Verdict::pass);
  CHECK(same.coverage == 1);
  const Run simulated = read("fail1_simulated.csv"), trended = read("fail1_trended.csv");
  const auto strict = fd::check_tube(simulated, trended);
  CHECK(strict.verdict == fd::Verdict::fail);
  CHECK(strict.tolerance == 0.002 * strict.span);
  CHECK(*strict.largest_error == Approx(0.035).epsilon(0.05));
  CHECK(fd::check_tube(simulated, trended, within(*strict.largest_error)).verdict == fd::Verdict::pass);
}
