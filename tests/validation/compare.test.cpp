// SPDX-License-Identifier: MIT
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/compare.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {

/// A run that is one number, and the distance of two of them: everything can be computed by hand.
struct Scalar {
  double x;
  std::string name = {};
};
const auto difference = [](const Scalar& a, const Scalar& b) { return std::abs(a.x - b.x); };

std::vector<Scalar> scalars(std::initializer_list<double> values) {
  std::vector<Scalar> all;
  for (const double x : values) all.push_back({x});
  return all;
}

bool has(const std::vector<fd::Finding>& findings, const std::string& code) {
  for (const auto& finding : findings)
    if (finding.code == code) return true;
  return false;
}

using Run = fd::Series<double, double>;
Run ramp(double offset, double end = 4, std::string name = {}) {
  return Run({0, end / 2, end}, {offset, offset + 1, offset + 2}, {.name = std::move(name)});
}

}  // namespace

TEST_CASE("the distance of two sets of numbers is that of their sorted pairs") {
  const auto c = fd::compare(scalars({3, 0, 1}), scalars({6, 8, 5}), difference);
  CHECK(c.distance == Approx(5));
  CHECK(c.matrix(0, 1) == 5);
  CHECK(c.plan.gap <= 1e-12);
}

TEST_CASE("spread, ratio and relative distance are those computed by hand") {
  // measured 0 1 3 7: distances 1 3 7 2 6 4, mean 23/6, largest 7. Groups of 2, all 3 splits:
  // {0,1}|{3,7}: 4.5   {0,3}|{1,7}: 2.5   {0,7}|{1,3}: 2.5
  const auto c = fd::compare(scalars({2, 4, 9}), scalars({0, 1, 3, 7}), difference);
  REQUIRE(c.halves);
  CHECK(*c.measured_spread == Approx(23.0 / 6));
  CHECK(*c.measured_largest == 7);
  CHECK(*c.relative_to_spread == Approx(c.distance / (23.0 / 6)));
  CHECK(c.halves->half_size == 2);
  CHECK(c.halves->exhaustive_base);
  CHECK(c.halves->base.values.size() == 3);
  CHECK(c.halves->base.median == Approx(2.5));
  CHECK(c.halves->base.mean == Approx(9.5 / 3));
  CHECK(c.halves->base.quantile95 == Approx(4.5));

  // simulated groups {2,4} {2,9} {4,9} against all six measured groups
  const double simulated[3][2] = {{2, 4}, {2, 9}, {4, 9}};
  const double measured[6][2] = {{0, 1}, {0, 3}, {0, 7}, {1, 3}, {1, 7}, {3, 7}};
  std::vector<double> expected;
  for (const auto& s : simulated)
    for (const auto& m : measured) expected.push_back(0.5 * (std::abs(s[0] - m[0]) + std::abs(s[1] - m[1])));
  CHECK(c.halves->like.values.size() == 18);
  std::vector<double> found = c.halves->like.values;
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  for (std::size_t k = 0; k < 18; ++k) CHECK(found[k] == Approx(expected[k]));
  CHECK(*c.ratio == Approx(0.5 * (expected[8] + expected[9]) / 2.5));
}

TEST_CASE("many runs are drawn at random, the same for every number of threads, and depend on the seed") {
  std::vector<Scalar> simulated, measured;
  for (int k = 0; k < 16; ++k) simulated.push_back({std::sin(k * 1.7)}), measured.push_back({std::cos(k * 2.3)});
  const auto one = fd::compare(simulated, measured, difference, {.threads = 1});
  const auto many = fd::compare(simulated, measured, difference, {.threads = 7});
  const auto other = fd::compare(simulated, measured, difference, {.seed = 1, .threads = 1});
  REQUIRE(one.halves);
  CHECK_FALSE(one.halves->exhaustive_base);
  CHECK(one.halves->base.values.size() == 999);
  CHECK(one.halves->base.values == many.halves->base.values);
  CHECK(one.halves->like.values == many.halves->like.values);
  CHECK(one.halves->base.values != other.halves->base.values);
  const auto fewer = fd::compare(simulated, measured, difference, {.splits = 99});
  CHECK(
      std::equal(fewer.halves->like.values.begin(), fewer.halves->like.values.end(), one.halves->like.values.begin()));
}

