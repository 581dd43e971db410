// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// The times t with begin <= t < end. Two windows that touch share no instant. A plain pair: functions that take a
/// window throw InputError (window_empty) unless begin < end.
template <TimePoint Time = Timestamp>
struct Window {
  Time begin;
  Time end;

  [[nodiscard]] bool contains(Time t) const { return begin <= t && t < end; }
  [[nodiscard]] bool empty() const { return !(begin < end); }
  [[nodiscard]] Duration<Time> length() const { return detail::difference("Window::length", end, begin); }
  friend bool operator==(const Window&, const Window&) = default;
};
template <class Time>
Window(Time, Time) -> Window<Time>;

/// "[begin, end)".
template <TimePoint Time>
[[nodiscard]] std::string to_text(const Window<Time>& window) {
  return detail::concat("[", detail::short_time(window.begin), ", ", detail::short_time(window.end), ")");
}

namespace detail {
template <TimePoint Time>
void require_window(std::string_view function, const Window<Time>& window) {
  if (!is_finite_time(window.begin) || !is_finite_time(window.end))
    fail(function, Rule::time_not_finite, "the ends of a window must be finite");
  if (window.empty())
    fail(function, Rule::window_empty,
         concat("a window must begin before it ends; this one is [", to_text(window.begin), ", ", to_text(window.end),
                ")"));
}
}  // namespace detail

/// Middle of a window: begin + (end - begin) / 2, rounded down to the tick (exact halves in double).
template <TimePoint Time>
[[nodiscard]] Time middle(const Window<Time>& window) {
  detail::require_window("middle", window);
  return window.begin + window.length() / 2;
}

/// The common part of two windows, if there is one.
template <TimePoint Time>
[[nodiscard]] std::optional<Window<Time>> intersection(const Window<Time>& a, const Window<Time>& b) {
  const Window<Time> common{std::max(a.begin, b.begin), std::min(a.end, b.end)};
  if (common.empty()) return std::nullopt;
  return common;
}

/// A set of times made of windows: sorted, disjoint, touching ones merged, so that equal sets compare equal.
/// Operations are linear in the number of windows. Not for single instants: they have no length and are dropped.
template <TimePoint Time = Timestamp>
class WindowSet {
 public:
  WindowSet() = default;

  /// From windows in any order, overlapping or not. Throws InputError if one of them is empty.
  explicit WindowSet(std::vector<Window<Time>> windows) : windows_(std::move(windows)) {
    for (const auto& window : windows_) detail::require_window("WindowSet", window);
    const auto earlier = [](const auto& a, const auto& b) { return a.begin < b.begin; };
    if (!std::is_sorted(windows_.begin(), windows_.end(), earlier))
      std::sort(windows_.begin(), windows_.end(), earlier);
    merge();
  }
  WindowSet(std::initializer_list<Window<Time>> windows) : WindowSet(std::vector<Window<Time>>(windows)) {}

  /// The windows, sorted and disjoint.
  [[nodiscard]] std::span<const Window<Time>> windows() const { return windows_; }
  [[nodiscard]] bool empty() const { return windows_.empty(); }

  /// Total length. Throws Overflow where the sum does not fit into the time type.
  [[nodiscard]] Duration<Time> length() const {
    // The windows are disjoint, so the sum is at most the distance of the outermost ends.
    Duration<Time> sum{};
    if (!windows_.empty()) (void)detail::difference("WindowSet::length", windows_.back().end, windows_.front().begin);
    for (const auto& window : windows_) sum += window.length();
    return sum;
  }

  /// The longest window, the earliest of several; empty for the empty set.
  [[nodiscard]] std::optional<Window<Time>> longest() const {
    std::optional<Window<Time>> best;
    for (const auto& window : windows_)
      if (!best || window.length() > best->length()) best = window;
    return best;
  }

  /// Is t in the set? O(log windows).
  [[nodiscard]] bool contains(Time t) const {
    const auto after = std::upper_bound(windows_.begin(), windows_.end(), t,
                                        [](Time time, const Window<Time>& window) { return time < window.begin; });
    return after != windows_.begin() && std::prev(after)->contains(t);
  }

  /// Times in both.
  friend WindowSet operator&(const WindowSet& a, const WindowSet& b) {
    WindowSet both;
    for (std::size_t i = 0, j = 0; i < a.windows_.size() && j < b.windows_.size();) {
      if (const auto common = intersection(a.windows_[i], b.windows_[j])) both.windows_.push_back(*common);
      a.windows_[i].end < b.windows_[j].end ? ++i : ++j;
    }
    return both;
  }

  /// Times in at least one.
  friend WindowSet operator|(const WindowSet& a, const WindowSet& b) {
    WindowSet either;
    either.windows_.resize(a.windows_.size() + b.windows_.size());
    std::merge(a.windows_.begin(), a.windows_.end(), b.windows_.begin(), b.windows_.end(), either.windows_.begin(),
               [](const auto& x, const auto& y) { return x.begin < y.begin; });
    either.merge();
    return either;
  }

  /// Times in a but not in b.
  friend WindowSet operator-(const WindowSet& a, const WindowSet& b) {
    WindowSet rest;
    auto hole = b.windows_.begin();
    for (Window<Time> window : a.windows_) {
      while (hole != b.windows_.end() && hole->end <= window.begin) ++hole;
      for (auto h = hole; h != b.windows_.end() && h->begin < window.end; ++h) {
        if (window.begin < h->begin) rest.windows_.push_back({window.begin, h->begin});
        window.begin = std::min(h->end, window.end);
      }
      if (!window.empty()) rest.windows_.push_back(window);
    }
    return rest;
  }

  friend bool operator==(const WindowSet&, const WindowSet&) = default;

 private:
  void merge() {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < windows_.size(); ++i) {
      if (windows_[i].begin <= windows_[kept].end) {
        windows_[kept].end = std::max(windows_[kept].end, windows_[i].end);
      } else {
        windows_[++kept] = windows_[i];
      }
    }
    if (!windows_.empty()) windows_.erase(windows_.begin() + static_cast<std::ptrdiff_t>(kept) + 1, windows_.end());
  }

  std::vector<Window<Time>> windows_;
};

/// The part of `range` that is not in the set.
template <TimePoint Time>
[[nodiscard]] WindowSet<Time> complement(const WindowSet<Time>& set, const Window<Time>& range) {
  return WindowSet<Time>{range} - set;
}

}  // namespace fidelity
