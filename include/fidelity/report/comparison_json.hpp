// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity {

namespace detail {

inline Json json_of(const GroupDistances& groups) {
  return {
      {"mean", groups.mean}, {"median", groups.median}, {"quantile95", groups.quantile95}, {"values", groups.values}};
}

inline Json json_of(const CostMatrix& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  return rows;
}

inline Json json_of(const std::vector<RunSummary>& runs, const std::vector<RunSummary>& others, double distance) {
  Json list = Json::array();
  for (const RunSummary& run : runs) {
    Json outlines = Json::array();
    for (const Outline& outline : run.outlines)
      outlines.push_back({{"times", outline.times}, {"values", outline.values}});
    const auto change = run.distance_without ? Json(*run.distance_without - distance) : Json(nullptr);
    list.push_back({{"name", run.name},
                    {"samples", run.samples},
                    {"begin", run.begin},
                    {"duration", run.duration},
                    {"contribution", run.contribution},
                    {"share", run.share},
                    {"nearest", run.nearest},
                    {"nearest_name", others[run.nearest].name},
                    {"nearest_distance", run.nearest_distance},
                    {"distance_without", json_of(run.distance_without)},
                    {"change_without", change},
                    {"outlines", std::move(outlines)}});
  }
  return list;
}

inline Json json_of(const std::vector<InvalidRun>& runs) {
  Json list = Json::array();
  for (const InvalidRun& run : runs) list.push_back({{"name", run.name}, {"index", run.index}, {"sample", run.sample}});
  return list;
}

inline Json json_of(const MetricDescription& metric) {
  Json parameters = Json::array();
  for (const auto& parameter : metric.parameters)
    parameters.push_back(
        {{"name", parameter.name}, {"value", parameter.value}, {"unit_per_value", parameter.unit_per_value}});
  constexpr const char* status[] = {"metric", "pseudo_metric", "not_a_metric", "unknown"};
  return {{"name", metric.name},
          {"parameters", std::move(parameters)},
          {"settings", metric.settings},
          {"status", status[static_cast<int>(metric.status)]}};
}

inline Json json_of(const CriterionResult& result) {
  return {{"name", result.name},
          {"value", json_of(result.value)},
          {"relation", result.at_least ? ">=" : "<="},
          {"limit", json_of(result.limit)},
          {"unit", result.unit},
          {"outcome", to_text(result.outcome)},
          {"reason", result.reason}};
}

inline Json json_of(const SplitHalves& halves) {
  return {{"half_size", halves.half_size},
          {"exhaustive_base", halves.exhaustive_base},
          {"exhaustive_like", halves.exhaustive_like},
          {"base", json_of(halves.base)},
          {"like", json_of(halves.like)}};
}

inline Json json_of(const Interval& interval) {
  return {{"lower", interval.lower},
          {"upper", interval.upper},
          {"level", interval.level},
          {"estimate", interval.estimate},
          {"values", interval.values}};
}
inline Json json_of(const std::vector<TrimmedRun>& left, const std::vector<RunSummary>& runs) {
  Json list = Json::array();
  for (const TrimmedRun& run : left)
    list.push_back({{"run", run.run}, {"name", runs[run.run].name}, {"mass", run.mass}, {"share", run.share}});
  return list;
}

inline Json json_of(const PermutationTest& test) {
  return {{"statistic", test.statistic},
          {"p_value", test.p_value},
          {"smallest_p", test.smallest_p},
          {"exact", test.exact},
          {"statistics", test.statistics}};
}
inline Json json_of(const EnergyDistance& energy) {
  return {{"all_pairs", energy.all_pairs},
          {"debiased", json_of(energy.debiased)},
          {"across", energy.across},
          {"within_simulated", json_of(energy.within_simulated)},
          {"within_measured", json_of(energy.within_measured)}};
}
inline Json json_of(const TrimmedWasserstein& trimmed, const Comparison& c) {
  return {{"value", trimmed.value},
          {"full", trimmed.full},
          {"budget", {{"simulated", trimmed.used.simulated}, {"measured", trimmed.used.measured}}},
          {"simulations", json_of(trimmed.simulations, c.simulations)},
          {"measurements", json_of(trimmed.measurements, c.measurements)}};
}
inline Json json_of(const SamplingSteps& steps) {
  return {{"simulated_step", steps.simulated}, {"measured_step", steps.measured}, {"cost", json_of(steps.cost)}};
}

template <class T>
Json json_or_null(const std::optional<T>& part) {
  return part ? json_of(*part) : Json(nullptr);
}

/// All 64 bits: a JSON number is a double to many readers.
inline std::string hexadecimal(std::uint64_t x) {
  std::string digits(16, '0');
  for (std::size_t k = 16; k-- > 0; x >>= 4) digits[k] = "0123456789abcdef"[x & 15U];
  return digits;
}

}  // namespace detail

