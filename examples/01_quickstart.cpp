// SPDX-License-Identifier: MIT
// Three simulated and four measured step responses, as numbers in the source: do they belong together?
#include <fidelity/fidelity.hpp>
#include <fidelity/report/text.hpp>

#include <fmt/core.h>

#include <vector>

namespace fd = fidelity;
using Run = fd::Series<double, double>;  // values over seconds

int main() {
  const std::vector<Run> measured{
      Run({0.0, 0.5, 1.0, 2.0, 3.0}, {0.00, 0.42, 0.66, 0.88, 0.95}),
      Run({0.0, 0.4, 1.1, 1.9, 3.0}, {0.01, 0.30, 0.65, 0.83, 0.94}),
      Run({0.0, 0.6, 1.0, 2.1, 3.0}, {0.00, 0.43, 0.61, 0.86, 0.97}),
      Run({0.0, 0.5, 0.9, 2.0, 3.0}, {0.02, 0.39, 0.57, 0.87, 0.93}),
  };
  const std::vector<Run> simulated{
      // on stamps of their own: no resampling is needed
      Run({0.0, 0.5, 1.0, 1.8, 3.0}, {0.00, 0.38, 0.62, 0.83, 0.95}),
      Run({0.0, 0.5, 1.0, 2.0, 3.0}, {0.00, 0.41, 0.64, 0.87, 0.96}),
      Run({0.0, 0.4, 1.0, 2.0, 3.0}, {0.00, 0.34, 0.60, 0.85, 0.94}),
  };
  const fd::Twed metric{.stiffness = 0.1, .penalty = 0.05};  // 1/s and 1: these signals have no unit
  fmt::print("{}", fd::compare(simulated, measured, metric, {.criteria = {fd::Relative{1.5}}}));
}
