// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/detail/comparison_words.hpp>
#include <fidelity/report/detail/html_charts.hpp>
#include <fidelity/report/detail/html_page.hpp>
#include <fidelity/report/svg.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity::detail {

/// Does a finding name this run? "run 1" is not named by "run 12".
inline bool names_run(const Finding& finding, std::string_view name) {
  const auto inside_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = finding.text.find(name); at != std::string::npos; at = finding.text.find(name, at + 1)) {
    const std::size_t behind = at + name.size();
    if ((at == 0 || !inside_word(finding.text[at - 1])) &&
        (behind >= finding.text.size() || !inside_word(finding.text[behind])))
      return true;
  }
  return false;
}

/// Is a run named by a flag that says that it stands out?
inline bool stands_out(const Comparison& c, std::string_view name) {
  return !name.empty() && std::any_of(c.flags.begin(), c.flags.end(), [&](const Finding& flag) {
    return flag.code != "duplicate_runs" && flag.code != "single_distinct_run" && names_run(flag, name);
  });
}

/// The sections of the page of a comparison.
class HtmlComparison {
 public:
  HtmlComparison(const Comparison& comparison, HtmlPage& page) : c_(comparison), page_(page) {}

  void write() {
    std::vector<std::string> reasons{
        fmt::format("{} simulated against {} measured runs", c_.simulations.size(), c_.measurements.size())};
    for (const Finding& reason : c_.reasons) reasons.push_back(reason.text);
    page_.banner(c_.verdict, reasons);
    numbers();
    criteria();
    ensembles();
    matrix();
    distributions();
    contributions();
    if (!c_.flags.empty()) page_.section("Flags"), page_.findings(c_.flags);
    if (!c_.absent.empty()) page_.section("Not available, and why"), page_.findings(c_.absent);
    method();
  }

 private:
  void numbers() {
    std::vector<HtmlPage::Fact> facts{{"Distance of the ensembles", html_value(c_.distance),
                                       fmt::format("Wasserstein distance of order {:g}", c_.order)}};
    if (c_.ratio) {
      facts.push_back({"Ratio", fmt::format("{:.4g}", *c_.ratio), "1: cannot be told from measured runs"});
      const auto& base = c_.halves->base;
      if (base.median > 0)
        facts.push_back(
            {"Ratio of measured runs among themselves", fmt::format("up to {:.4g}", base.quantile95 / base.median),
             fmt::format("at least 95 % of {} draws of {} runs", base.values.size(), c_.halves->half_size)});
    }
    if (c_.relative_to_spread)
      facts.push_back({"Relative to the spread", fmt::format("{:.4g}", *c_.relative_to_spread),
                       "of " + html_value(*c_.measured_spread) + ", the mean distance of two measured runs"});
    if (c_.interval)
      facts.push_back({fmt::format("{:g} % interval of the distance", 100 * c_.interval->level),
                       fmt::format("{:.5g} to {}", c_.interval->lower, html_value(c_.interval->upper)),
                       fmt::format("bootstrap, {} replicates", c_.interval->values.size())});
    if (c_.ratio_interval)
      facts.push_back({fmt::format("{:g} % interval of the ratio", 100 * c_.ratio_interval->level),
                       fmt::format("{:.4g} to {:.4g}", c_.ratio_interval->lower, c_.ratio_interval->upper)});
    if (c_.p_value)
      facts.push_back({"p of the permutation test", fmt::format("{:.4g}", *c_.p_value),
                       "small: the ensembles differ; large: nothing is shown"});
    if (c_.trimmed)
      facts.push_back({"Trimmed distance", html_value(c_.trimmed->value),
                       fmt::format("without {:g} % of the simulated and {:g} % of the measured mass",
                                   100 * c_.trimmed->used.simulated, 100 * c_.trimmed->used.measured)});
    if (c_.energy)
      facts.push_back({"Energy distance", html_value(c_.energy->all_pairs),
                       "mean of all pairs; debiased " + or_dash(c_.energy->debiased)});
    page_.facts(facts);
    page_.remark(metric_words());
  }

  void criteria() {
    page_.section("Criteria");
    if (c_.criteria.empty()) {
      page_.paragraph("No criterion was given, so nothing can pass.");
      return;
    }
    std::vector<std::vector<HtmlCell>> rows;
    for (const CriterionResult& each : c_.criteria)
      rows.push_back({{xml_text(each.name)},
                      {each.value ? html_number(*each.value, each.unit) : "not evaluated", true},
                      {each.limit ? (each.at_least ? "\u2265 " : "\u2264 ") + html_number(*each.limit, each.unit)
                                  : std::string("unknown"),
                       true},
                      {badge(each.outcome)},
                      {xml_text(each.reason)}});
    page_.table({"criterion", "value", "limit", "outcome", "reason"}, rows);
  }

