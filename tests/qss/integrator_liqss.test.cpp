// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/qss/integrator.hpp>
#include "catch.hpp"
#include "reference/integrator_oracle.hpp"

using namespace fidelity;
using namespace integrator_test;

namespace {

const auto stiff = [](std::size_t i, const auto& q) {
  return i == 0 ? 0.01 * q[1] : -100.0 * q[0] - 100.0 * q[1] + 2020.0;
};
// Eigenvalues of the stiff pair: roots of l^2 + 100 l + 1; its eigenvectors are (1, 100 l).
const double fast = -50 - std::sqrt(2499.0), slow = 1 / fast;

double exact(std::size_t i, double t) {
  // (x1 - 20.2, x2) = a (1, 100 slow) exp(slow t) + b (1, 100 fast) exp(fast t) from (-20.2, 20)
  const double b = (20 + 20.2 * 100 * slow) / (100 * (fast - slow)), a = -20.2 - b;
  return i == 0 ? 20.2 + a * std::exp(slow * t) + b * std::exp(fast * t)
                : 100 * (a * slow * std::exp(slow * t) + b * fast * std::exp(fast * t));
}

QssOptions options(std::size_t order, QssMethod method) {
  return {.order = order, .quantum = 1e-3, .relative_quantum = 1e-3, .end = 500, .method = method};
}

}  // namespace

TEST_CASE("the implicit methods solve a stiff pair in few steps") {
  const auto total = [](const QssRun& run) { return run.steps[0] + run.steps[1]; };
  CHECK(total(simulate(stiff, {0, 20}, options(1, QssMethod::liqss))) < 9078);
  CHECK(total(simulate(stiff, {0, 20}, options(2, QssMethod::liqss))) < 100);
}

TEST_CASE("the explicit method needs the steps of the published engine for the stiff pair") {
  QssOptions explicitly = options(2, QssMethod::qss);
  explicitly.convention = QssConvention::zero;
  std::size_t steps = 0;
  simulate(stiff, {0, 20}, explicitly, [&](std::size_t, Port port, const TaylorEvent<>& event) {
    steps += port == Port::normal && event.kind() == EventKind::internal;
  });
  CHECK(steps > 60000);
  CHECK(std::abs(static_cast<double>(steps) - 65473) < 100);  // rounding decides about some of them
}

TEST_CASE("the implicit methods keep the stiff pair within twice the quantum and its error bound") {
  // |V| |V^-1| of the eigenvectors, times twice the largest quanta 20.2e-3 and 20.2e-3.
  const double spread = 100 * (slow - fast), quantum = 2 * 20.2e-3;
  const double bound1 = ((100 * (std::abs(fast) + std::abs(slow)) + 2) / spread) * quantum;
  const double bound2 = ((2 * 1e4 * fast * slow + 100 * (std::abs(fast) + std::abs(slow))) / spread) * quantum;
  for (std::size_t order = 1; order <= 2; ++order) {
    const QssRun run = simulate(stiff, {0, 20}, options(order, QssMethod::liqss));
    for (const std::size_t i : {0U, 1U}) CHECK(largest_distance(run, i, 1e-3, 1e-3) <= 2 + 1e-9);
    double error1 = 0, error2 = 0;
    for (int k = 0; k <= 5000; ++k) {
      const double t = k < 1000 ? 1e-4 * k : 0.1 * k;
      error1 = std::max(error1, std::abs(value_at(run.states[0], t) - exact(0, t)));
      error2 = std::max(error2, std::abs(value_at(run.states[1], t) - exact(1, t)));
    }
    CHECK(error1 <= bound1);
    CHECK(error2 <= bound2);
  }
}

TEST_CASE("the implicit methods keep linear systems within twice the quantum and the error in its bound") {
  // A = [[-a, c], [-c, -a]] has eigenvalues -a +- ci and the bound 2 sqrt(1 + (c / a)^2) for each state.
  detail::Random random(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const double a = 0.3 + 50 * std::pow(random.uniform(), 3), c = 3 * random.uniform();
    const auto spiral = [=](std::size_t i, const auto& q) {
      return i == 0 ? c * q[1] - a * q[0] : -c * q[0] - a * q[1];
    };
    const double x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    for (std::size_t order = 1; order <= 2; ++order) {
      const QssRun run =
          simulate(spiral, {x, y}, {.order = order, .quantum = 0.01, .end = 5, .method = QssMethod::liqss});
      INFO("order " << order << " a " << a << " c " << c);
      for (const std::size_t i : {0U, 1U}) CHECK(largest_distance(run, i, 0.01) <= 2 + 1e-9);
      const double bound = 2 * 0.01 * 2 * std::sqrt(1 + c * c / (a * a));
      double error = 0;
      for (int k = 0; k <= 500; ++k) {
        const double t = 0.01 * k, size = std::exp(-a * t);
        error =
            std::max(error, std::abs(value_at(run.states[0], t) - size * (x * std::cos(c * t) + y * std::sin(c * t))));
        error =
            std::max(error, std::abs(value_at(run.states[1], t) - size * (y * std::cos(c * t) - x * std::sin(c * t))));
      }
      CHECK(error <= bound);
    }
  }
}

TEST_CASE("an implicit run comes to rest where nothing moves") {
  const auto lag = [](std::size_t, const auto& q) { return 1000.0 * (3.0 - q[0]); };
  for (std::size_t order = 1; order <= 2; ++order) {
    const QssRun run = simulate(lag, {0}, {.order = order, .quantum = 0.01, .end = 1e4, .method = QssMethod::liqss});
    CHECK(run.steps[0] < 310);
    CHECK(run.quantised[0].back().time() < 1);
    CHECK(std::abs(value_at(run.states[0], 1e4) - 3) <= 0.02);
  }
}
