// SPDX-License-Identifier: MIT
// What a criterion asks for, and what stands in the way of an answer.
#include <fidelity/series/series.hpp>
#include <fidelity/validation/compare.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fd = fidelity;

namespace {

struct Scalar {
  double x;
  std::string name = {};
};
const auto difference = [](const Scalar& a, const Scalar& b) { return std::abs(a.x - b.x); };
std::vector<Scalar> scalars(std::initializer_list<double> values) {
  std::vector<Scalar> all;
  for (const double x : values) all.push_back({x});
  return all;
}
bool has(const std::vector<fd::Finding>& findings, const std::string& code, const std::string& word = {}) {
  for (const auto& finding : findings)
    if (finding.code == code && finding.text.find(word) != std::string::npos) return true;
  return false;
}
fd::Comparison judged(const std::vector<Scalar>& simulated, const std::vector<Scalar>& measured,
                      std::vector<fd::Criterion> criteria) {
  return fd::compare(simulated, measured, difference,
                     {.criteria = std::move(criteria), .permutations = 99, .bootstraps = 39, .splits = 99});
}
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
double below(double x) { return std::nextafter(x, 0); }

const auto measured = scalars({0, 1, 3, 7, 4, 2});
const auto near = scalars({0.5, 1.5, 3.5, 6, 2});
const auto far = scalars({100, 101, 103, 107, 104});

/// The outcome for a limit at the value, just below it and just above it.
template <class Limited>
void check_limit(const std::vector<Scalar>& simulated, std::optional<double> (*value)(const fd::Comparison&)) {
  const auto free = judged(simulated, measured, {});
  const double at = value(free).value();
  CHECK(judged(simulated, measured, {Limited{at}}).verdict == fd::Verdict::pass);
  CHECK(judged(simulated, measured, {Limited{at * 1.001}}).verdict == fd::Verdict::pass);
  const auto missed = judged(simulated, measured, {Limited{below(at)}});
  CHECK(missed.verdict == fd::Verdict::fail);
  CHECK(has(missed.reasons, "criterion_missed", "above the limit"));
  CHECK(missed.criteria.at(0).value == at);
}

}  // namespace

TEST_CASE("every criterion with a limit passes at its limit and fails below it") {
  check_limit<fd::Absolute>(near, [](const fd::Comparison& c) { return std::optional<double>(c.distance); });
  check_limit<fd::Relative>(near, [](const fd::Comparison& c) { return c.ratio; });
  check_limit<fd::Equivalence>(near, [](const fd::Comparison& c) { return std::optional<double>(c.interval->upper); });
  check_limit<fd::PerRun>(near, [](const fd::Comparison& c) {
    double farthest = 0;
    for (const auto* side : {&c.simulations, &c.measurements})
      for (const auto& run : *side) farthest = std::max(farthest, run.nearest_distance);
    return std::optional<double>(farthest);
  });
}

TEST_CASE("per run looks at both sides and names the farthest run") {
  // every simulated run is near a measured one, but the measured 7 has no simulated run
  const auto c = judged(scalars({0, 1, 2, 3}), scalars({0, 1, 2, 7}), {fd::PerRun{3.5}});
  CHECK(c.verdict == fd::Verdict::fail);
  CHECK(c.criteria.at(0).value == 4.0);
  CHECK(has(c.reasons, "criterion_missed", "measurement 4"));
  CHECK(has(judged(scalars({0, 1, 2, 9}), scalars({0, 1, 2, 3}), {fd::PerRun{3.5}}).reasons, "criterion_missed",
            "simulation 4"));
}

TEST_CASE("within measured compares with the accident of the draw") {
  CHECK(judged(near, measured, {fd::WithinMeasured{}}).verdict == fd::Verdict::pass);
  const auto c = judged(far, measured, {fd::WithinMeasured{}});
  CHECK(c.verdict == fd::Verdict::fail);
  CHECK(c.criteria.at(0).limit == c.halves->base.quantile95);
  CHECK(c.criteria.at(0).value == c.halves->like.median);
  const auto absent = judged(near, scalars({0, 1, 2}), {fd::WithinMeasured{}});
  CHECK(absent.verdict == fd::Verdict::incomplete);
  CHECK_FALSE(absent.criteria.at(0).limit);
}

