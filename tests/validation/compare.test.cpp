// SPDX-License-Identifier: MIT
#include <fidelity/series/series.hpp>
#include <fidelity/validation/compare.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {

/// A run that is one number, and the distance of two of them: everything can be computed by hand.
struct Scalar {
  double x;
  std::string name = {};
};
using Metric = std::function<double(const Scalar&, const Scalar&)>;  // one type for all: cheaper to compile
const Metric difference = [](const Scalar& a, const Scalar& b) { return std::abs(a.x - b.x); };

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

/// Nothing random but the splits: most tests need no more.
fd::ComparisonOptions quick(std::vector<fd::Criterion> criteria = {}) {
  return {.criteria = std::move(criteria), .permutations = 0, .bootstraps = 0, .splits = 99};
}

using Run = fd::Series<double, double>;
using RunMetric = std::function<double(const Run&, const Run&)>;
Run ramp(double offset, double end = 4, std::string name = {}) {
  return Run({0, end / 2, end}, {offset, offset + 1, offset + 2}, {.name = std::move(name)});
}

}  // namespace

TEST_CASE("the distance of two sets of numbers is that of their sorted pairs") {
  const auto c = fd::compare(scalars({3, 0, 1}), scalars({6, 8, 5}), difference, quick());
  CHECK(c.distance == Approx(5));
  CHECK(c.matrix(0, 1) == 5);
  CHECK(c.plan.gap <= 1e-12);
}

TEST_CASE("spread, ratio and relative distance are those computed by hand") {
  // measured 0 1 3 7: distances 1 3 7 2 6 4, mean 23/6, largest 7. Groups of 2, all 3 splits:
  // {0,1}|{3,7}: 4.5   {0,3}|{1,7}: 2.5   {0,7}|{1,3}: 2.5
  const auto c = fd::compare(scalars({2, 4, 9}), scalars({0, 1, 3, 7}), difference, quick());
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
  const auto with = [&](std::uint64_t seed, unsigned threads) {
    return fd::compare(simulated, measured, difference,
                       {.permutations = 99, .bootstraps = 39, .seed = seed, .threads = threads});
  };
  const auto one = with(7, 1), many = with(7, 7), other = with(1, 1);
  REQUIRE(one.halves);
  CHECK_FALSE(one.halves->exhaustive_base);
  CHECK(one.halves->base.values.size() == 999);
  CHECK(one.halves->base.values == many.halves->base.values);
  CHECK(one.halves->like.values == many.halves->like.values);
  CHECK(one.halves->base.values != other.halves->base.values);
  CHECK(one.permutation->statistics == many.permutation->statistics);
  CHECK(one.interval->values == many.interval->values);
  CHECK(one.ratio_interval->values == many.ratio_interval->values);
  CHECK(one.permutation->statistics != other.permutation->statistics);
  CHECK(one.interval->values != other.interval->values);
  const auto fewer =
      fd::compare(simulated, measured, difference, {.permutations = 0, .bootstraps = 0, .splits = 99, .seed = 7});
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
    const fd::ComparisonOptions options{.permutations = 0, .bootstraps = 0, .splits = 49, .leave_one_out = false};
    same += *fd::compare(draw(20, 0), measured, difference, options).ratio / 20;
    shifted += *fd::compare(draw(20, 1), measured, difference, options).ratio / 20;
  }
  CHECK(same > 0.85);
  CHECK(same < 1.3);
  CHECK(shifted > 2);
}

TEST_CASE("what cannot be computed is absent with a reason, never zero") {
  const auto three = fd::compare(scalars({1, 2}), scalars({1, 2, 3}), difference, quick({fd::Relative{2}}));
  CHECK_FALSE(three.ratio);
  CHECK(has(three.absent, "ratio"));
  CHECK(three.verdict == fd::Verdict::incomplete);
  CHECK(has(three.reasons, "not_evaluated"));
  CHECK_FALSE(three.criteria.at(0).value);
  CHECK_FALSE(three.criteria.at(0).reason.empty());

  const auto single = fd::compare(scalars({1}), scalars({1, 2, 3, 4}), difference, quick());
  CHECK_FALSE(single.ratio);
  CHECK(single.measured_spread);

  const auto one_measured = fd::compare(scalars({1, 2}), scalars({4}), difference, quick());
  CHECK(one_measured.distance == Approx(2.5));
  CHECK_FALSE(one_measured.measured_spread);
  CHECK_FALSE(one_measured.relative_to_spread);
  CHECK(has(one_measured.absent, "measured_spread"));
}

