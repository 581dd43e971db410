// SPDX-License-Identifier: MIT
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>

#include "catch.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
template <class Scalar, class Time>
std::string written(const fd::SeriesBase<Scalar, Time>& series, const fd::CsvWriteOptions& options = {}) {
  std::ostringstream stream;
  fd::write_csv(stream, series, options);
  return stream.str();
}

template <class Scalar, class Time>
void check_round_trip(const fd::Series<Scalar, Time>& series) {
  const std::string bytes = written(series);
  const auto file = fd::read_csv<Time, Scalar>(fd::CsvText{bytes, "copy.csv"}, {.duplicates = fd::Duplicates::event});
  const auto& copy = file.series;
  REQUIRE(copy.size() == series.size());
  REQUIRE(copy.channels() == series.channels());
  bool equal = true;
  for (std::size_t i = 0; i < series.size(); ++i) {
    equal = equal && copy.time(i) == series.time(i);
    for (std::size_t c = 0; c < series.channels(); ++c) {
      using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
      equal =
          equal && (std::isnan(series(i, c)) ? std::isnan(copy(i, c))
                                             : std::bit_cast<Bits>(copy(i, c)) == std::bit_cast<Bits>(series(i, c)));
    }
  }
  CHECK(equal);
  if (!series.channel_names().empty()) {
    CHECK(std::equal(series.channel_names().begin(), series.channel_names().end(), copy.channel_names().begin(),
                     copy.channel_names().end()));
  }
}

template <class Scalar>
std::vector<Scalar> random_values(std::size_t count, std::mt19937_64& random) {
  std::vector<Scalar> values{0,
                             Scalar(-0.0),
                             std::numeric_limits<Scalar>::max(),
                             std::numeric_limits<Scalar>::lowest(),
                             std::numeric_limits<Scalar>::min(),
                             std::numeric_limits<Scalar>::denorm_min(),
                             -std::numeric_limits<Scalar>::denorm_min(),
                             std::numeric_limits<Scalar>::infinity(),
                             -std::numeric_limits<Scalar>::infinity(),
                             std::numeric_limits<Scalar>::quiet_NaN(),
                             -std::numeric_limits<Scalar>::quiet_NaN(),
                             std::numeric_limits<Scalar>::epsilon()};
  while (values.size() < count) {
    const std::uint64_t bits = random();
    if constexpr (sizeof(Scalar) == 8) {
      values.push_back(std::bit_cast<double>(bits));
    } else {
      values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
  }
  return values;
}
}  // namespace

TEST_CASE("a series is written with comma, point, LF and ISO 8601 stamps of nine decimals") {
  const fd::Series<> series({fd::Timestamp{1ns}, fd::Timestamp{1500ms}}, {1.5, std::nan("")}, {.name = "flow"});
  CHECK(written(series) == "time,flow\n1970-01-01T00:00:00.000000001Z,1.5\n1970-01-01T00:00:01.500000000Z,nan\n");
}

TEST_CASE("elapsed time is written in seconds, an event as two rows, names are quoted when needed") {
  const fd::Series<double, double> series(
      {0, 0.1, 0.1}, {1, 2, 3, 4, 5, 6},
      {.channel_names = {"x[1,2]", "say \"hi\" "}, .duplicates = fd::Duplicates::event});
  CHECK(written(series, {.time_name = "t [s]"}) == "t [s],\"x[1,2]\",\"say \"\"hi\"\" \"\n0,1,2\n0.1,3,4\n0.1,5,6\n");
}

