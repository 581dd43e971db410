// SPDX-License-Identifier: MIT
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <fidelity/io/timestamp.hpp>

#include "catch.hpp"

namespace fd = fidelity;
using namespace std::chrono;
using namespace std::chrono_literals;

namespace {
std::int64_t nano(const char* text, const fd::TimeFormat<>& format = {}) {
  return fd::parse_time(text, format).time_since_epoch().count();
}
std::string iso(const char* text, const fd::TimeFormat<>& format = {}) {
  return fd::to_text(fd::parse_time(text, format));
}
}  // namespace

TEST_CASE("an ISO 8601 stamp is read with its own offset, exactly to the nanosecond") {
  CHECK(nano("2025-03-30T01:59:30+01:00") == 1743296370000000000);
  CHECK(nano("2025-03-30T03:00:00+02:00") == 1743296400000000000);
  CHECK(nano("2025-03-30T01:00:30Z") == 1743296430000000000);
  CHECK(nano("2025-03-30 06:31:00+0530") == 1743296460000000000);
  CHECK(nano("2025-03-30T01:01:30.250000001Z") == 1743296490250000001);
  CHECK(nano("2025-03-29T20:02:00-05:00") == 1743296520000000000);
  CHECK(nano("2025-03-30T02:02+01") == 1743296520000000000);
  CHECK(nano("1970-01-01") == 0);
  CHECK(nano("1969-12-31T23:59:59.999999999") == -1);
  CHECK(nano("2025-03-30 6:05:00") == nano("2025-03-30T06:05:00"));
}

TEST_CASE("a fraction of a second has up to nine digits after a point or a comma, further ones must be zeros") {
  CHECK(nano("1970-01-01T00:00:00.5") == 500'000'000);
  CHECK(nano("1970-01-01T00:00:00,5") == 500'000'000);
  CHECK(nano("1970-01-01T00:00:00.000000001") == 1);
  CHECK(nano("1970-01-01T00:00:00.00000000100000") == 1);
  require_error<fd::ParseError>([] { (void)nano("1970-01-01T00:00:00.0000000001"); }, "at most nine decimals");
  require_error<fd::ParseError>([] { (void)nano("1970-01-01T00:00:00."); }, "needs digits");
}

