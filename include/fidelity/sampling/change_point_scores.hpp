// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>

// How well found change points agree with known ones (van den Burg, Williams 2020, section 3). Change points are
// ascending indices of first samples of segments, as in ChangePoints::indices; anything else throws InputError.
// `annotations` are the known change points as several people marked them. Time O(number of change points).
namespace fidelity {

/// Found change points that are known (precision), known ones that were found (recall), and 2 p r / (p + r); 0 to 1.
struct ChangePointAgreement {
  double precision, recall, f1;
};

namespace detail {

inline void require_change_points(std::string_view function, std::string_view name, std::span<const std::size_t> points,
                                  std::optional<std::size_t> size = {}) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const InputLocation where{.collection = std::string{name}, .index = i, .value = static_cast<double>(points[i])};
    if (points[i] <= (i == 0 ? 0 : points[i - 1]))
      fail(function, Rule::bad_parameter, "change points must be > 0 and ascending", where);
    if (size && points[i] >= *size)
      fail(function, Rule::index_out_of_range, concat("a change point must be < ", *size), where);
  }
}

/// Calls visit(i, begin, end, begin of j, end of j) for every segment i of a and every j of b that overlaps it.
template <class Visit>
void for_each_overlap(std::span<const std::size_t> a, std::span<const std::size_t> b, std::size_t size, Visit visit) {
  const auto begin = [](std::span<const std::size_t> points, std::size_t i) { return i == 0 ? 0 : points[i - 1]; };
  const auto end = [size](std::span<const std::size_t> points, std::size_t i) {
    return i == points.size() ? size : points[i];
  };
  for (std::size_t i = 0, j = 0; i <= a.size() && j <= b.size();) {
    visit(i, begin(a, i), end(a, i), begin(b, j), end(b, j));
    const std::size_t end_a = end(a, i), end_b = end(b, j);
    if (end_a <= end_b) ++i;
    if (end_b <= end_a) ++j;
  }
}

/// Largest number of pairs of a known and a found point at most `margin` apart, each point in one pair at most; the
/// begin of the series counts as a point of both.
inline double matches(std::span<const std::size_t> known, std::span<const std::size_t> found, std::size_t margin) {
  std::size_t count = 1;
  for (std::size_t i = 0, j = 0; i < known.size() && j < found.size();) {
    const bool known_first = known[i] < found[j];
    const std::size_t distance = known_first ? found[j] - known[i] : known[i] - found[j];
    if (distance <= margin) ++count;
    if (distance <= margin || known_first) ++i;
    if (distance <= margin || !known_first) ++j;
  }
  return static_cast<double>(count);
}

/// Largest distance of a point of `from` to the nearest of `to`, which is not empty.
inline std::size_t farthest(std::span<const std::size_t> from, std::span<const std::size_t> to) {
  std::size_t distance = 0;
  for (const std::size_t point : from) {
    const auto next = std::lower_bound(to.begin(), to.end(), point);
    std::size_t nearest = next != to.end() ? *next - point : point - to.back();
    if (next != to.begin()) nearest = std::min(nearest, point - *std::prev(next));
    distance = std::max(distance, nearest);
  }
  return distance;
}

}  // namespace detail

/// Covering of the known segments by the found ones, 0 to 1: each known segment counts with its share of the series
/// times its best overlap, |intersection| / |union|, with a found one (Arbelaez et al. 2011).
[[nodiscard]] inline double covering(std::span<const std::size_t> known, std::span<const std::size_t> found,
                                     std::size_t size) {
  detail::require_change_points("covering", "known", known, size);
  detail::require_change_points("covering", "found", found, size);
  if (size == 0) detail::fail("covering", Rule::empty, "the series has no samples");
  std::vector<double> best(known.size() + 1);
  detail::for_each_overlap(known, found, size,
                           [&](std::size_t i, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
                             const auto common = static_cast<double>(std::min(b, d) - std::max(a, c));
                             const auto whole = static_cast<double>(std::max(b, d) - std::min(a, c));
                             best[i] = std::max(best[i], static_cast<double>(b - a) * common / whole);
                           });
  double sum = 0;
  for (const double b : best) sum += b;
  return sum / static_cast<double>(size);
}

/// Mean over the people who marked the change points.
[[nodiscard]] inline double covering(std::span<const std::vector<std::size_t>> annotations,
                                     std::span<const std::size_t> found, std::size_t size) {
  if (annotations.empty()) detail::fail("covering", Rule::empty, "there are no annotations");
  double sum = 0;
  for (const auto& known : annotations) sum += covering(known, found, size);
  return sum / static_cast<double>(annotations.size());
}

/// F1 where points at most `margin` samples apart count as the same, each at most once. The begin of the series counts
/// as a change point that everybody knows, so that series without change points have a score too.
[[nodiscard]] inline ChangePointAgreement agreement(std::span<const std::vector<std::size_t>> annotations,
                                                    std::span<const std::size_t> found, std::size_t margin = 5) {
  if (annotations.empty()) detail::fail("agreement", Rule::empty, "there are no annotations");
  detail::require_change_points("agreement", "found", found);
  std::vector<std::size_t> all;
  double recall = 0;
  for (const auto& known : annotations) {
    detail::require_change_points("agreement", "known", known);
    recall += detail::matches(known, found, margin) / static_cast<double>(known.size() + 1);
    all.insert(all.end(), known.begin(), known.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  recall /= static_cast<double>(annotations.size());
  const double precision = detail::matches(all, found, margin) / static_cast<double>(found.size() + 1);
  return {precision, recall, 2 * precision * recall / (precision + recall)};
}

[[nodiscard]] inline ChangePointAgreement agreement(std::span<const std::size_t> known,
                                                    std::span<const std::size_t> found, std::size_t margin = 5) {
  const std::vector<std::size_t> one[] = {{known.begin(), known.end()}};
  return agreement(one, found, margin);
}

/// Hausdorff distance: how far a point of either set can be from the nearest of the other, in samples. Missing where
/// one set is empty and the other is not.
[[nodiscard]] inline std::optional<std::size_t> hausdorff(std::span<const std::size_t> known,
                                                          std::span<const std::size_t> found) {
  detail::require_change_points("hausdorff", "known", known);
  detail::require_change_points("hausdorff", "found", found);
  if (known.empty() && found.empty()) return 0;
  if (known.empty() || found.empty()) return {};
  return std::max(detail::farthest(known, found), detail::farthest(found, known));
}

/// Rand index: share of the pairs of samples that both put into one segment, or both into two; 0 to 1. At least two
/// samples.
[[nodiscard]] inline double rand_index(std::span<const std::size_t> known, std::span<const std::size_t> found,
                                       std::size_t size) {
  detail::require_change_points("rand_index", "known", known, size);
  detail::require_change_points("rand_index", "found", found, size);
  if (size < 2) detail::fail("rand_index", Rule::empty, "there is no pair of samples");
  const auto pairs = [](std::size_t count) {
    return static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
  };
  const auto pairs_within = [&](std::span<const std::size_t> points) {
    double sum = 0;
    detail::for_each_overlap(
        points, {}, size,
        [&](std::size_t, std::size_t a, std::size_t b, std::size_t, std::size_t) { sum += pairs(b - a); });
    return sum;
  };
  double both = 0;
  detail::for_each_overlap(known, found, size,
                           [&](std::size_t, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
                             both += pairs(std::min(b, d) - std::max(a, c));
                           });
  return 1 - (pairs_within(known) + pairs_within(found) - 2 * both) / pairs(size);
}

}  // namespace fidelity
