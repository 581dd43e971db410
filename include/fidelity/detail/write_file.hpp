// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Writes a file under a temporary name beside it, then renames it, so that a broken run leaves no half file. Throws
/// std::system_error that names the file.
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += ".part";
  const auto failure = [&](int code) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return std::system_error(std::error_code(code == 0 ? EIO : code, std::generic_category()),
                             concat("fidelity: cannot write '", path.string(), "'"));
  };
  {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw failure(errno);
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) throw failure(error.value());
}

}  // namespace fidelity::detail
