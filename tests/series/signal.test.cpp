// SPDX-License-Identifier: MIT
#include <chrono>
#include <limits>
#include <vector>

#include <Eigen/Core>

#include "reference/series_helpers.hpp"

#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Series = fd::Series<double, double>;
using fd::Side;
constexpr auto hold = fd::Interpolation::hold;

static_assert(fd::Signal<fd::Series<>>);
static_assert(fd::Signal<fd::SeriesView<float, double>>);

TEST_CASE("a linear signal is a straight line between two samples") {
  const Series series({1, 3}, {10, 20});
  CHECK(fd::value_at(series, 1) == 10.0);
  CHECK(fd::value_at(series, 1.5) == 12.5);
  CHECK(fd::value_at(series, 3) == 20.0);
}

TEST_CASE("a held signal keeps a value up to the next sample and after the last") {
  const Series series({1, 3}, {10, 20}, {.interpolation = hold});
  CHECK(fd::value_at(series, 2.999) == 10.0);
  CHECK(fd::value_at(series, 3) == 20.0);
  CHECK(fd::value_at(series, 3, Side::left) == 10.0);
  CHECK(fd::value_at(series, 1e9) == 20.0);
}

TEST_CASE("nothing is extrapolated") {
  for (const auto interpolation : {hold, fd::Interpolation::linear}) {
    const Series series({1, 3}, {10, 20}, {.interpolation = interpolation});
    CHECK(fd::value_at(series, 0.999) == std::nullopt);
    CHECK(fd::value_at(series, 1, Side::left) == std::nullopt);
  }
  CHECK(fd::value_at(Series({1, 3}, {10, 20}), 3.001) == std::nullopt);
}

TEST_CASE("a linear piece longer than max_gap is missing as a whole") {
  const Series series({0, 1, 3, 6, 7}, {0, 1, 3, 6, 7}, {.max_gap = 2.0});
  CHECK(fd::value_at(series, 2) == 2.0);
  CHECK(fd::value_at(series, 3) == 3.0);
  CHECK(fd::value_at(series, 3.5) == std::nullopt);
  CHECK(fd::value_at(series, 5.5) == std::nullopt);
  CHECK(fd::value_at(series, 6) == 6.0);
  CHECK(fd::value_at(series, 6, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 3, Side::left) == 3.0);
}

TEST_CASE("a held value lives for max_gap and is still there at that age") {
  const Series series({0, 5, 7}, {1, 2, 3}, {.interpolation = hold, .max_gap = 2.0});
  CHECK(fd::value_at(series, 2) == 1.0);
  CHECK(fd::value_at(series, 2.001) == std::nullopt);
  CHECK(fd::value_at(series, 2.001, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 5, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 7, Side::left) == 2.0);
  CHECK(fd::value_at(series, 9) == 3.0);
  CHECK(fd::value_at(series, 9.001) == std::nullopt);
}

TEST_CASE("a bad sample ends a held value at its own stamp") {
  for (const double x : {bad, infinity, -infinity}) {
    const Series series({0, 1, 2, 3}, {1, x, 3, 4}, {.interpolation = hold});
    CHECK(fd::value_at(series, 0.5) == 1.0);
    CHECK(fd::value_at(series, 1, Side::left) == 1.0);
    CHECK(fd::value_at(series, 1) == std::nullopt);
    CHECK(fd::value_at(series, 1.5) == std::nullopt);
    CHECK(fd::value_at(series, 2, Side::left) == std::nullopt);
    CHECK(fd::value_at(series, 2) == 3.0);
  }
}

TEST_CASE("a linear signal is missing between the good neighbours of a bad sample") {
  const Series series({0, 1, 2, 3, 4}, {0, 1, bad, 3, 4});
  CHECK(fd::value_at(series, 1) == 1.0);
  CHECK(fd::value_at(series, 1.001) == std::nullopt);
  CHECK(fd::value_at(series, 2) == std::nullopt);
  CHECK(fd::value_at(series, 2.999) == std::nullopt);
  CHECK(fd::value_at(series, 3, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 3) == 3.0);
  CHECK(fd::value_at(series, 3.5) == 3.5);
}

TEST_CASE("an isolated sample of a linear signal has a value at its instant only") {
  const Series series({0, 1, 2}, {bad, 7, bad});
  CHECK(fd::value_at(series, 1) == 7.0);
  CHECK(fd::value_at(series, 1, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 0.5) == std::nullopt);
  CHECK(fd::value_at(series, 1.5) == std::nullopt);
  CHECK(fd::value_at(Series({3}, {8}), 3) == 8.0);
}

TEST_CASE("an event has a left and a right limit and no ramp") {
  const Series series({0, 2, 2, 4, 6, 6, 9}, {1, 1, 5, 3, 3, -1, -1}, {.duplicates = fd::Duplicates::event});
  CHECK(fd::value_at(series, 2, Side::left) == 1.0);
  CHECK(fd::value_at(series, 2, Side::right) == 5.0);
  CHECK(fd::value_at(series, 6, Side::left) == 3.0);
  CHECK(fd::value_at(series, 6) == -1.0);
  CHECK(fd::value_at(series, 1.999999) == 1.0);
  CHECK(fd::value_at(series, 3) == 4.0);
  CHECK(fd::value_at(series, 4, Side::left) == 3.0);
}