TEST_CASE("measured runs without spread give no ratio but a flag") {
  const auto c = fd::compare(scalars({1, 2}), scalars({4, 4, 4, 4}), difference, quick({fd::Relative{100}}));
  CHECK_FALSE(c.ratio);
  CHECK_FALSE(c.relative_to_spread);
  CHECK(has(c.flags, "no_spread"));
  CHECK(has(c.flags, "single_distinct_run"));
  CHECK(c.distinct_measurements == 1);
  CHECK(c.verdict == fd::Verdict::incomplete);
}

TEST_CASE("a criterion passes only if value <= limit") {
  const auto verdict = [](double limit) {
    return fd::compare(scalars({0, 1}), scalars({2, 3}), difference, quick({fd::Absolute{limit}})).verdict;
  };
  CHECK(verdict(2) == fd::Verdict::pass);
  CHECK(verdict(std::nextafter(2.0, 3.0)) == fd::Verdict::pass);
  CHECK(verdict(std::nextafter(2.0, 1.0)) == fd::Verdict::fail);
  CHECK(verdict(0) == fd::Verdict::fail);
  CHECK(fd::compare(scalars({2, 3}), scalars({3, 2}), difference, quick({fd::Absolute{0}})).verdict ==
        fd::Verdict::pass);
  CHECK(fd::detail::evaluate_criterion("x", std::numeric_limits<double>::quiet_NaN(), 1, "", "").outcome ==
        fd::Verdict::fail);
}

TEST_CASE("one failing criterion fails the comparison, one that cannot be evaluated makes it incomplete") {
  const auto measured = scalars({2, 3});  // too few for a ratio
  const auto verdict = [&](std::vector<fd::Criterion> criteria) {
    return fd::compare(scalars({0, 1}), measured, difference, quick(std::move(criteria))).verdict;
  };
  CHECK(verdict({fd::Absolute{3}}) == fd::Verdict::pass);
  CHECK(verdict({fd::Absolute{3}, fd::Relative{1}}) == fd::Verdict::incomplete);
  CHECK(verdict({fd::Absolute{1}, fd::Relative{1}}) == fd::Verdict::fail);
  CHECK(verdict({fd::Absolute{3}, fd::Absolute{1}}) == fd::Verdict::fail);
  CHECK(verdict({}) == fd::Verdict::incomplete);
  CHECK(has(fd::compare(scalars({0}), measured, difference, quick()).reasons, "no_criterion"));
  CHECK(fd::exit_code(fd::Verdict::pass) == 0);
  CHECK(fd::exit_code(fd::Verdict::fail) == 1);
  CHECK(fd::exit_code(fd::Verdict::incomplete) == 2);
}

