// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fidelity::detail::io {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

/// `small` is in lower case.
constexpr bool equal_ignoring_case(std::string_view s, std::string_view small) {
  if (s.size() != small.size()) return false;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (lower(s[i]) != small[i]) return false;
  return true;
}

inline std::string lower(std::string_view s) {
  std::string small(s);
  for (char& c : small) c = lower(c);
  return small;
}

/// The text in one line, cut to about 60 bytes between two UTF-8 characters.
inline std::string excerpt(std::string_view s) {
  constexpr std::size_t limit = 60;
  std::string cut(s.substr(0, limit));
  if (s.size() > limit) {
    std::size_t end = limit;
    while (end > limit - 4 && (static_cast<unsigned char>(s[end]) & 0xC0U) == 0x80U) --end;
    cut = std::string(s.substr(0, end)) + "...";
  }
  for (char& c : cut)
    if (static_cast<unsigned char>(c) < 0x20U) c = ' ';
  return cut;
}

/// Whether the bytes are UTF-8 (without surrogates and overlong forms).
inline bool is_utf8(std::string_view s) {
  for (std::size_t i = 0; i < s.size();) {
    const auto byte = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0U; };
    const unsigned first = byte(i);
    const std::size_t more = first < 0x80U ? 0 : first < 0xC2U ? 9 : first < 0xE0U ? 1 : first < 0xF0U ? 2 : 3;
    if (more == 9 || first > 0xF4U) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((byte(i + k) & 0xC0U) != 0x80U) return false;
    const unsigned second = byte(i + 1);
    if ((first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second > 0x9FU) ||
        (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second > 0x8FU))
      return false;
    i += more + 1;
  }
  return true;
}

/// The first place in [p, end) that holds a or b; end if none does. Eight bytes at a time.
inline const char* find_either(const char* p, const char* end, char a, char b) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7FU;
    const std::uint64_t all_a = ones * static_cast<unsigned char>(a);
    const std::uint64_t all_b = ones * static_cast<unsigned char>(b);
    const auto zero_bytes = [](std::uint64_t x) { return ~(((x & low) + low) | x | low); };  // 0x80 where a byte is 0
    for (; end - p >= 8; p += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, sizeof word);
      const std::uint64_t found = zero_bytes(word ^ all_a) | zero_bytes(word ^ all_b);
      if (found != 0) return p + std::countr_zero(found) / 8;
    }
  }
  while (p != end && *p != a && *p != b) ++p;
  return p;
}

}  // namespace fidelity::detail::io