TEST_CASE("reject can fail a comparison and never passes one alone") {
  const auto apart = judged(far, measured, {fd::Reject{0.05}});
  CHECK(apart.verdict == fd::Verdict::fail);
  CHECK(has(apart.reasons, "criterion_missed", "is below the limit 0.05"));
  const auto alone = judged(near, measured, {fd::Reject{0.05}});
  CHECK(alone.criteria.at(0).outcome == fd::Verdict::pass);
  CHECK(alone.verdict == fd::Verdict::incomplete);
  CHECK(has(alone.reasons, "only_reject"));
  CHECK(judged(near, measured, {fd::Reject{0.05}, fd::Absolute{50}}).verdict == fd::Verdict::pass);
  CHECK(judged(near, measured, {fd::Reject{0.05}, fd::Absolute{0}}).verdict == fd::Verdict::fail);
  CHECK(judged(far, measured, {fd::Reject{0.05}, fd::Absolute{1000}}).verdict == fd::Verdict::fail);
  // at the level is not below it
  const auto shifted = scalars({3, 4, 6.1, 8, 4.5});
  const double p = *judged(shifted, measured, {}).p_value;
  REQUIRE(p < 1);
  CHECK(judged(shifted, measured, {fd::Reject{p}, fd::Absolute{50}}).verdict == fd::Verdict::pass);
  CHECK(judged(shifted, measured, {fd::Reject{std::nextafter(p, 1)}, fd::Absolute{50}}).verdict == fd::Verdict::fail);
}

TEST_CASE("reject says nothing where p cannot be small or means nothing") {
  const auto few = judged(scalars({50, 51}), scalars({0, 1}), {fd::Reject{0.05}, fd::Absolute{1000}});
  CHECK(has(few.flags, "no_power"));
  CHECK(few.verdict == fd::Verdict::incomplete);
  CHECK(has(few.reasons, "not_evaluated", "cannot fall below"));
  const auto copies = judged(scalars({2, 2, 2, 2, 2}), measured, {fd::Reject{0.0001}, fd::Absolute{1000}});
  CHECK(has(copies.flags, "not_meaningful"));
  CHECK(copies.verdict == fd::Verdict::incomplete);
  const auto none =
      fd::compare(near, measured, difference, {.criteria = {fd::Reject{0.05}}, .permutations = 0, .bootstraps = 0});
  CHECK(none.verdict == fd::Verdict::incomplete);
  CHECK(has(none.reasons, "not_evaluated", "permutations = 0"));
}

TEST_CASE("a criterion passes only if its comparison is true") {
  const auto outcome = [](std::optional<double> value, std::optional<double> limit) {
    return fd::detail::evaluate_criterion("x", value, limit, "", "why").outcome;
  };
  CHECK(outcome(not_a_number, 1) == fd::Verdict::fail);
  CHECK(outcome(1, not_a_number) == fd::Verdict::fail);
  CHECK(outcome(0, 0) == fd::Verdict::pass);
  CHECK(outcome({}, 1) == fd::Verdict::incomplete);
  CHECK(outcome(1, {}) == fd::Verdict::incomplete);
  fd::Comparison c;
  c.p_value = not_a_number;
  c.permutation.emplace();
  CHECK(fd::detail::CriterionJudge(c)(fd::Reject{0.05}).outcome == fd::Verdict::fail);
}

TEST_CASE("limits outside their range are refused") {
  const auto refuses = [&](fd::Criterion criterion, const char* text) {
    require_error<fd::InputError>([&] { (void)judged(near, measured, {criterion}); }, text);
  };
  for (const double bad : {-1.0, not_a_number, std::numeric_limits<double>::infinity()}) {
    refuses(fd::Absolute{bad}, "limit");
    refuses(fd::Relative{bad}, "limit");
    refuses(fd::Equivalence{bad}, "limit");
    refuses(fd::PerRun{bad}, "limit");
    refuses(fd::Reject{bad}, "level");
    refuses(fd::WithinMeasured{bad}, "quantile");
  }
  refuses(fd::Reject{0}, "level");
  refuses(fd::Reject{1}, "level");
  refuses(fd::WithinMeasured{0}, "quantile");
}

