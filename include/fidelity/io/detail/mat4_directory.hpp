// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/io/detail/mat4_matrix.hpp>

namespace fidelity {

/// One variable of a Modelica result file.
struct Mat4Variable {
  std::string name;
  std::string description;
  std::size_t table = 0;   ///< k of data_k; 0 for the time axis. data_1 holds
                           ///< what does not change
  std::size_t column = 0;  ///< 1-based column of the table
  bool negated = false;    ///< the values are those of the column with the other
                           ///< sign (an alias)
  [[nodiscard]] bool is_constant() const { return table == 1; }
};

namespace detail::io {

/// The matrices of a Modelica result file and what its variables are (F47 to F51).
class Mat4Directory {
 public:
  Mat4Directory(std::string_view bytes, const std::string& file) : file_(file) {
    std::vector<Mat4Matrix> all = Mat4Records(bytes, file).read();
    if (all.front().name != "Aclass")
      fail(all.front(), "this is no Modelica result file: the first matrix is not Aclass");
    for (Mat4Matrix& matrix : all) {
      const auto [known, is_new] = matrices_.emplace(matrix.name, matrix);
      if (!is_new) fail(matrix, "two matrices have the same name");
    }
    read_class();
    read_variables();
  }

  [[nodiscard]] bool is_transposed() const { return transposed_; }
  [[nodiscard]] const std::vector<Mat4Variable>& variables() const { return variables_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Position of a variable; the number of variables if there is none.
  [[nodiscard]] std::size_t find(const std::string& name) const {
    const auto known = positions_.find(name);
    return known == positions_.end() ? variables_.size() : known->second;
  }

  [[nodiscard]] std::size_t samples(std::size_t table) const {
    const Mat4Matrix& matrix = data(table);
    return transposed_ ? matrix.columns : matrix.rows;
  }
  /// A value of a column, both counted from 0.
  [[nodiscard]] double value(std::size_t table, std::size_t column, std::size_t sample) const {
    const Mat4Matrix& matrix = data(table);
    return transposed_ ? matrix.at(column, sample) : matrix.at(sample, column);
  }
  [[nodiscard]] bool has_table(std::size_t table) const { return matrices_.count(concat("data_", table)) > 0; }

  [[noreturn]] void fail_table(std::size_t table, const std::string& reason) const { fail(data(table), reason); }

 private:
  [[noreturn]] void fail(const Mat4Matrix& matrix, const std::string& reason) const {
    throw ParseError(file_, 1, matrix.place + 1, reason, excerpt(matrix.name));
  }
  [[nodiscard]] const Mat4Matrix& get(const std::string& name) const {
    const auto known = matrices_.find(name);
    if (known != matrices_.end()) return known->second;
    throw ParseError(file_, 1, 1, concat("this is no whole Modelica result file: the matrix '", name, "' is missing"),
                     "");
  }
  [[nodiscard]] const Mat4Matrix& data(std::size_t table) const { return get(concat("data_", table)); }

  /// Row i of a text matrix, without the padding.
  [[nodiscard]] std::string text(const Mat4Matrix& matrix, std::size_t i, bool transposed) const {
    const std::size_t length = transposed ? matrix.rows : matrix.columns;
    std::string text;
    for (std::size_t k = 0; k < length; ++k) {
      const double code = transposed ? matrix.at(k, i) : matrix.at(i, k);
      if (!(code >= 0 && code <= 255) || code != static_cast<double>(static_cast<int>(code)))
        fail(matrix, "a text holds a number that is no character");
      text += static_cast<char>(static_cast<unsigned char>(static_cast<int>(code)));
    }
    text.erase(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);  // npos + 1 is 0
    return text;
  }

  void read_class() {
    const Mat4Matrix& matrix = get("Aclass");
    if (matrix.rows != 4 || text(matrix, 0, false) != "Atrajectory")
      fail(matrix, "this is no Modelica result file: Aclass does not say Atrajectory");
    const std::string layout = text(matrix, 3, false);
    if (layout != "binNormal" && layout != "binTrans") fail(matrix, "the layout is neither binNormal nor binTrans");
    transposed_ = layout == "binTrans";
  }

  void read_variables() {
    const Mat4Matrix& names = get("name");
    const Mat4Matrix& descriptions = get("description");
    const Mat4Matrix& info = get("dataInfo");
    const auto count = [&](const Mat4Matrix& matrix) { return transposed_ ? matrix.columns : matrix.rows; };
    if (count(descriptions) != count(names)) fail(descriptions, "there is not one description for each name");
    if (count(info) != count(names) || (transposed_ ? info.rows : info.columns) != 4)
      fail(info, "there are not four numbers for each name");
    for (std::size_t i = 0; i < count(names); ++i) {
      Mat4Variable variable{text(names, i, transposed_), text(descriptions, i, transposed_)};
      const double table = transposed_ ? info.at(0, i) : info.at(i, 0);
      const double column = transposed_ ? info.at(1, i) : info.at(i, 1);
      variable.table = whole(info, table, variable.name);
      variable.column = whole(info, column < 0 ? -column : column, variable.name);
      variable.negated = column < 0;
      check_column(info, variable);
      add(names, std::move(variable));
    }
  }

  [[nodiscard]] std::size_t whole(const Mat4Matrix& info, double number, const std::string& name) const {
    if (!(number >= 0 && number <= 4294967295.0) || number != static_cast<double>(static_cast<std::uint64_t>(number)))
      fail(info, concat("the variable '", excerpt(name), "' has a table or column that is no number of one"));
    return static_cast<std::size_t>(number);
  }

  void check_column(const Mat4Matrix& info, const Mat4Variable& variable) const {
    const std::size_t table = variable.table == 0 ? 2 : variable.table;
    if (!has_table(table))
      fail(info,
           concat("the variable '", excerpt(variable.name), "' stands in data_", table, ", which is not in the file"));
    const Mat4Matrix& matrix = data(table);
    if (variable.column < 1 || variable.column > (transposed_ ? matrix.rows : matrix.columns))
      fail(info, concat("the variable '", excerpt(variable.name), "' stands in column ", variable.column, " of data_",
                        table, ", which has no such column"));
  }

  /// Equal names are the same variable or an error (F51).
  void add(const Mat4Matrix& names, Mat4Variable variable) {
    const auto [known, is_new] = positions_.emplace(variable.name, variables_.size());
    if (is_new) {
      variables_.push_back(std::move(variable));
      return;
    }
    const Mat4Variable& other = variables_[known->second];
    if (other.table != variable.table || other.column != variable.column || other.negated != variable.negated)
      fail(names, concat("two variables have the name '", excerpt(variable.name), "' and different values"));
  }

  const std::string& file_;
  std::map<std::string, Mat4Matrix> matrices_;
  std::vector<Mat4Variable> variables_;
  std::unordered_map<std::string, std::size_t> positions_;
  bool transposed_ = false;
};

}  // namespace detail::io
}  // namespace fidelity
