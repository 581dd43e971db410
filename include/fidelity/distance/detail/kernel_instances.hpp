// SPDX-License-Identifier: MIT
// The kernels that a distance can choose from, as a list: FIDELITY_TWED_KERNELS(extern) says that they are compiled
// somewhere else, FIDELITY_TWED_KERNELS() compiles them here.
#pragma once

#include <fidelity/distance/detail/lane_kernels.hpp>
#include <fidelity/distance/detail/wavefront.hpp>

#define FIDELITY_LANE_KERNELS_OF(prefix, sweep, T)                                               \
  prefix template void sweep<T, LaneMagnitude, true, false>(const LaneProblem<T>&);              \
  prefix template void sweep<T, LaneMagnitude, false, true>(const LaneProblem<T>&);              \
  prefix template void sweep<T, LaneChannels<FoldMaximum>, false, false>(const LaneProblem<T>&); \
  prefix template void sweep<T, LaneChannels<FoldSum>, false, false>(const LaneProblem<T>&);     \
  prefix template void sweep<T, LaneChannels<FoldSquares>, false, false>(const LaneProblem<T>&);
#define FIDELITY_WAVEFRONT_KERNELS_OF(prefix, sweep)                                                       \
  prefix template double sweep<double, FoldSum, true>(WavefrontMemory<double>&, const DiagonalBand&);      \
  prefix template double sweep<double, FoldMaximum, false>(WavefrontMemory<double>&, const DiagonalBand&); \
  prefix template double sweep<double, FoldSum, false>(WavefrontMemory<double>&, const DiagonalBand&);     \
  prefix template double sweep<double, FoldSquares, false>(WavefrontMemory<double>&, const DiagonalBand&);

#ifdef FIDELITY_X86_KERNELS
#define FIDELITY_TWED_KERNELS(prefix)                           \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_portable, double) \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_portable, float)  \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_avx2, double)     \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_avx2, float)      \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_avx512, double)   \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_avx512, float)    \
  FIDELITY_WAVEFRONT_KERNELS_OF(prefix, wavefront_baseline)     \
  FIDELITY_WAVEFRONT_KERNELS_OF(prefix, wavefront_avx2)         \
  FIDELITY_WAVEFRONT_KERNELS_OF(prefix, wavefront_avx512)
#else
#define FIDELITY_TWED_KERNELS(prefix)                           \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_portable, double) \
  FIDELITY_LANE_KERNELS_OF(prefix, lane_sweep_portable, float)
#endif
