// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/local_order.hpp>
#include <fidelity/io/load_report.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail::io {

/// The rows of one series as they stand in the file.
template <TimePoint Time, class Scalar>
struct CsvRows {
  std::vector<std::string> keys;
  std::vector<Time> times;
  std::vector<Scalar> values;      ///< row by row
  std::vector<std::size_t> lines;  ///< line of each row
  LocalOrder<Time> order = {};
};

/// Sorts the rows stably by time; what was out of order goes into the report (F35).
template <TimePoint Time, class Scalar>
void sort_rows(CsvRows<Time, Scalar>& rows, std::size_t channels, RowOrder order, const std::string& name,
               TimeReport& report) {
  const auto& times = rows.times;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] < times[i - 1])) continue;
    if (order == RowOrder::error)
      throw ParseError(name, rows.lines[i], 1,
                       concat("the stamp is earlier than that of the row before, ", to_text(times[i - 1]),
                              ": the option order may be sort"),
                       to_text(times[i]));
    ++report.backward_steps;
    report.largest_backward_step =
        std::max(report.largest_backward_step, seconds(difference("read_csv", times[i - 1], times[i])));
  }
  if (report.backward_steps == 0) return;
  std::vector<std::size_t> from(times.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::stable_sort(from.begin(), from.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  CsvRows<Time, Scalar> sorted;
  sorted.times.reserve(times.size());
  sorted.lines.reserve(times.size());
  sorted.values.reserve(rows.values.size());
  for (const std::size_t i : from) {
    sorted.times.push_back(times[i]);
    sorted.lines.push_back(rows.lines[i]);
    const auto row = rows.values.begin() + static_cast<std::ptrdiff_t>(i * channels);
    sorted.values.insert(sorted.values.end(), row, row + static_cast<std::ptrdiff_t>(channels));
  }
  rows.times = std::move(sorted.times);
  rows.lines = std::move(sorted.lines);
  rows.values = std::move(sorted.values);
}

/// Removes the channels that are not kept from row-by-row values.
template <class Scalar>
void drop_channels(std::vector<Scalar>& values, const std::vector<bool>& kept) {
  std::size_t out = 0;
  for (std::size_t in = 0, c = 0; in < values.size(); ++in, c = c + 1 == kept.size() ? 0 : c + 1)
    if (kept[c]) values[out++] = values[in];
  values.resize(out);
}

/// Takes the rows without a good sample out and says how many there were (F33).
template <TimePoint Time, class Scalar>
std::size_t drop_bad_rows(CsvRows<Time, Scalar>& rows, std::size_t channels) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.times.size(); ++i) {
    const Scalar* const row = rows.values.data() + i * channels;
    if (std::none_of(row, row + channels, [](Scalar x) { return is_finite(x); })) continue;
    rows.times[kept] = rows.times[i];
    rows.lines[kept] = rows.lines[i];
    std::copy(row, row + channels, rows.values.data() + kept * channels);
    ++kept;
  }
  const std::size_t dropped = rows.times.size() - kept;
  rows.times.resize(kept);
  rows.lines.resize(kept);
  rows.values.resize(kept * channels);
  return dropped;
}

}  // namespace fidelity::detail::io
