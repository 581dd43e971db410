// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/detail/samples.hpp>
#include <fidelity/series/series_base.hpp>

namespace fidelity {

/// What becomes of two samples at one time: refuse them, keep the first or the last in order, the mean of the good
/// values of each channel, or keep both sides of an event (left and right limit; rows between are dropped).
enum class Duplicates { error, first, last, mean, event };

// Without it g++ 12 fails (nothrow_spec_p) at the first `return {times, values, {.interpolation = ...}}` of a program.
static_assert(std::is_nothrow_default_constructible_v<std::vector<std::string>>);

/// What a series knows about itself beside its samples. `max_gap` is a duration of the time type.
template <TimePoint Time = Timestamp>
struct SeriesOptions {
  std::string name = {};
  std::vector<std::string> channel_names = {};
  Interpolation interpolation = Interpolation::linear;
  std::optional<Duration<Time>> max_gap = {};
  Duplicates duplicates = Duplicates::error;
};

/// A time series that owns its samples. They never change after construction and copies share them, so a copy is cheap
/// and safe to read from several threads. For samples that live elsewhere there is SeriesView.
///
/// The constructors check and sort nothing: they throw InputError for no samples, different numbers of stamps and
/// values, a stamp that is NaN, infinite or earlier than the one before, and equal stamps unless `duplicates` says what
/// to do. NaN and infinite values are allowed and mean "bad sample". Overflow where the span does not fit into the
/// time type.
template <class Scalar = double, TimePoint Time = Timestamp>
class Series : public SeriesBase<Scalar, Time> {
 public:
  /// One channel from n stamps and n values; or c channels from n stamps and n * c values, row by row, where c is the
  /// number of channel names.
  Series(std::vector<Time> times, std::vector<Scalar> values, SeriesOptions<Time> options = {})
      : Series(Private{}, std::make_shared<Storage>(Storage{std::move(times), std::move(values), {}, {}}),
               std::max<std::size_t>(options.channel_names.size(), 1), std::move(options)) {}

  /// From n stamps and an n x c matrix of values (any Eigen expression or map; it is copied).
  template <class Derived>
  Series(std::vector<Time> times, const Eigen::DenseBase<Derived>& values, SeriesOptions<Time> options = {})
      : Series(Private{}, std::make_shared<Storage>(Storage{std::move(times), row_by_row(values), {}, {}}),
               static_cast<std::size_t>(values.cols()), std::move(options)) {}

  /// A copy of what a view (or a slice of it) shows.
  explicit Series(const SeriesBase<Scalar, Time>& other)
      : Series(std::vector<Time>(other.times().begin(), other.times().end()), other.values(),
               SeriesOptions<Time>{std::string(other.name()),
                                   {other.channel_names().begin(), other.channel_names().end()},
                                   other.interpolation(),
                                   other.max_gap(),
                                   Duplicates::event}) {}

  // Moving is copying: the samples are shared, and a moved-from series stays whole.
  Series(const Series&) = default;
  Series& operator=(const Series&) = default;
  ~Series() = default;

 private:
  struct Storage {
    std::vector<Time> times;
    std::vector<Scalar> values;
    std::string name;
    std::vector<std::string> channel_names;
  };

  // Keeps the constructor below out of calls such as Series({0}, {1}, {}): 0 is also a null pointer.
  struct Private {
    explicit Private() = default;
  };

  // The options come by reference: the callers above read them in the same argument list.
  Series(Private, std::shared_ptr<Storage> storage, std::size_t channels, SeriesOptions<Time>&& options)
      : storage_(std::move(storage)) {
    Storage& own = *storage_;
    own.name = std::move(options.name);
    own.channel_names = std::move(options.channel_names);
    if (detail::checked_product("Series", own.times.size(), channels) != own.values.size())
      detail::fail("Series", Rule::size_mismatch,
                   detail::concat("there are ", own.times.size(), " stamps and ", own.values.size(), " values in ",
                                  channels, channels == 1 ? " channel" : " channels"),
                   {.name = own.name});
    detail::check_samples<Time>("Series", own.times, channels, own.channel_names, options.max_gap, own.name);
    if (options.duplicates == Duplicates::error) {
      detail::refuse_repeated<Time>("Series", own.times, own.name);
    } else {
      merge_repeated(own, channels, options.duplicates);
    }
    this->times_ = own.times.data();
    this->values_ = own.values.data();
    this->size_ = own.times.size();
    this->channels_ = channels;
    this->sample_stride_ = static_cast<std::ptrdiff_t>(channels);
    this->name_ = own.name;
    this->channel_names_ = own.channel_names;
    this->interpolation_ = options.interpolation;
    this->max_gap_ = options.max_gap;
  }

  template <class Derived>
  static std::vector<Scalar> row_by_row(const Eigen::DenseBase<Derived>& values) {
    using Matrix = typename SeriesBase<Scalar, Time>::Matrix;
    std::vector<Scalar> flat(detail::checked_product("Series", static_cast<std::size_t>(values.rows()),
                                                     static_cast<std::size_t>(values.cols())));
    if (!flat.empty()) {
      Eigen::Map<Matrix>(flat.data(), values.rows(), values.cols()) = values.derived().template cast<Scalar>();
    }
    return flat;
  }

  static void merge_repeated(Storage& own, std::size_t channels, Duplicates policy);

