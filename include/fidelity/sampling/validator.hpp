// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/finding.hpp>
#include <fidelity/sampling/cognite.hpp>
#include <fidelity/sampling/logic.hpp>
#include <fidelity/sampling/online.hpp>
#include <fidelity/sampling/steady_state.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

/// The status of a condition in one window, and what a user should know about how it came about.
template <TimePoint Time = Timestamp>
struct Validated {
  Status<Time> status;
  std::vector<Finding> notes = {};
  std::optional<Duration<Time>> longest_pause = {};  ///< longest time without a sample that was bridged in the window
};

/// A named condition on the plant that can be evaluated for any run time: with the data up to then and no later. Made
/// by `logic`, `steady` and `online` below, or from a function of your own, which backfill may call from several
/// threads at once. A Series in it shares its samples; a SeriesView borrows them and must not outlive their owner.
template <TimePoint Time = Timestamp>
class Validator {
 public:
  /// Answers for one window as of its end.
  using Evaluate = std::function<Validated<Time>(const Window<Time>& window)>;
  /// Does once what many windows inside `range` share; the answers are the same.
  using Prepare = std::function<Evaluate(const Window<Time>& range)>;

  /// Any condition: `evaluate` gets a window [begin, end) and returns the status there, using no sample later than end.
  /// `description` is the condition in words.
  Validator(std::string name, std::string description, Evaluate evaluate, Prepare prepare = {})
      : name_(std::move(name)),
        description_(std::move(description)),
        evaluate_(std::move(evaluate)),
        prepare_(std::move(prepare)) {
    if (!evaluate_) detail::fail("Validator", Rule::empty, "there is no function to evaluate", {.name = name_});
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] Validated<Time> evaluate(const Window<Time>& window) const { return evaluate_(window); }
  /// For many windows inside `range`.
  [[nodiscard]] Evaluate prepared(const Window<Time>& range) const { return prepare_ ? prepare_(range) : evaluate_; }

 private:
  std::string name_, description_;
  Evaluate evaluate_;
  Prepare prepare_;
};

/// A logic or data condition of logic.hpp: logic("running", channel(plant, "flow"), Greater{45.0}).
template <Signal S, class Condition>
[[nodiscard]] Validator<typename S::time_type> logic(std::string name, S signal, Condition condition);

/// A condition on the difference a - b: logic("forward", inlet, outlet, Greater{0.0}).
template <Signal A, Signal B, LevelCondition Condition>
  requires std::same_as<typename A::time_type, typename B::time_type>
[[nodiscard]] Validator<typename A::time_type> logic(std::string name, A a, B b, Condition condition);

/// Steady state: steady("quiet", channel(plant, "pressure"), SteadyStateOptions{...}), or CogniteSteadyState{...}. Its
/// change points are searched in the window alone, anew for each run time; a sample at its very end belongs to it.
/// Throws InputError where the options set `within` or `as_of`, which the plan decides.
template <Signal S, class Options = SteadyStateOptions<typename S::time_type>>
[[nodiscard]] Validator<typename S::time_type> steady(std::string name, S signal, Options options = {});

/// Steady state with the change points of the whole record, searched once: much faster for many run times, but it
/// looks ahead of each run time, and says so in every result.
template <Signal S, class Options = SteadyStateOptions<typename S::time_type>>
[[nodiscard]] Validator<typename S::time_type> steady_segmented_once(std::string name, S signal, Options options = {});

/// An online detector, pushed through the whole record: online("calm", channel(plant, "flow"), Cusum<>{{}}). The state
/// after the last sample lasts until the run time, within the detector's max_gap.
template <class Detector, class Series>
[[nodiscard]] Validator<typename Detector::time_type> online(std::string name, Series series, Detector detector);

}  // namespace fidelity

#include <fidelity/sampling/detail/validator_makers.hpp>
