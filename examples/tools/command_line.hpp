// SPDX-License-Identifier: MIT
// What the command line programs have in common: how files are written, rows at one time, errors with a hint.
#pragma once

#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fidelity/io/csv.hpp>

namespace command_line {

namespace fd = fidelity;

/// How the files are written; what is left empty is found out by the reader.
struct Dialect {
  std::string time, time_unit, time_format, delimiter, decimal;
};

template <fd::TimePoint Time>
void apply(const Dialect& dialect, fd::CsvOptions<Time>& options) {
  if (!dialect.time.empty()) options.time_columns = {dialect.time};
  if (!dialect.time_unit.empty()) options.time_unit = fd::parse_time_unit(dialect.time_unit);
  if (!dialect.time_format.empty()) options.time_format = dialect.time_format;
  if (!dialect.delimiter.empty()) options.delimiter = dialect.delimiter == "tab" ? '\t' : dialect.delimiter[0];
  if (!dialect.decimal.empty()) options.decimal = dialect.decimal[0];
}

/// --time, --time-unit, --time-format. `column` says which column is the time by default, `stamps` what has a unit.
inline void add_time_options(CLI::App& app, Dialect& dialect, const std::string& column, const std::string& stamps,
                             const std::vector<std::string>& units) {
  app.add_option("--time", dialect.time, "time column (default: the first" + column + ")")->group("Files");
  app.add_option("--time-unit", dialect.time_unit,
                 "of " + stamps + " stamps, where the name of the column does not say it")
      ->check(CLI::IsMember(units).description(CLI::detail::join(units, " ")))
      ->group("Files");
  app.add_option("--time-format", dialect.time_format, "pattern of the stamps, such as %d.%m.%Y %H:%M:%S")
      ->group("Files");
}

/// --delimiter and --decimal.
inline void add_sign_options(CLI::App& app, Dialect& dialect) {
  app.add_option("--delimiter", dialect.delimiter, "of fields: , ; | or tab (default: detected)")
      ->check(CLI::IsMember({",", ";", "|", "tab"}).description(""))
      ->group("Files");
  app.add_option("--decimal", dialect.decimal, "sign of numbers: . or , (default: detected)")
      ->check(CLI::IsMember({".", ","}).description(""))
      ->group("Files");
}

/// An option that says what becomes of rows at one time.
inline void add_duplicates_option(CLI::App& app, const std::string& name, std::optional<fd::Duplicates>& policy,
                                  const std::string& text) {
  static const std::map<std::string, fd::Duplicates> policies{{"error", fd::Duplicates::error},
                                                              {"first", fd::Duplicates::first},
                                                              {"last", fd::Duplicates::last},
                                                              {"mean", fd::Duplicates::mean},
                                                              {"event", fd::Duplicates::event}};
  app.add_option(name, policy, text)
      ->transform(CLI::CheckedTransformer(policies).description("error|first|last|mean|event"))
      ->type_name("POLICY")
      ->group("Files");
}

/// What stands in an error of the library, and what a person at the command line can do about it.
using Hints = std::vector<std::pair<std::string_view, std::string_view>>;

/// Parses the arguments and calls work(); its code is that of the program. 2 for wrong arguments and for errors, which
/// are printed with the first hint that fits.
template <class Work>
int run(CLI::App& app, int argc, char** argv, std::string_view program, const Hints& hints, Work&& work) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return work();
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "{}: {}\n", program, error.what());
    for (const auto& [sign, hint] : hints)
      if (std::string_view(error.what()).find(sign) != std::string_view::npos) {
        fmt::print(stderr, "  {}\n", hint);
        break;
      }
    return 2;
  }
}

}  // namespace command_line