TEST_CASE("the ratio of two samples of one distribution is about one, of a shifted one it is larger") {
  fd::detail::Random random(3);
  const auto draw = [&](std::size_t count, double shift) {
    std::vector<Scalar> sample;
    for (std::size_t k = 0; k < count; ++k) {
      double sum = shift - 6;
      for (int i = 0; i < 12; ++i) sum += random.uniform();
      sample.push_back({sum});
    }
    return sample;
  };
  double same = 0, shifted = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const auto measured = draw(24, 0);
    same += *fd::compare(draw(20, 0), measured, difference, {.splits = 99}).ratio / 20;
    shifted += *fd::compare(draw(20, 1), measured, difference, {.splits = 99}).ratio / 20;
  }
  CHECK(same > 0.85);
  CHECK(same < 1.3);
  CHECK(shifted > 2);
}

TEST_CASE("what cannot be computed is absent with a reason, never zero") {
  const auto three = fd::compare(scalars({1, 2}), scalars({1, 2, 3}), difference, {.criteria = {fd::Relative{2}}});
  CHECK_FALSE(three.ratio);
  CHECK(has(three.absent, "ratio"));
  CHECK(three.verdict == fd::Verdict::incomplete);
  CHECK(has(three.reasons, "not_evaluated"));
  CHECK_FALSE(three.criteria.at(0).value);
  CHECK_FALSE(three.criteria.at(0).reason.empty());

  const auto single = fd::compare(scalars({1}), scalars({1, 2, 3, 4}), difference);
  CHECK_FALSE(single.ratio);
  CHECK(single.measured_spread);

  const auto one_measured = fd::compare(scalars({1, 2}), scalars({4}), difference);
  CHECK(one_measured.distance == Approx(2.5));
  CHECK_FALSE(one_measured.measured_spread);
  CHECK_FALSE(one_measured.relative_to_spread);
  CHECK(has(one_measured.absent, "measured_spread"));
}

TEST_CASE("measured runs without spread give no ratio but a flag") {
  const auto c = fd::compare(scalars({1, 2}), scalars({4, 4, 4, 4}), difference, {.criteria = {fd::Relative{100}}});
  CHECK_FALSE(c.ratio);
  CHECK_FALSE(c.relative_to_spread);
  CHECK(has(c.flags, "no_spread"));
  CHECK(has(c.flags, "single_distinct_run"));
  CHECK(c.distinct_measurements == 1);
  CHECK(c.verdict == fd::Verdict::incomplete);
}

TEST_CASE("a criterion passes only if value <= limit") {
  const auto verdict = [](double limit) {
    return fd::compare(scalars({0, 1}), scalars({2, 3}), difference, {.criteria = {fd::Absolute{limit}}}).verdict;
  };
  CHECK(verdict(2) == fd::Verdict::pass);
  CHECK(verdict(std::nextafter(2.0, 3.0)) == fd::Verdict::pass);
  CHECK(verdict(std::nextafter(2.0, 1.0)) == fd::Verdict::fail);
  CHECK(verdict(0) == fd::Verdict::fail);
  CHECK(fd::compare(scalars({2, 3}), scalars({3, 2}), difference, {.criteria = {fd::Absolute{0}}}).verdict ==
        fd::Verdict::pass);
  CHECK(fd::detail::evaluate_criterion("x", std::numeric_limits<double>::quiet_NaN(), 1, "", "").outcome ==
        fd::Verdict::fail);
}

