// SPDX-License-Identifier: MIT
// What becomes of the rows and cells: stamps, numbers, missing values, order, duplicates, events.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>
#include <fidelity/io/timestamp.hpp>

#include "catch.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
const std::string data = FIDELITY_TEST_DATA "/io/";

fd::CsvText text(std::string_view bytes) { return {bytes, "test.csv"}; }

template <class Series>
std::vector<std::int64_t> ticks(const Series& series) {
  std::vector<std::int64_t> all;
  for (const auto t : series.times()) all.push_back(t.time_since_epoch().count());
  return all;
}
template <class Series>
std::vector<double> values(const Series& series, std::size_t channel = 0) {
  std::vector<double> all;
  for (std::size_t i = 0; i < series.size(); ++i) all.push_back(static_cast<double>(series(i, channel)));
  return all;
}
template <class Series>
std::vector<double> times(const Series& series) {
  return {series.times().begin(), series.times().end()};
}
std::vector<std::string> names(const fd::SeriesBase<double, double>& series) {
  return {series.channel_names().begin(), series.channel_names().end()};
}
bool warned(const fd::LoadReport& report, std::string_view code) {
  for (const auto& warning : report.warnings)
    if (warning.code == code) return true;
  return false;
}
using Doubles = std::vector<double>;
}  // namespace

TEST_CASE("case 06: stamps with different offsets in one column each keep their own") {
  const auto file = fd::read_csv(data + "06_mixed_utc_offsets.csv");
  CHECK(ticks(file.series) == std::vector<std::int64_t>{1743296370000000000, 1743296400000000000, 1743296430000000000,
                                                        1743296460000000000, 1743296490250000001, 1743296520000000000});
  CHECK(values(file.series) == Doubles{1, 2, 3, 4, 5, 6});
  CHECK(file.series.name() == "06_mixed_utc_offsets");
  CHECK(file.report.zone == "offset of each row");
  CHECK_FALSE(file.report.zone_assumed);
  CHECK(file.report.times.first == "2025-03-30T00:59:30.000000000Z");
}

TEST_CASE("case 07: a column of numbers has one unit, and 64-bit integers stay exact") {
  const auto s = fd::read_csv(data + "07_epoch_s.csv", {.time_unit = fd::TimeUnit::s}).series;
  const auto ms = fd::read_csv(data + "07_epoch_ms.csv", {.time_unit = fd::TimeUnit::ms}).series;
  const auto ns = fd::read_csv(data + "07_epoch_ns.csv", {.time_unit = fd::TimeUnit::ns}).series;
  CHECK(ticks(s) == std::vector<std::int64_t>{1718000000125000000, 1718000000250000000, 1718000001000000000});
  CHECK(ticks(ms) ==
        std::vector<std::int64_t>{999999940000000000, 999999970000000000, 1000000000000000000, 1000000030000000000});
  CHECK(ticks(ns) == std::vector<std::int64_t>{1718000000000000001, 1718000000000000002, 1718000000000000101});
  require_error<fd::ParseError>([] { (void)fd::read_csv(data + "07_epoch_s.csv"); },
                                "07_epoch_s.csv:2:1: ", "time_unit", "'1718000000.125'");
}

TEST_CASE("case 09: hour 24 is the next midnight, with ISO 8601 and with a pattern") {
  for (const auto& file : {fd::read_csv(data + "09_hour_24.csv"),
                           fd::read_csv(data + "09_hour_24.csv", {.time_format = "%Y-%m-%d %H:%M"})})
    CHECK(ticks(file.series) == std::vector<std::int64_t>{1704060000'000'000'000, 1704063600'000'000'000,
                                                          1704067200'000'000'000, 1704070800'000'000'000});
  for (const auto& format : {std::optional<std::string>{}, std::optional<std::string>{"%Y-%m-%d %H:%M"}})
    require_error<fd::ParseError>([&] { (void)fd::read_csv(data + "09_hour_24_bad.csv", {.time_format = format}); },
                                  "09_hour_24_bad.csv:2:1: hour 24 is midnight only: '2023-12-31 24:30'");
}

