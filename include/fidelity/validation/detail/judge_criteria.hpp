// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/significance.hpp>

namespace fidelity::detail {

/// Evaluates one kind of criterion after the other.
class CriterionJudge {
 public:
  explicit CriterionJudge(const Comparison& comparison) : c_(comparison) {}

  CriterionResult operator()(const Absolute& absolute) const {
    return evaluate_criterion("distance", c_.distance, absolute.limit, c_.unit, {});
  }
  CriterionResult operator()(const Relative& relative) const {
    return evaluate_criterion("ratio", c_.ratio, relative.factor, "", why_absent("ratio"));
  }
  CriterionResult operator()(const WithinMeasured& within) const {
    std::optional<double> value, limit;
    if (c_.halves) {
      value = c_.halves->like.median;
      limit = quantile(c_.halves->base.values, within.quantile);
    }
    return evaluate_criterion(
        concat("simulated groups against ", short_text(100 * within.quantile), " % of measured ones"), value, limit,
        c_.unit, why_absent("ratio"));
  }
  CriterionResult operator()(const Equivalence& equivalence) const {
    std::optional<double> upper;
    if (c_.interval) upper = c_.interval->upper;
    return evaluate_criterion("upper end of the interval", upper, equivalence.limit, c_.unit, why_absent("interval"));
  }
  CriterionResult operator()(const PerRun& per_run) const {
    double farthest = 0;
    const RunSummary* run = nullptr;
    for (const auto* side : {&c_.simulations, &c_.measurements})
      for (const RunSummary& each : *side)
        if (!run || each.nearest_distance > farthest) farthest = each.nearest_distance, run = &each;
    return evaluate_criterion(concat("farthest run (", run->name, ")"), farthest, per_run.limit, c_.unit, {});
  }
  CriterionResult operator()(const Reject& reject) const {
    CriterionResult result{"p", c_.p_value, reject.level, "", Verdict::incomplete, {}, true};
    if (!c_.p_value) {
      result.reason = why_absent("p_value");
    } else if (!(*c_.p_value >= reject.level)) {
      result.outcome = Verdict::fail;
    } else if (c_.permutation->smallest_p >= reject.level) {
      result.reason = concat("it cannot fall below ", short_text(c_.permutation->smallest_p), " with so few runs");
    } else if (has_flag(c_, "not_meaningful")) {
      result.reason = "one side has a single distinct run";
    } else {
      result.outcome = Verdict::pass;
    }
    return result;
  }

 private:
  std::string why_absent(std::string_view what) const {
    for (const Finding& finding : c_.absent)
      if (finding.code == what) return finding.text;
    return {};
  }
  const Comparison& c_;
};

inline std::string in_words(const CriterionResult& result) {
  const std::string unit = result.unit.empty() ? "" : " " + result.unit;
  if (!result.value) return concat(result.name, " could not be evaluated: ", result.reason);
  if (result.outcome == Verdict::incomplete)
    return concat(result.name, " = ", short_text(*result.value), " says nothing: ", result.reason);
  return concat(result.name, " ", short_text(*result.value), unit, result.at_least ? " is below" : " is above",
                " the limit ", short_text(*result.limit), unit);
}

/// The verdict. What objects was found before: such a comparison may fail, but it cannot pass.
inline void judge_criteria(Comparison& comparison, const std::vector<Criterion>& criteria) {
  const CriterionJudge evaluate(comparison);
  for (const Criterion& criterion : criteria) comparison.criteria.push_back(std::visit(evaluate, criterion));
  comparison.verdict = summary(comparison.criteria);
  if (!comparison.reasons.empty() && comparison.verdict == Verdict::pass) comparison.verdict = Verdict::incomplete;
  if (!comparison.invalid_simulations.empty()) comparison.verdict = Verdict::fail;
  for (const CriterionResult& result : comparison.criteria) {
    if (result.outcome == Verdict::fail) comparison.reasons.push_back({"criterion_missed", in_words(result)});
    if (result.outcome == Verdict::incomplete) comparison.reasons.push_back({"not_evaluated", in_words(result)});
  }
  if (criteria.empty()) {
    comparison.reasons.push_back(
        {"no_criterion", "no criterion was given; what is good enough is an engineering choice"});
  } else if (comparison.verdict != Verdict::fail &&
             std::all_of(comparison.criteria.begin(), comparison.criteria.end(),
                         [](const CriterionResult& result) { return result.at_least; })) {
    comparison.reasons.push_back({"only_reject",
                                  "p alone can reject: a large p does not show that the ensembles agree, "
                                  "another criterion has to say what is near enough"});
  }
}

}  // namespace fidelity::detail
