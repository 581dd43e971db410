// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/variant_costs.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity {

template <TimePoint Time>
struct PreparedTwedVariant;

/// The time warp edit distance in the conventions of other programs, to compare numbers with them; made by squared(),
/// power() and legacy_border(). Not a metric: the triangle inequality fails, so a Wasserstein distance of such numbers
/// is none. For anything else use Twed. Works with pairwise() and compare() like a Twed, with one plain sweep a pair.
struct TwedVariant {
  Twed twed;
  bool power_of_norm = false;  ///< see power()
  bool border = false;         ///< see legacy_border()

  template <class ScalarA, class ScalarB, TimePoint Time>
  [[nodiscard]] double operator()(const SeriesBase<ScalarA, Time>& a, const SeriesBase<ScalarB, Time>& b) const {
    const auto [x, y] = detail::prepare_pair(*this, a, b);
    return (*this)(x, y);
  }
  template <TimePoint Time>
  [[nodiscard]] double operator()(const PreparedTwedVariant<Time>& a, const PreparedTwedVariant<Time>& b) const;

  /// Checks and packs a series as Twed::prepare() does. With the legacy border stamps must be double seconds >= 0
  /// (elapsed() makes them), because the sample in front of the series stands at time 0; the origin has no influence.
  template <class Scalar, TimePoint Time>
  [[nodiscard]] PreparedTwedVariant<Time> prepare(const SeriesBase<Scalar, Time>& series, Time origin,
                                                  InputLocation location = {}) const;

  friend bool operator==(const TwedVariant&, const TwedVariant&) = default;
};

/// A checked and packed series of a TwedVariant.
template <TimePoint Time>
struct PreparedTwedVariant {
  TwedVariant parameters;
  Time origin;
  InputLocation place;
  detail::VariantSeries packed;
};

/// The p-norm of differences of values to the power p, without the root: p is the norm of the Twed. For p = 2 that is
/// squared(); for p = 1 it is the Twed itself. As TWED.c of the author of the distance computes with `degree` p.
/// InputError for the maximum norm.
[[nodiscard]] inline TwedVariant power(const Twed& twed) {
  if (twed.norm.is_maximum()) detail::fail("power", Rule::bad_parameter, "the maximum norm has no power");
  return {twed, true, false};
}

/// The sum of squared differences of values in place of the norm; time differences and the penalty are not squared, so
/// stiffness and penalty are in other units than for Twed. As in tempo, ProximityForest 2.0 and TWED.c with degree 2.
/// InputError where the norm of the Twed is not the Euclidean one.
[[nodiscard]] inline TwedVariant squared(const Twed& twed) {
  if (!(twed.norm == Norm(2))) detail::fail("squared", Rule::bad_parameter, "squares belong to the Euclidean norm");
  return power(twed);
}

/// A sample of value 0 at time 0 in front of both series; deletions before the first match cost only the change of
/// value, and that match is paid once. Depends on the zero of values and of time. As in older Java and R programs
/// (TSDistExtra, tsml), which also square: `legacy_border(squared(twed))`.
[[nodiscard]] inline TwedVariant legacy_border(TwedVariant variant) {
  variant.border = true;
  return variant;
}
[[nodiscard]] inline TwedVariant legacy_border(const Twed& twed) { return legacy_border(TwedVariant{twed}); }

/// Not a metric; only the first power with the ordinary border is what the Twed is.
[[nodiscard]] inline MetricStatus metric_status(const TwedVariant& variant) {
  const bool plain = !variant.border && (!variant.power_of_norm || variant.twed.norm == Norm(1));
  return plain ? metric_status(variant.twed) : MetricStatus::not_a_metric;
}

[[nodiscard]] inline MetricDescription describe(const TwedVariant& variant) {
  MetricDescription text = describe(variant.twed);
  text.name = "variant of the time warp edit distance";
  if (variant.power_of_norm) text.settings += detail::concat(", to the power ", variant.twed.norm.p());
  if (variant.border) text.settings += ", legacy border";
  text.status = metric_status(variant);
  return text;
}

template <class Scalar, TimePoint Time>
PreparedTwedVariant<Time> TwedVariant::prepare(const SeriesBase<Scalar, Time>& series, Time origin,
                                               InputLocation location) const {
  if (border) {
    location.name = std::string(series.name());
    bool possible = false;
    if constexpr (std::same_as<Time, double>) {
      possible = series.time(0) >= 0;
      origin = 0;
    }
    if (!possible)
      detail::fail(
          "legacy_border", Rule::bad_parameter,
          "a sample at time 0 is put in front of the series, whose stamps must be seconds >= 0: elapsed(series)",
          location);
  }
  PreparedTwed<Time> checked = twed.prepare(series, origin, location);
  PreparedTwedVariant<Time> prepared{*this, origin, std::move(checked.place), {std::move(checked.packed), {}}};
  detail::fill_variant(prepared.packed, twed.penalty, twed.norm, power_of_norm, border);
  return prepared;
}

template <TimePoint Time>
double TwedVariant::operator()(const PreparedTwedVariant<Time>& a, const PreparedTwedVariant<Time>& b) const {
  detail::require_prepared_by("TwedVariant", *this, a, b);
  return detail::require_in_range(
      "TwedVariant", detail::variant_sweep(a.packed, b.packed, twed.norm, power_of_norm, border), a.place, b.place);
}

}  // namespace fidelity
