// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/mat4_directory.hpp>
#include <fidelity/io/source.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// How to make a series of variables of a Modelica result file.
struct Mat4Options {
  Interpolation interpolation = Interpolation::linear;  ///< integers and booleans must be held
  std::optional<double> max_gap = {};                   ///< seconds
};

/// A Modelica result file (MAT level 4, written by OpenModelica, Dymola and others). It keeps the bytes of the file;
/// only variables that are asked for are converted. Time is double seconds, equal times are events. Copies share the
/// bytes.
class Mat4File {
 public:
  /// Throws ParseError, which names the matrix, for a file that is none or that is cut off; std::system_error where it
  /// cannot be opened. A CsvText as source is borrowed and must outlive this object.
  explicit Mat4File(FileSource source) : contents_(std::make_shared<const Contents>(std::move(source))) {}

  /// All variables in the order of the file; an equal name for the same values stands there once.
  [[nodiscard]] const std::vector<Mat4Variable>& variables() const { return directory().variables(); }
  /// "binNormal" or "binTrans".
  [[nodiscard]] std::string_view layout() const { return directory().is_transposed() ? "binTrans" : "binNormal"; }
  [[nodiscard]] bool contains(const std::string& name) const { return directory().find(name) < variables().size(); }
  /// Names are exact: `x[1, 2]` keeps its blank. Throws InputError for an unknown one.
  [[nodiscard]] const Mat4Variable& variable(const std::string& name) const {
    const std::size_t i = directory().find(name);
    if (i == variables().size())
      detail::fail("Mat4File", Rule::unknown_name, "'" + directory().file() + "' has no variable of this name",
                   {.name = name});
    return variables()[i];
  }

  /// The value of a variable that does not change (a parameter or constant). Throws InputError for one that may,
  /// ParseError if its start and its end differ.
  [[nodiscard]] double constant(const std::string& name) const {
    const Mat4Variable& wanted = variable(name);
    if (!wanted.is_constant())
      detail::fail("Mat4File::constant", Rule::bad_parameter, "the variable changes with time: ask for its series",
                   {.name = name});
    const std::size_t samples = directory().samples(1);
    if (samples == 0) directory().fail_table(1, "the table of constants has no values");
    const double first = value(wanted, 0);
    for (std::size_t i = 1; i < samples; ++i) {
      const double other = value(wanted, i);
      if (other != first && !(detail::is_nan(other) && detail::is_nan(first)))
        directory().fail_table(1, "the variable '" + name + "' should not change, but does");
    }
    return first;
  }

  /// The course of a variable. Throws InputError for a constant, ParseError if time runs backward or is not finite, or
  /// if there are no samples.
  [[nodiscard]] Series<double, double> series(const std::string& name, const Mat4Options& options = {}) const {
    return make({&name, 1}, options);
  }
  /// Several variables as channels of one series. They must stand in the same table.
  [[nodiscard]] Series<double, double> series(const std::vector<std::string>& names,
                                              const Mat4Options& options = {}) const {
    return make(names, options);
  }
  [[nodiscard]] Series<double, double> series(std::initializer_list<std::string> names,
                                              const Mat4Options& options = {}) const {
    return make({names.begin(), names.size()}, options);
  }

 private:
  struct Contents {
    explicit Contents(FileSource file) : source(std::move(file)), directory(source.bytes(), source.name()) {}
    FileSource source;
    detail::io::Mat4Directory directory;
  };

  [[nodiscard]] const detail::io::Mat4Directory& directory() const { return contents_->directory; }

  [[nodiscard]] double value(const Mat4Variable& variable, std::size_t sample) const {
    const std::size_t table = variable.table == 0 ? 2 : variable.table;
    const double x = directory().value(table, variable.column - 1, sample);
    return variable.negated ? -x : x;
  }

  [[nodiscard]] Series<double, double> make(std::span<const std::string> names, const Mat4Options& options) const {
    if (names.empty()) detail::fail("Mat4File::series", Rule::empty, "there is no name");
    std::size_t table = 0;
    std::vector<const Mat4Variable*> wanted;
    for (const std::string& name : names) {
      wanted.push_back(&variable(name));
      if (wanted.back()->is_constant())
        detail::fail("Mat4File::series", Rule::bad_parameter, "the variable does not change: ask for its constant",
                     {.name = name});
      const std::size_t own = wanted.back()->table == 0 ? 2 : wanted.back()->table;
      if (table != 0 && own != table)
        detail::fail("Mat4File::series", Rule::bad_parameter,
                     "the variables stand in tables with different times: ask for them one by one", {.name = name});
      table = own;
    }
    std::vector<double> times = read_times(table);
    std::vector<double> values;
    values.reserve(detail::checked_product("Mat4File::series", times.size(), wanted.size()));
    for (std::size_t i = 0; i < times.size(); ++i)
      for (const Mat4Variable* one : wanted) values.push_back(value(*one, i));
    return {std::move(times), std::move(values),
            SeriesOptions<double>{contents_->source.stem(),
                                  {names.begin(), names.end()},
                                  options.interpolation,
                                  options.max_gap,
                                  Duplicates::event}};
  }

  [[nodiscard]] std::vector<double> read_times(std::size_t table) const {
    const std::size_t samples = directory().samples(table);
    if (samples == 0) directory().fail_table(table, "the table has no samples");
    std::vector<double> times;
    times.reserve(samples);
    for (std::size_t i = 0; i < samples; ++i) {
      times.push_back(directory().value(table, 0, i));
      if (!detail::is_finite(times.back()) || (i > 0 && times[i] < times[i - 1]))
        directory().fail_table(table, detail::concat("sample ", i, " has the time ", times[i],
                                                     ", which does not come after ", "the one before"));
    }
    return times;
  }

  std::shared_ptr<const Contents> contents_;
};

/// Reads a Modelica result file: `read_mat4("dsres.mat").series("pump.flow")`. Throws as Mat4File.
[[nodiscard]] inline Mat4File read_mat4(FileSource source) { return Mat4File(std::move(source)); }

}  // namespace fidelity
