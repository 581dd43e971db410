// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/status_oracle.hpp"

#include <fidelity/sampling/status.hpp>

using namespace status_test;
using fd::at_least;
using nlohmann::json;
using series_test::require_rule;

namespace {

/// Windows of a JSON list of pairs.
Windows windows(const json& list) {
  std::vector<Window> out;
  for (const auto& pair : list) out.push_back(window(pair[0], pair[1]));
  return Windows(out);
}
Status status(const json& range, const json& both) {
  return {window(range[0], range[1]), windows(both.at("holds")),
          both.contains("unknown") ? windows(both.at("unknown")) : Windows()};
}
json kleene() {
  std::ifstream file(FIDELITY_TEST_DATA "/sampling/logic.json");
  return json::parse(file).at("kleene");
}

/// Cuts that survive, tick by tick: inside what holds, and not bridged by `bridges` operands that hold across.
std::vector<Minutes> surviving(const Status& result, const std::vector<Status>& operands, std::size_t bridges) {
  std::vector<Minutes> out;
  for (std::int64_t t = 0; t < 200; ++t) {
    const Minutes cut = minute(t), before = minute(t - 1);
    bool is_cut = false;
    std::size_t across = 0;
    for (const auto& operand : operands) {
      const bool own = std::find(operand.cuts().begin(), operand.cuts().end(), cut) != operand.cuts().end();
      is_cut = is_cut || own;
      if (!own && operand.at(before) == yes && operand.at(cut) == yes) ++across;
    }
    if (is_cut && across < bridges && result.at(before) == yes && result.at(cut) == yes) out.push_back(cut);
  }
  return out;
}
std::vector<Minutes> cuts_of(const Status& s) { return {s.cuts().begin(), s.cuts().end()}; }

}  // namespace

TEST_CASE("a status answers inside its range and is unknown outside") {
  const Status s(window(10, 50), {window(10, 20), window(30, 40)}, {window(20, 25)});
  CHECK(s.at(minute(9)) == unknown);
  CHECK(s.at(minute(10)) == yes);
  CHECK(s.at(minute(19)) == yes);
  CHECK(s.at(minute(20)) == unknown);
  CHECK(s.at(minute(25)) == no);
  CHECK(s.at(minute(40)) == no);
  CHECK(s.at(minute(50)) == unknown);
  CHECK(s.does_not_hold() == Windows{window(25, 30), window(40, 50)});
  CHECK(s.total(yes) == minutes(20));
  CHECK(s.total(unknown) == minutes(5));
  CHECK(s.total(no) == minutes(15));
  CHECK(s.fraction(yes) == 0.5);
  CHECK(s.fraction(no) == 0.375);
  CHECK(s.count(yes) == 2);
  CHECK(s.count(unknown) == 1);
  CHECK(s.longest(yes) == window(30, 40));  // the newest of two
  CHECK(s.longest(no) == window(40, 50));
}

TEST_CASE("a status without a range is unknown everywhere and changes nothing it is combined with") {
  const Status none;
  const Status s(window(0, 10), {window(2, 5)});
  CHECK(none.range().empty());
  CHECK(none.at(minute(0)) == unknown);
  CHECK(none.fraction(unknown) == 1.0);
  CHECK(none.fraction(yes) == 0.0);
  CHECK_FALSE(none.longest(yes));
  CHECK(none.runs().empty());
  CHECK((!none) == none);
  CHECK((none & none) == none);
  CHECK(min_duration(none, minutes(3)) == none);
  CHECK((s & none) == Status(window(0, 10), {}, {window(2, 5)}));
  CHECK((s | none) == Status(window(0, 10), {window(2, 5)}, {window(0, 2), window(5, 10)}));
}

