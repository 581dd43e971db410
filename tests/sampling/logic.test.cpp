// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/sampling/logic.hpp>
#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using nlohmann::json;
using series_test::bad, series_test::infinity, series_test::require_rule;
using Series = fd::Series<double, double>;
using Status = fd::Status<double>;
using Window = fd::Window<double>;
using Windows = fd::WindowSet<double>;
using fd::check, fd::known, fd::not_frozen, fd::rate_within, fd::check_difference, fd::settled_until;

namespace {

Series line(std::vector<double> t, std::vector<double> v) { return {std::move(t), std::move(v)}; }
Series steps(std::vector<double> t, std::vector<double> v, std::optional<double> max_gap = {}) {
  return {std::move(t), std::move(v), {.interpolation = fd::Interpolation::hold, .max_gap = max_gap}};
}
Series events(std::vector<double> t, std::vector<double> v) {
  return {std::move(t), std::move(v), {.duplicates = fd::Duplicates::event}};
}

Windows windows(const json& list) {
  std::vector<Window> out;
  for (const auto& pair : list) out.push_back({pair[0], pair[1]});
  return Windows(out);
}
Series series(const json& input) {
  std::vector<double> values;
  for (const auto& v : input.at("v")) values.push_back(v.is_string() ? bad : v.get<double>());
  return {input.at("t").get<std::vector<double>>(),
          values,
          {.interpolation = input.at("interpolation") == "step" ? fd::Interpolation::hold : fd::Interpolation::linear}};
}

Status apply(const Series& signal, const std::string& op, double value, double tolerance, Window within) {
  const fd::CheckOptions<double> options{.within = within};
  if (op == "gt") return check(signal, fd::Greater{value}, options);
  if (op == "ge") return check(signal, fd::GreaterEqual{value}, options);
  if (op == "lt") return check(signal, fd::Less{value}, options);
  if (op == "le") return check(signal, fd::LessEqual{value}, options);
  if (op == "eq") return check(signal, fd::Equal{value, tolerance}, options);
  REQUIRE(op == "ne");
  return check(signal, fd::NotEqual{value, tolerance}, options);
}

}  // namespace

TEST_CASE("the logic vectors of the reference come out") {
  std::ifstream file(FIDELITY_TEST_DATA "/sampling/logic.json");
  const json problems = json::parse(file).at("logic");
  CHECK(problems.size() == 29);
  for (const json& problem : problems) {
    INFO(problem.at("id"));
    const Series signal = series(problem.at("input"));
    const json& params = problem.at("params");
    Window within = signal.span();
    if (params.contains("range")) within = {params.at("range")[0], params.at("range")[1]};
    if (problem.contains("exact_windows")) {
      CHECK(apply(signal, params.at("op"), params.at("value"), 0, within).holds() ==
            windows(problem.at("exact_windows")));
    } else if (problem.contains("with_tolerance")) {
      within = {0, params.at("end")};
      CHECK(apply(signal, "eq", params.at("value"), 0, within).holds().empty());
      CHECK(apply(signal, "eq", params.at("value"), 1e-9, within).holds() ==
            windows(problem.at("with_tolerance").at("1e-9")));
    } else if (params.contains("on_at_or_above")) {
      CHECK(check(signal, fd::Hysteresis{.on = params.at("on_at_or_above").get<double>(),
                                         .off = params.at("off_below").get<double>()}) ==
            Status(within, windows(problem.at("expected_holds")), windows(problem.at("expected_unknown"))));
    } else {
      CHECK(apply(signal, params.at("op"), params.at("value"), params.value("tolerance", 0.0), within) ==
            Status(within, windows(problem.at("expected_holds")), windows(problem.at("expected_unknown"))));
    }
  }
}

