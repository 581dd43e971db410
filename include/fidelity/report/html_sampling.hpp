// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/report/detail/html_page.hpp>
#include <fidelity/report/html_options.hpp>
#include <fidelity/report/sampling_figure.hpp>
#include <fidelity/report/sampling_text.hpp>
#include <fidelity/sampling/sampler.hpp>

namespace fidelity {

namespace detail {

template <TimePoint Time>
void write_sampling_tables(HtmlPage& page, const SamplingResult<Time>& r) {
  std::vector<std::vector<HtmlCell>> rows;
  if (!r.inputs.empty()) {
    const bool latest = r.mode == SamplingMode::disabled;
    for (const auto& input : r.inputs) {
      std::vector<HtmlCell> row{{xml_text(input.name)},
                                {input.value ? fmt::format("{:.8g}", *input.value) : "missing", true}};
      if (latest) {
        row.push_back({input.age ? duration_text(seconds(*input.age)) : "\u2013", true});
      } else {
        row.push_back({percent(input.coverage.value_or(0)), true});
        row.push_back({std::to_string(input.samples), true});
        row.push_back({input.longest_pause ? duration_text(seconds(*input.longest_pause)) : "\u2013", true});
      }
      rows.push_back(std::move(row));
    }
    page.section("Inputs");
    if (latest)
      page.table({"input", "latest value", "age"}, rows);
    else
      page.table({"input", "average", "coverage", "samples", "longest pause"}, rows);
  }
  rows.clear();
  for (const auto& condition : r.conditions) {
    const auto longest = condition.status.longest(Truth::holds);
    rows.push_back({{xml_text(condition.name)},
                    {xml_text(condition.description)},
                    {percent(condition.status.fraction(Truth::holds)), true},
                    {percent(condition.status.fraction(Truth::unknown)), true},
                    {longest ? duration_text(seconds(longest->length())) : "none", true}});
  }
  if (!rows.empty()) {
    page.section("Conditions in the validation window");
    page.table({"condition", "meaning", "holds", "unknown", "longest run"}, rows);
  }
  if (r.window || !r.search || r.search->conditions.size() < 2) return;
  page.section("What would have fitted");
  rows.clear();
  for (const auto& why : r.search->conditions)
    rows.push_back({{xml_text(why.name)},
                    {why.longest_run_without ? xml_text(window_words(*why.longest_run_without)) : "no run"},
                    {why.fits_without ? "yes" : "no"}});
  page.table({"without", "longest run of the others", "long enough"}, rows);
}

}  // namespace detail

/// A sampling as one self-contained page: whether it was sampled and why not, windows, the picture, inputs, conditions,
/// notes. `figure` is that of a SamplingPicture.
template <TimePoint Time>
[[nodiscard]] std::string to_html(const SamplingResult<Time>& result, const Figure<Time>& figure,
                                  const HtmlOptions& options = {}) {
  detail::HtmlPage page(options.title.empty() ? "Sampling at run time " + detail::short_time(result.run_time)
                                              : options.title);
  std::vector<std::string> sentences{fmt::format("mode: {}", to_text(result.mode))};
  if (result.search && !result.window) sentences.push_back(result.search->reason);
  // A complete result is no verdict on the plant, but nothing stands in the way of a simulation.
  page.banner(result.complete() ? "green" : "amber",
              result.complete()        ? "\u2713 sampled"
              : result.simulation_time ? "? incomplete"
                                       : "? no sampling window",
              sentences);
  std::vector<detail::HtmlPage::Fact> facts{{"Run time", detail::short_time(result.run_time)}};
  if (result.simulation_time) facts.push_back({"Simulation time", detail::short_time(*result.simulation_time)});
  const auto window = [&](const char* name, const std::optional<Window<Time>>& w) {
    if (w)
      facts.push_back({name, detail::duration_text(seconds(w->length())),
                       detail::short_time(w->begin) + " to " + detail::short_time(w->end)});
  };
  window("Sampling window", result.window);
  window("Validation window", result.validation);
  page.facts(facts);
  page.picture([&](double width) { return figure.fragment(width); });
  detail::write_sampling_tables(page, result);
  if (!result.notes.empty()) page.section("Notes"), page.findings(result.notes);
  page.files(options.files);
  return std::move(page).finish();
}

/// Writes that page, whole or not at all. Throws std::system_error, which names the file.
template <TimePoint Time>
void write_html(const std::filesystem::path& path, const SamplingResult<Time>& result, const Figure<Time>& figure,
                const HtmlOptions& options = {}) {
  const std::string page = to_html(result, figure, options);
  detail::write_file(path, [&](std::ostream& file) { file << page; });
}

}  // namespace fidelity
