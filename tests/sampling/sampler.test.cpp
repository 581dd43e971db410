// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/sampling/sampler.hpp>
#include <fidelity/series/series.hpp>

#include "reference/series_polynomial_signal.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {

using Set = fd::WindowSet<double>;
constexpr double bad = std::numeric_limits<double>::quiet_NaN();

fd::Series<double, double> series(std::vector<double> times, std::vector<double> values,
                                  fd::Interpolation interpolation = fd::Interpolation::linear) {
  fd::SeriesOptions<double> options;
  options.interpolation = interpolation;
  return {std::move(times), std::move(values), std::move(options)};
}

/// 0 1 2 ... n - 1.
std::vector<double> counting(std::size_t n, double step = 1) {
  std::vector<double> times(n);
  for (std::size_t i = 0; i < n; ++i) times[i] = step * static_cast<double>(i);
  return times;
}

bool has_note(const fd::SamplingResult<double>& result, const std::string& code) {
  for (const auto& note : result.notes)
    if (note.code == code) return true;
  return false;
}

void check_same(const fd::SamplingResult<double>& a, const fd::SamplingResult<double>& b) {
  CHECK(a.mode == b.mode);
  CHECK(a.run_time == b.run_time);
  CHECK(a.validation == b.validation);
  CHECK(a.window == b.window);
  CHECK(a.simulation_time == b.simulation_time);
  CHECK(a.notes == b.notes);
  REQUIRE(a.inputs.size() == b.inputs.size());
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    CHECK(a.inputs[i].name == b.inputs[i].name);
    CHECK(a.inputs[i].value == b.inputs[i].value);
    CHECK(a.inputs[i].coverage == b.inputs[i].coverage);
    CHECK(a.inputs[i].samples == b.inputs[i].samples);
    CHECK(a.inputs[i].longest_pause == b.inputs[i].longest_pause);
  }
  REQUIRE(a.conditions.size() == b.conditions.size());
  for (std::size_t i = 0; i < a.conditions.size(); ++i) {
    CHECK(a.conditions[i].status == b.conditions[i].status);
    CHECK(a.conditions[i].longest_pause == b.conditions[i].longest_pause);
  }
  REQUIRE(a.search.has_value() == b.search.has_value());
  if (!a.search) return;
  CHECK(a.search->code == b.search->code);
  CHECK(a.search->reason == b.search->reason);
  CHECK(a.search->longest_run == b.search->longest_run);
}

}  // namespace

TEST_CASE("with sampling disabled the latest values count and conditions are reported as not used") {
  const auto feed = series({0, 10}, {1, 2}, fd::Interpolation::hold);
  const fd::SamplingPlan<double> plan{.run_time = 15, .enabled = false};
  const auto result = fd::sample(plan, {fd::logic("on", feed, fd::Greater{5})}, {{"feed", feed}});
  CHECK(result.mode == fd::SamplingMode::disabled);
  CHECK(result.simulation_time == 15.0);
  CHECK_FALSE(result.window);
  REQUIRE(result.inputs.size() == 1);
  CHECK(result.inputs[0].value == 2);
  CHECK(result.inputs[0].age == 5.0);
  CHECK_FALSE(result.inputs[0].coverage);
  CHECK(has_note(result, "conditions_not_used"));
  CHECK(result.complete());
  CHECK(fd::sample<double>({.run_time = 10, .enabled = false}, {}, {fd::Input<double>{"feed", feed}}).inputs[0].value ==
        2);
}

TEST_CASE("a latest value that is too old is missing and one older than a sampling window is noted") {
  const auto feed = series({0, 10}, {1, 2}, fd::Interpolation::hold);
  const std::vector<fd::Input<double>> inputs{{"feed", feed}};
  const auto old = fd::sample<double>({.run_time = 15, .enabled = false, .max_age = 4}, {}, inputs);
  CHECK_FALSE(old.inputs[0].value);
  CHECK(has_note(old, "value_missing"));
  CHECK_FALSE(old.complete());
  const auto noted = fd::sample<double>({.run_time = 15, .sampling_window = 3, .enabled = false}, {}, inputs);
  CHECK(noted.inputs[0].value == 2);
  CHECK(has_note(noted, "value_old"));
}

