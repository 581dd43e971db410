// SPDX-License-Identifier: MIT
// Catch2 2.13 wants a main function made here; Catch2 3 brings one as a library.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
