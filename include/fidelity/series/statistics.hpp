// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/pieces.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

/// One number about a signal in a window, and the share of the window in which the signal is known. The value is
/// missing where nothing is known or less than was asked for; it is never invented and the coverage never hidden.
struct Aggregate {
  std::optional<double> value;
  double coverage;  ///< known length / length of the window, 0 to 1
};

/// Smallest or largest value of a signal in a window.
template <TimePoint Time>
struct Extremum {
  std::optional<double> value;
  double coverage;
  std::optional<Time> time;  ///< earliest time at which it is reached
  bool left_limit = false;   ///< the signal only tends to it from the left and jumps before reaching it
};

struct AggregateOptions {
  double min_coverage = 0;  ///< below this coverage the value is missing; 0 to 1
};

namespace detail {

inline void require_options(std::string_view function, const AggregateOptions& options) {
  if (!(options.min_coverage >= 0 && options.min_coverage <= 1) || !is_finite(options.min_coverage))
    fail(function, Rule::bad_parameter, "min_coverage must lie between 0 and 1", {.value = options.min_coverage});
}

/// Adds up the pieces of a window in order of time. Pieces that touch are measured as one, so that full coverage is 1
/// exactly, also in double.
template <TimePoint Time>
class KnownTime {
 public:
  /// Throws Overflow for a window longer than a duration can say.
  explicit KnownTime(const Window<Time>& window) : length_(window.length()), run_{window.begin, window.begin} {}
  void add(const Window<Time>& piece) {
    if (run_.end != piece.begin) {
      known_ += run_.end - run_.begin;
      run_.begin = piece.begin;
    }
    run_.end = piece.end;
  }
  [[nodiscard]] double coverage() const {
    const auto known = known_ + (run_.end - run_.begin);
    return known == length_ ? 1.0 : std::min(1.0, seconds(known) / seconds(length_));
  }

 private:
  Duration<Time> length_;
  Window<Time> run_;
  Duration<Time> known_{};
};

template <class S>
double known_coverage(std::string_view function, const S& signal, const Window<typename S::time_type>& window,
                      const AggregateOptions& options) {
  require_window(function, window);
  require_options(function, options);
  KnownTime known(window);
  for_each_piece(signal, window, [&](const auto& piece) { known.add(piece.window); });
  return known.coverage();
}

inline std::optional<double> finite_result(std::string_view function, double value) {
  if (!is_finite(value)) throw Overflow(concat("fidelity::", function, ": the result is not a finite number"));
  return value;
}

/// Mean over the known part, which must not be empty. Summed around the first value, so that a large offset costs no
/// precision. `see` gets every piece.
template <class S, class See>
double mean_of_known(const S& signal, const Window<typename S::time_type>& window, See&& see) {
  CompensatedSum sum, length;
  std::optional<double> reference;
  for_each_piece(signal, window, [&](const auto& segment) {
    see(segment);
    CentredPiece piece = centred(segment, window.begin);
    if (!reference) reference = piece.c[0];
    piece.c[0] -= *reference;
    sum.add(piece.integral());
    length.add(2 * piece.half);
  });
  return reference.value_or(0) + sum.value() / length.value();
}
template <class S>
double mean_of_known(const S& signal, const Window<typename S::time_type>& window) {
  return mean_of_known(signal, window, [](const auto&) {});
}

/// Is there enough to answer from?
inline bool answers(double coverage, const AggregateOptions& options) {
  return coverage > 0 && coverage >= options.min_coverage;
}

template <class S, class Better>
Extremum<typename S::time_type> extremum(std::string_view function, const S& signal,
                                         const Window<typename S::time_type>& window, const AggregateOptions& options,
                                         Better better) {
  using Time = typename S::time_type;
  Extremum<Time> best{{}, known_coverage(function, signal, window, options), {}};
  if (!answers(best.coverage, options)) return best;
  const auto consider = [&](double value, Time t, bool left_limit) {
    if (!best.value || better(value, *best.value)) best.value = value, best.time = t, best.left_limit = left_limit;
  };
  for_each_piece(signal, window, [&](const Segment<Time>& piece) {
    const double begin = piece.seconds_to(piece.window.begin);
    consider(piece.at(begin), piece.window.begin, false);
    if (piece.degree == 0) return;
    const double end = piece.seconds_to(piece.window.end);
    const Coefficients slope = derivative(piece.coefficients, piece.degree);
    for (const double e : roots_between(slope, piece.degree - 1, begin, end))
      consider(piece.at(e), offset(function, piece.origin, e), false);
    // The signal itself knows the value at the end of a piece without the rounding of the polynomial.
    const auto [end_value, rounding] = evaluate(piece.coefficients, piece.degree, end);
    if (!better(end_value - rounding, *best.value) && !better(end_value + rounding, *best.value)) return;
    const Time at_end = piece.window.end;
    const double value = signal.value(at_end, Side::left).value_or(end_value);
    consider(value, at_end, at_end == window.end || signal.value(at_end, Side::right) != value);
  });
  (void)finite_result(function, *best.value);
  return best;
}

}  // namespace detail

