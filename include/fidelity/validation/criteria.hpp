// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fidelity/finding.hpp>

namespace fidelity {

/// `incomplete` means that nothing can be said: a criterion could not be evaluated, or there was none. Never a pass.
enum class Verdict { pass, fail, incomplete };

/// For the shell and for continuous integration: 0 pass, 1 fail, 2 incomplete.
[[nodiscard]] constexpr int exit_code(Verdict verdict) {
  return verdict == Verdict::pass ? 0 : (verdict == Verdict::fail ? 1 : 2);
}
[[nodiscard]] constexpr std::string_view to_text(Verdict verdict) {
  return verdict == Verdict::pass ? "pass" : (verdict == Verdict::fail ? "fail" : "incomplete");
}

/// The Wasserstein distance is at most `limit`, in the unit of the distance.
struct Absolute {
  double limit;
};

/// The simulated runs are at most `factor` times as far from the measured ones as measured ones are from each other,
/// in groups of the same size: ratio <= factor.
struct Relative {
  double factor;
};

/// Simulated groups (their median) are no farther from measured ones than a share `quantile` of the draws of measured
/// groups are from each other. The limit is the accident of the draw, so it falls with the number of runs.
struct WithinMeasured {
  double quantile = 0.95;
};

/// The upper end of the bootstrap interval of the distance is at most `limit`: the distance is that small even if
/// other runs had been drawn.
struct Equivalence {
  double limit;
};

/// Fail if p < level. A large p does not show that the ensembles agree, so this criterion cannot make a comparison
/// pass: one with no other is at best incomplete. So is one whose p cannot fall below the level, or means nothing.
struct Reject {
  double level;
};

/// Every simulated run has a measured one within `limit`, and every measured run a simulated one.
struct PerRun {
  double limit;
};

/// What is good enough is an engineering choice: there are no default limits.
using Criterion = std::variant<Absolute, Relative, WithinMeasured, Equivalence, Reject, PerRun>;

/// One criterion, evaluated.
struct CriterionResult {
  std::string name;
  std::optional<double> value;  ///< missing: could not be evaluated, `reason` says why
  std::optional<double> limit;  ///< missing only where it comes from numbers that are missing
  std::string unit;
  Verdict outcome;
  std::string reason = {};
  bool at_least = false;  ///< asks for value >= limit. Such a criterion can fail a comparison and never passes it alone
};

namespace detail {
/// Passes only if value <= limit is true, so NaN never passes; limit 0 means 0.
inline CriterionResult evaluate_criterion(std::string name, std::optional<double> value, std::optional<double> limit,
                                          std::string unit, std::string reason) {
  CriterionResult result{std::move(name), value, limit, std::move(unit), Verdict::incomplete};
  if (value && limit) {
    result.outcome = *value <= *limit ? Verdict::pass : Verdict::fail;
  } else {
    result.reason = std::move(reason);
  }
  return result;
}

/// Fail if any fails; else incomplete if any could not be evaluated or there is none that can pass; else pass.
inline Verdict summary(const std::vector<CriterionResult>& results) {
  Verdict verdict = Verdict::pass;
  bool can_pass = false;
  for (const auto& result : results) {
    if (result.outcome == Verdict::fail) return Verdict::fail;
    if (result.outcome == Verdict::incomplete) verdict = Verdict::incomplete;
    can_pass = can_pass || !result.at_least;
  }
  return can_pass ? verdict : Verdict::incomplete;
}
}  // namespace detail

}  // namespace fidelity
