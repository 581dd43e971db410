// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/distance/detail/lane_group.hpp>
#include <fidelity/distance/detail/lane_kernels.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>
#include <fidelity/distance/metric.hpp>

namespace fidelity::detail {

/// The distances of a tile, W pairs at a time. T is the type that is computed in.
template <class T>
class LaneTiles {
 public:
  LaneTiles(Isa isa, const Norm& norm, std::size_t channels, std::vector<double> offset = {})
      : own_stamps_(lane_kernel<T>(isa, norm, channels, false)), offset_(std::move(offset)) {
    if (channels == 1) shared_stamps_ = lane_kernel<T>(isa, norm, channels, true);
  }
  /// A copy has memory of its own.
  LaneTiles(const LaneTiles& other)
      : own_stamps_(other.own_stamps_), shared_stamps_(other.shared_stamps_), offset_(other.offset_) {}
  LaneTiles& operator=(const LaneTiles&) = delete;

  /// wanted(r, c) says which distances are; they go to place r * columns.size() + c. So do the limits, where there are
  /// any: infinity stands for a distance above its limit.
  template <class Wanted>
  void operator()(PackedList rows, PackedList columns, const Wanted& wanted, std::span<const double> limits,
                  std::span<double> distances) {
    const auto sweeps = [&](PackedList series, PackedList lanes) {
      return series.size() * ((lanes.size() + width() - 1) / width());
    };
    // The distance is symmetric to the last bit, so lanes may run over rows as well.
    const std::size_t across = columns.size();
    if (sweeps(rows, columns) <= sweeps(columns, rows)) {
      compute(
          rows, columns, wanted, [&](std::size_t r, std::size_t c) { return r * across + c; }, limits, distances);
    } else {
      compute(
          columns, rows, [&](std::size_t c, std::size_t r) { return wanted(r, c); },
          [&](std::size_t c, std::size_t r) { return r * across + c; }, limits, distances);
    }
  }

 private:
  [[nodiscard]] std::size_t width() const { return own_stamps_.width; }

  template <class Wanted, class Place>
  void compute(PackedList series, PackedList lanes, const Wanted& wanted, const Place& place,
               std::span<const double> limits, std::span<double> distances) {
    for (std::size_t first = 0; first < lanes.size(); first += width()) {
      const PackedList group = lanes.subspan(first, std::min(width(), lanes.size() - first));
      std::optional<LaneKernel<T>> kernel;  // chosen when the group is packed, which it is when it is needed
      for (std::size_t r = 0; r < series.size(); ++r) {
        used_.clear();
        for (std::size_t l = 0; l < group.size(); ++l)
          if (wanted(r, first + l)) used_.push_back(l);
        if (used_.empty()) continue;
        if (!kernel) kernel = pack(group);
        const bool finished = sweep(*kernel, *series[r], !limits.empty(), [&] {
          return std::all_of(used_.begin(), used_.end(), [&](std::size_t l) {
            return static_cast<double>(group_.least_cost(l, group[l]->size())) > limits[place(r, first + l)];
          });
        });
        for (const std::size_t l : used_)
          distances[place(r, first + l)] =
              static_cast<double>(finished ? group_.distance(l, group[l]->size()) : infinity<T>());
      }
    }
  }

  LaneKernel<T> pack(PackedList group) {
    const bool shared = shared_stamps_.sweep && LaneGroup<T>::same_stamps(group);
    group_.pack(group, width(), shared, offset_);
    return shared ? shared_stamps_ : own_stamps_;
  }