  std::shared_ptr<Storage> storage_;  // never written after construction
};

/// Layout of values in a caller's buffer, in elements (not bytes). `{3, 3, 1}`: three channels, row-major.
struct Layout {
  std::size_t channels = 1;
  std::ptrdiff_t sample_stride = 1;
  std::ptrdiff_t channel_stride = 1;
};

/// What a view knows beside its samples. The names are borrowed like the samples. Two samples at one time are an error
/// unless `events` says that they are left and right limits; three are always one.
template <TimePoint Time = Timestamp>
struct ViewOptions {
  std::string_view name = {};
  std::span<const std::string> channel_names = {};
  Interpolation interpolation = Interpolation::linear;
  std::optional<Duration<Time>> max_gap = {};
  bool events = false;
};

/// A time series that borrows its samples: from a Series, from part of one, or from a caller's buffers. Copying it
/// copies a few pointers. The samples must outlive it; it cannot be made from a temporary Series.
template <class Scalar = double, TimePoint Time = Timestamp>
class SeriesView : public SeriesBase<Scalar, Time> {
 public:
  SeriesView(const SeriesBase<Scalar, Time>& series) : SeriesBase<Scalar, Time>(series) {}  // NOLINT: as string_view
  SeriesView(Series<Scalar, Time>&&) = delete;
  SeriesView(const Series<Scalar, Time>&&) = delete;

  /// Maps n stamps and n values (one channel) without a copy. Throws as the constructors of Series. O(n).
  SeriesView(std::span<const Time> times, std::span<const Scalar> values, ViewOptions<Time> options = {})
      : SeriesView(times, values, Layout{}, std::move(options)) {}

  /// Maps n stamps and n x c values in any strided layout without a copy. Throws InputError also where the layout
  /// reaches outside `values` or makes two values share an element.
  SeriesView(std::span<const Time> times, std::span<const Scalar> values, Layout layout,
             ViewOptions<Time> options = {});
};

template <class Scalar, TimePoint Time>
SeriesView(const SeriesBase<Scalar, Time>&) -> SeriesView<Scalar, Time>;

/// One channel as a view. Its name is the channel's, or the series' where channels have no names. Throws InputError
/// where there is no such channel.
template <class Scalar, TimePoint Time>
[[nodiscard]] SeriesView<Scalar, Time> channel(const SeriesBase<Scalar, Time>& series, std::size_t index);
template <class Scalar, TimePoint Time>
[[nodiscard]] SeriesView<Scalar, Time> channel(const SeriesBase<Scalar, Time>& series, std::string_view name);
template <class Scalar, TimePoint Time, class Key>
void channel(const Series<Scalar, Time>&& series, const Key& key) = delete;

/// The samples with window.begin <= t < window.end as a view. O(log size). Throws InputError where there are none.
template <class Scalar, TimePoint Time>
[[nodiscard]] SeriesView<Scalar, Time> slice(const SeriesBase<Scalar, Time>& series, const Window<Time>& window);
template <class Scalar, TimePoint Time>
void slice(const Series<Scalar, Time>&& series, const Window<Time>& window) = delete;

/// The same samples, read with another interpolation.
template <class Scalar, TimePoint Time>
[[nodiscard]] SeriesView<Scalar, Time> with_interpolation(
    const SeriesBase<Scalar, Time>& series, Interpolation interpolation,
    std::optional<std::type_identity_t<Duration<Time>>> max_gap = {});
template <class Scalar, TimePoint Time>
void with_interpolation(const Series<Scalar, Time>&&, Interpolation,
                        std::optional<std::type_identity_t<Duration<Time>>> = {}) = delete;

/// A series of equidistant samples: stamp k is start + k * step. The only way to say "sample number as time".
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, Time> regular(Time start, std::type_identity_t<Duration<Time>> step,
                                           std::vector<Scalar> values, SeriesOptions<Time> options = {});

/// The sampling step if the series is regular: exactly for integer ticks, to 4 units in the last place of the stamps
/// for double. Nothing for fewer than two samples. O(size).
template <class Scalar, TimePoint Time>
[[nodiscard]] std::optional<Duration<Time>> period(const SeriesBase<Scalar, Time>& series);

/// Seconds since the first sample, or since `origin`, as double; same samples. From absolute to elapsed time.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, double> elapsed(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Time> origin);
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, double> elapsed(const SeriesBase<Scalar, Time>& series) {
  return elapsed(series, series.time(0));
}

/// Elapsed seconds placed at the absolute time `start`, rounded to its ticks. Throws InputError where two different
/// stamps fall on one tick, Overflow where the time type ends.
template <class Scalar, TimePoint Time>
[[nodiscard]] Series<Scalar, Time> at(const SeriesBase<Scalar, double>& series, Time start);

/// A series without its bad samples.
template <class Scalar, TimePoint Time>
struct WithoutBad {
  Series<Scalar, Time> series;
  std::size_t removed;  ///< number of samples in which at least one channel was NaN or infinite
};

/// Removes every sample in which a channel is NaN or infinite; irregular stamps are legal afterwards. A distance
/// neither skips nor fills bad samples, so this is an explicit step. Throws InputError where no sample is left.
template <class Scalar, TimePoint Time>
[[nodiscard]] WithoutBad<Scalar, Time> without_bad(const SeriesBase<Scalar, Time>& series);

}  // namespace fidelity

#include <fidelity/series/detail/series_functions.hpp>
