// SPDX-License-Identifier: MIT
// Distances over the ranks of an MPI job. A target of its own (fidelity::mpi); nothing else in the library knows of
// MPI.
#pragma once

#include <fidelity/detail/mpi_deal.hpp>  // first: it says which parts of mpi.h are not wanted

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/fill_matrix.hpp>
#include <fidelity/distance/detail/input_hash.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/tiles.hpp>

namespace fidelity::mpi {

/// How the ranks work. Each computes with one thread: start one rank a core.
struct PairwiseOptions {
  ProgressCallback progress = {};  ///< called on rank 0 only: cells (products of lengths) done and in total
  std::optional<Isa> isa = {};     ///< default: the highest level of each machine; the results are the same bits
  Precision precision = Precision::full;
};

/// The matrix of fidelity::pairwise(rows, columns, metric), computed by all ranks of `communicator` and returned on all
/// of them: the same bits as the serial one, for any number of ranks and any mixture of machines. A collective call:
/// every rank makes it, with the same series and the same metric (each loads or makes them itself).
///
/// The tiles of the matrix are dealt one at a time to whoever is free. Rank 0 deals from its main thread and computes
/// in a second one; initialise MPI with MPI_Init_thread and MPI_THREAD_FUNNELED for that, else it only deals. Only the
/// main thread calls MPI.
///
/// An error on one rank (an invalid series, a metric that throws, series that differ from those of rank 0) ends the
/// work: no further tile is dealt, and all ranks throw RankError, which names the rank and what happened there. It is
/// never a hang; a rank that is in the middle of a tile finishes it first (tiles take about ten milliseconds, or one
/// pair where that is longer). Where the progress callback says stop, all ranks throw Cancelled. A rank that dies is
/// the business of mpirun, which then ends the job.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise(MPI_Comm communicator, const Rows& rows, const Columns& columns, const M& metric,
                                  const PairwiseOptions& options = {});

/// The symmetric matrix of one collection with itself.
template <class Rows, class M>
[[nodiscard]] CostMatrix pairwise(MPI_Comm communicator, const Rows& rows, const M& metric,
                                  const PairwiseOptions& options = {});

/// The symmetric matrix of the union, rows first: as fidelity::pairwise_pooled.
template <class Rows, class Columns, class M>
[[nodiscard]] CostMatrix pairwise_pooled(MPI_Comm communicator, const Rows& rows, const Columns& columns,
                                         const M& metric, const PairwiseOptions& options = {});

}  // namespace fidelity::mpi

namespace fidelity::detail {

/// A user's distance whose exceptions say which pair it was.
template <class S, class M>
struct NamingMetric {
  const Collection<S>&rows, &columns;
  const M& metric;

  double operator()(const S& a, const S& b) const {
    try {
      return static_cast<double>(metric(a, b));
    } catch (const std::exception& error) {
      std::throw_with_nested(std::runtime_error(
          concat("the distance of ", pair_text(place(rows, a), place(columns, b)), ": ", error.what())));
    }
  }
  static InputLocation place(const Collection<S>& list, const S& series) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (&list[i] == &series) return list.place(i);
    return {};
  }
};

/// Ranks that hold other data than rank 0 would fill their part of the matrix with plausible numbers.
template <class S>
void require_same_series_on_all_ranks(const MpiJob& job, const Collection<S>& rows, const Collection<S>& columns) {
  InputHash hash;
  for (const auto* list : {&rows, &columns}) {
    hash.add(static_cast<std::uint64_t>(list->size()));
    if constexpr (Sampled<S>)
      add_runs(hash, *list);
    else
      for (std::size_t i = 0; i < list->size(); ++i) hash.add(static_cast<std::uint64_t>(length_of((*list)[i])));
  }
  std::uint64_t expected = hash.value();
  job.broadcast(&expected, 1, 0);
  std::exception_ptr error;
  if (hash.value() != expected)
    error = std::make_exception_ptr(std::invalid_argument(
        "fidelity::mpi::pairwise: its series are not those of rank 0; every rank needs the same"));
  require_success_on_all_ranks(job, error);
}

/// What a rank needs to compute any tile: everything checked and packed.
template <class S, class M>
class RankWork {
  using Origin = decltype(common_origin<S>({}));
  using Runs = Prepared<S, M, Origin>;

 public:
  /// `columns` is `rows` in a symmetric matrix.
  RankWork(const Collection<S>& rows, const Collection<S>& columns, const M& metric,
           const mpi::PairwiseOptions& options)
      : symmetric(&rows == &columns),
        origin_(common_origin<S>({&rows, &columns})),
        rows_(rows, metric, origin_),
        columns_(symmetric ? std::optional<Runs>() : std::optional<Runs>(std::in_place, columns, metric, origin_)),
        list(symmetric ? tiles(rows_.lengths) : tiles(rows_.lengths, columns_->lengths)),
        work_(tile_work(list, rows_, symmetric ? rows_ : *columns_, metric,
                        {chosen_isa("mpi::pairwise", options.isa), options.precision})) {}
  RankWork(const RankWork&) = delete;
  RankWork& operator=(const RankWork&) = delete;

