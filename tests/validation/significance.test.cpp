// SPDX-License-Identifier: MIT
#include <fidelity/validation/significance.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "transport/problems.hpp"

using namespace fidelity;
using problems::caught;
using problems::Matrix;

namespace {

Matrix line(const std::vector<double>& x) {
  return problems::matrix(x.size(), x.size(), [&](std::size_t i, std::size_t j) { return std::fabs(x[i] - x[j]); });
}
/// Distances of random points in the plane; those after the first `simulations` are moved by `shift`.
Matrix plane(std::uint64_t seed, std::size_t runs, std::size_t simulations, double shift = 0) {
  problems::Random random(seed);
  std::vector<double> x(runs), y(runs);
  for (std::size_t k = 0; k < runs; ++k) {
    x[k] = random.unit() + (k < simulations ? 0 : shift);
    y[k] = random.unit();
  }
  return problems::matrix(runs, runs,
                          [&](std::size_t i, std::size_t j) { return std::hypot(x[i] - x[j], y[i] - y[j]); });
}
std::vector<double> first(std::vector<double> values, std::size_t count) {
  values.resize(count);
  return values;
}

}  // namespace

TEST_CASE("exact p-values of the reference file") {
  // ot_reference.json, permutation: separated_3v4 and mixed_4v4, by full enumeration in rational arithmetic
  const PermutationTest separated = permutation_test(line({0, 1, 2, 3, 10, 11, 12}), 3);
  CHECK(separated.exact);
  CHECK(separated.statistics.size() == 35);
  CHECK(separated.statistic == 8);
  CHECK(separated.p_value == 2.0 / 35);
  const PermutationTest mixed = permutation_test(line({0, 1, 4, 9, 3, 6, 8, 12}), 4);
  CHECK(mixed.exact);
  CHECK(mixed.statistics.size() == 70);
  CHECK(mixed.statistic == 3.75);
  CHECK(mixed.p_value == 11.0 / 35);
}

TEST_CASE("ties count although the last bits differ") {
  // The same points in tenths: no distance is a binary number.
  CHECK(permutation_test(line({0, 0.1, 0.4, 0.9, 0.3, 0.6, 0.8, 1.2}), 4).p_value == 11.0 / 35);
  CHECK(permutation_test(line({0, 0.1, 0.4, 0.9, 0.3, 0.6, 0.8, 1.2}) * 1e-7, 4, {.order = 2}).p_value ==
        permutation_test(line({0, 1, 4, 9, 3, 6, 8, 12}), 4, {.order = 2}).p_value);
}

TEST_CASE("the smallest p-value is that of the largest statistic") {
  // Swapping two groups of one size changes nothing: every split counts twice.
  CHECK(permutation_test(plane(1, 6, 3), 3).smallest_p == 2.0 / 20);
  CHECK(permutation_test(plane(1, 7, 3), 3).smallest_p == 1.0 / 35);
  const PermutationTest apart = permutation_test(plane(1, 20, 10, 5), 10, {.permutations = 199});
  CHECK(apart.p_value == 1.0 / 200);
  CHECK(apart.smallest_p == 1.0 / 200);
  CHECK(permutation_test(plane(1, 2, 1), 1).smallest_p == 1);
  const PermutationTest equal = permutation_test(Matrix::Zero(20, 20), 10, {.permutations = 99});
  CHECK(equal.p_value == 1);
  CHECK(equal.smallest_p == 1);
}

TEST_CASE("random permutations estimate the exact p-value") {
  // 8 + 8 runs have 12870 splits, more than are enumerated. Here they are, by the solver alone.
  const std::size_t n = 8, runs = 16;
  const Matrix pooled = plane(5, runs, n, 0.35);
  const PermutationTest sampled = permutation_test(pooled, n, {.permutations = 1999});
  CHECK_FALSE(sampled.exact);
  std::vector<bool> mask(runs, false);
  std::fill_n(mask.begin(), n, true);
  int reached = 0, splits = 0;
  do {
    if (!mask[0]) break;  // the rest are the same splits with the groups exchanged
    std::vector<std::size_t> rows, columns;
    for (std::size_t k = 0; k < runs; ++k) (mask[k] ? rows : columns).push_back(k);
    reached += wasserstein(CostView(pooled, rows, columns)).value >= sampled.statistic - 1e-12 ? 1 : 0;
    ++splits;
  } while (std::prev_permutation(mask.begin(), mask.end()));
  REQUIRE(splits == 6435);
  const double exact = reached / 6435.0;
  INFO("exact " << exact << ", sampled " << sampled.p_value);
  CHECK(exact > 0.005);
  CHECK(exact < 0.5);
  CHECK(std::fabs(sampled.p_value - exact) < 4 * std::sqrt(exact * (1 - exact) / 2000) + 1.0 / 2000);
}

