// SPDX-License-Identifier: MIT
// Conditions on random data with bad samples, gaps, event pairs, flat pieces and values on the threshold.
#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/logic_oracle.hpp"
#include "reference/series_polynomial_signal.hpp"

#include <fidelity/sampling/logic.hpp>

using namespace status_test;
using fd::check, fd::check_difference;
using Options = fd::CheckOptions<Minutes>;

namespace {

/// Stretches that do not move, by trying every pair of samples; the last held sample counts up to `end`.
Status frozen_by_trying(const Samples& samples, const Window& range, std::int64_t duration, std::int64_t tolerance) {
  std::vector<Window> frozen;
  const auto connected = [&](std::size_t i) {
    const std::int64_t step = samples.t[i + 1] - samples.t[i];
    return step == 0 || !samples.max_gap || step <= *samples.max_gap;
  };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int64_t low = 100, high = -100;
    for (std::size_t j = i; j < samples.size() && samples.y[j] && (j == i || connected(j - 1)); ++j) {
      low = std::min(low, *samples.y[j]), high = std::max(high, *samples.y[j]);
      if (high - low > tolerance) break;
      if (j - i < 2 || samples.t[j] - samples.t[i] < duration) continue;
      std::int64_t end = samples.t[j];
      if (samples.hold) end = j + 1 < samples.size() ? samples.t[j + 1] : 1000;
      if (samples.hold && samples.max_gap) end = std::min(end, samples.t[j] + *samples.max_gap);
      frozen.push_back(window(samples.t[i], end));
    }
  }
  const Status known = by_ticks(samples, range, [](const Tick&) { return true; });
  return {range, known.holds() - Windows(frozen), known.unknown()};
}

/// A line with steps of 1, 2 or 4 and rises of 0, 1, 2 or 4, so that all crossings of eighths lie on a grid of 1/32;
/// as a series and as pieces of degree 1.
struct Dyadic {
  std::vector<double> t = {0}, y = {0};
  explicit Dyadic(Random& random) {
    for (int i = 0; i < 30; ++i) {
      t.push_back(t.back() + std::ldexp(1, static_cast<int>(random.integer(0, 2))));
      const double rise = std::floor(std::ldexp(1, static_cast<int>(random.integer(-1, 2))));
      y.push_back(y.back() + (y.back() > 0 || (y.back() == 0 && random.integer(0, 1) == 0) ? -rise : rise));
    }
  }
  fd::Series<double, double> series() const { return {t, y}; }
  series_test::PolynomialSignal<double> pieces() const {
    std::vector<std::pair<double, std::vector<double>>> events;
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
      events.push_back({t[i], {y[i], (y[i + 1] - y[i]) / (t[i + 1] - t[i])}});
    return series_test::from_events<double>(events, t.back());
  }
};

}  // namespace

TEST_CASE("conditions agree with a verdict tick by tick and with each other") {
  Random random(11);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Samples samples = random_samples(random, static_cast<std::size_t>(random.integer(1, 30)));
    const auto series = samples.series();
    const std::int64_t from = random.integer(-20, 40);
    const Window range = window(from, from + random.integer(1, 120));
    const Options options{.within = range};
    const double level = 0.5 * static_cast<double>(random.integer(-1, 9));
    const double low = std::min(level, 0.5 * static_cast<double>(random.integer(0, 8)));
    const double tolerance = 0.5 * static_cast<double>(random.integer(0, 2));
    INFO("repeat " << repeat << ", level " << level);

    const Status greater = check(series, fd::Greater{level}, options);
    const Status greater_equal = check(series, fd::GreaterEqual{level}, options);
    const Status equal = check(series, fd::Equal{level, tolerance}, options);
    CHECK(greater == by_ticks(samples, range, [&](const Tick& t) { return t.above(level); }));
    CHECK(greater_equal == by_ticks(samples, range, [&](const Tick& t) { return t.above(level) || t.on(level); }));
    CHECK(equal == by_ticks(samples, range, [&](const Tick& t) {
            return (t.above(level - tolerance) || t.on(level - tolerance)) && !t.above(level + tolerance) &&
                   (tolerance > 0 || !t.sloped);
          }));
    CHECK(fd::known(series, options) ==
          Status(range, by_ticks(samples, range, [](const Tick&) { return true; }).holds()));

    CHECK(check(series, fd::LessEqual{level}, options) == !greater);
    CHECK(check(series, fd::Less{level}, options) == !greater_equal);
    CHECK(check(series, fd::NotEqual{level, tolerance}, options) == !equal);
    CHECK(check(series, fd::Between{low, level}, options) ==
          (check(series, fd::GreaterEqual{low}, options) & check(series, fd::LessEqual{level}, options)));
    CHECK(check_difference(series, Samples{{-100, 1000}, {0, 0}, true, {}}.series(), fd::Greater{level}, options) ==
          greater);

    const std::int64_t duration = random.integer(1, 12);
    const std::int64_t whole_tolerance = random.integer(0, 2);
    CHECK(fd::not_frozen(series, {.duration = minutes(duration), .tolerance = static_cast<double>(whole_tolerance)},
                         options) == frozen_by_trying(samples, range, duration, whole_tolerance));
  }
}

