// SPDX-License-Identifier: MIT
// Small words for the tests of series: stamps, a bad value, a random generator, and a check of the rule of an error.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "catch.hpp"

#include <fidelity/errors.hpp>
#include <fidelity/series/time.hpp>

namespace series_test {

using Minutes = std::chrono::sys_time<std::chrono::minutes>;

inline constexpr double bad = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Ticks since the epoch of any time type; seconds for double.
template <class Time>
Time tick(std::int64_t count) {
  if constexpr (std::same_as<Time, double>) {
    return static_cast<double>(count);
  } else {
    return Time{typename Time::duration{static_cast<typename Time::rep>(count)}};
  }
}

template <class Time>
std::vector<Time> ticks(std::initializer_list<std::int64_t> counts) {
  std::vector<Time> times;
  for (const auto count : counts) times.push_back(tick<Time>(count));
  return times;
}

/// Checks that `call` throws InputError with this rule and that the message holds every text.
template <class Call, class... Texts>
void require_rule(fidelity::Rule rule, Call&& call, Texts... texts) {
  try {
    call();
  } catch (const fidelity::InputError& error) {
    INFO("message: " << error.what());
    CHECK(error.rule == rule);
    require_error<fidelity::InputError>([&] { throw error; }, "fidelity::", texts...);
    return;
  }
  FAIL("no InputError was thrown");
}

/// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// Integer in [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Number in [low, high).
  double real(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace series_test
