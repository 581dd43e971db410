// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/io/quality.hpp>
#include <fidelity/io/time_unit.hpp>
#include <fidelity/io/zone.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// A column of a file, by its exact name or by its 1-based position. Converts from both.
class CsvColumn {
 public:
  CsvColumn(const char* name) : name_(name) {}
  CsvColumn(std::string name) : name_(std::move(name)) {}
  template <std::integral Number>
  CsvColumn(Number position) : position_(static_cast<std::size_t>(position)), is_position_(true) {
    if constexpr (std::signed_integral<Number>)
      if (position < 0) position_ = std::numeric_limits<std::size_t>::max();  // refused later, as any without a column
  }
  [[nodiscard]] bool is_position() const { return is_position_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  std::string name_;
  std::size_t position_ = 0;
  bool is_position_ = false;
};

/// Which line holds the names: a 1-based line of the file, or one of the words. `detect`: the first row, unless all of
/// its fields are numbers or stamps. `last_comment`: the last comment line before the data, without its prefix.
class NamesRow {
 public:
  enum Word { detect, none, last_comment, line };
  NamesRow(Word word = detect) : word_(word) {}
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  NamesRow(Number line_number) : word_(line), number_(line_number > 0 ? static_cast<std::size_t>(line_number) : 0) {}
  [[nodiscard]] Word word() const { return word_; }
  /// The line, where the word is `line`.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  Word word_;
  std::size_t number_ = 0;
};

/// Keeps the rows that hold exactly this text in a column.
struct CsvFilter {
  CsvColumn column;
  std::string text;
};

/// What to do with rows whose stamp cannot be read or that have a wrong number of fields.
enum class BadRows { error, skip };
/// What to do with rows that run backward in time. `sort` is stable: rows of equal time keep their order in the file.
enum class RowOrder { sort, error };

/// How to read a CSV file. What is not given is taken from the file; where the file leaves two readings, the reader
/// stops and names the option that decides.
template <TimePoint Time = Timestamp>
struct CsvOptions {
  /// Name of the series; the stem of the file without one. Of groups: stands before the keys.
  std::optional<std::string> name = {};
  /// Only for read_csv_groups: the columns whose texts tell the series of the file apart.
  std::vector<CsvColumn> group_by = {};
  /// Rows to keep. Texts for the same column are alternatives, different columns must all agree.
  std::vector<CsvFilter> where = {};

  std::optional<char> delimiter = {};  ///< , ; | or tab
  std::optional<char> decimal = {};    ///< . or ,
  /// . , ' or blank (which also matches the no-break blanks). Detected where a number holds it beside the decimal sign,
  /// or twice; a blank never is.
  std::optional<char> thousands = {};
  char quote = '"';
  std::string comment = {};  ///< lines that start with it are skipped; empty: there are none
  NamesRow names_row = {};
  std::optional<std::size_t> units_row = {};       ///< 1-based line; the report tells the unit of each channel
  std::optional<std::size_t> first_data_row = {};  ///< 1-based line; otherwise the row after the names or the units

  /// Joined by one blank where there are several. Otherwise the first column that is not in group_by or where.
  std::vector<CsvColumn> time_columns = {};
  /// A pattern of %Y %y %m %d %H %I %M %S %f %p %z (%% is a percent sign), or "ISO 8601". A fraction of a second may
  /// always follow %S. Otherwise taken from all rows: ISO 8601, or the one of some usual orders of day, month and year
  /// with or without a time of day that fits them all; an error if several do with different instants.
  std::optional<std::string> time_format = {};
  std::optional<TimeUnit> time_unit = {};  ///< of a numeric column; otherwise from its name (`time_ms`, `t [s]`)
  std::optional<Time> time_origin = {};    ///< where numeric stamps count from; otherwise 1970-01-01T00:00Z, or 0
  std::optional<Zone> zone = {};           ///< of stamps without an offset; otherwise UTC with a warning
  ZoneMode zone_mode = ZoneMode::strict;   ///< what a local time means that occurs twice
  std::optional<std::chrono::nanoseconds> round_to = {};  ///< of Excel serials, half to even; otherwise 1 ms
  /// `begin`, `end`: a value describes the interval that starts or ends at its stamp. The series is then held. For
  /// `end` each value moves to the stamp before it, the first one to its stamp minus `period`; without a period it is
  /// left out.
  Label label = Label::instant;
  std::optional<Duration<Time>> period = {};

  /// The columns to keep, in this order; others are not parsed. Otherwise all that hold numbers.
  std::vector<CsvColumn> channels = {};
  /// Texts in place of a value, in any case. Every other text is bad too; here belong numbers that are meant as text.
  std::vector<std::string> na = {"", "NA", "N/A", "null"};
  std::vector<double> sentinels = {};  ///< exact values that mean "bad"
  std::optional<double> max_abs = {};  ///< values of at least this magnitude mean "bad"
  BadRows bad_rows = BadRows::error;
  /// Status codes of the rows, for all channels. They count after `quality_mask` has cut the bits that say nothing
  /// about quality; codes that the map does not know are bad.
  std::optional<CsvColumn> quality_column = {};
  std::optional<std::uint64_t> quality_mask = {};
  std::vector<QualityRule> quality_map = {};
  Suspect suspect = Suspect::exclude;
  /// `hold_over`: rows without a good sample are left out; a bad sample beside a good one becomes the value that the
  /// signal has there without it.
  BadSamples bad = BadSamples::ends_validity;

  RowOrder order = RowOrder::sort;
  Duplicates duplicates = Duplicates::error;
  Interpolation interpolation = Interpolation::linear;
  std::optional<Duration<Time>> max_gap = {};
};

}  // namespace fidelity
