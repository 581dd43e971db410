// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/transport/detail/row_minimum.hpp>

namespace fidelity::detail {

/// A few cheap columns of every row with their costs: the short list method (Gottschlich and Schuhmacher, 2014). Most
/// pivots find their pair here, in the first levels of the cache, and whole rows of the matrix are only read to prove
/// that nothing was missed. Ties go to the lowest column, so the lists depend on the input bits alone.
class Candidates {
 public:
  using Index = std::uint32_t;
  static constexpr std::size_t width = 12;  ///< most columns a row can have

  void reset(std::size_t rows) {
    count_.assign(rows, 0);
    columns_.resize(rows * width);
    costs_.resize(rows * width);
  }

  [[nodiscard]] std::span<const Index> columns(std::size_t row) const {
    return {columns_.data() + row * width, count_[row]};
  }
  [[nodiscard]] std::span<const double> costs(std::size_t row) const {
    return {costs_.data() + row * width, count_[row]};
  }

  /// The columns with the least cost(row, j) - price[j], cheapest first; no forbidden pairs.
  template <class Cost>
  void collect(const Cost& cost, std::size_t row, std::span<const double> price) {
    scan(cost, row, price);
    // The least of a number of groups: the width-th of them bounds the width-th entry from above.
    double limit = largest_usable_cost;
    constexpr std::size_t groups = 2 * width;
    if (blocks_.size() > groups) {
      double least[groups];
      std::copy_n(blocks_.begin(), groups, least);
      for (std::size_t b = groups; b < blocks_.size();)
        for (std::size_t k = 0; k < groups && b < blocks_.size(); ++k, ++b)
          least[k] = blocks_[b] < least[k] ? blocks_[b] : least[k];
      std::nth_element(least, least + (width - 1), least + groups);
      limit = std::min(limit, least[width - 1]);
    }
    found_.clear();
    for_each_up_to(cost, row, price, limit, [this](std::size_t j, double, double reduced) {
      if (reduced < largest_usable_cost) found_.emplace_back(reduced, static_cast<Index>(j));
    });
    keep_best(found_, width);
    write(cost, row, 0);
  }

  /// Reads a whole row. Columns for which improves(column, cost, reduced) holds take the place of the least useful
  /// candidates. Returns whether there was one, and the least cost(row, j) - price[j] of the row.
  template <class Cost, class Improves>
  std::pair<bool, double> renew(const Cost& cost, std::size_t row, std::span<const double> price, double row_price,
                                Improves&& improves) {
    const double least = scan(cost, row, price);
    if (!(least < row_price)) return {false, least};
    found_.clear();
    for_each_up_to(cost, row, price, row_price, [&](std::size_t j, double entry, double reduced) {
      if (improves(j, entry, reduced)) found_.emplace_back(reduced, static_cast<Index>(j));
    });
    if (found_.empty()) return {false, least};
    keep_best(found_, width / 2);
    const std::size_t kept = std::min<std::size_t>(count_[row], width - found_.size());
    if (kept < count_[row]) {
      old_.clear();
      for (std::size_t k = 0; k < count_[row]; ++k) {
        const Index j = columns(row)[k];
        old_.emplace_back(costs(row)[k] - price[j], j);
      }
      keep_best(old_, kept);
      old_.insert(old_.end(), found_.begin(), found_.end());
      old_.swap(found_);
      write(cost, row, 0);
    } else {
      write(cost, row, kept);
    }
    return {true, least};
  }

  /// The costs may have changed; the columns stay.
  template <class Cost>
  void read_costs(const Cost& cost) {
    for (std::size_t i = 0; i < count_.size(); ++i)
      for (std::size_t k = 0; k < count_[i]; ++k) costs_[i * width + k] = cost(i, columns_[i * width + k]);
  }

 private:
  static constexpr std::size_t block = 8;
  using Found = std::vector<std::pair<double, Index>>;

  /// Least reduced cost of each block of a row, and of the row. This loop is most of what is left of a large solve;
  /// in this form compilers turn it into vector code.
  template <class Cost>
  double scan(const Cost& cost, std::size_t row, std::span<const double> price) {
    const std::size_t columns = price.size(), full = columns / block;
    const double* const prices = price.data();
    blocks_.resize(full + (columns % block != 0 ? 1 : 0));
    double* const out = blocks_.data();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < full; ++b) {
      double low[block];
      for (std::size_t k = 0; k < block; ++k) low[k] = cost(row, b * block + k) - prices[b * block + k];
      for (std::size_t half = block / 2; half > 0; half /= 2)
        for (std::size_t k = 0; k < half; ++k) low[k] = low[k + half] < low[k] ? low[k + half] : low[k];
      out[b] = low[0];
      least = low[0] < least ? low[0] : least;
    }
    if (full < blocks_.size()) {
      double low = std::numeric_limits<double>::infinity();
      for (std::size_t j = full * block; j < columns; ++j) {
        const double reduced = cost(row, j) - prices[j];
        low = reduced < low ? reduced : low;
      }
      out[full] = low;
      least = low < least ? low : least;
    }
    return least;
  }

  template <class Cost, class Visit>
  void for_each_up_to(const Cost& cost, std::size_t row, std::span<const double> price, double limit, Visit&& visit) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!(blocks_[b] <= limit)) continue;
      const std::size_t end = std::min((b + 1) * block, price.size());
      for (std::size_t j = b * block; j < end; ++j) {
        const double entry = cost(row, j), reduced = entry - price[j];
        if (reduced <= limit) visit(j, entry, reduced);
      }
    }
  }

  static void keep_best(Found& found, std::size_t most) {
    if (found.size() > most) {
      std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
      found.resize(most);
    }
    std::sort(found.begin(), found.end());
  }

  template <class Cost>
  void write(const Cost& cost, std::size_t row, std::size_t at) {
    for (const auto& [reduced, j] : found_) {
      columns_[row * width + at] = j;
      costs_[row * width + at] = cost(row, j);
      ++at;
    }
    count_[row] = static_cast<Index>(at);
  }

  std::vector<Index> count_ = {}, columns_ = {};
  std::vector<double> costs_ = {};
  std::vector<double> blocks_ = {};
  Found found_ = {}, old_ = {};
};

}  // namespace fidelity::detail
