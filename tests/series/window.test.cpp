// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <limits>
#include <vector>

#include "reference/series_helpers.hpp"

#include <fidelity/series/window.hpp>

namespace fd = fidelity;
using namespace std::chrono_literals;
using namespace series_test;
using Window = fd::Window<double>;
using Set = fd::WindowSet<double>;

TEST_CASE("a window includes its begin and excludes its end") {
  const Window window{1, 2};
  CHECK(window.contains(1));
  CHECK(window.contains(1.5));
  CHECK_FALSE(window.contains(2));
  CHECK_FALSE(window.contains(0.999));
  CHECK(window.length() == 1);
  CHECK_FALSE(window.empty());
  CHECK(Window{2, 2}.empty());
  CHECK(Window{2, 1}.empty());
}

TEST_CASE("the middle of a window is rounded down to the tick") {
  CHECK(fd::middle(fd::Window{fd::Timestamp{1ns}, fd::Timestamp{4ns}}) == fd::Timestamp{2ns});
  CHECK(fd::middle(fd::Window{fd::Timestamp{-4ns}, fd::Timestamp{-1ns}}) == fd::Timestamp{-3ns});
  CHECK(fd::middle(fd::Window{0.0, 0.3}) == 0.15);
  require_rule(
      fd::Rule::window_empty,
      [] {
        (void)fd::middle(Window{1, 1});
      },
      "middle", "begin before it ends");
}

TEST_CASE("the length of a window that the time type cannot hold is an overflow") {
  const fd::Window whole{fd::Timestamp::min(), fd::Timestamp::max()};
  require_error<fd::Overflow>([&] { (void)whole.length(); }, "Window::length", "1677-09-21", "does not fit");
  require_error<fd::Overflow>([&] { (void)fd::middle(whole); }, "does not fit");
  require_error<fd::Overflow>([] { (void)Window{-1.7e308, 1.7e308}.length(); }, "does not fit");
}

TEST_CASE("two windows have a common part unless they only touch") {
  CHECK(fd::intersection(Window{0, 2}, Window{1, 3}) == Window{1, 2});
  CHECK(fd::intersection(Window{0, 4}, Window{1, 3}) == Window{1, 3});
  CHECK(fd::intersection(Window{0, 1}, Window{1, 2}) == std::nullopt);
  CHECK(fd::intersection(Window{0, 1}, Window{2, 3}) == std::nullopt);
}

TEST_CASE("a set of windows is sorted and disjoint and joins what touches") {
  const Set set{{5, 6}, {1, 2}, {2, 3}, {5.5, 7}, {1.5, 1.75}};
  REQUIRE(set.windows().size() == 2);
  CHECK(set.windows()[0] == Window{1, 3});
  CHECK(set.windows()[1] == Window{5, 7});
  CHECK(set.length() == 4);
  CHECK(set == Set{{1, 3}, {5, 7}});
}

TEST_CASE("an empty set has no length and no longest window") {
  const Set none;
  CHECK(none.empty());
  CHECK(none.length() == 0);
  CHECK(none.longest() == std::nullopt);
  CHECK_FALSE(none.contains(0));
  CHECK((none | none).empty());
  CHECK((none & none).empty());
  CHECK((none - none).empty());
}

TEST_CASE("the longest window is the earliest of equals") {
  CHECK(Set{{0, 1}, {2, 4}, {5, 7}}.longest() == Window{2, 4});
}

TEST_CASE("a set refuses a window without length or with an end that is no number") {
  require_rule(
      fd::Rule::window_empty,
      [] {
        (void)Set{{1, 1}};
      },
      "WindowSet");
  require_rule(
      fd::Rule::window_empty,
      [] {
        (void)Set{{0, 1}, {3, 2}};
      },
      "[3 s, 2 s)");
  require_rule(
      fd::Rule::time_not_finite,
      [] {
        (void)Set{{0, bad}};
      },
      "finite");
  require_rule(
      fd::Rule::time_not_finite,
      [] {
        (void)Set{{-infinity, 0}};
      },
      "finite");
}

TEST_CASE("the length of a set that the time type cannot hold is an overflow") {
  const fd::WindowSet<> set{{fd::Timestamp::min(), fd::Timestamp::min() + 1ns},
                            {fd::Timestamp{}, fd::Timestamp::max()}};
  require_error<fd::Overflow>([&] { (void)set.length(); }, "WindowSet::length");
}

TEST_CASE("the complement is what a range has beside the set") {
  CHECK(fd::complement(Set{{1, 2}, {4, 9}}, {0, 5}) == Set{{0, 1}, {2, 4}});
  CHECK(fd::complement(Set{}, {0, 5}) == Set{{0, 5}});
  CHECK(fd::complement(Set{{0, 5}}, {0, 5}).empty());
}

namespace {
constexpr std::int64_t cells = 24;
using Cells = std::array<bool, cells>;

Cells cells_of(const fd::WindowSet<Minutes>& set) {
  Cells all{};
  for (std::int64_t k = 0; k < cells; ++k) all[static_cast<std::size_t>(k)] = set.contains(tick<Minutes>(k));
  return all;
}

fd::WindowSet<Minutes> random_set(Random& random, Cells& all) {
  std::vector<fd::Window<Minutes>> windows;
  for (auto count = random.integer(0, 6); count > 0; --count) {
    const auto begin = random.integer(0, cells - 2);
    const auto end = random.integer(begin + 1, std::min(begin + 6, cells - 1));
    windows.push_back({tick<Minutes>(begin), tick<Minutes>(end)});
    for (auto k = begin; k < end; ++k) all[static_cast<std::size_t>(k)] = true;
  }
  return fd::WindowSet<Minutes>(windows);
}

void check_canonical(const fd::WindowSet<Minutes>& set) {
  const auto windows = set.windows();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    CHECK_FALSE(windows[i].empty());
    if (i > 0) CHECK(windows[i - 1].end < windows[i].begin);
  }
}
}  // namespace

TEST_CASE("the algebra of sets agrees with an array of booleans") {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    Cells a_cells{}, b_cells{};
    const auto a = random_set(random, a_cells), b = random_set(random, b_cells);
    const fd::Window<Minutes> range{tick<Minutes>(0), tick<Minutes>(cells)};
    const auto both = a & b, either = a | b, rest = a - b, outside = fd::complement(a, range);
    std::int64_t count = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(cells); ++k) {
      REQUIRE(cells_of(a)[k] == a_cells[k]);
      REQUIRE(cells_of(both)[k] == (a_cells[k] && b_cells[k]));
      REQUIRE(cells_of(either)[k] == (a_cells[k] || b_cells[k]));
      REQUIRE(cells_of(rest)[k] == (a_cells[k] && !b_cells[k]));
      REQUIRE(cells_of(outside)[k] == !a_cells[k]);
      count += a_cells[k] ? 1 : 0;
    }
    for (const auto& set : {a, both, either, rest, outside}) check_canonical(set);
    CHECK(a.length() == std::chrono::minutes{count});
    CHECK((a == b) == (a_cells == b_cells));
    CHECK((rest | both) == a);
  }
}
