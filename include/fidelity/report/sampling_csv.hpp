// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/io/detail/csv_writer.hpp>
#include <fidelity/sampling/sampler.hpp>

namespace fidelity {

/// Sampling results as a CSV table, one row a run time: run_time, code (found, or why not), sampling_start,
/// sampling_end, simulation_time, then for every input its value and its coverage (for latest values the age in
/// seconds). What is missing is an empty cell. All results must have been made with the same inputs.
template <TimePoint Time>
[[nodiscard]] std::string to_csv(const std::vector<SamplingResult<Time>>& results,
                                 const std::vector<std::string>& inputs);

/// Writes that table, whole or not at all. Throws std::system_error, which names the file.
template <TimePoint Time>
void write_csv(const std::filesystem::path& path, const std::vector<SamplingResult<Time>>& results,
               const std::vector<std::string>& inputs) {
  const std::string table = to_csv(results, inputs);
  detail::write_file(path, [&](std::ostream& file) { file << table; });
}

template <TimePoint Time>
std::string to_csv(const std::vector<SamplingResult<Time>>& results, const std::vector<std::string>& inputs) {
  namespace io = detail::io;
  std::string out = "run_time,code,sampling_start,sampling_end,simulation_time";
  const bool latest = !results.empty() && results.front().mode == SamplingMode::disabled;
  for (const std::string& name : inputs) {
    out += ',';
    io::append_name(out, name);
    out += ',';
    io::append_name(out, name + (latest ? " age_s" : " coverage"));
  }
  out += '\n';
  const auto time = [&](const std::optional<Time>& t) {
    out += ',';
    if (t) io::append_time(out, *t, "", 0);
  };
  const auto number = [&](const std::optional<double>& x) {
    out += ',';
    if (x) io::append_number(out, *x);
  };
  for (const SamplingResult<Time>& result : results) {
    if (!result.inputs.empty() && result.inputs.size() != inputs.size())
      detail::fail("to_csv", Rule::size_mismatch,
                   detail::concat("a result has ", result.inputs.size(), " inputs and the table ", inputs.size()));
    if ((result.mode == SamplingMode::disabled) != latest)
      detail::fail("to_csv", Rule::bad_parameter, "results of plans with and without sampling do not fit one table");
    io::append_time(out, result.run_time, "", 0);
    out += ',';
    out += result.search ? to_text(result.search->code) : to_text(WindowSearchCode::found);
    time(result.window ? std::optional(result.window->begin) : std::nullopt);
    time(result.window ? std::optional(result.window->end) : std::nullopt);
    time(result.simulation_time);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool there = i < result.inputs.size();
      if (there && result.inputs[i].name != inputs[i])
        detail::fail("to_csv", Rule::unknown_name,
                     detail::concat("the results have the input '", result.inputs[i].name, "' where the table has '",
                                    inputs[i], "'"),
                     {.collection = "inputs", .index = i});
      number(there ? result.inputs[i].value : std::nullopt);
      std::optional<double> beside;
      if (there && latest && result.inputs[i].age) beside = seconds(*result.inputs[i].age);
      if (there && !latest) beside = result.inputs[i].coverage;
      number(beside);
    }
    out += '\n';
  }
  return out;
}

}  // namespace fidelity
