// SPDX-License-Identifier: MIT
// Help with the parameters (T41).
#include <chrono>
#include <string>
#include <vector>

#include <fidelity/distance/suggest.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"
#include "reference/series_helpers.hpp"

namespace {

namespace fd = fidelity;
using namespace std::chrono_literals;
using series_test::require_rule;
using Run = fd::Series<double, double>;

// Steps of value 1, 3, 2, 4 and of time 0.5, 1, 0.5, 2.
const Run steps({0, 0.5, 1.5, 2, 4}, {0, 1, 4, 2, 6});

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the penalty is the median step of value and the stiffness that over the median time step") {
  const auto suggested = fd::suggest(steps);
  CHECK(suggested.penalty == 2.5);
  CHECK(suggested.stiffness == 2.5 / 0.75);
  const fd::Twed twed{.stiffness = suggested.stiffness, .penalty = suggested.penalty};
  CHECK(twed(steps, steps) == 0);
}

TEST_CASE("the reason is given in words with units") {
  CHECK(fd::suggest(steps, {.unit = "m"}).why ==
        "penalty 2.5 m: the median |step of value| of 4 steps in 1 series; stiffness 3.33333 m/s: the same divided by "
        "the median time step of 0.75 s. A start for thinking: deleting a sample, or being late by one, costs a "
        "typical step");
  CHECK(holds(fd::suggest(steps).why, "stiffness 3.33333 per second"));
}

TEST_CASE("the steps of an ensemble are pooled and not those between its series") {
  const std::vector<Run> runs = {steps, Run({100, 110}, {1000, 1010}), Run({5}, {-1e6})};
  const auto suggested = fd::suggest(runs);
  CHECK(suggested.penalty == 3);
  CHECK(suggested.stiffness == 3);
  CHECK(holds(suggested.why, "5 steps in 3 series"));
}

TEST_CASE("channels enter by the norm and the factors of the distance") {
  const fd::Series<> two({fd::Timestamp{}, fd::Timestamp{2s}}, {0, 0, 3, 400}, {.channel_names = {"x", "y"}});
  CHECK(fd::suggest(two, {.scale = {1, 0.01}}).penalty == 5);
  CHECK(fd::suggest(two, {.scale = {1, 0.01}}).stiffness == 2.5);
  CHECK(fd::suggest(two, {.norm = 1, .scale = {1, 0.01}}).penalty == 7);
  CHECK(fd::suggest(two, {.norm = fd::Norm::maximum()}).penalty == 400);
}

TEST_CASE("a signal that mostly stands still suggests its other steps and says so") {
  const Run held({0, 1, 2, 3, 4, 5}, {0, 0, 0, 0, 0.25, 0.25});
  const auto suggested = fd::suggest(held);
  CHECK(suggested.penalty == 0.25);
  CHECK(suggested.stiffness == 0.25);
  CHECK(holds(suggested.why, "1 steps that are not 0, of 5 steps in 1 series"));
}

TEST_CASE("both sides of an event make a step of value and none of time") {
  const Run event({0, 1, 1, 2}, {0, 1, 5, 6}, {.duplicates = fd::Duplicates::event});
  CHECK(fd::suggest(event).penalty == 1);
  CHECK(fd::suggest(event).stiffness == 1);
}

TEST_CASE("where there is no scale nothing is suggested") {
  const auto refused = [](const auto& runs, const char* text) {
    require_rule(
        fd::Rule::empty, [&] { (void)fd::suggest(runs); }, "suggest", text);
    require_rule(
        fd::Rule::empty, [&] { (void)fd::parameter_scales(runs, {.stiffness = 1, .penalty = 1}); }, text);
  };
  refused(Run({0, 1, 2}, {7, 7, 7}), "no value changes");
  refused(Run({0}, {7}), "one sample");
  refused(std::vector<Run>{}, "steps");
  refused(std::vector<Run>{Run({0, 1}, {1, 1}), Run({0, 1}, {2, 2})}, "no value changes");
}

TEST_CASE("bad samples and wrong channels are refused") {
  require_rule(
      fd::Rule::value_not_finite,
      [] {
        (void)fd::suggest(Run({0, 1}, {0, series_test::bad}));
      },
      "sample 1");
  const std::vector<Run> mixed = {steps, Run({0}, {1, 2}, {.channel_names = {"x", "y"}})};
  require_rule(
      fd::Rule::channel_mismatch, [&] { (void)fd::suggest(mixed); }, "runs[1]", "1 and 2");
  require_rule(
      fd::Rule::size_mismatch,
      [] {
        (void)fd::suggest(steps, {.scale = {1, 2}});
      },
      "scale factors");
  CHECK_THROWS_AS(fd::suggest(Run({0, 1}, {-1e308, 1e308})), fd::Overflow);
}

TEST_CASE("the scales of given parameters are relative to the steps of the data") {
  const auto scales = fd::parameter_scales(steps, {.stiffness = 0.1, .penalty = 5}, "m");
  CHECK(scales.value_step == 2.5);
  CHECK(scales.time_step == 0.75);
  CHECK(scales.stiffness_times_step == 0.1 * 0.75);
  CHECK(scales.stiffness_ratio == 0.1 * 0.75 / 2.5);
  CHECK(scales.penalty_ratio == 2);
  CHECK(scales.text ==
        "stiffness 0.1 m/s costs 0.075 m for the median time step of 0.75 s, 0.03 times the median |step of value| of "
        "2.5 m (4 steps in 1 series); penalty 5 m is 2 times that step");
  const auto suggested = fd::suggest(steps);
  const auto ones =
      fd::parameter_scales(std::vector{steps}, {.stiffness = suggested.stiffness, .penalty = suggested.penalty});
  CHECK(ones.stiffness_ratio == Approx(1));
  CHECK(ones.penalty_ratio == 1);
}
