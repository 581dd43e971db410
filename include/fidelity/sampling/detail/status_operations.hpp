// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include <fidelity/sampling/detail/status_sweep.hpp>
#include <fidelity/sampling/status.hpp>

namespace fidelity {

template <TimePoint Time>
Status<Time>::Status(const Window<Time>& range, WindowSet<Time> holds, WindowSet<Time> unknown,
                     std::vector<Time> cuts) {
  detail::require_window("Status", range);
  for (const auto* windows : {&holds, &unknown})
    if (!windows->empty() &&
        (windows->windows().front().begin < range.begin || range.end < windows->windows().back().end))
      detail::fail("Status", Rule::window_outside, "a window reaches out of the range of the status");
  if (const auto both = holds & unknown; !both.empty())
    detail::fail("Status", Rule::bad_parameter,
                 detail::concat("the status both holds and is unknown at ", to_text(both.windows().front().begin)));
  for (const Time cut : cuts)
    if (!detail::is_finite_time(cut)) detail::fail("Status", Rule::time_not_finite, "a cut must be finite");
  *this = detail::StatusAccess::make(range, std::move(holds), std::move(unknown), std::move(cuts));
}

template <TimePoint Time>
Truth Status<Time>::at(Time t) const {
  if (!detail::is_finite_time(t)) detail::fail("Status::at", Rule::time_not_finite, "the time must be finite");
  if (holds_.contains(t)) return Truth::holds;
  return !range_.contains(t) || unknown_.contains(t) ? Truth::unknown : Truth::does_not_hold;
}

template <TimePoint Time>
std::vector<Window<Time>> Status<Time>::runs() const {
  std::vector<Window<Time>> runs;
  runs.reserve(holds_.windows().size() + cuts_.size());
  auto cut = cuts_.begin();
  for (Window<Time> window : holds_.windows()) {
    for (; cut != cuts_.end() && *cut < window.end; ++cut) {
      runs.push_back({window.begin, *cut});
      window.begin = *cut;
    }
    runs.push_back(window);
  }
  return runs;
}

template <TimePoint Time>
std::optional<Window<Time>> Status<Time>::longest(Truth truth) const {
  std::optional<Window<Time>> best;
  const auto consider = [&](const auto& windows) {
    for (const Window<Time>& window : windows)
      if (!best || window.length() >= best->length()) best = window;
  };
  if (truth == Truth::holds) {
    consider(runs());
  } else {
    const WindowSet<Time> set = where(truth);
    consider(set.windows());
  }
  return best;
}

namespace detail {

template <TimePoint Time>
Status<Time> at_least_of(std::size_t k, std::span<const Status<Time>* const> operands) {
  return sweep(operands, k, [k](std::size_t holding, std::size_t unknown) {
    return holding >= k ? Truth::holds : holding + unknown >= k ? Truth::unknown : Truth::does_not_hold;
  });
}

template <TimePoint Time>
Status<Time> all_of(std::span<const Status<Time>* const> operands) {
  return at_least_of<Time>(operands.size(), operands);
}

template <class D>
void require_duration(std::string_view function, D d) {
  if (!is_finite_duration(d) || d < D{})
    fail(function, Rule::bad_parameter, "the duration must be finite and not negative", {.value = seconds(d)});
}

/// One stretch of a status, changed in place by the operations in time.
template <TimePoint Time>
struct Stretch {
  Window<Time> window;
  Truth truth;
};

template <TimePoint Time>
std::vector<Stretch<Time>> stretches_of(const Status<Time>& status) {
  std::vector<Stretch<Time>> stretches;
  for_each_stretch(status, [&](const Window<Time>& window, Truth truth) { stretches.push_back({window, truth}); });
  return stretches;
}

template <TimePoint Time>
Status<Time> status_of(const Status<Time>& before, const std::vector<Stretch<Time>>& stretches) {
  StatusBuilder<Time> builder(before.range());
  for (const auto& [window, truth] : stretches) builder.put(window.begin, window.end, truth);
  return builder.finish({before.cuts().begin(), before.cuts().end()});
}

/// Windows of a value that last at most d between two holding ones hold.
template <TimePoint Time>
Status<Time> fill(std::string_view function, const Status<Time>& status, Truth filled, Duration<Time> d) {
  require_duration(function, d);
  auto stretches = stretches_of(status);
  // Neighbours are never of the filled value, so the order does not matter.
  for (std::size_t i = 1; i + 1 < stretches.size(); ++i)
    if (stretches[i].truth == filled && stretches[i - 1].truth == Truth::holds &&
        stretches[i + 1].truth == Truth::holds && stretches[i].window.length() <= d)
      stretches[i].truth = Truth::holds;
  return status_of(status, stretches);
}

}  // namespace detail

template <TimePoint Time>
Status<Time> operator&(const Status<Time>& a, const Status<Time>& b) {
  return detail::at_least_of<Time>(2, std::array{&a, &b});
}

template <TimePoint Time>
Status<Time> operator|(const Status<Time>& a, const Status<Time>& b) {
  return detail::at_least_of<Time>(1, std::array{&a, &b});
}

template <TimePoint Time>
Status<Time> operator^(const Status<Time>& a, const Status<Time>& b) {
  // Where it holds on both sides of a cut, the same operand does: nothing bridges.
  return detail::sweep<Time>(std::array{&a, &b}, 3, [](std::size_t holding, std::size_t unknown) {
    return unknown > 0 ? Truth::unknown : holding == 1 ? Truth::holds : Truth::does_not_hold;
  });
}

template <TimePoint Time>
Status<Time> operator!(const Status<Time>& status) {
  return detail::StatusAccess::make(status.range(), status.does_not_hold(), status.unknown(), {});
}

template <TimePoint Time>
Status<Time> at_least(std::size_t k, const std::vector<Status<Time>>& statuses) {
  if (k == 0 || k > statuses.size())
    detail::fail("at_least", Rule::bad_parameter,
                 detail::concat("k must lie between 1 and the number of statuses, ", statuses.size()),
                 {.value = static_cast<double>(k)});
  std::vector<const Status<Time>*> operands;
  for (const auto& status : statuses) operands.push_back(&status);
  return detail::at_least_of<Time>(k, operands);
}

template <TimePoint Time>
Status<Time> min_duration(const Status<Time>& status, std::type_identity_t<Duration<Time>> d) {
  detail::require_duration("min_duration", d);
  auto stretches = detail::stretches_of(status);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].truth != Truth::holds || !(stretches[i].window.length() < d)) continue;
    // A neighbour is no holding window, so what became of the one before does not show here.
    const bool off_before = i > 0 && status.at(stretches[i - 1].window.begin) == Truth::does_not_hold;
    const bool off_after = i + 1 < stretches.size() && stretches[i + 1].truth == Truth::does_not_hold;
    stretches[i].truth = off_before && off_after ? Truth::does_not_hold : Truth::unknown;
  }
  return detail::status_of(status, stretches);
}

