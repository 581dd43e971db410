// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <Eigen/Core>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/segment.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// What the signal does between two samples. `hold`: the value stays until the next sample (step). `linear`: straight
/// line.
enum class Interpolation { hold, linear };

/// The read interface of every time series: n >= 1 stamps and n x c values (row-major: one row a sample, one column a
/// channel). Functions take `const SeriesBase<Scalar, Time>&` and so accept a Series (owns) and a SeriesView (borrows).
///
/// Stamps are finite and increase strictly, except for event pairs: two samples at one time, the left and the right
/// limit. A value that is NaN or infinite is a bad sample: the signal is missing there.
///
/// A series of one channel models Signal: segment i runs from stamp i to the next. With `max_gap`, a linear piece
/// longer than that is absent, and a held value lives no longer than that. Nothing is extrapolated: before the first
/// sample the signal is missing, after the last one a linear signal is missing and a held one goes on.
template <class Scalar, TimePoint Time>
class SeriesBase {
  static_assert(std::same_as<Scalar, double> || std::same_as<Scalar, float>, "values are double or float");

 public:
  using scalar_type = Scalar;
  using time_type = Time;
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Values = Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

  /// Number of samples, at least 1.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Number of channels, at least 1.
  [[nodiscard]] std::size_t channels() const { return channels_; }
  /// All stamps.
  [[nodiscard]] std::span<const Time> times() const { return {times_, size_}; }
  /// All values as an Eigen map, samples x channels, without a copy.
  [[nodiscard]] Values values() const {
    return Values(values_, index(size_), index(channels_),
                  Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(sample_stride_, channel_stride_));
  }
  /// Stamp of sample i; i < size() is not checked.
  [[nodiscard]] Time time(std::size_t i) const { return times_[i]; }
  /// Value of sample i in a channel; the ranges are not checked.
  [[nodiscard]] Scalar operator()(std::size_t i, std::size_t channel = 0) const {
    return values_[index(i) * sample_stride_ + index(channel) * channel_stride_];
  }
  [[nodiscard]] std::string_view name() const { return name_; }
  /// One name a channel, or none at all.
  [[nodiscard]] std::span<const std::string> channel_names() const { return channel_names_; }
  /// First and last stamp. The signal is known up to the last stamp; as a window this is empty for a single sample.
  [[nodiscard]] Window<Time> span() const { return {times_[0], times_[size_ - 1]}; }
  [[nodiscard]] Interpolation interpolation() const { return interpolation_; }
  [[nodiscard]] std::optional<Duration<Time>> max_gap() const { return max_gap_; }

  // --- the signal of a one-channel series (model of Signal) ---

  /// Number of places for segments: absent ones (gaps) count.
  [[nodiscard]] std::size_t segment_count() const {
    require_one_channel();
    return segments();
  }

  /// Segment i, which begins at stamp i; nothing where the signal is missing or the place has no length. O(1).
  /// Throws Overflow where the slope between two samples is not a finite number.
  [[nodiscard]] std::optional<Segment<Time>> segment(std::size_t i) const {
    std::optional<Segment<Time>> piece(std::in_place);
    if (!segment(i, *piece)) piece.reset();
    return piece;
  }

  /// The same into a piece that is at hand, for loops: false where there is none. The piece must come from here or be
  /// new.
  bool segment(std::size_t i, Segment<Time>& piece) const {
    require_one_channel();
    if (i >= segments()) return false;
    const auto x = static_cast<double>((*this)(i));
    if (!detail::is_finite(x)) return false;
    const Time begin = times_[i];
    Time end = i + 1 == size_ ? detail::time_limit<Time>() : times_[i + 1];
    double slope = 0;
    std::size_t degree = 0;
    if (interpolation_ == Interpolation::hold) {
      if (max_gap_) end = std::min(end, detail::saturating_add(begin, *max_gap_));
    } else {
      const auto next = static_cast<double>((*this)(i + 1));
      if (!detail::is_finite(next) || (max_gap_ && end - begin > *max_gap_)) return false;
      if (begin < end && x != next) {
        degree = 1;
        slope = (next - x) / seconds(end - begin);
        if (!detail::is_finite(slope))
          throw Overflow(detail::concat("fidelity::SeriesBase::segment: the slope between samples ", i, " and ", i + 1,
                                        " of '", name_, "' is not a finite number"));
      }
    }
    if (!(begin < end)) return false;
    piece.window = {begin, end};
    piece.origin = begin;
    piece.coefficients[0] = x;
    piece.coefficients[1] = slope;
    piece.degree = degree;
    return true;
  }