TEST_CASE("crossings fall on the nearest tick of the time type") {
  using Seconds = std::chrono::sys_seconds;
  const auto at = [](std::int64_t s) { return Seconds{std::chrono::seconds{s}}; };
  const fd::Series<double, Seconds> ramp({at(0), at(10)}, {0, 3});
  CHECK(check(ramp, fd::Greater{1.0}).holds() == fd::WindowSet<Seconds>{{at(3), at(10)}});  // 3.33
  CHECK(check(ramp, fd::Greater{2.0}).holds() == fd::WindowSet<Seconds>{{at(7), at(10)}});  // 6.67
  CHECK(check(ramp, fd::Less{0.1}).holds().empty());                                        // 0.33: no length left
  // Long after the epoch and between far values nothing is lost.
  const fd::Timestamp start{1'700'000'000s};
  const fd::Series<> plant({start, start + 3s}, {1e9, 1e9 + 3});
  CHECK(check(plant, fd::GreaterEqual{1e9 + 1}).holds() == fd::WindowSet<>{{start + 1s, start + 3s}});
  CHECK(check(line({0, 2}, {-1.5e308, 1.5e308}), fd::Greater{0.0}).holds() == Windows{{1, 2}});
}

TEST_CASE("a real temperature crosses its limit at the ticks of the reference") {
  const std::filesystem::path path = std::filesystem::path(FIDELITY_SHARED) / "data/cognite_ssd/ssd_sensor.csv";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << path.string() << " is not here");
    return;
  }
  using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;
  std::vector<Milliseconds> times;
  std::vector<double> values;
  std::ifstream file(path);
  std::string row;
  std::getline(file, row);
  while (std::getline(file, row)) {
    const auto comma = row.find(',');
    times.emplace_back(std::chrono::milliseconds{std::stoll(row.substr(0, comma))});
    values.push_back(std::stod(row.substr(comma + 1)));
  }
  const fd::Series<double, Milliseconds> sensor(times, values);
  const auto at = [](std::int64_t ms) { return Milliseconds{std::chrono::milliseconds{ms}}; };
  CHECK(check(sensor, fd::GreaterEqual{2300}).holds() ==
        fd::WindowSet<Milliseconds>{{at(1631267531564), at(1631278467976)}});
}

TEST_CASE("a value is known as far as its series says") {
  const std::vector<double> t = {0, 15, 30, 45, 105, 120, 150, 165}, v = {10, 12, 14, 16, 40, 42, 48, 50};
  const Series held(t, v, {.interpolation = fd::Interpolation::hold, .max_gap = 30.0});
  const Series joined(t, v, {.max_gap = 30.0});
  CHECK(known(held) == Status({0.0, 165.0}, {{0, 75}, {105, 165}}));
  CHECK(known(joined) == Status({0.0, 165.0}, {{0, 45}, {105, 165}}));
  CHECK(known(held, {.within = Window{-10, 300}}) == Status({-10.0, 300.0}, {{0, 75}, {105, 195}}));
  CHECK(known(joined, {.within = Window{-10, 300}}) == Status({-10.0, 300.0}, {{0, 45}, {105, 165}}));
  // Elsewhere a condition is unknown.
  CHECK(check(held, fd::Less{100.0}, {.within = Window{-10, 300}}).unknown() ==
        Windows{{-10, 0}, {75, 105}, {195, 300}});
  CHECK(check(joined, fd::Less{100.0}, {.within = Window{-10, 300}}).unknown() ==
        Windows{{-10, 0}, {45, 105}, {165, 300}});
}

TEST_CASE("a bad sample is unknown whatever the condition") {
  const Series held = steps({0, 1, 2, 3}, {1, bad, infinity, 1}), joined = line({0, 1, 2, 3}, {1, bad, 1, 1});
  for (const Status& s : {check(held, fd::NotEqual{5.0}), check(held, fd::Less{infinity})})
    CHECK(s == Status({0.0, 3.0}, {{0, 1}}, {{1, 3}}));
  CHECK(check(joined, fd::NotEqual{5.0}) == Status({0.0, 3.0}, {{2, 3}}, {{0, 2}}));
  CHECK(check(joined, fd::Greater{-infinity}) == Status({0.0, 3.0}, {{2, 3}}, {{0, 2}}));
  CHECK(check(joined, fd::GreaterEqual{infinity}).holds().empty());
  CHECK(check(line({0, 1}, {bad, bad}), fd::Less{5.0}) == Status({0.0, 1.0}, {}, {{0, 1}}));
}

