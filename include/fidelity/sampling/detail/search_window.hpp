// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/sampling/detail/status_sweep.hpp>
#include <fidelity/sampling/window_search.hpp>

namespace fidelity {
namespace detail {

template <TimePoint Time>
constexpr bool has_integer_ticks() {
  if constexpr (std::same_as<Time, double>) {
    return false;
  } else {
    return std::integral<typename Time::rep>;
  }
}

/// The last multiple of `step` after `origin` that is not after t.
template <TimePoint Time>
Time rounded_down(Time t, Duration<Time> step, Time origin) {
  const Duration<Time> since = difference("find_window", t, origin);
  if constexpr (has_integer_ticks<Time>()) {
    const Duration<Time> rest = since % step;
    return t - (rest < Duration<Time>{} ? rest + step : rest);
  } else {
    double k = std::floor(since / step);
    // The quotient may have been rounded to the other side of a whole number.
    if (origin + k * step > t) --k;
    if (origin + (k + 1) * step <= t) ++k;
    return origin + k * step;
  }
}

/// The windows of a question about one status. `extra_cuts` are sorted.
template <TimePoint Time>
class RunSearch {
 public:
  RunSearch(const WindowOptions<Time>& options, const Window<Time>& range)
      : options_(options), length_(options.length), range_(range), extra_cuts_(options.cuts) {
    std::sort(extra_cuts_.begin(), extra_cuts_.end());
  }

  /// What a run misses: the length asked for less that of its part up to the aligned end.
  [[nodiscard]] Duration<Time> missing(const Window<Time>& run) const { return length_ - (last_end(run) - run.begin); }

  /// The window that ends a run, if the run is long enough.
  [[nodiscard]] std::optional<Window<Time>> last_part(const Window<Time>& run) const {
    if (last_end(run) - run.begin < length_) return std::nullopt;
    // In double the subtraction may be rounded out of the run.
    const Window<Time> window{std::max(run.begin, last_end(run) - length_), last_end(run)};
    if (window.empty())
      fail("find_window", Rule::bad_parameter, "the length is finer than stamps so large can tell",
           {.value = seconds(length_)});
    return window;
  }

  /// Calls f(run) for every run inside the range, newest first, until it returns false.
  template <class F>
  void for_each_run_backward(const Status<Time>& status, F&& f) const {
    const auto windows = status.holds().windows();
    auto past = std::partition_point(windows.begin(), windows.end(),
                                     [&](const Window<Time>& window) { return window.begin < range_.end; });
    Cuts own(options_.straddle ? std::span<const Time>{} : status.cuts());
    Cuts extra(options_.straddle ? std::span<const Time>{} : std::span<const Time>(extra_cuts_));
    while (past != windows.begin()) {
      const auto common = intersection(*--past, range_);
      if (!common) return;
      for (Time end = common->end; common->begin < end;) {
        const Time begin = std::max({common->begin, own.before(end, common->begin), extra.before(end, common->begin)});
        if (!f(Window<Time>{begin, end})) return;
        end = begin;
      }
    }
  }

  [[nodiscard]] std::optional<Window<Time>> longest_run(const Status<Time>& status) const {
    std::optional<Window<Time>> best;
    for_each_run_backward(status, [&](const Window<Time>& run) {
      if (!best || best->length() < run.length()) best = run;
      return true;
    });
    return best;
  }

  /// What is found; no explanation yet.
  [[nodiscard]] WindowSearch<Time> search(const Status<Time>& status) const {
    WindowSearch<Time> result{{}, {}, {}, range_, WindowSearchCode::found, {}, {}, Duration<Time>{}, {}};
    std::optional<Duration<Time>> missing_least;
    for_each_run_backward(status, [&](const Window<Time>& run) {
      if (!result.longest_run || result.longest_run->length() < run.length()) result.longest_run = run;
      const auto window = last_part(run);
      if (!window) {
        if (!missing_least || missing(run) < *missing_least) missing_least = missing(run);
        return true;
      }
      if (options_.pick == Pick::longest && !result.runs.empty()) {
        if (!(result.runs[0].length() < run.length())) return true;
        result.runs.clear(), result.windows.clear();
      }
      result.runs.push_back(run);
      result.windows.push_back(*window);
      return options_.pick != Pick::newest;
    });
    std::reverse(result.runs.begin(), result.runs.end());
    std::reverse(result.windows.begin(), result.windows.end());
    if (!result.windows.empty()) {
      result.window = result.windows.back();
      result.longest_run.reset();  // earlier runs were perhaps not looked at
    } else {
      result.shortfall = missing_least.value_or(length_);
    }
    return result;
  }

 private:
  /// Sorted cuts, asked for with falling times.
  class Cuts {
   public:
    explicit Cuts(std::span<const Time> cuts) : cuts_(cuts) {}
    /// The last cut before t, or `otherwise`.
    Time before(Time t, Time otherwise) {
      if (first_) {
        const auto end = std::lower_bound(cuts_.begin(), cuts_.end(), t);
        cuts_ = {cuts_.begin(), end};
        first_ = false;
      }
      while (!cuts_.empty() && !(cuts_.back() < t)) cuts_ = cuts_.first(cuts_.size() - 1);
      return cuts_.empty() ? otherwise : cuts_.back();
    }

   private:
    std::span<const Time> cuts_;
    bool first_ = true;
  };

  [[nodiscard]] Time last_end(const Window<Time>& run) const {
    return options_.align ? rounded_down(run.end, *options_.align, options_.align_origin) : run.end;
  }

