// SPDX-License-Identifier: MIT
// The user's own point distance (T4), on numbers and on values that are none.
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fidelity/distance/edit_script.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/sequence.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/distance/twed_with.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/detail/summarise.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using oracle::Random;
using oracle::uniform;
using series_test::require_rule;
using Run = fd::Series<double, double>;
using Words = fd::Sequence<std::string, double>;

const auto magnitude = [](double x, double y) { return std::abs(x - y); };
const auto largest = [](std::span<const double> x, std::span<const double> y) {
  double most = 0;
  for (std::size_t c = 0; c < x.size(); ++c) most = std::max(most, std::abs(x[c] - y[c]));
  return most;
};
using Table = std::function<double(const std::string&, const std::string&)>;
struct SameOrNot {
  double operator()(const std::string& x, const std::string& y) const { return x == y ? 0 : 2; }
};

static_assert(fd::BatchMetric<fd::TwedWith<SameOrNot>, Words>);
static_assert(fd::BatchMetric<decltype(fd::twed_with(magnitude, {.stiffness = 1, .penalty = 1})), Run>);
static_assert(fd::Metric<decltype(fd::twed_with(largest, {.stiffness = 1, .penalty = 1})), fd::SeriesView<float>>);
static_assert(!fd::Metric<fd::TwedWith<SameOrNot>, Run> && !fd::Metric<fd::TwedWith<SameOrNot>, int>);
static_assert(!fd::Metric<fd::TwedWith<SameOrNot>, fd::Sequence<int, double>>);

template <class T>
concept without_penalty = requires {
  T{.stiffness = 1};
};
template <class T>
concept by_position = requires {
  T{1, 1};
};
template <class T>
concept by_name = requires {
  T{.stiffness = 1, .penalty = 1};
};
static_assert(by_name<fd::TwedWithOptions> && !without_penalty<fd::TwedWithOptions> &&
              !by_position<fd::TwedWithOptions>);

std::vector<Run> rough_runs(std::size_t count, std::size_t channels, std::uint32_t seed) {
  Random random(seed);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < count; ++k)
    runs.push_back(oracle::rough_series(random, static_cast<std::size_t>(uniform(random, 1, 25)), channels));
  return runs;
}

const fd::TwedWithOptions options{.stiffness = 0.3, .penalty = 0.7};

}  // namespace

TEST_CASE("the magnitude as point distance gives the bits of the built-in distance") {
  const auto runs = rough_runs(8, 1, 61), points = rough_runs(8, 3, 62);
  const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};
  const fd::Twed maximum{.stiffness = 0.3, .penalty = 0.7, .norm = fd::Norm::maximum()};
  const auto own = fd::twed_with(magnitude, options);
  const auto own_maximum = fd::twed_with(largest, options);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      REQUIRE(own(runs[i], runs[j]) == twed(runs[i], runs[j]));
      REQUIRE(own_maximum(points[i], fd::SeriesView(points[j])) == maximum(points[i], points[j]));
    }
}

TEST_CASE("states are compared by the user's table") {
  const Words a({0, 1, 2}, {"idle", "heat", "hold"}), b({0, 2}, {"idle", "hold"});
  const auto metric = fd::twed_with(SameOrNot{}, {.stiffness = 0.5, .penalty = 0.25});
  // idle is matched with idle; heat is deleted for 2 + 0.5 + 0.25; hold is matched with hold for |heat - idle| ...
  // or: heat and hold are deleted in a, hold in b: 2.75 + 2.75 + (2 + 1 + 0.25); or hold with hold last:
  // deleting heat first leaves the pair (heat, idle) in front of the match: 2 + 0.5 more.
  CHECK(metric(a, b) == 2.75 + 2.5);
  CHECK(metric(b, a) == metric(a, b));
  CHECK(metric(a, a) == 0);
  const auto script = fd::edit_script(a, b, metric);
  CHECK(script.cost == 5.25);
  REQUIRE(script.steps.size() == 3);
  CHECK(script.steps[1].kind == fd::EditKind::delete_a);
  CHECK(fd::replay(script, a, b, metric) == 5.25);
  const auto parts = fd::parts(a, b, metric);
  CHECK(parts.value == 4);
  CHECK(parts.time == 1);
  CHECK(parts.penalty == 0.25);
  CHECK(metric.within(a, b, 5.25) == 5.25);
  CHECK_FALSE(metric.within(a, b, 5.2));
}

