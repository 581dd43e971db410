// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/detail/prefix_sum.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/statistics.hpp>

namespace fidelity {

/// A signal prepared for the time-weighted means of many windows. Preparing is O(n), a window O(log n), and O(1) on
/// average where windows come in order; 24 bytes a piece beside the signal, of which it keeps a copy (a view must
/// outlive it). For a few windows use mean().
///
/// The integral is summed with twice the digits of a double, so that neither the number of samples nor the values
/// before the window cost precision: a mean is off by a few units in the last place of the largest value in its
/// window.
template <Signal S>
class PreparedMeans {
 public:
  using time_type = typename S::time_type;
  using Time = time_type;

  explicit PreparedMeans(S signal) : signal_(std::move(signal)) { prepare(); }

  /// Mean and coverage as mean(signal, window, options) gives them. O(log n).
  [[nodiscard]] Aggregate mean(const Window<Time>& window, const AggregateOptions& options = {}) const {
    detail::require_options("PreparedMeans::mean", options);
    detail::require_window("PreparedMeans::mean", window);
    return mean_between(window, options, find(window.begin), find(window.end));
  }

  /// The means of many windows, in any order; O(1) on average where their begins and their ends do not fall.
  [[nodiscard]] std::vector<Aggregate> means(std::span<const Window<Time>> windows,
                                             const AggregateOptions& options = {}) const {
    detail::require_options("PreparedMeans::means", options);
    std::vector<Aggregate> all;
    all.reserve(windows.size());
    Place from, to;
    for (const auto& window : windows) {
      detail::require_window("PreparedMeans::means", window);
      move(from, window.begin);
      move(to, window.end);
      all.push_back(mean_between(window, options, from, to));
    }
    return all;
  }