TEST_CASE("with sampling only the window ends at the run time") {
  const auto feed = series({0, 10, 20}, {0, 10, 0});
  const auto result = fd::sample<double>({.run_time = 15, .sampling_window = 10}, {}, {{"feed", feed}});
  CHECK(result.mode == fd::SamplingMode::sampling);
  CHECK(result.window == fd::Window{5.0, 15.0});
  CHECK(result.simulation_time == 10.0);
  // The line from 10 to 20 ends after the run time: it is not known yet.
  CHECK(result.inputs[0].value == 7.5);
  CHECK(result.inputs[0].coverage == 0.5);
  CHECK(result.inputs[0].samples == 1);
  CHECK(has_note(result, "coverage_below_1"));
  CHECK(fd::sample<double>({.run_time = 15, .sampling_window = 10, .simulation_time = fd::SimulationTime::end}, {}, {})
            .simulation_time == 15.0);
  CHECK(
      fd::sample<double>({.run_time = 15, .sampling_window = 10, .simulation_time = fd::SimulationTime::begin}, {}, {})
          .simulation_time == 5.0);
}

TEST_CASE("an average over too little is missing and nothing else is made up") {
  const auto feed = series({0, 10, 20}, {0, 10, 0});
  const auto result =
      fd::sample<double>({.run_time = 15, .sampling_window = 10, .min_coverage = 0.6}, {}, {{"feed", feed}});
  CHECK(result.window);
  CHECK_FALSE(result.inputs[0].value);
  CHECK(result.inputs[0].coverage == 0.5);
  CHECK(has_note(result, "value_missing"));
  CHECK_FALSE(result.complete());
  const auto nothing = fd::sample<double>({.run_time = -5, .sampling_window = 10}, {}, {{"feed", feed}});
  CHECK_FALSE(nothing.inputs[0].value);
  CHECK(nothing.inputs[0].coverage == 0.0);
}

TEST_CASE("a value that reaches into the window from before is noted") {
  const auto feed = series({0}, {7}, fd::Interpolation::hold);
  const auto result = fd::sample<double>({.run_time = 100, .sampling_window = 10}, {}, {{"feed", feed}});
  CHECK(result.inputs[0].value == 7);
  CHECK(has_note(result, "value_old"));
}

TEST_CASE("with validation the newest stretch in which all conditions hold is sampled") {
  const auto flow = series({0, 10, 20, 30, 40, 50}, {0, 50, 50, 0, 50, 50}, fd::Interpolation::hold);
  const auto valve = series({0, 15, 44}, {1, 1, 0}, fd::Interpolation::hold);
  const auto feed = series({0, 100}, {0, 100});
  const std::vector<fd::Validator<double>> both{fd::logic("running", flow, fd::Greater{45}),
                                                fd::logic("open", valve, fd::Equal{1})};
  // running [10, 30) [40, 60), open [0, 44): together [10, 30) and [40, 44).
  const auto result = fd::sample<double>({.run_time = 60, .sampling_window = 8, .validation_window = 60}, both,
                                         {{"flow", flow}, {"valve", valve}});
  CHECK(result.mode == fd::SamplingMode::validated);
  CHECK(result.validation == fd::Window{0.0, 60.0});
  CHECK(result.window == fd::Window{22.0, 30.0});
  CHECK(result.simulation_time == 26.0);
  CHECK(result.inputs[0].value == 50);
  CHECK(result.inputs[1].value == 1);
  CHECK(result.conditions[0].name == "running");
  CHECK(result.conditions[0].description == "> 45");
  CHECK(result.conditions[0].status.holds() == Set{{10, 30}, {40, 60}});
  // The same in any order, and with an expression of one's own.
  CHECK(fd::sample<double>({.run_time = 60, .sampling_window = 8, .validation_window = 60}, {both[1], both[0]}, {})
            .window == result.window);
  const fd::SamplingPlan<double> either{
      .run_time = 60, .sampling_window = 8, .validation_window = 60, .combine = [](const auto& all) {
        return all[0] | all[1];
      }};
  CHECK(fd::sample(either, both, {}).window == fd::Window{52.0, 60.0});
}

