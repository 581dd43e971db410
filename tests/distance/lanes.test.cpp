// SPDX-License-Identifier: MIT
// Every kernel that computes many pairs at once holds the bits of the scalar sweep (T26, T36): ragged irregular series,
// lengths around the numbers of lanes, at every level that this machine has. Compiled also into programs of its own
// with options that let the compiler change results (extra.cmake).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

enum class Kind { rough, ties, huge, regular };

/// Series of 1 to 40 samples, most of them as long as some kernel is wide, or one more or less.
std::vector<Run> series_of(Kind kind, std::size_t count, std::size_t channels, std::uint32_t seed) {
  oracle::Random random(seed);
  const auto uniform = [&](int low, int high) { return oracle::uniform(random, low, high); };
  const int lengths[] = {1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 40};
  std::vector<Run> runs;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> times, values;
    double t = kind == Kind::regular ? 0 : uniform(-50, 50) / 7.0;
    for (int i = lengths[uniform(0, 13)]; i > 0; --i) {
      times.push_back(t += kind == Kind::regular ? 0.1 : uniform(1, 40) / 11.0);
      for (std::size_t c = 0; c < channels; ++c) {
        if (kind == Kind::ties) {
          values.push_back(uniform(0, 3) == 0 ? -0.0 : uniform(-1, 1));
        } else {
          values.push_back(uniform(-999, 999) / 13.0 * (kind == Kind::huge && uniform(0, 3) == 0 ? 1e16 : 1));
        }
      }
    }
    runs.emplace_back(times, values,
                      fd::SeriesOptions<double>{.channel_names = std::vector<std::string>(channels, "x")});
  }
  return runs;
}

double earliest(const std::vector<Run>& a, const std::vector<Run>& b) {
  double first = a[0].time(0);
  for (const auto* runs : {&a, &b})
    for (const Run& run : *runs) first = std::min(first, run.time(0));
  return first;
}

fd::CostMatrix scalar_sweeps(const std::vector<Run>& rows, const std::vector<Run>& columns, const fd::Twed& twed,
                             double origin) {
  fd::CostMatrix matrix(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = fd::detail::twed_sweep(
          twed.prepare(rows[i], origin).packed, twed.prepare(columns[j], origin).packed, twed.norm);
  return matrix;
}

bool same_bits(const fd::CostMatrix& a, const fd::CostMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k])) return false;
  return true;
}

fd::CostMatrix joined(const fd::CostMatrix& aa, const fd::CostMatrix& ab, const fd::CostMatrix& bb) {
  fd::CostMatrix all(aa.rows() + bb.rows(), aa.rows() + bb.rows());
  all << aa, ab, ab.transpose(), bb;
  return all;
}

struct Case {
  fd::Norm norm;
  std::size_t channels;
};
const std::vector<Case> cases = {{2, 1}, {1, 2}, {2, 2}, {fd::Norm::maximum(), 2}, {1, 3}, {2, 3}, {2, 5}};

}  // namespace

TEST_CASE("every level holds the bits of the scalar sweep in every form of the matrix") {
  std::uint32_t seed = 1;
  std::size_t pairs = 0;
  for (const Kind kind : {Kind::rough, Kind::ties, Kind::huge, Kind::regular})
    for (const auto& [norm, channels] : cases) {
      const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7, .norm = norm};
      const auto rows = series_of(kind, 3 + seed % 11, channels, seed),
                 columns = series_of(kind, 19, channels, seed + 99);
      ++seed;
      const double origin = earliest(rows, columns);
      const auto expected = scalar_sweeps(rows, columns, twed, origin);
      const auto self = scalar_sweeps(columns, columns, twed, columns.empty() ? 0 : earliest(columns, columns));
      const auto pooled =
          joined(scalar_sweeps(rows, rows, twed, origin), expected, scalar_sweeps(columns, columns, twed, origin));
      pairs += rows.size() * columns.size();
      for (const fd::Isa isa : fd::available_isas()) {
        INFO(fd::to_text(isa) << ", " << fd::to_text(norm) << ", " << channels << " channels");
        REQUIRE(same_bits(fd::pairwise(rows, columns, twed, {.threads = 1, .isa = isa}), expected));
        REQUIRE(same_bits(fd::pairwise(columns, rows, twed, {.threads = 1, .isa = isa}), expected.transpose()));
        REQUIRE(same_bits(fd::pairwise(columns, twed, {.threads = 2, .isa = isa}), self));
        REQUIRE(same_bits(fd::pairwise_pooled(rows, columns, twed, {.threads = 7, .isa = isa}), pooled));
      }
    }
  CHECK(pairs >= 2000);
}

