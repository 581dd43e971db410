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
#include <system_error>
#include <thread>
#include <vector>

#include <fidelity/detail/require.hpp>

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
  if (asked == 0U) fail("options", Rule::bad_parameter, "threads must be at least 1", {.value = 0});
  if (asked) return *asked;
  return large ? std::max(1U, std::thread::hardware_concurrency()) : 1U;
}

/// Calls work(k) for k = 0 .. count - 1 on up to `threads` threads, in order of k, where `work` is what make_worker()
/// returned to the thread: its own memory is its own. After an exception no further k is started, and that of the
/// smallest k is thrown once all threads have stopped: every k before it has run, so the error is the same for every
/// number of threads. work(k) returns false to start nothing more. One thread starts none; where the system has no more
/// threads to give, those there are do the work.
template <class MakeWorker>
void parallel_for_with(std::size_t count, unsigned threads, MakeWorker&& make_worker) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::size_t failed = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error;
  const auto run = [&] {
    std::optional<decltype(make_worker())> work;
    while (!stop) {  // asked before a k is taken: one that is taken runs, or a smaller failing k could be lost
      const std::size_t k = next++;
      if (k >= count) return;
      try {
        if (!work) work.emplace(make_worker());
        if (!(*work)(k)) stop = true;
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
    try {
      for (std::size_t t = 0; t < helpers; ++t) workers.emplace_back(run);
    } catch (const std::system_error&) {  // no more threads to be had
    }
    run();
  }
  if (error) std::rethrow_exception(error);
}

/// The same with one `work` for all threads.
template <class Work>
void parallel_for(std::size_t count, unsigned threads, Work&& work) {
  parallel_for_with(count, threads, [&work] { return std::ref(work); });
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
    if (cancelled_) return false;  // asked again: another thread may have called back in between
    if (std::chrono::steady_clock::now() - last_ < std::chrono::milliseconds(100)) return true;
    try {
      if (callback_({done_.load(), total_}) == Continue::no) cancelled_ = true;
    } catch (...) {
      cancelled_ = true;  // the other threads end soon and do not call it again
      throw;
    }
    last_ = std::chrono::steady_clock::now();  // from its end: a slow callback does not hold this thread up forever
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