TEST_CASE("a held signal that is logged more densely has the same status") {
  Random random(12);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Samples samples = random_samples(random, 20);
    samples.hold = true;
    samples.max_gap.reset();
    Samples denser{{}, {}, true, {}};
    for (std::size_t i = 0; i < samples.size(); ++i) {
      denser.t.push_back(samples.t[i]), denser.y.push_back(samples.y[i]);
      if (i + 1 < samples.size() && samples.t[i + 1] > samples.t[i] + 1)
        denser.t.push_back(samples.t[i] + 1), denser.y.push_back(samples.y[i]);
    }
    const fd::Hysteresis hysteresis{.on = 3, .off = 1};
    CHECK(check(samples.series(), fd::Between{1, 2}) == check(denser.series(), fd::Between{1, 2}));
    CHECK(check(samples.series(), hysteresis) == check(denser.series(), hysteresis));
  }
}

TEST_CASE("neither the range nor later samples change a verdict") {
  Random random(13);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Samples samples = random_samples(random, static_cast<std::size_t>(random.integer(1, 30)));
    const auto series = samples.series();
    const std::int64_t begin = random.integer(-20, 60);
    const std::int64_t run = begin + random.integer(1, 60);
    const Window part = window(begin, run), everything = window(-30, 300);
    INFO("repeat " << repeat << ", run time " << run);
    const auto agree = [&](const auto& condition, bool tail_is_unknown) {
      const Status whole = check(series, condition, Options{.within = everything});
      CHECK(check(series, condition, Options{.within = part}) == restrict_to(whole, part));

      const Status now = check(series, condition, Options{.within = part, .as_of = minute(run)});
      const Samples past = samples.up_to(run);
      if (past.size() > 0) {
        const Status of_past = check(past.series(), condition, Options{.within = part});
        CHECK(now.holds() == of_past.holds());
        if (tail_is_unknown) CHECK(now == of_past);
      } else {
        CHECK(now.holds().empty());
      }

      const Minutes settled = settled_until(series, condition, minute(run));
      REQUIRE(settled <= minute(run));
      if (part.begin < settled)
        CHECK(restrict_to(whole, Window{part.begin, settled}) == restrict_to(now, Window{part.begin, settled}));
      const Window tail{std::max(settled, part.begin), part.end};
      if (tail.begin < tail.end) {
        const Status rest = check(series, condition, Options{.within = tail, .as_of = minute(run)});
        CHECK(rest == restrict_to(now, tail));
        if (tail_is_unknown) CHECK(rest == Status(tail, {}, {tail}));
      }
    };
    agree(fd::Greater{1.5}, true);
    agree(fd::Hysteresis{.on = 3, .off = 1}, true);
    agree(fd::Hysteresis{.on = 1, .off = 2.5}, true);
    agree(fd::Known{}, false);
    agree(fd::NotFrozen<Minutes>{.duration = minutes(random.integer(1, 12)),
                                 .tolerance = static_cast<double>(random.integer(0, 2))},
          false);
    if (!samples.hold) agree(fd::RateWithin{fd::Rate{0.5, minutes(1)}}, true);
  }
}