TEST_CASE("the set of statistics does not depend on who is called simulated") {
  const Matrix pooled = plane(9, 8, 3);
  const std::vector<std::size_t> order{5, 2, 7, 0, 1, 6, 3, 4};
  const Matrix other = problems::matrix(8, 8, [&](std::size_t i, std::size_t j) {
    return pooled(static_cast<Eigen::Index>(order[i]), static_cast<Eigen::Index>(order[j]));
  });
  for (const Statistic statistic : {Statistic::wasserstein, Statistic::energy})
    for (const double p : {1.0, 2.5}) {
      auto a = permutation_test(pooled, 3, {.statistic = statistic, .order = p}).statistics;
      auto b = permutation_test(other, 3, {.statistic = statistic, .order = p}).statistics;
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      REQUIRE(a.size() == 56);
      for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k] == Approx(b[k]).margin(1e-14));
    }
}

TEST_CASE("every enumerated statistic is a fresh computation") {
  for (const std::size_t n : {3U, 4U}) {  // with n = 4 half of them are mirrored
    const Matrix pooled = plane(10 + n, 8, n);
    const PermutationTest test = permutation_test(pooled, n, {.order = 2});
    const PermutationTest energy = permutation_test(pooled, n, {.statistic = Statistic::energy});
    std::vector<bool> mask(8, false);
    std::fill_n(mask.begin(), n, true);
    std::size_t r = 0;
    do {
      std::vector<std::size_t> order;
      for (const bool chosen : {true, false})
        for (std::size_t k = 0; k < 8; ++k)
          if (mask[k] == chosen) order.push_back(k);
      const Matrix relabelled = problems::matrix(8, 8, [&](std::size_t i, std::size_t j) {
        return pooled(static_cast<Eigen::Index>(order[i]), static_cast<Eigen::Index>(order[j]));
      });
      const auto size = static_cast<Eigen::Index>(n);
      CHECK(test.statistics[r] ==
            Approx(wasserstein(relabelled.topRightCorner(size, 8 - size), {.order = 2}).value).epsilon(1e-13));
      CHECK(energy.statistics[r] == Approx(energy_distance(relabelled, n).all_pairs).margin(1e-14));
      ++r;
    } while (std::prev_permutation(mask.begin(), mask.end()));
    CHECK(r == test.statistics.size());
    CHECK(r == energy.statistics.size());
  }
}

TEST_CASE("a longer run begins with a shorter one and threads change nothing") {
  const Matrix pooled = plane(2, 24, 12), across = pooled.topRightCorner(12, 12);
  const PermutationTest shorter = permutation_test(pooled, 12, {.permutations = 99, .threads = 1});
  const PermutationTest longer = permutation_test(pooled, 12, {.permutations = 299, .threads = 2});
  CHECK(first(longer.statistics, 99) == shorter.statistics);
  CHECK(permutation_test(pooled, 12, {.permutations = 99, .threads = 7}).statistics == shorter.statistics);
  CHECK(permutation_test(pooled, 12, {.permutations = 99, .seed = 3}).statistics != shorter.statistics);

  const Interval some = bootstrap_interval(across, {.replicates = 99, .threads = 1});
  const Interval more = bootstrap_interval(across, {.replicates = 199, .threads = 3});
  CHECK(first(more.values, 99) == some.values);
}

TEST_CASE("a random permutation moves a sample of the runs to the front") {
  const Matrix pooled = plane(2, 24, 10);
  const PermutationTest test = permutation_test(pooled, 10, {.permutations = 12, .seed = 5});
  for (std::size_t r = 0; r < 12; ++r) {
    std::vector<std::size_t> runs(24);
    for (std::size_t k = 0; k < 24; ++k) runs[k] = k;
    detail::Random(5, 3, r).sample_to_front(std::span(runs), 10);
    const std::span<const std::size_t> order(runs);
    CHECK(test.statistics[r] ==
          Approx(wasserstein(CostView(pooled, order.first(10), order.subspan(10))).value).epsilon(1e-13));
  }
}

TEST_CASE("weights go with their runs") {
  // A run of weight 2 is two equal runs; a permutation test on those is another test, but the observed value agrees.
  const std::vector<double> weights{2, 1, 1, 3, 1, 1};
  const Matrix pooled = plane(3, 6, 3);
  const PermutationTest test = permutation_test(pooled, 3, {.weights = weights});
  REQUIRE(test.statistics.size() == 20);
  std::vector<bool> mask{true, true, true, false, false, false};
  for (const double statistic : test.statistics) {
    std::vector<std::size_t> rows, columns;
    for (std::size_t k = 0; k < 6; ++k)
      for (double copy = 0; copy < weights[k]; ++copy) (mask[k] ? rows : columns).push_back(k);
    CHECK(statistic == Approx(wasserstein(CostView(pooled, rows, columns)).value).epsilon(1e-13));
    std::prev_permutation(mask.begin(), mask.end());
  }
}

