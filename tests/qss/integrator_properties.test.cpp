// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/qss/integrator.hpp>
#include "catch.hpp"
#include "reference/integrator_oracle.hpp"

using namespace fidelity;
using namespace integrator_test;
using detail::Random;

namespace {

/// x' = A x + b; reads only what has a coefficient.
struct Linear {
  std::vector<std::vector<double>> A;
  std::vector<double> b;
  template <class States>
  auto operator()(std::size_t i, const States& q) const {
    std::decay_t<decltype(q[0])> sum(b[i]);
    for (std::size_t j = 0; j < b.size(); ++j)
      if (A[i][j] != 0) sum += A[i][j] * q[j];
    return sum;
  }
};

/// A = V L V^-1 with real eigenvalues from -3 to -0.2, and what is needed for its exact solution and error bound.
struct StablePair {
  Linear system;
  double l1, l2, V[2][2], W[2][2];  // W = V^-1

  explicit StablePair(Random& random) {
    const auto uniform = [&](double low, double high) { return low + (high - low) * random.uniform(); };
    l1 = uniform(-3, -0.2), l2 = uniform(-3, -0.2);
    const double a = uniform(-2, 2), c = uniform(-2, 2), determinant = 1 - a * c;
    V[0][0] = 1, V[0][1] = a, V[1][0] = c, V[1][1] = 1;
    W[0][0] = 1 / determinant, W[0][1] = -a / determinant, W[1][0] = -c / determinant, W[1][1] = 1 / determinant;
    system.A.assign(2, std::vector<double>(2));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        system.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            V[i][0] * l1 * W[0][j] + V[i][1] * l2 * W[1][j];
    system.b = {0, 0};
  }
  double exact(int i, const std::vector<double>& x0, double t) const {
    return V[i][0] * std::exp(l1 * t) * (W[0][0] * x0[0] + W[0][1] * x0[1]) +
           V[i][1] * std::exp(l2 * t) * (W[1][0] * x0[0] + W[1][1] * x0[1]);
  }
  /// Row sums of |V| |W|: the bound of the error in quanta, for real eigenvalues.
  double bound(int i) const {
    double sum = 0;
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) sum += std::abs(V[i][k]) * std::abs(W[k][j]);
    return sum;
  }
};

}  // namespace

TEST_CASE("random linear systems have the events of a naive simulation in long double") {
  Random random(1);
  for (std::size_t order = 1; order <= 3; ++order)
    for (const bool fresh : {true, false})
      for (int repeat = 0; repeat < 4; ++repeat) {
        const std::size_t n = 1 + static_cast<std::size_t>(repeat);
        Linear system{std::vector(n, std::vector<double>(n)), std::vector<double>(n)};
        std::vector<double> x0(n);
        for (std::size_t i = 0; i < n; ++i) {
          x0[i] = 2 * random.uniform() - 1;
          system.b[i] = random.uniform() - 0.5;
          for (std::size_t j = 0; j < n; ++j)
            if (i == j || random.uniform() < 0.7) system.A[i][j] = 2 * random.uniform() - (i == j ? 2.5 : 1);
        }
        const double quantum = order == 1 ? 0.05 : 0.01, end = 3;
        const auto expected = oracle_run(system.A, system.b, x0, order, quantum, end, fresh);
        std::vector<OracleEvent> events;
        simulate(system, x0,
                 {.order = order,
                  .quantum = quantum,
                  .end = end,
                  .convention = fresh ? QssConvention::fresh : QssConvention::zero},
                 [&](std::size_t state, Port port, const TaylorEvent<>& event) {
                   if (port == Port::normal && event.kind() == EventKind::internal)
                     events.push_back({state, event.time()});
                 });
        INFO("order " << order << " fresh " << fresh << " states " << n);
        REQUIRE(events.size() == expected.size());
        for (std::size_t k = 0; k < events.size(); ++k) {
          CHECK(events[k].state == expected[k].state);
          CHECK(std::abs(events[k].time - expected[k].time) <= 1e-9 * expected[k].time);
        }
      }
}

