// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>
#include <vector>

#include <fidelity/qss/integrator.hpp>
#include <fidelity/series/series.hpp>
#include "catch.hpp"
#include "reference/integrator_oracle.hpp"

using namespace fidelity;
using integrator_test::value_at;

namespace {

using Input = Series<double, double>;

/// The largest error of state i in quanta, on 400 points.
template <class System, class Exact>
double error_in_quanta(const System& system, const std::vector<double>& x0, std::size_t i, const QssOptions& options,
                       Exact exact) {
  const QssRun run = simulate(system, x0, options);
  double error = 0;
  for (int k = 0; k <= 400; ++k) {
    const double t = options.end * k / 400;
    error = std::max(error, std::abs(value_at(run.states[i], t) - exact(t)));
  }
  return error / options.quantum[0];
}

/// Orders 2 and 3, and implicitly, with large and small quanta: never more than `limit` quanta (implicitly
/// twice that) from the exact solution.
template <class System, class Exact>
void check_system(const char* name, const System& system, const std::vector<double>& x0, std::size_t i, double end,
                  double limit, Exact exact, const std::vector<QssInput>& inputs = {}) {
  for (const double quantum : {1e-2, 1e-4}) {
    for (std::size_t order = 1; order <= 3; ++order) {
      const bool implicit = order == 1;
      INFO(name << " order " << order << " quantum " << quantum);
      CHECK(error_in_quanta(system, x0, i,
                            {.order = implicit ? 2 : order,
                             .quantum = quantum,
                             .end = end,
                             .dt_max = inputs.empty() ? std::nullopt : std::optional(end),
                             .method = implicit ? QssMethod::liqss : QssMethod::qss,
                             .inputs = inputs},
                            exact) <= (implicit ? 2 : 1) * limit);
    }
  }
}

}  // namespace

TEST_CASE("nonlinear systems do not fall asleep where the followed derivative happens to be zero") {
  check_system(
      "logistic", [](std::size_t, const auto& q) { return q[0] * (1.0 - q[0]); }, {0.5}, 0, 5, 3,
      [](double t) { return 1 / (1 + std::exp(-t)); });
  check_system(
      "sine", [](std::size_t, const auto& q) { return sin(q[0]); }, {std::numbers::pi / 2}, 0, 3, 3,
      [](double t) { return 2 * std::atan(std::exp(t)); });
  // Started from rest at its symmetry points; the error of an undamped oscillator grows.
  const auto hard_spring = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : -1.0 * pow(q[0], 3); };
  const auto fine = integrator_test::runge_kutta(
      [](const std::vector<double>& x) {
        return std::vector{x[1], -x[0] * x[0] * x[0]};
      },
      {0, 1}, 6, 40000);
  CHECK(fine.back()[0] == Approx(-0.2363).epsilon(1e-3));
  check_system("hard spring", hard_spring, {0, 1}, 0, 6, 8,
               [&](double t) { return fine[static_cast<std::size_t>(std::lround(t / 6 * 40000))][0]; });
}

TEST_CASE("products of an input and a state are followed") {
  const Input slow({0, 10}, {0, 1}, {.interpolation = Interpolation::linear});
  const Input fast({0, 10}, {0, 10}, {.interpolation = Interpolation::linear});
  check_system(
      "filling", [](std::size_t, const auto& q) { return q.input(0) * (20.0 - q[0]); }, {10}, 0, 10, 3,
      [](double t) { return 20 - 10 * std::exp(-t * t / 20); }, {slow});
  check_system(
      "decay", [](std::size_t, const auto& q) { return -q.input(0) * q[0]; }, {1}, 0, 3, 3,
      [](double t) { return std::exp(-t * t / 2); }, {fast});
  // Grows by 90, and so do errors.
  check_system(
      "growth", [](std::size_t, const auto& q) { return q.input(0) * q[0]; }, {1}, 0, 3, 3 * 90,
      [](double t) { return std::exp(t * t / 2); }, {fast});
  // Order 3 needs no dt_max for a linear input.
  CHECK(error_in_quanta([](std::size_t, const auto& q) { return -q.input(0) * q[0]; }, {1}, 0,
                        {.quantum = 1e-3, .end = 3, .inputs = {fast}},
                        [](double t) { return std::exp(-t * t / 2); }) <= 3);
}

