// SPDX-License-Identifier: MIT
// One include for Catch2 2.13 and 3.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <initializer_list>
#include <string_view>

/// Checks that `call` throws `Error` and that its message holds every given text.
template <class Error, class Call, class... Texts>
void require_error(Call&& call, Texts... texts) {
  try {
    call();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    for (const std::string_view text : std::initializer_list<std::string_view>{texts...}) {
      INFO("message: " << message << "\nmust hold: " << text);
      CHECK(message.find(text) != std::string_view::npos);
    }
    return;
  }
  FAIL("no error was thrown");
}
