// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>

/// Defined where vector kernels are compiled beside the portable ones: x86-64 with g++ or clang.
#if defined(__x86_64__) && defined(__GNUC__)
#define FIDELITY_X86_KERNELS 1
#endif

namespace fidelity {

/// Which instructions a kernel uses, from few to many. Results are the same bits at every level. `portable` asks for
/// none in particular and is everywhere; the others exist on x86-64: `baseline` is SSE2, which every such processor
/// has, `avx2` is AVX2 with FMA, `avx512` is AVX-512 F, DQ and VL.
enum class Isa { portable, baseline, avx2, avx512 };

/// The name of a level as in the source: "portable", "baseline", "avx2", "avx512".
[[nodiscard]] constexpr std::string_view to_text(Isa isa) {
  constexpr std::string_view names[] = {"portable", "baseline", "avx2", "avx512"};
  return names[static_cast<int>(isa)];
}

/// The highest level that this machine has. The processor is asked once.
[[nodiscard]] inline Isa detected_isa() {
#ifdef FIDELITY_X86_KERNELS
  static const Isa detected = [] {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Isa::baseline;
    const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? Isa::avx512 : Isa::avx2;
  }();
  return detected;
#else
  return Isa::portable;
#endif
}

/// All levels that this machine has, from few instructions to many.
[[nodiscard]] inline std::vector<Isa> available_isas() {
  std::vector<Isa> levels;
  for (const Isa isa : {Isa::portable, Isa::baseline, Isa::avx2, Isa::avx512})
    if (isa <= detected_isa()) levels.push_back(isa);
  return levels;
}

namespace detail {
/// The level to use: as asked, else the highest. InputError where this machine does not have it.
inline Isa chosen_isa(std::string_view function, std::optional<Isa> asked) {
  if (!asked) return detected_isa();
  if (*asked > detected_isa())
    fail(function, Rule::bad_parameter,
         concat("this machine does not have the instructions of level ", to_text(*asked), "; its highest level is ",
                to_text(detected_isa())));
  return *asked;
}
}  // namespace detail

}  // namespace fidelity
