// SPDX-License-Identifier: MIT
// How validate_ensemble gets its runs: which files, which columns, which time.
#pragma once

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/fidelity.hpp>
#include <fidelity/io/csv.hpp>

#include "command_line.hpp"

namespace ensemble {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

/// What the command line says about one side.
struct Files {
  std::vector<std::string> patterns;
  std::vector<std::string> where;  ///< "column=text"
  std::optional<fd::Duplicates> duplicates;
};

/// What it says about both.
struct Columns {
  std::vector<std::string> group_by;
  std::string for_each;  ///< a column of the simulated files; empty for one model
  std::vector<std::string> values;
  command_line::Dialect dialect;
  bool absolute_time = false;
  bool elapsed = false;
  bool drop_bad = false;
};

/// The runs of one model, or the measured ones.
struct Ensemble {
  std::string name;
  std::vector<Run> runs;
};

struct Loaded {
  std::vector<Ensemble> ensembles;
  std::vector<fd::LoadReport> reports;
  std::size_t dropped = 0;  ///< bad samples left out on request
};

inline std::vector<std::string> expand(const std::vector<std::string>& patterns) {
  std::vector<std::string> paths;
  for (const std::string& pattern : patterns) {
    if (std::filesystem::exists(pattern)) {
      paths.push_back(pattern);
      continue;
    }
    glob_t found{};
    const int code = glob(pattern.c_str(), 0, nullptr, &found);
    if (code == 0) paths.insert(paths.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    if (code != 0) throw std::invalid_argument("no file matches '" + pattern + "'");
  }
  return paths;
}

/// A file whose rows run back to its beginning holds several runs below each other.
inline void refuse_stacked(const fd::LoadReport& report, const Run& run) {
  if (report.times.largest_backward_step > 0.5 * run.span().length())
    throw std::invalid_argument(
        report.file +
        ": the stamps run back by more than half of the file; if it holds several runs, --group-by "
        "names the columns that tell them apart");
}

/// "a=b" as a pair.
inline std::pair<std::string, std::string> split_condition(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw std::invalid_argument("--where wants column=text, not '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

template <fd::TimePoint Time>
fd::CsvOptions<Time> csv_options(const Files& files, const Columns& columns) {
  fd::CsvOptions<Time> options;
  for (const std::string& condition : files.where) {
    auto [column, text] = split_condition(condition);
    options.where.push_back({std::move(column), std::move(text)});
  }
  command_line::apply(columns.dialect, options);
  for (const std::string& value : columns.values) options.channels.emplace_back(value);
  if (files.duplicates) options.duplicates = *files.duplicates;
  return options;
}

/// Seconds as double; absolute stamps count from the start of their own run.
inline Run in_seconds(const fd::Series<double, double>& run, bool own_start) {
  return own_start ? fd::elapsed(run) : run;
}
inline Run in_seconds(const fd::Series<double, fd::Timestamp>& run, bool) { return fd::elapsed(run); }

template <fd::TimePoint Time>
Loaded load_as(const Files& files, const Columns& columns, const std::string& for_each, const std::string& name) {
  Loaded loaded;
  std::map<std::string, std::size_t> position;
  const auto ensemble = [&](const std::string& key) -> Ensemble& {
    const auto [place, added] = position.emplace(key, loaded.ensembles.size());
    if (added) loaded.ensembles.push_back({key, {}});
    return loaded.ensembles[place->second];
  };
  for (const std::string& path : expand(files.patterns)) {
    auto options = csv_options<Time>(files, columns);
    if (!for_each.empty()) options.group_by.emplace_back(for_each);
    for (const std::string& column : columns.group_by) options.group_by.emplace_back(column);
    if (options.group_by.empty()) {
      auto file = fd::read_csv<Time>(path, options);
      const Run run = in_seconds(file.series, columns.elapsed);
      refuse_stacked(file.report, run);
      ensemble(name).runs.push_back(run);
      loaded.reports.push_back(std::move(file.report));
      continue;
    }
    options.name = "";
    auto file = fd::read_csv_groups<Time>(path, options);
    for (const auto& group : file.groups)
      ensemble(for_each.empty() ? name : group.keys.front().text)
          .runs.push_back(in_seconds(group.series, columns.elapsed));
    loaded.reports.push_back(std::move(file.report));
  }
  return loaded;
}

/// Samples with a bad value are left out of every run.
inline void drop_bad(Loaded& loaded) {
  for (Ensemble& each : loaded.ensembles)
    for (Run& run : each.runs) {
      auto cleaned = fd::without_bad(run);
      run = cleaned.series;
      loaded.dropped += cleaned.removed;
    }
}

/// Reads all runs of one side, one ensemble for each text in the column `for_each`.
inline Loaded load(const Files& files, const Columns& columns, const std::string& for_each, const std::string& name) {
  Loaded loaded = columns.absolute_time ? load_as<fd::Timestamp>(files, columns, for_each, name)
                                        : load_as<double>(files, columns, for_each, name);
  if (columns.drop_bad) drop_bad(loaded);
  return loaded;
}

}  // namespace ensemble
