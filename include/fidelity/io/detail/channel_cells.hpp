// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/records.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/io/quality.hpp>

namespace fidelity::detail::io {

/// What decides whether a cell is a good value.
template <class Scalar>
struct CellRules {
  NumberStyle style;
  bool decimal_given = false;
  bool seek_mark = false;                    ///< the thousands mark is open, and no cell has asked for it yet
  std::vector<std::string> na_numbers = {};  ///< those of the na texts that are numbers, in lower case
  std::vector<Scalar> sentinels = {};
  std::optional<double> max_abs = {};
};

/// Reads the cells of one channel and keeps account of the bad ones (F28 to F31).
template <class Scalar>
class ChannelCells {
 public:
  ChannelReport report;
  bool has_number = false;

  /// The value of a cell, NaN if it is bad; an infinity stays. Throws ParseError where the cell is a number in another
  /// style than that of the file: such a number is never guessed. `find_mark` looks for a thousands mark in the whole
  /// file, puts it into the style and says whether there is one.
  template <class FindMark>
  Scalar read(const Records& records, const Field& field, const CellRules<Scalar>& rules, FindMark&& find_mark) {
    Scalar value{};
    bool is_number = parse_number(field.text, rules.style, value);
    if (!is_number && rules.seek_mark && may_be_number(field.text) && find_mark())
      is_number = parse_number(field.text, rules.style, value);
    if (!is_number) {
      refuse_other_style(records, field, rules);
      return bad(records, field, missing);
    }
    has_number = true;
    if (!is_finite(value)) return bad(records, field, is_nan(static_cast<double>(value)) ? missing : value);
    for (const std::string& text : rules.na_numbers)
      if (equal_ignoring_case(field.text, text)) return bad(records, field, missing);
    for (const Scalar sentinel : rules.sentinels)
      if (value == sentinel) return bad_sentinel(records, field);
    if (rules.max_abs && static_cast<double>(value < 0 ? -value : value) >= *rules.max_abs)
      return bad_sentinel(records, field);
    if (field.text.size() > static_cast<std::size_t>(std::numeric_limits<Scalar>::digits10) &&
        is_inexact_integer(field.text, value))
      ++report.inexact_integers;
    return value;
  }

  /// The value of a cell whose row has a status that is not good.
  template <class FindMark>
  Scalar read(const Records& records, const Field& field, const CellRules<Scalar>& rules, FindMark&& find_mark,
              Quality quality, bool use_suspect, std::string_view code) {
    if (quality == Quality::bad) {  // the value may be the code of a state
      Scalar value{};
      const bool is_number = parse_number(field.text, rules.style, value);
      has_number = has_number || is_number;
      const std::string status = concat("status ", code);
      return bad(records, is_number || field.text.empty() ? Field{status, field.begin, false} : field, missing);
    }
    const std::size_t before = report.bad;
    const Scalar value = read(records, field, rules, find_mark);
    if (quality == Quality::good || report.bad != before) return value;
    ++report.suspect;
    return use_suspect ? value : missing;
  }

 private:
  static bool may_be_number(std::string_view text) {
    return !text.empty() && (is_digit(text.front()) || text.front() == '-' || text.front() == '+');
  }
  static constexpr Scalar missing = std::numeric_limits<Scalar>::quiet_NaN();

  Scalar bad_sentinel(const Records& records, const Field& field) {
    ++report.sentinels;
    return bad(records, field, missing);
  }

  Scalar bad(const Records& records, const Field& field, Scalar value) {
    constexpr std::size_t most_samples = 10;
    constexpr std::size_t most_reasons = 100;
    ++report.bad;
    if (report.first_bad.size() < most_samples)
      report.first_bad.push_back({records.line_of(field.begin), excerpt(field.text)});
    const auto known = reasons_.find(std::string(field.text));
    if (known != reasons_.end()) {
      ++report.reasons[known->second].count;
    } else if (report.reasons.size() < most_reasons) {
      reasons_.emplace(field.text, report.reasons.size());
      report.reasons.push_back({std::string(field.text), 1});
    } else {
      ++report.other_reasons;
    }
    return value;
  }

  static void refuse_other_style(const Records& records, const Field& field, const CellRules<Scalar>& rules) {
    if (!may_be_number(field.text)) return;
    const char other = rules.style.decimal == '.' ? ',' : '.';
    double number = 0;
    if (!rules.decimal_given && parse_digits(field.text, {other, {}}, number))
      throw records.error(field,
                          concat("a number with the decimal sign '", std::string(1, other), "', but the file's is '",
                                 std::string(1, rules.style.decimal), "': the option decimal decides"));
    const auto mark = rules.style.thousands ? std::nullopt : possible_thousands(field.text, rules.style.decimal);
    if (mark)
      throw records.error(field,
                          "this looks like a number with thousands marks: the options thousands and decimal decide");
  }

  std::unordered_map<std::string, std::size_t> reasons_;
};

}  // namespace fidelity::detail::io
