// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/civil.hpp>

namespace fidelity::detail::io {

/// A pattern of %Y %y %m %d %H %I %M %S %f %p %z and literal characters (F17), checked once and then matched against
/// every row. A blank matches one or more blanks.
class TimePattern {
 public:
  /// Throws InputError for a pattern that cannot name an instant.
  explicit TimePattern(std::string_view pattern) {
    const auto refuse = [&](std::string_view why) {
      fail("read_csv", Rule::bad_parameter, concat("time_format: ", why, ", in '", pattern, "'"));
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      Item item{pattern[i], false};
      if (pattern[i] == '%') {
        if (++i == pattern.size()) refuse("a percent sign stands alone at the end");
        item = {pattern[i], pattern[i] != '%'};
        if (item.field && std::string_view("YymdHIMSfpz").find(item.sign) == std::string_view::npos)
          refuse(concat("%", std::string(1, item.sign), " is not one of %Y %y %m %d %H %I %M %S %f %p %z"));
        if (item.field && has(item.sign)) refuse(concat("%", std::string(1, item.sign), " stands there twice"));
      }
      // A fraction may follow %S in every row, so that ".%f" says nothing new.
      const std::size_t n = items_.size();
      if (item.field && item.sign == 'f' && n >= 2 && is_field(n - 2, 'S') &&
          (is_literal(n - 1, '.') || is_literal(n - 1, ','))) {
        items_.pop_back();
        continue;
      }
      items_.push_back(item);
    }
    if (has('Y') == has('y') || !has('m') || !has('d')) refuse("a stamp needs one year (%Y or %y), %m and %d");
    if (has('H') && has('I')) refuse("%H and %I exclude each other");
    if (has('I') != has('p')) refuse("%I and %p belong together");
    if (has('M') && !has('H') && !has('I')) refuse("%M needs an hour");
    if (has('S') && !has('M')) refuse("%S needs %M");
    if (has('f') && !has('S')) refuse("%f needs %S");
  }

  [[nodiscard]] bool has_offset() const { return has('z'); }

  /// Reads the fields of one stamp; whether such a day exists is not checked here.
  Fault parse(std::string_view text, CivilTime& civil) const {
    constexpr Fault wrong{"the stamp does not fit the time_format"};
    civil = CivilTime{};
    TextCursor cursor(text);
    bool afternoon = false;
    for (const Item& item : items_) {
      if (!item.field) {
        if (item.sign == ' ' ? !cursor.skip_blanks() : !cursor.skip(item.sign)) return wrong;
        continue;
      }
      bool fits = true;
      Fault fault;
      switch (item.sign) {
        case 'Y':
          fits = cursor.digits(4, 4, civil.year);
          break;
        case 'y':
          fits = cursor.digits(1, 2, civil.year);
          civil.year += civil.year < 69 ? 2000 : 1900;
          break;
        case 'm':
          fits = cursor.digits(1, 2, civil.month);
          break;
        case 'd':
          fits = cursor.digits(1, 2, civil.day);
          break;
        case 'H':
          fits = cursor.digits(1, 2, civil.hour);
          break;
        case 'I':
          fits = cursor.digits(1, 2, civil.hour) && civil.hour >= 1 && civil.hour <= 12;
          break;
        case 'M':
          fits = cursor.digits(1, 2, civil.minute);
          break;
        case 'S':
          fits = cursor.digits(1, 2, civil.second);
          if (fits && (cursor.skip('.') || cursor.skip(','))) fault = cursor.fraction(civil.nanosecond);
          break;
        case 'f':
          fault = cursor.fraction(civil.nanosecond);
          break;
        case 'p': {
          afternoon = lower(cursor.peek()) == 'p';
          fits = (cursor.skip('A') || cursor.skip('a') || cursor.skip('P') || cursor.skip('p')) &&
                 (cursor.skip('M') || cursor.skip('m'));
          break;
        }
        default:
          fault = cursor.offset(civil);
          break;
      }
      if (fault) return fault;
      if (!fits) return wrong;
    }
    if (has('I')) civil.hour = civil.hour % 12 + (afternoon ? 12 : 0);
    return cursor.at_end() ? Fault{} : wrong;
  }

 private:
  struct Item {
    char sign;
    bool field;
  };
  [[nodiscard]] bool is_field(std::size_t i, char sign) const { return items_[i].field && items_[i].sign == sign; }
  [[nodiscard]] bool is_literal(std::size_t i, char sign) const { return !items_[i].field && items_[i].sign == sign; }
  [[nodiscard]] bool has(char sign) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& i) { return i.field && i.sign == sign; });
  }

  std::vector<Item> items_;
};

}  // namespace fidelity::detail::io
