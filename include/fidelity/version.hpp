// SPDX-License-Identifier: MIT
#pragma once

namespace fidelity {

/// Version of the library, also written into every result file. CMake reads it from here.
inline constexpr const char* version = "0.1.0";

}  // namespace fidelity
