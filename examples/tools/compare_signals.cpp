// SPDX-License-Identifier: MIT
// compare_signals: do the signals of this file lie within tolerances of those of a reference file?
//
// Without files it shows what it does on generated data, a drive with four signals. `--help` lists the options. Exit
// code: 0 pass, 1 fail, 2 could not be judged, or an error.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <fidelity/io/csv.hpp>
#include <fidelity/io/mat4.hpp>
#include <fidelity/io/timestamp.hpp>
#include <fidelity/report/html_tube.hpp>
#include <fidelity/report/junit.hpp>
#include <fidelity/report/text.hpp>
#include <fidelity/report/tube_json.hpp>
#include <fidelity/validation/tube_signals.hpp>

#include "command_line.hpp"
#include "drive_signals.hpp"

namespace fd = fidelity;

namespace {

struct Settings {
  std::string test, reference, begin, end;
  command_line::Dialect dialect;
  std::vector<std::string> hold, pairs, tolerances, signals, skip;
  std::optional<fd::Duplicates> duplicates;
  double relative = fd::Tube<>{}.relative, absolute = 0, nominal = fd::Tube<>{}.nominal, rounding = 0, late = 0;
  double min_coverage = 1;
  bool absolute_time = false, both_ways = false, load_report = false, failed_only = false;
  std::string report, json, junit, write_demo;
};

double number(const std::string& text, const std::string& what) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} wants a number, not '{}'", what, text));
  return value;
}

template <fd::TimePoint Time>
Time instant(const std::string& text, const std::string& what) {
  if constexpr (std::same_as<Time, double>)
    return number(text, what);
  else
    return fd::parse_time(text);
}

template <fd::TimePoint Time>
fd::Tube<Time> tube(const Settings& s, const fd::Window<Time>& span) {
  fd::Tube<Time> tube{.relative = s.relative, .absolute = s.absolute, .nominal = s.nominal, .rounding = s.rounding};
  tube.time = fd::detail::offset("compare_signals", Time{}, s.late) - Time{};
  tube.min_coverage = s.min_coverage;
  tube.both_ways = s.both_ways;
  if (!s.begin.empty() || !s.end.empty()) {
    const fd::Window<Time> window{s.begin.empty() ? span.begin : instant<Time>(s.begin, "--begin"),
                                  s.end.empty() ? span.end : instant<Time>(s.end, "--end")};
    if (window.empty()) throw std::invalid_argument("--begin must be earlier than --end and both within the reference");
    tube.within = fd::WindowSet<Time>{window};
  }
  return tube;
}

/// "PATTERN relative=0.01 absolute=0.5 nominal=1 rounding=1e-6 time=0.2 unit=bar": the pattern and what differs.
template <fd::TimePoint Time>
std::pair<std::string, fd::Tube<Time>> tolerance(const std::string& text, fd::Tube<Time> tube) {
  const auto refuse = [&](std::string_view why) {
    return std::invalid_argument(
        fmt::format("--tolerance wants 'PATTERN relative=0.01 absolute=0.5 nominal=1 rounding=1e-6 time=0.2 unit=bar', "
                    "some of them; "
                    "'{}' {}",
                    text, why));
  };
  std::string pattern;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '"') {  // a name with blanks
    const std::size_t close = text.find('"', 1);
    if (close == std::string::npos) throw refuse("has a double quote that is not closed");
    pattern = text.substr(1, close - 1);
    at = close + 1;
  } else {
    at = std::min(text.find(' '), text.size());
    pattern = text.substr(0, at);
  }
  bool any = false;
  for (at = text.find_first_not_of(' ', at); at < text.size(); at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw refuse(fmt::format("has '{}' without =", word));
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "unit")
      tube.unit = value;
    else if (key == "relative")
      tube.relative = number(value, "--tolerance relative");
    else if (key == "absolute")
      tube.absolute = number(value, "--tolerance absolute");
    else if (key == "nominal")
      tube.nominal = number(value, "--tolerance nominal");
    else if (key == "rounding")
      tube.rounding = number(value, "--tolerance rounding");
    else if (key == "time")
      tube.time = fd::detail::offset("compare_signals", Time{}, number(value, "--tolerance time")) - Time{};
    else
      throw refuse(fmt::format("has the unknown word '{}'", key));
    any = true;
    at = end;
  }
  if (pattern.empty() || !any) throw refuse("says too little");
  return {pattern, tube};
}