TEST_CASE("with few runs every missing number has its reason") {
  for (std::size_t n = 1; n <= 4; ++n)
    for (std::size_t m = 1; m <= 4; ++m) {
      std::vector<Scalar> some, others;
      for (std::size_t k = 0; k < n; ++k) some.push_back({1.3 * static_cast<double>(k * k) + 0.1});
      for (std::size_t k = 0; k < m; ++k) others.push_back({1.0 * static_cast<double>(k * k)});
      const auto c =
          fd::compare(some, others, difference,
                      {.bootstraps = 99, .splits = 99, .outlier_budget = {.simulated = 0.25, .measured = 0.25}});
      INFO("n " << n << " m " << m);
      CHECK(c.ratio.has_value() == (n >= 2 && m >= 4));
      CHECK(c.halves.has_value() == (n >= 2 && m >= 4));
      CHECK(c.measured_spread.has_value() == (m >= 2));
      CHECK(c.interval.has_value() == (m >= 2));
      CHECK(c.p_value.has_value());
      CHECK(c.measured_medoid.has_value());
      CHECK(c.simulated_medoid.has_value());
      CHECK(c.trimmed.has_value());
      CHECK(c.simulations[0].distance_without.has_value() == (n >= 2));
      CHECK(c.measurements[0].distance_without.has_value() == (m >= 2));
      CHECK(has(c.flags, "not_meaningful") == (n == 1 || m == 1));
      CHECK(has(c.flags, "no_power") == (c.permutation->smallest_p > 0.05));
      for (const char* code : {"ratio", "measured_spread", "interval", "ratio_interval", "p_value"}) {
        const std::string name = code;
        const bool missing = (name == "ratio" && !c.ratio) || (name == "measured_spread" && !c.measured_spread) ||
                             (name == "interval" && !c.interval) || (name == "ratio_interval" && !c.ratio_interval) ||
                             (name == "p_value" && !c.p_value);
        CHECK(has(c.absent, name) == missing);
      }
    }
}

TEST_CASE("runs that hold a bad value are an error or are recorded and never pass") {
  using Run = fd::Series<double, double>;
  const auto distance = [](const Run& a, const Run& b) { return std::abs(a(0) - b(0)); };
  const auto run = [](double x, double last, std::string name) {
    return Run({0, 1}, {x, last}, {.name = std::move(name)});
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Run> good{run(1, 1, "a"), run(2, 2, "b")};
  const std::vector<Run> broken{run(1, 1, "c"), run(2, infinity, "d"), run(3, not_a_number, "")};
  const fd::ComparisonOptions options{
      .criteria = {fd::Absolute{100}}, .permutations = 0, .bootstraps = 0, .invalid_runs = fd::InvalidRuns::record};
  const auto failed = fd::compare(broken, good, distance, options);
  CHECK(failed.verdict == fd::Verdict::fail);
  CHECK(failed.criteria.at(0).outcome == fd::Verdict::pass);
  CHECK(failed.matrix.rows() == 1);
  REQUIRE(failed.invalid_simulations.size() == 2);
  CHECK(failed.invalid_simulations[0].name == "d");
  CHECK(failed.invalid_simulations[1].name == "simulation 3");
  CHECK(failed.invalid_simulations[1].index == 2);
  CHECK(failed.invalid_simulations[1].sample == 1);
  CHECK(has(failed.reasons, "invalid_simulated_runs", "d (sample 1), simulation 3 (sample 1)"));
  const auto incomplete = fd::compare(good, broken, distance, options);
  CHECK(incomplete.verdict == fd::Verdict::incomplete);
  CHECK(has(incomplete.flags, "invalid_measured_runs"));
  CHECK(fd::compare(good, good, distance, options).verdict == fd::Verdict::pass);
  // without a criterion a broken simulation fails all the same
  CHECK(fd::compare(broken, good, distance, {.invalid_runs = fd::InvalidRuns::record}).verdict == fd::Verdict::fail);
  require_error<fd::InputError>(
      [&] {
        (void)fd::compare(std::vector<Run>{broken[1], broken[2]}, good, distance, options);
      },
      "every one of 2 runs", "simulations[0] 'd'");
}
