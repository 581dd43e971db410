// SPDX-License-Identifier: MIT
// Bad input is refused with the place where it stands, before any distance is computed (T13 to T15, T12).
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
const fd::Twed twed{.stiffness = 0.1, .penalty = 0.5};

Run named(std::vector<double> values, std::string name) {
  return fd::regular(0.0, 1.0, std::move(values), {.name = std::move(name)});
}
const std::vector<Run> good = {named({0, 1, 2}, "first"), named({1, 1, 1}, "second"), named({3, 2, 1}, "third")};

/// The error of a call, which must throw one of the given rule.
template <class Call>
fd::InputError error_of(fd::Rule rule, Call&& call) {
  try {
    call();
  } catch (const fd::InputError& error) {
    INFO(error.what());
    CHECK(error.rule == rule);
    return error;
  }
  FAIL("no error was thrown");
  throw;
}

bool holds(const fd::InputError& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a value that is NaN or infinite is named with collection, index, name and sample") {
  for (const double bad : {not_a_number, infinity, -infinity})
    for (const std::size_t sample : {0U, 1U, 2U})
      for (const std::size_t index : {0U, 1U, 2U}) {
        std::vector<double> values = {5, 6, 7};
        values[sample] = bad;
        std::vector<Run> spoilt = good;
        spoilt[index] = named(values, "spoilt");
        const auto check = [&](const fd::InputError& error, const char* collection) {
          CHECK(error.collection == collection);
          CHECK(error.index == index);
          CHECK(error.name == "spoilt");
          CHECK(error.sample == sample);
          REQUIRE(error.value);
          CHECK((*error.value == bad || (std::isnan(*error.value) && std::isnan(bad))));
          CHECK(holds(error, collection + ("[" + std::to_string(index) + "] 'spoilt', sample ")));
        };
        const auto rule = fd::Rule::value_not_finite;
        check(error_of(rule, [&] { (void)fd::pairwise(spoilt, good, twed); }), "rows");
        check(error_of(rule, [&] { (void)fd::pairwise(good, spoilt, twed); }), "columns");
        check(error_of(rule, [&] { (void)fd::pairwise(spoilt, twed); }), "rows");
        check(error_of(rule, [&] { (void)fd::pairwise_pooled(good, spoilt, twed); }), "columns");
      }
}

TEST_CASE("a bad value in any channel is found") {
  for (const std::size_t channel : {0U, 1U, 2U}) {
    std::vector<double> values = {1, 2, 3, 4, 5, 6};
    values[3 + channel] = not_a_number;
    const Run run({0, 1}, values, {.channel_names = {"x", "y", "z"}});
    CHECK(error_of(fd::Rule::value_not_finite, [&] { (void)twed(run, run); }).sample == 1U);
  }
}

TEST_CASE("a bad float value is found") {
  const fd::Series<float, double> run({0, 1}, {0, std::numeric_limits<float>::infinity()});
  CHECK(error_of(fd::Rule::value_not_finite, [&] { (void)twed(run, run); }).sample == 1U);
}

TEST_CASE("of two arguments the one at fault is named") {
  const Run bad = named({0, not_a_number}, "bad");
  CHECK(error_of(fd::Rule::value_not_finite, [&] { (void)twed(bad, good[0]); }).collection == "a");
  CHECK(error_of(fd::Rule::value_not_finite, [&] { (void)twed(good[0], bad); }).collection == "b");
  CHECK_FALSE(error_of(fd::Rule::value_not_finite, [&] { (void)twed(good[0], bad); }).index);
}

TEST_CASE("nothing to compare, wrong sizes and wrong stamps are refused where a series is made") {
  const auto made = [](std::vector<double> times, std::vector<double> values) {
    return [=] { (void)Run(times, values, {.name = "made"}); };
  };
  CHECK(error_of(fd::Rule::empty, made({}, {})).name == "made");
  CHECK(error_of(fd::Rule::size_mismatch, made({0, 1}, {0})).name == "made");
  CHECK(error_of(fd::Rule::time_not_finite, made({0, not_a_number, 2}, {0, 0, 0})).sample == 1U);
  CHECK(error_of(fd::Rule::time_not_finite, made({0, 1, infinity}, {0, 0, 0})).sample == 2U);
  CHECK(error_of(fd::Rule::time_not_increasing, made({0, 2, 1}, {0, 0, 0})).sample == 2U);
  CHECK(error_of(fd::Rule::time_repeated, made({0, 0, 1}, {0, 0, 0})).sample == 1U);
  CHECK(error_of(fd::Rule::empty, [] { (void)Run({0.0}, Eigen::MatrixXd(1, 0)); }).rule == fd::Rule::empty);
}

