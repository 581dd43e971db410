// SPDX-License-Identifier: MIT
// Modelica result files: every layout, number type and byte order gives the same variables.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <fidelity/io/mat4.hpp>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
using Doubles = std::vector<double>;
using Table = std::vector<Doubles>;  // rows

template <class Bits>
void append(std::string& out, Bits bits, bool big_endian) {
  for (std::size_t i = 0; i < sizeof bits; ++i) {
    const std::size_t shift = 8 * (big_endian ? sizeof bits - 1 - i : i);
    out += static_cast<char>(static_cast<unsigned char>(bits >> shift & 0xFFU));
  }
}

/// How a file is written.
struct Form {
  bool transposed = true;
  bool big_endian = false;
  unsigned text = 5, info = 2, data = 0;  // the digit P of the types
};

std::string number(double x, unsigned type, bool big) {
  std::string out;
  if (type == 0) append(out, std::bit_cast<std::uint64_t>(x), big);
  if (type == 1) append(out, std::bit_cast<std::uint32_t>(static_cast<float>(x)), big);
  if (type == 2) append(out, static_cast<std::uint32_t>(static_cast<std::int32_t>(x)), big);
  if (type == 3) append(out, static_cast<std::uint16_t>(static_cast<std::int16_t>(x)), big);
  if (type == 4) append(out, static_cast<std::uint16_t>(x), big);
  if (type == 5) out += static_cast<char>(static_cast<unsigned char>(x));
  return out;
}

/// One record; `table` as it is meant, stored the other way round if `transposed`.
std::string record(const std::string& name, const Table& table, const Form& form, unsigned type, bool transposed,
                   unsigned kind = 0, unsigned imaginary = 0) {
  const std::size_t rows = table.size();
  const std::size_t columns = table.empty() ? 0 : table.front().size();
  std::string out;
  for (const std::size_t value :
       {std::size_t{form.big_endian ? 1000U : 0U} + type * 10 + kind, transposed ? columns : rows,
        transposed ? rows : columns, std::size_t{imaginary}, name.size() + 1})
    append(out, static_cast<std::uint32_t>(value), form.big_endian);
  out += name + '\0';
  for (std::size_t a = 0; a < (transposed ? rows : columns); ++a)
    for (std::size_t b = 0; b < (transposed ? columns : rows); ++b)
      out += number(transposed ? table[a][b] : table[b][a], type, form.big_endian);
  return out;
}

Table characters(const std::vector<std::string>& rows, char padding) {
  std::size_t length = 0;
  for (const auto& row : rows) length = std::max(length, row.size());
  Table table;
  for (std::string row : rows) {
    row.resize(length, padding);
    table.emplace_back();
    for (const char c : row) table.back().push_back(static_cast<double>(static_cast<unsigned char>(c)));
  }
  return table;
}

struct Content {
  std::vector<std::string> names{"time", "x[1, 2]", "\xCE\xB1lias", "p", "x[1, 2]"};
  std::vector<std::string> descriptions{"Time in [s]", "position [m]", "", "a parameter", "position again"};
  Table info{{0, 1, 0, -1}, {2, 2, 0, -1}, {2, -2, 0, 0}, {1, 2, 0, 0}, {2, 2, 1, 1}};
  Table constants{{0, 7.5}, {4, 7.5}};
  Table course{{0, 1}, {1, 2}, {1, -2}, {4, 0.5}};
};

std::string written(const Content& content, const Form& form = {}) {
  const bool t = form.transposed;
  std::string out = record("Aclass", characters({"Atrajectory", "1.1", "", t ? "binTrans" : "binNormal"}, ' '), form,
                           form.text, false, 1);
  out += record("name", characters(content.names, '\0'), form, form.text, t, 1);
  out += record("description", characters(content.descriptions, ' '), form, form.text, t, 1);
  out += record("dataInfo", content.info, form, form.info, t);
  out += record("data_1", content.constants, form, form.data, t);
  return out + record("data_2", content.course, form, form.data, t);
}

fd::Mat4File read(const std::string& bytes) {
  std::istringstream stream(bytes);
  return fd::read_mat4(stream);
}
Doubles values(const fd::SeriesBase<double, double>& series, std::size_t channel = 0) {
  Doubles all;
  for (std::size_t i = 0; i < series.size(); ++i) all.push_back(series(i, channel));
  return all;
}
void refused(const std::string& bytes, const char* why) {
  require_error<fd::ParseError>([&] { (void)read(bytes); }, "stream:1:", why);
}
}  // namespace

