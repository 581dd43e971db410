// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity::detail::io {

/// Gives bad samples the value that the signal has at their stamps without them. They stay bad where it has none.
template <class Scalar, TimePoint Time>
class HoldOver {
 public:
  explicit HoldOver(const SeriesBase<Scalar, Time>& series) : series_(series), times_(series.times()) {
    values_.reserve(series.size() * series.channels());
    for (std::size_t i = 0; i < series.size(); ++i)
      for (std::size_t c = 0; c < series.channels(); ++c) values_.push_back(series(i, c));
  }

  /// All values, row by row. `refuse(channel, sample)` must throw: a held value that would end between two stamps
  /// cannot be written into the samples.
  template <class Refuse>
  std::vector<Scalar> values(Refuse&& refuse) {
    for (std::size_t c = 0; c < series_.channels(); ++c) {
      std::optional<std::size_t> before;
      for (std::size_t i = 0, next = 0; i < times_.size(); i = next) {
        next = i + 1;
        if (is_finite(at(i, c))) {
          before = i;
          continue;
        }
        while (next < times_.size() && !is_finite(at(next, c))) ++next;
        if (!before) continue;
        if (series_.interpolation() == Interpolation::linear) {
          if (next < times_.size() && within_gap(*before, next)) fill_line(*before, next, c);
        } else if (!series_.max_gap() || (next < times_.size() && within_gap(*before, next))) {
          for (std::size_t k = i; k < next; ++k) at(k, c) = at(*before, c);
        } else if (times_[i] - times_[*before] < *series_.max_gap()) {
          refuse(c, i);
        }
      }
    }
    return std::move(values_);
  }

 private:
  Scalar& at(std::size_t i, std::size_t c) { return values_[i * series_.channels() + c]; }
  [[nodiscard]] bool within_gap(std::size_t a, std::size_t b) const {
    return !series_.max_gap() || times_[b] - times_[a] <= *series_.max_gap();
  }
  void fill_line(std::size_t a, std::size_t b, std::size_t c) {
    const double length = seconds(times_[b] - times_[a]);
    const auto first = static_cast<double>(at(a, c));
    const auto last = static_cast<double>(at(b, c));
    for (std::size_t k = a + 1; k < b; ++k) {
      const double part = length > 0 ? seconds(times_[k] - times_[a]) / length : 1;
      at(k, c) = static_cast<Scalar>(std::lerp(first, last, part));
    }
  }

  const SeriesBase<Scalar, Time>& series_;
  std::span<const Time> times_;
  std::vector<Scalar> values_;
};

}  // namespace fidelity::detail::io
