// SPDX-License-Identifier: MIT
// Threads, progress and cancelling (T31, T32).
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using namespace std::chrono_literals;
using Run = fd::Series<double, double>;

const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};

std::vector<Run> random_runs(std::size_t count, std::size_t channels, std::uint32_t seed) {
  oracle::Random random(seed);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < count; ++k)
    runs.push_back(
        oracle::random_series(random, static_cast<std::size_t>(oracle::uniform(random, 1, 40)), channels).series());
  return runs;
}

std::vector<int> up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

double slow_distance(int a, int b) {
  std::this_thread::sleep_for(300us);
  return 1 + a + 100.0 * b;
}

/// Ids of all threads that called a user's distance.
std::set<std::thread::id> threads_of(std::optional<unsigned> threads, int count, std::chrono::microseconds pause) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  const auto metric = [&](int, int) {
    std::this_thread::sleep_for(pause);
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
    return 1.0;
  };
  const auto numbers = up_to(count);
  (void)fd::pairwise(numbers, numbers, metric, {.threads = threads});
  return ids;
}

}  // namespace

TEST_CASE("the matrix has the same bits for every number of threads") {
  for (const std::size_t channels : {1U, 3U}) {
    const auto rows = random_runs(50, channels, 1), columns = random_runs(70, channels, 2);
    const auto one = fd::pairwise(rows, columns, twed, {.threads = 1});
    const auto self = fd::pairwise(rows, twed, {.threads = 1});
    const auto pooled = fd::pairwise_pooled(rows, columns, twed, {.threads = 1});
    const auto same = [](const fd::CostMatrix& a, const fd::CostMatrix& b) {
      return a.rows() == b.rows() && a.cols() == b.cols() &&
             std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
    };
    CHECK(same(fd::pairwise(rows, columns, twed), one));
    for (const unsigned threads : {2U, 7U}) {
      CHECK(same(fd::pairwise(rows, columns, twed, {.threads = threads}), one));
      CHECK(same(fd::pairwise(rows, twed, {.threads = threads}), self));
      CHECK(same(fd::pairwise_pooled(rows, columns, twed, {.threads = threads}), pooled));
    }
  }
}

TEST_CASE("one thread is the caller's own") { CHECK(threads_of(1, 40, 0us) == std::set{std::this_thread::get_id()}); }

TEST_CASE("small work is done by the caller's own thread unless threads are asked for") {
  CHECK(threads_of({}, 40, 200us) == std::set{std::this_thread::get_id()});
}

TEST_CASE("several threads are used where they are asked for, and no more") {
  const auto ids = threads_of(3, 64, 200us);
  CHECK(ids.size() > 1);
  CHECK(ids.size() <= 3);
}

TEST_CASE("large work uses all hardware threads by default") {
  CHECK(fd::detail::thread_count({}, true) == std::max(1U, std::thread::hardware_concurrency()));
  CHECK(fd::detail::thread_count({}, false) == 1);
  CHECK(fd::detail::thread_count(5, false) == 5);
  CHECK(fd::detail::thread_count(1, true) == 1);
}

TEST_CASE("progress grows, knows the total, and is never told from two threads at once or in a rush") {
  const auto numbers = up_to(48);
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<fd::Progress> told;
    std::vector<std::chrono::steady_clock::time_point> when;
    const auto start = std::chrono::steady_clock::now();
    std::atomic<int> inside = 0, at_once = 0;
    const auto metric = [threads](int, int) {
      std::this_thread::sleep_for(threads * 150us);
      return 1.0;
    };
    (void)fd::pairwise(numbers, numbers, metric, {.threads = threads, .progress = [&](const fd::Progress& progress) {
                                                    if (++inside > 1) ++at_once;
                                                    told.push_back(progress);
                                                    when.push_back(std::chrono::steady_clock::now());
                                                    --inside;
                                                    return fd::Continue::yes;
                                                  }});
    CHECK(at_once == 0);
    REQUIRE(told.size() >= 2);
    for (std::size_t k = 0; k < told.size(); ++k) {
      CHECK(told[k].total == 48 * 48);
      CHECK(told[k].done <= told[k].total);
      if (k > 0) CHECK(told[k].done > told[k - 1].done);
      CHECK(when[k] - start >= (k + 1) * 100ms);
    }
    CHECK(told.back().done > 0.5 * told.back().total);
  }
}

