// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/series_polynomial_signal.hpp"
#include "reference/steady_data.hpp"
#include "reference/steady_oracle.hpp"

#include <fidelity/sampling/change_points.hpp>
#include <fidelity/sampling/steady_state.hpp>

namespace fd = fidelity;
using namespace steady_data;
using fd::Truth;
using series_test::bad;
using series_test::infinity;
using series_test::Random;

namespace {

using Options = fd::SteadyStateOptions<Milliseconds>;
using Window = fd::Window<Milliseconds>;

Milliseconds at(double minutes) { return ms(static_cast<std::int64_t>(60'000 * minutes)); }

/// Alternating noise of +-1 about a level.
std::vector<double> noisy(std::size_t n, double level, double noise = 1) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(level + (i % 2 == 0 ? noise : -noise));
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double normal(Random& random) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
  return sum;
}

/// Levels and ramps with noise on irregular stamps.
struct Scene {
  std::vector<double> t, y;
};
Scene scene(Random& random, std::size_t sections) {
  Scene s;
  double time = 0, level = 10 * normal(random);
  for (std::size_t k = 0; k < sections; ++k) {
    const std::size_t length = 20 + random.next() % 60;
    const double slope = random.next() % 2 == 0 ? 0 : 0.01 * normal(random),
                 noise = 0.2 + 0.1 * std::abs(normal(random));
    const double start = time;
    for (std::size_t i = 0; i < length; ++i) {
      s.t.push_back(time);
      s.y.push_back(level + slope * (time - start) + noise * normal(random));
      time += 1 + static_cast<double>(random.next() % 8) / 8;
    }
    level += slope * (time - start) + (random.next() % 3 == 0 ? 0.3 : 3) * normal(random);
  }
  return s;
}

}  // namespace

TEST_CASE("steady state agrees with the rules worked out in long double") {
  Random random(11);
  int decided = 0, steady = 0, cuts = 0;
  for (int round = 0; round < 60; ++round) {
    const Scene s = scene(random, 1 + random.next() % 5);
    steady_oracle::Limits limits;
    fd::SteadyStateOptions<double> options;
    if (round % 3 != 0) options.noise_max = limits.noise_max = 0.35;
    if (round % 3 == 2) options.slope_max = fd::Rate(*(limits.slope_max = 0.004), 1.0);
    if (round % 4 == 3) options.level_jump = limits.level_jump = 1.5;
    if (round % 5 == 4) options.stickiness = limits.stickiness = 2;
    if (round % 2 == 0) options.confidence = limits.confidence = 0.5;
    const fd::Series<double, double> series(s.t, s.y);
    const auto report = fd::analyse_steady_state(series, options);
    limits.min_duration = *report.limits.min_duration_seconds;
    const auto raw = fd::change_points(s.y, fd::EmpiricalDistribution{}, {.min_section_size = 15});
    const auto expected = steady_oracle::analyse(s.t, s.y, raw.indices, limits);
    if (expected.margin < 1e-9) continue;
    ++decided;
    INFO("round " << round);
    CHECK(*report.limits.noise_max == Approx(static_cast<double>(expected.noise_max)).epsilon(1e-10));
    CHECK(report.limits.slope_max->per_second() == Approx(static_cast<double>(expected.slope_max)).epsilon(1e-10));
    REQUIRE(report.segments.size() == expected.lines.size());
    std::vector<double> changes, cut_times;
    for (const std::size_t c : expected.changes) changes.push_back(s.t[c]);
    for (const std::size_t c : expected.cuts) cut_times.push_back(s.t[c]);
    CHECK(report.change_points == changes);
    CHECK(std::vector<double>(report.status.cuts().begin(), report.status.cuts().end()) == cut_times);
    for (std::size_t k = 0; k < expected.lines.size(); ++k) {
      const auto& found = report.segments[k];
      const auto& line = expected.lines[k];
      CHECK(found.mean == Approx(static_cast<double>(line.mean)).epsilon(1e-10).margin(1e-10));
      CHECK(found.spread == Approx(static_cast<double>(line.spread)).epsilon(1e-10));
      CHECK(found.slope == Approx(static_cast<double>(line.slope)).epsilon(1e-9).margin(1e-11));
      CHECK(found.standard_error == Approx(static_cast<double>(line.standard_error)).epsilon(1e-10));
      CHECK(found.steady() == expected.steady[k]);
      CHECK(report.status.at(found.window.begin) == (expected.steady[k] ? Truth::holds : Truth::does_not_hold));
      steady += expected.steady[k];
    }
    cuts += static_cast<int>(expected.cuts.size());
  }
  CHECK(decided > 40);
  CHECK(steady > 30);
  CHECK(cuts > 5);
}

TEST_CASE("noise is steady at any level and a drift is not") {
  for (const double level : {0.0, -100.0, 1e9}) {
    INFO(level);
    const auto report = fd::analyse_steady_state(every_minute(noisy(40, level)));
    CHECK(report.status.runs() == std::vector{Window{at(0), at(39)}});
    CHECK(report.limits.min_section_size == 15);
    CHECK(report.limits.min_duration_seconds == 900.0);
    CHECK(report.limits.noise_derived);
    CHECK(report.limits.slope_derived);
  }
  std::vector<double> drift;
  for (int i = 0; i < 60; ++i) drift.push_back(0.2 * i + (i % 2 == 0 ? 0.1 : -0.1));
  const Options options{.noise_max = 10, .slope_max = fd::Rate(0.1, 1min), .min_duration = 1h};
  const auto report = fd::analyse_steady_state(every_minute(drift), options);
  REQUIRE(report.segments.size() == 1);
  CHECK_FALSE(report.segments[0].noise_failed);
  CHECK(report.segments[0].slope_failed);
  CHECK(report.status.holds().empty());
  CHECK(report.status.unknown().empty());
  CHECK_FALSE(report.limits.noise_derived);
}

TEST_CASE("constants pass limits of 0") {
  for (const double level : {0.0, 0.1, -5.0, 1e9 + 0.3, 1e-300, 1e90}) {
    INFO(level);
    const auto series = every_minute(std::vector<double>(40, level));
    const auto report =
        fd::analyse_steady_state(series, {.noise_max = 0, .slope_max = fd::Rate(0, 1min), .level_jump = 0});
    CHECK(report.status.runs() == std::vector{Window{at(0), at(39)}});
    CHECK(fd::steady_state(series) == report.status);
  }
  // So does what rounding makes of them.
  std::vector<double> rounded(20, 1e9);
  rounded.resize(40, std::nextafter(1e9, 2e9));
  const auto report = fd::analyse_steady_state(every_minute(rounded), {.noise_max = 0, .min_duration = 40min});
  REQUIRE(report.segments.size() == 1);
  CHECK(report.segments[0].steady());
  CHECK(report.segments[0].slope == 0);
}

TEST_CASE("noise of any size is told from rounding") {
  for (const double size : {1e-200, 1e-3, 1e90}) {
    INFO(size);
    const auto series = every_minute(noisy(40, 0, size));
    CHECK(fd::steady_state(series, {.noise_max = 2 * size}).fraction(Truth::holds) == 1);
    CHECK(fd::steady_state(series, {.noise_max = 0.5 * size}).fraction(Truth::holds) == 0);
    auto values = synthetic720();
    for (double& y : values) y = (y - 50) * size;
    const auto report = fd::analyse_steady_state(every_minute(values), {.min_duration = 15min});
    CHECK(report.change_points == std::vector{at(201), at(222), at(261), at(479), at(500)});
  }
}

TEST_CASE("two levels are not joined unless that is asked for") {
  const auto series = every_minute(joined(noisy(60, 0), noisy(60, 9)));
  const auto status = fd::steady_state(series);
  CHECK(status.holds() == fd::WindowSet<Milliseconds>{{at(0), at(119)}});
  CHECK(status.runs() == std::vector{Window{at(0), at(60)}, Window{at(60), at(119)}});
  CHECK(fd::steady_state(series, {.level_jump = infinity}).runs().size() == 1);
  CHECK(fd::steady_state(series, {.level_jump = 8.5}).runs().size() == 2);
  CHECK(fd::steady_state(series, {.level_jump = 9.5}).runs().size() == 1);

  // The lines are compared where they meet: a ramp that goes on has no jump.
  std::vector<double> ramp;
  for (int i = 0; i < 40; ++i) ramp.push_back(100 + 0.1 * i);
  const auto report = fd::analyse_steady_state(
      every_minute(ramp), {.noise_max = 0, .slope_max = fd::Rate(1, 1min), .min_duration = 20min, .level_jump = 0});
  CHECK(report.segments.size() == 2);
  CHECK(report.status.runs().size() == 1);
}

TEST_CASE("each stretch without a gap is judged by itself") {
  auto values = joined(noisy(40, 5), noisy(60, 5));
  values[40] = bad;
  const auto report = fd::analyse_steady_state(every_minute(values));
  CHECK(report.pieces == 2);
  CHECK(report.samples == 99);
  CHECK(report.status.holds() == fd::WindowSet<Milliseconds>{{at(0), at(39)}, {at(41), at(99)}});
  CHECK(report.status.unknown() == fd::WindowSet<Milliseconds>{{at(39), at(41)}});
  CHECK(report.change_points.empty());

  // A pause is bridged and reported unless max_gap forbids it.
  std::vector<Milliseconds> times;
  for (int i = 0; i < 80; ++i) times.push_back(at(i < 40 ? i : i + 20));
  const fd::Series<double, Milliseconds> bridged(times, noisy(80, 5));
  CHECK(fd::analyse_steady_state(bridged).longest_pause == 21min);
  CHECK(fd::steady_state(bridged).fraction(Truth::holds) == 1);
  const auto just = fd::with_interpolation(bridged, fd::Interpolation::linear, 21min);
  CHECK(fd::steady_state(just).fraction(Truth::holds) == 1);
  const auto apart = fd::analyse_steady_state(fd::with_interpolation(bridged, fd::Interpolation::linear, 5min));
  CHECK(apart.longest_pause == 1min);
  CHECK(apart.status.unknown() == fd::WindowSet<Milliseconds>{{at(39), at(60)}});

  // Too short to judge is unknown, whatever the values.
  auto short_end = noisy(54, 5);
  short_end[39] = bad;
  const auto cut_off = fd::analyse_steady_state(every_minute(short_end));
  CHECK(cut_off.pieces_too_short == 1);
  CHECK(cut_off.status.unknown() == fd::WindowSet<Milliseconds>{{at(38), at(53)}});
  const auto nothing = fd::analyse_steady_state(every_minute({1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  CHECK(nothing.status.fraction(Truth::unknown) == 1);
  CHECK_FALSE(nothing.limits.noise_max);
  CHECK_FALSE(nothing.limits.slope_max);
  CHECK(nothing.segments.empty());
  const auto given = fd::analyse_steady_state(every_minute({1, 1, 1, 1}), {.noise_max = 3});
  CHECK(given.limits.level_jump == 1.0);
  CHECK(given.limits.slope_max == fd::Rate(3, 15min));
  CHECK(fd::steady_state(every_minute({1})) == fd::Status<Milliseconds>{});
}

TEST_CASE("an event pair is no gap") {
  std::vector<Milliseconds> times;
  for (int i = 0; i < 80; ++i) times.push_back(at(i < 40 ? i : i - 1));
  const fd::Series<double, Milliseconds> series(times, joined(noisy(40, 0), noisy(40, 9)),
                                                {.duplicates = fd::Duplicates::event});
  const auto report = fd::analyse_steady_state(series);
  CHECK(report.pieces == 1);
  CHECK(report.status.runs() == std::vector{Window{at(0), at(39)}, Window{at(39), at(78)}});
}

TEST_CASE("only samples of the range and not after as_of are used") {
  const auto whole = every_minute(joined(joined(noisy(50, 40, 3), noisy(60, 5)), noisy(50, -40, 3)));
  const Window range{at(50), at(109)};
  const auto part = fd::slice(whole, Window{at(50), at(110)});
  const auto alone = fd::analyse_steady_state(part);
  const auto within = fd::analyse_steady_state(whole, {.within = range});
  CHECK(within.status == alone.status);
  CHECK(within.samples == 60);
  CHECK(within.limits.noise_max == alone.limits.noise_max);

  // A later life of the plant changes nothing up to r.
  const auto live = fd::slice(whole, Window{at(0), at(110)});
  const Options asked{.within = Window{at(20), at(109.5)}, .as_of = at(109.5)};
  CHECK(fd::steady_state(whole, asked) == fd::steady_state(live, asked));
  CHECK(fd::steady_state(whole, {.as_of = at(109.5)}).range() == Window{at(0), at(109.5)});
  CHECK(fd::steady_state(whole, {.as_of = at(109.5)}).at(at(109)) == Truth::unknown);
  CHECK(fd::steady_state(whole, {.within = Window{at(500), at(600)}}).total(Truth::unknown) == 100min);
  // By cells too: the straight line to a sample after as_of is not known.
  const auto rare = fd::resample(whole, fd::Every{5min});
  const Options cells{.min_duration = 20min, .step = 2min, .within = Window{at(20), at(113)}, .as_of = at(113)};
  const auto known = fd::slice(rare, Window{at(0), at(113)});
  CHECK(fd::steady_state(rare, cells) == fd::steady_state(known, cells));
  CHECK(fd::steady_state(rare, cells).at(at(109)) != Truth::unknown);
  CHECK(fd::steady_state(rare, cells).at(at(110)) == Truth::unknown);
}

TEST_CASE("held series and trajectories are analysed by means of cells") {
  // Logged on change: 10 for 2 h, then 30 for 1 h 30 min and a bit.
  const fd::Series<double, Milliseconds> held({at(0), at(1), at(120), at(211)}, {10, 10, 30, 30},
                                              {.interpolation = fd::Interpolation::hold});
  series_test::require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::steady_state(held); }, "step");
  const auto report = fd::analyse_steady_state(held, {.step = 5min});
  CHECK(report.samples == 42);
  CHECK(report.status.runs() == std::vector{Window{at(0), at(120)}, Window{at(120), at(210)}});
  CHECK(report.status.unknown() == fd::WindowSet<Milliseconds>{{at(210), at(211)}});
  CHECK(report.longest_pause == 119min);
  // The last value is carried on as far as is asked, but not beyond as_of.
  const auto longer = fd::steady_state(held, {.step = 5min, .within = Window{at(0), at(400)}, .as_of = at(302)});
  CHECK(longer.runs().back() == Window{at(120), at(300)});
  CHECK(longer.unknown() == fd::WindowSet<Milliseconds>{{at(300), at(400)}});

  // A cell without a known part ends the piece, one that is known in part does not.
  const auto gaps = fd::with_interpolation(held, fd::Interpolation::hold, 105min);
  CHECK(fd::steady_state(gaps, {.step = 5min}).unknown() ==
        fd::WindowSet<Milliseconds>{{at(110), at(120)}, {at(210), at(211)}});
  const auto whole_cells = fd::analyse_steady_state(gaps, {.min_duration = 30min, .step = 10min});
  CHECK(whole_cells.status.unknown() == fd::WindowSet<Milliseconds>{{at(110), at(120)}, {at(210), at(211)}});
  const auto partial = fd::analyse_steady_state(gaps, {.min_duration = 90min, .step = 30min});
  CHECK(partial.status.unknown() == fd::WindowSet<Milliseconds>{{at(210), at(211)}});
  CHECK(partial.longest_pause == 105min);

  // Time-weighted: 10 s at 60 in each minute of 0 gives 10.
  std::vector<double> t, x;
  for (int i = 0; i < 40; ++i) t.insert(t.end(), {60.0 * i, 60.0 * i + 10}), x.insert(x.end(), {60, 0});
  t.push_back(2400), x.push_back(0);
  const fd::Series<double, double> pulses(t, x, {.interpolation = fd::Interpolation::hold});
  const auto means = fd::analyse_steady_state(pulses, {.step = 60.0});
  CHECK(means.samples == 40);
  REQUIRE(means.segments.size() == 1);
  CHECK(means.segments[0].mean == Approx(10).epsilon(1e-15));
  CHECK(means.segments[0].spread == 0);
  CHECK(means.segments[0].window == fd::Window{0.0, 2400.0});

  // A linear series by cells: the mean of the samples' lines.
  std::vector<double> saw;
  for (int i = 0; i <= 2400; ++i) saw.push_back(i % 60 < 30 ? i % 60 : 60 - i % 60);
  const auto cells = fd::analyse_steady_state(fd::regular(Milliseconds{}, 1s, saw), {.step = 60s});
  REQUIRE(cells.segments.size() == 1);
  CHECK(cells.segments[0].mean == Approx(15));
  CHECK(cells.longest_pause == 1s);
}

TEST_CASE("the noise limit is derived from the quieter half of the time") {
  const auto ratio = [](std::size_t quiet, std::size_t loud) {  // to the spread of each of the two segments
    std::vector<double> values = joined(noisy(quiet, 0), noisy(loud, 50, 2));
    values.push_back(0);
    const auto samples = every_minute(values);
    const auto held = fd::with_interpolation(samples, fd::Interpolation::hold);
    const auto report = fd::analyse_steady_state(held, {.step = 1min});
    REQUIRE(report.segments.size() == 2);
    const double noise = *report.limits.noise_max;
    CHECK(*report.limits.level_jump == noise / 3);
    CHECK(report.limits.slope_max->per_second() == Approx(noise / 900).epsilon(1e-15));
    return std::pair{noise / report.segments[0].spread, noise / report.segments[1].spread};
  };
  CHECK(ratio(40, 40).first == 3);
  CHECK(ratio(41, 40).first == 3);
  CHECK(ratio(40, 41).second == 3);
}

TEST_CASE("a signal of polynomial pieces needs a step") {
  using series_test::PolynomialSignal;
  const auto piece = [](double begin, double end, double c0, double c1) {
    fd::Segment<double> s{{begin, end}, begin, {c0, c1}, 1};
    return s;
  };
  const PolynomialSignal<double> signal{{piece(0, 40, 5, 0), piece(40, 80, 5, 0.5), piece(80, 120, 25, 0)}};
  series_test::require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::steady_state(signal); }, "step");
  const auto report =
      fd::analyse_steady_state(signal, {.noise_max = 0.1, .slope_max = fd::Rate(0.01, 1.0), .step = 1.0});
  REQUIRE(report.status.runs().size() == 2);
  CHECK(report.status.runs()[0] == fd::Window{0.0, 40.0});
  CHECK(report.status.runs()[1] == fd::Window{80.0, 120.0});
}

TEST_CASE("shift and scale of value and time leave the verdicts as they are") {
  const auto values = synthetic720();
  const Options options{.noise_max = 0.6, .slope_max = fd::Rate(0.02, 1min), .min_duration = 15min};
  const auto plain = fd::steady_state(every_minute(values), options);
  CHECK(plain.count(Truth::holds) == 3);
  for (const double offset : {-62.0, 1e6}) {
    auto shifted = values;
    for (double& y : shifted) y += offset;
    CHECK(fd::steady_state(every_minute(shifted), options) == plain);
  }
  for (const double scale : {1e-9, 0x1p40}) {
    auto scaled = values;
    for (double& y : scaled) y *= scale;
    Options limits = options;
    limits.noise_max = 0.6 * scale;
    limits.slope_max = fd::Rate(0.02 * scale, 1min);
    CHECK(fd::steady_state(every_minute(scaled), limits) == plain);
    CHECK(fd::steady_state(every_minute(scaled)) == fd::steady_state(every_minute(values)));
  }
  // Any time type, any epoch, any unit of time.
  const auto seconds = fd::steady_state(every_minute<double>(values, -1000),
                                        {.noise_max = 0.6, .slope_max = fd::Rate(0.02, 60.0), .min_duration = 900.0});
  CHECK(sample_windows(seconds.runs(), every_minute<double>(values, -1000)) ==
        sample_windows(plain.runs(), every_minute(values)));
  const auto late = every_minute<fd::Timestamp>(values, fd::Timestamp{} + std::chrono::hours{24 * 365 * 250});
  CHECK(sample_windows(
            fd::steady_state(late, {.noise_max = 0.6, .slope_max = fd::Rate(0.02, 1min), .min_duration = 15min}).runs(),
            late) == sample_windows(plain.runs(), every_minute(values)));
  const fd::Series<double, double> fast = fd::regular(0.0, 0.1, values);
  CHECK(sample_windows(fd::steady_state(fast, {.noise_max = 0.6, .slope_max = fd::Rate(0.02, 0.1)}).runs(), fast) ==
        sample_windows(plain.runs(), every_minute(values)));
}

TEST_CASE("a shortest duration in whole steps is seen through the rounding of double") {
  for (const double step : {0.1, 0.3, 1.0 / 3, 1e-3}) {
    const auto series = fd::regular(0.0, step, noisy(200, 5));
    CHECK(fd::analyse_steady_state(series, {.min_duration = 30 * step}).limits.min_section_size == 30);
    CHECK(fd::analyse_steady_state(series, {.min_duration = 30.1 * step}).limits.min_section_size == 31);
  }
  const auto series = every_minute(noisy(100, 5));
  CHECK(fd::analyse_steady_state(series, {.min_duration = 30min}).limits.min_section_size == 30);
  CHECK(fd::analyse_steady_state(series, {.min_duration = 30min + 1ms}).limits.min_section_size == 31);
  CHECK(fd::analyse_steady_state(series, {.min_duration = 1min}).limits.min_section_size == 3);
  // The median of steps of 1 and 3 min, as many of each.
  std::vector<Milliseconds> times{at(0)};
  for (int i = 0; i < 60; ++i) times.push_back(times.back() + (i % 2 == 0 ? 1min : 3min));
  const fd::Series<double, Milliseconds> uneven(times, noisy(61, 5));
  CHECK(fd::analyse_steady_state(uneven).limits.min_duration_seconds == 30 * 60.0);
}

TEST_CASE("strict asks for a slope that is surely small and stickiness for a clear change") {
  const auto series = every_minute(noisy(40, 5));
  const Options loose{.noise_max = 5, .slope_max = fd::Rate(1e-4, 1min)};
  Options strict = loose;
  strict.strict = true;
  CHECK(fd::steady_state(series, loose).fraction(Truth::holds) == 1);
  CHECK(fd::steady_state(series, strict).fraction(Truth::holds) == 0);
  strict.slope_max = fd::Rate(1, 1min);
  CHECK(fd::steady_state(series, strict).fraction(Truth::holds) == 1);

  // Noise of 1, then 1.5 at another level, then 1 again.
  const auto changing = every_minute(joined(joined(noisy(60, 0), noisy(60, 20, 1.5)), noisy(60, 0)));
  Options options{.noise_max = 1.2, .slope_max = fd::Rate(1, 1min)};
  CHECK(fd::steady_state(changing, options).runs() == std::vector{Window{at(0), at(60)}, Window{at(120), at(179)}});
  options.stickiness = 1.5;
  CHECK(fd::steady_state(changing, options).runs().size() == 3);
  // After a segment that is not steady the plain limits count.
  options.noise_max = 0.8;
  CHECK(fd::steady_state(changing, options).holds().empty());
}

TEST_CASE("every cost finds the plateaus") {
  const auto series = every_minute(joined(noisy(80, 5), joined(noisy(80, 50), noisy(80, 20))));
  const std::vector<Window> runs{{at(0), at(80)}, {at(80), at(160)}, {at(160), at(239)}};
  for (const fd::SteadyStateCost& cost : std::initializer_list<fd::SteadyStateCost>{
           fd::EmpiricalDistribution{}, fd::L2{}, fd::NormalMeanVariance{}, fd::LinearTrend{}})
    CHECK(fd::steady_state(series, {.cost = cost}).runs() == runs);
  CHECK(fd::analyse_steady_state(series, {.penalty = 1e9}).change_points.empty());
}

TEST_CASE("more samples than the quadratic cost can take are refused with the ways out") {
  const auto many = fd::regular(0.0, 1.0, noisy(20'001, 5));
  series_test::require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::steady_state(many); }, "20001", "step", "within", "L2");
  CHECK(fd::steady_state(many, {.cost = fd::L2{}}).fraction(Truth::holds) == 1);
  CHECK(fd::steady_state(many, {.step = 10.0}).fraction(Truth::holds) == 1);
}

TEST_CASE("wrong calls of steady state are refused") {
  const auto series = every_minute(noisy(40, 5));
  const auto refuse = [&](const Options& options, const char* text) {
    INFO(text);
    series_test::require_rule(
        fd::Rule::bad_parameter, [&] { (void)fd::steady_state(series, options); }, text);
  };
  refuse({.noise_max = -1}, "noise_max");
  refuse({.noise_max = bad}, "noise_max");
  refuse({.noise_max = infinity}, "infinite noise_max");
  refuse({.slope_max = fd::Rate(-1, 1min)}, "slope_max");
  refuse({.level_jump = -1}, "level_jump");
  refuse({.level_jump = bad}, "level_jump");
  refuse({.confidence = 1}, "confidence");
  refuse({.confidence = -0.1}, "confidence");
  refuse({.confidence = bad}, "confidence");
  refuse({.stickiness = 0.5}, "stickiness");
  refuse({.stickiness = bad}, "stickiness");
  refuse({.min_duration = -1min}, "min_duration");
  refuse({.min_duration = 0min}, "slope_max");
  refuse({.step = 0min}, "step");
  refuse({.penalty = -1.0}, "penalty");
  series_test::require_rule(fd::Rule::window_empty, [&] {
    (void)fd::steady_state(series, {.within = Window{at(2), at(2)}});
  });
  const fd::Series<double, Milliseconds> two({at(0)}, {1.0, 2.0}, {.channel_names = {"a", "b"}});
  series_test::require_rule(
      fd::Rule::not_one_channel, [&] { (void)fd::steady_state(two); }, "channel");
  const fd::Series<double, double> seconds = fd::regular(0.0, 1.0, noisy(40, 5));
  series_test::require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::steady_state(seconds, {.step = 1e-9}); }, "cells");
  series_test::require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::steady_state(seconds, {.step = bad}); }, "step");
  CHECK_THROWS_AS(fd::steady_state(every_minute(noisy(40, 0, 1.5e308))), fd::Overflow);
}
