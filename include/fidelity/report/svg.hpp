// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/report/detail/drawn_line.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// What a shaded stretch means. Each has a colour and a hatching of its own, so that a page reads without colour.
enum class Shade {
  holds,    ///< a condition is fulfilled (yellow)
  both,     ///< all conditions are fulfilled (blue)
  chosen,   ///< the sampling window (green)
  unknown,  ///< nothing is known (grey)
  failed,   ///< outside of what is allowed (red)
};

/// How a line is drawn: each has a colour and a dash pattern of its own.
enum class Pen { first, second, third, fourth };

struct FigureOptions {
  std::string title = {};
  std::string caption = {};   ///< sentences below the panels, broken into lines
  double width = 960;         ///< of the whole picture, at least 320
  double panel_height = 120;  ///< of the drawing area of one panel, at least 40
  double columns = 0;         ///< lines are decimated to so many columns; 0: one for each unit of the width
};

/// One diagram of a figure. Everything is drawn over the time range of the figure and decimated at once: per column of
/// the picture at most the first, smallest, largest and last value stay, so a line of a million samples takes some ten
/// kilobytes and no peak is lost. Signals are not kept.
template <TimePoint Time>
class Panel {
 public:
  Panel(Window<Time> range, double columns, std::string title)
      : range_(range), columns_(columns), title_(std::move(title)) {}

  /// A signal as a line: held values as stairs, polynomials as curves, gaps as gaps. O(pieces in the range).
  template <Signal S>
  Panel& line(const S& signal, std::string label = {}, Pen pen = Pen::first) {
    std::string name = label;
    lines_.push_back({detail::drawn_line(signal, range_, columns_), std::move(label), pen, std::move(name), false});
    return *this;
  }
  /// One of many lines, thinner, such as a run of an ensemble; `name` is shown under the pointer in a page.
  template <Signal S>
  Panel& thin_line(const S& signal, std::string name, std::string label = {}, Pen pen = Pen::first) {
    lines_.push_back({detail::drawn_line(signal, range_, columns_), std::move(label), pen, std::move(name), true});
    return *this;
  }
  /// A ribbon between two values at each time, such as a tolerance; NaN breaks it. Not decimated: one time for each
  /// column of the picture is enough.
  Panel& band(std::span<const Time> times, std::span<const double> low, std::span<const double> high,
              std::string label = {});
  /// Single values as dots; those outside the range or not finite are left out.
  Panel& points(std::span<const Time> times, std::span<const double> values, std::string label = {},
                Pen pen = Pen::first);
  /// Stretches of time as hatched areas.
  Panel& shade(const WindowSet<Time>& windows, Shade shade, std::string label = {}) {
    shades_.push_back({(windows & WindowSet<Time>{range_}), shade, std::move(label)});
    return *this;
  }
  /// A horizontal line at a value, such as a limit, with its label beside.
  Panel& level(double value, std::string label = {}) {
    if (!detail::is_finite(value))
      detail::fail("Panel::level", Rule::value_not_finite, "the value of a line must be finite", {.value = value});
    levels_.push_back({value, std::move(label)});
    return *this;
  }
  /// A vertical line at a time, such as a change point.
  Panel& mark(Time time, std::string label = {}) {
    if (range_.begin <= time && time <= range_.end)
      marks_.push_back({seconds(time - range_.begin) / seconds(range_.length()), std::move(label)});
    return *this;
  }
  /// A line of text beside the panel, such as a mean.
  Panel& note(std::string text) {
    notes_.push_back(std::move(text));
    return *this;
  }

  struct Line {
    std::vector<detail::DrawnPoint> points;
    std::string label;
    Pen pen;
    std::string name = {};
    bool thin = false;
  };
  struct Band {
    std::vector<detail::DrawnPoint> low, high;
    std::string label;
  };
  struct Shaded {
    WindowSet<Time> windows;
    Shade shade;
    std::string label;
  };
  struct Labelled {
    double place;
    std::string label;
  };
  [[nodiscard]] const Window<Time>& range() const { return range_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<Line>& dots() const { return dots_; }
  [[nodiscard]] const std::vector<Band>& bands() const { return bands_; }
  [[nodiscard]] const std::vector<Shaded>& shades() const { return shades_; }
  [[nodiscard]] const std::vector<Labelled>& levels() const { return levels_; }
  [[nodiscard]] const std::vector<Labelled>& marks() const { return marks_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  Window<Time> range_;
  double columns_;
  std::string title_;
  std::vector<Line> lines_, dots_;
  std::vector<Band> bands_;
  std::vector<Shaded> shades_;
  std::vector<Labelled> levels_, marks_;
  std::vector<std::string> notes_;
};

/// Diagrams stacked over one time axis, as an SVG picture: light or dark as the reader's system asks, readable without
/// colour, without script or outside resource. Not a plotting library: it draws what this library computes.
template <TimePoint Time = Timestamp>
class Figure {
 public:
  /// Throws InputError for an empty range and for sizes below their least.
  explicit Figure(const Window<Time>& range, FigureOptions options = {}) : range_(range), options_(std::move(options)) {
    detail::require_window("Figure", range);
    for (const auto& [value, least, name] :
         {std::tuple{options_.width, 320.0, "width"}, std::tuple{options_.panel_height, 40.0, "panel_height"}})
      if (!(value >= least && value <= 1e4))
        detail::fail("Figure", Rule::bad_parameter, detail::concat(name, " must lie between ", least, " and 10000"),
                     {.value = value});
  }
  /// Adds a panel below the others. The reference is valid until the next one is added.
  Panel<Time>& panel(std::string title) {
    return panels_.emplace_back(range_, options_.columns > 0 ? options_.columns : options_.width, std::move(title));
  }

  /// The picture as SVG text, in UTF-8.
  [[nodiscard]] std::string svg() const;
  /// The same for a page that brings the style and the patterns along, at another width where one is given.
  [[nodiscard]] std::string fragment(std::optional<double> width = {}) const;

 private:
  Window<Time> range_;
  FigureOptions options_;
  std::vector<Panel<Time>> panels_;
};
template <TimePoint Time>
Figure(Window<Time>, FigureOptions) -> Figure<Time>;
template <TimePoint Time>
Figure(Window<Time>) -> Figure<Time>;

/// Writes a figure as an SVG file, whole or not at all. Throws std::system_error, which names the file.
template <TimePoint Time>
void write_svg(const std::filesystem::path& path, const Figure<Time>& figure) {
  const std::string svg = figure.svg();
  detail::write_file(path, [&](std::ostream& file) { file << svg; });
}

}  // namespace fidelity

#include <fidelity/report/detail/svg_writer.hpp>