TEST_CASE("case 10: rows out of order are sorted stably and duplicates follow the policy") {
  const auto read = [](fd::Duplicates policy) {
    return fd::read_csv<double>(data + "10_unsorted_duplicates.csv", {.duplicates = policy});
  };
  const auto first = read(fd::Duplicates::first);
  CHECK(times(first.series) == Doubles{10, 20, 30, 40, 50});
  CHECK(values(first.series) == Doubles{1, 2, 3, 4, 5});
  CHECK(values(read(fd::Duplicates::last).series) == Doubles{1, 2.2, 3, 4, 5});
  const auto mean = values(read(fd::Duplicates::mean).series);
  CHECK(mean[1] == Approx(2.2333333333333334).epsilon(0).margin(1e-12));
  CHECK(mean[0] == 1);
  const auto event = read(fd::Duplicates::event);
  CHECK(times(event.series) == Doubles{10, 10, 20, 20, 30, 40, 50});
  CHECK(values(event.series) == Doubles{1, 1, 2, 2.2, 3, 4, 5});
  CHECK(event.report.times.event_times == 2);
  CHECK(event.report.times.event_rows_dropped == 1);
  CHECK(first.report.times.event_times == 0);
  for (const auto* report : {&first.report, &event.report}) {
    CHECK(report->times.backward_steps == 2);
    CHECK(report->times.largest_backward_step == 30);
    CHECK(report->times.duplicate_times == 2);
    CHECK(report->times.identical_duplicates == 1);
    CHECK(report->times.conflicting_duplicates == 1);
    CHECK(report->times.samples == 8);
    CHECK(warned(*report, "sorted"));
  }
  CHECK(warned(first.report, "duplicates"));
  CHECK_FALSE(warned(event.report, "duplicates"));
  require_error<fd::ParseError>([&] { (void)read(fd::Duplicates::error); },
                                "10_unsorted_duplicates.csv:7:1: ", "the other one in line 3",
                                "2 stamps occur more than once, 1 with identical and 1 with", "duplicates", "'10 s'");
  require_error<fd::ParseError>(
      [] { (void)fd::read_csv<double>(data + "10_unsorted_duplicates.csv", {.order = fd::RowOrder::error}); },
      "10_unsorted_duplicates.csv:3:1: ", "order", "'10 s'");
}

TEST_CASE("case 12: a simulation file keeps both sides of an event, quoted names and no empty last column") {
  const auto file = fd::read_csv<double>(data + "12_modelica_events.csv", {.duplicates = fd::Duplicates::event});
  CHECK(file.report.time_columns == std::vector<std::string>{"time"});
  CHECK(names(file.series) == std::vector<std::string>{"x[1,2]", "der(x[1,2],1)"});
  CHECK(file.series.size() == 7);
  CHECK(file.report.times.event_times == 2);
  CHECK(file.report.times.conflicting_duplicates == 2);
  const auto x = fd::channel(file.series, "x[1,2]");
  CHECK(x.value(2.0, fd::Side::left) == 1.0);
  CHECK(x.value(2.0) == 5.0);
  CHECK(x.value(6.0, fd::Side::left) == 3.0);
  CHECK(x.value(6.0) == -1.0);
  const Doubles grid{1, 1, 5, 4, 3, 3, -1, -1, -1, -1};
  for (std::size_t k = 0; k < grid.size(); ++k) CHECK(x.value(static_cast<double>(k)) == grid[k]);
  CHECK(file.report.text_columns.empty());
  CHECK_THROWS_AS(fd::read_csv<double>(data + "12_modelica_events.csv"), fd::ParseError);
}

TEST_CASE("case 03: a logger file with a station line, units and processing rows") {
  const auto file = fd::read_csv(data + "03_logger_header_rows.dat",
                                 {.names_row = 2, .units_row = 3, .first_data_row = 5, .time_columns = {"TIMESTAMP"}});
  REQUIRE(file.series.size() == 4);
  CHECK(ticks(file.series)[0] == 1699228799900000000);
  CHECK(ticks(file.series)[3] == 1699228800200000000);
  REQUIRE(file.report.channels.size() == 4);
  CHECK(file.report.channels[1].name == "Pabs");
  CHECK(file.report.channels[1].unit == "kPa");
  CHECK(file.report.channels[2].unit == "Deg C");
  CHECK(file.report.channels[2].bad == 1);
  CHECK(file.report.channels[2].reasons[0].text == "NAN");
  CHECK(file.report.channels[1].bad == 1);
  CHECK(std::isinf(file.series(3, 1)));
  CHECK(file.series(3, 1) < 0);
  CHECK(std::isnan(file.series(1, 2)));
  CHECK(file.report.names_row == 2);
  CHECK(file.report.units_row == 3);
  CHECK(file.report.first_data_row == 5);
}

