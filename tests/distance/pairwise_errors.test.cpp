// SPDX-License-Identifier: MIT
// What a user's distance may return, and which error comes out of several (T4, T14, T31).
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fidelity/distance/pairwise.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using namespace std::chrono_literals;

struct Named {
  std::string name;
  int number;
};

std::vector<int> up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

template <class Call>
fd::InputError error_of(Call&& call) {
  try {
    call();
  } catch (const fd::InputError& error) {
    return error;
  }
  FAIL("no error was thrown");
  throw;
}

}  // namespace

TEST_CASE("a distance that is NaN, infinite or negative is refused with the pair") {
  const std::vector<Named> rows = {{"a", 0}, {"b", 1}}, columns = {{"c", 2}, {"d", 3}, {"e", 4}};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e-300}) {
    const auto metric = [bad](const Named& a, const Named& b) { return a.number == 1 && b.number == 4 ? bad : 1.0; };
    const auto error = error_of([&] { (void)fd::pairwise(rows, columns, metric); });
    CHECK(error.rule == fd::Rule::bad_distance);
    CHECK(error.collection == "rows");
    CHECK(error.index == 1U);
    CHECK(error.name == "b");
    CHECK(error.sample == 2U);
    REQUIRE(error.value);
    CHECK((*error.value == bad || std::isnan(*error.value)));
    CHECK(std::string(error.what()).find("rows[1] 'b' and columns[2] 'e'") != std::string::npos);
  }
}

TEST_CASE("in a pooled matrix the pair is named by the collections that the caller knows") {
  const std::vector<Named> rows = {{"a", 0}, {"b", 1}}, columns = {{"c", 2}, {"d", 3}, {"e", 4}};
  const auto metric = [](const Named& a, const Named& b) { return a.number == 3 && b.number == 4 ? -1.0 : 1.0; };
  const auto error = error_of([&] { (void)fd::pairwise_pooled(rows, columns, metric); });
  CHECK(error.collection == "columns");
  CHECK(error.index == 1U);
  CHECK(error.name == "d");
  CHECK(error.sample == 4U);  // column of the pooled matrix
  CHECK(std::string(error.what()).find("columns[1] 'd' and columns[2] 'e'") != std::string::npos);
}

TEST_CASE("zero distances of different things are allowed") {
  const auto numbers = up_to(3);
  CHECK(fd::pairwise(numbers, [](int, int) { return 0.0; }).isZero());
}

TEST_CASE("an exception of a user's distance reaches the caller unchanged") {
  const auto numbers = up_to(40);
  const auto metric = [](int a, int b) -> double {
    if (a == 20 && b == 20) throw std::logic_error("twenty");
    return 1;
  };
  for (const unsigned threads : {1U, 2U, 7U})
    require_error<std::logic_error>([&] { (void)fd::pairwise(numbers, numbers, metric, {.threads = threads}); },
                                    "twenty");
}

TEST_CASE("of several errors the first in the order of tiles is thrown, for every number of threads") {
  const auto numbers = up_to(64);
  // Bad from tile (0, 1) on; in it the first bad entry is (3, 20). Early tiles are slow, so that later ones fail first.
  const auto metric = [](int a, int b) {
    const bool bad = (a > 2 && b >= 20) || a >= 16;
    if (bad && a < 16 && b < 32) std::this_thread::sleep_for(2ms);
    return bad ? -1.0 : 1.0;
  };
  for (const unsigned threads : {1U, 2U, 7U})
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto error = error_of([&] { (void)fd::pairwise(numbers, numbers, metric, {.threads = threads}); });
      REQUIRE(error.index == 3U);
      REQUIRE(error.sample == 20U);
    }
}

TEST_CASE("after an error no further tile is started") {
  const auto numbers = up_to(160);  // 100 tiles of 256 entries
  for (const unsigned threads : {1U, 2U}) {
    std::atomic<int> calls = 0;
    const auto metric = [&calls](int a, int b) {
      ++calls;
      if (a == 0 && b == 0) return -1.0;
      std::this_thread::sleep_for(10us);
      return 1.0;
    };
    error_of([&] { (void)fd::pairwise(numbers, numbers, metric, {.threads = threads}); });
    CHECK(calls <= (threads == 1 ? 1 : 160 * 160 / 2));
  }
}

TEST_CASE("Overflow of a user's distance names the pair of the matrix") {
  const auto numbers = up_to(3);
  const auto metric = [](int a, int b) -> double {
    if (a == 1 && b == 2) throw fd::Overflow("too much");
    return 1;
  };
  try {
    (void)fd::pairwise(numbers, metric);
    FAIL("no error was thrown");
  } catch (const fd::Overflow& error) {
    REQUIRE(error.pair);
    CHECK(*error.pair == std::pair<std::size_t, std::size_t>(1, 2));
    CHECK(std::string(error.what()).find("rows[1] and rows[2]") != std::string::npos);
  }
}

TEST_CASE("no threads at all is a wrong call") {
  const auto numbers = up_to(3);
  const auto error = error_of([&] { (void)fd::pairwise(numbers, [](int, int) { return 1.0; }, {.threads = 0}); });
  CHECK(error.rule == fd::Rule::bad_parameter);
  CHECK(error.value == 0.0);
}
