// SPDX-License-Identifier: MIT
// validate_ensemble: do these simulated runs belong to these measured ones?
//
// Without files it shows what it does on generated data: runs of a car's answer to a step of the steering wheel, one
// right and one wrong model. `--help` lists the options. Exit code: 0 pass, 1 fail, 2 could not be judged.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <fidelity/fidelity.hpp>
#include <fidelity/io/csv.hpp>
#include <fidelity/report/html.hpp>
#include <fidelity/report/json.hpp>
#include <fidelity/report/junit.hpp>
#include <fidelity/report/text.hpp>

#include "../vehicle_runs.hpp"
#include "command_line.hpp"
#include "ensemble_files.hpp"

namespace fd = fidelity;
using ensemble::Ensemble;

namespace {

struct Settings {
  ensemble::Files simulated, measured;
  ensemble::Columns columns;
  std::optional<double> stiffness, penalty, relative, within, absolute, equivalence, per_run, reject;
  std::string norm = "2", unit, json, report, junit, write_demo;
  std::vector<double> scale;
  fd::ComparisonOptions comparison;  // filled as it is on the command line; criteria and unit come later
  double outlier_budget = 0;
  std::size_t listed_runs = fd::TextOptions{}.runs;
  bool record_invalid = false, basic = false, table_only = false, load_report = false;
};

/// A line on the terminal once the work takes longer than a second.
class ProgressLine {
 public:
  fd::ProgressCallback callback() {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [this](const fd::Progress& progress) {
      if (std::chrono::steady_clock::now() - started_ > std::chrono::seconds(1)) {
        fmt::print(stderr, "\rworking: {:3.0f} %", 100 * progress.done / progress.total);
        std::fflush(stderr);
        shown_ = true;
      }
      return fd::Continue::yes;
    };
  }
  ~ProgressLine() {
    if (shown_) std::fputs("\r                 \r", stderr);
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

fd::Norm norm(const std::string& text) {
  if (text == "max") return fd::Norm::maximum();
  double p = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), p);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument("--norm wants a number >= 1 or max, not '" + text + "'");
  return p;
}

fd::Twed metric(const Settings& settings) {
  if (!settings.stiffness || !settings.penalty)
    throw std::invalid_argument(
        "--stiffness (unit of the values per second) and --penalty (unit of the values) are needed;\n"
        "good values depend on the signal, so there are no defaults");
  return {.stiffness = *settings.stiffness,
          .penalty = *settings.penalty,
          .norm = norm(settings.norm),
          .scale = settings.scale,
          .accept_events = true};
}

fd::ComparisonOptions options(const Settings& settings) {
  fd::ComparisonOptions options = settings.comparison;
  options.unit = settings.unit;
  options.outlier_budget = {settings.outlier_budget, settings.outlier_budget};
  if (settings.record_invalid) options.invalid_runs = fd::InvalidRuns::record;
  if (settings.basic) options.interval_method = fd::IntervalMethod::basic;
  if (settings.absolute) options.criteria.push_back(fd::Absolute{*settings.absolute});
  if (settings.equivalence) options.criteria.push_back(fd::Equivalence{*settings.equivalence});
  if (settings.relative) options.criteria.push_back(fd::Relative{*settings.relative});
  if (settings.within) options.criteria.push_back(fd::WithinMeasured{*settings.within});
  if (settings.per_run) options.criteria.push_back(fd::PerRun{*settings.per_run});
  if (settings.reject) options.criteria.push_back(fd::Reject{*settings.reject});
  return options;
}

fd::Comparison compare(const Ensemble& simulated, const Ensemble& measured, const fd::Twed& twed,
                       fd::ComparisonOptions options) {
  ProgressLine line;
  options.progress = line.callback();
  return fd::compare(simulated.runs, measured.runs, twed, options);
}

fd::Ranking rank(const std::vector<Ensemble>& models, const Ensemble& measured, const fd::Twed& twed,
                 fd::ComparisonOptions options) {
  ProgressLine line;
  options.progress = line.callback();
  return fd::rank(models, measured.runs, twed, options);
}

/// result.json of a model among several: result_model.json.
std::filesystem::path with_model(const std::filesystem::path& path, std::string model) {
  if (path.empty() || model.empty()) return path;
  std::replace(model.begin(), model.end(), '/', '_');
  return path.parent_path() / (path.stem().string() + "_" + model + path.extension().string());
}

/// The files that were asked for, of one comparison; `model` where it is one of several.
void write_files(const Settings& settings, const fd::Comparison& comparison, const std::string& model = {}) {
  if (!settings.json.empty()) fd::write_json(with_model(settings.json, model), comparison);
  if (!settings.report.empty()) fd::write_html(with_model(settings.report, model), comparison);
}

int demonstrate(const Settings& settings) {
  const auto& columns = settings.columns;
  if (!columns.values.empty() || !columns.group_by.empty() || !columns.for_each.empty() ||
      !columns.dialect.time.empty() || !settings.simulated.where.empty() || settings.comparison.common_grid)
    throw std::invalid_argument("options for files were given, but no files: --simulated and --measured");
  const Ensemble measured{"measured", vehicle::measured_runs()};
  const Ensemble right{"right model", vehicle::right_runs()};
  const Ensemble wrong{"wrong model", vehicle::wrong_runs()};
  Settings demo = settings;
  demo.stiffness = settings.stiffness.value_or(2.0);
  demo.penalty = settings.penalty.value_or(0.1);
  const fd::Twed twed = metric(demo);
  demo.unit = "m/s^2";
  if (options(settings).criteria.empty()) demo.relative = 1.3;

  fmt::print(
      "No files were given, so this is the demonstration on generated data: lateral acceleration of a car after a "
      "step\n"
      "of the steering wheel, measured in 24 runs and simulated with a right and a wrong model in 20 runs each.\n");
  fmt::print("\n=== the right model ===\n\n");
  const auto good = compare(right, measured, twed, options(demo));
  fmt::print("{}", fd::to_text(good, {.runs = settings.listed_runs}));
  fmt::print("\n=== the wrong model: soft rear tyres, slow steering ===\n\n");
  const auto bad = compare(wrong, measured, twed, options(demo));
  fmt::print("{}", fd::to_text(bad, {.runs = settings.listed_runs}));
  write_files(settings, bad);
  if (!settings.junit.empty())
    fd::write_junit(settings.junit, {fd::junit_suite(good, "right model"), fd::junit_suite(bad, "wrong model")});

  const double ratio = good.ratio.value_or(0), wrong_ratio = bad.ratio.value_or(0);
  const double limit = good.halves ? good.halves->base.quantile95 / good.halves->base.median : 0;
  const bool as_expected = good.verdict == fd::Verdict::pass && bad.verdict == fd::Verdict::fail;
  fmt::print("\n=== {} ===\n\n", as_expected ? "the right model passes, the wrong one fails" : "NOT AS EXPECTED");
  fmt::print(
      "ratio of the right model {:.3f}, of the wrong one {:.3f}; at least 95 % of measured draws: up to {:.3f}\n",
      ratio, wrong_ratio, limit);
  return as_expected ? 0 : 1;
}

/// The generated data as files, with the command that reads them.
void write_demo(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& ensemble : {vehicle::measured_runs(), vehicle::right_runs(), vehicle::wrong_runs()})
    for (const auto& run : ensemble) {
      std::string file(run.name());
      std::replace(file.begin(), file.end(), ' ', '_');
      fd::write_csv(folder / (file + ".csv"), run, {.time_name = "time_s"});
    }
  fmt::print(
      "wrote 64 files to {0}. Try:\n  validate_ensemble --simulated '{0}/right_*.csv' --measured '{0}/measured_*.csv' "
      "--stiffness 2 --penalty 0.1 --unit m/s^2 --relative 1.3\n",
      folder.string());
}

