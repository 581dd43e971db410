// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>

#include "catch.hpp"
#include "reference/twed_oracle.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

static_assert(fd::CostMatrix::IsRowMajor);
static_assert(std::is_same_v<fd::CostMatrix::Scalar, double>);

const fd::Twed twed{.stiffness = 0.3, .penalty = 0.7};

/// Irregular series of 1 to 30 samples whose numbers are not dyadic, so that another order of operations shows.
std::vector<Run> ragged(std::size_t count, std::size_t channels, std::uint32_t seed) {
  oracle::Random random(seed);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> times, values;
    double t = oracle::uniform(random, -50, 50) / 7.0;
    for (int i = oracle::uniform(random, 1, 30); i > 0; --i) {
      times.push_back(t += oracle::uniform(random, 1, 40) / 11.0);
      for (std::size_t c = 0; c < channels; ++c) values.push_back(oracle::uniform(random, -999, 999) / 13.0);
    }
    runs.emplace_back(times, values,
                      fd::SeriesOptions<double>{.channel_names = std::vector<std::string>(channels, "x")});
  }
  return runs;
}

double earliest(std::initializer_list<const std::vector<Run>*> collections) {
  double first = 1e300;
  for (const auto* runs : collections)
    for (const Run& run : *runs) first = std::min(first, run.time(0));
  return first;
}

bool same_bits(const fd::CostMatrix& a, const fd::CostMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k])) return false;
  return true;
}

fd::CostMatrix one_by_one(const std::vector<Run>& rows, const std::vector<Run>& columns, const fd::Twed& metric,
                          double origin) {
  fd::CostMatrix matrix(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          metric(metric.prepare(rows[i], origin), metric.prepare(columns[j], origin));
  return matrix;
}

}  // namespace

TEST_CASE("a ragged matrix holds the bits of single pairs with the same origin") {
  for (const std::size_t channels : {1U, 3U}) {
    const auto rows = ragged(19, channels, 1), columns = ragged(35, channels, 2);
    const double origin = earliest({&rows, &columns});
    for (const fd::Norm& norm : {fd::Norm(2), fd::Norm(1), fd::Norm::maximum(), fd::Norm(3)}) {
      const fd::Twed metric{.stiffness = 0.3, .penalty = 0.7, .norm = norm};
      CHECK(same_bits(fd::pairwise(rows, columns, metric), one_by_one(rows, columns, metric, origin)));
    }
  }
}

TEST_CASE("swapping the collections transposes the matrix bit for bit") {
  const auto rows = ragged(7, 1, 3), columns = ragged(20, 1, 4);
  CHECK(same_bits(fd::pairwise(columns, rows, twed), fd::pairwise(rows, columns, twed).transpose()));
}

