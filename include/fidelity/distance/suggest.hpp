// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/typical_steps.hpp>
#include <fidelity/distance/norm.hpp>
#include <fidelity/distance/twed.hpp>

namespace fidelity {

struct SuggestOptions {
  Norm norm = 2;                   ///< that of the Twed
  std::vector<double> scale = {};  ///< that of the Twed
  std::string unit = {};           ///< of the scaled values, for the words
};

/// Parameters for a Twed, with the reason in words.
struct ParameterSuggestion {
  double stiffness;  ///< unit of the values per second
  double penalty;    ///< unit of the values
  std::string why;
};

/// A start for thinking about the parameters of a Twed, from one series or from the pooled steps of a range of them:
/// penalty = median |step of value| between neighbouring samples, stiffness = the same divided by the median time step,
/// so that deleting a sample and being late by one sample both cost as much as a typical step. Nothing in the library
/// uses it on its own. O(samples) time and memory.
///
/// Where most steps are 0 (a held or quantised signal) the median is that of the others, and `why` says so. InputError
/// (empty) where no value changes at all: there is no scale to take, and 0 would compare nothing. InputError also for
/// bad samples and for different numbers of channels.
template <detail::SeriesOrRange Runs>
[[nodiscard]] ParameterSuggestion suggest(const Runs& runs, const SuggestOptions& options = {});

/// How large the parameters of a Twed are, relative to the steps of the data. Both ratios are 1 for what suggest()
/// returns; far below it time or deletions are nearly free, far above it hardly anything is ever deleted.
struct ParameterScales {
  double value_step;            ///< median |step of value|, as in suggest()
  double time_step;             ///< median time step in seconds
  double stiffness_times_step;  ///< stiffness * time_step: the price of being late by one sample, in unit of the values
  double stiffness_ratio;       ///< stiffness * time_step / value_step
  double penalty_ratio;         ///< penalty / value_step
  std::string text;             ///< all of it in one sentence
};

/// The scales for the parameters, norm and factors of `twed`, from one series or a range of them. `unit` is that of the
/// scaled values, for the words. Throws as suggest() does.
template <detail::SeriesOrRange Runs>
[[nodiscard]] ParameterScales parameter_scales(const Runs& runs, const Twed& twed, std::string_view unit = {});

namespace detail {
/// "0.5 m", "0.5 m/s"; without a unit "0.5", "0.5 per second".
inline std::string amount_text(double amount, std::string_view unit, bool per_second = false) {
  if (unit.empty()) return short_text(amount) + (per_second ? " per second" : "");
  return concat(short_text(amount), " ", unit, per_second ? "/s" : "");
}

inline std::string source_text(const TypicalSteps& steps) {
  std::string text = concat(steps.count, " steps in ", steps.series, " series");
  if (steps.mostly_constant) text = concat(steps.changes, " steps that are not 0, of ") + text;
  return text;
}
}  // namespace detail

template <detail::SeriesOrRange Runs>
ParameterSuggestion suggest(const Runs& runs, const SuggestOptions& options) {
  const detail::TypicalSteps steps = detail::typical_steps("suggest", runs, options.norm, options.scale);
  const double stiffness = steps.value / steps.time;
  if (!detail::is_finite(stiffness) || stiffness == 0)
    throw Overflow("fidelity::suggest: the stiffness is outside the range of double");
  return {stiffness, steps.value,
          detail::concat("penalty ", detail::amount_text(steps.value, options.unit), ": the median |step of value| of ",
                         detail::source_text(steps), "; stiffness ", detail::amount_text(stiffness, options.unit, true),
                         ": the same divided by the median time step of ", detail::short_text(steps.time),
                         " s. A start for thinking: deleting a sample, or being late by one, costs a typical step")};
}

template <detail::SeriesOrRange Runs>
ParameterScales parameter_scales(const Runs& runs, const Twed& twed, std::string_view unit) {
  const detail::TypicalSteps steps = detail::typical_steps("parameter_scales", runs, twed.norm, twed.scale);
  const double late = twed.stiffness * steps.time, late_ratio = late / steps.value;
  const double penalty_ratio = twed.penalty / steps.value;
  for (const double ratio : {late, late_ratio, penalty_ratio})
    if (!detail::is_finite(ratio)) throw Overflow("fidelity::parameter_scales: a ratio is outside the range of double");
  return {steps.value,
          steps.time,
          late,
          late_ratio,
          penalty_ratio,
          detail::concat("stiffness ", detail::amount_text(twed.stiffness, unit, true), " costs ",
                         detail::amount_text(late, unit), " for the median time step of ",
                         detail::short_text(steps.time), " s, ", detail::short_text(late_ratio),
                         " times the median |step of value| of ", detail::amount_text(steps.value, unit), " (",
                         detail::source_text(steps), "); penalty ", detail::amount_text(twed.penalty, unit), " is ",
                         detail::short_text(penalty_ratio), " times that step")};
}

}  // namespace fidelity
