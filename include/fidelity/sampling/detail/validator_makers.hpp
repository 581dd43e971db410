// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

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
}  // namespace detail

template <Signal S, class Condition>
Validator<typename S::time_type> logic(std::string name, S signal, Condition condition) {
  using Time = typename S::time_type;
  const auto evaluate = [signal, condition](const Window<Time>& window) {
    return Validated<Time>{check(signal, condition, {.within = window, .as_of = window.end})};
  };
  const auto prepare = [signal, condition](const Window<Time>& range) -> typename Validator<Time>::Evaluate {
    const auto whole = std::make_shared<const Status<Time>>(check(signal, condition, {.within = range}));
    return [signal, condition, whole](const Window<Time>& window) {
      const Time settled = settled_until(signal, condition, window.end);
      Validated<Time> validated{detail::restricted(*whole, window, settled)};
      if constexpr (std::is_same_v<Condition, NotFrozen<Time>>) {
        const Window<Time> tail{std::max(settled, window.begin), window.end};
        if (!tail.empty())
          validated.status =
              detail::with_tail(validated.status, check(signal, condition, {.within = tail, .as_of = window.end}));
      }
      return validated;
    };
  };
  std::string description = to_text(condition);
  return {std::move(name), std::move(description), evaluate, prepare};
}

namespace detail {

/// What a user should know of a steady state analysis.
template <TimePoint Time>
std::vector<Finding> notes_of(const SteadyStateReport<Time>& report) {
  std::vector<Finding> notes;
  const SteadyLimits& limits = report.limits;
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
  return {std::move(report.status), notes_of(report)};
}
template <Signal S>
Validated<typename S::time_type> steady_in(const S& signal, const CogniteSteadyState& options,
                                           const std::optional<Window<typename S::time_type>>& window) {
  CheckOptions<typename S::time_type> range{.within = window};
  if (window) range.as_of = window->end;
  auto report = analyse_steady_state(signal, options, range);
  return {std::move(report.status), notes_of(report, options)};
}

}  // namespace detail

template <Signal S, class Options>
Validator<typename S::time_type> steady(std::string name, S signal, Options options) {
  using Time = typename S::time_type;
  return {std::move(name), "steady",
          [signal, options](const Window<Time>& window) { return detail::steady_in(signal, options, window); }};
}

template <Signal S, class Options>
Validator<typename S::time_type> steady_segmented_once(std::string name, S signal, Options options) {
  using Time = typename S::time_type;
  const auto whole = [signal, options] {
    Validated<Time> validated = detail::steady_in(signal, options, {});
    validated.notes.push_back(
        {"segmented_once", "the change points are those of the whole record, so the verdict looks ahead"});
    return validated;
  };
  const auto seen_in = [](const Validated<Time>& validated, const Window<Time>& window) {
    return Validated<Time>{detail::restricted(validated.status, window, window.end), validated.notes};
  };
  return {std::move(name), "steady, segmented once",
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
  const auto run = [series, detector](Time until) {
    Detector fresh = detector;
    fresh.reset();
    const auto times = series.times();
    for (std::size_t i = 0; i < times.size() && times[i] <= until; ++i)
      fresh.push(times[i], static_cast<double>(series(i)));
    return fresh.status(until);
  };
  const auto evaluate = [run](const Window<Time>& window) {
    return Validated<Time>{detail::restricted(run(window.end), window, window.end)};
  };
  const auto prepare = [run](const Window<Time>& range) -> typename Validator<Time>::Evaluate {
    const auto whole = std::make_shared<const Status<Time>>(run(range.end));
    return
        [whole](const Window<Time>& window) { return Validated<Time>{detail::restricted(*whole, window, window.end)}; };
  };
  return {std::move(name), "steady", evaluate, prepare};
}

}  // namespace fidelity