TEST_CASE("case 04: states in a numeric column are bad samples with their text, a measured zero is a value") {
  const auto file = fd::read_csv(data + "04_historian_text_states.csv");
  REQUIRE(file.series.size() == 11);
  const auto& channel = file.report.channels.at(0);
  CHECK(channel.name == "FI-204.PV");
  CHECK(channel.good == 6);
  CHECK(channel.bad == 5);
  REQUIRE(channel.first_bad.size() == 5);
  CHECK(channel.first_bad[2].line == 7);
  CHECK(channel.first_bad[2].text == "[-11059] No Good Data For Calculation");
  CHECK(channel.reasons[3].text.empty());
  CHECK(file.series(6) == 0);
  CHECK(std::isnan(file.series(2)));
}

TEST_CASE("case 02: an export with decimal commas is read as the options say") {
  const auto file =
      fd::read_csv(data + "02_excel_eu_export.csv",
                   {.delimiter = ';', .decimal = ',', .thousands = '.', .time_format = "%d.%m.%Y %H:%M:%S"});
  REQUIRE(file.series.size() == 4);
  CHECK(file.series.channel_names()[0] == "Druck [bar]");
  CHECK(values(file.series, 0) == Doubles{12.5, 12, 1012.75, 13});
  CHECK(values(file.series, 1) == Doubles{-1.25, 0, 0.25, 3});
  CHECK(file.report.text_columns == std::vector<std::string>{"Status"});
  CHECK(file.report.rows_empty == 1);
  CHECK(file.report.delimiter == ';');
  CHECK(file.report.zone_assumed);
  CHECK(warned(file.report, "zone assumed"));
}

TEST_CASE("the example of the design reads a file into a series that owns its samples") {
  const fd::Series plant = fd::read_csv(text("t,flow\n2024-01-01T00:00Z,1\n2024-01-01T00:01Z,2\n")).series;
  CHECK(plant.name() == "test");
  CHECK(plant.size() == 2);
}

TEST_CASE("numbers are what F10 says and nothing else") {
  const auto read = [](const std::string& cell) {
    const std::string bytes = "t,x\n0," + cell + "\n1,1\n";
    return fd::read_csv<double>(text(bytes)).series(0);
  };
  CHECK(read("1") == 1);
  CHECK(read("+1.5") == 1.5);
  CHECK(read("-.5") == -0.5);
  CHECK(read("5.") == 5);
  CHECK(read("1e3") == 1000);
  CHECK(read("1E+3") == 1000);
  CHECK(read("\"2.5\"") == 2.5);
  CHECK(read("  7\t ") == 7);
  CHECK(read("true") == 1);
  CHECK(read("FALSE") == 0);
  CHECK(read("0.1") == 0.1);
  CHECK(read("9007199254740993") == 9007199254740992.0);
  CHECK(read("179769313486231580793728971405301e276") == 1.79769313486231580793728971405301e308);
  CHECK(read("5e-324") == 5e-324);
  CHECK(read("1e-999") == 0);
  CHECK(std::isinf(read("1e999")));
  CHECK(read("-Infinity") == -std::numeric_limits<double>::infinity());
  for (const char* cell :
       {"nan", "NaN", "\"NAN\"", "",      "NA",  "n/a",   "null",   "0x10",    "1 kPa", "1e",    "e5",    ".",
        "-",   "+-1", "--1",     "1.2.3", "1d5", "1_000", "nan(1)", "infinit", "+true", "1e5.5", "12:30", "1/2"})
    CHECK(std::isnan(read(cell)));
}

TEST_CASE("floats are read as floats, not through double") {
  const auto file =
      fd::read_csv<double, float>(text("t,x\n0,0.1\n1,16777217\n2,1e39\n3,1.00000017881393432617187499\n"));
  CHECK(file.series(0) == 0.1F);
  CHECK(file.series(3) == 1.00000017881393432617187499F);
  CHECK(std::isinf(file.series(2)));
  CHECK(file.report.channels[0].inexact_integers == 1);
  CHECK(file.report.channels[0].bad == 1);
}

TEST_CASE("integers that a double cannot hold are counted") {
  const auto file = fd::read_csv<double>(
      text("t,x\n0,9007199254740993\n1,9007199254740992\n2,-9007199254740993\n3,100000000000000000000000\n4,1e23\n"
           "5,0000000000000000000001\n"));
  CHECK(file.report.channels[0].inexact_integers == 3);
  CHECK(warned(file.report, "inexact integers"));
}

