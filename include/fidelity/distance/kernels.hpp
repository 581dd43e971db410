// SPDX-License-Identifier: MIT
// Compiles the kernels of Twed here. A program of many files that use Twed builds faster when it defines
// FIDELITY_KERNELS_ELSEWHERE for all of them and includes this header in exactly one. Without the macro every file
// compiles the kernels that it uses, and nobody needs this header.
#pragma once

#include <fidelity/distance/detail/kernel_instances.hpp>

namespace fidelity::detail {
FIDELITY_TWED_KERNELS()
}
