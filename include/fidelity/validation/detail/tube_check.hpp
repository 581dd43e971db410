// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/validation/detail/tube_curve.hpp>
#include <fidelity/validation/tube.hpp>

namespace fidelity::detail {

template <TimePoint Time>
void check(const Tube<Time>& tube) {
  for (const auto& [value, name] :
       {std::pair{tube.relative, "relative"}, std::pair{tube.absolute, "absolute"}, std::pair{tube.nominal, "nominal"},
        std::pair{tube.rounding, "rounding"}, std::pair{seconds(tube.time), "time"}})
    if (!(is_finite(value) && value >= 0))
      fail("check_tube", Rule::bad_parameter, concat(name, " must be finite and not negative"), {.value = value});
  if (!(tube.min_coverage >= 0 && tube.min_coverage <= 1))
    fail("check_tube", Rule::bad_parameter, "min_coverage must lie between 0 and 1", {.value = tube.min_coverage});
}

/// The times of `range` that are compared: a window holds its begin and not its end, unless that is the `last` instant
/// of all.
template <TimePoint Time>
class TubeRange {
 public:
  TubeRange(const Window<Time>& range, const std::optional<WindowSet<Time>>& within, Time last)
      : range_(range), within_(within), last_(last) {
    if (!range.empty()) {
      windows_ = WindowSet<Time>{range};
      if (within) windows_ = windows_ & *within;
    }
  }
  /// -1 before the range, 1 after it, 0 inside.
  [[nodiscard]] int side(Time t) const { return t < range_.begin ? -1 : (t > range_.end ? 1 : 0); }
  [[nodiscard]] bool contains(Time t) const {
    if (side(t) != 0) return false;
    if (!within_ || within_->contains(t)) return true;
    const auto& all = within_->windows();
    return t == last_ && std::any_of(all.begin(), all.end(), [&](const auto& window) { return window.end == t; });
  }
  /// Without single instants.
  [[nodiscard]] const WindowSet<Time>& windows() const { return windows_; }

 private:
  Window<Time> range_;
  const std::optional<WindowSet<Time>>& within_;
  Time last_;
  WindowSet<Time> windows_;
};

/// The values of the curve at the time of a sample that count for it (F57); nothing where the signal is missing.
template <class Scalar, TimePoint Time, Signal S>
std::array<std::optional<double>, 2> tube_limits(const SeriesBase<Scalar, Time>& samples, std::size_t i,
                                                 const S& curve) {
  const Time t = samples.time(i);
  const bool left_row = i + 1 < samples.size() && samples.time(i + 1) == t;
  const bool right_row = i > 0 && samples.time(i - 1) == t;
  const auto right = curve.value(t, Side::right), left = curve.value(t, Side::left);
  const Window<Time> span = curve.span();
  // At its ends a curve has one limit only.
  if (left_row) return {left, t == span.begin ? right : std::nullopt};
  if (t == span.end && !right) return {left, std::nullopt};
  if (right_row) return {right, std::nullopt};
  bool event = false;
  if constexpr (SampledSignal<S>) {
    if (left == right) return {right, std::nullopt};  // spares a search
    const auto [first, behind] = std::equal_range(curve.times().begin(), curve.times().end(), t);
    event = behind - first > 1;
  }
  return {right, event ? left : std::nullopt};
}

/// t - d, held at the earliest time instead of wrapping around (d >= 0).
template <TimePoint Time>
Time saturating_subtract(Time t, Duration<Time> d) {
  if constexpr (std::same_as<Time, double>) {
    return t - d;
  } else {
    return t.time_since_epoch() < Time::min().time_since_epoch() + d ? Time::min() : t - d;
  }
}

inline double saturated_difference(double a, double b) {
  constexpr double limit = std::numeric_limits<double>::max();
  return std::clamp(a - b, -limit, limit);
}

/// Holds the samples of one signal against the curve of another.
template <class Scalar, TimePoint Time, Signal S>
TubeSamples<Time> judge_samples(const SeriesBase<Scalar, Time>& samples, const S& signal, const TubeCurve<S>& curve,
                                const TubeRange<Time>& range, double tolerance, Duration<Time> time, bool bad_fails) {
  TubeSamples<Time> judged;
  bool failing = false;
  const auto passed = [](double error, double limit) { return std::abs(error) <= limit; };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Time t = samples.time(i);
    const auto value = static_cast<double>(samples(i));
    double error = std::numeric_limits<double>::quiet_NaN();
    if (range.side(t) != 0) {
      ++judged.beyond;
      continue;
    }
    if (!range.contains(t)) {
      ++judged.outside;
      failing = false;
      continue;
    }
    if (!is_finite(value)) {
      if (!bad_fails) continue;
      ++judged.bad;
    } else {
      const auto limits = tube_limits(samples, i, signal);
      if (!limits[0] && !limits[1]) {
        ++judged.unknown;
        continue;
      }
      std::optional<double> nearest;
      if (time > Duration<Time>{}) {
        nearest = curve.nearest(value, saturating_subtract(t, time), saturating_add(t, time));
      } else {
        for (const auto& limit : limits)
          if (limit && (!nearest || std::abs(value - *limit) < std::abs(value - *nearest))) nearest = limit;
      }
      error = saturated_difference(value, *nearest);
    }
    judged.times.push_back(t);
    judged.errors.push_back(error);
    if (passed(error, tolerance)) {  // false for NaN
      failing = false;
      continue;
    }
    ++judged.failed;
    if (!failing) judged.failures.push_back({t, t, 0});
    failing = true;
    judged.failures.back().end = t;
    ++judged.failures.back().samples;
  }
  return judged;
}

