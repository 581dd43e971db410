// SPDX-License-Identifier: MIT
// Definitions of what steady_state.hpp declares.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fidelity/sampling/detail/steady_samples.hpp>
#include <fidelity/sampling/detail/steady_segments.hpp>
#include <fidelity/sampling/steady_state.hpp>

namespace fidelity::detail {

template <TimePoint Time>
void require_steady_options(const SteadyStateOptions<Time>& options) {
  const auto bad = [](const char* sentence, double value) {
    fail("steady_state", Rule::bad_parameter, sentence, {.value = value});
  };
  const auto noise = options.noise_max, jump = options.level_jump;
  if (noise && !(*noise >= 0)) bad("noise_max must not be negative", *noise);
  if (options.slope_max && !(options.slope_max->per_second() >= 0))
    bad("slope_max must not be negative", options.slope_max->per_second());
  if (jump && !(*jump >= 0)) bad("level_jump must not be negative", *jump);
  if (noise && !is_finite(*noise) && !(options.slope_max && jump))
    bad("with an infinite noise_max give slope_max and level_jump, which else would be infinite too", *noise);
  if (!(options.confidence >= 0 && options.confidence < 1)) bad("confidence must lie in [0, 1)", options.confidence);
  if (!(options.stickiness >= 1) || !is_finite(options.stickiness))
    bad("stickiness must be finite and at least 1", options.stickiness);
  if (const auto d = options.min_duration) {
    if (!(*d >= Duration<Time>{}) || !is_finite_duration(*d))
      bad("min_duration must be finite and not negative", seconds(*d));
    if (*d == Duration<Time>{} && !options.slope_max) bad("with a min_duration of 0 give slope_max", 0);
  }
  if (options.step && (!(*options.step > Duration<Time>{}) || !is_finite_duration(*options.step)))
    bad("step must be positive and finite", seconds(*options.step));
}

/// Steps in a duration, rounded up; in double a whole number is seen through its rounding.
template <class D>
std::size_t steps_in(D duration, D step) {
  constexpr bool integer = requires { requires std::integral<typename D::rep>; };
  if constexpr (!integer) {
    return static_cast<std::size_t>(std::min(1e15, std::ceil(duration / step * (1 - 1e-9))));
  } else {
    return static_cast<std::size_t>(duration / step) + (duration % step > D{} ? 1 : 0);
  }
}

template <TimePoint Time>
void require_size(const SteadyInput<Time>& input, const SteadyStateCost& cost) {
  constexpr std::size_t most = 20'000;
  if (!std::holds_alternative<EmpiricalDistribution>(cost)) return;
  for (const auto& piece : input.pieces)
    if (piece.values.size() > most)
      fail("steady_state", Rule::bad_parameter,
           concat(piece.values.size(),
                  " samples in one piece are too many for the cost EmpiricalDistribution, whose "
                  "time is quadratic; at most ",
                  most, ": take means of cells (`step`), a shorter range (`within`), or `.cost = L2{}`"));
}

template <class S>
SteadyInput<typename S::time_type> steady_input(const S& signal, const Scope<typename S::time_type>& scope,
                                                const SteadyStateOptions<typename S::time_type>& options) {
  if (options.step) return cells_in_pieces(signal, scope, *options.step, options.as_of);
  if constexpr (SampledSignal<S>) {
    if (signal.interpolation() == Interpolation::linear) return samples_in_pieces(signal, scope);
    fail("steady_state", Rule::bad_parameter,
         "a held series needs `step`, the width of the cells whose means are analysed",
         {.name = std::string(signal.name())});
  } else {
    fail("steady_state", Rule::bad_parameter,
         "a signal not made of samples needs `step`, the width of the cells whose means are analysed");
  }
}

template <TimePoint Time>
SteadyLimits given_limits(const SteadyStateOptions<Time>& options, const SteadyInput<Time>& input) {
  SteadyLimits limits{
      options.noise_max, options.level_jump, options.slope_max, !options.noise_max, !options.slope_max, {}, 15};
  if (options.min_duration) limits.min_duration_seconds = seconds(*options.min_duration);
  if (input.median_step) {
    if (options.min_duration)
      limits.min_section_size = std::max<std::size_t>(3, steps_in(*options.min_duration, *input.median_step));
    else
      limits.min_duration_seconds = 15 * seconds(*input.median_step);
  }
  return limits;
}

template <class D>
void derive_limits(SteadyLimits& limits, const std::vector<SpreadOverTime<D>>& segments) {
  if (!limits.noise_max && !segments.empty()) limits.noise_max = 3 * spread_of_the_quieter_half(segments);
  if (!limits.noise_max) return;
  if (!limits.level_jump) limits.level_jump = *limits.noise_max / 3;
  if (!limits.slope_max && limits.min_duration_seconds)
    limits.slope_max = Rate(*limits.noise_max, *limits.min_duration_seconds);
}

}  // namespace fidelity::detail

