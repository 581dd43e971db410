// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/detail/exact.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>

namespace fidelity::detail {

/// The p-norm of a difference to the power p.
struct PowerSum {
  std::size_t channels;
  double p;
  FIDELITY_EXACT double operator()(const double* x, const double* y) const {
    FIDELITY_EXACT_BODY
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      const double difference = std::abs(x[c] - y[c]);
      sum += p == 1 ? difference : p == 2 ? difference * difference : std::pow(difference, p);
    }
    return sum;
  }
};

/// A packed series of a variant: on the border, before the first match, deletions may have other costs.
struct VariantSeries : PackedSeries {
  std::vector<double> border;  ///< cost of deleting sample i >= 1 there; entry 0 is not used
};

template <class PointDistance>
struct VariantCosts : PackedCosts<PointDistance> {
  const std::vector<double>&in_column_0, &in_row_0;
  bool legacy_border;
  [[nodiscard]] double border_a(std::size_t i) const { return in_column_0[i]; }
  [[nodiscard]] double border_b(std::size_t j) const { return in_row_0[j]; }
  /// Nothing is matched with the zero sample: a match that follows a cell of the legacy border is paid once.
  [[nodiscard]] FIDELITY_EXACT double match(std::size_t i, std::size_t j) const {
    return legacy_border && (i == 0 || j == 0) ? 0.0 : PackedCosts<PointDistance>::match(i, j);
  }
};

/// Calls f with the point distance of a variant.
template <class F>
auto with_variant_distance(bool power, const Norm& norm, std::size_t channels, F&& f) {
  if (power) return f(PowerSum{channels, norm.p()});
  return with_point_distance(norm, channels, f);
}

/// Fills in the deletions. With the legacy border a zero sample at time 0 is put in front first, and deletions there
/// cost the change of value alone.
inline void fill_variant(VariantSeries& series, double penalty, const Norm& norm, bool power, bool legacy_border) {
  if (legacy_border) {
    series.times.insert(series.times.begin(), 0.0);
    series.values.insert(series.values.begin(), series.channels, 0.0);
  }
  with_variant_distance(power, norm, series.channels, [&](auto distance) {
    fill_deletions(series, penalty, distance);
    series.border = series.deletions;
    for (std::size_t i = 1; legacy_border && i < series.size(); ++i)
      series.border[i] = distance(series.sample(i), series.sample(i - 1));
  });
}

inline double variant_sweep(const VariantSeries& a, const VariantSeries& b, const Norm& norm, bool power,
                            bool legacy_border) {
  return with_variant_distance(power, norm, a.channels, [&](auto distance) {
    return sweep_all(VariantCosts<decltype(distance)>{{a, b, {distance}}, a.border, b.border, legacy_border});
  });
}

}  // namespace fidelity::detail