  /// The means of the windows between n >= 2 edges, which must increase: n - 1 of them.
  [[nodiscard]] std::vector<Aggregate> between(std::span<const Time> edges,
                                               const AggregateOptions& options = {}) const {
    detail::require_options("window_means", options);
    if (edges.size() < 2) detail::fail("window_means", Rule::empty, "a window needs two edges");
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!detail::is_finite_time(edges[i]))
        detail::fail("window_means", Rule::time_not_finite, "an edge must be finite", {.sample = i});
      if (i > 0 && !(edges[i - 1] < edges[i]))
        detail::fail("window_means", Rule::time_not_increasing, "the edges must increase", {.sample = i});
    }
    std::vector<Aggregate> all(edges.size() - 1);
    Place from, to;
    move(from, edges[0]);
    std::optional<Segment<Time>> piece = piece_at(from.piece);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i, from = to) {
      const Window<Time> window{edges[i], edges[i + 1]};
      to = from;
      move(to, window.end);
      const bool moved = to.piece != from.piece;
      if (!begins_.empty() && runs_[from.run].begin <= window.begin && window.end <= runs_[from.run].end) {
        // Known all over the window, and the piece at its begin is at hand.
        double sum = 0;
        if (moved) {
          sum = detail::integral_between(*piece, window.begin, piece->window.end) +
                sums_[to.piece].minus(sums_[from.piece + 1]);
          piece = piece_at(to.piece);
          sum += detail::integral_between(*piece, piece->window.begin, window.end);
        } else {
          sum = detail::integral_between(*piece, window.begin, window.end);
        }
        all[i] = {detail::finite_result("window_means", sum / seconds(window.end - window.begin)), 1};
      } else {
        all[i] = mean_between(window, options, from, to);
        if (moved) piece = piece_at(to.piece);
      }
    }
    return all;
  }

 private:
  /// Pieces that touch.
  struct Run {
    Time begin, end;
    detail::PrefixSum known_before;  // seconds
  };
  /// The last piece and the last run that begin at or before a time; the first ones for a time before all.
  struct Place {
    std::size_t piece = 0, run = 0;
  };

  void prepare() {
    std::optional<Segment<Time>> last;
    detail::PrefixSum sum, known;
    const std::size_t places = signal_.segment_count();
    begins_.reserve(places);
    sums_.reserve(places);
    for (std::size_t i = 0; i < places; ++i) {
      const auto piece = signal_.segment(i);
      if (!piece) continue;
      if (last) {
        sum.add(detail::integral_between(*last, last->window.begin, last->window.end));
        known.add(seconds(last->window.end - last->window.begin));
      }
      if (!last || last->window.end != piece->window.begin) {
        if (last) runs_.back().end = last->window.end;
        runs_.push_back({piece->window.begin, piece->window.end, known});
      }
      if (i != begins_.size() && places_.empty())
        for (std::size_t k = 0; k < begins_.size(); ++k) places_.push_back(k);
      if (i != begins_.size()) places_.push_back(i);
      begins_.push_back(piece->window.begin);
      sums_.push_back(sum);
      last = piece;
    }
    if (last) runs_.back().end = last->window.end;
  }

  [[nodiscard]] std::optional<Segment<Time>> piece_at(std::size_t k) const {
    return signal_.segment(places_.empty() ? k : places_[k]);
  }

  /// Moves `at` to the last of the sorted times that is <= t: forward in doubling steps, or from the start.
  template <class TimeOf>
  static void seek(std::size_t& at, std::size_t count, Time t, TimeOf time_of) {
    if (count == 0 || (time_of(at) <= t && (at + 1 == count || t < time_of(at + 1)))) return;
    std::size_t low = at, high = count;
    if (time_of(at) <= t) {
      for (std::size_t step = 1; low + step < count; low += step, step *= 2) {
        if (t < time_of(low + step)) {
          high = low + step;
          break;
        }
      }
    } else {
      high = std::exchange(low, 0);
    }
    while (low + 1 < high) {
      const std::size_t middle = low + (high - low) / 2;
      (time_of(middle) <= t ? low : high) = middle;
    }
    at = low;
  }
  void move(Place& place, Time t) const {
    seek(place.piece, begins_.size(), t, [&](std::size_t k) { return begins_[k]; });
    seek(place.run, runs_.size(), t, [&](std::size_t k) { return runs_[k].begin; });
  }

  /// The same from nowhere: the signal may know a faster way.
  [[nodiscard]] Place find(Time t) const {
    Place place;
    if (places_.empty() && !begins_.empty())
      place.piece = std::min(signal_.segment_at(t).value_or(0), begins_.size() - 1);
    else
      seek(place.piece, begins_.size(), t, [&](std::size_t k) { return begins_[k]; });
    seek(place.run, runs_.size(), t, [&](std::size_t k) { return runs_[k].begin; });
    return place;
  }

  [[nodiscard]] Aggregate mean_between(const Window<Time>& window, const AggregateOptions& options, Place from,
                                       Place to) const {
    const double length = seconds(window.length());
    Aggregate result{{}, 0};
    if (begins_.empty() || window.end <= begins_.front()) return result;
    // The part from the first known instant to the last: what lies in a gap moves to its edge.
    Time begin = std::max(window.begin, begins_.front()), end = window.end;
    if (begin >= runs_[from.run].end) {
      if (from.run + 1 == runs_.size() || runs_[from.run + 1].begin >= end) return result;
      begin = runs_[++from.run].begin;
      ++from.piece;
    }
    end = std::min(end, runs_[to.run].end);

    double known = seconds(end - begin);
    if (from.run != to.run)
      known = seconds(runs_[from.run].end - begin) +
              runs_[to.run].known_before.minus(runs_[from.run + 1].known_before) + seconds(end - runs_[to.run].begin);
    result.coverage = known == length ? 1.0 : std::min(1.0, known / length);
    if (!detail::answers(result.coverage, options)) return result;

    const auto first = piece_at(from.piece);
    double sum = 0;
    if (from.piece == to.piece) {
      sum = detail::integral_between(*first, begin, end);
    } else {
      sum = detail::integral_between(*first, begin, first->window.end) + sums_[to.piece].minus(sums_[from.piece + 1]) +
            detail::integral_between(*piece_at(to.piece), begins_[to.piece], end);
    }
    result.value = detail::finite_result("mean", sum / known);
    return result;
  }

  S signal_;
  std::vector<Time> begins_;             // of the pieces that are there
  std::vector<detail::PrefixSum> sums_;  // integral up to there
  std::vector<std::size_t> places_;      // of the pieces in the signal; empty where piece k is at place k
  std::vector<Run> runs_;
};

/// Time-weighted means of the windows between n >= 2 increasing edges: what a sensor that averages reads. n - 1
/// aggregates, each as mean() gives it; O(pieces + edges). Throws InputError for fewer than two edges and edges that do
/// not increase.
template <Signal S>
[[nodiscard]] std::vector<Aggregate> window_means(const S& signal, std::span<const typename S::time_type> edges,
                                                  const AggregateOptions& options = {}) {
  return PreparedMeans<S>(signal).between(edges, options);
}

}  // namespace fidelity
