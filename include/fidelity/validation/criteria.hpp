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

/// What is good enough is an engineering choice: there are no default limits.
using Criterion = std::variant<Absolute, Relative>;

/// One criterion, evaluated.
struct CriterionResult {
  std::string name;
  std::optional<double> value;  ///< missing: could not be evaluated, `reason` says why
  double limit;
  std::string unit;
  Verdict outcome;
  std::string reason = {};
};

namespace detail {
/// Passes only if value <= limit is true, so NaN never passes; limit 0 means 0.
inline CriterionResult evaluate_criterion(std::string name, std::optional<double> value, double limit, std::string unit,
                                          std::string reason) {
  CriterionResult result{std::move(name), value, limit, std::move(unit), Verdict::incomplete, {}};
  if (!value) {
    result.reason = std::move(reason);
  } else {
    result.outcome = *value <= limit ? Verdict::pass : Verdict::fail;
  }
  return result;
}

/// Fail if any fails; else incomplete if any could not be evaluated or there is none; else pass.
inline Verdict summary(const std::vector<CriterionResult>& results) {
  Verdict verdict = results.empty() ? Verdict::incomplete : Verdict::pass;
  for (const auto& result : results) {
    if (result.outcome == Verdict::fail) return Verdict::fail;
    if (result.outcome == Verdict::incomplete) verdict = Verdict::incomplete;
  }
  return verdict;
}
}  // namespace detail

}  // namespace fidelity