TEST_CASE("pieces of degree 1 have the status of the linear series they repeat") {
  Random random(14);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Dyadic data(random);
    const auto series = data.series();
    const auto pieces = data.pieces();
    const double level = 0.25 * static_cast<double>(random.integer(-8, 8));
    const fd::Hysteresis hysteresis{.on = level, .off = 0.375};
    CHECK(check(series, fd::Greater{level}) == check(pieces, fd::Greater{level}));
    CHECK(check(series, fd::Equal{level, 0.25}) == check(pieces, fd::Equal{level, 0.25}));
    CHECK(check(series, hysteresis) == check(pieces, hysteresis));
    CHECK(fd::known(series) == fd::known(pieces));
    CHECK(fd::rate_within(series, fd::Rate{1.0, 1.0}) == fd::rate_within(pieces, fd::Rate{1.0, 1.0}));
    const Dyadic other(random);
    CHECK(check_difference(series, other.series(), fd::Greater{level}) ==
          check_difference(pieces, other.pieces(), fd::Greater{level}));

    // A switch that is asked at every point of that grid and between.
    const auto status = check(series, hysteresis);
    Truth state = unknown;
    const auto see = [&](double y) {
      if (level > 0.375 ? y >= level : y <= level) state = yes;
      if (level > 0.375 ? y < 0.375 : y > 0.375) state = no;
    };
    bool same = true;
    for (double t = 0; t < data.t.back(); t += 0.03125) {
      see(*series.value(t));
      see(*series.value(t + 0.015625));
      same = same && status.at(t) == state && status.at(t + 0.015625) == state;
    }
    CHECK(same);
  }
}

TEST_CASE("polynomial pieces up to degree 7 are cut at all their roots") {
  Random random(15);
  std::size_t judged = 0, crossings = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    // Products of factors with roots in and around [0, 4].
    std::vector<double> c = {random.real(-1, 1)};
    for (auto degree = random.integer(1, 7); degree > 0; --degree) {
      const double root = 0.5 * std::floor(random.real(-4, 12));
      c.push_back(0);
      for (std::size_t k = c.size() - 1; k > 0; --k) c[k] = c[k - 1] - root * c[k];
      c[0] *= -root;
    }
    const auto signal = series_test::from_events<double>({{0.0, c}, {2.0, {1.0}}, {3.0, c}}, 5.0);
    const double level = random.integer(0, 1) == 0 ? 0.0 : random.real(-2, 2);
    const auto status = check(signal, fd::Greater{level});
    const auto difference =
        check_difference(signal, series_test::from_events<double>({{0.0, {level}}}, 5.0), fd::Greater{0.0});
    crossings += status.holds().windows().size();
    for (double t = 0.001; t < 5; t += 0.01) {
      const double distance = *signal.value(t) - level;
      if (std::abs(distance) < 1e-6) continue;
      ++judged;
      if (status.at(t) != (distance > 0 ? yes : no) || difference.at(t) != status.at(t))
        FAIL("repeat " << repeat << " at " << t << ": " << distance);
    }
  }
  CHECK(judged > 90000);
  CHECK(crossings > 200);
}

TEST_CASE("a piece that ends on the level by its next value does not pass it by rounding") {
  Random random(17);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const double t1 = 0.1 * static_cast<double>(random.integer(1, 90)),
                 low = 0.1 * static_cast<double>(random.integer(-30, 0)),
                 peak = 0.1 * static_cast<double>(random.integer(1, 30));
    const auto tent = series_test::from_events<double>({{0.0, {low, (peak - low) / t1}}, {t1, {peak, -0.3}}}, t1 + 5);
    CHECK(check(tent, fd::Greater{peak}).holds().empty());
    CHECK(check(fd::Series<double, double>({0.0, t1, t1 + 5}, {low, peak, -1.0}), fd::Greater{peak}).holds().empty());
  }
}

TEST_CASE("the difference of two lines is judged as the line of the differences") {
  Random random(16);
  for (int repeat = 0; repeat < 100; ++repeat) {
    Samples a = random_samples(random, 25);
    a.hold = false;
    Samples b = a, difference = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (b.y[i]) b.y[i] = random.integer(0, 4);
      if (b.y[i]) difference.y[i] = *a.y[i] - *b.y[i];
    }
    const double level = 0.5 * static_cast<double>(random.integer(-6, 6));
    CHECK(check_difference(a.series(), b.series(), fd::GreaterEqual{level}) ==
          check(difference.series(), fd::GreaterEqual{level}));
    // With other stamps: known where both are, and right wherever the difference is not too small to tell.
    const Samples c = random_samples(random, 25);
    const auto first = a.series<double>(), second = c.series<double>();
    const auto status = check_difference(first, second, fd::Greater{level});
    bool right = true;
    for (double t = status.range().begin + 0.01; t < status.range().end; t += 0.25) {
      // The value exactly max_gap after a held sample is known at that instant only.
      const auto x = first.value(t), y = second.value(t);
      const Truth truth = !x || !y ? unknown : *x - *y > level ? yes : no;
      if (x && y && std::abs(*x - *y - level) < 1e-9 && *x != *y) continue;
      right = right && status.at(t) == truth;
    }
    CHECK(right);
  }
}
