// SPDX-License-Identifier: MIT
// Empty: the file for which CMake precompiles the headers that every test shares.