  /// Sweeps one series against the packed group. With limits some rows at a time, and false as soon as all_above(): a
  /// path meets every row and no step costs less than 0, so that the distance is not less than the least cost of a row.
  /// Rounding does not change that.
  template <class AllAbove>
  bool sweep(const LaneKernel<T>& kernel, const PackedSeries& series, bool limited, const AllAbove& all_above) {
    row_.pack(series, kernel.rows, offset_);
    LaneProblem<T> problem;
    problem.infinity = infinity<T>();
    group_.enter(problem);
    row_.enter(problem);
    const std::size_t rows = problem.rows, step = limited ? 16 * kernel.rows : rows;
    for (problem.rows = 0; problem.rows < rows;) {
      problem.first_row = problem.rows;
      problem.rows = std::min(problem.rows + step, rows);
      kernel.sweep(problem);
      if (limited && all_above()) return false;
    }
    return true;
  }

  LaneKernel<T> own_stamps_, shared_stamps_ = {};
  std::vector<double> offset_;
  LaneGroup<T> group_;
  LaneRowSeries<T> row_;
  std::vector<std::size_t> used_;
};

/// The tile kernel of Twed: lanes in double or float, or pair by pair where the norm has no lanes.
template <class Prepared>
class TwedTiles {
 public:
  TwedTiles(const Norm& norm, std::size_t channels, const TileOptions& options, std::vector<double> offset)
      : norm_(norm),
        lanes_(has_lanes(norm, channels)),
        single_(options.precision == Precision::single),
        full_tiles_(options.isa, norm, channels),
        single_tiles_(options.isa, norm, channels, std::move(offset)) {}

  void operator()(const TileTask<Prepared>& task, std::span<double> distances) {
    rows_.clear();
    columns_.clear();
    for (const Prepared* row : task.rows) rows_.push_back(&row->packed);
    for (const Prepared* column : task.columns) columns_.push_back(&column->packed);
    const auto wanted = [&](std::size_t r, std::size_t c) { return task.wanted(r, c); };
    if (single_) {
      single_tiles_(rows_, columns_, wanted, task.limits, distances);
    } else if (lanes_) {
      full_tiles_(rows_, columns_, wanted, task.limits, distances);
    } else {
      for (std::size_t r = 0; r < rows_.size(); ++r)
        for (std::size_t c = 0; c < columns_.size(); ++c)
          if (wanted(r, c)) distances[r * columns_.size() + c] = twed_sweep(*rows_[r], *columns_[c], norm_);
    }
  }

 private:
  Norm norm_;
  bool lanes_, single_;
  LaneTiles<double> full_tiles_;
  LaneTiles<float> single_tiles_;
  std::vector<const PackedSeries*> rows_, columns_;
};

/// A number for each channel that lies amid the values, so that what float has of digits goes to their differences: the
/// median over all series of the middle of the range. One diverged series does not move it far.
inline std::vector<double> common_offset(PackedList all) {
  std::vector<double> offset;
  for (std::size_t c = 0; !all.empty() && c < all[0]->channels; ++c) {
    std::vector<double> middles;
    for (const PackedSeries* series : all) {
      double low = series->sample(0)[c], high = low;
      for (std::size_t i = 1; i < series->size(); ++i) {
        low = std::min(low, series->sample(i)[c]);
        high = std::max(high, series->sample(i)[c]);
      }
      middles.push_back(low / 2 + high / 2);
    }
    const auto median = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    std::nth_element(middles.begin(), median, middles.end());
    offset.push_back(*median);
  }
  return offset;
}

template <class Prepared>
TwedTiles<Prepared> twed_tiles(const Norm& norm, std::span<const Prepared> rows, std::span<const Prepared> columns,
                               const TileOptions& options) {
  std::vector<const PackedSeries*> all;
  for (const auto& list : {rows, columns})
    for (const Prepared& series : list) all.push_back(&series.packed);
  const std::size_t channels = all.empty() ? 1 : all[0]->channels;
  const bool single = options.precision == Precision::single;
  if (single && !has_lanes(norm, channels))
    fail("Twed", Rule::bad_parameter,
         concat("single precision is there for the norms L1, L2 and maximum, not for ", to_text(norm)),
         {.value = norm.p()});
  return {norm, channels, options, single ? common_offset(all) : std::vector<double>{}};
}

}  // namespace fidelity::detail
