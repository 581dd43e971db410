// SPDX-License-Identifier: MIT
// Isolates the quantised integrators: what one internal event costs, with all that follows from it (external events,
// the polynomials of both ports). Systems: an undamped oscillator of two states, long runs; the advection-reaction line
// of 1000 states; the stiff pair, implicitly. Items are internal events. `counted` has a sink that only counts,
// `collected` keeps all events. The baseline is the first order method for the oscillator written out by hand, without
// ports, dependencies or a queue. Before anything is timed, its number of events is compared; where it differs the
// program ends.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include <fidelity/qss/integrator.hpp>

namespace {

namespace fd = fidelity;

const auto oscillator = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : -q[0]; };
const auto stiff_pair = [](std::size_t i, const auto& q) {
  return i == 0 ? 0.01 * q[1] : -100.0 * q[0] - 100.0 * q[1] + 2020.0;
};
const auto advection_reaction = [](std::size_t i, const auto& q) {
  const auto u = q[i], square = u * u;
  const auto left = i > 0 ? q[i - 1] : std::decay_t<decltype(u)>(1.0);
  return 100.0 * (left - u) + 10.0 * (square - square * u);
};

std::vector<double> front() {
  std::vector<double> x0(1000);
  for (std::size_t i = 0; i < 100; ++i) x0[i] = 1;
  return x0;
}

template <class System>
std::size_t counted(const System& system, const std::vector<double>& x0, const fd::QssOptions& options) {
  std::size_t steps = 0;
  fd::simulate(system, x0, options, [&](std::size_t, fd::Port port, const fd::TaylorEvent<>& event) {
    steps += port == fd::Port::normal && event.kind() == fd::EventKind::internal;
  });
  return steps;
}

fd::QssOptions oscillator_options(std::int64_t order) {
  const double quantum = order == 1 ? 1e-4 : order == 2 ? 1e-7 : 1e-9;
  return {.order = static_cast<std::size_t>(order), .quantum = quantum, .end = 20};
}

// --- the baseline ---

std::size_t first_order_by_hand(double quantum, double end) {
  double x[2] = {1.03, 0.37}, q[2] = {1.03, 0.37}, slope[2] = {0.37, -1.03}, since[2] = {0, 0}, next[2];
  std::size_t steps = 0;
  for (int i = 0; i < 2; ++i) next[i] = quantum / std::abs(slope[i]);
  for (;;) {
    const int i = next[1] < next[0], j = 1 - i;
    const double t = next[i];
    if (!(t <= end)) return steps;
    ++steps;
    x[i] += slope[i] * (t - since[i]);
    since[i] = t;
    q[i] = x[i];
    next[i] = t + quantum / std::abs(slope[i]);
    x[j] += slope[j] * (t - since[j]);
    since[j] = t;
    slope[j] = j == 0 ? q[i] : -q[i];
    const double d = q[j] - x[j];
    next[j] = slope[j] == 0 ? INFINITY : t + (slope[j] < 0 ? quantum - d : quantum + d) / std::abs(slope[j]);
  }
}

// --- what is timed ---

void bm_by_hand(benchmark::State& state) {
  std::size_t steps = 0;
  volatile double quantum = 1e-4;  // else the compiler runs it once, before the clock
  for (auto _ : state) {
    benchmark::DoNotOptimize(steps = first_order_by_hand(quantum, 20));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps));
}

template <class System>
void time_counted(benchmark::State& state, const System& system, const std::vector<double>& x0,
                  const fd::QssOptions& options) {
  std::size_t steps = 0;
  for (auto _ : state) benchmark::DoNotOptimize(steps = counted(system, x0, options));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps));
  state.counters["steps"] = static_cast<double>(steps);
}

void bm_oscillator_counted(benchmark::State& state) {
  time_counted(state, oscillator, {1.03, 0.37}, oscillator_options(state.range(0)));
}
void bm_oscillator_collected(benchmark::State& state) {
  std::size_t steps = 0;
  for (auto _ : state) {
    const fd::QssRun run = fd::simulate(oscillator, {1.03, 0.37}, oscillator_options(state.range(0)));
    steps = run.steps[0] + run.steps[1];
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps));
}
void bm_advection_reaction(benchmark::State& state) {
  const auto order = static_cast<std::size_t>(state.range(0));
  time_counted(state, advection_reaction, front(),
               {.order = order,
                .quantum = 1e-4,
                .end = 10,
                .convention = order == 2 ? fd::QssConvention::zero : fd::QssConvention::fresh});
}
void bm_stiff_pair_implicit(benchmark::State& state) {
  time_counted(state, stiff_pair, {0, 20},
               {.order = static_cast<std::size_t>(state.range(0)),
                .quantum = 1e-3,
                .relative_quantum = 1e-3,
                .end = 500,
                .method = fd::QssMethod::liqss});
}

BENCHMARK(bm_by_hand)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_oscillator_counted)->ArgName("order")->DenseRange(1, 3)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_oscillator_collected)->ArgName("order")->DenseRange(1, 3)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_advection_reaction)->ArgName("order")->DenseRange(2, 3)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_stiff_pair_implicit)->ArgName("order")->DenseRange(1, 2)->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int argc, char** argv) {
  if (first_order_by_hand(1e-4, 20) != counted(oscillator, {1.03, 0.37}, oscillator_options(1))) {
    std::fprintf(stderr, "the baseline and the library differ\n");
    return EXIT_FAILURE;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