/// Share of the window in which the signal is known, 0 to 1. O(log n + pieces in the window), as all below.
/// All throw InputError for a window whose begin is not before its end.
template <Signal S>
[[nodiscard]] double coverage(const S& signal, const Window<typename S::time_type>& window) {
  return detail::known_coverage("coverage", signal, window, {});
}

/// Time-weighted mean: integral of the signal over the known part of the window, divided by the length of that part.
/// Exact for every piece (rectangle, trapezoid, antiderivative); the value that holds from before the window counts.
template <Signal S>
[[nodiscard]] Aggregate mean(const S& signal, const Window<typename S::time_type>& window,
                             const AggregateOptions& options = {}) {
  detail::require_window("mean", window);
  detail::require_options("mean", options);
  detail::KnownTime known(window);
  const double value = detail::mean_of_known(signal, window, [&](const auto& segment) { known.add(segment.window); });
  Aggregate result{{}, known.coverage()};
  if (detail::answers(result.coverage, options)) result.value = detail::finite_result("mean", value);
  return result;
}

/// Integral over the known part of the window, in unit of the value times seconds.
template <Signal S>
[[nodiscard]] Aggregate integral(const S& signal, const Window<typename S::time_type>& window,
                                 const AggregateOptions& options = {}) {
  Aggregate result{{}, detail::known_coverage("integral", signal, window, options)};
  if (!detail::answers(result.coverage, options)) return result;
  detail::CompensatedSum sum;
  detail::for_each_piece(signal, window,
                         [&](const auto& piece) { sum.add(detail::centred(piece, window.begin).integral()); });
  result.value = detail::finite_result("integral", sum.value());
  return result;
}

/// Standard deviation over time: sqrt((1/T) integral (x - mean)^2), over the known part, about the mean (never as
/// difference of squares).
template <Signal S>
[[nodiscard]] Aggregate standard_deviation(const S& signal, const Window<typename S::time_type>& window,
                                           const AggregateOptions& options = {}) {
  Aggregate result{{}, detail::known_coverage("standard_deviation", signal, window, options)};
  if (!detail::answers(result.coverage, options)) return result;
  const double mean = *detail::finite_result("standard_deviation", detail::mean_of_known(signal, window));
  const auto each = [&](auto&& f) {
    detail::for_each_piece(signal, window, [&](const auto& segment) {
      detail::CentredPiece piece = detail::centred(segment, window.begin);
      piece.c[0] -= mean;
      f(piece);
    });
  };
  double largest = 0;
  each([&](const detail::CentredPiece& piece) { largest = std::max(largest, piece.bound()); });
  result.value = 0.0;
  if (largest == 0) return result;
  (void)detail::finite_result("standard_deviation", largest);
  // Divided by a power of two near the largest deviation, the squares neither overflow nor vanish.
  const int exponent = std::ilogb(largest);
  detail::CompensatedSum squares, length;
  each([&](detail::CentredPiece& piece) {
    for (double& c : piece.c) c = std::scalbn(c, -exponent);
    squares.add(piece.square_integral());
    length.add(2 * piece.half);
  });
  const double root =
      std::sqrt(std::max(0.0, *detail::finite_result("standard_deviation", squares.value())) / length.value());
  result.value = detail::finite_result("standard_deviation", std::scalbn(root, exponent));
  return result;
}

