// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/steady_data.hpp"

#include <fidelity/sampling/cognite.hpp>
#include <fidelity/sampling/steady_state.hpp>

namespace fd = fidelity;
namespace cognite = fidelity::cognite;
using namespace steady_data;

namespace {

using Minutes = std::chrono::sys_time<std::chrono::minutes>;
using Plain = fd::Series<double, Minutes>;

Minutes minute(std::int64_t count) { return Minutes{std::chrono::minutes{count}}; }

/// Plain ticks of the vectors as minutes.
Plain plain(const Json& input, fd::Duplicates duplicates = fd::Duplicates::first) {
  std::vector<Minutes> times;
  for (const std::int64_t t : input.at("t")) times.push_back(minute(t));
  const bool held = input.value("interpolation", "linear") == "step";
  return {times,
          numbers(input.contains("grid") ? input.at("grid") : input.at("v")),
          {.interpolation = held ? fd::Interpolation::hold : fd::Interpolation::linear, .duplicates = duplicates}};
}

template <class Time>
std::vector<double> values_of(const fd::Series<double, Time>& series) {
  std::vector<double> values;
  for (std::size_t i = 0; i < series.size(); ++i) values.push_back(series(i));
  return values;
}

std::vector<std::int64_t> ticks_of(const Plain& series) {
  std::vector<std::int64_t> ticks;
  for (const Minutes t : series.times()) ticks.push_back(t.time_since_epoch().count());
  return ticks;
}

void check_values(const std::vector<double>& found, const std::vector<double>& expected, double tolerance = 0) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(i);
    CHECK(std::abs(found[i] - expected[i]) <= tolerance * std::max(1.0, std::abs(expected[i])));
  }
}

std::string bits(const fd::Series<double, Milliseconds>& series) {
  std::string text;
  for (std::size_t i = 0; i < series.size(); ++i) text += series(i) == 1 ? '1' : '0';
  return text;
}

fd::CogniteSteadyState options_of(const Json& params) {
  return {.min_section_size = params.at("min_section_size"),
          .var_threshold = params.at("var_threshold"),
          .slope_threshold = params.at("slope_threshold"),
          .ddof = params.value("std_ddof", 1)};
}

bool holds(const std::string& op, double y, double value) {
  if (op == "eq") return y == value;
  if (op == "gt") return y > value;
  REQUIRE(op == "ge");
  return y >= value;
}

enum class From { values, file };

/// Calls f for the vectors of a group whose input is given in place, or for those on real data that is at hand.
template <class F>
void each(const char* group, From from, F f) {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at(group)) {
    INFO(vector.at("id").get<std::string>());
    const std::string file = vector.at("input").value("file", "");
    const bool in_place = file.empty() || file.ends_with("synthetic720.csv");
    if (in_place != (from == From::values)) continue;
    if (in_place || at_hand(file)) f(vector);
  }
}

void check_resampling(const Json& vector) {
  const Json &input = vector.at("input"), &expected = vector.at("expected"), &params = vector.at("params");
  if (input.contains("file")) {
    const auto grid = cognite::on_grid(stamped(input.at("file")), 1min);
    REQUIRE(grid.size() == expected.at("n").get<std::size_t>());
    check_values(values_of(grid), values_of(stamped(expected.at("file"))), 1e-15);
  } else if (!params.contains("granularity")) {
    CHECK(values_of(plain(input)) == numbers(expected.at("v")));
  } else {
    // An event pair counts like two samples in a file: the first stays.
    for (const auto duplicates : {fd::Duplicates::first, fd::Duplicates::event}) {
      cognite::GridOptions<Minutes> range;
      if (params.contains("start")) range.start = minute(params.at("start"));
      if (params.contains("end")) range.end = minute(params.at("end"));
      const auto grid =
          cognite::on_grid(plain(input, duplicates), std::chrono::minutes(params.at("granularity")), range);
      CHECK(ticks_of(grid) == expected.at("t").get<std::vector<std::int64_t>>());
      check_values(values_of(grid), numbers(expected.at("v")), 1e-15);
    }
  }
}

