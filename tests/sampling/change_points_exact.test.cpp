// SPDX-License-Identifier: MIT
// The optimum is the one that trying everything finds, with the same change points where several are equal (S28, S30).
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reference/change_point_oracle.hpp"

#include <fidelity/sampling/change_points.hpp>

namespace fd = fidelity;
namespace oracle = change_point_oracle;
using fd::detail::Random;
using oracle::Indices;
using oracle::Values;

namespace {

const double penalties[] = {0, 0.1, 0.5, 1, 2, 4, 8, 16};

void compare(const fd::ChangePoints& found, const oracle::Optimum& best, const Values& y, std::size_t m) {
  if (std::abs(found.objective - best.objective) <= 1e-9 * best.objective + 1e-12 && found.indices == best.changes)
    return;
  CAPTURE(y, m, found.penalty, found.objective, best.objective, found.indices, best.changes);
  FAIL_CHECK("not the optimum, or not the earliest");
}

/// 2000 short series against every segmentation. `make` gives the textbook cost for values and weights.
template <class Cost, class Make>
void try_everything(const Cost& cost, Make make, bool weighted = false) {
  Random random(2024);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = round % 100 == 0 ? 13 + random.below(4) : 1 + random.below(11);
    const Values y = oracle::small_integers(random, n);
    Values w = oracle::ones(y);
    if (weighted)
      for (double& x : w) x = static_cast<double>(1 + random.below(4)) / 4;
    const oracle::Cost table = oracle::tabulated(n, make(y, w));
    for (std::size_t m = 1; m <= 5; ++m) {
      const double penalty = penalties[random.below(std::size(penalties))];
      const auto found =
          fd::change_points(y, cost,
                            {.min_section_size = m,
                             .penalty = penalty,
                             .weights = weighted ? std::span<const double>(w) : std::span<const double>()});
      compare(found, oracle::enumerate(n, m, penalty, table), y, m);
    }
  }
}

/// Longer series, in which starts are pruned and bounds are used, against every start for every end.
template <class Cost, class Make>
void try_all_starts(const Cost& cost, Make make, double unit) {
  Random random(7);
  for (int round = 0; round < 24; ++round) {
    const std::size_t n = 40 + random.below(80);
    Values y = oracle::small_integers(random, n);
    if (round % 3 == 0)
      for (double& x : y) x += random.uniform();
    const oracle::Cost table = oracle::tabulated(n, make(y, oracle::ones(y)));
    for (const std::size_t m : {1U, 2U, 3U, 7U, 30U}) {
      const double penalty = unit * penalties[random.below(std::size(penalties))];
      compare(fd::change_points(y, cost, {.min_section_size = m, .penalty = penalty}),
              oracle::search_all_starts(n, m, penalty, table), y, m);
    }
  }
}

}  // namespace

TEST_CASE("L2 finds the earliest optimum that trying everything finds") {
  try_everything(fd::L2{}, oracle::l2);
  try_all_starts(fd::L2{}, oracle::l2, 2);
}

TEST_CASE("L2 with weights finds the earliest optimum that trying everything finds") {
  try_everything(fd::L2{}, oracle::l2, true);
}

TEST_CASE("the empirical distribution finds the earliest optimum that trying everything finds") {
  Random random(2024);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = round % 100 == 0 ? 13 + random.below(4) : 3 + random.below(9);
    const Values y = oracle::small_integers(random, n);
    const oracle::Cost table = oracle::tabulated(n, oracle::empirical(y));
    for (std::size_t m = 1; m <= 5; ++m) {
      const double penalty = penalties[random.below(std::size(penalties))];
      compare(fd::change_points(y, fd::EmpiricalDistribution{}, {.min_section_size = m, .penalty = penalty}),
              oracle::enumerate(n, m, penalty, table), y, m);
    }
  }
  try_all_starts(
      fd::EmpiricalDistribution{}, [](const Values& y, const Values&) { return oracle::empirical(y); }, 2);
}

TEST_CASE("normal mean and variance finds the earliest optimum that trying everything finds") {
  const auto make = [](const Values& y, const Values& w) { return oracle::normal(y, w, 0.25); };
  try_everything(fd::NormalMeanVariance{.min_spread = 0.25}, make);
  try_all_starts(fd::NormalMeanVariance{.min_spread = 0.25}, make, 2);
}

TEST_CASE("the line cost finds the earliest optimum that trying everything finds") {
  try_everything(fd::LinearTrend{}, oracle::line, true);
  try_all_starts(fd::LinearTrend{}, oracle::line, 1);
}

TEST_CASE("the Poisson cost finds the earliest optimum that trying everything finds") {
  try_everything(fd::Poisson{}, oracle::poisson, true);
  try_all_starts(fd::Poisson{}, oracle::poisson, 1);
}

TEST_CASE("both searches agree for L2 on long series with offset and loud stretches and weights") {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    Values y = oracle::small_integers(random, 1000);
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] += random.uniform();
      if (round % 2 == 1 && i / 200 == 2) y[i] = 1e7 * y[i] + 1e9;
    }
    Values w;
    if (round % 3 == 1)
      for (std::size_t i = 0; i < y.size(); ++i) w.push_back(std::exp(10 * random.uniform() - 5));
    const fd::detail::SquaresCost cost("test", y, w);
    for (const std::size_t m : {1U, 4U, 50U}) {
      CAPTURE(round, m);
      const auto found = fd::change_points(y, fd::L2{}, {.min_section_size = m, .penalty = 3.0, .weights = w});
      CHECK(found.indices == fd::detail::PrunedSearch(cost, m, 3).run());
    }
  }
}

TEST_CASE("a path holds for every penalty of its range") {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 3 + random.below(10), m = 1 + random.below(3);
    const Values y = oracle::small_integers(random, n);
    const oracle::Cost table = oracle::tabulated(n, oracle::l2(y, oracle::ones(y)));
    const auto path = fd::change_point_path(y, fd::L2{}, {0.25, 20}, {.min_section_size = m});
    REQUIRE(!path.empty());
    CHECK(path.front().low == 0.25);
    CHECK(path.back().high == 20);
    for (std::size_t i = 0; i < path.size(); ++i) {
      const auto& [low, high, points] = path[i];
      CAPTURE(y, m, low, high, points.indices);
      if (i > 0) {
        CHECK(low == path[i - 1].high);
        CHECK(points.indices.size() < path[i - 1].change_points.indices.size());
      }
      CHECK(low < high);
      for (const double penalty : {low, (low + high) / 2, high}) {
        const double objective = points.objective + (penalty - low) * static_cast<double>(points.indices.size());
        CHECK(objective == Approx(oracle::enumerate(n, m, penalty, table).objective).epsilon(1e-9).margin(1e-12));
      }
      CHECK(points.penalty == low);
    }
  }
}
