// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace fidelity::detail {

/// Which states, inputs and time (numbered in this order, "sources") each derivative reads. Nobody has to declare it:
/// every read of every evaluation passes here, so that a read that only happens in some branch is seen too, the first
/// time that it happens. The common case, the same reads in the same order as at the first time, costs one comparison.
class Reads {
 public:
  Reads(std::size_t states, std::size_t sources) : order_(states), readers_(sources) {}

  /// From here on reads belong to derivative i.
  void begin(std::size_t i) {
    reader_ = i;
    learning_ = order_[i].empty();
    next_ = 0;
  }
  void read(std::size_t source) {
    if (!learning_ && next_ < order_[reader_].size() && order_[reader_][next_] == source) {
      ++next_;
    } else {
      unexpected(source);
    }
  }
  /// The derivatives that read a source, ascending.
  [[nodiscard]] std::span<const std::size_t> readers(std::size_t source) const { return readers_[source]; }
  /// Has a derivative read a source for the first time since this was last asked?
  [[nodiscard]] bool has_news() { return std::exchange(news_, false); }
  [[nodiscard]] bool reads(std::size_t i, std::size_t source) const {
    return std::binary_search(readers_[source].begin(), readers_[source].end(), i);
  }
  void add(std::size_t i, std::size_t source) {
    const auto place = std::lower_bound(readers_[source].begin(), readers_[source].end(), i);
    if (place == readers_[source].end() || *place != i) {
      readers_[source].insert(place, i);
      news_ = true;
    }
  }

 private:
  [[gnu::noinline]] void unexpected(std::size_t source) {
    if (learning_) order_[reader_].push_back(source);
    add(reader_, source);
  }

  std::vector<std::vector<std::size_t>> order_;
  std::vector<std::vector<std::size_t>> readers_;
  std::size_t reader_ = 0, next_ = 0;
  bool learning_ = false, news_ = false;
};

}  // namespace fidelity::detail
