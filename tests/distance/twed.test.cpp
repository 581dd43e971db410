// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

#include "catch.hpp"

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

// Two irregular series of different length, and the distances for four pairs of parameters.
const Run irregular_a({0, 1, 2.5, 4, 7}, {0, 1.5, 3, 2, -1});
const Run irregular_b({0.5, 1.5, 3, 3.5, 6, 8}, {0.25, 1, 3.5, 3, 0.5, -1});

Run shifted(const Run& series, double offset) {
  std::vector<double> times, values;
  for (std::size_t i = 0; i < series.size(); ++i) {
    times.push_back(series.time(i) + offset);
    values.push_back(series(i));
  }
  return {times, values};
}

// What must not compile (T6). The types depend on T, so that a wrong one is false and not an error.
template <class T>
concept without_stiffness = requires {
  T{.penalty = 0.1};
};
template <class T>
concept without_penalty = requires {
  T{.stiffness = 0.1};
};
template <class T>
concept without_both = requires {
  T{};
};
template <class T>
concept by_position = requires {
  T{0.1, 0.5};
};
template <class T>
concept by_position_after_braces = requires {
  T{{}, 0.1, 0.5};
};
template <class T>
concept by_position_after_zero = requires {
  T{{0}, 0.1, 0.5};
};
template <class T>
concept by_name = requires {
  T{.stiffness = 0.1, .penalty = 0.5};
};
template <class T>
concept by_name_from_integers = requires {
  T{.stiffness = 0, .penalty = 1, .norm = 1};
};

static_assert(by_name<fd::Twed> && by_name_from_integers<fd::Twed>);
static_assert(!without_stiffness<fd::Twed>);
static_assert(!without_penalty<fd::Twed>);
static_assert(!without_both<fd::Twed> && !std::is_default_constructible_v<fd::Twed>);
static_assert(!by_position<fd::Twed>);
static_assert(!by_position_after_braces<fd::Twed>);
static_assert(!by_position_after_zero<fd::Twed>);

// A distance of series with different kinds of time has no meaning.
template <class A, class B>
concept comparable = requires(const fd::Twed& twed, const A& a, const B& b) {
  twed(a, b);
};
static_assert(comparable<Run, Run> && comparable<Run, fd::SeriesView<float, double>>);
static_assert(!comparable<Run, fd::Series<>>);

}  // namespace

TEST_CASE("two irregular series of different length have the distances computed by hand") {
  const auto distance = [](double stiffness, double penalty) {
    const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};
    const double result = twed(irregular_a, irregular_b);
    CHECK(twed(irregular_b, irregular_a) == result);
    CHECK(twed(irregular_a, irregular_a) == 0);
    CHECK(twed(irregular_b, irregular_b) == 0);
    CHECK(twed(shifted(irregular_a, 1.7e9), shifted(irregular_b, 1.7e9)) == Approx(result).margin(1e-6));
    return result;
  };
  CHECK(distance(0, 0.5) == Approx(6.0).epsilon(1e-12));
  CHECK(distance(0.1, 1) == Approx(7.4).epsilon(1e-12));
  CHECK(distance(1, 0.25) == Approx(14.75).epsilon(1e-12));
  CHECK(distance(0.001, 1) == Approx(6.509).epsilon(1e-12));
}

TEST_CASE("the triangle inequality holds, which a squared cost would violate") {
  const Run x({0, 1}, {0, 0}), y({0, 1}, {0, 2}), z({0, 1}, {0, 5});
  const fd::Twed twed{.stiffness = 0.1, .penalty = 0.5};
  CHECK(twed(x, y) == Approx(2).margin(1e-12));
  CHECK(twed(y, z) == Approx(3).margin(1e-12));
  CHECK(twed(x, z) == Approx(5).margin(1e-12));
  CHECK(twed(x, z) <= twed(x, y) + twed(y, z));
}

TEST_CASE("one sample against one costs the difference of value and time") {
  const fd::Twed twed{.stiffness = 0.1, .penalty = 0.5};
  CHECK(twed(Run({0}, {1}), Run({2}, {4})) == Approx(3.2).epsilon(1e-15));
}

TEST_CASE("one sample against several costs the match of the first and all deletions") {
  const fd::Twed twed{.stiffness = 0.5, .penalty = 0.25};
  const Run one({1}, {2}), three({0, 1, 3}, {1, 4, 3});
  // Phi = 1 + 0.5; deletions: 3 + 0.5 + 0.25 and 1 + 1 + 0.25.
  CHECK(twed(one, three) == 1.5 + 3.75 + 2.25);
  CHECK(twed(three, one) == 7.5);
}

