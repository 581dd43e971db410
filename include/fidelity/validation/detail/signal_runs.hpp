// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/prepared_collection.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparisons.hpp>
#include <fidelity/validation/detail/judge.hpp>
#include <fidelity/validation/detail/prepare_runs.hpp>
#include <fidelity/validation/options.hpp>

namespace fidelity::detail {

template <class Signals>
void check_signals(const Signals& signals) {
  if (signals.empty()) fail("compare_signals", Rule::empty, "there is no signal", {.collection = "signals"});
  double sum = 0;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const auto& signal = signals[k];
    const auto refuse = [&](std::string_view sentence, std::optional<double> value) {
      fail("compare_signals", Rule::bad_parameter, sentence,
           {.collection = "signals", .index = k, .name = signal.name, .value = value});
    };
    for (std::size_t i = 0; i < k; ++i)
      if (signals[i].name == signal.name) refuse("a signal must not stand twice in the list", {});
    if (signal.nominal && !(is_finite(*signal.nominal) && *signal.nominal > 0))
      refuse("a nominal must be positive and finite", signal.nominal);
    if (signal.weight && !(is_finite(*signal.weight) && *signal.weight >= 0))
      refuse("a weight must be finite and not negative", signal.weight);
    sum += signal.weight.value_or(1);
  }
  if (!(sum > 0)) fail("compare_signals", Rule::zero_weights, "all weights are zero", {.collection = "signals"});
}

/// One channel of every run as runs of their own. They keep the names of the runs, which a view of a channel does not.
template <class S>
auto signal_runs(const Collection<S>& list, const std::string& name) {
  using Time = typename S::time_type;
  using Scalar = typename S::scalar_type;
  std::vector<Series<Scalar, Time>> runs;
  runs.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto view = channel(list[i], name);
    std::vector<Scalar> values(view.size());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = view(k);
    runs.emplace_back(std::vector<Time>(view.times().begin(), view.times().end()), std::move(values),
                      SeriesOptions<Time>{.name = list.place(i).name,
                                          .channel_names = {name},
                                          .interpolation = view.interpolation(),
                                          .max_gap = view.max_gap(),
                                          .duplicates = Duplicates::event});
  }
  return runs;
}

/// The runs that are good in every signal; the others are listed.
template <class S, class Signals>
Collection<S> valid_signal_runs(const Collection<S>& list, const Signals& signals, std::vector<InvalidRun>& invalid,
                                std::string_view noun) {
  std::vector<std::vector<InvalidRun>> found(list.size());
  for (const auto& signal : signals) {
    std::vector<InvalidRun> bad;
    const auto runs = signal_runs(list, signal.name);
    (void)valid_runs(in_place_of(list, runs), bad, noun);
    for (InvalidRun& run : bad)
      if (found[run.index].empty()) found[run.index].push_back(std::move(run));
  }
  Collection<S> valid;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (found[i].empty()) {
      valid.add(list[i], list.place(i));
    } else {
      invalid.push_back(std::move(found[i].front()));
    }
  }
  if (valid.size() == 0)
    fail("compare_signals", Rule::value_not_finite, "every run holds a NaN or infinite value", list.place(0));
  return valid;
}

/// sum over signals of factor * block
inline CostMatrix weighted_sum(const std::vector<const CostMatrix*>& blocks, const std::vector<double>& factors) {
  CostMatrix sum = CostMatrix::Zero(blocks.front()->rows(), blocks.front()->cols());
  for (std::size_t k = 0; k < blocks.size(); ++k) sum += factors[k] * *blocks[k];
  return sum;
}

/// The distance of one signal on a plan made for all, of the order of the comparison.
inline double distance_on_plan(const CostMatrix& matrix, const std::vector<Match>& plan, double order) {
  const auto entry = [&](const Match& match) {
    return matrix(static_cast<Eigen::Index>(match.simulation), static_cast<Eigen::Index>(match.measurement));
  };
  double largest = 0;
  for (const Match& match : plan) largest = std::max(largest, entry(match));
  if (largest == 0) return 0;
  CompensatedSum sum;
  for (const Match& match : plan) sum.add(match.mass * std::pow(entry(match) / largest, order));
  return largest * std::pow(sum.value(), 1 / order);
}

