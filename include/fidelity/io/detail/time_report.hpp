// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fidelity/io/load_report.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity::detail::io {

/// Whether two rows have the same values, NaN equal to NaN.
template <class Scalar>
bool same_values(const Scalar* a, const Scalar* b, std::size_t channels) {
  for (std::size_t c = 0; c < channels; ++c)
    if (!(a[c] == b[c]) && !(is_nan(static_cast<double>(a[c])) && is_nan(static_cast<double>(b[c])))) return false;
  return true;
}

/// Counts the stamps that occur more than once; the stamps are sorted. Gives the first row that repeats a stamp.
template <class Scalar, TimePoint Time>
std::optional<std::size_t> count_duplicates(std::span<const Time> times, const std::vector<Scalar>& values,
                                            std::size_t channels, Duplicates policy, TimeReport& report) {
  std::optional<std::size_t> first_repeated;
  for (std::size_t first = 0, next = 0; first < times.size(); first = next) {
    bool identical = true;
    for (next = first + 1; next < times.size() && times[next] == times[first]; ++next)
      identical = identical && same_values(&values[first * channels], &values[next * channels], channels);
    if (next - first == 1) continue;
    if (!first_repeated) first_repeated = first + 1;
    ++report.duplicate_times;
    ++(identical ? report.identical_duplicates : report.conflicting_duplicates);
    if (policy == Duplicates::event) {
      ++report.event_times;
      report.event_rows_dropped += next - first - 2;
    }
  }
  return first_repeated;
}

/// What a series tells about its steps: period, median, gaps.
template <class Scalar, TimePoint Time>
void describe_steps(const SeriesBase<Scalar, Time>& series, TimeReport& report) {
  constexpr std::size_t most_gaps = 10;
  const auto times = series.times();
  report.first = to_text(times.front());
  report.last = to_text(times.back());
  if (const auto step = period(series)) report.period = seconds(*step);
  std::vector<Duration<Time>> steps;
  steps.reserve(report.period ? 0 : times.size());
  std::optional<std::size_t> longest;
  const auto gap = [&](std::size_t i) {
    return GapReport{to_text(times[i - 1]), to_text(times[i]), seconds(times[i] - times[i - 1])};
  };
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto step = times[i] - times[i - 1];
    if (!(step > Duration<Time>{})) continue;
    if (!report.period) steps.push_back(step);
    if (!longest || step > times[*longest] - times[*longest - 1]) longest = i;
    if (!series.max_gap() || step <= *series.max_gap()) continue;
    ++report.gaps;
    if (report.first_gaps.size() < most_gaps) report.first_gaps.push_back(gap(i));
  }
  if (longest) report.longest_gap = gap(*longest);
  report.median_step = report.period;
  if (steps.empty()) return;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  double median = seconds(*middle);
  if (steps.size() % 2 == 0) median = (median + seconds(*std::max_element(steps.begin(), middle))) / 2;
  report.median_step = median;
}

/// The report of a whole file from those of its series: sums, the extremes, and steps on which all agree.
inline void add_times(TimeReport& sum, const TimeReport& one, bool is_first, bool is_earlier, bool is_later) {
  if (is_first) {
    sum = one;
    return;
  }
  if (is_earlier) sum.first = one.first;
  if (is_later) sum.last = one.last;
  sum.samples += one.samples;
  if (sum.median_step != one.median_step) sum.median_step.reset();
  if (sum.period != one.period) sum.period.reset();
  sum.backward_steps += one.backward_steps;
  sum.largest_backward_step = std::max(sum.largest_backward_step, one.largest_backward_step);
  sum.duplicate_times += one.duplicate_times;
  sum.identical_duplicates += one.identical_duplicates;
  sum.conflicting_duplicates += one.conflicting_duplicates;
  sum.event_times += one.event_times;
  sum.event_rows_dropped += one.event_rows_dropped;
  if (one.longest_gap && (!sum.longest_gap || one.longest_gap->seconds > sum.longest_gap->seconds))
    sum.longest_gap = one.longest_gap;
  sum.gaps += one.gaps;
  for (const GapReport& gap : one.first_gaps)
    if (sum.first_gaps.size() < 10) sum.first_gaps.push_back(gap);
}

}  // namespace fidelity::detail::io