/// Where a series is known, bad samples counted as if they were good: they are judged, not left out.
template <class Scalar, TimePoint Time>
WindowSet<Time> sampled_time(const SeriesBase<Scalar, Time>& series) {
  const Window<Time> span = series.span();
  if (span.empty()) return {};
  if (!series.max_gap()) return WindowSet<Time>{span};
  std::vector<Window<Time>> windows;
  for (std::size_t i = 0; i + 1 < series.size(); ++i) {
    const bool hold = series.interpolation() == Interpolation::hold;
    Window<Time> window{series.time(i), series.time(i + 1)};
    if (window.empty()) continue;
    if (window.length() > *series.max_gap()) {
      if (!hold) continue;
      window.end = window.begin + *series.max_gap();
    }
    if (!windows.empty() && windows.back().end == window.begin)
      windows.back().end = window.end;
    else
      windows.push_back(window);
  }
  return WindowSet<Time>(std::move(windows));
}

/// 1 only where all of the reference was compared.
template <TimePoint Time>
double tube_coverage(const WindowSet<Time>& compared, const WindowSet<Time>& reference, bool any_sample) {
  if (reference.empty()) return any_sample ? 1 : 0;
  if (compared == reference) return 1;
  return std::min(seconds(compared.length()) / seconds(reference.length()), std::nextafter(1.0, 0.0));
}

template <TimePoint Time>
void note_largest_error(TubeResult<Time>& result, const TubeSamples<Time>& samples) {
  for (std::size_t i = 0; i < samples.errors.size(); ++i) {
    const double size = std::abs(samples.errors[i]);
    if (!is_finite(size) || (result.largest_error && size <= *result.largest_error)) continue;
    result.largest_error = size;
    result.largest_error_time = samples.times[i];
  }
}

