// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fidelity {

/// Whether a sample is a measurement. A series keeps good and bad only (bad is NaN).
enum class Quality { good, suspect, bad };

/// What status codes mean: one code, a range of codes, or a text.
/// `{{0, Quality::good}, {64, 191, Quality::suspect}, {"Bad", Quality::bad}}`
class QualityRule {
 public:
  template <std::integral Code>
  QualityRule(Code code, Quality quality) : QualityRule(code, code, quality) {}
  template <std::integral First, std::integral Last>
  QualityRule(First first, Last last, Quality quality)
      : first_(static_cast<std::int64_t>(first)), last_(static_cast<std::int64_t>(last)), quality_(quality) {}
  QualityRule(const char* text, Quality quality) : QualityRule(std::string(text), quality) {}
  /// Exactly this text; numbers in it are compared as text.
  QualityRule(std::string text, Quality quality) : text_(std::move(text)), quality_(quality), is_text_(true) {}

  [[nodiscard]] Quality quality() const { return quality_; }
  [[nodiscard]] bool is_text() const { return is_text_; }
  [[nodiscard]] bool matches(std::int64_t code) const { return !is_text_ && first_ <= code && code <= last_; }
  [[nodiscard]] bool matches(std::string_view text) const { return is_text_ && text_ == text; }

 private:
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::string text_;
  Quality quality_;
  bool is_text_ = false;
};

/// The quality codes of OPC: 192 and above good, 64 to 191 suspect ("uncertain"), below 64 bad.
inline std::vector<QualityRule> opc_quality() {
  return {{192, 255, Quality::good}, {64, 191, Quality::suspect}, {0, 63, Quality::bad}};
}

/// What becomes of suspect samples: they are made bad, or used as if they were good. Both are counted.
enum class Suspect { exclude, use };

/// What a bad sample does. `ends_validity`: the value before it counts up to its stamp, then the signal is missing
/// until the next good one. `hold_over`: it is as if the row were absent, within `max_gap`.
enum class BadSamples { ends_validity, hold_over };

/// What a value belongs to: the instant of its stamp, or the interval that begins or ends there.
enum class Label { instant, begin, end };

}  // namespace fidelity
