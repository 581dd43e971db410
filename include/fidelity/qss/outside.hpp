// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fidelity {

/// What a query at a time outside the domain of a trajectory is answered with: before the first event, or after the
/// end. It is a rule for single times; means, extrema and crossings always keep to the domain.
enum class Outside : std::uint8_t {
  missing,      ///< nothing
  hold,         ///< the first or last value; derivatives are 0
  extrapolate,  ///< the polynomial of the first or last event
  error,        ///< throws InputError (window_outside)
};

}  // namespace fidelity
