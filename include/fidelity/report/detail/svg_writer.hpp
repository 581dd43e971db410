// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/report/detail/axis.hpp>
#include <fidelity/report/detail/xml_text.hpp>
#include <fidelity/report/svg.hpp>

namespace fidelity {

template <TimePoint Time>
Panel<Time>& Panel<Time>::points(std::span<const Time> times, std::span<const double> values, std::string label,
                                 Pen pen) {
  if (times.size() != values.size())
    detail::fail("Panel::points", Rule::size_mismatch,
                 detail::concat(times.size(), " times and ", values.size(), " values"));
  detail::LineThinner kept(columns_);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (range_.begin <= times[i] && times[i] <= range_.end && detail::is_finite(values[i]))
      kept.add(seconds(times[i] - range_.begin) / seconds(range_.length()), values[i]);
  dots_.push_back({kept.take(), std::move(label), pen});
  return *this;
}

namespace detail {

/// Width of a text at 12 px, from above: the widest fonts that a system may put in.
inline double text_width(std::string_view text) { return 7.0 * static_cast<double>(character_count(text)); }

/// A text broken at blanks into lines of at most `width`.
inline std::vector<std::string> broken(std::string_view text, double width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t blank = std::min(text.find(' ', i), text.size());
    const std::string word(text.substr(i, blank - i));
    if (!line.empty() && text_width(line) + 7 + text_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    i = blank + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

constexpr std::array<const char*, 5> shade_names{"holds", "both", "chosen", "unknown", "failed"};
constexpr std::array<const char*, 4> pen_names{"p1", "p2", "p3", "p4"};
inline const char* class_of(Shade shade) { return shade_names[static_cast<std::size_t>(shade)]; }
inline const char* class_of(Pen pen) { return pen_names[static_cast<std::size_t>(pen)]; }

/// Colours that people with any colour vision can tell apart (Okabe and Ito), on light and on dark ground.
constexpr std::string_view svg_style = R"(<style>
:root{--ground:#fff;--ink:#1b1b1b;--faint:#767676;--grid:#e3e3e3;--p1:#0060a8;--p2:#c04a00;--p3:#00795a;--p4:#8d3f78;
--holds:#d9a400;--both:#0072b2;--chosen:#009e73;--unknown:#8a8a8a;--failed:#c62828}
@media (prefers-color-scheme:dark){:root{--ground:#16181b;--ink:#ececec;--faint:#a3a3a3;--grid:#33373c;--p1:#6cb8ee;
--p2:#f0955a;--p3:#3fcf9f;--p4:#dd94c6;--holds:#e6b822;--both:#4aa8e0;--chosen:#27c795;--unknown:#9a9a9a;--failed:#ff6b6b}}
text{font:12px system-ui,sans-serif;fill:var(--ink)}.title{font-size:16px;font-weight:600}.panel{font-weight:600}
.over{paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
.faint{fill:var(--faint)}.end{text-anchor:end}.mid{text-anchor:middle}
.line{fill:none;stroke-width:1.4;stroke-linejoin:round}.dot{stroke:none}
.p1{stroke:var(--p1)}.p2{stroke:var(--p2);stroke-dasharray:7 3}.p3{stroke:var(--p3);stroke-dasharray:2 2}
.p4{stroke:var(--p4);stroke-dasharray:9 3 2 3}
.dot.p1{fill:var(--p1)}.dot.p2{fill:var(--p2)}.dot.p3{fill:var(--p3)}.dot.p4{fill:var(--p4)}
.grid{stroke:var(--grid)}.frame{fill:none;stroke:var(--faint)}.level{stroke:var(--ink);stroke-dasharray:5 4}
.mark{stroke:var(--faint)}.strong{stroke:var(--ink);stroke-width:1.6}
.area{fill-opacity:.18}.holds{fill:var(--holds)}.both{fill:var(--both)}.chosen{fill:var(--chosen)}
.unknown{fill:var(--unknown)}.failed{fill:var(--failed)}
.hatch{stroke-width:1.2;stroke-opacity:.65}.hatch.holds{stroke:var(--holds)}.hatch.both{stroke:var(--both)}
.hatch.chosen{stroke:var(--chosen)}.hatch.unknown{stroke:var(--unknown)}.hatch.failed{stroke:var(--failed)}
</style>)";

/// One pattern for each meaning: direction and width differ, so that they read without colour.
constexpr std::string_view svg_patterns =
    R"(<defs><pattern id="holds" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch holds" d="M-1 9L9 -1"/></pattern>
<pattern id="both" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch both" d="M-1 -1L9 9"/></pattern>
<pattern id="chosen" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch chosen" d="M-1 7L7 -1M-1 -1L7 7"/></pattern>
<pattern id="unknown" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch unknown" d="M0 2.5H1.5"/></pattern>
<pattern id="failed" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch failed" d="M2.5 0V5"/></pattern></defs>
)";

/// Does the panel draw values, or stretches of time only?
template <TimePoint Time>
bool has_values(const Panel<Time>& panel) {
  return !panel.lines().empty() || !panel.dots().empty() || !panel.levels().empty();
}

/// The scale of a panel: the values that are drawn, and a margin.
template <TimePoint Time>
std::pair<double, double> value_range(const Panel<Time>& panel) {
  constexpr double limit = 1e300;  // so that differences are finite
  double low = limit, high = -limit;
  const auto include = [&](double value) {
    value = std::clamp(value, -limit, limit);
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const auto* group : {&panel.lines(), &panel.dots()})
    for (const auto& line : *group)
      for (const DrawnPoint& point : line.points) include(point.value);
  for (const auto& level : panel.levels()) include(level.place);
  if (low > high) low = 0, high = 1;
  double margin = 0.07 * (high - low);
  // A scale finer than the rounding of its values would show noise as a signal.
  const double least = 1e-12 * std::max(std::abs(low), std::abs(high));
  if (!(margin > least)) margin = least > 0 ? std::max(0.5 * std::max(std::abs(low), std::abs(high)) * 0.1, least) : 1;
  return {low - margin, high + margin};
}

/// Writes the picture from top to bottom.
template <TimePoint Time>
class SvgWriter {
 public:
  SvgWriter(const Window<Time>& range, const FigureOptions& options, const std::vector<Panel<Time>>& panels)
      : range_(range), options_(options), panels_(panels) {
    bool notes = false;
    for (const Panel<Time>& panel : panels) {
      scales_.push_back(value_range(panel));
      const int count = std::max(3, static_cast<int>(options.panel_height / 24));
      ticks_.push_back(has_values(panel) ? value_ticks(scales_.back().first, scales_.back().second, count)
                                         : std::vector<Tick>{});
      for (const Tick& tick : ticks_.back()) left_ = std::max(left_, text_width(tick.label) + 14);
      notes = notes || !panel.notes().empty();
    }
    notes_width_ = notes ? std::min(230.0, 0.3 * options.width) : 0;
    right_ = options.width - 16 - notes_width_;
  }

  std::string write() {
    double y = 8;
    if (!options_.title.empty())
      for (const std::string& line : broken(options_.title, 0.72 * options_.width)) text(12, y += 20, "title", line);
    for (std::size_t i = 0; i < panels_.size(); ++i) y = panel(panels_[i], scales_[i], ticks_[i], y + 12);
    y = time_axis(y);
    for (const std::string& line : broken(options_.caption, options_.width - 24)) text(12, y += 17, "faint", line);
    y += 12;
    return fmt::format(
               R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" role="img">)"
               "\n<title>{2}</title>\n{3}\n{4}<rect width=\"100%\" height=\"100%\" fill=\"var(--ground)\"/>\n",
               options_.width, y, xml_text(options_.title), svg_style, svg_patterns) +
           out_ + "</svg>\n";
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void text(double x, double y, std::string_view kind, std::string_view words) {
    if (words.empty()) return;
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, xml_text(words));
  }
  [[nodiscard]] double x_of(double place) const { return left_ + place * (right_ - left_); }

  /// Title and legend, as many lines as they need. Returns where they end.
  double heading(const Panel<Time>& panel, double y) {
    double x = left_;
    y += 14;
    for (const std::string& line : broken(panel.title(), right_ - left_)) {
      if (x > left_) y += 17;
      text(x = left_, y, "panel", line);
      x += text_width(line) * 1.1 + 18;
    }
    const auto entry = [&](const std::string& label, auto&& symbol) {
      if (label.empty()) return;
      if (x > left_ && x + 26 + text_width(label) > right_) x = left_, y += 17;
      symbol(x, y);
      text(x + 26, y, "faint", label);
      x += 26 + text_width(label) + 16;
    };
    for (const auto& line : panel.lines())
      entry(line.label, [&](double at, double base) {
        put("<path class=\"line {}\" d=\"M{:.1f} {:.1f}h20\"/>\n", class_of(line.pen), at, base - 4);
      });
    for (const auto& dots : panel.dots())
      entry(dots.label, [&](double at, double base) {
        put("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>\n", class_of(dots.pen), at + 12,
            base - 4);
      });
    for (const auto& shaded : panel.shades())
      entry(shaded.label, [&](double at, double base) {
        for (const char* fill : {"", "url"}) area(at, base - 10, 20, 12, shaded.shade, *fill != 0);
      });
    return y + 6;
  }

  void area(double x, double y, double width, double height, Shade shade, bool hatched) {
    const char* name = class_of(shade);
    if (hatched)
      put("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"url(#{})\"/>\n", x, y, width,
          height, name);
    else
      put("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" class=\"area {}\"/>\n", x, y, width,
          height, name);
  }

  double panel(const Panel<Time>& panel, const std::pair<double, double>& scale, const std::vector<Tick>& ticks,
               double y) {
    const double top = heading(panel, y), height = has_values(panel) ? options_.panel_height : 36;
    const auto y_of = [&](double value) {
      return top +
             height * (scale.second - std::clamp(value, scale.first, scale.second)) / (scale.second - scale.first);
    };
    for (const Tick& tick : ticks) {
      const double at = y_of(tick.place);
      put("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left_, at, right_);
      text(left_ - 6, at + 4, "faint end", tick.label);
    }
    const double length = seconds(range_.length());
    for (const auto& shaded : panel.shades())
      for (const Window<Time>& window : shaded.windows.windows()) {
        const double from = x_of(seconds(window.begin - range_.begin) / length);
        const double wide = std::max(0.5, x_of(seconds(window.end - range_.begin) / length) - from);
        area(from, top, wide, height, shaded.shade, false);
        area(from, top, wide, height, shaded.shade, true);
      }
    for (const auto& mark : panel.marks())
      put("<path class=\"{}\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", mark.label.empty() ? "mark" : "strong",
          x_of(mark.place), top, height);
    for (const auto& level : panel.levels())
      put("<path class=\"level\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left_, y_of(level.place), right_);
    for (const auto& line : panel.lines()) {
      put("<path class=\"line {}\" d=\"", class_of(line.pen));
      for (const DrawnPoint& point : line.points)
        put("{}{:.1f} {:.1f}", point.lifted ? 'M' : 'L', x_of(point.place), y_of(point.value));
      put("\"/>\n");
    }
    for (const auto& dots : panel.dots())
      for (const DrawnPoint& point : dots.points)
        put("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"/>\n", class_of(dots.pen), x_of(point.place),
            y_of(point.value));
    for (const auto& mark : panel.marks()) {  // labels stand over the lines
      const bool flip = x_of(mark.place) + 6 + text_width(mark.label) > right_;
      text(x_of(mark.place) + (flip ? -5 : 5), top + 13, flip ? "over end" : "over", mark.label);
    }
    for (const auto& level : panel.levels()) {
      const double above = y_of(level.place) - 5, inside = above > top + 8 ? above : y_of(level.place) + 14;
      text(left_ + 5, inside, "over", level.label);
    }
    put("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left_, top,
        right_ - left_, height);
    double note_y = top + 4;
    for (const std::string& note : panel.notes())
      for (const std::string& line : broken(note, notes_width_ - 8)) text(right_ + 12, note_y += 16, "", line);
    return std::max(top + height, note_y);
  }

  double time_axis(double y) {
    y += 16;
    const int count = std::max(2, static_cast<int>((right_ - left_) / 85));
    double free_from = 0;  // a label that would touch the one before is left out
    for (const Tick& tick : time_ticks(range_, count)) {
      const double half = 0.5 * text_width(tick.label);
      const double x = std::clamp(x_of(tick.place), half + 2, options_.width - half - 2);
      put("<path class=\"frame\" d=\"M{:.1f} {:.1f}v-5\"/>\n", x_of(tick.place), y - 11);
      if (x - half < free_from) continue;
      text(x, y + 2, "mid", tick.label);
      free_from = x + half + 8;
    }
    text(right_, y + 19, "faint end", std::same_as<Time, double> ? "time in s" : "time in UTC");
    return y + 24;
  }

  const Window<Time>& range_;
  const FigureOptions& options_;
  const std::vector<Panel<Time>>& panels_;
  std::vector<std::pair<double, double>> scales_;
  std::vector<std::vector<Tick>> ticks_;
  double left_ = 40, right_ = 0, notes_width_ = 0;
  std::string out_;
};

}  // namespace detail

template <TimePoint Time>
std::string Figure<Time>::svg() const {
  return detail::SvgWriter<Time>(range_, options_, panels_).write();
}

}  // namespace fidelity