TEST_CASE("sentinels, a largest magnitude and numbers named as missing are bad only if the caller says so") {
  const auto bytes = text("t,x\n0,-9999\n1,1\n2,1e29\n3,-1e30\n4,-1\n");
  CHECK(fd::read_csv<double>(bytes).report.channels[0].bad == 0);
  const auto file = fd::read_csv<double>(bytes, {.na = {"-1"}, .sentinels = {-9999}, .max_abs = 1e29});
  CHECK(file.report.channels[0].sentinels == 3);
  CHECK(file.report.channels[0].bad == 4);
  CHECK(file.report.channels[0].good == 1);
  CHECK(file.report.channels[0].reasons[0].text == "-9999");
  CHECK(std::isnan(file.series(4)));
  CHECK_THROWS_AS(fd::read_csv<double>(bytes, {.max_abs = 0.0}), fd::InputError);
}

TEST_CASE("a column without a number is text and no channel, unless the caller names it") {
  const auto bytes = text("t,state,x,clock,empty\n0,on,1,12:00,\n1,off,,12:01,\n");
  const auto file = fd::read_csv<double>(bytes);
  CHECK(names(file.series) == std::vector<std::string>{"x"});
  CHECK(file.report.text_columns == std::vector<std::string>{"state", "clock", "empty"});
  const auto named = fd::read_csv<double>(bytes, {.channels = {"state", 3}});
  CHECK(names(named.series) == std::vector<std::string>{"state", "x"});
  CHECK(named.report.channels[0].bad == 2);
  CHECK(named.series(0, 1) == 1);
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t,a\n0,on\n")); },
                                "test.csv:2:1: ", "no column beside the time holds a number");
}

TEST_CASE("channels are chosen by name or position, in the order asked for") {
  const auto bytes = text("t,a,b,c\n0,1,2,3\n1,4,5,6\n");
  const auto file = fd::read_csv<double>(bytes, {.channels = {"c", 2}});
  CHECK(names(file.series) == std::vector<std::string>{"c", "a"});
  CHECK(values(file.series, 0) == Doubles{3, 6});
  CHECK(values(file.series, 1) == Doubles{1, 4});
  CHECK(file.report.channels[1].position == 2);
  require_error<fd::InputError>([&] { (void)fd::read_csv<double>(bytes, {.channels = {"d"}}); }, "channels", "'d'",
                                "'t', 'a', 'b', 'c'");
  for (const int position : {0, 5, -1})
    require_error<fd::InputError>([&] { (void)fd::read_csv<double>(bytes, {.channels = {position}}); },
                                  "positions 1 to 4");
  require_error<fd::InputError>([&] { (void)fd::read_csv<double>(bytes, {.channels = {"a", 2}}); }, "twice");
}

TEST_CASE("columns that are not kept are not parsed") {
  CHECK(fd::read_csv<double>(text("t,a,b\n0,1,\"1,234\"\n"), {.channels = {"a"}}).series.channels() == 1);
  CHECK_THROWS_AS(fd::read_csv<double>(text("t,a,b\n0,1,\"1,234\"\n")), fd::ParseError);
}

TEST_CASE("the stamp may stand in any column or be joined from several") {
  const auto file = fd::read_csv(text("x,date,clock,y\n1,2024-02-29,23:59:59.5,2\n3,2024-02-29,24:00,4\n"),
                                 {.time_columns = {"date", 3}});
  CHECK(ticks(file.series) == std::vector<std::int64_t>{1709251199500000000, 1709251200000000000});
  CHECK(values(file.series, 1) == Doubles{2, 4});
  CHECK(file.report.time_columns == std::vector<std::string>{"date", "clock"});
  require_error<fd::ParseError>(
      [] {
        (void)fd::read_csv(text("x,date,clock\n1,2024-02-30,10:00\n"), {.time_columns = {"date", "clock"}});
      },
      "test.csv:2:3: the day does not exist: '2024-02-30 10:00'");
}

