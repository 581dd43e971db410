// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/detail/comparison_words.hpp>
#include <fidelity/report/detail/lines.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity {

/// How much a printed comparison says.
struct TextOptions {
  std::size_t runs = 5;  ///< how many runs of each side to list, those with the largest part of the cost first
};

namespace detail {

class ComparisonWriter {
 public:
  explicit ComparisonWriter(const Comparison& comparison) : c_(comparison) {}

  std::string write(const TextOptions& options) {
    line_("{}: {} simulated against {} measured runs", in_capitals(c_.verdict), c_.simulations.size(),
          c_.measurements.size());
    for (const Finding& reason : c_.reasons) write_wrapped(line_, reason.text);
    numbers();
    criteria();
    runs("simulated runs", c_.simulations, c_.measurements, c_.simulated_medoid, options.runs);
    runs("measured runs", c_.measurements, c_.simulations, c_.measured_medoid, options.runs);
    findings("flags", c_.flags);
    findings("not available", c_.absent);
    method();
    return line_.text();
  }

 private:
  /// One line: name, value, what it is.
  void number(std::string_view name, const std::string& value, std::string_view meaning) {
    std::string first = fmt::format("  {:<18}  {:<14}  ", name, value);
    const std::size_t indent = first.size();
    write_wrapped(line_, std::move(first), meaning, indent);
  }

  std::string ends(const Interval& interval) const {
    return fmt::format("{:g} % interval {:.4g} to {:.4g}", 100 * c_.confidence, interval.lower, interval.upper);
  }

  void numbers() {
    line_("");
    number("distance", with_unit(c_.distance, c_.unit),
           fmt::format("Wasserstein distance of order {:g} of the two ensembles", c_.order));
    if (c_.interval) number("", "", ends(*c_.interval));
    if (c_.ratio) {
      const auto& base = c_.halves->base;
      number("ratio", or_dash(c_.ratio),
             fmt::format("groups of {}: simulated against measured {:.4g}, measured against measured {:.4g}",
                         c_.halves->half_size, c_.halves->like.median, base.median));
      number("", "",
             fmt::format("1 = cannot be told apart; at least 95 % of {} measured draws: up to {:.4g}",
                         base.values.size(), base.quantile95 / base.median));
      if (c_.ratio_interval) number("", "", ends(*c_.ratio_interval));
    }
    if (c_.p_value)
      number("p", or_dash(c_.p_value),
             fmt::format("share of {} exchanges of runs ({}) that reach this distance; a large p shows no agreement",
                         c_.permutation->statistics.size(), c_.permutation->exact ? "all" : "at random"));
    if (c_.energy)
      number("energy distance", with_unit(c_.energy->all_pairs, c_.unit),
             fmt::format("2 between - within - within, mean of all pairs; debiased {}", or_dash(c_.energy->debiased)));
    if (c_.trimmed)
      number("trimmed distance", with_unit(c_.trimmed->value, c_.unit),
             fmt::format("without the worst {:g} % of the simulated and {:g} % of the measured runs{}",
                         100 * c_.trimmed->used.simulated, 100 * c_.trimmed->used.measured, trimmed_runs()));
    if (c_.relative_to_spread)
      number("relative to spread", or_dash(c_.relative_to_spread),
             fmt::format("of the mean distance of two measured runs, {}", with_unit(*c_.measured_spread, c_.unit)));
  }

  std::string trimmed_runs() const {
    std::string text;
    std::size_t count = 0;
    const auto add = [&](const std::vector<RunSummary>& runs, const std::vector<TrimmedRun>& left) {
      for (const TrimmedRun& run : left)
        if (count++ < 6) text += (text.empty() ? ": " : ", ") + runs[run.run].name;
    };
    add(c_.simulations, c_.trimmed->simulations);
    add(c_.measurements, c_.trimmed->measurements);
    return count > 6 ? text + fmt::format(" and {} more, some in part", count - 6) : text;
  }

