// SPDX-License-Identifier: MIT
// Any bytes give a result or an error that says why, never a crash, a hang or another exception: the seeds of the
// fuzzers as they are and mutated, and large hostile files.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../fuzz/readers.hpp"
#include "catch.hpp"

namespace fd = fidelity;

namespace {
std::vector<std::string> seeds(const std::string& kind) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FIDELITY_TEST_DATA "/../fuzz/seeds/" + kind))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> all;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

std::string mutated(std::string bytes, std::mt19937& random) {
  static const std::vector<std::string_view> pieces{",",
                                                    ";",
                                                    "\t",
                                                    "|",
                                                    "\"",
                                                    "\"\"",
                                                    "\n",
                                                    "\r\n",
                                                    "\r",
                                                    "#",
                                                    ".",
                                                    "-",
                                                    "e",
                                                    "1e999",
                                                    "nan",
                                                    "inf",
                                                    "2024-01-01",
                                                    "T24:00",
                                                    "Z",
                                                    "+01",
                                                    "0",
                                                    "1,5",
                                                    "1.234,5",
                                                    "sep=;",
                                                    "true",
                                                    "13/05/2024",
                                                    "02:30",
                                                    " PM",
                                                    "60",
                                                    "9999999999999999999",
                                                    "\xFF",
                                                    "\xC3",
                                                    "192",
                                                    "time_ms",
                                                    "1e-400",
                                                    "\xEF\xBB\xBF",
                                                    std::string_view("\0", 1)};
  const std::size_t edits = 1 + random() % 6;
  for (std::size_t k = 0; k < edits; ++k) {
    const std::size_t place = bytes.empty() ? 0 : random() % bytes.size();
    const std::size_t length = std::min<std::size_t>(random() % 12, bytes.size() - place);
    switch (random() % 5) {
      case 0:
        bytes.erase(place, length);
        break;
      case 1:
        bytes.insert(place, pieces[random() % pieces.size()]);
        break;
      case 2:
        bytes.replace(place, length, pieces[random() % pieces.size()]);
        break;
      case 3:
        bytes.insert(place, bytes.substr(bytes.empty() ? 0 : random() % bytes.size(), length));
        break;
      default:
        if (!bytes.empty()) bytes[place] = static_cast<char>(random() % 256);
    }
  }
  return bytes;
}

/// Runs the seeds and then mutations of them.
template <class Reader>
void survives(const std::string& kind, int rounds, Reader&& reader) {
  const std::vector<std::string> all = seeds(kind);
  REQUIRE(all.size() > 3);
  std::mt19937 random(1);
  std::string bytes;
  INFO(kind);
  for (int round = 0; round < rounds; ++round) {
    const std::size_t k = static_cast<std::size_t>(round);
    bytes = k < all.size() ? all[k] : mutated(all[random() % all.size()], random);
    try {
      reader(bytes);
    } catch (const std::exception& error) {
      FAIL(error.what() << ", bytes: " << bytes);
    }
  }
  SUCCEED();
}
}  // namespace

TEST_CASE("seeds of the CSV fuzzer and mutations of them give a series or a reason") {
  survives("csv", 12000, [](std::string_view bytes) { fuzz::csv(bytes); });
}

TEST_CASE("seeds of the stamp fuzzer and mutations of them give an instant or a zone or a reason") {
  survives("stamp", 4000, [](std::string_view bytes) { fuzz::stamp(bytes); });
}

TEST_CASE("seeds of the MAT fuzzer and mutations of them give variables or a reason") {
  survives("mat4", 8000, [](std::string_view bytes) { fuzz::mat4(bytes); });
}

TEST_CASE("large hostile files do not ask for more memory or time than their size") {
  const std::string commas = "t" + std::string(200000, ',') + "\n0,1\n";
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{commas}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{"t,x\n" + std::string(300000, '"')}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{std::string(300000, '\n')}), fd::ParseError);
  const std::string nines = "t,x\n0," + std::string(300000, '9') + "\n" + std::string(300000, '9') + ",1\n";
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{nines}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv(fd::CsvText{nines}, {.time_unit = fd::TimeUnit::ns}), fd::ParseError);
  // Every cell asks for the thousands mark of the file; it is looked for once.
  std::string marks = "t;x\n0;1,5\n";
  for (int k = 0; k < 50000; ++k) marks += std::to_string(k + 1) + ";1-2\n";
  CHECK(fd::read_csv<double>(fd::CsvText{marks}).report.channels[0].bad == 50000);
}
