// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Writes a file under a temporary name beside it and renames it, so that it appears whole or not at all. `write` gets
/// the stream. Throws std::system_error, which names the file; then nothing is left behind.
template <class Write>
void write_file(const std::filesystem::path& path, Write&& write) {
  const auto failure = [&](int code) {
    return std::system_error(code == 0 ? EIO : code, std::generic_category(),
                             concat("fidelity: cannot write '", path.string(), "'"));
  };
  std::filesystem::path temporary = path;
  temporary += concat(".", std::chrono::steady_clock::now().time_since_epoch().count(), ".part");
  try {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    if (!file) throw failure(errno);
    write(file);
    file.close();
    if (!file) throw failure(errno);
    std::error_code code;
    std::filesystem::rename(temporary, path, code);
    if (code) throw failure(code.value());
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace fidelity::detail
