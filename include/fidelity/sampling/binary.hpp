// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/sampling/conditions.hpp>
#include <fidelity/sampling/logic.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>

namespace fidelity {

/// What stands for unknown in a binary series.
enum class UnknownAs { zero, nan };

struct BinaryOptions {
  UnknownAs unknown = UnknownAs::zero;
  std::string name = {};
};

/// A status as a held series of 0 and 1 at the given stamps, which must increase: 1 where the status holds at the
/// stamp. What happens between two stamps is lost; to combine or search, use the status itself. O(windows + stamps).
/// Throws InputError for no stamps or stamps that do not increase.
template <TimePoint Time>
[[nodiscard]] Series<double, Time> to_binary(const Status<Time>& status,
                                             std::span<const std::type_identity_t<Time>> stamps,
                                             const BinaryOptions& options = {}) {
  std::vector<double> values;
  values.reserve(stamps.size());
  const double unknown = options.unknown == UnknownAs::nan ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  for (const Time t : stamps) {
    const Truth truth = status.at(t);
    values.push_back(truth == Truth::holds ? 1.0 : truth == Truth::unknown ? unknown : 0.0);
  }
  return {
      {stamps.begin(), stamps.end()}, std::move(values), {.name = options.name, .interpolation = Interpolation::hold}};
}

/// On a drift-free grid over the range of the status; its end, which lies outside, included if it is a point.
template <TimePoint Time, class Step>
[[nodiscard]] Series<double, Time> to_binary(const Status<Time>& status, const Every<Step>& every,
                                             const BinaryOptions& options = {}) {
  return to_binary(status, grid_times(every, status.range()), options);
}

template <TimePoint Time = Timestamp>
struct FromBinaryOptions {
  std::optional<Time> end = {};  ///< up to here the last sample counts; without it the last sample covers nothing
};

/// A series of 0 and 1, as control systems log it, as a status: sample i covers the time to the next one, whatever the
/// interpolation of the series, but no more than its max_gap. 1 holds, NaN or infinity is unknown, any other value does
/// not hold. O(samples). Throws InputError for an `end` that is not after the first stamp.
template <class Scalar, TimePoint Time>
[[nodiscard]] Status<Time> status_from_binary(const SeriesBase<Scalar, Time>& series,
                                              const std::type_identity_t<FromBinaryOptions<Time>>& options = {}) {
  const Window<Time> range{series.span().begin, options.end.value_or(series.span().end)};
  if (options.end) detail::require_window("status_from_binary", range);
  const auto held = with_interpolation(series, Interpolation::hold, series.max_gap());
  if (range.empty()) return check(held, Equal{1.0});
  return check(held, Equal{1.0}, {.within = range});
}

}  // namespace fidelity