void check_logic(const Json& vector) {
  const Json &input = vector.at("input"), &params = vector.at("params");
  const std::string op = params.at("op");
  const double value = params.at("value");
  const auto condition = [&](double y) { return holds(op, y, value); };
  if (input.contains("file")) {
    const auto found = cognite::logic_on_grid(stamped(input.at("file")), condition, 1min);
    std::string expected;
    for (const Json& run : vector.at("expected_runs")) expected += std::string(run[1], run[0] == 1 ? '1' : '0');
    CHECK(bits(found) == expected);
    CHECK(values_of(found) == values_of(stamped(vector.at("expected_grid_file"))));
  } else {
    std::optional<Minutes> end;
    if (params.contains("end")) end = minute(params.at("end"));
    const std::chrono::minutes granularity{params.value("granularity", 2)};  // not given: one stamp
    const auto found = cognite::logic_on_grid(plain(input), condition, granularity, end);
    CHECK(values_of(found) == numbers(vector.at("expected_grid")));
    CHECK(found.interpolation() == plain(input).interpolation());
  }
}

void check_search(const Json& vector) {
  const Json &input = vector.at("input"), &params = vector.at("params"), &expected = vector.at("expected");
  std::optional<std::int64_t> found, wanted;
  if (input.contains("file")) {
    if (!expected.at("end_ms").is_null()) wanted = expected.at("end_ms");
    const std::chrono::milliseconds length{params.at("length_ms")};
    if (const auto end = cognite::find_end(stamped(input.at("file")), length)) found = end->time_since_epoch().count();
  } else {
    if (!expected.at("end").is_null()) wanted = expected.at("end");
    if (const auto end = cognite::find_end(plain(input), std::chrono::minutes(params.at("length"))))
      found = end->time_since_epoch().count();
  }
  CHECK(found == wanted);
}

std::vector<std::size_t> changes_of(const fd::CogniteSteadyStateReport<Milliseconds>& report) {
  std::vector<std::size_t> changes;
  for (const auto& segment : report.segments)
    if (segment.begin > 0) changes.push_back(segment.begin);
  return changes;
}

void check_steady_state(const Json& vector) {
  const Json &input = vector.at("input"), &expected = vector.at("expected");
  const auto series = input.contains("file") ? minutes_of_file(input.at("file")) : every_minute(numbers(input.at("v")));
  const auto report = fd::analyse_steady_state(series, options_of(vector.at("params")));
  CHECK(report.status.cuts().empty());
  if (expected.contains("grid")) CHECK(bits(*report.binary) == expected.at("grid").get<std::string>());
  if (expected.contains("steady_index_windows")) {
    CHECK(sample_windows(report.status.holds().windows(), series) ==
          expected.at("steady_index_windows").get<Windows>());
  }
  if (expected.contains("change_points"))
    CHECK(changes_of(report) == expected.at("change_points").get<std::vector<std::size_t>>());
  if (!expected.contains("segments")) return;
  REQUIRE(report.segments.size() == expected.at("segments").size());
  for (std::size_t k = 0; k < report.segments.size(); ++k) {
    const Json& segment = expected.at("segments")[k];
    const auto& found = report.segments[k];
    CHECK(found.begin == segment.at("start").get<std::size_t>());
    CHECK(found.end == segment.at("end").get<std::size_t>());
    CHECK(found.mean == Approx(segment.at("mean").get<double>()).epsilon(1e-12));
    CHECK(*found.var_stat == Approx(segment.at("var_stat").get<double>()).epsilon(1e-9));
    CHECK(std::log10(std::abs(*found.slope_per_ms)) ==
          Approx(segment.at("log10_abs_slope_per_ms").get<double>()).epsilon(1e-9));
    CHECK(found.steady == segment.at("steady").get<bool>());
  }
}

}  // namespace

TEST_CASE("the published values of the grid operations come out") {
  each("resampling", From::values, check_resampling);
  each("logic", From::values, check_logic);
  each("window_search", From::values, check_search);
}

TEST_CASE("the verdicts of the reference come out bit by bit") {
  each("steady_state", From::values, check_steady_state);
}

TEST_CASE("on plant signals the published values and verdicts come out") {
  each("resampling", From::file, check_resampling);
  each("logic", From::file, check_logic);
  each("window_search", From::file, check_search);
  each("steady_state", From::file, check_steady_state);
}