namespace fidelity {

template <Signal S>
SteadyStateReport<typename S::time_type> analyse_steady_state(
    const S& signal, const SteadyStateOptions<typename S::time_type>& options) {
  using Time = typename S::time_type;
  detail::require_steady_options(options);
  const auto scope = detail::scope_of_signal("steady_state", signal,
                                             CheckOptions<Time>{.within = options.within, .as_of = options.as_of});
  const detail::SteadyInput<Time> input = detail::steady_input(signal, scope, options);
  detail::require_size(input, options.cost);

  SteadyStateReport<Time> report;
  report.limits = detail::given_limits(options, input);
  report.longest_pause = input.longest_pause;
  report.pieces = input.pieces.size();
  std::vector<std::vector<detail::LineSegment>> found(input.pieces.size());
  std::vector<detail::SpreadOverTime<Duration<Time>>> spreads;
  for (std::size_t p = 0; p < found.size(); ++p) {
    const auto& piece = input.pieces[p];
    report.samples += piece.values.size();
    if (piece.values.size() < report.limits.min_section_size) {
      ++report.pieces_too_short;
      continue;
    }
    found[p] = detail::line_segments(piece.seconds, piece.values, options.cost, options.penalty,
                                     report.limits.min_section_size);
    for (const auto& segment : found[p]) {
      const Time end = segment.end < piece.stamps.size() ? piece.stamps[segment.end] : piece.end;
      spreads.push_back({segment.line.spread, end - piece.stamps[segment.begin]});
    }
  }
  detail::derive_limits(report.limits, spreads);

  detail::StatusBuilder<Time> status(scope.range);
  std::vector<Time> cuts;
  for (std::size_t p = 0; p < found.size(); ++p) {
    const auto& piece = input.pieces[p];
    bool follows_steady = false;
    for (std::size_t k = 0; k < found[p].size(); ++k) {
      const auto& [begin, end, line] = found[p][k];
      const double factor = follows_steady ? options.stickiness : 1;
      const auto verdict =
          detail::judge(line, {factor * *report.limits.noise_max, factor * report.limits.slope_max->per_second(),
                               options.confidence, options.strict});
      const bool steady = verdict.steady();
      const Window<Time> window{piece.stamps[begin], end < piece.stamps.size() ? piece.stamps[end] : piece.end};
      report.segments.push_back({window, end - begin, line.mean, line.spread, line.slope, line.standard_error,
                                 verdict.noise_failed, verdict.slope_failed});
      if (k > 0) report.change_points.push_back(window.begin);
      status.put(window.begin, window.end, steady ? Truth::holds : Truth::does_not_hold);
      if (steady && follows_steady &&
          detail::jumps_level(piece.seconds, piece.values, found[p][k - 1], found[p][k], *report.limits.level_jump))
        cuts.push_back(window.begin);
      follows_steady = steady;
    }
  }
  report.status = status.finish(std::move(cuts));
  return report;
}

}  // namespace fidelity
