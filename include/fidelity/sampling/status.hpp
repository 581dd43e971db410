// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/truth.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// When something holds: for every instant of a range one of holds, does not hold, unknown; outside the range unknown.
/// Stored as windows, so differently sampled signals combine without a grid. Not for single instants: they have no
/// length and are dropped.
///
/// A status may carry cuts: instants inside a holding window across which no run reaches, such as the jump between two
/// steady levels. The form is canonical: windows sorted, disjoint, touching ones of the same value merged; cuts sorted
/// and strictly inside a holding window. Equal statuses compare equal. The default is a status without any range.
///
///   const auto ready = check(flow, Greater{45.0}) & !check(valve, Equal{0.0});
template <TimePoint Time = Timestamp>
class Status {
 public:
  using time_type = Time;

  /// The status that has no range: unknown everywhere.
  Status() = default;

  /// It does not hold in the rest of the range. Cuts that are not inside a holding window are dropped. Throws
  /// InputError for an empty range, windows that reach out of it (window_outside), windows that both hold and are
  /// unknown (bad_parameter), and a cut that is not finite.
  Status(const Window<Time>& range, WindowSet<Time> holds, WindowSet<Time> unknown = {}, std::vector<Time> cuts = {});

  /// Where the status says something; empty only for the default.
  [[nodiscard]] const Window<Time>& range() const { return range_; }
  [[nodiscard]] const WindowSet<Time>& holds() const& { return holds_; }
  [[nodiscard]] WindowSet<Time> holds() && { return std::move(holds_); }
  [[nodiscard]] const WindowSet<Time>& unknown() const& { return unknown_; }
  [[nodiscard]] WindowSet<Time> unknown() && { return std::move(unknown_); }
  /// The rest of the range. O(windows).
  [[nodiscard]] WindowSet<Time> does_not_hold() const {
    if (range_.empty()) return {};
    return (WindowSet<Time>{range_} - holds_) - unknown_;
  }
  [[nodiscard]] WindowSet<Time> where(Truth truth) const {
    return truth == Truth::holds ? holds_ : truth == Truth::unknown ? unknown_ : does_not_hold();
  }
  /// Ascending, each strictly inside a holding window.
  [[nodiscard]] std::span<const Time> cuts() const { return cuts_; }

  /// The value from t on. O(log windows). Throws InputError for a time that is not finite.
  [[nodiscard]] Truth at(Time t) const;

  /// The maximal windows in which it holds, cut at the cuts, in order of time. O(windows + cuts).
  [[nodiscard]] std::vector<Window<Time>> runs() const;

  /// Length of all windows of a value.
  [[nodiscard]] Duration<Time> total(Truth truth) const { return where(truth).length(); }
  /// Share of the range with this value, 0 to 1. A status without a range is all unknown.
  [[nodiscard]] double fraction(Truth truth) const {
    if (range_.empty()) return truth == Truth::unknown ? 1 : 0;
    return std::min(1.0, seconds(total(truth)) / seconds(range_.length()));
  }
  /// Number of windows of a value; of runs for Truth::holds.
  [[nodiscard]] std::size_t count(Truth truth) const {
    return truth == Truth::holds ? runs().size() : where(truth).windows().size();
  }
  /// The longest window of a value, the newest of several; the longest run for Truth::holds.
  [[nodiscard]] std::optional<Window<Time>> longest(Truth truth) const;

  friend bool operator==(const Status&, const Status&) = default;

 private:
  friend struct detail::StatusAccess;

  Window<Time> range_{};
  WindowSet<Time> holds_, unknown_;
  std::vector<Time> cuts_;
};

// Three-valued logic, instant by instant. The result ranges from the first begin to the last end; an operand is unknown
// outside its own range. A cut survives where the result holds on both sides and nothing else bridges it (|: no other
// operand holds across it). All are linear in the number of windows.

/// The smaller value in the order does not hold < unknown < holds.
template <TimePoint Time>
[[nodiscard]] Status<Time> operator&(const Status<Time>& a, const Status<Time>& b);
/// The larger value.
template <TimePoint Time>
[[nodiscard]] Status<Time> operator|(const Status<Time>& a, const Status<Time>& b);
/// Exactly one of two holds; unknown as soon as one of them is.
template <TimePoint Time>
[[nodiscard]] Status<Time> operator^(const Status<Time>& a, const Status<Time>& b);
/// Holds and does not hold change places; there are no cuts.
template <TimePoint Time>
[[nodiscard]] Status<Time> operator!(const Status<Time>& status);

/// Holds where k or more hold; does not hold where fewer than k hold or are unknown; else unknown. Throws InputError
/// unless 1 <= k <= number of statuses.
template <TimePoint Time>
[[nodiscard]] Status<Time> at_least(std::size_t k, const std::vector<Status<Time>>& statuses);
template <TimePoint Time>
[[nodiscard]] Status<Time> at_least(std::size_t k, std::initializer_list<Status<Time>> statuses) {
  return at_least(k, std::vector<Status<Time>>(statuses));
}

// Operations in time, each on its own, in the order called. Durations are finite and not negative, else InputError.
// Windows are meant whole, cuts do not divide them.

/// A holding window shorter than d becomes "does not hold" if that is its neighbour on both sides, else unknown: it may
/// be longer than what is known of it.
template <TimePoint Time>
[[nodiscard]] Status<Time> min_duration(const Status<Time>& status, std::type_identity_t<Duration<Time>> d);
/// A "does not hold" window of length <= d between two holding ones becomes holding.
template <TimePoint Time>
[[nodiscard]] Status<Time> merge_short(const Status<Time>& status, std::type_identity_t<Duration<Time>> d);
/// An unknown window of length <= d between two holding ones becomes holding. It does not know what happened meanwhile:
/// two steady levels with a gap at the jump are joined without a cut.
template <TimePoint Time>
[[nodiscard]] Status<Time> bridge_unknown(const Status<Time>& status, std::type_identity_t<Duration<Time>> d);
/// The first d of each holding window becomes "does not hold": time to settle.
template <TimePoint Time>
[[nodiscard]] Status<Time> delay_start(const Status<Time>& status, std::type_identity_t<Duration<Time>> d);

/// The status seen through another range: unknown where the old range does not reach. O(log windows + windows inside).
/// Throws InputError for an empty range.
template <TimePoint Time>
[[nodiscard]] Status<Time> restrict_to(const Status<Time>& status, const std::type_identity_t<Window<Time>>& range);

}  // namespace fidelity

#include <fidelity/sampling/detail/status_operations.hpp>