TEST_CASE("one sample has no length unless a range is given") {
  CHECK(check(line({3}, {1}), fd::Greater{0.0}) == Status());
  CHECK(check(steps({3}, {1}), fd::Greater{0.0}) == Status());
  CHECK(check(steps({3}, {1}), fd::Greater{0.0}, {.within = Window{0, 5}}) == Status({0.0, 5.0}, {{3, 5}}, {{0, 3}}));
  CHECK(check(line({3}, {1}), fd::Greater{0.0}, {.within = Window{0, 5}}) == Status({0.0, 5.0}, {}, {{0, 5}}));
}

TEST_CASE("both sides of an event are judged each on its own stretch") {
  const Series jump = events({0, 2, 2, 4}, {0, 1, 5, 4});
  CHECK(check(jump, fd::Greater{3.0}).holds() == Windows{{2, 4}});
  CHECK(check(jump, fd::Greater{0.5}).holds() == Windows{{1, 4}});
  // The left limit on the level is an instant.
  CHECK(check(jump, fd::GreaterEqual{1.0}).holds() == Windows{{2, 4}});
}

TEST_CASE("a predicate of yours lists the levels at which it changes") {
  const fd::Predicate outside{"outside 1 to 3", {1, 3}, [](double y) { return y < 1 || y > 3; }};
  CHECK(check(line({0, 4, 8}, {0, 4, 0}), outside).holds() == Windows{{0, 1}, {3, 5}, {7, 8}});
  CHECK(to_text(outside) == "outside 1 to 3");
  struct Odd {  // a struct with many levels
    bool operator()(double y) const { return static_cast<int>(y) % 2 == 1; }
    std::vector<double> levels() const { return {6, 5, 4, 3, 2, 1}; }
  };
  CHECK(check(line({0, 6}, {6, 0}), Odd{}).holds() == Windows{{0, 1}, {2, 3}, {4, 5}});
  CHECK(check(steps({0, 1, 2, 3}, {1, 2, 3.5, 0}), Odd{}).holds() == Windows{{0, 1}, {2, 3}});
}

TEST_CASE("conditions print themselves") {
  CHECK(to_text(fd::Greater{45.5}) == "> 45.5");
  CHECK(to_text(fd::GreaterEqual{1}) == ">= 1");
  CHECK(to_text(fd::Less{1}) == "< 1");
  CHECK(to_text(fd::LessEqual{1}) == "<= 1");
  CHECK(to_text(fd::Equal{1}) == "== 1");
  CHECK(to_text(fd::NotEqual{1, 0.5}) == "not within 0.5 of 1");
  CHECK(to_text(fd::Between{1, 2}) == "between 1 and 2");
  CHECK(to_text(fd::Hysteresis{.on = 8, .off = 2}) == "on from 8 up, off below 2");
  CHECK(to_text(fd::Hysteresis{.on = 2, .off = 8}) == "on from 2 down, off above 8");
  CHECK(to_text(fd::NotFrozen<>{.duration = 10min}) == "not frozen for 600 s within 0");
  CHECK(to_text(fd::RateWithin{fd::Rate{6.0, 2min}}) == "rate within 0.05 per second");
  CHECK(fd::Between::name == "Between");
}

TEST_CASE("a tolerance is exact and hides nothing") {
  CHECK(check(steps({0, 1}, {0.1 + 0.2, 0}), fd::Equal{0.3}).holds().empty());
  CHECK(check(steps({0, 1}, {0.1 + 0.2, 0}), fd::NotEqual{0.3}).holds() == Windows{{0, 1}});
  // 0.4 - 0.3 is 0.10000000000000003 as a double, and more than the double 0.1 in exact numbers too.
  CHECK_FALSE(fd::Equal{0.3, 0.1}(0.4));
  CHECK(fd::Equal{0.5, 0.25}(0.75));
  CHECK(fd::Equal{0.5, 0.25}(0.25));
  // 1e16 + 1 is no double; 1 above 1e16 rounds to 1e16, which lies within 1 of it, 1e16 + 2 does not.
  CHECK(fd::Equal{1e16, 1}(1e16));
  CHECK_FALSE(fd::Equal{1e16, 1}(1e16 + 2));
  // The double difference is the tolerance, the exact one is above it: 1 + 2^-53 against 2^-53 below 0.
  CHECK_FALSE(fd::Equal{-0x1p-54, 1}(1.0));
  CHECK(fd::Equal{0x1p-54, 1}(1.0));
  for (const double y : {-0x1p-54, 0x1p-54, 0.0})
    CHECK(check(steps({0, 1}, {1, 0}), fd::Equal{y, 1}).at(0.0) ==
          (fd::Equal{y, 1}(1.0) ? fd::Truth::holds : fd::Truth::does_not_hold));
}

