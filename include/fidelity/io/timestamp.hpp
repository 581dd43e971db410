// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include <fidelity/errors.hpp>
#include <fidelity/io/detail/local_order.hpp>
#include <fidelity/io/detail/time_column.hpp>
#include <fidelity/io/time_unit.hpp>
#include <fidelity/io/zone.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// How stamps are written. What is not given is taken from the first stamp that is read: ISO 8601 or a number. Other
/// dates need a pattern: one stamp does not tell days from months.
template <TimePoint Time = Timestamp>
struct TimeFormat {
  /// A pattern of %Y %y %m %d %H %I %M %S %f %p %z (%% is a percent sign), or "ISO 8601".
  std::optional<std::string> pattern = {};
  std::optional<TimeUnit> unit = {};  ///< of numbers; needed for absolute time, seconds for double
  std::optional<Time> origin = {};    ///< where numbers count from; otherwise 1970-01-01T00:00Z, or 0
  std::optional<Zone> zone = {};      ///< of stamps without an offset; otherwise UTC
  ZoneMode zone_mode = ZoneMode::strict;
  std::optional<std::chrono::nanoseconds> round_to = {};  ///< of Excel serials, half to even; otherwise 1 ms
};

/// Reads stamps of one format, exactly in 64-bit integers, whatever locale and TZ are. `Time` is Timestamp or a
/// std::chrono::system_clock time point of any integer tick (a stamp that it cannot hold exactly is refused), or double
/// for numbers, which become seconds. What is finer than 1 ns is rounded half to even.
///
/// The format is fixed by the first stamp; stamps with and without an offset from UTC do not mix. For a single stamp
/// there is parse_time(). To read a file there is read_csv().
template <TimePoint Time = Timestamp>
class TimeReader {
 public:
  /// Throws InputError for a pattern that cannot name an instant, and for options that exclude each other.
  explicit TimeReader(const TimeFormat<Time>& format = {})
      : column_({format.pattern, format.unit, format.origin, format.zone, format.zone_mode, format.round_to}) {}

  /// The instant. Throws ParseError (line 1, column 1 of "stamp") with the reason for any other text.
  [[nodiscard]] Time operator()(std::string_view text) {
    const std::string_view stamp = detail::io::trimmed(text);
    detail::io::Fault fault = column_.decide(stamp);
    Time time{};
    if (!fault) fault = column_.read(stamp, time);
    using Occurs = typename detail::io::TimeColumn<Time>::Occurs;
    if (!fault && column_.occurs() == Occurs::several && column_.zone_mode() == ZoneMode::strict)
      fault = {"this local time occurs twice, for the clock was set back: the option zone_mode decides"};
    if (!fault) fault = order_.resolve(column_, time);
    if (fault) throw ParseError("stamp", 1, 1, fault.reason, detail::io::excerpt(text));
    return time;
  }

 private:
  detail::io::TimeColumn<Time> column_;
  detail::io::LocalOrder<Time> order_;
};

/// One stamp: `parse_time("2025-03-30T01:59:30+01:00")`. Throws as TimeReader.
template <TimePoint Time = Timestamp>
[[nodiscard]] Time parse_time(std::string_view text, const TimeFormat<Time>& format = {}) {
  return TimeReader<Time>(format)(text);
}

}  // namespace fidelity
