// SPDX-License-Identifier: MIT
// Vectors of numbers for kernels that are compiled for several instruction sets in one program. A kernel is a template
// <class Level> without a target of its own, marked FIDELITY_INLINE, which calls the functions below; what is compiled
// is a wrapper marked FIDELITY_TARGET_AVX2 or alike, into which all of it is inlined. Vectors cross function boundaries
// by reference only (by value they would warn in the user's build). No lambdas in kernels: they do not inherit a
// target.
//
// Level::add, subtract, minimum, magnitude, root act lane by lane and give the bits of the scalar operation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <fidelity/detail/exact.hpp>
#include <fidelity/distance/isa.hpp>

#if defined(__GNUC__)
#define FIDELITY_INLINE [[gnu::always_inline]] inline
#else
#define FIDELITY_INLINE inline
#endif

namespace fidelity::detail {

template <class T, std::size_t Bytes>
struct GnuVector {
  typedef T type __attribute__((vector_size(Bytes)));  // NOLINT: an alias declaration drops the attribute
};

/// The operations that the vector types of the compiler have for every width.
template <class T, std::size_t Bytes>
struct VectorLevel {
  using Scalar = T;
  static constexpr std::size_t width = Bytes / sizeof(T);
  using Vector = typename GnuVector<T, Bytes>::type;
  using Bits = typename GnuVector<std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>, Bytes>::type;

  FIDELITY_INLINE static void load(Vector& x, const T* from) { std::memcpy(&x, from, sizeof x); }
  FIDELITY_INLINE static void store(T* to, const Vector& x) { std::memcpy(to, &x, sizeof x); }
  FIDELITY_INLINE static void add(Vector& out, const Vector& x, const Vector& y) { out = x + y; }
  FIDELITY_INLINE static void subtract(Vector& out, const Vector& x, const Vector& y) { out = x - y; }
  FIDELITY_INLINE static void multiply(Vector& out, const Vector& x, const Vector& y) {
    FIDELITY_EXACT_BODY
    out = x * y;
  }
  FIDELITY_INLINE static void minimum(Vector& out, const Vector& x, const Vector& y) { out = x < y ? x : y; }
  FIDELITY_INLINE static void maximum(Vector& out, const Vector& x, const Vector& y) { out = x > y ? x : y; }
  FIDELITY_INLINE static void magnitude(Vector& out, const Vector& x) {
    constexpr auto mask = sizeof(T) == 8 ? INT64_MAX : INT32_MAX;
    out = (Vector)((Bits)x & (mask - Bits{}));  // NOLINT: the same bits, a cast that only vectors have
  }
};

/// For every processor: 16 bytes, which the compiler splits where the registers are smaller.
template <class T>
struct PortableLevel : VectorLevel<T, 16> {
  using Vector = typename VectorLevel<T, 16>::Vector;
  FIDELITY_EXACT static inline void fill(Vector& x, T value) { x = value - Vector{}; }  // value, also where that is -0
  FIDELITY_EXACT static inline void root(Vector& out, const Vector& x) {
#ifdef FIDELITY_X86_KERNELS
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_sqrtpd(x);
    } else {
      out = __builtin_ia32_sqrtps(x);
    }
#else
    for (std::size_t l = 0; l < PortableLevel::width; ++l) out[l] = std::sqrt(x[l]);
#endif
  }
  // On higher levels these run on the pipes that multiply.
  struct One {};
  FIDELITY_INLINE static void make_one(One&) {}
  FIDELITY_INLINE static void add_fused(Vector& out, const Vector& x, const Vector& y, const One&) { out = x + y; }
  FIDELITY_INLINE static void subtract_fused(Vector& out, const Vector& x, const Vector& y, const One&) { out = x - y; }
};

#ifdef FIDELITY_X86_KERNELS

/// The target of each level. On g++ also: no product is fused with an addition, see FIDELITY_EXACT.
#if defined(__clang__)
#define FIDELITY_TARGET_BASELINE
#define FIDELITY_TARGET_AVX2 [[gnu::target("avx2,fma")]]
#define FIDELITY_TARGET_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]]
#else
#define FIDELITY_TARGET_BASELINE FIDELITY_EXACT
#define FIDELITY_TARGET_AVX2 [[gnu::target("avx2,fma"), gnu::optimize("fp-contract=off")]]
#define FIDELITY_TARGET_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma"), gnu::optimize("fp-contract=off")]]
#endif