TEST_CASE("one failing criterion fails the comparison, one that cannot be evaluated makes it incomplete") {
  const auto measured = scalars({2, 3});  // too few for a ratio
  const auto verdict = [&](std::vector<fd::Criterion> criteria) {
    return fd::compare(scalars({0, 1}), measured, difference, {.criteria = std::move(criteria)}).verdict;
  };
  CHECK(verdict({fd::Absolute{3}}) == fd::Verdict::pass);
  CHECK(verdict({fd::Absolute{3}, fd::Relative{1}}) == fd::Verdict::incomplete);
  CHECK(verdict({fd::Absolute{1}, fd::Relative{1}}) == fd::Verdict::fail);
  CHECK(verdict({fd::Absolute{3}, fd::Absolute{1}}) == fd::Verdict::fail);
  CHECK(verdict({}) == fd::Verdict::incomplete);
  CHECK(has(fd::compare(scalars({0}), measured, difference).reasons, "no_criterion"));
  CHECK(fd::exit_code(fd::Verdict::pass) == 0);
  CHECK(fd::exit_code(fd::Verdict::fail) == 1);
  CHECK(fd::exit_code(fd::Verdict::incomplete) == 2);
}

TEST_CASE("contributions and matches add up to the distance") {
  for (const double order : {1.0, 2.0, 3.0, 400.0}) {
    const auto c = fd::compare(scalars({0, 1, 5}), scalars({2, 3, 4, 9}), difference, {.order = order});
    double rows = 0, columns = 0, shares = 0, masses = 0, cost = 0;
    std::vector<double> part(3, 0.0);
    for (const auto& run : c.simulations) rows += run.contribution, shares += run.share;
    for (const auto& run : c.measurements) columns += run.contribution;
    for (const auto& match : c.matches) {
      masses += match.mass;
      cost += match.mass * std::pow(match.distance / c.distance, order);
      part[match.simulation] += match.mass * std::pow(match.distance / c.distance, order);
      CHECK(match.distance ==
            std::abs(scalars({0, 1, 5})[match.simulation].x - scalars({2, 3, 4, 9})[match.measurement].x));
    }
    CHECK(rows == Approx(c.distance));
    CHECK(columns == Approx(c.distance));
    CHECK(cost == Approx(1));
    CHECK(shares == Approx(1));
    CHECK(masses == Approx(1));
    for (std::size_t i = 0; i < 3; ++i) CHECK(c.simulations[i].share == Approx(part[i]).margin(1e-12));
    CHECK(c.gap <= 1e-12 * c.distance);
  }
}

TEST_CASE("every run knows its nearest run of the other side, the first of several") {
  const auto c = fd::compare(scalars({0, 6}), scalars({2, 5, 7, -2}), difference);
  CHECK(c.simulations[0].nearest == 0);
  CHECK(c.simulations[0].nearest_distance == 2);
  CHECK(c.simulations[1].nearest == 1);
  CHECK(c.measurements[3].nearest == 0);
  CHECK(c.measurements[2].nearest_distance == 1);
}

TEST_CASE("equal runs are flagged and counted once") {
  const auto c = fd::compare(scalars({1, 4, 1, 1, 4, 7}), scalars({1, 2, 2, 9}), difference);
  CHECK(c.distinct_simulations == 3);
  CHECK(c.distinct_measurements == 3);
  CHECK(std::count_if(c.flags.begin(), c.flags.end(), [](const auto& f) { return f.code == "duplicate_runs"; }) == 3);
  // 1 and 3 are equally far from 2, the only measured run: equal rows, but not equal runs
  CHECK(fd::compare(scalars({1, 3}), scalars({2}), difference).distinct_simulations == 2);
}

