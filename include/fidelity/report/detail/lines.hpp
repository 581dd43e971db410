// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace fidelity::detail {

/// Text that grows line by line.
class Lines {
 public:
  template <class... Args>
  void operator()(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace fidelity::detail
