// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/posix_zone.hpp>
#include <fidelity/io/detail/tzif.hpp>
#include <fidelity/io/detail/zone_folder.hpp>
#include <fidelity/io/detail/zone_rules.hpp>
#include <fidelity/io/source.hpp>

namespace fidelity {

/// What a local time means that occurs twice because the clock was set back. `strict`: an error that lists the rows.
/// `infer_by_order`: the first occurrence until local time steps back, then the second; instants must increase.
/// A local time that never was, because the clock was set forward, is an error in every mode.
enum class ZoneMode { strict, infer_by_order, earlier, later };

/// The zone of stamps that name no offset themselves. Never the machine's own zone. Copies share their rules.
class Zone {
 public:
  [[nodiscard]] static Zone utc() { return fixed(std::chrono::minutes{0}); }

  /// Local time minus UTC, as in +01:00. Throws InputError unless it is shorter than a day.
  [[nodiscard]] static Zone fixed(std::chrono::minutes offset) {
    if (offset >= std::chrono::hours{24} || offset <= std::chrono::hours{-24})
      detail::fail("Zone::fixed", Rule::bad_parameter, "the offset in minutes must be shorter than a day",
                   {.value = static_cast<double>(offset.count())});
    return Zone({offset_text(offset), offset, {}});
  }

  /// A zone of the system's database by its IANA name, such as Europe/Oslo: reads the file of that name below TZDIR or
  /// /usr/share/zoneinfo (TZif, RFC 8536). Throws InputError if there is no database or no such zone.
  [[nodiscard]] static Zone named(std::string_view name) {
    return file(detail::io::zone_file(name), std::string(name));
  }

  /// A zone from a TZif file of the caller. Throws ParseError if it is none.
  [[nodiscard]] static Zone file(const FileSource& source, std::string name = {}) {
    auto rules = detail::io::TzifReader(source.bytes(), source.name()).read();
    rules.name = name.empty() ? source.stem() : std::move(name);
    return Zone(std::move(rules));
  }

  /// A rule as in the variable TZ of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3". It needs no database and holds for all
  /// years. Throws InputError with the reason for any other text.
  [[nodiscard]] static Zone posix(std::string_view rule) {
    detail::io::PosixZone zone;
    if (const auto fault = zone.parse(rule))
      detail::fail("Zone::posix", Rule::bad_parameter, detail::concat(fault.reason, ", in '", rule, "'"));
    auto rules = zone.rules();
    rules.name = std::string(rule);
    return Zone(std::move(rules));
  }

  /// Offsets as they are given: `before` until the first transition. Throws InputError unless the instants increase
  /// and no offset is longer than 26 h.
  [[nodiscard]] static Zone transitions(std::chrono::seconds before, std::vector<ZoneTransition> list) {
    const auto refuse = [](const char* why, std::size_t i) {
      detail::fail("Zone::transitions", Rule::bad_parameter, why, {.collection = "list", .index = i});
    };
    const auto too_long = [](std::chrono::seconds offset) {
      return offset > detail::io::largest_offset || offset < -detail::io::largest_offset;
    };
    if (too_long(before)) refuse("the offset before the first transition is longer than 26 h", 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (too_long(list[i].offset)) refuse("an offset is longer than 26 h", i);
      if (i > 0 && list[i].instant <= list[i - 1].instant) refuse("the instants do not increase", i);
    }
    return Zone({detail::concat(list.size(), " given transitions from ",
                                offset_text(std::chrono::floor<std::chrono::minutes>(before))),
                 before, std::move(list)});
  }

  /// "UTC", "+01:00", the IANA name, or the rule as it was given.
  [[nodiscard]] const std::string& name() const { return rules_->name; }
  /// Private to the readers.
  [[nodiscard]] const detail::io::ZoneRules& rules() const& { return *rules_; }
  const detail::io::ZoneRules& rules() const&& = delete;  // would dangle

 private:
  explicit Zone(detail::io::ZoneRules rules)
      : rules_(std::make_shared<const detail::io::ZoneRules>(std::move(rules))) {}

  static std::string offset_text(std::chrono::minutes offset) {
    const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    const long long size = std::llabs(static_cast<long long>(offset.count()));
    if (size == 0) return "UTC";
    return (offset.count() < 0 ? "-" : "+") + two(size / 60) + ':' + two(size % 60);
  }

  std::shared_ptr<const detail::io::ZoneRules> rules_;
};

/// The name of the zone.
inline std::string to_text(const Zone& zone) { return zone.name(); }

}  // namespace fidelity
