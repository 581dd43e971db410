// SPDX-License-Identifier: MIT
#pragma once

#include <fidelity/series/time.hpp>

namespace fidelity {

/// What is known of a condition at an instant, in the order of three-valued logic (Kleene).
enum class Truth { does_not_hold, unknown, holds };

template <TimePoint Time>
class Status;

namespace detail {
struct StatusAccess;
}

}  // namespace fidelity
