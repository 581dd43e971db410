// SPDX-License-Identifier: MIT
// Isolates the search for change points, with all preparation (prefix sums, quantiles, penalty) inside the clock:
// normal noise without a change, or with a step of 3 standard deviations every 100 samples. Items are samples.
// Baselines in this file, without the library, on the same numbers: the empirical distribution as its paper writes it,
// with two logarithms a quantile, and the squares from prefix sums, both in the usual pruned search (PELT) with the
// default penalties. Before anything is timed, change points and objectives are compared; where they differ the program
// ends.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>

#include <fidelity/detail/random.hpp>
#include <fidelity/sampling/change_points.hpp>

namespace {

namespace fd = fidelity;
using Values = std::vector<double>;

Values noise(std::size_t n, bool steps) {
  fd::detail::Random random(0);
  Values y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 12; ++k) y[i] += random.uniform();
    y[i] += -6 + (steps ? 3 * static_cast<double>(i / 100 % 2) : 0);
  }
  return y;
}

// --- the baseline ---

struct TextbookResult {
  std::vector<std::size_t> changes;
  double objective;
};

template <class Cost>
TextbookResult textbook_pelt(std::size_t n, double penalty, Cost cost) {
  std::vector<double> best(n + 1), value;
  std::vector<std::size_t> previous(n + 1), starts;
  best[0] = -penalty;
  for (std::size_t t = 1; t <= n; ++t) {
    starts.push_back(t - 1);
    value.resize(starts.size());
    for (std::size_t j = 0; j < starts.size(); ++j) value[j] = best[starts[j]] + cost(starts[j], t);
    const auto smallest = std::min_element(value.begin(), value.end());
    best[t] = *smallest + penalty;
    previous[t] = starts[static_cast<std::size_t>(smallest - value.begin())];
    std::size_t count = 0;
    for (std::size_t j = 0; j < starts.size(); ++j)
      if (value[j] <= best[t]) starts[count++] = starts[j];
    starts.resize(count);
  }
  TextbookResult result{{}, best[n]};
  for (std::size_t t = previous[n]; t > 0; t = previous[t]) result.changes.insert(result.changes.begin(), t);
  return result;
}

TextbookResult textbook_empirical(const Values& y) {
  const std::size_t size = y.size();
  const double n = static_cast<double>(size);
  const auto k = static_cast<std::size_t>(std::min(n, std::ceil(4 * std::log(n))));
  Values sorted = y;
  std::sort(sorted.begin(), sorted.end());
  Values below((size + 1) * k);  // row t: samples before t below each quantile
  for (std::size_t i = 0; i < k; ++i) {
    const double z = -1 + (2 * static_cast<double>(i) + 1) / static_cast<double>(k);
    const double q = sorted[static_cast<std::size_t>((n - 1) / (1 + std::pow(2 * n - 1, -z)))];
    for (std::size_t t = 0; t < size; ++t)
      below[(t + 1) * k + i] = below[t * k + i] + (y[t] < q ? 1.0 : y[t] == q ? 0.5 : 0.0);
  }
  const double scale = -2 * std::log(2 * n - 1) / static_cast<double>(k);
  return textbook_pelt(size, 3 * std::log(n), [&](std::size_t a, std::size_t b) {
    const double length = static_cast<double>(b - a);
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const double f = (below[b * k + i] - below[a * k + i]) / length;
      if (f > 0 && f < 1) sum += length * (f * std::log(f) + (1 - f) * std::log(1 - f));
    }
    return scale * sum;
  });
}

TextbookResult textbook_squares(const Values& y) {
  Values sum(y.size() + 1), squares(y.size() + 1);
  for (std::size_t i = 0; i < y.size(); ++i) sum[i + 1] = sum[i] + y[i], squares[i + 1] = squares[i] + y[i] * y[i];
  const double s = fd::noise_estimate(y);
  return textbook_pelt(y.size(), 2 * s * s * std::log(static_cast<double>(y.size())),
                       [&](std::size_t a, std::size_t b) {
                         const double total = sum[b] - sum[a];
                         return squares[b] - squares[a] - total * total / static_cast<double>(b - a);
                       });
}

// --- what is timed ---

Values values_of(const benchmark::State& state) {
  return noise(static_cast<std::size_t>(state.range(0)), state.range(1) != 0);
}

template <class Call>
void run(benchmark::State& state, Call call) {
  const Values y = values_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(call(y));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void bm_change_points_l2(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(2));
  run(state, [m](const Values& y) { return fd::change_points(y, fd::L2{}, {.min_section_size = m}).objective; });
}
void bm_change_points_empirical(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(2));
  run(state, [m](const Values& y) {
    return fd::change_points(y, fd::EmpiricalDistribution{}, {.min_section_size = m}).objective;
  });
}
void bm_change_points_normal(benchmark::State& state) {
  run(state, [](const Values& y) { return fd::change_points(y, fd::NormalMeanVariance{}).objective; });
}
void bm_textbook_empirical(benchmark::State& state) {
  run(state, [](const Values& y) { return textbook_empirical(y).objective; });
}
void bm_textbook_l2(benchmark::State& state) {
  run(state, [](const Values& y) { return textbook_squares(y).objective; });
}
void bm_noise_estimate(benchmark::State& state) {
  run(state, [](const Values& y) { return fd::noise_estimate(y); });
}

void both(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "steps"})->Unit(benchmark::kMillisecond)->Args({10000, 0})->Args({10000, 1});
}

BENCHMARK(bm_change_points_l2)
    ->ArgNames({"n", "steps", "m"})
    ->ArgsProduct({{10000, 100000}, {0, 1}, {1, 60}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bm_textbook_l2)->Apply(both);
BENCHMARK(bm_change_points_empirical)
    ->ArgNames({"n", "steps", "m"})
    ->ArgsProduct({{5760, 10000}, {0, 1}, {1, 60}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bm_textbook_empirical)->Apply(both)->Iterations(1);
BENCHMARK(bm_change_points_normal)->Apply(both);
BENCHMARK(bm_noise_estimate)->ArgNames({"n", "steps"})->Args({100000, 0})->Unit(benchmark::kMillisecond);

void require_same(const char* what, const fd::ChangePoints& ours, const TextbookResult& textbook) {
  if (ours.indices == textbook.changes && std::abs(ours.objective - textbook.objective) <= 1e-9 * ours.objective)
    return;
  std::fprintf(stderr, "change_points_bench: %s: %zu change points, objective %.17g; the baseline has %zu and %.17g\n",
               what, ours.indices.size(), ours.objective, textbook.changes.size(), textbook.objective);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  for (const bool steps : {false, true}) {
    const Values y = noise(2000, steps);
    require_same("empirical distribution", fd::change_points(y, fd::EmpiricalDistribution{}), textbook_empirical(y));
    require_same("L2", fd::change_points(y, fd::L2{}), textbook_squares(y));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
