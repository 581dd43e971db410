// SPDX-License-Identifier: MIT
// What a job of MPI ranks needs to work through a list of independent items: errors that reach every rank, and a
// dealer.
#pragma once

// The old C++ classes of MPI are not wanted: they are removed from the standard and bring <iostream>.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>

namespace fidelity::mpi {

/// An error on one rank of a job, thrown on all of them: `rank` is where it happened, the message what it was. On that
/// rank the original exception is nested inside.
struct RankError : std::runtime_error {
  RankError(int rank_, const std::string& message)
      : std::runtime_error("fidelity::mpi: rank " + std::to_string(rank_) + ": " + message), rank(rank_) {}
  int rank;
};

}  // namespace fidelity::mpi

namespace fidelity::detail {

/// A communicator of our own, so that no message is mixed up with one of the caller's.
class MpiJob {
 public:
  explicit MpiJob(MPI_Comm parent) {
    MPI_Comm_dup(parent, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;
  ~MpiJob() { MPI_Comm_free(&comm_); }

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Sends `count` items from rank `root` to all others, in parts that the int of MPI can count.
  template <class T>
  void broadcast(T* items, std::size_t count, int root) const {
    constexpr std::size_t largest = std::size_t{1} << 30;
    const std::size_t bytes = checked_product("mpi", count, sizeof(T));
    auto* const begin = reinterpret_cast<char*>(items);
    for (std::size_t k = 0; k < bytes; k += largest)
      MPI_Bcast(begin + k, static_cast<int>(std::min(largest, bytes - k)), MPI_BYTE, root, comm_);
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

inline std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

/// Ends the work of all ranks with the error of one. Every rank calls it with the same `failed`.
[[noreturn]] inline void throw_on_all_ranks(const MpiJob& job, int failed, const std::exception_ptr& error) {
  std::string message = job.rank() == failed ? message_of(error) : std::string{};
  std::uint64_t length = message.size();
  job.broadcast(&length, 1, failed);
  message.resize(length);
  job.broadcast(message.data(), length, failed);
  if (job.rank() != failed) throw mpi::RankError(failed, message);
  try {
    std::rethrow_exception(error);
  } catch (...) {
    std::throw_with_nested(mpi::RankError(failed, message));
  }
}

/// Goes on if no rank has an error; else all ranks throw that of the lowest one.
inline void require_success_on_all_ranks(const MpiJob& job, const std::exception_ptr& error) {
  const int mine = error ? job.rank() : job.size();
  int failed = 0;
  MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MIN, job.comm());
  if (failed < job.size()) throw_on_all_ranks(job, failed, error);
}

/// Hands out the items 0 .. count - 1 in order, one at a time to whoever is free, and collects what they give on rank
/// 0.
///
/// The main thread of rank 0 answers the others while a second thread of it works too: only the main threads call MPI,
/// and no rank waits for another one's item. If MPI was not initialised for that (MPI_THREAD_FUNNELED), rank 0 only
/// deals. After an error, or when asked to stop, no further item is dealt. Every item dealt before it is finished, so
/// the error thrown on all ranks is that of the first failing item, for every number of ranks.
class Dealer {
 public:
  Dealer(const MpiJob& job, std::size_t count) : job_(job), count_(count) {}

  /// work(k) -> std::vector<double> on any rank; take(k, values) on rank 0, one call at a time; go_on() on the main
  /// thread of rank 0 between answers: false to stop. Returns false if it was stopped so.
  template <class Work, class Take, class GoOn>
  bool run(Work&& work, Take&& take, GoOn&& go_on) {
    std::exception_ptr error;
    if (job_.rank() > 0) {
      error = serve(work);
    } else {
      if (job_.size() == 1)
        work_alone(work, take, go_on);
      else
        deal(work, take, go_on);
      error = error_;
    }
    std::int64_t outcome[2] = {failed_rank_, stopped_ ? 1 : 0};
    job_.broadcast(outcome, 2, 0);
    if (outcome[0] >= 0) throw_on_all_ranks(job_, static_cast<int>(outcome[0]), error);
    return outcome[1] == 0;
  }

 private:
  static constexpr int request_tag = 1, values_tag = 2, answer_tag = 3;
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  enum class Report : std::uint64_t { ready, finished, failed };
  struct Request {
    std::uint64_t report, item, values;
  };

  // --- on rank 0 ---

  std::uint64_t next_item() {
    if (over_) return none;
    const std::uint64_t k = next_++;
    return k < count_ ? k : none;
  }

  void note_failure(int rank, std::uint64_t item, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    over_ = true;
    if (failed_rank_ >= 0 && failed_item_ < item) return;
    failed_rank_ = rank;
    failed_item_ = item;
    error_ = std::move(error);
  }

  /// One item on rank 0 itself; false when there is none left.
  template <class Work, class Take>
  bool work_once(Work& work, Take& take) {
    const std::uint64_t k = next_item();
    if (k == none) return false;
    try {
      const std::vector<double> values = work(static_cast<std::size_t>(k));
      const std::lock_guard lock(mutex_);
      take(static_cast<std::size_t>(k), values);
    } catch (...) {
      note_failure(0, k, std::current_exception());
    }
    return true;
  }

  template <class GoOn>
  void ask(GoOn& go_on) {
    if (over_) return;
    try {
      if (go_on()) return;
      stopped_ = true;
      over_ = true;
    } catch (...) {
      note_failure(0, 0, std::current_exception());
    }
  }

  template <class Work, class Take, class GoOn>
  void work_alone(Work& work, Take& take, GoOn& go_on) {
    while (work_once(work, take)) ask(go_on);
  }

  template <class Work, class Take, class GoOn>
  void deal(Work& work, Take& take, GoOn& go_on) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    std::atomic<bool> working{level >= MPI_THREAD_FUNNELED};
    std::jthread worker;
    if (working)
      worker = std::jthread([&] {
        while (work_once(work, take)) {
        }
        working = false;
      });
    int busy = job_.size() - 1;
    while (busy > 0 || working) {
      int waiting = 0;
      MPI_Status status;
      if (busy > 0) MPI_Iprobe(MPI_ANY_SOURCE, request_tag, job_.comm(), &waiting, &status);
      if (waiting == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      else if (!answer(status.MPI_SOURCE, take))
        --busy;
      ask(go_on);
    }
  }

  /// Takes what a rank brings and gives it the next item; false when it was sent home.
  template <class Take>
  bool answer(int rank, Take& take) {
    Request request{};
    MPI_Recv(&request, 3, MPI_UINT64_T, rank, request_tag, job_.comm(), MPI_STATUS_IGNORE);
    if (request.report == static_cast<std::uint64_t>(Report::failed)) note_failure(rank, request.item, nullptr);
    if (request.report == static_cast<std::uint64_t>(Report::finished)) {
      std::vector<double> values(request.values);
      MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, rank, values_tag, job_.comm(),
               MPI_STATUS_IGNORE);
      const std::lock_guard lock(mutex_);
      take(static_cast<std::size_t>(request.item), values);
    }
    const std::uint64_t item = next_item();
    MPI_Send(&item, 1, MPI_UINT64_T, rank, answer_tag, job_.comm());
    return item != none;
  }

  // --- on the other ranks ---

  template <class Work>
  std::exception_ptr serve(Work& work) {
    std::exception_ptr error;
    Request request{static_cast<std::uint64_t>(Report::ready), 0, 0};
    std::vector<double> values;
    while (true) {
      MPI_Send(&request, 3, MPI_UINT64_T, 0, request_tag, job_.comm());
      if (request.report == static_cast<std::uint64_t>(Report::finished))
        MPI_Send(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, values_tag, job_.comm());
      std::uint64_t item = none;
      MPI_Recv(&item, 1, MPI_UINT64_T, 0, answer_tag, job_.comm(), MPI_STATUS_IGNORE);
      if (item == none) return error;
      try {
        values = work(static_cast<std::size_t>(item));
        request = {static_cast<std::uint64_t>(Report::finished), item, values.size()};
      } catch (...) {
        error = std::current_exception();
        request = {static_cast<std::uint64_t>(Report::failed), item, 0};
      }
    }
  }

  const MpiJob& job_;
  std::uint64_t count_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> over_{false};  ///< nothing more is dealt
  bool stopped_ = false;
  std::mutex mutex_;
  int failed_rank_ = -1;
  std::uint64_t failed_item_ = 0;
  std::exception_ptr error_;
};

}  // namespace fidelity::detail
