// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace fidelity::detail {

/// Which of n items comes first, at equal times the one with the smaller index: a binary tree of winners. O(log n) to
/// change a time, less where the winner stays; O(1) to ask.
class Earliest {
 public:
  struct Entry {
    double time;
    std::size_t index;
  };

  explicit Earliest(std::size_t count)
      : leaves_(std::bit_ceil(count)), nodes_(2 * leaves_, Entry{std::numeric_limits<double>::infinity(), 0}) {
    for (std::size_t i = 0; i < count; ++i) nodes_[leaves_ + i].index = i;
  }

  void set(std::size_t i, double time) {
    std::size_t place = leaves_ + i;
    nodes_[place].time = time;
    while (place > 1) {
      place /= 2;
      const Entry& left = nodes_[2 * place];
      const Entry& right = nodes_[2 * place + 1];
      const Entry& winner = left.time <= right.time ? left : right;
      if (nodes_[place].time == winner.time && nodes_[place].index == winner.index) break;
      nodes_[place] = winner;
    }
  }
  [[nodiscard]] double time(std::size_t i) const { return nodes_[leaves_ + i].time; }
  [[nodiscard]] Entry first() const { return nodes_[1]; }

 private:
  std::size_t leaves_;
  std::vector<Entry> nodes_;
};

}  // namespace fidelity::detail
