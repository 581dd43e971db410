// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/explain.hpp>
#include <fidelity/validation/detail/outline.hpp>
#include <fidelity/validation/detail/split_halves.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

inline void name_runs(std::vector<RunSummary>& runs, std::size_t count, std::string_view noun) {
  runs.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (runs[i].name.empty()) runs[i].name = concat(noun, " ", i + 1);
}

/// What a comparison keeps of each run.
template <class S, class Origin>
std::vector<RunSummary> summarise(const Collection<S>& list, [[maybe_unused]] const Origin& origin,
                                  std::string_view noun) {
  std::vector<RunSummary> runs(list.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].name = list.place(i).name;
    runs[i].samples = length_of(list[i]);
    if constexpr (HasTimes<S>) {
      runs[i].begin = seconds(difference("compare", list[i].time(0), *origin));
      runs[i].duration = seconds(list[i].span().length());
      for (std::size_t c = 0; c < list[i].channels(); ++c) runs[i].outlines.push_back(outline(list[i], c, *origin));
    }
  }
  name_runs(runs, runs.size(), noun);
  return runs;
}

inline double cell_count(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
  double a = 0, b = 0;
  for (const auto n : rows) a += static_cast<double>(n);
  for (const auto m : columns) b += static_cast<double>(m);
  return a * b;
}
/// Cells of a symmetric matrix: every unordered pair once.
inline double cell_count(const std::vector<std::size_t>& lengths) {
  double sum = 0, pairs = 0;
  for (const auto n : lengths) pairs += sum * static_cast<double>(n), sum += static_cast<double>(n);
  return pairs;
}

/// Mean and largest distance of two different measured runs.
inline void measure_spread(Comparison& comparison, double outlier_factor) {
  const std::size_t m = comparison.measurements.size();
  if (!comparison.measured_matrix || m < 2) {
    comparison.absent.push_back({"measured_spread", m < 2 ? "the spread of the measured runs needs at least two of them"
                                                          : "the distances between measured runs were not given"});
    return;
  }
  const CostMatrix& measured = *comparison.measured_matrix;
  const Indices outliers = measured_outliers(measured, outlier_factor);
  if (!outliers.empty())
    object(comparison, "outlying_measured_runs",
           concat(counted(outliers.size(), "measured run"), " more than ", short_text(outlier_factor),
                  " times as far from the nearest other one as is usual; this widens the scale and lowers the ratio: ",
                  name_list(comparison.measurements, outliers)));
  const auto outlier = [&](Eigen::Index i) {
    return std::find(outliers.begin(), outliers.end(), static_cast<std::size_t>(i)) != outliers.end();
  };
  double sum = 0, largest = 0;
  const double pairs = static_cast<double>(m) * static_cast<double>(m - 1) / 2;
  for (Eigen::Index i = 0; i < measured.rows(); ++i)
    for (Eigen::Index j = i + 1; j < measured.cols(); ++j) {
      sum += measured(i, j) / pairs;
      if (!outlier(i) && !outlier(j)) largest = std::max(largest, measured(i, j));
    }
  comparison.measured_spread = sum;
  comparison.measured_largest = largest;
  if (sum > 0) {
    comparison.relative_to_spread = comparison.distance / sum;
  } else {
    comparison.absent.push_back({"relative_to_spread", "all measured runs are equal"});
  }
}

inline void measure_ratio(Comparison& comparison, const ComparisonOptions& options) {
  const std::size_t n = comparison.simulations.size(), m = comparison.measurements.size();
  const auto absent = [&](std::string why) { comparison.absent.push_back({"ratio", std::move(why)}); };
  if (!comparison.measured_matrix) return absent("the distances between measured runs were not given");
  if (m < 4)
    return absent(concat("two groups of measured runs need at least 4 of them; there ", m == 1 ? "is " : "are ", m));
  if (n < 2) return absent("a group of simulated runs needs at least 2 of them; there is 1");
  comparison.halves = split_halves(comparison.matrix, *comparison.measured_matrix, comparison.order, options.splits,
                                   options.seed, thread_count(options.threads, options.splits * (n + m) > 20000));
  const auto& [base, like] = std::tie(comparison.halves->base, comparison.halves->like);
  if (!(base.median > 0)) {
    comparison.flags.push_back({"no_spread", "groups of measured runs have distance 0 from each other"});
    return absent("groups of measured runs have distance 0 from each other");
  }
  comparison.ratio = like.median / base.median;
  if (like.median > base.quantile95)
    comparison.flags.push_back(
        {"distinguishable", concat("simulated groups are farther from measured ones (median ", short_text(like.median),
                                   ") than at least 95 % of measured groups are from each other (",
                                   short_text(base.quantile95), "): the difference is no accident of the draw")});
}