TEST_CASE("the mean over the grid counts both ends and leaves out no point") {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at("grid_mean")) {
    INFO(vector.at("id").get<std::string>());
    const auto found = cognite::grid_mean(plain(vector.at("input")), 1min);
    CHECK(found.value() == Approx(vector.at("expected").get<double>()).epsilon(1e-15));
  }
  const Plain series({minute(0), minute(9)}, {1.0, 10.0}, {.interpolation = fd::Interpolation::hold});
  CHECK(cognite::grid_mean(series, 3min, {.start = minute(3), .end = minute(12)}) == 5.5);
  const Plain bad({minute(0), minute(1)}, {1.0, std::numeric_limits<double>::quiet_NaN()});
  CHECK_FALSE(cognite::grid_mean(bad, 1min));
}

TEST_CASE("a bad value fulfils no condition on the grid") {
  const Plain series({minute(0), minute(1), minute(2)}, {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0},
                     {.interpolation = fd::Interpolation::hold});
  CHECK(values_of(cognite::logic_on_grid(series, fd::NotEqual{1.0}, 1min)) == std::vector<double>{0, 0, 1});
  CHECK(values_of(cognite::logic_on_grid(series, fd::Less{9.0}, 1min)) == std::vector<double>{1, 0, 1});
}

TEST_CASE("and on the grid needs exactly one on both sides") {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at("and")) {
    INFO(vector.at("id").get<std::string>());
    const Json &input = vector.at("input"), &expected = vector.at("expected");
    if (!input.contains("a")) continue;  // the pipeline below
    const Plain a = plain(input.at("a")), b = plain(input.at("b"));
    if (expected == "error") {
      CHECK_THROWS_AS(cognite::and_on_grid(a, b, 1min), fd::InputError);
      CHECK_THROWS_AS(cognite::and_on_grid(b, a, 1min), fd::InputError);
      continue;
    }
    for (const auto& found : {cognite::and_on_grid(a, b, 1min), cognite::and_on_grid(b, a, 1min)}) {
      CHECK(ticks_of(found) == expected.at("t").get<std::vector<std::int64_t>>());
      CHECK(values_of(found) == numbers(expected.at("v")));
    }
  }
  const Plain one({minute(3)}, {1.0}, {.interpolation = fd::Interpolation::hold});
  CHECK_THROWS_AS(cognite::and_on_grid(one, one, 1min), fd::InputError);
  const Plain longer({minute(1), minute(5)}, {0.0, 1.0}, {.interpolation = fd::Interpolation::hold});
  const auto held = cognite::and_on_grid(one, longer, 1min);
  CHECK(values_of(held) == std::vector<double>{0, 0, 1});
  CHECK(held.interpolation() == fd::Interpolation::hold);
}

TEST_CASE("the search on the grid takes the newest run that is long enough") {
  const Plain two({minute(0), minute(1), minute(2), minute(3), minute(4)}, {1, 1, 0, 1, 0});
  CHECK(cognite::find_end(two, 2min) == minute(2));
  CHECK(cognite::find_end(two, 1min) == minute(4));
  CHECK_THROWS_AS(cognite::find_end(two, -1min), fd::InputError);
}

TEST_CASE("the simulation time is the middle in whole milliseconds") {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at("simulation_time")) {
    const Json& input = vector.at("input");
    CHECK(fd::middle(fd::Window{ms(input.at("start_ms")), ms(input.at("end_ms"))}) == ms(vector.at("expected_ms")));
  }
}

TEST_CASE("bucket means are those of the straight line or of the held value") {
  const std::vector<Minutes> times{minute(0), minute(10), minute(20), minute(30), minute(60), minute(120)};
  const std::vector<double> values{5, 6, 50, 7, 8, 10};
  const auto held = cognite::bucket_means(Plain(times, values, {.interpolation = fd::Interpolation::hold}), 60min);
  CHECK(ticks_of(held) == std::vector<std::int64_t>{0, 60, 120});
  check_values(values_of(held), {820.0 / 60, 8, 10}, 1e-15);
  const auto linear = cognite::bucket_means(Plain(times, values), 60min);
  check_values(values_of(linear), {(55 + 280 + 285 + 225) / 60.0, 9, 10}, 1e-15);

  // From the first sample on; a bucket without a sample is absent; the last bucket has the last value.
  const Plain late({minute(-50), minute(5), minute(130), minute(170)}, {4, 15, 40, 60});
  const auto found = cognite::bucket_means(late, 60min);
  CHECK(ticks_of(found) == std::vector<std::int64_t>{-60, 0, 120});
  check_values(values_of(found), {9, (14.5 * 5 + (15 + 26) / 2.0 * 55) / 60, 60}, 1e-14);

  // In double time, and far from 0 in value.
  const fd::Series<double, double> seconds({0.5, 1.5, 3.0}, {1e9, 1e9 + 2, 1e9 + 5});
  const auto double_time = cognite::bucket_means(seconds, 1.0);
  CHECK(double_time.time(1) == 1.0);
  check_values(values_of(double_time), {1e9 + 0.5, 1e9 + 2, 1e9 + 5}, 1e-16);
}

