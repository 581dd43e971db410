// SPDX-License-Identifier: MIT
// No look-ahead (S6, S75), and a backfill is what single runs are (S76): random plans on random plants.
#include "catch.hpp"

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/sampling/sampler.hpp>
#include <fidelity/series/series.hpp>

#include "reference/series_helpers.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;
using series_test::Random;

namespace {

/// Stamps are counted in half steps of a good minute, so that odd numbers lie between samples. Neither clock has round
/// numbers: minutes of the epoch are hit by none, and in double every sum is rounded.
template <class Time>
Time stamp(std::int64_t half_steps) {
  if constexpr (std::same_as<Time, double>) {
    return 30.1 * static_cast<double>(half_steps);
  } else {
    return Time{half_steps * 30'000'001'003ns - 1000s};
  }
}
template <class Time>
fd::Duration<Time> lasting(double steps) {
  if constexpr (std::same_as<Time, double>) {
    return 60.2 * steps;
  } else {
    return std::chrono::duration_cast<fd::Duration<Time>>(steps * std::chrono::duration<double>(60.000'002'006));
  }
}

/// Short records go with all conditions; in long ones, where a backfill looks pauses up in blocks, nothing is searched
/// for steady states, which takes too long.
enum class Length { short_record, long_record };

/// A random measurement: levels with noise, bad samples, pauses, event pairs.
struct Record {
  std::vector<std::int64_t> stamps;
  std::vector<double> values;
  Length length;
  bool events;
  std::optional<double> max_gap;  ///< steps

  Record(Random& random, Length length_) : length(length_), events(random.integer(0, 2) == 0) {
    const bool has_bad = random.integer(0, 2) > 0;
    if (random.integer(0, 1) == 0) max_gap = static_cast<double>(random.integer(2, 5));
    const double noise = random.integer(0, 2) == 0 ? 0 : 0.1;
    auto level = static_cast<double>(random.integer(-1, 3));
    std::int64_t t = 0;
    const bool is_long = length == Length::long_record;
    for (auto n = is_long ? random.integer(500, 700) : random.integer(5, 60); n > 0; --n) {
      if (random.integer(0, 9) == 0) level += static_cast<double>(random.integer(-3, 3));
      const bool is_bad = has_bad && random.integer(0, 11) == 0;
      add(t, is_bad ? series_test::bad : level + noise * static_cast<double>(random.integer(-2, 2)));
      if (events && random.integer(0, 7) == 0)
        add(t, random.integer(0, 5) == 0 ? series_test::infinity : level + static_cast<double>(random.integer(-2, 2)));
      t += 2 * (random.integer(0, 14) == 0 ? random.integer(3, 9) : 1);
    }
  }
  void add(std::int64_t t, double value) {
    stamps.push_back(t);
    values.push_back(value);
  }

  /// The samples up to a stamp: what a live run would have had.
  template <class Time>
  [[nodiscard]] fd::Series<double, Time> up_to(std::int64_t last, fd::Interpolation interpolation) const {
    std::vector<Time> times;
    std::vector<double> known;
    for (std::size_t i = 0; i < stamps.size() && stamps[i] <= last; ++i)
      times.push_back(stamp<Time>(stamps[i])), known.push_back(values[i]);
    fd::SeriesOptions<Time> options{.interpolation = interpolation, .duplicates = fd::Duplicates::event};
    if (max_gap) options.max_gap = lasting<Time>(*max_gap);
    return {std::move(times), std::move(known), std::move(options)};
  }
};

template <class Time>
struct Plant {
  std::vector<fd::Validator<Time>> validators;
  std::vector<fd::Input<Time>> inputs;

  Plant(const Record& record, std::int64_t last)
      : Plant(record, record.up_to<Time>(last, fd::Interpolation::linear),
              record.up_to<Time>(last, fd::Interpolation::hold)) {}

  Plant(const Record& record, const fd::Series<double, Time>& line, const fd::Series<double, Time>& held)
      : inputs{{"line", line}, {"held", held}} {
    for (const auto& s : {line, held}) {
      const std::string kind = s.interpolation() == fd::Interpolation::hold ? "held " : "line ";
      const auto add = [&](const char* name, const auto& condition) {
        validators.push_back(fd::logic(kind + name, s, condition));
      };
      add("above", fd::Greater{0.0});
      add("high alarm", fd::Hysteresis{.on = 1.0, .off = -1.0});
      add("low alarm", fd::Hysteresis{.on = 0.0, .off = 2.0});
      add("known", fd::Known{});
      add("moving", fd::NotFrozen<Time>{.duration = lasting<Time>(4), .tolerance = 0.15, .exempt = {0.0}});
      if (!record.events) {
        std::optional<fd::Duration<Time>> max_gap;
        if (record.max_gap) max_gap = lasting<Time>(*record.max_gap);
        validators.push_back(fd::online(kind + "online", s, fd::KellyHedengren<Time>({.samples = 6}, max_gap)));
      }
      if (record.length == Length::long_record) continue;
      // Limits derived from the window, and given ones on means of cells.
      fd::SteadyStateOptions<Time> steady{.min_duration = lasting<Time>(5)};
      if (kind == "held ") steady.step = lasting<Time>(2);
      validators.push_back(fd::steady(kind + "steady", s, steady));
      steady.noise_max = 0.3;
      steady.slope_max = fd::Rate{0.1, lasting<Time>(1)};
      steady.step = lasting<Time>(1.5);
      steady.cost = fd::L2{};
      validators.push_back(fd::steady(kind + "steady cells", s, steady));
      fd::CogniteSteadyState connector{.min_section_size = 4, .var_threshold = 1e4, .slope_threshold = -3.0};
      validators.push_back(fd::steady(kind + "connector", s, connector));
      connector.bucket_means = true;
      validators.push_back(fd::steady(kind + "connector buckets", s, connector));
    }
    validators.push_back(fd::logic("difference", line, held, fd::Greater{0.0}));
    validators.push_back(fd::logic("rate", line, fd::RateWithin{fd::Rate{0.5, lasting<Time>(1)}}));
  }
};

/// The first thing in which two results differ; empty where they agree in everything, bit by bit.
template <class Time>
std::string difference(const fd::SamplingResult<Time>& a, const fd::SamplingResult<Time>& b) {
  if (a.mode != b.mode || a.run_time != b.run_time) return "run";
  if (a.conditions.size() != b.conditions.size()) return "number of conditions";
  for (std::size_t i = 0; i < a.conditions.size(); ++i)
    if (a.conditions[i].status != b.conditions[i].status || a.conditions[i].name != b.conditions[i].name ||
        a.conditions[i].longest_pause != b.conditions[i].longest_pause)
      return "condition " + a.conditions[i].name;
  if (a.validation != b.validation) return "validation window";
  if (a.combined != b.combined) return "combined status";
  if (a.window != b.window) return "window";
  if (a.simulation_time != b.simulation_time) return "simulation time";
  if (a.notes != b.notes) return "notes";
  if (a.inputs.size() != b.inputs.size()) return "number of inputs";
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    const auto &x = a.inputs[i], &y = b.inputs[i];
    if (x.name != y.name || x.value != y.value || x.coverage != y.coverage || x.samples != y.samples ||
        x.longest_pause != y.longest_pause || x.time != y.time || x.age != y.age || x.bad_since != y.bad_since)
      return "input " + x.name;
  }
  if (a.search.has_value() != b.search.has_value()) return "search";
  if (!a.search) return "";
  if (a.search->windows != b.search->windows || a.search->runs != b.search->runs) return "runs";
  if (a.search->code != b.search->code || a.search->reason != b.search->reason) return "reason";
  if (a.search->longest_run != b.search->longest_run || a.search->shortfall != b.search->shortfall) return "shortfall";
  return "";
}

/// What the random plans came to, so that a test of nothing is noticed.
struct Tally {
  std::size_t runs = 0, found = 0, holds = 0, unknown = 0;
};

template <class Time>
void check_record(std::uint64_t seed, Length length, Tally& tally) {
  INFO("seed " << seed);
  Random random(seed);
  const Record record(random, length);
  const auto last = record.stamps.back();
  const Plant<Time> whole(record, last);

  fd::SamplingPlan<Time> plan{.run_time = stamp<Time>(0)};
  plan.sampling_window = lasting<Time>(static_cast<double>(random.integer(1, 3)));
  const bool is_long = length == Length::long_record;
  plan.validation_window = lasting<Time>(static_cast<double>(random.integer(is_long ? 300 : 4, is_long ? 700 : 50)));
  plan.straddle = random.integer(0, 1) == 0;
  if (random.integer(0, 2) == 0) plan.align = lasting<Time>(0.75);
  if (random.integer(0, 4) > 0)
    plan.combine = [](const std::vector<fd::Status<Time>>& all) { return fd::at_least(all.size() * 3 / 5, all); };

  // On a stamp, between two, in a pause, after the end; in no order.
  std::vector<std::int64_t> at{last, 1, last + 9};
  for (int k = 0; k < 4; ++k) at.push_back(random.integer(0, last + 4));
  at.push_back(record.stamps[record.stamps.size() / 2]);
  std::vector<Time> run_times;
  for (const auto r : at) run_times.push_back(stamp<Time>(r));
  const auto all = fd::backfill(plan, run_times, whole.validators, whole.inputs, {.threads = 1});
  auto off = plan;
  off.enabled = false;
  const auto latest = fd::backfill(off, run_times, whole.validators, whole.inputs, {.threads = 1});
  REQUIRE(all.size() == at.size());

  for (std::size_t i = 0; i < at.size(); ++i) {
    INFO("run time " << at[i] << " half steps");
    const Plant<Time> past(record, at[i]);
    plan.run_time = off.run_time = run_times[i];
    const auto single = fd::sample(plan, whole.validators, whole.inputs);
    CHECK(difference(single, fd::sample(plan, past.validators, past.inputs)) == "");
    CHECK(difference(single, all[i]) == "");
    const auto value = fd::sample(off, whole.validators, whole.inputs);
    CHECK(difference(value, fd::sample(off, past.validators, past.inputs)) == "");
    CHECK(difference(value, latest[i]) == "");
    ++tally.runs;
    tally.found += single.window.has_value();
    tally.holds += !single.combined.value().holds().empty();
    tally.unknown += !single.combined.value().unknown().empty();
  }
}

template <class Time>
Tally check_records(std::uint64_t first_seed, std::uint64_t count, Length length) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) check_record<Time>(seed, length, tally);
  return tally;
}

