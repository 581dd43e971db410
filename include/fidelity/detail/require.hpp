// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fidelity/errors.hpp>

namespace fidelity::detail {

/// Shortest text that reads back as the same double; independent of the locale.
inline std::string text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}
/// At most six digits, for sentences that people read.
inline std::string short_text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, 6).ptr;
  return {buffer, end};
}
inline std::string text(std::string_view s) { return std::string{s}; }
template <std::integral T>
std::string text(T x) {
  return std::to_string(x);
}

/// The parts, written one after the other.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (out.append(text(parts)), ...);
  return out;
}

/// Finite, decided on the bits: also right where the user's compiler options assume that there is no NaN (T19).
inline bool is_finite(double x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  return (std::bit_cast<std::uint64_t>(x) & exponent) != exponent;
}
inline bool is_finite(float x) {
  constexpr std::uint32_t exponent = 0x7f800000U;
  return (std::bit_cast<std::uint32_t>(x) & exponent) != exponent;
}
inline bool is_nan(double x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  return (std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffU) > exponent;
}

/// Where a series stands: `collection[index] 'name'`, as much of it as is known.
inline std::string place_text(const InputLocation& where) {
  std::string place = where.collection;
  if (!place.empty() && where.index) place += concat("[", *where.index, "]");
  if (!where.name.empty()) place += concat(place.empty() ? "'" : " '", where.name, "'");
  return place;
}

inline std::string pair_text(const InputLocation& a, const InputLocation& b) {
  const auto one = [](const std::string& place) { return place.empty() ? "a series without a name" : place; };
  return one(place_text(a)) + " and " + one(place_text(b));
}

/// Throws InputError with the message `fidelity::function: sentence[, in collection[index] 'name'][, sample k][, got
/// value]`.
[[noreturn]] inline void fail(std::string_view function, Rule rule, std::string_view sentence,
                              InputLocation where = {}) {
  std::string message = concat("fidelity::", function, ": ", sentence);
  if (const std::string place = place_text(where); !place.empty()) message += ", in " + place;
  if (where.sample) message += concat(", sample ", *where.sample);
  if (where.value) message += concat(", got ", *where.value);
  throw InputError(rule, message, std::move(where));
}

/// The product of two sizes, or an error before anything is allocated.
inline std::size_t checked_product(std::string_view function, std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > static_cast<std::size_t>(PTRDIFF_MAX))
    throw Overflow(concat("fidelity::", function, ": ", a, " x ", b, " entries do not fit into memory"));
  return product;
}

}  // namespace fidelity::detail
