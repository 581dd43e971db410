// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fidelity {

/// A finding for people (text) and for programs (code, which is stable).
struct Finding {
  std::string code;
  std::string text;
  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace fidelity
