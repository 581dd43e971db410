// SPDX-License-Identifier: MIT
#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;

const auto first_difference = [](const fd::Series<>& a, const fd::Series<>& b) { return a(0) - b(0); };

static_assert(fd::Metric<fd::Twed, fd::Series<>>);
static_assert(fd::Metric<fd::Twed, fd::SeriesView<float, double>>);
static_assert(fd::Metric<decltype(first_difference), fd::Series<>>);
static_assert(!fd::Metric<fd::Twed, int>);
static_assert(!fd::Metric<fd::Norm, fd::Series<>>);
static_assert(fd::BatchMetric<fd::Twed, fd::Series<>>);
static_assert(fd::BatchMetric<fd::Twed, fd::SeriesView<float, double>>);
static_assert(!fd::BatchMetric<decltype(first_difference), fd::Series<>>);

}  // namespace

TEST_CASE("Twed is a metric for a positive stiffness") {
  CHECK(fd::metric_status({.stiffness = 1e-9, .penalty = 0}) == fd::MetricStatus::metric);
  CHECK(fd::metric_status({.stiffness = 0.1, .penalty = 1, .norm = 1}) == fd::MetricStatus::metric);
  CHECK(fd::metric_status({.stiffness = 0.1, .penalty = 1, .accept_events = true}) == fd::MetricStatus::metric);
}

TEST_CASE("Twed is a pseudo-metric where different series may have distance 0") {
  CHECK(fd::metric_status({.stiffness = 0, .penalty = 1}) == fd::MetricStatus::pseudo_metric);
  CHECK(fd::metric_status({.stiffness = 0, .penalty = 0}) == fd::MetricStatus::pseudo_metric);
  CHECK(fd::metric_status({.stiffness = 0.1, .penalty = 0, .accept_events = true}) == fd::MetricStatus::pseudo_metric);
}

TEST_CASE("the pseudo-metrics have such series") {
  using Run = fd::Series<double, double>;
  const fd::Twed no_time{.stiffness = 0, .penalty = 1}, values_only{.stiffness = 0, .penalty = 0};
  CHECK(no_time(Run({0, 1}, {1, 2}), Run({0, 5}, {1, 2})) == 0);
  CHECK(values_only(Run({0, 1, 2}, {1, 1, 2}), Run({0, 5}, {1, 2})) == 0);
  const fd::Twed free_events{.stiffness = 0.1, .penalty = 0, .accept_events = true};
  const Run twice({0, 1, 1}, {1, 2, 2}, {.duplicates = fd::Duplicates::event}), once({0, 1}, {1, 2});
  CHECK(free_events(twice, once) == 0);
  const fd::Twed priced_events{.stiffness = 0.1, .penalty = 0.5, .accept_events = true};
  CHECK(priced_events(twice, once) == 0.5);
}

TEST_CASE("Twed describes itself with units") {
  const auto text = fd::describe(fd::Twed{.stiffness = 0.5, .penalty = 2, .scale = {1, 0.5}, .accept_events = true});
  CHECK(text.name == "time warp edit distance");
  REQUIRE(text.parameters.size() == 2);
  CHECK(text.parameters[0].name == "stiffness");
  CHECK(text.parameters[0].value == 0.5);
  CHECK(text.parameters[0].unit_per_value == "/s");
  CHECK(text.parameters[1].name == "penalty");
  CHECK(text.parameters[1].value == 2);
  CHECK(text.parameters[1].unit_per_value.empty());
  CHECK(text.settings == "L2 norm, scale 1 0.5, events accepted");
  CHECK(text.status == fd::MetricStatus::metric);
}

TEST_CASE("of a user's distance nothing is known") {
  const auto text = fd::describe(first_difference);
  CHECK(text.name == "user distance");
  CHECK(text.status == fd::MetricStatus::unknown);
}