  void criteria() {
    if (c_.criteria.empty()) return;
    line_("\ncriteria");
    for (const CriterionResult& result : c_.criteria) {
      const std::string limit = result.limit ? with_unit(*result.limit, result.unit) : std::string("its limit");
      const auto relation = [&] {
        if (result.at_least) return *result.value >= *result.limit ? ">=" : "<";
        return *result.value <= *result.limit ? "<=" : ">";
      };
      if (result.value && result.limit && result.reason.empty()) {
        line_("  {:<10}  {} {:.6g} {} {}", to_text(result.outcome), result.name, *result.value, relation(), limit);
      } else {
        line_("  {:<10}  {} {} {}: {}", to_text(result.outcome), result.name, result.at_least ? ">=" : "<=", limit,
              result.reason);
      }
    }
  }

  void runs(std::string_view title, const std::vector<RunSummary>& own, const std::vector<RunSummary>& other,
            const std::optional<std::size_t>& medoid, std::size_t limit) {
    if (limit == 0) return;
    const std::vector<std::size_t> order = by_share(own, limit);
    std::size_t width = 0;
    for (const std::size_t i : order) width = std::max(width, own[i].name.size());
    line_("\n{} by their part of the {}{}", title,
          c_.order == 1 ? std::string("distance") : fmt::format("{:g}-th power of the distance", c_.order),
          medoid ? "; most typical: " + own[*medoid].name : "");
    for (const std::size_t i : order)
      line_("  {:<{}}  {:5.1f} %   nearest: {} at {}{}", own[i].name, width, 100 * own[i].share,
            other[own[i].nearest].name, with_unit(own[i].nearest_distance, c_.unit), without(own[i]));
    if (order.size() < own.size()) line_("  ... {} more", own.size() - order.size());
  }
  std::string without(const RunSummary& run) const {
    return run.distance_without ? fmt::format("; distance without it {:.4g}", *run.distance_without) : std::string();
  }

  void findings(std::string_view title, const std::vector<Finding>& list) {
    bool first = true;
    for (const Finding& finding : list) {
      const auto told = [&](const Finding& reason) { return reason.text == finding.text; };
      if (std::any_of(c_.reasons.begin(), c_.reasons.end(), told)) continue;  // stands under the verdict already
      if (first) line_("\n{}", title);
      first = false;
      write_wrapped(line_, finding.code + ": " + finding.text);
    }
  }

  void method() {
    line_("\nmethod");
    std::string parameters;
    for (const auto& parameter : c_.metric.parameters)
      parameters += fmt::format(", {} {}", parameter.name, parameter_text(parameter));
    write_wrapped(line_, fmt::format("{}{}{}{}; {}", c_.metric.name, parameters, c_.metric.settings.empty() ? "" : ", ",
                                     c_.metric.settings, words_of(c_.metric.status)));
    if (!c_.origin.empty()) line_("  time 0 is {}", c_.origin);
    if (c_.common_grid) line_("  all runs were brought to one grid of {:g} s over their common span", *c_.common_grid);
    if (c_.halves) {
      const auto draws = [](const GroupDistances& groups, bool all) {
        return fmt::format("{} {}", groups.values.size(), all ? "(all there are)" : "(at random)");
      };
      line_("  draws of groups: {} measured, {} simulated against measured",
            draws(c_.halves->base, c_.halves->exhaustive_base), draws(c_.halves->like, c_.halves->exhaustive_like));
    }
    if (c_.interval)
      line_("  intervals: {} bootstraps with {} drawn anew", c_.interval->values.size(),
            c_.drawn == Resample::both ? "the runs of both sides" : "the measured runs");
    line_("  optimality gap {}; distinct runs: {} simulated, {} measured; seed {}", with_unit(c_.gap, c_.unit),
          count_or_unknown(c_.distinct_simulations), count_or_unknown(c_.distinct_measurements), c_.seed);
    line_("  input {:016x}; fidelity {}; distances {:.3g} s, transport {:.3g} s", c_.input_hash, c_.library_version,
          c_.matrix_seconds, c_.solve_seconds);
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
  return detail::ComparisonWriter(comparison).write(options);
}

}  // namespace fidelity

/// `fmt::print("{}", comparison)`.
template <>
struct fmt::formatter<fidelity::Comparison> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::Comparison& comparison, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(comparison), context);
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
