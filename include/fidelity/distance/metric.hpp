// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include <fidelity/errors.hpp>

namespace fidelity {

/// A distance of two series: any callable (a, b) -> number, finite and not negative, safe to call from several threads.
/// It need not satisfy the axioms of a metric, but a Wasserstein distance is one only if it does.
template <class M, class S>
concept Metric = requires(const M& metric, const S& a, const S& b) {
  { metric(a, b) } -> std::convertible_to<double>;
};

/// A distance that can check and pack each series once instead of once a pair. pairwise() then calls it on what
/// `prepare(series, origin, location)` returned; `location` names the series in errors. All series of one call must
/// then have the same number of channels.
template <class M, class S>
concept BatchMetric = requires(const M& metric, const S& a, InputLocation location) {
  {
    metric(metric.prepare(a, a.time(0), location), metric.prepare(a, a.time(0), location))
    } -> std::convertible_to<double>;
};

/// What is known of the axioms: a metric; a pseudo-metric (triangle inequality holds, different series may have
/// distance 0); not a metric; or unknown (a user's callable that declares nothing).
enum class MetricStatus { metric, pseudo_metric, not_a_metric, unknown };

/// How a distance presents itself in a report.
struct MetricDescription {
  struct Parameter {
    std::string name;
    double value;
    std::string unit_per_value;  ///< what the unit of the values is multiplied by: "" or "/s"
  };
  std::string name;
  std::vector<Parameter> parameters = {};
  std::string settings = {};  ///< the rest in words
  MetricStatus status = MetricStatus::unknown;
};

/// For a callable that does not describe itself by a function `describe(metric)` of its own.
template <class M>
[[nodiscard]] MetricDescription describe(const M&) {
  return {"user distance"};
}

}  // namespace fidelity
