// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity::detail {

/// A point of a drawn line: place from 0 to 1 on the time axis, value, and whether the pen is lifted before it.
struct DrawnPoint {
  double place;
  double value;
  bool lifted;
};

/// Thins the points of a line to the first, smallest, largest and last of every column of the picture, so that every
/// peak stays and the size depends on the width of the picture alone.
class LineThinner {
 public:
  explicit LineThinner(double columns) : columns_(columns) {}

  void lift() {
    flush();
    lifted_ = true;
  }
  void add(double place, double value) {
    const double column = std::floor(place * columns_);
    if (held_ > 0 && column != column_) flush();
    column_ = column;
    const DrawnPoint point{place, value, false};
    if (held_ == 0) first_ = smallest_ = largest_ = point;
    if (value < smallest_.value) smallest_ = point;
    if (value > largest_.value) largest_ = point;
    last_ = point;
    ++held_;
  }
  [[nodiscard]] std::vector<DrawnPoint> take() {
    flush();
    return std::move(points_);
  }

 private:
  void flush() {
    if (held_ == 0) return;
    std::array<DrawnPoint, 4> kept{first_, smallest_, largest_, last_};
    std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k > 0 && kept[k].place == kept[k - 1].place && kept[k].value == kept[k - 1].value) continue;
      points_.push_back({kept[k].place, kept[k].value, lifted_});
      lifted_ = false;
    }
    held_ = 0;
  }

  double columns_, column_ = 0;
  std::size_t held_ = 0;
  bool lifted_ = true;
  DrawnPoint first_{}, smallest_{}, largest_{}, last_{};
  std::vector<DrawnPoint> points_;
};

/// The line of a signal within a range: held values as stairs, curved pieces finely enough for the picture with their
/// turning points, gaps as gaps.
template <Signal S>
std::vector<DrawnPoint> drawn_line(const S& signal, const Window<typename S::time_type>& range, double columns) {
  using Time = typename S::time_type;
  const double length = seconds(range.length());
  LineThinner line(columns);
  std::optional<Time> pen;
  for_each_piece(signal, range, [&](const Segment<Time>& piece) {
    if (pen != piece.window.begin) line.lift();
    pen = piece.window.end;
    const double from = seconds(piece.window.begin - range.begin) / length;
    const double to = seconds(piece.window.end - range.begin) / length;
    if (piece.degree == 0) {
      line.add(from, piece.coefficients[0]);
      line.add(to, piece.coefficients[0]);
      return;
    }
    const double begin = piece.seconds_to(piece.window.begin), end = piece.seconds_to(piece.window.end);
    std::vector<double> stops{begin, end};
    if (piece.degree > 1) {
      const Roots turns = roots_between(derivative(piece.coefficients, piece.degree), piece.degree - 1, begin, end);
      stops.insert(stops.end(), turns.begin(), turns.end());
      const double steps = std::ceil((to - from) * columns / 2);
      for (double k = 1; k < steps; ++k) stops.push_back(begin + (end - begin) * k / steps);
      std::sort(stops.begin(), stops.end());
    }
    for (const double e : stops) line.add(from + (to - from) * ((e - begin) / (end - begin)), piece.at(e));
  });
  return line.take();
}

}  // namespace fidelity::detail