TEST_CASE("a diverged run is named, hides nothing and stands in the way of a pass") {
  const auto c = fd::compare(scalars({0, 1, 1.3e17}), scalars({0, 1, 2, 3}), difference);
  CHECK(std::isfinite(c.distance));
  REQUIRE(has(c.flags, "diverged_runs"));
  for (const auto& flag : c.flags)
    if (flag.code == "diverged_runs") CHECK(flag.text.find("simulation 3") != std::string::npos);
  CHECK_FALSE(has(fd::compare(scalars({0, 33}), scalars({0, 1, 2, 3}), difference).flags, "diverged_runs"));
  CHECK(has(fd::compare(scalars({0, 34}), scalars({0, 1, 2, 3}), difference).flags, "diverged_runs"));

  std::vector<Scalar> many, measured;
  for (int k = 0; k < 20; ++k) many.push_back({0.1 * k}), measured.push_back({0.1 * k + 0.03});
  for (int k = 0; k < 20; ++k) many.push_back({0.1 * k + 0.05});
  CHECK(fd::compare(many, measured, difference, {.criteria = {fd::Relative{3}}}).verdict == fd::Verdict::pass);
  many[7].x = 1e12;
  const auto exploded = fd::compare(many, measured, difference, {.criteria = {fd::Relative{3}}});
  CHECK(exploded.criteria.at(0).outcome == fd::Verdict::pass);
  CHECK(exploded.verdict == fd::Verdict::incomplete);
  CHECK(has(exploded.reasons, "diverged_runs"));
}

TEST_CASE("a bad measured run does not make a wrong model pass") {
  std::vector<Scalar> wrong, measured;
  for (int k = 0; k < 20; ++k) wrong.push_back({5 + 0.1 * k}), measured.push_back({0.1 * k});
  const fd::ComparisonOptions options{.criteria = {fd::Relative{1.3}}};
  CHECK(fd::compare(wrong, measured, difference, options).verdict == fd::Verdict::fail);
  for (const double spike : {30.0, 100.0, 1e6}) {
    auto spoiled = measured;
    spoiled[3].x = spike;
    const auto c = fd::compare(wrong, spoiled, difference, options);
    CHECK(c.verdict != fd::Verdict::pass);
    REQUIRE(has(c.flags, "outlying_measured_runs"));
    CHECK(has(c.reasons, "outlying_measured_runs"));
    CHECK(*c.measured_largest == Approx(1.9));  // the scale of the others
  }
  CHECK_FALSE(has(fd::compare(wrong, measured, difference, options).flags, "outlying_measured_runs"));
}

TEST_CASE("ensembles that can be told apart are flagged even where the criterion lets them pass") {
  std::vector<Scalar> shifted, measured, same;
  for (int k = 0; k < 30; ++k) {
    measured.push_back({std::sin(12.9 * k)});
    shifted.push_back({std::sin(12.9 * k + 0.3) + 1.5});
    same.push_back({std::sin(7.7 * k)});
  }
  CHECK(has(fd::compare(shifted, measured, difference, {.criteria = {fd::Relative{100}}}).flags, "distinguishable"));
  CHECK_FALSE(has(fd::compare(same, measured, difference).flags, "distinguishable"));
}

TEST_CASE("simulated runs that are copies of measured ones are flagged") {
  CHECK(has(fd::compare(scalars({1, 7}), scalars({1, 2}), difference).flags, "identical_to_measured"));
  CHECK_FALSE(has(fd::compare(scalars({3, 7}), scalars({1, 2}), difference).flags, "identical_to_measured"));
}

TEST_CASE("a measured run that no simulation explains is named") {
  CHECK(has(fd::compare(scalars({0, 1}), scalars({0, 9, 5, 8}), difference).flags, "unexplained_runs") == false);
  CHECK(has(fd::compare(scalars({-1, -2}), scalars({0, 1, 2, 4}), difference).flags, "unexplained_runs"));
}

TEST_CASE("a run that ends early cannot pass, but it can fail") {
  const fd::Twed metric{.stiffness = 0, .penalty = 0.1};
  const std::vector<Run> measured{ramp(0), ramp(0.1), ramp(0.2)};
  const std::vector<Run> aborted{ramp(0), ramp(0.1, 3.7, "aborted")};
  const auto lenient = fd::compare(aborted, measured, metric, {.criteria = {fd::Absolute{100}}});
  CHECK(lenient.verdict == fd::Verdict::incomplete);
  CHECK(has(lenient.reasons, "short_runs"));
  CHECK(lenient.flags.at(0).text.find("aborted") != std::string::npos);
  CHECK(fd::compare(aborted, measured, metric, {.criteria = {fd::Absolute{0}}}).verdict == fd::Verdict::fail);
  CHECK(fd::compare(aborted, measured, metric, {.criteria = {fd::Absolute{100}}, .min_span = 0.9}).verdict ==
        fd::Verdict::pass);
  // exactly the stated share is enough
  const std::vector<Run> exact{ramp(0, 3.8), ramp(0, 4)};
  CHECK(fd::compare(exact, measured, metric, {.criteria = {fd::Absolute{100}}}).verdict == fd::Verdict::pass);
}

