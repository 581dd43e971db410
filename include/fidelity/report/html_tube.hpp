// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/report/detail/html_page.hpp>
#include <fidelity/report/html_options.hpp>
#include <fidelity/report/tube_figure.hpp>
#include <fidelity/validation/tube.hpp>
#include <fidelity/validation/tube_signals.hpp>

namespace fidelity {

namespace detail {

template <TimePoint Time>
void write_tube_numbers(HtmlPage& page, const TubeResult<Time>& result) {
  const auto value = [&](double x) {
    return result.tube.unit.empty() ? fmt::format("{:.6g}", x) : fmt::format("{:.6g} {}", x, result.tube.unit);
  };
  std::vector<HtmlPage::Fact> facts;
  facts.push_back({"Largest error", result.largest_error ? value(*result.largest_error) : "none compared",
                   result.largest_error_time ? "at " + short_time(*result.largest_error_time) : ""});
  facts.push_back(
      {"Tolerance in value", value(result.tolerance),
       fmt::format("max({}, {:g} x max(span {}, nominal {})) + {}", value(result.tube.absolute), result.tube.relative,
                   value(result.span), value(result.tube.nominal), value(result.tube.rounding))});
  facts.push_back({"Tolerance in time", duration_text(seconds(result.tube.time))});
  facts.push_back({"Compared", coverage_words(result.coverage) + " of the reference",
                   fmt::format("at least {} asked for", coverage_words(result.tube.min_coverage))});
  page.facts(facts);
}

template <TimePoint Time>
void write_tube_samples(HtmlPage& page, const TubeResult<Time>& result) {
  page.section("Samples");
  std::vector<std::vector<HtmlCell>> rows;
  const auto add = [&](const char* name, std::size_t all, const TubeSamples<Time>& s) {
    std::vector<HtmlCell> row{{name}};
    for (const std::size_t count : {all, s.times.size(), s.failed, s.bad, s.beyond, s.outside, s.unknown})
      row.push_back({std::to_string(count), true});
    rows.push_back(std::move(row));
  };
  add("test", result.test_samples, result.test);
  if (result.reference) add("reference", result.reference_samples, *result.reference);
  page.table({"samples of", "in all", "compared", "failed", "of them bad", "beyond the other", "outside of the windows",
              "other missing"},
             rows);
  const auto& failures = result.test.failures;
  if (failures.empty()) return;
  page.section("Where the test fails");
  rows.clear();
  for (std::size_t k = 0; k < std::min<std::size_t>(failures.size(), 100); ++k)
    rows.push_back({{xml_text(short_time(failures[k].begin))},
                    {xml_text(short_time(failures[k].end))},
                    {std::to_string(failures[k].samples), true}});
  page.table({"from", "to", "samples"}, rows);
  if (failures.size() > 100) page.remark(fmt::format("... {} more", failures.size() - 100));
}

}  // namespace detail

/// A tube check as one self-contained page: verdict, tolerances, the picture of both signals with the tube and the
/// error below, counts, and where it fails.
template <class Scalar, TimePoint Time, Signal Reference>
[[nodiscard]] std::string to_html(const TubeResult<Time>& result, const SeriesBase<Scalar, Time>& test,
                                  const Reference& reference, const HtmlOptions& options = {}) {
  detail::HtmlPage page(options.title.empty() ? "Test against reference" : options.title);
  page.banner(result.verdict, {result.reason.text});
  detail::write_tube_numbers(page, result);
  if (const auto figure = tube_figure(result, test, reference))
    page.picture([&](double width) { return figure->fragment(width); });
  detail::write_tube_samples(page, result);
  page.files(options.files);
  return std::move(page).finish();
}

/// Writes that page, whole or not at all. Throws std::system_error, which names the file.
template <class Scalar, TimePoint Time, Signal Reference>
void write_html(const std::filesystem::path& path, const TubeResult<Time>& result, const SeriesBase<Scalar, Time>& test,
                const Reference& reference, const HtmlOptions& options = {}) {
  const std::string page = to_html(result, test, reference, options);
  detail::write_file(path, [&](std::ostream& file) { file << page; });
}

/// The index of many signals: one line each with verdict, largest error, tolerance and their quotient; failures first,
/// then what could not be judged. `link(signal)` gives the address of the page of a signal, empty for none.
template <TimePoint Time>
[[nodiscard]] std::string to_html(const SignalChecks<Time>& checks, const HtmlOptions& options = {},
                                  const std::function<std::string(const SignalCheck<Time>&)>& link = {}) {
  using Check = SignalCheck<Time>;
  detail::HtmlPage page(options.title.empty() ? "Signals of the test against the reference" : options.title);
  const auto count = [&](Verdict verdict) {
    return std::count_if(checks.signals.begin(), checks.signals.end(),
                         [&](const Check& each) { return each.result.verdict == verdict; });
  };
  page.banner(checks.verdict, {checks.signals.empty() ? "nothing compared: no signal was held against another"
                                                      : fmt::format("{} signals: {} pass, {} fail, {} incomplete",
                                                                    checks.signals.size(), count(Verdict::pass),
                                                                    count(Verdict::fail), count(Verdict::incomplete))});
  std::vector<const Check*> order;
  for (const Check& each : checks.signals) order.push_back(&each);
  const auto rank = [](const Check* each) {
    return each->result.verdict == Verdict::fail ? 0 : each->result.verdict == Verdict::incomplete ? 1 : 2;
  };
  std::stable_sort(order.begin(), order.end(), [&](const Check* a, const Check* b) { return rank(a) < rank(b); });
  std::vector<std::vector<detail::HtmlCell>> rows;
  for (const Check* each : order) {
    const TubeResult<Time>& r = each->result;
    const std::string address = link ? link(*each) : "", name = detail::xml_text(each->name);
    const bool compared = r.largest_error.has_value();
    rows.push_back(
        {{address.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", detail::xml_text(address), name)},
         {detail::badge(r.verdict)},
         {compared ? detail::html_number(*r.largest_error, r.tube.unit) : "\u2013", true},
         {r.reason.code == "missing_in_test" ? "\u2013" : detail::html_number(r.tolerance, r.tube.unit), true},
         {compared && r.tolerance > 0 ? fmt::format("{:.3g}", *r.largest_error / r.tolerance) : "\u2013", true},
         {detail::coverage_words(r.coverage), true},
         {detail::xml_text(r.reason.text)}});
  }
  if (!rows.empty())
    page.table({"signal", "verdict", "largest error", "tolerance", "error / tolerance", "compared", "reason"}, rows);
  const auto list = [&](const char* title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    page.section(title);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    page.paragraph(text);
  };
  list("In the test only, not judged", checks.extra);
  list("Left out on purpose", checks.skipped);
  page.files(options.files);
  return std::move(page).finish();
}

/// Writes that index, whole or not at all. Throws std::system_error, which names the file.
template <TimePoint Time>
void write_html(const std::filesystem::path& path, const SignalChecks<Time>& checks, const HtmlOptions& options = {},
                const std::function<std::string(const SignalCheck<Time>&)>& link = {}) {
  const std::string page = to_html(checks, options, link);
  detail::write_file(path, [&](std::ostream& file) { file << page; });
}

}  // namespace fidelity
