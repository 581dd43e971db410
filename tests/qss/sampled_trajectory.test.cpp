// SPDX-License-Identifier: MIT
// A trajectory of order 1 and the linear series of its points are the same signal, one of order 0 and the held series
// too: every question of sampling must get the same answer from both.
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <vector>

#include <fidelity/detail/random.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/sampling/sampler.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {

using Event = fd::TaylorEvent<double, fd::Timestamp>;

/// A walk on irregular whole seconds, with flat stretches, as a series and as a trajectory.
struct Pair {
  fd::Series<> series;
  fd::Trajectory<double, fd::Timestamp> trajectory;
};

Pair walk(fd::Interpolation interpolation, std::uint64_t seed) {
  fd::detail::Random random(seed, 0, 0);
  std::vector<fd::Timestamp> times;
  std::vector<double> values;
  fd::Timestamp t{1'600'000'000s};
  double x = 0;
  for (int i = 0; i < 300; ++i) {
    times.push_back(t);
    values.push_back(x);
    t += std::chrono::seconds(1 + static_cast<int>(random.below(90)));
    if (random.uniform() > 0.2) x = 0.95 * x + random.uniform() - 0.5;
  }
  std::vector<Event> events;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (interpolation == fd::Interpolation::hold)
      events.push_back(fd::from_taylor(times[i], {values[i]}));
    else if (i + 1 < times.size())
      events.push_back(
          fd::from_taylor(times[i], {values[i], (values[i + 1] - values[i]) / fd::seconds(times[i + 1] - times[i])}));
  }
  return {fd::Series<>(times, values, {.interpolation = interpolation}),
          fd::Trajectory<double, fd::Timestamp>(events, {.end = times.back()})};
}

}  // namespace

TEST_CASE("conditions, window search, statistics and steady state agree on a trajectory and the series of its points") {
  for (const auto interpolation : {fd::Interpolation::linear, fd::Interpolation::hold}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Pair pair = walk(interpolation, seed);  // no bindings: clang 14 does not let a lambda capture them
      const auto& series = pair.series;
      const auto& trajectory = pair.trajectory;
      REQUIRE(trajectory.span() == series.span());
      const auto same = [&](const auto& condition) {
        const auto of_series = fd::check(series, condition);
        const auto of_trajectory = fd::check(trajectory, condition);
        CHECK(of_series == of_trajectory);
        return std::pair{of_series, of_trajectory};
      };
      const auto [a, b] = same(fd::Greater{0.2});
      (void)same(fd::LessEqual{-0.1});
      (void)same(fd::Between{-0.3, 0.3});
      (void)same(fd::NotEqual{0.0});
      (void)same(fd::Hysteresis{.on = 0.4, .off = 0.1});
      CHECK(fd::find_window(a, {.length = 3min}).window == fd::find_window(b, {.length = 3min}).window);

      const fd::Window window{series.span().begin + 1234567ms, series.span().end - 777s};
      CHECK(fd::mean(series, window).value == fd::mean(trajectory, window).value);
      CHECK(fd::standard_deviation(series, window).value == fd::standard_deviation(trajectory, window).value);
      CHECK(fd::minimum(series, window).time == fd::minimum(trajectory, window).time);
      CHECK(fd::maximum(series, window).value.value() ==
            Approx(fd::maximum(trajectory, window).value.value()).epsilon(1e-15));
      CHECK(fd::coverage(series, window) == 1);
      CHECK(fd::coverage(trajectory, window) == 1);

      const fd::SteadyStateOptions<> options{
          .noise_max = 0.3, .slope_max = fd::Rate{0.3, 1h}, .step = 1min, .cost = fd::L2{}};
      CHECK(fd::steady_state(series, options) == fd::steady_state(trajectory, options));
    }
  }
}

TEST_CASE("a sampling plan gives the same window and averages from a trajectory and from the series of its points") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto [series, trajectory] = walk(fd::Interpolation::hold, seed);
    const auto run = [&](const auto& signal) {
      return fd::sample({.run_time = signal.span().end, .sampling_window = 5min, .validation_window = 2h},
                        {fd::logic("low", signal, fd::Less{0.3})}, {{"x", signal}});
    };
    const auto a = run(series), b = run(trajectory);
    CHECK(a.window == b.window);
    CHECK(a.combined == b.combined);
    REQUIRE(a.inputs.size() == b.inputs.size());
    if (!a.inputs.empty()) CHECK(a.inputs[0].value == b.inputs[0].value);
  }
}
