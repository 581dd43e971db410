// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/report/detail/comparison_words.hpp>
#include <fidelity/report/detail/xml_text.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/tube_signals.hpp>

namespace fidelity {

/// One test case of a JUnit file. A failure is a criterion that was evaluated and missed; an error is one that could
/// not be evaluated; skipped is what the caller left out.
struct JunitCase {
  enum Outcome { passed, failure, error, skipped };
  std::string name;
  Outcome outcome;
  std::string type = {};     ///< code of the reason
  std::string message = {};  ///< with the numbers
};

/// The test cases of one comparison.
struct JunitSuite {
  std::string name;
  std::vector<JunitCase> cases;
  double seconds = 0;  ///< run time
};

/// One test case for each criterion. Where the verdict is not what the criteria alone give, because something stands in
/// the way of a pass or none was given, a test case "verdict" says so: a file without a failure or an error is a pass.
[[nodiscard]] inline JunitSuite junit_suite(const Comparison& comparison, std::string name) {
  JunitSuite suite{std::move(name), {}, comparison.matrix_seconds + comparison.solve_seconds};
  const auto outcome_of = [](Verdict verdict) {
    return verdict == Verdict::pass   ? JunitCase::passed
           : verdict == Verdict::fail ? JunitCase::failure
                                      : JunitCase::error;
  };
  bool missed = false, open = false;
  for (const CriterionResult& each : comparison.criteria) {
    const char* relation = each.at_least ? "at least" : "at most";
    std::string message = fmt::format("{} {}, asked for: {} {}", each.name,
                                      each.value ? detail::with_unit(*each.value, each.unit) : "unknown", relation,
                                      each.limit ? detail::with_unit(*each.limit, each.unit) : "an unknown limit");
    if (!each.reason.empty()) message += "; " + each.reason;
    suite.cases.push_back({each.name, outcome_of(each.outcome), each.value ? "limit" : "not_evaluated", message});
    missed = missed || each.outcome == Verdict::fail;
    open = open || each.outcome == Verdict::incomplete;
  }
  const bool told = comparison.verdict == Verdict::fail         ? missed
                    : comparison.verdict == Verdict::incomplete ? open
                                                                : !comparison.criteria.empty();
  if (!told) {
    JunitCase verdict{"verdict", outcome_of(comparison.verdict), "", ""};
    for (const Finding& reason : comparison.reasons) {
      if (verdict.type.empty()) verdict.type = reason.code;
      verdict.message += (verdict.message.empty() ? "" : "; ") + reason.text;
    }
    suite.cases.push_back(std::move(verdict));
  }
  return suite;
}

/// One test case for the tube of one signal.
template <TimePoint Time>
[[nodiscard]] JunitCase junit_case(const TubeResult<Time>& result, std::string name) {
  const auto outcome = result.verdict == Verdict::pass   ? JunitCase::passed
                       : result.verdict == Verdict::fail ? JunitCase::failure
                                                         : JunitCase::error;
  return {std::move(name), outcome, result.reason.code, result.reason.text};
}
template <TimePoint Time>
[[nodiscard]] JunitSuite junit_suite(const TubeResult<Time>& result, std::string name) {
  return {name, {junit_case(result, name)}};
}

/// One test case for each signal; those left out on purpose are skipped.
template <TimePoint Time>
[[nodiscard]] JunitSuite junit_suite(const SignalChecks<Time>& checks, std::string name) {
  JunitSuite suite{std::move(name), {}};
  for (const auto& each : checks.signals) suite.cases.push_back(junit_case(each.result, each.name));
  for (const std::string& left_out : checks.skipped)
    suite.cases.push_back({left_out, JunitCase::skipped, "skipped", "left out by the caller"});
  return suite;
}

/// Suites as JUnit XML. The counts agree with the elements; a suite in which nothing was judged gets one error.
[[nodiscard]] inline std::string to_junit(const std::vector<JunitSuite>& suites);

/// Writes that file, whole or not at all. Throws std::system_error, which names the file.
inline void write_junit(const std::filesystem::path& path, const std::vector<JunitSuite>& suites) {
  const std::string text = to_junit(suites);
  detail::write_file(path, [&](std::ostream& file) { file << text; });
}
/// The same for a single Comparison, TubeResult or SignalChecks, named as it shall appear.
template <class Result>
void write_junit(const std::filesystem::path& path, const Result& result, std::string name) {
  write_junit(path, {junit_suite(result, std::move(name))});
}

namespace detail {

struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(JunitCase::Outcome outcome) {
    ++tests;
    failures += outcome == JunitCase::failure;
    errors += outcome == JunitCase::error;
    skipped += outcome == JunitCase::skipped;
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"", tests, failures,
                       errors, skipped, seconds);
  }
};

/// For an attribute: line ends would be read back as blanks.
inline std::string xml_attribute(std::string_view text) {
  std::string safe;
  for (const char c : xml_text(text)) safe += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  return safe;
}

inline std::string junit_element(const JunitCase& each, std::string_view suite) {
  std::string text = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0\"", xml_attribute(each.name),
                                 xml_attribute(suite));
  if (each.outcome == JunitCase::passed) return text + "/>\n";
  if (each.outcome == JunitCase::skipped)
    return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml_attribute(each.message));
  const char* element = each.outcome == JunitCase::failure ? "failure" : "error";
  return text + fmt::format(">\n      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n    </testcase>\n", element,
                            xml_attribute(each.message), xml_attribute(each.type), xml_text(each.message));
}

}  // namespace detail

inline std::string to_junit(const std::vector<JunitSuite>& suites) {
  detail::JunitCounts all;
  std::string body;
  const auto write = [&](const JunitSuite& suite) {
    detail::JunitCounts counts;
    counts.seconds = suite.seconds;
    std::string cases;
    const auto add = [&](const JunitCase& each) {
      counts.add(each.outcome), all.add(each.outcome);
      cases += detail::junit_element(each, suite.name);
    };
    for (const JunitCase& each : suite.cases) add(each);
    if (counts.tests == counts.skipped) add({"compared", JunitCase::error, "nothing_compared", "nothing compared"});
    all.seconds += suite.seconds;
    body += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", detail::xml_attribute(suite.name),
                        counts.attributes(), cases);
  };
  for (const JunitSuite& suite : suites) write(suite);
  if (suites.empty()) write({"fidelity", {}});
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fidelity\" {}>\n{}</testsuites>\n",
                     all.attributes(), body);
}

}  // namespace fidelity
