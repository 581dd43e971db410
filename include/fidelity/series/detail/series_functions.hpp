// SPDX-License-Identifier: MIT
// Definitions of what series.hpp declares.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <fidelity/series/series.hpp>

namespace fidelity {

template <class Scalar, TimePoint Time>
void Series<Scalar, Time>::merge_repeated(Storage& own, std::size_t channels, Duplicates policy) {
  const auto row = [&](std::size_t i) { return own.values.begin() + static_cast<std::ptrdiff_t>(i * channels); };
  std::size_t kept = 0;
  const auto keep = [&](std::size_t i) {
    own.times[kept] = own.times[i];
    if (kept != i) std::copy_n(row(i), channels, row(kept));
    ++kept;
  };
  for (std::size_t first = 0, next = 0; first < own.times.size(); first = next) {
    for (next = first + 1; next < own.times.size() && own.times[next] == own.times[first];) ++next;
    if (policy == Duplicates::mean && next - first > 1) {
      for (std::size_t c = 0; c < channels; ++c) {
        const auto rows = static_cast<double>(next - first);
        double good = 0, sum = 0, shares = 0;  // the sum of shares stays finite where the sum does not
        for (std::size_t i = first; i < next; ++i) {
          const auto x = static_cast<double>(*(row(i) + static_cast<std::ptrdiff_t>(c)));
          if (detail::is_finite(x)) ++good, sum += x, shares += x / rows;
        }
        const double mean = detail::is_finite(sum) ? sum / good : shares * (rows / good);
        *(row(first) + static_cast<std::ptrdiff_t>(c)) =
            good > 0 ? static_cast<Scalar>(mean) : std::numeric_limits<Scalar>::quiet_NaN();
      }
    }
    keep(policy == Duplicates::last ? next - 1 : first);
    if (policy == Duplicates::event && next - first > 1) keep(next - 1);
  }
  own.times.resize(kept);
  own.values.resize(kept * channels);
}

template <class Scalar, TimePoint Time>
SeriesView<Scalar, Time>::SeriesView(std::span<const Time> times, std::span<const Scalar> values, Layout layout,
                                     ViewOptions<Time> options) {
  detail::check_samples<Time>("SeriesView", times, layout.channels, options.channel_names, options.max_gap,
                              options.name);
  std::ptrdiff_t last_sample = 0, last_channel = 0, reach = 0;  // positions of the last ones in the buffer
  const bool whole = layout.channels == 1 && layout.sample_stride == 1;
  if (layout.sample_stride < 0 || layout.channel_stride < 0 ||
      __builtin_mul_overflow(times.size() - 1, layout.sample_stride, &last_sample) ||
      __builtin_mul_overflow(layout.channels - 1, layout.channel_stride, &last_channel) ||
      __builtin_add_overflow(last_sample, last_channel, &reach) ||
      reach >= static_cast<std::ptrdiff_t>(values.size()) || (whole && values.size() != times.size()))
    detail::fail("SeriesView", Rule::size_mismatch,
                 detail::concat(times.size(), " stamps with ", layout.channels, " channels do not fit the ",
                                values.size(), " values of the buffer"),
                 {.name = std::string(options.name)});
  const bool row_by_row = times.size() == 1 || layout.sample_stride > last_channel;
  const bool column_by_column = layout.channels == 1 || layout.channel_stride > last_sample;
  const bool apart = (times.size() == 1 || layout.sample_stride > 0) &&
                     (layout.channels == 1 || layout.channel_stride > 0) && (row_by_row || column_by_column);
  if (!apart)
    detail::fail("SeriesView", Rule::bad_parameter,
                 detail::concat("with strides ", layout.sample_stride, " and ", layout.channel_stride,
                                " two values share an element; row by row they are ", layout.channels, " and 1"),
                 {.name = std::string(options.name)});
  detail::refuse_repeated<Time>("SeriesView", times, options.name, options.events ? 2 : 1);
  this->times_ = times.data();
  this->values_ = values.data();
  this->size_ = times.size();
  this->channels_ = layout.channels;
  this->sample_stride_ = layout.sample_stride;
  this->channel_stride_ = layout.channel_stride;
  this->name_ = options.name;
  this->channel_names_ = options.channel_names;
  this->interpolation_ = options.interpolation;
  this->max_gap_ = options.max_gap;
}

namespace detail {
/// A view of a series that shows part of it.
template <class Scalar, TimePoint Time>
class PartialView : public SeriesView<Scalar, Time> {
 public:
  explicit PartialView(const SeriesBase<Scalar, Time>& series) : SeriesView<Scalar, Time>(series) {}