TEST_CASE("what is written is read back bit for bit") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    const std::size_t channels = 1 + static_cast<std::size_t>(round) % 4;
    const std::size_t samples = 60;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < channels; ++c) names.push_back("x;" + std::to_string(c) + "\n\"|\t,");
    std::vector<fd::Timestamp> stamps;
    std::vector<double> seconds;
    fd::Timestamp stamp{std::chrono::sys_days{std::chrono::year{1700 + 20 * round} / 1 / 1}};
    double second = -1e6 * round;
    for (std::size_t i = 0; i < samples; ++i) {
      if (i % 7 != 1) stamp += std::chrono::nanoseconds{1 + random() % 1'000'000'000'000'000U};
      if (i % 7 != 1)
        second += std::ldexp(1 + static_cast<double>(random() % 1000003), static_cast<int>(random() % 20) - 20);
      stamps.push_back(stamp);
      seconds.push_back(second);
    }
    const auto event = fd::Duplicates::event;
    const auto doubles = random_values<double>(samples * channels, random);
    const auto floats = random_values<float>(samples * channels, random);
    check_round_trip(fd::Series<>(stamps, doubles, {.channel_names = names, .duplicates = event}));
    check_round_trip(fd::Series<float>(stamps, floats, {.channel_names = names, .duplicates = event}));
    check_round_trip(fd::Series<double, double>(seconds, doubles, {.channel_names = names, .duplicates = event}));
    check_round_trip(fd::Series<float, double>(seconds, floats, {.channel_names = names, .duplicates = event}));
  }
  using Seconds = std::chrono::sys_seconds;
  check_round_trip(fd::Series<double, Seconds>({Seconds{0s}, Seconds{5s}}, {1, 2}, {.name = "x"}));
  check_round_trip(fd::Series<double, double>({0, 1}, {1, 2}));
  check_round_trip(fd::Series<double, double>({0}, {std::nan("")}));
  using Matrix = fd::SeriesBase<double, double>::Matrix;
  check_round_trip(fd::Series<double, double>({0, 1}, Matrix{{1, 2}, {3, 4}}));
}

TEST_CASE("what could not be read back is refused") {
  const fd::Series<double, double> series({0.0}, {1, 2}, {.channel_names = {"a", "a"}});
  require_error<fd::InputError>([&] { (void)written(series); }, "same name", "'a'");
  const fd::Series<double, double> one({0.0}, {1}, {.channel_names = {"time"}});
  require_error<fd::InputError>([&] { (void)written(one); }, "same name");
  CHECK(written(one, {.time_name = "t"}) == "t,time\n0,1\n");
  for (const char* name : {"time_ms", "t [h]", "7", "2024-01-01", "sep=;"})
    CHECK_THROWS_AS(written(one, {.time_name = name}), fd::InputError);
  const fd::Series<double, double> numbered({0.0}, {1}, {.channel_names = {"5"}});
  require_error<fd::InputError>([&] { (void)written(numbered, {.time_name = ""}); }, "a row of data");
  CHECK(written(numbered) == "time,5\n0,1\n");
  const fd::Series<double, std::chrono::sys_seconds> far({std::chrono::sys_seconds{10000000000s}}, {1});
  require_error<fd::InputError>([&] { (void)written(far); }, "1678 to 2261");
}

TEST_CASE("a file appears whole or not at all") {
  const auto folder = std::filesystem::temp_directory_path() / "fidelity_csv_write_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const fd::Series<double, double> series({0, 1}, {1, 2}, {.name = "x"});
  fd::write_csv(folder / "x.csv", series);
  fd::write_csv(folder / "x.csv", series);
  CHECK(fd::read_csv<double>(folder / "x.csv").series.size() == 2);
  const fd::Series<double, double> wrong({0.0}, {1, 2}, {.channel_names = {"a", "a"}});
  CHECK_THROWS_AS(fd::write_csv(folder / "y.csv", wrong), fd::InputError);
  require_error<std::system_error>([&] { fd::write_csv(folder / "none" / "z.csv", series); }, "z.csv", "No such file");
  CHECK_THROWS_AS(fd::write_csv(folder, series), std::system_error);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.exists() ? 1 : 0;
  CHECK(files == 1);
  std::filesystem::remove_all(folder);
  std::ofstream full("/dev/full");
  if (full) CHECK_THROWS_AS(fd::write_csv(full, series), std::system_error);
}
