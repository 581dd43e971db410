// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <fidelity/io/load_report.hpp>
#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/version.hpp>

namespace fidelity {

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
                        {"suspect", channel.suspect},
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
          {"thousands_found_by", to_text(report.thousands_found_by)},
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
          {"rows_repeated_hour", report.rows_repeated_hour},
          {"quality_column", report.quality_column},
          {"suspect_used", report.suspect_used},
          {"rows_unknown_status", report.rows_unknown_status},
          {"rows_held_over", report.rows_held_over},
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
