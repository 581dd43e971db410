// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/text.hpp>
#include <fidelity/io/load_report.hpp>

namespace fidelity::detail::io {

/// Says in words what a person should know of a finished report (F45).
inline void add_warnings(LoadReport& report) {
  const auto add = [&](const char* code, const auto&... sentence) {
    report.warnings.push_back({code, concat(sentence...)});
  };
  const TimeReport& times = report.times;
  if (report.zone_assumed) add("zone assumed", "the stamps name no zone and were taken as UTC");
  if (report.rows_repeated_hour > 0)
    add("repeated hour", report.rows_repeated_hour, " rows have a local time that occurs twice in ", report.zone);
  if (report.rows_unknown_status > 0)
    add("unknown status", report.rows_unknown_status,
        " rows have a status that quality_map does not know: taken as bad");
  if (report.rows_held_over > 0) add("held over", report.rows_held_over, " rows without a good sample were left out");
  if (report.rows_bad > 0) add("bad rows", report.rows_bad, " rows could not be read and were left out");
  if (times.backward_steps > 0)
    add("sorted", times.backward_steps, " rows ran backward in time, by up to ", times.largest_backward_step,
        " s, and were sorted");
  if (times.duplicate_times > times.event_times)
    add("duplicates", times.duplicate_times, " stamps occur more than once, ", times.conflicting_duplicates,
        " of them with conflicting values; their rows were merged");
  if (times.event_rows_dropped > 0)
    add("event rows dropped", times.event_rows_dropped, " rows stood between the two sides of an event");
  if (times.gaps > 0) add("gaps", times.gaps, " steps are longer than max_gap");
  bool is_utf8_text = true;
  for (const ChannelReport& channel : report.channels) {
    is_utf8_text = is_utf8_text && is_utf8(channel.name) && is_utf8(channel.unit);
    const std::string who = channel.name.empty() ? concat("column ", channel.position) : channel.name;
    const std::size_t samples = channel.good + channel.suspect + channel.bad;
    if (channel.bad > 0) add("bad samples", who, ": ", channel.bad, " of ", samples, " are bad");
    if (channel.suspect > 0)
      add("suspect samples", who, ": ", channel.suspect, " of ", samples, " are suspect and were ",
          report.suspect_used ? "used" : "excluded");
    if (channel.inexact_integers > 0)
      add("inexact integers", who, ": ", channel.inexact_integers, " integers were rounded");
    if (channel.looks_discrete)
      add("looks discrete", who, ": holds only 0 and 1 but is read as linear; hold may be meant");
  }
  if (!is_utf8_text) add("not utf8", "a name or unit is not UTF-8 and was kept as it stands");
}

}  // namespace fidelity::detail::io
