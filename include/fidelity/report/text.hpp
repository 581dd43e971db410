// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fidelity/io/load_report.hpp>
#include <fidelity/report/detail/lines.hpp>
#include <fidelity/report/detail/load_report_text.hpp>
#include <fidelity/report/sampling_text.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity {

/// How much a printed comparison says.
struct TextOptions {
  std::size_t runs = 5;  ///< how many runs of each side to list, those with the largest part of the cost first
};

namespace detail {

inline std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}

inline std::string_view words_of(MetricStatus status) {
  switch (status) {
    case MetricStatus::metric:
      return "a metric";
    case MetricStatus::pseudo_metric:
      return "a pseudo-metric: different runs may have distance 0";
    case MetricStatus::not_a_metric:
      return "not a metric";
    case MetricStatus::unknown:
      break;
  }
  return "not known to be a metric";
}

class TextWriter {
 public:
  explicit TextWriter(const Comparison& comparison) : c_(comparison) {}

  std::string write(const TextOptions& options) {
    headline();
    numbers();
    criteria();
    runs("simulated runs", c_.simulations, c_.measurements, options.runs);
    runs("measured runs", c_.measurements, c_.simulations, options.runs);
    findings("flags", c_.flags);
    findings("not available", c_.absent);
    method();
    return line_.text();
  }

 private:
  void headline() {
    std::string verdict(fidelity::to_text(c_.verdict));
    std::transform(verdict.begin(), verdict.end(), verdict.begin(),
                   [](char ch) { return ch >= 'a' && ch <= 'z' ? static_cast<char>(ch - 'a' + 'A') : ch; });
    line_("{}: {} simulated against {} measured runs", verdict, c_.simulations.size(), c_.measurements.size());
    for (const Finding& reason : c_.reasons) wrapped("  ", reason.text);
  }

  void numbers() {
    line_("");
    line_("  distance            {:<14}  Wasserstein distance of order {:g} of the two ensembles",
          with_unit(c_.distance, c_.unit), c_.order);
    if (c_.ratio) {
      const auto& base = c_.halves->base;
      line_(
          "  ratio               {:<14.4g}  groups of {}: simulated against measured {:.4g}, measured against measured "
          "{:.4g}",
          *c_.ratio, c_.halves->half_size, c_.halves->like.median, base.median);
      line_(
          "                                      1 = cannot be told apart; at least 95 % of {} measured draws: up to "
          "{:.4g}",
          base.values.size(), base.quantile95 / base.median);
    }
    if (c_.relative_to_spread)
      line_("  relative to spread  {:<14.4g}  of the mean distance of two measured runs, {}", *c_.relative_to_spread,
            with_unit(*c_.measured_spread, c_.unit));
  }

  void criteria() {
    if (c_.criteria.empty()) return;
    line_("\ncriteria");
    for (const CriterionResult& result : c_.criteria) {
      if (result.value) {
        line_("  {:<10}  {} {:.6g} {} {}", fidelity::to_text(result.outcome), result.name, *result.value,
              result.outcome == Verdict::pass ? "<=" : ">", with_unit(result.limit, result.unit));
      } else {
        line_("  {:<10}  {} <= {}: {}", fidelity::to_text(result.outcome), result.name,
              with_unit(result.limit, result.unit), result.reason);
      }
    }
  }

