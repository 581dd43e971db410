// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <fidelity/qss/integrator.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>
#include "catch.hpp"
#include "reference/integrator_oracle.hpp"

using namespace fidelity;

namespace {

const auto decay = [](std::size_t, const auto& q) { return -q[0]; };
const auto decay_to_input = [](std::size_t, const auto& q) { return q.input(0) - q[0]; };
const auto oscillator = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : -q[0]; };
const auto two_lags = [](std::size_t i, const auto& q) { return i == 0 ? q[1] : 2.0 - 2.0 * q[0] - 3.0 * q[1]; };
const auto hunters = [](std::size_t i, const auto& q) {
  return i == 0 ? 0.1 * q[0] - 0.1 * q[0] * q[1] : 0.1 * q[0] * q[1] - 0.1 * q[1];
};

QssRun run_model(const std::string& model, const std::vector<double>& x0, QssOptions options) {
  if (model == "decay") return simulate(decay, x0, options);
  if (model == "osc") return simulate(oscillator, x0, options);
  if (model == "lin2") return simulate(two_lags, x0, options);
  if (model == "lotka") return simulate(hunters, x0, options);
  REQUIRE(model == "step");
  options.inputs = {Series<double, double>({0, 1.76, 6}, {0, 10, 10}, {.interpolation = Interpolation::hold})};
  return simulate(decay_to_input, x0, options);
}

QssConvention convention_of(const std::string& name) {
  return name == "fresh" ? QssConvention::fresh : name == "zero" ? QssConvention::zero : QssConvention::devs;
}

void check_near(double computed, double expected, double scale) {
  CHECK(std::abs(computed - expected) <= 1e-9 * std::max(std::abs(expected), scale));
}

/// The segments that remain of a list of events where the last of equal times counts; without the end.
std::vector<TaylorEvent<>> last_of_each_time(const std::vector<TaylorEvent<>>& events) {
  std::vector<TaylorEvent<>> kept;
  for (const auto& event : events) {
    if (event.kind() == EventKind::end) continue;
    if (!kept.empty() && kept.back().time() == event.time()) kept.pop_back();
    kept.push_back(event);
  }
  return kept;
}

void check_reference_run(const nlohmann::json& reference) {
  INFO(reference.at("name").get<std::string>());
  const auto& start = reference.at("x0");
  const auto x0 = start.is_array() ? start.get<std::vector<double>>() : std::vector{start.get<double>()};
  const std::size_t order = reference.at("order");
  const auto convention = convention_of(reference.at("init"));
  const QssRun run = run_model(reference.at("model"), x0,
                               {.order = order,
                                .quantum = reference.at("dQmin").get<double>(),
                                .relative_quantum = reference.at("dQrel").get<double>(),
                                .end = reference.at("t_end").get<double>(),
                                .convention = convention});
  for (const auto& signal : reference.at("signals")) {
    const std::size_t i = signal.at("index");
    // In the convention devs the firing at 0 counts.
    CHECK(run.steps[i] + (convention == QssConvention::devs ? 1 : 0) == signal.at("n_internal").get<std::size_t>());
    const auto segments = last_of_each_time(run.states[i]);
    REQUIRE(segments.size() == signal.at("segments").size());
    for (std::size_t k = 0; k < segments.size(); ++k) {
      const auto& expected = signal.at("segments").at(k);
      check_near(segments[k].time(), expected.at("t"), 0);
      REQUIRE(segments[k].order() == order);
      for (std::size_t c = 0; c <= order; ++c) check_near(segments[k].coefficient(c), expected.at("c").at(c), 1);
    }
    REQUIRE(run.quantised[i].size() == signal.at("normal_port").size());
    for (std::size_t k = 0; k < run.quantised[i].size(); ++k) {
      const auto& expected = signal.at("normal_port").at(k);
      check_near(run.quantised[i][k].time(), expected.at("t"), 0);
      for (std::size_t c = 0; c < order; ++c) check_near(run.quantised[i][k].coefficient(c), expected.at("q").at(c), 1);
    }
    for (const auto& point : signal.at("grid")) {
      const double t = point.at("t");
      check_near(integrator_test::value_at(run.states[i], t), point.at("x"), 1);
      check_near(integrator_test::value_at(run.quantised[i], t), point.at("q"), 1);
    }
  }
}

}  // namespace

TEST_CASE("nine reference runs are reproduced event by event") {
  const auto file = nlohmann::json::parse(std::ifstream(FIDELITY_TEST_DATA "/qss/qss_reference_small.json"));
  REQUIRE(file.at("cases").size() == 9);
  for (const auto& reference : file.at("cases")) check_reference_run(reference);
}

TEST_CASE("all reference runs are reproduced event by event in all conventions") {
  std::ifstream stream(FIDELITY_SHARED "/reference/qss_reference.json");
  if (!stream) {
    WARN("skipped: no shared reference runs");
    return;
  }
  const auto file = nlohmann::json::parse(stream);
  REQUIRE(file.at("cases").size() == 38);
  for (const auto& reference : file.at("cases")) check_reference_run(reference);
}