TEST_CASE("x and q are at most one quantum apart and the error keeps its bound") {
  Random random(2);
  for (int repeat = 0; repeat < 12; ++repeat) {
    const StablePair pair(random);
    const std::vector<double> x0{4 * random.uniform() - 2, 4 * random.uniform() - 2};
    for (std::size_t order = 1; order <= 3; ++order)
      for (const auto convention : {QssConvention::fresh, QssConvention::zero, QssConvention::devs}) {
        const double quantum = order == 1 ? 0.02 : 1e-3;
        const QssRun run =
            simulate(pair.system, x0, {.order = order, .quantum = quantum, .end = 6, .convention = convention});
        for (const std::size_t i : {0U, 1U}) {
          INFO("order " << order << " state " << i << " repeat " << repeat);
          const double largest = largest_distance(run, i, quantum);
          CHECK(largest <= 1 + 1e-9);
          if (run.steps[i] > 0) CHECK(largest >= 1 - 1e-9);
          double error = 0;
          for (int k = 0; k <= 600; ++k)
            error = std::max(
                error, std::abs(value_at(run.states[i], 0.01 * k) - pair.exact(static_cast<int>(i), x0, 0.01 * k)));
          CHECK(error <= pair.bound(static_cast<int>(i)) * quantum);
          CHECK(error > 0);
        }
      }
  }
}

TEST_CASE("a spiral keeps the error bound of its complex eigenvalues") {
  // Eigenvalues -0.5 +- 2i: |V| |Re(L)^-1 L| |V^-1| has entries sqrt(17) / 2 * 2 * 1/2 in both columns.
  const Linear spiral{{{-0.5, 2}, {-2, -0.5}}, {0, 0}};
  const double bound = 2 * std::sqrt(17.0);
  for (std::size_t order = 1; order <= 3; ++order) {
    const QssRun run = simulate(spiral, {1, 0.5}, {.order = order, .quantum = 0.01, .end = 15});
    for (int k = 0; k <= 1500; ++k) {
      const double t = 0.01 * k, size = std::exp(-0.5 * t);
      CHECK(std::abs(value_at(run.states[0], t) - size * (std::cos(2 * t) + 0.5 * std::sin(2 * t))) <= bound * 0.01);
      CHECK(std::abs(value_at(run.states[1], t) - size * (0.5 * std::cos(2 * t) - std::sin(2 * t))) <= bound * 0.01);
    }
  }
}

TEST_CASE("the quantum is the larger of the absolute and the relative one and may differ between states") {
  const Linear apart{{{-1, 0}, {0, -1}}, {0, 0}};
  const QssRun run = simulate(apart, {1, 1000}, {.order = 2, .quantum = {1e-4, 0.1}, .end = 3});
  CHECK(run.steps[0] == run.steps[1]);
  const QssRun mixed = simulate(apart, {1, 1000}, {.order = 2, .quantum = 1e-3, .relative_quantum = 1e-3, .end = 9});
  for (const std::size_t i : {0U, 1U}) {
    CHECK(largest_distance(mixed, i, 1e-3, 1e-3) <= 1 + 1e-9);
    CHECK(largest_distance(mixed, i, 1e-3, 1e-3) >= 1 - 1e-9);
  }
}

TEST_CASE("a time limit wakes a state whose derivative is zero at the start") {
  const auto system = [](std::size_t, const auto& q) { return sin(q.time()); };
  for (std::size_t order = 1; order <= 3; ++order) {
    const QssRun run = simulate(system, {0}, {.order = order, .quantum = 1e-3, .end = 6, .dt_max = 0.02});
    double error = 0, longest = 0;
    for (int k = 0; k <= 600; ++k)
      error = std::max(error, std::abs(value_at(run.states[0], 0.01 * k) - (1 - std::cos(0.01 * k))));
    for (std::size_t k = 1; k < run.quantised[0].size(); ++k)
      longest = std::max(longest, run.quantised[0][k].time() - run.quantised[0][k - 1].time());
    CHECK(longest <= 0.02 + 1e-12);
    CHECK(error < (order == 1 ? 0.02 : 1e-3));
  }
}

