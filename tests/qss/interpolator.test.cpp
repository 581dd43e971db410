// SPDX-License-Identifier: MIT
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reference/series_helpers.hpp"
#include "reference/trajectory_oracle.hpp"

#include <fidelity/qss/interpolator.hpp>
#include <fidelity/qss/streaming_resampler.hpp>
#include <fidelity/series/resample.hpp>

using namespace qss_test;
using namespace std::chrono_literals;
using series_test::require_rule;
using Live = fd::Interpolator<>;
constexpr auto left = fd::Side::left;
constexpr auto right = fd::Side::right;

namespace {
std::uint64_t bits(std::optional<double> x) { return x ? std::bit_cast<std::uint64_t>(*x) : 0x7ff8000000000001U; }
}  // namespace

TEST_CASE("an external event replaces the old polynomial from its time on and changes nothing before") {
  const Events events = worked_scenario();
  Live live;
  CHECK(!live.value(0));
  CHECK(!live.last_event());
  for (std::size_t i = 0; i < 3; ++i) live.push(events[i]);
  CHECK(live.value(5) == 5.0);  // what was to be expected at t = 3
  CHECK(live.value(3.5) == 4.25);
  live.push(events[3]);
  CHECK(live.value(3.5) == 4.25);
  CHECK(live.value(4, left) == 4.5);
  CHECK(live.derivative(4, 1, left) == 0.5);
  CHECK(live.derivative(4) == 1.5);
  CHECK(live.second_derivative(4) == 0.0);
  CHECK(live.value(5) == 6.0);
  CHECK(live.value(6) == 7.5);
  CHECK(live.value(0.5) == 1.5);
  CHECK(!live.value(-1));
  CHECK(!live.value(0, left));
  CHECK(live.last_event() == events[3]);
  CHECK(live.size() == 4);
}

TEST_CASE("of equal times the last event wins and the replaced one still counts for holding") {
  Live live;
  for (const Event& event : jumping_events()) live.push(event);
  CHECK(live.size() == 3);
  CHECK(live.value(2) == 0.5);
  CHECK(live.value(2, left) == 0.0);
  Live pair;
  pair.push(fd::from_taylor(0.0, {1, 1}));
  pair.push(fd::from_taylor(1.0, {2, 1}));
  pair.push(fd::from_taylor(1.0, {2.5, 1}, fd::EventKind::external));
  CHECK(pair.trajectory().held().value(1.5) == 2.0);
  CHECK(pair.trajectory("tank").name() == "tank");
}

TEST_CASE("streaming and offline give the same bits") {
  Random random(1);
  for (int run = 0; run < 40; ++run) {
    const auto order = static_cast<std::size_t>(run % 8);
    const Events events = random_events(random, 40, order, run % 3 == 0 ? 1e6 : -20);
    std::optional<std::size_t> cut;
    if (run % 4 == 0) cut = 2;
    Live live({.order = cut});
    for (const Event& event : events) live.push(event);
    const double end = events.back().time() + 1;
    live.finish(end);
    const fd::Trajectory<> offline{events, {.order = cut, .end = end}};
    const fd::Trajectory<> taken = live.trajectory();
    bool same = true;
    for (int i = 0; i < 300; ++i) {
      const double t =
          i < 40 ? events[static_cast<std::size_t>(i)].time() : random.real(events.front().time() - 1, end + 1);
      for (const auto side : {right, left})
        for (std::size_t k = 0; k < 4; ++k) {
          same = same && bits(live.derivative(t, k, side)) == bits(offline.derivative(t, k, side));
          same = same && bits(taken.derivative(t, k, side)) == bits(offline.derivative(t, k, side));
        }
    }
    CHECK(same);
  }
}

