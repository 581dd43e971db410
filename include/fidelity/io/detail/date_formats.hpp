// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/io/detail/civil.hpp>
#include <fidelity/io/detail/pattern.hpp>

namespace fidelity::detail::io {

/// A written date that a reader proposes by itself.
struct DateFormat {
  std::string text;
  TimePattern pattern;

  /// The local time, if the text is one in this form.
  [[nodiscard]] bool read(std::string_view stamp, LocalTime& local) const {
    CivilTime civil;
    return !pattern.parse(stamp, civil) && !to_local_time(civil, local);
  }
};

/// The fixed list of F16, without ISO 8601. Two-digit years are never proposed.
inline const std::vector<DateFormat>& date_formats() {
  static const std::vector<DateFormat> all = [] {
    std::vector<DateFormat> list;
    for (const char* date : {"%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"})
      for (const char* clock : {"", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p"}) {
        const std::string text = std::string(date) + clock;
        list.push_back({text, TimePattern(text)});
      }
    return list;
  }();
  return all;
}

/// The formats of the list that fit all stamps added.
class DateCandidates {
 public:
  /// False if the stamp fits none of the list; it then counts for nothing.
  bool add(std::string_view stamp) {
    std::vector<const DateFormat*> fits;
    LocalTime local;
    for (const DateFormat* format : left_)
      if (format->read(stamp, local)) fits.push_back(format);
    if (fits.empty() && !is_known(stamp)) return false;
    if (fits.empty()) conflict_ = true;
    left_ = std::move(fits);
    return true;
  }
  static bool is_known(std::string_view stamp) {
    LocalTime local;
    return !stamp.empty() && (is_digit(stamp.front()) || is_blank(stamp.front())) &&
           std::any_of(date_formats().begin(), date_formats().end(),
                       [&](const DateFormat& format) { return format.read(stamp, local); });
  }

  /// Formats that fit; none if no single one fits all stamps.
  [[nodiscard]] const std::vector<const DateFormat*>& left() const { return left_; }
  [[nodiscard]] bool conflict() const { return conflict_; }

  /// Whether all of them read the same local time.
  [[nodiscard]] bool agree(std::string_view stamp) const {
    LocalTime first;
    LocalTime local;
    return std::all_of(left_.begin(), left_.end(), [&](const DateFormat* format) {
      if (!format->read(stamp, format == left_.front() ? first : local)) return true;
      return format == left_.front() || (first.second == local.second && first.nanosecond == local.nanosecond);
    });
  }

 private:
  static std::vector<const DateFormat*> all() {
    std::vector<const DateFormat*> list;
    for (const DateFormat& format : date_formats()) list.push_back(&format);
    return list;
  }

  std::vector<const DateFormat*> left_ = all();
  bool conflict_ = false;
};

}  // namespace fidelity::detail::io
