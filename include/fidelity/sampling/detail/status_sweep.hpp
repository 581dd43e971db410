// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/sampling/truth.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity::detail {

/// Is t inside a window and not at its edge? The windows are sorted.
template <TimePoint Time>
bool strictly_inside(std::span<const Window<Time>> windows, Time t) {
  const auto after = std::lower_bound(windows.begin(), windows.end(), t,
                                      [](const Window<Time>& window, Time time) { return window.begin < time; });
  return after != windows.begin() && t < std::prev(after)->end;
}

/// Makes statuses from parts that are canonical but for the cuts.
struct StatusAccess {
  template <TimePoint Time>
  static Status<Time> make(const Window<Time>& range, WindowSet<Time> holds, WindowSet<Time> unknown,
                           std::vector<Time> cuts) {
    Status<Time> status;
    if (range.empty()) return status;
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::erase_if(cuts, [&](Time cut) { return !strictly_inside(holds.windows(), cut); });
    status.range_ = range;
    status.holds_ = std::move(holds);
    status.unknown_ = std::move(unknown);
    status.cuts_ = std::move(cuts);
    return status;
  }
};

/// Builds a status from stretches given in order of time. What is left out is unknown; what lies outside the range or
/// has no length is dropped.
template <TimePoint Time>
class StatusBuilder {
 public:
  explicit StatusBuilder(const Window<Time>& range) : range_(range), reached_(range.begin) {}

  void put(Time begin, Time end, Truth truth) {
    if (begin == last_.end && truth == truth_) {
      last_.end = end;
    } else {
      flush();
      last_ = {begin, end};
      truth_ = truth;
    }
  }

  [[nodiscard]] Status<Time> finish(std::vector<Time> cuts = {}) {
    flush();
    if (reached_ < range_.end) append(reached_, range_.end, Truth::unknown);
    return StatusAccess::make(range_, WindowSet<Time>(std::move(holds_)), WindowSet<Time>(std::move(unknown_)),
                              std::move(cuts));
  }

 private:
  void flush() {
    const Time begin = std::max(last_.begin, range_.begin), end = std::min(last_.end, range_.end);
    if (!(begin < end)) return;
    if (reached_ < begin) append(reached_, begin, Truth::unknown);
    append(begin, end, truth_);
  }

  void append(Time begin, Time end, Truth truth) {
    reached_ = end;
    if (truth == Truth::does_not_hold) return;
    auto& windows = truth == Truth::holds ? holds_ : unknown_;
    if (!windows.empty() && windows.back().end == begin) {
      windows.back().end = end;
    } else {
      windows.push_back({begin, end});
    }
  }

  Window<Time> range_;
  Time reached_;
  Window<Time> last_{};  // the stretch that may still grow
  Truth truth_ = Truth::unknown;
  std::vector<Window<Time>> holds_, unknown_;
};

/// Walks through a status in order of time.
template <TimePoint Time>
class StatusCursor {
 public:
  StatusCursor(const Status<Time>& status, Time from)
      : range_(status.range()), holds_(status.holds().windows()), unknown_(status.unknown().windows()) {
    for (auto* windows : {&holds_, &unknown_}) {
      const auto first = std::partition_point(windows->begin(), windows->end(),
                                              [from](const Window<Time>& window) { return window.end <= from; });
      *windows = {first, windows->end()};
    }
    move_to(from);
  }

  [[nodiscard]] Truth truth() const { return truth_; }
  /// The value does not change before.
  [[nodiscard]] Time until() const { return until_; }

  /// To a time that is not before the present one.
  void move_to(Time t) {
    if (t < range_.begin || range_.end <= t) {
      truth_ = Truth::unknown;
      until_ = t < range_.begin && !range_.empty() ? range_.begin : time_limit<Time>();
      return;
    }
    while (!holds_.empty() && holds_.front().end <= t) holds_ = holds_.subspan(1);
    while (!unknown_.empty() && unknown_.front().end <= t) unknown_ = unknown_.subspan(1);
    truth_ = Truth::does_not_hold;
    until_ = range_.end;
    look_at(holds_, Truth::holds, t);
    look_at(unknown_, Truth::unknown, t);
  }

 private:
  void look_at(std::span<const Window<Time>> windows, Truth truth, Time t) {
    if (windows.empty()) return;
    if (t < windows.front().begin) {
      until_ = std::min(until_, windows.front().begin);
    } else {
      truth_ = truth;
      until_ = windows.front().end;
    }
  }

  Window<Time> range_;
  std::span<const Window<Time>> holds_, unknown_;
  Truth truth_ = Truth::unknown;
  Time until_{};
};

/// Calls f(window, truth) for the stretches of a status, in order of time.
template <TimePoint Time, class F>
void for_each_stretch(const Status<Time>& status, F&& f) {
  const Window<Time>& range = status.range();
  StatusCursor<Time> cursor(status, range.begin);
  for (Time t = range.begin; t < range.end;) {
    const Time until = std::min(cursor.until(), range.end);
    f(Window<Time>{t, until}, cursor.truth());
    cursor.move_to(t = until);
  }
}

/// From the first begin to the last end; a status without a range adds nothing.
template <TimePoint Time>
Window<Time> common_range(std::span<const Status<Time>* const> operands) {
  Window<Time> hull{};
  for (const auto* operand : operands) {
    const Window<Time>& range = operand->range();
    if (range.empty()) continue;
    hull = hull.empty() ? range : Window<Time>{std::min(hull.begin, range.begin), std::max(hull.end, range.end)};
  }
  return hull;
}

/// Combines statuses instant by instant: combine(number that hold, number that are unknown). A cut survives inside
/// what holds unless `bridges` or more operands hold across it.
template <TimePoint Time, class Combine>
Status<Time> sweep(std::span<const Status<Time>* const> operands, std::size_t bridges, Combine combine) {
  const Window<Time> range = common_range(operands);
  std::vector<StatusCursor<Time>> cursors;
  cursors.reserve(operands.size());
  for (const auto* operand : operands) cursors.emplace_back(*operand, range.begin);

  StatusBuilder<Time> builder(range);
  for (Time t = range.begin; t < range.end;) {
    Time until = range.end;
    std::size_t holding = 0, unknown = 0;
    for (const auto& cursor : cursors) {
      until = std::min(until, cursor.until());
      holding += cursor.truth() == Truth::holds ? 1 : 0;
      unknown += cursor.truth() == Truth::unknown ? 1 : 0;
    }
    builder.put(t, until, combine(holding, unknown));
    for (auto& cursor : cursors)
      if (cursor.until() <= until) cursor.move_to(until);
    t = until;
  }

  std::vector<Time> cuts;
  for (const auto* operand : operands)
    for (const Time cut : operand->cuts()) {
      std::size_t across = 0;
      for (const auto* other : operands)
        if (strictly_inside(other->holds().windows(), cut) &&
            !std::binary_search(other->cuts().begin(), other->cuts().end(), cut))
          ++across;
      if (across < bridges) cuts.push_back(cut);
    }
  return builder.finish(std::move(cuts));
}

}  // namespace fidelity::detail