TEST_CASE("a derivative that reads a state in one branch only is told of its events") {
  // Once x0 passes 0.5 it follows x1, which it has not read before.
  const auto branch = [](std::size_t i, const auto& q) {
    if (i == 1) return 0.5 - q[1];
    return q[0] < 0.5 ? std::decay_t<decltype(q[0])>(1.0) : q[1] - q[0];
  };
  const auto always = [](std::size_t i, const auto& q) {
    if (i == 1) return 0.5 - q[1];
    return q[0] < 0.5 ? 1.0 + 0.0 * q[1] : q[1] - q[0];
  };
  const QssOptions options{.order = 1, .quantum = 0.01, .end = 8};
  const QssRun a = simulate(branch, {0, -1}, options), b = simulate(always, {0, -1}, options);
  CHECK(a.quantised == b.quantised);
  CHECK(std::abs(value_at(a.states[0], 8) - 0.5) < 0.05);
}

TEST_CASE("a run does not depend on the time at which it starts") {
  const Linear oscillator{{{0, 1}, {-1, 0}}, {0, 0}};
  const QssRun early = simulate(oscillator, {1.03, 0.37}, {.quantum = 1e-3, .end = 8});
  const QssRun late = simulate(oscillator, {1.03, 0.37}, {.quantum = 1e-3, .start = 1e9, .end = 1e9 + 8});
  REQUIRE(early.states[0].size() == late.states[0].size());
  for (std::size_t k = 0; k < early.states[0].size(); ++k) {
    CHECK(late.states[0][k].time() == 1e9 + early.states[0][k].time());
    CHECK(late.states[0][k].coefficient(3) == early.states[0][k].coefficient(3));
  }
}

TEST_CASE("many states are served in order of time and of index") {
  // A hundred equal lags: all have their events at the same times.
  const auto lags = [](std::size_t i, const auto& q) { return -q[i]; };
  std::size_t expected = 0;
  double last = 0;
  simulate(lags, std::vector<double>(100, 1.0), {.order = 2, .quantum = 0.01, .end = 5},
           [&](std::size_t state, Port port, const TaylorEvent<>& event) {
             CHECK(event.time() >= last);
             last = event.time();
             if (port != Port::normal) return;
             CHECK(state == expected);
             expected = (expected + 1) % 100;
           });
  CHECK(expected == 0);
}

TEST_CASE("a state that is one quantum away when another event comes has its own event now") {
  // State 0 is a clock; at 0.5 it turns state 1 round, just when that has its event too.
  const auto turned = [](std::size_t i, const auto& q) {
    return std::decay_t<decltype(q[0])>(i == 0 || q[0] < 0.45 ? 1.0 : -1.0);
  };
  const QssRun run = simulate(turned, {0, 0}, {.order = 1, .quantum = 0.1, .end = 0.65});
  REQUIRE(run.steps[1] == 6);
  CHECK(run.quantised[1][5].time() == Approx(0.5));
  CHECK(run.quantised[1][6].time() == Approx(0.6));
  CHECK(run.quantised[1][6].coefficient(0) == Approx(0.4));
}

TEST_CASE("a quantum near the rounding of the state ends without an endless loop") {
  const auto decay = [](std::size_t, const auto& q) { return -q[0]; };
  const QssRun third = simulate(decay, {1}, {.order = 3, .quantum = 3e-16, .end = 0.02});
  CHECK(third.steps[0] > 10);
  CHECK(value_at(third.states[0], 0.02) == Approx(std::exp(-0.02)).epsilon(1e-12));
  const Linear oscillator{{{0, 1}, {-1, 0}}, {0, 0}};
  for (std::size_t order = 2; order <= 3; ++order)
    CHECK(simulate(oscillator, {1.03, 0.37}, {.order = order, .quantum = 3e-16, .end = 1e-4}).steps[0] > 0);
}
