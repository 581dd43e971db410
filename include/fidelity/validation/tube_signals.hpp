// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/series/series.hpp>
#include <fidelity/validation/tube.hpp>

namespace fidelity {

/// Does a name match a pattern in which * stands for any text and ? for one byte?
[[nodiscard]] inline bool matches_pattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++n, ++p;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// What is asked of the signals whose name matches a pattern.
template <TimePoint Time = Timestamp>
struct TubeRule {
  std::string pattern;  ///< an exact name is a pattern too
  Tube<Time> tube = {};
  std::optional<Interpolation> interpolation = {};  ///< of test and reference; by default that of the series
  bool skip = false;                                ///< left out on purpose
};

/// One signal of two files.
template <TimePoint Time = Timestamp>
struct SignalCheck {
  std::string name;
  TubeResult<Time> result;
  std::optional<Interpolation> interpolation = {};
};

/// Many signals of two files, held against each other by name.
template <TimePoint Time = Timestamp>
struct SignalChecks {
  Verdict verdict = Verdict::incomplete;
  std::vector<SignalCheck<Time>> signals;  ///< in the order of the reference
  std::vector<std::string> extra;          ///< in the test only: not judged
  std::vector<std::string> skipped;        ///< left out on purpose
};

/// Fail if any signal fails; else incomplete if any could not be judged or there is none; else pass.
template <TimePoint Time>
[[nodiscard]] Verdict summary(const std::vector<SignalCheck<Time>>& signals) {
  Verdict verdict = signals.empty() ? Verdict::incomplete : Verdict::pass;
  for (const auto& signal : signals) {
    if (signal.result.verdict == Verdict::fail) return Verdict::fail;
    if (signal.result.verdict == Verdict::incomplete) verdict = Verdict::incomplete;
  }
  return verdict;
}

/// Holds every channel of the reference against the channel of the same name in the test. The rule with
/// exactly its name decides, else the first whose pattern matches, else `otherwise`. A signal that is missing in the
/// test is incomplete, one that only the test has is listed in `extra`. Throws what check_tube() throws, and InputError
/// for channels without names.
template <class A, class B, TimePoint Time>
[[nodiscard]] SignalChecks<Time> check_tubes(const SeriesBase<A, Time>& test, const SeriesBase<B, Time>& reference,
                                             const std::vector<TubeRule<Time>>& rules = {},
                                             const Tube<Time>& otherwise = {}) {
  for (const auto& [names, side] :
       {std::pair{test.channel_names(), "test"}, std::pair{reference.channel_names(), "reference"}})
    if (names.empty())
      detail::fail("check_tubes", Rule::unknown_name,
                   "signals are held against each other by name; channels need names", {.collection = side});
  const auto has = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  SignalChecks<Time> checks;
  for (const std::string& name : reference.channel_names()) {
    auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const TubeRule<Time>& each) { return each.pattern == name; });
    if (rule == rules.end())
      rule = std::find_if(rules.begin(), rules.end(),
                          [&](const TubeRule<Time>& each) { return matches_pattern(name, each.pattern); });
    if (rule != rules.end() && rule->skip) {
      checks.skipped.push_back(name);
      continue;
    }
    const Tube<Time>& tube = rule == rules.end() ? otherwise : rule->tube;
    SignalCheck<Time> check{name, {}, rule == rules.end() ? std::nullopt : rule->interpolation};
    if (!has(test.channel_names(), name)) {
      check.result.tube = tube;
      check.result.reason = {"missing_in_test", "the test has no signal of this name"};
    } else {
      const auto view = [&](const auto& series) {
        const auto one = channel(series, name);
        return check.interpolation ? with_interpolation(one, *check.interpolation, one.max_gap()) : one;
      };
      check.result = check_tube(view(test), view(reference), tube);
    }
    checks.signals.push_back(std::move(check));
  }
  for (const std::string& name : test.channel_names())
    if (!has(reference.channel_names(), name)) checks.extra.push_back(name);
  checks.verdict = summary(checks.signals);
  return checks;
}

}  // namespace fidelity