TEST_CASE("the unit of numeric stamps comes from the option, the name or the units row, never from their size") {
  CHECK(ticks(fd::read_csv(text("time_ms,x\n1500,1\n")).series)[0] == 1'500'000'000);
  CHECK(times(fd::read_csv<double>(text("time [h],x\n0.1,1\n")).series)[0] == 360);
  CHECK(times(fd::read_csv<double>(text("time,x\n0.1,1\n")).series)[0] == 0.1);
  const auto file = fd::read_csv<double>(text("time,x\nms,kPa\n250,1\n"), {.units_row = 2});
  CHECK(times(file.series)[0] == 0.25);
  CHECK(file.report.time_unit == fd::TimeUnit::ms);
  CHECK(file.report.time_unit_found_by == fd::FoundBy::units_row);
  CHECK(file.report.channels[0].unit == "kPa");
  const auto option = fd::read_csv(text("time_ms,x\n1500,1\n"), {.time_unit = fd::TimeUnit::us});
  CHECK(ticks(option.series)[0] == 1'500'000);
  CHECK(option.report.time_unit_found_by == fd::FoundBy::option);
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t [s],x\nms,kPa\n250,1\n"), {.units_row = 2}); },
                                "time_unit");
}

TEST_CASE("dates do not fit into double, and other date orders need the time format") {
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t,x\n2024-01-01,1\n")); },
                                "test.csv:2:1: ", "Timestamp", "elapsed()");
  require_error<fd::ParseError>([] { (void)fd::read_csv(text("t,x\n03/04/2024,1\n")); },
                                "test.csv:2:1: ", "time_format", "'03/04/2024'");
  require_error<fd::ParseError>([] { (void)fd::read_csv(text("t,x\n2024-01-01T00:00Z,1\n2024-01-01T00:01,1\n")); },
                                "test.csv:3:1: stamps with and without an offset");
  require_error<fd::ParseError>(
      [] {
        (void)fd::read_csv(text("t,x\n2024-01-01T00:00Z,1\n2024-01-01T00:01,1\n"), {.bad_rows = fd::BadRows::skip});
      },
      "test.csv:3:1: stamps with and without an offset");
}

TEST_CASE("a given zone replaces the assumption") {
  const auto bytes = text("t,x\n2024-01-01T01:00,1\n");
  const auto assumed = fd::read_csv(bytes);
  CHECK(assumed.report.zone_assumed);
  CHECK(assumed.report.zone == "UTC");
  const auto given = fd::read_csv(bytes, {.zone = fd::Zone::fixed(1h)});
  CHECK(ticks(given.series)[0] == 1704067200'000'000'000);
  CHECK_FALSE(given.report.zone_assumed);
  CHECK(given.report.zone == "+01:00");
  CHECK_FALSE(fd::read_csv(bytes, {.zone = fd::Zone::utc()}).report.zone_assumed);
  CHECK_FALSE(fd::read_csv<double>(text("t,x\n0,1\n")).report.zone_assumed);
}

TEST_CASE("bad rows are an error, or skipped and counted with line and reason") {
  const auto bytes = text("t,x\nstart,0\n0,1\n1,2,3\n2\n,4\nx,5\nnan,6\n3,7\n");
  require_error<fd::ParseError>([&] { (void)fd::read_csv<double>(bytes); }, "test.csv:2:1: ", "'start'");
  const auto file = fd::read_csv<double>(bytes, {.bad_rows = fd::BadRows::skip});
  CHECK(times(file.series) == Doubles{0, 3});
  CHECK(file.report.rows == 2);
  CHECK(file.report.rows_bad == 6);
  REQUIRE(file.report.first_bad_rows.size() == 6);
  CHECK(file.report.first_bad_rows[1].line == 4);
  CHECK(file.report.first_bad_rows[1].reason == "the row has 3 fields instead of 2: '3'");
  CHECK(file.report.first_bad_rows[3].reason == "the stamp is empty: ''");
  CHECK(warned(file.report, "bad rows"));
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t,x\n0,1\n1,2,3\n")); },
                                "test.csv:3:5: the row has 3 fields instead of 2: '3'");
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t,x\n0,1\n1\n")); },
                                "test.csv:3:1: the row has 1 field instead of 2");
  require_error<fd::ParseError>(
      [] { (void)fd::read_csv<double>(text("t,x\na,1\nb,2\n"), {.bad_rows = fd::BadRows::skip}); },
      "all 2 data rows are bad", "line 2");
}

