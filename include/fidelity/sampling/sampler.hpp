// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/detail/parallel.hpp>
#include <fidelity/finding.hpp>
#include <fidelity/sampling/detail/required.hpp>
#include <fidelity/sampling/input.hpp>
#include <fidelity/sampling/validator.hpp>
#include <fidelity/sampling/window_search.hpp>

namespace fidelity {

/// The instant that a simulation with the sampled inputs stands for.
enum class SimulationTime { middle, begin, end };

/// When and how to sample a plant. `run_time` must be given by name. Three modes follow from the rest:
///
///   .enabled = false                       the latest values at the run time; no window, no validation
///   no validators                          averages over [run_time - sampling_window, run_time)
///   validators and .validation_window      averages over the newest stretch as long as the sampling window, inside
///                                          [run_time - validation_window, run_time), in which all conditions hold
template <TimePoint Time = Timestamp>
struct SamplingPlan {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::RequiredTime<Time> run_time;
  std::optional<Duration<Time>> sampling_window = {};    ///< needed unless sampling is disabled
  std::optional<Duration<Time>> validation_window = {};  ///< needed where there are validators
  bool enabled = true;
  SimulationTime simulation_time = SimulationTime::middle;
  double min_coverage = 0;                     ///< an average over less of the window is missing, 0 to 1
  std::optional<Duration<Time>> max_age = {};  ///< where sampling is disabled: a value that is older is missing
  bool straddle = false;                       ///< true: the window may reach across level jumps of a steady state
  std::optional<Duration<Time>> align = {};    ///< the end of the window is a multiple of this, from the epoch
  /// The status in which the window is searched, from those of the validators in their order; by default all hold.
  std::function<Status<Time>(const std::vector<Status<Time>>&)> combine = {};
};

enum class SamplingMode { disabled, sampling, validated };
[[nodiscard]] constexpr std::string_view to_text(SamplingMode mode) {
  return mode == SamplingMode::disabled   ? "sampling disabled"
         : mode == SamplingMode::sampling ? "sampling only"
                                          : "sampling and validation";
}

/// A condition in the range that was searched.
template <TimePoint Time = Timestamp>
struct ConditionResult {
  std::string name, description;
  Status<Time> status;
  std::optional<Duration<Time>> longest_pause = {};  ///< longest time without a sample that was bridged
};

/// The outcome of a plan. Where no window was found there are no values and `search` says why; there is no fallback.
template <TimePoint Time = Timestamp>
struct SamplingResult {
  SamplingMode mode;
  Time run_time;
  std::optional<Window<Time>> validation = {};  ///< the range searched
  std::optional<Window<Time>> window = {};      ///< sampling begin and end
  std::optional<Time> simulation_time = {};     ///< missing where no window was found
  std::vector<SampledInput<Time>> inputs = {};  ///< in the order given; none where no window was found
  std::vector<ConditionResult<Time>> conditions = {};
  std::optional<Status<Time>> combined = {};      ///< the status that was searched
  std::optional<WindowSearch<Time>> search = {};  ///< of the mode with validation
  std::vector<Finding> notes = {};                ///< what a user should know before trusting the values

  /// Are there values to simulate with? False where no window was found or a value is missing.
  [[nodiscard]] bool complete() const;
};

/// Carries a plan out: a pure function of plan, data and run time. It uses samples with a stamp <= run_time only, so
/// that a live run and a later one on the same data agree. Throws InputError for a plan without the windows its mode
/// needs or with options that its mode would not use (a disabled plan may keep those of the other modes), for lengths
/// that are not positive, and names given twice. Errors of a condition or input name it and the run time.
template <TimePoint Time = Timestamp>
[[nodiscard]] SamplingResult<Time> sample(const SamplingPlan<Time>& plan,
                                          const std::vector<Validator<std::type_identity_t<Time>>>& validators,
                                          const std::vector<Input<std::type_identity_t<Time>>>& inputs);

struct BackfillOptions {
  std::optional<unsigned> threads = {};  ///< default: all for many run times
  ProgressCallback progress = {};        ///< unit: run times
};

/// Carries a plan out for many run times (of a grid: grid_times(Every{15min}, window)), in the order given, each
/// exactly as `sample` would; `plan.run_time` is not used. Logic, data and online conditions are evaluated once over
/// the whole record: O(log n + windows and samples inside) for each run time then. Steady state is analysed anew for
/// each.
template <TimePoint Time = Timestamp>
[[nodiscard]] std::vector<SamplingResult<Time>> backfill(
    const SamplingPlan<Time>& plan, const std::vector<std::type_identity_t<Time>>& run_times,
    const std::vector<Validator<std::type_identity_t<Time>>>& validators,
    const std::vector<Input<std::type_identity_t<Time>>>& inputs, const BackfillOptions& options = {});

}  // namespace fidelity

#include <fidelity/sampling/detail/carry_out.hpp>