TEST_CASE("equal statuses have equal forms whatever they were made of") {
  const Status a(window(0, 10), {window(5, 7), window(1, 3), window(3, 5)}, {}, {minute(6), minute(2), minute(2)});
  const Status b(window(0, 10), {window(1, 7)}, {}, {minute(2), minute(6)});
  CHECK(a == b);
  CHECK(a.runs() == std::vector<Window>{window(1, 2), window(2, 6), window(6, 7)});
  CHECK(a.count(yes) == 3);
  CHECK(a.longest(yes) == window(2, 6));
  CHECK_FALSE(a == Status(window(0, 10), {window(1, 7)}));
  CHECK_FALSE(Status(window(0, 11), {window(1, 7)}) == Status(window(0, 10), {window(1, 7)}));
  // A cut at the edge or outside of what holds cuts nothing.
  CHECK(Status(window(0, 10), {window(1, 7)}, {}, {minute(1), minute(7), minute(9)}) ==
        Status(window(0, 10), {window(1, 7)}));
}

TEST_CASE("a status refuses windows that contradict its range or each other") {
  require_rule(fd::Rule::window_empty, [] { Status(window(5, 5), {}); });
  require_rule(fd::Rule::window_outside, [] { Status(window(0, 10), {window(5, 11)}); });
  require_rule(fd::Rule::window_outside, [] { Status(window(0, 10), {}, {window(-1, 2)}); });
  require_rule(
      fd::Rule::bad_parameter, [] { Status(window(0, 10), {window(0, 5)}, {window(4, 6)}); }, "unknown");
  const fd::Status<double> s({0.0, 1.0}, {{0.0, 1.0}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  require_rule(fd::Rule::time_not_finite, [&] { fd::Status<double>({0.0, 1.0}, {}, {}, {nan}); });
  require_rule(fd::Rule::time_not_finite, [&] { (void)s.at(nan); });
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)min_duration(s, -1.0); }, "min_duration", "-1");
  require_rule(fd::Rule::bad_parameter, [&] { (void)delay_start(s, nan); });
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)merge_short(s, -1.0); }, "merge_short");
  require_rule(
      fd::Rule::bad_parameter, [&] { (void)bridge_unknown(s, -1.0); }, "bridge_unknown");
  require_rule(fd::Rule::window_empty, [&] { (void)restrict_to(s, {1.0, 1.0}); });
  require_rule(fd::Rule::bad_parameter, [&] { (void)at_least(0, {s, s}); });
  require_rule(
      fd::Rule::bad_parameter,
      [&] {
        (void)at_least(3, {s, s});
      },
      "between 1 and", "2");
}

TEST_CASE("the truth tables and interval vectors of the reference come out") {
  const std::map<std::string, Truth> letters = {{"F", no}, {"U", unknown}, {"T", yes}};
  for (const json& problem : kleene()) {
    const std::string id = problem.at("id");
    INFO(id);
    const json& expected = problem.at("expected");
    if (id == "tables") {
      const auto one = [&](const json& letter) { return from_dense({letters.at(letter)}); };
      for (const auto& row : expected.at("AND")) CHECK((one(row[0]) & one(row[1])) == one(row[2]));
      for (const auto& row : expected.at("OR")) CHECK((one(row[0]) | one(row[1])) == one(row[2]));
      for (const auto& row : expected.at("XOR")) CHECK((one(row[0]) ^ one(row[1])) == one(row[2]));
      for (const auto& row : expected.at("NOT")) CHECK((!one(row[0])) == one(row[1]));
      continue;
    }
    const json& input = problem.at("input");
    const json& range = input.at("range");
    const auto operand = [&](const char* name) { return status(range, input.at(name)); };
    if (id == "intervals") {
      CHECK((operand("A") & operand("B")) == status(range, expected.at("AND")));
      CHECK((operand("A") | operand("B")) == status(range, expected.at("OR")));
      CHECK((operand("A") ^ operand("B")) == status(range, expected.at("XOR")));
      CHECK((!operand("A")) == status(range, expected.at("NOT_A")));
    } else if (id == "at_least_2_of_3") {
      CHECK(at_least(2, {operand("A"), operand("B"), operand("C")}) == status(range, expected));
    } else {
      Status s = operand("A");
      const json& params = problem.at("params");  // the one combination merges first
      if (params.contains("merge_short")) s = merge_short(s, minutes(params.at("merge_short")));
      if (params.contains("min_duration")) s = min_duration(s, minutes(params.at("min_duration")));
      if (params.contains("delay_start")) s = delay_start(s, minutes(params.at("delay_start")));
      if (params.contains("bridge_unknown")) s = bridge_unknown(s, minutes(params.at("bridge_unknown")));
      CHECK(s == status(range, expected));
    }
  }
}

