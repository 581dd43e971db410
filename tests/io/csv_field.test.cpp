// SPDX-License-Identifier: MIT
// What plant files bring along: dates whose order must be found, clocks that change, serials of Excel, status columns,
// values that belong to intervals, bad samples that may be held over.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>
#include <fidelity/series/statistics.hpp>

#include "catch.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
const std::string data = FIDELITY_TEST_DATA "/io/";
using Doubles = std::vector<double>;
using Seconds = std::vector<std::int64_t>;

fd::CsvFile<> read(std::string_view bytes, const fd::CsvOptions<>& options = {}) {
  return fd::read_csv(fd::CsvText{bytes, "test.csv"}, options);
}
fd::CsvFile<double> read_elapsed(std::string_view bytes, const fd::CsvOptions<double>& options = {}) {
  return fd::read_csv<double>(fd::CsvText{bytes, "test.csv"}, options);
}
Seconds epoch(const fd::SeriesBase<double, fd::Timestamp>& series) {
  Seconds all;
  for (const auto t : series.times())
    all.push_back(std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count());
  return all;
}
template <class Series>
Doubles times(const Series& series) {
  return {series.times().begin(), series.times().end()};
}
/// The values; -99 for a bad one.
template <class Series>
Doubles values(const Series& series, std::size_t channel = 0) {
  Doubles all;
  for (std::size_t i = 0; i < series.size(); ++i)
    all.push_back(std::isnan(series(i, channel)) ? -99 : series(i, channel));
  return all;
}
bool warned(const fd::LoadReport& report, std::string_view code) {
  for (const auto& warning : report.warnings)
    if (warning.code == code) return true;
  return false;
}
template <class Time>
void refused_call(std::string_view bytes, const fd::CsvOptions<Time>& options, const char* why) {
  require_error<fd::InputError>([&] { (void)fd::read_csv<Time>(fd::CsvText{bytes, "test.csv"}, options); }, why);
}
const char* const berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
}  // namespace

TEST_CASE("case 01: one row with day 13 decides the order of day and month for the whole column") {
  const Seconds expected{1715061600, 1715234400, 1715407200, 1715580000};
  const auto detected = fd::read_csv(data + "01_dayfirst.csv");
  CHECK(epoch(detected.series) == expected);
  CHECK(detected.report.time_format == "%d/%m/%Y %H:%M");
  CHECK(detected.report.time_format_found_by == fd::FoundBy::detection);
  CHECK(epoch(fd::read_csv(data + "01_dayfirst.csv", {.time_format = "%d/%m/%Y %H:%M"}).series) == expected);
  require_error<fd::ParseError>([] { (void)fd::read_csv(data + "01_all_ambiguous.csv"); },
                                "01_all_ambiguous.csv:2:1: ", "%d/%m/%Y or %m/%d/%Y", "time_format", "'03/04/2024'");
  CHECK(epoch(fd::read_csv(data + "01_all_ambiguous.csv", {.time_format = "%d/%m/%Y"}).series) ==
        Seconds{1712102400, 1712275200});
}

