// SPDX-License-Identifier: MIT
// Looks at pages and pictures as a strict reader would.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace markup {

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t i = text.find(part); i != std::string_view::npos; i = text.find(part, i + 1)) ++found;
  return found;
}

/// What is wrong with XML: the tag that is not closed in the right order, bare markup, an attribute given twice or
/// without quotes; empty if nothing is. Scripts and styles are left out; one doctype or XML declaration may lead.
inline std::string fault(std::string_view text) {
  std::vector<std::string> open;
  std::size_t i = 0;
  if (text.substr(0, 2) == "<!" || text.substr(0, 2) == "<?") i = text.find('>') + 1;
  while (true) {
    const std::size_t tag = text.find('<', i);
    if (tag == std::string_view::npos) break;
    if (text.substr(i, tag - i).find('>') != std::string_view::npos)
      return "bare > near " + std::string(text.substr(i, 60));
    std::size_t end = tag + 1;
    const bool closing = text[end] == '/';
    if (closing) ++end;
    const std::size_t name_begin = end;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0)) ++end;
    const std::string name(text.substr(name_begin, end - name_begin));
    if (name.empty()) return "bare < near " + std::string(text.substr(tag, 60));
    std::vector<std::string_view> attributes;
    while (end < text.size() && text[end] != '>' && text[end] != '/') {
      if (std::isspace(static_cast<unsigned char>(text[end])) != 0) {
        ++end;
        continue;
      }
      const std::size_t equals = text.find('=', end);
      const std::string_view key = text.substr(end, equals - end);
      if (equals == std::string_view::npos || text[equals + 1] != '"' ||
          key.find_first_of(" <>") != std::string_view::npos)
        return "attribute without quotes near " + std::string(text.substr(tag, 80));
      for (const auto& other : attributes)
        if (other == key) return "attribute twice near " + std::string(text.substr(tag, 80));
      attributes.push_back(key);
      const std::size_t quote = text.find('"', equals + 2);
      if (quote == std::string_view::npos) return "open attribute near " + std::string(text.substr(tag, 80));
      if (text.substr(equals + 2, quote - equals - 2).find('<') != std::string_view::npos)
        return "< in an attribute near " + std::string(text.substr(tag, 80));
      end = quote + 1;
    }
    const bool alone = end < text.size() && text[end] == '/';
    end = text.find('>', end);
    if (end == std::string_view::npos) return "open tag " + name;
    i = end + 1;
    if (closing) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!alone) {
      open.push_back(name);
      if (name == "script" || name == "style") i = text.find("</" + name, i);
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

/// The text that a person sees, without scripts, styles and tags.
inline std::string seen(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '<') {
      all += text[i++];
      continue;
    }
    const bool hidden = text.substr(i, 7) == "<script" || text.substr(i, 6) == "<style";
    if (hidden) i = text.find("</", i);
    i = text.find('>', i) + 1;
    all += ' ';
  }
  return all;
}

/// Is a number printed that is none?
inline bool prints_no_number(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (const std::string_view word : {"nan", "inf", "-nan", "NaN"})
    for (std::size_t i = text.find(word); i != std::string_view::npos; i = text.find(word, i + 1)) {
      const std::size_t end = i + word.size();
      if ((i == 0 || !letter(text[i - 1])) && (end >= text.size() || !letter(text[end]))) return true;
    }
  return false;
}

}  // namespace markup
