// SPDX-License-Identifier: MIT
// The exact band (T24): no cheapest path leaves it, and a sweep inside it gives the bits of the full one.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/distance/detail/exact_band.hpp>
#include <fidelity/distance/detail/wavefront.hpp>

#include "catch.hpp"
#include "distance/wavefront_problems.hpp"

namespace {

namespace fd = fidelity;
using fd::detail::band_about_corners;
using problems::DiagonalBand;
using problems::Kind;
using problems::PackedSeries;
using problems::Random;
using problems::same_bits;

double first_match(const PackedSeries& a, const PackedSeries& b) {
  return std::abs(a.values[0] - b.values[0]) + std::abs(a.times[0] - b.times[0]);
}

/// The exact band of a bound.
DiagonalBand band_of(const PackedSeries& a, const PackedSeries& b, double bound) {
  std::vector<double> x(a.deletions.begin() + 1, a.deletions.end()), y(b.deletions.begin() + 1, b.deletions.end());
  const auto margin = fd::detail::band_margin(x, y, first_match(a, b), bound, 1000000);
  return margin ? band_about_corners(a.size(), b.size(), *margin) : problems::whole(a, b);
}

double diagonal(const PackedSeries& a, const PackedSeries& b) {
  return fd::detail::diagonal_cost(a, b, fd::detail::MagnitudeDistance{});
}

/// Calls f(a, b) with small pairs of all kinds and prices.
template <class F>
void for_small_pairs(unsigned seed, F f) {
  Random random(seed);
  const double prices[] = {0, 0.125, 1};
  for (int k = 0; k < 600; ++k) {
    const auto kind = static_cast<Kind>(k % 4);
    const double stiffness = prices[random() % 3], penalty = prices[random() % 3], shift = random() % 2 ? 0 : 4;
    const std::size_t n = problems::between(random, 1, 40);
    const std::size_t m = random() % 2 ? problems::between(random, 1, 40) : n;
    f(problems::packed(random, kind, n, 1, 2, stiffness, penalty),
      problems::packed(random, kind, m, 1, 2, stiffness, penalty, shift));
  }
}

}  // namespace

TEST_CASE("the cells of the exact band alone give the bits of the full sweep") {
  std::size_t narrower = 0;
  for_small_pairs(1, [&](const PackedSeries& a, const PackedSeries& b) {
    const double full = fd::detail::twed_sweep(a, b, fd::Norm(2));
    REQUIRE(diagonal(a, b) >= full);
    for (const double bound : {diagonal(a, b), full}) {
      const DiagonalBand band = band_of(a, b, bound);
      narrower += band.highest < static_cast<std::ptrdiff_t>(a.size()) - 1;
      REQUIRE(same_bits(problems::table(a, b, band).back().back(), full));
      for (const fd::Isa isa : fd::available_isas()) REQUIRE(same_bits(problems::wavefront(a, b, band, 2, isa), full));
    }
  });
  CHECK(narrower > 400);  // the band is not the whole table
}

TEST_CASE("every cell of every cheapest path lies in the exact band") {
  for_small_pairs(2, [](const PackedSeries& a, const PackedSeries& b) {
    const auto cost = problems::table(a, b, problems::whole(a, b));
    const DiagonalBand band = band_of(a, b, cost.back().back());
    const auto match = [&](std::size_t i, std::size_t j) {
      return std::abs(a.values[i] - b.values[j]) + std::abs(a.times[i] - b.times[j]);
    };
    std::vector<std::vector<bool>> on_path(a.size(), std::vector<bool>(b.size(), false));
    on_path.back().back() = true;
    bool inside = true;
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;) {
        if (!on_path[i][j]) continue;
        const auto k = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j);
        inside = inside && band.lowest <= k && k <= band.highest;
        if (i > 0 && j > 0 && (cost[i - 1][j - 1] + match(i - 1, j - 1)) + match(i, j) == cost[i][j])
          on_path[i - 1][j - 1] = true;
        if (i > 0 && cost[i - 1][j] + a.deletions[i] == cost[i][j]) on_path[i - 1][j] = true;
        if (j > 0 && cost[i][j - 1] + b.deletions[j] == cost[i][j]) on_path[i][j - 1] = true;
      }
    REQUIRE(inside);
  });
}

