// SPDX-License-Identifier: MIT
// Local times of zones that change their clocks, and the rules and files that say when they do.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/io/timestamp.hpp>

#include "catch.hpp"

namespace fd = fidelity;
using namespace std::chrono_literals;

namespace {
constexpr const char* berlin_rule = "CET-1CEST,M3.5.0,M10.5.0/3";

std::string utc(const char* local, const fd::Zone& zone, fd::ZoneMode mode = fd::ZoneMode::strict) {
  return fd::to_text(fd::parse_time(local, {.zone = zone, .zone_mode = mode})).substr(0, 19);
}

/// Sets a variable of the environment and puts it back.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* const old = std::getenv(name);
    had_ = old != nullptr;
    if (had_) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

void append(std::string& bytes, std::int64_t number, int width) {
  for (int i = width; i-- > 0;) bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFFU);
}

/// A TZif file: an empty block of version 1, then transitions {instant, type} and the offsets of the types.
std::string tzif(const std::vector<std::pair<std::int64_t, int>>& transitions, const std::vector<int>& offsets,
                 const std::string& rule, char version = '2') {
  std::string bytes;
  const auto header = [&](std::size_t times, std::size_t types) {
    bytes += "TZif";
    bytes += version;
    bytes += std::string(15 + 3 * 4, '\0');
    for (const std::size_t count : {times, types, types == 0 ? std::size_t{0} : std::size_t{4}})
      append(bytes, static_cast<std::int64_t>(count), 4);
  };
  header(0, 0);
  header(transitions.size(), offsets.size());
  for (const auto& [instant, type] : transitions) append(bytes, instant, 8);
  for (const auto& [instant, type] : transitions) append(bytes, type, 1);
  for (const int offset : offsets) {
    append(bytes, offset, 4);
    bytes += std::string(2, '\0');
  }
  if (!offsets.empty()) bytes += std::string("abc\0", 4);
  return bytes + "\n" + rule + "\n";
}
fd::Zone zone_of(const std::string& bytes) { return fd::Zone::file(fd::CsvText{bytes, "made.tz"}); }
}  // namespace

TEST_CASE("a POSIX rule gives the offset of every year") {
  const fd::Zone berlin = fd::Zone::posix(berlin_rule);
  CHECK(utc("2025-03-30 01:59:59", berlin) == "2025-03-30T00:59:59");
  CHECK(utc("2025-03-30 03:00:00", berlin) == "2025-03-30T01:00:00");
  CHECK(utc("2025-10-26 01:59:59", berlin) == "2025-10-25T23:59:59");
  CHECK(utc("2025-10-26 03:00:00", berlin) == "2025-10-26T02:00:00");
  CHECK(utc("1700-07-01 12:00", berlin) == "1700-07-01T10:00:00");
  CHECK(utc("2260-07-01 12:00", berlin) == "2260-07-01T10:00:00");
  CHECK(fd::to_text(berlin) == berlin_rule);
  const fd::Zone sydney = fd::Zone::posix("AEST-10AEDT,M10.1.0,M4.1.0/3");
  CHECK(utc("2025-01-01 00:00", sydney) == "2024-12-31T13:00:00");
  CHECK(utc("2025-07-01 00:00", sydney) == "2025-06-30T14:00:00");
  const fd::Zone nuuk = fd::Zone::posix("<-02>2<-01>,M3.5.0/-1,M10.5.0/0");
  CHECK(utc("2025-03-29 22:59:59", nuuk) == "2025-03-30T00:59:59");
  CHECK(utc("2025-03-30 00:00", nuuk) == "2025-03-30T01:00:00");
  CHECK(utc("2025-01-01 12:00", fd::Zone::posix("NST3:30NDT2:30,M3.2.0,M11.1.0")) == "2025-01-01T15:30:00");
  CHECK(utc("2025-07-01 12:00", fd::Zone::posix("IST-1GMT0,M10.5.0,M3.5.0/1")) == "2025-07-01T11:00:00");
  CHECK(utc("2025-07-01 12:00", fd::Zone::posix("UTC0")) == "2025-07-01T12:00:00");
  CHECK(utc("2025-07-01 12:00", fd::Zone::posix("XYZ+3:00:30")) == "2025-07-01T15:00:30");
}

