// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cfloat>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <fidelity/io/detail/text.hpp>

namespace fidelity::detail::io {

/// Powers of ten that the number type holds exactly, and the largest integer up to which it holds all.
template <class Scalar>
struct ExactPowers;
template <>
struct ExactPowers<double> {
  static constexpr std::uint64_t most = std::uint64_t{1} << 53;
  static constexpr std::array<double, 23> tens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
};
template <>
struct ExactPowers<float> {
  static constexpr std::uint64_t most = std::uint64_t{1} << 24;
  static constexpr std::array<float, 11> tens{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
};

/// Whether the quotient of two numbers of the type is rounded once, to nearest.
#ifdef __FAST_MATH__
inline constexpr bool quotients_are_rounded = false;
#else
inline constexpr bool quotients_are_rounded = FLT_EVAL_METHOD == 0;
#endif

/// A short number without an exponent, correctly rounded: both its digits and the power of ten are exact, so that one
/// division rounds once (Clinger, "How to read floating point numbers accurately", 1990). False for any other text,
/// which may still be a number.
template <class Scalar>
bool parse_short(const char* p, const char* last, char decimal, Scalar& value) {
  if constexpr (!quotients_are_rounded) return false;
  using Powers = ExactPowers<Scalar>;
  constexpr std::ptrdiff_t most_digits = 19;  // fit into 64 bit
  const bool negative = p != last && *p == '-';
  if (negative || (p != last && *p == '+')) ++p;
  std::uint64_t digits = 0;
  const auto read = [&] {
    const char* const first = p;
    for (; p != last && is_digit(*p); ++p) digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
    return p - first;
  };
  std::ptrdiff_t count = read();
  std::ptrdiff_t decimals = 0;
  if (p != last && *p == decimal) {
    ++p;
    decimals = read();
    count += decimals;
  }
  if (p != last || count == 0 || count > most_digits || digits > Powers::most) return false;
  if (decimals >= static_cast<std::ptrdiff_t>(Powers::tens.size())) return false;
  const Scalar size = static_cast<Scalar>(digits) / Powers::tens[static_cast<std::size_t>(decimals)];
  value = negative ? -size : size;
  return true;
}

}  // namespace fidelity::detail::io
