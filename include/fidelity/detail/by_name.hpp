// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

namespace fidelity::detail {

/// First member of an options struct whose values must be given by name: nothing a caller could write in its place
/// converts to it, so a call with positions does not compile.
class OnlyByName {
 public:
  static constexpr OnlyByName make() { return OnlyByName(0); }
  friend constexpr bool operator==(OnlyByName, OnlyByName) { return true; }

 private:
  explicit constexpr OnlyByName(int) {}
};

/// A number that must be given: there is no default, and leaving it out does not compile.
class Required {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr Required(Number value) : value_(static_cast<double>(value)) {}  // NOLINT: converts on purpose
  constexpr operator double() const { return value_; }                      // NOLINT: converts on purpose

 private:
  double value_;
};

}  // namespace fidelity::detail