TEST_CASE("integrals of functions of another state are followed") {
  const auto with_clock = [](auto f) {
    return [f](std::size_t i, const auto& q) { return i == 0 ? std::decay_t<decltype(q[0])>(1.0) : f(q[0]); };
  };
  check_system("sine", with_clock([](const auto& t) { return sin(t); }), {0, 0}, 1, 10, 4,
               [](double t) { return 1 - std::cos(t); });
  check_system("cosine", with_clock([](const auto& t) { return cos(t); }), {0, 0}, 1, 10, 4,
               [](double t) { return std::sin(t); });
  // Its first coefficients are all zero, more than the jets show.
  check_system("tenth power", with_clock([](const auto& t) { return pow(t, 10); }), {0, 0}, 1, 1, 4,
               [](double t) { return std::pow(t, 11) / 11; });
}

TEST_CASE("a state that wakes up after a long rest is followed at once") {
  // Everything stands still until the input jumps at 1.
  const auto system = [](std::size_t i, const auto& q) { return i == 0 ? q.input(0) : cos(q[0]) - 1; };
  const Input jump({0, 1, 9}, {0, 1, 1}, {.interpolation = Interpolation::hold});
  const auto exact = [](double t) { return t < 1 ? 0 : std::sin(t - 1) - (t - 1); };
  for (std::size_t order = 2; order <= 3; ++order)
    for (const double quantum : {1e-2, 1e-4})
      CHECK(error_in_quanta(system, {0, 0}, 1, {.order = order, .quantum = quantum, .end = 9, .inputs = {jump}},
                            exact) <= 4);
}

TEST_CASE("a function that has no slope where the system rests does not stop the run") {
  // An empty tank without inflow: its outflow is a root only above zero.
  const auto tank = [](std::size_t, const auto& q) {
    return q[0] > 0.0 ? q.input(0) - sqrt(q[0]) : std::decay_t<decltype(q[0])>(q.input(0));
  };
  const Input filling({0, 1, 9}, {0, 0, 0}, {.interpolation = Interpolation::hold});
  CHECK(simulate(tank, {0}, {.order = 2, .quantum = 1e-3, .end = 9, .inputs = {filling}}).steps[0] == 0);
}

TEST_CASE("a root that ends and a relay that switches wake a state that would rest") {
  const auto tank = [](std::size_t, const auto& q) { return -1.0 * sqrt(q[0]); };
  const auto level = [](double t) { return t < 2 ? (1 - t / 2) * (1 - t / 2) : 0; };
  CHECK(error_in_quanta(tank, {1}, 0, {.order = 3, .quantum = 0.01, .end = 3}, level) <= 1);
  CHECK(error_in_quanta(tank, {1}, 0, {.order = 2, .quantum = 0.01, .end = 3}, level) <= 1);
  const auto relay = [](std::size_t, const auto& q) { return std::decay_t<decltype(q[0])>(q[0] > 0 ? -1.0 : 1.0); };
  for (std::size_t order = 1; order <= 3; ++order)
    CHECK(error_in_quanta(relay, {1.005}, 0, {.order = order, .quantum = 0.01, .end = 3},
                          [](double t) { return std::max(0.0, 1.005 - t); }) <= 1.01);
}

TEST_CASE("the time and inputs that x cuts off do not make the steps too long") {
  const auto lag = [](std::size_t, const auto& q) { return cos(q.time()) - q[0]; };
  const auto exact = [](double t) { return (std::cos(t) + std::sin(t) - std::exp(-t)) / 2; };
  for (std::size_t order = 1; order <= 3; ++order)
    CHECK(error_in_quanta(lag, {0}, 0, {.order = order, .quantum = 1e-3, .end = 10, .dt_max = 0.05}, exact) <= 4);
}

TEST_CASE("a step that is cut short costs a linear system nothing") {
  // One formula twice, the second time as a product of two jets, of which one is constant.
  const auto plain = [](std::size_t i, const auto& q) { return i == 0 ? 2.0 * q[1] : -2.0 * q[0]; };
  const auto product = [](std::size_t i, const auto& q) {
    const std::decay_t<decltype(q[0])> two(2.0);
    return i == 0 ? two * q[1] : -two * q[0];
  };
  for (std::size_t order = 1; order <= 3; ++order) {
    const QssOptions options{.order = order, .quantum = 1e-3, .end = 5};
    CHECK(simulate(plain, {1, 0}, options).states == simulate(product, {1, 0}, options).states);
  }
}