TEST_CASE("values of any type will do, with absolute times") {
  using namespace std::chrono_literals;
  const fd::Timestamp start{1'700'000'000s};
  const fd::Sequence<bool> x({start, start + 1s}, {true, false}), y({start}, {true});
  const auto metric = fd::twed_with([](bool p, bool q) { return p == q ? 0 : 1; }, {.stiffness = 1, .penalty = 3});
  CHECK(metric(x, y) == 1 + 1 + 3);
  struct Frame {
    int red, green;
  };
  const fd::Sequence<Frame, double> f({0}, {{1, 2}}), g({0}, {{4, 6}});
  CHECK(fd::twed_with([](const Frame& p, const Frame& q) { return std::hypot(p.red - q.red, p.green - q.green); },
                      options)(f, g) == 5);
}

TEST_CASE("the cutoff of a user's distance is decided by the full value without the triangle inequality") {
  const auto runs = rough_runs(10, 1, 63);
  const auto squares = fd::twed_with([](double x, double y) { return (x - y) * (x - y); }, options);
  for (const Run& a : runs)
    for (const Run& b : runs) {
      const double distance = squares(a, b);
      for (const double cutoff : {std::nextafter(distance, -1.0), distance, distance / 3, distance * 2}) {
        if (cutoff < 0) continue;
        const auto result = squares.within(a, b, cutoff);
        REQUIRE(result.has_value() == (distance <= cutoff));
        if (result) REQUIRE(*result == distance);
      }
    }
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)squares.within(runs[0], runs[1], -1); }, "cutoff");
}

TEST_CASE("a declared metric keeps the axioms on random triples of states") {
  const auto metric =
      fd::twed_with(SameOrNot{}, {.stiffness = 0.25, .penalty = 0.5, .point_distance = fd::MetricStatus::metric});
  CHECK(fd::metric_status(metric) == fd::MetricStatus::metric);
  Random random(64);
  const auto words = [&random] {
    std::vector<double> times;
    std::vector<std::string> values;
    double t = 0;
    for (int i = uniform(random, 1, 6); i > 0; --i) {
      times.push_back(t += uniform(random, 1, 8) / 8.0);
      values.emplace_back(1, static_cast<char>('a' + uniform(random, 0, 2)));
    }
    return Words(times, values);
  };
  for (int k = 0; k < 1000; ++k) {
    const Words x = words(), y = words(), z = words();
    REQUIRE(metric(x, z) <= metric(x, y) + metric(y, z));
    REQUIRE(metric(x, y) == metric(y, x));
    REQUIRE(metric(x, x) == 0);
  }
}

TEST_CASE("a point distance that is none is an error that names the pair and the samples") {
  const std::vector<Words> rows = {Words({0, 1}, {"a", "b"}, {.name = "fine"}),
                                   Words({0, 1, 2}, {"a", "b", "bad"}, {.name = "spoilt"})};
  const std::vector<Words> columns = {Words({0}, {"a"}, {.name = "short"}),
                                      Words({0, 1}, {"a", "x"}, {.name = "last"})};
  for (const double none : {series_test::bad, series_test::infinity, -1.0}) {
    const auto metric = fd::twed_with(
        Table([none](const std::string& x, const std::string& y) { return x == "bad" && y == "x" ? none : 1.0; }),
        options);
    for (const unsigned threads : {1U, 2U}) try {
        (void)fd::pairwise(rows, columns, metric, {.threads = threads});
        FAIL("no error");
      } catch (const fd::InputError& error) {
        CHECK(error.rule == fd::Rule::bad_distance);
        CHECK(error.collection == "rows");
        CHECK(error.index == 1U);
        CHECK(error.sample == 2U);
        require_error<fd::InputError>([&] { throw error; }, "sample 2 of rows[1] 'spoilt'",
                                      "sample 1 of columns[1] 'last'", "point distance");
      }
    require_rule(
        fd::Rule::bad_distance, [&] { (void)fd::edit_script(rows[1], columns[1], metric); }, "a 'spoilt'");
  }
}

TEST_CASE("bad point distances of neighbours are found before any pair is computed") {
  int calls = 0;
  const auto metric = fd::twed_with(Table([&calls](const std::string& x, const std::string& y) {
                                      ++calls;
                                      return x == y ? -1.0 : 0.0;
                                    }),
                                    options);
  const std::vector<Words> rows(3, Words({0, 1, 2}, {"a", "b", "a"}));
  const std::vector<Words> columns = {Words({0, 1, 2}, {"a", "c", "a"}), Words({0, 1}, {"d", "d"})};
  require_rule(
      fd::Rule::bad_distance, [&] { (void)fd::pairwise(rows, columns, metric); }, "sample 1 of columns[1]",
      "sample 0 of columns[1]");
  CHECK(calls == 3 * 2 + 2 + 1);
}

TEST_CASE("a matrix of states holds the numbers of single pairs") {
  const std::vector<Words> runs = {Words({0, 1}, {"a", "b"}), Words({0.5}, {"b"}), Words({0, 2, 3}, {"a", "b", "a"})};
  const auto metric = fd::twed_with(Table(SameOrNot{}), {.stiffness = 0.5, .penalty = 0.25});
  const auto matrix = fd::pairwise(runs, runs, metric);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) == metric(runs[i], runs[j]));
}

