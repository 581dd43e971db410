// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <variant>

namespace fidelity {

/// The price of one change point: a number, or a rule that is worked out for the series at hand. The larger, the fewer
/// change points. `.penalty = 12.0` and `.penalty = Penalty::log_n(3)` both work.
class Penalty {
 public:
  enum class Kind { number, log_n, noise };

  /// In the unit of the cost, >= 0.
  Penalty(double number) : Penalty(Kind::number, number) {}  // NOLINT(google-explicit-constructor)
  /// factor * ln n, for costs that are likelihoods.
  [[nodiscard]] static Penalty log_n(double factor) { return {Kind::log_n, factor}; }
  /// factor * s^2 * ln n with the noise estimate s, for costs that are squares of values.
  [[nodiscard]] static Penalty noise(double factor) { return {Kind::noise, factor}; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] double factor() const { return factor_; }  ///< or the number itself

 private:
  Penalty(Kind kind, double factor) : kind_(kind), factor_(factor) {}
  Kind kind_;
  double factor_;
};

// What a segment of a series costs: the less alike its samples, the more. change_points() places the change points so
// that the costs of all segments and the penalties add up to the least. All costs are >= 0, and cutting a segment never
// makes it dearer: cost(a, c) >= cost(a, b) + cost(b, c). "n^2" below: time grows from about n, when there are many
// changes, to n^2 when there are none.

/// Any change of distribution, without assuming one (ED-PELT: Haynes, Fearnhead, Eckley 2017). Sees only the order of
/// the values: unit, offset and positive scale do not matter. A boundary may be a few samples off, also when all signs
/// are reversed: a property of the published quantile rule. Two values are never cut. Time n^2 with about 0.1 s for
/// 1e4 samples, memory 16 n ln n bytes.
struct EmpiricalDistribution {
  [[nodiscard]] static Penalty default_penalty() { return Penalty::log_n(3); }
};

/// Change of the mean: sum of squared deviations from the mean of the segment. Time about proportional to n, with many
/// changes and with none. A ramp without any noise has the default penalty 0: every sample is a level of its own.
struct L2 {
  [[nodiscard]] static Penalty default_penalty() { return Penalty::noise(2); }
};

/// Change of mean or spread of normal noise: twice the negative logarithm of the largest likelihood, up to a constant.
/// A stretch without spread would have an unbounded likelihood, so no spread is taken as less than `min_spread`. Sum
/// over the segment of ln(v/u) + (y - mean)^2/v with u = min_spread^2, v = max(variance, u). Time n^2.
struct NormalMeanVariance {
  /// Standard deviation below which no stretch is quieter than another; unit of the values, > 0. Default: the larger of
  /// a tenth of the noise estimate and d/sqrt 12, the spread that rounding to multiples of d causes, with the smallest
  /// distance d of two different values. So a few neighbours that happen to be equal are no change.
  std::optional<double> min_spread = {};

  [[nodiscard]] static Penalty default_penalty() { return Penalty::log_n(3); }
};

/// Change of a straight line: sum of squared residuals about the least squares line over the sample number. Finds where
/// a ramp begins. A line fits any two samples, so ask for a min_section_size of 3 or more. Time n^2.
struct LinearTrend {
  [[nodiscard]] static Penalty default_penalty() { return Penalty::noise(3); }
};

/// Change of the rate of counts: deviance 2 sum y ln(y/mean) of values >= 0. Time n^2.
struct Poisson {
  [[nodiscard]] static Penalty default_penalty() { return Penalty::log_n(2); }
};

/// The costs by which steady_state finds the changes of a signal: those of values that are not counts.
using SteadyStateCost = std::variant<EmpiricalDistribution, L2, NormalMeanVariance, LinearTrend>;

}  // namespace fidelity
