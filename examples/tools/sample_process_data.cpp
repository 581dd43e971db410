// SPDX-License-Identifier: MIT
// sample_process_data: when was the plant fit to be sampled, and what were the inputs of its simulation then?
//
// Without files it shows what it does on generated data, one day of a small plant. `--help` lists the options. Exit
// code: 0 sampled, 2 no window, a value missing, or an error.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <fidelity/fidelity.hpp>
#include <fidelity/io/csv.hpp>
#include <fidelity/io/timestamp.hpp>
#include <fidelity/report/html_sampling.hpp>
#include <fidelity/report/sampling_csv.hpp>
#include <fidelity/report/sampling_figure.hpp>
#include <fidelity/report/sampling_json.hpp>
#include <fidelity/report/text.hpp>

#include "../plant_data.hpp"
#include "command_line.hpp"
#include "sampling_words.hpp"

namespace fd = fidelity;

namespace {

struct Settings {
  std::vector<std::string> files, logic, steady, cognite, inputs, hold;
  command_line::Dialect dialect;
  std::string zone, thousands, max_gap, max_gap_held;
  std::optional<fd::Duplicates> duplicates;
  std::string run_time, sampling_window, validation_window, every, since, max_age, align;
  std::string csv, json, svg, report, write_demo;
  double min_coverage = 0;
  bool disabled = false, straddle = false, load_report = false;
};

std::vector<fd::Series<>> load(const Settings& settings) {
  fd::CsvOptions<> options;
  command_line::apply(settings.dialect, options);
  if (!settings.thousands.empty()) options.thousands = settings.thousands[0];
  if (!settings.zone.empty()) options.zone = sampling::zone(settings.zone);
  if (settings.duplicates) options.duplicates = *settings.duplicates;
  if (!settings.max_gap.empty()) options.max_gap = sampling::length(settings.max_gap, "--max-gap");
  std::vector<fd::Series<>> all;
  std::string with_zone, without_zone;
  for (const std::string& path : settings.files) {
    auto file = fd::read_csv(std::filesystem::path(path), options);
    if (settings.load_report)
      fmt::print("{}\n", file.report);
    else
      for (const auto& warning : file.report.warnings)
        if (warning.code != "looks discrete" || settings.hold.empty())
          fmt::print("{}: {}: {}{}\n", path, warning.code, warning.sentence,
                     warning.code == "looks discrete" ? " (--hold)" : "");
    (file.report.zone_assumed ? without_zone : with_zone) = path;
    all.push_back(std::move(file.series));
  }
  if (!with_zone.empty() && !without_zone.empty())
    throw std::invalid_argument(
        fmt::format("the stamps of {} name a zone and those of {} do not: say with --zone which it is (UTC, +01:00)",
                    with_zone, without_zone));
  return all;
}

fd::SamplingPlan<> plan(const Settings& settings, const sampling::Signals& signals) {
  const auto length = [](const std::string& text, const char* what) -> std::optional<sampling::Length> {
    if (text.empty()) return std::nullopt;
    return sampling::length(text, what);
  };
  return {.run_time = settings.run_time.empty() ? signals.last() : fd::parse_time(settings.run_time),
          .sampling_window = length(settings.sampling_window, "--sampling-window"),
          .validation_window = length(settings.validation_window, "--validation-window"),
          .enabled = !settings.disabled,
          .min_coverage = settings.min_coverage,
          .max_age = length(settings.max_age, "--max-age"),
          .straddle = settings.straddle,
          .align = length(settings.align, "--align")};
}

/// The picture of one result, its conditions and inputs with their signals, as SVG or in a page.
void draw(const Settings& settings, const fd::SamplingResult<>& result,
          const std::vector<sampling::Condition>& conditions, const std::vector<std::string>& inputs,
          const sampling::Signals& signals) {
  std::optional<fd::Window<fd::Timestamp>> range;
  if (result.mode == fd::SamplingMode::disabled)
    range = fd::Window{result.run_time - std::chrono::hours(24), result.run_time};
  fd::SamplingPicture picture(result, range);
  for (const sampling::Condition& condition : conditions) {
    fd::ConditionDrawing<> drawing{.levels = condition.levels};
    if (condition.steady && result.validation) {
      auto options = *condition.steady;
      options.within = result.validation;
      options.as_of = result.run_time;
      drawing.marks = fd::analyse_steady_state(condition.signal, options).change_points;
    }
    if (result.mode == fd::SamplingMode::validated)
      picture.condition(condition.validator.name(), condition.signal, drawing);
  }
  for (const std::string& name : inputs) picture.input(name, signals[name]);
  if (!settings.svg.empty()) fd::write_svg(settings.svg, picture.figure());
  if (!settings.report.empty()) fd::write_html(settings.report, result, picture.figure(), {.files = settings.files});
  for (const std::string& path : {settings.svg, settings.report})
    if (!path.empty()) fmt::print("wrote {}\n", path);
}

/// One row a run time, from `since` to the run time.
std::vector<fd::Timestamp> run_times(const Settings& settings, fd::Timestamp last) {
  if (settings.every.empty()) return {last};
  if (settings.since.empty()) throw std::invalid_argument("--every needs --since, the first run time");
  const auto step = sampling::length(settings.every, "--every");
  const fd::Timestamp first = fd::parse_time(settings.since);
  if (last < first) throw std::invalid_argument("--since is later than the run time");
  return first == last ? std::vector{first} : fd::grid_times(fd::Every{step}, fd::Window{first, last});
}

int run(const Settings& settings, const sampling::Signals& signals, std::vector<std::string> inputs) {
  std::vector<sampling::Condition> conditions;
  for (const std::string& text : settings.logic) conditions.push_back(sampling::logic(text, signals));
  for (const std::string& text : settings.steady) conditions.push_back(sampling::steady(text, signals));
  for (const std::string& text : settings.cognite) conditions.push_back(sampling::cognite(text, signals));
  std::vector<fd::Validator<>> validators;
  for (const auto& condition : conditions) validators.push_back(condition.validator);
  if (inputs.empty()) inputs = signals.columns();
  std::vector<fd::Input<>> sampled;
  for (const std::string& name : inputs) sampled.emplace_back(name, signals[name]);

  const auto what = plan(settings, signals);
  const auto times = run_times(settings, what.run_time);
  const auto results = fd::backfill(what, times, validators, sampled);
  if (results.size() == 1) fmt::print("{}", results.front());
  std::size_t complete = 0;
  std::map<std::string, std::size_t> codes;
  for (const auto& result : results) {
    complete += result.complete();
    if (result.search) ++codes[std::string(fd::to_text(result.search->code))];
  }
  if (results.size() > 1) {
    fmt::print("{} run times: {} complete\n", results.size(), complete);
    for (const auto& [code, count] : codes) fmt::print("  {:<16} {:>7}\n", code, count);
    if (settings.csv.empty() && settings.json.empty()) fmt::print("{}", fd::to_csv(results, inputs));
  }
  if (!settings.csv.empty()) fd::write_csv(settings.csv, results, inputs);
  if (!settings.json.empty() && results.size() == 1) fd::write_json(settings.json, results.front());
  if (!settings.json.empty() && results.size() > 1) fd::write_json(settings.json, results);
  if (!settings.svg.empty() || !settings.report.empty()) draw(settings, results.back(), conditions, inputs, signals);
  return complete == results.size() ? 0 : 2;
}

int sample_files(const Settings& settings) {
  const auto files = load(settings);
  sampling::Signals signals;
  for (const auto& file : files) signals.add(file);
  std::optional<sampling::Length> max_gap_held;
  if (!settings.max_gap_held.empty()) max_gap_held = sampling::length(settings.max_gap_held, "--max-gap-held");
  for (const std::string& name : settings.hold) signals.hold(name, max_gap_held);
  return run(settings, signals, settings.inputs);
}

int demonstrate(Settings settings) {
  if (!settings.logic.empty() || !settings.steady.empty() || !settings.cognite.empty() || !settings.inputs.empty())
    throw std::invalid_argument("conditions or inputs were given, but no file");
  fmt::print(
      "No file was given, so this is the demonstration on generated data: one day of a small plant. The same with "
      "files:\n"
      "  sample_process_data --write-demo plant.csv\n"
      "  sample_process_data plant.csv --max-gap 10min --logic 'flow > 45' --steady 'pressure noise=0.1 slope=0.1/h "
      "min=30min' \\\n"
      "      --run-time 2026-03-02T20:30:00Z --validation-window 12h --sampling-window 2h --svg plant.svg\n\n");
  settings.logic = {"flow > 45"};
  settings.steady = {"pressure noise=0.1 slope=0.1/h min=30min"};
  if (settings.run_time.empty()) settings.run_time = "2026-03-02T20:30:00Z";
  if (settings.validation_window.empty()) settings.validation_window = "12h";
  if (settings.sampling_window.empty()) settings.sampling_window = "2h";
  const fd::Series<> plant = plant::day();
  sampling::Signals signals;
  signals.add(plant);
  return run(settings, signals, {});
}

const command_line::Hints hints = {
    {"are for validators", "--validation-window, --align and --straddle need --logic, --steady or --cognite"},
    {"max_age is for", "--max-age is for --disabled only"},
    {"averages need it", "--sampling-window gives the length, --disabled takes the latest values instead"},
    {"need a range to search", "--validation-window gives the length before the run time that is searched"},
    {"stamp:1:1", "--run-time and --since want ISO 8601 in UTC, such as 2026-03-02T20:30:00Z"},
    {"time_format", "--time names the time column, --time-format its pattern, --delimiter the sign between fields"},
    {"thousands", "--thousands gives the mark between thousands, --decimal the decimal sign"},
    {"duplicates", "--duplicates says what to do with rows at one time; a change from summer time makes such rows"},
    {"time_unit", "--time-unit gives the unit of the stamps"},
    {"zone", "--zone says where stamps without an offset come from"},
};

void describe_options(CLI::App& app, Settings& s) {
  app.add_option("files", s.files, "CSV files of the historian")->group("Files");
  command_line::add_time_options(app, s.dialect, "", "epoch", {"ns", "us", "ms", "s"});
  command_line::add_sign_options(app, s.dialect);
  app.add_option("--hold", s.hold, "columns that keep their value until the next sample (others: straight lines)")
      ->delimiter(',')
      ->group("Files");
  app.add_option("--zone", s.zone, "of stamps that name none: UTC or an offset such as +01:00 (default: UTC)")
      ->group("Files");
  app.add_option("--thousands", s.thousands, "mark between thousands: . , ' or blank")
      ->check(CLI::IsMember({".", ",", "'", " "}).description(""))
      ->group("Files");
  command_line::add_duplicates_option(app, "--duplicates", s.duplicates, "rows at one time (default: error)");
  app.add_option("--max-gap-held", s.max_gap_held, "the same for --hold columns (default: they are held for ever)")
      ->group("Files");
  app.add_option("--max-gap", s.max_gap, "nothing is known between samples farther apart, such as 10min")
      ->group("Files");
  app.add_flag("--load-report", s.load_report, "print all that was found in the files, not only the warnings")
      ->group("Files");

  app.add_option("--logic", s.logic,
                 "condition: 'flow > 45', '\"a name\" = 1', 'level between 2 and 3'; may be repeated")
      ->allow_extra_args(false)
      ->group("Conditions");
  app.add_option(
         "--steady", s.steady,
         "steady state: 'pressure noise=0.1 slope=0.5/h min=30min', limits in the unit of the signal; also step=, "
         "jump=, cost=ed|l2|normal|trend; may be repeated")
      ->allow_extra_args(false)
      ->group("Conditions");
  app.add_option("--cognite", s.cognite, "steady state as the public connector finds it: 'pressure 15 3.5 -3'")
      ->allow_extra_args(false)
      ->group("Conditions");

  app.add_option("--input", s.inputs, "columns to sample (default: all)")->delimiter(',')->group("Sampling");
  app.add_option("--run-time", s.run_time, "ISO 8601 (default: the last stamp)")->group("Sampling");
  app.add_option("--sampling-window", s.sampling_window, "length to average over, such as 1h")->group("Sampling");
  app.add_option("--validation-window", s.validation_window, "length before the run time that is searched, such as 24h")
      ->group("Sampling");
  app.add_flag("--disabled", s.disabled, "sampling disabled: the latest values, no window, no conditions")
      ->group("Sampling");
  app.add_option("--min-coverage", s.min_coverage, "an average over less of the window is missing, 0 to 1")
      ->group("Sampling");
  app.add_option("--max-age", s.max_age, "a latest value that is older is missing")->group("Sampling");
  app.add_option("--align", s.align, "the window ends at a multiple of this, such as 1min")->group("Sampling");
  app.add_flag("--straddle", s.straddle, "the window may reach across a change of level")->group("Sampling");
  app.add_option("--since", s.since, "with --every: the first of many run times; the last is --run-time")
      ->group("Sampling");
  app.add_option("--every", s.every, "with --since: the time from one run time to the next")->group("Sampling");

  app.add_option("--csv", s.csv, "write a table with one row a run time to this file")->group("Results");
  app.add_option("--json", s.json, "write the results to this file")->group("Results");
  app.add_option("--report", s.report, "write a page of the (last) result to this HTML file")->group("Results");
  app.add_option("--svg", s.svg, "draw the (last) result to this file")->group("Results");
  app.add_option("--write-demo", s.write_demo, "write the generated plant as a CSV file and stop")->group("Results");
  app.footer(
      "Exit code: 0 sampled, 2 no window, a value missing, or an error. Times are in UTC.\n"
      "Without files: a demonstration on generated data.");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"When was the plant fit to be sampled, and what were the inputs of its simulation then?"};
  Settings settings;
  describe_options(app, settings);
  return command_line::run(app, argc, argv, "sample_process_data", hints, [&] {
    if (!settings.write_demo.empty()) {
      fd::write_csv(settings.write_demo, plant::day());
      return 0;
    }
    return settings.files.empty() ? demonstrate(settings) : sample_files(settings);
  });
}
