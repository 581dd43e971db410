// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparisons.hpp>
#include <fidelity/validation/detail/compare_lists.hpp>
#include <fidelity/validation/detail/signal_runs.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity {

/// One channel of the runs that is to be compared, with the distance that fits its unit.
template <class M = Twed>
struct ComparedSignal {
  std::string name;  ///< of the channel, the same on both sides
  M metric;
  std::string unit = {};
  /// A distance that counts as 1 in the joint comparison, in the unit of the signal; default: the mean distance of two
  /// different measured runs.
  std::optional<double> nominal = {};
  std::optional<double> weight = {};     ///< in the joint comparison; default: 1 / number of signals
  std::vector<Criterion> criteria = {};  ///< on this signal alone
};

/// Compares runs of several channels signal by signal and jointly. Distances of different units are never added up as
/// they are: each is divided by its scale. `options.criteria` are asked of the joint comparison, those of a signal of
/// that signal; a signal without any is information. Pass only if all criteria of all pass, there is at least one, and
/// nothing stands in the way in any signal.
///
///   fd::compare_signals(simulated, measured, {{.name = "pressure", .metric = {.stiffness = 2, .penalty = 1}},
///                                             {.name = "level", .metric = {.stiffness = 0.1, .penalty = 0.05}}});
///
/// With `invalid_runs = record` a run that is bad in one of the signals is left out of all. Throws what compare()
/// throws, and InputError that names the signal where its scale is 0 or needs a second measured run and no nominal is
/// given, where a run has no such channel, for a nominal that is not positive and a weight that is negative.
template <class Simulations, class Measurements, class M = Twed>
[[nodiscard]] SignalsComparison compare_signals(const Simulations& simulations, const Measurements& measurements,
                                                const std::vector<ComparedSignal<M>>& signals,
                                                const ComparisonOptions& options = {});

template <class Simulations, class Measurements, class M>
SignalsComparison compare_signals(const Simulations& simulations, const Measurements& measurements,
                                  const std::vector<ComparedSignal<M>>& signals, const ComparisonOptions& options) {
  using S = detail::ElementOf<Simulations>;
  detail::check_signals(signals);
  detail::Collection<S> rows("simulations", simulations), columns("measurements", measurements);
  detail::check(options, rows.size(), columns.size());
  SignalsComparison result;
  Comparison head;
  detail::InputHash hash;
  for (const auto* list : {&rows, &columns}) detail::add_runs(hash, *list);
  head.input_hash = hash.value();
  if (options.invalid_runs == InvalidRuns::record) {
    rows = detail::valid_signal_runs(rows, signals, head.invalid_simulations, "simulation");
    columns = detail::valid_signal_runs(columns, signals, head.invalid_measurements, "measurement");
  }
  for (const auto& signal : signals) {
    ComparisonOptions own = options;
    own.criteria = signal.criteria;
    own.unit = signal.unit;
    const auto a = detail::signal_runs(rows, signal.name), b = detail::signal_runs(columns, signal.name);
    auto comparison = std::move(
        detail::compare_each({detail::in_place_of(rows, a)}, detail::in_place_of(columns, b), signal.metric, own)
            .front());
    result.signals.push_back({.name = signal.name, .comparison = std::move(comparison)});
  }
  detail::join_signals(result, signals, options, std::move(head));
  return result;
}

}  // namespace fidelity
