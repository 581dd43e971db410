// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fidelity/detail/require.hpp>

namespace fidelity {

/// Text of a file that is already in memory. It is borrowed and must live until the reader returns.
struct CsvText {
  std::string_view text;
  std::string name = "text";  ///< stands in place of the file name in errors and reports
};

/// Where a reader takes its bytes from: a path, an open stream (read to its end), or text in memory. Converts from all
/// three, so it need not be named: `read_csv("plant.csv")`. A string is always a path; text in memory is `CsvText`.
/// A file is read at once; std::system_error, which names path and reason, if that fails.
class FileSource {
 public:
  FileSource(const std::filesystem::path& path)
      : name_(path.string()), stem_(path.stem().string()), bytes_(load(path)) {}
  FileSource(const char* path) : FileSource(std::filesystem::path(path)) {}
  FileSource(const std::string& path) : FileSource(std::filesystem::path(path)) {}
  FileSource(std::istream& stream) : name_("stream"), stem_("stream"), bytes_(load(stream, name_)) {}
  FileSource(const CsvText& text)
      : name_(text.name),
        stem_(std::filesystem::path(text.name).stem().string()),
        borrowed_(text.text),
        is_borrowed_(true) {}

  /// The path, or what the caller named the text.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The file name without folder and extension.
  [[nodiscard]] const std::string& stem() const { return stem_; }
  [[nodiscard]] std::string_view bytes() const { return is_borrowed_ ? borrowed_ : std::string_view(bytes_); }

 private:
  static std::system_error failure(int code, const std::string& what, const std::string& name) {
    return {std::error_code(code == 0 ? EIO : code, std::generic_category()),
            detail::concat("fidelity: cannot ", what, " '", name, "'")};
  }

  static std::string load(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw failure(EISDIR, "read", path.string());
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw failure(errno, "open", path.string());
    const auto size = std::filesystem::file_size(path, ignored);
    return load(file, path.string(), ignored ? 0 : static_cast<std::size_t>(size));
  }

  /// Reads to the end. `expected` bytes are asked for at once; a pipe has no size, and a file may grow.
  static std::string load(std::istream& stream, const std::string& name, std::size_t expected = 0) {
    std::string bytes;
    errno = 0;
    for (std::size_t block = expected + 1; stream; block = std::size_t{1} << 16) {
      const std::size_t filled = bytes.size();
      bytes.resize(filled + block);
      stream.read(bytes.data() + filled, static_cast<std::streamsize>(block));
      bytes.resize(filled + static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) throw failure(errno, "read", name);
    return bytes;
  }

  std::string name_;
  std::string stem_;
  std::string bytes_;
  std::string_view borrowed_;
  bool is_borrowed_ = false;
};

}  // namespace fidelity
