// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail {

/// Cost of the empirical distribution (Haynes, Fearnhead, Eckley 2017): at K quantiles q of the whole series, the
/// likelihood that the samples of the segment lie below q. Half counts A = 2 [y < q] + [y = q] are integers, so that
///   2 L (F ln F + (1 - F) ln(1 - F)) = T[A] + T[2L - A] - T[2L]  with F = A/(2L), T[k] = k ln k
/// needs no logarithm but those of the table.
class EmpiricalCost {
 public:
  EmpiricalCost(std::string_view function, std::span<const double> values) : size_(values.size()) {
    if (size_ > INT32_MAX / 2)
      throw Overflow(concat("fidelity::", function, ": ", size_, " samples are too many for this cost"));
    const std::vector<double> quantiles = quantiles_of(values);
    const std::size_t k = quantile_count_ = quantiles.size();
    counts_.resize(checked_product(function, size_ + 1, k));
    for (std::size_t t = 0; t < size_; ++t)
      for (std::size_t i = 0; i < k; ++i)
        counts_[(t + 1) * k + i] =
            counts_[t * k + i] + (values[t] < quantiles[i] ? 2 : 0) + (values[t] == quantiles[i] ? 1 : 0);
    table_.resize(2 * size_ + 1);
    for (std::size_t i = 1; i < table_.size(); ++i)
      table_[i] = static_cast<double>(i) * std::log(static_cast<double>(i));
    scale_ = log_odds(size_) / static_cast<double>(k);
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] double operator()(std::size_t begin, std::size_t end) const {
    const std::int32_t *a = &counts_[begin * quantile_count_], *b = &counts_[end * quantile_count_];
    const auto length = static_cast<std::int32_t>(2 * (end - begin));
    const double *table = table_.data(), *from_end = table + length;
    const double whole = *from_end;
    double sum[4] = {};
    std::size_t i = 0;
    const auto term = [&](std::size_t j) {
      const std::ptrdiff_t count = b[j] - a[j];
      return whole - (table[count] + from_end[-count]);
    };
    for (; i + 4 <= quantile_count_; i += 4)
      for (std::size_t j = 0; j < 4; ++j) sum[j] += term(i + j);
    for (; i < quantile_count_; ++i) sum[0] += term(i);
    return scale_ * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }

 private:
  static double log_odds(std::size_t n) { return std::log(2.0 * static_cast<double>(n) - 1); }

  /// Denser in the tails: K = min(n, ceil(4 ln n)) values of the series.
  static std::vector<double> quantiles_of(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double n = static_cast<double>(sorted.size());
    const double count = std::clamp(std::ceil(4 * std::log(n)), 1.0, n);
    std::vector<double> quantiles(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < quantiles.size(); ++i) {
      const double z = -1 + (2 * static_cast<double>(i) + 1) / count;
      const double p = 1 / (1 + std::pow(2 * n - 1, -z));
      quantiles[i] = sorted[static_cast<std::size_t>((n - 1) * p)];
    }
    return quantiles;
  }

  std::size_t size_, quantile_count_ = 0;
  std::vector<std::int32_t> counts_;  ///< row t: half counts of the samples before t, one column a quantile
  std::vector<double> table_;         ///< T
  double scale_ = 0;
};

}  // namespace fidelity::detail
