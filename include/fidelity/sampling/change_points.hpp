// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/change_input.hpp>
#include <fidelity/sampling/detail/change_optimum.hpp>
#include <fidelity/sampling/segment_costs.hpp>

namespace fidelity {

struct ChangePointOptions {
  std::size_t min_section_size = 1;      ///< fewest samples in a segment, >= 1
  std::optional<Penalty> penalty = {};   ///< price of a change point, a number or a rule; default: that of the cost
  std::span<const double> weights = {};  ///< one a sample, > 0, say durations; all 1 if empty; not for the cost ED
};

/// Samples begin <= i < end between two change points. Mean and standard deviation are weighted where weights are
/// given.
struct LevelSegment {
  std::size_t begin, end;
  double mean;
  double spread;  ///< square root of the mean squared deviation from the mean; 0 for one sample

  [[nodiscard]] std::size_t length() const { return end - begin; }
};

struct ChangePoints {
  std::vector<std::size_t> indices;    ///< ascending; each the first sample of a new segment, so 0 < index < n
  double objective = 0;                ///< costs of all segments + penalty * number of change points
  double penalty = 0;                  ///< the number that was used
  std::vector<LevelSegment> segments;  ///< one more than indices
};

/// A segmentation that is optimal for every penalty from low to high.
struct ChangePointPathStep {
  double low, high;
  ChangePoints change_points;  ///< its penalty is `low`
};

/// Bounds of the penalties of a path, both included.
struct PenaltyRange {
  double low, high;
};

namespace detail {

template <class Cost>
concept SegmentCost = requires(const Cost& cost, std::span<const double> values) {
  prepare("", cost, values, values);
  { Cost::default_penalty() } -> std::same_as<Penalty>;
};

inline LevelSegment level_segment(std::span<const double> values, std::span<const double> weights, std::size_t begin,
                                  std::size_t end) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  const double reference = values[begin];
  CompensatedSum weight_sum, sum, squares;
  for (std::size_t i = begin; i < end; ++i) {
    weight_sum.add(weight(i));
    sum.add_product(weight(i), values[i] - reference);
  }
  const double shift = sum.value() / weight_sum.value();
  double largest = 0;
  for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::fabs((values[i] - reference) - shift));
  if (largest > 0) {
    for (std::size_t i = begin; i < end; ++i) {
      const double d = ((values[i] - reference) - shift) / largest;
      squares.add_product(weight(i) * d, d);
    }
  }
  return {begin, end, reference + shift, largest * std::sqrt(std::max(0.0, squares.value()) / weight_sum.value())};
}

inline ChangePoints with_segments(Segmentation found, double penalty, std::span<const double> values,
                                  std::span<const double> weights) {
  ChangePoints result{std::move(found.changes), 0, penalty, {}};
  result.objective = found.cost + penalty * static_cast<double>(result.indices.size());
  std::size_t begin = 0;
  for (const std::size_t change : result.indices)
    result.segments.push_back(level_segment(values, weights, std::exchange(begin, change), change));
  result.segments.push_back(level_segment(values, weights, begin, values.size()));
  return result;
}

/// Whether the series may be cut at all: two values tell neither noise nor a distribution.
template <class Cost>
bool divisible(std::size_t size, const Penalty& penalty) {
  return size > 2 || (penalty.kind() == Penalty::Kind::number && !std::same_as<Cost, EmpiricalDistribution>);
}

inline void require_change_input(std::string_view function, std::span<const double> values,
                                 const ChangePointOptions& options) {
  require_values(function, values);
  if (options.min_section_size < 1) fail(function, Rule::bad_parameter, "min_section_size must be >= 1, got 0");
  require_weights(function, values, options.weights);
}

}  // namespace detail