TEST_CASE("runs keep name, span, sample count and outline") {
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.1};
  std::vector<double> times(5000), values(5000);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] = 0.001 * static_cast<double>(k) + 2, values[k] = std::sin(times[k]);
  values[1234] = 50;
  values[4321] = -50;
  const std::vector<Run> simulated{Run(times, values, {.name = "long"})}, measured{Run({1, 5}, {0, 1})};
  const auto c = fd::compare(simulated, measured, metric);
  const auto& run = c.simulations.at(0);
  CHECK(run.name == "long");
  CHECK(c.measurements.at(0).name == "measurement 1");
  CHECK(c.origin == "1 s");
  CHECK(run.samples == 5000);
  CHECK(run.begin == 1);
  CHECK(run.duration == Approx(4.999));
  REQUIRE(run.outlines.size() == 1);
  const auto& drawn = run.outlines[0];
  CHECK(drawn.times.size() <= 1000);
  CHECK(drawn.times.size() == drawn.values.size());
  CHECK(std::is_sorted(drawn.times.begin(), drawn.times.end()));
  CHECK(std::count(drawn.values.begin(), drawn.values.end(), 50) == 1);
  CHECK(std::count(drawn.values.begin(), drawn.values.end(), -50) == 1);

  // bad samples are drawn too and hide no peak
  for (std::size_t k = 0; k < values.size(); k += 7) values[k] = std::numeric_limits<double>::quiet_NaN();
  values[1233] = 60;
  const auto gappy = fd::detail::outline(Run(times, values), 0, 0.0);
  CHECK(gappy.times.size() <= 1000);
  CHECK(std::count(gappy.values.begin(), gappy.values.end(), 60) == 1);
  CHECK(std::count(gappy.values.begin(), gappy.values.end(), -50) == 1);
  CHECK(std::any_of(gappy.values.begin(), gappy.values.end(), [](double x) { return std::isnan(x); }));
}

TEST_CASE("ready matrices give the same numbers as the runs they came from") {
  const auto simulated = scalars({2, 4, 9}), measured = scalars({0, 1, 3, 7});
  const auto whole = fd::compare(simulated, measured, difference);
  const auto ready = fd::compare_matrices(whole.matrix, whole.measured_matrix);
  CHECK(ready.distance == whole.distance);
  CHECK(whole.distinct_simulations == 3U);
  CHECK_FALSE(ready.distinct_simulations);
  CHECK(ready.ratio == whole.ratio);
  CHECK_FALSE(fd::compare_matrices(whole.matrix).ratio);
}

TEST_CASE("progress counts both matrices, and stopping says so") {
  const auto slow = [](const Scalar& a, const Scalar& b) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    return std::abs(a.x - b.x);
  };
  std::vector<Scalar> eight;
  for (int k = 0; k < 8; ++k) eight.push_back({1.0 * k});
  double last = 0, total = 0;
  (void)fd::compare(eight, eight, slow, {.threads = 1, .progress = [&](const fd::Progress& p) {
                                           CHECK(p.done >= last);
                                           last = p.done, total = p.total;
                                           return fd::Continue::yes;
                                         }});
  CHECK(total == 64 + 28);
  CHECK(last > 0);
  CHECK_THROWS_AS(fd::compare(eight, eight, slow, {.progress = [](const fd::Progress&) { return fd::Continue::no; }}),
                  fd::Cancelled);
}

