// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/outline.hpp>

namespace fidelity::detail {

inline void name_runs(std::vector<RunSummary>& runs, std::size_t count, std::string_view noun) {
  runs.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (runs[i].name.empty()) runs[i].name = concat(noun, " ", i + 1);
}

/// What a comparison keeps of each run.
template <class S, class Origin>
std::vector<RunSummary> summarise(const Collection<S>& list, [[maybe_unused]] const Origin& origin,
                                  std::string_view noun) {
  std::vector<RunSummary> runs(list.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].name = list.place(i).name;
    runs[i].samples = length_of(list[i]);
    if constexpr (HasTimes<S>) {
      runs[i].begin = seconds(difference("compare", list[i].time(0), *origin));
      runs[i].duration = seconds(list[i].span().length());
      if constexpr (SampledSignal<S>)  // a Sequence has no channels to draw
        for (std::size_t c = 0; c < list[i].channels(); ++c) runs[i].outlines.push_back(outline(list[i], c, *origin));
    }
  }
  name_runs(runs, runs.size(), noun);
  return runs;
}

/// Names and spans alone, as they were before anything was cut.
template <class S>
std::vector<RunSummary> spans_of(const Collection<S>& list, std::string_view noun) {
  std::vector<RunSummary> runs(list.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].name = list.place(i).name;
    runs[i].duration = seconds(list[i].span().length());
  }
  name_runs(runs, runs.size(), noun);
  return runs;
}

}  // namespace fidelity::detail
