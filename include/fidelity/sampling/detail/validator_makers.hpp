// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fidelity/sampling/detail/pause_index.hpp>
#include <fidelity/sampling/validator.hpp>

namespace fidelity {

namespace detail {
/// The status with its part in `tail.range()` replaced.
template <TimePoint Time>
Status<Time> with_tail(const Status<Time>& status, const Status<Time>& tail) {
  const WindowSet<Time> replaced{tail.range()};
  return Status<Time>(status.range(), (status.holds() - replaced) | tail.holds(),
                      (status.unknown() - replaced) | tail.unknown(), {status.cuts().begin(), status.cuts().end()});
}

/// A condition in words: those of its own, else its name.
template <class Condition>
std::string description_of(const Condition& condition) {
  if constexpr (requires { to_text(condition); })
    return to_text(condition);
  else if constexpr (requires { std::string(condition.name); })
    return std::string(condition.name);
  else
    return "condition";
}

template <TimePoint Time>
std::optional<Duration<Time>> longer(std::optional<Duration<Time>> a, std::optional<Duration<Time>> b) {
  return !a || (b && *a < *b) ? b : a;
}

}  // namespace detail

template <Signal S, class Condition>
Validator<typename S::time_type> logic(std::string name, S signal, Condition condition) {
  using Time = typename S::time_type;
  const auto evaluate = [signal, condition](const Window<Time>& window) {
    return Validated<Time>{
        check(signal, condition, {.within = window, .as_of = window.end}), {}, detail::longest_pause(signal, window)};
  };
  const auto prepare = [signal, condition](const Window<Time>& range) -> typename Validator<Time>::Evaluate {
    const auto whole = std::make_shared<const Status<Time>>(check(signal, condition, {.within = range}));
    const auto pauses = std::make_shared<const detail::PauseIndex<S>>(signal);
    return [signal, condition, whole, pauses](const Window<Time>& window) {
      const Time settled = settled_until(signal, condition, window.end);
      Validated<Time> validated{detail::restricted(*whole, window, settled), {}, pauses->longest(window)};
      if constexpr (std::is_same_v<Condition, NotFrozen<Time>>) {
        const Window<Time> tail{std::max(settled, window.begin), window.end};
        if (!tail.empty())
          validated.status =
              detail::with_tail(validated.status, check(signal, condition, {.within = tail, .as_of = window.end}));
      }
      return validated;
    };
  };
  return {std::move(name), detail::description_of(condition), evaluate, prepare};
}

template <Signal A, Signal B, LevelCondition Condition>
  requires std::same_as<typename A::time_type, typename B::time_type> Validator<typename A::time_type> logic(
      std::string name, A a, B b, Condition condition) {
    using Time = typename A::time_type;
    const auto evaluate = [a, b, condition](const Window<Time>& window) {
      return Validated<Time>{check_difference(a, b, condition, {.within = window, .as_of = window.end}),
                             {},
                             detail::longer<Time>(detail::longest_pause(a, window), detail::longest_pause(b, window))};
    };
    const auto prepare = [a, b, condition](const Window<Time>& range) -> typename Validator<Time>::Evaluate {
      const auto whole = std::make_shared<const Status<Time>>(check_difference(a, b, condition, {.within = range}));
      const auto of_a = std::make_shared<const detail::PauseIndex<A>>(a);
      const auto of_b = std::make_shared<const detail::PauseIndex<B>>(b);
      return [a, b, condition, whole, of_a, of_b](const Window<Time>& window) {
        const Time settled = std::min(settled_until(a, condition, window.end), settled_until(b, condition, window.end));
        return Validated<Time>{detail::restricted(*whole, window, settled),
                               {},
                               detail::longer<Time>(of_a->longest(window), of_b->longest(window))};
      };
    };
    return {std::move(name), "difference " + detail::description_of(condition), evaluate, prepare};
  }

namespace detail {

/// A rate in the unit of time in which it reads best.
inline std::string rate_text(const Rate& rate) {
  const double per_second = rate.per_second();
  if (per_second * 3600 < 10) return short_text(3600 * per_second) + "/h";
  return per_second * 60 < 10 ? short_text(60 * per_second) + "/min" : short_text(per_second) + "/s";
}

template <TimePoint Time>
std::string description_of(const SteadyStateOptions<Time>& options) {
  std::string words = "steady";
  words += options.noise_max ? concat(", noise <= ", short_text(*options.noise_max)) : ", noise limit derived";
  words += options.slope_max ? ", slope <= " + rate_text(*options.slope_max) : ", slope limit derived";
  if (options.min_duration) words += ", sections of " + duration_text(seconds(*options.min_duration));
  return words;
}
inline std::string description_of(const CogniteSteadyState& options) {
  return concat("steady as the connector finds it: ", options.min_section_size, ", ", options.var_threshold, ", ",
                options.slope_threshold);
}

/// What a user should know of a steady state analysis.
template <TimePoint Time>
std::vector<Finding> notes_of(const SteadyStateReport<Time>& report) {
  std::vector<Finding> notes;
  const SteadyLimits& limits = report.limits;
  for (auto segment = report.segments.rbegin(); segment != report.segments.rend(); ++segment) {
    if (segment->steady()) continue;
    std::string why;
    if (segment->noise_failed)
      why = concat("noise ", short_text(segment->spread), " above ", short_text(*limits.noise_max));
    if (segment->slope_failed)
      why += concat(why.empty() ? "" : ", ", "slope ", rate_text(Rate{std::abs(segment->slope), 1.0}), " against ",
                    rate_text(*limits.slope_max));
    notes.push_back({"not_steady", concat("the newest section that is not steady is ",
                                          fidelity::to_text(segment->window), ": ", why)});
    break;
  }
  if (limits.noise_derived && limits.noise_max)
    notes.push_back({"derived_limits", concat("noise_max = ", short_text(*limits.noise_max),
                                              " was derived from the window; give it for production")});
  if (limits.slope_derived && limits.slope_max)
    notes.push_back({"derived_limits", concat("slope_max = ", short_text(60 * limits.slope_max->per_second()),
                                              " per minute was derived from the window; give it for production")});
  return notes;
}
template <TimePoint Time>
std::vector<Finding> notes_of(const CogniteSteadyStateReport<Time>& report, const CogniteSteadyState& options) {
  std::vector<Finding> notes;
  if (report.min_section_size < options.min_section_size)
    notes.push_back({"section_clamped", concat("min_section_size ", options.min_section_size, " was lowered to ",
                                               report.min_section_size, ", half of the grid points")});
  if (report.mean && report.divisor && *report.divisor != *report.mean)
    notes.push_back(
        {"mean_clamped", concat("the mean ", short_text(*report.mean), " is outside of what the test divides by; ",
                                short_text(*report.divisor), " was used, which changes every verdict")});
  return notes;
}

template <Signal S>
Validated<typename S::time_type> steady_in(const S& signal, SteadyStateOptions<typename S::time_type> options,
                                           const std::optional<Window<typename S::time_type>>& window) {
  options.within = window;
  if (window) options.as_of = window->end;
  auto report = analyse_steady_state(signal, options);
  std::optional<Duration<typename S::time_type>> pause;
  if (report.samples > 1) pause = report.longest_pause;
  return {std::move(report.status), notes_of(report), pause};
}
template <Signal S>
  requires SampledSignal<S> Validated<typename S::time_type> steady_in(
      const S& signal, const CogniteSteadyState& options, const std::optional<Window<typename S::time_type>>& window) {
    CheckOptions<typename S::time_type> range{.within = window};
    if (window) range.as_of = window->end;
    auto report = analyse_steady_state(signal, options, range);
    Validated<typename S::time_type> validated{std::move(report.status), notes_of(report, options)};
    if (window) validated.longest_pause = longest_pause(signal, *window);
    return validated;
  }

/// The range is the plan's to decide.
template <class Options>
void require_open_range(std::string_view function, const std::string& name, const Options& options) {
  if constexpr (requires { options.within; })
    if (options.within || options.as_of)
      fail(function, Rule::bad_parameter, "within and as_of are decided by the plan and must not be set",
           {.name = name});
}

}  // namespace detail

template <Signal S, class Options>
Validator<typename S::time_type> steady(std::string name, S signal, Options options) {
  using Time = typename S::time_type;
  detail::require_open_range("steady", name, options);
  static_assert(!std::is_same_v<Options, CogniteSteadyState> || detail::SampledSignal<S>,
                "CogniteSteadyState looks at samples: give it a series");
  return {std::move(name), detail::description_of(options),
          [signal, options](const Window<Time>& window) { return detail::steady_in(signal, options, window); }};
}

template <Signal S, class Options>
Validator<typename S::time_type> steady_segmented_once(std::string name, S signal, Options options) {
  using Time = typename S::time_type;
  detail::require_open_range("steady_segmented_once", name, options);
  const auto whole = [signal, options] {
    Validated<Time> validated = detail::steady_in(signal, options, {});
    validated.notes.push_back(
        {"segmented_once", "the change points are those of the whole record, so the verdict looks ahead"});
    return validated;
  };
  const auto seen_in = [](const Validated<Time>& validated, const Window<Time>& window) {
    return Validated<Time>{detail::restricted(validated.status, window, window.end), validated.notes,
                           validated.longest_pause};
  };
  return {std::move(name), detail::description_of(options) + ", segmented once",
          [whole, seen_in](const Window<Time>& window) { return seen_in(whole(), window); },
          [whole, seen_in](const Window<Time>&) -> typename Validator<Time>::Evaluate {
            return [shared = std::make_shared<const Validated<Time>>(whole()), seen_in](const Window<Time>& window) {
              return seen_in(*shared, window);
            };
          }};
}

template <class Detector, class Series>
Validator<typename Detector::time_type> online(std::string name, Series series, Detector detector) {
  using Time = typename Detector::time_type;
  detail::require_one_channel("online", series);
  if (const auto gap = series.max_gap()) detector.limit_gap(*gap);
  const auto run = [series, detector](Time until) {
    Detector fresh = detector;
    fresh.reset();
    const auto times = series.times();
    for (std::size_t i = 0; i < times.size() && times[i] <= until; ++i)
      fresh.push(times[i], static_cast<double>(series(i)));
    return fresh.status(until);
  };
  const auto evaluate = [series, run](const Window<Time>& window) {
    return Validated<Time>{restrict_to(run(window.end), window), {}, detail::longest_pause(series, window)};
  };
  const auto prepare = [series, run](const Window<Time>& range) -> typename Validator<Time>::Evaluate {
    const auto whole = std::make_shared<const Status<Time>>(run(range.end));
    const auto pauses = std::make_shared<const detail::PauseIndex<Series>>(series);
    return [whole, pauses](const Window<Time>& window) {
      return Validated<Time>{restrict_to(*whole, window), {}, pauses->longest(window)};
    };
  };
  return {std::move(name), "steady", evaluate, prepare};
}

}  // namespace fidelity
