// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <fidelity/io/load_report.hpp>
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

}  // namespace fidelity
