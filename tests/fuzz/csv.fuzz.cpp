// SPDX-License-Identifier: MIT
// libFuzzer harness; built only where FIDELITY_FUZZ is on.
#include <cstddef>
#include <cstdint>

#include "readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::csv({reinterpret_cast<const char*>(data), size});
  return 0;
}
