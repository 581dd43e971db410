// SPDX-License-Identifier: MIT
// The file for which CMake precompiles the headers that every test shares, and that compiles the kernels of Twed for
// all.
#include <fidelity/distance/kernels.hpp>
