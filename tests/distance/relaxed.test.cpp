// SPDX-License-Identifier: MIT
// NaN and infinity are found on their bits, also where the compiler may assume that there are none (T19). This file is
// compiled twice: into distance_test with the usual options, and into a program of its own with -ffast-math
// (extra.cmake). Bad numbers come from bits that the compiler cannot see through.
#include <bit>
#include <cstdint>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

const volatile std::uint64_t bad_bits[] = {0x7ff8000000000000U, 0x7ff0000000000000U, 0xfff0000000000000U};

template <class Call>
bool refused(fd::Rule rule, Call&& call) {
  try {
    call();
  } catch (const fd::InputError& error) {
    return error.rule == rule;
  }
  return false;
}

template <class Call>
bool overflows(Call&& call) {
  try {
    call();
  } catch (const fd::Overflow&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("NaN and infinity are refused under relaxed floating point too") {
  const Run good({0, 1}, {0, 1});
  const std::vector<int> numbers = {1, 2};
  for (const std::uint64_t bits : bad_bits) {
    const auto bad = std::bit_cast<double>(bits);
    const auto rule = fd::Rule::bad_parameter;
    CHECK(refused(fd::Rule::value_not_finite, [&] {
      (void)fd::Twed{.stiffness = 1, .penalty = 1}(good, Run({0, 1}, {0, bad}));
    }));
    CHECK(refused(fd::Rule::time_not_finite, [&] { (void)Run({0, bad}, {0, 1}); }));
    CHECK(refused(rule, [&] { (void)fd::Twed{.stiffness = bad, .penalty = 1}(good, good); }));
    CHECK(refused(rule, [&] { (void)fd::Twed{.stiffness = 1, .penalty = bad}(good, good); }));
    CHECK(refused(rule, [&] { (void)fd::Twed{.stiffness = 1, .penalty = 1, .scale = {bad}}(good, good); }));
    CHECK(refused(rule, [&] { (void)fd::Norm(bad); }));
    CHECK(refused(fd::Rule::bad_distance, [&] { (void)fd::pairwise(numbers, [&](int, int) { return bad; }); }));
  }
}

TEST_CASE("a distance outside the range of double is Overflow under relaxed floating point too") {
  const auto point = [](double x) { return Run({0}, {x, 0}, {.channel_names = {"x", "y"}}); };
  for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm(3), fd::Norm::maximum()}) {
    const fd::Twed twed{.stiffness = 1, .penalty = 1, .norm = norm};
    CHECK(overflows([&] { (void)twed(point(1e308), point(-1e308)); }));
  }
}

TEST_CASE("many pairs at once overflow where one pair does and nowhere else under relaxed floating point too") {
  std::vector<Run> runs(19, Run({0, 1, 2}, {0, 1, 0}));
  const fd::Twed twed{.stiffness = 1, .penalty = 1};
  for (const fd::Isa isa : fd::available_isas()) {
    runs[4] = runs[11] = Run({0}, {1e308});
    CHECK(!overflows([&] { (void)fd::pairwise(runs, twed, {.isa = isa}); }));
    runs[11] = Run({0}, {-1e308});
    CHECK(overflows([&] { (void)fd::pairwise(runs, twed, {.isa = isa}); }));
  }
  runs[11] = Run({0}, {std::bit_cast<double>(std::uint64_t{bad_bits[0]})});
  CHECK(refused(fd::Rule::value_not_finite, [&] { (void)fd::pairwise(runs, twed); }));
}