TEST_CASE("days of the year are counted with and without 29 February") {
  const fd::Zone with = fd::Zone::posix("AAA0BBB,59/0,300/0");
  const fd::Zone without = fd::Zone::posix("AAA0BBB,J60/0,J300/0");
  CHECK(utc("2023-02-28 23:59", with) == "2023-02-28T23:59:00");
  CHECK(utc("2023-03-01 01:00", with) == "2023-03-01T00:00:00");
  CHECK(utc("2024-02-29 01:00", with) == "2024-02-29T00:00:00");
  CHECK(utc("2024-02-29 23:59", without) == "2024-02-29T23:59:00");
  CHECK(utc("2024-03-01 01:00", without) == "2024-03-01T00:00:00");
  const fd::Zone always = fd::Zone::posix("EST5EDT,0/0,J365/25");  // RFC 8536: summer time all year
  for (const char* local : {"2024-12-31 23:59", "2025-01-01 00:30", "2025-01-01 05:00", "2025-07-01 00:00"})
    CHECK(fd::parse_time(local, {.zone = always}) == fd::parse_time(local, {.zone = fd::Zone::fixed(-4h)}));
}

TEST_CASE("a text that is no POSIX rule is refused with the reason") {
  for (const char* rule : {"", "CE-1", "<ab", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0",
                           "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
                           "CET-1CEST,J0,J9", "CET-1CEST,J366,9", "CET-1CEST,M3.5.0/168,M10.5.0",
                           "CET-1CEST,M3.5.0,M10.5.0 ", "CET-1:60", "Europe/Berlin", "EST5EDT,0/0,J365/99"})
    require_error<fd::InputError>([&] { (void)fd::Zone::posix(rule); }, "fidelity::Zone::posix");
}

TEST_CASE("a repeated hour is refused or resolved as the mode says but a skipped one never") {
  const fd::Zone berlin = fd::Zone::posix(berlin_rule);
  using enum fd::ZoneMode;
  require_error<fd::ParseError>([&] { (void)utc("2025-10-26 02:30", berlin); }, "occurs twice", "zone_mode");
  CHECK(utc("2025-10-26 02:30", berlin, earlier) == "2025-10-26T00:30:00");
  CHECK(utc("2025-10-26 02:30", berlin, later) == "2025-10-26T01:30:00");
  CHECK(utc("2025-10-26 02:00", berlin, later) == "2025-10-26T01:00:00");
  for (const auto mode : {strict, infer_by_order, earlier, later}) {
    require_error<fd::ParseError>([&] { (void)utc("2025-03-30 02:00", berlin, mode); }, "skipped");
    require_error<fd::ParseError>([&] { (void)utc("2025-03-30 02:59:59.9", berlin, mode); }, "skipped");
    CHECK(utc("2025-03-30T02:30Z", berlin, mode) == "2025-03-30T02:30:00");
  }
}

namespace {
std::vector<std::string> in_order(std::initializer_list<const char*> stamps, const fd::Zone& zone) {
  fd::TimeReader<> reader({.zone = zone, .zone_mode = fd::ZoneMode::infer_by_order});
  std::vector<std::string> all;
  for (const char* stamp : stamps) all.push_back(fd::to_text(reader(stamp)).substr(11, 5));
  return all;
}
using Texts = std::vector<std::string>;
}  // namespace

