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
#include <fidelity/report/json.hpp>
#include <fidelity/report/text.hpp>

#include "../vehicle_runs.hpp"
#include "ensemble_files.hpp"

namespace fd = fidelity;
using ensemble::Ensemble;

namespace {

struct Settings {
  ensemble::Files simulated, measured;
  ensemble::Columns columns;
  std::optional<double> stiffness, penalty, relative, absolute, resample;
  std::string norm = "2", unit, json, write_demo;
  std::vector<double> scale;
  double order = 1, min_span = fd::ComparisonOptions{}.min_span;
  std::size_t splits = fd::ComparisonOptions{}.splits, listed_runs = fd::TextOptions{}.runs;
  std::uint64_t seed = fd::ComparisonOptions{}.seed;
  std::optional<unsigned> threads;
  bool load_report = false;
};

/// A line on the terminal once the work takes longer than a second.
class ProgressLine {
 public:
  fd::ProgressCallback callback() {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [this](const fd::Progress& progress) {
      if (std::chrono::steady_clock::now() - started_ > std::chrono::seconds(1)) {
        fmt::print(stderr, "\rdistances: {:3.0f} %", 100 * progress.done / progress.total);
        std::fflush(stderr);
        shown_ = true;
      }
      return fd::Continue::yes;
    };
  }
  ~ProgressLine() {
    if (shown_) std::fputs("\r                   \r", stderr);
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
  fd::ComparisonOptions options{.order = settings.order,
                                .splits = settings.splits,
                                .seed = settings.seed,
                                .unit = settings.unit,
                                .min_span = settings.min_span,
                                .threads = settings.threads};
  if (settings.absolute) options.criteria.push_back(fd::Absolute{*settings.absolute});
  if (settings.relative) options.criteria.push_back(fd::Relative{*settings.relative});
  return options;
}

fd::Comparison compare(const Ensemble& simulated, const Ensemble& measured, const fd::Twed& twed,
                       fd::ComparisonOptions options) {
  ProgressLine line;
  options.progress = line.callback();
  return fd::compare(simulated.runs, measured.runs, twed, options);
}

int demonstrate(const Settings& settings) {
  const auto& columns = settings.columns;
  if (!columns.values.empty() || !columns.group_by.empty() || !columns.for_each.empty() || !columns.time.empty() ||
      !settings.simulated.where.empty() || settings.resample)
    throw std::invalid_argument("options for files were given, but no files: --simulated and --measured");
  const Ensemble measured{"measured", vehicle::measured_runs()};
  const Ensemble right{"right model", vehicle::right_runs()};
  const Ensemble wrong{"wrong model", vehicle::wrong_runs()};
  Settings demo = settings;
  demo.stiffness = settings.stiffness.value_or(2.0);
  demo.penalty = settings.penalty.value_or(0.1);
  const fd::Twed twed = metric(demo);
  demo.unit = "m/s^2";
  if (!demo.relative && !demo.absolute) demo.relative = 1.3;

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
  if (!settings.json.empty()) fd::write_json(settings.json, bad);

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

std::string flag_codes(const fd::Comparison& comparison) {
  std::string codes;
  for (const fd::Finding& flag : comparison.flags)
    if (codes.find(flag.code) == std::string::npos) codes += (codes.empty() ? "" : " ") + flag.code;
  return codes;
}

/// One line a model, the one most like the measurements first.
void print_ranking(const std::vector<std::pair<std::string, fd::Comparison>>& models) {
  std::vector<const std::pair<std::string, fd::Comparison>*> order;
  for (const auto& model : models) order.push_back(&model);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    const auto key = [](const fd::Comparison& c) { return std::pair{!c.ratio, c.ratio.value_or(c.distance)}; };
    return key(a->second) < key(b->second);  // models without a ratio stand last, by distance
  });
  std::size_t width = 5;
  for (const auto* model : order) width = std::max(width, model->first.size());
  const std::string& unit = models.front().second.unit;
  fmt::print("{:>4}  {:<{}}  {:>12}  {:>10}  {:>10}  {:>8}  {:<10}  {}\n", "rank", "model", width,
             unit.empty() ? std::string("distance") : "distance/" + unit, "ratio", "to spread", "distinct", "verdict",
             "flags");
  std::size_t rank = 0;
  for (const auto* model : order) {
    const fd::Comparison& c = model->second;
    const auto number = [](const std::optional<double>& x) { return x ? fmt::format("{:.4g}", *x) : std::string("-"); };
    fmt::print("{:>4}  {:<{}}  {:>12.6g}  {:>10}  {:>10}  {:>8}  {:<10}  {}\n", ++rank, model->first, width, c.distance,
               number(c.ratio), number(c.relative_to_spread),
               fmt::format("{}/{}", c.distinct_simulations.value_or(0), c.simulations.size()), fd::to_text(c.verdict),
               flag_codes(c));
  }
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

/// What cutting to a common span hides: runs that ended early. Such a comparison cannot pass.
void object_to_short_runs(fd::Comparison& comparison, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string text = fmt::format("{} runs were short before all were cut to their common span:", names.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(5, names.size()); ++k) text += (k == 0 ? " " : ", ") + names[k];
  if (names.size() > 5) text += fmt::format(" and {} more", names.size() - 5);
  comparison.reasons.push_back({"short_runs", text});
  comparison.flags.push_back({"short_runs", text});
  if (comparison.verdict == fd::Verdict::pass) comparison.verdict = fd::Verdict::incomplete;
}

std::filesystem::path json_path(const std::filesystem::path& path, std::string model, bool several) {
  if (!several) return path;
  std::replace(model.begin(), model.end(), '/', '_');
  return path.parent_path() / (path.stem().string() + "_" + model + path.extension().string());
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

  std::vector<std::vector<std::string>> short_runs(simulated.ensembles.size());
  if (settings.resample) {
    std::vector<const Ensemble*> all{&measured};
    for (std::size_t k = 0; k < simulated.ensembles.size(); ++k) {
      all.push_back(&simulated.ensembles[k]);
      short_runs[k] = ensemble::short_runs(simulated.ensembles[k], measured, settings.min_span);
    }
    const auto span = ensemble::common_span(all);
    fmt::print("all runs cut to their common span, {:g} s to {:g} s, and resampled to {:g} s\n\n", span.begin, span.end,
               *settings.resample);
    ensemble::resample(measured, span, *settings.resample);
    for (Ensemble& each : simulated.ensembles) ensemble::resample(each, span, *settings.resample);
  }

  std::vector<std::pair<std::string, fd::Comparison>> models;
  for (std::size_t k = 0; k < simulated.ensembles.size(); ++k) {
    models.emplace_back(simulated.ensembles[k].name,
                        compare(simulated.ensembles[k], measured, twed, options(settings)));
    object_to_short_runs(models.back().second, short_runs[k]);
  }
  const bool several = models.size() > 1;
  fd::Verdict worst = fd::Verdict::pass;
  for (const auto& [name, comparison] : models) {
    if (several) fmt::print("=== {} ===\n\n", name);
    fmt::print("{}{}", fd::to_text(comparison, {.runs = settings.listed_runs}), several ? "\n" : "");
    if (worst != fd::Verdict::fail && comparison.verdict != fd::Verdict::pass) worst = comparison.verdict;
  }
  if (several) print_ranking(models);
  if (!settings.json.empty())
    for (const auto& [name, comparison] : models) fd::write_json(json_path(settings.json, name, several), comparison);
  return fd::exit_code(worst);
}

/// What a person at the command line can do about an error of the library.
std::string_view advice(std::string_view message) {
  const std::pair<std::string_view, std::string_view> known[] = {
      {"without_bad()", "--drop-bad leaves samples with a bad value out"},
      {"duplicates", "--duplicates and --duplicates-measured say what to do; several runs in one file need --group-by"},
      {"Timestamp", "--absolute-time reads dates and epoch times; every run then counts from its own start"},
      {"time_format", "--time names the time column, --time-format its pattern, --delimiter the sign between fields"},
      {"time_unit", "--time-unit gives the unit of the stamps"},
      {"elapsed(", "--elapsed lets every run start at 0 s"},
      {"where", "--where is for the simulated files, --where-measured for the measured ones"},
      {"other order", "--value names the columns in one order for both sides"},
  };
  for (const auto& [sign, hint] : known)
    if (message.find(sign) != std::string_view::npos) return hint;
  return {};
}

void describe_options(CLI::App& app, Settings& s) {
  static const std::map<std::string, fd::Duplicates> policies{{"error", fd::Duplicates::error},
                                                              {"first", fd::Duplicates::first},
                                                              {"last", fd::Duplicates::last},
                                                              {"mean", fd::Duplicates::mean},
                                                              {"event", fd::Duplicates::event}};
  s.simulated.duplicates = fd::Duplicates::event;  // two rows at an event are normal in simulation results
  app.add_option("--simulated", s.simulated.patterns, "CSV files of simulated runs, or quoted globs")->group("Files");
  app.add_option("--measured", s.measured.patterns, "CSV files of measured runs, or quoted globs")->group("Files");
  app.add_option("--group-by", s.columns.group_by, "columns that tell the runs of a file apart; else a file is a run")
      ->delimiter(',')
      ->group("Files");
  app.add_option("--where", s.simulated.where, "keep simulated rows with column=text")->group("Files");
  app.add_option("--where-measured", s.measured.where, "keep measured rows with column=text")->group("Files");
  app.add_option("--for-each", s.columns.for_each, "one comparison for each text in this column of the simulated files")
      ->group("Files");
  app.add_option("--time", s.columns.time, "time column (default: the first that is not a group)")->group("Files");
  app.add_option("--time-unit", s.columns.time_unit, "of numeric stamps, where the name of the column does not say it")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "min", "h", "d"}).description("ns us ms s min h d"))
      ->group("Files");
  app.add_option("--time-format", s.columns.time_format, "pattern of the stamps, such as %d.%m.%Y %H:%M:%S")
      ->group("Files");
  app.add_flag("--absolute-time", s.columns.absolute_time,
               "stamps are dates or epoch times; runs count from their start")
      ->group("Files");
  app.add_flag("--drop-bad", s.columns.drop_bad, "leave samples with a bad value out")->group("Files");
  app.add_flag("--elapsed", s.columns.elapsed, "let every run start at 0 s")->group("Files");
  app.add_option("--value", s.columns.values, "value columns (default: all numeric ones)")
      ->delimiter(',')
      ->group("Files");
  app.add_option("--delimiter", s.columns.delimiter, "of fields: , ; | or tab (default: detected)")
      ->check(CLI::IsMember({",", ";", "|", "tab"}).description(""))
      ->group("Files");
  app.add_option("--decimal", s.columns.decimal, "sign of numbers: . or , (default: detected)")
      ->check(CLI::IsMember({".", ","}).description(""))
      ->group("Files");
  app.add_option("--duplicates", s.simulated.duplicates, "simulated rows at one time (default: event)")
      ->transform(CLI::CheckedTransformer(policies).description("error|first|last|mean|event"))
      ->type_name("POLICY")
      ->group("Files");
  app.add_option("--duplicates-measured", s.measured.duplicates, "measured rows at one time (default: error)")
      ->transform(CLI::CheckedTransformer(policies).description("error|first|last|mean|event"))
      ->type_name("POLICY")
      ->group("Files");
  app.add_option("--resample", s.resample, "cut all runs to their common span and sample them every so many seconds")
      ->group("Files");
  app.add_flag("--load-report", s.load_report, "print all that was found in the files, not only the warnings")
      ->group("Files");

  app.add_option("--stiffness", s.stiffness, "price of one second of time difference, in unit of the values per second")
      ->group("Distance");
  app.add_option("--penalty", s.penalty, "price of one deletion, in unit of the values")->group("Distance");
  app.add_option("--norm", s.norm, "norm over several value columns: p >= 1 or max (default: 2)")->group("Distance");
  app.add_option("--scale", s.scale, "one factor a value column")->delimiter(',')->group("Distance");
  app.add_option("--order", s.order, "order of the Wasserstein distance (default: 1)")->group("Distance");
  app.add_option("--unit", s.unit, "unit of the values, for the report")->group("Distance");

  app.add_option("--relative", s.relative, "pass if ratio <= this")->group("Criteria");
  app.add_option("--absolute", s.absolute, "pass if distance <= this, in unit of the values")->group("Criteria");

  app.add_option("--min-span", s.min_span, "a run shorter than this share of the measured ones cannot pass (0.95)")
      ->group("Criteria");

  app.add_option("--splits", s.splits, "random groups behind the ratio (default: 999)")->group("Work and results");
  app.add_option("--seed", s.seed, "of the random groups")->group("Work and results");
  app.add_option("--threads", s.threads, "default: all for large work")->group("Work and results");
  app.add_option("--runs", s.listed_runs, "how many runs of each side to list (default: 5)")->group("Work and results");
  app.add_option("--json", s.json, "write the result to this file (with --for-each: one a model)")
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (!settings.write_demo.empty()) {
      write_demo(settings.write_demo);
      return 0;
    }
    if (settings.simulated.patterns.empty() && settings.measured.patterns.empty()) return demonstrate(settings);
    if (settings.simulated.patterns.empty() || settings.measured.patterns.empty())
      throw std::invalid_argument("both --simulated and --measured are needed");
    return validate(settings);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "validate_ensemble: {}\n", error.what());
    if (const auto hint = advice(error.what()); !hint.empty()) fmt::print(stderr, "  {}\n", hint);
    return 2;
  }
}
