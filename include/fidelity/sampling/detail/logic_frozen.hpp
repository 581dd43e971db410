// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include <fidelity/sampling/conditions.hpp>
#include <fidelity/sampling/detail/logic_scope.hpp>
#include <fidelity/sampling/detail/logic_stretches.hpp>

namespace fidelity::detail {

/// The stretches of samples in which a measurement does not move. The earliest sample of the longest stretch that ends
/// with sample j never moves back as j grows, so one pass with the smallest and largest values of a moving window finds
/// them all.
template <class Scalar, TimePoint Time>
class FrozenStretches {
 public:
  FrozenStretches(const SeriesBase<Scalar, Time>& series, const NotFrozen<Time>& condition, std::size_t samples)
      : series_(series), condition_(condition), samples_(samples) {}

  /// First sample of the longest stretch that ends with sample k; k itself where that is bad or exempt.
  [[nodiscard]] std::size_t begin_of(std::size_t k) const {
    double low = value(k), high = low;
    std::size_t i = k;
    for (; i > 0 && usable(i) && connected(i - 1); --i) {
      low = std::min(low, value(i - 1));
      high = std::max(high, value(i - 1));
      if (high - low > condition_.tolerance) break;
    }
    return i;
  }

  /// Frozen windows that may touch the places given, in order of time.
  [[nodiscard]] std::vector<Window<Time>> windows(const Places& places, Time range_end) const {
    std::vector<Window<Time>> frozen;
    if (places.first >= samples_) return frozen;
    std::deque<std::size_t> low, high;  // indices; values ascend in low and descend in high
    std::size_t first = begin_of(places.first);
    for (std::size_t j = first; j < samples_; ++j) {
      if (j > first && !connected(j - 1)) {
        first = j;
        low.clear(), high.clear();
      }
      if (usable(j)) {
        while (!low.empty() && value(low.back()) >= value(j)) low.pop_back();
        while (!high.empty() && value(high.back()) <= value(j)) high.pop_back();
        low.push_back(j), high.push_back(j);
        while (value(high.front()) - value(low.front()) > condition_.tolerance) {
          ++first;
          if (low.front() < first) low.pop_front();
          if (high.front() < first) high.pop_front();
        }
      }
      // A stretch that goes on after the range still counts as a whole.
      if (j >= places.end && !(series_.time(first) < range_end)) break;
      const Time begin = series_.time(first);
      if (!usable(j) || j - first < 2 || series_.time(j) - begin < Duration<Time>(condition_.duration)) continue;
      const Time end =
          series_.interpolation() == Interpolation::hold ? held_until(series_, j, samples_) : series_.time(j);
      if (!frozen.empty() && begin <= frozen.back().end) {
        frozen.back().end = end;
      } else {
        frozen.push_back({begin, end});
      }
    }
    return frozen;
  }

 private:
  [[nodiscard]] double value(std::size_t i) const { return static_cast<double>(series_(i)); }
  [[nodiscard]] bool usable(std::size_t i) const {
    return is_finite(value(i)) && std::none_of(condition_.exempt.begin(), condition_.exempt.end(), [&](double rest) {
             return std::abs(value(i) - rest) <= condition_.tolerance;
           });
  }
  /// Do samples i and i + 1 belong together?
  [[nodiscard]] bool connected(std::size_t i) const {
    if (!usable(i) || !usable(i + 1)) return false;
    if (series_.time(i) == series_.time(i + 1)) return true;
    if (series_.interpolation() == Interpolation::hold) return held_until(series_, i, samples_) == series_.time(i + 1);
    return joined(series_, i, samples_);
  }

  const SeriesBase<Scalar, Time>& series_;
  const NotFrozen<Time>& condition_;
  std::size_t samples_;
};

template <TimePoint Time>
void require_condition(std::string_view function, const NotFrozen<Time>& condition) {
  const auto duration = Duration<Time>(condition.duration);
  if (!is_finite_duration(duration) || !(duration > Duration<Time>{}))
    fail(function, Rule::bad_parameter, "the duration must be positive and finite", {.value = seconds(duration)});
  if (!is_finite(condition.tolerance) || condition.tolerance < 0)
    fail(function, Rule::bad_parameter, "the tolerance must be finite and not negative",
         {.value = condition.tolerance});
  for (const double rest : condition.exempt)
    if (!is_finite(rest)) fail(function, Rule::bad_parameter, "an exempt value must be finite", {.value = rest});
}

}  // namespace fidelity::detail
