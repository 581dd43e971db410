// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/sampling/sampler.hpp>
#include <fidelity/version.hpp>

namespace fidelity {

namespace detail {

/// Instants as ISO 8601 text in UTC with nine decimals; seconds as a number where the time is double seconds.
template <TimePoint Time>
Json json_of_time(Time t) {
  if constexpr (std::same_as<Time, double>)
    return t;
  else
    return fidelity::to_text(t);
}
template <TimePoint Time>
Json json_of_time(const std::optional<Time>& t) {
  return t ? json_of_time(*t) : Json(nullptr);
}
template <class D>
Json json_of_seconds(const std::optional<D>& length) {
  return length ? Json(seconds(*length)) : Json(nullptr);
}
template <TimePoint Time>
Json json_of_window(const Window<Time>& window) {
  return {{"begin", json_of_time(window.begin)}, {"end", json_of_time(window.end)}};
}
template <TimePoint Time>
Json json_of_window(const std::optional<Window<Time>>& window) {
  return window ? json_of_window(*window) : Json(nullptr);
}
template <TimePoint Time>
Json json_of_windows(const WindowSet<Time>& set) {
  Json list = Json::array();
  for (const Window<Time>& window : set.windows()) list.push_back(json_of_window(window));
  return list;
}
template <TimePoint Time>
Json json_of(const Status<Time>& status) {
  Json cuts = Json::array();
  for (const Time cut : status.cuts()) cuts.push_back(json_of_time(cut));
  return {{"range", json_of_window(status.range())},
          {"holds", json_of_windows(status.holds())},
          {"unknown", json_of_windows(status.unknown())},
          {"cuts", std::move(cuts)}};
}
template <TimePoint Time>
Json json_of(const WindowSearch<Time>& search) {
  Json conditions = Json::array();
  for (const auto& why : search.conditions)
    conditions.push_back({{"name", why.name},
                          {"holds", why.holds},
                          {"unknown", why.unknown},
                          {"does_not_hold", why.does_not_hold},
                          {"longest_run", json_of_window(why.longest_run)},
                          {"prevents_alone_seconds", seconds(why.prevents_alone)},
                          {"longest_run_without", json_of_window(why.longest_run_without)},
                          {"fits_without", why.fits_without}});
  return {{"code", fidelity::to_text(search.code)},
          {"reason", search.reason},
          {"longest_run", json_of_window(search.longest_run)},
          {"shortfall_seconds", seconds(search.shortfall)},
          {"conditions", std::move(conditions)}};
}

}  // namespace detail

/// A sampling result as JSON (schema "fidelity/sampling/1"): every field of SamplingResult. Windows are half open;
/// missing values are null; lengths of time are in seconds.
template <TimePoint Time>
[[nodiscard]] Json to_json(const SamplingResult<Time>& result) {
  Json inputs = Json::array(), conditions = Json::array();
  for (const auto& input : result.inputs)
    inputs.push_back({{"name", input.name},
                      {"value", detail::json_of(input.value)},
                      {"coverage", detail::json_of(input.coverage)},
                      {"samples", input.samples},
                      {"longest_pause_seconds", detail::json_of_seconds(input.longest_pause)},
                      {"time", detail::json_of_time(input.time)},
                      {"age_seconds", detail::json_of_seconds(input.age)},
                      {"bad_since", input.bad_since}});
  for (const auto& condition : result.conditions)
    conditions.push_back({{"name", condition.name},
                          {"description", condition.description},
                          {"longest_pause_seconds", detail::json_of_seconds(condition.longest_pause)},
                          {"status", detail::json_of(condition.status)}});
  return {{"schema", "fidelity/sampling/1"},
          {"version", version},
          {"complete", result.complete()},
          {"mode", to_text(result.mode)},
          {"run_time", detail::json_of_time(result.run_time)},
          {"validation_window", detail::json_of_window(result.validation)},
          {"sampling_window", detail::json_of_window(result.window)},
          {"simulation_time", detail::json_of_time(result.simulation_time)},
          {"inputs", std::move(inputs)},
          {"search", result.search ? detail::json_of(*result.search) : Json(nullptr)},
          {"notes", detail::json_of(result.notes)},
          {"combined", result.combined ? detail::json_of(*result.combined) : Json(nullptr)},
          {"conditions", std::move(conditions)}};
}

/// Many run times: an array of the objects above.
template <TimePoint Time>
[[nodiscard]] Json to_json(const std::vector<SamplingResult<Time>>& results) {
  Json list = Json::array();
  for (const auto& result : results) list.push_back(to_json(result));
  return list;
}

/// Writes one result or many as a JSON file, whole or not at all. Throws std::system_error, which names the file.
template <TimePoint Time>
void write_json(const std::filesystem::path& path, const SamplingResult<Time>& result) {
  detail::write_json_file(path, to_json(result));
}
template <TimePoint Time>
void write_json(const std::filesystem::path& path, const std::vector<SamplingResult<Time>>& results) {
  detail::write_json_file(path, to_json(results));
}

}  // namespace fidelity
