// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <fidelity/distance/detail/lane_sweep.hpp>
#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/norm.hpp>

namespace fidelity::detail {

/// A compiled sweep and its shape: lanes, and rows of a block.
template <class T>
struct LaneKernel {
  void (*sweep)(const LaneProblem<T>&);
  std::size_t width, rows;
};

// Rows of a block: as many as registers hold (docs/tried_slower.md).
inline constexpr int portable_rows = 2, avx2_rows = 2, avx512_rows = 4;

template <class T, class Point, bool shared, bool signs>
FIDELITY_EXACT void lane_sweep_portable(const LaneProblem<T>& p) {
  lane_sweep<PortableLevel<T>, Point, portable_rows, shared, signs>(p);
}
#ifdef FIDELITY_X86_KERNELS
template <class T, class Point, bool shared, bool signs>
FIDELITY_TARGET_AVX2 void lane_sweep_avx2(const LaneProblem<T>& p) {
  lane_sweep<Avx2Level<T>, Point, avx2_rows, shared, signs>(p);
}
template <class T, class Point, bool shared, bool signs>
FIDELITY_TARGET_AVX512 void lane_sweep_avx512(const LaneProblem<T>& p) {
  lane_sweep<Avx512Level<T>, Point, avx512_rows, shared, signs>(p);
}
#endif

template <class T, class Point, bool shared, bool signs>
LaneKernel<T> lane_kernel_at([[maybe_unused]] Isa isa) {
#ifdef FIDELITY_X86_KERNELS
  if (isa == Isa::avx2) return {lane_sweep_avx2<T, Point, shared, signs>, Avx2Level<T>::width, avx2_rows};
  if (isa == Isa::avx512) return {lane_sweep_avx512<T, Point, shared, signs>, Avx512Level<T>::width, avx512_rows};
#endif
  return {lane_sweep_portable<T, Point, shared, signs>, PortableLevel<T>::width, portable_rows};
}

/// Whether a norm has lane kernels: all but general p.
inline bool has_lanes(const Norm& norm, std::size_t channels) {
  return channels == 1 || norm.is_maximum() || norm.p() == 1 || norm.p() == 2;
}

/// The kernel for a norm that has them. `shared`: all lanes have the same stamps; one channel only.
template <class T>
LaneKernel<T> lane_kernel(Isa isa, const Norm& norm, std::size_t channels, bool shared) {
  if (channels == 1)
    return shared ? lane_kernel_at<T, LaneMagnitude, true, false>(isa)
                  : lane_kernel_at<T, LaneMagnitude, false, true>(isa);
  if (norm.is_maximum()) return lane_kernel_at<T, LaneChannels<FoldMaximum>, false, false>(isa);
  if (norm.p() == 1) return lane_kernel_at<T, LaneChannels<FoldSum>, false, false>(isa);
  return lane_kernel_at<T, LaneChannels<FoldSquares>, false, false>(isa);
}

}  // namespace fidelity::detail