TEST_CASE("bootstrap values are distances of the drawn runs with repetition") {
  const Matrix pooled = plane(4, 14, 6);
  const CostMatrix across = pooled.topRightCorner(6, 8);
  for (const Resample resample : {Resample::both, Resample::measured})
    for (const double p : {1.0, 2.0}) {
      const Interval interval =
          bootstrap_interval(across, {.level = 0.9, .replicates = 40, .resample = resample, .order = p, .seed = 77});
      CHECK(interval.estimate == Approx(wasserstein(across, {.order = p}).value).epsilon(1e-14));
      for (std::size_t r = 0; r < 40; ++r) {
        detail::Random random(77, 4, r);
        std::vector<std::size_t> rows{0, 1, 2, 3, 4, 5}, columns(8);
        for (std::size_t& k : columns) k = random.below(8);
        if (resample == Resample::both)
          for (std::size_t& k : rows) k = random.below(6);
        CHECK(interval.values[r] ==
              Approx(wasserstein(CostView(across, rows, columns), {.order = p}).value).epsilon(1e-13));
      }
    }
}

TEST_CASE("a bootstrap of two and two runs follows its enumeration") {
  CostMatrix across(2, 2);
  across << 1, 3, 4, 9;
  std::map<double, double> expected;  // value -> probability, from the 16 equally likely draws
  for (std::size_t draw = 0; draw < 16; ++draw) {
    const std::vector<std::size_t> rows{draw & 1U, draw >> 1U & 1U}, columns{draw >> 2U & 1U, draw >> 3U & 1U};
    const auto d = [&](std::size_t i, std::size_t j) {
      return across(static_cast<Eigen::Index>(rows[i]), static_cast<Eigen::Index>(columns[j]));
    };
    expected[std::min(d(0, 0) + d(1, 1), d(0, 1) + d(1, 0)) / 2] += 1.0 / 16;
  }
  const Interval interval = bootstrap_interval(across, {.level = 0.8, .replicates = 3999});
  std::map<double, double> seen;
  for (const double value : interval.values) seen[value] += 1.0 / 3999;
  REQUIRE(seen.size() == expected.size());
  for (const auto& [value, probability] : expected)
    CHECK(std::fabs(seen[value] - probability) < 4 * std::sqrt(probability / 3999));
  // 1/16 of the draws give 1, 2/16 + 2/16 give 2 and 2.5; 1/16 give 9 and 2/16 give 6.5.
  CHECK(interval.lower == 2);
  CHECK(interval.upper == 6.5);
  CHECK(interval.estimate == 3.5);
  const Interval basic =
      bootstrap_interval(across, {.level = 0.8, .replicates = 3999, .method = IntervalMethod::basic});
  CHECK(basic.lower == 0.5);
  CHECK(basic.upper == 5);
}

TEST_CASE("the ends of an interval are order statistics") {
  std::vector<double> values;
  for (int k = 999; k >= 1; --k) values.push_back(k);
  CHECK(detail::percentile_ends(values, 0.95).lower == 25);
  CHECK(detail::percentile_ends(values, 0.95).upper == 975);
  CHECK(detail::percentile_ends(values, 0.998).lower == 1);
  CHECK(detail::percentile_ends(values, 0.998).upper == 999);
  CHECK_NOTHROW(detail::check_level("test", 0.998, 999));
  CHECK_NOTHROW(detail::check_level("test", 0.95, 39));
  require_error<InputError>([] { detail::check_level("test", 0.95, 38); }, "at least 39", "got 38");
}

