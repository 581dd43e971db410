// SPDX-License-Identifier: MIT
// Definitions of the readers that csv.hpp declares.
#pragma once

#include <utility>

#include <fidelity/io/csv.hpp>
#include <fidelity/io/detail/csv_assembler.hpp>

namespace fidelity {

template <TimePoint Time, class Scalar>
CsvFile<Time, Scalar> read_csv(const FileSource& source, const CsvOptions<Time>& options) {
  if (!options.group_by.empty())
    detail::fail("read_csv", Rule::bad_parameter, "group_by makes several series: use read_csv_groups");
  detail::io::CsvAssembler<Time, Scalar> assembler(source, options);
  auto groups = assembler.groups();
  return {std::move(groups.front().series), assembler.report()};
}

template <TimePoint Time, class Scalar>
CsvGroups<Time, Scalar> read_csv_groups(const FileSource& source, const CsvOptions<Time>& options) {
  if (options.group_by.empty())
    detail::fail("read_csv_groups", Rule::bad_parameter, "group_by must name at least one column");
  detail::io::CsvAssembler<Time, Scalar> assembler(source, options);
  auto groups = assembler.groups();
  return {std::move(groups), assembler.report()};
}

}  // namespace fidelity
