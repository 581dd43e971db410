// SPDX-License-Identifier: MIT
// Inputs of the steady state tests: made here, or real data where it is at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"

#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>

namespace steady_data {

namespace fd = fidelity;
using namespace std::chrono_literals;
using Json = nlohmann::json;
using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;
using Windows = std::vector<std::pair<std::size_t, std::size_t>>;

inline const std::filesystem::path shared = FIDELITY_SHARED;

inline bool at_hand(const std::string& file) {
  const bool exists = std::filesystem::exists(shared / file);
  if (!exists) WARN("skipped: " << file << " is not beside the project");
  return exists;
}

inline Json load(const std::string& name) {
  return Json::parse(std::ifstream(std::string(FIDELITY_TEST_DATA "/sampling/") + name));
}

inline Milliseconds ms(std::int64_t count) { return Milliseconds{std::chrono::milliseconds{count}}; }

/// 50 for 200 minutes, up to 80 in 60, 80 for 220, down to 62 in 20, 62 for 220; noise of 0.4 (twelve uniform numbers
/// of a linear congruential generator, minus 6).
inline std::vector<double> synthetic720() {
  std::uint64_t x = 12345;
  std::vector<double> values;
  for (int i = 0; i < 720; ++i) {
    double noise = 0;
    for (int k = 0; k < 12; ++k) {
      x = (1103515245 * x + 12345) % 2147483648U;
      noise += static_cast<double>(x) / 2147483648.0;
    }
    double base = i < 200 ? 50.0 : i < 260 ? 50 + 30 * (i - 200) / 59.0 : i < 480 ? 80.0 : 62.0;
    if (i >= 480 && i < 500) base = 80 - 18 * (i - 480) / 19.0;
    values.push_back(base + 0.4 * (noise - 6));
  }
  return values;
}

template <class Time = Milliseconds>
fd::Series<double, Time> every_minute(std::vector<double> values, Time start = {}) {
  if constexpr (std::same_as<Time, double>) {
    return fd::regular<double>(start, 60.0, std::move(values));
  } else {
    return fd::regular<double>(start, 1min, std::move(values));
  }
}

/// Columns "time, value" with milliseconds since the epoch, or with the day of August 2021 and the time of day.
inline fd::Series<double, Milliseconds> stamped(const std::string& file) {
  std::ifstream in(shared / file);
  REQUIRE(in);
  std::vector<Milliseconds> times;
  std::vector<double> values;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    int day = 0, hour = 0, minute = 0;
    double value = 0;
    if (std::sscanf(line.c_str(), "2021-08-%d %d:%d:00,%lf", &day, &hour, &minute, &value) == 4) {
      times.push_back(ms((((day * 24LL) + hour) * 60 + minute) * 60'000));
    } else {
      char* rest = nullptr;
      times.push_back(ms(std::strtoll(line.c_str(), &rest, 10)));
      value = std::strtod(rest + 1, nullptr);
    }
    values.push_back(value);
  }
  return {times, values};
}

/// The last column of a text file as a series of minutes.
inline fd::Series<double, Milliseconds> last_column(const std::string& file) {
  std::ifstream in(shared / file);
  REQUIRE(in);
  std::vector<double> values;
  for (std::string line; std::getline(in, line);) {
    const std::string cell = line.substr(line.rfind(',') + 1);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (end != cell.c_str()) values.push_back(value);
  }
  return every_minute(values);
}

/// A file of minutes; where minutes are missing, they lie on the straight line.
inline fd::Series<double, Milliseconds> minutes_of_file(const std::string& file) {
  if (file.ends_with("synthetic720.csv")) return every_minute(synthetic720());
  if (file.starts_with("data/tcpd") || file.ends_with(".txt")) return last_column(file);
  return fd::resample(stamped(file), fd::Every{60s});
}

inline std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& x : list)
    values.push_back(x.is_string() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>());
  return values;
}

/// Windows of a status on whole minutes from the begin of its range as sample numbers. The last sample has no length:
/// a window that reaches it counts it.
template <class Time>
Windows sample_windows(const std::vector<fd::Window<Time>>& windows, const fd::Series<double, Time>& series) {
  Windows found;
  const auto number = [&](Time t) {
    const auto place = std::lower_bound(series.times().begin(), series.times().end(), t) - series.times().begin();
    return static_cast<std::size_t>(place) + (t == series.times().back() ? 1 : 0);
  };
  for (const auto& window : windows) found.emplace_back(number(window.begin), number(window.end));
  return found;
}
template <class Time>
Windows sample_windows(std::span<const fd::Window<Time>> windows, const fd::Series<double, Time>& series) {
  return sample_windows(std::vector<fd::Window<Time>>(windows.begin(), windows.end()), series);
}

}  // namespace steady_data