TEST_CASE("the public steady state of 720 samples comes out of the raw series") {
  const std::string sensor = "data/cognite_ssd/ssd_sensor.csv";
  if (!at_hand(sensor)) return;
  const auto report = fd::analyse_steady_state(
      stamped(sensor), fd::CogniteSteadyState{.min_section_size = 60, .var_threshold = 1.0, .slope_threshold = -1.0});
  CHECK(values_of(*report.binary) == values_of(stamped("data/cognite_ssd/ssd_expected.csv")));

  const auto switched = stamped("data/cognite_ssd/logic_sensor.csv");
  const auto logic =
      cognite::logic_on_grid(fd::with_interpolation(switched, fd::Interpolation::hold), fd::Equal{1.0}, 1min);
  const auto both = cognite::and_on_grid(logic, *report.binary, 1min);
  CHECK(values_of(both) == values_of(stamped("data/cognite_ssd/union_expected.csv")));
}

TEST_CASE("the slope per millisecond is that of exact arithmetic on an epoch axis") {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at("slope")) {
    const Json &input = vector.at("input"), &expected = vector.at("expected");
    const std::vector<double> values = numbers(input.at("y"));
    std::vector<double> milliseconds;
    for (std::size_t i = 0; i < values.size(); ++i)
      milliseconds.push_back(input.at("t0_ms").get<double>() +
                             input.at("dt_ms").get<double>() * static_cast<double>(i));
    const auto found = fd::detail::cognite_statistics(milliseconds, values, 1, 1);
    CHECK(1000 * *found.slope_per_ms == Approx(expected.at("slope_per_s").get<double>()).epsilon(1e-12));
    CHECK(std::log10(*found.slope_per_ms) ==
          Approx(expected.at("log10_abs_slope_per_ms").get<double>()).epsilon(1e-12));
  }
}

namespace {

/// What the reference does for one run time: both checks on the grid of [r - V, r], AND, search.
std::optional<Milliseconds> window_end(const std::optional<fd::Series<double, Milliseconds>>& logic,
                                       const std::optional<fd::Series<double, Milliseconds>>& steady,
                                       const Json& params, bool bucket_means,
                                       fd::CogniteSteadyStateReport<Milliseconds>& report) {
  const Milliseconds r = ms(params.at("run_time_ms"));
  const std::chrono::minutes V{params.at("validation_window_min")}, S{params.at("sampling_window_min")};
  std::vector<fd::Series<double, Milliseconds>> grids;
  if (logic) {
    const auto held = fd::with_interpolation(*logic, fd::Interpolation::hold);
    const auto known = fd::slice(held, fd::Window{r - V, r + 1ms});
    grids.push_back(cognite::logic_on_grid(known, fd::Equal{params.at("logic").at("value").get<double>()}, 1min, r));
  }
  if (steady) {
    auto options = options_of(params.at("ssd"));
    options.bucket_means = bucket_means;
    report = fd::analyse_steady_state(*steady, options, {.within = fd::Window{r - V, r}, .as_of = r});
    grids.push_back(*report.binary);
  }
  if (grids.empty()) return r;
  return cognite::find_end(grids.size() == 1 ? grids[0] : cognite::and_on_grid(grids[0], grids[1], 1min), S);
}

}  // namespace

