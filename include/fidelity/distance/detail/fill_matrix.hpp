// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/exact.hpp>
#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/tiles.hpp>

namespace fidelity::detail {

/// Channels are compared by position. The same names in another order are a mix-up that would give a plausible number.
template <class S>
bool same_names_in_other_order(const S& a, const S& b) {
  const auto x = a.channel_names(), y = b.channel_names();
  return !std::equal(x.begin(), x.end(), y.begin(), y.end()) &&
         std::is_permutation(x.begin(), x.end(), y.begin(), y.end());
}

/// A packing metric compares points of one space: refuses series that have another number of channels than the first,
/// or the same channels in another order.
template <class A, class B>
void require_same_channels(const A& rows, const B& columns) {
  if constexpr (A::packs && requires { rows.list[0].channels(); }) {
    const auto& first = rows.list.size() > 0 ? rows.list : columns.list;
    const auto check = [&](const auto& list) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].channels() != first[0].channels())
          fail("pairwise", Rule::channel_mismatch,
               concat(pair_text(first.place(0), list.place(i)), " have ", first[0].channels(), " and ",
                      list[i].channels(), " channels"),
               list.place(i));
        if (same_names_in_other_order(first[0], list[i]))
          fail("pairwise", Rule::channel_mismatch,
               concat(pair_text(first.place(0), list.place(i)), " have the same channels in another order"),
               list.place(i));
      }
    };
    check(rows.list);
    check(columns.list);
  }
}

[[noreturn]] inline void throw_overflow(const InputLocation& a, const InputLocation& b, std::size_t i, std::size_t j,
                                        std::string_view type) {
  throw Overflow(
      concat("fidelity::pairwise: the distance of ", pair_text(a, b), " is outside the range of ", std::string(type)),
      std::pair{i, j});
}

/// No cutoff: every distance is wanted, and one that is no finite number is an error.
struct NoLimit {
  double operator()(std::size_t, std::size_t) const { return 0; }
};
template <class Limit>
inline constexpr bool limits_distances = !std::is_same_v<Limit, NoLimit>;

// Both kinds of work call entry(i, j, distance) for the entries of tile k, in their order, until it returns false. With
// a limit(i, j), a distance that is certain to lie above it may be infinite.

/// The distances of a tile, one entry after the other: any callable.
template <class A, class B, class M>
class EntryWork {
 public:
  EntryWork(const TileList& list, const A& rows, const B& columns, const M& metric)
      : list_(list), rows_(rows), columns_(columns), metric_(metric) {}

  template <class Limit, class Entry>
  bool operator()(std::size_t k, const Limit& limit, Entry&& entry) const {
    return for_each_entry(list_, list_[k], [&](std::size_t i, std::size_t j) {
      return entry(i, j, checked_distance(i, j, limits_distances<Limit> && is_finite(limit(i, j))));
    });
  }

 private:
  /// One entry, or an error that names the pair.
  double checked_distance(std::size_t i, std::size_t j, bool may_overflow) const {
    double distance = 0;
    try {
      distance = static_cast<double>(metric_(rows_[i], columns_[j]));
    } catch (const Overflow&) {
      if (may_overflow) return infinity<double>();
      throw_overflow(rows_.list.place(i), columns_.list.place(j), i, j, "double");
    }
    if (!is_finite(distance) || distance < 0) {
      InputLocation where = rows_.list.place(i);
      where.sample = j;
      where.value = distance;
      throw InputError(Rule::bad_distance,
                       concat("fidelity::pairwise: a distance must be finite and not negative; that of ",
                              pair_text(where, columns_.list.place(j)), " is ", distance),
                       where);
    }
    return distance;
  }

  const TileList& list_;
  const A& rows_;
  const B& columns_;
  const M& metric_;
};

/// The distances of a tile at once: a metric that has a kernel for it.
template <class A, class B, class Kernel>
class KernelWork {
 public:
  KernelWork(const TileList& list, const A& rows, const B& columns, Kernel kernel, Precision precision)
      : list_(list), rows_(rows), columns_(columns), kernel_(std::move(kernel)), precision_(precision) {}

