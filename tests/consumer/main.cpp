// SPDX-License-Identifier: MIT
// What a user's program looks like: it includes the headers and knows nothing of the project's own build.
#include <fidelity/fidelity.hpp>
#include <fidelity/report/text.hpp>

#include <fmt/core.h>

#include <vector>

#ifdef WITH_JSON
#include <fidelity/report/json.hpp>
#endif

namespace fd = fidelity;

int main() {
  using Run = fd::Series<double, double>;
  const std::vector<Run> measured{Run({0, 1, 2}, {0, 1, 2}), Run({0, 1, 2}, {0, 1.2, 2})};
  const std::vector<Run> simulated{Run({0, 1, 2}, {0, 1.1, 2})};
  const fd::Twed metric{.stiffness = 0.1, .penalty = 0.5};
  const auto comparison = fd::compare(simulated, measured, metric, {.criteria = {fd::Absolute{0.3}}});
  fmt::print("{}\n", comparison);
#ifdef WITH_JSON
  fmt::print("{}\n", fd::to_json(comparison)["verdict"].dump());
#endif
  return fd::exit_code(comparison.verdict);
}
