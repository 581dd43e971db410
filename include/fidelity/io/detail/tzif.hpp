// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/io/detail/posix_zone.hpp>
#include <fidelity/io/detail/zone_rules.hpp>

namespace fidelity::detail::io {

/// Reads a time zone file (TZif, RFC 8536, version 2 or later): transitions, and the POSIX rule at its end for all
/// times after them.
class TzifReader {
 public:
  TzifReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[nodiscard]] ZoneRules read() {
    const Counts old = header();
    if (version_ < '2') fail("a file of version 1, which ends in 2037: convert it with a newer zic");
    skip(old.size(4));
    const Counts counts = header();
    if (counts.leaps != 0) fail("the file counts leap seconds, so that its times are not UTC");
    if (counts.types == 0) fail("the file has no offset");
    skip_check(counts.size(8));
    ZoneRules rules = transitions(counts);
    append_rule(rules);
    return rules;
  }

 private:
  struct Counts {
    std::uint64_t is_ut, is_standard, leaps, times, types, characters;
    [[nodiscard]] std::uint64_t size(std::uint64_t width) const {
      return times * (width + 1) + types * 6 + characters + leaps * (width + 4) + is_standard + is_ut;
    }
  };

  [[noreturn]] void fail(const std::string& reason) const { throw ParseError(name_, 1, place_ + 1, reason, ""); }

  void skip_check(std::uint64_t count) const {
    if (count > bytes_.size() - place_) fail("the time zone file ends too early");
  }
  void skip(std::uint64_t count) {
    skip_check(count);
    place_ += static_cast<std::size_t>(count);
  }
  /// A big-endian integer.
  std::uint64_t number(std::size_t width) {
    const std::size_t first = place_;
    skip(width);
    std::uint64_t value = 0;
    for (std::size_t i = first; i < place_; ++i) value = value << 8U | static_cast<unsigned char>(bytes_[i]);
    return value;
  }

  Counts header() {
    if (bytes_.substr(place_, 4) != "TZif") fail("this is no time zone file (TZif)");
    skip(4);
    version_ = static_cast<char>(number(1));
    skip(15);
    Counts counts{};
    for (std::uint64_t* count :
         {&counts.is_ut, &counts.is_standard, &counts.leaps, &counts.times, &counts.types, &counts.characters})
      *count = number(4);
    return counts;
  }

  ZoneRules transitions(const Counts& counts) {
    std::vector<std::int64_t> instants;
    for (std::uint64_t i = 0; i < counts.times; ++i) {
      instants.push_back(static_cast<std::int64_t>(number(8)));
      if (i > 0 && instants[i] <= instants[i - 1]) fail("its transitions do not increase");
    }
    std::vector<std::size_t> types;
    for (std::uint64_t i = 0; i < counts.times; ++i) types.push_back(static_cast<std::size_t>(number(1)));
    std::vector<std::chrono::seconds> offsets;
    for (std::uint64_t i = 0; i < counts.types; ++i) {
      offsets.emplace_back(static_cast<std::int32_t>(number(4)));
      if (offsets.back() > largest_offset || offsets.back() < -largest_offset) fail("an offset is longer than 26 h");
      skip(2);
    }
    skip(counts.characters + counts.is_standard + counts.is_ut);
    ZoneRules rules;
    rules.before = offsets.front();  // RFC 8536: type 0 holds before the first transition
    for (std::size_t i = 0; i < instants.size(); ++i) {
      if (types[i] >= offsets.size()) fail("a transition has an offset that is not in the file");
      if (instants[i] < earliest) {
        rules.before = offsets[types[i]];
      } else {
        rules.transitions.push_back({std::chrono::sys_seconds{std::chrono::seconds{instants[i]}}, offsets[types[i]]});
      }
    }
    return rules;
  }

  /// After the last transition the rule in the last line holds; without transitions it always does.
  void append_rule(ZoneRules& rules) {
    if (place_ == bytes_.size() || bytes_[place_] != '\n') fail("the time zone file ends without its rule");
    const std::string_view rest = bytes_.substr(place_ + 1);
    const std::string_view text = rest.substr(0, rest.find('\n'));
    if (text.size() == rest.size()) fail("the time zone file ends within its rule");
    if (text.empty()) fail("the file does not say which offset holds after its last transition");
    PosixZone rule;
    if (const Fault fault = rule.parse(text)) fail(concat(fault.reason, ", in the rule '", text, "'"));
    ZoneRules later = rule.rules();
    if (rules.transitions.empty()) {
      rules = std::move(later);
      return;
    }
    const ZoneTransition last = rules.transitions.back();
    std::chrono::seconds in_force = later.before;
    for (const ZoneTransition& transition : later.transitions) {
      if (transition.instant <= last.instant) in_force = transition.offset;
      if (transition.instant > last.instant) rules.transitions.push_back(transition);
    }
    if (in_force != last.offset) fail("the rule at its end does not continue its last transition");
    rules.tidy();
  }

  static constexpr std::int64_t earliest = -10'000'000'000;  // the year 1653; no stamp is older than 1678

  std::string_view bytes_;
  const std::string& name_;
  std::size_t place_ = 0;
  char version_ = '1';
};

}  // namespace fidelity::detail::io