  template <class Limit, class Entry>
  bool operator()(std::size_t k, const Limit& limit, Entry&& entry) {
    using Item = typename A::Item;
    const Tile& tile = list_[k];
    std::vector<const Item*> rows, columns;
    for (std::size_t p = tile.row_begin; p < tile.row_end; ++p) rows.push_back(&rows_.items[list_.row_order[p]]);
    for (std::size_t q = tile.column_begin; q < tile.column_end; ++q)
      columns.push_back(&columns_.items[list_.column_order[q]]);
    const auto diagonal =
        list_.symmetric ? static_cast<std::ptrdiff_t>(tile.row_begin) - static_cast<std::ptrdiff_t>(tile.column_begin)
                        : -static_cast<std::ptrdiff_t>(rows.size());
    distances_.resize(rows.size() * columns.size());
    const auto place = [&](std::size_t r, std::size_t c) {
      const std::size_t i = list_.row_order[tile.row_begin + r], j = list_.column_order[tile.column_begin + c];
      return list_.symmetric ? std::pair(std::min(i, j), std::max(i, j)) : std::pair(i, j);
    };
    TileTask<Item> task{rows, columns, diagonal, {}};
    if constexpr (limits_distances<Limit>) {
      limits_.clear();
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c) {
          const auto [i, j] = place(r, c);
          limits_.push_back(task.wanted(r, c) ? limit(i, j) : 0.0);
        }
      task.limits = limits_;
    }
    kernel_(task, std::span<double>(distances_));

    for (std::size_t r = 0; r < rows.size(); ++r)  // the order of for_each_entry()
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!task.wanted(r, c)) continue;
        const auto [i, j] = place(r, c);
        const double distance = distances_[r * columns.size() + c];
        if (!is_finite(distance) && !(limits_distances<Limit> && is_finite(limit(i, j))))
          throw_overflow(rows_.list.place(i), columns_.list.place(j), i, j,
                         precision_ == Precision::single ? "float, the precision asked for" : "double");
        if (!entry(i, j, distance)) return false;
      }
    return true;
  }

 private:
  const TileList& list_;
  const A& rows_;
  const B& columns_;
  Kernel kernel_;
  Precision precision_;
  std::vector<double> distances_, limits_;
};

/// What computes the tiles of a matrix; copied for every thread.
template <class A, class B, class M>
auto tile_work(const TileList& list, const A& rows, const B& columns, const M& metric, const TileOptions& options) {
  require_same_channels(rows, columns);
  if constexpr (A::has_kernel) {
    using Items = std::span<const typename A::Item>;
    return KernelWork(list, rows, columns, metric.tile_kernel(Items(rows.items), Items(columns.items), options),
                      options.precision);
  } else {
    if (options.precision == Precision::single)
      fail("pairwise", Rule::bad_parameter, "this metric has no kernels in single precision");
    return EntryWork(list, rows, columns, metric);
  }
}

/// Computes all distances tile by tile and calls put(i, j, distance) for each, from several threads: i < j in a
/// symmetric list.
template <class A, class B, class M, class Limit, class Put>
void for_each_distance(const TileList& list, const A& rows, const B& columns, const M& metric,
                       std::optional<unsigned> threads, const ProgressCallback& callback, const TileOptions& options,
                       const Limit& limit, const Put& put) {
  const bool symmetric = list.symmetric;
  const auto prototype = tile_work(list, rows, columns, metric, options);
  const std::size_t n = rows.lengths.size(), m = columns.lengths.size();
  double cells = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = symmetric ? i + 1 : 0; j < m; ++j)
      cells += static_cast<double>(rows.lengths[i]) * static_cast<double>(columns.lengths[j]);

  ProgressReport progress(callback, cells);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> finished(callback ? list.size() : 0);
  parallel_for_with(list.size(), thread_count(threads, cells > 4e6), [&] {
    return [&, work = prototype](std::size_t k) mutable {
      return work(k, limit, [&, k](std::size_t i, std::size_t j, double distance) {
        put(i, j, distance);
        if (callback) finished[k].emplace_back(i, j);
        return progress.add(static_cast<double>(rows.lengths[i]) * static_cast<double>(columns.lengths[j]));
      });
    };
  });
  if (progress.cancelled()) {
    std::vector<bool> mask(n * m, false);
    std::size_t count = 0;
    for (const auto& tile : finished)
      for (const auto& [i, j] : tile) mask[i * m + j] = true, ++count;
    const std::size_t total = symmetric ? n * (n - 1) / 2 : n * m;
    throw Cancelled(concat("fidelity::pairwise: cancelled after ", count, " of ", total, " distances"), count, total,
                    std::move(mask));
  }
}

/// Fills a matrix. In a symmetric one each pair is computed once and mirrored.
template <class Matrix, class A, class B, class M>
void fill_matrix(Matrix& matrix, const TileList& list, const A& rows, const B& columns, const M& metric,
                 std::optional<unsigned> threads, const ProgressCallback& callback, bool symmetric,
                 const TileOptions& options = {}) {
  for_each_distance(list, rows, columns, metric, threads, callback, options, NoLimit{},
                    [&](std::size_t row, std::size_t column, double distance) {
                      const auto i = static_cast<Eigen::Index>(row), j = static_cast<Eigen::Index>(column);
                      matrix(i, j) = distance;
                      if (symmetric) matrix(j, i) = distance;
                    });
  if (symmetric)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, i) = 0;
}

}  // namespace fidelity::detail
