// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/decimal.hpp>
#include <fidelity/io/detail/excel.hpp>
#include <fidelity/io/detail/iso8601.hpp>
#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/pattern.hpp>
#include <fidelity/io/detail/time_request.hpp>
#include <fidelity/io/detail/time_ticks.hpp>
#include <fidelity/io/detail/zone_rules.hpp>
#include <fidelity/io/time_unit.hpp>
#include <fidelity/io/zone.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

/// One time column. Its format is fixed before the first row is converted; a row that does not fit is a fault of that
/// row and is never tried with another format (F15).
template <TimePoint Time>
class TimeColumn {
  static constexpr bool is_elapsed = std::same_as<Time, double>;
  static_assert(is_elapsed || is_system_time<Time>,
                "stamps are read as Timestamp, another std::chrono::system_clock time point of an integer tick, or "
                "double seconds");

 public:
  enum class Kind { undecided, iso, pattern, number, excel };
  /// How often the local time of a stamp without an offset occurs in its zone.
  enum class Occurs { once, never, several };

  explicit TimeColumn(TimeRequest<Time> request) : request_(std::move(request)) {
    if (request_.unit) set_unit(*request_.unit);
    check_round_to();
    if (!request_.format) return;
    if (request_.unit)
      fail("read_csv", Rule::bad_parameter, "time_format is for written dates and time_unit for numbers: give one");
    if (is_elapsed)
      fail("read_csv", Rule::bad_parameter, "written dates are no double: read as Timestamp and use elapsed()");
    set_format(*request_.format);
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::optional<TimeUnit> unit() const { return request_.unit; }
  void set_unit(TimeUnit unit) {
    request_.unit = unit;
    kind_ = is_excel(unit) ? Kind::excel : Kind::number;
    if (kind_ != Kind::excel) return;
    if (is_elapsed)
      fail("read_csv", Rule::bad_parameter, "serials of Excel are dates: read as Timestamp and use elapsed()");
    refuse_origin();
  }
  /// "ISO 8601" or a pattern.
  void set_format(const std::string& format) {
    const bool iso = format == "ISO 8601" || format == "ISO8601";
    kind_ = iso ? Kind::iso : Kind::pattern;
    format_ = iso ? "ISO 8601" : format;
    if (!iso) {
      pattern_.emplace(format);
      has_offset_ = pattern_->has_offset();
    }
    refuse_origin();
  }
  [[nodiscard]] const std::string& format() const { return format_; }
  void set_decimal(char decimal) { style_.decimal = decimal; }
  /// Whether the stamps name their offset from UTC; known after the first row.
  [[nodiscard]] bool has_offset() const { return has_offset_.value_or(false); }
  [[nodiscard]] bool is_civil() const { return kind_ == Kind::iso || kind_ == Kind::pattern || kind_ == Kind::excel; }
  [[nodiscard]] bool zone_assumed() const { return is_civil() && !has_offset() && !request_.zone; }

  /// Whether this text shows the format. False: look at another row.
  [[nodiscard]] bool shows_format(std::string_view text) const {
    return looks_iso(text) || parse_decimal(text, style_.decimal).has_value();
  }

  /// Fixes the format by a text; does nothing once it is fixed.
  Fault decide(std::string_view text) {
    if (kind_ == Kind::undecided) {
      if (looks_iso(text)) {
        if (is_elapsed) return dates_are_no_double();
        set_format("ISO 8601");
      } else if (shows_format(text)) {
        kind_ = Kind::number;
      } else {
        return {"the stamp is neither ISO 8601 nor a number: give the option time_format", true};
      }
    }
    if (kind_ == Kind::number && !request_.unit) {
      if (!is_elapsed)
        return {"numeric stamps need a unit: give the option time_unit, or read as double for seconds", true};
      request_.unit = TimeUnit::s;
    }
    return {};
  }
  static Fault dates_are_no_double() {
    return {"stamps with dates do not fit into double seconds: read as Timestamp and use elapsed()", true};
  }

  /// The instant of one row. decide() comes first. Where its local time occurs several times: the latest instant if the
  /// mode is `later`, else the earliest.
  Fault read(std::string_view text, Time& time) {
    occurs_ = Occurs::once;
    if constexpr (is_elapsed) {
      return read_seconds(text, time);
    } else if (kind_ == Kind::number) {
      return read_number(text, time);
    } else if (kind_ == Kind::excel) {
      return read_excel(text, time);
    } else {
      return read_civil(text, time);
    }
  }
  [[nodiscard]] Occurs occurs() const { return occurs_; }
  [[nodiscard]] ZoneMode zone_mode() const { return request_.zone_mode; }
  /// Local time of the row read last, where its zone changes its offset.
  [[nodiscard]] const LocalTime& local() const { return local_; }
  [[nodiscard]] const LocalOffsets& offsets() const { return offsets_; }
  /// The latest instant that the row read last can mean.
  Fault read_latest(Time& time) const { return to_time(local_, offsets_.last, time); }

 private:
  void refuse_origin() const {
    if (request_.origin)
      fail("read_csv", Rule::bad_parameter, "time_origin is for numeric stamps, and these are dates");
  }
  void check_round_to() const {
    if (!request_.round_to) return;
    if (kind_ != Kind::excel && kind_ != Kind::undecided)
      fail("read_csv", Rule::bad_parameter, "round_to is for the serials of Excel");
    if (*request_.round_to < std::chrono::nanoseconds{1} || *request_.round_to > std::chrono::hours{24})
      fail("read_csv", Rule::bad_parameter, "round_to must be longer than 0 and not longer than a day");
  }

  static Fault to_time(const LocalTime& local, std::chrono::seconds offset, Time& time) {
    std::int64_t nanoseconds = 0;
    if (const Fault fault = to_nanoseconds(local, offset, nanoseconds)) return fault;
    if constexpr (!is_elapsed) {
      typename Time::duration ticks{};
      if (const Fault fault = exact_ticks(nanoseconds, ticks)) return fault;
      time = Time{ticks};
    }
    return {};
  }

  /// The instant of a local time in the zone of the caller.
  Fault read_local(const LocalTime& local, Time& time) {
    if (!request_.zone) return to_time(local, std::chrono::seconds{0}, time);
    const ZoneRules& rules = request_.zone->rules();
    if (rules.transitions.empty()) return to_time(local, rules.before, time);
    local_ = local;
    offsets_ = rules.find(local.second);
    if (offsets_.count == 0) {
      occurs_ = Occurs::never;
      return {"this local time was skipped when the clock was set forward"};
    }
    if (offsets_.count > 1) occurs_ = Occurs::several;
    return to_time(local, request_.zone_mode == ZoneMode::later ? offsets_.last : offsets_.first, time);
  }

  Fault read_civil(std::string_view text, Time& time) {
    CivilTime civil;
    bool date_only = false;
    if (const Fault fault = pattern_ ? pattern_->parse(text, civil) : parse_iso(text, civil, date_only)) return fault;
    if (!pattern_) {
      if (!date_only_) date_only_ = date_only;
      if (*date_only_ != date_only) return {"dates with and without a time of day stand in one column"};
    }
    if (!has_offset_) has_offset_ = civil.has_offset;
    if (*has_offset_ != civil.has_offset)
      return {"stamps with and without an offset from UTC stand in one column", true};
    LocalTime local;
    if (const Fault fault = to_local_time(civil, local)) return fault;
    return civil.has_offset ? to_time(local, std::chrono::minutes{civil.offset_minutes}, time)
                            : read_local(local, time);
  }

  Fault read_excel(std::string_view text, Time& time) {
    LocalTime local;
    const auto step = request_.round_to.value_or(std::chrono::milliseconds{1});
    const Fault fault = excel_time(text, style_.decimal, *request_.unit, step, local);
    return fault ? fault : read_local(local, time);
  }

  Fault read_number(std::string_view text, Time& time) const {
    const auto number = parse_decimal(text, style_.decimal);
    if (!number) return {"the stamp is not a number"};
    const auto nanoseconds = whole_nanoseconds(*number, *request_.unit);
    if (!nanoseconds) return outside_years();
    typename Time::duration ticks{};
    if (const Fault fault = exact_ticks(*nanoseconds, ticks)) return fault;
    const auto start = request_.origin.value_or(Time{}).time_since_epoch().count();
    typename Time::rep sum{};
    if (__builtin_add_overflow(start, ticks.count(), &sum)) return outside_years();
    time = Time{typename Time::duration{sum}};
    return in_readable_years(time) ? Fault{} : outside_years();
  }

  Fault read_seconds(std::string_view text, double& time) const {
    if (*request_.unit == TimeUnit::s) {
      if (!parse_digits(text, style_, time)) return {"the stamp is not a number"};
    } else {
      const auto number = parse_decimal(text, style_.decimal);
      if (!number) return {"the stamp is not a number"};
      time = double_seconds(*number, *request_.unit);
    }
    if (request_.origin) time += *request_.origin;
    return is_finite(time) ? Fault{} : Fault{"the stamp is not a finite number"};
  }

  TimeRequest<Time> request_;
  Kind kind_ = Kind::undecided;
  std::string format_;
  std::optional<TimePattern> pattern_;
  NumberStyle style_;
  std::optional<bool> has_offset_;
  std::optional<bool> date_only_;
  Occurs occurs_ = Occurs::once;
  LocalTime local_;
  LocalOffsets offsets_;
};

}  // namespace fidelity::detail::io
