// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/input_hash.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity::detail {

template <class S>
std::optional<std::size_t> first_bad_sample(const S& run) {
  for (std::size_t i = 0; i < run.size(); ++i)
    for (std::size_t c = 0; c < run.channels(); ++c)
      if (!is_finite(run(i, c))) return i;
  return std::nullopt;
}

/// The runs without those that hold a bad value, which are listed. Runs that are no series are kept: their distance
/// has to say so.
template <class S>
Collection<S> valid_runs(const Collection<S>& list, std::vector<InvalidRun>& invalid, std::string_view noun) {
  if constexpr (!Sampled<S>) {
    return list;
  } else {
    Collection<S> valid;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (const auto sample = first_bad_sample(list[i])) {
        const std::string& name = list.place(i).name;
        invalid.push_back({name.empty() ? concat(noun, " ", i + 1) : name, i, *sample});
      } else {
        valid.add(list[i], list.place(i));
      }
    }
    if (valid.size() == 0 && !invalid.empty()) {
      InputLocation where = list.place(0);
      where.sample = invalid.front().sample;
      fail("compare", Rule::value_not_finite,
           concat("every one of ", list.size(), " runs holds a NaN or infinite value"), where);
    }
    return valid;
  }
}

/// A series that can be brought to another grid.
template <class S>
concept Griddable = Sampled<S> && std::is_constructible_v < S,
        const Series<typename S::scalar_type, typename S::time_type>
& > ;

/// The time in which every run is known.
template <class S>
Window<typename S::time_type> common_window(std::initializer_list<const Collection<S>*> lists) {
  std::optional<Window<typename S::time_type>> common;
  for (const auto* list : lists)
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto span = (*list)[i].span();
      common = common ? Window{std::max(common->begin, span.begin), std::min(common->end, span.end)} : span;
    }
  if (!(common->begin < common->end)) fail("compare", Rule::window_empty, "the runs have no time in common");
  return *common;
}

/// Copies of the runs on the grid begin, begin + step, ... of a window.
template <class S>
auto on_grid(const Collection<S>& list, double step, const Window<typename S::time_type>& window) {
  using Time = typename S::time_type;
  if (!(step < seconds(window.length())))
    fail("compare", Rule::bad_parameter,
         concat("common_grid must be shorter than the time that all runs have in common, ", seconds(window.length()),
                " s"),
         {.value = step});
  const Every every{offset<Time>("compare", Time{}, step) - Time{}};
  std::vector<Series<typename S::scalar_type, Time>> runs;
  runs.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) runs.push_back(resample(list[i], every, window));
  return runs;
}

template <class S, class Run>
Collection<Run> in_place_of(const Collection<S>& list, const std::vector<Run>& runs) {
  Collection<Run> copies;
  for (std::size_t i = 0; i < runs.size(); ++i) copies.add(runs[i], list.place(i));
  return copies;
}

}  // namespace fidelity::detail