  const WindowOptions<Time>& options_;
  Duration<Time> length_;
  Window<Time> range_;
  std::vector<Time> extra_cuts_;
};

template <TimePoint Time>
void require_options(const WindowOptions<Time>& options) {
  const auto require_positive = [](std::string_view what, Duration<Time> d) {
    if (!is_finite_duration(d) || !(d > Duration<Time>{}))
      fail("find_window", Rule::bad_parameter, concat(what, " must be positive and finite"), {.value = seconds(d)});
  };
  require_positive("the length", options.length);
  if (options.align) require_positive("align", *options.align);
  if (!is_finite_time(options.align_origin)) fail("find_window", Rule::time_not_finite, "align_origin must be finite");
  if (options.within) require_window("find_window", *options.within);
  for (const Time cut : options.cuts)
    if (!is_finite_time(cut)) fail("find_window", Rule::time_not_finite, "a cut must be finite");
}

/// The code and the sentence where nothing was found.
template <TimePoint Time>
void explain(WindowSearch<Time>& result, const Status<Time>& status, const Window<Time>& range,
             const WindowOptions<Time>& options) {
  const Duration<Time> length = options.length;
  const auto words = [](Duration<Time> d) { return duration_text(seconds(d)); };
  if (range.empty()) {
    result.code = WindowSearchCode::range_too_short;
    result.reason = concat("There is nothing to search for a window of ", words(length),
                           ": the status has no range. One sample has no length; give the range by `within`.");
    return;
  }
  const std::string where = fidelity::to_text(range);
  if (range.length() < length) {
    result.code = WindowSearchCode::range_too_short;
    result.reason = concat("What is searched, ", where, ", is ", words(range.length()),
                           " long and so shorter than the window of ", words(length), ".");
    return;
  }
  if (result.longest_run) {
    result.code = WindowSearchCode::runs_too_short;
    result.reason = concat("The longest run, ", fidelity::to_text(*result.longest_run), ", is ",
                           words(result.longest_run->length()), " long; a window of ", words(length),
                           options.align ? " with an aligned end" : "", " misses ", words(result.shortfall), ".");
    return;
  }
  const Status<Time> inside = restrict_to(status, range);
  if (inside.unknown().length() == range.length()) {
    result.code = WindowSearchCode::no_data;
    result.reason = concat("The status is unknown throughout ", where, ": there are no data to judge.");
  } else {
    result.code = WindowSearchCode::never_holds;
    result.reason = concat("The status never holds in ", where, "; it is unknown in ",
                           short_text(100 * inside.fraction(Truth::unknown)), " % of it.");
  }
}

/// The AND of all statuses but one, without forming it anew for each: from the front and from the back.
template <TimePoint Time>
std::vector<std::optional<Status<Time>>> all_but_one(const std::vector<Named<Time>>& statuses) {
  const std::size_t n = statuses.size();
  std::vector<std::optional<Status<Time>>> without(n);
  std::optional<Status<Time>> rest;
  const auto add = [](std::optional<Status<Time>>& sum, const Status<Time>& status) {
    sum = sum ? *sum & status : status;
  };
  for (std::size_t i = 0; i < n; ++i) {
    without[i] = rest;
    add(rest, statuses[i].status);
  }
  rest.reset();
  for (std::size_t i = n; i-- > 0;) {
    if (rest) add(without[i], *rest);
    add(rest, statuses[i].status);
  }
  return without;
}

}  // namespace detail

template <TimePoint Time>
WindowSearch<Time> find_window(const Status<Time>& status, const std::type_identity_t<WindowOptions<Time>>& options) {
  detail::require_options(options);
  const Window<Time> range = options.within.value_or(status.range());
  WindowSearch<Time> result = detail::RunSearch<Time>(options, range).search(status);
  if (!result.window) detail::explain(result, status, range, options);
  return result;
}

template <TimePoint Time>
WindowSearch<Time> find_window(const std::vector<Named<Time>>& statuses,
                               const std::type_identity_t<WindowOptions<Time>>& options) {
  detail::require_options(options);
  if (statuses.empty()) detail::fail("find_window", Rule::empty, "there is no status to search");
  std::vector<const Status<Time>*> operands;
  for (const auto& named : statuses) operands.push_back(&named.status);
  const Status<Time> all = statuses.size() == 1 ? statuses[0].status : detail::all_of<Time>(operands);
  WindowSearch<Time> result = find_window(all, options);
  const Window<Time> range = options.within.value_or(all.range());
  if (result.window || range.empty()) return result;

  const detail::RunSearch<Time> search(options, range);
  const Duration<Time> together = restrict_to(all, range).holds().length();
  const auto without = detail::all_but_one(statuses);
  std::string fits;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Status<Time> own = restrict_to(statuses[i].status, range);
    // Without its only condition everything holds.
    const Status<Time> others =
        without[i] ? restrict_to(*without[i], range) : Status<Time>(range, WindowSet<Time>{range});
    const WindowSearch<Time> found = search.search(others);
    result.conditions.push_back({statuses[i].name, own.fraction(Truth::holds), own.fraction(Truth::unknown),
                                 own.fraction(Truth::does_not_hold), search.longest_run(own),
                                 others.holds().length() - together, search.longest_run(others),
                                 found.window.has_value()});
    if (found.window && statuses.size() > 1)
      fits += detail::concat(fits.empty() ? "'" : " or '", statuses[i].name, "'");
  }
  if (!fits.empty()) result.reason += detail::concat(" It would have fitted without ", fits, ".");
  return result;
}

}  // namespace fidelity
