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
#include <fidelity/report/detail/svg_layout.hpp>
#include <fidelity/report/detail/svg_style.hpp>
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

template <TimePoint Time>
Panel<Time>& Panel<Time>::band(std::span<const Time> times, std::span<const double> low, std::span<const double> high,
                               std::string label) {
  if (times.size() != low.size() || times.size() != high.size())
    detail::fail("Panel::band", Rule::size_mismatch,
                 detail::concat(times.size(), " times, ", low.size(), " lower and ", high.size(), " upper values"));
  Band band{{}, {}, std::move(label)};
  bool lifted = true;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool known =
        range_.begin <= times[i] && times[i] <= range_.end && detail::is_finite(low[i]) && detail::is_finite(high[i]);
    if (known) {
      const double place = seconds(times[i] - range_.begin) / seconds(range_.length());
      band.low.push_back({place, low[i], lifted});
      band.high.push_back({place, high[i], lifted});
    }
    lifted = !known;
  }
  bands_.push_back(std::move(band));
  return *this;
}

namespace detail {

constexpr std::array<const char*, 5> shade_names{"holds", "both", "chosen", "unknown", "failed"};
constexpr std::array<const char*, 4> pen_names{"p1", "p2", "p3", "p4"};
inline const char* class_of(Shade shade) { return shade_names[static_cast<std::size_t>(shade)]; }
inline const char* class_of(Pen pen) { return pen_names[static_cast<std::size_t>(pen)]; }

/// Does the panel draw values, or stretches of time only?
template <TimePoint Time>
bool has_values(const Panel<Time>& panel) {
  return !panel.lines().empty() || !panel.dots().empty() || !panel.levels().empty() || !panel.bands().empty();
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
  for (const auto& band : panel.bands()) {
    for (const DrawnPoint& point : band.low) include(point.value);
    for (const DrawnPoint& point : band.high) include(point.value);
  }
  for (const auto& level : panel.levels()) include(level.place);
  if (low > high) low = 0, high = 1;
  double margin = 0.07 * (high - low);
  // A scale finer than the rounding of its values would show noise as a signal.
  const double least = 1e-12 * std::max(std::abs(low), std::abs(high));
  if (!(margin > least)) margin = least > 0 ? std::max(0.5 * std::max(std::abs(low), std::abs(high)) * 0.1, least) : 1;
  return {low - margin, high + margin};
}

/// Drawn points thinned once more, for a picture with fewer columns.
inline std::vector<DrawnPoint> thinned(const std::vector<DrawnPoint>& points, double columns) {
  LineThinner line(columns);
  for (const DrawnPoint& point : points) {
    if (point.lifted) line.lift();
    line.add(point.place, point.value);
  }
  return line.take();
}

/// Where a range begins, for a script that shows the time under the pointer: milliseconds of system time, or seconds.
template <TimePoint Time>
std::string time_attributes(const Window<Time>& range) {
  if constexpr (std::same_as<Time, double>) {
    return fmt::format("data-begin=\"{}\" data-length=\"{}\"", range.begin, seconds(range.length()));
  } else if constexpr (std::same_as<typename Time::clock, std::chrono::system_clock>) {
    return fmt::format("data-utc=\"{}\" data-length=\"{}\"", 1000 * seconds(range.begin.time_since_epoch()),
                       seconds(range.length()));
  } else {
    return fmt::format("data-begin=\"0\" data-length=\"{}\"", seconds(range.length()));
  }
}

/// Writes the picture from top to bottom.
template <TimePoint Time>
class SvgWriter {
 public:
  /// `embedded`: in a page that has the style and the patterns.
  SvgWriter(const Window<Time>& range, FigureOptions figure_options, const std::vector<Panel<Time>>& panels,
            double drawn_width, bool embedded)
      : range_(range),
        options_(std::move(figure_options)),
        panels_(panels),
        thin_again_(drawn_width < options_.width),
        embedded_(embedded) {
    options_.width = drawn_width;
    const FigureOptions& options = options_;
    beside_ = options.width >= 560;
    bool notes = false;
    for (const Panel<Time>& panel : panels) {
      scales_.push_back(value_range(panel));
      const int count = std::max(3, static_cast<int>(options.panel_height / 24));
      ticks_.push_back(has_values(panel) ? value_ticks(scales_.back().first, scales_.back().second, count)
                                         : std::vector<Tick>{});
      for (const Tick& tick : ticks_.back()) left_ = std::max(left_, text_width(tick.label) + 14);
      notes = notes || !panel.notes().empty();
    }
    notes_width_ = notes && beside_ ? std::min(230.0, 0.3 * options.width) : 0;
    right_ = options.width - 16 - notes_width_;
  }

