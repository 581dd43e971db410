// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fidelity::detail {

/// Length of the UTF-8 character that begins at text[i], 0 where there is no valid one.
inline std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
  const unsigned first = byte(i);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xC0u) != 0x80u) return 0;
  if (length < 3) return length;
  const unsigned second = byte(i + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate_or_beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  // U+FFFE and U+FFFF are no characters of XML 1.0.
  const bool not_a_character = first == 0xEF && second == 0xBF && byte(i + 2) > 0xBD;
  return overlong || surrogate_or_beyond || not_a_character ? 0 : length;
}

/// Text for the content or an attribute of an XML element: markup is escaped, what XML 1.0 forbids or is not UTF-8 is
/// replaced by U+FFFD.
inline std::string xml_text(std::string_view text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const char c = text[i];
    if (length == 0) {
      safe += replacement;
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
      safe += replacement;
    } else {
      safe += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return safe;
}

/// Number of characters of a UTF-8 text, about: what is not valid counts byte by byte.
inline std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    const std::size_t length = utf8_length(text, i);
    i += length == 0 ? 1 : length;
  }
  return count;
}

}  // namespace fidelity::detail
