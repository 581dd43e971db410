// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/sampling_text.hpp>
#include <fidelity/report/svg.hpp>
#include <fidelity/sampling/sampler.hpp>

namespace fidelity {

/// What the panel of a condition shows beside its signal.
template <TimePoint Time = Timestamp>
struct ConditionDrawing {
  std::string unit = {};
  std::vector<double> levels = {};  ///< thresholds
  std::vector<Time> marks = {};     ///< change points
};

/// The picture of a sampling: stacked over one time axis each condition with its signal (yellow where it holds, grey
/// where unknown), their intersection (blue), and each input with the sampling window (green), the simulation time and
/// its mean. Where no window was found, the reason and the longest stretch. For example
///
///   SamplingPicture picture(result);
///   picture.condition("running", channel(plant, "flow"), {.unit = "m3/h", .levels = {45}});
///   picture.input("feed", channel(plant, "feed"), "kg/s");
///   write_svg("sampling.svg", picture.figure());
template <TimePoint Time = Timestamp>
class SamplingPicture {
 public:
  /// Over the validation window; without one from twice the sampling window before the run time. Where neither exists
  /// (sampling disabled) give the range. Throws InputError without any.
  explicit SamplingPicture(const SamplingResult<Time>& result, std::optional<Window<Time>> range = {},
                           FigureOptions options = {})
      : result_(result), figure_(range_of(result, range), with_words(result, std::move(options))) {}

  /// The panel of a condition by its name, with the signal that it looks at. Throws InputError for an unknown name.
  template <Signal S>
  SamplingPicture& condition(const std::string& name, const S& signal, const ConditionDrawing<Time>& drawing = {}) {
    for (const ConditionResult<Time>& each : result_.conditions) {
      if (each.name != name) continue;
      auto& panel = figure_.panel(with_unit(name, drawing.unit));
      panel.shade(each.status.holds(), Shade::holds, "holds: " + each.description);
      panel.shade(each.status.unknown(), Shade::unknown, each.status.unknown().empty() ? "" : "unknown");
      for (const double level : drawing.levels) panel.level(level, fmt::format("{:g}", level));
      for (const Time mark : drawing.marks) panel.mark(mark);
      for (const Time cut : each.status.cuts()) panel.mark(cut);
      panel.line(signal);
      return *this;
    }
    detail::fail("SamplingPicture::condition", Rule::unknown_name, "the result has no condition of this name",
                 {.name = name});
  }

  /// The panel of an input by its name. Throws InputError where the result has values but none of this name.
  template <Signal S>
  SamplingPicture& input(const std::string& name, const S& signal, const std::string& unit = {}) {
    add_intersection();
    auto& panel = figure_.panel(with_unit(name, unit));
    panel.line(signal);
    if (result_.window) panel.shade(WindowSet<Time>{*result_.window}, Shade::chosen, "sampling window");
    if (result_.simulation_time) panel.mark(*result_.simulation_time, labelled_ ? "" : "simulation time");
    labelled_ = true;
    if (!result_.simulation_time) return *this;
    for (const SampledInput<Time>& each : result_.inputs) {
      if (each.name != name) continue;
      const bool average = each.coverage.has_value();
      panel.note(each.value ? fmt::format("{} {:.6g}{}{}", average ? "mean" : "latest", *each.value,
                                          unit.empty() ? "" : " ", unit)
                            : std::string("value missing"));
      if (average) panel.note("coverage " + detail::percent(*each.coverage));
      if (each.age) panel.note("age " + detail::duration_text(seconds(*each.age)));
      return *this;
    }
    detail::fail("SamplingPicture::input", Rule::unknown_name, "the result has no input of this name", {.name = name});
  }

  /// The picture so far.
  [[nodiscard]] const Figure<Time>& figure() {
    add_intersection();
    return figure_;
  }

 private:
  static std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : name + " (" + unit + ")";
  }
  static Window<Time> range_of(const SamplingResult<Time>& result, const std::optional<Window<Time>>& range) {
    if (range) return *range;
    if (result.validation) return *result.validation;
    if (!result.window)
      detail::fail("SamplingPicture", Rule::window_empty, "without a sampling window a range to draw must be given");
    return {result.window->begin - result.window->length(), result.window->end};
  }
  static FigureOptions with_words(const SamplingResult<Time>& result, FigureOptions options) {
    if (options.title.empty()) options.title = "Sampling at run time " + detail::short_time(result.run_time);
    if (!options.caption.empty()) return options;
    if (result.window)
      options.caption = "Sampling window " + detail::window_words(*result.window) + ".";
    else if (result.search)
      options.caption = "No sampling window. " + result.search->reason;
    for (const Finding& note : result.notes) options.caption += " Note: " + note.text + ".";
    return options;
  }

  void add_intersection() {
    if (intersection_ || !result_.combined) return;
    intersection_ = true;
    auto& panel = figure_.panel("all conditions");
    panel.shade(result_.combined->holds(), Shade::both, "hold");
    panel.shade(result_.combined->unknown(), Shade::unknown, result_.combined->unknown().empty() ? "" : "unknown");
    for (const Time cut : result_.combined->cuts()) panel.mark(cut);
    if (!result_.window && result_.search && result_.search->longest_run)
      panel.note("longest run " + detail::duration_text(seconds(result_.search->longest_run->length())));
  }

  SamplingResult<Time> result_;
  Figure<Time> figure_;
  bool intersection_ = false, labelled_ = false;
};

}  // namespace fidelity
