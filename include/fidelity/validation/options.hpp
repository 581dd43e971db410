// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/validation/criteria.hpp>

namespace fidelity {

/// How compare() works and judges.
struct ComparisonOptions {
  std::vector<Criterion> criteria = {};  ///< without one the verdict is incomplete
  double order = 1;                      ///< order p >= 1 of the Wasserstein distance
  std::size_t splits = 999;              ///< random groups behind the ratio, at most 1e6; all where there are not more
  std::uint64_t seed = 20090201;         ///< the same seed gives the same numbers on every platform
  std::string unit = {};                 ///< unit of the values, for reports
  double diverged_factor = 10;  ///< a run is diverged beyond this multiple of the largest distance of measured runs
  double outlier_factor = 5;  ///< a measured run is an outlier if its nearest one is this many times farther than usual
  double min_span = 0.95;     ///< a run is short below this share of the median measured duration; 0: never
  std::optional<unsigned> threads = {};  ///< default: all hardware threads for large work
  ProgressCallback progress = {};        ///< receives cells of the distance matrices done and in total
};

}  // namespace fidelity
