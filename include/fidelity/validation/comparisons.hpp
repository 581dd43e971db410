// SPDX-License-Identifier: MIT
/// What rank(), compare_signals() and compare_points() return: several comparisons side by side.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fidelity/validation/comparison.hpp>

namespace fidelity {

/// One model in a ranking.
struct RankedModel {
  std::size_t rank = 1;   ///< from 1; shared where the interval overlaps that of the best of the rank
  std::size_t index = 0;  ///< position among the models given
  std::string name = {};
  Comparison comparison = {};
};

/// Several models against one set of measurements, the closest first.
struct Ranking {
  std::vector<RankedModel> models = {};
  bool by_ratio = false;     ///< ordered by ratio; where one model has none, all are ordered by distance
  bool by_interval = false;  ///< ranks from intervals; without them every different value has a rank of its own
};

/// One signal of several.
struct SignalResult {
  std::string name = {};
  Comparison comparison = {};      ///< of this signal alone: its own plan, numbers and criteria
  double scale = 0;                ///< what its distances are divided by in the joint comparison
  bool nominal = false;            ///< the scale was given by the caller
  double weight = 0;               ///< in the joint comparison
  double scaled_distance = 0;      ///< distance of this signal alone / scale
  double joint_plan_distance = 0;  ///< its distance on the joint plan, in its unit; not below that of its own plan
};

/// Several signals of the same runs, each alone and all together.
struct SignalsComparison {
  Verdict verdict = Verdict::incomplete;  ///< over the criteria of all signals and of the joint comparison
  std::vector<Finding> reasons = {};      ///< each with the name of its signal
  std::vector<SignalResult> signals = {};
  /// Of D = sum over signals of weight * distance / scale, without unit: one plan for all signals, so a simulated run
  /// is matched with a measured one as a whole. For order 1 its distance is at least the weighted sum of the scaled
  /// distances.
  Comparison joint = {};
};

struct PointResult {
  std::string name;
  Comparison comparison;
};

/// One model at several operating points. There is no mean over points: a model is as good as at its worst one.
struct PointsComparison {
  Verdict verdict = Verdict::incomplete;  ///< pass only if every point passes
  std::vector<Finding> reasons = {};      ///< of the points that do not pass, each with the name of its point
  std::vector<PointResult> points = {};   ///< in the order given
  std::size_t worst = 0;  ///< the point of the worst verdict (fail, incomplete, pass) and there the largest ratio
  bool by_ratio = false;  ///< the worst point was found by ratio; where one point has none, by distance
};

}  // namespace fidelity
