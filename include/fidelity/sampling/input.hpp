// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/sampling/detail/as_of.hpp>
#include <fidelity/series/sample_statistics.hpp>
#include <fidelity/series/statistics.hpp>

namespace fidelity {

/// The value of one input of a simulation, and how well it is known.
template <TimePoint Time = Timestamp>
struct SampledInput {
  std::string name;
  std::optional<double> value = {};
  std::optional<double> coverage = {};               ///< of an average: share of the window in which it is known
  std::size_t samples = 0;                           ///< good samples in the window
  std::optional<Duration<Time>> longest_pause = {};  ///< between two samples, bridged inside the window
  std::optional<Time> time = {};                     ///< of a latest value: its stamp
  std::optional<Duration<Time>> age = {};            ///< of a latest value
  bool bad_since = false;                            ///< bad samples follow a latest value
};

/// A named signal that a plan samples: Input<>{"feed", channel(plant, "feed")}. A Series shares its samples; a
/// SeriesView borrows them and must not outlive their owner.
template <TimePoint Time = Timestamp>
class Input {
 public:
  /// Averaged over time, exactly: mean() of statistics.hpp.
  template <Signal S>
    requires std::same_as<typename S::time_type, Time> Input(std::string name, S signal)
        : Input(std::move(name), std::move(signal),
                [](const auto& known, const Window<Time>& window, double min_coverage) {
                  return mean(known, window, {.min_coverage = min_coverage});
                }) {}

    /// Averaged in another way, by a function that backfill may call from several threads at once: average(signal,
    /// window, min_coverage) -> Aggregate, where the signal has no sample later than the run time.
    template <Signal S, class Average>
      requires std::same_as<typename S::time_type, Time> Input(std::string name, S signal, Average average)
          : name_(std::move(name)),
            average_(
                [signal, average, this_name = name_](const Window<Time>& window, Time run_time, double min_coverage) {
                  SampledInput<Time> input{this_name, {}, 0.0};
                  detail::as_of(signal, run_time, [&](const auto& known) {
                    const Aggregate result = average(known, window, min_coverage);
                    if (result.value && !detail::is_finite(*result.value))
                      detail::fail("Input::average", Rule::value_not_finite, "the average is not a finite number",
                                   {.name = this_name, .value = *result.value});
                    input.value = result.value;
                    input.coverage = result.coverage;
                    const auto count = detail::count_known(known, window);
                    input.samples = count.good;
                    input.longest_pause = count.longest_pause;
                  });
                  return input;
                }),
            latest_([signal, this_name = name_](Time run_time, std::optional<Duration<Time>> max_age) {
              SampledInput<Time> input{this_name};
              const LatestValue<Time> found = detail::latest_known(signal, run_time, max_age);
              input.value = found.value;
              input.time = found.time;
              input.age = found.age;
              input.bad_since = found.bad_since;
              return input;
            }) {}

      [[nodiscard]] const std::string& name() const { return name_; }
      /// The average over a window, with the samples up to run_time.
      [[nodiscard]] SampledInput<Time> average(const Window<Time>& window, Time run_time,
                                               double min_coverage = 0) const {
        return average_(window, run_time, min_coverage);
      }
      /// The last good value at or before run_time.
      [[nodiscard]] SampledInput<Time> latest(Time run_time, std::optional<Duration<Time>> max_age = {}) const {
        return latest_(run_time, max_age);
      }

     private:
      std::string name_;
      std::function<SampledInput<Time>(const Window<Time>&, Time, double)> average_;
      std::function<SampledInput<Time>(Time, std::optional<Duration<Time>>)> latest_;
};

/// Every channel of a series as an input, under its name. Throws InputError where channels have no names.
template <class Scalar, TimePoint Time>
[[nodiscard]] std::vector<Input<Time>> inputs_of(const SeriesBase<Scalar, Time>& series) {
  std::vector<Input<Time>> inputs;
  for (std::size_t c = 0; c < series.channels(); ++c) {
    const auto one = channel(series, c);
    if (one.name().empty())
      detail::fail("inputs_of", Rule::unknown_name, "the channels of the series need names", {.index = c});
    inputs.emplace_back(std::string(one.name()), one);
  }
  return inputs;
}
template <class Scalar, TimePoint Time>
void inputs_of(const Series<Scalar, Time>&&) = delete;

}  // namespace fidelity
