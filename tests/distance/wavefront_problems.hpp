// SPDX-License-Identifier: MIT
// Packed series for the kernels of single pairs, and plain sweeps to hold them against.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <fidelity/distance/detail/wavefront.hpp>

namespace problems {

namespace fd = fidelity;
using fd::detail::DiagonalBand;
using fd::detail::PackedSeries;

using Random = std::mt19937;

inline double uniform(Random& random) { return static_cast<double>(random() % 1000003) / 1000003.0; }
inline std::size_t between(Random& random, std::size_t low, std::size_t high) {
  return low + random() % (high - low + 1);
}

enum class Kind { scattered, walk, similar, ties };

/// A series of a kind with irregular stamps. `similar` ones are one sine with small noise, `ties` small integers.
inline PackedSeries packed(Random& random, Kind kind, std::size_t length, std::size_t channels, const fd::Norm& norm,
                           double stiffness, double penalty, double shift = 0) {
  PackedSeries series;
  series.channels = channels;
  double t = kind == Kind::ties ? shift : shift + uniform(random);
  std::vector<double> x(channels);
  for (std::size_t i = 0; i < length; ++i) {
    series.times.push_back(stiffness * t);
    for (double& value : x) {
      const double u = uniform(random);
      if (kind == Kind::scattered) value = 100 * (u - 0.5);
      if (kind == Kind::walk) value += u - 0.5;
      if (kind == Kind::similar) value = std::sin(6.28 * t / static_cast<double>(length)) + 0.1 * (u - 0.5);
      if (kind == Kind::ties) value = std::floor(4 * u);
      series.values.push_back(value);
    }
    t += kind == Kind::ties ? std::floor(1 + 2 * uniform(random)) : 0.5 + uniform(random);
  }
  fd::detail::fill_deletions(series, penalty, norm);
  return series;
}

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

inline DiagonalBand whole(const PackedSeries& a, const PackedSeries& b) {
  return fd::detail::band_about_corners(a.size(), b.size(), std::min(a.size(), b.size()));
}

/// The wavefront alone, without the choice of an orientation, a band or another way for short series. `portable` is the
/// form for other processors, of one channel.
inline double wavefront(const PackedSeries& a, const PackedSeries& b, const DiagonalBand& band, const fd::Norm& norm,
                        fd::Isa isa) {
  fd::detail::WavefrontMemory<double> memory(fd::detail::as_sweep_series(a), fd::detail::as_sweep_series(b));
  if (isa == fd::Isa::portable && a.channels == 1) {
    memory.reset();
    return fd::detail::wavefront<fd::detail::PortableLevel<double>, fd::detail::FoldSum, true>(memory, band);
  }
  return fd::detail::wavefront_in_band(memory, band, norm, isa);
}

/// All partial costs; infinite outside the band.
template <class T, class Distance>
std::vector<std::vector<T>> table(const PackedSeries& a, const PackedSeries& b, const DiagonalBand& band,
                                  Distance distance) {
  const T infinite = std::numeric_limits<T>::infinity();
  const std::size_t n = a.size(), m = b.size();
  const auto number = [](double x) { return static_cast<T>(x); };
  std::vector<std::vector<T>> cost(n, std::vector<T>(m, infinite));
  const auto match = [&](std::size_t i, std::size_t j) {
    return distance(i, j) + std::abs(number(a.times[i]) - number(b.times[j]));
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const auto k = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j);
      if (k < band.lowest || k > band.highest) continue;
      T best = i == 0 && j == 0 ? match(0, 0) : infinite;
      if (i > 0 && j > 0) best = std::min(best, (cost[i - 1][j - 1] + match(i - 1, j - 1)) + match(i, j));
      if (i > 0) best = std::min(best, cost[i - 1][j] + number(a.deletions[i]));
      if (j > 0) best = std::min(best, cost[i][j - 1] + number(b.deletions[j]));
      cost[i][j] = best;
    }
  return cost;
}
inline std::vector<std::vector<double>> table(const PackedSeries& a, const PackedSeries& b, const DiagonalBand& band) {
  return table<double>(a, b, band, [&](std::size_t i, std::size_t j) { return std::abs(a.values[i] - b.values[j]); });
}

}  // namespace problems