TEST_CASE("hysteresis is unknown until a value decides and keeps its state between the levels") {
  const fd::Hysteresis high{.on = 8, .off = 2}, low{.on = 2, .off = 8};
  // on counts as on, off not yet as off, also at a single instant.
  CHECK(check(line({0, 2, 4, 6}, {4, 8, 2, 4}), high) == Status({0.0, 6.0}, {{2, 6}}, {{0, 2}}));
  CHECK(check(line({0, 2, 4, 6}, {4, 8, 1, 4}), high).holds() == Windows{{2, 2 + 12.0 / 7}});
  CHECK(check(line({0, 2, 4, 6}, {4, 2, 8, 4}), low) == Status({0.0, 6.0}, {{2, 6}}, {{0, 2}}));
  CHECK(check(line({0, 2, 4}, {4, 0, 10}), low) == Status({0.0, 4.0}, {{1, 3.6}}, {{0, 1}}));
  CHECK(check(steps({0, 1, 2, 3, 4, 5}, {5, 8, 5, 2, 1, 5}), high) == Status({0.0, 5.0}, {{1, 4}}, {{0, 1}}));
  // The limit that a piece only tends to is not reached.
  CHECK(check(events({0, 2, 2, 4}, {4, 8, 5, 5}), high) == Status({0.0, 4.0}, {}, {{0, 4}}));
  // After an unknown stretch the state is unknown again.
  CHECK(check(steps({0, 1, 2, 3, 4}, {9, 5, bad, 5, 9}), high, {.within = Window{0, 6}}) ==
        Status({0.0, 6.0}, {{0, 2}, {4, 6}}, {{2, 4}}));
  // What happened before the range is remembered, back to the last gap.
  const Series past = events({0, 1, 1, 2, 3, 9}, {9, 5, 6, 5, 5, 5});
  CHECK(check(past, high, {.within = Window{4, 8}}) == Status({4.0, 8.0}, {{4, 8}}));
  CHECK(check(line({0, 1, 2, 3, 9}, {9, 5, bad, 5, 5}), high, {.within = Window{4, 8}}) ==
        Status({4.0, 8.0}, {}, {{4, 8}}));
  CHECK(check(line({0, 1}, {0, 9}), fd::Hysteresis{.on = infinity, .off = 2}) == Status({0.0, 1.0}, {}));
}

TEST_CASE("a frozen stretch does not hold as a whole") {
  using Frozen = fd::NotFrozen<double>;
  const Series joined = line({0, 10, 20, 30, 40, 50}, {1, 2, 2, 2, 3, 3});
  CHECK(not_frozen(joined, {.duration = 20}) == Status({0.0, 50.0}, {{0, 10}, {30, 50}}));
  CHECK(not_frozen(joined, {.duration = 20.5}).holds() == Windows{{0, 50}});
  CHECK(check(joined, Frozen{.duration = 5}).holds() == Windows{{0, 10}, {30, 50}});  // two samples are not enough
  CHECK(not_frozen(joined, {.duration = 20, .exempt = {2.0}}).holds() == Windows{{0, 50}});
  CHECK(not_frozen(joined, {.duration = 30, .tolerance = 1}).holds().empty());
  // A held value counts to the next sample.
  const Series held = steps({0, 10, 20, 30, 40, 50}, {1, 2, 2, 2, 3, 4});
  CHECK(not_frozen(held, {.duration = 20}) == Status({0.0, 50.0}, {{0, 10}, {40, 50}}));
  CHECK(not_frozen(steps({0, 10, 20}, {2, 2, 2}), {.duration = 20}, {.within = Window{5, 40}}).holds().empty());
  // Gaps and bad samples end a stretch.
  CHECK(not_frozen(steps({0, 10, 20, 30, 40}, {2, 2, bad, 2, 2}), {.duration = 10}) ==
        Status({0.0, 40.0}, {{0, 20}, {30, 40}}, {{20, 30}}));
  CHECK(not_frozen(steps({0, 10, 30, 40}, {2, 2, 2, 2}, 15.0), {.duration = 10}) ==
        Status({0.0, 40.0}, {{0, 25}, {30, 40}}, {{25, 30}}));
  // Stretches within a tolerance may overlap: 0, 1, 2 and 1, 2, 3 but not 0 to 3.
  CHECK(not_frozen(line({0, 1, 2, 3, 4}, {0, 1, 2, 3, 9}), {.duration = 2, .tolerance = 2}).holds() == Windows{{3, 4}});
  // A stretch counts as a whole also where the range shows a part of it.
  CHECK(not_frozen(joined, {.duration = 20}, {.within = Window{12, 14}}).holds().empty());
  CHECK(not_frozen(joined, {.duration = 20}, {.within = Window{29, 40}}).holds() == Windows{{30, 40}});
}