inline void judge_criteria(Comparison& comparison, const std::vector<Criterion>& criteria) {
  const auto reason_for = [&](std::string_view what) {
    for (const Finding& finding : comparison.absent)
      if (finding.code == what) return finding.text;
    return std::string{};
  };
  for (const auto& criterion : criteria) {
    if (const auto* absolute = std::get_if<Absolute>(&criterion)) {
      comparison.criteria.push_back(
          evaluate_criterion("distance", comparison.distance, absolute->limit, comparison.unit, {}));
    } else if (const auto* relative = std::get_if<Relative>(&criterion)) {
      comparison.criteria.push_back(
          evaluate_criterion("ratio", comparison.ratio, relative->factor, "", reason_for("ratio")));
    }
  }
  comparison.verdict = summary(comparison.criteria);
  // What objects was found before: such a comparison may fail, but it cannot pass.
  const bool objections = !comparison.reasons.empty();
  if (objections && comparison.verdict == Verdict::pass) comparison.verdict = Verdict::incomplete;
  for (const auto& result : comparison.criteria) {
    if (result.outcome == Verdict::fail)
      comparison.reasons.push_back({"criterion_missed", concat(result.name, " ", short_text(*result.value),
                                                               " is above the limit ", short_text(result.limit))});
    if (result.outcome == Verdict::incomplete)
      comparison.reasons.push_back({"not_evaluated", concat(result.name, " could not be evaluated: ", result.reason)});
  }
  if (comparison.criteria.empty())
    comparison.reasons.push_back(
        {"no_criterion", "no criterion was given; what is good enough is an engineering choice"});
}

inline void check(const ComparisonOptions& options, std::size_t simulations, std::size_t measurements) {
  if (simulations == 0) fail("compare", Rule::empty, "there is no simulated run", {.collection = "simulations"});
  if (measurements == 0) fail("compare", Rule::empty, "there is no measured run", {.collection = "measurements"});
  const auto refuse = [](std::string_view sentence, double value) {
    fail("compare", Rule::bad_parameter, sentence, {.value = value});
  };
  if (!is_finite(options.order) || options.order < 1)
    fail("compare", Rule::bad_order, "the order must be a finite number >= 1", {.value = options.order});
  if (options.splits == 0 || options.splits > 1'000'000)
    refuse("splits must lie between 1 and 1000000", static_cast<double>(options.splits));
  for (const auto& [name, factor] :
       {std::pair{"diverged_factor", options.diverged_factor}, std::pair{"outlier_factor", options.outlier_factor}})
    if (!is_finite(factor) || factor <= 0) refuse(concat(name, " must be positive and finite"), factor);
  if (!(options.min_span >= 0 && options.min_span <= 1)) refuse("min_span must lie between 0 and 1", options.min_span);
  for (const auto& criterion : options.criteria) {
    const auto* absolute = std::get_if<Absolute>(&criterion);
    const double limit = absolute ? absolute->limit : std::get<Relative>(criterion).factor;
    if (!is_finite(limit) || limit < 0) refuse("the limit of a criterion must be finite and not negative", limit);
  }
}

/// A matrix of distances of measured runs that a caller brings: square, symmetric, finite, not negative, 0 on the
/// diagonal. (The other matrix is checked where the transport problem is solved.)
inline void check_measured_matrix(const Comparison& comparison) {
  if (!comparison.measured_matrix) return;
  const CostMatrix& d = *comparison.measured_matrix;
  const Eigen::Index m = comparison.matrix.cols();
  if (d.rows() != m || d.cols() != m)
    fail("compare_matrices", Rule::shape_mismatch,
         concat("the distances of ", m, " measured runs from each other are a square matrix of that size; this one is ",
                d.rows(), " x ", d.cols()),
         {.collection = "measured_distances"});
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < m; ++j) {
      const char* wrong = nullptr;
      if (!is_finite(d(i, j)) || d(i, j) < 0) {
        wrong = "a distance must be finite and not negative";
      } else if (i == j && d(i, j) != 0) {
        wrong = "the distance of a run from itself must be 0";
      } else if (is_finite(d(j, i)) && std::abs(d(i, j) - d(j, i)) > 1e-9 * std::max(d(i, j), d(j, i))) {
        wrong = "the distances of measured runs must be symmetric";
      }
      if (wrong)
        fail("compare_matrices", Rule::bad_cost, concat(wrong, ", in row ", i, ", column ", j),
             {.collection = "measured_distances",
              .index = static_cast<std::size_t>(i),
              .sample = static_cast<std::size_t>(j),
              .value = d(i, j)});
    }
}

/// Everything that follows from the matrices. The caller has checked options and sizes.
inline void judge(Comparison& comparison, const ComparisonOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  comparison.unit = options.unit;
  comparison.order = options.order;
  comparison.seed = options.seed;

  auto solved = wasserstein(comparison.matrix, {.order = options.order});
  comparison.distance = solved.value;
  const double lower = std::max(0.0, solved.plan.cost - solved.plan.gap);  // of the powers
  comparison.gap = std::max(0.0, solved.value - solved.scale * std::pow(lower, 1 / options.order));
  if (solved.plan.gap == 0) comparison.gap = 0;
  comparison.plan = std::move(solved.plan);
  explain_plan(comparison, solved.scale);
  flag_short(comparison, options.min_span);
  measure_spread(comparison, options.outlier_factor);
  measure_ratio(comparison, options);

  comparison.distinct_measurements = comparison.measurements.size();
  if (comparison.measured_matrix) {
    comparison.distinct_measurements = flag_duplicates(
        comparison, comparison.measurements, "measured",
        duplicate_groups(comparison.measurements.size(), [&](std::size_t i, std::size_t k) {
          return (*comparison.measured_matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) == 0;
        }));
  }
  flag_distant(comparison, options.diverged_factor);
  judge_criteria(comparison, options.criteria);
  comparison.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace fidelity::detail