TEST_CASE("a distance declared as a metric is tried out on each series") {
  const auto declared = [](auto distance, fd::MetricStatus status) {
    return fd::twed_with(distance, {.stiffness = 1, .penalty = 1, .point_distance = status});
  };
  const Run run({0, 1, 2}, {1, 4, 2}, {.name = "tried"});
  const auto one_way = [](double x, double y) { return std::max(0.0, x - y); };
  const auto never_zero = [](double, double) { return 1.0; };
  for (const auto status : {fd::MetricStatus::metric, fd::MetricStatus::pseudo_metric}) {
    const auto rule = fd::Rule::bad_distance;
    require_rule(
        rule, [&] { (void)declared(one_way, status)(run, run); }, "both orders", "'tried', sample 1");
    require_rule(
        rule, [&] { (void)declared(never_zero, status)(run, run); }, "itself", "sample 0");
  }
  CHECK_NOTHROW(declared(one_way, fd::MetricStatus::not_a_metric)(run, run));
  CHECK_NOTHROW(declared(one_way, fd::MetricStatus::unknown)(run, run));
}

TEST_CASE("the status follows from what is declared and from the parameters") {
  using enum fd::MetricStatus;
  const auto status = [](double stiffness, double penalty, bool events, fd::MetricStatus declared) {
    return fd::metric_status(fd::twed_with(
        magnitude, {.stiffness = stiffness, .penalty = penalty, .accept_events = events, .point_distance = declared}));
  };
  CHECK(status(1, 0, false, metric) == metric);
  CHECK(status(0, 1, false, metric) == pseudo_metric);
  CHECK(status(1, 0, true, metric) == pseudo_metric);
  CHECK(status(1, 1, true, metric) == metric);
  for (const auto declared : {pseudo_metric, not_a_metric, unknown}) CHECK(status(1, 1, false, declared) == declared);
  const auto text = fd::describe(fd::twed_with(magnitude, {.stiffness = 1, .penalty = 2, .name = "magnitude"}));
  CHECK(text.name == "time warp edit distance");
  CHECK(text.settings == "point distance magnitude");
  CHECK(text.parameters[1].value == 2);
  CHECK(text.status == unknown);
}

TEST_CASE("a comparison draws no outlines of states") {
  const std::vector<Words> runs = {Words({0.5, 1, 4}, {"idle", "heat", "hold"}, {.name = "run"})};
  const fd::detail::Collection<Words> list("simulations", runs);
  const auto summary = fd::detail::summarise(list, fd::detail::common_origin<Words>({&list}), "simulation");
  CHECK(summary[0].name == "run");
  CHECK(summary[0].samples == 3);
  CHECK(summary[0].duration == 3.5);
  CHECK(summary[0].outlines.empty());
}

TEST_CASE("wrong calls with a user's point distance are refused") {
  const Run one({0, 1}, {0, 1}, {.name = "one"}), two({0, 1}, {0, 1, 2, 3}, {.channel_names = {"x", "y"}});
  const auto numbers = fd::twed_with(magnitude, options);
  const auto points = fd::twed_with(largest, options);
  require_rule(
      fd::Rule::not_one_channel, [&] { (void)numbers(one, two); }, "span", "in b");
  require_rule(
      fd::Rule::channel_mismatch, [&] { (void)points(one, two); }, "1 and 2 channels");
  require_rule(
      fd::Rule::value_not_finite, [&] { (void)numbers(one, Run({0}, {series_test::bad})); }, "sample 0");
  const Run event({0, 0}, {0, 1}, {.duplicates = fd::Duplicates::event});
  require_rule(
      fd::Rule::time_repeated, [&] { (void)numbers(one, event); }, "accept_events");
  CHECK(fd::twed_with(magnitude, {.stiffness = 1, .penalty = 0, .accept_events = true})(event, event) == 0);
  for (const double bad : {-1.0, series_test::bad, series_test::infinity}) {
    require_rule(fd::Rule::bad_parameter, [&] { (void)fd::twed_with(magnitude, {.stiffness = bad, .penalty = 1}); });
    require_rule(fd::Rule::bad_parameter, [&] { (void)fd::twed_with(magnitude, {.stiffness = 1, .penalty = bad}); });
  }
  CHECK_THROWS_AS(fd::twed_with([](double, double) { return 1e308; }, options)(one, one), fd::Overflow);
}

TEST_CASE("series prepared by another metric or for another origin are refused") {
  const Run run({0, 1}, {0, 1});
  const auto metric = fd::twed_with(magnitude, options), same = metric, other = fd::twed_with(magnitude, options);
  const auto x = metric.prepare(run, 0.0);
  CHECK(same(x, x) == 0);
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)other(x, x); }, "another metric");
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)metric(x, metric.prepare(run, 1.0)); }, "another origin");
}

TEST_CASE("a sequence is checked where it is made") {
  const auto refused = [](fd::Rule rule, std::vector<double> times, const char* text) {
    require_rule(
        rule,
        [&] {
          (void)Words(times, {"a", "b"}, {.name = "made"});
        },
        "Sequence", "'made'", text);
  };
  refused(fd::Rule::size_mismatch, {0, 1, 2}, "3 stamps and 2 values");
  refused(fd::Rule::time_not_increasing, {1, 0}, "sample 1");
  refused(fd::Rule::time_repeated, {1, 1}, "events");
  refused(fd::Rule::time_not_finite, {0, series_test::bad}, "sample 1");
  require_rule(
      fd::Rule::empty, [] { (void)Words({}, {}); }, "at least one");
  CHECK(Words({1, 1}, {"a", "b"}, {.events = true}).size() == 2);
}