TEST_CASE("dates are proposed only where all rows agree on one reading") {
  const auto format = [](const std::string& first, const std::string& second) {
    return read("t;x\n" + first + ";1\n" + second + ";2\n").report.time_format;
  };
  CHECK(format("2024/02/03", "2024/02/04") == "%Y/%m/%d");
  CHECK(format("03.02.2024 8:10", "03.02.2024 08:15") == "%d.%m.%Y %H:%M");
  CHECK(format("2/13/2024 08:10:00.5", "2/14/2024 08:15:00") == "%m/%d/%Y %H:%M:%S");
  CHECK(format("13-2-2024 8:10 AM", "14-2-2024 12:00 pm") == "%d-%m-%Y %I:%M %p");
  CHECK(format("13-2-2024 8:10:01 AM", "14-2-2024 12:00:59 pm") == "%d-%m-%Y %I:%M:%S %p");
  CHECK(format("02-13-2024", "02-14-2024") == "%m-%d-%Y");
  // Day and month are equal in every row: all readings are the same instants, and the first is taken.
  CHECK(format("01/01/2024", "02/02/2024") == "%d/%m/%Y");
  const auto refused = [&](const std::string& first, const std::string& second, const char* why) {
    require_error<fd::ParseError>([&] { (void)format(first, second); }, why);
  };
  refused("13/02/2024", "02/13/2024", "the day does not exist (the rows before show %d/%m/%Y)");
  refused("03/02/2024", "04/02/2024", "time_format");
  refused("3.2.24", "4.2.24", "neither ISO 8601 nor a number");
  require_error<fd::ParseError>(
      [] { (void)read("t,x\n13/02/2024,1\n02/13/2024,2\n", {.bad_rows = fd::BadRows::skip}); },
      "test.csv:3:1: no one date format fits");
  const auto skipped = read("t,x\nstart,0\n03/02/2024,1\nend,2\n13/02/2024,3\n", {.bad_rows = fd::BadRows::skip});
  CHECK(skipped.report.rows_bad == 2);
  CHECK(epoch(skipped.series) == Seconds{1706918400, 1707782400});
  CHECK(read("13/05/2024 06:00,41.5\n14/05/2024 06:00,40\n").report.names_row == std::nullopt);
  require_error<fd::ParseError>([] { (void)read_elapsed("t,x\n13/05/2024,1\n"); }, "test.csv:2:1: ", "elapsed()");
  // Rows that the caller left out do not count.
  CHECK(read("t,k,x\n03/14/2024,b,1\n03/13/2024,a,1\n", {.where = {{"k", "a"}}}).report.time_format == "%m/%d/%Y");
}

TEST_CASE("date and time in two columns are one stamp also where their order must be found") {
  const auto file = read("date,clock,x\n13/05/2024,6:00:00 PM,1\n14/05/2024,12:00:00 AM,2\n", {.time_columns = {1, 2}});
  CHECK(epoch(file.series) == Seconds{1715623200, 1715644800});
  CHECK(file.report.time_format == "%d/%m/%Y %I:%M:%S %p");
}

TEST_CASE("case 05: local time across the autumn change by rule or list or database") {
  const std::string file = data + "05_dst_autumn_local.csv";
  const Seconds expected{1761435000, 1761436800, 1761438600, 1761440400, 1761442200, 1761444000};
  std::vector<fd::Zone> zones{fd::Zone::posix(berlin),
                              fd::Zone::transitions(2h, {{std::chrono::sys_seconds{1761440400s}, 1h}})};
  if (std::filesystem::exists("/usr/share/zoneinfo/Europe/Berlin")) zones.push_back(fd::Zone::named("Europe/Berlin"));
  for (const fd::Zone& zone : zones) {
    const auto inferred = fd::read_csv(file, {.zone = zone, .zone_mode = fd::ZoneMode::infer_by_order});
    CHECK(epoch(inferred.series) == expected);
    CHECK(inferred.report.zone == fd::to_text(zone));
    CHECK(inferred.report.rows_repeated_hour == 4);
    CHECK(warned(inferred.report, "repeated hour"));
    CHECK_FALSE(inferred.report.zone_assumed);
    for (const auto bad_rows : {fd::BadRows::error, fd::BadRows::skip})
      require_error<fd::ParseError>([&] { (void)fd::read_csv(file, {.zone = zone, .bad_rows = bad_rows}); },
                                    "05_dst_autumn_local.csv:3:1: ", "4 data rows (2 to 5)", "zone_mode",
                                    "'2025-10-26 02:00'");
  }
  const auto fixed = fd::read_csv(file, {.zone = fd::Zone::fixed(1h), .duplicates = fd::Duplicates::event});
  CHECK(fixed.report.times.backward_steps == 1);
  CHECK(fixed.report.times.samples == 6);
  CHECK(epoch(fixed.series) == Seconds{1761438600, 1761440400, 1761440400, 1761442200, 1761442200, 1761444000});
  const auto earlier =
      fd::read_csv(file, {.zone = zones[0], .zone_mode = fd::ZoneMode::earlier, .duplicates = fd::Duplicates::first});
  CHECK(epoch(earlier.series) == Seconds{1761435000, 1761436800, 1761438600, 1761444000});
}

