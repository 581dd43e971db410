// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/samples.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

struct SequenceOptions {
  std::string name = {};
  bool events = false;  ///< two samples at one time are accepted
};

/// Samples of any type with time stamps: states of a controller, categories, whole frames; what twed_with() compares
/// where values are not numbers. For numbers there is Series.
///
///   const fd::Sequence<std::string, double> run({0.0, 1.5, 4.0}, {"idle", "heat", "hold"}, {.name = "run 7"});
///
/// At least one sample; the constructor throws InputError for none, for different numbers of stamps and values, a stamp
/// that is not finite or earlier than the one before, and equal stamps unless `events`; Overflow where the span does
/// not fit into the time type.
template <class Value, TimePoint Time = Timestamp>
class Sequence {
 public:
  using value_type = Value;
  using time_type = Time;

  Sequence(std::vector<Time> times, std::vector<Value> values, SequenceOptions options = {})
      : times_(std::move(times)), values_(std::move(values)), name_(std::move(options.name)) {
    if (times_.size() != values_.size())
      detail::fail("Sequence", Rule::size_mismatch,
                   detail::concat("there are ", times_.size(), " stamps and ", values_.size(), " values"),
                   {.name = name_});
    detail::check_samples<Time>("Sequence", times_, 1, {}, {}, name_);
    for (std::size_t i = 1; i < times_.size() && !options.events; ++i)
      if (times_[i] == times_[i - 1])
        detail::fail("Sequence", Rule::time_repeated,
                     detail::concat("two samples at ", to_text(times_[i]), ": accepted only with .events = true"),
                     {.name = name_, .sample = i});
  }

  [[nodiscard]] std::size_t size() const { return times_.size(); }
  [[nodiscard]] Time time(std::size_t i) const { return times_[i]; }  ///< i < size() is not checked
  [[nodiscard]] std::span<const Time> times() const { return times_; }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] std::string_view name() const { return name_; }
  /// First and last stamp.
  [[nodiscard]] Window<Time> span() const { return {times_.front(), times_.back()}; }

 private:
  std::vector<Time> times_;
  std::vector<Value> values_;
  std::string name_;
};

}  // namespace fidelity
