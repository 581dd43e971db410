// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/errors.hpp>
#include <fidelity/io/detail/text.hpp>

namespace fidelity::detail::io {

/// Number types of a MAT level 4 record, in the order of the digit P of its type.
enum class Mat4Number { float64, float32, int32, int16, uint16, uint8 };

/// One matrix of a MAT level 4 file, column by column; nothing is converted before it is asked for.
struct Mat4Matrix {
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  Mat4Number number = Mat4Number::float64;
  bool swapped = false;  ///< its bytes stand in the other order than this machine's
  const char* data = nullptr;
  std::size_t place = 0;  ///< byte of the file at which the record begins

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    const std::size_t index = column * rows + row;
    switch (number) {
      case Mat4Number::float64:
        return load<double, std::uint64_t>(index);
      case Mat4Number::float32:
        return static_cast<double>(load<float, std::uint32_t>(index));
      case Mat4Number::int32:
        return load<std::int32_t, std::uint32_t>(index);
      case Mat4Number::int16:
        return load<std::int16_t, std::uint16_t>(index);
      case Mat4Number::uint16:
        return load<std::uint16_t, std::uint16_t>(index);
      case Mat4Number::uint8:
        break;
    }
    return static_cast<unsigned char>(data[index]);
  }

  static constexpr std::size_t size_of(Mat4Number number) {
    constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
    return sizes[static_cast<std::size_t>(number)];
  }

 private:
  template <class Value, class Bits>
  [[nodiscard]] Value load(std::size_t index) const {
    unsigned char bytes[sizeof(Bits)];
    std::memcpy(bytes, data + index * sizeof(Bits), sizeof(Bits));
    if (swapped)
      for (std::size_t i = 0; i < sizeof(Bits) / 2; ++i) std::swap(bytes[i], bytes[sizeof(Bits) - 1 - i]);
    return std::bit_cast<Value>(bytes);
  }
};

/// Finds the matrices of a MAT level 4 file (F46). Everything is checked against the size of the file.
class Mat4Records {
 public:
  Mat4Records(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[nodiscard]] std::vector<Mat4Matrix> read() {
    if (bytes_.starts_with("MATLAB"))
      fail(
          "this is a MAT file of level 5 or 7 and not of level 4: load it in Octave and write it again with save -v4, "
          "or in Python with scipy.io.savemat(..., format='4')");
    std::vector<Mat4Matrix> all;
    while (place_ < bytes_.size()) all.push_back(record());
    if (all.empty()) fail("the file is empty");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw ParseError(file_, 1, record_ + 1, reason, ""); }

  std::uint32_t integer(std::size_t k, bool big_endian) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[record_ + 4 * k + (big_endian ? i : 3 - i)]);
      value = value << 8U | byte;
    }
    return value;
  }

  Mat4Matrix record() {
    constexpr std::size_t header = 20;
    constexpr std::uint32_t largest_type = 4052;
    record_ = place_;
    if (bytes_.size() - place_ < header) fail("the file ends within the header of a matrix");
    const bool big_endian = integer(0, false) > largest_type;
    const std::uint32_t type = integer(0, big_endian);
    if (type > largest_type || type / 100 % 10 != 0 || type / 10 % 10 > 5 || type % 10 > 2)
      fail("this is no MAT file of level 4");
    if (type / 1000 != (big_endian ? 1U : 0U))
      fail("a matrix whose type names another byte order than the one it is written in");
    if (type % 10 == 2) fail("a sparse matrix, which is not read");
    if (integer(3, big_endian) != 0) fail("a complex matrix, which is not read");
    Mat4Matrix matrix;
    matrix.place = place_;
    matrix.rows = integer(1, big_endian);
    matrix.columns = integer(2, big_endian);
    matrix.number = static_cast<Mat4Number>(type / 10 % 10);
    matrix.swapped = big_endian != (std::endian::native == std::endian::big);
    const std::size_t name_size = integer(4, big_endian);
    place_ += header;
    if (name_size > bytes_.size() - place_) fail("the file ends within the name of a matrix");
    matrix.name = bytes_.substr(place_, std::min(bytes_.substr(place_, name_size).find('\0'), name_size));
    place_ += name_size;
    std::size_t count = 0;
    std::size_t size = 0;
    if (__builtin_mul_overflow(matrix.rows, matrix.columns, &count) ||
        __builtin_mul_overflow(count, Mat4Matrix::size_of(matrix.number), &size) || size > bytes_.size() - place_)
      fail("the matrix '" + excerpt(matrix.name) + "' runs past the end of the file");
    matrix.data = bytes_.data() + place_;
    place_ += size;
    return matrix;
  }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t place_ = 0;
  std::size_t record_ = 0;
};

}  // namespace fidelity::detail::io
