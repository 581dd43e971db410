// SPDX-License-Identifier: MIT
#include <fidelity/validation/detail/split_halves.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "catch.hpp"

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
  CHECK(all.pairs.size() == 45);
  std::set<std::vector<std::size_t>> seen;
  const auto random = fd::detail::draw_disjoint(20, 7, 50, 1);
  CHECK_FALSE(random.exhaustive);
  CHECK(random.pairs.size() == 50);
  for (const auto* draws : {&all, &random})
    for (const auto& [rows, columns] : draws->pairs) {
      std::set<std::size_t> both(rows.begin(), rows.end());
      both.insert(columns.begin(), columns.end());
      CHECK(rows.size() == columns.size());
      CHECK(both.size() == 2 * rows.size());
      std::vector<std::size_t> key = rows;
      key.insert(key.end(), columns.begin(), columns.end());
      CHECK(seen.insert(key).second);
    }
}