  void take_channel(std::size_t k) {
    this->values_ += this->index(k) * this->channel_stride_;
    this->channels_ = 1;
    if (!this->channel_names_.empty()) {
      this->channel_names_ = this->channel_names_.subspan(k, 1);
      if (!this->channel_names_[0].empty()) this->name_ = this->channel_names_[0];
    }
  }
  void take_samples(std::size_t begin, std::size_t end) {
    this->times_ += begin;
    this->values_ += this->index(begin) * this->sample_stride_;
    this->size_ = end - begin;
  }
  void read_as(Interpolation interpolation, std::optional<Duration<Time>> max_gap) {
    this->interpolation_ = interpolation;
    this->max_gap_ = max_gap;
  }
};
}  // namespace detail

template <class Scalar, TimePoint Time>
SeriesView<Scalar, Time> channel(const SeriesBase<Scalar, Time>& series, std::size_t index) {
  if (index >= series.channels())
    detail::fail("channel", Rule::index_out_of_range,
                 detail::concat("there is no channel ", index, "; the series has ", series.channels()),
                 {.name = std::string(series.name())});
  detail::PartialView<Scalar, Time> view(series);
  view.take_channel(index);
  return view;
}

template <class Scalar, TimePoint Time>
SeriesView<Scalar, Time> channel(const SeriesBase<Scalar, Time>& series, std::string_view name) {
  const auto names = series.channel_names();
  const auto found = std::find(names.begin(), names.end(), name);
  const bool unique = found != names.end() && std::find(found + 1, names.end(), name) == names.end();
  if (!unique) {
    std::string known;
    for (const auto& each : names) known += (known.empty() ? "'" : ", '") + each + "'";
    detail::fail("channel", Rule::unknown_name,
                 detail::concat(found == names.end() ? "there is no channel '" : "there are several channels '", name,
                                names.empty() ? std::string("'; the channels have no names") : "'; there are " + known),
                 {.collection = "series", .name = std::string(series.name())});
  }
  return channel(series, static_cast<std::size_t>(found - names.begin()));
}

template <class Scalar, TimePoint Time>
SeriesView<Scalar, Time> slice(const SeriesBase<Scalar, Time>& series, const Window<Time>& window) {
  detail::require_window("slice", window);
  const auto times = series.times();
  const auto position = [&](Time t) {
    return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
  };
  const std::size_t begin = position(window.begin);
  const std::size_t end = position(window.end);
  if (begin == end)
    detail::fail("slice", Rule::window_outside,
                 detail::concat("no sample lies in [", to_text(window.begin), ", ", to_text(window.end),
                                "); the series reaches from ", to_text(times.front()), " to ", to_text(times.back())),
                 {.name = std::string(series.name())});
  detail::PartialView<Scalar, Time> view(series);
  view.take_samples(begin, end);
  return view;
}

template <class Scalar, TimePoint Time>
SeriesView<Scalar, Time> with_interpolation(const SeriesBase<Scalar, Time>& series, Interpolation interpolation,
                                            std::optional<std::type_identity_t<Duration<Time>>> max_gap) {
  detail::check_samples<Time>("with_interpolation", series.times().first(1), 1, {}, max_gap, series.name());
  detail::PartialView<Scalar, Time> view(series);
  view.read_as(interpolation, max_gap);
  return view;
}

template <class Scalar, TimePoint Time>
Series<Scalar, Time> regular(Time start, std::type_identity_t<Duration<Time>> step, std::vector<Scalar> values,
                             SeriesOptions<Time> options) {
  const std::size_t channels = std::max<std::size_t>(options.channel_names.size(), 1);
  if (values.size() % channels != 0)
    detail::fail("regular", Rule::size_mismatch,
                 detail::concat(values.size(), " values do not make whole samples of ", channels, " channels"),
                 {.name = options.name});
  const auto grid = detail::checked_grid("regular", start, step, values.size() / channels);
  std::vector<Time> times(grid.count);
  for (std::size_t k = 0; k < times.size(); ++k) times[k] = grid[k];
  return Series<Scalar, Time>(std::move(times), std::move(values), std::move(options));
}

template <class Scalar, TimePoint Time>
std::optional<Duration<Time>> period(const SeriesBase<Scalar, Time>& series) {
  const auto times = series.times();
  if (times.size() < 2) return std::nullopt;
  const auto steps = times.size() - 1;
  const Duration<Time> whole = times.back() - times.front();
  Duration<Time> step{};
  if constexpr (std::same_as<Time, double>) {
    step = whole / static_cast<double>(steps);
  } else {
    step = whole / static_cast<typename Time::rep>(steps);
  }
  if (!(step > Duration<Time>{})) return std::nullopt;
  const Grid<Time> grid{times.front(), step, times.size()};
  Duration<Time> tolerance{};
  if constexpr (std::same_as<Time, double>)
    tolerance = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(times.front()), std::abs(times.back()));
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k] > grid[k] + tolerance || times[k] < grid[k] - tolerance) return std::nullopt;
  }
  return step;
}

