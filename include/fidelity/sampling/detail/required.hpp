// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <fidelity/series/time.hpp>

namespace fidelity::detail {

/// A duration that must be given: there is no default, and leaving it out does not compile.
template <TimePoint Time>
class RequiredDuration {
 public:
  template <class D>
    requires std::convertible_to<D, Duration<Time>>
  constexpr RequiredDuration(D duration) : value_(duration) {}  // NOLINT: converts on purpose
  constexpr operator Duration<Time>() const { return value_; }  // NOLINT: converts on purpose

 private:
  Duration<Time> value_;
};

/// A time that must be given: there is no default, and leaving it out does not compile.
template <TimePoint Time>
class RequiredTime {
 public:
  template <class T>
    requires std::convertible_to<T, Time>
  constexpr RequiredTime(T time) : value_(time) {}    // NOLINT: converts on purpose
  constexpr operator Time() const { return value_; }  // NOLINT: converts on purpose

 private:
  Time value_;
};

}  // namespace fidelity::detail