TEST_CASE("case 27: an alias has the other sign and a parameter one value and an event two rows") {
  const fd::Mat4File file = fd::read_mat4(FIDELITY_TEST_DATA "/io/27_modelica.mat");
  CHECK(file.layout() == "binTrans");
  std::vector<std::string> names;
  for (const auto& variable : file.variables()) names.push_back(variable.name);
  CHECK(names == std::vector<std::string>{"time", "R1.v", "R1.n.v", "R1.R", "C1.v"});
  CHECK(file.variable("R1.R").description == "Resistance");
  const auto v = file.series("R1.v");
  CHECK(Doubles(v.times().begin(), v.times().end()) == Doubles{0, 1, 1, 2, 4});
  CHECK(values(v) == Doubles{1.5, 2.5, -2.5, -1.25, 0.125});
  CHECK(values(file.series("R1.n.v")) == Doubles{0, 0.25, 0.25, 0.5, 1});
  CHECK(values(file.series("C1.v")) == Doubles{-1.5, -2.5, 2.5, 1.25, -0.125});
  CHECK(values(file.series("time")) == Doubles{0, 1, 1, 2, 4});
  CHECK(file.constant("R1.R") == 470);
  CHECK(v.value(1.0, fd::Side::left) == 2.5);
  CHECK(v.value(1.0) == -2.5);
  CHECK(v.name() == "27_modelica");
  CHECK(v.channel_names()[0] == "R1.v");
}

TEST_CASE("both layouts and all number types and byte orders say the same") {
  for (const bool transposed : {true, false})
    for (const bool big_endian : {true, false})
      for (unsigned text = 0; text < 6; ++text)
        for (unsigned data = 0; data < 2; ++data) {
          const auto file = read(written({}, {transposed, big_endian, text, text % 4, data}));
          CHECK(file.layout() == (transposed ? "binTrans" : "binNormal"));
          REQUIRE(file.variables().size() == 4);
          CHECK(file.variables()[2].name == "\xCE\xB1lias");
          CHECK(file.variables()[1].description == "position [m]");
          CHECK(values(file.series("x[1, 2]")) == Doubles{1, 2, -2, 0.5});
          CHECK(values(file.series("\xCE\xB1lias")) == Doubles{-1, -2, 2, -0.5});
          CHECK(file.constant("p") == 7.5);
        }
  Content whole;
  whole.constants = {{0, 7}};
  whole.course = {{0, 1}, {1, 200}, {3, 0}};
  for (unsigned data = 2; data < 6; ++data) {
    const auto file = read(written(whole, {true, data % 2 == 0, 5, 0, data}));
    CHECK(values(file.series("x[1, 2]")) == Doubles{1, 200, 0});
    CHECK(file.constant("p") == 7);
  }
  whole.course = {{0, -32768}, {1, 32767}};
  CHECK(values(read(written(whole, {true, true, 5, 3, 3})).series("x[1, 2]")) == Doubles{-32768, 32767});
  whole.course = {{0, -2147483648.0}, {1, std::nextafter(1.0, 2.0)}};
  CHECK(values(read(written(whole)).series("x[1, 2]")) == Doubles{-2147483648.0, std::nextafter(1.0, 2.0)});
}

TEST_CASE("several variables are channels of one series") {
  const auto file = read(written({}));
  const auto both = file.series({"\xCE\xB1lias", "x[1, 2]"}, {.interpolation = fd::Interpolation::hold, .max_gap = 2});
  CHECK(both.channels() == 2);
  CHECK(values(both, 1) == Doubles{1, 2, -2, 0.5});
  CHECK(both.interpolation() == fd::Interpolation::hold);
  CHECK(both.max_gap() == 2);
  CHECK(file.series(std::vector<std::string>{"x[1, 2]"}).size() == 4);
  CHECK_THROWS_AS(file.series(std::vector<std::string>{}), fd::InputError);
  Content more;
  more.names.emplace_back("slow");
  more.descriptions.emplace_back("");
  more.info.push_back({3, 2, 0, 0});
  const auto third = read(written(more) + record("data_3", {{0, 5}, {4, 6}}, {}, 0, true));
  CHECK(values(third.series("slow")) == Doubles{5, 6});
  require_error<fd::InputError>([&] { (void)third.series({"slow", "x[1, 2]"}); }, "different times", "'x[1, 2]'");
}