namespace detail {
/// The same samples with other stamps. Event pairs stay; different stamps must not become equal.
template <class To, class Scalar, class From, class Convert>
Series<Scalar, To> with_times(std::string_view function, const SeriesBase<Scalar, From>& series, Convert convert) {
  std::vector<To> times(series.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = convert(series.time(i));
    if (i > 0 && times[i] == times[i - 1] && series.time(i) != series.time(i - 1))
      fail(function, Rule::time_repeated,
           concat("two different stamps become equal in the new time type: ", to_text(series.time(i - 1)), " and ",
                  to_text(series.time(i))),
           {.name = std::string(series.name()), .sample = i});
  }
  SeriesOptions<To> options{std::string(series.name()),
                            {series.channel_names().begin(), series.channel_names().end()},
                            series.interpolation(),
                            {},
                            Duplicates::event};
  if (const auto gap = series.max_gap()) {
    if constexpr (std::same_as<To, double>) {
      options.max_gap = seconds(*gap);
    } else {
      options.max_gap = offset(function, To{}, seconds(*gap)) - To{};
    }
    // What was bridged stays bridged: the new stamps are rounded, and so are their distances.
    for (std::size_t i = 1; i < times.size(); ++i)
      if (series.time(i) - series.time(i - 1) <= *gap)
        options.max_gap = std::max(*options.max_gap, times[i] - times[i - 1]);
  }
  return Series<Scalar, To>(std::move(times), series.values(), std::move(options));
}
}  // namespace detail

template <class Scalar, TimePoint Time>
Series<Scalar, double> elapsed(const SeriesBase<Scalar, Time>& series, std::type_identity_t<Time> origin) {
  return detail::with_times<double>("elapsed", series,
                                    [&](Time t) { return seconds(detail::difference("elapsed", t, origin)); });
}

template <class Scalar, TimePoint Time>
Series<Scalar, Time> at(const SeriesBase<Scalar, double>& series, Time start) {
  return detail::with_times<Time>("at", series, [&](double t) { return detail::offset("at", start, t); });
}

template <class Scalar, TimePoint Time>
WithoutBad<Scalar, Time> without_bad(const SeriesBase<Scalar, Time>& series) {
  std::vector<Time> times;
  std::vector<Scalar> values;
  for (std::size_t i = 0; i < series.size(); ++i) {
    bool good = true;
    for (std::size_t c = 0; c < series.channels(); ++c) good = good && detail::is_finite(series(i, c));
    if (!good) continue;
    times.push_back(series.time(i));
    for (std::size_t c = 0; c < series.channels(); ++c) values.push_back(series(i, c));
  }
  const std::size_t kept = times.size();
  if (kept == 0)
    detail::fail("without_bad", Rule::empty, detail::concat("all ", series.size(), " samples are bad"),
                 {.name = std::string(series.name())});
  SeriesOptions<Time> options{std::string(series.name()),
                              {series.channel_names().begin(), series.channel_names().end()},
                              series.interpolation(),
                              series.max_gap(),
                              Duplicates::event};
  using Map = Eigen::Map<const typename SeriesBase<Scalar, Time>::Matrix>;
  const Map matrix(values.data(), static_cast<Eigen::Index>(kept), static_cast<Eigen::Index>(series.channels()));
  return {Series<Scalar, Time>(std::move(times), matrix, std::move(options)), series.size() - kept};
}

}  // namespace fidelity
