// SPDX-License-Identifier: MIT
// FIDELITY_EXACT before a function and FIDELITY_EXACT_BODY as its first statement: no product is fused with a following
// addition inside it, also where the user's flags allow it, so that results are the same bits on every machine. What it
// calls and wants inlined carries FIDELITY_EXACT too. The one exception: clang with -ffp-contract=fast (or -ffast-math)
// fuses in spite of its pragma.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__clang__)
#define FIDELITY_EXACT
#define FIDELITY_EXACT_BODY _Pragma("clang fp contract(off)")
#elif defined(__GNUC__)
#define FIDELITY_EXACT [[gnu::optimize("fp-contract=off")]]
#define FIDELITY_EXACT_BODY
#else
#define FIDELITY_EXACT
#define FIDELITY_EXACT_BODY
#endif

namespace fidelity::detail {

/// Infinity, made from its bits: also where the user's options assume that there is none.
template <class T>
constexpr T infinity() {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(std::uint64_t{0x7ff0000000000000U});
  } else {
    static_assert(std::is_same_v<T, float>);
    return std::bit_cast<float>(std::uint32_t{0x7f800000U});
  }
}

}  // namespace fidelity::detail
