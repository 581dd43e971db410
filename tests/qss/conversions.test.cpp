// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <vector>

#include "reference/trajectory_oracle.hpp"

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/conversions.hpp>
#include <fidelity/series/statistics.hpp>

using namespace qss_test;
using series_test::require_rule;
using Trajectory = fd::Trajectory<>;
using Hermite = fd::Hermite<>;
using Series = fd::Series<double, double>;

TEST_CASE("cubics through values and slopes are exact and lead back") {
  const Hermite data{{0, 2, 3}, {1, 0, 4}, {-0.5, -1, 2}};
  const Trajectory y = fd::from_hermite(data);
  CHECK(fd::highest_power_first(y, 0) == std::vector{-0.125, 0.25, -0.5, 1.0});
  CHECK(y.end() == 3.0);
  CHECK(y.jumps(0).empty());
  CHECK(y.kinks(1e-14).empty());
  const Hermite back = fd::to_hermite(y);
  CHECK(back.times == data.times);
  CHECK(back.values == data.values);
  CHECK(back.slopes == data.slopes);
  // A straight line far from zero stays one.
  const Trajectory line = fd::from_hermite(Hermite{{0, 4}, {1e9, 1e9 + 1}, {0.25, 0.25}});
  CHECK(line.coefficients(0)[2] == 0);
  CHECK(line.coefficients(0)[3] == 0);
  require_rule(fd::Rule::size_mismatch, [] { (void)fd::from_hermite(Hermite{{0, 1}, {0}, {0, 0}}); });
  require_rule(fd::Rule::empty, [] { (void)fd::from_hermite(Hermite{{0}, {0}, {0}}); });
  require_rule(fd::Rule::time_not_increasing, [] { (void)fd::from_hermite(Hermite{{1, 1}, {0, 0}, {0, 0}}); });
  require_rule(fd::Rule::value_not_finite, [] { (void)fd::from_hermite(Hermite{{0, 1}, {0, NAN}, {0, 0}}); });
  require_rule(
      fd::Rule::bad_parameter, [] { (void)fd::to_hermite(Trajectory{worked_scenario()}); }, "no end");
  require_rule(fd::Rule::index_out_of_range, [&] { (void)fd::highest_power_first(y, 3); });
}

TEST_CASE("slopes of samples are exact for lines and parabolas and keep monotone data monotone") {
  const Series parabola({0, 1, 3, 4}, {0, 1, 9, 16});
  CHECK(fd::hermite_from_samples(parabola, fd::SlopeRule::centred).slopes == std::vector<double>{0, 2, 6, 8});
  CHECK(fd::hermite_from_samples(parabola, fd::SlopeRule::backward).slopes == std::vector<double>{1, 1, 4, 7});
  const Trajectory y = fd::from_hermite(fd::hermite_from_samples(parabola, fd::SlopeRule::centred));
  for (double t = 0; t <= 4; t += 0.125) CHECK(*y.value(t) == Approx(t * t).margin(1e-14));
  CHECK(fd::hermite_from_samples(Series({0, 2}, {1, 5}), fd::SlopeRule::centred).slopes == std::vector<double>{2, 2});
  Random random(1);
  for (int run = 0; run < 50; ++run) {
    std::vector<double> times{0}, values{0};
    for (int i = 0; i < 20; ++i) {
      times.push_back(times.back() + random.real(0.01, 2));
      values.push_back(values.back() + (random.integer(0, 2) == 0 ? 0 : random.real(0, 3)));
    }
    const Trajectory rising =
        fd::from_hermite(fd::hermite_from_samples(Series(times, values), fd::SlopeRule::monotone));
    CHECK(*fd::minimum(rising.derivative(), {0, times.back()}).value >= -1e-12);
    for (std::size_t i = 0; i < times.size(); ++i) CHECK(rising.value(times[i]) == values[i]);
    for (double& x : values) x = -x;
    const Trajectory falling =
        fd::from_hermite(fd::hermite_from_samples(Series(times, values), fd::SlopeRule::monotone));
    CHECK(*fd::maximum(falling.derivative(), {0, times.back()}).value <= 1e-12);
  }
  require_rule(fd::Rule::empty, [] { (void)fd::hermite_from_samples(Series({0}, {1}), fd::SlopeRule::centred); });
  require_rule(fd::Rule::value_not_finite, [] {
    (void)fd::hermite_from_samples(Series({0, 1}, {1, NAN}), fd::SlopeRule::backward);
  });
  require_rule(fd::Rule::time_repeated, [] {
    (void)fd::hermite_from_samples(Series({0, 0}, {1, 2}, {.duplicates = fd::Duplicates::event}),
                                   fd::SlopeRule::backward);
  });
}

TEST_CASE("events written as a table with seventeen digits read back bit for bit") {
  Random random(2);
  Events events;
  for (int i = 0; i < 50; ++i)
    events.push_back(fd::from_taylor(i + random.real(0, 1), {random.real(-1, 1), random.real(-1e-9, 1e9), 0.1},
                                     i % 3 == 0 ? fd::EventKind::external : fd::EventKind::internal));
  const double end = events.back().time() + 0.3;
  const Trajectory y{events, {.end = end}};
  const auto table = fd::event_table(y);
  CHECK(table.channel_names()[3] == "kind");
  std::vector<double> times, values;
  const auto written = [](double x) { return std::strtod(fd::detail::text(x).c_str(), nullptr); };
  for (std::size_t i = 0; i < table.size(); ++i) {
    times.push_back(written(table.time(i)));
    for (std::size_t c = 0; c < 4; ++c) values.push_back(written(table(i, c)));
  }
  fd::SeriesOptions<double> options;
  options.channel_names = {"c0", "c1", "c2", "kind"};
  const Series read(times, values, options);
  CHECK(fd::trajectory_from_table(read).events() == y.events());
  CHECK(fd::trajectory_from_table(read).end() == end);
  options.channel_names = {"c0", "c1", "kind", "c2"};
  require_rule(fd::Rule::unknown_name, [&] { (void)fd::trajectory_from_table(Series(times, values, options)); });
  options.channel_names = {"c0", "c1", "c2", "kind"};
  values[3] = 5;
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)fd::trajectory_from_table(Series(times, values, options)); }, "kind");
}

TEST_CASE("slopes are not made across gaps nor of held values") {
  require_rule(
      fd::Rule::window_outside,
      [] {
        (void)fd::hermite_from_samples(Series({0, 1, 5, 6}, {1, 2, 3, 4}, {.max_gap = 2.0}), fd::SlopeRule::centred);
      },
      "gap", "sample 2");
  require_rule(
      fd::Rule::bad_parameter,
      [] {
        (void)fd::hermite_from_samples(Series({0, 1}, {1, 2}, {.interpolation = fd::Interpolation::hold}),
                                       fd::SlopeRule::centred);
      },
      "held");
}