TEST_CASE("an event is refused unless the metric accepts events") {
  for (const std::size_t sample : {1U, 2U, 3U}) {
    std::vector<double> times = {0, 1, 2, 3};
    times[sample] = times[sample - 1];
    const Run event(times, {0, 1, 2, 3}, {.name = "jump", .duplicates = fd::Duplicates::event});
    const std::vector<Run> rows = {good[0], event};
    const auto error = error_of(fd::Rule::time_repeated, [&] { (void)fd::pairwise(good, rows, twed); });
    CHECK(error.collection == "columns");
    CHECK(error.index == 1U);
    CHECK(error.name == "jump");
    CHECK(error.sample == sample);
    CHECK(holds(error, "accept_events"));
    const fd::Twed accepting{.stiffness = 0.1, .penalty = 0.5, .accept_events = true};
    CHECK_NOTHROW(fd::pairwise(good, rows, accepting));
  }
}

TEST_CASE("series of different numbers of channels are both named, before any distance") {
  const Run two({0, 1}, {1, 2, 3, 4}, {.name = "pair", .channel_names = {"x", "y"}});
  const auto check = [](const fd::InputError& error, const char* collection, std::size_t index, const char* name) {
    CHECK(error.collection == collection);
    CHECK(error.index == index);
    CHECK(error.name == name);
    CHECK(holds(error, "rows[0]"));
    CHECK(holds(error, "'pair'"));
    CHECK(holds(error, "2"));
    CHECK(holds(error, "1"));
  };
  const auto rule = fd::Rule::channel_mismatch;
  const std::vector<Run> with_two = {good[0], good[1], two}, one_two = {two};
  // The value that would overflow stands in a pair that comes first: it is not computed.
  const std::vector<Run> overflowing = {named({-1e308, 1e308}, "huge"), good[1], two};
  check(error_of(rule, [&] { (void)fd::pairwise(good, with_two, twed); }), "columns", 2, "pair");
  check(error_of(rule, [&] { (void)fd::pairwise(with_two, good, twed); }), "rows", 2, "pair");
  check(error_of(rule, [&] { (void)fd::pairwise(with_two, twed); }), "rows", 2, "pair");
  check(error_of(rule, [&] { (void)fd::pairwise(overflowing, twed); }), "rows", 2, "pair");
  check(error_of(rule, [&] { (void)fd::pairwise(one_two, good, twed); }), "columns", 0, "first");
  check(error_of(rule, [&] { (void)fd::pairwise_pooled(good, one_two, twed); }), "columns", 0, "pair");
  const auto single = error_of(rule, [&] { (void)twed(good[0], two); });
  CHECK(single.collection == "b");
  CHECK(holds(single, "a 'first' and b 'pair' have 1 and 2 channels"));
  CHECK(error_of(rule, [&] { (void)fd::pairwise(std::vector<Run>{}, with_two, twed); }).index == 2U);
}

TEST_CASE("parameters out of range are refused with their value") {
  const auto check = [](const fd::Twed& bad, double value, const char* word) {
    const auto error = error_of(fd::Rule::bad_parameter, [&] { (void)bad(good[0], good[1]); });
    REQUIRE(error.value);
    CHECK((*error.value == value || (std::isnan(*error.value) && std::isnan(value))));
    CHECK(holds(error, word));
    CHECK_THROWS_AS(fd::pairwise(good, bad), fd::InputError);
    CHECK_THROWS_AS(bad.prepare(good[0], 0.0), fd::InputError);
  };
  for (const double bad : {-1e-9, not_a_number, infinity, -infinity}) {
    check({.stiffness = bad, .penalty = 0.5}, bad, "stiffness");
    check({.stiffness = 0.1, .penalty = bad}, bad, "penalty");
    check({.stiffness = 0.1, .penalty = 0.5, .scale = {bad}}, bad, "scale");
  }
  check({.stiffness = 0.1, .penalty = 0.5, .scale = {0}}, 0, "scale");
}