void print_reports(const std::vector<fd::LoadReport>& reports, bool whole) {
  std::map<std::string, std::size_t> seen;  // many files may warn alike
  for (const fd::LoadReport& report : reports) {
    if (whole) {
      fmt::print("{}", report);
      continue;
    }
    for (const fd::LoadWarning& warning : report.warnings)
      if (seen[warning.code]++ < 3) fmt::print("{}: {}: {}\n", report.file, warning.code, warning.sentence);
  }
  for (const auto& [code, count] : seen)
    if (count > 3) fmt::print("{} more files: {}\n", count - 3, code);
  if (whole || !seen.empty()) fmt::print("\n");
}

/// Channels are compared by position; a person should see which ones.
void print_channels(const Ensemble& simulated, const Ensemble& measured) {
  const auto names = [](const Ensemble& each) {
    std::string text;
    for (const std::string& name : each.runs.front().channel_names()) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  if (names(simulated) != names(measured))
    fmt::print("columns are compared by position: simulated {}; measured {}\n\n", names(simulated), names(measured));
}

int validate(const Settings& settings) {
  const fd::Twed twed = metric(settings);
  auto simulated = ensemble::load(settings.simulated, settings.columns, settings.columns.for_each, "simulated");
  auto measured_files = ensemble::load(settings.measured, settings.columns, {}, "measured");
  print_reports(simulated.reports, settings.load_report);
  print_reports(measured_files.reports, settings.load_report);
  if (settings.columns.drop_bad)
    fmt::print("left out: {} simulated and {} measured samples with a bad value\n\n", simulated.dropped,
               measured_files.dropped);
  Ensemble& measured = measured_files.ensembles.front();
  print_channels(simulated.ensembles.front(), measured);

  if (settings.columns.for_each.empty()) {
    const fd::Comparison comparison = compare(simulated.ensembles.front(), measured, twed, options(settings));
    fmt::print("{}", fd::to_text(comparison, {.runs = settings.listed_runs}));
    write_files(settings, comparison);
    if (!settings.junit.empty()) fd::write_junit(settings.junit, comparison, "ensemble");
    return fd::exit_code(comparison.verdict);
  }
  const fd::Ranking ranking = rank(simulated.ensembles, measured, twed, options(settings));
  fd::Verdict worst = fd::Verdict::pass;
  std::vector<fd::JunitSuite> suites;
  for (const auto& [place, index, name, comparison] : ranking.models) {
    if (!settings.table_only)
      fmt::print("=== {} ===\n\n{}\n", name, fd::to_text(comparison, {.runs = settings.listed_runs}));
    if (worst != fd::Verdict::fail && comparison.verdict != fd::Verdict::pass) worst = comparison.verdict;
    write_files(settings, comparison, name);
    suites.push_back(fd::junit_suite(comparison, name));
  }
  fmt::print("{}", ranking);
  if (!settings.json.empty()) fd::write_json(settings.json, ranking);
  if (!settings.junit.empty()) fd::write_junit(settings.junit, suites);
  return fd::exit_code(worst);
}

const command_line::Hints hints = {
    {"without_bad()", "--drop-bad leaves samples with a bad value out"},
    {"duplicates", "--duplicates and --duplicates-measured say what to do; several runs in one file need --group-by"},
    {"Timestamp", "--absolute-time reads dates and epoch times; every run then counts from its own start"},
    {"time_format", "--time names the time column, --time-format its pattern, --delimiter the sign between fields"},
    {"time_unit", "--time-unit gives the unit of the stamps"},
    {"elapsed(", "--elapsed lets every run start at 0 s"},
    {"common_grid must be", "--common-grid wants a step much shorter than the runs"},
    {"where", "--where is for the simulated files, --where-measured for the measured ones"},
    {"other order", "--value names the columns in one order for both sides"},
};

void describe_options(CLI::App& app, Settings& s) {
  s.simulated.duplicates = fd::Duplicates::event;  // two rows at an event are normal in simulation results
  app.add_option("--simulated", s.simulated.patterns, "CSV files of simulated runs, or quoted globs")->group("Files");
  app.add_option("--measured", s.measured.patterns, "CSV files of measured runs, or quoted globs")->group("Files");
  app.add_option("--group-by", s.columns.group_by, "columns that tell the runs of a file apart; else a file is a run")
      ->delimiter(',')
      ->group("Files");
  app.add_option("--where", s.simulated.where, "keep simulated rows with column=text")->group("Files");
  app.add_option("--where-measured", s.measured.where, "keep measured rows with column=text")->group("Files");
  app.add_option("--for-each", s.columns.for_each,
                 "a model for each text in this column of the simulated files: compare and rank them")
      ->group("Files");
  command_line::add_time_options(app, s.columns.dialect, " that is not a group", "numeric",
                                 {"ns", "us", "ms", "s", "min", "h", "d"});
  app.add_flag("--absolute-time", s.columns.absolute_time,
               "stamps are dates or epoch times; runs count from their start")
      ->group("Files");
  app.add_flag("--drop-bad", s.columns.drop_bad, "leave samples with a bad value out")->group("Files");
  app.add_flag("--elapsed", s.columns.elapsed, "let every run start at 0 s")->group("Files");
  app.add_option("--value", s.columns.values, "value columns (default: all numeric ones)")
      ->delimiter(',')
      ->group("Files");
  command_line::add_sign_options(app, s.columns.dialect);
  command_line::add_duplicates_option(app, "--duplicates", s.simulated.duplicates,
                                      "simulated rows at one time (default: event)");
  command_line::add_duplicates_option(app, "--duplicates-measured", s.measured.duplicates,
                                      "measured rows at one time (default: error)");
  app.add_flag("--load-report", s.load_report, "print all that was found in the files, not only the warnings")
      ->group("Files");

  app.add_option("--stiffness", s.stiffness, "price of one second of time difference, in unit of the values per second")
      ->group("Distance");
  app.add_option("--penalty", s.penalty, "price of one deletion, in unit of the values")->group("Distance");
  app.add_option("--norm", s.norm, "norm over several value columns: p >= 1 or max (default: 2)")->group("Distance");
  app.add_option("--scale", s.scale, "one factor a value column")->delimiter(',')->group("Distance");
  app.add_option("--order", s.comparison.order, "order of the Wasserstein distance (default: 1)")->group("Distance");
  app.add_option("--common-grid,--resample", s.comparison.common_grid,
                 "first bring all runs to one grid of so many seconds over the time that all have in common")
      ->group("Distance");
  app.add_option("--unit", s.unit, "unit of the values, for the report")->group("Distance");

  app.add_option("--relative", s.relative, "pass if ratio <= this")->group("Criteria");
  app.add_option("--within-measured", s.within,
                 "pass if simulated groups are no farther than this share (such as 0.95) of measured groups")
      ->group("Criteria");
  app.add_option("--absolute", s.absolute, "pass if distance <= this, in unit of the values")->group("Criteria");
  app.add_option("--equivalence", s.equivalence, "pass if the upper end of the interval of the distance <= this")
      ->group("Criteria");
  app.add_option("--per-run", s.per_run, "pass if every run has one of the other side within this distance")
      ->group("Criteria");
  app.add_option("--reject", s.reject, "fail if p < this; a large p alone is never a pass")->group("Criteria");
  app.add_option("--min-span", s.comparison.min_span,
                 "a run shorter than this share of the measured ones cannot pass (0.95)")
      ->group("Criteria");
  app.add_flag("--record-invalid", s.record_invalid,
               "leave out runs with a bad value: fail if simulated, incomplete if measured (default: an error)")
      ->group("Criteria");

  app.add_option("--permutations", s.comparison.permutations, "exchanges of runs behind p (999); 0: no p")
      ->group("Work and results");
  app.add_option("--bootstraps", s.comparison.bootstraps, "draws behind the intervals (999); 0: none")
      ->group("Work and results");
  app.add_option("--splits", s.comparison.splits, "random groups behind the ratio (999); 0: no ratio")
      ->group("Work and results");
  app.add_flag("--no-ratio-interval{false}", s.comparison.ratio_interval,
               "leave out the interval of the ratio, the dearest part with many runs")
      ->group("Work and results");
  app.add_option("--confidence", s.comparison.confidence, "of the intervals (0.95)")->group("Work and results");
  app.add_flag("--basic-interval", s.basic, "intervals by the basic instead of the percentile method")
      ->group("Work and results");
  app.add_option("--outlier-budget", s.outlier_budget,
                 "also give the distance without the worst of both sides, up to this share of each")
      ->group("Work and results");
  app.add_option("--seed", s.comparison.seed, "of everything random")->group("Work and results");
  app.add_option("--threads", s.comparison.threads, "default: all for large work")->group("Work and results");
  app.add_option("--runs", s.listed_runs, "how many runs of each side to list (default: 5)")->group("Work and results");
  app.add_flag("--table-only", s.table_only, "with --for-each: only the ranking, not each comparison")
      ->group("Work and results");
  app.add_option("--json", s.json, "write the result to this file (with --for-each: the ranking, and one file a model)")
      ->group("Work and results");
  app.add_option("--report", s.report, "write a page with pictures to this HTML file (with --for-each: one a model)")
      ->group("Work and results");
  app.add_option("--junit", s.junit, "write a JUnit file for continuous integration: a test case for each criterion")
      ->group("Work and results");
  app.add_option("--write-demo", s.write_demo, "write the generated runs as CSV files to this folder and stop")
      ->group("Work and results");
  app.footer("Exit code: 0 pass, 1 fail, 2 could not be judged. Without files: a demonstration on generated data.");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Do these simulated runs belong to these measured ones?"};
  Settings settings;
  describe_options(app, settings);
  return command_line::run(app, argc, argv, "validate_ensemble", hints, [&] {
    if (!settings.write_demo.empty()) {
      write_demo(settings.write_demo);
      return 0;
    }
    if (settings.simulated.patterns.empty() && settings.measured.patterns.empty()) return demonstrate(settings);
    if (settings.simulated.patterns.empty() || settings.measured.patterns.empty())
      throw std::invalid_argument("both --simulated and --measured are needed");
    return validate(settings);
  });
}
