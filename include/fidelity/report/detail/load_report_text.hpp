// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fidelity/io/load_report.hpp>
#include <fidelity/report/detail/lines.hpp>

namespace fidelity::detail {

class LoadReportWriter {
 public:
  explicit LoadReportWriter(const LoadReport& report) : r_(report) {}

  std::string write() {
    line_("{}: {} rows, {}", r_.file, r_.rows, channel_names());
    line_("  dialect   delimiter {} ({}), decimal '{}' ({}){}, {}, data from line {}", delimiter(r_.delimiter),
          to_text(r_.delimiter_found_by), r_.decimal, to_text(r_.decimal_found_by), thousands(),
          r_.names_row ? fmt::format("names in line {}", *r_.names_row) : std::string("no names"), r_.first_data_row);
    const bool proposed = r_.time_format.find('%') != std::string::npos && r_.time_format_found_by != FoundBy::option;
    line_("  time      {}{}{}{}", r_.time_format, proposed ? " (detected)" : "",
          r_.time_unit ? fmt::format(" in {}", fidelity::to_text(*r_.time_unit)) : "",
          r_.zone.empty() ? "" : ", zone " + r_.zone);
    line_("            {} to {}{}", r_.times.first, r_.times.last, step());
    counts();
    for (const ChannelReport& channel : r_.channels) bad_samples(channel);
    if (!r_.text_columns.empty()) line_("  text      {}", fmt::to_string(fmt::join(r_.text_columns, ", ")));
    for (const LoadWarning& warning : r_.warnings) line_("  warning   {}: {}", warning.code, warning.sentence);
    return line_.text();
  }

 private:
  static std::string delimiter(char c) { return c == '\t' ? std::string("tab") : fmt::format("'{}'", c); }

  std::string thousands() const {
    if (!r_.thousands) return {};
    return fmt::format(", thousands '{}' ({})", *r_.thousands, to_text(r_.thousands_found_by));
  }

  std::string channel_names() const {
    std::string names;
    for (const ChannelReport& channel : r_.channels) {
      names += names.empty() ? "" : ", ";
      names += channel.name.empty() ? fmt::format("column {}", channel.position) : channel.name;
      if (!channel.unit.empty()) names += " [" + channel.unit + "]";
    }
    return fmt::format("{} channel{}: {}", r_.channels.size(), r_.channels.size() == 1 ? "" : "s", names);
  }

  std::string step() const {
    if (r_.times.period) return fmt::format(", every {:g} s", *r_.times.period);
    if (r_.times.median_step) return fmt::format(", irregular, median step {:g} s", *r_.times.median_step);
    return {};
  }

  void counts() {
    std::string text;
    const auto add = [&](std::size_t count, std::string_view what) {
      if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(r_.rows_empty, "empty");
    add(r_.rows_comment, "comment");
    add(r_.rows_bad, "bad, left out");
    add(r_.rows_filtered, "not asked for");
    add(r_.rows_held_over, "without a good sample, left out");
    add(r_.rows_repeated_hour, "in a repeated hour");
    add(r_.rows_unknown_status, "with an unknown status");
    add(r_.times.backward_steps, "backward steps");
    add(r_.times.duplicate_times, "times more than once");
    add(r_.times.event_times, "events");
    add(r_.times.gaps, "gaps");
    if (!text.empty()) line_("  rows      {}", text);
    for (const BadRow& row : r_.first_bad_rows) line_("            line {}: {}", row.line, row.reason);
  }

  void bad_samples(const ChannelReport& channel) {
    if (channel.suspect > 0)
      line_("  suspect   {} of {} samples of '{}', {}", channel.suspect, channel.good + channel.suspect + channel.bad,
            channel.name, r_.suspect_used ? "used" : "excluded");
    if (channel.bad == 0) return;
    std::string reasons;
    for (const BadReason& reason : channel.reasons)
      reasons += fmt::format("{}{} x '{}'", reasons.empty() ? "" : ", ", reason.count, reason.text);
    line_("  bad       {} of {} samples of '{}': {}", channel.bad, channel.good + channel.suspect + channel.bad,
          channel.name, reasons);
  }

  const LoadReport& r_;
  Lines line_;
};

inline std::string load_report_text(const LoadReport& report) { return LoadReportWriter(report).write(); }

}  // namespace fidelity::detail
