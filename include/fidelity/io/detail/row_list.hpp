// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail::io {

/// Numbers of data rows, as "2 to 5, 9". Memory grows with the number of stretches only.
class RowList {
 public:
  /// `row` is larger than all before.
  void add(std::size_t row) {
    ++count_;
    if (!stretches_.empty() && stretches_.back().second + 1 == row) {
      stretches_.back().second = row;
    } else {
      stretches_.emplace_back(row, row);
    }
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] std::string text() const {
    constexpr std::size_t most = 100;
    std::string list;
    std::size_t named = 0;
    for (std::size_t i = 0; i < stretches_.size() && i < most; ++i) {
      const auto& [first, last] = stretches_[i];
      list += concat(i == 0 ? "" : ", ", first);
      if (last != first) list += concat(last == first + 1 ? ", " : " to ", last);
      named += last - first + 1;
    }
    return named == count_ ? list : concat(list, " and ", count_ - named, " more");
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> stretches_;
  std::size_t count_ = 0;
};

}  // namespace fidelity::detail::io
