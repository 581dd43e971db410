// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fidelity {

/// Which rule a rejected input broke. Stable: a program may branch on it; the message is for people.
enum class Rule {
  empty,                ///< there is nothing to work on
  size_mismatch,        ///< two sizes that must agree do not
  shape_mismatch,       ///< a matrix has the wrong number of rows or columns
  channel_mismatch,     ///< two series have different numbers of channels
  not_one_channel,      ///< a function of one signal was given a series of several channels
  unknown_name,         ///< no channel or column has this name, or more than one has it
  index_out_of_range,   ///< an index is not smaller than the size
  value_not_finite,     ///< a value is NaN or infinite
  time_not_finite,      ///< a stamp is NaN or infinite
  time_not_increasing,  ///< a stamp is earlier than the one before
  time_repeated,        ///< two samples have the same stamp where that is not allowed
  window_empty,         ///< a window whose begin is not before its end
  window_outside,       ///< a window in which there is no data
  bad_parameter,        ///< a parameter is outside its range
  far_apart,            ///< runs that start so far apart that their stamps cannot be meant to be compared
  bad_distance,         ///< a user's distance returned NaN, infinity or a negative number
  no_path,              ///< a time window leaves no way from the first samples of a pair to the last ones
  bad_cost,             ///< a cost is NaN or -infinity, or a distance is negative
  bad_weight,           ///< a weight is negative, NaN or infinite
  zero_weights,         ///< all weights are zero
  mass_mismatch,        ///< supply and demand have different sums
  bad_order,            ///< the order p of a Wasserstein distance is not a finite number >= 1
};

/// Where in the input the rule was broken. Fields that do not apply are empty.
struct InputLocation {
  std::string collection = {};             ///< name of the argument: "rows", "columns", "cost", ...
  std::optional<std::size_t> index = {};   ///< position inside the collection, 0-based
  std::string name = {};                   ///< name of the series, channel or column
  std::optional<std::size_t> sample = {};  ///< sample (or column of a cost matrix), 0-based
  std::optional<double> value = {};        ///< the offending value, where it is a number
};

/// A wrong call: the input breaks a documented rule. Thrown before anything is computed, in release builds too.
struct InputError : std::invalid_argument, InputLocation {
  InputError(Rule rule_, const std::string& message, InputLocation location = {})
      : std::invalid_argument(message), InputLocation(std::move(location)), rule(rule_) {}
  Rule rule;
};

/// A file that cannot be read as asked: `name:line:column: reason: 'text'`, line and column 1-based.
struct ParseError : std::runtime_error {
  ParseError(std::string name_, std::size_t line_, std::size_t column_, std::string reason_, std::string text_)
      : std::runtime_error(name_ + ':' + std::to_string(line_) + ':' + std::to_string(column_) + ": " + reason_ +
                           (text_.empty() ? std::string{} : ": '" + text_ + "'")),
        name(std::move(name_)),
        line(line_),
        column(column_),
        reason(std::move(reason_)),
        text(std::move(text_)) {}
  std::string name;    ///< the file, or what the caller named the source
  std::size_t line;    ///< 1-based
  std::size_t column;  ///< 1-based, in bytes
  std::string reason;  ///< the sentence
  std::string text;    ///< the offending text, cut to about 60 characters
};

/// Finite input whose result is outside the range of the number type. Says which pair, where there is one.
struct Overflow : std::overflow_error {
  explicit Overflow(const std::string& message, std::optional<std::pair<std::size_t, std::size_t>> pair_ = {})
      : std::overflow_error(message), pair(pair_) {}
  std::optional<std::pair<std::size_t, std::size_t>> pair;  ///< row and column of the matrix entry
};

/// A transport or assignment problem whose forbidden pairs leave no plan. The rows named are a proof: their mass is
/// larger than that of all columns they may reach (Hall, 1935).
struct Infeasible : std::runtime_error {
  Infeasible(const std::string& message, std::vector<std::size_t> rows_, std::vector<std::size_t> columns_)
      : std::runtime_error(message), rows(std::move(rows_)), columns(std::move(columns_)) {}
  std::vector<std::size_t> rows;     ///< the rows that compete
  std::vector<std::size_t> columns;  ///< all columns with mass that any of them may reach
};

/// An iteration limit was reached before optimality was proved. The optimum lies between the bounds.
struct IterationLimit : std::runtime_error {
  IterationLimit(const std::string& message, double lower_bound_, double upper_bound_)
      : std::runtime_error(message), lower_bound(lower_bound_), upper_bound(upper_bound_) {}
  double lower_bound;
  double upper_bound;
};

/// A progress callback asked to stop. Says what was finished.
struct Cancelled : std::runtime_error {
  Cancelled(const std::string& message, std::size_t finished_, std::size_t total_, std::vector<bool> mask_ = {})
      : std::runtime_error(message), finished(finished_), total(total_), mask(std::move(mask_)) {}
  std::size_t finished;    ///< number of finished entries
  std::size_t total;       ///< number of entries asked for
  std::vector<bool> mask;  ///< which entries are finished, row by row; empty where the notion does not apply
};

}  // namespace fidelity
