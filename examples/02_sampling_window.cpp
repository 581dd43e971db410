// SPDX-License-Identifier: MIT
// When was the plant fit to be sampled, and what were the inputs of its simulator then?
//
// Run time r: the instant for which a simulation is planned. In the validation window before it the conditions are
// evaluated, exactly in time: a logic condition on the flow, and steady state of the pressure, judged in bar. The
// newest stretch in which both hold and that is as long as the sampling window is taken; the inputs are averaged over
// it, and the simulation stands for its middle.
#include <fidelity/fidelity.hpp>
#include <fidelity/report/sampling_figure.hpp>
#include <fidelity/report/text.hpp>

#include <fmt/core.h>

#include "plant_data.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

int main() {
  const fd::Series<> plant = plant::day();
  const auto flow = fd::channel(plant, "flow");
  const auto pressure = fd::channel(plant, "pressure");

  const std::vector<fd::Validator<>> conditions{
      fd::logic("pump runs", flow, fd::Greater{45.0}),
      fd::steady("pressure steady", pressure,
                 {.noise_max = 0.1, .slope_max = fd::Rate{0.1, 1h}, .min_duration = 30min})};
  const std::vector<fd::Input<>> inputs = fd::inputs_of(plant);

  // At the end of the day, at 20:30 while the flow was too low, and a window longer than any that was fit.
  const fd::Timestamp midnight = plant.time(0);
  fd::SamplingPlan<> plan{.run_time = midnight + 23h, .sampling_window = 2h, .validation_window = 12h, .align = 1min};
  const auto late = fd::sample(plan, conditions, inputs);
  fmt::print("At 23:00\n\n{}\n", late);

  plan.run_time = midnight + 20h + 30min;
  const auto during = fd::sample(plan, conditions, inputs);
  fmt::print("At 20:30, while the flow is too low\n\n{}\n", during);

  plan.sampling_window = 10h;
  const auto none = fd::sample(plan, conditions, inputs);
  fmt::print("Ten hours without a break\n\n{}\n", none);

  // The same plan for every quarter of an hour of the day; what the run times share is done once.
  plan = {.run_time = midnight, .sampling_window = 1h, .validation_window = 6h};
  std::vector<fd::Timestamp> run_times;
  for (int k = 0; k <= 96; ++k) run_times.push_back(midnight + k * 15min);
  int found = 0;
  for (const auto& result : fd::backfill(plan, run_times, conditions, inputs)) found += result.window.has_value();
  fmt::print("An hour fit to be sampled within six hours: at {} of {} run times\n", found, run_times.size());

  fd::SamplingPicture picture(during);
  picture.condition("pump runs", flow, {.unit = "m3/h", .levels = {45}});
  picture.condition("pressure steady", pressure, {.unit = "bar"});
  picture.input("flow", flow, "m3/h").input("temperature", fd::channel(plant, "temperature"), "degC");
  fd::write_svg("sampling_window.svg", picture.figure());
  fmt::print("wrote sampling_window.svg\n");

  return late.window && during.window && !none.window ? 0 : 1;
}
