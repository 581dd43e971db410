// SPDX-License-Identifier: MIT
#pragma once

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>

namespace fidelity::detail::io {

/// Refuses options that contradict each other.
template <TimePoint Time>
void check_csv_options(const CsvOptions<Time>& options) {
  const auto refuse = [](const char* why) { fail("read_csv", Rule::bad_parameter, why); };
  if (options.period && options.label != Label::end) refuse("period is for label = end");
  if (options.period && !(*options.period > Duration<Time>{})) refuse("period must be positive");
  if (options.label == Label::end && options.duplicates == Duplicates::event)
    refuse("label = end describes intervals, and an event has none: give another policy for duplicates");
  if (options.quality_column && options.quality_map.empty())
    refuse("quality_map must say what the codes of quality_column mean (for OPC there is opc_quality())");
  if (!options.quality_column && !options.quality_map.empty()) refuse("quality_map needs quality_column");
}

}  // namespace fidelity::detail::io