TEST_CASE("a slow callback is not called a second time while it runs, and the other threads go on") {
  const auto numbers = up_to(48);
  std::atomic<int> inside = 0, at_once = 0, calls = 0, computed_meanwhile = 0;
  const auto metric = [&](int, int) {
    std::this_thread::sleep_for(400us);
    if (inside > 0) ++computed_meanwhile;
    return 1.0;
  };
  const fd::ProgressCallback callback = [&](const fd::Progress&) {
    if (++inside > 1) ++at_once;
    ++calls;
    std::this_thread::sleep_for(250ms);
    --inside;
    return fd::Continue::yes;
  };
  (void)fd::pairwise(numbers, numbers, metric, {.threads = 3, .progress = callback});
  CHECK(calls >= 1);
  CHECK(at_once == 0);
  CHECK(computed_meanwhile > 0);
}

TEST_CASE("the unit of progress is cells, the product of the lengths") {
  const std::vector<std::vector<double>> rows = {{1, 2, 3}, {1}}, columns = {{1, 2}, {1, 2, 3, 4, 5}};
  double total = 0;
  const fd::ProgressCallback note = [&](const fd::Progress& progress) {
    total = progress.total;
    return fd::Continue::yes;
  };
  const auto metric = [](const std::vector<double>&, const std::vector<double>&) {
    std::this_thread::sleep_for(110ms);
    return 1.0;
  };
  (void)fd::pairwise(rows, columns, metric, {.threads = 1, .progress = note});
  CHECK(total == (3 + 1) * (2 + 5));
  (void)fd::pairwise_pooled(rows, columns, metric, {.threads = 1, .progress = note});
  CHECK(total == 3 * (1 + 2 + 5) + 1 * (2 + 5) + 2 * 5);
}

TEST_CASE("a callback that says no ends the call with Cancelled, which tells what was finished") {
  const auto numbers = up_to(100);
  for (const bool symmetric : {false, true})
    for (const unsigned threads : {1U, 3U}) {
      std::vector<std::atomic<bool>> called(100 * 100);
      const auto metric = [&](int a, int b) {
        const double distance = slow_distance(a, b);
        called[static_cast<std::size_t>(a * 100 + b)] = true;
        return distance;
      };
      int calls = 0;
      const fd::PairwiseOptions options{.threads = threads, .progress = [&](const fd::Progress&) {
                                          ++calls;
                                          return fd::Continue::no;
                                        }};
      try {
        symmetric ? (void)fd::pairwise(numbers, metric, options)
                  : (void)fd::pairwise(numbers, numbers, metric, options);
        FAIL("no error was thrown");
      } catch (const fd::Cancelled& cancelled) {
        CHECK(calls == 1);
        CHECK(cancelled.total == (symmetric ? 4950U : 10000U));
        CHECK(cancelled.finished > 0);
        CHECK(cancelled.finished < cancelled.total);
        REQUIRE(cancelled.mask.size() == 10000);
        std::size_t finished = 0;
        for (std::size_t k = 0; k < 10000; ++k) {
          if (cancelled.mask[k]) ++finished;
          REQUIRE(cancelled.mask[k] == called[k]);
        }
        CHECK(finished == cancelled.finished);
      }
    }
}

TEST_CASE("an exception of the callback reaches the caller after all threads have ended, and it is not called again") {
  const auto numbers = up_to(64);
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<int> busy = 0, calls = 0;
    const auto metric = [&](int, int) {
      ++busy;
      std::this_thread::sleep_for(1500us);  // a tile outlasts the time to the next call
      --busy;
      return 1.0;
    };
    const fd::ProgressCallback callback = [&](const fd::Progress&) -> fd::Continue {
      ++calls;
      throw std::runtime_error("enough");
    };
    require_error<std::runtime_error>(
        [&] { (void)fd::pairwise(numbers, numbers, metric, {.threads = threads, .progress = callback}); }, "enough");
    CHECK(busy == 0);
    CHECK(calls == 1);
  }
}
