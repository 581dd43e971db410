// SPDX-License-Identifier: MIT
// How a file is divided into rows and fields: quoting, delimiters, decimal signs, names, other header rows, encodings.
#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>
#include <vector>

#include <fidelity/io/csv.hpp>

#include "catch.hpp"

namespace fd = fidelity;

namespace {
fd::CsvText text(std::string_view bytes) { return {bytes, "test.csv"}; }
fd::CsvFile<double> read(std::string_view bytes, const fd::CsvOptions<double>& options = {}) {
  return fd::read_csv<double>(text(bytes), options);
}
std::vector<std::string> names(const fd::CsvFile<double>& file) {
  return {file.series.channel_names().begin(), file.series.channel_names().end()};
}
using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("quoted fields hold delimiters, line ends and doubled quotes") {
  const auto file = read("t,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n0,1,2,3\r\n1,\"4\",5,\"6\"\r\n");
  CHECK(names(file) == Names{"a,b", "say \"hi\"", "two\nlines"});
  CHECK(file.series.size() == 2);
  CHECK(file.series(1, 2) == 6);
  CHECK(file.report.first_data_row == 3);
}

TEST_CASE("lines and columns are counted through quoted line ends") {
  require_error<fd::ParseError>([] { (void)read("t,x,n\n0,1,\"a\nb\nc\"\nbad,1,d\n"); }, "test.csv:5:1: ", "'bad'");
  require_error<fd::ParseError>([] { (void)read("n,t,x\n\"a\nb\",bad,1\n", {.time_columns = {"t"}}); },
                                "test.csv:3:4: ", "'bad'");
  const auto file = read("t,x,n\n0,1,\"a\nb\"\n1,off,c\n");
  CHECK(file.report.channels[0].first_bad[0].line == 4);
}

TEST_CASE("blanks around a field and before a quote are dropped, blanks inside quotes stay") {
  const auto file = read("t ,  x\t, \" y \" \n 0 , 1 ,\t\"2\" \n", {.delimiter = ','});
  CHECK(names(file) == Names{"x", " y "});
  CHECK(file.series(0, 1) == 2);
}

TEST_CASE("text after a closing quote and a quote that stays open are errors with their place") {
  require_error<fd::ParseError>([] { (void)read("t,x\n0,\"1\"2\n"); }, "test.csv:2:6: text after a closing quote: '2'");
  require_error<fd::ParseError>([] { (void)read("t,x\n0,1\n1,\"2\n3,4\n"); },
                                "test.csv:3:3: a quoted field does not end: '\"2 3,4 '");
  CHECK(names(read("t,5\" pipe\n0,1\n")) == Names{"5\" pipe"});
  CHECK(read("t,'a,b'\n0,1\n", {.delimiter = ',', .quote = '\''}).series.channel_names()[0] == "a,b");
}

TEST_CASE("LF and CRLF end lines, the last line may lack its end") {
  for (const char* bytes : {"t,x\n0,1\n1,2\n", "t,x\r\n0,1\r\n1,2\r\n", "t,x\n0,1\n1,2", "t,x\r\n0,1\r\n1,2\r",
                            "t,x\r\n0,\"1\"\r\n1,\"2\"\r"}) {
    const auto file = read(bytes);
    CHECK(file.series.size() == 2);
    CHECK(file.series(1) == 2);
  }
  require_error<fd::ParseError>([] { (void)read("t,x\r0,1\r1,2\r"); }, "carriage return alone");
}

TEST_CASE("a byte order mark is no part of the first name, UTF-16 and NUL bytes are refused") {
  CHECK(read("\xEF\xBB\xBFtime_ms,x\n1000,1\n").series.time(0) == 1);
  require_error<fd::ParseError>([] { (void)read(std::string_view("\xFF\xFEt\0,\0", 6)); }, "test.csv:1:1: ", "UTF-16");
  require_error<fd::ParseError>([] { (void)read("\xFE\xFF"); }, "UTF-16");
  require_error<fd::ParseError>([] { (void)read(std::string_view("t,x\n0,\0001\n", 10)); }, "test.csv:2:3: a NUL byte");
}

TEST_CASE("long texts are cut between two characters") {
  std::string bytes = "t,x\n" + std::string(59, 'a') + "\xC3\xA9\xC3\xA9,1\n";
  require_error<fd::ParseError>([&] { (void)read(bytes); }, "'" + std::string(59, 'a') + "...'");
}

TEST_CASE("a sep line sets the delimiter") {
  const auto file = read("sep=;\r\nt;a,b\r\n0;1\r\n");
  CHECK(names(file) == Names{"a,b"});
  CHECK(file.report.delimiter == ';');
  CHECK(file.report.delimiter_found_by == fd::FoundBy::sep_line);
  CHECK(file.report.names_row == 2);
  CHECK(read("sep=\t\nt\tx\n0\t1\n").report.delimiter == '\t');
  CHECK_THROWS_AS(read("sep=:\nt:x\n0:1\n"), fd::ParseError);
}

TEST_CASE("the delimiter is the one that gives all first rows the same number of fields") {
  CHECK(read("t;x\n0;1\n").report.delimiter == ';');
  CHECK(read("t\tx\n0\t1\n").report.delimiter == '\t');
  CHECK(read("t|x\n0|1\n").report.delimiter == '|');
  CHECK(read("t,x\n0,1\n").report.delimiter_found_by == fd::FoundBy::detection);
  const auto commas = read("t;a, b\n0;1,5\n1;2,25\n");
  CHECK(commas.report.delimiter == ';');
  CHECK(commas.report.decimal == ',');
  CHECK(commas.series(1) == 2.25);
  CHECK(names(commas) == Names{"a, b"});
  CHECK(read("0;1,5\n1;2,5\n").series(0) == 1.5);
  CHECK(read("t;x\n0;1\n", {.delimiter = ';'}).report.delimiter_found_by == fd::FoundBy::option);
}

TEST_CASE("two possible delimiters, or none, are an error that names the option") {
  require_error<fd::ParseError>([] { (void)read("t;a|x\n0;1|2\n"); }, "test.csv:1:1: ", "delimiter decides", "'t;a|x'");
  CHECK(read("t;a|x\n0;1|2\n1;2|3\n", {.delimiter = '|', .time_columns = {2}, .channels = {1}}).series.channels() == 1);
  require_error<fd::ParseError>([] { (void)read("Report of plant 7, unit 3\n\nt;x;y\n0;1;2\n1;2;3\n"); }, "names_row");
  require_error<fd::ParseError>([] { (void)read("Report of plant 7\nt;x;y\n0;1;2\n"); }, "test.csv:1:1: ", "names_row");
  CHECK(read("Report of plant 7, unit 3\n\nt;x;y\n0;1;2\n1;2;3\n", {.names_row = 3}).series.channels() == 2);
  require_error<fd::InputError>([] { (void)read("t;x\n0;1\n", {.delimiter = ':'}); }, "delimiter");
}

TEST_CASE("one bad row among the first does not hide the delimiter") {
  require_error<fd::ParseError>([] { (void)read("t;x\n0;1\n1;2;3\n2;3\n"); }, "test.csv:3:5: ", "3 fields");
  CHECK(read("t;x\n0;1\n1;2;3\n2;3\n", {.bad_rows = fd::BadRows::skip}).report.rows_bad == 1);
}

TEST_CASE("the decimal sign follows from the numbers where the delimiter is no comma") {
  CHECK(read("t;x\n0;1.5\n1;2\n").report.decimal == '.');
  CHECK(read("t;x\n0;1,5\n0,5;2\n").series.time(1) == 0.5);
  CHECK(read("t;x\n0;1,500\n1;2,5\n").series(0) == 1.5);
  CHECK(read("t;x\n0;1.500\n1;2.500\n").series(0) == 1.5);
  CHECK(read("t;x\n0;2,5E-1\n").series(0) == 0.25);
  CHECK(read("t,x\n0,1.5\n").report.decimal_found_by == fd::FoundBy::rule);
  CHECK(read("t;x\n0;1,5\n").report.decimal_found_by == fd::FoundBy::detection);
  CHECK(read("t,x\n0,\"1,5\"\n", {.decimal = ','}).series(0) == 1.5);
}

TEST_CASE("commas that may group thousands are an error that names the option") {
  require_error<fd::ParseError>([] { (void)read("t;x\n0;1,500\n1;2,500\n"); }, "decimal", "thousands");
  CHECK(read("t;x\n0;1,500\n1;2,500\n", {.decimal = ','}).series(0) == 1.5);
  CHECK(read("t;x\n0;1,500\n1;2,500\n", {.thousands = ','}).series(0) == 1500);
}

TEST_CASE("a number in another style than the file's is never read wrongly") {
  require_error<fd::ParseError>([] { (void)read("t;x\n0;1,5\n1;2.5\n"); }, "test.csv:3:3: ", "decimal", "'2.5'");
  require_error<fd::ParseError>([] { (void)read("t;x\n0;1.5\n1;2,5\n"); }, "test.csv:3:3: ", "decimal", "'2,5'");
  require_error<fd::ParseError>([] { (void)read("t,x\n0,\"1,5\"\n1,2\n"); }, "test.csv:2:4: ", "decimal", "'1,5'");
  for (const char* cell : {"1.234", "1'234", "1 234,5",
                           "1\xC2\xA0"
                           "234,5",
                           "1\xE2\x80\xAF"
                           "234"}) {
    const std::string bytes = "t;x\n0;1,5\n1;" + std::string(cell) + "\n";
    require_error<fd::ParseError>([&] { (void)read(bytes); }, "test.csv:3:3: ", "decide");
  }
  require_error<fd::ParseError>([] { (void)read("t,x\n0,\"1,234.5\"\n1,2\n"); }, "test.csv:2:4: ", "thousands");
  CHECK(read("t;x\n0;1,5\n1;2.5\n", {.decimal = ','}).report.channels[0].bad == 1);
}

TEST_CASE("a thousands mark is found where a number shows it beside the decimal sign or twice") {
  for (const char* cell : {"1.234,5", "-12.345.678,9", "1'234,5", "12.345.678"}) {
    const std::string bytes = "t;x;n\n0;1,5;a\n1;7;1.5.1\n2;" + std::string(cell) + ";b\n";
    const auto file = read(bytes);
    CHECK(file.report.thousands == (std::string(cell) == "1'234,5" ? '\'' : '.'));
    CHECK(file.report.thousands_found_by == fd::FoundBy::detection);
    CHECK(file.report.text_columns == Names{"n"});
  }
  // It holds for the whole file, also for rows before the one that shows it.
  const auto file = read("t;x\n0;1,5\n1;1.234\n2;1.234,5\n");
  CHECK(file.series(1) == 1234);
  CHECK(file.series(2) == 1234.5);
  CHECK(read("t;x\n0;1,234.5\n1;1,234\n").series(1) == 1234);
  require_error<fd::ParseError>([] { (void)read("t;x\n0;1.234,5\n1;12.5\n"); }, "test.csv:3:3: ", "decimal");
  require_error<fd::ParseError>([] { (void)read("t,x\n0,\"1,234.5\"\n"); }, "test.csv:2:4: ", "thousands");
  CHECK(read("t;x\n0;1,5\n").report.thousands == std::nullopt);
}

TEST_CASE("thousands are grouped in full threes and only where the option says so") {
  CHECK(read("t;x\n0;1.234.567,5\n", {.thousands = '.'}).series(0) == 1234567.5);
  CHECK(read("t;x\n0;1 234,5\n", {.thousands = ' '}).series(0) == 1234.5);
  CHECK(read("t;x\n0;-12\xC2\xA0"
             "345\xE2\x80\xAF"
             "678,5\n",
             {.thousands = ' '})
            .series(0) == -12345678.5);
  CHECK(read("t,x\n0,\"1,234.5\"\n", {.thousands = ','}).series(0) == 1234.5);
  CHECK(read("t,x\n0,1'234.5\n1,5\n", {.thousands = '\''}).series(0) == 1234.5);
  for (const char* cell : {"1.23", "12.34.567", ".123", "1234.567", "1..234", "1.2345"}) {
    const std::string bytes = "t;x\n0;" + std::string(cell) + "\n1;1\n";
    CHECK(read(bytes, {.decimal = ',', .thousands = '.'}).report.channels[0].bad == 1);
  }
  require_error<fd::InputError>([] { (void)read("t;x\n0;1\n", {.decimal = ',', .thousands = ','}); }, "same sign");
  CHECK_THROWS_AS(read("t;x\n0;1\n", {.decimal = ';'}), fd::InputError);
  CHECK_THROWS_AS(read("t;x\n0;1\n", {.thousands = '_'}), fd::InputError);
}

TEST_CASE("names are kept as written and may be empty, equal names are an error") {
  CHECK(names(read("t,x [bar],,y\n0,1,2,3\n")) == Names{"x [bar]", "", "y"});
  CHECK(read("t,,\n0,1,2\n").series.channel_names().empty());
  CHECK(read(",x\n0,1\n").report.time_columns == Names{"column 1"});
  require_error<fd::ParseError>([] { (void)read("t,x,y,x\n0,1,2,3\n"); },
                                "test.csv:1:7: two columns have the same name: 'x'");
}

TEST_CASE("a file without names has none") {
  const auto file = read("0,1,2\n1,3,4\n");
  CHECK(file.series.size() == 2);
  CHECK(file.series.channels() == 2);
  CHECK(file.series.channel_names().empty());
  CHECK_FALSE(file.report.names_row);
  CHECK(file.report.first_data_row == 1);
  CHECK(read("0,1,NA\n1,3,4\n").series.size() == 2);
  CHECK(fd::read_csv(text("2024-01-01T00:00Z,1\n")).series.size() == 1);
  CHECK(fd::read_csv(text("8/6/2024,1\n9/6/2024,2\n"), {.time_format = "%d/%m/%Y"}).series.size() == 2);
  CHECK(read("t,x\n0,1\n", {.names_row = fd::NamesRow::none, .bad_rows = fd::BadRows::skip}).report.rows_bad == 1);
}

TEST_CASE("a first row that may be names or data is an error that names the option") {
  require_error<fd::ParseError>([] { (void)fd::read_csv(text("2024-01-01,ok,5\n2024-01-02,ok,6\n")); },
                                "test.csv:1:1: ", "names_row");
  CHECK(fd::read_csv(text("2024-01-01,ok,5\n2024-01-02,ok,6\n"), {.names_row = fd::NamesRow::none}).series.size() == 2);
}

TEST_CASE("names, units and data may begin in any line") {
  const std::string bytes = "Logger 7\n\"unclosed\nt,x\ns,kPa\nAvg,Avg\n0,1\n1,2\n";
  const auto file = read(bytes, {.names_row = 3, .units_row = 4, .first_data_row = 6});
  CHECK(names(file) == Names{"x"});
  CHECK(file.report.channels[0].unit == "kPa");
  CHECK(file.report.first_data_row == 6);
  CHECK(read("t,x\ns,kPa\n0,1\n", {.units_row = 2}).series.size() == 1);
  CHECK(read("title\n0,1\n1,2\n", {.names_row = fd::NamesRow::none, .first_data_row = 2}).series.size() == 2);
  require_error<fd::InputError>([&] { (void)read(bytes, {.names_row = 3, .units_row = 3}); }, "units_row = 3");
  require_error<fd::InputError>([&] { (void)read(bytes, {.names_row = 30}); }, "names_row = 30", "behind the end");
  CHECK_THROWS_AS(read(bytes, {.names_row = 0}), fd::InputError);
  CHECK_THROWS_AS(read(bytes, {.first_data_row = 0}), fd::InputError);
}

TEST_CASE("comment lines are skipped and counted, and the last one may hold the names") {
  const std::string bytes = "# made by a logger\n# t, x\n0,1\n# pause\n1,2\n";
  const auto file = read(bytes, {.comment = "#", .names_row = fd::NamesRow::last_comment});
  CHECK(names(file) == Names{"x"});
  CHECK(file.report.rows_comment == 3);
  CHECK(file.report.names_row == 2);
  CHECK(file.series.size() == 2);
  CHECK(read("# c\nt,x\n0,1\n", {.comment = "#"}).report.rows_comment == 1);
  CHECK(names(read(bytes, {.comment = "#", .names_row = 2})) == Names{"x"});
  CHECK_THROWS_AS(read(bytes, {.names_row = fd::NamesRow::last_comment}), fd::InputError);
  require_error<fd::ParseError>(
      [] { (void)read("t,x\n0,1\n", {.comment = "#", .names_row = fd::NamesRow::last_comment}); }, "no comment line");
}

TEST_CASE("empty rows are skipped and counted") {
  const auto file = read("\n t,x\n\n0,1\n,\n , \n1,2\n\n");
  CHECK(file.series.size() == 2);
  CHECK(file.report.rows_empty == 4);
  CHECK(file.report.names_row == 2);
}

TEST_CASE("an empty last column is dropped, one with a value is not") {
  CHECK(read("t,x,\n0,1,\n1,2,\n").series.channels() == 1);
  CHECK(read("t,x,\n0,1,\n1,2,\n").report.text_columns.empty());
  CHECK(read("t,x\n0,1,\n1,2,\n").series.channels() == 1);
  CHECK(read("t,x,\n0,1\n1,2\n").series.channels() == 1);
  CHECK(read("0,1,\n1,2,\n").series.channels() == 1);
  const auto unnamed = read("t,x,\n0,1,\n1,2,3\n");
  CHECK(unnamed.series.channels() == 2);
  CHECK(unnamed.series(1, 1) == 3);
  require_error<fd::ParseError>([] { (void)read("t,x\n0,1,\n1,2,3\n"); }, "test.csv:3:5: ", "'3'");
  require_error<fd::ParseError>([] { (void)read("t,x\n0,1,\n1,2\n"); }, "test.csv:3:");
}

TEST_CASE("names that are not UTF-8 are kept with a warning") {
  const auto file = read(
      "t,x [\xB0"
      "C]\n0,5\n");
  CHECK(names(file) == Names{"x [\xB0"
                             "C]"});
  REQUIRE(file.report.warnings.size() == 1);
  CHECK(file.report.warnings[0].code == "not utf8");
}

namespace {
struct CommaDecimals : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
}  // namespace

TEST_CASE("neither the locale nor TZ changes what is read or written") {
  const auto read_all = [] {
    std::ostringstream out;
    const auto file = fd::read_csv(text("t,x\n2024-03-31T02:30:00.5,1234.5\n2024-10-27T02:30,0.001\n"));
    fd::write_csv(out, file.series);
    const auto number = fd::read_csv<double>(text("time [h],x\n1234.5,1.5e3\n"));
    fd::write_csv(out, number.series);
    const auto commas = fd::read_csv(text("t;x\n13/03/2025 1:30 PM;1.234,5\n30/03/2025 1:30 AM;2,25\n"),
                                     {.zone = fd::Zone::posix("CET-1CEST,M3.5.0,M10.5.0/3")});
    fd::write_csv(out, commas.series);
    fd::write_csv(out, fd::read_csv(text("t;x\n45351,5;1\n"), {.time_unit = fd::TimeUnit::excel1900}).series);
    return out.str() + file.report.times.first;
  };
  const std::string expected = read_all();
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
  const char* const zone = std::getenv("TZ");
  const std::string old_zone = zone != nullptr ? zone : "";
  setenv("TZ", "Europe/Kyiv", 1);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const std::string found = read_all();
  std::setlocale(LC_ALL, "C");
  zone != nullptr ? setenv("TZ", old_zone.c_str(), 1) : unsetenv("TZ");
  std::locale::global(before);
  CHECK(found == expected);
  CHECK(found.find("1234.5") != std::string::npos);
}
