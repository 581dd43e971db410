// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/source.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// A series and what its reader skipped, changed, assumed or detected.
template <TimePoint Time = Timestamp, class Scalar = double>
struct CsvFile {
  Series<Scalar, Time> series;
  LoadReport report;
};

/// The text of one `group_by` column.
struct CsvKey {
  std::string column;
  std::string text;
  friend bool operator==(const CsvKey&, const CsvKey&) = default;
};

/// One series of a file that holds many.
template <TimePoint Time = Timestamp, class Scalar = double>
struct CsvGroup {
  std::vector<CsvKey> keys;     ///< in the order of `group_by`
  Series<Scalar, Time> series;  ///< named by its keys: "engine=Mujoco run=3"
  TimeReport times;             ///< the time axis of this series alone
};

/// All series of a file that holds many, in order of first appearance, and one report of the whole file.
template <TimePoint Time = Timestamp, class Scalar = double>
struct CsvGroups {
  std::vector<CsvGroup<Time, Scalar>> groups;
  LoadReport report;

  /// The series alone, as an ensemble. Cheap: series share their samples.
  [[nodiscard]] std::vector<Series<Scalar, Time>> series() const {
    std::vector<Series<Scalar, Time>> all;
    all.reserve(groups.size());
    for (const auto& group : groups) all.push_back(group.series);
    return all;
  }
};

/// Reads a CSV file: one time column (or several that are joined) and channels of numbers, one row a sample. Reads once
/// from front to back, O(bytes); neither locale nor TZ nor clock play a part.
///
/// `Time` is Timestamp or a std::chrono::system_clock time point of an integer tick (stamps are exact or refused), or
/// double (numeric stamps, as seconds). Cells that are no numbers become NaN and are counted with their text; a row
/// whose stamp cannot be read, or with a wrong number of fields, is an error unless `bad_rows` says skip.
///
/// Throws ParseError (name:line:column) for a file that cannot be read as asked or that can be read in two ways,
/// InputError for wrong options, std::system_error where the file cannot be opened. Never gives an empty series.
template <TimePoint Time = Timestamp, class Scalar = double>
[[nodiscard]] CsvFile<Time, Scalar> read_csv(const FileSource& source, const CsvOptions<Time>& options = {});

/// Reads a file that holds many runs or signals below each other: one series per distinct combination of the texts in
/// the `group_by` columns. All have the same channels. Order and duplicates are judged within each.
template <TimePoint Time = Timestamp, class Scalar = double>
[[nodiscard]] CsvGroups<Time, Scalar> read_csv_groups(const FileSource& source, const CsvOptions<Time>& options);

/// How to write a CSV file.
struct CsvWriteOptions {
  /// Name of the time column. A name that ends with a unit other than seconds is refused, for it would be read so.
  std::string time_name = "time";
};

/// Writes a series so that read_csv gives it back bit for bit: comma, point, LF; ISO 8601 stamps in UTC with nine
/// decimals for absolute time, seconds for double; shortest decimals that read back exactly; an event as two rows (read
/// them with `duplicates = event`); bad samples as nan. A single channel without a name gets the name of the series.
///
/// Throws InputError for what cannot be read back: equal or impossible names, stamps outside the years 1678 to 2261;
/// std::system_error where writing fails. The file appears whole or not at all.
template <class Scalar, TimePoint Time>
void write_csv(const std::filesystem::path& path, const SeriesBase<Scalar, Time>& series,
               const CsvWriteOptions& options = {});
template <class Scalar, TimePoint Time>
void write_csv(std::ostream& stream, const SeriesBase<Scalar, Time>& series, const CsvWriteOptions& options = {});

}  // namespace fidelity

#include <fidelity/io/detail/csv_functions.hpp>
#include <fidelity/io/detail/csv_writer.hpp>
