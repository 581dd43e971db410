// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/io/load_report.hpp>
#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/version.hpp>

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

inline Json json_of(const std::vector<RunSummary>& runs, const std::vector<RunSummary>& others) {
  Json list = Json::array();
  for (const RunSummary& run : runs) {
    Json outlines = Json::array();
    for (const Outline& outline : run.outlines)
      outlines.push_back({{"times", outline.times}, {"values", outline.values}});
    list.push_back({{"name", run.name},
                    {"samples", run.samples},
                    {"begin", run.begin},
                    {"duration", run.duration},
                    {"contribution", run.contribution},
                    {"share", run.share},
                    {"nearest", run.nearest},
                    {"nearest_name", others[run.nearest].name},
                    {"nearest_distance", run.nearest_distance},
                    {"outlines", std::move(outlines)}});
  }
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

}  // namespace detail

/// The whole comparison as JSON (schema "fidelity/comparison/1"): verdict, reasons and criteria first, then numbers
/// with their unit, runs with outlines, plan with prices, matrices and settings. Runs are named by position (0-based)
/// and name. NaN and infinity are null; numbers read back exactly.
[[nodiscard]] inline Json to_json(const Comparison& c) {
  Json criteria = Json::array();
  for (const CriterionResult& result : c.criteria)
    criteria.push_back({{"name", result.name},
                        {"value", detail::json_of(result.value)},
                        {"limit", result.limit},
                        {"unit", result.unit},
                        {"outcome", to_text(result.outcome)},
                        {"reason", result.reason}});
  Json halves = nullptr;
  if (c.halves)
    halves = {{"half_size", c.halves->half_size},
              {"exhaustive_base", c.halves->exhaustive_base},
              {"exhaustive_like", c.halves->exhaustive_like},
              {"base", detail::json_of(c.halves->base)},
              {"like", detail::json_of(c.halves->like)}};
  Json matches = Json::array();
  for (const Match& match : c.matches)
    matches.push_back({{"simulation", match.simulation},
                       {"simulation_name", c.simulations[match.simulation].name},
                       {"measurement", match.measurement},
                       {"measurement_name", c.measurements[match.measurement].name},
                       {"mass", match.mass},
                       {"distance", match.distance}});
  return {{"schema", "fidelity/comparison/1"},
          {"version", version},
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
          {"split_halves", std::move(halves)},
          {"absent", detail::json_of(c.absent)},
          {"flags", detail::json_of(c.flags)},
          {"metric", detail::json_of(c.metric)},
          {"origin", c.origin},
          {"seed", c.seed},
          {"distinct_simulations", detail::json_of(c.distinct_simulations)},
          {"distinct_measurements", c.distinct_measurements},
          {"simulations", detail::json_of(c.simulations, c.measurements)},
          {"measurements", detail::json_of(c.measurements, c.simulations)},
          {"matches", std::move(matches)},
          {"simulation_prices", c.plan.row_prices},
          {"measurement_prices", c.plan.column_prices},
          {"matrix", detail::json_of(c.matrix)},
          {"measured_matrix", c.measured_matrix ? detail::json_of(*c.measured_matrix) : Json(nullptr)},
          {"matrix_seconds", c.matrix_seconds},
          {"solve_seconds", c.solve_seconds}};
}

/// Writes a comparison as a JSON file. The file appears whole or not at all. Throws std::system_error.
inline void write_json(const std::filesystem::path& path, const Comparison& comparison) {
  detail::write_json_file(path, to_json(comparison));
}

/// What a reader did to a file, as JSON (schema "fidelity/load_report/1").
[[nodiscard]] inline Json to_json(const LoadReport& report) {
  const auto character = [](char c) { return std::string(1, c); };
  const auto gap = [](const GapReport& g) { return Json{{"begin", g.begin}, {"end", g.end}, {"seconds", g.seconds}}; };
  Json channels = Json::array();
  for (const ChannelReport& channel : report.channels) {
    Json reasons = Json::array(), first_bad = Json::array();
    for (const BadReason& reason : channel.reasons) reasons.push_back({{"text", reason.text}, {"count", reason.count}});
    for (const BadSample& sample : channel.first_bad)
      first_bad.push_back({{"line", sample.line}, {"text", sample.text}});
    channels.push_back({{"name", channel.name},
                        {"unit", channel.unit},
                        {"position", channel.position},
                        {"good", channel.good},
                        {"bad", channel.bad},
                        {"reasons", std::move(reasons)},
                        {"other_reasons", channel.other_reasons},
                        {"first_bad", std::move(first_bad)},
                        {"sentinels", channel.sentinels},
                        {"inexact_integers", channel.inexact_integers},
                        {"looks_discrete", channel.looks_discrete}});
  }
  Json bad_rows = Json::array(), gaps = Json::array(), warnings = Json::array();
  for (const BadRow& row : report.first_bad_rows) bad_rows.push_back({{"line", row.line}, {"reason", row.reason}});
  for (const GapReport& each : report.times.first_gaps) gaps.push_back(gap(each));
  for (const LoadWarning& warning : report.warnings)
    warnings.push_back({{"code", warning.code}, {"sentence", warning.sentence}});
  const TimeReport& times = report.times;
  return {{"schema", "fidelity/load_report/1"},
          {"version", version},
          {"file", report.file},
          {"delimiter", character(report.delimiter)},
          {"delimiter_found_by", to_text(report.delimiter_found_by)},
          {"decimal", character(report.decimal)},
          {"decimal_found_by", to_text(report.decimal_found_by)},
          {"thousands", report.thousands ? Json(character(*report.thousands)) : Json(nullptr)},
          {"names_row", detail::json_of(report.names_row)},
          {"names_row_found_by", to_text(report.names_row_found_by)},
          {"units_row", detail::json_of(report.units_row)},
          {"first_data_row", report.first_data_row},
          {"time_columns", report.time_columns},
          {"time_format", report.time_format},
          {"time_format_found_by", to_text(report.time_format_found_by)},
          {"time_unit", report.time_unit ? Json(to_text(*report.time_unit)) : Json(nullptr)},
          {"time_unit_found_by", to_text(report.time_unit_found_by)},
          {"zone", report.zone},
          {"zone_assumed", report.zone_assumed},
          {"rows", report.rows},
          {"rows_empty", report.rows_empty},
          {"rows_comment", report.rows_comment},
          {"rows_bad", report.rows_bad},
          {"rows_filtered", report.rows_filtered},
          {"first_bad_rows", std::move(bad_rows)},
          {"times",
           {{"samples", times.samples},
            {"first", times.first},
            {"last", times.last},
            {"median_step", detail::json_of(times.median_step)},
            {"period", detail::json_of(times.period)},
            {"backward_steps", times.backward_steps},
            {"largest_backward_step", times.largest_backward_step},
            {"duplicate_times", times.duplicate_times},
            {"identical_duplicates", times.identical_duplicates},
            {"conflicting_duplicates", times.conflicting_duplicates},
            {"event_times", times.event_times},
            {"event_rows_dropped", times.event_rows_dropped},
            {"longest_gap", times.longest_gap ? gap(*times.longest_gap) : Json(nullptr)},
            {"gaps", times.gaps},
            {"first_gaps", std::move(gaps)}}},
          {"channels", std::move(channels)},
          {"text_columns", report.text_columns},
          {"warnings", std::move(warnings)}};
}

/// Writes a load report as a JSON file. The file appears whole or not at all. Throws std::system_error.
inline void write_json(const std::filesystem::path& path, const LoadReport& report) {
  detail::write_json_file(path, to_json(report));
}

}  // namespace fidelity
