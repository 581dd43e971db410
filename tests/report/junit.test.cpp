// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fidelity/report/junit.hpp>

#include "reference/markup.hpp"

namespace fd = fidelity;
using markup::count;

TEST_CASE("a missed criterion is a failure and one without a value is an error") {
  fd::Comparison c;
  c.verdict = fd::Verdict::fail;
  c.criteria = {{"distance", 0.25, 0.5, "m", fd::Verdict::pass},
                {"ratio", 1.9, 1.3, "", fd::Verdict::fail},
                {"largest", {}, 1.0, "", fd::Verdict::incomplete, "there are no runs"}};
  c.matrix_seconds = 1.5;
  const std::string xml = fd::to_junit({fd::junit_suite(c, "brakes")});
  CHECK(markup::fault(xml) == "");
  CHECK(count(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>") == 1);
  CHECK(count(xml, "tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\" time=\"1.500000\"") == 2);
  CHECK(count(xml, "<testcase name=\"distance\" classname=\"brakes\" time=\"0\"/>") == 1);
  CHECK(count(xml, "<failure message=\"ratio 1.9, asked for: at most 1.3\" type=\"limit\">") == 1);
  CHECK(count(xml,
              "<error message=\"largest unknown, asked for: at most 1; there are no runs\" "
              "type=\"not_evaluated\">") == 1);
}

TEST_CASE("what stands in the way of a pass is never green") {
  fd::Comparison c;
  c.verdict = fd::Verdict::incomplete;
  c.criteria = {{"distance", 0.25, 0.5, "m", fd::Verdict::pass}};
  c.reasons = {{"short_runs", "one run is short"}, {"other", "and more"}};
  const std::string xml = fd::to_junit({fd::junit_suite(c, "brakes")});
  CHECK(count(xml, "tests=\"2\" failures=\"0\" errors=\"1\"") == 2);
  CHECK(count(xml, "<error message=\"one run is short; and more\" type=\"short_runs\">") == 1);
  c.verdict = fd::Verdict::fail;
  CHECK(count(fd::to_junit({fd::junit_suite(c, "brakes")}), "<failure ") == 1);
  c.verdict = fd::Verdict::pass;
  c.reasons.clear();
  CHECK(count(fd::to_junit({fd::junit_suite(c, "brakes")}), "tests=\"1\" failures=\"0\" errors=\"0\"") == 2);
  // Without a criterion, and a criterion that can fail and not pass.
  c = {};
  CHECK(count(fd::to_junit({fd::junit_suite(c, "none")}), "<error ") == 1);
  c.criteria = {{"p", 0.5, 0.05, "", fd::Verdict::pass, "", true}};
  CHECK(count(fd::to_junit({fd::junit_suite(c, "reject only")}), "<error ") == 1);
}

TEST_CASE("tube results are cases and those left out are skipped") {
  fd::SignalChecks<double> checks;
  checks.signals.resize(2);
  checks.signals[0].name = "a";
  checks.signals[0].result.verdict = fd::Verdict::pass;
  checks.signals[1].name = "b";
  checks.signals[1].result.reason = {"coverage", "only 50 % compared"};
  checks.skipped = {"c"};
  const std::string xml = fd::to_junit({fd::junit_suite(checks, "files")});
  CHECK(markup::fault(xml) == "");
  CHECK(count(xml, "tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\"") == 2);
  CHECK(count(xml, "<skipped message=\"left out by the caller\"/>") == 1);
  CHECK(count(xml, "type=\"coverage\"") == 1);
  fd::TubeResult<double> one;
  one.verdict = fd::Verdict::fail;
  CHECK(count(fd::to_junit({fd::junit_suite(one, "x")}), "<failure ") == 1);
}

TEST_CASE("a suite in which nothing was judged gets one error") {
  CHECK(count(fd::to_junit({}), "<error message=\"nothing compared\"") == 1);
  fd::SignalChecks<double> checks;
  CHECK(count(fd::to_junit({fd::junit_suite(checks, "x")}), "tests=\"1\" failures=\"0\" errors=\"1\"") == 2);
  checks.skipped = {"c"};
  CHECK(count(fd::to_junit({fd::junit_suite(checks, "x")}), "tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\"") ==
        2);
}

TEST_CASE("text in JUnit is escaped and what XML forbids is replaced") {
  const std::string evil = "<a href=\"x\">&\n\x01\xff\xc3\xa4";
  const std::string xml = fd::to_junit({{evil, {{evil, fd::JunitCase::failure, evil, evil}}}});
  CHECK(markup::fault(xml) == "");
  CHECK(count(xml, "&lt;a href=&quot;x&quot;&gt;&amp; \xEF\xBF\xBD\xEF\xBF\xBD\xc3\xa4\"") == 5);
  const auto path = std::filesystem::temp_directory_path() / "fidelity_junit_test.xml";
  fd::write_junit(path, fd::Comparison{}, "x");
  std::ifstream file(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) ==
        fd::to_junit({fd::junit_suite(fd::Comparison{}, "x")}));
  std::filesystem::remove(path);
}