TEST_CASE("a rate is judged on the slope of each piece") {
  const Series joined = line({0, 10, 20, 30}, {0, 10, 10, -20});
  CHECK(rate_within(joined, fd::Rate{1.0, 1.0}) == Status({0.0, 30.0}, {{0, 20}}));
  CHECK(rate_within(joined, fd::Rate{59.9, 1min}).holds() == Windows{{10, 20}});
  CHECK(rate_within(joined, fd::Rate{180.0, 1min}).holds() == Windows{{0, 30}});
  CHECK(rate_within(joined, fd::Rate{0.0, 1.0}).holds() == Windows{{10, 20}});
  CHECK(check(line({0, 1, 2, 3}, {0, bad, 2, 2}), fd::RateWithin{fd::Rate{1.0, 1.0}}) ==
        Status({0.0, 3.0}, {{2, 3}}, {{0, 2}}));
  // t^2 has the rate 2 t.
  const auto parabola = series_test::from_events<double>({{0.0, {0, 0, 1}}}, 4.0);
  CHECK(rate_within(parabola, fd::Rate{3.0, 1.0}) == Status({0.0, 4.0}, {{0, 1.5}}));
}

TEST_CASE("two signals are compared at their own crossings") {
  const Series a = line({0, 10}, {0, 10}), b = line({2, 6, 8}, {6, 2, 2});
  CHECK(check_difference(a, b, fd::Greater{0.0}) == Status({0.0, 10.0}, {{4, 8}}, {{0, 2}, {8, 10}}));
  CHECK(check_difference(a, b, fd::Greater{4.0}) == Status({0.0, 10.0}, {{6, 8}}, {{0, 2}, {8, 10}}));
  CHECK(check_difference(steps({0, 5}, {3, 1}), a, fd::GreaterEqual{0.0}).holds() == Windows{{0, 3}});
  // Equal samples have the difference 0, however the line between rounds.
  const Series rough = line({0, 3, 7}, {0.1, 0.3, 0.7});
  CHECK(check_difference(rough, rough, fd::Equal{0.0}).holds() == Windows{{0, 7}});
  CHECK(check_difference(rough, line({0, 3, 7}, {0.2, 0.3, 0.8}), fd::Less{0.0}).holds() == Windows{{0, 7}});
  CHECK(check_difference(rough, line({0, 3, 7}, {0.2, 0.3, 0.6}), fd::Less{0.0}).holds() == Windows{{0, 3}});
  // t^2 against 2 t + 3, which meet at 3.
  const auto parabola = series_test::from_events<double>({{0.0, {0, 0, 1}}}, 4.0);
  CHECK(check_difference(parabola, line({0, 1, 4}, {3, 5, 11}), fd::Greater{0.0}).holds() == Windows{{3, 4}});
}