  void ensembles() {
    std::size_t channels = 0;
    double begin = HUGE_VAL, end = -HUGE_VAL;
    for (const auto* side : {&c_.simulations, &c_.measurements})
      for (const RunSummary& run : *side) {
        channels = std::max(channels, run.outlines.size());
        begin = std::min(begin, run.begin);
        end = std::max(end, run.begin + run.duration);
      }
    if (channels == 0 || !(begin < end)) return;
    page_.section("All runs");
    constexpr double points = 30000;  // of all lines together
    const double runs = static_cast<double>(c_.simulations.size() + c_.measurements.size());
    for (std::size_t k = 0; k < channels; ++k) {
      Figure<double> figure(Window<double>{begin, end},
                            {.panel_height = 260, .columns = std::clamp(points / (4 * runs), 24.0, 960.0)});
      auto& panel =
          figure.panel(channels == 1 ? in_unit("value") : fmt::format("{} of channel {}", in_unit("value"), k + 1));
      draw(panel, c_.measurements, k, "measured", Pen::first);
      draw(panel, c_.simulations, k, "simulated", Pen::second);
      page_.picture([&](double width) { return figure.fragment(width); });
    }
    if (!c_.origin.empty())
      page_.remark("Time 0 is " + c_.origin + ". Every line keeps its smallest and largest values.");
  }

  void draw(Panel<double>& panel, const std::vector<RunSummary>& runs, std::size_t channel, const char* label,
            Pen pen) {
    bool first = true;
    for (const RunSummary& run : runs) {
      if (channel >= run.outlines.size() || run.outlines[channel].times.empty()) continue;
      SeriesOptions<double> options;
      options.duplicates = Duplicates::event;
      panel.thin_line(
          Series<double, double>(run.outlines[channel].times, run.outlines[channel].values, std::move(options)),
          run.name, first ? label : "", pen);
      first = false;
    }
  }

