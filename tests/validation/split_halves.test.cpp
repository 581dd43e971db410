// SPDX-License-Identifier: MIT
#include <fidelity/validation/split_halves.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "transport/problems.hpp"

namespace fd = fidelity;

TEST_CASE("the median is the middle value, or the mean of the two in the middle") {
  CHECK(fd::detail::median({3, 1, 2}) == 2);
  CHECK(fd::detail::median({4, 1, 3, 2}) == 2.5);
  CHECK(fd::detail::median({7}) == 7);
}

TEST_CASE("a quantile is the smallest value that enough of the values do not exceed") {
  std::vector<double> values;
  for (int k = 1000; k >= 1; --k) values.push_back(k);
  CHECK(fd::detail::quantile(values, 0.95) == 950);
  values.resize(999);  // 2 .. 1000
  CHECK(fd::detail::quantile(values, 0.95) == 951);
  CHECK(fd::detail::quantile({1, 2, 3}, 0.95) == 3);
  CHECK(fd::detail::quantile({5}, 0.95) == 5);
}

TEST_CASE("groups of measured runs are disjoint, of the asked size, and every pair of them comes once") {
  const auto all = fd::detail::draw_disjoint(6, 2, 999, 1);  // 6! / (2! 2! 2!) / 2 unordered pairs
  CHECK(all.exhaustive);
  CHECK(all.size == 45);
  std::set<std::vector<std::size_t>> seen;
  const auto random = fd::detail::draw_disjoint(20, 7, 50, 1);
  CHECK_FALSE(random.exhaustive);
  CHECK(random.size == 50);
  for (const auto* draws : {&all, &random})
    for (std::size_t r = 0; r < draws->size; ++r) {
      const auto [rows, columns] = (*draws)[r];
      std::set<std::size_t> both(rows.begin(), rows.end());
      both.insert(columns.begin(), columns.end());
      CHECK(rows.size() == columns.size());
      CHECK(both.size() == 2 * rows.size());
      std::vector<std::size_t> key = rows;
      key.insert(key.end(), columns.begin(), columns.end());
      CHECK(seen.insert(key).second);
    }
}

TEST_CASE("split halves of two simulated and four measured runs by enumeration") {
  fd::CostMatrix measured(4, 4), across(2, 4);
  measured << 0, 1, 2, 6, 1, 0, 3, 5, 2, 3, 0, 4, 6, 5, 4, 0;
  across << 1, 2, 3, 7, 4, 3, 1, 9;
  const fd::SplitHalves halves = fd::split_halves(across, measured);
  CHECK(halves.half_size == 2);
  CHECK(halves.exhaustive_base);
  CHECK(halves.exhaustive_like);
  // {0 1} to {2 3}: min(2 + 5, 6 + 3) / 2; {0 2} to {1 3}: min(1 + 4, 6 + 3) / 2; {0 3} to {1 2}: min(1 + 4, 2 + 5) / 2
  CHECK(halves.base.values == std::vector<double>{3.5, 2.5, 2.5});
  CHECK(halves.base.median == 2.5);
  CHECK(halves.base.mean == Approx(8.5 / 3));
  CHECK(halves.base.quantile95 == 3.5);
  // Columns {0 1}: min(1 + 3, 2 + 4) / 2, and so on for {0 2} {0 3} {1 2} {1 3} {2 3}
  CHECK(halves.like.values == std::vector<double>{2, 1, 5, 1.5, 5, 4});
  CHECK(halves.like.median == 3);
}

TEST_CASE("split halves depend on the seed only and a longer run begins with a shorter one") {
  problems::Random random(41);
  const fd::CostMatrix across = problems::euclidean(random, 9, 15);
  const fd::CostMatrix points = problems::uniform(random, 15, 2);
  const fd::CostMatrix measured = problems::matrix(15, 15, [&](std::size_t i, std::size_t j) {
    return (points.row(static_cast<Eigen::Index>(i)) - points.row(static_cast<Eigen::Index>(j))).norm();
  });
  const auto some = fd::split_halves(across, measured, {.splits = 20, .threads = 1});
  const auto more = fd::split_halves(across, measured, {.splits = 50, .threads = 3});
  CHECK(some.half_size == 7);
  CHECK_FALSE(some.exhaustive_base);
  CHECK(std::equal(some.base.values.begin(), some.base.values.end(), more.base.values.begin()));
  CHECK(std::equal(some.like.values.begin(), some.like.values.end(), more.like.values.begin()));
  CHECK(fd::split_halves(across, measured, {.splits = 20, .seed = 1}).base.values != some.base.values);
  // The groups of the first draws, computed afresh.
  const auto draws = fd::detail::draw_across(9, 15, 7, 20, 20090201);
  const auto [rows, columns] = draws[3];
  CHECK(some.like.values[3] == fd::wasserstein(fd::CostView(across, rows, columns)).value);
  CHECK(fd::split_halves(across, measured, {.order = 2, .splits = 20}).like.values[3] ==
        Approx(fd::wasserstein(fd::CostView(across, rows, columns), {.order = 2}).value).epsilon(1e-13));
}

TEST_CASE("progress of split halves counts both kinds of groups") {
  problems::Random random(42);
  const fd::CostMatrix across = problems::euclidean(random, 20, 40);
  const fd::CostMatrix measured = fd::CostMatrix::Constant(40, 40, 1) - fd::CostMatrix::Identity(40, 40);
  const auto error = problems::caught<fd::Cancelled>([&] {
    (void)fd::split_halves(across, measured, {.splits = 1000000, .progress = [](const fd::Progress& progress) {
                                                CHECK(progress.total == 2e6);
                                                return fd::Continue::no;
                                              }});
  });
  CHECK(error.total == 2000000);
  CHECK(error.finished < error.total);
}