TEST_CASE("the whole pipeline gives the windows of the reference") {
  const Json all = load("cognite.json");
  for (const Json& vector : all.at("pipeline")) {
    INFO(vector.at("id").get<std::string>());
    const Json &input = vector.at("input"), &params = vector.at("params"), &expected = vector.at("expected");
    std::optional<fd::Series<double, Milliseconds>> logic, steady;
    if (!at_hand("data/cognite_ssd/logic_sensor.csv")) return;
    if (!input.at("logic").is_null()) logic.emplace(stamped(input.at("logic")));
    if (!input.at("steady").is_null()) steady.emplace(stamped(input.at("steady")));
    fd::CogniteSteadyStateReport<Milliseconds> report{{}, {}, {}, {}, {}, 0};
    const auto end = window_end(logic, steady, params, true, report);
    const std::chrono::minutes S{params.at("sampling_window_min")};
    const fd::Window wanted{ms(expected.at("window_ms")[0]), ms(expected.at("window_ms")[1])};
    REQUIRE(end);
    CHECK(fd::Window<Milliseconds>{*end - S, *end} == wanted);
    CHECK(fd::middle(wanted) == ms(expected.at("simulation_time_ms")));
    if (!expected.contains("ssd_n")) continue;
    CHECK(report.binary->size() == expected.at("ssd_n").get<std::size_t>());
    std::vector<int> flags;
    for (const auto& segment : report.segments) flags.push_back(segment.steady);
    CHECK(changes_of(report) == expected.at("ssd_change_points").get<std::vector<std::size_t>>());
    CHECK(flags == expected.at("ssd_segment_flags").get<std::vector<int>>());

    // The status is the same in time as the grid of 0 and 1.
    const Milliseconds r = ms(params.at("run_time_ms"));
    const auto runs = report.status.runs();
    REQUIRE_FALSE(runs.empty());
    CHECK(report.status.range() == fd::Window<Milliseconds>{r - 1200min, r});
    CHECK(runs.back().end == cognite::find_end(*report.binary, 0min));

    if (!vector.contains("without_bucket_mean")) continue;
    const Json& without = vector.at("without_bucket_mean");
    CHECK(window_end(logic, steady, params, false, report) == ms(without.at("window_ms")[1]));
    CHECK(changes_of(report) == without.at("ssd_change_points").get<std::vector<std::size_t>>());
  }
}

TEST_CASE("the reference form reports what it clamped") {
  const auto report = [](std::vector<double> values) {
    return fd::analyse_steady_state(every_minute(std::move(values)), fd::CogniteSteadyState{.min_section_size = 15});
  };
  const auto negative = report({-2, -2, -2, -2, -2, -2});
  CHECK(negative.mean == -2.0);
  CHECK(negative.divisor == 1e-4);
  CHECK(negative.min_section_size == 3);
  CHECK(report(std::vector<double>(40, 2e6)).divisor == 1e6);
  CHECK(report(std::vector<double>(40, 2e6)).min_section_size == 15);

  const auto bad = report({1, 1, std::numeric_limits<double>::quiet_NaN(), 1});
  CHECK_FALSE(bad.mean);
  CHECK(bad.segments.empty());
  CHECK(bad.status.holds().empty());
  CHECK(bad.status.unknown().empty());

  const auto one = report({1});
  REQUIRE(one.segments.size() == 1);
  CHECK_FALSE(one.segments[0].var_stat);
  CHECK_FALSE(one.segments[0].slope_per_ms);
  CHECK(one.status == fd::Status<Milliseconds>{});
}

