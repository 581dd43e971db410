// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/check_comparison.hpp>
#include <fidelity/validation/detail/explain.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/detail/judge_criteria.hpp>
#include <fidelity/validation/detail/measure.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

/// Everything that follows from the matrices. The caller has checked options and sizes.
inline void judge(Comparison& comparison, const ComparisonOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  comparison.unit = options.unit;
  comparison.order = options.order;
  comparison.seed = options.seed;
  comparison.confidence = options.confidence;
  comparison.common_grid = options.common_grid;

  auto solved = wasserstein(comparison.matrix, {.order = options.order});
  comparison.distance = solved.value;
  const double lower = std::max(0.0, solved.plan.cost - solved.plan.gap);  // of the powers
  comparison.gap = std::max(0.0, solved.value - solved.scale * std::pow(lower, 1 / options.order));
  if (solved.plan.gap == 0) comparison.gap = 0;
  comparison.plan = std::move(solved.plan);
  explain_plan(comparison, solved.scale);

  flag_invalid(comparison);
  flag_short(comparison, comparison.simulations, comparison.measurements, options.min_span);
  flag_sampling(comparison);
  measure_spread(comparison, options);
  count_distinct(comparison);
  flag_distant(comparison, options.diverged_factor);
  Measuring(comparison, options).run();
  judge_criteria(comparison, options.criteria);
  comparison.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace fidelity::detail