TEST_CASE("operands with different ranges are unknown outside their own") {
  const Status a(window(0, 10), {window(2, 10)}), b(window(20, 30), {window(20, 30)});
  CHECK((a & b) == Status(window(0, 30), {}, {window(2, 30)}));
  CHECK((a | b) == Status(window(0, 30), {window(2, 10), window(20, 30)}, {window(0, 2), window(10, 20)}));
  CHECK((a & !b) == Status(window(0, 30), {}, {window(2, 20)}));
}

TEST_CASE("a cut survives only where nothing else bridges it") {
  const Status cut(window(0, 10), {window(0, 8)}, {}, {minute(4)}), whole(window(0, 10), {window(2, 10)}),
      ends(window(0, 10), {window(0, 4)}), begins(window(0, 10), {window(4, 10)});
  CHECK(cuts_of(cut & whole) == std::vector{minute(4)});
  CHECK(cuts_of(cut & ends).empty());
  CHECK(cuts_of(cut | whole).empty());
  CHECK(cuts_of(cut | ends) == std::vector{minute(4)});
  CHECK(cuts_of(cut | cut) == std::vector{minute(4)});
  // Two windows that touch at the cut hold on both sides but not across.
  CHECK(cuts_of(at_least(1, {cut, ends, begins})) == std::vector{minute(4)});
  CHECK(cuts_of(at_least(2, {cut, whole, whole})).empty());
  CHECK(cuts_of(at_least(2, {cut, whole, ends})) == std::vector{minute(4)});
  CHECK(cuts_of(!cut).empty());
  CHECK(cuts_of(cut ^ Status(window(0, 10), {window(6, 10)})) == std::vector{minute(4)});
  CHECK(cuts_of(min_duration(cut, minutes(5))) == std::vector{minute(4)});
  CHECK(cuts_of(delay_start(cut, minutes(3))) == std::vector{minute(4)});
  CHECK(cuts_of(delay_start(cut, minutes(4))).empty());
}

