// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <type_traits>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/decimal.hpp>
#include <fidelity/io/detail/iso8601.hpp>
#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/pattern.hpp>
#include <fidelity/io/time_unit.hpp>
#include <fidelity/io/zone.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

template <class Time>
inline constexpr bool is_system_time = false;
template <class D>
inline constexpr bool is_system_time<std::chrono::time_point<std::chrono::system_clock, D>> =
    std::integral<typename D::rep>;

/// Nanoseconds as ticks of a duration, or a fault where it cannot hold them exactly.
template <class D>
Fault exact_ticks(std::int64_t nanoseconds, D& duration) {
  using Ratio = std::ratio_divide<std::nano, typename D::period>;
  const Signed128 scaled = static_cast<Signed128>(nanoseconds) * Ratio::num;
  if (scaled % Ratio::den != 0) return {"the stamp is finer than the ticks of the time type"};
  const Signed128 ticks = scaled / Ratio::den;
  using Rep = typename D::rep;
  if (ticks > std::numeric_limits<Rep>::max() || ticks < std::numeric_limits<Rep>::min())
    return {"the stamp lies outside the range of the time type"};
  duration = D{static_cast<Rep>(ticks)};
  return {};
}

/// Whether a time point lies in the years 1678 to 2261, without overflow whatever its tick is.
template <class D>
bool in_readable_years(std::chrono::sys_time<D> time) {
  constexpr double far = 1e10;  // seconds; more than any of those years
  const double rough = seconds(time.time_since_epoch());
  if (!(rough > -far && rough < far)) return false;
  const auto second =
      static_cast<std::int64_t>(std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
  return second >= first_second && second < end_second;
}

/// One time column. Its format is fixed before the first row is converted; a row that does not fit is a fault of that
/// row and is never tried with another format (F15).
template <TimePoint Time>
class TimeColumn {
  static constexpr bool is_elapsed = std::same_as<Time, double>;
  static_assert(is_elapsed || is_system_time<Time>,
                "stamps are read as Timestamp, another std::chrono::system_clock time point of an integer tick, or "
                "double seconds");

 public:
  enum class Kind { undecided, iso, pattern, number };

  TimeColumn(const std::optional<std::string>& format, std::optional<TimeUnit> unit, std::optional<Time> origin,
             const std::optional<Zone>& zone)
      : unit_(unit), origin_(origin), zone_given_(zone.has_value()) {
    if (zone) offset_minutes_ = zone->offset().count();
    if (unit) kind_ = Kind::number;
    if (!format) return;
    if (unit)
      fail("read_csv", Rule::bad_parameter, "time_format is for written dates and time_unit for numbers: give one");
    if (is_elapsed)
      fail("read_csv", Rule::bad_parameter, "written dates are no double: read as Timestamp and use elapsed()");
    const bool iso = *format == "ISO 8601" || *format == "ISO8601";
    kind_ = iso ? Kind::iso : Kind::pattern;
    if (!iso) {
      pattern_.emplace(*format);
      has_offset_ = pattern_->has_offset();
    }
    refuse_origin();
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::optional<TimeUnit> unit() const { return unit_; }
  void set_unit(TimeUnit unit) { unit_ = unit; }
  void set_decimal(char decimal) { style_.decimal = decimal; }
  /// Whether the stamps name their offset from UTC; known after the first row.
  [[nodiscard]] bool has_offset() const { return has_offset_.value_or(false); }
  [[nodiscard]] bool zone_assumed() const {
    return (kind_ == Kind::iso || kind_ == Kind::pattern) && !has_offset() && !zone_given_;
  }

  /// Whether this text shows the format. False: look at another row.
  [[nodiscard]] bool shows_format(std::string_view text) const {
    return looks_iso(text) || parse_decimal(text, style_.decimal).has_value();
  }

  /// Fixes the format by a text; does nothing once it is fixed.
  Fault decide(std::string_view text) {
    if (kind_ == Kind::undecided) {
      if (looks_iso(text)) {
        if (is_elapsed)
          return {"stamps with dates do not fit into double seconds: read as Timestamp and use elapsed()", true};
        kind_ = Kind::iso;
        refuse_origin();
      } else if (shows_format(text)) {
        kind_ = Kind::number;
      } else {
        return {"the stamp is neither ISO 8601 nor a number: give the option time_format", true};
      }
    }
    if (kind_ == Kind::number && !unit_) {
      if (!is_elapsed)
        return {"numeric stamps need a unit: give the option time_unit, or read as double for seconds", true};
      unit_ = TimeUnit::s;
    }
    return {};
  }

  /// The instant of one row. decide() comes first.
  Fault read(std::string_view text, Time& time) {
    if constexpr (is_elapsed) {
      return read_seconds(text, time);
    } else if (kind_ == Kind::number) {
      return read_number(text, time);
    } else {
      return read_civil(text, time);
    }
  }

 private:
  void refuse_origin() const {
    if (origin_) fail("read_csv", Rule::bad_parameter, "time_origin is for numeric stamps, and these are dates");
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
    std::int64_t nanoseconds = 0;
    if (const Fault fault = to_nanoseconds(civil, offset_minutes_, nanoseconds)) return fault;
    typename Time::duration ticks{};
    if (const Fault fault = exact_ticks(nanoseconds, ticks)) return fault;
    time = Time{ticks};
    return {};
  }

  Fault read_number(std::string_view text, Time& time) const {
    const auto number = parse_decimal(text, style_.decimal);
    if (!number) return {"the stamp is not a number"};
    const auto nanoseconds = whole_nanoseconds(*number, *unit_);
    if (!nanoseconds) return outside_years();
    typename Time::duration ticks{};
    if (const Fault fault = exact_ticks(*nanoseconds, ticks)) return fault;
    const auto start = origin_.value_or(Time{}).time_since_epoch().count();
    typename Time::rep sum{};
    if (__builtin_add_overflow(start, ticks.count(), &sum)) return outside_years();
    time = Time{typename Time::duration{sum}};
    return in_readable_years(time) ? Fault{} : outside_years();
  }

  Fault read_seconds(std::string_view text, double& time) const {
    if (*unit_ == TimeUnit::s) {
      if (!parse_digits(text, style_, time)) return {"the stamp is not a number"};
    } else {
      const auto number = parse_decimal(text, style_.decimal);
      if (!number) return {"the stamp is not a number"};
      time = double_seconds(*number, *unit_);
    }
    if (origin_) time += *origin_;
    return is_finite(time) ? Fault{} : Fault{"the stamp is not a finite number"};
  }

  Kind kind_ = Kind::undecided;
  std::optional<TimePattern> pattern_;
  std::optional<TimeUnit> unit_;
  std::optional<Time> origin_;
  NumberStyle style_;
  std::int64_t offset_minutes_ = 0;
  bool zone_given_ = false;
  std::optional<bool> has_offset_;
  std::optional<bool> date_only_;
};

}  // namespace fidelity::detail::io
