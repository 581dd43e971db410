// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <fidelity/report/detail/lines.hpp>
#include <fidelity/sampling/sampler.hpp>
#include <fidelity/sampling/window_search.hpp>

namespace fidelity {

namespace detail {

inline std::string percent(double share) {
  // 100 % and 0 % are said of the whole and of nothing only.
  if (share > 0.9999 && share < 1) return "99.99 %";
  if (share < 0.0001 && share > 0) return "0.01 %";
  return fmt::format("{:.4g} %", 100 * share);
}

template <TimePoint Time>
std::string window_words(const Window<Time>& window) {
  return fmt::format("{} to {} ({})", short_time(window.begin), short_time(window.end),
                     duration_text(seconds(window.length())));
}

template <TimePoint Time>
class SamplingText {
 public:
  explicit SamplingText(const SamplingResult<Time>& result) : r_(result) {}

  std::string write() {
    line_("{}: {}", headline(), fidelity::to_text(r_.mode));
    if (r_.search && !r_.window) line_("  {}", r_.search->reason);
    line_("");
    line_("  run time           {}", short_time(r_.run_time));
    if (r_.validation) line_("  validation window  {}", window_words(*r_.validation));
    if (r_.window) line_("  sampling window    {}", window_words(*r_.window));
    if (r_.simulation_time) line_("  simulation time    {}", short_time(*r_.simulation_time));
    conditions();
    inputs();
    if (!r_.notes.empty()) line_("\nnotes");
    for (const Finding& note : r_.notes) line_("  {}: {}", note.code, note.text);
    return line_.text();
  }

 private:
  [[nodiscard]] const char* headline() const {
    return !r_.simulation_time ? "NO SAMPLING WINDOW" : r_.complete() ? "SAMPLED" : "INCOMPLETE";
  }

  void conditions() {
    if (r_.conditions.empty()) return;
    std::size_t name = 0;
    for (const auto& condition : r_.conditions) name = std::max(name, condition.name.size());
    line_("\nconditions in the validation window");
    for (const auto& c : r_.conditions) {
      const auto longest = c.status.longest(Truth::holds);
      line_("  {:<{}}  holds {:>8}, unknown {:>8}, longest run {}", c.name, name,
            percent(c.status.fraction(Truth::holds)), percent(c.status.fraction(Truth::unknown)),
            longest ? duration_text(seconds(longest->length())) : "none");
      line_("  {:<{}}  {}{}", "", name, c.description,
            c.longest_pause ? "; longest pause " + duration_text(seconds(*c.longest_pause)) : std::string());
    }
    if (r_.window || !r_.search || r_.conditions.size() < 2) return;
    for (const auto& why : r_.search->conditions) {
      line_("  without {:<{}}  {}", why.name, name,
            why.fits_without          ? "would have fitted: " + window_words(*why.longest_run_without)
            : why.longest_run_without ? "longest run " + duration_text(seconds(why.longest_run_without->length()))
                                      : std::string("no run"));
    }
  }

  void inputs() {
    if (r_.inputs.empty()) return;
    std::size_t width = 5;
    for (const auto& input : r_.inputs) width = std::max(width, input.name.size());
    const bool latest = r_.mode == SamplingMode::disabled;
    line_("\n  {:<{}}  {:>14}  {}", "input", width, latest ? "latest value" : "average",
          latest ? "age" : "coverage  samples  longest pause");
    for (const auto& input : r_.inputs) {
      const std::string value = input.value ? fmt::format("{:.8g}", *input.value) : "missing";
      const auto pause = input.longest_pause ? duration_text(seconds(*input.longest_pause)) : std::string("-");
      if (latest)
        line_("  {:<{}}  {:>14}  {}", input.name, width, value,
              input.age ? duration_text(seconds(*input.age)) : std::string("-"));
      else
        line_("  {:<{}}  {:>14}  {:>8}  {:>7}  {}", input.name, width, value, percent(input.coverage.value_or(0)),
              input.samples, pause);
    }
  }

  const SamplingResult<Time>& r_;
  Lines line_;
};

}  // namespace detail

/// A sampling result for people: mode, windows, conditions, values with their coverage, notes; on failure what was in
/// the way and what would have fitted. Ends with a line end.
template <TimePoint Time>
[[nodiscard]] std::string to_text(const SamplingResult<Time>& result) {
  return detail::SamplingText<Time>(result).write();
}

}  // namespace fidelity

/// `fmt::print("{}", result)`.
template <fidelity::TimePoint Time>
struct fmt::formatter<fidelity::SamplingResult<Time>> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::SamplingResult<Time>& result, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(result), context);
  }
};

/// `fmt::print("{}", window)`.
template <fidelity::TimePoint Time>
struct fmt::formatter<fidelity::Window<Time>> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::Window<Time>& window, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(window), context);
  }
};