TEST_CASE("where no window fits there are no values and the condition in the way is named") {
  const auto flow = series({0, 10, 20, 30}, {0, 50, 0, 0}, fd::Interpolation::hold);
  const auto feed = series({0, 100}, {0, 100});
  const std::vector<fd::Validator<double>> conditions{fd::logic("running", flow, fd::Greater{45}),
                                                      fd::logic("known", feed, fd::Known{})};
  const auto result = fd::sample<double>({.run_time = 100, .sampling_window = 20, .validation_window = 90}, conditions,
                                         {{"feed", feed}});
  CHECK_FALSE(result.window);
  CHECK_FALSE(result.simulation_time);
  CHECK(result.inputs.empty());
  CHECK_FALSE(result.complete());
  REQUIRE(result.search);
  CHECK(result.search->code == fd::WindowSearchCode::runs_too_short);
  CHECK(result.search->longest_run == fd::Window{10.0, 20.0});
  CHECK(result.search->shortfall == 10);
  REQUIRE(result.search->conditions.size() == 2);
  CHECK(result.search->conditions[0].fits_without);
  CHECK_FALSE(result.search->conditions[1].fits_without);
}

TEST_CASE("every reason for finding nothing can be reached") {
  const auto held = [](std::vector<double> values) {
    return series(counting(values.size()), values, fd::Interpolation::hold);
  };
  const auto code = [&](const fd::Series<double, double>& s, double window, double validation) {
    return fd::sample<double>({.run_time = 4, .sampling_window = window, .validation_window = validation},
                              {fd::logic("on", s, fd::Greater{0})}, {})
        .search->code;
  };
  CHECK(code(held({1, 1, 1, 1}), 4, 3) == fd::WindowSearchCode::range_too_short);
  CHECK(code(held({bad, bad, bad, bad}), 1, 4) == fd::WindowSearchCode::no_data);
  CHECK(code(held({0, 0, bad, 0}), 1, 4) == fd::WindowSearchCode::never_holds);
  CHECK(code(held({1, 0, 1, 1}), 3, 4) == fd::WindowSearchCode::runs_too_short);
  CHECK(code(held({1, 0, 1, 1}), 2, 4) == fd::WindowSearchCode::found);
}

TEST_CASE("samples after the run time change nothing") {
  fd::detail::Random random(5, 0, 0);
  std::vector<double> values(200);
  for (double& v : values) v = random.uniform() < 0.05 ? bad : 10 * random.uniform();
  for (const auto interpolation : {fd::Interpolation::hold, fd::Interpolation::linear}) {
    const auto whole = series(counting(200), values, interpolation);
    for (const double r : {49.5, 50.0, 120.25}) {
      const auto n = static_cast<std::size_t>(r) + 1;
      const auto past =
          series(counting(n), {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)}, interpolation);
      const auto run = [&](const auto& s) {
        return fd::sample<double>({.run_time = r, .sampling_window = 2, .validation_window = 40},
                                  {fd::logic("on", s, fd::Greater{3}),
                                   fd::logic("alive", s, fd::NotFrozen<double>{.duration = 3.0, .tolerance = 1})},
                                  {{"x", s}});
      };
      check_same(run(whole), run(past));
    }
  }
}