TEST_CASE("the margin is the last one whose cheapest deletions are affordable") {
  Random random(3);
  for (int k = 0; k < 3000; ++k) {
    std::vector<double> a(problems::between(random, 0, 20)), b(problems::between(random, 0, 20));
    const unsigned largest = random() % 2 ? 1 : 9;
    for (auto* costs : {&a, &b})
      for (double& x : *costs) x = static_cast<double>(random() % (largest + 1));
    const auto sum_of_cheapest = [](std::vector<double> costs, std::size_t count) {
      std::sort(costs.begin(), costs.end());
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += costs[i];
      return sum;
    };
    const std::size_t both = std::min(a.size(), b.size());
    const auto bound_of = [&](std::size_t margin) {
      return 1 + sum_of_cheapest(a, a.size() - both + margin) + sum_of_cheapest(b, b.size() - both + margin);
    };
    const double bound = bound_of(0) + static_cast<double>(random() % 60);
    std::size_t expected = 0;
    while (expected < both && bound_of(expected + 1) <= bound) ++expected;
    const std::size_t limit = problems::between(random, 0, 22);
    const auto margin = fd::detail::band_margin(a, b, 1.0, bound, limit);
    CAPTURE(expected, limit, both);
    if (expected >= limit) {
      REQUIRE_FALSE(margin);
    } else {
      REQUIRE(margin == expected);
    }
  }
}

TEST_CASE("a bound that is not finite gives no band") {
  std::vector<double> a = {1, 2, 3}, b = {1, 2, 3};
  const double infinite = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
  CHECK_FALSE(fd::detail::band_margin(a, b, 0.0, infinite, 100));
  CHECK_FALSE(fd::detail::band_margin(a, b, 0.0, largest, 100));
  CHECK(fd::detail::band_margin(a, b, 0.0, 2.0, 100) == std::optional<std::size_t>(1));
  CHECK_FALSE(fd::detail::band_margin(a, b, 0.0, 2.0, 1));
  a[2] = b[2] = largest;  // sums overflow, which is more than any bound
  CHECK(fd::detail::band_margin(a, b, 0.0, 6.0, 100) == std::optional<std::size_t>(2));
}

TEST_CASE("a sweep inside any band is never below the distance and never above that of its cells alone") {
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    const auto kind = static_cast<Kind>(k % 4);
    const double early = k % 2 ? 0 : 20, late = 20 - early;  // cheap paths run along one edge of the band
    const std::size_t n = problems::between(random, 1, 200), m = k % 3 ? n : problems::between(random, 1, 200);
    const PackedSeries a = problems::packed(random, kind, n, 1, 2, 0.1, 0.3, early);
    const PackedSeries b = problems::packed(random, kind, m, 1, 2, 0.1, 0.3, late);
    const double full = fd::detail::twed_sweep(a, b, fd::Norm(2));
    const DiagonalBand band = band_about_corners(a.size(), b.size(), random() % 20);
    const double cells_alone = problems::table(a, b, band).back().back();
    for (const fd::Isa isa : fd::available_isas()) {
      CAPTURE(a.size(), b.size(), band.highest, std::string(fd::to_text(isa)));
      const double some = problems::wavefront(a, b, band, 2, isa);
      REQUIRE(some >= full);
      REQUIRE(some <= cells_alone);
    }
  }
}

TEST_CASE("a band is found for series that belong together and none for random walks") {
  Random random(5);
  const auto margin = [&](Kind kind, std::size_t n, std::size_t m, double penalty) {
    const PackedSeries a = problems::packed(random, kind, n, 1, 2, 0.001, penalty);
    const PackedSeries b = problems::packed(random, kind, m, 1, 2, 0.001, penalty);
    fd::detail::WavefrontMemory<double> memory(fd::detail::as_sweep_series(a), fd::detail::as_sweep_series(b));
    const fd::Isa isa = fd::detected_isa();
    const DiagonalBand band = fd::detail::band_for_pair(memory, a, b, 2, isa);
    const double full = fd::detail::twed_sweep(a, b, fd::Norm(2));
    CHECK(same_bits(fd::detail::wavefront_sweep(a, b, 2, isa), full));
    CHECK(same_bits(fd::detail::wavefront_sweep(b, a, 2, isa), full));
    return static_cast<std::size_t>(band.highest);
  };
  CHECK(margin(Kind::similar, 300, 300, 1) < 60);
  CHECK(margin(Kind::similar, 290, 300, 1) < 60);
  CHECK(margin(Kind::walk, 300, 300, 1) == 300);
  CHECK(margin(Kind::similar, 120, 120, 1) == 120);     // too short to search
  CHECK(margin(Kind::similar, 1900, 1900, 0.1) < 800);  // after a sweep of a narrow band
}
