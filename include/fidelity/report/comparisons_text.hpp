// SPDX-License-Identifier: MIT
/// Several comparisons side by side, for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/comparison_text.hpp>
#include <fidelity/report/detail/comparison_words.hpp>
#include <fidelity/report/detail/lines.hpp>
#include <fidelity/validation/comparisons.hpp>

namespace fidelity {

namespace detail {

inline std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.4g} to {:.4g}", interval->lower, interval->upper) : std::string("-");
}
inline std::string distance_head(const Comparison& comparison) {
  return comparison.unit.empty() ? std::string("distance") : "distance / " + comparison.unit;
}
inline std::string distinct_text(const Comparison& comparison) {
  return fmt::format("{}/{}", count_or_unknown(comparison.distinct_simulations), comparison.simulations.size());
}
inline void write_reasons(Lines& line, const std::vector<Finding>& reasons, std::size_t limit = 12) {
  for (std::size_t k = 0; k < std::min(limit, reasons.size()); ++k) write_wrapped(line, reasons[k].text);
  if (reasons.size() > limit) line("  ... {} more reasons", reasons.size() - limit);
}

}  // namespace detail

/// One line a model, the closest first. Models of equal rank cannot be told apart.
[[nodiscard]] inline std::string to_text(const Ranking& ranking) {
  detail::Lines line;
  const Comparison& first = ranking.models.front().comparison;
  detail::TextTable table({"rank", "model", detail::distance_head(first), "interval", "ratio", "interval", "p",
                           "distinct", "verdict", "flags"});
  for (const RankedModel& model : ranking.models) {
    const Comparison& c = model.comparison;
    table.add({std::to_string(model.rank), model.name, fmt::format("{:.5g}", c.distance),
               detail::interval_text(c.interval), detail::or_dash(c.ratio), detail::interval_text(c.ratio_interval),
               detail::or_dash(c.p_value), detail::distinct_text(c), std::string(to_text(c.verdict)),
               detail::flag_codes(c)});
  }
  table.write(line, "rlrlrlrrll");
  line("  ordered by {}{}; {} measured runs", ranking.by_ratio ? "ratio" : "distance",
       ranking.by_interval ? "; one rank: not to be told from the first of it" : "", first.measurements.size());
  return line.text();
}

/// Verdict and reasons, one line a signal, the joint comparison.
[[nodiscard]] inline std::string to_text(const SignalsComparison& result, const TextOptions& options = {}) {
  detail::Lines line;
  line("{}: {} of {} simulated and {} measured runs", detail::in_capitals(result.verdict),
       result.signals.size() == 1 ? std::string("1 signal") : fmt::format("{} signals", result.signals.size()),
       result.joint.simulations.size(), result.joint.measurements.size());
  detail::write_reasons(line, result.reasons);
  line("");
  detail::TextTable table({"signal", "distance", "scale", "distance/scale", "on joint plan", "ratio", "interval", "p",
                           "weight", "verdict", "flags"});
  double sum = 0;
  for (const SignalResult& signal : result.signals) {
    const Comparison& c = signal.comparison;
    sum += signal.weight * signal.scaled_distance;
    table.add({signal.name, detail::with_unit(c.distance, c.unit),
               fmt::format("{:.4g}{}", signal.scale, signal.nominal ? " (nominal)" : ""),
               fmt::format("{:.4g}", signal.scaled_distance),
               fmt::format("{:.4g}", signal.joint_plan_distance / signal.scale), detail::or_dash(c.ratio),
               detail::interval_text(c.ratio_interval), detail::or_dash(c.p_value),
               fmt::format("{:.3g}", signal.weight),
               c.criteria.empty() && c.verdict == Verdict::incomplete ? "-" : std::string(to_text(c.verdict)),
               detail::flag_codes(c)});
  }
  table.write(line, "lrrrrrlrrll");
  line("  weighted sum of distance/scale {:.4g}; one plan for all signals {:.4g}\n", sum, result.joint.distance);
  line("joint comparison");
  return line.text() + to_text(result.joint, options);
}

/// Verdict, the worst point, reasons, one line a point.
[[nodiscard]] inline std::string to_text(const PointsComparison& result) {
  detail::Lines line;
  const PointResult& worst = result.points[result.worst];
  line("{}: {} operating points, the worst is {}", detail::in_capitals(result.verdict), result.points.size(),
       worst.name);
  detail::write_reasons(line, result.reasons);
  line("");
  detail::TextTable table({"point", "runs", detail::distance_head(worst.comparison), "interval", "ratio", "interval",
                           "p", "verdict", "flags"});
  for (const PointResult& point : result.points) {
    const Comparison& c = point.comparison;
    table.add({point.name, fmt::format("{}/{}", c.simulations.size(), c.measurements.size()),
               fmt::format("{:.5g}", c.distance), detail::interval_text(c.interval), detail::or_dash(c.ratio),
               detail::interval_text(c.ratio_interval), detail::or_dash(c.p_value), std::string(to_text(c.verdict)),
               detail::flag_codes(c)});
  }
  table.write(line, "lrrlrlrll");
  line("  worst by verdict, then by {}", result.by_ratio ? "ratio" : "distance");
  return line.text();
}

}  // namespace fidelity

/// `fmt::print("{}", ranking)`, and the same for signals and points.
template <>
struct fmt::formatter<fidelity::Ranking> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::Ranking& ranking, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(ranking), context);
  }
};
template <>
struct fmt::formatter<fidelity::SignalsComparison> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::SignalsComparison& result, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(result), context);
  }
};
template <>
struct fmt::formatter<fidelity::PointsComparison> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::PointsComparison& result, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(result), context);
  }
};