TEST_CASE("a backfill gives exactly what single runs give") {
  fd::detail::Random random(11, 0, 0);
  const std::size_t n = 3000;
  std::vector<double> times, values, flags;
  double t = 0, x = 0;
  for (std::size_t i = 0; i < n; ++i) {
    times.push_back(t += 0.25 + random.uniform());
    x = 0.98 * x + random.uniform() - 0.5;
    values.push_back(random.uniform() < 0.01 ? bad : x);
    flags.push_back(random.uniform() < 0.1 ? 0 : 1);
  }
  fd::SeriesOptions<double> options;
  options.max_gap = 2.0;
  const fd::Series<double, double> pressure(times, values, options);
  const auto flag = series(times, flags, fd::Interpolation::hold);
  const auto tank = series_test::from_events<double>({{0, {1, 0.1}}, {700, {0, 0, 0.001, -1e-6}}}, t);
  const std::vector<fd::Validator<double>> validators{
      fd::logic("pressure", pressure, fd::Between{-1, 1.5}),
      fd::logic("alarm", pressure, fd::Hysteresis{.on = -0.2, .off = -0.7}),
      fd::logic("flag", flag, fd::Equal{1}),
      fd::logic("moving", flag, fd::NotFrozen<double>{.duration = 15.0}),
      fd::logic("tank", tank, fd::Greater{2}),
      fd::steady_segmented_once("quiet", pressure,
                                {.noise_max = 0.5, .slope_max = fd::Rate{1.0, 1.0}, .cost = fd::L2{}}),
      fd::online("calm", pressure, fd::Cusum<double>({.start_samples = 20}, 2.0))};
  const std::vector<fd::Input<double>> inputs{{"pressure", pressure}, {"tank", tank}};
  std::vector<double> run_times;
  for (int k = 0; k < 150; ++k)
    run_times.push_back(k % 3 == 0 ? times[static_cast<std::size_t>(k) * 19] : 2 * t * random.uniform() - 0.3 * t);
  const fd::SamplingPlan<double> plan{.run_time = 0, .sampling_window = 2, .validation_window = 200};
  const auto all = fd::backfill(plan, run_times, validators, inputs, {.threads = 2});
  REQUIRE(all.size() == run_times.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < run_times.size(); ++i) {
    auto single = plan;
    single.run_time = run_times[i];
    check_same(all[i], fd::sample(single, validators, inputs));
    found += all[i].window.has_value();
  }
  CHECK(found > 20);
  CHECK(found < 150);
}

TEST_CASE("steady state is judged in the validation window alone and joins the other conditions") {
  // Noise about 5, a ramp, noise about 9: the ramp ends at 130.
  fd::detail::Random random(3, 0, 0);
  std::vector<double> values;
  for (int i = 0; i < 200; ++i)
    values.push_back((i < 100 ? 5 : i < 130 ? 5 + 4 * (i - 100) / 30.0 : 9) + 0.1 * (random.uniform() - 0.5));
  const auto pressure = series(counting(200), values);
  const fd::SteadyStateOptions<double> limits{.noise_max = 0.1, .slope_max = fd::Rate{0.01, 1.0}, .min_duration = 10.0};
  const auto at = [&](double r, double length) {
    return fd::sample<double>({.run_time = r, .sampling_window = length, .validation_window = 100},
                              {fd::steady("quiet", pressure, limits)}, {{"pressure", pressure}});
  };
  const auto late = at(190, 50);
  REQUIRE(late.window);
  CHECK(late.window->end > 185);
  CHECK(late.window->begin >= 128);
  CHECK(std::abs(*late.inputs[0].value - 9) < 0.05);
  CHECK(has_note(late, "not_steady"));  // the ramp, and why
  const auto during = at(125, 50);
  REQUIRE(during.window);
  CHECK(during.window->end <= 103);
  CHECK_FALSE(at(150, 80).window);
  const auto derived = fd::sample<double>({.run_time = 190, .sampling_window = 20, .validation_window = 100},
                                          {fd::steady("quiet", pressure)}, {});
  CHECK(has_note(derived, "derived_limits"));
  const auto ahead = fd::sample<double>({.run_time = 190, .sampling_window = 20, .validation_window = 100},
                                        {fd::steady_segmented_once("quiet", pressure, limits)}, {});
  CHECK(ahead.window);
  CHECK(has_note(ahead, "segmented_once"));
}

TEST_CASE("the verdicts of the public connector can be a condition and its weaknesses are noted") {
  const fd::Timestamp start{1'600'000'000s};
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    times.push_back(start + i * 1min);
    values.push_back(i % 2 ? -1.0 : -2.0);
  }
  const fd::Series<> s(times, values);
  const auto result = fd::sample({.run_time = start + 19min, .sampling_window = 5min, .validation_window = 19min},
                                 {fd::steady("quiet", s, fd::CogniteSteadyState{15, 3.5, -3})}, {});
  CHECK_FALSE(result.window);
  REQUIRE(result.notes.size() == 2);
  CHECK(result.notes[0].code == "section_clamped");
  CHECK(result.notes[1].code == "mean_clamped");
}