  /// The last place for a segment that begins at or before t; nothing before the first. O(log size).
  [[nodiscard]] std::optional<std::size_t> segment_at(Time t) const {
    require_one_channel();
    const auto after = samples_up_to(t);
    if (after == 0 || segments() == 0) return std::nullopt;
    return std::min(after, segments()) - 1;
  }

  /// Value at t, or nothing where the signal is missing. At an event `side` chooses the limit; elsewhere the left
  /// limit is the value that the piece before t arrives at. O(log size). Throws InputError for a time that is not
  /// finite.
  [[nodiscard]] std::optional<double> value(Time t, Side side = Side::right) const {
    require_one_channel();
    const std::size_t up_to = samples_up_to(t);
    if (up_to == 0) return std::nullopt;
    std::size_t i = up_to - 1;
    if (times_[i] == t) {
      if (side == Side::right) return finite(i);
      if (i > 0 && times_[i - 1] == t) return finite(i - 1);
      if (i == 0) return std::nullopt;
      --i;
      const auto piece = segment(i);
      if (interpolation_ == Interpolation::linear) return piece ? finite(i + 1) : std::nullopt;
      if (!piece || piece->window.end < t) return std::nullopt;
      return finite(i);
    }
    if (interpolation_ == Interpolation::hold) {
      if (max_gap_ && t > detail::saturating_add(times_[i], *max_gap_)) return std::nullopt;
      return finite(i);
    }
    if (const auto piece = segment(i)) return (*piece)(t);
    return std::nullopt;
  }

 protected:
  SeriesBase() = default;
  SeriesBase(const SeriesBase&) = default;
  SeriesBase& operator=(const SeriesBase&) = default;
  ~SeriesBase() = default;

  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  const Time* times_ = nullptr;
  const Scalar* values_ = nullptr;
  std::size_t size_ = 0;
  std::size_t channels_ = 1;
  std::ptrdiff_t sample_stride_ = 1;
  std::ptrdiff_t channel_stride_ = 1;
  std::string_view name_;
  std::span<const std::string> channel_names_;
  Interpolation interpolation_ = Interpolation::linear;
  std::optional<Duration<Time>> max_gap_;

 private:
  std::size_t segments() const { return interpolation_ == Interpolation::hold ? size_ : size_ - 1; }
  std::size_t samples_up_to(Time t) const {
    if (!detail::is_finite_time(t))
      detail::fail("SeriesBase::value", Rule::time_not_finite, "the time must be finite", {.name = std::string(name_)});
    return static_cast<std::size_t>(std::upper_bound(times_, times_ + size_, t) - times_);
  }
  std::optional<double> finite(std::size_t i) const {
    const auto x = static_cast<double>((*this)(i));
    if (!detail::is_finite(x)) return std::nullopt;
    return x;
  }
  void require_one_channel() const {
    if (channels_ != 1)
      detail::fail("SeriesBase::segment", Rule::not_one_channel,
                   detail::concat("a signal has one channel and this series has ", channels_,
                                  "; take one with channel(series, index or name)"),
                   {.name = std::string(name_)});
  }
};

namespace detail {
/// A Series or a SeriesView.
template <class S>
concept SampledSignal = requires(const S& s) {
  []<class Scalar, TimePoint Time>(const SeriesBase<Scalar, Time>&) {}(s);
};
}  // namespace detail

}  // namespace fidelity
