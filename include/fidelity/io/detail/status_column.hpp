// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fidelity/io/quality.hpp>

namespace fidelity::detail::io {

/// Turns status codes into qualities (F32). Unknown codes are bad and counted.
class StatusColumn {
 public:
  StatusColumn(std::vector<QualityRule> rules, std::optional<std::uint64_t> mask)
      : rules_(std::move(rules)), mask_(mask) {}

  Quality read(std::string_view text) {
    if (last_ && text == text_) {
      unknown_ += known_ ? 0 : 1;
      return *last_;
    }
    const QualityRule* const rule = find(text);
    known_ = rule != nullptr;
    unknown_ += known_ ? 0 : 1;
    text_ = std::string(text);
    last_ = known_ ? rule->quality() : Quality::bad;
    return *last_;
  }
  [[nodiscard]] std::size_t unknown() const { return unknown_; }

 private:
  [[nodiscard]] const QualityRule* find(std::string_view text) const {
    const auto code = whole_number(text);
    for (const QualityRule& rule : rules_)
      if (rule.matches(text) || (code && rule.matches(*code))) return &rule;
    return nullptr;
  }
  /// The code without the bits that say nothing about quality.
  [[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text) const {
    std::int64_t code = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), code);
    if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return mask_ ? static_cast<std::int64_t>(static_cast<std::uint64_t>(code) & *mask_) : code;
  }

  std::vector<QualityRule> rules_;
  std::optional<std::uint64_t> mask_;
  std::optional<Quality> last_;  ///< of the row before, which most rows repeat
  std::string text_;
  bool known_ = false;
  std::size_t unknown_ = 0;
};

}  // namespace fidelity::detail::io
