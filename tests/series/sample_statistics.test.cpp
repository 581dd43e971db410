// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <chrono>
#include <limits>
#include <vector>

#include <fidelity/errors.hpp>
#include <fidelity/series/sample_statistics.hpp>
#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {

constexpr double bad = std::numeric_limits<double>::quiet_NaN();

fd::Series<double, double> series(std::vector<double> times, std::vector<double> values,
                                  fd::Interpolation interpolation = fd::Interpolation::hold,
                                  std::optional<double> max_gap = {}) {
  fd::SeriesOptions<double> options;
  options.interpolation = interpolation;
  options.max_gap = max_gap;
  return {std::move(times), std::move(values), std::move(options)};
}

}  // namespace

TEST_CASE("the latest value is that at or before the instant with its age") {
  const auto s = series({1, 2, 4}, {10, 20, 40});
  CHECK(fd::latest(s, 4).value == 40);
  CHECK(fd::latest(s, 4).age == 0);
  CHECK(fd::latest(s, 3.5).value == 20);
  CHECK(fd::latest(s, 3.5).time == 2);
  CHECK(fd::latest(s, 3.5).age == 1.5);
  CHECK_FALSE(fd::latest(s, 0.5).value);
  CHECK_FALSE(fd::latest(s, 0.5).time);
  CHECK(fd::latest(s, 1e6).value == 40);
}

TEST_CASE("a latest value older than asked is missing but its stamp is told") {
  const auto s = series({1, 2}, {10, 20});
  CHECK(fd::latest(s, 5, 3.0).value == 20);  // exactly as old as allowed
  const auto old = fd::latest(s, 5.5, 3.0);
  CHECK_FALSE(old.value);
  CHECK(old.time == 2);
  CHECK(old.age == 3.5);
}

TEST_CASE("bad samples are passed over and reported") {
  const auto s = series({1, 2, 3}, {10, bad, bad});
  CHECK(fd::latest(s, 1.5).bad_since == false);
  CHECK(fd::latest(s, 3).value == 10);
  CHECK(fd::latest(s, 3).bad_since);
  const auto none = fd::latest(series({1}, {bad}), 2);
  CHECK_FALSE(none.value);
  CHECK_FALSE(none.time);
  CHECK(none.bad_since);
}

TEST_CASE("samples in a window are counted half open with the longest pause that is bridged") {
  const auto held = series({0, 1, 5, 6}, {1, 2, bad, 4});
  const auto count = fd::count_samples(held, {1, 6});
  CHECK(count.good == 1);
  CHECK(count.bad == 1);
  CHECK(count.longest_pause == 4.0);  // from 1 to the bad sample at 5
  CHECK(fd::count_samples(held, {6, 16}).longest_pause == 10.0);
  CHECK(fd::count_samples(held, {2, 3}).longest_pause == 4.0);
  CHECK(fd::count_samples(held, {2, 3}).good == 0);
  CHECK_FALSE(fd::count_samples(held, {-3, -1}).longest_pause);
  CHECK(fd::count_samples(series({0, 10}, {1, 2}, fd::Interpolation::hold, 3.0), {0, 20}).longest_pause == 3.0);
  const auto line = series({0, 1, 4}, {1, 2, 3}, fd::Interpolation::linear, 2.0);
  CHECK(fd::count_samples(line, {0, 9}).longest_pause == 1.0);  // the pause of 3 is not bridged
}

TEST_CASE("the plain mean of samples knows no time") {
  const auto s = series({0, 1, 100}, {1, 2, 6});
  CHECK(fd::sample_mean(s, {0, 101}) == 3.0);
  CHECK(fd::sample_mean(s, {0, 100}) == 1.5);
  CHECK_FALSE(fd::sample_mean(s, {2, 99}));
  CHECK(fd::sample_mean(series({0, 1}, {bad, 1e9 + 1}), {0, 2}) == 1e9 + 1);
}

TEST_CASE("figures about samples refuse several channels and windows without length") {
  const fd::Series<> two({fd::Timestamp{1s}}, {1, 2}, {.channel_names = {"a", "b"}});
  const fd::Window window{fd::Timestamp{0s}, fd::Timestamp{2s}};
  CHECK_THROWS_AS(fd::latest(two, fd::Timestamp{1s}), fd::InputError);
  CHECK_THROWS_AS(fd::count_samples(two, window), fd::InputError);
  CHECK_THROWS_AS(fd::sample_mean(two, window), fd::InputError);
  const auto s = series({0}, {1});
  CHECK_THROWS_AS(fd::latest(s, bad), fd::InputError);
  CHECK_THROWS_AS(fd::latest(s, 1, -1.0), fd::InputError);
  CHECK_THROWS_AS(fd::count_samples(s, {1, 1}), fd::InputError);
  CHECK_THROWS_AS(fd::sample_mean(s, {1, 1}), fd::InputError);
}
