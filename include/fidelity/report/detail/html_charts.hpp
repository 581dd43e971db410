// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/detail/axis.hpp>
#include <fidelity/report/detail/svg_layout.hpp>
#include <fidelity/report/detail/xml_text.hpp>

namespace fidelity::detail {

/// An SVG picture of a page that grows element by element.
class HtmlChart {
 public:
  explicit HtmlChart(double width) : width_(width) {}

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void text(double x, double y, std::string_view kind, std::string_view words) {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, xml_text(words));
  }
  /// Text that is shown under the pointer and by readers for the blind.
  void tip(std::string_view words) { put("<title>{}</title>", xml_text(words)); }

  [[nodiscard]] std::string finish(double height, std::string_view label) const {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
               "role=\"img\" aria-label=\"{2}\">\n",
               width_, height, xml_text(label)) +
           out_ + "</svg>\n";
  }
  [[nodiscard]] double width() const { return width_; }

 private:
  double width_;
  std::string out_;
};

/// A name cut to what fits beside a picture.
inline std::string cut_name(std::string_view name, std::size_t characters) {
  if (character_count(name) <= characters) return std::string(name);
  std::string cut;
  for (std::size_t i = 0, count = 0; i < name.size() && count + 1 < characters; ++count) {
    const std::size_t length = std::max<std::size_t>(utf8_length(name, i), 1);
    cut += name.substr(i, length);
    i += length;
  }
  return cut + "\u2026";
}

/// How often values fall into classes of equal width, for one or two samples, with the value that was observed.
struct HistogramSample {
  std::string label;
  const std::vector<double>* values;
};
inline std::string histogram(const std::vector<HistogramSample>& samples, std::optional<double> observed,
                             std::string_view observed_label, std::string_view axis_label, double width) {
  double low = observed.value_or(HUGE_VAL), high = observed.value_or(-HUGE_VAL);
  for (const auto& sample : samples)
    for (const double value : *sample.values) low = std::min(low, value), high = std::max(high, value);
  if (!(is_finite(low) && is_finite(high) && is_finite(high - low))) return {};
  const double margin = high > low ? 0.03 * (high - low) : std::max(0.05 * std::abs(high), 1e-300);
  low -= margin;
  high += margin;
  const double left = 46, right = width - 14, height = 170;
  const auto bins = static_cast<std::size_t>(width > 600 ? 48 : 24);

  HtmlChart chart(width);
  double x = left, y = 16;
  const auto legend = [&](std::string_view kind, const std::string& label) {
    if (x > left && x + 26 + text_width(label) > right) x = left, y += 18;
    if (kind == "seen")
      chart.put("<path class=\"seen\" d=\"M{:.1f} {:.1f}v12\"/>\n", x + 9, y - 10);
    else
      chart.put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"11\"/>\n", kind, x, y - 9);
    chart.text(x + 24, y, "faint", label);
    x += 40 + text_width(label);
  };
  for (std::size_t k = 0; k < samples.size(); ++k) legend(k == 0 ? "bar" : "other", samples[k].label);
  if (observed) legend("seen", std::string(observed_label));
  const double top = y + 14, x_scale = (right - left) / (high - low);

  std::vector<std::vector<double>> shares;
  double tallest = 0;
  for (const auto& sample : samples) {
    std::vector<double> share(bins, 0);
    for (const double value : *sample.values)
      share[std::min(bins - 1, static_cast<std::size_t>((value - low) / (high - low) * static_cast<double>(bins)))] +=
          1.0 / static_cast<double>(sample.values->size());
    tallest = std::max(tallest, *std::max_element(share.begin(), share.end()));
    shares.push_back(std::move(share));
  }
  const double bin = (right - left) / static_cast<double>(bins);
  for (const Tick& tick : value_ticks(0, 100 * tallest, 4)) {
    const double at = top + height * (1 - tick.place / (100 * tallest));
    chart.put("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, at, right);
    chart.text(left - 6, at + 4, "faint end", tick.label + " %");
  }
  for (std::size_t k = 0; k < shares.size(); ++k)
    for (std::size_t b = 0; b < bins; ++b) {
      if (shares[k][b] == 0) continue;
      // Two samples stand side by side in each class, so that they read without colour too.
      const double part = bin / static_cast<double>(shares.size()), tall = height * shares[k][b] / tallest;
      const double from = low + (high - low) * static_cast<double>(b) / static_cast<double>(bins);
      chart.put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">",
                k == 0 ? "bar" : "other", left + bin * static_cast<double>(b) + part * static_cast<double>(k) + 0.5,
                top + height - tall, part - 1, tall);
      chart.tip(fmt::format("{:.4g} to {:.4g}: {:.3g} % of {}", from, from + (high - low) / static_cast<double>(bins),
                            100 * shares[k][b], samples[k].label));
      chart.put("</rect>\n");
    }
  if (observed)
    chart.put("<path class=\"seen\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", left + (*observed - low) * x_scale, top, height);
  chart.put("<path class=\"frame\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, top + height, right);
  double free_from = 0;
  for (const Tick& tick : value_ticks(low, high, width > 600 ? 8 : 4)) {
    const double at = left + (tick.place - low) * x_scale, half = 0.5 * text_width(tick.label);
    if (at - half < free_from || at + half > width) continue;
    chart.put("<path class=\"frame\" d=\"M{:.1f} {:.1f}v5\"/>\n", at, top + height);
    chart.text(at, top + height + 18, "mid", tick.label);
    free_from = at + half + 8;
  }
  chart.text(right, top + height + 36, "faint end", axis_label);
  return chart.finish(top + height + 44, "distribution");
}

