// SPDX-License-Identifier: MIT
#include <fidelity/detail/random.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "catch.hpp"

using fidelity::detail::Random;

TEST_CASE("the generator gives the published outputs of SplitMix64") {
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    CHECK(random.next() == expected);
}

TEST_CASE("a replicate depends on seed, purpose and number and on nothing else") {
  CHECK(Random(1, 2, 3).next() == Random(1, 2, 3).next());
  CHECK(Random(1, 2, 3).next() != Random(1, 2, 4).next());
  CHECK(Random(1, 2, 3).next() != Random(1, 3, 3).next());
  CHECK(Random(1, 2, 3).next() != Random(2, 2, 3).next());
}

TEST_CASE("bounded integers are uniform") {
  Random random(7);
  std::array<int, 6> counts{};
  for (int k = 0; k < 60000; ++k) ++counts[random.below(6)];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 450);  // 5 standard deviations
}

TEST_CASE("uniform numbers fill the unit interval") {
  Random random(8);
  double smallest = 1, largest = 0, sum = 0;
  for (int k = 0; k < 10000; ++k) {
    const double x = random.uniform();
    smallest = std::min(smallest, x), largest = std::max(largest, x), sum += x;
  }
  CHECK(smallest >= 0);
  CHECK(smallest < 0.001);
  CHECK(largest < 1);
  CHECK(largest > 0.999);
  CHECK(std::abs(sum / 10000 - 0.5) < 0.015);
}

TEST_CASE("a sample moved to the front is every subset equally often") {
  std::array<int, 8> counts{};
  for (std::uint64_t r = 0; r < 12000; ++r) {
    std::vector<std::size_t> items{0, 1, 2, 3};
    Random(5, 1, r).sample_to_front(std::span(items), 2);
    std::vector<std::size_t> all = items;
    std::sort(all.begin(), all.end());
    REQUIRE(all == std::vector<std::size_t>{0, 1, 2, 3});
    ++counts[std::min(items[0], items[1]) + 2 * std::max(items[0], items[1]) - 2];
  }
  // pairs (0,1) (0,2) (1,2) (0,3) (1,3) (2,3) fall on 0 2 3 4 5 6
  for (const std::size_t k : {0U, 2U, 3U, 4U, 5U, 6U}) CHECK(std::abs(counts[k] - 2000) < 210);
}
