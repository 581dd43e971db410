// SPDX-License-Identifier: MIT
#include <limits>
#include <vector>

#include <fidelity/qss/integrator.hpp>
#include <fidelity/series/series.hpp>
#include "catch.hpp"
#include "reference/series_helpers.hpp"

using namespace fidelity;
using series_test::bad;
using series_test::infinity;
using series_test::require_rule;

namespace {
const auto decay = [](std::size_t, const auto& q) { return -q[0]; };

template <class System>
auto running(const System& system, std::vector<double> x0, QssOptions options) {
  return [=] { (void)simulate(system, x0, options); };
}
const QssOptions good{.quantum = 0.1, .end = 1};

QssOptions changed(void (*change)(QssOptions&)) {
  QssOptions options = good;
  change(options);
  return options;
}
void require_bad(void (*change)(QssOptions&), const char* text) {
  require_rule(Rule::bad_parameter, running(decay, {1}, changed(change)), "simulate", text);
}
}  // namespace

TEST_CASE("options out of range are refused before anything runs") {
  require_bad([](QssOptions& o) { o.quantum = 0; }, "quantum must be positive");
  require_bad([](QssOptions& o) { o.quantum = -0.1; }, "got -0.1");
  require_bad([](QssOptions& o) { o.quantum = bad; }, "quantum");
  require_bad([](QssOptions& o) { o.quantum = infinity; }, "quantum");
  require_bad([](QssOptions& o) { o.relative_quantum = -1; }, "relative quantum");
  require_bad([](QssOptions& o) { o.relative_quantum = bad; }, "relative quantum");
  require_bad([](QssOptions& o) { o.order = 0; }, "order must be 1, 2 or 3");
  require_bad([](QssOptions& o) { o.order = 4; }, "got 4");
  require_bad([](QssOptions& o) { o.method = QssMethod::liqss; }, "order of liqss must be 1 or 2");
  require_bad([](QssOptions& o) { o.order = 2, o.method = QssMethod::liqss, o.convention = QssConvention::zero; },
              "fresh");
  require_bad([](QssOptions& o) { o.end = 0; }, "end must be finite and after the start");
  require_bad([](QssOptions& o) { o.end = -1; }, "end");
  require_bad([](QssOptions& o) { o.end = bad; }, "end");
  require_bad([](QssOptions& o) { o.start = -infinity; }, "start");
  require_bad([](QssOptions& o) { o.dt_max = 0; }, "dt_max");
  require_bad([](QssOptions& o) { o.dt_max = bad; }, "dt_max");
  require_rule(Rule::size_mismatch, running(decay, {1}, {.quantum = {0.1, 0.2}, .end = 1}), "2 quanta for 1 states");
  require_rule(Rule::empty, running(decay, {}, good), "at least one state");
  require_rule(Rule::value_not_finite, running(decay, {1, bad}, good), "x0[1]");
}

TEST_CASE("a derivative that is not finite names the state and the time") {
  const auto root = [](std::size_t i, const auto& q) {
    return i == 0 ? std::decay_t<decltype(q[0])>(-1.0) : sqrt(q[0]);
  };
  require_rule(Rule::value_not_finite, running(root, {1, 0}, {.order = 1, .quantum = 0.25, .end = 9}), "state 1",
               "at 1.25 s");
  const auto slope = [](std::size_t, const auto& q) { return sqrt(q[0]); };
  require_rule(Rule::value_not_finite, running(slope, {0}, good), "Taylor coefficients", "state 0 at 0 s");
}

TEST_CASE("reading a state or an input that is not there is an error") {
  require_rule(Rule::index_out_of_range, running([](std::size_t, const auto& q) { return q[1]; }, {1}, good), "state 1",
               "there is 1");
  require_rule(Rule::index_out_of_range, running([](std::size_t, const auto& q) { return q.input(0); }, {1}, good),
               "input 0", "there are 0");
}

TEST_CASE("an input must cover the run without a gap") {
  const auto follow = [](std::size_t, const auto& q) { return q.input(0) - q[0]; };
  using Held = Series<double, double>;
  QssOptions options = good;
  options.inputs = {Held({0.5, 2}, {1, 1}, {.interpolation = Interpolation::hold})};
  require_rule(Rule::window_outside, running(follow, {1}, options), "missing from 0 s", "inputs[0]");
  options.inputs = {Held({0, 0.25, 0.5}, {1, 1, bad}, {.interpolation = Interpolation::hold})};
  require_rule(Rule::window_outside, running(follow, {1}, options), "missing from 0.5 s");
}

TEST_CASE("what no quantum watches needs a time limit") {
  require_rule(Rule::bad_parameter, running([](std::size_t, const auto& q) { return sin(q.time()); }, {0}, good),
               "needs dt_max");
  QssOptions options{.order = 1, .quantum = 0.1, .end = 1};
  options.inputs = {Series<double, double>({0, 2}, {0, 1}, {.interpolation = Interpolation::linear})};
  const auto integral = [](std::size_t, const auto& q) { return q.input(0); };
  require_rule(Rule::bad_parameter, running(integral, {0}, options), "needs dt_max");
  options.dt_max = 0.1;
  CHECK_NOTHROW(running(integral, {0}, options)());
}

TEST_CASE("a quantum that is lost in rounding or becomes zero is an error") {
  require_rule(Rule::bad_parameter, running(decay, {1}, {.quantum = 1e-17, .end = 1}), "lost in the rounding",
               "state 0 at 0 s");
  require_rule(Rule::bad_parameter, running(decay, {0}, {.quantum = 0, .relative_quantum = 0.1, .end = 1}),
               "quantum is 0");
}

TEST_CASE("a solution that goes to infinity is an error and no endless loop") {
  const auto square = [](std::size_t, const auto& q) { return q[0] * q[0]; };
  for (std::size_t order = 1; order <= 3; ++order)
    require_rule(Rule::bad_parameter,
                 running(square, {1}, {.order = order, .quantum = 1e-3, .relative_quantum = 0.05, .end = 2}),
                 "goes to infinity", "state 0 at 1.0");
}