/// One rule for each signal of the reference. A pattern that matches none is a mistake of the caller.
template <fd::TimePoint Time>
std::vector<fd::TubeRule<Time>> rules(const Settings& s, const fd::Series<double, Time>& reference) {
  const auto common = tube<Time>(s, reference.span());
  std::vector<std::pair<std::string, fd::Tube<Time>>> special;
  for (const std::string& text : s.tolerances) special.push_back(tolerance<Time>(text, common));
  const auto names = reference.channel_names();
  const auto demand = [&](const std::string& pattern, const char* option) {
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return fd::matches_pattern(name, pattern); }))
      return;
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    throw std::invalid_argument(
        fmt::format("{}: no signal of the reference matches '{}'; it has {}", option, pattern, all));
  };
  for (const auto& each : special) demand(each.first, "--tolerance");
  for (const std::string& pattern : s.hold) demand(pattern, "--hold");
  for (const std::string& pattern : s.signals) demand(pattern, "--signal");
  for (const std::string& pattern : s.skip) demand(pattern, "--skip");
  const auto any = [](const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const auto& each) { return fd::matches_pattern(name, each); });
  };
  std::vector<fd::TubeRule<Time>> all;
  for (const std::string& name : names) {
    fd::TubeRule<Time> rule{name, common, {}, any(s.skip, name) || (!s.signals.empty() && !any(s.signals, name))};
    for (auto each = special.rbegin(); each != special.rend(); ++each)  // the first that matches decides
      if (fd::matches_pattern(name, each->first)) rule.tube = each->second;
    if (any(s.hold, name)) rule.interpolation = fd::Interpolation::hold;
    all.push_back(std::move(rule));
  }
  return all;
}

/// All variables of a Modelica result file that change with time.
fd::Series<double, double> load_mat4(const std::string& path) {
  const fd::Mat4File file{std::filesystem::path(path)};
  std::vector<std::string> names;
  for (const fd::Mat4Variable& each : file.variables())
    if (!each.is_constant() && each.table != 0) names.push_back(each.name);  // table 0 is the time itself
  if (names.empty()) throw std::invalid_argument(path + ": no variable changes with time");
  return file.series(names);
}

template <fd::TimePoint Time>
fd::Series<double, Time> load(const Settings& s, const std::string& path) {
  if (std::filesystem::path(path).extension() == ".mat") {
    if constexpr (std::same_as<Time, double>) return load_mat4(path);
    throw std::invalid_argument("--absolute-time is for CSV files: a Modelica result file has seconds");
  }
  fd::CsvOptions<Time> options;
  options.duplicates = s.duplicates.value_or(fd::Duplicates::event);
  command_line::apply(s.dialect, options);
  auto file = fd::read_csv<Time>(std::filesystem::path(path), options);
  if (s.load_report) fmt::print("{}\n", file.report);
  for (const auto& warning : file.report.warnings)
    if (!s.load_report && (warning.code != "looks discrete" || s.hold.empty()))
      fmt::print("{}: {}: {}{}\n", path, warning.code, warning.sentence,
                 warning.code == "looks discrete" ? " (--hold)" : "");
  return file.series;
}

/// The test with the names that its signals have in the reference.
template <fd::TimePoint Time>
fd::Series<double, Time> renamed(const fd::Series<double, Time>& test, const std::vector<std::string>& pairs) {
  std::vector<std::string> names(test.channel_names().begin(), test.channel_names().end());
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    const auto place = std::find(names.begin(), names.end(), pair.substr(0, equals));
    if (equals == std::string::npos || place == names.end())
      throw std::invalid_argument(
          fmt::format("--pair wants NAME_IN_TEST=NAME_IN_REFERENCE; the test has no '{}'", pair.substr(0, equals)));
    *place = pair.substr(equals + 1);
  }
  if (pairs.empty()) return test;
  return {{test.times().begin(), test.times().end()},
          test.values(),
          {std::string(test.name()), std::move(names), test.interpolation(), test.max_gap(), fd::Duplicates::event}};
}