TEST_CASE("a number of scale factors other than that of the channels is refused") {
  for (const std::vector<double>& scale : {std::vector<double>{1, 1}, std::vector<double>{1, 1, 1}}) {
    const fd::Twed scaled{.stiffness = 0.1, .penalty = 0.5, .scale = scale};
    const auto error = error_of(fd::Rule::size_mismatch, [&] { (void)fd::pairwise(good, scaled); });
    CHECK(error.collection == "rows");
    CHECK(error.index == 0U);
    CHECK(error.name == "first");
  }
}

TEST_CASE("series prepared with other parameters or another origin are refused") {
  const auto rule = fd::Rule::bad_parameter;
  const auto a = twed.prepare(good[0], 0.0);
  CHECK(twed(a, twed.prepare(good[1], 0.0)) == twed(good[0], good[1]));
  CHECK(holds(error_of(rule, [&] { (void)twed(a, twed.prepare(good[1], 1.0)); }), "'first' and 'second'"));
  const fd::Twed others[] = {{.stiffness = 0.2, .penalty = 0.5},
                             {.stiffness = 0.1, .penalty = 0.6},
                             {.stiffness = 0.1, .penalty = 0.5, .norm = 1},
                             {.stiffness = 0.1, .penalty = 0.5, .scale = {2}},
                             {.stiffness = 0.1, .penalty = 0.5, .accept_events = true}};
  for (const fd::Twed& other : others) {
    const auto b = other.prepare(good[1], 0.0);
    error_of(rule, [&] { (void)twed(a, b); });
    error_of(rule, [&] { (void)twed(b, a); });
    error_of(rule, [&] { (void)other(a, a); });
  }
}

TEST_CASE("a distance outside the range of double is Overflow, never infinity") {
  const Run high = named({1e308, 1e308}, "high"), low = named({-1e308, -1e308}, "low");
  require_error<fd::Overflow>([&] { (void)twed(high, low); }, "'high'", "'low'");
  const std::vector<Run> rows = {good[0], high}, columns = {good[1], good[2], low};
  for (const unsigned threads : {1U, 2U, 7U}) try {
      (void)fd::pairwise(rows, columns, twed, {.threads = threads});
      FAIL("no error was thrown");
    } catch (const fd::Overflow& error) {
      REQUIRE(error.pair);
      CHECK(*error.pair == std::pair<std::size_t, std::size_t>(1, 2));
      CHECK(std::string(error.what()).find("rows[1] 'high' and columns[2] 'low'") != std::string::npos);
    }
}

TEST_CASE("scaled values, and stamps times stiffness, outside the range of double are Overflow and name the series") {
  const std::vector<Run> rows = {good[0], named({1e200, 0}, "tall")};
  const fd::Twed scaled{.stiffness = 0.1, .penalty = 0.5, .scale = {1e200}};
  require_error<fd::Overflow>([&] { (void)fd::pairwise(rows, scaled); }, "scaled", "in rows[1] 'tall'");
  const std::vector<Run> later = {good[0], Run({0, 1e200}, {0, 0}, {.name = "late"})};
  const fd::Twed stiff{.stiffness = 1e200, .penalty = 0.5};
  require_error<fd::Overflow>([&] { (void)fd::pairwise(later, stiff); }, "scaled", "in rows[1] 'late'");
  const fd::Series<> first({fd::Timestamp::min()}, {0}), last({fd::Timestamp::max()}, {0});
  require_error<fd::Overflow>([&] { (void)twed(first, last); }, "time type");
}

TEST_CASE("an ensemble with a run that diverged to 1e16 has finite distances") {
  std::vector<Run> rows = good;
  rows.push_back(named({0, 10, 1e8, 1e16}, "diverged"));
  const auto matrix = fd::pairwise(rows, twed);
  CHECK(matrix.allFinite());
  CHECK(matrix(0, 3) == Approx(1e16).epsilon(1e-6));
  const Run space({0, 1}, {0, 0, 0, 1e16, -1e16, 1e16}, {.channel_names = {"x", "y", "z"}});
  const Run rest({0, 1}, {0, 0, 0, 0, 0, 0}, {.channel_names = {"x", "y", "z"}});
  CHECK(twed(space, rest) == Approx(std::sqrt(3.0) * 1e16).epsilon(1e-12));
}