TEST_CASE("hour 24 is midnight of the next day, any other hour 24 is bad") {
  CHECK(nano("2023-12-31 24:00") == 1704067200'000'000'000);
  CHECK(nano("2023-12-31 24:00:00") == 1704067200'000'000'000);
  CHECK(nano("2023-12-31T24:00:00.0Z") == 1704067200'000'000'000);
  for (const char* text : {"2023-12-31 24:30", "2023-12-31 24:00:01", "2023-12-31T24:00:00.1"})
    require_error<fd::ParseError>([&] { (void)nano(text); }, "hour 24 is midnight only", text);
}

TEST_CASE("days, hours, minutes and seconds that do not exist are refused") {
  require_error<fd::ParseError>([] { (void)nano("2023-02-29"); }, "stamp:1:1: the day does not exist: '2023-02-29'");
  require_error<fd::ParseError>([] { (void)nano("2023-13-01"); }, "the day does not exist");
  require_error<fd::ParseError>([] { (void)nano("2023-00-01"); }, "the day does not exist");
  require_error<fd::ParseError>([] { (void)nano("2023-04-31T10:00"); }, "the day does not exist");
  require_error<fd::ParseError>([] { (void)nano("2023-04-30T25:00"); }, "hour");
  require_error<fd::ParseError>([] { (void)nano("2023-04-30T10:60"); }, "minute");
  require_error<fd::ParseError>([] { (void)nano("2016-12-31T23:59:60Z"); }, "second");
}

TEST_CASE("texts that only resemble ISO 8601 are refused and the option is named") {
  for (const char* text :
       {"2023-1-1", "23-01-01", "2023-01-01X10:00", "2023-01-01T1:00", "2023-01-01T10", "2023-01-01T10:0",
        "2023-01-01T10:00:1", "2023-01-01T10:00 Z", "2023-01-01T10:00z", "2023/01/01", "01.02.2023",
        "2023-01-01T10:00:00Zjunk", "2023-01-01T10:00,5", "", "yesterday"})
    require_error<fd::ParseError>([&] { (void)nano(text); }, "time_format");
  require_error<fd::ParseError>([] { (void)nano("2023-01-01T10:00:00+1"); }, "the offset from UTC");
}

TEST_CASE("stamps with and without an offset do not mix, nor do dates with and without a time of day") {
  fd::TimeReader<> reader;
  CHECK(reader("2025-01-01T00:00Z") < reader("2025-01-01T00:00-01:00"));
  require_error<fd::ParseError>([&] { (void)reader("2025-01-01T00:00"); }, "with and without an offset");
  fd::TimeReader<> dates;
  CHECK(dates("2025-01-02") - dates("2025-01-01") == 24h);
  require_error<fd::ParseError>([&] { (void)dates("2025-01-01T00:00"); }, "with and without a time of day");
  require_error<fd::ParseError>([&] { (void)dates("17"); }, "ISO 8601");
}

TEST_CASE("the years 1678 to 2261 are read, others are refused") {
  CHECK(iso("1678-01-01T00:00Z") == "1678-01-01T00:00:00.000000000Z");
  CHECK(iso("2261-12-31T23:59:59.999999999Z") == "2261-12-31T23:59:59.999999999Z");
  for (const char* text : {"1677-12-31T23:59:59.999999999Z", "2262-01-01T00:00Z", "1678-01-01T00:00+00:01",
                           "2261-12-31T23:59-00:01", "2261-12-31T24:00", "0001-01-01", "9999-12-31"})
    require_error<fd::ParseError>([&] { (void)nano(text); }, "outside the years 1678 to 2261");
  require_error<fd::ParseError>([] { (void)nano("9223372036854775807", {.unit = fd::TimeUnit::ns}); },
                                "outside the years");
  require_error<fd::ParseError>([] { (void)nano("1e30", {.unit = fd::TimeUnit::ns}); }, "outside the years");
  require_error<fd::ParseError>([] { (void)nano("1e999999999999999999999", {.unit = fd::TimeUnit::d}); }, "outside");
}

TEST_CASE("numeric stamps are converted by their digits, never through double") {
  using enum fd::TimeUnit;
  CHECK(nano("1718000000.125", {.unit = s}) == 1718000000125000000);
  CHECK(nano("1718000000000000001", {.unit = fd::TimeUnit::ns}) == 1718000000000000001);
  CHECK(nano("999999940000", {.unit = ms}) == 999999940000000000);
  CHECK(nano("0.0025", {.unit = h}) == 9'000'000'000);
  CHECK(nano("-0.0025", {.unit = h}) == -9'000'000'000);
  CHECK(nano("1.5", {.unit = min}) == 90'000'000'000);
  CHECK(nano("0.1", {.unit = d}) == 8'640'000'000'000);
  CHECK(nano("7", {.unit = us}) == 7000);
  CHECK(nano("+1.718e9", {.unit = s}) == 1718000000000000000);
  CHECK(nano("1718000000125E-3", {.unit = s}) == 1718000000125000000);
  CHECK(nano("19876.123456789012345", {.unit = d}) == 1717297066666570667);
}

TEST_CASE("what is finer than a nanosecond is rounded half to even") {
  const fd::TimeFormat<> in_ns{.unit = fd::TimeUnit::ns};
  CHECK(nano("0.5", in_ns) == 0);
  CHECK(nano("1.5", in_ns) == 2);
  CHECK(nano("2.5", in_ns) == 2);
  CHECK(nano("-0.5", in_ns) == 0);
  CHECK(nano("-1.5", in_ns) == -2);
  CHECK(nano("2.50000000000000000000000000000000000000000000001", in_ns) == 3);
  CHECK(nano("2.49999999999999999999999999999999999999999999999", in_ns) == 2);
  CHECK(nano("2.5000000000000000000000000000000000000000000000", in_ns) == 2);
  CHECK(nano("1e-400", in_ns) == 0);
  CHECK(nano("0.0000000015", {.unit = fd::TimeUnit::s}) == 2);
  CHECK(nano(("0." + std::string(200, '0') + "1e201").c_str(), in_ns) == 1);
}

TEST_CASE("numbers with a random number of decimals agree with integer arithmetic") {
  std::mt19937_64 random(7);
  for (int k = 0; k < 20000; ++k) {
    const auto whole = static_cast<std::int64_t>(random() % 4'000'000'000U);
    const auto rest = static_cast<std::int64_t>(random() % 1'000'000'000U);
    std::string digits = std::to_string(rest);
    digits.insert(0, 9 - digits.size(), '0');
    const std::string text = (k % 2 ? "-" : "") + std::to_string(whole) + "." + digits;
    CHECK(nano(text.c_str(), {.unit = fd::TimeUnit::s}) == (k % 2 ? -1 : 1) * (whole * 1'000'000'000 + rest));
  }
}

TEST_CASE("numeric stamps count from the origin") {
  const fd::Timestamp origin = fd::parse_time("2024-01-01T00:00Z");
  CHECK(iso("1.5", {.unit = fd::TimeUnit::h, .origin = origin}) == "2024-01-01T01:30:00.000000000Z");
  CHECK(fd::parse_time<double>("1.5", {.origin = 10.0}) == 11.5);
  require_error<fd::InputError>([&] { (void)nano("2024-01-01", {.origin = origin}); }, "time_origin");
}

TEST_CASE("absolute time needs a unit, double takes seconds") {
  require_error<fd::ParseError>([] { (void)nano("1718000000"); }, "time_unit");
  CHECK(fd::parse_time<double>("0.1") == 0.1);
  CHECK(fd::parse_time<double>("0.1", {.unit = fd::TimeUnit::h}) == 360);
  CHECK(fd::parse_time<double>("1e-320") == 1e-320);
  CHECK(fd::parse_time<double>("1e-320", {.unit = fd::TimeUnit::ms}) == 1e-323);
  for (const char* text : {"nan", "inf", "true", "0x10", "1 s", "1e999", ""})
    CHECK_THROWS_AS(fd::parse_time<double>(text), fd::ParseError);
  require_error<fd::ParseError>([] { (void)fd::parse_time<double>("2024-01-01T00:00Z"); }, "elapsed()", "Timestamp");
  require_error<fd::InputError>([] { (void)fd::parse_time<double>("1", {.pattern = "%Y-%m-%d"}); }, "elapsed()");
}

TEST_CASE("units of double stamps are converted with one rounding") {
  std::mt19937_64 random(11);
  for (int k = 0; k < 2000; ++k) {
    const auto n = static_cast<std::int64_t>(random() % 1'000'000'000'000U);
    const std::string text = std::to_string(n) + "e-7";
    const double value = fd::parse_time<double>(text, {.unit = fd::TimeUnit::min});
    CHECK(value == static_cast<double>(static_cast<long double>(n) * 60 / 10'000'000));
    CHECK(fd::parse_time<double>(std::to_string(n), {.unit = fd::TimeUnit::us}) == static_cast<double>(n) / 1e6);
  }
}

TEST_CASE("any tick of the system clock can be the target, and what it cannot hold is refused") {
  CHECK(fd::parse_time<sys_seconds>("2025-03-30T01:00:30+00:00") == sys_seconds{1743296430s});
  CHECK(fd::parse_time<sys_time<milliseconds>>("1970-01-01 00:00:00.250").time_since_epoch() == 250ms);
  CHECK(fd::parse_time<sys_days>("1970-01-03") == sys_days{days{2}});
  using Picoseconds = sys_time<duration<std::int64_t, std::pico>>;
  CHECK(fd::parse_time<Picoseconds>("3", {.unit = fd::TimeUnit::ns}).time_since_epoch().count() == 3000);
  require_error<fd::ParseError>([] { (void)fd::parse_time<sys_seconds>("1970-01-01T00:00:00.5"); },
                                "finer than the ticks");
  require_error<fd::ParseError>([] { (void)fd::parse_time<Picoseconds>("2025-01-01"); }, "range of the time type");
  require_error<fd::ParseError>([] { (void)fd::parse_time<sys_time<duration<int>>>("2050-01-01"); },
                                "range of the time type");
}

TEST_CASE("stamps without an offset are taken in the given zone, stamps with one keep it") {
  const fd::TimeFormat<> oslo{.zone = fd::Zone::fixed(1h)};
  CHECK(iso("2024-06-01T12:00", oslo) == "2024-06-01T11:00:00.000000000Z");
  CHECK(iso("2024-06-01T12:00Z", oslo) == "2024-06-01T12:00:00.000000000Z");
  CHECK(fd::to_text(fd::Zone::fixed(-(9h + 30min))) == "-09:30");
  CHECK(fd::to_text(fd::Zone::utc()) == "UTC");
  CHECK_THROWS_AS(fd::Zone::fixed(24h), fd::InputError);
}

TEST_CASE("a pattern reads other orders, with fewer digits and an optional fraction") {
  CHECK(iso("8/6/2025", {.pattern = "%d/%m/%Y"}) == "2025-06-08T00:00:00.000000000Z");
  CHECK(iso("8/6/2025", {.pattern = "%m/%d/%Y"}) == "2025-08-06T00:00:00.000000000Z");
  CHECK(iso("03.02.2024 08:10:00", {.pattern = "%d.%m.%Y %H:%M:%S"}) == "2024-02-03T08:10:00.000000000Z");
  CHECK(iso("03.02.2024   08:10:00.25", {.pattern = "%d.%m.%Y %H:%M:%S"}) == "2024-02-03T08:10:00.250000000Z");
  CHECK(iso("03.02.2024 08:10:00,25", {.pattern = "%d.%m.%Y %H:%M:%S.%f"}) == "2024-02-03T08:10:00.250000000Z");
  CHECK(iso("03.02.2024 08:10:00", {.pattern = "%d.%m.%Y %H:%M:%S.%f"}) == "2024-02-03T08:10:00.000000000Z");
  CHECK(iso("20240203081000123", {.pattern = "%Y%m%d%H%M%S%f"}) == "2024-02-03T08:10:00.123000000Z");
  CHECK(iso("2024-02-03T08:10+0130", {.pattern = "%Y-%m-%dT%H:%M%z"}) == "2024-02-03T06:40:00.000000000Z");
  CHECK(iso("1/2/69 12:00 am", {.pattern = "%d/%m/%y %I:%M %p"}) == "1969-02-01T00:00:00.000000000Z");
  CHECK(iso("1/2/68 12:00 PM", {.pattern = "%d/%m/%y %I:%M %p"}) == "2068-02-01T12:00:00.000000000Z");
  CHECK(iso("1/2/20 1:05 PM", {.pattern = "%d/%m/%y %I:%M %p"}) == "2020-02-01T13:05:00.000000000Z");
  CHECK(iso("2023-12-31 24:00", {.pattern = "%Y-%m-%d %H:%M"}) == "2024-01-01T00:00:00.000000000Z");
  CHECK(iso("5% 2024-01-02", {.pattern = "5%% %Y-%m-%d"}) == "2024-01-02T00:00:00.000000000Z");
  CHECK(iso("2024-01-02T03:04", {.pattern = "ISO 8601"}) == "2024-01-02T03:04:00.000000000Z");
}

TEST_CASE("a text that does not fit the pattern is refused") {
  for (const char* text : {"8/6/2025 10:00x", "8/6/25 10:00", "8-6-2025 10:00", "31/6/2025 10:00", "8/6/2025 10:60",
                           "8/6/2025", "8/6/2025 24:30", "123/6/2025 10:00"})
    CHECK_THROWS_AS(nano(text, {.pattern = "%d/%m/%Y %H:%M"}), fd::ParseError);
  for (const char* text : {"1/2/2020 0:05 PM", "1/2/2020 13:05 PM", "1/2/2020 1:05", "1/2/2020 1:05 xm"})
    CHECK_THROWS_AS(nano(text, {.pattern = "%d/%m/%Y %I:%M %p"}), fd::ParseError);
}

TEST_CASE("a pattern that cannot name an instant is an error of the call") {
  const auto refused = [](const char* pattern, const char* why) {
    require_error<fd::InputError>([&] { (void)nano("2024-01-01", {.pattern = pattern}); }, "time_format", why);
  };
  refused("%H:%M", "one year");
  refused("%Y-%m", "%d");
  refused("%Y-%y-%m-%d", "one year");
  refused("%Y-%m-%d %Q", "%Q is not one of");
  refused("%Y-%m-%d %", "percent sign");
  refused("%Y-%m-%d %d", "twice");
  refused("%Y-%m-%d %I", "%p");
  refused("%Y-%m-%d %H %p", "%p");
  refused("%Y-%m-%d %M", "hour");
  refused("%Y-%m-%d %H:%S", "%M");
  require_error<fd::InputError>([] { (void)nano("1", {.pattern = "%Y-%m-%d", .unit = fd::TimeUnit::s}); }, "give one");
}

TEST_CASE("the unit in a name is read at its end only") {
  CHECK(fd::unit_in_name("time_ms") == fd::TimeUnit::ms);
  CHECK(fd::unit_in_name("t [s]") == fd::TimeUnit::s);
  CHECK(fd::unit_in_name("Time[h]") == fd::TimeUnit::h);
  CHECK(fd::unit_in_name("time (min)") == fd::TimeUnit::min);
  CHECK(fd::unit_in_name("time_s") == fd::TimeUnit::s);
  CHECK(fd::unit_in_name("time [ d ]") == fd::TimeUnit::d);
  for (const char* name :
       {"time", "ms", "times", "time_", "time [bar]", "time_ms_utc", "", "[", "]", "t [s] x", "time_MS"})
    CHECK(fd::unit_in_name(name) == std::nullopt);
}

TEST_CASE("every day from 1678 to 2261 is read as itself") {
  std::int64_t expected = -9214560000'000'000'000;
  for (sys_days day = 1678y / January / 1; day < sys_days{2262y / January / 1}; day += days{1}) {
    const std::string text = fd::to_text(fd::Timestamp{day}).substr(0, 10);
    if (nano(text.c_str()) != expected) FAIL(text);
    expected += 86'400'000'000'000;
  }
}

TEST_CASE("serials of Excel count from the days of their system and 29 February 1900 never was") {
  using enum fd::TimeUnit;
  const auto day = [](const char* serial, fd::TimeUnit unit) { return iso(serial, {.unit = unit}).substr(0, 19); };
  CHECK(day("61", excel1900) == "1900-03-01T00:00:00");
  CHECK(day("59", excel1900) == "1900-02-28T00:00:00");
  CHECK(day("59.75", excel1900) == "1900-02-28T18:00:00");
  CHECK(day("1", excel1900) == "1900-01-01T00:00:00");
  CHECK(day("0", excel1904) == "1904-01-01T00:00:00");
  CHECK(day("59", excel1904) == "1904-02-29T00:00:00");
  CHECK(day("60", excel1904) == "1904-03-01T00:00:00");
  CHECK(day("43889", excel1904) == day("45351", excel1900));
  CHECK(day("59.99999999999", excel1900) == "1900-03-01T00:00:00");
  for (const char* serial : {"60", "60.5", "60.9999999999"})
    require_error<fd::ParseError>([&] { (void)nano(serial, {.unit = excel1900}); }, "a day that never was");
  for (const char* serial : {"0", "0.5", "0.99999999999"})
    require_error<fd::ParseError>([&] { (void)nano(serial, {.unit = excel1900}); }, "not below 1");
  require_error<fd::ParseError>([] { (void)nano("-0.1", {.unit = excel1904}); }, "negative");
  require_error<fd::ParseError>([] { (void)nano("200000", {.unit = excel1900}); }, "1678 to 2261");
  require_error<fd::ParseError>([] { (void)nano("2024-01-01", {.unit = excel1900}); }, "not a number");
  require_error<fd::InputError>([] { (void)fd::parse_time<double>("1", {.unit = excel1900}); }, "elapsed()");
  require_error<fd::InputError>([] { (void)nano("1", {.unit = excel1900, .origin = fd::Timestamp{}}); }, "time_origin");
}

TEST_CASE("serials are rounded half to even to a step of choice") {
  const auto rounded = [](const char* serial, nanoseconds step) {
    return nano(serial, {.unit = fd::TimeUnit::excel1904, .round_to = step}) -
           nano("0", {.unit = fd::TimeUnit::excel1904});
  };
  CHECK(rounded("0.0104166667", 1ms) == 900'000'000'000);
  CHECK(rounded("0.0104166667", 1ns) == 900'000'002'880);
  // 0.0625 d is 5400 s; 4320 ns are 0.00000000005 d.
  CHECK(rounded("0.00000000005", 8640ns) == 0);
  CHECK(rounded("0.00000000015", 8640ns) == 17280);
  CHECK(rounded("0.0000000000500000000000001", 8640ns) == 8640);
  CHECK(rounded("0.0000000000499999999999999", 8640ns) == 0);
  CHECK(rounded("0.00000000000001", 1ns) == 1);
  CHECK(rounded("0.00000000000001", 3ns) == 0);
  CHECK(rounded("0.00000000000002", 3ns) == 3);
  CHECK(rounded("0.00000000000001736111111111111111111111", 3ns) == 0);
  CHECK(rounded("0.00000000000001736111111111111111111112", 3ns) == 3);
  for (const auto step : {0ns, -1ns, nanoseconds{25h}})
    require_error<fd::InputError>([&] { (void)rounded("1", step); }, "round_to");
}

TEST_CASE("short numbers are read as from_chars reads them") {
  std::mt19937_64 random(13);
  int wrong = 0;
  int quick = 0;
  for (int k = 0; k < 30000; ++k) {
    std::string text = std::to_string(random() >> random() % 64);
    if (random() % 4 == 0) text.insert(0, random() % 6, '0');
    if (random() % 3 != 0) text.insert(random() % (text.size() + 1), ".");
    if (random() % 3 == 0) text.insert(0, "-");
    const auto check = [&](auto expected) {
      decltype(expected) found{};
      std::from_chars(text.data(), text.data() + text.size(), expected);
      if (!fd::detail::io::parse_short(text.data(), text.data() + text.size(), '.', found)) return;
      ++quick;
      if (found != expected || std::signbit(found) != std::signbit(expected)) ++wrong;
    };
    check(0.0);
    check(0.0F);
  }
  CHECK(wrong == 0);
  CHECK(quick > 15000);
  double value = 7;
  for (const std::string text :
       {"", "-", ".", "-.", "1e3", "1.2.3", "1,5", "+-1", "nan", "12345678901234567890", "0.00000000000000000000001"})
    CHECK_FALSE(fd::detail::io::parse_short(text.data(), text.data() + text.size(), '.', value));
  CHECK(value == 7);
}