template <fd::TimePoint Time>
void print(const fd::SignalChecks<Time>& checks) {
  std::size_t width = 6;
  for (const auto& each : checks.signals) width = std::max(width, each.name.size());
  fmt::print("{:<{}}  {:<10}  {:>13}  {:>13}  {:>9}  {:>8}  {}\n", "signal", width, "verdict", "largest error",
             "tolerance", "error/tol", "compared", "reason");
  for (const auto& [name, r, interpolation] : checks.signals) {
    const auto ratio = r.largest_error && r.tolerance > 0 ? fmt::format("{:.3g}", *r.largest_error / r.tolerance) : "-";
    fmt::print("{:<{}}  {:<10}  {:>13}  {:>13.6g}  {:>9}  {:>8}  {}\n", name, width, fd::to_text(r.verdict),
               r.largest_error ? fmt::format("{:.6g}", *r.largest_error) : "-", r.tolerance, ratio,
               fd::detail::coverage_words(r.coverage), r.verdict == fd::Verdict::pass ? "" : r.reason.text);
  }
  if (checks.signals.empty()) fmt::print("nothing compared\n");
  for (const std::string& name : checks.extra) fmt::print("in the test only: {}\n", name);
  if (!checks.skipped.empty()) fmt::print("left out: {} signals\n", checks.skipped.size());
}

/// An index page and one page for each signal.
template <fd::TimePoint Time>
void write_report(const Settings& s, const fd::SignalChecks<Time>& checks, const fd::Series<double, Time>& test,
                  const fd::Series<double, Time>& reference) {
  const std::filesystem::path folder = s.report;
  std::filesystem::create_directories(folder);
  const std::vector<std::string> files = s.test.empty() ? std::vector<std::string>{} : std::vector{s.test, s.reference};
  std::map<std::string, std::string> links;
  for (std::size_t k = 0; k < checks.signals.size(); ++k) {
    const auto& [name, result, interpolation] = checks.signals[k];
    if (result.reason.code == "missing_in_test" || (s.failed_only && result.verdict == fd::Verdict::pass)) continue;
    links[name] = fmt::format("signal_{}.html", k + 1);
    const auto view = [&, read = interpolation](const auto& series) {
      const auto one = fd::channel(series, std::string_view(checks.signals[k].name));
      return read ? fd::with_interpolation(one, *read, one.max_gap()) : one;
    };
    fd::write_html(folder / links[name], result, view(test), view(reference), {name, files});
  }
  fd::write_html<Time>(folder / "index.html", checks, {"", files}, [&](const fd::SignalCheck<Time>& each) {
    return links.count(each.name) ? links[each.name] : "";
  });
  fmt::print("wrote {}\n", (folder / "index.html").string());
}

template <fd::TimePoint Time>
fd::SignalChecks<Time> compare(const Settings& s, const fd::Series<double, Time>& test,
                               const fd::Series<double, Time>& reference) {
  const auto checks = fd::check_tubes(test, reference, rules(s, reference));
  print(checks);
  if (!s.report.empty()) write_report(s, checks, test, reference);
  if (!s.json.empty()) fd::write_json(s.json, checks);
  if (!s.junit.empty()) fd::write_junit(s.junit, checks, s.test.empty() ? "demonstration" : s.test);
  return checks;
}

template <fd::TimePoint Time>
int compare_files(const Settings& s) {
  const auto reference = load<Time>(s, s.reference);
  const auto test = renamed(load<Time>(s, s.test), s.pairs);
  return fd::exit_code(compare(s, test, reference).verdict);
}

int demonstrate(Settings s) {
  if (!s.hold.empty() || !s.tolerances.empty() || !s.pairs.empty())
    throw std::invalid_argument("options for signals were given, but no files");
  fmt::print(
      "No files were given, so this is the demonstration on generated data: a drive whose valve switches late, whose\n"
      "torque is too large for a while and whose level was recorded for half of the time. The same with files:\n"
      "  compare_signals --write-demo demo\n"
      "  compare_signals demo/test.csv demo/reference.csv --hold valve --tolerance 'valve time=0.1' --report "
      "pages\n\n");
  s.hold = {"valve"};
  s.tolerances = {"valve time=0.1 relative=0", "torque unit=Nm", "level unit=m"};
  const auto checks = compare(s, drive::test(), drive::reference());
  const auto verdict = [&](std::size_t k) { return checks.signals.at(k).result.verdict; };
  const bool as_expected = verdict(0) == fd::Verdict::pass && verdict(1) == fd::Verdict::pass &&
                           verdict(2) == fd::Verdict::fail && verdict(3) == fd::Verdict::incomplete;
  fmt::print("\n=== {} ===\n", as_expected ? "two pass, one fails, one cannot be judged" : "NOT AS EXPECTED");
  return as_expected ? 0 : 1;
}

