// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/median.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity::detail {

/// Medians over the steps between neighbouring samples of all series.
struct TypicalSteps {
  double value = 0;         ///< of the changes of value; of those that are not 0 where most are 0
  double time = 0;          ///< seconds, without the steps of events
  std::size_t count = 0;    ///< number of steps
  std::size_t changes = 0;  ///< number of those in which the value changes
  std::size_t series = 0;
  bool mostly_constant = false;  ///< the median of all changes would be 0
};

class StepCollector {
 public:
  StepCollector(std::string_view function, Norm norm, std::vector<double> scale)
      : function_(function),
        twed_{.stiffness = 0, .penalty = 0, .norm = norm, .scale = std::move(scale), .accept_events = true} {}

  /// A Twed without prices checks the series; its deletions cost the changes of value.
  template <class Scalar, TimePoint Time>
  void add(const SeriesBase<Scalar, Time>& series, const InputLocation& place) {
    const auto prepared = twed_.prepare(series, series.time(0), place);
    if (steps_.series++ == 0) channels_ = series.channels();
    if (series.channels() != channels_)
      fail(function_, Rule::channel_mismatch,
           concat("the series have ", channels_, " and ", series.channels(), " channels"), prepared.place);
    for (std::size_t i = 1; i < series.size(); ++i) {
      values_.push_back(prepared.packed.deletions[i]);
      if (!is_finite(values_.back()))
        throw Overflow(concat("fidelity::", function_, ": a change of value is outside the range of double, in ",
                              place_text(prepared.place)));
      if (series.time(i - 1) < series.time(i))
        times_.push_back(seconds(difference(function_, series.time(i), series.time(i - 1))));
    }
  }

  [[nodiscard]] TypicalSteps steps() const {
    TypicalSteps steps = steps_;
    std::vector<double> changes;
    std::copy_if(values_.begin(), values_.end(), std::back_inserter(changes), [](double x) { return x > 0; });
    if (changes.empty() || times_.empty())
      fail(function_, Rule::empty,
           values_.empty() ? "series of one sample have no steps to take a scale from"
                           : "no value changes between neighbouring samples, so there is no scale to take; choose "
                             "stiffness and penalty from the deviations of value and time that matter");
    steps.count = values_.size();
    steps.changes = changes.size();
    steps.value = median(values_);
    steps.mostly_constant = !(steps.value > 0);
    if (steps.mostly_constant) steps.value = median(std::move(changes));
    steps.time = median(times_);
    return steps;
  }

 private:
  std::string_view function_;
  Twed twed_;
  std::size_t channels_ = 0;
  std::vector<double> values_, times_;
  TypicalSteps steps_;
};

template <class Scalar, TimePoint Time>
TypicalSteps typical_steps(std::string_view function, const SeriesBase<Scalar, Time>& series, const Norm& norm,
                           const std::vector<double>& scale) {
  StepCollector collector(function, norm, scale);
  collector.add(series, {.collection = "series"});
  return collector.steps();
}
template <class Range>
  requires SampledSignal<ElementOf<Range>> TypicalSteps typical_steps(std::string_view function, const Range& runs,
                                                                      const Norm& norm,
                                                                      const std::vector<double>& scale) {
    StepCollector collector(function, norm, scale);
    const Collection<ElementOf<Range>> list("runs", runs);
    for (std::size_t i = 0; i < list.size(); ++i) collector.add(list[i], list.place(i));
    return collector.steps();
  }

/// One series, or a contiguous range of them.
template <class Runs>
concept SeriesOrRange = SampledSignal<Runs> || SampledSignal<ElementOf<Runs>>;

}  // namespace fidelity::detail