TEST_CASE("long ragged series on one time axis and on their own have the bits of the scalar sweep") {
  for (const bool shared : {true, false}) {
    oracle::Random random(5);
    std::vector<Run> runs;
    for (int k = 0; k < 9; ++k) {
      std::vector<double> times, values;
      double t = 0, x = 0;
      for (int i = 0; i < 60 + k * 17 % 80; ++i) {  // over one and over two chunks of shared time terms
        times.push_back(t += shared ? 0.1 : oracle::uniform(random, 1, 20) / 70.0);
        values.push_back(x += oracle::uniform(random, -99, 99) / 70.0);
      }
      runs.emplace_back(times, values);
    }
    const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};
    const auto expected = scalar_sweeps(runs, runs, twed, earliest(runs, runs));
    for (const fd::Isa isa : fd::available_isas()) REQUIRE(same_bits(fd::pairwise(runs, twed, {.isa = isa}), expected));
  }
}

TEST_CASE("single precision is near double and the same bits at every level and number of threads") {
  for (const auto& [norm, channels] : cases)
    for (const bool shared : {true, false}) {
      const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7, .norm = norm};
      auto runs = series_of(shared ? Kind::regular : Kind::rough, 21, channels, 7);
      for (Run& run : runs) {  // far from zero: the common offset has to go first
        std::vector<double> times(run.times().begin(), run.times().end()), values;
        for (std::size_t i = 0; i < run.size(); ++i)
          for (std::size_t c = 0; c < channels; ++c) values.push_back(run(i, c) + 1e8);
        run = Run(times, values, {.channel_names = std::vector<std::string>(channels, "x")});
      }
      const auto full = fd::pairwise(runs, twed);
      const auto single = fd::pairwise(runs, twed, {.threads = 1, .precision = fd::Precision::single});
      CHECK(((single - full).array().abs() <= 1e-5 * full.array()).all());
      CHECK(!same_bits(single, full));
      for (const fd::Isa isa : fd::available_isas())
        REQUIRE(same_bits(fd::pairwise(runs, twed, {.threads = 2, .isa = isa, .precision = fd::Precision::single}),
                          single));
    }
}

TEST_CASE("a distance outside the range of the numbers is Overflow that names the pair at every level") {
  std::vector<Run> runs(19, Run({0, 1, 2}, {0, 1, 0}));
  runs[11] = Run({0}, {1e308}, {.name = "diverged"});
  runs[17] = Run({0}, {-1e308}, {.name = "too"});
  const fd::Twed twed{.stiffness = 1, .penalty = 1};
  for (const fd::Isa isa : fd::available_isas()) {
    try {
      (void)fd::pairwise(runs, twed, {.isa = isa});
      FAIL("no error was thrown");
    } catch (const fd::Overflow& overflow) {
      REQUIRE(overflow.pair);
      CHECK(overflow.pair->first == 11);
      CHECK(overflow.pair->second == 17);
      CHECK(std::string(overflow.what()).find("rows[11] 'diverged' and rows[17] 'too'") != std::string::npos);
    }
  }
  require_error<fd::Overflow>([&] { (void)fd::pairwise(runs, twed, {.precision = fd::Precision::single}); }, "float");
}

TEST_CASE("precision and level that cannot be had are wrong calls") {
  const std::vector<Run> runs(2, Run({0, 1}, {0, 1, 2, 3}, {.channel_names = {"x", "y"}}));
  const fd::PairwiseOptions single{.precision = fd::Precision::single};
  require_error<fd::InputError>(
      [&] { (void)fd::pairwise(runs, fd::Twed{.stiffness = 1, .penalty = 1, .norm = 3}, single); }, "L3");
  require_error<fd::InputError>(
      [&] {
        (void)fd::pairwise(
            runs, [](const Run&, const Run&) { return 1; }, single);
      },
      "single precision");
  if (fd::detected_isa() != fd::Isa::avx512)
    require_error<fd::InputError>(
        [&] { (void)fd::pairwise(runs, fd::Twed{.stiffness = 1, .penalty = 1}, {.isa = fd::Isa::avx512}); }, "avx512");
  CHECK(fd::describe(fd::Twed{.stiffness = 1, .penalty = 1}, single).settings == "L2 norm, single precision");
  CHECK(fd::available_isas().front() == fd::Isa::portable);
  CHECK(fd::available_isas().back() == fd::detected_isa());
}