template <TimePoint Time>
Status<Time> merge_short(const Status<Time>& status, std::type_identity_t<Duration<Time>> d) {
  return detail::fill("merge_short", status, Truth::does_not_hold, d);
}

template <TimePoint Time>
Status<Time> bridge_unknown(const Status<Time>& status, std::type_identity_t<Duration<Time>> d) {
  return detail::fill("bridge_unknown", status, Truth::unknown, d);
}

template <TimePoint Time>
Status<Time> delay_start(const Status<Time>& status, std::type_identity_t<Duration<Time>> d) {
  detail::require_duration("delay_start", d);
  std::vector<detail::Stretch<Time>> stretches;
  detail::for_each_stretch(status, [&](Window<Time> window, Truth truth) {
    if (truth == Truth::holds) {
      const Time settled = std::min(window.end, detail::saturating_add(window.begin, d));
      stretches.push_back({{window.begin, settled}, Truth::does_not_hold});
      window.begin = settled;
    }
    stretches.push_back({window, truth});
  });
  return detail::status_of(status, stretches);
}

namespace detail {

/// The windows of a set that touch `part`, cut to it.
template <TimePoint Time>
void append_inside(const WindowSet<Time>& set, const Window<Time>& part, std::vector<Window<Time>>& inside) {
  const auto windows = set.windows();
  const auto first = std::partition_point(windows.begin(), windows.end(),
                                          [&](const Window<Time>& window) { return window.end <= part.begin; });
  const auto past =
      std::partition_point(first, windows.end(), [&](const Window<Time>& window) { return window.begin < part.end; });
  if (first == past) return;
  const std::size_t at = inside.size();
  inside.insert(inside.end(), first, past);
  inside[at].begin = std::max(inside[at].begin, part.begin);
  inside.back().end = std::min(inside.back().end, part.end);
}

/// The status seen through another range by someone who knows it up to `known_until` only.
template <TimePoint Time>
Status<Time> restricted(const Status<Time>& status, const Window<Time>& range, Time known_until) {
  const Window<Time> part{std::max(range.begin, status.range().begin),
                          std::min({range.end, status.range().end, known_until})};
  if (part.empty()) return StatusAccess::make(range, {}, WindowSet<Time>{range}, {});
  std::vector<Window<Time>> holds, unknown;
  append_inside(status.holds(), part, holds);
  if (range.begin < part.begin) unknown.push_back({range.begin, part.begin});
  append_inside(status.unknown(), part, unknown);
  if (part.end < range.end) unknown.push_back({part.end, range.end});
  const auto cuts = status.cuts();
  return StatusAccess::make(
      range, WindowSet<Time>(std::move(holds)), WindowSet<Time>(std::move(unknown)),
      {std::upper_bound(cuts.begin(), cuts.end(), part.begin), std::lower_bound(cuts.begin(), cuts.end(), part.end)});
}

}  // namespace detail

template <TimePoint Time>
Status<Time> restrict_to(const Status<Time>& status, const std::type_identity_t<Window<Time>>& range) {
  detail::require_window("restrict_to", range);
  return detail::restricted(status, range, range.end);
}

}  // namespace fidelity