TEST_CASE("as of a run time nothing later is used") {
  const Series joined = line({0, 10, 20}, {0, 10, 0}), held = steps({0, 10, 20}, {0, 10, 0});
  CHECK(check(joined, fd::Greater{5.0}, {.as_of = 15}) == Status({0.0, 15.0}, {{5, 10}}, {{10, 15}}));
  CHECK(check(held, fd::Greater{5.0}, {.as_of = 15}) == Status({0.0, 15.0}, {{10, 15}}));
  CHECK(check(held, fd::Greater{5.0}, {.within = Window{0, 30}, .as_of = 15}) ==
        Status({0.0, 30.0}, {{10, 15}}, {{15, 30}}));
  CHECK(check(held, fd::Less{5.0}, {.as_of = 20}) == Status({0.0, 20.0}, {{0, 10}}));
  CHECK(check(joined, fd::Less{5.0}, {.as_of = 20}) == Status({0.0, 20.0}, {{0, 5}, {15, 20}}));
  CHECK(check(held, fd::Less{5.0}, {.as_of = -1}) == Status());
  CHECK(settled_until(joined, fd::Greater{5.0}, 15) == 10);
  CHECK(settled_until(held, fd::Greater{5.0}, 15) == 15);
  CHECK(settled_until(joined, fd::Greater{5.0}, -3) == -3);
  CHECK(known(joined, {.within = Window{-5, 15}, .as_of = 15}) == Status({-5.0, 15.0}, {{0, 10}}, {{10, 15}}));
  // The third equal sample, which makes a frozen stretch, comes later.
  const Series resting = steps({0, 10, 20, 30}, {1, 2, 2, 2});
  CHECK(not_frozen(resting, {.duration = 20}, {.as_of = 29}).holds() == Windows{{0, 29}});
  CHECK(not_frozen(resting, {.duration = 20}, {.as_of = 30}).holds() == Windows{{0, 10}});
  CHECK(settled_until(resting, fd::NotFrozen<double>{.duration = 20}, 29) == 10);
}

TEST_CASE("wrong conditions are refused") {
  const Series s = line({0, 1}, {0, 1});
  const auto refuse = [&](const auto& condition, auto... texts) {
    require_rule(
        fd::Rule::bad_parameter, [&] { (void)check(s, condition); }, texts...);
  };
  refuse(fd::Greater{bad}, "NaN");
  refuse(fd::Equal{bad});
  refuse(fd::Between{bad, 1});
  refuse(fd::Between{2, 1}, "low <= high", "1");
  refuse(fd::Equal{1, -0.5}, "tolerance", "-0.5");
  refuse(fd::NotEqual{1, bad}, "tolerance");
  refuse(fd::Equal{1, infinity}, "tolerance");
  refuse(fd::Predicate{"p", {bad}, [](double) { return true; }});
  refuse(fd::Hysteresis{.on = 1, .off = 1}, "differ");
  refuse(fd::Hysteresis{.on = bad, .off = 1}, "NaN");
  refuse(fd::NotFrozen<double>{.duration = 0}, "duration");
  refuse(fd::NotFrozen<double>{.duration = 1, .tolerance = -1}, "tolerance");
  refuse(fd::NotFrozen<double>{.duration = 1, .exempt = {bad}}, "exempt");
  refuse(fd::RateWithin{fd::Rate{-1.0, 1.0}}, "limit");
  require_rule(
      fd::Rule::bad_parameter,
      [] {
        (void)rate_within(steps({0, 1}, {0, 1}), fd::Rate{1.0, 1.0});
      },
      "held");
  require_rule(fd::Rule::window_empty, [&] { (void)check(s, fd::Less{1}, {.within = Window{1, 1}}); });
  require_rule(fd::Rule::time_not_finite, [&] { (void)check(s, fd::Less{1}, {.as_of = bad}); });
  require_rule(fd::Rule::time_not_finite, [&] { (void)settled_until(s, fd::Less{1}, bad); });
  const Series two({0, 1}, {0, 1, 2, 3}, {.channel_names = {"flow", "level"}});
  const auto refuse_channels = [&](auto&& call) { require_rule(fd::Rule::not_one_channel, call, "channel("); };
  refuse_channels([&] { (void)check(two, fd::Less{1}); });
  refuse_channels([&] { (void)known(two); });
  refuse_channels([&] { (void)check(two, fd::Hysteresis{.on = 1, .off = 0}); });
  refuse_channels([&] { (void)not_frozen(two, {.duration = 1}); });
  refuse_channels([&] { (void)rate_within(two, fd::Rate{1.0, 1.0}); });
  refuse_channels([&] { (void)check_difference(s, two, fd::Less{1}); });
  refuse_channels([&] { (void)settled_until(two, fd::Less{1}, 1); });
}
