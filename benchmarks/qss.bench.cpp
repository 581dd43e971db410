// SPDX-License-Identifier: MIT
// Isolates the questions asked of a reconstructed trajectory: cubic segments of irregular length, made before the clock
// starts; 1e6 values, or one window mean or segment an item. The peer in the same run is cubic_hermite of Boost.Math on
// the same knots, values and slopes, where Boost is installed. Arguments: number of segments. Before anything is timed
// the two are compared at all queries; where they differ the program ends.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#ifdef FIDELITY_BENCH_BOOST
#include <boost/math/interpolators/cubic_hermite.hpp>
#endif

#include <fidelity/qss/conversions.hpp>
#include <fidelity/qss/interpolator.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/window_means.hpp>

namespace {

namespace fd = fidelity;
constexpr std::size_t queries = 1'000'000;

/// A sine through irregular knots, and when it is asked for.
struct Problem {
  fd::Hermite<> data;
  fd::Trajectory<> trajectory;
  fd::Grid<double> grid;
  std::vector<double> sorted, unsorted;

  explicit Problem(std::size_t segments) : Problem(make(segments)) {}

 private:
  explicit Problem(fd::Hermite<> made) : data(std::move(made)), trajectory(fd::from_hermite(data)) {
    std::mt19937_64 random(2);
    const double end = data.times.back();
    grid = {0, end / static_cast<double>(queries), queries};
    for (std::size_t i = 0; i < queries; ++i) unsorted.push_back(end * static_cast<double>(random() >> 11) * 0x1p-53);
    sorted = unsorted;
    std::sort(sorted.begin(), sorted.end());
  }
  static fd::Hermite<> make(std::size_t segments) {
    std::mt19937_64 random(1);
    fd::Hermite<> made;
    for (std::size_t i = 0; i <= segments; ++i) {
      made.times.push_back(i == 0 ? 0 : made.times.back() + 0.5 + static_cast<double>(random() >> 11) * 0x1p-53);
      made.values.push_back(std::sin(made.times.back()));
      made.slopes.push_back(std::cos(made.times.back()));
    }
    return made;
  }
};

const Problem& problem(const benchmark::State& state) {
  static const Problem small(1'000), large(100'000);
  return state.range(0) == 1'000 ? small : large;
}

void finish(benchmark::State& state, std::size_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

// --- values ---

void bm_trajectory_grid(benchmark::State& state) {
  const Problem& p = problem(state);
  std::vector<double> out(queries);
  for (auto _ : state) {
    p.trajectory.sample(p.grid, out);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state, queries);
}
void bm_trajectory_resample(benchmark::State& state) {
  const Problem& p = problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(fd::resample(p.trajectory, fd::Every{p.grid.step}));
  finish(state, queries);
}
void bm_trajectory_times(benchmark::State& state, const std::vector<double> Problem::*times) {
  const Problem& p = problem(state);
  std::vector<double> out(queries);
  for (auto _ : state) {
    p.trajectory.sample(p.*times, out);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state, queries);
}
void bm_trajectory_value(benchmark::State& state, const std::vector<double> Problem::*times) {
  const Problem& p = problem(state);
  std::vector<double> out(queries);
  for (auto _ : state) {
    for (std::size_t i = 0; i < queries; ++i) out[i] = *p.trajectory.value((p.*times)[i]);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state, queries);
}

#ifdef FIDELITY_BENCH_BOOST
using Peer = boost::math::interpolators::cubic_hermite<std::vector<double>>;
Peer peer(const Problem& p) {
  return Peer(std::vector<double>(p.data.times), std::vector<double>(p.data.values),
              std::vector<double>(p.data.slopes));
}
void bm_boost_grid(benchmark::State& state) {
  const Problem& p = problem(state);
  const Peer boost = peer(p);
  std::vector<double> out(queries);
  for (auto _ : state) {
    for (std::size_t i = 0; i < queries; ++i) out[i] = boost(p.grid[i]);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state, queries);
}
void bm_boost_times(benchmark::State& state, const std::vector<double> Problem::*times) {
  const Problem& p = problem(state);
  const Peer boost = peer(p);
  std::vector<double> out(queries);
  for (auto _ : state) {
    for (std::size_t i = 0; i < queries; ++i) out[i] = boost((p.*times)[i]);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state, queries);
}
void compare_with_peer(std::size_t segments) {
  const Problem p(segments);
  const Peer boost = peer(p);
  std::vector<double> out(queries);
  p.trajectory.sample(p.unsorted, out);
  for (std::size_t i = 0; i < queries; ++i)
    if (!(std::abs(out[i] - boost(p.unsorted[i])) <= 1e-12)) {
      std::printf("values differ at %.17g\n", p.unsorted[i]);
      std::exit(1);
    }
}
#endif

// --- windows, levels, events ---

void bm_window_means_sorted(benchmark::State& state) {
  const Problem& p = problem(state);
  const fd::PreparedMeans prepared(p.trajectory);
  std::vector<double> edges(queries);
  for (std::size_t i = 0; i < queries; ++i) edges[i] = p.grid[i];
  for (auto _ : state) benchmark::DoNotOptimize(prepared.between(edges));
  finish(state, queries - 1);
}
void bm_window_means_unsorted(benchmark::State& state) {
  const Problem& p = problem(state);
  const fd::PreparedMeans prepared(p.trajectory);
  double sum = 0;
  for (auto _ : state)
    for (const double t : p.unsorted) sum += *prepared.mean({t, t + 7}).value;
  benchmark::DoNotOptimize(sum);
  finish(state, queries);
}
void bm_window_means_prepare(benchmark::State& state) {
  const Problem& p = problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(fd::PreparedMeans(p.trajectory));
  finish(state, p.trajectory.segment_count());
}
void bm_solve(benchmark::State& state, double level) {  // 0.5: two segments in six meet it; 5: none can
  const Problem& p = problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(p.trajectory.solve(level));
  finish(state, p.trajectory.segment_count());
}
void bm_crossings(benchmark::State& state, double level) {
  const Problem& p = problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(fd::crossings(p.trajectory, level));
  finish(state, p.trajectory.segment_count());
}
void bm_construct(benchmark::State& state) {
  const Problem& p = problem(state);
  const auto events = p.trajectory.events();
  for (auto _ : state) benchmark::DoNotOptimize(fd::Trajectory{events});
  finish(state, events.size());
}
void bm_push(benchmark::State& state) {
  const Problem& p = problem(state);
  const auto events = p.trajectory.events();
  for (auto _ : state) {
    fd::Interpolator<> live({.reserve = events.size()});
    for (const auto& event : events) live.push(event);
    benchmark::DoNotOptimize(live.value(0));
  }
  finish(state, events.size());
}

const auto sizes = [](benchmark::internal::Benchmark* b) {
  b->ArgName("segments")->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
};

#ifdef FIDELITY_BENCH_BOOST
BENCHMARK(bm_boost_grid)->Apply(sizes);
#endif
BENCHMARK(bm_trajectory_grid)->Apply(sizes);
BENCHMARK(bm_trajectory_resample)->Apply(sizes);
#ifdef FIDELITY_BENCH_BOOST
BENCHMARK_CAPTURE(bm_boost_times, sorted, &Problem::sorted)->Apply(sizes);
#endif
BENCHMARK_CAPTURE(bm_trajectory_times, sorted, &Problem::sorted)->Apply(sizes);
BENCHMARK_CAPTURE(bm_trajectory_value, sorted, &Problem::sorted)->Apply(sizes);
#ifdef FIDELITY_BENCH_BOOST
BENCHMARK_CAPTURE(bm_boost_times, unsorted, &Problem::unsorted)->Apply(sizes);
#endif
BENCHMARK_CAPTURE(bm_trajectory_times, unsorted, &Problem::unsorted)->Apply(sizes);
BENCHMARK_CAPTURE(bm_trajectory_value, unsorted, &Problem::unsorted)->Apply(sizes);
BENCHMARK(bm_window_means_sorted)->Apply(sizes);
BENCHMARK(bm_window_means_unsorted)->Apply(sizes);
BENCHMARK(bm_window_means_prepare)->Apply(sizes);
BENCHMARK_CAPTURE(bm_solve, half, 0.5)->Apply(sizes);
BENCHMARK_CAPTURE(bm_solve, out_of_reach, 5.0)->Apply(sizes);
BENCHMARK_CAPTURE(bm_crossings, half, 0.5)->Apply(sizes);
BENCHMARK_CAPTURE(bm_crossings, out_of_reach, 5.0)->Apply(sizes);
BENCHMARK(bm_construct)->Apply(sizes);
BENCHMARK(bm_push)->Apply(sizes);

}  // namespace

int main(int argc, char** argv) {
#ifdef FIDELITY_BENCH_BOOST
  compare_with_peer(1'000);
  compare_with_peer(100'000);
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