TEST_CASE("the cheapest sum counts, not the cheapest neighbour") {
  const fd::Twed twed{.stiffness = 0.5, .penalty = 0.25};
  const auto x = fd::regular(0.0, 1.0, std::vector<double>{2, 4, 2});
  const auto y = fd::regular(0.0, 1.0, std::vector<double>{2, 1, 0});
  CHECK(twed(x, y) == 7.5);
}

TEST_CASE("far values are neither banded nor normalised away") {
  const fd::Twed twed{.stiffness = 0.001, .penalty = 1};
  const auto rising = fd::regular(0.0, 1.0, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  const auto constant = fd::regular(0.0, 1.0, std::vector<double>(8, 10.0));
  CHECK(twed(rising, constant) == Approx(30.014).epsilon(1e-12));
}

TEST_CASE("nothing is divided by the length: a repeated difference costs more") {
  const fd::Twed twed{.stiffness = 1, .penalty = 100};
  const auto zeros = [](std::size_t n) { return fd::regular(0.0, 1.0, std::vector<double>(n, 0.0)); };
  const auto ones = [](std::size_t n) { return fd::regular(0.0, 1.0, std::vector<double>(n, 1.0)); };
  CHECK(twed(zeros(10), ones(10)) == 19);  // 9 matches of two differences, and the first
  CHECK(twed(zeros(20), ones(20)) == 39);
}

TEST_CASE("reversing time changes the distance: the last matched pair is paid once, the others twice") {
  const fd::Twed twed{.stiffness = 1, .penalty = 100};
  const Run zeros({0, 1, 2}, {0, 0, 0}), late({0, 1, 2}, {0, 0, 1}), early({0, 1, 2}, {1, 0, 0});
  CHECK(twed(zeros, late) == 1);
  CHECK(twed(zeros, early) == 2);
}

TEST_CASE("float values are computed in double") {
  const fd::Series<float, double> a({0, 1, 2}, {0.1F, 16777216.0F, 0.3F});
  const fd::Series<float, double> b({0, 1.5}, {0.2F, 0.7F});
  const auto promoted = [](const fd::Series<float, double>& series) {
    std::vector<double> values;
    for (std::size_t i = 0; i < series.size(); ++i) values.push_back(static_cast<double>(series(i)));
    return Run({series.times().begin(), series.times().end()}, values);
  };
  const fd::Twed twed{.stiffness = 0.1, .penalty = 0.3};
  CHECK(twed(a, b) == twed(promoted(a), promoted(b)));
  CHECK(twed(a, promoted(b)) == twed(promoted(a), promoted(b)));
}

TEST_CASE("a view, a channel and a slice give the distance of the samples that they show") {
  const Run both({0, 1, 2.5, 4, 7}, {0, 9, 1.5, 9, 3, 9, 2, 9, -1, 9}, {.channel_names = {"level", "nine"}});
  const fd::Twed twed{.stiffness = 0.1, .penalty = 1};
  CHECK(twed(fd::channel(both, "level"), irregular_b) == twed(irregular_a, irregular_b));
  const Run first({0, 1, 2.5}, {0, 1.5, 3});
  CHECK(twed(fd::slice(irregular_a, {0.0, 3.0}), irregular_b) == twed(first, irregular_b));
  CHECK(twed(fd::SeriesView(irregular_a), irregular_b) == twed(irregular_a, irregular_b));
}

TEST_CASE("parameters of two metrics compare equal only if all of them are") {
  const fd::Twed twed{.stiffness = 0.1, .penalty = 1};
  CHECK(twed == fd::Twed{.stiffness = 0.1, .penalty = 1});
  CHECK_FALSE(twed == fd::Twed{.stiffness = 0.2, .penalty = 1});
  CHECK_FALSE(twed == fd::Twed{.stiffness = 0.1, .penalty = 2});
  CHECK_FALSE(twed == fd::Twed{.stiffness = 0.1, .penalty = 1, .norm = 1});
  CHECK_FALSE(twed == fd::Twed{.stiffness = 0.1, .penalty = 1, .scale = {2}});
  CHECK_FALSE(twed == fd::Twed{.stiffness = 0.1, .penalty = 1, .accept_events = true});
}
