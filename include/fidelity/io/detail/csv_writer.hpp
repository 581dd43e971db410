// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/dialect.hpp>
#include <fidelity/io/detail/time_column.hpp>
#include <fidelity/io/time_unit.hpp>

namespace fidelity::detail::io {

/// A name as a CSV field, quoted where a reader would take it apart.
inline void append_name(std::string& out, std::string_view name) {
  const bool plain = name.find_first_of(",;|\t\"\r\n") == std::string_view::npos && trimmed(name) == name;
  if (plain) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

template <class Number>
void append_number(std::string& out, Number x) {
  char buffer[32];
  if (is_nan(static_cast<double>(x))) {  // to_chars would also write the sign of a NaN
    out += "nan";
    return;
  }
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
}

template <TimePoint Time>
void append_time(std::string& out, Time time, std::string_view series_name, std::size_t sample) {
  if constexpr (std::same_as<Time, double>) {
    append_number(out, time);
  } else {
    if (!in_readable_years(time))
      fail("write_csv", Rule::bad_parameter, "a stamp lies outside the years 1678 to 2261",
           {.name = std::string(series_name), .sample = sample});
    const auto since = time.time_since_epoch();
    if (std::chrono::floor<std::chrono::nanoseconds>(since) != since)
      fail("write_csv", Rule::bad_parameter, "a stamp is finer than 1 ns",
           {.name = std::string(series_name), .sample = sample});
    out += to_text(time);
  }
}

/// The names row; refuses what read_csv could not read back.
template <class Scalar, TimePoint Time>
std::string names_row(const SeriesBase<Scalar, Time>& series, const std::string& time_name) {
  const auto refuse = [&](const std::string& why, const std::string& name) {
    fail("write_csv", Rule::bad_parameter, why, {.name = name});
  };
  std::vector<std::string> names{time_name};
  for (std::size_t c = 0; c < series.channels(); ++c) {
    if (!series.channel_names().empty()) {
      names.push_back(series.channel_names()[c]);
    } else {
      names.emplace_back(series.channels() == 1 ? series.name() : std::string_view{});
    }
  }
  const auto unit = unit_in_name(time_name);
  if (unit && *unit != TimeUnit::s) refuse("the time column's name names another unit than seconds", time_name);
  if (looks_iso(time_name) || parse_decimal(time_name, '.') || sep_line(time_name))
    refuse("the time column's name would not be read as a name", time_name);
  bool certain = false;
  const auto value = [&](const std::string& name) { return is_value(name, {"na", "n/a", "null"}, {}, certain); };
  if (std::all_of(names.begin(), names.end(), value) && certain)
    refuse("the names would be read as a row of data", time_name);
  std::string row;
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find('\0') != std::string::npos) refuse("a name holds a NUL byte", names[i]);
    if (!names[i].empty() && !known.insert(names[i]).second) refuse("two columns have the same name", names[i]);
    if (i > 0) row += ',';
    append_name(row, names[i]);
  }
  return row + '\n';
}

template <class Scalar, TimePoint Time>
void write_series(std::ostream& stream, const SeriesBase<Scalar, Time>& series, const std::string& time_name) {
  static_assert(std::same_as<Time, double> || is_system_time<Time>,
                "only double seconds and time points of std::chrono::system_clock with an integer tick have a text");
  constexpr std::size_t block = std::size_t{1} << 16;
  std::string out = names_row(series, time_name);
  const auto flush = [&] {
    stream.write(out.data(), static_cast<std::streamsize>(out.size()));
    out.clear();
  };
  errno = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    append_time(out, series.time(i), series.name(), i);
    for (std::size_t c = 0; c < series.channels(); ++c) {
      out += ',';
      append_number(out, series(i, c));
    }
    out += '\n';
    if (out.size() >= block) flush();
  }
  flush();
  stream.flush();
  if (!stream)
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), "fidelity::write_csv: cannot write");
}

}  // namespace fidelity::detail::io