TEST_CASE("outside what is known each policy answers as it says") {
  using fd::Outside;
  const auto made = [](Outside before, Outside after) {
    Live live({.before = before, .after = after});
    live.push(fd::from_taylor(1.0, {2, 3}));
    live.push(fd::from_taylor(2.0, {4, -1, 2}));
    live.finish(3);
    return live;
  };
  const Live missing = made(Outside::missing, Outside::missing);
  CHECK(!missing.value(0.5));
  CHECK(missing.value(3) == 5.0);
  CHECK(!missing.value(3.5));
  const Live held = made(Outside::hold, Outside::hold);
  CHECK(held.value(0.5) == 2.0);
  CHECK(held.value(1, left) == 2.0);
  CHECK(held.derivative(0.5) == 0.0);
  CHECK(held.value(4) == 5.0);
  CHECK(held.second_derivative(4) == 0.0);
  const Live extrapolated = made(Outside::extrapolate, Outside::extrapolate);
  CHECK(extrapolated.value(0) == -1.0);
  CHECK(extrapolated.value(4) == 10.0);
  const Live error = made(Outside::error, Outside::error);
  require_rule(
      fd::Rule::window_outside, [&] { (void)error.value(0.5); }, "0.5 s");
  require_rule(
      fd::Rule::window_outside, [&] { (void)error.value(4); }, "4 s");
  Live empty({.before = Outside::error});
  require_rule(fd::Rule::window_outside, [&] { (void)empty.value(0); });
}

TEST_CASE("the watermark refuses what would change the settled past") {
  Live live;
  live.push(fd::from_taylor(1.0, {1}));
  CHECK(live.watermark() == 1.0);
  require_rule(
      fd::Rule::time_not_increasing, [&] { live.push(fd::from_taylor(0.5, {1})); }, "push", "0.5 s");
  live.advance_to(3);
  live.advance_to(2);  // an earlier promise stays
  require_rule(
      fd::Rule::time_not_increasing, [&] { live.push(fd::from_taylor(2.5, {1})); }, "the watermark 3 s");
  require_rule(
      fd::Rule::time_not_increasing, [&] { live.rollback(2); }, "rollback");
  require_rule(fd::Rule::time_not_finite, [&] { live.advance_to(std::nan("")); });
  require_rule(
      fd::Rule::time_not_increasing, [&] { live.finish(2.5); }, "finish");
  CHECK(!live.finished());
  live.push(fd::from_taylor(3.0, {2}));
  CHECK(live.value(2.5) == 1.0);
  live.finish(4);
  CHECK(live.end() == 4.0);
  require_rule(
      fd::Rule::time_not_increasing, [&] { live.push(fd::from_taylor(5.0, {1})); }, "finish()");
  require_rule(fd::Rule::time_not_increasing, [&] { live.finish(5); });
  require_rule(fd::Rule::time_not_increasing, [&] { live.rollback(4); });

  Live late({.late = fd::LateEvent::rollback});
  for (const double t : {0.0, 1.0, 2.0, 3.0}) late.push(fd::from_taylor(t, {t}));
  CHECK(!late.watermark());
  late.advance_to(1.5);
  require_rule(fd::Rule::time_not_increasing, [&] { late.push(fd::from_taylor(1.25, {1})); });
  CHECK(late.size() == 4);
  late.push(fd::from_taylor(1.75, {7}));
  CHECK(late.value(3) == 7.0);
  CHECK(late.value(1.6) == 1.0);
  late.rollback(1.75);  // an event at that time stays
  CHECK(late.value(3) == 7.0);
  late.rollback(1.6);
  CHECK(late.value(3) == 1.0);
  late.push(fd::from_taylor(5.0, {5}, fd::EventKind::end));
  CHECK(!late.value(6));
  require_rule(
      fd::Rule::time_not_increasing, [&] { late.push(fd::from_taylor(6.0, {1})); }, "kind end");
  late.push(fd::from_taylor(4.0, {4}));  // takes the end back
  CHECK(!late.end());
  CHECK(late.value(6) == 4.0);
}

TEST_CASE("a history limit forgets the oldest events and says so") {
  Live by_number({.keep_events = 3});
  for (int i = 0; i < 100; ++i) by_number.push(fd::from_taylor(static_cast<double>(i), {static_cast<double>(i)}));
  CHECK(by_number.size() == 3);
  CHECK(by_number.value(97.5) == 97.0);
  CHECK(!by_number.value(96.5));
  CHECK(by_number.is_forgotten(96.5));
  CHECK(by_number.trajectory().segment_count() == 3);
  Live by_age({.keep_time = 2.5, .forgotten = fd::Outside::error});
  for (int i = 0; i < 100; ++i) by_age.push(fd::from_taylor(static_cast<double>(i), {static_cast<double>(i)}));
  CHECK(by_age.value(96.5) == 96.0);  // 99 - 2.5
  require_rule(
      fd::Rule::window_outside, [&] { (void)by_age.value(95.5); }, "95.5 s");
  // Before the first event of all it is not a matter of history.
  Live fresh({.before = fd::Outside::hold, .keep_events = 3, .forgotten = fd::Outside::error});
  fresh.push(fd::from_taylor(1.0, {5}));
  CHECK(fresh.value(0) == 5.0);
  Live late({.late = fd::LateEvent::rollback, .keep_events = 2});
  for (const double t : {0.0, 1.0, 2.0, 3.0}) late.push(fd::from_taylor(t, {t}));
  require_rule(
      fd::Rule::time_not_increasing, [&] { late.rollback(1.5); }, "forgotten");
}

