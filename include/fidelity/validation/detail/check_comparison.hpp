// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fidelity/detail/require.hpp>
#include <fidelity/transport/detail/check_order.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/validation/options.hpp>
#include <fidelity/validation/significance.hpp>

namespace fidelity::detail {

inline void check(const Criterion& criterion) {
  const auto refuse = [](std::string_view sentence, double value) {
    fail("compare", Rule::bad_parameter, sentence, {.value = value});
  };
  const auto limit = [&](double value) {
    if (!is_finite(value) || value < 0) refuse("the limit of a criterion must be finite and not negative", value);
  };
  if (const auto* absolute = std::get_if<Absolute>(&criterion)) limit(absolute->limit);
  if (const auto* relative = std::get_if<Relative>(&criterion)) limit(relative->factor);
  if (const auto* equivalence = std::get_if<Equivalence>(&criterion)) limit(equivalence->limit);
  if (const auto* per_run = std::get_if<PerRun>(&criterion)) limit(per_run->limit);
  if (const auto* reject = std::get_if<Reject>(&criterion); reject && !(reject->level > 0 && reject->level < 1))
    refuse("the level of Reject must lie between 0 and 1", reject->level);
  if (const auto* within = std::get_if<WithinMeasured>(&criterion);
      within && !(within->quantile > 0 && within->quantile <= 1))
    refuse("the quantile of WithinMeasured must lie above 0 and not above 1", within->quantile);
}

inline void check(const ComparisonOptions& options) {
  const auto refuse = [](std::string_view sentence, double value) {
    fail("compare", Rule::bad_parameter, sentence, {.value = value});
  };
  check_order("compare", options.order);
  for (const auto& [name, count] :
       {std::pair{"splits", options.splits}, std::pair{"permutations", options.permutations},
        std::pair{"bootstraps", options.bootstraps}})
    if (count > 1'000'000) refuse(concat(name, " must not be above 1000000"), static_cast<double>(count));
  if (!(options.confidence > 0 && options.confidence < 1))
    refuse("confidence must lie between 0 and 1", options.confidence);
  if (options.bootstraps > 0) check_level("compare", options.confidence, options.bootstraps);
  for (const double budget : {options.outlier_budget.simulated, options.outlier_budget.measured})
    if (!(budget >= 0 && budget < 1)) refuse("an outlier budget must not be negative and must be below 1", budget);
  for (const auto& [name, factor] :
       {std::pair{"diverged_factor", options.diverged_factor}, std::pair{"outlier_factor", options.outlier_factor}})
    if (!is_finite(factor) || factor <= 0) refuse(concat(name, " must be positive and finite"), factor);
  if (!(options.min_span >= 0 && options.min_span <= 1)) refuse("min_span must lie between 0 and 1", options.min_span);
  if (options.common_grid && !(is_finite(*options.common_grid) && *options.common_grid > 0))
    refuse("common_grid must be a positive and finite number of seconds", *options.common_grid);
  for (const auto& criterion : options.criteria) check(criterion);
}

inline void check(const ComparisonOptions& options, std::size_t simulations, std::size_t measurements) {
  if (simulations == 0) fail("compare", Rule::empty, "there is no simulated run", {.collection = "simulations"});
  if (measurements == 0) fail("compare", Rule::empty, "there is no measured run", {.collection = "measurements"});
  check(options);
}

}  // namespace fidelity::detail