TEST_CASE("local times that never were are listed in every mode") {
  std::string bytes = "t,x\n2025-03-30 01:45,1\n\n2025-03-30 02:15,2\n2025-03-30 02:45,3\n2025-03-30 03:15,4\n";
  bytes += "2026-03-29 02:00,5\n";
  using enum fd::ZoneMode;
  for (const auto mode : {strict, infer_by_order, earlier, later})
    require_error<fd::ParseError>(
        [&] { (void)read(bytes, {.zone = fd::Zone::posix(berlin), .zone_mode = mode, .bad_rows = fd::BadRows::skip}); },
        "test.csv:4:1: ", "skipped", "3 data rows (2, 3, 5)", "'2025-03-30 02:15'");
}

TEST_CASE("each group has its own order of rows") {
  const std::string rows = "2025-10-26 02:15,a,1\n2025-10-26 02:15,b,1\n2025-10-26 02:15,a,2\n2025-10-26 02:15,b,2\n";
  const fd::CsvOptions<> options{
      .group_by = {"k"}, .zone = fd::Zone::posix(berlin), .zone_mode = fd::ZoneMode::infer_by_order};
  const auto file = fd::read_csv_groups(fd::CsvText{"t,k,x\n" + rows, "test.csv"}, options);
  for (const auto& group : file.groups) CHECK(epoch(group.series) == Seconds{1761437700, 1761441300});
}

TEST_CASE("case 08: serials of Excel are days of the 1900 or the 1904 calendar rounded to milliseconds") {
  const auto milliseconds = [](fd::TimeUnit unit) {
    Seconds all;
    const auto file = fd::read_csv(data + "08_excel_serials.csv", {.time_unit = unit});
    CHECK(file.report.zone_assumed);
    CHECK(file.report.time_unit == unit);
    for (const auto t : file.series.times()) {
      CHECK(t.time_since_epoch() % 1ms == 0ns);
      all.push_back(t.time_since_epoch() / 1ms);
    }
    return all;
  };
  CHECK(milliseconds(fd::TimeUnit::excel1900) ==
        Seconds{1709164800000, 1709165700000, 1709208000000, 1709251199000, 1709251200000});
  CHECK(milliseconds(fd::TimeUnit::excel1904) ==
        Seconds{1835481600000, 1835482500000, 1835524800000, 1835567999000, 1835568000000});
  CHECK(epoch(read("t_excel1900;x\n45351,5;1,5\n").series) == Seconds{1709208000});
  const auto local = read("t,x\n45852.5,1\n", {.time_unit = fd::TimeUnit::excel1900, .zone = fd::Zone::posix(berlin)});
  CHECK(local.report.times.first == "2025-07-14T10:00:00.000000000Z");
  refused_call<double>("t,x\n1,1\n", {.time_unit = fd::TimeUnit::excel1900}, "elapsed()");
  refused_call<fd::Timestamp>("t,x\n1,1\n", {.time_unit = fd::TimeUnit::s, .round_to = 1ms}, "round_to");
}

TEST_CASE("a status column makes samples good or suspect or bad") {
  const std::string bytes = "t,q,a,b\n0,192,1,2\n1,24,8192,4\n2,64,5,NA\n3,999,7,8\n4,216,9,Bad Input\n5,24,x,\n";
  const fd::CsvOptions<double> opc{.quality_column = "q", .quality_map = fd::opc_quality()};
  const auto file = read_elapsed(bytes, opc);
  CHECK(values(file.series, 0) == Doubles{1, -99, -99, -99, 9, -99});
  CHECK(values(file.series, 1) == Doubles{2, -99, -99, -99, -99, -99});
  CHECK(file.series.channels() == 2);
  const auto& a = file.report.channels[0];
  CHECK(a.good == 2);
  CHECK(a.suspect == 1);
  CHECK(a.bad == 3);
  CHECK(file.report.channels[1].suspect == 0);
  CHECK(file.report.channels[1].bad == 5);
  CHECK(file.report.rows_unknown_status == 1);
  CHECK(file.report.quality_column == "q");
  REQUIRE(a.reasons.size() == 3);
  CHECK(a.reasons[0].text == "status 24");
  CHECK(a.reasons[1].text == "status 999");
  CHECK(a.reasons[2].text == "x");
  CHECK(warned(file.report, "unknown status"));
  CHECK(warned(file.report, "suspect samples"));

  fd::CsvOptions<double> use = opc;
  use.suspect = fd::Suspect::use;
  CHECK(values(read_elapsed(bytes, use).series) == Doubles{1, -99, 5, -99, 9, -99});
  CHECK(read_elapsed(bytes, use).report.channels[0].suspect == 1);
  use.channels = {"a", "q"};
  CHECK(read_elapsed(bytes, use).series.channels() == 2);
}

