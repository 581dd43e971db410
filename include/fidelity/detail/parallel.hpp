// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace fidelity {

/// How far a long computation is, in its own unit of work (cells of a matrix of distances, replicates).
struct Progress {
  double done;
  double total;
};
enum class Continue { yes, no };
/// Called at most about ten times a second and never from two threads at once. Returning `Continue::no` ends the work
/// soon; the call then throws Cancelled. An exception that it throws reaches the caller.
using ProgressCallback = std::function<Continue(const Progress&)>;

namespace detail {

/// The number of threads to use: as asked, else all hardware threads for large work and one for small work.
inline unsigned thread_count(std::optional<unsigned> asked, bool large) {
  if (asked) return std::max(1U, *asked);
  return large ? std::max(1U, std::thread::hardware_concurrency()) : 1U;
}

/// Calls work(k) for k = 0 .. count - 1 on up to `threads` threads, in order of k. After an exception no further k is
/// started, and that of the smallest k is thrown once all threads have stopped: every k before it has run, so the
/// error is the same for every number of threads. work(k) returns false to start nothing more. One thread starts none.
template <class Work>
void parallel_for(std::size_t count, unsigned threads, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::size_t failed = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error;
  const auto run = [&] {
    for (std::size_t k = next++; k < count && !stop; k = next++) {
      try {
        if (!work(k)) stop = true;
      } catch (...) {
        stop = true;
        const std::lock_guard lock(mutex);
        if (k < failed) failed = k, error = std::current_exception();
      }
    }
  };
  if (threads <= 1 || count <= 1) {
    run();
  } else {
    std::vector<std::jthread> workers;
    const std::size_t helpers = std::min<std::size_t>(threads, count) - 1;
    for (std::size_t t = 0; t < helpers; ++t) workers.emplace_back(run);
    run();
  }
  if (error) std::rethrow_exception(error);
}

/// Passes progress on to a callback from whichever thread finds the time come.
class ProgressReport {
 public:
  ProgressReport(const ProgressCallback& callback, double total) : callback_(callback), total_(total) {}

  /// Adds finished work; false once the callback has asked to stop.
  bool add(double work) {
    if (!callback_) return true;
    if (cancelled_) return false;
    done_.fetch_add(work);
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return true;
    last_ = now;
    if (callback_({done_.load(), total_}) == Continue::no) cancelled_ = true;
    return !cancelled_;
  }
  [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
  const ProgressCallback& callback_;
  double total_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<double> done_{0};
  std::atomic<bool> cancelled_{false};
};

}  // namespace detail
}  // namespace fidelity
