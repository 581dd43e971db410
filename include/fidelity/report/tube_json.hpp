// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/report/sampling_json.hpp>
#include <fidelity/validation/tube_signals.hpp>
#include <fidelity/version.hpp>

namespace fidelity {

namespace detail {

template <TimePoint Time>
Json json_of(const TubeSamples<Time>& samples) {
  Json failures = Json::array();
  for (const auto& each : samples.failures)
    failures.push_back(
        {{"begin", json_of_time(each.begin)}, {"end", json_of_time(each.end)}, {"samples", each.samples}});
  return {{"compared", samples.times.size()}, {"failed", samples.failed},   {"bad", samples.bad},
          {"beyond", samples.beyond},         {"outside", samples.outside}, {"unknown", samples.unknown},
          {"failures", std::move(failures)}};
}

}  // namespace detail

/// A tube check as JSON (schema "fidelity/tube/1"): verdict, reason, tolerances in use, numbers, failed stretches
/// (first and last sample). The error series is not in it: write_csv(error_series(result)).
template <TimePoint Time>
[[nodiscard]] Json to_json(const TubeResult<Time>& r) {
  return {{"schema", "fidelity/tube/1"},
          {"version", version},
          {"verdict", to_text(r.verdict)},
          {"reason", {{"code", r.reason.code}, {"text", r.reason.text}}},
          {"unit", r.tube.unit},
          {"tolerance", r.tolerance},
          {"time_tolerance_seconds", seconds(r.tube.time)},
          {"relative", r.tube.relative},
          {"absolute", r.tube.absolute},
          {"nominal", r.tube.nominal},
          {"rounding", r.tube.rounding},
          {"span", r.span},
          {"within", r.tube.within ? detail::json_of_windows(*r.tube.within) : Json(nullptr)},
          {"coverage", r.coverage},
          {"min_coverage", r.tube.min_coverage},
          {"largest_error", detail::json_of(r.largest_error)},
          {"largest_error_time", detail::json_of_time(r.largest_error_time)},
          {"test_samples", r.test_samples},
          {"reference_samples", r.reference_samples},
          {"test", detail::json_of(r.test)},
          {"reference", r.reference ? detail::json_of(*r.reference) : Json(nullptr)}};
}

/// Many signals as JSON (schema "fidelity/tubes/1").
template <TimePoint Time>
[[nodiscard]] Json to_json(const SignalChecks<Time>& checks) {
  Json signals = Json::array();
  for (const auto& each : checks.signals) {
    Json signal{{"name", each.name}};
    signal.update(to_json(each.result));
    signals.push_back(std::move(signal));
  }
  return {{"schema", "fidelity/tubes/1"},  {"version", version},    {"verdict", to_text(checks.verdict)},
          {"signals", std::move(signals)}, {"extra", checks.extra}, {"skipped", checks.skipped}};
}

/// Writes the result of one signal or of many as a JSON file, whole or not at all. Throws std::system_error.
template <TimePoint Time>
void write_json(const std::filesystem::path& path, const TubeResult<Time>& result) {
  detail::write_json_file(path, to_json(result));
}
template <TimePoint Time>
void write_json(const std::filesystem::path& path, const SignalChecks<Time>& checks) {
  detail::write_json_file(path, to_json(checks));
}

}  // namespace fidelity