TEST_CASE("wrong options of an interpolator are refused") {
  require_rule(
      fd::Rule::bad_parameter, [] { Live({.order = 8}); }, "order");
  require_rule(
      fd::Rule::bad_parameter, [] { Live({.keep_events = 0}); }, "keep_events");
  require_rule(
      fd::Rule::bad_parameter, [] { Live({.keep_time = -1.0}); }, "keep_time");
  require_rule(
      fd::Rule::bad_parameter, [] { Live({.forgotten = fd::Outside::hold}); }, "forgotten");
  require_rule(fd::Rule::time_not_finite, [] { (void)Live().value(std::nan("")); });
  require_rule(fd::Rule::bad_parameter, [] { fd::StreamingResampler<>(0.0, 0.0); });
  Live huge;
  huge.push(fd::from_taylor(0.0, {0, 0, 1}));
  require_error<fd::Overflow>([&] { (void)huge.value(1e200); }, "finite");
  require_rule(fd::Rule::empty, [] { (void)Live().trajectory(); });
}

TEST_CASE("each point of a streamed grid comes out once and final and equals the offline value") {
  Random random(2);
  for (int run = 0; run < 60; ++run) {
    const bool rolling = run % 2 == 0;
    const auto side = run % 3 == 0 ? left : right;
    Live live({.late = rolling ? fd::LateEvent::rollback : fd::LateEvent::error});
    fd::StreamingResampler<> resampler(-0.5, 0.25, side);
    std::map<double, std::uint64_t> emitted;
    double last = -1e300;
    const auto take = [&] {
      resampler.emit(live, [&](double t, std::optional<double> x) {
        CHECK(t > last);
        CHECK(live.is_final(t, side));
        last = t;
        emitted[t] = bits(x);
      });
    };
    double newest = 0;
    for (int step = 0; step < 120; ++step) {
      const auto what = random.integer(0, 9);
      const double w = live.watermark().value_or(0);
      if (what == 0) {
        live.advance_to(std::max(w, newest + random.real(-0.5, 0.3)));
      } else if (what == 1 && rolling) {
        live.rollback(std::max(w, newest - random.real(0, 1)));
      } else {
        // Quarter seconds, so that events fall on grid points and on each other.
        double t = std::ceil(4 * std::max(w, newest)) / 4 + 0.25 * static_cast<double>(random.integer(0, 3));
        if (rolling) t = std::max(std::ceil(4 * w) / 4, t - 0.25 * static_cast<double>(random.integer(0, 4)));
        live.push(fd::from_taylor(t, {random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)}));
        newest = t;
      }
      take();
    }
    const double end = std::max(newest, live.watermark().value_or(0)) + 1;
    live.finish(end);
    take();
    take();
    const auto offline = live.trajectory();
    CHECK(emitted.size() == static_cast<std::size_t>(std::floor((end + 0.5) / 0.25)) + 1);
    for (const auto& [t, x] : emitted) CHECK(x == bits(offline.value(t, side)));
  }
}

TEST_CASE("a streamed grid includes the end that it meets and matches resample") {
  const Events events = worked_scenario();
  Live live;
  for (const Event& event : events) live.push(event);
  fd::StreamingResampler<> resampler(0.0, 0.1);
  live.finish(6.3);
  std::vector<double> times, values;
  resampler.emit(live, [&](double t, std::optional<double> x) {
    times.push_back(t);
    values.push_back(x.value());
  });
  const auto offline = fd::resample(live.trajectory(), fd::Every{0.1});
  REQUIRE(times.size() == offline.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i] == offline.time(i));
    CHECK(values[i] == offline(i));
  }
  CHECK(times.back() == 6.3);
  CHECK(resampler.emitted() == 64);
}

TEST_CASE("a grid point whose history is gone is an error and not a wrong value") {
  Live live({.keep_events = 2});
  fd::StreamingResampler<> resampler(0.0, 1.0);
  for (int i = 0; i < 10; ++i) live.push(fd::from_taylor(static_cast<double>(i), {1}));
  require_rule(
      fd::Rule::window_outside, [&] { resampler.emit(live, [](double, std::optional<double>) {}); }, "0 s", "gone");
}