TEST_CASE("contributions and matches add up to the distance") {
  for (const double order : {1.0, 2.0, 3.0, 400.0}) {
    const auto c = fd::compare(scalars({0, 1, 5}), scalars({2, 3, 4, 9}), difference,
                               {.order = order, .permutations = 0, .bootstraps = 0});
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
  const auto c = fd::compare(scalars({0, 6}), scalars({2, 5, 7, -2}), difference, quick());
  CHECK(c.simulations[0].nearest == 0);
  CHECK(c.simulations[0].nearest_distance == 2);
  CHECK(c.simulations[1].nearest == 1);
  CHECK(c.measurements[3].nearest == 0);
  CHECK(c.measurements[2].nearest_distance == 1);
}

TEST_CASE("equal runs are flagged and counted once") {
  const auto c = fd::compare(scalars({1, 4, 1, 1, 4, 7}), scalars({1, 2, 2, 9}), difference, quick());
  CHECK(c.distinct_simulations == 3);
  CHECK(c.distinct_measurements == 3);
  CHECK(std::count_if(c.flags.begin(), c.flags.end(), [](const auto& f) { return f.code == "duplicate_runs"; }) == 3);
  // 1 and 3 are equally far from 2, the only measured run: equal rows, but not equal runs
  CHECK(fd::compare(scalars({1, 3}), scalars({2}), difference, quick()).distinct_simulations == 2);
}

TEST_CASE("a diverged run is named, hides nothing and stands in the way of a pass") {
  const auto c = fd::compare(scalars({0, 1, 1.3e17}), scalars({0, 1, 2, 3}), difference, quick());
  CHECK(std::isfinite(c.distance));
  REQUIRE(has(c.flags, "diverged_runs"));
  for (const auto& flag : c.flags)
    if (flag.code == "diverged_runs") CHECK(flag.text.find("simulation 3") != std::string::npos);
  CHECK_FALSE(has(fd::compare(scalars({0, 33}), scalars({0, 1, 2, 3}), difference, quick()).flags, "diverged_runs"));
  CHECK(has(fd::compare(scalars({0, 34}), scalars({0, 1, 2, 3}), difference, quick()).flags, "diverged_runs"));

  std::vector<Scalar> many, measured;
  for (int k = 0; k < 20; ++k) many.push_back({0.1 * k}), measured.push_back({0.1 * k + 0.03});
  for (int k = 0; k < 20; ++k) many.push_back({0.1 * k + 0.05});
  const auto lenient = quick({fd::Relative{3}});
  CHECK(fd::compare(many, measured, difference, lenient).verdict == fd::Verdict::pass);
  many[7].x = 1e12;
  const auto exploded = fd::compare(many, measured, difference, lenient);
  CHECK(exploded.criteria.at(0).outcome == fd::Verdict::pass);
  CHECK(exploded.verdict == fd::Verdict::incomplete);
  CHECK(has(exploded.reasons, "diverged_runs"));
}

TEST_CASE("a bad measured run does not make a wrong model pass") {
  std::vector<Scalar> wrong, measured;
  for (int k = 0; k < 20; ++k) wrong.push_back({5 + 0.1 * k}), measured.push_back({0.1 * k});
  const auto options = quick({fd::Relative{1.3}});
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
  const auto options = quick({fd::Relative{100}});
  CHECK(has(fd::compare(shifted, measured, difference, options).flags, "distinguishable"));
  CHECK_FALSE(has(fd::compare(same, measured, difference, options).flags, "distinguishable"));
}

TEST_CASE("simulated runs that are copies of measured ones are flagged") {
  CHECK(has(fd::compare(scalars({1, 7}), scalars({1, 2}), difference, quick()).flags, "identical_to_measured"));
  CHECK_FALSE(has(fd::compare(scalars({3, 7}), scalars({1, 2}), difference, quick()).flags, "identical_to_measured"));
}

TEST_CASE("a measured run that no simulation explains is named") {
  CHECK(has(fd::compare(scalars({0, 1}), scalars({0, 9, 5, 8}), difference, quick()).flags, "unexplained_runs") ==
        false);
  CHECK(has(fd::compare(scalars({-1, -2}), scalars({0, 1, 2, 4}), difference, quick()).flags, "unexplained_runs"));
}

TEST_CASE("a run that ends early cannot pass, but it can fail") {
  const RunMetric metric = [](const Run& a, const Run& b) { return std::abs(a(0) - b(0)); };
  const std::vector<Run> measured{ramp(0), ramp(0.1), ramp(0.2)};
  const std::vector<Run> aborted{ramp(0), ramp(0.1, 3.7, "aborted")};
  const auto lenient = fd::compare(aborted, measured, metric, quick({fd::Absolute{100}}));
  CHECK(lenient.verdict == fd::Verdict::incomplete);
  CHECK(has(lenient.reasons, "short_runs"));
  CHECK(lenient.flags.at(0).text.find("aborted") != std::string::npos);
  CHECK(fd::compare(aborted, measured, metric, quick({fd::Absolute{0}})).verdict == fd::Verdict::fail);
  CHECK(fd::compare(aborted, measured, metric,
                    {.criteria = {fd::Absolute{100}}, .permutations = 0, .bootstraps = 0, .min_span = 0.9})
            .verdict == fd::Verdict::pass);
  // exactly the stated share is enough
  const std::vector<Run> exact{ramp(0, 3.8), ramp(0, 4)};
  CHECK(fd::compare(exact, measured, metric, quick({fd::Absolute{100}})).verdict == fd::Verdict::pass);
}

TEST_CASE("runs keep name, span, sample count and outline") {
  const RunMetric metric = [](const Run& a, const Run& b) { return std::abs(a(0) - b(0)); };
  std::vector<double> times(5000), values(5000);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] = 0.001 * static_cast<double>(k) + 2, values[k] = std::sin(times[k]);
  values[1234] = 50;
  values[4321] = -50;
  const std::vector<Run> simulated{Run(times, values, {.name = "long"})}, measured{Run({1, 5}, {0, 1})};
  const auto c = fd::compare(simulated, measured, metric, quick());
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
  const fd::ComparisonOptions options{.bootstraps = 39, .splits = 99};
  const auto whole = fd::compare(simulated, measured, difference, options);
  const auto ready = fd::compare_matrices({whole.matrix, whole.measured_matrix, whole.simulated_matrix}, options);
  CHECK(ready.distance == whole.distance);
  CHECK(whole.distinct_simulations == 3U);
  CHECK(ready.distinct_simulations == 3U);
  CHECK(ready.ratio == whole.ratio);
  CHECK(ready.p_value == whole.p_value);
  CHECK(ready.interval->values == whole.interval->values);
  CHECK(ready.energy->all_pairs == whole.energy->all_pairs);
  CHECK(ready.input_hash == whole.input_hash);
  const auto less = fd::compare_matrices(whole.matrix, whole.measured_matrix);
  CHECK(less.ratio == whole.ratio);
  CHECK_FALSE(less.distinct_simulations);
  CHECK_FALSE(less.p_value);
  CHECK(has(less.absent, "p_value"));
  CHECK_FALSE(fd::compare_matrices(whole.matrix).ratio);
}