/// Slope of the straight line that fits the signal best over the known part of the window (least squares over time,
/// not over samples), in unit of the value per second.
template <Signal S>
[[nodiscard]] Aggregate slope(const S& signal, const Window<typename S::time_type>& window,
                              const AggregateOptions& options = {}) {
  Aggregate result{{}, detail::known_coverage("slope", signal, window, options)};
  if (!detail::answers(result.coverage, options)) return result;
  const double mean = detail::mean_of_known(signal, window);
  detail::CompensatedSum length, moment;
  const auto each = [&](auto&& f) {
    detail::for_each_piece(signal, window, [&](const auto& piece) { f(detail::centred(piece, window.begin)); });
  };
  each([&](const detail::CentredPiece& piece) {
    length.add(2 * piece.half);
    moment.add(2 * piece.half * piece.middle);
  });
  const double centre = moment.value() / length.value();
  detail::CompensatedSum covariance, variance;
  each([&](detail::CentredPiece piece) {
    piece.c[0] -= mean;
    const double d = piece.middle - centre;
    covariance.add(d * piece.integral() + piece.first_moment());
    variance.add(2 * piece.half * (d * d + piece.half * piece.half / 3));
  });
  result.value = detail::finite_result("slope", covariance.value() / variance.value());
  return result;
}

/// Total variation over the known part: how far the value travels up and down, jumps between pieces that touch
/// included.
template <Signal S>
[[nodiscard]] Aggregate total_variation(const S& signal, const Window<typename S::time_type>& window,
                                        const AggregateOptions& options = {}) {
  using Time = typename S::time_type;
  Aggregate result{{}, detail::known_coverage("total_variation", signal, window, options)};
  if (!detail::answers(result.coverage, options)) return result;
  detail::CompensatedSum sum;
  std::optional<Time> reached;
  double value = 0;
  const auto go_to = [&](double next) {
    sum.add(std::abs(next - value));
    value = next;
  };
  detail::for_each_piece(signal, window, [&](const Segment<Time>& piece) {
    const double begin = piece.seconds_to(piece.window.begin), first = piece.at(begin);
    if (reached == piece.window.begin) go_to(first);
    value = first;
    reached = piece.window.end;
    if (piece.degree == 0) return;
    const double end = piece.seconds_to(piece.window.end);
    if (piece.degree > 1)
      for (const double e :
           detail::roots_between(detail::derivative(piece.coefficients, piece.degree), piece.degree - 1, begin, end))
        go_to(piece.at(e));
    go_to(piece.at(end));
  });
  result.value = detail::finite_result("total_variation", sum.value());
  return result;
}

/// Smallest value, one-sided limits included, with its earliest time.
template <Signal S>
[[nodiscard]] Extremum<typename S::time_type> minimum(const S& signal, const Window<typename S::time_type>& window,
                                                      const AggregateOptions& options = {}) {
  return detail::extremum("minimum", signal, window, options, [](double a, double b) { return a < b; });
}

/// Largest value, one-sided limits included, with its earliest time.
template <Signal S>
[[nodiscard]] Extremum<typename S::time_type> maximum(const S& signal, const Window<typename S::time_type>& window,
                                                      const AggregateOptions& options = {}) {
  return detail::extremum("maximum", signal, window, options, [](double a, double b) { return a > b; });
}

/// Time-weighted mean of every channel.
template <class Scalar, TimePoint Time>
[[nodiscard]] std::vector<Aggregate> means(const SeriesBase<Scalar, Time>& series,
                                           const std::type_identity_t<Window<Time>>& window,
                                           const AggregateOptions& options = {}) {
  std::vector<Aggregate> all;
  for (std::size_t c = 0; c < series.channels(); ++c) all.push_back(mean(channel(series, c), window, options));
  return all;
}

}  // namespace fidelity