TEST_CASE("the order of the rows tells the two occurrences apart") {
  const fd::Zone berlin = fd::Zone::posix(berlin_rule);
  CHECK(in_order({"2025-10-26 01:30", "2025-10-26 02:00", "2025-10-26 02:30", "2025-10-26 02:00", "2025-10-26 02:30",
                  "2025-10-26 03:00"},
                 berlin) == Texts{"23:30", "00:00", "00:30", "01:00", "01:30", "02:00"});
  CHECK(in_order({"2025-10-26 01:00", "2025-10-26 02:00", "2025-10-26 02:00", "2025-10-26 03:00"}, berlin) ==
        Texts{"23:00", "00:00", "01:00", "02:00"});
  // The next repeated hour begins with its first occurrence again.
  CHECK(in_order({"2025-10-26 02:40", "2025-10-26 02:20", "2026-10-25 02:30", "2026-10-25 02:30"}, berlin) ==
        Texts{"00:40", "01:20", "00:30", "01:30"});
  const auto refused = [&](std::initializer_list<const char*> stamps) {
    require_error<fd::ParseError>([&] { (void)in_order(stamps, berlin); }, "do not increase");
  };
  refused({"2025-10-26 02:00", "2025-10-26 02:00", "2025-10-26 02:30", "2025-10-26 02:30"});
  refused({"2025-10-26 03:00", "2025-10-26 02:30", "2025-10-26 02:00"});
  refused({"2025-06-01 03:00", "2025-06-01 02:30"});
  refused({"2025-10-26 02:00", "2025-10-26 02:30", "2025-10-26 02:00", "2025-10-26 02:30", "2025-10-26 02:10"});
}

TEST_CASE("a list of transitions is a zone") {
  const std::chrono::sys_seconds change{1761440400s};  // 2025-10-26T01:00Z
  const fd::Zone zone = fd::Zone::transitions(2h, {{change, 1h}});
  CHECK(utc("2025-10-26 01:30", zone) == "2025-10-25T23:30:00");
  CHECK(utc("2025-10-26 02:30", zone, fd::ZoneMode::later) == "2025-10-26T01:30:00");
  CHECK(utc("2025-12-26 02:30", zone) == "2025-12-26T01:30:00");
  CHECK(utc("2025-01-26 02:30", zone) == "2025-01-26T00:30:00");
  CHECK_THROWS_AS(fd::Zone::transitions(1h, {{change, 2h}, {change, 1h}}), fd::InputError);
  CHECK_THROWS_AS(fd::Zone::transitions(27h, {}), fd::InputError);
  // A whole day may be missing (Samoa, 2011), and a change may be half an hour (Lord Howe).
  const fd::Zone samoa = fd::Zone::transitions(-10h, {{std::chrono::sys_seconds{1325239200s}, 14h}});
  CHECK(utc("2011-12-29 23:59", samoa) == "2011-12-30T09:59:00");
  CHECK(utc("2011-12-31 00:00", samoa) == "2011-12-30T10:00:00");
  require_error<fd::ParseError>([&] { (void)utc("2011-12-30 12:00", samoa); }, "skipped");
}

