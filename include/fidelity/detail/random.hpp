// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace fidelity::detail {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every platform, unlike the distributions of <random>.
class Random {
 public:
  explicit constexpr Random(std::uint64_t state) : state_(state) {}

  /// A generator of its own for replicate `r` of some purpose: it depends on these three numbers and nothing else.
  Random(std::uint64_t seed, std::uint64_t purpose, std::uint64_t replicate)
      : state_(mix(mix(mix(seed + increment) + purpose + increment) + replicate + increment)) {}

  constexpr std::uint64_t next() { return mix(state_ += increment); }

  /// Uniform on 0 .. bound - 1, without bias (rejects the incomplete last interval).
  std::size_t below(std::size_t bound) {
    const std::uint64_t b = bound;
    const std::uint64_t reject = (0 - b) % b;
    std::uint64_t x = next();
    while (x < reject) x = next();
    return static_cast<std::size_t>(x % b);
  }

  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Moves a random sample of `count` items to the front (partial Fisher-Yates shuffle).
  template <class T>
  void sample_to_front(std::span<T> items, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[i + below(items.size() - i)]);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15U;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace fidelity::detail