TEST_CASE("the interval of the ratio lies around it and is absent without spread") {
  const std::size_t n = 10, m = 12;
  Matrix pooled = plane(6, n + m, n, 1.5);
  const CostMatrix across = pooled.topRightCorner(n, m), measured = pooled.bottomRightCorner(m, m);
  const SplitHalves halves = split_halves(across, measured, {.splits = 99});
  const BootstrapOptions options{.replicates = 99};
  const auto interval = bootstrap_ratio(across, measured, halves, options);
  REQUIRE(interval);
  CHECK(interval->estimate == halves.like.median / halves.base.median);
  CHECK(detail::median(interval->values) == Approx(interval->estimate).epsilon(1e-14));
  CHECK(interval->lower > 1);
  CHECK(interval->lower < interval->estimate);
  CHECK(interval->upper > interval->estimate);
  BootstrapOptions mirrored = options;
  mirrored.method = IntervalMethod::basic;
  const auto basic = bootstrap_ratio(across, measured, halves, mirrored);
  REQUIRE(basic);
  CHECK(basic->lower * interval->upper == Approx(std::pow(interval->estimate, 2)));
  CHECK(basic->upper * interval->lower == Approx(std::pow(interval->estimate, 2)));

  SplitHalves foreign = halves;
  foreign.half_size = 4;
  CHECK(caught<InputError>([&] { (void)bootstrap_ratio(across, measured, foreign, options); }).rule ==
        Rule::size_mismatch);

  const CostMatrix none = Matrix::Zero(m, m);
  CHECK_FALSE(bootstrap_ratio(across, none, split_halves(across, none, {.splits = 9}), options));
  // Two pairs of equal runs: some replicates have no spread, and more than 2.5 % of them leave no upper end.
  const CostMatrix pairs = line({0, 0, 1, 1}), few = Matrix::Constant(3, 4, 5);
  const SplitHalves little = split_halves(few, pairs);
  REQUIRE(little.base.median == 0);
  CHECK_FALSE(bootstrap_ratio(few, pairs, little, options));
}

TEST_CASE("a cancelled test says how many replicates it finished") {
  const Matrix pooled = plane(7, 30, 15);
  std::atomic<int> calls{0};
  const auto stop = [&](const Progress& progress) {
    CHECK(progress.total == 1e6);
    CHECK(progress.done > 0);
    ++calls;
    return Continue::no;
  };
  const auto error = caught<Cancelled>(
      [&] { (void)permutation_test(pooled, 15, {.permutations = 1000000, .threads = 2, .progress = stop}); });
  CHECK(calls == 1);
  CHECK(error.total == 1000000);
  CHECK(error.finished > 0);
  CHECK(error.finished < 1000000);
  require_error<Cancelled>([&] { throw error; }, "permutation_test", "of 1000000 replicates");
}

TEST_CASE("wrong matrices and options are errors with their place") {
  const Matrix pooled = plane(8, 6, 3);
  const auto refused = [&](auto&& change) {
    Matrix bad = pooled;
    change(bad);
    return caught<InputError>([&] { (void)permutation_test(bad, 3); });
  };
  for (const double value : {-1.0, problems::infinity, problems::not_a_number}) {
    const auto error = refused([&](Matrix& bad) { bad(4, 2) = value; });
    CHECK(error.rule == Rule::bad_cost);
    CHECK(error.index == 4U);
    CHECK(error.sample == 2U);
  }
  CHECK(refused([](Matrix& bad) { bad(5, 5) = 1e-300; }).index == 5U);
  CHECK(refused([](Matrix& bad) { bad(1, 3) += 1e-9; }).rule == Rule::bad_cost);
  CHECK_NOTHROW([&] {
    Matrix rounded = pooled;
    rounded(1, 3) *= 1 + 1e-15;
    (void)permutation_test(rounded, 3);
  }());
  CHECK(refused([](Matrix& bad) { bad.conservativeResize(6, 5); }).rule == Rule::shape_mismatch);
  CHECK(refused([](Matrix& bad) { bad.resize(0, 0); }).rule == Rule::empty);

  const auto rule = [](auto&& call) { return caught<InputError>(call).rule; };
  CHECK(rule([&] { (void)permutation_test(pooled, 0); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)permutation_test(pooled, 6); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)permutation_test(pooled, 3, {.permutations = 0}); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)permutation_test(pooled, 3, {.order = 0.5}); }) == Rule::bad_order);
  CHECK(rule([&] { (void)permutation_test(pooled, 3, {.weights = {1, 1}}); }) == Rule::size_mismatch);
  CHECK(rule([&] { (void)permutation_test(pooled, 3, {.weights = {1, 1, 0, 1, 1, 1}}); }) == Rule::bad_weight);
  CHECK(rule([&] { (void)permutation_test(pooled, 3, {.threads = 0U}); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)bootstrap_interval(pooled.leftCols(1)); }) == Rule::shape_mismatch);
  CHECK(rule([&] { (void)bootstrap_interval(pooled, {.level = 1}); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)bootstrap_interval(pooled, {.level = problems::not_a_number}); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)bootstrap_interval(pooled, {.replicates = 38}); }) == Rule::bad_parameter);
  CHECK(rule([&] { (void)split_halves(pooled.topRows(1), pooled); }) == Rule::shape_mismatch);
  CHECK(rule([&] { (void)split_halves(pooled.leftCols(3), pooled.topLeftCorner(3, 3)); }) == Rule::shape_mismatch);
  CHECK(rule([&] { (void)split_halves(pooled, pooled.topLeftCorner(5, 5)); }) == Rule::shape_mismatch);
}
