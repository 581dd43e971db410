// SPDX-License-Identifier: MIT
// No product is fused with an addition (T36, T37). Three channels, Euclidean norm. The expected bits were computed
// outside C++, one rounding an operation. This file is compiled twice: into distance_test with the usual options, and
// into a program of its own with options that let the compiler fuse (extra.cmake).
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

struct Congruential {
  std::uint64_t state = 1;
  int operator()(std::uint64_t below) {
    state = (1103515245 * state + 12345) % 2147483648;
    return static_cast<int>((state >> 8) % below);
  }
};

Run random_run(Congruential& random, int length) {
  std::vector<double> times, values;
  int now = random(1000);
  for (int i = 0; i < length; ++i) {
    now += 1 + random(300);
    times.push_back(now / 100.0);
    for (int c = 0; c < 3; ++c) values.push_back((random(20001) - 10000) / 1000.0);
  }
  return {times, values, {.channel_names = {"x", "y", "z"}}};
}

}  // namespace

TEST_CASE("the distance in R^3 has the same bits whatever the compiler may fuse") {
  const double expected[] = {0x1.5c39377c0ab33p+8, 0x1.40640e480114bp+8, 0x1.3e2941c8f8896p+8, 0x1.3760911a8604dp+8,
                             0x1.5c91e70596279p+8, 0x1.52be4d4c987f9p+8, 0x1.58bc01b258838p+8, 0x1.345d991aea1a5p+8};
  const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};
  Congruential random;
  int k = 0;
  for (const double distance : expected) {
    const Run a = random_run(random, 12 + k), b = random_run(random, 20 - k);
    CHECK(twed(a, b) == distance);
    CHECK(twed(b, a) == distance);
    CHECK(fd::pairwise(std::vector{a, b}, twed)(0, 1) == distance);
    ++k;
  }
}

TEST_CASE("many pairs at once have the bits of single pairs whatever the compiler may fuse") {
  Congruential random;
  std::vector<Run> runs;
  for (int k = 0; k < 19; ++k) runs.push_back(random_run(random, 3 + k));
  double first = runs[0].time(0);
  for (const Run& run : runs) first = std::min(first, run.time(0));
  for (const fd::Norm& norm : {fd::Norm(1), fd::Norm(2), fd::Norm::maximum()}) {
    const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7, .norm = norm};
    for (const fd::Isa isa : fd::available_isas()) {
      const auto matrix = fd::pairwise(runs, twed, {.isa = isa});
      for (int i = 0; i < 19; ++i)
        for (int j = i + 1; j < 19; ++j)
          REQUIRE(matrix(i, j) == twed(twed.prepare(runs[static_cast<std::size_t>(i)], first),
                                       twed.prepare(runs[static_cast<std::size_t>(j)], first)));
    }
  }
}