TEST_CASE("only the distances that are asked for are computed and each pair once") {
  std::atomic<int> calls{0};
  const Metric counting = [&](const Scalar& a, const Scalar& b) {
    ++calls;
    return std::abs(a.x - b.x);
  };
  const auto count = [&](const fd::ComparisonOptions& options) {
    calls = 0;
    const auto c = fd::compare(scalars({2, 4, 9}), scalars({0, 1, 3, 7, 8}), counting, options);
    CHECK(c.measured_matrix.has_value() == (options.splits > 0 || options.permutations > 0));
    CHECK(c.simulated_matrix.has_value() == (options.permutations > 0));
    return calls.load();
  };
  CHECK(count({.permutations = 0, .bootstraps = 0, .splits = 0}) == 15);
  CHECK(count({.permutations = 0, .bootstraps = 99, .splits = 0}) == 15);
  CHECK(count({.permutations = 0, .bootstraps = 0}) == 15 + 10);
  CHECK(count({.bootstraps = 0, .splits = 0}) == 15 + 10 + 3);
  CHECK(count({.bootstraps = 99}) == 15 + 10 + 3);
  const auto alone =
      fd::compare(scalars({2, 4}), scalars({0, 1}), difference, {.permutations = 0, .bootstraps = 0, .splits = 0});
  for (const char* code : {"ratio", "p_value", "interval", "ratio_interval", "measured_spread"})
    CHECK(has(alone.absent, code));
  CHECK_FALSE(alone.distinct_measurements);
}

TEST_CASE("leaving a run out gives what a comparison without it gives") {
  const auto simulated = scalars({2, 4, 9}), measured = scalars({0, 1, 3, 7});
  for (const double order : {1.0, 2.5}) {
    const fd::ComparisonOptions options{.order = order, .permutations = 0, .bootstraps = 0};
    const auto c = fd::compare(simulated, measured, difference, options);
    for (std::size_t i = 0; i < simulated.size(); ++i) {
      auto fewer = simulated;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(*c.simulations[i].distance_without ==
            Approx(fd::compare(fewer, measured, difference, options).distance).epsilon(1e-12));
    }
    for (std::size_t j = 0; j < measured.size(); ++j) {
      auto fewer = measured;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(j));
      CHECK(*c.measurements[j].distance_without ==
            Approx(fd::compare(simulated, fewer, difference, options).distance).epsilon(1e-12));
    }
  }
  const auto without =
      fd::compare(simulated, measured, difference, {.permutations = 0, .bootstraps = 0, .leave_one_out = false});
  CHECK_FALSE(without.simulations[0].distance_without);
}