TEST_CASE("a wrong question names the variable") {
  const auto file = read(written({}));
  CHECK(file.contains("p"));
  CHECK_FALSE(file.contains("x[1,2]"));
  require_error<fd::InputError>([&] { (void)file.series("x[1,2]"); }, "'x[1,2]'", "no variable");
  require_error<fd::InputError>([&] { (void)file.series("p"); }, "constant");
  require_error<fd::InputError>([&] { (void)file.constant("time"); }, "series");
}

TEST_CASE("a file that contradicts itself is refused") {
  Content content;
  const auto with = [&](auto change) {
    Content changed;
    change(changed);
    return written(changed);
  };
  refused(with([](Content& c) { c.info[1][1] = 0; }), "no such column");
  refused(with([](Content& c) { c.info[1][1] = 3; }), "no such column");
  refused(with([](Content& c) { c.info[2][1] = -3; }), "no such column");
  refused(with([](Content& c) { c.info[1][0] = 3; }), "data_3");
  refused(with([](Content& c) { c.info[4][1] = -2; }), "and different values");
  refused(with([](Content& c) { c.info.pop_back(); }), "four numbers");
  refused(with([](Content& c) { c.descriptions.pop_back(); }), "one description");
  Form fraction{.info = 0};
  content.info[1][1] = 1.5;
  refused(written(content, fraction), "no number of one");
  content.info[1][1] = std::nan("");
  refused(written(content, fraction), "no number of one");
  const auto late = [](const std::string& bytes, const char* why) {
    const auto file = read(bytes);
    require_error<fd::ParseError>([&] { (void)file.series("x[1, 2]"); }, "stream:1:", why);
  };
  late(with([](Content& c) { c.course[2][0] = 0.5; }), "sample 2 has the time 0.5");
  late(with([](Content& c) { c.course[2][0] = std::nan(""); }), "sample 2");
  require_error<fd::ParseError>([&] { (void)read(with([](Content& c) { c.constants[1][1] = 8; })).constant("p"); },
                                "should not change");
  content = {};
  content.constants[0][1] = content.constants[1][1] = std::nan("");
  CHECK(std::isnan(read(written(content)).constant("p")));
}

TEST_CASE("a file that is cut off or of another kind is refused") {
  const std::string bytes = written({});
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_THROWS_AS(read(bytes.substr(0, size)), fd::ParseError);
  refused(bytes.substr(0, bytes.size() - 1), "the matrix 'data_2' runs past the end");
  refused("MATLAB 5.0 MAT-file", "format='4'");
  refused("time,x\n0,1\n0,2\n0,3\n0,4\n", "no MAT file");
  refused(record("A", {{1}}, {}, 0, false), "Aclass");
  refused(bytes + record("data_2", {{1}}, {}, 0, false), "same name");
  refused(bytes + record("S", {{1}}, {}, 0, false, 2), "sparse");
  refused(bytes + record("C", {{1}}, {}, 0, false, 0, 1), "complex");
  std::string huge = bytes;
  huge.replace(4, 8, 8, '\xFF');
  refused(huge, "runs past the end");
  std::string mixed = bytes;
  mixed[0] = static_cast<char>(1000 % 256 + 51);
  mixed[1] = 1000 / 256 + 1;
  CHECK_THROWS_AS(read(mixed), fd::ParseError);
  std::string layout = bytes;
  layout.replace(layout.find("T"), 1, "X");
  CHECK_THROWS_AS(read(layout), fd::ParseError);
}

TEST_CASE("one variable of a large file is read without the others") {
  Content wide;
  wide.names = {"time"};
  wide.descriptions = {""};
  wide.info = {{0, 1, 0, -1}};
  wide.course = {{0}, {1}};
  for (std::size_t k = 0; k < 2000; ++k) {
    wide.names.push_back("v" + std::to_string(k));
    wide.descriptions.emplace_back("");
    wide.info.push_back({2, static_cast<double>(k) + 2, 0, -1});
    for (auto& row : wide.course) row.push_back(static_cast<double>(k) + row.front());
  }
  const auto file = read(written(wide));
  CHECK(values(file.series("v1999")) == Doubles{1999, 2000});
}
