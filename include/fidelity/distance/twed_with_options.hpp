// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/distance/metric.hpp>

namespace fidelity {

/// What twed_with() is told beside the point distance. Stiffness and penalty must be given, by name.
struct TwedWithOptions {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::Required
      stiffness;             ///< price of one second of time difference, >= 0, in unit of the point distance per second
  detail::Required penalty;  ///< price of one deletion, >= 0, in unit of the point distance
  bool accept_events = false;  ///< two samples at one time are accepted
  /// What the caller knows of the point distance. One declared as metric or pseudo-metric must be 0 for equal values
  /// and symmetric: that is tried out on each series; the triangle inequality is not.
  MetricStatus point_distance = MetricStatus::unknown;
  std::string name = {};  ///< of the point distance, for reports
};

}  // namespace fidelity
