// SPDX-License-Identifier: MIT
// Isolates the logic of sampling: one condition on a linear and one on a held series of 1e6 samples each, the AND of
// both and the search for the newest window; series are made before the clock starts. `swing` is the number of samples
// between two crossings of the level: 2 makes a window of every other sample, 1000 few windows. The baseline is the 0/1
// array of a textbook: one comparison a sample, AND element by element, one scan from the end; it looks at samples
// only, not at what lies between them, and needs equal stamps. Items are samples of one series.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include <fidelity/sampling/logic.hpp>
#include <fidelity/sampling/sampler.hpp>
#include <fidelity/sampling/window_search.hpp>
#include <fidelity/series/series.hpp>

namespace {

namespace fd = fidelity;
using namespace std::chrono_literals;

constexpr std::size_t samples = 1'000'000;

/// A wave around 0 with a little jitter, so that no two crossings are alike.
fd::Series<> wave(std::size_t swing, fd::Interpolation interpolation, std::uint32_t seed) {
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  std::uint32_t random = seed;
  for (std::size_t i = 0; i < samples; ++i) {
    random = random * 1664525U + 1013904223U;
    times.emplace_back(1s * static_cast<std::int64_t>(i));
    const double sign = (i / swing) % 2 == 0 ? 1 : -1;
    values.push_back(sign * (1 + 0.5 * static_cast<double>(random) / 4294967296.0));
  }
  return {std::move(times), std::move(values), {.interpolation = interpolation}};
}

void bm_check(benchmark::State& state, fd::Interpolation interpolation) {
  const auto series = wave(static_cast<std::size_t>(state.range(0)), interpolation, 1);
  for (auto _ : state) benchmark::DoNotOptimize(fd::check(series, fd::Greater{0.25}));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples));
}
BENCHMARK_CAPTURE(bm_check, linear, fd::Interpolation::linear)->ArgName("swing")->Arg(2)->Arg(1000);
BENCHMARK_CAPTURE(bm_check, hold, fd::Interpolation::hold)->ArgName("swing")->Arg(2)->Arg(1000);

void bm_and(benchmark::State& state) {
  const auto swing = static_cast<std::size_t>(state.range(0));
  const auto a = fd::check(wave(swing, fd::Interpolation::linear, 1), fd::Greater{0.25});
  const auto b = fd::check(wave(swing, fd::Interpolation::hold, 2), fd::Greater{0.25});
  for (auto _ : state) benchmark::DoNotOptimize(a & b);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples));
}
BENCHMARK(bm_and)->ArgName("swing")->Arg(2)->Arg(1000);

/// The whole of it: two checks, AND, search. The window is longer than any run, so that all runs are looked at.
void bm_logic(benchmark::State& state) {
  const auto swing = static_cast<std::size_t>(state.range(0));
  const auto a = wave(swing, fd::Interpolation::linear, 1), b = wave(swing, fd::Interpolation::hold, 2);
  for (auto _ : state) {
    const auto both = fd::check(a, fd::Greater{0.25}) & fd::check(b, fd::Greater{0.25});
    benchmark::DoNotOptimize(fd::find_window(both, {.length = 1h}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples));
}
BENCHMARK(bm_logic)->ArgName("swing")->Arg(2)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

void bm_logic_textbook(benchmark::State& state) {
  const auto swing = static_cast<std::size_t>(state.range(0));
  const auto a = wave(swing, fd::Interpolation::linear, 1), b = wave(swing, fd::Interpolation::hold, 2);
  for (auto _ : state) {
    std::vector<char> first(samples), second(samples);
    for (std::size_t i = 0; i < samples; ++i) first[i] = a(i) > 0.25;
    for (std::size_t i = 0; i < samples; ++i) second[i] = b(i) > 0.25;
    for (std::size_t i = 0; i < samples; ++i) first[i] = static_cast<char>(first[i] & second[i]);
    std::size_t end = samples;
    for (std::size_t i = samples; i-- > 0;) {
      if (first[i] == 0) end = i;
      if (a.time(end - (end == samples ? 1 : 0)) - a.time(i) >= 1h) break;
    }
    benchmark::DoNotOptimize(end);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples));
}
BENCHMARK(bm_logic_textbook)->ArgName("swing")->Arg(2)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

/// A plant of two years, one sample a minute: a linear signal that passes its limit every few hours, a held one every
/// few days. One pass is two checks, AND and a search; a backfill carries out a plan with the same two conditions, a
/// day of validation and an hour of sampling for 10 000 run times, one thread. `inputs` are averaged in each.
struct Plant {
  fd::Series<> flow, level;
  fd::Timestamp start{};
  Plant() : flow(make(fd::Interpolation::linear, 5e-3, 0.3)), level(make(fd::Interpolation::hold, 3e-4, 0)) {}

 private:
  static fd::Series<> make(fd::Interpolation interpolation, double rate, double ripple) {
    std::vector<fd::Timestamp> times;
    std::vector<double> values;
    for (std::size_t i = 0; i < samples; ++i) {
      const auto k = static_cast<double>(i);
      times.emplace_back(1min * static_cast<std::int64_t>(i));
      values.push_back(std::sin(rate * k) + ripple * std::sin(7.7 * k));
    }
    return {std::move(times), std::move(values), {.interpolation = interpolation}};
  }
};

void bm_one_pass(benchmark::State& state) {
  const Plant plant;
  for (auto _ : state) {
    const auto both = fd::check(plant.flow, fd::Greater{-0.8}) & fd::check(plant.level, fd::Greater{-0.9});
    benchmark::DoNotOptimize(fd::find_window(both, {.length = 24h}));
  }
}
BENCHMARK(bm_one_pass)->Unit(benchmark::kMillisecond);

void bm_backfill(benchmark::State& state) {
  const Plant plant;
  const std::vector<fd::Validator<>> conditions{fd::logic("flow", plant.flow, fd::Greater{-0.8}),
                                                fd::logic("level", plant.level, fd::Greater{-0.9})};
  std::vector<fd::Input<>> inputs;
  if (state.range(0) > 0) inputs.emplace_back("flow", plant.flow);
  if (state.range(0) > 1) inputs.emplace_back("level", plant.level);
  std::vector<fd::Timestamp> run_times;
  for (int k = 1; k <= 10'000; ++k) run_times.push_back(plant.start + k * 100min);
  const fd::SamplingPlan<> plan{.run_time = plant.start, .sampling_window = 1h, .validation_window = 24h};
  for (auto _ : state) benchmark::DoNotOptimize(fd::backfill(plan, run_times, conditions, inputs, {.threads = 1}));
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK(bm_backfill)->ArgName("inputs")->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
