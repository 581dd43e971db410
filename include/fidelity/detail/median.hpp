// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fidelity::detail {

/// The middle of some numbers, of an even count the mean of the two middle ones. At least one number.
inline double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  const double below = *std::max_element(numbers.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace fidelity::detail