TEST_CASE("every instant is one of the readings of its local time") {
  for (const char* rule : {berlin_rule, "AEST-10AEDT,M10.1.0,M4.1.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
                           "IST-1GMT0,M10.5.0,M3.5.0/1", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"}) {
    const fd::Zone zone = fd::Zone::posix(rule);
    const auto& rules = zone.rules();
    std::chrono::seconds offset = rules.before;
    std::size_t next = 0;
    int wrong = 0;
    std::size_t several = 0;
    for (std::chrono::seconds u = 1700000000s; u < 1740000000s; u += 599s) {
      while (next < rules.transitions.size() && rules.transitions[next].instant.time_since_epoch() <= u)
        offset = rules.transitions[next++].offset;
      const auto found = rules.find(u + offset);
      if (found.count < 1 || found.count > 2 || (found.first != offset && found.last != offset)) ++wrong;
      if ((found.count == 2) != (found.first != found.last) || (found.first < found.last)) ++wrong;
      several += found.count == 2 ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(several > 0);
  }
}

TEST_CASE("a time zone file gives its transitions and then its rule") {
  const fd::Zone zone = zone_of(tzif({{-2000000000, 1}, {0, 2}, {1000000000, 1}}, {3208, 3600, 7200}, "AAA-1"));
  CHECK(fd::to_text(zone) == "made");
  CHECK(utc("1800-01-01 00:53:28", zone) == "1800-01-01T00:00:00");
  CHECK(utc("1960-01-01 01:00", zone) == "1960-01-01T00:00:00");
  CHECK(utc("1980-01-01 02:00", zone) == "1980-01-01T00:00:00");
  CHECK(utc("2020-01-01 01:00", zone) == "2020-01-01T00:00:00");
  const fd::Zone ruled = zone_of(tzif({{0, 0}}, {3600, 7200}, berlin_rule));
  CHECK(utc("2024-07-01 02:00", ruled) == "2024-07-01T00:00:00");
  CHECK(utc("1969-07-01 01:00", ruled) == "1969-07-01T00:00:00");
  CHECK(utc("2024-07-01 02:00", zone_of(tzif({}, {3600}, berlin_rule))) == "2024-07-01T00:00:00");
  CHECK(utc("1960-01-01 02:00", zone_of(tzif({{-576460752303423488, 1}}, {0, 7200}, "AAA-2"))) ==
        "1960-01-01T00:00:00");
}

TEST_CASE("a time zone file that is broken or says too little is refused with its place") {
  const auto refused = [](const std::string& bytes, const char* why) {
    require_error<fd::ParseError>([&] { (void)zone_of(bytes); }, "made.tz:1:", why);
  };
  const std::string good = tzif({{0, 0}}, {3600}, "AAA-1");
  for (std::size_t size = 0; size + 1 < good.size(); ++size)
    CHECK_THROWS_AS(zone_of(good.substr(0, size)), fd::ParseError);
  refused("time,x\n0,1\n", "no time zone file");
  refused(tzif({{0, 0}}, {3600}, "AAA-1", '\0'), "version 1");
  refused(tzif({{0, 1}}, {3600}, "AAA-1"), "not in the file");
  refused(tzif({{0, 0}}, {3600}, ""), "after its last transition");
  refused(tzif({{0, 0}}, {3600}, "AAA-2"), "does not continue");
  refused(tzif({{0, 0}}, {3600}, "AAA"), "in the rule 'AAA'");
  refused(tzif({{5, 0}, {5, 0}}, {3600}, "AAA-1"), "do not increase");
  refused(tzif({}, {100000}, "AAA-1"), "longer than 26 h");
  refused(tzif({}, {}, "AAA-1"), "no offset");
  std::string leap = good;
  leap[44 + 31] = 1;
  refused(leap, "leap seconds");
  std::string endless = good;
  endless[44 + 32] = '\x7F';
  refused(endless, "too early");
}

TEST_CASE("a named zone comes from the folder of the system and only from there") {
  for (const char* name :
       {"localtime", "posixrules", "", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", ".", "Europe/"})
    require_error<fd::InputError>([&] { (void)fd::Zone::named(name); }, "Zone::named");
  {
    const Variable folder("TZDIR", "/no/such/folder");
    require_error<fd::InputError>([] { (void)fd::Zone::named("Europe/Oslo"); }, "TZDIR", "/no/such/folder");
  }
  {
    const Variable folder("TZDIR", FIDELITY_TEST_DATA);
    require_error<fd::InputError>([] { (void)fd::Zone::named("Europe/Oslo"); }, "no zone 'Europe/Oslo'");
    require_error<fd::ParseError>([] { (void)fd::Zone::named("io/09_hour_24.csv"); }, "no time zone file");
  }
  if (!std::filesystem::exists("/usr/share/zoneinfo/Europe/Berlin")) {
    WARN("skipped: this machine has no time zone database");
    return;
  }
  struct Known {
    const char* zone;
    const char* local;
    std::int64_t second;
  };
  const Variable own("TZ", "Asia/Tokyo");
  for (const auto& [zone, local, second] :
       std::initializer_list<Known>{{"Europe/Berlin", "2002-08-03 16:05:21", 1028383521},
                                    {"Europe/Berlin", "2164-08-25 20:08:09", 6142586889},
                                    {"Europe/Dublin", "1977-03-24 05:48:07", 228026887},
                                    {"America/New_York", "2012-08-31 09:30:48", 1346419848},
                                    {"Asia/Kathmandu", "1983-04-13 02:11:53", 419028113},
                                    {"Australia/Lord_Howe", "1989-01-20 20:04:19", 601290259},
                                    {"Pacific/Apia", "1983-10-16 22:43:54", 435231834},
                                    {"America/Caracas", "1972-11-29 21:52:03", 91936323}})
    CHECK(fd::parse_time(local, {.zone = fd::Zone::named(zone)}).time_since_epoch() == std::chrono::seconds{second});
  CHECK(fd::to_text(fd::Zone::named("Europe/Berlin")) == "Europe/Berlin");
}
