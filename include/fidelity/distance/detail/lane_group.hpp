// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fidelity/distance/detail/lane_sweep.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>

namespace fidelity::detail {

/// Memory that begins at a cache line, grows and is used again.
template <class T>
class LaneMemory {
 public:
  T* reserve(std::size_t count) {
    constexpr std::size_t line = 64 / sizeof(T);
    if (count + line > capacity_) {
      memory_.reset();  // first, so that both are not held at once
      memory_ = std::make_unique_for_overwrite<T[]>(count + line);
      capacity_ = count + line;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return memory_.get() + (64 - address % 64) % 64 / sizeof(T);
  }

 private:
  std::unique_ptr<T[]> memory_;
  std::size_t capacity_ = 0;
};

using PackedList = std::span<const PackedSeries* const>;

/// Up to W column series, interleaved as LaneProblem wants them. Values are taken relative to `offset` (one number a
/// channel), then rounded to T.
template <class T>
class LaneGroup {
 public:
  /// Whether the stamps of all series are the bits of those of the longest, as far as they go.
  static bool same_stamps(PackedList series) {
    const PackedSeries& longest = **std::max_element(series.begin(), series.end(), shorter);
    return std::all_of(series.begin(), series.end(), [&](const PackedSeries* one) {
      return std::equal(one->times.begin(), one->times.end(), longest.times.begin());
    });
  }

  void pack(PackedList series, std::size_t width, bool shared, std::span<const double> offset) {
    const PackedSeries& longest = **std::max_element(series.begin(), series.end(), shorter);
    const std::size_t channels = longest.channels, stride = lane_stride<T>(width, channels, shared);
    length_ = longest.size();
    columns_ = memory_.reserve(checked_product("pairwise", length_, stride));
    const std::size_t padded = (length_ + lane_chunk - 1) / lane_chunk * lane_chunk;
    earliest_ = stamp_memory_.reserve(shared ? padded : 2 * padded);
    latest_ = shared ? earliest_ : earliest_ + padded;
    for (std::size_t j = 0; j < padded; ++j)
      earliest_[j] = latest_[j] = static_cast<T>(longest.times[std::min(j, length_ - 1)]);
    for (std::size_t l = 0; l < width; ++l) {
      const PackedSeries& one = *series[std::min(l, series.size() - 1)];  // lanes to spare repeat the last
      T* at = columns_ + l;
      for (std::size_t j = 0; j < length_; ++j, at += stride) {
        const std::size_t i = std::min(j, one.size() - 1);
        for (std::size_t c = 0; c < channels; ++c)
          at[c * width] = static_cast<T>(offset.empty() ? one.sample(i)[c] : one.sample(i)[c] - offset[c]);
        T* const rest = at + channels * width;
        rest[shared ? 0 : width] = static_cast<T>(one.deletions[i]);
        if (shared) continue;
        // After its end a lane goes on with stamps that do not spoil the order of those of the others.
        const double stamp = j < one.size() ? one.times[j] : std::max(one.times.back(), longest.times[j]);
        rest[0] = static_cast<T>(stamp);
        earliest_[j] = std::min(earliest_[j], rest[0]);
        latest_[j] = std::max(latest_[j], rest[0]);
      }
    }
    stride_ = stride;
    width_ = width;
  }

  void enter(LaneProblem<T>& problem) const {
    problem.columns = columns_;
    problem.length = length_;
    problem.earliest = earliest_;
    problem.latest = latest_;
  }
  /// D of the last row: the distance of a lane whose series has `length` samples.
  [[nodiscard]] T distance(std::size_t lane, std::size_t length) const {
    return columns_[length * stride_ - 2 * width_ + lane];
  }
  /// The least D of the last row of a lane whose series has `length` samples.
  [[nodiscard]] T least_cost(std::size_t lane, std::size_t length) const {
    T least = distance(lane, 1);
    for (std::size_t j = 2; j <= length; ++j) least = std::min(least, distance(lane, j));
    return least;
  }

 private:
  static bool shorter(const PackedSeries* a, const PackedSeries* b) { return a->size() < b->size(); }

  LaneMemory<T> memory_, stamp_memory_;
  T *columns_ = nullptr, *earliest_ = nullptr, *latest_ = nullptr;
  std::size_t length_ = 0, stride_ = 0, width_ = 0;
};

/// The row series of a sweep, with samples in front so that the number of rows is a multiple of that of a block.
template <class T>
class LaneRowSeries {
 public:
  void pack(const PackedSeries& series, std::size_t block, std::span<const double> offset) {
    padding_ = (block - series.size() % block) % block;
    rows_ = series.size() + padding_;
    values_.resize(rows_ * series.channels);
    times_.resize(rows_);
    deletions_.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t k = i < padding_ ? 0 : i - padding_;
      times_[i] = static_cast<T>(series.times[k]);
      deletions_[i] = static_cast<T>(series.deletions[k]);
      for (std::size_t c = 0; c < series.channels; ++c)
        values_[i * series.channels + c] =
            static_cast<T>(offset.empty() ? series.sample(k)[c] : series.sample(k)[c] - offset[c]);
    }
    channels_ = series.channels;
  }
  void enter(LaneProblem<T>& problem) const {
    problem.channels = channels_;
    problem.values = values_.data();
    problem.times = times_.data();
    problem.deletions = deletions_.data();
    problem.rows = rows_;
    problem.padding = padding_;
  }

 private:
  std::vector<T> values_, times_, deletions_;
  std::size_t rows_ = 0, padding_ = 0, channels_ = 1;
};

}  // namespace fidelity::detail