TEST_CASE("the raw events of a reference run come in its order with its kinds") {
  const auto file = nlohmann::json::parse(std::ifstream(FIDELITY_TEST_DATA "/qss/qss_reference_small.json"));
  for (const auto& reference : file.at("cases")) {
    if (reference.at("model") != "lin2") continue;
    INFO(reference.at("name").get<std::string>());
    struct Raw {
      std::size_t state;
      TaylorEvent<> event;
    };
    std::vector<Raw> raw;
    simulate(two_lags, reference.at("x0"),
             {.order = reference.at("order"),
              .quantum = reference.at("dQmin").get<double>(),
              .end = reference.at("t_end").get<double>(),
              .convention = convention_of(reference.at("init"))},
             [&](std::size_t state, Port port, const TaylorEvent<>& event) {
               if (port == Port::interpolator && event.kind() != EventKind::end) raw.push_back({state, event});
             });
    CHECK(raw.size() == reference.at("interpolator_port_log_length").get<std::size_t>());
    const auto& log = reference.at("interpolator_port_log_first_40");
    for (std::size_t k = 0; k < log.size(); ++k) {
      const std::string kind = log.at(k).at("kind");
      CHECK(raw[k].state == log.at(k).at("i").get<std::size_t>());
      CHECK(raw[k].event.kind() == (kind == "init"       ? EventKind::init
                                    : kind == "internal" ? EventKind::internal
                                                         : EventKind::external));
      check_near(raw[k].event.time(), log.at(k).at("t"), 0);
      for (std::size_t c = 0; c <= raw[k].event.order(); ++c)
        check_near(raw[k].event.coefficient(c), log.at(k).at("c").at(c), 1);
    }
  }
}

TEST_CASE("event counts are those of the published engines") {
  using Counts = std::vector<std::size_t>;
  struct Row {
    std::string model;
    std::vector<double> x0;
    std::size_t order;
    double quantum, end;
    Counts fresh, zero;
  };
  const std::vector<double> one{1}, osc{1.03, 0.37}, lin{0.013, 0.029};
  const std::vector<Row> rows{
      {"decay", one, 1, 0.01, 5, {99}, {99}},         {"decay", one, 2, 0.01, 5, {14}, {12}},
      {"decay", one, 3, 0.01, 5, {6}, {11}},          {"decay", one, 3, 1e-4, 5, {29}, {27}},
      {"osc", osc, 1, 0.1, 10, {81, 85}, {81, 85}},   {"osc", osc, 2, 0.01, 10, {56, 53}, {56, 53}},
      {"osc", osc, 3, 0.01, 10, {22, 21}, {21, 24}},  {"lin2", lin, 1, 0.05, 10, {20, 25}, {20, 25}},
      {"lin2", lin, 2, 0.01, 10, {17, 25}, {16, 39}}, {"lin2", lin, 3, 0.01, 10, {11, 15}, {20, 60}},
      {"lin2", lin, 3, 1e-4, 10, {37, 49}, {42, 70}},
  };
  for (const Row& row : rows) {
    INFO(row.model << " order " << row.order << " quantum " << row.quantum);
    QssOptions options{.order = row.order, .quantum = row.quantum, .end = row.end};
    CHECK(run_model(row.model, row.x0, options).steps == row.fresh);
    options.convention = QssConvention::zero;
    CHECK(run_model(row.model, row.x0, options).steps == row.zero);
  }
  const auto step = [](std::size_t order, double quantum) {
    return run_model("step", {10}, {.order = order, .quantum = quantum, .end = 6, .convention = QssConvention::zero})
        .steps[0];
  };
  CHECK(step(1, 1) == 16);
  CHECK(step(2, 0.1) == 19);
  CHECK(step(3, 1) == 12);
  CHECK(step(3, 0.01) == 20);
  CHECK(run_model("lotka", {0.5, 0.5},
                  {.quantum = 1e-6, .relative_quantum = 1e-3, .end = 40, .convention = QssConvention::zero})
            .steps == Counts{23, 24});
}

TEST_CASE("a long run of an oscillator has the number of events of the published engines") {
  const auto count = [](std::size_t order, double quantum, QssConvention convention) {
    std::size_t steps = 0;
    simulate(oscillator, {1.03, 0.37}, {.order = order, .quantum = quantum, .end = 20, .convention = convention},
             [&](std::size_t, Port port, const TaylorEvent<>& event) {
               steps += port == Port::normal && event.kind() == EventKind::internal;
             });
    return steps;
  };
  CHECK(count(1, 1e-4, QssConvention::fresh) == 278412);
  CHECK(count(2, 1e-7, QssConvention::fresh) == 71255);
  CHECK(count(2, 1e-7, QssConvention::zero) == 71257);
  CHECK(count(3, 1e-9, QssConvention::fresh) == 18653);
  CHECK(count(3, 1e-9, QssConvention::zero) == 18656);
}