TEST_CASE("inputs may be averaged in a way of one's own and all channels of a plant become inputs") {
  const fd::Series<> plant({fd::Timestamp{0s}, fd::Timestamp{10s}}, {1, 10, 3, 30}, {.channel_names = {"a", "b"}});
  const auto inputs = fd::inputs_of(plant);
  REQUIRE(inputs.size() == 2);
  const auto result = fd::sample({.run_time = fd::Timestamp{10s}, .sampling_window = 10s}, {}, inputs);
  CHECK(result.inputs[0].name == "a");
  CHECK(result.inputs[0].value == 2);
  CHECK(result.inputs[1].value == 20);
  CHECK(result.simulation_time == fd::Timestamp{5s});
  const fd::Input<> peak{"peak", fd::channel(plant, "b"), [](const auto& signal, const auto& window, double) {
                           return fd::Aggregate{fd::maximum(signal, window).value, 1};
                         }};
  CHECK(fd::sample({.run_time = fd::Timestamp{10s}, .sampling_window = 10s}, {}, {peak}).inputs[0].value == 30);
}

TEST_CASE("an input can be averaged as the public connector does") {
  // Held 1 from 0 to 9 min, 10 at 9 min: the plain mean of the ten grid values; weighted with time it is 1.
  const fd::Timestamp start{1'600'000'000s};
  const fd::Series<> s({start, start + 9min}, {1, 10}, {.interpolation = fd::Interpolation::hold});
  const auto result = fd::sample({.run_time = start + 9min, .sampling_window = 9min}, {},
                                 {{"exact", s}, {"grid", s, fd::cognite::GridMean{1min}}});
  CHECK(result.inputs[0].value == 1);
  CHECK(result.inputs[1].value == 1.9);
  const auto early =
      fd::sample({.run_time = start + 9min, .sampling_window = 10min}, {}, {{"grid", s, fd::cognite::GridMean{1min}}});
  CHECK_FALSE(early.inputs[0].value);
}

TEST_CASE("an online detector as a condition keeps to the gaps and the one channel of its series") {
  std::vector<double> times = counting(100), values(100, 5.0);
  times.push_back(10'000);
  values.push_back(5.0);
  fd::SeriesOptions<double> options{.interpolation = fd::Interpolation::hold, .max_gap = 5.0};
  const fd::Series<double, double> s(times, values, options);
  const auto calm = fd::online("calm", s, fd::Cusum<double>({}));
  CHECK(calm.evaluate({0, 9000}).status.holds() == Set{{50, 104}});
  CHECK(calm.prepared({0, 9000})({0, 9000}).status == calm.evaluate({0, 9000}).status);
  CHECK(fd::run_online(fd::Cusum<double>({}), s).holds() == Set{{50, 104}});
  const fd::Series<double, double> two({0}, {1, 2}, {.channel_names = {"a", "b"}});
  CHECK_THROWS_AS(fd::online("calm", two, fd::Cusum<double>({})), fd::InputError);
}

TEST_CASE("a condition on the difference of two signals is a validator too") {
  const auto inlet = series({0, 10, 20}, {0, 10, 0}), outlet = series({0, 20}, {5, 5});
  const auto forward = fd::logic("forward", inlet, outlet, fd::Greater{0});
  CHECK(forward.description() == "difference > 0");
  CHECK(forward.evaluate({0, 20}).status.holds() == Set{{5, 15}});
  CHECK(forward.evaluate({0, 12}).status.unknown() == Set{{0, 12}});  // the line of the outlet ends later
  CHECK(forward.prepared({0, 20})({0, 12}).status == forward.evaluate({0, 12}).status);
}

TEST_CASE("a value held for longer than the sampling window is noted and the longest pause of every signal told") {
  const auto feed = series({0, 99'990}, {5, 6}, fd::Interpolation::hold);
  const auto result = fd::sample<double>({.run_time = 100'000, .sampling_window = 3600, .validation_window = 7200},
                                         {fd::logic("on", feed, fd::Greater{0})}, {{"feed", feed}});
  REQUIRE(result.window);
  CHECK(result.inputs[0].longest_pause == 99'990.0);
  CHECK(result.conditions[0].longest_pause == 99'990.0);
  CHECK(result.notes.size() == 1);
  CHECK(has_note(result, "value_old"));
}

TEST_CASE("an error of a condition or an input names it and the run time") {
  const auto s = series({0, 1, 2}, {1, 2, 3});
  const fd::Input<double> bad_average("x", s, [](const auto&, const auto&, double) { return fd::Aggregate{bad, 1}; });
  try {
    (void)fd::sample<double>({.run_time = 2, .sampling_window = 1}, {}, {bad_average});
    FAIL("was accepted");
  } catch (const fd::InputError& error) {
    CHECK(error.rule == fd::Rule::value_not_finite);
    CHECK(std::string(error.what()).find("input 'x' at run time 2 s") == 0);
  }
  CHECK_THROWS_AS(fd::check(s, fd::Predicate{"nothing", {1}, {}}), fd::InputError);
}

TEST_CASE("wrong plans are refused") {
  const auto s = series({0, 1}, {1, 2});
  const std::vector<fd::Validator<double>> one{fd::logic("on", s, fd::Greater{0})};
  const std::vector<fd::Input<double>> twice{{"x", s}, {"x", s}};
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 0}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = -1}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1}, one, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .validation_window = 0}, one, {}),
                  fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = bad, .sampling_window = 1}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1}, {}, twice), fd::InputError);
  CHECK_THROWS_AS(
      fd::sample<double>({.run_time = 1, .sampling_window = 1, .validation_window = 9}, {one[0], one[0]}, {}),
      fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .min_coverage = 2}, {}, {{"x", s}}),
                  fd::InputError);
  // Options that the mode would not use are not dropped silently.
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .validation_window = 9}, {}, {}),
                  fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .align = 1}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .straddle = true}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .sampling_window = 1, .max_age = 1}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::sample<double>({.run_time = 1, .enabled = false, .min_coverage = bad}, {}, {}), fd::InputError);
  CHECK_THROWS_AS(fd::steady("quiet", s, {.as_of = 1.0}), fd::InputError);
  const fd::Timestamp early = fd::Timestamp::min() + 1s;
  CHECK_THROWS_AS(fd::sample({.run_time = early, .sampling_window = 2s}, {}, {}), fd::Overflow);
  CHECK_NOTHROW(fd::sample({.run_time = early, .sampling_window = 1s}, {}, {}));
  CHECK_THROWS_AS(fd::Validator<double>("empty", "", {}), fd::InputError);
  CHECK_THROWS_AS(fd::backfill<double>({.run_time = 1, .sampling_window = 1}, {1, bad}, {}, {}), fd::InputError);
  CHECK(fd::backfill<double>({.run_time = 1, .sampling_window = 1}, {}, {}, {}).empty());
}

TEST_CASE("a backfill can be cancelled and says what is finished") {
  const fd::Validator<double> slow("slow", "takes a millisecond", [](const fd::Window<double>& window) {
    std::this_thread::sleep_for(1ms);
    return fd::Validated<double>{fd::Status<double>(window, fd::WindowSet<double>{window})};
  });
  const std::vector<double> run_times(1000, 1.0);
  try {
    (void)fd::backfill<double>({.run_time = 1, .sampling_window = 1, .validation_window = 1}, run_times, {slow}, {},
                               {.threads = 1, .progress = [](const fd::Progress&) { return fd::Continue::no; }});
    FAIL("was not cancelled");
  } catch (const fd::Cancelled& cancelled) {
    CHECK(cancelled.total == run_times.size());
    CHECK(cancelled.finished < run_times.size());
    CHECK(cancelled.mask.size() == run_times.size());
  }
}
