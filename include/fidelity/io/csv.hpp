// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <ostream>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/detail/write_file.hpp>
#include <fidelity/io/csv_file.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/csv_assembler.hpp>
#include <fidelity/io/detail/csv_writer.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/source.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// Reads a CSV file: one time column (or several that are joined) and channels of numbers, one row a sample. O(bytes)
/// time, and memory for the file and the result; neither locale nor TZ nor clock play a part. The form of the file is
/// proposed where the options leave it open and stands in the report.
///
/// `Time` is Timestamp or a std::chrono::system_clock time point of an integer tick (stamps are exact or refused), or
/// double (numeric stamps, as seconds). Local times of a zone that changes its clocks: see Zone and ZoneMode. Cells
/// that are no numbers become NaN and are counted with their text; a row whose stamp cannot be read, or with a wrong
/// number of fields, is an error unless `bad_rows` says skip.
///
/// Throws ParseError (name:line:column) for a file that cannot be read as asked or that can be read in two ways,
/// InputError for wrong options, std::system_error where the file cannot be opened. Never gives an empty series.
template <TimePoint Time = Timestamp, class Scalar = double>
[[nodiscard]] CsvFile<Time, Scalar> read_csv(const FileSource& source, const CsvOptions<Time>& options = {}) {
  if (!options.group_by.empty())
    detail::fail("read_csv", Rule::bad_parameter, "group_by makes several series: use read_csv_groups");
  detail::io::CsvAssembler<Time, Scalar> assembler(source, options);
  auto groups = assembler.groups();
  return {std::move(groups.front().series), assembler.report()};
}

/// Reads a file that holds many runs or signals below each other: one series per distinct combination of the texts in
/// the `group_by` columns. All have the same channels. Order and duplicates are judged within each.
template <TimePoint Time = Timestamp, class Scalar = double>
[[nodiscard]] CsvGroups<Time, Scalar> read_csv_groups(const FileSource& source, const CsvOptions<Time>& options) {
  if (options.group_by.empty())
    detail::fail("read_csv_groups", Rule::bad_parameter, "group_by must name at least one column");
  detail::io::CsvAssembler<Time, Scalar> assembler(source, options);
  auto groups = assembler.groups();
  return {std::move(groups), assembler.report()};
}

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
void write_csv(std::ostream& stream, const SeriesBase<Scalar, Time>& series, const CsvWriteOptions& options = {}) {
  detail::io::write_series(stream, series, options.time_name);
}
template <class Scalar, TimePoint Time>
void write_csv(const std::filesystem::path& path, const SeriesBase<Scalar, Time>& series,
               const CsvWriteOptions& options = {}) {
  detail::write_file(path, [&](std::ostream& stream) { write_csv(stream, series, options); });
}

}  // namespace fidelity
