// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_cutoff.hpp>
#include <fidelity/distance/detail/lane_tiles.hpp>
#include <fidelity/distance/detail/twed_sweep.hpp>
#include <fidelity/distance/detail/wavefront.hpp>
#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/norm.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity {

template <TimePoint Time>
struct PreparedTwed;

/// Time warp edit distance (Marteau 2009, IEEE TPAMI 31(2), equations 4 to 6): the least cost of turning one series
/// into the other by matching samples and deleting samples, in the unit of the values. Series may differ in length,
/// rate and time axis. It is a metric for stiffness > 0 (triangle inequality included), unlike dynamic time warping;
/// it is not invariant under reversal of time and divides by nothing.
///
///   const Twed twed{.stiffness = 0.05, .penalty = 0.005};   // m/s and m, for values in metres
///   const double d = twed(simulated, measured);              // metres
///
/// The definition: point distance with the root, an infinite border (the first samples are always matched), explicit
/// time stamps in seconds. Both parameters must be given by name; neither has a default, because good values depend on
/// the unit of the signal. O(n m) time, O(n + m) memory, always in double.
///
/// Not the right tool where a sample number stands for time (build such a series with regular()), or where a shift of
/// the time axis shall cost nothing: that shift is what the distance must see.
///
/// Calls throw InputError for a parameter out of its range (bad_parameter), a value that is NaN or infinite, two
/// samples at one time (unless accept_events), different numbers of channels, a number of scale factors that is not
/// that of the channels; Overflow where the distance is not a finite double. The Euclidean norm of several channels
/// resolves differences of values between about 1e-150 and 1e150 (it squares them).
struct Twed {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::Required stiffness;      ///< price of one second of time difference, >= 0, in unit of the values per second
  detail::Required penalty;        ///< price of one deletion, >= 0, in unit of the values
  Norm norm = 2;                   ///< point distance over the channels: p >= 1 or Norm::maximum()
  std::vector<double> scale = {};  ///< one positive factor a channel, applied to the values first; empty means 1
  bool accept_events = false;      ///< two samples at one time (left and right limit of an event) are accepted

  /// The distance of two series with stamps relative to the earlier of the two first ones.
  template <class ScalarA, class ScalarB, TimePoint Time>
  [[nodiscard]] double operator()(const SeriesBase<ScalarA, Time>& a, const SeriesBase<ScalarB, Time>& b) const {
    const Time origin = std::min(a.time(0), b.time(0));
    return (*this)(prepare(a, origin, {.collection = "a"}), prepare(b, origin, {.collection = "b"}));
  }

  /// The distance of two prepared series. Throws InputError where they were prepared with other parameters or origins.
  template <TimePoint Time>
  [[nodiscard]] double operator()(const PreparedTwed<Time>& a, const PreparedTwed<Time>& b) const;

  /// The distance where it is at most `cutoff` (>= 0), else nothing: one answer for "above", whether or not the
  /// computation could end early. The number is the distance, bit for bit. InputError for a cutoff that is negative or
  /// NaN.
  template <class ScalarA, class ScalarB, TimePoint Time>
  [[nodiscard]] std::optional<double> within(const SeriesBase<ScalarA, Time>& a, const SeriesBase<ScalarB, Time>& b,
                                             double cutoff) const {
    const auto [x, y] = detail::prepare_pair(*this, a, b);
    return within(x, y, cutoff);
  }
  template <TimePoint Time>
  [[nodiscard]] std::optional<double> within(const PreparedTwed<Time>& a, const PreparedTwed<Time>& b,
                                             double cutoff) const;

  /// Checks a series and packs it in the form that the sweep reads, with stamps relative to `origin`. O(n). `location`
  /// says in errors where the series stands. Distances are the same bit for bit only for equal origins.
  template <class Scalar, TimePoint Time>
  [[nodiscard]] PreparedTwed<Time> prepare(const SeriesBase<Scalar, Time>& series, Time origin,
                                           InputLocation location = {}) const;

  /// What pairwise() computes tiles with, see TileMetric: many pairs at once in the lanes of vector registers, bit for
  /// bit the numbers of single pairs (in full precision). InputError for single precision with a norm other than L1, L2
  /// and the maximum.
  template <TimePoint Time>
  [[nodiscard]] auto tile_kernel(std::span<const PreparedTwed<Time>> rows, std::span<const PreparedTwed<Time>> columns,
                                 const TileOptions& options) const {
    return detail::twed_tiles(norm, rows, columns, options);
  }

  friend bool operator==(const Twed& a, const Twed& b) {
    return double{a.stiffness} == double{b.stiffness} && double{a.penalty} == double{b.penalty} && a.norm == b.norm &&
           a.scale == b.scale && a.accept_events == b.accept_events;
  }
};

/// A checked and packed copy of a series, for one set of parameters and one origin. Made by Twed::prepare().
template <TimePoint Time>
struct PreparedTwed {
  Twed parameters;
  Time origin;
  InputLocation place;  ///< what errors say of it: collection, index and name
  detail::PackedSeries packed;

