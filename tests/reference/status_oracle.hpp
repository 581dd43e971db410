// SPDX-License-Identifier: MIT
// Three-valued status as an array with one value a tick: what windows are checked against.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "series_helpers.hpp"

#include <fidelity/sampling/status.hpp>
#include <fidelity/sampling/window_search.hpp>

namespace status_test {

namespace fd = fidelity;
using fd::Truth;
using series_test::Minutes;
using Status = fd::Status<Minutes>;
using Window = fd::Window<Minutes>;
using Windows = fd::WindowSet<Minutes>;
using series_test::Random;

inline constexpr auto no = Truth::does_not_hold, unknown = Truth::unknown, yes = Truth::holds;

inline Minutes minute(std::int64_t count) { return series_test::tick<Minutes>(count); }
inline Window window(std::int64_t begin, std::int64_t end) { return {minute(begin), minute(end)}; }
inline std::chrono::minutes minutes(std::int64_t count) { return std::chrono::minutes{count}; }

/// Values of the ticks 0, 1, ... ; unknown everywhere else.
using Dense = std::vector<Truth>;

inline Dense dense(const Status& status, std::size_t size) {
  Dense ticks;
  for (std::size_t t = 0; t < size; ++t) ticks.push_back(status.at(minute(static_cast<std::int64_t>(t))));
  return ticks;
}

/// The windows of a value in an array, maximal.
inline std::vector<Window> windows_of(const Dense& ticks, Truth truth) {
  std::vector<Window> windows;
  for (std::size_t t = 0; t < ticks.size(); ++t) {
    if (ticks[t] != truth) continue;
    const auto at = static_cast<std::int64_t>(t);
    if (t > 0 && ticks[t - 1] == truth) {
      windows.back().end = minute(at + 1);
    } else {
      windows.push_back(window(at, at + 1));
    }
  }
  return windows;
}

inline Status from_dense(const Dense& ticks, const std::vector<std::int64_t>& cuts = {}) {
  std::vector<Minutes> at;
  for (const auto cut : cuts) at.push_back(minute(cut));
  return {window(0, static_cast<std::int64_t>(ticks.size())), Windows(windows_of(ticks, yes)),
          Windows(windows_of(ticks, unknown)), at};
}

/// Stretches of 1 to 6 ticks.
inline Dense random_dense(Random& random, std::size_t size) {
  Dense ticks;
  while (ticks.size() < size) {
    const auto truth = static_cast<Truth>(random.integer(0, 2));
    ticks.insert(ticks.end(), static_cast<std::size_t>(random.integer(1, 6)), truth);
  }
  ticks.resize(size);
  return ticks;
}

inline std::vector<std::int64_t> random_cuts(Random& random, std::int64_t size) {
  std::vector<std::int64_t> cuts;
  for (auto count = random.integer(0, 5); count > 0; --count) cuts.push_back(random.integer(0, size));
  return cuts;
}

/// Is everything sorted, disjoint, merged, inside the range, and every cut inside what holds?
inline bool canonical(const Status& status) {
  const auto sorted = [&](auto windows) {
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (windows[i].empty() || windows[i].begin < status.range().begin || status.range().end < windows[i].end)
        return false;
      if (i > 0 && !(windows[i - 1].end < windows[i].begin)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < status.cuts().size(); ++i) {
    const Minutes cut = status.cuts()[i];
    if (i > 0 && !(status.cuts()[i - 1] < cut)) return false;
    if (status.at(cut) != yes || status.at(cut - minutes(1)) != yes) return false;
  }
  return sorted(status.holds().windows()) && sorted(status.unknown().windows()) &&
         (status.holds() & status.unknown()).empty();
}

/// Every window of `length` ticks inside [first, last) in which all ticks hold and no cut lies inside, by trying each
/// end; ends must be multiples of `align`.
inline std::set<std::int64_t> window_ends(const Dense& ticks, const std::set<std::int64_t>& cuts, std::int64_t first,
                                          std::int64_t last, std::int64_t length, std::int64_t align) {
  std::set<std::int64_t> ends;
  for (std::int64_t end = first + length; end <= last; ++end) {
    bool good = end % align == 0;
    for (std::int64_t t = end - length; t < end && good; ++t) {
      good = t >= 0 && t < static_cast<std::int64_t>(ticks.size()) && ticks[static_cast<std::size_t>(t)] == yes;
      if (t > end - length && cuts.count(t) > 0) good = false;
    }
    if (good) ends.insert(end);
  }
  return ends;
}

}  // namespace status_test
