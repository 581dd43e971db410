// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/required.hpp>
#include <fidelity/sampling/rate.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// A condition on the value of a signal: a predicate that lists the levels at which it may change. Between two levels
/// it is constant, so it is asked once for each stretch between levels and once on each level, not for every sample.
/// Levels in any order; infinite ones are legal, NaN is not. The types below are models; so is any struct of yours.
template <class C>
concept LevelCondition = requires(const C& condition, double y) {
  { condition(y) } -> std::convertible_to<bool>;
  { *std::begin(condition.levels()) } -> std::convertible_to<double>;
};

// The operators against a number in the unit of the signal. A value that is NaN fulfils none of them. On a piece with a
// slope a single instant has no length: there Greater and GreaterEqual agree, Equal never holds, NotEqual always.

struct Greater {
  double value;
  static constexpr std::string_view name = "Greater";
  bool operator()(double y) const { return y > value; }
  [[nodiscard]] std::array<double, 1> levels() const { return {value}; }
  friend bool operator==(const Greater&, const Greater&) = default;
};

struct GreaterEqual {
  double value;
  static constexpr std::string_view name = "GreaterEqual";
  bool operator()(double y) const { return y >= value; }
  [[nodiscard]] std::array<double, 1> levels() const { return {value}; }
  friend bool operator==(const GreaterEqual&, const GreaterEqual&) = default;
};

struct Less {
  double value;
  static constexpr std::string_view name = "Less";
  bool operator()(double y) const { return y < value; }
  [[nodiscard]] std::array<double, 1> levels() const { return {value}; }
  friend bool operator==(const Less&, const Less&) = default;
};

struct LessEqual {
  double value;
  static constexpr std::string_view name = "LessEqual";
  bool operator()(double y) const { return y <= value; }
  [[nodiscard]] std::array<double, 1> levels() const { return {value}; }
  friend bool operator==(const LessEqual&, const LessEqual&) = default;
};

/// |y - value| <= tolerance, decided without rounding. No hidden tolerance: 0.1 + 0.2 is not 0.3.
struct Equal {
  double value;
  double tolerance = 0;
  static constexpr std::string_view name = "Equal";
  bool operator()(double y) const {
    const double difference = std::abs(y - value);
    if (difference != tolerance) return difference < tolerance;
    // The exact difference is that double or lies beside it (two-sum, Knuth 1997).
    const double high = y > value ? y : value, low = y > value ? value : y;
    const double part = high - difference;
    const double rest = (high - (difference + part)) + (part - low);
    return rest <= 0;
  }
  [[nodiscard]] std::array<double, 2> levels() const { return {value - tolerance, value + tolerance}; }
  friend bool operator==(const Equal&, const Equal&) = default;
};

/// |y - value| > tolerance: the opposite of Equal where the value is known.
struct NotEqual {
  double value;
  double tolerance = 0;
  static constexpr std::string_view name = "NotEqual";
  bool operator()(double y) const { return !Equal{value, tolerance}(y); }
  [[nodiscard]] std::array<double, 2> levels() const { return Equal{value, tolerance}.levels(); }
  friend bool operator==(const NotEqual&, const NotEqual&) = default;
};

/// low <= y <= high, both included; low <= high.
struct Between {
  double low, high;
  static constexpr std::string_view name = "Between";
  bool operator()(double y) const { return low <= y && y <= high; }
  [[nodiscard]] std::array<double, 2> levels() const { return {low, high}; }
  friend bool operator==(const Between&, const Between&) = default;
};

/// Any predicate, with a name for reports and the levels at which it may change.
struct Predicate {
  std::string name;
  std::vector<double> change_at;
  std::function<bool(double)> holds;
  bool operator()(double y) const { return holds(y); }
  [[nodiscard]] const std::vector<double>& levels() const { return change_at; }
};

/// Switches on where the signal reaches `on` or goes beyond, off where it passes `off`: for a high alarm off < on, for
/// a low one on < off. `on` itself counts as on, `off` not yet as off. Unknown until the first value that decides, and
/// again after every stretch where the signal is unknown.
struct Hysteresis {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::Required on;
  detail::Required off;
  static constexpr std::string_view name = "Hysteresis";
  friend bool operator==(const Hysteresis& a, const Hysteresis& b) {
    return double{a.on} == double{b.on} && double{a.off} == double{b.off};
  }
};

/// Holds where the signal has a value, else does not hold. Unknown only where CheckOptions::as_of says "not yet".
struct Known {
  static constexpr std::string_view name = "Known";
  friend bool operator==(const Known&, const Known&) = default;
};

/// Does not hold where a measurement is frozen: in every stretch of at least 3 samples without a gap that lasts at
/// least `duration` from its first sample to its last and whose largest and smallest value differ by no more than
/// `tolerance`. A held value counts to the next sample. There is no default duration: a signal that is logged on change
/// may rightly be silent for hours.
template <TimePoint Time = Timestamp>
struct NotFrozen {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::RequiredDuration<Time> duration;
  double tolerance = 0;
  std::vector<double> exempt = {};  ///< values at which a signal may rest, such as 0, each within the tolerance
  static constexpr std::string_view name = "NotFrozen";
};

/// Holds where the signal changes by no more than a rate, up or down, judged on the slope of each piece:
/// RateWithin{Rate{5.0, 1min}}. A jump has no length and is not seen; a held signal has no rate and is refused.
struct RateWithin {
  Rate limit;
  static constexpr std::string_view name = "RateWithin";
  friend bool operator==(const RateWithin&, const RateWithin&) = default;
};

// How a condition prints itself: "> 45", "within 2 of 5", "between 1 and 2".
inline std::string to_text(const Greater& c) { return detail::concat("> ", c.value); }
inline std::string to_text(const GreaterEqual& c) { return detail::concat(">= ", c.value); }
inline std::string to_text(const Less& c) { return detail::concat("< ", c.value); }
inline std::string to_text(const LessEqual& c) { return detail::concat("<= ", c.value); }
inline std::string to_text(const Equal& c) {
  return c.tolerance == 0 ? detail::concat("== ", c.value) : detail::concat("within ", c.tolerance, " of ", c.value);
}
inline std::string to_text(const NotEqual& c) {
  return c.tolerance == 0 ? detail::concat("!= ", c.value)
                          : detail::concat("not within ", c.tolerance, " of ", c.value);
}
inline std::string to_text(const Between& c) { return detail::concat("between ", c.low, " and ", c.high); }
inline std::string to_text(const Predicate& c) { return c.name; }
inline std::string to_text(const Hysteresis& c) {
  const bool high = c.off < c.on;
  return detail::concat("on from ", double{c.on}, high ? " up" : " down", ", off ", high ? "below " : "above ",
                        double{c.off});
}
inline std::string to_text(const Known&) { return "known"; }
template <TimePoint Time>
std::string to_text(const NotFrozen<Time>& c) {
  return detail::concat("not frozen for ", seconds(Duration<Time>(c.duration)), " s within ", c.tolerance);
}
inline std::string to_text(const RateWithin& c) {
  return detail::concat("rate within ", c.limit.per_second(), " per second");
}

}  // namespace fidelity