/// The whole comparison as JSON (schema "fidelity/comparison/2"): verdict, reasons and criteria first, then numbers
/// with their unit, all replicates, runs with outlines, plan with prices, matrices and settings. Runs are named by
/// position (0-based) and name. NaN and infinity are null; numbers read back exactly.
[[nodiscard]] inline Json to_json(const Comparison& c) {
  Json criteria = Json::array();
  for (const CriterionResult& result : c.criteria) criteria.push_back(detail::json_of(result));
  Json matches = Json::array();
  for (const Match& match : c.matches)
    matches.push_back({{"simulation", match.simulation},
                       {"simulation_name", c.simulations[match.simulation].name},
                       {"measurement", match.measurement},
                       {"measurement_name", c.measurements[match.measurement].name},
                       {"mass", match.mass},
                       {"distance", match.distance}});
  return {{"schema", "fidelity/comparison/2"},
          {"version", c.library_version},
          {"verdict", to_text(c.verdict)},
          {"reasons", detail::json_of(c.reasons)},
          {"criteria", std::move(criteria)},
          {"unit", c.unit},
          {"distance", c.distance},
          {"order", c.order},
          {"gap", c.gap},
          {"ratio", detail::json_of(c.ratio)},
          {"relative_to_spread", detail::json_of(c.relative_to_spread)},
          {"measured_spread", detail::json_of(c.measured_spread)},
          {"measured_largest", detail::json_of(c.measured_largest)},
          {"simulated_spread", detail::json_of(c.simulated_spread)},
          {"split_halves", detail::json_or_null(c.halves)},
          {"p_value", detail::json_of(c.p_value)},
          {"permutation", detail::json_or_null(c.permutation)},
          {"confidence", c.confidence},
          {"drawn_anew", c.drawn == Resample::both ? "both" : "measured"},
          {"interval", detail::json_or_null(c.interval)},
          {"ratio_interval", detail::json_or_null(c.ratio_interval)},
          {"energy", detail::json_or_null(c.energy)},
          {"trimmed", c.trimmed ? detail::json_of(*c.trimmed, c) : Json(nullptr)},
          {"simulated_medoid", detail::json_of(c.simulated_medoid)},
          {"measured_medoid", detail::json_of(c.measured_medoid)},
          {"sampling", detail::json_or_null(c.sampling)},
          {"common_grid", detail::json_of(c.common_grid)},
          {"absent", detail::json_of(c.absent)},
          {"flags", detail::json_of(c.flags)},
          {"metric", detail::json_of(c.metric)},
          {"origin", c.origin},
          {"seed", c.seed},
          {"input_hash", detail::hexadecimal(c.input_hash)},
          {"distinct_simulations", detail::json_of(c.distinct_simulations)},
          {"distinct_measurements", detail::json_of(c.distinct_measurements)},
          {"invalid_simulations", detail::json_of(c.invalid_simulations)},
          {"invalid_measurements", detail::json_of(c.invalid_measurements)},
          {"simulations", detail::json_of(c.simulations, c.measurements, c.distance)},
          {"measurements", detail::json_of(c.measurements, c.simulations, c.distance)},
          {"matches", std::move(matches)},
          {"weights", {{"simulations", c.plan.supply}, {"measurements", c.plan.demand}}},
          {"simulation_prices", c.plan.row_prices},
          {"measurement_prices", c.plan.column_prices},
          {"matrix", detail::json_of(c.matrix)},
          {"measured_matrix", detail::json_or_null(c.measured_matrix)},
          {"simulated_matrix", detail::json_or_null(c.simulated_matrix)},
          {"matrix_seconds", c.matrix_seconds},
          {"solve_seconds", c.solve_seconds}};
}

/// Writes a comparison as a JSON file. The file appears whole or not at all. Throws std::system_error.
inline void write_json(const std::filesystem::path& path, const Comparison& comparison) {
  detail::write_json_file(path, to_json(comparison));
}

}  // namespace fidelity