/// One row of a bar chart.
struct BarRow {
  std::string name;
  double share;  ///< 0 to 1, of the longest bar
  std::string text;
};
inline std::string bar_chart(const std::vector<BarRow>& rows, std::string_view kind, double width) {
  HtmlChart chart(width);
  std::size_t longest = 4;
  for (const BarRow& row : rows) longest = std::max(longest, character_count(row.name));
  const auto characters = std::min<std::size_t>(longest, width > 600 ? 36 : 16);
  const double left = 7.0 * static_cast<double>(characters) + 12, right = width - (width > 600 ? 230 : 110);
  double y = 0;
  for (const BarRow& row : rows) {
    chart.text(left - 8, y + 15, "end", cut_name(row.name, characters));
    chart.put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\"/>\n", kind, left, y + 4,
              std::max(1.0, (right - left) * row.share));
    chart.text(left + (right - left) * row.share + 6, y + 15, "", row.text);
    y += 22;
  }
  return chart.finish(y + 4, "bars");
}

/// A matrix as shades with the transport plan drawn into it.
struct HeatMap {
  std::vector<std::string> rows, columns;
  std::vector<bool> marked_columns;  ///< outliers
  std::vector<double> values;        ///< row by row
  std::vector<double> masses;        ///< of the plan, as shares of the largest
  std::string unit;
};
inline std::string heat_map(const HeatMap& map, double width) {
  const std::size_t n = map.rows.size(), m = map.columns.size();
  const auto name_width = [&](const std::vector<std::string>& names, std::size_t limit) {
    std::size_t longest = 3;
    for (const std::string& name : names) longest = std::max(longest, character_count(name));
    return std::min(longest, limit);
  };
  const std::size_t row_characters = name_width(map.rows, width > 600 ? 24 : 12);
  const std::size_t column_characters = name_width(map.columns, width > 600 ? 18 : 12);
  const double left = 6.6 * static_cast<double>(row_characters) + 14;
  const double cell = std::clamp((width - left - 8) / static_cast<double>(m), 3.0, 46.0);
  const double top = 6.6 * static_cast<double>(column_characters) + 14;
  const auto [smallest, largest] = std::minmax_element(map.values.begin(), map.values.end());
  const auto each = static_cast<std::size_t>(std::ceil(13 / cell));  // labels that do not touch

  HtmlChart chart(width);
  for (std::size_t j = 0; j < m; j += each) {
    const double x = left + cell * (static_cast<double>(j) + 0.5) + 4;
    chart.put("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" class=\"small\">{}{}</text>\n", x, top - 6,
              map.marked_columns[j] ? "! " : "", xml_text(cut_name(map.columns[j], column_characters)));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double y = top + cell * static_cast<double>(i);
    if (i % each == 0) chart.text(left - 6, y + 0.5 * cell + 4, "small end", cut_name(map.rows[i], row_characters));
    for (std::size_t j = 0; j < m; ++j) {
      const double value = map.values[i * m + j], mass = map.masses[i * m + j];
      const double shade = *largest > *smallest ? (value - *smallest) / (*largest - *smallest) : 0.5;
      const double x = left + cell * static_cast<double>(j);
      chart.put(
          "<rect class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill-opacity=\"{:.2f}\">",
          x, y, cell - 0.6, cell - 0.6, 0.06 + 0.84 * std::sqrt(shade));
      chart.tip(fmt::format("{} with {}\n{:.6g}{}{}{}", map.rows[i], map.columns[j], value,
                            map.unit.empty() ? "" : " " + map.unit, mass > 0 ? ", matched" : "",
                            map.marked_columns[j] ? "\nsee the flags" : ""));
      chart.put("</rect>\n");
      if (mass > 0)
        chart.put("<circle class=\"mass\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", x + 0.5 * cell, y + 0.5 * cell,
                  std::max(1.0, 0.4 * cell * std::sqrt(mass)));
      if (cell >= 40)
        chart.put("<text class=\"small mid over\" x=\"{:.1f}\" y=\"{:.1f}\">{:.3g}</text>\n", x + 0.5 * cell,
                  y + 0.5 * cell + 4, value);
    }
  }
  // The scale of the shades.
  const double y = top + cell * static_cast<double>(n) + 14, wide = std::min(200.0, width - left - 100);
  for (int k = 0; k < 10; ++k)
    chart.put(
        "<rect class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"10\" fill-opacity=\"{:.2f}\"/>\n",
        left + wide * k / 10, y, wide / 10, 0.06 + 0.84 * std::sqrt((k + 0.5) / 10));
  chart.text(left, y + 25, "faint", fmt::format("{:.4g}", *smallest));
  chart.text(left + wide, y + 25, "faint end", fmt::format("{:.4g} {}", *largest, map.unit));
  return chart.finish(y + 34, "distances of all pairs with the transport plan");
}

}  // namespace fidelity::detail
