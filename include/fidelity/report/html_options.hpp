// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace fidelity {

/// What a page cannot know from the result that it shows.
struct HtmlOptions {
  std::string title = {};               ///< by default what is compared
  std::vector<std::string> files = {};  ///< where the data came from
};

}  // namespace fidelity