TEST_CASE("pushing within the reserved room does not move the events and absolute time works") {
  const fd::Timestamp start{1'700'000'000s};
  fd::Interpolator<double, fd::Timestamp> live({.keep_time = 10s, .reserve = 100});
  fd::StreamingResampler<fd::Timestamp> resampler(start, 250ms);
  std::size_t count = 0;
  for (int i = 0; i < 50; ++i) {
    live.push(fd::from_taylor(start + i * 1s, {static_cast<double>(i), 1}));
    count +=
        resampler.emit(live, [&](fd::Timestamp t, std::optional<double> x) { CHECK(x == fd::seconds(t - start)); });
  }
  CHECK(count == 4 * 49);
  CHECK(live.value(start + 45500ms) == 45.5);
  CHECK(!live.value(start + 1s));
}

TEST_CASE("a point before the first event is not final while that event can be replaced") {
  for (const auto policy : {fd::Outside::hold, fd::Outside::extrapolate}) {
    for (const auto side : {left, right}) {
      Live live({.before = policy});
      fd::StreamingResampler<> resampler(0.0, 0.5, side);
      std::map<double, double> emitted;
      const auto emit = [&] {
        return resampler.emit(live, [&](double t, std::optional<double> x) { emitted[t] = x.value(); });
      };
      live.advance_to(0.6);
      CHECK(emit() == 0);  // nothing is known that could be held
      live.push(fd::from_taylor(1.0, {1}, fd::EventKind::init));
      CHECK(emit() == 0);
      CHECK(!live.is_final(1.0, side));
      live.push(fd::from_taylor(1.0, {5}, fd::EventKind::reset));
      CHECK(emit() == 0);
      live.advance_to(1.25);
      CHECK(emit() == 3);
      live.finish(2);
      emit();
      CHECK(emitted == std::map<double, double>{{0, 5}, {0.5, 5}, {1, 5}, {1.5, 5}, {2, 5}});
    }
  }
  // What is missing before the first event stays missing.
  Live live;
  live.advance_to(0.6);
  CHECK(live.is_final(0.5));
}

TEST_CASE("the trajectory of an interpolator that forgot does not answer where its history is gone") {
  Live live({.before = fd::Outside::extrapolate, .keep_events = 2});
  for (int k = 0; k < 5; ++k) live.push(fd::from_taylor(static_cast<double>(k), {static_cast<double>(k)}));
  CHECK(!live.value(0));
  CHECK(!live.trajectory().value(0));
  CHECK(live.trajectory().value(3.5) == 3.0);
}

TEST_CASE("a stream that ended by an event can be finished however far it is settled") {
  Live live;
  fd::StreamingResampler<> resampler(0.0, 1.0);
  std::vector<double> times;
  const auto emit = [&] {
    resampler.emit(live, [&](double t, std::optional<double> x) {
      times.push_back(t);
      CHECK(x.has_value());
    });
  };
  live.push(fd::from_taylor(0.0, {0, 1}));
  live.push(fd::from_taylor(2.0, {2}, fd::EventKind::end));
  live.advance_to(5);
  emit();
  CHECK(times == std::vector<double>{0, 1, 2});
  require_rule(fd::Rule::time_not_increasing, [&] { live.finish(5); });
  live.finish(2);
  CHECK(live.finished());
  emit();
  CHECK(times.size() == 3);
}

TEST_CASE("an interpolator names the function and the range in its errors") {
  Live live({.late = fd::LateEvent::rollback, .before = fd::Outside::error, .after = fd::Outside::error});
  require_rule(
      fd::Rule::window_outside, [&] { (void)live.value(0.5); }, "no event");
  live.push(fd::from_taylor(1.0, {1}));
  require_rule(
      fd::Rule::window_outside, [&] { (void)live.value(0.5); }, "0.5 s", "from 1 s on");
  require_rule(
      fd::Rule::time_not_finite, [&] { live.rollback(std::nan("")); }, "rollback");
  require_rule(
      fd::Rule::time_not_finite, [&] { live.finish(std::nan("")); }, "finish");
  live.finish(2);
  require_rule(
      fd::Rule::window_outside, [&] { (void)live.value(3); }, "3 s", "from 1 s to 2 s");
}
