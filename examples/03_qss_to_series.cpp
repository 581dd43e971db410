// SPDX-License-Identifier: MIT
// From the events of a quantised-state simulator to a series that can be held against measurements.
//
// Such a simulator sends no samples. Each event carries a Taylor polynomial of the state that holds until the next:
//   x(t + e) = c0 + c1 e + c2 e^2 + c3 e^3
// Plotted as they come, the events are stairs; joined by straight lines, still wrong by far more than the simulator
// was. The trajectory made of the polynomials is as exact as the simulation, also where an external event (here a step
// of the inflow of a tank) cuts a polynomial short.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fidelity/fidelity.hpp>
#include <fidelity/report/svg.hpp>
#include <fidelity/report/text.hpp>

#include <fmt/core.h>

#include "tank_runs.hpp"

namespace fd = fidelity;

int main() {
  const fd::Trajectory<> level = tank::simulated();
  fmt::print("{} events in {:g} s; level at 10 s: {:.4f} m, rising {:.4f} m/s; above 1 m from {:.3f} s on\n",
             level.knots().size(), tank::end, *level.value(10), *level.derivative(10),
             fd::crossings(level, 1.0).front().time);
  fmt::print("mean level over the first minute: {:.5f} m\n\n", *fd::mean(level, fd::Window{0.0, 60.0}).value);

  const auto grid = fd::grid_times(fd::Every{0.25}, level.span());
  std::vector<double> truth;
  for (const double t : grid) truth.push_back(tank::exact(t));
  const auto error = [&](const fd::Trajectory<>& read) {
    double largest = 0;
    for (std::size_t i = 0; i < grid.size(); ++i)
      largest = std::max(largest, std::abs(*read.value(grid[i]) - truth[i]));
    return largest;
  };
  fmt::print("largest error: polynomials {:.4f} m, straight lines {:.4f} m, held {:.4f} m; quantum 0.05 m\n\n",
             error(level), error(level.linear()), error(level.held()));

  std::vector<double> seen, exact;  // fewer, so that the lines can be seen
  for (std::size_t i = 0; i < grid.size(); i += 16) seen.push_back(grid[i]), exact.push_back(truth[i]);
  fd::Figure figure(level.span(), {.title = "Level of a tank, simulated by QSS3", .panel_height = 320});
  figure.panel("level (m)")
      .line(level, "polynomials")
      .line(level.linear(), "straight lines", fd::Pen::second)
      .line(level.held(), "held", fd::Pen::third)
      .points(seen, exact, "exact", fd::Pen::fourth)
      .mark(tank::step_time, "inflow doubles");
  fd::write_svg("tank.svg", figure);

  // Twelve simulations with the inflow varied as in the tests, against twenty measured runs.
  std::vector<tank::Run> measured, as_polynomials, as_held;
  for (std::uint64_t k = 0; k < 20; ++k) measured.push_back(tank::measured(k));
  for (std::uint64_t k = 0; k < 12; ++k) {
    fd::detail::Random random(8, 0, k);
    const auto run = tank::simulated(tank::inflow_factor(random));
    as_polynomials.push_back(fd::resample(run, fd::Every{1.0}));
    as_held.push_back(fd::resample(run.held(), fd::Every{1.0}));
  }
  const fd::Twed metric{.stiffness = 0.01, .penalty = 0.01};  // m per s, m
  const fd::ComparisonOptions options{.criteria = {fd::Relative{1.3}}, .unit = "m"};
  const auto good = fd::compare(as_polynomials, measured, metric, options);
  fmt::print("Polynomials, sampled every second\n\n{}\n", fd::to_text(good, {.runs = 0}));
  const auto bad = fd::compare(as_held, measured, metric, options);
  fmt::print("The same simulations, held\n\n{}", fd::to_text(bad, {.runs = 0}));
  return good.verdict == fd::Verdict::pass && bad.verdict == fd::Verdict::fail ? 0 : 1;
}
