// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/io/time_unit.hpp>

namespace fidelity {

/// How the reader came to a choice: the caller's option, the `sep=` line of the file, the name of a column, the units
/// row, the content of the file, or a fixed rule for the case that nothing else says it.
enum class FoundBy { option, sep_line, column_name, units_row, detection, rule };

/// The choice in words, as it stands in a printed report.
inline std::string_view to_text(FoundBy found_by) {
  switch (found_by) {
    case FoundBy::option:
      return "option";
    case FoundBy::sep_line:
      return "sep line";
    case FoundBy::column_name:
      return "column name";
    case FoundBy::units_row:
      return "units row";
    case FoundBy::detection:
      return "detected";
    case FoundBy::rule:
      return "default";
  }
  return "";
}

/// One thing that a person should know. `code` is short and stable, so that a program can refuse some of them:
/// "zone assumed", "repeated hour", "unknown status", "suspect samples", "held over", "first value dropped",
/// "longer than period", "bad rows", "sorted", "duplicates", "event rows dropped", "gaps", "bad samples", "inexact
/// integers", "looks discrete", "not utf8".
struct LoadWarning {
  std::string code = {};
  std::string sentence = {};
};

/// A data row that was left out.
struct BadRow {
  std::size_t line = 0;     ///< 1-based line of the file
  std::string reason = {};  ///< with the text that could not be read
};

/// A cell that holds no measurement.
struct BadSample {
  std::size_t line = 0;   ///< 1-based line of the file
  std::string text = {};  ///< as written, cut to about 60 characters; empty for an empty cell; or "status 24"
};

/// How often one text stood in place of a value.
struct BadReason {
  std::string text = {};  ///< as written; empty for empty cells; "status 24" where the status made it bad
  std::size_t count = 0;
};

/// What was found in one channel. Counts are of cells as read, before rows of equal time were merged.
struct ChannelReport {
  std::string name = {};
  std::string unit = {};     ///< from the units row; empty without one
  std::size_t position = 0;  ///< 1-based column of the file
  std::size_t good = 0;
  std::size_t suspect = 0;                ///< by their status, whether excluded or used
  std::size_t bad = 0;                    ///< empty, text, NaN, infinite, sentinel, or bad by their status
  std::vector<BadReason> reasons = {};    ///< in order of first appearance, at most 100 different texts
  std::size_t other_reasons = 0;          ///< bad cells with any further text
  std::vector<BadSample> first_bad = {};  ///< the first ten
  std::size_t sentinels = 0;              ///< bad cells that were numbers in `sentinels` or at or above `max_abs`
  std::size_t inexact_integers = 0;       ///< integers that the number type cannot hold exactly
  bool looks_discrete = false;            ///< holds only 0 and 1
};

/// A stretch between two neighbouring stamps.
struct GapReport {
  std::string begin = {};  ///< last stamp before
  std::string end = {};    ///< first stamp after
  double seconds = 0;
};

/// The time axis of one series. Stamps are text (ISO 8601 in UTC with nine decimals, or seconds), steps are seconds.
struct TimeReport {
  std::size_t samples = 0;  ///< rows before rows of equal time were merged
  std::string first = {};
  std::string last = {};
  std::optional<double> median_step = {};  ///< over steps between different stamps
  std::optional<double> period = {};       ///< if the series is regular
  std::size_t backward_steps = 0;          ///< rows with an earlier stamp than the row before them in the file
  double largest_backward_step = 0;        ///< in seconds
  std::size_t duplicate_times = 0;         ///< stamps that occur more than once
  std::size_t identical_duplicates = 0;    ///< of these, those whose rows all have the same values
  std::size_t conflicting_duplicates = 0;  ///< of these, those whose rows differ
  std::size_t event_times = 0;             ///< stamps kept as a pair of left and right limit
  std::size_t event_rows_dropped = 0;      ///< rows between the left and the right limit of an event
  std::optional<GapReport> longest_gap = {};
  std::size_t gaps = 0;                    ///< steps longer than `max_gap`; 0 without one
  std::vector<GapReport> first_gaps = {};  ///< the first ten of them
};

/// Everything that a reader skipped, changed, assumed or detected. Plain values, to be printed as text or JSON.
struct LoadReport {
  std::string file = {};
  char delimiter = ',';
  FoundBy delimiter_found_by = FoundBy::rule;
  char decimal = '.';
  FoundBy decimal_found_by = FoundBy::rule;
  std::optional<char> thousands = {};
  FoundBy thousands_found_by = FoundBy::rule;
  std::optional<std::size_t> names_row = {};  ///< 1-based line; nothing if the file has no names
  FoundBy names_row_found_by = FoundBy::detection;
  std::optional<std::size_t> units_row = {};
  std::size_t first_data_row = 0;  ///< 1-based line
  std::vector<std::string> time_columns = {};
  std::string time_format = {};  ///< "ISO 8601", "number", or the pattern
  FoundBy time_format_found_by = FoundBy::detection;
  std::optional<TimeUnit> time_unit = {};  ///< of a numeric time column
  FoundBy time_unit_found_by = FoundBy::rule;
  std::string zone = {};      ///< "UTC", "+01:00", "Europe/Oslo" or "offset of each row"; empty for numeric stamps
  bool zone_assumed = false;  ///< the stamps name no offset and no zone was given: taken as UTC
  std::size_t rows_repeated_hour = 0;  ///< rows whose local time occurs twice; the option zone_mode decided
  std::string quality_column = {};     ///< empty without one
  bool suspect_used = false;           ///< suspect samples are in the series as good ones; otherwise as bad ones
  std::size_t rows_unknown_status = 0;
  std::size_t rows_held_over = 0;  ///< without a good sample, left out because `bad = hold_over`
  std::size_t rows = 0;            ///< data rows that became samples
  std::size_t rows_empty = 0;
  std::size_t rows_comment = 0;
  std::size_t rows_bad = 0;                 ///< left out because `bad_rows = skip`
  std::size_t rows_filtered = 0;            ///< left out by `where`
  std::vector<BadRow> first_bad_rows = {};  ///< the first ten
  /// The time axis. For several groups: counts are sums, first and last are over all, steps only if all agree.
  TimeReport times = {};
  std::vector<ChannelReport> channels = {};    ///< in the order of the series' channels
  std::vector<std::string> text_columns = {};  ///< columns without a number; an unnamed one as "column 3"
  std::vector<LoadWarning> warnings = {};
};

}  // namespace fidelity