TEST_CASE("a collection with itself gives a symmetric matrix with zeros, the bits of the rectangle") {
  const auto runs = ragged(37, 3, 5);
  const auto matrix = fd::pairwise(runs, twed);
  CHECK(same_bits(matrix, fd::pairwise(runs, runs, twed)));
  CHECK(same_bits(matrix, matrix.transpose()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) CHECK(std::bit_cast<std::uint64_t>(matrix(i, i)) == 0);
}

TEST_CASE("the pooled matrix holds the bits of its four blocks, computed with the same origin") {
  const auto rows = ragged(18, 1, 6), columns = ragged(21, 1, 7);
  const double origin = earliest({&rows, &columns});
  const auto pooled = fd::pairwise_pooled(rows, columns, twed);
  REQUIRE(pooled.rows() == 39);
  REQUIRE(pooled.cols() == 39);
  CHECK(same_bits(pooled.topLeftCorner(18, 18), one_by_one(rows, rows, twed, origin)));
  CHECK(same_bits(pooled.topRightCorner(18, 21), fd::pairwise(rows, columns, twed)));
  CHECK(same_bits(pooled.bottomLeftCorner(21, 18), fd::pairwise(columns, rows, twed)));
  CHECK(same_bits(pooled.bottomRightCorner(21, 21), one_by_one(columns, columns, twed, origin)));
}

TEST_CASE("an empty collection gives an empty matrix") {
  const std::vector<Run> none, some = ragged(3, 1, 8);
  const auto shape = [](const fd::CostMatrix& matrix) { return std::pair(matrix.rows(), matrix.cols()); };
  CHECK(shape(fd::pairwise(none, some, twed)) == std::pair<Eigen::Index, Eigen::Index>(0, 3));
  CHECK(shape(fd::pairwise(some, none, twed)) == std::pair<Eigen::Index, Eigen::Index>(3, 0));
  CHECK(shape(fd::pairwise(none, none, twed)) == std::pair<Eigen::Index, Eigen::Index>(0, 0));
  CHECK(shape(fd::pairwise(none, twed)) == std::pair<Eigen::Index, Eigen::Index>(0, 0));
  CHECK(shape(fd::pairwise_pooled(none, none, twed)) == std::pair<Eigen::Index, Eigen::Index>(0, 0));
  CHECK(same_bits(fd::pairwise_pooled(none, some, twed), fd::pairwise(some, twed)));
  CHECK(same_bits(fd::pairwise_pooled(some, none, twed), fd::pairwise(some, twed)));
}

TEST_CASE("any contiguous range of series or views will do") {
  const auto runs = ragged(3, 1, 9);
  const auto expected = fd::pairwise(runs, runs, twed);
  const std::array<Run, 3> array = {runs[0], runs[1], runs[2]};
  const Run c_array[] = {runs[0], runs[1], runs[2]};
  const std::vector<fd::SeriesView<double, double>> views(runs.begin(), runs.end());
  const std::array<fd::SeriesView<double, double>, 3> view_array = {runs[0], runs[1], runs[2]};
  CHECK(same_bits(fd::pairwise(array, runs, twed), expected));
  CHECK(same_bits(fd::pairwise(std::span(runs), array, twed), expected));
  CHECK(same_bits(fd::pairwise(c_array, c_array, twed), expected));
  CHECK(same_bits(fd::pairwise(c_array, twed), expected));
  CHECK(same_bits(fd::pairwise(views, view_array, twed), expected));
  CHECK(same_bits(fd::pairwise(std::span(view_array), twed), expected));
  CHECK(same_bits(fd::pairwise_pooled(std::span(runs).first(1), std::span(runs).last(2), twed), expected));
}

TEST_CASE("options may be an object, with one collection as with two") {
  const auto runs = ragged(3, 1, 10);
  const fd::PairwiseOptions options{.threads = 2};
  CHECK(same_bits(fd::pairwise(runs, twed, options), fd::pairwise(runs, runs, twed, options)));
  CHECK(same_bits(fd::pairwise(runs, twed, {.threads = 1}), fd::pairwise(runs, twed)));
}

TEST_CASE("float series are promoted") {
  std::vector<fd::Series<float, double>> floats;
  std::vector<Run> doubles;
  for (const float x : {0.1F, 0.7F, 16777216.0F}) {
    floats.push_back(fd::regular(0.0, 1.0, std::vector<float>{0, x}));
    doubles.push_back(fd::regular(0.0, 1.0, std::vector<double>{0, static_cast<double>(x)}));
  }
  CHECK(same_bits(fd::pairwise(floats, twed), fd::pairwise(doubles, twed)));
}

TEST_CASE("a user's callable on series is called as it is") {
  const auto runs = ragged(17, 1, 11), others = ragged(4, 1, 12);
  const auto by_first = [](const Run& a, const Run& b) { return std::abs(a(0) - b(0)); };
  const auto matrix = fd::pairwise(runs, others, by_first);
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = 0; j < others.size(); ++j)
      CHECK(matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) == std::abs(runs[i](0) - others[j](0)));
  CHECK(fd::pairwise(runs, by_first)(16, 3) == std::abs(runs[16](0) - runs[3](0)));
}

TEST_CASE("a user's callable sees series of different numbers of channels, and integers are distances") {
  const std::vector<Run> mixed = {Run({0}, {1}), Run({0}, {1, 2, 3}, {.channel_names = {"x", "y", "z"}})};
  const auto channels = [](const Run& a, const Run& b) { return static_cast<int>(a.channels() * b.channels()); };
  CHECK(fd::pairwise(mixed, channels)(0, 1) == 3);
}

TEST_CASE("things that are not series have distances too") {
  struct Tree {
    std::string name;
    int height;
  };
  const std::vector<Tree> trees = {{"oak", 20}, {"elm", 15}, {"yew", 8}};
  const auto by_height = [](const Tree& a, const Tree& b) { return std::abs(a.height - b.height); };
  const auto matrix = fd::pairwise(trees, by_height);
  CHECK(matrix(0, 1) == 5);
  CHECK(matrix(2, 0) == 12);
  CHECK(fd::pairwise_pooled(std::span(trees).first(2), std::span(trees).last(1), by_height)(1, 2) == 7);
  const std::vector<int> numbers = {1, 5};
  CHECK(fd::pairwise(numbers, [](int a, int b) { return std::abs(a - b); })(0, 1) == 4);
}

TEST_CASE("a symmetric matrix computes each pair once, the row first") {
  const std::vector<int> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  int calls = 0;
  const auto count = [&calls](int a, int b) {
    REQUIRE(a < b);
    ++calls;
    return b - a;
  };
  CHECK(fd::pairwise(numbers, count, {.threads = 1})(19, 0) == 19);
  CHECK(calls == 190);
}