void check_tally(const Tally& tally) {
  CAPTURE(tally.runs, tally.found, tally.holds, tally.unknown);
  CHECK(tally.found > tally.runs / 10);
  CHECK(tally.found < tally.runs * 9 / 10);
  CHECK(tally.holds > tally.runs / 5);
  CHECK(tally.unknown > tally.runs / 5);
}

/// Noise about 5 and from sample `jump` on about 9, and a pump that runs throughout.
template <class Time>
void check_levels(std::uint64_t seed) {
  INFO("seed " << seed);
  Random random(seed);
  const auto jump = random.integer(40, 60), size = jump + random.integer(40, 60);
  std::vector<Time> times;
  std::vector<double> values;
  for (std::int64_t i = 0; i < size; ++i) {
    times.push_back(stamp<Time>(2 * i));
    values.push_back((i < jump ? 5.0 : 9.0) + random.real(-0.1, 0.1));
  }
  const fd::Series<double, Time> pressure(times, values);
  const fd::Series<double, Time> pump({times[0]}, {1}, {.interpolation = fd::Interpolation::hold});
  const fd::SteadyStateOptions<Time> limits{
      .noise_max = 0.2, .slope_max = fd::Rate{0.02, lasting<Time>(1)}, .min_duration = lasting<Time>(10)};
  const std::vector<fd::Validator<Time>> validators{fd::logic("pump", pump, fd::Equal{1}),
                                                    fd::steady("steady", pressure, limits)};
  const std::vector<fd::Input<Time>> inputs{{"pressure", pressure}};
  const Time run_time = times.back(), step = times[static_cast<std::size_t>(jump)];

  fd::SamplingPlan<Time> plan{.run_time = run_time};
  plan.validation_window = lasting<Time>(static_cast<double>(size) + 5);
  for (const std::int64_t length : {std::int64_t{10}, size - jump - 2, std::int64_t{65}, size - 2}) {
    INFO("window of " << length << " of " << size << " steps, jump at " << jump);
    plan.sampling_window = lasting<Time>(static_cast<double>(length));
    plan.straddle = false;
    const auto apart = fd::sample(plan, validators, inputs);
    CHECK(apart.combined.value().cuts().size() == 1);
    CHECK(apart.window.has_value() == (length < 65));
    if (apart.window) {
      CHECK((apart.window->end <= step || apart.window->begin >= step));
      CHECK(std::abs(apart.inputs.at(0).value.value() - 9) < 0.1);
    }
    plan.combine = [](const std::vector<fd::Status<Time>>& both) { return both[1] & both[0]; };
    CHECK(fd::sample(plan, validators, inputs).window == apart.window);
    plan.combine = {};
    plan.straddle = true;
    const auto across = fd::sample(plan, validators, inputs);
    REQUIRE(across.window);
    CHECK(across.window->end == run_time);
    const double mean = across.inputs.at(0).value.value();
    CHECK((across.window->begin < step) == (length >= 65));
    CHECK((mean > 5.1 && mean < 8.9) == (length >= 65));
  }
  // At a run time soon after the jump the newest window is that before it.
  plan.sampling_window = lasting<Time>(20);
  plan.straddle = false;
  plan.run_time = times[static_cast<std::size_t>(jump + 15)];
  const auto before = fd::sample(plan, validators, inputs);
  REQUIRE(before.window);
  CHECK(before.window->end == step);
  const auto backfilled = fd::backfill(plan, {Time(plan.run_time)}, validators, inputs);
  CHECK(difference(before, backfilled.at(0)) == "");
}