const command_line::Hints hints = {
    {"duplicates", "--duplicates says what to do with rows at one time"},
    {"Timestamp", "--absolute-time reads dates and epoch times"},
    {"time_format", "--time names the time column, --time-format its pattern, --delimiter the sign between fields"},
    {"time_unit", "--time-unit gives the unit of the stamps"},
    {"channels need names", "the files need a row with the names of the signals"},
};

void describe_options(CLI::App& app, Settings& s) {
  app.add_option("test", s.test, "file of the signals to judge: CSV, or a Modelica result (.mat)")->group("Files");
  app.add_option("reference", s.reference, "file that they are held against")->group("Files");
  command_line::add_time_options(app, s.dialect, "", "numeric", {"ns", "us", "ms", "s", "min", "h", "d"});
  app.add_flag("--absolute-time", s.absolute_time, "stamps are dates or epoch times")->group("Files");
  command_line::add_sign_options(app, s.dialect);
  command_line::add_duplicates_option(app, "--duplicates", s.duplicates, "rows at one time (default: event)");
  app.add_option("--hold", s.hold, "signals that keep their value until the next sample (others: straight lines)")
      ->delimiter(',')
      ->group("Files");
  app.add_option("--pair", s.pairs, "a signal with two names: NAME_IN_TEST=NAME_IN_REFERENCE")->group("Files");
  app.add_flag("--load-report", s.load_report, "print all that was found in the files, not only the warnings")
      ->group("Files");

  app.add_option("--relative", s.relative, "tolerance as a share of the span of the reference (default: 0.002)")
      ->group("Tolerances: max(absolute, relative * max(span, nominal)) + rounding");
  const char* group = "Tolerances: max(absolute, relative * max(span, nominal)) + rounding";
  app.add_option("--absolute", s.absolute, "in the unit of the signal (default: 0)")->group(group);
  app.add_option("--nominal", s.nominal, "magnitude of the signals (default: 0.001)")->group(group);
  app.add_option("--rounding", s.rounding, "of the numbers in the files (default: 0)")->group(group);
  app.add_option("--time-tolerance", s.late, "for late and early events, in seconds (default: 0)")->group(group);
  app.add_option("--tolerance", s.tolerances,
                 "for signals by name or pattern (* and ?): 'T_* absolute=0.5 time=0.1 unit=K'; may be repeated, the "
                 "first that matches decides")
      ->allow_extra_args(false)
      ->group(group);

  app.add_option("--signal", s.signals, "judge these only, by name or pattern")
      ->delimiter(',')
      ->group("What is judged");
  app.add_option("--skip", s.skip, "leave these out, by name or pattern")->delimiter(',')->group("What is judged");
  app.add_option("--begin", s.begin, "from here on: seconds, or ISO 8601 with --absolute-time")
      ->group("What is judged");
  app.add_option("--end", s.end, "before this")->group("What is judged");
  app.add_option("--min-coverage", s.min_coverage, "share of the reference that must be compared (default: 1)")
      ->group("What is judged");
  app.add_flag("--both-ways", s.both_ways, "hold the samples of the reference against the test as well")
      ->group("What is judged");

  app.add_option("--report", s.report, "folder for an index page and one page for each signal")->group("Results");
  app.add_flag("--failed-only", s.failed_only, "pages for signals that do not pass only")->group("Results");
  app.add_option("--json", s.json, "write the result to this file")->group("Results");
  app.add_option("--junit", s.junit, "write the result as JUnit XML to this file")->group("Results");
  app.add_option("--write-demo", s.write_demo, "write the generated files to this folder and stop")->group("Results");
  app.footer("Exit code: 0 pass, 1 fail, 2 could not be judged or error. Without files: a demonstration.");
}

void write_demo(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  fd::write_csv(folder / "test.csv", drive::test(), {.time_name = "time_s"});
  fd::write_csv(folder / "reference.csv", drive::reference(), {.time_name = "time_s"});
  fmt::print("wrote {}\n", (folder / "test.csv").string());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Do the signals of this file lie within tolerances of those of a reference file?"};
  Settings settings;
  describe_options(app, settings);
  return command_line::run(app, argc, argv, "compare_signals", hints, [&] {
    if (!settings.write_demo.empty()) {
      write_demo(settings.write_demo);
      return 0;
    }
    if (settings.test.empty()) return demonstrate(settings);
    if (settings.reference.empty()) throw std::invalid_argument("two files are needed: the test and its reference");
    return settings.absolute_time ? compare_files<fd::Timestamp>(settings) : compare_files<double>(settings);
  });
}
