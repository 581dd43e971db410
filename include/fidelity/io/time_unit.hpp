// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace fidelity {

/// Unit of a numeric time column: nanoseconds to days (of exactly 86400 s), or days in one of the two calendars of
/// Excel, which are clock times of a zone.
enum class TimeUnit { ns, us, ms, s, min, h, d, excel1900, excel1904 };

namespace detail::io {
/// One unit in nanoseconds is base * 10^exponent.
struct UnitSize {
  std::string_view name;
  std::uint64_t base;
  int exponent;
};
inline constexpr std::array<UnitSize, 9> unit_sizes{{{"ns", 1, 0},
                                                     {"us", 1, 3},
                                                     {"ms", 1, 6},
                                                     {"s", 1, 9},
                                                     {"min", 6, 10},
                                                     {"h", 36, 11},
                                                     {"d", 864, 11},
                                                     {"excel1900", 864, 11},
                                                     {"excel1904", 864, 11}}};
inline constexpr const UnitSize& unit_size(TimeUnit unit) { return unit_sizes[static_cast<std::size_t>(unit)]; }
inline constexpr bool is_excel(TimeUnit unit) { return unit == TimeUnit::excel1900 || unit == TimeUnit::excel1904; }
}  // namespace detail::io

/// The unit as it is written: "ns", "us", "ms", "s", "min", "h", "d", "excel1900", "excel1904".
constexpr std::string_view to_text(TimeUnit unit) { return detail::io::unit_size(unit).name; }

/// The unit with that text; nothing for any other text.
constexpr std::optional<TimeUnit> parse_time_unit(std::string_view text) {
  for (std::size_t i = 0; i < detail::io::unit_sizes.size(); ++i)
    if (detail::io::unit_sizes[i].name == text) return static_cast<TimeUnit>(i);
  return std::nullopt;
}

/// The unit that the name of a time column ends with: `time_ms`, `t [s]`, `Time[h]`, `time (min)`. Nothing if it ends
/// with none. Never guessed from the values.
constexpr std::optional<TimeUnit> unit_in_name(std::string_view name) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
    const auto begin = name.rfind(open);
    if (begin == std::string_view::npos || name.back() != close) continue;
    std::string_view inside = name.substr(begin + 1, name.size() - begin - 2);
    while (!inside.empty() && inside.front() == ' ') inside.remove_prefix(1);
    while (!inside.empty() && inside.back() == ' ') inside.remove_suffix(1);
    return parse_time_unit(inside);
  }
  const auto mark = name.rfind('_');
  return mark == std::string_view::npos ? std::nullopt : parse_time_unit(name.substr(mark + 1));
}

}  // namespace fidelity