TEST_CASE("the same channels in another order are refused, other names are the caller's choice") {
  const auto series = [](std::vector<std::string> names) {
    return Run({0, 1}, std::vector<double>{0, 1, 2, 3}, {.channel_names = std::move(names)});
  };
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.1};
  const std::vector<Run> a{series({"x", "y"})}, b{series({"y", "x"})}, c{series({"p", "q"})};
  require_error<fd::InputError>([&] { (void)fd::compare(a, b, metric); }, "same channels in another order");
  CHECK(fd::compare(a, c, metric).distance == 0);
}

TEST_CASE("a wrong call says what is wrong and gives no number") {
  const auto some = scalars({1, 2});
  const std::vector<Scalar> none;
  require_error<fd::InputError>([&] { (void)fd::compare(none, some, difference); }, "compare", "simulations");
  require_error<fd::InputError>([&] { (void)fd::compare(some, none, difference); }, "compare", "measurements");
  const auto refuses = [&](fd::ComparisonOptions options, const char* text) {
    require_error<fd::InputError>([&] { (void)fd::compare(some, some, difference, options); }, text);
  };
  refuses({.order = 0.5}, "order");
  refuses({.order = std::numeric_limits<double>::quiet_NaN()}, "order");
  refuses({.splits = 0}, "splits");
  refuses({.splits = 1'000'001}, "splits");
  refuses({.outlier_factor = 0}, "outlier_factor");
  refuses({.diverged_factor = -1}, "diverged_factor");
  refuses({.min_span = 2}, "min_span");
  refuses({.criteria = {fd::Absolute{-1}}}, "limit");
  refuses({.criteria = {fd::Relative{std::numeric_limits<double>::infinity()}}}, "limit");
  require_error<fd::InputError>(
      [&] { (void)fd::compare_matrices(fd::CostMatrix::Ones(2, 3), fd::CostMatrix::Zero(2, 2)); }, "3 measured runs",
      "2 x 2");
  const auto refuses_measured = [](auto change, const char* text) {
    fd::CostMatrix measured(3, 3);
    measured << 0, 1, 2, 1, 0, 3, 2, 3, 0;
    CHECK_NOTHROW(fd::compare_matrices(fd::CostMatrix::Ones(2, 3), measured));
    change(measured);
    require_error<fd::InputError>([&] { (void)fd::compare_matrices(fd::CostMatrix::Ones(2, 3), measured); }, text);
  };
  refuses_measured([](auto& d) { d(2, 0) = 20; }, "symmetric");
  refuses_measured([](auto& d) { d(1, 1) = 1; }, "itself");
  refuses_measured([](auto& d) { d(0, 2) = d(2, 0) = -1; }, "negative");
  refuses_measured([](auto& d) { d(0, 2) = d(2, 0) = std::numeric_limits<double>::quiet_NaN(); }, "row 0, column 2");
  refuses_measured([](auto& d) { d(0, 2) = d(2, 0) = std::numeric_limits<double>::infinity(); }, "finite");
  fd::CostMatrix bad = fd::CostMatrix::Ones(2, 3);
  bad(1, 2) = -1;
  require_error<fd::InputError>([&] { (void)fd::compare_matrices(bad); }, "negative");
  CHECK_THROWS_AS(fd::compare_matrices(fd::CostMatrix(0, 3)), fd::InputError);
}

TEST_CASE("a bad sample names side, run and sample") {
  const fd::Twed metric{.stiffness = 0.5, .penalty = 0.1};
  const std::vector<Run> good{ramp(0), ramp(1)};
  const std::vector<Run> bad{ramp(0), Run({0, 1, 2}, {0, 1, std::numeric_limits<double>::quiet_NaN()}, {.name = "b"})};
  require_error<fd::InputError>([&] { (void)fd::compare(bad, good, metric); }, "simulations[1]", "'b'", "sample 2");
  require_error<fd::InputError>([&] { (void)fd::compare(good, bad, metric); }, "measurements[1]", "'b'", "sample 2");
}