TEST_CASE("both limits of the reference form are strict") {
  std::vector<double> ramp;
  for (int i = 0; i < 20; ++i) ramp.push_back(60'000.0 * i);  // 1 per millisecond
  const auto series = every_minute(ramp);
  fd::CogniteSteadyState options{.min_section_size = 10, .var_threshold = 1e9, .slope_threshold = 0};
  const auto report = fd::analyse_steady_state(series, options);
  REQUIRE(report.segments.size() >= 1);
  CHECK(*report.segments[0].slope_per_ms == 1);
  CHECK(report.status.holds().empty());
  options.slope_threshold = 1e-9;
  CHECK(fd::steady_state(series, options).fraction(fd::Truth::holds) == 1);
  options.var_threshold = *report.segments[0].var_stat;
  CHECK_FALSE(fd::analyse_steady_state(series, options).segments[0].steady);
  options.var_threshold = std::nextafter(options.var_threshold, 1e9);
  CHECK(fd::analyse_steady_state(series, options).segments[0].steady);
}

TEST_CASE("the reference form in a window uses its samples and no others") {
  std::vector<double> values(200, 100.0);
  for (std::size_t i = 0; i < 200; ++i) values[i] += i % 2 == 0 ? 0.01 : -0.01;
  auto changed = values;
  for (std::size_t i = 0; i < 200; ++i)
    if (i < 50 || i > 150) changed[i] = 1e6 + static_cast<double>(i);
  const auto at = [](int i) { return ms(60'000 * i); };
  const fd::CogniteSteadyState options{.min_section_size = 15, .var_threshold = 3.5, .slope_threshold = -3.0};
  const fd::CheckOptions<Milliseconds> range{.within = fd::Window{at(50), at(150)}, .as_of = at(150)};
  const auto status = fd::steady_state(every_minute(changed), options, range);
  CHECK(status == fd::steady_state(every_minute(values), options, range));
  CHECK(status.runs() == std::vector{fd::Window{at(50), at(150)}});

  const auto outside = fd::steady_state(every_minute(values), options, {.within = fd::Window{at(300), at(400)}});
  CHECK(outside.total(fd::Truth::unknown) == 100min);

  // Buckets look back to the sample before the window, and not beyond as_of.
  const fd::Series<double, Milliseconds> rare(
      {at(0), at(3), at(3), at(5) + 20s, at(6) + 20s, at(9), at(10) + 30s, at(12), at(14)},
      {9, 1, 7, 5, 8, 2, 6, 4, 100}, {.duplicates = fd::Duplicates::event});
  for (const auto& window : {fd::Window{at(4), at(12)}, fd::Window{at(4) + 10s, at(12) + 30s}}) {
    const auto known = fd::slice(rare, fd::Window{at(0), at(13)});
    const auto means = cognite::bucket_means(known, 1min);
    const auto inside = fd::slice(means, fd::Window{window.begin, window.end + 1ms});
    const auto report = fd::analyse_steady_state(
        rare, fd::CogniteSteadyState{.min_section_size = 2, .bucket_means = true}, {.within = window, .as_of = at(13)});
    CHECK(*report.mean == Approx(*cognite::grid_mean(inside, 1min)).epsilon(1e-15));
    CHECK(report.binary->times().front() == inside.time(0));
    CHECK(report.binary->times().back() == at(12));
  }

  // In nanoseconds and in double seconds the same.
  CHECK(fd::steady_state(every_minute<fd::Timestamp>(values), options).range().length() == 199min);
  CHECK(fd::steady_state(every_minute<double>(values), options).runs() == std::vector{fd::Window{0.0, 199 * 60.0}});
}

TEST_CASE("wrong calls of the reference form are refused") {
  const auto series = every_minute({1, 2, 3});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [&](const fd::CogniteSteadyState& options, const char* text) {
    require_error<fd::InputError>([&] { (void)fd::steady_state(series, options); }, text);
  };
  refuse({.min_section_size = 0}, "min_section_size");
  refuse({.var_threshold = nan}, "var_threshold");
  refuse({.slope_threshold = nan}, "slope_threshold");
  refuse({.granularity = 0min}, "granularity");
  refuse({.ddof = 2}, "ddof");
  require_error<fd::InputError>([&] { (void)cognite::on_grid(series, 1min, {.start = ms(-1)}); }, "before the first");
  require_error<fd::InputError>([&] { (void)cognite::on_grid(series, 1min, {.end = ms(180'000)}); }, "after the last");
  require_error<fd::InputError>([&] { (void)cognite::on_grid(series, 1min, {.start = ms(9), .end = ms(8)}); },
                                "before its start");
  require_error<fd::InputError>([&] { (void)cognite::on_grid(series, 0min); }, "granularity");
  require_error<fd::InputError>([&] { (void)cognite::bucket_means(series, -1min); }, "granularity");

  // Without a type the default form is meant.
  CHECK(fd::steady_state(series, {}) == fd::steady_state(series));

  CHECK(cognite::latest_before(series, ms(60'000)) == 1.0);
  CHECK(cognite::latest_before(series, ms(60'001)) == 2.0);
  CHECK_FALSE(cognite::latest_before(series, ms(0)));
}