TEST_CASE("energy distance, medoids and trimmed distance stand beside the distance") {
  // between: 2 1 4  0 1 2 -> mean 10/6; within simulated mean 1 of all pairs: 2 * 2 / 4; measured: 2 * (1 + 6 + 5) / 9
  const auto c = fd::compare(scalars({1, 3}), scalars({3, 2, 8}), difference,
                             {.bootstraps = 0, .outlier_budget = {.measured = 0.34}});
  const double across = (2 + 1 + 7 + 0 + 1 + 5) / 6.0;
  CHECK(c.energy->all_pairs == Approx(2 * across - 1 - 24 / 9.0));
  CHECK(*c.energy->debiased == Approx(2 * across - 2 - 4));
  CHECK(*c.simulated_spread == Approx(2));
  CHECK(c.measured_medoid == 0U);
  CHECK(c.simulated_medoid == 0U);  // a tie: the first
  REQUIRE(c.trimmed);
  CHECK(c.trimmed->value < c.distance);
  CHECK(c.trimmed->full == Approx(c.distance));
  REQUIRE_FALSE(c.trimmed->measurements.empty());
  CHECK(c.trimmed->measurements.back().run == 2);
  CHECK_FALSE(fd::compare(scalars({1, 3}), scalars({3, 2, 8}), difference, quick()).trimmed);
}

TEST_CASE("an interval of a distance that is near zero is flagged") {
  std::vector<Scalar> simulated, measured;
  for (int k = 0; k < 8; ++k) measured.push_back({std::sin(12.9 * k)}), simulated.push_back({std::sin(12.9 * k) + 0.1});
  const fd::ComparisonOptions options{.permutations = 0, .bootstraps = 39};
  const auto same = fd::compare(simulated, measured, difference, options);
  CHECK(has(same.flags, "near_zero"));
  for (auto& run : simulated) run.x += 2.9;
  const auto apart = fd::compare(simulated, measured, difference, options);
  CHECK_FALSE(has(apart.flags, "near_zero"));
  CHECK(apart.interval->lower < 3);
  CHECK(apart.interval->upper > 3);
  CHECK(apart.drawn == fd::Resample::both);
  CHECK(apart.ratio_interval);
  const auto cheaper =
      fd::compare(simulated, measured, difference, {.permutations = 0, .bootstraps = 39, .ratio_interval = false});
  CHECK(cheaper.interval->values == apart.interval->values);
  CHECK_FALSE(cheaper.ratio_interval);
  CHECK(has(cheaper.absent, "ratio_interval"));
  // copies of one run are no sample that could be drawn anew
  const auto copies = fd::compare(scalars({3, 3, 3}), measured, difference, options);
  CHECK(copies.drawn == fd::Resample::measured);
  CHECK(fd::compare(simulated, measured, difference,
                    {.permutations = 0, .bootstraps = 39, .bootstrap_runs = fd::Resample::measured})
            .drawn == fd::Resample::measured);
}

TEST_CASE("the hash of the input is that of its stamps and values in order") {
  const RunMetric nothing = [](const Run&, const Run&) { return 0.0; };
  const auto hash = [&](const std::vector<Run>& a, const std::vector<Run>& b) {
    return fd::compare(a, b, nothing, {.permutations = 0, .bootstraps = 0, .splits = 0}).input_hash;
  };
  const std::vector<Run> one{Run({0, 1.5}, {2, -3})}, two{Run({0.25}, {1})};
  CHECK(hash(one, two) == 0x451d7eba262eda37U);  // by an independent program
  CHECK(hash(two, one) != hash(one, two));
  CHECK(hash({Run({0, 1.5}, {2, -3}, {.name = "other name"})}, two) == hash(one, two));
  CHECK(hash({Run({0, 1.5}, {2, std::nextafter(-3.0, 0)})}, two) != hash(one, two));
  CHECK(hash({Run({0, 1.25}, {2, -3})}, two) != hash(one, two));
}

TEST_CASE("progress counts all matrices and stopping says so") {
  const Metric slow = [](const Scalar& a, const Scalar& b) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    return std::abs(a.x - b.x);
  };
  std::vector<Scalar> eight;
  for (int k = 0; k < 8; ++k) eight.push_back({1.0 * k});
  double last = 0, total = 0;
  const fd::ComparisonOptions quiet{.permutations = 0, .bootstraps = 0};
  auto counted = quiet;
  counted.threads = 1;
  counted.progress = [&](const fd::Progress& p) {
    if (total != 0 && p.total != total) return fd::Continue::yes;  // replicates, on a slow machine
    CHECK(p.done >= last);
    last = p.done, total = p.total;
    return fd::Continue::yes;
  };
  (void)fd::compare(eight, eight, slow, counted);
  CHECK(total == 64 + 28);
  CHECK(last > 0);
  CHECK_THROWS_AS(fd::compare(eight, eight, slow, {.progress = [](const fd::Progress&) { return fd::Continue::no; }}),
                  fd::Cancelled);
}

