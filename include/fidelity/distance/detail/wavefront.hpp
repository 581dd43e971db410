// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include <fidelity/distance/detail/exact_band.hpp>
#include <fidelity/distance/detail/lane_kernels.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>
#include <fidelity/distance/detail/wavefront_block.hpp>
#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/norm.hpp>

namespace fidelity::detail {

#ifdef FIDELITY_X86_KERNELS
template <class T, class Fold, bool OneChannel>
FIDELITY_TARGET_BASELINE T wavefront_baseline(WavefrontMemory<T>& memory, const DiagonalBand& band) {
  return wavefront<BaselineLevel<T>, Fold, OneChannel>(memory, band);
}
template <class T, class Fold, bool OneChannel>
FIDELITY_TARGET_AVX2 T wavefront_avx2(WavefrontMemory<T>& memory, const DiagonalBand& band) {
  return wavefront<Avx2Level<T>, Fold, OneChannel>(memory, band);
}
template <class T, class Fold, bool OneChannel>
FIDELITY_TARGET_AVX512 T wavefront_avx512(WavefrontMemory<T>& memory, const DiagonalBand& band) {
  return wavefront<Avx512Level<T>, Fold, OneChannel>(memory, band);
}
#endif

/// Without vectors the plain sweep is as fast, so on x86-64 a portable form is not compiled: `isa` is above it there.
template <class Fold, bool OneChannel, class T>
T wavefront_at_level(WavefrontMemory<T>& memory, const DiagonalBand& band, [[maybe_unused]] Isa isa) {
#ifdef FIDELITY_X86_KERNELS
  if (isa == Isa::avx512) return wavefront_avx512<T, Fold, OneChannel>(memory, band);
  if (isa == Isa::avx2) return wavefront_avx2<T, Fold, OneChannel>(memory, band);
  return wavefront_baseline<T, Fold, OneChannel>(memory, band);
#else
  return wavefront<PortableLevel<T>, Fold, OneChannel>(memory, band);
#endif
}

/// The value of the last cell when only cells in the band are used, and some beside it: the distance for the exact band
/// and any wider one, else never below it. Both corners must lie in the band.
template <class T>
T wavefront_in_band(WavefrontMemory<T>& memory, const DiagonalBand& band, const Norm& norm, Isa isa) {
  memory.reset();
  if (memory.a.channels == 1) return wavefront_at_level<FoldSum, true>(memory, band, isa);
  if (norm.is_maximum()) return wavefront_at_level<FoldMaximum, false>(memory, band, isa);
  if (norm.p() == 1) return wavefront_at_level<FoldSum, false>(memory, band, isa);
  return wavefront_at_level<FoldSquares, false>(memory, band, isa);
}

inline SweepSeries<double> as_sweep_series(const PackedSeries& a) {
  return {a.channels, a.size(), a.times.data(), a.values.data(), a.deletions.data()};
}

/// The exact band where it is much narrower than the table and worth its search, else the whole table. `a` is the
/// shorter series.
inline DiagonalBand band_for_pair(WavefrontMemory<double>& memory, const PackedSeries& a, const PackedSeries& b,
                                  const Norm& norm, Isa isa) {
  constexpr std::size_t shortest = 128, narrow = 12, block = 32;
  const std::size_t n = a.size(), m = b.size();
  const DiagonalBand whole = band_about_corners(n, m, n);
  if (m < shortest || m - n > m / 2) return whole;

  double first_match = 0, bound = 0;
  with_point_distance(norm, a.channels, [&](auto distance) {
    first_match = distance(a.sample(0), b.sample(0)) + std::abs(a.times[0] - b.times[0]);
    bound = diagonal_cost(a, b, distance);
  });
  std::vector<double> deletions_a(a.deletions.begin() + 1, a.deletions.end());
  std::vector<double> deletions_b(b.deletions.begin() + 1, b.deletions.end());
  const double all = std::accumulate(deletions_a.begin(), deletions_a.end(), 0.0) +
                     std::accumulate(deletions_b.begin(), deletions_b.end(), 0.0);
  if (!(bound < all)) return whole;  // series so different that the diagonal says nothing
  // A sweep of a narrow band gives a better bound. It must be cheap beside the table, and the diagonal not good enough.
  if (20 * (m - n + 2 * (narrow + block)) < m && bound > all / 8)
    bound = std::min(bound, wavefront_in_band(memory, band_about_corners(n, m, narrow), norm, isa));
  const auto limit = static_cast<std::size_t>(0.45 * static_cast<double>(m)) - (m - n) / 2;
  const auto margin = band_margin(deletions_a, deletions_b, first_match, bound, limit);
  return margin ? band_about_corners(n, m, *margin) : whole;
}

/// In plain C++ only one channel gains, and only where the compiler makes vectors of it.
constexpr bool portable_wavefront([[maybe_unused]] std::size_t channels) {
#ifdef FIDELITY_X86_KERNELS
  return false;
#else
  return channels == 1;
#endif
}

/// The distance of one pair, bit for bit that of twed_sweep() at every level, by the fastest way. O(n m) time at most,
/// O(n + m) memory.
inline double wavefront_sweep(const PackedSeries& a, const PackedSeries& b, const Norm& norm, Isa isa) {
  constexpr std::size_t shortest = 32;  // below it lanes would mostly be empty
  const bool lanes = has_lanes(norm, a.channels) && (isa != Isa::portable || portable_wavefront(a.channels));
  if (!lanes || std::min(a.size(), b.size()) < shortest) return twed_sweep(a, b, norm);
  const bool swapped = a.size() > b.size();  // the distance is symmetric, bit for bit; columns are cheaper than rows
  const PackedSeries& shorter = swapped ? b : a;
  const PackedSeries& longer = swapped ? a : b;
  WavefrontMemory<double> memory(as_sweep_series(shorter), as_sweep_series(longer));
  return wavefront_in_band(memory, band_for_pair(memory, shorter, longer, norm, isa), norm, isa);
}

}  // namespace fidelity::detail
