// SPDX-License-Identifier: MIT
// One pair in vector lanes: the bits of the plain sweep, at every level that the machine has (T36).
#include <cstddef>
#include <string>
#include <vector>

#include <fidelity/distance/detail/wavefront.hpp>

#include "catch.hpp"
#include "distance/wavefront_problems.hpp"

namespace {

namespace fd = fidelity;
using problems::Kind;
using problems::PackedSeries;
using problems::Random;
using problems::same_bits;

const std::vector<fd::Norm> norms = {2, 1, fd::Norm::maximum()};
const std::vector<double> prices = {0, 0.3, 1.7};

/// Checks both orders of a pair at every level.
void require_same(const PackedSeries& a, const PackedSeries& b, const fd::Norm& norm) {
  const double expected = fd::detail::twed_sweep(a, b, norm);
  for (const fd::Isa isa : fd::available_isas()) {
    CAPTURE(a.size(), b.size(), a.channels, fd::to_text(norm), std::string(fd::to_text(isa)));
    REQUIRE(same_bits(problems::wavefront(a, b, problems::whole(a, b), norm, isa), expected));
    REQUIRE(same_bits(problems::wavefront(b, a, problems::whole(b, a), norm, isa), expected));
    REQUIRE(same_bits(fd::detail::wavefront_sweep(a, b, norm, isa), expected));
  }
}

}  // namespace

TEST_CASE("one pair in lanes has the bits of the plain sweep for ragged irregular series") {
  // Lengths about the widths of vectors and blocks; 2, 4, 8 and 16 lanes, blocks of 8, 16, 32 and 64 rows.
  const std::vector<std::size_t> lengths = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  Random random(1);
  const auto length = [&] {
    return random() % 2 ? lengths[random() % lengths.size()] : problems::between(random, 1, 70);
  };
  for (int k = 0; k < 2000; ++k) {
    const auto kind = static_cast<Kind>(k % 4);
    const std::size_t channels = k % 3 == 0 ? 1 + random() % 5 : 1;
    const fd::Norm& norm = norms[random() % norms.size()];
    const double stiffness = prices[random() % 3], penalty = prices[random() % 3];
    const PackedSeries a = problems::packed(random, kind, length(), channels, norm, stiffness, penalty);
    const PackedSeries b = problems::packed(random, kind, length(), channels, norm, stiffness, penalty, 2);
    require_same(a, b, norm);
  }
}

TEST_CASE("one long pair in lanes has the bits of the plain sweep") {
  Random random(2);
  for (const std::size_t n : {511U, 512U, 513U})
    for (const std::size_t m : {1023U, 1025U}) {
      const auto kind = static_cast<Kind>(random() % 3);
      const std::size_t channels = n == 512 ? 3 : 1;
      require_same(problems::packed(random, kind, n, channels, 2, 0.01, 1),
                   problems::packed(random, kind, m, channels, 2, 0.01, 1), 2);
    }
}

TEST_CASE("one pair in single precision has the same bits at every level and those of a plain float sweep") {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const auto kind = static_cast<Kind>(k % 4);
    const PackedSeries a = problems::packed(random, kind, problems::between(random, 1, 150), 1, 2, 0.3, 0.7);
    const PackedSeries b = problems::packed(random, kind, problems::between(random, 1, 150), 1, 2, 0.3, 0.7);
    struct Floats {
      explicit Floats(const PackedSeries& s)
          : times(s.times.begin(), s.times.end()),
            values(s.values.begin(), s.values.end()),
            deletions(s.deletions.begin(), s.deletions.end()),
            series{1, s.size(), times.data(), values.data(), deletions.data()} {}
      std::vector<float> times, values, deletions;
      fd::detail::SweepSeries<float> series;
    };
    const Floats x(a), y(b);
    const auto distance = [&](std::size_t i, std::size_t j) { return std::abs(x.values[i] - y.values[j]); };
    const float expected = problems::table<float>(a, b, problems::whole(a, b), distance).back().back();
    for (const fd::Isa isa : fd::available_isas()) {
      CAPTURE(a.size(), b.size(), std::string(fd::to_text(isa)));
      fd::detail::WavefrontMemory<float> memory(x.series, y.series);
      memory.reset();
      REQUIRE(fd::detail::wavefront_at_level<fd::detail::FoldSum, true>(memory, problems::whole(a, b), isa) ==
              expected);
    }
  }
}

TEST_CASE("costs at the end of the range of double are infinite where those of the plain sweep are") {
  Random random(4);
  for (const double factor : {1e153, 1e155, 1e304, 1e306})
    for (const std::size_t channels : {1U, 2U})
      for (const fd::Norm& norm : norms) {
        PackedSeries a = problems::packed(random, Kind::scattered, 140, channels, norm, 0, 1);
        PackedSeries b = problems::packed(random, Kind::scattered, 150, channels, norm, 0, 1);
        for (PackedSeries* series : {&a, &b}) {
          for (double& value : series->values) value *= factor;
          fd::detail::fill_deletions(*series, 1, norm);
        }
        require_same(a, b, norm);
      }
}

TEST_CASE("a norm without a form in lanes is swept plainly") {
  Random random(5);
  const PackedSeries a = problems::packed(random, Kind::walk, 40, 2, 3, 0.1, 1);
  const PackedSeries b = problems::packed(random, Kind::walk, 50, 2, 3, 0.1, 1);
  for (const fd::Isa isa : fd::available_isas())
    CHECK(same_bits(fd::detail::wavefront_sweep(a, b, 3, isa), fd::detail::twed_sweep(a, b, fd::Norm(3))));
}
