// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/report/detail/xml_text.hpp>

namespace fidelity::detail {

/// Width of a text at 12 px, from above: the widest fonts that a system may put in.
inline double text_width(std::string_view text) { return 7.0 * static_cast<double>(character_count(text)); }

/// A text broken at blanks into lines of at most `width`.
inline std::vector<std::string> broken(std::string_view text, double width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t blank = std::min(text.find(' ', i), text.size());
    const std::string word(text.substr(i, blank - i));
    if (!line.empty() && text_width(line) + 7 + text_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    i = blank + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace fidelity::detail
