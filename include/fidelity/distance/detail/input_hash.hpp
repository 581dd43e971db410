// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail {

/// FNV-1a over 64-bit words, low byte first: the same on every platform, and a few lines in any language.
class InputHash {
 public:
  void add(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) value_ = (value_ ^ ((word >> shift) & 0xffU)) * 0x100000001b3U;
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(is_nan(x) ? std::numeric_limits<double>::quiet_NaN() : x)); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

template <TimePoint Time>
void add_stamp(InputHash& hash, Time t) {
  if constexpr (std::same_as<Time, double>) {
    hash.add(t);
  } else if constexpr (std::integral<typename Time::rep>) {
    hash.add(static_cast<std::uint64_t>(t.time_since_epoch().count()));
  } else {
    hash.add(static_cast<double>(t.time_since_epoch().count()));
  }
}

/// A run with values that can be read one by one.
template <class S>
concept Sampled = HasTimes<S> && requires(const S& series, std::size_t i) {
  { series.size() } -> std::convertible_to<std::size_t>;
  { series.channels() } -> std::convertible_to<std::size_t>;
  { series(i, i) } -> std::convertible_to<double>;
};

/// Per run: number of samples and of channels, then of each sample its stamp and its values.
template <class S>
void add_runs(InputHash& hash, const Collection<S>& list) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const S& run = list[k];
    hash.add(std::uint64_t{run.size()});
    hash.add(std::uint64_t{run.channels()});
    for (std::size_t i = 0; i < run.size(); ++i) {
      add_stamp(hash, run.time(i));
      for (std::size_t c = 0; c < run.channels(); ++c) hash.add(static_cast<double>(run(i, c)));
    }
  }
}

/// Of runs that are no series: the distances between both sides, row by row.
inline std::uint64_t matrix_hash(const CostMatrix& matrix) {
  InputHash hash;
  hash.add(static_cast<std::uint64_t>(matrix.rows()));
  hash.add(static_cast<std::uint64_t>(matrix.cols()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) hash.add(matrix(i, j));
  return hash.value();
}

}  // namespace fidelity::detail
