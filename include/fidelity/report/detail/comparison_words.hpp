// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fidelity/distance/metric.hpp>
#include <fidelity/report/detail/lines.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity::detail {

inline std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}
inline std::string or_dash(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : std::string("-");
}

inline std::string count_or_unknown(const std::optional<std::size_t>& count) {
  return count ? std::to_string(*count) : std::string("unknown");
}

inline std::string_view words_of(MetricStatus status) {
  switch (status) {
    case MetricStatus::metric:
      return "a metric";
    case MetricStatus::pseudo_metric:
      return "a pseudo-metric: different runs may have distance 0";
    case MetricStatus::not_a_metric:
      return "not a metric";
    case MetricStatus::unknown:
      break;
  }
  return "not known to be a metric";
}

inline std::string in_capitals(Verdict verdict) {
  std::string text(to_text(verdict));
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// One sentence, broken between words to lines of at most 118 columns; `first` stands before the first of them, blanks
/// before the others.
inline void write_wrapped(Lines& line, std::string first, std::string_view sentence, std::size_t indent) {
  constexpr std::size_t columns = 118;
  std::string& prefix = first;
  while (prefix.size() + sentence.size() > columns) {
    const std::size_t blank = sentence.rfind(' ', columns - prefix.size());
    if (blank == std::string_view::npos || blank == 0) break;
    line("{}{}", prefix, sentence.substr(0, blank));
    sentence.remove_prefix(blank + 1);
    prefix = std::string(indent, ' ');
  }
  line("{}{}", prefix, sentence);
}
inline void write_wrapped(Lines& line, std::string_view sentence) { write_wrapped(line, "  ", sentence, 4); }

/// The runs with the largest shares, those first.
inline std::vector<std::size_t> by_share(const std::vector<RunSummary>& runs, std::size_t limit) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a].share > runs[b].share; });
  order.resize(std::min(limit, order.size()));
  return order;
}

/// Codes of the flags, each once.
inline std::string flag_codes(const Comparison& comparison) {
  std::vector<std::string> codes;
  for (const Finding& flag : comparison.flags)
    if (std::find(codes.begin(), codes.end(), flag.code) == codes.end()) codes.push_back(flag.code);
  std::string text;
  for (const std::string& code : codes) text += (text.empty() ? "" : " ") + code;
  return text;
}

/// A table with columns as wide as their widest cell. Columns without any value are left out.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// `words`: columns marked l hold words and are aligned left.
  void write(Lines& line, std::string_view words) const {
    std::vector<std::size_t> width(rows_.front().size(), 0);
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::vector<bool> used(width.size(), false);
    for (std::size_t r = 1; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < used.size(); ++c) used[c] = used[c] || (rows_[r][c] != "-" && !rows_[r][c].empty());
    for (const auto& row : rows_) {
      std::string text;
      for (std::size_t c = 0; c < row.size(); ++c)
        if (used[c])
          text += c < words.size() && words[c] == 'l' ? fmt::format("  {:<{}}", row[c], width[c])
                                                      : fmt::format("  {:>{}}", row[c], width[c]);
      text.erase(text.find_last_not_of(' ') + 1);
      line("{}", text);
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fidelity::detail
