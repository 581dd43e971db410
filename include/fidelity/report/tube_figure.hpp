// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/report/svg.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/detail/tube_check.hpp>
#include <fidelity/validation/tube.hpp>

namespace fidelity {

namespace detail {

/// The error at every sample, NaN where it was not judged, so that no line is drawn across.
template <class Scalar, TimePoint Time>
Series<double, Time> drawn_errors(const SeriesBase<Scalar, Time>& samples, const TubeSamples<Time>& judged) {
  std::vector<double> errors(samples.size(), std::numeric_limits<double>::quiet_NaN());
  std::size_t k = 0;
  for (std::size_t i = 0; i < samples.size() && k < judged.times.size(); ++i) {
    const bool next_too = i + 1 < samples.size() && samples.time(i + 1) == samples.time(i);
    const bool both = k + 1 < judged.times.size() && judged.times[k + 1] == judged.times[k];
    // Of two rows at one time only one was judged: it is drawn at the second.
    if (samples.time(i) == judged.times[k] && (!next_too || both)) errors[i] = judged.errors[k++];
  }
  SeriesOptions<Time> options;
  options.duplicates = Duplicates::event;
  return {std::vector<Time>(samples.times().begin(), samples.times().end()), std::move(errors), std::move(options)};
}

/// Failed stretches wide enough to be seen.
template <TimePoint Time>
WindowSet<Time> shaded_failures(const TubeSamples<Time>& samples, const Window<Time>& range) {
  const double least = seconds(range.length()) / 400;
  std::vector<Window<Time>> windows;
  for (const auto& each : samples.failures) {
    const double missing = 0.5 * std::max(0.0, least - seconds(each.end - each.begin));
    const Window<Time> window{std::max(range.begin, offset("tube_figure", each.begin, -missing)),
                              std::min(range.end, offset("tube_figure", each.end, missing))};
    if (!window.empty()) windows.push_back(window);
  }
  return WindowSet<Time>(std::move(windows));
}

}  // namespace detail

/// The picture of a tube: reference, test and tube above; the error and its limits below; failures shaded. Nothing
/// where both signals are single instants. The tube is drawn to the width of a column of the picture.
template <class Scalar, TimePoint Time, Signal Reference>
[[nodiscard]] std::optional<Figure<Time>> tube_figure(const TubeResult<Time>& result,
                                                      const SeriesBase<Scalar, Time>& test, const Reference& reference,
                                                      FigureOptions options = {}) {
  const Window<Time> a = test.span(), b = reference.span();
  const Window<Time> range{std::min(a.begin, b.begin), std::max(a.end, b.end)};
  if (range.empty()) return std::nullopt;
  if (options.panel_height == FigureOptions{}.panel_height) options.panel_height = 180;
  const double columns = options.width;
  Figure<Time> figure(range, std::move(options));
  const std::string unit = result.tube.unit.empty() ? "" : " in " + result.tube.unit;

  std::vector<Time> times;
  std::vector<double> low, high;
  const detail::TubeCurve<Reference> curve(reference);
  const double step = seconds(range.length()) / columns;
  for (double k = 0; k <= columns; ++k) {
    const Time t = k == columns ? range.end : detail::offset("tube_figure", range.begin, k * step);
    const auto values = b.begin <= t && t <= b.end ? curve.values(detail::saturating_subtract(t, result.tube.time),
                                                                  detail::saturating_add(t, result.tube.time))
                                                   : std::nullopt;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    times.push_back(t);
    low.push_back(values ? values->low - result.tolerance : missing);
    high.push_back(values ? values->high + result.tolerance : missing);
  }
  const auto failures = detail::shaded_failures(result.test, range);
  auto& above = figure.panel("value" + unit);
  above.shade(failures, Shade::failed, failures.empty() ? "" : "outside");
  above.band(times, low, high, "tube");
  above.line(reference, "reference", Pen::first);
  above.line(test, "test", Pen::second);
  auto& below = figure.panel("error" + unit);
  below.shade(failures, Shade::failed);
  below.line(detail::drawn_errors(test, result.test), "error of the test", Pen::second);
  if (result.reference) {
    if constexpr (detail::SampledSignal<Reference>)
      below.line(detail::drawn_errors(reference, *result.reference), "error of the reference", Pen::third);
  }
  below.level(result.tolerance, "limit").level(-result.tolerance);
  return figure;
}

}  // namespace fidelity