  [[nodiscard]] std::size_t size() const { return packed.times.size(); }
};

/// Whether these parameters make a metric: yes for stiffness > 0; with stiffness 0, or with events accepted and penalty
/// 0, different series may have distance 0.
[[nodiscard]] inline MetricStatus metric_status(const Twed& twed) {
  const bool collapses = twed.stiffness == 0.0 || (twed.accept_events && twed.penalty == 0.0);
  return collapses ? MetricStatus::pseudo_metric : MetricStatus::metric;
}

[[nodiscard]] inline MetricDescription describe(const Twed& twed) {
  std::string settings = to_text(twed.norm) + " norm";
  for (std::size_t c = 0; c < twed.scale.size(); ++c)
    settings += (c == 0 ? ", scale " : " ") + detail::text(twed.scale[c]);
  if (twed.accept_events) settings += ", events accepted";
  return {"time warp edit distance",
          {{"stiffness", twed.stiffness, "/s"}, {"penalty", twed.penalty, ""}},
          std::move(settings),
          metric_status(twed)};
}

namespace detail {
inline void require_parameters(const Twed& twed, std::size_t channels, const InputLocation& location) {
  const auto refuse = [](std::string_view sentence, double value) {
    fail("Twed", Rule::bad_parameter, sentence, {.value = value});
  };
  if (!is_finite(twed.stiffness) || twed.stiffness < 0)
    refuse("stiffness must be finite and not negative", twed.stiffness);
  if (!is_finite(twed.penalty) || twed.penalty < 0) refuse("penalty must be finite and not negative", twed.penalty);
  for (const double factor : twed.scale)
    if (!is_finite(factor) || factor <= 0) refuse("a scale factor must be positive and finite", factor);
  if (!twed.scale.empty() && twed.scale.size() != channels)
    fail("Twed", Rule::size_mismatch,
         concat("there are ", twed.scale.size(), " scale factors for ", channels, " channels"), location);
}
}  // namespace detail

template <class Scalar, TimePoint Time>
PreparedTwed<Time> Twed::prepare(const SeriesBase<Scalar, Time>& series, Time origin, InputLocation location) const {
  location.name = std::string(series.name());
  detail::require_parameters(*this, series.channels(), location);
  const auto refuse = [&](std::size_t i, Rule rule, std::string_view sentence, std::optional<double> value = {}) {
    location.sample = i;
    location.value = value;
    detail::fail("Twed", rule, sentence, location);
  };
  PreparedTwed<Time> prepared{*this, origin, location, {}};
  detail::PackedSeries& packed = prepared.packed;
  packed.channels = series.channels();
  packed.times.reserve(series.size());
  packed.values.reserve(detail::checked_product("Twed", series.size(), series.channels()));
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i > 0 && series.time(i) == series.time(i - 1) && !accept_events)
      refuse(
          i, Rule::time_repeated,
          detail::concat("two samples at ", to_text(series.time(i)), ", an event: accepted only with accept_events"));
    packed.times.push_back(stiffness * seconds(detail::difference("Twed", series.time(i), origin)));
    for (std::size_t c = 0; c < series.channels(); ++c) {
      const auto value = static_cast<double>(series(i, c));
      if (!detail::is_finite(value))
        refuse(i, Rule::value_not_finite, "a value is NaN or infinite; without_bad() removes such samples", value);
      packed.values.push_back(scale.empty() ? value : value * scale[c]);
    }
  }
  for (const auto* numbers : {&packed.times, &packed.values})
    for (const double x : *numbers)
      if (!detail::is_finite(x))
        throw Overflow(detail::concat("fidelity::Twed: scaled stamps or values are outside the range of double, in ",
                                      detail::place_text(location)));
  detail::fill_deletions(packed, penalty, norm);
  return prepared;
}

template <TimePoint Time>
double Twed::operator()(const PreparedTwed<Time>& a, const PreparedTwed<Time>& b) const {
  detail::require_prepared_by("Twed", *this, a, b);
  return detail::require_in_range("Twed", detail::wavefront_sweep(a.packed, b.packed, norm, detected_isa()), a.place,
                                  b.place);
}

template <TimePoint Time>
std::optional<double> Twed::within(const PreparedTwed<Time>& a, const PreparedTwed<Time>& b, double cutoff) const {
  detail::require_cutoff("Twed::within", cutoff);
  detail::require_prepared_by("Twed", *this, a, b);
  if (!detail::is_finite(cutoff)) return (*this)(a, b);
  return detail::twed_within(a.packed, b.packed, norm, penalty, cutoff);
}

}  // namespace fidelity

#ifdef FIDELITY_KERNELS_ELSEWHERE  // see kernels.hpp
#include <fidelity/distance/detail/kernel_instances.hpp>
namespace fidelity::detail {
FIDELITY_TWED_KERNELS(extern)
}
#endif