  /// The distances of a tile, in the order of for_each_entry().
  std::vector<double> operator()(std::size_t k) {
    std::vector<double> distances;
    work_(k, NoLimit{}, [&](std::size_t, std::size_t, double distance) {
      distances.push_back(distance);
      return true;
    });
    return distances;
  }
  [[nodiscard]] double cells(std::size_t k) const {
    return cells_of(list, list[k], rows_.lengths, symmetric ? rows_.lengths : columns_->lengths);
  }

  const bool symmetric;

 private:
  Origin origin_;
  Runs rows_;
  std::optional<Runs> columns_;

 public:
  const TileList list;

 private:
  decltype(tile_work(std::declval<const TileList&>(), std::declval<const Runs&>(), std::declval<const Runs&>(),
                     std::declval<const M&>(), TileOptions{})) work_;
};

/// Has rank 0 deal the tiles and collect their distances; false where the progress callback said stop.
template <class S, class M>
bool deal_tiles(const MpiJob& job, RankWork<S, M>& work, CostMatrix& matrix, std::vector<unsigned char>& finished,
                const ProgressCallback& callback) {
  double total = 0;
  for (std::size_t k = 0; k < work.list.size(); ++k) total += work.cells(k);
  ProgressReport progress(callback, total);
  std::atomic<double> done{0};
  Dealer dealer(job, work.list.size());
  const auto take = [&](std::size_t k, const std::vector<double>& distances) {
    std::size_t next = 0;
    for_each_entry(work.list, work.list[k], [&](std::size_t i, std::size_t j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      matrix(row, column) = distances.at(next++);
      if (work.symmetric) matrix(column, row) = matrix(row, column);
      finished[i * static_cast<std::size_t>(matrix.cols()) + j] = 1;
      return true;
    });
    done += work.cells(k);
  };
  return dealer.run(work, take, [&] { return progress.add(done.exchange(0)); });
}

template <class S, class M>
CostMatrix matrix_over_ranks(const MpiJob& job, const Collection<S>& rows, const Collection<S>& columns,
                             const M& metric, const mpi::PairwiseOptions& options) {
  std::optional<RankWork<S, M>> work;
  std::exception_ptr error;
  CostMatrix matrix;
  std::vector<unsigned char> finished;
  try {
    work.emplace(rows, columns, metric, options);
    matrix = empty_matrix(rows.size(), columns.size());
    matrix.setZero();
    finished.resize(rows.size() * columns.size());
  } catch (...) {
    error = std::current_exception();
  }
  require_success_on_all_ranks(job, error);
  require_same_series_on_all_ranks(job, rows, columns);

  if (!deal_tiles(job, *work, matrix, finished, options.progress)) {
    job.broadcast(finished.data(), finished.size(), 0);
    const std::vector<bool> mask(finished.begin(), finished.end());
    const auto count = static_cast<std::size_t>(std::count(mask.begin(), mask.end(), true));
    const std::size_t wanted = work->symmetric ? rows.size() * (rows.size() - 1) / 2 : mask.size();
    throw Cancelled(concat("fidelity::mpi::pairwise: cancelled after ", count, " of ", wanted, " distances"), count,
                    wanted, mask);
  }
  job.broadcast(matrix.data(), static_cast<std::size_t>(matrix.size()), 0);
  return matrix;
}

/// A metric that packs names the series in its errors; any other is made to.
template <class S, class M>
CostMatrix named_matrix_over_ranks(MPI_Comm communicator, const Collection<S>& rows, const Collection<S>& columns,
                                   const M& metric, const mpi::PairwiseOptions& options) {
  static_assert(Metric<M, S>, "the metric must be callable as metric(series, series) -> number");
  const MpiJob job(communicator);
  if constexpr (BatchMetric<M, S>) {
    return matrix_over_ranks(job, rows, columns, metric, options);
  } else {
    return matrix_over_ranks(job, rows, columns, NamingMetric<S, M>{rows, columns, metric}, options);
  }
}

}  // namespace fidelity::detail

namespace fidelity::mpi {

template <class Rows, class Columns, class M>
CostMatrix pairwise(MPI_Comm communicator, const Rows& rows, const Columns& columns, const M& metric,
                    const PairwiseOptions& options) {
  using Series = detail::ElementOf<Rows>;
  const detail::Collection<Series> row_list("rows", rows), column_list("columns", columns);
  return detail::named_matrix_over_ranks(communicator, row_list, column_list, metric, options);
}

template <class Rows, class M>
CostMatrix pairwise(MPI_Comm communicator, const Rows& rows, const M& metric, const PairwiseOptions& options) {
  const detail::Collection<detail::ElementOf<Rows>> list("rows", rows);
  return detail::named_matrix_over_ranks(communicator, list, list, metric, options);
}

template <class Rows, class Columns, class M>
CostMatrix pairwise_pooled(MPI_Comm communicator, const Rows& rows, const Columns& columns, const M& metric,
                           const PairwiseOptions& options) {
  const auto list = detail::union_of(rows, columns);
  return detail::named_matrix_over_ranks(communicator, list, list, metric, options);
}

}  // namespace fidelity::mpi
