// SPDX-License-Identifier: MIT
// Matrices in memory of the caller (T29) and with cutoffs (T30).
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/pairwise_within.hpp>
#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

const fd::Twed twed{.stiffness = 0.25, .penalty = 0.5};

std::vector<Run> random_runs(std::size_t count, std::size_t longest, std::uint32_t seed) {
  oracle::Random random(seed);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < count; ++k) {
    const auto length = static_cast<std::size_t>(oracle::uniform(random, 1, static_cast<int>(longest)));
    runs.push_back(oracle::random_series(random, length, 1).series());
  }
  return runs;
}

}  // namespace

TEST_CASE("distances are written into memory of the caller by rows or columns and with strides") {
  const auto rows = random_runs(7, 20, 1), columns = random_runs(19, 20, 2);
  const auto expected = fd::pairwise(rows, columns, twed);
  const double untouched = -7;

  fd::CostMatrix by_rows(7, 19);
  fd::pairwise_into(by_rows, rows, columns, twed);
  CHECK(by_rows == expected);

  std::vector<double> memory(7 * 19, untouched);
  fd::pairwise_into(Eigen::Map<Eigen::MatrixXd>(memory.data(), 7, 19), rows, columns, twed);
  CHECK(Eigen::Map<Eigen::MatrixXd>(memory.data(), 7, 19) == expected);

  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<double> wide(7 * 50, untouched);  // every second number of rows that are 50 apart
  Eigen::Map<fd::CostMatrix, 0, Strides> map(wide.data(), 7, 19, Strides(50, 2));
  fd::pairwise_into(map, rows, columns, twed, {.threads = 2});
  CHECK(map == expected);
  for (std::size_t k = 0; k < wide.size(); ++k)
    if (k % 50 >= 38 || k % 2 == 1) REQUIRE(wide[k] == untouched);

  fd::CostMatrix large = fd::CostMatrix::Constant(40, 40, untouched);
  fd::pairwise_into(large.block(1, 2, 7, 7), rows, twed);
  CHECK(large.block(1, 2, 7, 7) == fd::pairwise(rows, twed));
  fd::pairwise_pooled_into(large.block(10, 10, 26, 26), rows, columns, twed);
  CHECK(large.block(10, 10, 26, 26) == fd::pairwise_pooled(rows, columns, twed));
  CHECK(large.col(0).isConstant(untouched));
}

TEST_CASE("memory of another shape is refused") {
  const auto rows = random_runs(2, 5, 1), columns = random_runs(3, 5, 2);
  fd::CostMatrix transposed(3, 2);
  require_error<fd::InputError>([&] { fd::pairwise_into(transposed, rows, columns, twed); }, "2 x 3", "3 x 2");
  require_error<fd::InputError>([&] { fd::pairwise_into(transposed, rows, twed); }, "2 x 2");
  require_error<fd::InputError>([&] { fd::pairwise_pooled_into(transposed, rows, columns, twed); }, "5 x 5");
}

TEST_CASE("a cutoff below or at or above a distance tells it apart exactly") {
  const auto rows = random_runs(9, 150, 3), columns = random_runs(21, 150, 4);  // long enough to end early
  const auto full = fd::pairwise(rows, columns, twed);
  for (const fd::Isa isa : fd::available_isas())
    for (const double side : {-1.0, 0.0, 1.0}) {
      fd::CostMatrix cutoffs = full;
      for (Eigen::Index k = 0; side != 0 && k < full.size(); ++k)
        cutoffs.data()[k] = std::max(0.0, std::nextafter(full.data()[k], side * 1e300));
      const auto result = fd::pairwise_within(rows, columns, twed, cutoffs, {.isa = isa});
      for (Eigen::Index k = 0; k < full.size(); ++k) {
        REQUIRE(result.above.data()[k] == (full.data()[k] > cutoffs.data()[k]));
        REQUIRE(result.distances.data()[k] == std::min(full.data()[k], cutoffs.data()[k]));
      }
    }
}

TEST_CASE("one cutoff for all entries gives the same for every number of threads and in single entries") {
  const auto runs = random_runs(40, 150, 5);
  const auto full = fd::pairwise(runs, twed);
  for (const double cutoff : {0.0, 1.0, full.mean(), 1e300, std::numeric_limits<double>::infinity()})
    for (const unsigned threads : {1U, 3U}) {
      const auto square = fd::pairwise_within(runs, twed, cutoff, {.threads = threads});
      const auto rectangle = fd::pairwise_within(runs, runs, twed, cutoff, {.threads = threads});
      CHECK(square.distances == full.cwiseMin(cutoff));
      CHECK(square.above == (full.array() > cutoff).matrix());
      CHECK(rectangle.distances == square.distances);
      CHECK(rectangle.above == square.above);
    }
  CHECK(fd::pairwise_within(runs, twed, 0.0).above(0, 0) == false);
}

TEST_CASE("any metric can be limited and what overflows is above every finite cutoff") {
  const std::vector<int> numbers = {1, 5, 9};
  const auto gap = [](int a, int b) { return std::abs(a - b); };
  const auto result = fd::pairwise_within(numbers, gap, 4.0);
  CHECK(result.distances(0, 1) == 4);
  CHECK(!result.above(0, 1));
  CHECK(result.distances(2, 0) == 4);
  CHECK(result.above(2, 0));

  const std::vector<Run> runs = {Run({0}, {1e308}), Run({0}, {-1e308}), Run({0}, {1})};
  const auto far = fd::pairwise_within(runs, twed, 2.0);
  CHECK(far.above(0, 1));
  CHECK(far.distances(0, 1) == 2);
  const auto by_pair = [](const Run& a, const Run& b) { return twed(a, b); };
  CHECK(fd::pairwise_within(runs, by_pair, 2.0).distances == far.distances);
  const double none = std::numeric_limits<double>::infinity();
  require_error<fd::Overflow>([&] { (void)fd::pairwise_within(runs, twed, none); }, "rows[0] and rows[1]");
  require_error<fd::Overflow>([&] { (void)fd::pairwise_within(runs, by_pair, none); }, "rows[0] and rows[1]");
}

TEST_CASE("a cutoff that is negative or NaN or of another shape is a wrong call") {
  const auto runs = random_runs(3, 5, 6);
  require_error<fd::InputError>([&] { (void)fd::pairwise_within(runs, twed, -1e-300); }, "cutoff", "-1e-300");
  require_error<fd::InputError>([&] { (void)fd::pairwise_within(runs, twed, std::nan("")); }, "cutoff");
  fd::CostMatrix cutoffs = fd::CostMatrix::Zero(3, 3);
  cutoffs(1, 2) = -1;
  require_error<fd::InputError>([&] { (void)fd::pairwise_within(runs, runs, twed, cutoffs); }, "cutoffs[1]",
                                "sample 2");
  require_error<fd::InputError>([&] { (void)fd::pairwise_within(runs, twed, fd::CostMatrix::Zero(2, 3).eval()); },
                                "2 x 3");
}