  void runs(std::string_view title, const std::vector<RunSummary>& own, const std::vector<RunSummary>& other,
            std::size_t limit) {
    if (limit == 0) return;
    std::vector<std::size_t> order(own.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return own[a].contribution > own[b].contribution; });
    order.resize(std::min(limit, order.size()));
    std::size_t width = 0;
    for (const std::size_t i : order) width = std::max(width, own[i].name.size());
    line_("\n{} by their part of the {}", title,
          c_.order == 1 ? std::string("distance") : fmt::format("{:g}-th power of the distance", c_.order));
    for (const std::size_t i : order)
      line_("  {:<{}}  {:5.1f} %   nearest: {} at {}", own[i].name, width, 100 * own[i].share,
            other[own[i].nearest].name, with_unit(own[i].nearest_distance, c_.unit));
    if (order.size() < own.size()) line_("  ... {} more", own.size() - order.size());
  }

  void findings(std::string_view title, const std::vector<Finding>& list) {
    bool first = true;
    for (const Finding& finding : list) {
      const auto told = [&](const Finding& reason) { return reason.text == finding.text; };
      if (std::any_of(c_.reasons.begin(), c_.reasons.end(), told)) continue;  // stands under the verdict already
      if (first) line_("\n{}", title);
      first = false;
      wrapped("  ", finding.code + ": " + finding.text);
    }
  }

  /// One sentence, broken between words to lines of at most 118 columns.
  void wrapped(std::string_view indent, std::string_view sentence) {
    constexpr std::size_t columns = 118;
    std::string prefix(indent);
    while (prefix.size() + sentence.size() > columns) {
      const std::size_t blank = sentence.rfind(' ', columns - prefix.size());
      if (blank == std::string_view::npos || blank == 0) break;
      line_("{}{}", prefix, sentence.substr(0, blank));
      sentence.remove_prefix(blank + 1);
      prefix = std::string(indent) + "  ";
    }
    line_("{}{}", prefix, sentence);
  }

  void method() {
    line_("\nmethod");
    std::string parameters;
    for (const auto& parameter : c_.metric.parameters)
      parameters += fmt::format(", {} {}", parameter.name, parameter_text(parameter));
    line_("  {}{}{}{}; {}", c_.metric.name, parameters, c_.metric.settings.empty() ? "" : ", ", c_.metric.settings,
          words_of(c_.metric.status));
    if (!c_.origin.empty()) line_("  time 0 is {}", c_.origin);
    if (c_.halves) {
      const auto draws = [](const GroupDistances& groups, bool all) {
        return fmt::format("{} {}", groups.values.size(), all ? "(all there are)" : "(at random)");
      };
      line_("  draws of groups: {} measured, {} simulated against measured; seed {}",
            draws(c_.halves->base, c_.halves->exhaustive_base), draws(c_.halves->like, c_.halves->exhaustive_like),
            c_.seed);
    }
    line_("  optimality gap {}; distinct runs: {} simulated, {} measured; distances {:.3g} s, transport {:.3g} s",
          with_unit(c_.gap, c_.unit), c_.distinct_simulations ? std::to_string(*c_.distinct_simulations) : "unknown",
          c_.distinct_measurements, c_.matrix_seconds, c_.solve_seconds);
  }

  std::string parameter_text(const MetricDescription::Parameter& parameter) const {
    if (c_.unit.empty()) return with_unit(parameter.value, "");
    if (parameter.unit_per_value.empty()) return with_unit(parameter.value, c_.unit);
    const bool compound = c_.unit.find('/') != std::string::npos;
    return with_unit(parameter.value, (compound ? "(" + c_.unit + ")" : c_.unit) + parameter.unit_per_value);
  }

  const Comparison& c_;
  Lines line_;
};

}  // namespace detail

/// The comparison for people: verdict and reasons first, then the numbers with their units, the criteria, the runs that
/// cost most, flags, what is not available and why, and the parameters. Ends with a line end.
[[nodiscard]] inline std::string to_text(const Comparison& comparison, const TextOptions& options = {}) {
  return detail::TextWriter(comparison).write(options);
}

/// What a reader did to a file, for people: choices, counts, and everything it skipped, changed or assumed.
[[nodiscard]] inline std::string to_text(const LoadReport& report) { return detail::load_report_text(report); }

}  // namespace fidelity

/// `fmt::print("{}", comparison)`.
template <>
struct fmt::formatter<fidelity::Comparison> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::Comparison& comparison, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(comparison), context);
  }
};

/// `fmt::print("{}", report)`.
template <>
struct fmt::formatter<fidelity::LoadReport> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::LoadReport& report, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(report), context);
  }
};

/// `fmt::print("{}", comparison.verdict)`.
template <>
struct fmt::formatter<fidelity::Verdict> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(fidelity::Verdict verdict, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(verdict), context);
  }
};