TEST_CASE("the report keeps the first ten bad samples and counts reasons without limit on rows") {
  std::string bytes = "t,x\n";
  for (int i = 0; i < 400; ++i)
    bytes += std::to_string(i) + (i % 4 == 0 ? ",1\n" : i % 4 == 1 ? ",Bad\n" : ",e" + std::to_string(i) + "\n");
  const auto file = fd::read_csv<double>(text(bytes));
  const auto& channel = file.report.channels[0];
  CHECK(channel.bad == 300);
  CHECK(channel.good == 100);
  CHECK(channel.first_bad.size() == 10);
  CHECK(channel.reasons.size() == 100);
  CHECK(channel.reasons[0].text == "Bad");
  CHECK(channel.reasons[0].count == 100);
  CHECK(channel.other_reasons == 300 - 100 - 99);
}

TEST_CASE("steps, period and gaps are reported") {
  const auto regular = fd::read_csv<double>(text("t,x\n0,1\n0.5,2\n1,3\n")).report.times;
  CHECK(regular.period == 0.5);
  CHECK(regular.median_step == 0.5);
  CHECK(regular.gaps == 0);
  const auto file = fd::read_csv<double>(text("t,x\n0,1\n1,2\n2,3\n10,4\n12,5\n"), {.max_gap = 1.5});
  CHECK(file.series.max_gap() == 1.5);
  const auto& times_report = file.report.times;
  CHECK_FALSE(times_report.period);
  CHECK(times_report.median_step == 1.5);
  CHECK(times_report.gaps == 2);
  REQUIRE(times_report.longest_gap);
  CHECK(times_report.longest_gap->seconds == 8);
  CHECK(times_report.longest_gap->begin == "2 s");
  CHECK(times_report.first_gaps[1].end == "12 s");
  CHECK(times_report.first == "0 s");
  CHECK(times_report.last == "12 s");
  CHECK(warned(file.report, "gaps"));
  CHECK(fd::read_csv<double>(text("t,x\n0,1\n")).report.times.median_step == std::nullopt);
}

TEST_CASE("channels of zeros and ones that are read as linear look discrete") {
  const auto bytes = text("t,on,x\n0,0,1\n1,true,2\n2,,0\n");
  const auto file = fd::read_csv<double>(bytes);
  CHECK(file.report.channels[0].looks_discrete);
  CHECK_FALSE(file.report.channels[1].looks_discrete);
  CHECK(warned(file.report, "looks discrete"));
  const auto held = fd::read_csv<double>(bytes, {.interpolation = fd::Interpolation::hold});
  CHECK(held.series.interpolation() == fd::Interpolation::hold);
  CHECK_FALSE(warned(held.report, "looks discrete"));
}

TEST_CASE("the name of the series is the option or the stem of the file") {
  CHECK(fd::read_csv<double>(text("t,x\n0,1\n"), {.name = "plant"}).series.name() == "plant");
  CHECK(fd::read_csv<double>(fd::CsvText{"t,x\n0,1\n"}).series.name() == "text");
  std::istringstream stream("t,x\n0,1\n");
  CHECK(fd::read_csv<double>(stream).series.name() == "stream");
}

TEST_CASE("a file that cannot be opened is named with the reason") {
  require_error<std::system_error>([] { (void)fd::read_csv("/no/such/plant.csv"); }, "/no/such/plant.csv",
                                   "No such file");
  require_error<std::system_error>([] { (void)fd::read_csv(FIDELITY_TEST_DATA); }, FIDELITY_TEST_DATA, "directory");
}

TEST_CASE("nothing to read is an error, never an empty series") {
  for (const char* bytes : {"", "\n", "t,x\n", "t,x", "\xEF\xBB\xBF", "\n\n;;\n", "sep=;\n", "t,x\n,\n , \n"})
    require_error<fd::ParseError>([&] { (void)fd::read_csv<double>(text(bytes)); }, "test.csv:", "no data rows");
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t\n0\n1\n")); }, "one column only");
}

TEST_CASE("stamps that are too far apart for the time type are an error of the file") {
  require_error<fd::ParseError>([] { (void)fd::read_csv<double>(text("t,x\n-1.7e308,1\n1.7e308,2\n")); }, "span");
  require_error<fd::ParseError>([] { (void)fd::read_csv(text("t,x\n1678-01-01,1\n2261-01-01,2\n")); }, "span");
}

TEST_CASE("a max_gap that is not positive is an error of the call") {
  CHECK_THROWS_AS(fd::read_csv<double>(text("t,x\n0,1\n"), {.max_gap = 0.0}), std::invalid_argument);
}