/// The counterpart: a sample at the run time itself is used, by every part.
template <class Time>
void check_sample_at_run_time() {
  std::vector<Time> times;
  std::vector<double> values;
  for (int i = 0; i <= 20; ++i) {
    times.push_back(stamp<Time>(2 * i));
    values.push_back(i % 2 == 0 ? 5.0 : 5.1);
  }
  const fd::Series<double, Time> line(times, values);
  const fd::SteadyStateOptions<Time> limits{
      .noise_max = 0.2, .slope_max = fd::Rate{0.1, lasting<Time>(1)}, .min_duration = lasting<Time>(5)};
  const std::vector<fd::Validator<Time>> validators{
      fd::logic("on", line, fd::Greater{0.0}), fd::logic("rate", line, fd::RateWithin{fd::Rate{1.0, lasting<Time>(1)}}),
      fd::steady("steady", line, limits)};
  const std::vector<fd::Input<Time>> inputs{{"line", line}};
  fd::SamplingPlan<Time> plan{.run_time = times[15]};
  plan.sampling_window = lasting<Time>(4);
  plan.validation_window = lasting<Time>(12);
  const auto on = fd::sample(plan, validators, inputs);
  REQUIRE(on.window);
  CHECK(on.window->end == times[15]);
  CHECK(on.inputs.at(0).coverage == 1.0);
  plan.enabled = false;
  CHECK(fd::sample(plan, validators, inputs).inputs.at(0).value == 5.1);
  // Just before it is not yet known where the line leads.
  plan.enabled = true;
  plan.run_time = stamp<Time>(29);
  const auto between = fd::sample(plan, validators, inputs);
  REQUIRE(between.window);
  CHECK(between.window->end == times[14]);
  plan.enabled = false;
  CHECK(fd::sample(plan, validators, inputs).inputs.at(0).value == 5.0);
}

}  // namespace

TEST_CASE("with absolute time a run uses nothing after its run time and a backfill is the same") {
  check_tally(check_records<fd::Timestamp>(1, 60, Length::short_record));
}

TEST_CASE("with seconds in double a run uses nothing after its run time and a backfill is the same") {
  check_tally(check_records<double>(1001, 60, Length::short_record));
}

TEST_CASE("long records with pauses give the same with and without the future and in a backfill") {
  CHECK(check_records<fd::Timestamp>(2001, 12, Length::long_record).found > 0);
  CHECK(check_records<double>(3001, 12, Length::long_record).found > 0);
}

TEST_CASE("no window joins two steady levels unless that is asked for") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    check_levels<fd::Timestamp>(seed);
    check_levels<double>(seed);
  }
}

TEST_CASE("a sample at the run time counts and a line that ends later does not") {
  check_sample_at_run_time<fd::Timestamp>();
  check_sample_at_run_time<double>();
}