TEST_CASE("each side of an event may be bad on its own") {
  const Series series({0, 1, 1, 2, 3, 3, 4}, {1, 2, bad, 4, bad, 6, 7}, {.duplicates = fd::Duplicates::event});
  CHECK(fd::value_at(series, 1, Side::left) == 2.0);
  CHECK(fd::value_at(series, 1) == std::nullopt);
  CHECK(fd::value_at(series, 1.5) == std::nullopt);
  CHECK(fd::value_at(series, 2.5) == std::nullopt);
  CHECK(fd::value_at(series, 3, Side::left) == std::nullopt);
  CHECK(fd::value_at(series, 3) == 6.0);
}

TEST_CASE("an event at the very first stamp has its left limit") {
  const Series series({1, 1, 2}, {3, 4, 5}, {.duplicates = fd::Duplicates::event});
  CHECK(fd::value_at(series, 1, Side::left) == 3.0);
  CHECK(fd::value_at(series, 1) == 4.0);
}

TEST_CASE("segments run from stamp to stamp and gaps are absent") {
  const Series series({0, 1, 1, 3, 4}, {1, 2, 4, 8, bad}, {.duplicates = fd::Duplicates::event});
  REQUIRE(series.segment_count() == 4);
  CHECK(series.segment(1) == std::nullopt);
  CHECK(series.segment(3) == std::nullopt);
  CHECK(series.segment(4) == std::nullopt);
  const auto piece = series.segment(2);
  REQUIRE(piece);
  CHECK(piece->window == fd::Window{1.0, 3.0});
  CHECK(piece->origin == 1.0);
  CHECK(piece->degree == 1);
  CHECK(piece->coefficients[0] == 4);
  CHECK(piece->coefficients[1] == 2);
  CHECK((*piece)(2.0) == 6.0);
  CHECK(piece->at(0.5) == 5.0);
}

TEST_CASE("equal neighbours make a constant piece") {
  const Series series({0, 1}, {0.1, 0.1});
  CHECK(series.segment(0)->degree == 0);
  CHECK(fd::value_at(series, 0.3) == 0.1);
}

TEST_CASE("the held piece after the last sample has no end but max_gap") {
  const Series forever({0, 1}, {1, 2}, {.interpolation = hold});
  CHECK(forever.segment_count() == 2);
  CHECK(forever.segment(1)->window.end == std::numeric_limits<double>::max());
  CHECK(fd::with_interpolation(forever, hold, 5.0).segment(1)->window == fd::Window{1.0, 6.0});
}

TEST_CASE("segment_at is the last place that begins at or before a time") {
  const Series series({0, 1, 1, 3}, {1, 2, 4, 8}, {.duplicates = fd::Duplicates::event});
  CHECK(series.segment_at(-1) == std::nullopt);
  CHECK(series.segment_at(0) == 0U);
  CHECK(series.segment_at(1) == 2U);
  CHECK(series.segment_at(3) == 2U);
  CHECK(series.segment_at(99) == 2U);
  CHECK(fd::with_interpolation(series, hold).segment_at(3) == 3U);
  CHECK(Series({0}, {1}).segment_at(0) == std::nullopt);
}

TEST_CASE("a held value is asked at the far end of the time type without wrapping around") {
  const fd::Timestamp early{-9'000'000'000s};
  const fd::Series<> series({early}, {7}, {.interpolation = hold});
  CHECK(fd::value_at(series, fd::Timestamp::max()) == 7.0);
  CHECK((*series.segment(0))(fd::Timestamp::max()) == 7.0);
  const fd::Series<> late({fd::Timestamp::max() - 1ns}, {7}, {.interpolation = hold, .max_gap = 10ns});
  CHECK(late.segment(0)->window.end == fd::Timestamp::max());
  CHECK(fd::value_at(late, fd::Timestamp::max()) == 7.0);
}

TEST_CASE("a slope that is not a finite number is an overflow") {
  const Series series({0, 1e-300}, {0, 1e300}, {.name = "flow"});
  require_error<fd::Overflow>([&] { (void)fd::value_at(series, 1e-301); }, "slope", "0 and 1", "'flow'");
}

TEST_CASE("a time that is not finite has no value and is refused") {
  const Series series({0, 1}, {1, 2}, {.interpolation = hold});
  for (const double t : {bad, infinity, -infinity}) {
    require_rule(
        fd::Rule::time_not_finite, [&] { (void)fd::value_at(series, t); }, "value_at");
    require_rule(
        fd::Rule::time_not_finite, [&] { (void)series.value(t); }, "finite");
    require_rule(
        fd::Rule::time_not_finite, [&] { (void)series.segment_at(t); }, "finite");
  }
}

TEST_CASE("a series of several channels is no signal and the error names channel") {
  const fd::Series<> series(ticks<fd::Timestamp>({0, 1}), Eigen::MatrixXd::Ones(2, 3), {.name = "plant"});
  require_rule(
      fd::Rule::not_one_channel, [&] { (void)fd::value_at(series, fd::Timestamp{}); }, "has 3", "channel(series",
      "'plant'");
  require_rule(
      fd::Rule::not_one_channel, [&] { (void)series.segment(0); }, "channel(series");
  require_rule(
      fd::Rule::not_one_channel, [&] { (void)series.segment_count(); }, "channel(series");
  require_rule(
      fd::Rule::not_one_channel, [&] { (void)series.segment_at(fd::Timestamp{}); }, "channel(series");
}

TEST_CASE("values of float are given as double") {
  const fd::Series<float, double> series({0, 1}, {0.1F, 0.1F});
  CHECK(fd::value_at(series, 0.5) == static_cast<double>(0.1F));
}