TEST_CASE("a comparison that is stopped keeps its distance and cannot pass") {
  const Metric slow = [](const Scalar& a, const Scalar& b) {
    std::this_thread::sleep_for(std::chrono::milliseconds(6));
    return std::abs(a.x - b.x);
  };
  const auto few = scalars({0, 1, 2}), many = scalars({0, 1, 2, 3, 4, 5, 6, 7});
  // the distances between the sides are 24 of 24 + 28 + 3
  const auto stop = [](const fd::Progress& p) { return p.done > 24 ? fd::Continue::no : fd::Continue::yes; };
  const auto c = fd::compare(few, many, slow,
                             {.criteria = {fd::Absolute{100}}, .bootstraps = 9, .confidence = 0.5, .progress = stop});
  CHECK(c.distance == fd::compare(few, many, difference, quick()).distance);
  CHECK(c.criteria.at(0).outcome == fd::Verdict::pass);
  CHECK(c.verdict == fd::Verdict::incomplete);
  CHECK(has(c.reasons, "cancelled"));
  CHECK_FALSE(c.ratio);
  CHECK_FALSE(c.p_value);
  for (const char* code : {"ratio", "p_value", "interval"}) CHECK(has(c.absent, code));
}

TEST_CASE("a wrong call says what is wrong and gives no number") {
  const auto some = scalars({1, 2});
  const std::vector<Scalar> none;
  require_error<fd::InputError>([&] { (void)fd::compare(none, some, difference, quick()); }, "compare", "simulations");
  require_error<fd::InputError>([&] { (void)fd::compare(some, none, difference, quick()); }, "compare", "measurements");
  const auto refuses = [&](fd::ComparisonOptions options, const char* text) {
    require_error<fd::InputError>([&] { (void)fd::compare(some, some, difference, options); }, text);
  };
  refuses({.order = 0.5}, "order");
  refuses({.order = std::numeric_limits<double>::quiet_NaN()}, "order");
  refuses({.splits = 1'000'001}, "splits");
  refuses({.permutations = 1'000'001}, "permutations");
  refuses({.bootstraps = 1'000'001}, "bootstraps");
  refuses({.bootstraps = 9}, "level");  // too few to tell 95 %
  refuses({.confidence = 1}, "confidence");
  refuses({.outlier_budget = {.simulated = 1}}, "budget");
  refuses({.outlier_budget = {.measured = -0.1}}, "budget");
  refuses({.common_grid = 0}, "common_grid");
  refuses({.common_grid = 0.1}, "series");
  refuses({.diverged_factor = -1}, "diverged_factor");
  refuses({.outlier_factor = 0}, "outlier_factor");
  refuses({.min_span = 2}, "min_span");
  refuses({.criteria = {fd::Absolute{-1}}}, "limit");
  refuses({.criteria = {fd::Relative{std::numeric_limits<double>::infinity()}}}, "limit");
  require_error<fd::InputError>(
      [&] { (void)fd::compare_matrices(fd::CostMatrix::Ones(2, 3), fd::CostMatrix::Zero(2, 2)); }, "3 runs", "2 x 2");
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

TEST_CASE("different sampling rates are flagged with what they alone cost") {
  // the distance sees nothing but the number of samples: 0.1 for each that must be deleted
  const RunMetric deletions = [](const Run& a, const Run& b) {
    return 0.1 * std::abs(static_cast<double>(a.size()) - static_cast<double>(b.size()));
  };
  const auto run = [](std::size_t samples, double end, double jitter = 0) {
    std::vector<double> times, values;
    for (std::size_t k = 0; k < samples; ++k) {
      const bool inside = k > 0 && k + 1 < samples;
      times.push_back(end * static_cast<double>(k) / static_cast<double>(samples - 1) +
                      (inside ? jitter * std::sin(9.7 * static_cast<double>(k)) : 0));
      values.push_back(times.back());
    }
    return Run(std::move(times), std::move(values));
  };
  const fd::ComparisonOptions options{.criteria = {fd::Absolute{1}}, .permutations = 0, .bootstraps = 0};
  const std::vector<Run> measured{run(41, 4), run(41, 4), run(41, 4)}, simulated{run(9, 4), run(9, 4)};
  const auto c = fd::compare(simulated, measured, deletions, options);
  REQUIRE(c.sampling);
  CHECK(c.sampling->simulated == 0.5);
  CHECK(c.sampling->measured == 0.1);
  CHECK(c.sampling->cost.value() == Approx(3.2));
  CHECK(c.distance == Approx(3.2));
  CHECK(c.verdict == fd::Verdict::fail);
  REQUIRE(has(c.flags, "sampling_differs"));
  for (const auto& flag : c.flags)
    if (flag.code == "sampling_differs")
      for (const char* part : {"every 0.5 s", "every 0.1 s", "3.2", "100 %", "common_grid = 0.5"})
        CHECK(flag.text.find(part) != std::string::npos);

  auto on_grid = options;
  on_grid.common_grid = 0.5;
  const auto same = fd::compare(simulated, measured, deletions, on_grid);
  CHECK(same.distance == 0);
  CHECK(same.verdict == fd::Verdict::pass);
  CHECK_FALSE(has(same.flags, "sampling_differs"));
  CHECK_FALSE(same.sampling->cost);
  CHECK(same.common_grid == 0.5);
  CHECK(same.measurements[0].samples == 9);
  CHECK(same.input_hash == c.input_hash);

  // the other direction, and stamps that jitter about one rate
  CHECK(fd::compare(measured, simulated, deletions, options).sampling->cost.value() == Approx(3.2));
  const auto jitter = fd::compare(std::vector<Run>{run(41, 4, 0.03)}, measured, deletions, options);
  CHECK_FALSE(has(jitter.flags, "sampling_differs"));
}

TEST_CASE("a common grid covers what all runs have in common and hides no short run") {
  const RunMetric ends = [](const Run& a, const Run& b) {
    return std::abs(a(a.size() - 1) - b(b.size() - 1)) + std::abs(a.time(a.size() - 1) - b.time(b.size() - 1));
  };
  const std::vector<Run> measured{ramp(0), ramp(0), ramp(0)};
  const fd::ComparisonOptions options{
      .criteria = {fd::Absolute{10}}, .permutations = 0, .bootstraps = 0, .common_grid = 0.5};
  const auto c = fd::compare(std::vector<Run>{ramp(0, 2, "aborted"), ramp(0)}, measured, ends, options);
  CHECK(c.verdict == fd::Verdict::incomplete);
  CHECK(has(c.reasons, "short_runs"));
  CHECK(c.measurements[0].duration == 2);
  CHECK(c.matrix(1, 0) == 0);
  CHECK(c.matrix(0, 0) == Approx(1));  // the aborted ramp is twice as steep
  const auto refuses = [&](const Run& run, double step, const char* text) {
    auto own = options;
    own.common_grid = step;
    require_error<fd::InputError>([&] { (void)fd::compare(std::vector<Run>{run}, measured, ends, own); }, text);
  };
  refuses(ramp(0), 4, "shorter than the time that all runs have in common");
  refuses(Run({5, 6}, {0, 1}), 0.5, "no time in common");

  using Plant = fd::Series<double>;  // absolute stamps: the same in ticks
  const auto plant = [](int first, int step_ms, int count) {
    std::vector<fd::Timestamp> times;
    std::vector<double> values;
    for (int k = 0; k < count; ++k) {
      times.push_back(fd::Timestamp{std::chrono::seconds(1'700'000'000 + first)} +
                      k * std::chrono::milliseconds(step_ms));
      values.push_back(first + 0.001 * step_ms * k);
    }
    return Plant(times, values);
  };
  const auto count = [](const Plant& a, const Plant& b) {
    return std::abs(static_cast<double>(a.size()) - static_cast<double>(b.size())) + std::abs(a(0) - b(0));
  };
  const std::vector<Plant> slow{plant(0, 1000, 11)}, fast{plant(1, 250, 41), plant(1, 250, 41)};
  CHECK(fd::compare(slow, fast, count, {.permutations = 0, .bootstraps = 0}).sampling->cost.value() == Approx(30));
  const auto gridded = fd::compare(slow, fast, count, options);
  CHECK(gridded.distance == 0);
  CHECK(gridded.simulations[0].samples == 19);  // from 1 s to 10 s in half seconds
}
