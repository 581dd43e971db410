// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fidelity/detail/parallel.hpp>

#include "catch.hpp"

namespace {
namespace fd = fidelity;
using namespace std::chrono_literals;
}  // namespace

TEST_CASE("parallel_for calls every number once") {
  for (const unsigned threads : {1U, 2U, 7U})
    for (const std::size_t count : {0U, 1U, 2U, 100U}) {
      std::vector<std::atomic<int>> calls(count);
      fd::detail::parallel_for(count, threads, [&](std::size_t k) {
        ++calls[k];
        return true;
      });
      for (const auto& n : calls) REQUIRE(n == 1);
    }
}

TEST_CASE("parallel_for throws the error of the smallest number, for every number of threads") {
  for (const unsigned threads : {1U, 2U, 7U})
    for (int repeat = 0; repeat < 200; ++repeat) {
      const auto call = [&] {
        fd::detail::parallel_for(50, threads, [&](std::size_t k) -> bool {
          if (k == 7 && repeat % 2 == 0) std::this_thread::sleep_for(100us);
          if (k >= 7) throw std::runtime_error("number " + std::to_string(k) + ".");
          return true;
        });
      };
      try {
        call();
        FAIL("no error was thrown");
      } catch (const std::runtime_error& error) {
        REQUIRE(std::string(error.what()) == "number 7.");
      }
    }
}

TEST_CASE("parallel_for starts nothing more once a call returns false") {
  std::vector<std::size_t> called;
  fd::detail::parallel_for(10, 1, [&](std::size_t k) {
    called.push_back(k);
    return k < 3;
  });
  CHECK(called == std::vector<std::size_t>{0, 1, 2, 3});
}
