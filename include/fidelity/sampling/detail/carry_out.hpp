// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/sampling/sampler.hpp>

namespace fidelity {

template <TimePoint Time>
bool SamplingResult<Time>::complete() const {
  return simulation_time.has_value() &&
         std::all_of(inputs.begin(), inputs.end(), [](const auto& input) { return input.value.has_value(); });
}

namespace detail {

template <class Named>
void refuse_repeated_names(std::string_view function, const char* collection, const std::vector<Named>& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (all[i].name() == all[k].name())
        fail(function, Rule::unknown_name, concat("the name '", all[i].name(), "' is given twice"),
             {.collection = collection, .index = i, .name = all[i].name()});
}

template <class D>
void require_length(std::string_view function, const char* name, const std::optional<D>& length, const char* why) {
  if (!length) fail(function, Rule::bad_parameter, concat(name, " is missing: ", why));
  if (!(seconds(*length) > 0) || !is_finite(seconds(*length)))
    fail(function, Rule::bad_parameter, concat(name, " must be longer than 0"), {.value = seconds(*length)});
}

/// Throws for a plan that lacks what its mode needs. Returns the mode.
template <TimePoint Time>
SamplingMode check_plan(std::string_view function, const SamplingPlan<Time>& plan,
                        const std::vector<Validator<Time>>& validators, const std::vector<Input<Time>>& inputs) {
  refuse_repeated_names(function, "validators", validators);
  refuse_repeated_names(function, "inputs", inputs);
  if (!(plan.min_coverage >= 0 && plan.min_coverage <= 1))
    fail(function, Rule::bad_parameter, "min_coverage must lie between 0 and 1", {.value = plan.min_coverage});
  if (!plan.enabled) return SamplingMode::disabled;
  if (plan.max_age) fail(function, Rule::bad_parameter, "max_age is for latest values: with enabled = false only");
  require_length(function, "sampling_window", plan.sampling_window, "averages need it (or set enabled = false)");
  if (validators.empty()) {
    if (plan.validation_window || plan.combine || plan.align || plan.straddle)
      fail(function, Rule::empty,
           "validation_window, combine, align and straddle are for validators, but there is none",
           {.collection = "validators"});
    return SamplingMode::sampling;
  }
  require_length(function, "validation_window", plan.validation_window, "the validators need a range to search");
  return SamplingMode::validated;
}

/// The time `length` before `t`. Throws Overflow where the time type does not reach back so far.
template <TimePoint Time>
Time before(std::string_view function, Time t, Duration<Time> length) {
  if constexpr (!std::same_as<Time, double>) {
    if (std::integral<typename Time::rep> && t.time_since_epoch() < Duration<Time>::min() + length)
      throw Overflow(
          concat("fidelity::", function, ": the time type does not reach ", seconds(length), " s before ", to_text(t)));
  }
  return t - length;
}

template <TimePoint Time>
void note_value(const SampledInput<Time>& input, const std::optional<Duration<Time>>& sampling_window,
                std::vector<Finding>& notes) {
  const auto note = [&](const char* code, const std::string& text) {
    notes.push_back({code, concat("input '", input.name, "': ", text)});
  };
  if (input.bad_since && input.time)
    note("bad_since", "bad samples follow the last good value; the source may have failed");
  if (!input.value) {
    if (input.coverage && *input.coverage > 0)
      note("value_missing", concat("known in ", short_text(std::min(99.9999, 100 * *input.coverage)),
                                   " % of the window, less than asked for"));
    else if (input.coverage)
      note("value_missing", "nothing is known in the window");
    else if (input.time)
      note("value_missing", concat("the last good value is from ", short_time(*input.time), ", older than max_age"));
    else
      note("value_missing", "there is no good sample at or before the run time");
    return;
  }
  if (input.coverage && *input.coverage < 1)
    note("coverage_below_1",
         concat("known in ", short_text(std::min(99.9999, 100 * *input.coverage)), " % of the window"));
  if (input.coverage && input.samples == 0)
    note("value_old", "no sample lies in the window; the value reaches in from before");
  else if (input.longest_pause && sampling_window && *input.longest_pause > *sampling_window)
    note("value_old", concat("a pause of ", duration_text(seconds(*input.longest_pause)),
                             " between samples was bridged, longer than the sampling window"));
  if (input.age && sampling_window && *input.age > *sampling_window)
    note("value_old",
         concat("the value is ", duration_text(seconds(*input.age)), " old, more than one sampling window"));
}

/// Calls f; an error of it says for which condition or input, and at which run time.
template <TimePoint Time, class F>
auto in_context(const char* kind, const std::string& name, Time run_time, F&& f) {
  const auto where = [&] { return concat(kind, " '", name, "' at run time ", short_time(run_time), ": "); };
  try {
    return f();
  } catch (const InputError& error) {
    throw InputError(error.rule, where() + error.what(), error);
  } catch (const Overflow& error) {
    throw Overflow(where() + error.what());
  }
}

/// One run time. `evaluate[i]` answers for validator i.
template <TimePoint Time>
SamplingResult<Time> carry_out(std::string_view function, const SamplingPlan<Time>& plan, SamplingMode mode,
                               Time run_time, const std::vector<Validator<Time>>& validators,
                               const std::vector<typename Validator<Time>::Evaluate>& evaluate,
                               const std::vector<Input<Time>>& inputs) {
  if (!is_finite_time(run_time)) fail(function, Rule::time_not_finite, "the run time must be finite");
  SamplingResult<Time> result{mode, run_time};
  if (mode == SamplingMode::disabled) {
    result.simulation_time = run_time;
    if (!validators.empty())
      result.notes.push_back({"conditions_not_used", "sampling is disabled: the conditions were not evaluated"});
    for (const Input<Time>& input : inputs)
      result.inputs.push_back(
          in_context("input", input.name(), run_time, [&] { return input.latest(run_time, plan.max_age); }));
  } else {
    const Duration<Time> length = *plan.sampling_window;
    if (mode == SamplingMode::sampling) {
      result.window = Window<Time>{before(function, run_time, length), run_time};
    } else {
      const Window<Time> searched{before(function, run_time, *plan.validation_window), run_time};
      result.validation = searched;
      std::vector<Status<Time>> statuses;
      for (std::size_t i = 0; i < validators.size(); ++i) {
        Validated<Time> validated =
            in_context("condition", validators[i].name(), run_time, [&] { return evaluate[i](searched); });
        for (Finding& note : validated.notes)
          result.notes.push_back({std::move(note.code), concat("condition '", validators[i].name(), "': ", note.text)});
        statuses.push_back(std::move(validated.status));
        result.conditions.push_back({validators[i].name(), validators[i].description(), {}, validated.longest_pause});
      }
      const WindowOptions<Time> options{
          .length = length, .within = searched, .straddle = plan.straddle, .align = plan.align};
      result.combined = plan.combine ? plan.combine(statuses) : at_least(statuses.size(), statuses);
      result.search = find_window(*result.combined, options);
      if (!result.search->window && !plan.combine) {  // once more, to explain each condition
        std::vector<Named<Time>> named;
        for (std::size_t i = 0; i < validators.size(); ++i) named.push_back({validators[i].name(), statuses[i]});
        result.search = find_window(named, options);
      }
      for (std::size_t i = 0; i < validators.size(); ++i) result.conditions[i].status = std::move(statuses[i]);
      result.window = result.search->window;
    }
    if (!result.window) return result;
    result.simulation_time = plan.simulation_time == SimulationTime::middle  ? middle(*result.window)
                             : plan.simulation_time == SimulationTime::begin ? result.window->begin
                                                                             : result.window->end;
    for (const Input<Time>& input : inputs)
      result.inputs.push_back(in_context("input", input.name(), run_time,
                                         [&] { return input.average(*result.window, run_time, plan.min_coverage); }));
  }
  for (const SampledInput<Time>& input : result.inputs) note_value(input, plan.sampling_window, result.notes);
  return result;
}

}  // namespace detail

template <TimePoint Time>
SamplingResult<Time> sample(const SamplingPlan<Time>& plan,
                            const std::vector<Validator<std::type_identity_t<Time>>>& validators,
                            const std::vector<Input<std::type_identity_t<Time>>>& inputs) {
  const SamplingMode mode = detail::check_plan("sample", plan, validators, inputs);
  std::vector<typename Validator<Time>::Evaluate> evaluate;
  for (const auto& validator : validators)
    evaluate.push_back([&validator](const Window<Time>& window) { return validator.evaluate(window); });
  return detail::carry_out("sample", plan, mode, Time(plan.run_time), validators, evaluate, inputs);
}

template <TimePoint Time>
std::vector<SamplingResult<Time>> backfill(const SamplingPlan<Time>& plan,
                                           const std::vector<std::type_identity_t<Time>>& run_times,
                                           const std::vector<Validator<std::type_identity_t<Time>>>& validators,
                                           const std::vector<Input<std::type_identity_t<Time>>>& inputs,
                                           const BackfillOptions& options) {
  const SamplingMode mode = detail::check_plan("backfill", plan, validators, inputs);
  std::vector<SamplingResult<Time>> results;
  if (run_times.empty()) return results;
  for (std::size_t i = 0; i < run_times.size(); ++i)
    if (!detail::is_finite_time(run_times[i]))
      detail::fail("backfill", Rule::time_not_finite, "the run times must be finite",
                   {.collection = "run_times", .index = i});
  std::vector<typename Validator<Time>::Evaluate> evaluate;
  if (mode == SamplingMode::validated) {
    const auto [first, last] = std::minmax_element(run_times.begin(), run_times.end());
    const Window<Time> range{detail::before("backfill", *first, *plan.validation_window), *last};
    for (const auto& validator : validators) evaluate.push_back(validator.prepared(range));
  }
  results.resize(run_times.size(), SamplingResult<Time>{mode, run_times[0]});
  constexpr std::size_t chunk = 16;
  const std::size_t chunks = (run_times.size() + chunk - 1) / chunk;
  std::vector<char> finished(run_times.size());  // not bool: threads write neighbours
  detail::ProgressReport progress(options.progress, static_cast<double>(run_times.size()));
  detail::parallel_for(chunks, detail::thread_count(options.threads, run_times.size() >= 1000), [&](std::size_t k) {
    const std::size_t end = std::min(run_times.size(), (k + 1) * chunk);
    for (std::size_t i = k * chunk; i < end; ++i) {
      results[i] = detail::carry_out("backfill", plan, mode, run_times[i], validators, evaluate, inputs);
      finished[i] = true;
    }
    return progress.add(static_cast<double>(end - k * chunk));
  });
  if (progress.cancelled()) {
    const auto count = static_cast<std::size_t>(std::count(finished.begin(), finished.end(), char{1}));
    throw Cancelled(
        detail::concat("fidelity::backfill: cancelled after ", count, " of ", run_times.size(), " run times"), count,
        run_times.size(), {finished.begin(), finished.end()});
  }
  return results;
}

}  // namespace fidelity