/// x + y as x * 1 + y, x - y as y * -1 + x: exact products, so the bits of the sum, on the pipes that multiply. The
/// factors are loaded from memory that the compiler cannot see through, or it would make additions of them again.
template <class V>
struct UnitFactors {
  V plus, minus;
};
template <class V, class T>
FIDELITY_INLINE void make_unit_factors(UnitFactors<V>& one, T value) {
  one.plus = value - V{};
  one.minus = -value - V{};
  asm("" : "+m"(one.plus), "+m"(one.minus));
}

// What has a target of its own or makes a vector of a scalar is plain inline: a kernel has no target before it is
// inlined into its wrapper. value - 0 is value, also for -0.

/// SSE2 is what the compiler makes of the portable level.
template <class T>
using BaselineLevel = PortableLevel<T>;

template <class T>
struct Avx2Level : VectorLevel<T, 32> {
  using Vector = typename VectorLevel<T, 32>::Vector;
  using One = UnitFactors<Vector>;
  FIDELITY_TARGET_AVX2 static inline void fill(Vector& x, T value) { x = value - Vector{}; }
  FIDELITY_INLINE static void make_one(One& one) { make_unit_factors(one, T{1}); }
  FIDELITY_TARGET_AVX2 static inline void multiply_add(Vector& out, const Vector& x, const Vector& y, const Vector& z) {
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_vfmaddpd256(x, y, z);
    } else {
      out = __builtin_ia32_vfmaddps256(x, y, z);
    }
  }
  FIDELITY_INLINE static void add_fused(Vector& out, const Vector& x, const Vector& y, const One& one) {
    multiply_add(out, x, one.plus, y);
  }
  FIDELITY_INLINE static void subtract_fused(Vector& out, const Vector& x, const Vector& y, const One& one) {
    multiply_add(out, y, one.minus, x);
  }
  FIDELITY_TARGET_AVX2 static inline void root(Vector& out, const Vector& x) {
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_sqrtpd256(x);
    } else {
      out = __builtin_ia32_sqrtps256(x);
    }
  }
};

// Masks of the builtins with 8 and 16 lanes, whose types differ between the compilers.
#if defined(__clang__)
inline constexpr unsigned char every_lane8 = 0xff;
inline constexpr unsigned short every_lane16 = 0xffff;
#else
inline constexpr auto every_lane8 = static_cast<char>(-1);
inline constexpr short every_lane16 = -1;
#endif

template <class T>
struct Avx512Level : VectorLevel<T, 64> {
  using Vector = typename VectorLevel<T, 64>::Vector;
  using One = UnitFactors<Vector>;
  FIDELITY_TARGET_AVX512 static inline void fill(Vector& x, T value) { x = value - Vector{}; }
  FIDELITY_INLINE static void make_one(One& one) { make_unit_factors(one, T{1}); }
  FIDELITY_TARGET_AVX512 static inline void multiply_add(Vector& out, const Vector& x, const Vector& y,
                                                         const Vector& z) {
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_vfmaddpd512_mask(x, y, z, every_lane8, 4);  // 4: rounding of the environment
    } else {
      out = __builtin_ia32_vfmaddps512_mask(x, y, z, every_lane16, 4);
    }
  }
  FIDELITY_INLINE static void add_fused(Vector& out, const Vector& x, const Vector& y, const One& one) {
    multiply_add(out, x, one.plus, y);
  }
  FIDELITY_INLINE static void subtract_fused(Vector& out, const Vector& x, const Vector& y, const One& one) {
    multiply_add(out, y, one.minus, x);
  }
  FIDELITY_TARGET_AVX512 static inline void root(Vector& out, const Vector& x) {
#if defined(__clang__)
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_sqrtpd512(x, 4);
    } else {
      out = __builtin_ia32_sqrtps512(x, 4);
    }
#else
    if constexpr (sizeof(T) == 8) {
      out = __builtin_ia32_sqrtpd512_mask(x, x, every_lane8, 4);
    } else {
      out = __builtin_ia32_sqrtps512_mask(x, x, every_lane16, 4);
    }
#endif
  }
};
#endif

}  // namespace fidelity::detail