TEST_CASE("first order decay has its events at differences of harmonic numbers") {
  for (const int n : {10, 100}) {
    const QssRun run = simulate(decay, {1}, {.order = 1, .quantum = 1.0 / n, .end = 50});
    REQUIRE(run.steps[0] == static_cast<std::size_t>(n));  // after the last one q is 0 and nothing happens any more
    double t = 0;
    for (int k = 1; k <= n; ++k) {
      t += 1.0 / (n - k + 1);
      const auto& event = run.quantised[0][static_cast<std::size_t>(k)];
      check_near(event.time(), t, 0);
      CHECK(event.coefficient(0) == Approx(1 - static_cast<double>(k) / n).margin(1e-12));
    }
    CHECK(run.states[0].back().kind() == EventKind::end);
    CHECK(run.states[0].back().time() == 50);
  }
}

TEST_CASE("a purely relative quantum gives equal steps") {
  const QssRun run = simulate(decay, {1}, {.order = 1, .quantum = 0, .relative_quantum = 0.05, .end = 3.01});
  REQUIRE(run.steps[0] == 60);
  for (std::size_t k = 1; k <= 60; ++k) {
    check_near(run.quantised[0][k].time(), 0.05 * static_cast<double>(k), 0);
    check_near(run.quantised[0][k].coefficient(0), std::pow(0.95, k), 0);
  }
}

TEST_CASE("the first steps of order two and three are roots of the quantum") {
  const auto times = [](std::size_t order, QssConvention convention) {
    const QssRun run = simulate(decay, {1}, {.order = order, .quantum = 0.01, .end = 5, .convention = convention});
    return std::vector{run.quantised[0][1].time(), run.quantised[0][2].time(), run.quantised[0][3].time()};
  };
  check_near(times(2, QssConvention::fresh)[0], 0.1414213562373095, 0);
  check_near(times(2, QssConvention::fresh)[1], 0.2931649706409969, 0);
  check_near(times(2, QssConvention::zero)[0], 0.01, 0);
  check_near(times(2, QssConvention::zero)[1], 0.14177446878757824, 0);
  check_near(times(2, QssConvention::zero)[2], 0.30652659933311777, 0);
  check_near(times(3, QssConvention::fresh)[0], 0.3914867641168864, 0);
  check_near(times(3, QssConvention::fresh)[1], 0.8377436264717609, 0);
}

TEST_CASE("both ports start with init and the state closes with end") {
  std::vector<std::string> log;
  simulate(decay, {1}, {.order = 1, .quantum = 0.5, .end = 1.25},
           [&](std::size_t, Port port, const TaylorEvent<>& event) {
             log.push_back(std::string(port == Port::normal ? "q" : "x") +
                           std::to_string(static_cast<int>(event.kind())) + " " + to_text(event.time()));
           });
  CHECK(log == std::vector<std::string>{"x0 0 s", "q0 0 s", "x1 0.5 s", "q1 0.5 s", "x2 0.5 s", "x4 1.25 s"});
}

TEST_CASE("an input knot makes one external event in each state that reads it") {
  const auto system = [](std::size_t i, const auto& q) { return i == 0 ? q.input(0) + q.input(1) - q[0] : -q[1]; };
  const Series<double, double> a({0, 1, 5}, {0, 1, 1}, {.interpolation = Interpolation::hold});
  const Series<double, double> b({-1, 1, 2, 5}, {0, 2, 3, 3}, {.interpolation = Interpolation::hold});
  std::vector<double> times;
  simulate(system, {0, 0}, {.order = 2, .quantum = 100, .end = 5, .inputs = {a, b}},
           [&](std::size_t state, Port, const TaylorEvent<>& event) {
             if (event.kind() != EventKind::external) return;
             CHECK(state == 0);
             times.push_back(event.time());
           });
  CHECK(times == std::vector<double>{1, 2});
}

TEST_CASE("the slope of an input is part of the derivative") {
  const auto integral = [](std::size_t, const auto& q) { return q.input(0); };
  const Series<double, double> ramp({10, 12}, {1, 5}, {.interpolation = Interpolation::linear});
  const QssRun run = simulate(integral, {0}, {.order = 2, .quantum = 100, .start = 10, .end = 12, .inputs = {ramp}});
  CHECK(integrator_test::value_at(run.states[0], 12) == Approx(6).epsilon(1e-14));
  CHECK(integrator_test::value_at(run.states[0], 11) == Approx(2).epsilon(1e-14));
}

TEST_CASE("the events of a run are a trajectory that ends with the run") {
  const QssRun run = simulate(decay, {1}, {.quantum = 1e-6, .end = 5});
  const Trajectory<> x{run.states[0]};
  CHECK(x.span() == Window<double>{0, 5});
  CHECK(mean(x, {0.0, 5.0}).value.value() == Approx((1 - std::exp(-5.0)) / 5).epsilon(1e-5));
  CHECK(std::abs(x.value(5).value() - std::exp(-5.0)) <= 1e-6);
}
