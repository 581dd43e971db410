// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <vector>

#include "catch.hpp"

#include <fidelity/detail/random.hpp>
#include <fidelity/sampling/change_point_scores.hpp>

namespace fd = fidelity;
using Points = std::vector<std::size_t>;

TEST_CASE("scores of change points worked out by hand") {
  const Points known = {4, 8}, found = {5}, none;
  // [0,4) in [0,5): 4/5; [4,8) in [5,10): 3/6; [8,10) in [5,10): 2/5.
  CHECK(fd::covering(known, found, 10) == Approx((4 * 0.8 + 4 * 0.5 + 2 * 0.4) / 10));
  CHECK(fd::covering(none, found, 10) == 0.5);
  CHECK(fd::covering(known, known, 10) == 1);
  // Apart in one only, of 45: 4 (0..3 with 4), 9 (5..7 with 8, 9: 6; 4 with 5..7: 3).
  CHECK(fd::rand_index(known, found, 10) == Approx(1 - 13.0 / 45));
  CHECK(fd::rand_index(none, none, 10) == 1);
  CHECK(fd::hausdorff(known, found) == 3U);
  CHECK(fd::hausdorff(found, known) == 3U);
  CHECK(fd::hausdorff(none, none) == 0U);
  CHECK(!fd::hausdorff(none, found));
  // With the begin: 2 of 3 known ones are found, both found ones are known.
  const auto a = fd::agreement(known, found, 1);
  CHECK(a.precision == 1);
  CHECK(a.recall == Approx(2.0 / 3));
  CHECK(a.f1 == Approx(0.8));
  CHECK(fd::agreement(known, found, 0).f1 == Approx(0.4));
  CHECK(fd::agreement(none, none).f1 == 1);
  CHECK(fd::agreement(none, found).f1 == Approx(2 * 0.5 / 1.5));
  // One found point does not stand for two known ones.
  CHECK(fd::agreement(Points{50, 52}, Points{51}, 5).recall == Approx(2.0 / 3));
  CHECK(fd::agreement(Points{50, 54}, Points{46, 49}, 5).recall == 1);
}

TEST_CASE("several people are counted as in the benchmark of change points") {
  const std::vector<Points> people = {{10, 20}, {20}, {}};
  const auto a = fd::agreement(people, Points{21, 40}, 2);
  CHECK(a.precision == Approx(2.0 / 3));                     // the begin and 21 are known to somebody
  CHECK(a.recall == Approx((2.0 / 3 + 2.0 / 2 + 1.0) / 3));  // begin and 20 of three, both of two, the begin
  CHECK(fd::covering(people, Points{20}, 40) == Approx(((10 * 0.5 + 10 * 0.5 + 20) / 40 + 1 + 0.5) / 3));
}

TEST_CASE("covering and rand index agree with counting samples and pairs") {
  fd::detail::Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(14);
    const auto draw = [&] {
      std::set<std::size_t> points;
      for (std::size_t k = random.below(6); k > 0; --k) points.insert(1 + random.below(n - 1));
      return Points(points.begin(), points.end());
    };
    const auto label = [](const Points& points, std::size_t i) {
      return std::upper_bound(points.begin(), points.end(), i) - points.begin();
    };
    const Points known = draw(), found = draw();
    double same = 0, pairs = 0, cover = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double best = 0;
      for (std::size_t j = 0; j < n; ++j) {
        double common = 0, whole = 0;  // of the known segment of i and the found one of j
        for (std::size_t k = 0; k < n; ++k) {
          const bool in_known = label(known, k) == label(known, i), in_found = label(found, k) == label(found, j);
          common += in_known && in_found, whole += in_known || in_found;
          if (i == 0 && k > j)
            ++pairs, same += (label(known, j) == label(known, k)) == (label(found, j) == label(found, k));
        }
        best = std::max(best, common / whole);
      }
      cover += best / static_cast<double>(n);
    }
    CAPTURE(n, known, found);
    CHECK(fd::covering(known, found, n) == Approx(cover));
    CHECK(fd::rand_index(known, found, n) == Approx(same / pairs).margin(1e-12));
  }
}

TEST_CASE("wrong change points have no score") {
  using E = fd::InputError;
  const Points ok = {3};
  require_error<E>([&] { (void)fd::covering(Points{0}, ok, 9); }, "fidelity::covering", "ascending", "known[0]");
  require_error<E>([&] { (void)fd::covering(ok, Points{3, 3}, 9); }, "ascending", "found[1]");
  require_error<E>([&] { (void)fd::rand_index(ok, Points{9}, 9); }, "must be < 9", "found[0]");
  require_error<E>([&] { (void)fd::rand_index(Points{}, Points{}, 1); }, "no pair");
  require_error<E>([&] { (void)fd::covering(Points{}, Points{}, 0); }, "no samples");
  require_error<E>([&] { (void)fd::agreement(std::vector<Points>{}, ok); }, "no annotations");
  require_error<E>([&] { (void)fd::hausdorff(Points{4, 2}, ok); }, "fidelity::hausdorff", "known[1]");
}