/// Standard deviation of the noise of a series, estimated from the differences of neighbours, so that levels, ramps and
/// steps do not count: spread of the differences by the quantiles 0.5, 0.75, 0.9, 0.95 of their distance from their
/// median, the first that is not 0, as on coarsely rounded values. Unit of the values. O(n). 0 for a constant or
/// a straight line. Throws InputError for fewer than 3 values or one that is not finite.
[[nodiscard]] inline double noise_estimate(std::span<const double> values) {
  constexpr std::string_view function = "noise_estimate";
  detail::require_values(function, values);
  if (values.size() < 3)
    detail::fail(function, Rule::bad_parameter, detail::concat("3 values are needed, there are ", values.size()));
  return detail::noise_of(values);
}

/// Where a series changes: the segmentation with the least objective, the sum of the costs of its segments plus a
/// penalty for each change point, among all whose segments have at least `min_section_size` samples. The optimum is
/// exact, as by trying all. Objectives that rounding cannot tell apart (about 1e-12) are equal; among these the
/// segmentation with the earliest last change point is taken, then with the earliest last but one, and so on; no change
/// point is earlier than any. A series of fewer than two min_section_size is one segment; so are two values, unless the
/// penalty is a number.
///
/// The order of the values is that of time; there are no stamps. 1e9 added to noise of size 1 moves no change point.
/// Time: see the costs, L2 takes about 0.05 s for 1e5 samples; memory about 80 bytes a sample, LinearTrend 150.
///
/// Throws InputError for no values, a value that is not finite (names its index), min_section_size 0, a penalty that is
/// negative or not finite, bad weights. Throws Overflow for values beyond 1e100 or so small that squares vanish.
template <detail::SegmentCost Cost>
[[nodiscard]] ChangePoints change_points(std::span<const double> values, const Cost& cost,
                                         const ChangePointOptions& options = {}) {
  constexpr std::string_view function = "change_points";
  detail::require_change_input(function, values, options);
  const Penalty penalty = options.penalty.value_or(Cost::default_penalty());
  const double number = detail::penalty_for(function, penalty, values, options.weights);
  const std::size_t m = detail::divisible<Cost>(values.size(), penalty) ? options.min_section_size : values.size();
  const auto prepared = detail::prepare(function, cost, values, options.weights);
  return detail::with_segments(detail::optimal_segmentation(prepared, m, number), number, values, options.weights);
}

/// All segmentations that are optimal for an interval of penalties within the range (CROPS: Haynes, Eckley, Fearnhead
/// 2017), each with its interval; ascending, so the number of change points falls from step to step. Where two steps
/// meet, both are optimal. A step that lasts long is a robust answer. Takes about two searches a step. Throws as
/// change_points, and InputError where not 0 <= low <= high or options give a penalty.
template <detail::SegmentCost Cost>
[[nodiscard]] std::vector<ChangePointPathStep> change_point_path(std::span<const double> values, const Cost& cost,
                                                                 const PenaltyRange& range,
                                                                 const ChangePointOptions& options = {}) {
  constexpr std::string_view function = "change_point_path";
  detail::require_change_input(function, values, options);
  if (options.penalty) detail::fail(function, Rule::bad_parameter, "the range replaces the penalty; give only one");
  for (const double bound : {range.low, range.high})
    if (!detail::is_finite(bound) || bound < 0)
      detail::fail(function, Rule::bad_parameter, "penalties must be finite and >= 0", {.value = bound});
  if (range.low > range.high)
    detail::fail(function, Rule::bad_parameter, "the range must not end before it begins", {.value = range.low});
  const std::size_t m = detail::divisible<Cost>(values.size(), range.low) ? options.min_section_size : values.size();
  const auto prepared = detail::prepare(function, cost, values, options.weights);
  std::vector<ChangePointPathStep> steps;
  for (detail::PathPiece& piece : detail::PenaltyPath(prepared, m).run(range.low, range.high))
    steps.push_back({piece.low, piece.high,
                     detail::with_segments(std::move(piece.segmentation), piece.low, values, options.weights)});
  return steps;
}

}  // namespace fidelity
