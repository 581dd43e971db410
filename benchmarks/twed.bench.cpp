// SPDX-License-Identifier: MIT
// Isolates the sweep over the n x m cells of the time warp edit distance: random walks with irregular stamps, made and
// packed before the clock starts for a pair; pairwise() packs inside the clock, which is O(samples) beside O(cells).
// The baseline is the two-row loop of a textbook in this file, without the library, on the same numbers. Items are
// cells. Before anything is timed, the sums of both matrices are compared; where they differ the program ends.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

constexpr double stiffness = 0.001, penalty = 1;

struct Raw {
  std::size_t channels = 1;
  std::vector<double> times, values;  // values sample after sample
};

std::vector<Raw> random_walks(std::size_t count, std::size_t length, std::size_t channels, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Raw> walks(count);
  for (Raw& walk : walks) {
    walk.channels = channels;
    double t = uniform();
    std::vector<double> x(channels);
    for (std::size_t i = 0; i < length; ++i) {
      walk.times.push_back(t += 0.5 + uniform());
      for (double& value : x) walk.values.push_back(value += uniform() - 0.5);
    }
  }
  return walks;
}

std::vector<Run> as_series(const std::vector<Raw>& walks) {
  std::vector<Run> series;
  for (const Raw& walk : walks)
    series.emplace_back(
        walk.times, walk.values,
        fd::SeriesOptions<double>{.channel_names = std::vector<std::string>(walk.channels, std::string("x"))});
  return series;
}

// --- the baseline ---

double point_distance(const Raw& a, std::size_t i, const Raw& b, std::size_t j) {
  if (a.channels == 1) return std::abs(a.values[i] - b.values[j]);
  double sum = 0;
  for (std::size_t c = 0; c < a.channels; ++c) {
    const double difference = a.values[i * a.channels + c] - b.values[j * b.channels + c];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

std::vector<double> deletion_costs(const Raw& a) {
  std::vector<double> costs(a.times.size());
  for (std::size_t i = 1; i < costs.size(); ++i)
    costs[i] = point_distance(a, i, a, i - 1) + stiffness * (a.times[i] - a.times[i - 1]) + penalty;
  return costs;
}

double textbook_twed(const Raw& a, const Raw& b) {
  const std::size_t n = a.times.size(), m = b.times.size();
  const std::vector<double> delete_a = deletion_costs(a), delete_b = deletion_costs(b);
  const auto phi = [&](std::size_t i, std::size_t j) {
    return point_distance(a, i, b, j) + stiffness * std::abs(a.times[i] - b.times[j]);
  };
  std::vector<double> above(m), row(m), phi_above(m), phi_row(m);
  for (std::size_t j = 0; j < m; ++j) {
    phi_row[j] = phi(0, j);
    row[j] = j == 0 ? phi_row[0] : row[j - 1] + delete_b[j];
  }
  for (std::size_t i = 1; i < n; ++i) {
    std::swap(above, row);
    std::swap(phi_above, phi_row);
    phi_row[0] = phi(i, 0);
    double left = row[0] = above[0] + delete_a[i];
    for (std::size_t j = 1; j < m; ++j) {
      phi_row[j] = phi(i, j);
      const double match = above[j - 1] + phi_above[j - 1] + phi_row[j];
      row[j] = left = std::min(std::min(match, above[j] + delete_a[i]), left + delete_b[j]);
    }
  }
  return row[m - 1];
}

double textbook_sum(const std::vector<Raw>& rows, const std::vector<Raw>& columns) {
  double sum = 0;
  for (const Raw& a : rows)
    for (const Raw& b : columns) sum += textbook_twed(a, b);
  return sum;
}

// --- what is timed ---

struct Shape {
  std::size_t count, length, channels;
  explicit Shape(const benchmark::State& state)
      : count(static_cast<std::size_t>(state.range(0))),
        length(static_cast<std::size_t>(state.range(1))),
        channels(static_cast<std::size_t>(state.range(2))) {}
  [[nodiscard]] std::int64_t cells() const { return static_cast<std::int64_t>(count * count * length * length); }
  [[nodiscard]] std::vector<Raw> rows() const { return random_walks(count, length, channels, 1); }
  [[nodiscard]] std::vector<Raw> columns() const { return random_walks(count, length, channels, 2); }
};

void bm_twed_pairwise(benchmark::State& state) {
  const Shape shape(state);
  const auto rows = as_series(shape.rows()), columns = as_series(shape.columns());
  const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        fd::pairwise(rows, columns, twed, {.threads = static_cast<unsigned>(state.range(3))}).sum());
  state.SetItemsProcessed(state.iterations() * shape.cells());
}

void bm_textbook_pairwise(benchmark::State& state) {
  const Shape shape(state);
  const auto rows = shape.rows(), columns = shape.columns();
  for (auto _ : state) benchmark::DoNotOptimize(textbook_sum(rows, columns));
  state.SetItemsProcessed(state.iterations() * shape.cells());
}

void bm_twed_pair(benchmark::State& state) {
  const Shape shape(state);
  const auto a = as_series(shape.rows()), b = as_series(shape.columns());
  const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
  const auto prepared_a = twed.prepare(a[0], 0.0), prepared_b = twed.prepare(b[0], 0.0);
  for (auto _ : state) benchmark::DoNotOptimize(twed(prepared_a, prepared_b));
  state.SetItemsProcessed(state.iterations() * shape.cells());
}

void bm_textbook_pair(benchmark::State& state) {
  const Shape shape(state);
  const auto a = shape.rows(), b = shape.columns();
  for (auto _ : state) benchmark::DoNotOptimize(textbook_twed(a[0], b[0]));
  state.SetItemsProcessed(state.iterations() * shape.cells());
}

void matrices(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"count", "length", "channels", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const std::int64_t channels : {1, 3}) bench->Args({64, 256, channels, 1})->Args({16, 2048, channels, 1});
}
void matrices_and_threads(benchmark::internal::Benchmark* bench) {
  matrices(bench);
  for (const std::int64_t channels : {1, 3}) bench->Args({64, 256, channels, 2});
}
void pairs(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"count", "length", "channels"})->Unit(benchmark::kMicrosecond);
  for (const std::int64_t channels : {1, 3}) bench->Args({1, 256, channels})->Args({1, 2048, channels});
}

BENCHMARK(bm_twed_pairwise)->Apply(matrices_and_threads);
BENCHMARK(bm_textbook_pairwise)->Apply(matrices);
BENCHMARK(bm_twed_pair)->Apply(pairs);
BENCHMARK(bm_textbook_pair)->Apply(pairs);

void require_same_sums() {
  const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
  for (const std::size_t channels : {1U, 3U}) {
    const auto rows = random_walks(5, 60, channels, 1), columns = random_walks(4, 45, channels, 2);
    const double sum = fd::pairwise(as_series(rows), as_series(columns), twed).sum();
    const double expected = textbook_sum(rows, columns);
    if (!(std::abs(sum - expected) <= 1e-12 * expected)) {
      std::fprintf(stderr, "twed_bench: %zu channels: the sum is %.17g, that of the baseline %.17g\n", channels, sum,
                   expected);
      std::exit(1);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  require_same_sums();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
