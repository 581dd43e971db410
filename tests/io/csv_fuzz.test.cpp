// SPDX-License-Identifier: MIT
// Any bytes give a series or an error that says why, never a crash, a hang or another exception.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
std::string mutated(std::string bytes, std::mt19937& random) {
  static const std::vector<std::string> pieces{",",
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
                                               "9999999999999999999",
                                               "\xEF\xBB\xBF",
                                               "\xC3",
                                               "\xFF",
                                               std::string(1, '\0'),
                                               "time_ms",
                                               "1e-400"};
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

template <class Time>
fd::CsvOptions<Time> random_options(std::mt19937& random) {
  fd::CsvOptions<Time> options;
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  if (one_in(3)) options.delimiter = ",;\t|"[random() % 4];
  if (one_in(4)) options.decimal = ".,"[random() % 2];
  if (one_in(6)) options.thousands = ".,' "[random() % 4];
  if (one_in(4)) options.comment = "#";
  if (one_in(4)) options.names_row = static_cast<int>(random() % 4);
  if (one_in(8)) options.names_row = fd::NamesRow::none;
  if (one_in(8)) options.names_row = fd::NamesRow::last_comment;
  if (one_in(8)) options.units_row = random() % 4;
  if (one_in(8)) options.first_data_row = random() % 5;
  if (one_in(2)) options.bad_rows = fd::BadRows::skip;
  if (one_in(3)) options.time_unit = static_cast<fd::TimeUnit>(random() % 7);
  if (!options.time_unit && one_in(6)) options.time_format = "%d.%m.%Y %H:%M:%S";
  if (one_in(6)) options.time_columns = {1 + random() % 3};
  if (one_in(6)) options.channels = {2};
  options.duplicates = static_cast<fd::Duplicates>(random() % 5);
  return options;
}

template <class Time>
bool survives(const std::string& bytes, std::mt19937& random) {
  fd::CsvOptions<Time> options = random_options<Time>(random);
  const bool groups = random() % 4 == 0;
  try {
    if (groups) {
      options.group_by = {2};
      const auto file = fd::read_csv_groups<Time>(fd::CsvText{bytes}, options);
      for (const auto& group : file.groups)
        if (group.series.size() == 0) return false;
      return !file.groups.empty();
    }
    return fd::read_csv<Time>(fd::CsvText{bytes}, options).series.size() > 0;
  } catch (const fd::ParseError& error) {
    return error.line > 0 && error.column > 0 && !error.reason.empty();
  } catch (const fd::InputError&) {
    return true;
  }
}
}  // namespace

TEST_CASE("mutated files give a series or an error that says why") {
  std::vector<std::string> seeds{"t,x\n0,1\n1,2\n2,3\n", "t;x;y\n0;1,5;a\n1;2,5;b\n",
                                 "# c\n\"t [s]\",\"a\nb\",n\n0,\"1\",x\n1,\"2\",y\n",
                                 "time,x\n2024-01-01T00:00:00.5Z,1\n2024-01-01T00:00:01+01:00,2\n"};
  for (const auto& entry : std::filesystem::directory_iterator(FIDELITY_TEST_DATA "/io")) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::sort(seeds.begin(), seeds.end());
  std::mt19937 random(1);
  std::size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string bytes = mutated(seeds[random() % seeds.size()], random);
    INFO("bytes: " << bytes);
    if (!survives<fd::Timestamp>(bytes, random) || !survives<double>(bytes, random)) FAIL("not a series and no reason");
    ++read;
  }
  CHECK(read == 20000);
}

TEST_CASE("large hostile files do not ask for more memory or time than their size") {
  const std::string commas = "t" + std::string(200000, ',') + "\n0,1\n";
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{commas}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{"t,x\n" + std::string(300000, '"')}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{std::string(300000, '\n')}), fd::ParseError);
  const std::string nines = "t,x\n0," + std::string(300000, '9') + "\n" + std::string(300000, '9') + ",1\n";
  CHECK_THROWS_AS(fd::read_csv<double>(fd::CsvText{nines}), fd::ParseError);
  CHECK_THROWS_AS(fd::read_csv(fd::CsvText{nines}, {.time_unit = fd::TimeUnit::ns}), fd::ParseError);
}