inline MetricDescription describe_joint(const std::vector<SignalResult>& signals) {
  MetricDescription metric{concat("joint distance of ", counted(signals.size(), "signal"))};
  metric.status = MetricStatus::metric;
  for (const SignalResult& signal : signals) {
    if (!metric.settings.empty()) metric.settings += ", ";
    metric.settings += concat(short_text(signal.weight), " ", signal.name, " / ", short_text(signal.scale));
    if (!signal.comparison.unit.empty()) metric.settings += " " + signal.comparison.unit;
    metric.status = std::max(metric.status, signal.comparison.metric.status);
  }
  return metric;
}

/// Fail where anything fails; else incomplete where anything stands in the way other than that a signal has no
/// criterion of its own; else pass if there is any criterion at all.
inline void judge_signals(SignalsComparison& result) {
  bool passes = false, fails = false;
  const auto add = [&](const std::string& name, const Comparison& c) {
    passes = passes || c.verdict == Verdict::pass;
    fails = fails || c.verdict == Verdict::fail;
    for (const Finding& reason : c.reasons)
      if (reason.code != "no_criterion") result.reasons.push_back({reason.code, name + ": " + reason.text});
  };
  add("joint", result.joint);
  for (const SignalResult& signal : result.signals) add(signal.name, signal.comparison);
  result.verdict = fails ? Verdict::fail : (passes && result.reasons.empty() ? Verdict::pass : Verdict::incomplete);
  if (!passes && result.reasons.empty())
    result.reasons.push_back({"no_criterion", "no criterion was given; what is good enough is an engineering choice"});
}

/// Scales, the joint matrix of distances, its comparison, and what each signal costs on the joint plan.
template <class Signals>
void join_signals(SignalsComparison& result, const Signals& signals, const ComparisonOptions& options,
                  Comparison head) {
  std::vector<double> factors;
  std::vector<const CostMatrix*> across, measured, simulated;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    SignalResult& own = result.signals[k];
    const Comparison& c = own.comparison;
    const auto refuse = [&](std::string_view why) {
      fail("compare_signals", Rule::bad_parameter,
           concat("the signal has no scale: ", why, "; give a nominal distance"),
           {.collection = "signals", .index = k, .name = own.name});
    };
    own.nominal = signals[k].nominal.has_value();
    if (!own.nominal && !c.measured_spread) refuse("it needs the distances of at least two measured runs");
    own.scale = own.nominal ? *signals[k].nominal : *c.measured_spread;
    if (!(own.scale > 0)) refuse("all measured runs are equal in it");
    own.weight = signals[k].weight.value_or(1.0 / static_cast<double>(signals.size()));
    own.scaled_distance = c.distance / own.scale;
    factors.push_back(own.weight / own.scale);
    across.push_back(&c.matrix);
    if (c.measured_matrix) measured.push_back(&*c.measured_matrix);
    if (c.simulated_matrix) simulated.push_back(&*c.simulated_matrix);
  }
  result.joint = std::move(head);
  Comparison& joint = result.joint;
  joint.matrix = weighted_sum(across, factors);
  if (measured.size() == signals.size()) joint.measured_matrix = weighted_sum(measured, factors);
  if (simulated.size() == signals.size()) joint.simulated_matrix = weighted_sum(simulated, factors);
  joint.metric = describe_joint(result.signals);
  joint.origin = result.signals.front().comparison.origin;
  for (const auto side : {&Comparison::simulations, &Comparison::measurements})
    for (const RunSummary& run : result.signals.front().comparison.*side)
      (joint.*side).push_back({.name = run.name, .samples = run.samples, .begin = run.begin, .duration = run.duration});
  for (const SignalResult& signal : result.signals) {
    joint.matrix_seconds += signal.comparison.matrix_seconds;
    for (const auto side : {&Comparison::simulations, &Comparison::measurements})
      for (std::size_t i = 0; i < (joint.*side).size(); ++i) {
        const auto& outlines = (signal.comparison.*side)[i].outlines;
        (joint.*side)[i].outlines.insert((joint.*side)[i].outlines.end(), outlines.begin(), outlines.end());
      }
  }
  ComparisonOptions own = options;
  own.unit.clear();
  count_distinct(joint);
  judge(joint, own);
  for (SignalResult& signal : result.signals)
    signal.joint_plan_distance = distance_on_plan(signal.comparison.matrix, joint.matches, joint.order);
  judge_signals(result);
}

}  // namespace fidelity::detail
