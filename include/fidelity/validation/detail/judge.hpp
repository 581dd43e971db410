// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
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
inline void measure_spread(Comparison& comparison) {
  const std::size_t m = comparison.measurements.size();
  if (!comparison.measured_matrix || m < 2) {
    comparison.absent.push_back({"measured_spread", m < 2 ? "the spread of the measured runs needs at least two of them"
                                                          : "the distances between measured runs were not given"});
    return;
  }
  const CostMatrix& measured = *comparison.measured_matrix;
  double sum = 0, largest = 0;
  const double pairs = static_cast<double>(m) * static_cast<double>(m - 1) / 2;
  for (Eigen::Index i = 0; i < measured.rows(); ++i)
    for (Eigen::Index j = i + 1; j < measured.cols(); ++j)
      sum += measured(i, j) / pairs, largest = std::max(largest, measured(i, j));
  comparison.measured_spread = sum;
  comparison.measured_largest = largest;
  if (sum > 0) {
    comparison.relative_to_spread = comparison.distance / sum;
  } else {
    comparison.absent.push_back({"relative_to_spread", "all measured runs are equal"});
  }
}

template <class Options>
void measure_ratio(Comparison& comparison, const Options& options) {
  const std::size_t n = comparison.simulations.size(), m = comparison.measurements.size();
  const auto absent = [&](std::string why) { comparison.absent.push_back({"ratio", std::move(why)}); };
  if (!comparison.measured_matrix) return absent("the distances between measured runs were not given");
  if (m < 4)
    return absent(concat("two groups of measured runs need at least 4 of them; there ", m == 1 ? "is " : "are ", m));
  if (n < 2) return absent("a group of simulated runs needs at least 2 of them; there is 1");
  comparison.halves = split_halves(comparison.matrix, *comparison.measured_matrix, comparison.order, options.splits,
                                   options.seed, thread_count(options.threads, options.splits * (n + m) > 20000));
  const double base = comparison.halves->base.median;
  if (!(base > 0)) return absent("groups of measured runs have distance 0 from each other");
  comparison.ratio = comparison.halves->like.median / base;
}

template <class Options>
void judge_criteria(Comparison& comparison, const Options& options) {
  const auto reason_for = [&](std::string_view what) {
    for (const Finding& finding : comparison.absent)
      if (finding.code == what) return finding.text;
    return std::string{};
  };
  for (const auto& criterion : options.criteria) {
    if (const auto* absolute = std::get_if<Absolute>(&criterion)) {
      comparison.criteria.push_back(judge("distance", comparison.distance, absolute->limit, comparison.unit, {}));
    } else if (const auto* relative = std::get_if<Relative>(&criterion)) {
      comparison.criteria.push_back(judge("ratio", comparison.ratio, relative->factor, "", reason_for("ratio")));
    }
  }
  comparison.verdict = summary(comparison.criteria);
  // A run that ends early may fail, but it cannot pass.
  if (!comparison.reasons.empty() && comparison.verdict == Verdict::pass) comparison.verdict = Verdict::incomplete;
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

template <class Options>
void check(const Options& options, std::size_t simulations, std::size_t measurements) {
  if (simulations == 0) fail("compare", Rule::empty, "there is no simulated run", {.collection = "simulations"});
  if (measurements == 0) fail("compare", Rule::empty, "there is no measured run", {.collection = "measurements"});
  const auto refuse = [](std::string_view sentence, double value) {
    fail("compare", Rule::bad_parameter, sentence, {.value = value});
  };
  if (!is_finite(options.order) || options.order < 1)
    fail("compare", Rule::bad_order, "the order must be a finite number >= 1", {.value = options.order});
  if (options.splits == 0) refuse("splits must be at least 1", 0);
  if (!is_finite(options.diverged_factor) || options.diverged_factor <= 0)
    refuse("diverged_factor must be positive and finite", options.diverged_factor);
  if (!(options.min_span >= 0 && options.min_span <= 1)) refuse("min_span must lie between 0 and 1", options.min_span);
  for (const auto& criterion : options.criteria) {
    const double limit = std::visit(
        [](const auto& each) {
          if constexpr (requires { each.limit; }) {
            return each.limit;
          } else {
            return each.factor;
          }
        },
        criterion);
    if (!is_finite(limit) || limit < 0) refuse("the limit of a criterion must be finite and not negative", limit);
  }
}

/// Everything that follows from the matrices. `same(i, k)` says whether two simulated runs have distance 0.
template <class Options, class Same>
void judge(Comparison& comparison, const Options& options, Same same) {
  const auto started = std::chrono::steady_clock::now();
  const CostMatrix& matrix = comparison.matrix;
  check(options, comparison.simulations.size(), comparison.measurements.size());
  if (comparison.measured_matrix &&
      (comparison.measured_matrix->rows() != matrix.cols() || comparison.measured_matrix->cols() != matrix.cols()))
    fail("compare_matrices", Rule::shape_mismatch,
         concat("the distances of ", matrix.cols(),
                " measured runs from each other are a square matrix of that size; this one is ",
                comparison.measured_matrix->rows(), " x ", comparison.measured_matrix->cols()),
         {.collection = "measured_distances"});
  comparison.unit = options.unit;
  comparison.order = options.order;
  comparison.seed = options.seed;

  auto solved = wasserstein(matrix, {.order = options.order});
  comparison.distance = solved.value;
  comparison.plan = std::move(solved.plan);
  explain_plan(comparison);
  measure_spread(comparison);
  measure_ratio(comparison, options);

  // Equal runs have equal rows in the matrix, so only such pairs need a distance of their own.
  const auto near_rows = [&](std::size_t i, std::size_t k) {
    const auto a = matrix.row(static_cast<Eigen::Index>(i)), b = matrix.row(static_cast<Eigen::Index>(k));
    return ((a - b).array().abs() <= 1e-9 * a.array().max(b.array())).all();
  };
  comparison.distinct_simulations =
      flag_duplicates(comparison, comparison.simulations, "simulated",
                      duplicate_groups(comparison.simulations.size(),
                                       [&](std::size_t i, std::size_t k) { return near_rows(i, k) && same(i, k); }));
  comparison.distinct_measurements = comparison.measurements.size();
  if (comparison.measured_matrix) {
    comparison.distinct_measurements = flag_duplicates(
        comparison, comparison.measurements, "measured",
        duplicate_groups(comparison.measurements.size(), [&](std::size_t i, std::size_t k) {
          return (*comparison.measured_matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) == 0;
        }));
  }
  flag_outliers(comparison, options.diverged_factor, options.min_span);
  judge_criteria(comparison, options);
  comparison.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace fidelity::detail