  std::string write() {
    double y = 8;
    if (!embedded_)  // a page says it itself
      for (const std::string& line : broken(options_.title, 0.72 * options_.width)) text(12, y += 20, "title", line);
    for (std::size_t i = 0; i < panels_.size(); ++i) y = panel(panels_[i], scales_[i], ticks_[i], y + 12);
    y = time_axis(y);
    if (!embedded_)
      for (const std::string& line : broken(options_.caption, options_.width - 24)) text(12, y += 17, "faint", line);
    y += 12;
    std::string head = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" role="img" )",
        options_.width, y);
    if (embedded_)
      head +=
          fmt::format("class=\"values\" aria-label=\"{}\" {}>\n", xml_text(options_.title), time_attributes(range_));
    else
      head += fmt::format(
          ">\n<title>{}</title>\n<style>\n{}</style>\n{}<rect width=\"100%\" height=\"100%\" "
          "fill=\"var(--ground)\"/>\n",
          xml_text(options_.title), svg_style, svg_patterns);
    return head + out_ + "</svg>\n";
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
    for (const auto& band : panel.bands())
      entry(band.label, [&](double at, double base) {
        put("<path class=\"band\" d=\"M{:.1f} {:.1f}h20v12h-20z\"/>\n", at, base - 10);
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
    if (!beside_)
      for (const std::string& note : panel.notes())
        for (const std::string& line : broken(note, right_ - left_)) text(left_, y += 17, "", line);
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

  /// The area between two lines: there and back, for each stretch.
  template <class YOf>
  void ribbon(const std::vector<DrawnPoint>& low, const std::vector<DrawnPoint>& high, const YOf& y_of) {
    put("<path class=\"band\" d=\"");
    for (std::size_t i = 0, end = 0; i < low.size(); i = end) {
      for (end = i + 1; end < low.size() && !low[end].lifted;) ++end;
      for (std::size_t k = i; k < end; ++k)
        put("{}{:.1f} {:.1f}", k == i ? 'M' : 'L', x_of(high[k].place), y_of(high[k].value));
      for (std::size_t k = end; k-- > i;) put("L{:.1f} {:.1f}", x_of(low[k].place), y_of(low[k].value));
      put("Z");
    }
    put("\"/>\n");
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
    for (const auto& band : panel.bands()) ribbon(band.low, band.high, y_of);
    if (embedded_)
      put("<g class=\"plot\" data-x=\"{:.2f} {:.2f}\" data-y=\"{:.2f} {:.2f}\" data-v=\"{} {}\">\n", left_, right_, top,
          top + height, scale.second, scale.first);
    for (const auto& line : panel.lines()) {
      put("<path class=\"line {}{}\"", class_of(line.pen), line.thin ? " thin" : "");
      if (embedded_ && !line.name.empty()) put(" data-name=\"{}\"", xml_text(line.name));
      put(" d=\"");
      const auto points = thin_again_ ? thinned(line.points, right_ - left_) : std::vector<DrawnPoint>{};
      // A page shows values under the pointer: they need a finer place than the eye.
      for (const DrawnPoint& point : thin_again_ ? points : line.points)
        embedded_ ? put("{}{:.1f} {:.2f}", point.lifted ? 'M' : 'L', x_of(point.place), y_of(point.value))
                  : put("{}{:.1f} {:.1f}", point.lifted ? 'M' : 'L', x_of(point.place), y_of(point.value));
      put("\"/>\n");
    }
    if (embedded_) put("</g>\n");
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
    if (beside_)
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
  FigureOptions options_;
  const std::vector<Panel<Time>>& panels_;
  std::vector<std::pair<double, double>> scales_;
  std::vector<std::vector<Tick>> ticks_;
  bool thin_again_, embedded_, beside_ = true;
  double left_ = 40, right_ = 0, notes_width_ = 0;
  std::string out_;
};

}  // namespace detail

template <TimePoint Time>
std::string Figure<Time>::svg() const {
  return detail::SvgWriter<Time>(range_, options_, panels_, options_.width, false).write();
}

template <TimePoint Time>
std::string Figure<Time>::fragment(std::optional<double> width) const {
  return detail::SvgWriter<Time>(range_, options_, panels_, width.value_or(options_.width), true).write();
}

}  // namespace fidelity