TEST_CASE("a mask cuts bits of a status and texts may be one") {
  const std::string bytes = "t,q,a\n0,1216,1\n1,1048,2\n2,-1,3\n3,Good,4\n4,good,5\n5,,6\n6,0xC0,7\n";
  const auto file = read_elapsed(
      bytes, {.quality_column = 2,
              .quality_mask = 0xFF,
              .quality_map = {{192, fd::Quality::good}, {255, fd::Quality::good}, {"Good", fd::Quality::good}}});
  CHECK(values(file.series) == Doubles{1, -99, 3, 4, -99, -99, -99});
  CHECK(file.report.rows_unknown_status == 4);
  refused_call<double>(bytes, {.quality_column = 2}, "quality_map");
  refused_call<double>(bytes, {.quality_map = fd::opc_quality()}, "quality_column");
  refused_call<double>(bytes, {.quality_column = "quality", .quality_map = fd::opc_quality()}, "no column 'quality'");
}

TEST_CASE("a value at the end of its interval moves to the stamp before it") {
  const std::string bytes = "t,x\n10,1\n20,2\n40,3\n";
  const auto end = read_elapsed(bytes, {.label = fd::Label::end, .period = 10.0});
  CHECK(times(end.series) == Doubles{0, 10, 20});
  CHECK(values(end.series) == Doubles{1, 2, 3});
  CHECK(end.series.interpolation() == fd::Interpolation::hold);
  CHECK(warned(end.report, "longer than period"));
  const auto dropped = read_elapsed(bytes, {.label = fd::Label::end});
  CHECK(times(dropped.series) == Doubles{10, 20});
  CHECK(values(dropped.series) == Doubles{2, 3});
  CHECK(warned(dropped.report, "first value dropped"));
  CHECK_FALSE(warned(dropped.report, "longer than period"));
  const auto begin = read_elapsed(bytes, {.label = fd::Label::begin});
  CHECK(times(begin.series) == Doubles{10, 20, 40});
  CHECK(begin.series.interpolation() == fd::Interpolation::hold);
  CHECK(fd::mean(end.series, {.begin = 0.0, .end = 40.0}).value == 2.25);
  CHECK(epoch(read("t,x,y\n2024-01-01T01:00Z,1,2\n", {.label = fd::Label::end, .period = 1h}).series) ==
        Seconds{1704067200});
  refused_call<double>(bytes, {.period = 10.0}, "period");
  refused_call<double>(bytes, {.label = fd::Label::end, .period = 0.0}, "period");
  refused_call<double>(bytes, {.label = fd::Label::end, .duplicates = fd::Duplicates::event}, "label");
  refused_call<fd::Timestamp>("t,x\n1678-01-01T00:00Z,1\n", {.label = fd::Label::end, .period = 1h}, "1678");
  require_error<fd::ParseError>([] { (void)read_elapsed("t,x\n1,2\n", {.label = fd::Label::end}); }, "period");
}

namespace {
fd::CsvFile<double> held(std::string_view bytes, fd::Interpolation interpolation, std::optional<double> max_gap = {}) {
  return read_elapsed(bytes, {.bad = fd::BadSamples::hold_over,
                              .duplicates = fd::Duplicates::event,
                              .interpolation = interpolation,
                              .max_gap = max_gap});
}
constexpr auto hold = fd::Interpolation::hold;
constexpr auto linear = fd::Interpolation::linear;
}  // namespace

TEST_CASE("hold over leaves rows without a good sample out") {
  const auto file = held("t,x\n0,1\n1,Bad\n2,inf\n3,4\n", hold);
  CHECK(times(file.series) == Doubles{0, 3});
  CHECK(file.report.rows_held_over == 2);
  CHECK(file.report.channels[0].bad == 2);
  CHECK(warned(file.report, "held over"));
  CHECK(read_elapsed("t,x\n0,1\n1,Bad\n2,4\n").series.size() == 3);
  require_error<fd::ParseError>(
      [] {
        (void)held("t,x,y\n0,NA,NA\n1,1,1\n2,nan,\n", hold);
        (void)held("t,x\n0,nan\n", hold);
      },
      "nothing of it");
}

