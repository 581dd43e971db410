// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Refuses what is no order of a Wasserstein distance.
inline void check_order(std::string_view function, double order) {
  if (!is_finite(order) || order < 1)
    fail(function, Rule::bad_order, "the order must be a finite number >= 1", {.value = order});
}

}  // namespace fidelity::detail