TEST_CASE("logic agrees with an array of ticks") {
  Random random(7);
  constexpr std::size_t size = 120;
  for (int repeat = 0; repeat < 150; ++repeat) {
    const std::size_t operands = static_cast<std::size_t>(random.integer(2, 4));
    std::vector<Dense> ticks;
    std::vector<Status> statuses;
    for (std::size_t i = 0; i < operands; ++i) {
      ticks.push_back(random_dense(random, size));
      statuses.push_back(from_dense(ticks.back(), random_cuts(random, size)));
      REQUIRE(dense(statuses.back(), size) == ticks.back());
    }
    const Status &a = statuses[0], &b = statuses[1];
    Dense both, either, exclusive, opposite;
    for (std::size_t t = 0; t < size; ++t) {
      const Truth x = ticks[0][t], y = ticks[1][t];
      both.push_back(std::min(x, y));
      either.push_back(std::max(x, y));
      exclusive.push_back(x == unknown || y == unknown ? unknown : x != y ? yes : no);
      opposite.push_back(x == unknown ? unknown : x == yes ? no : yes);
    }
    CHECK(dense(a & b, size) == both);
    CHECK(dense(a | b, size) == either);
    CHECK(dense(a ^ b, size) == exclusive);
    CHECK(dense(!a, size) == opposite);
    for (const Status& s : {a & b, a | b, a ^ b, !a}) CHECK(canonical(s));
    CHECK(cuts_of(a & b) == surviving(a & b, {a, b}, 2));
    CHECK(cuts_of(a | b) == surviving(a | b, {a, b}, 1));
    CHECK(cuts_of(a ^ b) == surviving(a ^ b, {a, b}, 3));

    for (std::size_t k = 1; k <= operands; ++k) {
      const Status s = at_least(k, statuses);
      Dense expected;
      for (std::size_t t = 0; t < size; ++t) {
        std::size_t holding = 0, possible = 0;
        for (const Dense& one : ticks) holding += one[t] == yes ? 1U : 0U, possible += one[t] != no ? 1U : 0U;
        expected.push_back(holding >= k ? yes : possible < k ? no : unknown);
      }
      CHECK(dense(s, size) == expected);
      CHECK(canonical(s));
      CHECK(cuts_of(s) == surviving(s, statuses, k));
    }

    // Laws, on windows and cuts where they are lawful.
    CHECK((a & b) == (b & a));
    CHECK((a | b) == (b | a));
    CHECK((a & a) == a);
    CHECK((a | a) == a);
    CHECK((!(a & b)) == ((!a) | (!b)));
    CHECK((!(a | b)) == ((!a) & (!b)));
    CHECK(at_least(operands, statuses) == std::accumulate(statuses.begin() + 1, statuses.end(), a,
                                                          [](const Status& x, const Status& y) { return x & y; }));
    // Runs cover what holds and begin where it begins or at a cut.
    std::vector<Window> pieces = a.runs();
    CHECK(Windows(pieces) == a.holds());
    CHECK(pieces.size() == a.holds().windows().size() + a.cuts().size());
  }
}

TEST_CASE("operations in time agree with an array of ticks") {
  Random random(8);
  constexpr std::size_t size = 100;
  for (int repeat = 0; repeat < 150; ++repeat) {
    const Dense ticks = random_dense(random, size);
    const Status s = from_dense(ticks, random_cuts(random, size));
    const std::int64_t d = random.integer(0, 8);
    Dense longer = ticks, merged = ticks, bridged = ticks, delayed = ticks;
    for (std::size_t i = 0; i < size;) {
      std::size_t j = i;
      while (j < size && ticks[j] == ticks[i]) ++j;
      const auto length = static_cast<std::int64_t>(j - i);
      const Truth before = i > 0 ? ticks[i - 1] : unknown, after = j < size ? ticks[j] : unknown;
      const auto fill = [&](Dense& out, std::size_t end, Truth truth) {
        for (std::size_t t = i; t < end; ++t) out[t] = truth;
      };
      if (ticks[i] == yes && length < d) fill(longer, j, before == no && after == no ? no : unknown);
      if (ticks[i] == yes) fill(delayed, std::min(j, i + static_cast<std::size_t>(d)), no);
      if (before == yes && after == yes && length <= d) fill(ticks[i] == no ? merged : bridged, j, yes);
      i = j;
    }
    CHECK(dense(min_duration(s, minutes(d)), size) == longer);
    CHECK(dense(merge_short(s, minutes(d)), size) == merged);
    CHECK(dense(bridge_unknown(s, minutes(d)), size) == bridged);
    CHECK(dense(delay_start(s, minutes(d)), size) == delayed);
    for (const Status& out : {min_duration(s, minutes(d)), merge_short(s, minutes(d)), bridge_unknown(s, minutes(d)),
                              delay_start(s, minutes(d))})
      CHECK(canonical(out));
    CHECK(min_duration(s, minutes(0)) == s);
    CHECK(merge_short(s, minutes(0)) == s);
    CHECK(delay_start(s, minutes(0)) == s);

    const std::int64_t from = random.integer(-20, 90), to = random.integer(from + 1, 130);
    const Status part = restrict_to(s, window(from, to));
    CHECK(canonical(part));
    CHECK(part.range() == window(from, to));
    for (std::int64_t t = -25; t < 135; ++t)
      CHECK(part.at(minute(t)) == (t >= from && t < to ? s.at(minute(t)) : unknown));
  }
}