TEST_CASE("hold over fills a bad sample beside a good one with the value of the signal") {
  const std::string bytes = "t,x,y\n0,,1\n1,1,2\n2,NA,3\n4,NA,4\n5,5,5\n6,bad,6\n";
  CHECK(values(held(bytes, hold).series) == Doubles{-99, 1, 1, 1, 5, 5});
  CHECK(values(held(bytes, linear).series) == Doubles{-99, 1, 2, 4, 5, -99});
  CHECK(values(held(bytes, hold).series, 1) == Doubles{1, 2, 3, 4, 5, 6});
  CHECK(values(held(bytes, linear, 4).series) == Doubles{-99, 1, 2, 4, 5, -99});
  CHECK(values(held(bytes, linear, 3.5).series) == Doubles{-99, 1, -99, -99, 5, -99});
  // A held value that would have to end between two stamps of the other channel cannot be written into samples.
  require_error<fd::InputError>([&] { (void)held(bytes, hold, 3.5); }, "max_gap", "'x'");
  CHECK(values(held("t,x,y\n0,1,1\n4,NA,2\n6,NA,3\n", hold, 3).series) == Doubles{1, -99, -99});
  // Both sides of an event.
  CHECK(values(held("t,x,y\n0,1,1\n2,NA,2\n2,3,3\n4,5,5\n", linear).series) == Doubles{1, 3, 3, 5});
  CHECK(values(held("t,x,y\n0,1,1\n2,3,2\n2,NA,3\n4,5,5\n", linear).series) == Doubles{1, 3, 3, 5});
  const double most = std::numeric_limits<double>::max();
  CHECK(values(held("t,x,y\n0,-1.7976931348623157e308,1\n1,NA,2\n2,1.7976931348623157e308,3\n", linear).series) ==
        Doubles{-most, 0, most});
}

TEST_CASE("case 02: a European export needs no option") {
  const auto file = fd::read_csv(data + "02_excel_eu_export.csv");
  CHECK(epoch(file.series) == Seconds{1706947200, 1706947500, 1706947800, 1706948100});
  CHECK(values(file.series, 0) == Doubles{12.5, 12, 1012.75, 13});
  CHECK(values(file.series, 1) == Doubles{-1.25, 0, 0.25, 3});
  CHECK(file.report.thousands == '.');
  CHECK(file.report.thousands_found_by == fd::FoundBy::detection);
  CHECK(file.report.time_format == "%d.%m.%Y %H:%M:%S");
  CHECK(file.report.decimal == ',');
}

TEST_CASE("case 04: a bad sample ends the validity of the value before it") {
  const auto file = fd::read_csv(data + "04_historian_text_states.csv", {.interpolation = hold});
  const fd::Timestamp ten{1710151200s};
  const auto mean = fd::mean(file.series, {.begin = ten, .end = ten + 1h});
  REQUIRE(mean.value);
  CHECK(*mean.value == Approx(34.0).epsilon(0).margin(1e-9));
  CHECK(mean.coverage == Approx(0.5).epsilon(0).margin(1e-12));
  const auto held_over =
      fd::read_csv(data + "04_historian_text_states.csv", {.bad = fd::BadSamples::hold_over, .interpolation = hold});
  CHECK(held_over.series.size() == 6);
  CHECK(*fd::mean(held_over.series, {.begin = ten, .end = ten + 1h}).value == Approx(42.3333333333).margin(1e-9));
}

TEST_CASE("case 12: a jump has no width and adds nothing to an integral") {
  const auto file = fd::read_csv<double>(data + "12_modelica_events.csv", {.duplicates = fd::Duplicates::event});
  const auto x = fd::channel(file.series, "x[1,2]");
  CHECK(*fd::integral(x, {.begin = 0.0, .end = 9.0}).value == Approx(13.0).epsilon(0).margin(1e-12));
  CHECK(*fd::mean(x, {.begin = 0.0, .end = 9.0}).value == Approx(1.4444444444444444).epsilon(0).margin(1e-12));
}