template <TimePoint Time>
void conclude(TubeResult<Time>& result) {
  const auto in_unit = [&](double value) {
    return short_text(value) + (result.tube.unit.empty() ? "" : " " + result.tube.unit);
  };
  std::string tube = in_unit(result.tolerance);
  if (result.tube.time > Duration<Time>{}) tube += concat(" and ", duration_text(seconds(result.tube.time)));
  const std::size_t compared = result.test.times.size(), back = result.reference ? result.reference->times.size() : 0;
  const std::size_t failed = result.test.failed + (result.reference ? result.reference->failed : 0);
  const auto conclusion = [&](Verdict verdict, const char* code, std::string text) {
    result.verdict = verdict;
    result.reason = {code, std::move(text)};
  };
  if (failed > 0) {
    std::string text = concat(failed, " of ", compared + back, " compared samples lie outside of the tube of ", tube);
    if (failed == result.test.bad)
      text = concat(failed, " of ", compared, " compared samples are bad (not a number)");
    else if (result.test.bad > 0)
      text += concat(", ", result.test.bad, " of them bad (not a number)");
    if (result.largest_error && *result.largest_error > result.tolerance) {
      text += concat("; the largest error is ", in_unit(*result.largest_error), " at ",
                     short_time(*result.largest_error_time));
      if (result.tolerance > 0)
        text += concat(", ", short_text(*result.largest_error / result.tolerance), " times the tolerance");
    }
    conclusion(Verdict::fail, failed == result.test.bad ? "bad_samples" : "outside_tube", std::move(text));
  } else if (compared == 0) {
    conclusion(Verdict::incomplete, "nothing_compared",
               !result.common ? "nothing compared: the two signals have no time in common"
                              : "nothing compared: no test sample lies where the reference is known and is compared");
  } else if (!(result.coverage >= result.tube.min_coverage)) {
    conclusion(Verdict::incomplete, "coverage",
               concat("only ", short_text(100 * result.coverage), " % of the reference was compared, ",
                      short_text(100 * result.tube.min_coverage), " % are asked for"));
  } else {
    conclusion(Verdict::pass, "inside_tube",
               concat("all ", compared + back, " compared samples lie within ", tube, " of the reference"));
  }
}

}  // namespace fidelity::detail

namespace fidelity {

template <class Scalar, TimePoint Time, Signal Reference>
TubeResult<Time> check_tube(const SeriesBase<Scalar, Time>& test, const Reference& reference, const Tube<Time>& tube) {
  static_assert(std::same_as<typename Reference::time_type, Time>,
                "test and reference must have the same kind of time");
  constexpr bool sampled = detail::SampledSignal<Reference>;
  detail::check(tube);
  if (tube.both_ways && !sampled)
    detail::fail("check_tube", Rule::bad_parameter, "both_ways needs a reference with samples; resample it");
  (void)test.segment_count();  // refuses several channels
  const detail::TubeCurve<Reference> curve(reference);

  TubeResult<Time> result;
  result.tube = tube;
  result.test_samples = test.size();
  if constexpr (sampled)
    result.reference_samples = reference.size();
  else
    result.reference_samples = reference.segment_count();
  const Window<Time> a = test.span(), b = curve.span();
  const Window<Time> common{std::max(a.begin, b.begin), std::min(a.end, b.end)};
  if (common.begin <= common.end) result.common = common;

  const detail::TubeRange<Time> whole(b, tube.within, b.end);  // of the reference, whether the test reaches it or not
  std::optional<detail::TubeHull> values;
  for (const Window<Time>& window : whole.windows().windows()) curve.add_values(window, values);
  if (values) result.span = values->high - values->low;
  if (!detail::is_finite(result.span))
    throw Overflow("fidelity::check_tube: the span of the reference is not a finite number");
  result.tolerance = std::max(tube.absolute, tube.relative * std::max(result.span, tube.nominal)) + tube.rounding;
  if (!detail::is_finite(result.tolerance))
    throw Overflow("fidelity::check_tube: the tolerance is not a finite number");

  const detail::TubeRange<Time> range(common, tube.within, b.end);
  result.test = detail::judge_samples(test, reference, curve, range, result.tolerance, tube.time, true);
  if constexpr (sampled) {
    if (tube.both_ways) {
      const SeriesView<Scalar, Time> view(test);
      const detail::TubeCurve<SeriesView<Scalar, Time>> back(view);
      result.reference = detail::judge_samples(reference, view, back, range, result.tolerance, tube.time, false);
    }
  }
  result.coverage = detail::tube_coverage(whole.windows() & detail::sampled_time(test) & curve.known(), whole.windows(),
                                          !result.test.times.empty());
  detail::note_largest_error(result, result.test);
  if (result.reference) detail::note_largest_error(result, *result.reference);
  detail::conclude(result);
  return result;
}

}  // namespace fidelity
