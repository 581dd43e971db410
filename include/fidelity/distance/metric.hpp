// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/distance/isa.hpp>
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

/// The numbers that a kernel computes in. `full` is double. `single` is float, for screening: about twice as fast, six
/// digits. The origin and a common offset of the values are subtracted first, in double.
enum class Precision { full, single };

/// How tiles shall be computed.
struct TileOptions {
  Isa isa = detected_isa();
  Precision precision = Precision::full;
};

/// Some rows and columns of a matrix, prepared. The distance of rows[r] and columns[c] is wanted where
/// c > r + diagonal (in a symmetric matrix the rest is known from its mirror image); it goes to place
/// r * columns.size() + c. `limits` is empty or holds a number at each such place: a distance above it may be given as
/// infinity.
template <class Prepared>
struct TileTask {
  std::span<const Prepared*const> rows, columns;
  std::ptrdiff_t diagonal;
  std::span<const double> limits = {};

  [[nodiscard]] bool wanted(std::size_t r, std::size_t c) const {
    return static_cast<std::ptrdiff_t>(c) > static_cast<std::ptrdiff_t>(r) + diagonal;
  }
};

/// What a metric that packs makes of a series.
template <class M, class S>
using PreparedBy = std::remove_cvref_t<decltype(std::declval<const M&>().prepare(
    std::declval<const S&>(), std::declval<const S&>().time(0), InputLocation{}))>;

/// A BatchMetric that computes many distances at once. `tile_kernel(rows, columns, options)` is called with everything
/// that was prepared and returns an object, called by one thread at a time and copied for each, that fills the wanted
/// places of a TileTask. A distance outside the range of the numbers it computes in is infinite.
template <class M, class S>
concept TileMetric = BatchMetric<M, S> &&
    requires(const M& metric, std::span<const PreparedBy<M, S>> all, const TileOptions& options,
             const TileTask<PreparedBy<M, S>>& task, std::span<double> distances) {
  metric.tile_kernel(all, all, options)(task, distances);
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
