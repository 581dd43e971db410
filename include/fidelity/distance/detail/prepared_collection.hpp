// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/metric.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity::detail {

/// Element type of a contiguous range of series.
template <class Range>
using ElementOf = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;

template <class S>
concept HasTimes = requires(const S& series) {
  typename S::time_type;
  series.time(0);
  series.span();
};

template <class S>
std::string name_of(const S& series) {
  if constexpr (requires { std::string(series.name()); }) {
    return std::string(series.name());
  } else if constexpr (requires { std::string(series.name); }) {
    return std::string(series.name);
  } else {
    return {};
  }
}

template <class S>
std::size_t length_of(const S& series) {
  if constexpr (requires { series.size(); }) {
    return static_cast<std::size_t>(series.size());
  } else {
    return 1;
  }
}

/// Pointers to the series of one or two collections, each with the place where the caller put it.
template <class S>
class Collection {
 public:
  Collection() = default;
  template <class Range>
  Collection(std::string name, const Range& range) {
    append(std::move(name), range);
  }
  template <class Range>
  void append(const std::string& name, const Range& range) {
    static_assert(std::is_same_v<ElementOf<Range>, S>, "rows and columns must hold the same type of series");
    for (std::size_t i = 0; i < std::size(range); ++i) {
      const S& series = std::data(range)[i];
      series_.push_back(&series);
      places_.push_back({.collection = name, .index = i, .name = name_of(series)});
    }
  }
  /// One more series, with the place where the caller put it.
  void add(const S& series, InputLocation place) {
    series_.push_back(&series);
    places_.push_back(std::move(place));
  }
  [[nodiscard]] std::size_t size() const { return series_.size(); }
  [[nodiscard]] const S& operator[](std::size_t i) const { return *series_[i]; }
  [[nodiscard]] const InputLocation& place(std::size_t i) const { return places_[i]; }

 private:
  std::vector<const S*> series_;
  std::vector<InputLocation> places_;
};

struct NoOrigin {};

/// The earliest first stamp of all collections. Refuses runs that start so far apart that absolute and elapsed times
/// were mixed up, or runs of different days compared on one time axis.
template <class S>
auto common_origin(std::initializer_list<const Collection<S>*> collections) {
  if constexpr (!HasTimes<S>) {
    return NoOrigin{};
  } else {
    using Time = typename S::time_type;
    std::optional<Time> first, last;
    double longest = 0;
    for (const auto* collection : collections)
      for (std::size_t i = 0; i < collection->size(); ++i) {
        const S& series = (*collection)[i];
        first = first ? std::min(*first, series.time(0)) : series.time(0);
        last = last ? std::max(*last, series.time(0)) : series.time(0);
        longest = std::max(longest, seconds(series.span().length()));
      }
    const double spread = first ? seconds(difference("pairwise", *last, *first)) : 0;
    if (longest > 0 && spread > 10 * longest)
      fail("pairwise", Rule::far_apart,
           concat("the first stamps of the runs spread over ", spread, " s and the longest run lasts ", longest,
                  " s; bring every run to its own start with elapsed(series)"));
    return first;
  }
}

/// Every series checked and packed once if the metric can do that, else as it is.
template <class S, class M, class Origin>
struct Prepared {
  static constexpr bool packs = BatchMetric<M, S>;
  static constexpr bool has_kernel = TileMetric<M, S>;

  static auto pack(const S& series, const M& metric, const Origin& origin, const InputLocation& place) {
    if constexpr (packs) {
      return metric.prepare(series, *origin, place);
    } else {
      return &series;
    }
  }
  using Item = decltype(pack(std::declval<const S&>(), std::declval<const M&>(), std::declval<const Origin&>(), {}));

  Prepared(const Collection<S>& list_, const M& metric, const Origin& origin) : list(list_) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      items.push_back(pack(list[i], metric, origin, list.place(i)));
      lengths.push_back(length_of(list[i]));
    }
  }
  Prepared(Collection<S>&&, const M&, const Origin&) = delete;  // the list is kept
  [[nodiscard]] const auto& operator[](std::size_t i) const {
    if constexpr (packs) {
      return items[i];
    } else {
      return *items[i];
    }
  }

  const Collection<S>& list;
  std::vector<Item> items;
  std::vector<std::size_t> lengths;
};

}  // namespace fidelity::detail