  void matrix() {
    if (c_.matrix.size() == 0) return;
    constexpr std::size_t limit = 50;
    const auto rows = by_share(c_.simulations, limit), columns = by_share(c_.measurements, limit);
    auto sorted_rows = rows, sorted_columns = columns;
    std::sort(sorted_rows.begin(), sorted_rows.end());
    std::sort(sorted_columns.begin(), sorted_columns.end());
    HeatMap map;
    map.unit = c_.unit;
    double largest_mass = 0;
    for (const Match& match : c_.matches) largest_mass = std::max(largest_mass, match.mass);
    std::vector<double> masses(c_.simulations.size() * c_.measurements.size(), 0);
    for (const Match& match : c_.matches)
      masses[match.simulation * c_.measurements.size() + match.measurement] = match.mass / largest_mass;
    for (const std::size_t i : sorted_rows)
      map.rows.push_back((stands_out(c_, c_.simulations[i].name) ? "! " : "") + c_.simulations[i].name);
    for (const std::size_t j : sorted_columns) {
      map.columns.push_back(c_.measurements[j].name);
      map.marked_columns.push_back(stands_out(c_, c_.measurements[j].name));
    }
    for (const std::size_t i : sorted_rows)
      for (const std::size_t j : sorted_columns) {
        map.values.push_back(c_.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
        map.masses.push_back(masses[i * c_.measurements.size() + j]);
      }
    page_.section("Distances of all pairs, and who is matched with whom");
    page_.picture([&](double width) { return heat_map(map, width); });
    std::string words =
        "Rows: simulated runs; columns: measured runs. Stronger colour is farther. Rings: the transport plan, their "
        "area is the "
        "mass.";
    if (rows.size() < c_.simulations.size() || columns.size() < c_.measurements.size())
      words += fmt::format(" Of {} x {} runs those with the largest part of the distance are drawn.",
                           c_.simulations.size(), c_.measurements.size());
    if (std::any_of(map.marked_columns.begin(), map.marked_columns.end(), [](bool marked) { return marked; }))
      words += " ! : see the flags.";
    page_.remark(words);
  }

  void distributions() {
    if (c_.permutation) {
      const PermutationTest& test = *c_.permutation;
      page_.section("Could the luck of the draw explain it?");
      page_.picture([&](double width) {
        return histogram({{"runs exchanged between the sides", &test.statistics}}, test.statistic, "observed",
                         in_unit("distance"), width);
      });
      page_.remark(fmt::format("{} exchanges of runs between the sides, {}; p = {:.4g}, the least possible is {:.4g}.",
                               test.statistics.size(), test.exact ? "all there are" : "drawn at random", test.p_value,
                               test.smallest_p));
    }
    if (!c_.halves) return;
    page_.section("Distances of groups of runs");
    const SplitHalves& halves = *c_.halves;
    page_.picture([&](double width) {
      return histogram(
          {{"measured against measured", &halves.base.values}, {"simulated against measured", &halves.like.values}}, {},
          "", in_unit("distance"), width);
    });
    page_.remark(
        fmt::format("Groups of {} runs each. Median of measured against measured {}, of simulated against measured {}; "
                    "their quotient is the ratio.",
                    halves.half_size, html_value(halves.base.median), html_value(halves.like.median)));
  }

  void contributions() {
    page_.section("Runs to blame");
    page_.paragraph(c_.order == 1 ? "Parts of the distance, which add up to it for each side."
                                  : fmt::format("Parts of the {:g}-th power of the distance.", c_.order));
    side("simulated runs", c_.simulations, c_.measurements, "other");
    side("measured runs", c_.measurements, c_.simulations, "bar");
    if (c_.simulated_medoid && *c_.simulated_medoid < c_.simulations.size())
      page_.paragraph("Most typical simulated run: " + c_.simulations[*c_.simulated_medoid].name + ".");
    if (c_.measured_medoid && *c_.measured_medoid < c_.measurements.size())
      page_.paragraph("Most typical measured run: " + c_.measurements[*c_.measured_medoid].name + ".");
    for (const auto* invalid : {&c_.invalid_simulations, &c_.invalid_measurements})
      for (const InvalidRun& run : *invalid)
        page_.paragraph(fmt::format("Left out: {} run {}, whose sample {} is no number.",
                                    invalid == &c_.invalid_simulations ? "simulated" : "measured", run.name,
                                    run.sample));
  }

  void side(const char* title, const std::vector<RunSummary>& runs, const std::vector<RunSummary>& others,
            const char* kind) {
    const auto order = by_share(runs, 12);
    if (order.empty()) return;
    const double largest = runs[order.front()].share;
    std::vector<BarRow> bars;
    for (const std::size_t i : order)
      bars.push_back(
          {runs[i].name, largest > 0 ? runs[i].share / largest : 0, fmt::format("{:.1f} %", 100 * runs[i].share)});
    page_.markup(fmt::format("<p><b>{}</b></p>\n", order.size() < runs.size()
                                                       ? fmt::format("The {} {} with the largest part, of {}",
                                                                     order.size(), title, runs.size())
                                                       : fmt::format("All {} {}", runs.size(), title)));
    page_.picture([&](double width) { return bar_chart(bars, kind, width); });
    std::vector<std::vector<HtmlCell>> rows;
    for (const std::size_t i : by_share(runs, 200))
      rows.push_back({{xml_text(runs[i].name)},
                      {fmt::format("{:.1f} %", 100 * runs[i].share), true},
                      {html_number(runs[i].contribution, c_.unit), true},
                      {xml_text(runs[i].nearest < others.size() ? others[runs[i].nearest].name : "")},
                      {html_number(runs[i].nearest_distance, c_.unit), true},
                      {runs[i].distance_without ? html_number(*runs[i].distance_without, c_.unit) : "\u2013", true},
                      {std::to_string(runs[i].samples), true},
                      {html_number(runs[i].duration, "s"), true}});
    page_.markup(fmt::format("<details><summary>Table of the {}</summary>\n", title));
    page_.table({"run", "share", "part of the distance", "nearest", "at", "distance without it", "samples", "duration"},
                rows);
    page_.markup("</details>\n");
  }

  void method() {
    page_.section("Method");
    page_.paragraph(metric_words());
    std::string words =
        fmt::format("Optimality gap {}; distinct runs: {} simulated, {} measured. ", html_value(c_.gap),
                    count_or_unknown(c_.distinct_simulations), count_or_unknown(c_.distinct_measurements));
    if (c_.common_grid) words += fmt::format("All runs were brought to one grid of {:g} s. ", *c_.common_grid);
    if (c_.halves)
      words += fmt::format("Draws of groups: {} measured ({}), {} simulated against measured ({}); seed {}. ",
                           c_.halves->base.values.size(), c_.halves->exhaustive_base ? "all there are" : "at random",
                           c_.halves->like.values.size(), c_.halves->exhaustive_like ? "all there are" : "at random",
                           c_.seed);
    page_.paragraph(
        words + fmt::format("Input {:016x}, computed by fidelity {}. Run time: distances {:.3g} s, transport {:.3g} s.",
                            c_.input_hash, c_.library_version, c_.matrix_seconds, c_.solve_seconds));
  }

  [[nodiscard]] std::string metric_words() const {
    std::string words = c_.metric.name;
    for (const auto& parameter : c_.metric.parameters) {
      const bool compound = c_.unit.find('/') != std::string::npos && !parameter.unit_per_value.empty();
      const std::string unit =
          c_.unit.empty() ? "" : " " + (compound ? "(" + c_.unit + ")" : c_.unit) + parameter.unit_per_value;
      words += fmt::format(", {} {:.6g}{}", parameter.name, parameter.value, unit);
    }
    return words + (c_.metric.settings.empty() ? "" : ", " + c_.metric.settings);
  }

  [[nodiscard]] std::string in_unit(const char* what) const {
    return c_.unit.empty() ? what : fmt::format("{} in {}", what, c_.unit);
  }
  /// Not yet escaped.
  [[nodiscard]] std::string html_value(double value) const {
    return is_finite(value) ? with_unit(value, c_.unit) : "not a number";
  }

  const Comparison& c_;
  HtmlPage& page_;
};

}  // namespace fidelity::detail
