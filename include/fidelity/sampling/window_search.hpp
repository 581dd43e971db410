// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/sampling/detail/required.hpp>
#include <fidelity/sampling/status.hpp>
#include <fidelity/series/window.hpp>

namespace fidelity {

/// Which run gives the window: the latest that is long enough, the longest (the newest of several), or every one.
enum class Pick { newest, longest, all };

/// The window searched for. `length` must be given by name; there is no default.
template <TimePoint Time = Timestamp>
struct WindowOptions {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::RequiredDuration<Time> length;
  std::optional<Window<Time>> within = {};  ///< the window lies inside; by default the range of the status
  Pick pick = Pick::newest;
  bool straddle = false;                     ///< true: cuts are ignored
  std::optional<Duration<Time>> align = {};  ///< the end is rounded down to a multiple of this inside the run
  Time align_origin = {};                    ///< multiples are counted from here; the default is the epoch
  std::vector<Time> cuts = {};               ///< more instants across which no window may reach, in any order
};

/// Why there is no window: the first that applies.
enum class WindowSearchCode {
  found,
  range_too_short,  ///< what is searched is shorter than the window
  no_data,          ///< unknown throughout
  never_holds,
  runs_too_short,  ///< no run, or no aligned part of one, is long enough
};
[[nodiscard]] constexpr std::string_view to_text(WindowSearchCode code) {
  constexpr std::string_view words[] = {"found", "range_too_short", "no_data", "never_holds", "runs_too_short"};
  return words[static_cast<std::size_t>(code)];
}

/// One of several conditions, when no window was found.
template <TimePoint Time>
struct ConditionExplanation {
  std::string name;
  double holds, unknown, does_not_hold;  ///< shares of the range searched, 0 to 1
  std::optional<Window<Time>> longest_run;
  Duration<Time> prevents_alone;                    ///< time in which all others hold and this one does not
  std::optional<Window<Time>> longest_run_without;  ///< of all others together
  bool fits_without;                                ///< the others alone would have given a window
};

/// The answer of find_window. Nothing found is an ordinary result that says why.
template <TimePoint Time>
struct WindowSearch {
  std::optional<Window<Time>> window;  ///< the window picked; the newest for Pick::all
  std::vector<Window<Time>> windows;   ///< one for each run picked, oldest first
  std::vector<Window<Time>> runs;      ///< the runs that these windows end, in the same order
  Window<Time> within;                 ///< what was searched
  WindowSearchCode code;
  std::string reason;                                  ///< one sentence for people; empty where a window was found
  std::optional<Window<Time>> longest_run;             ///< where nothing was found; the newest of several
  Duration<Time> shortfall;                            ///< what the best run misses; 0 where a window was found
  std::vector<ConditionExplanation<Time>> conditions;  ///< of named statuses, where nothing was found
};

/// A status with the name that explanations use.
template <TimePoint Time>
struct Named {
  std::string name;
  Status<Time> status;
};
template <TimePoint Time>
Named(std::string, Status<Time>) -> Named<Time>;
template <TimePoint Time>
Named(const char*, Status<Time>) -> Named<Time>;

/// Finds a window of a given length in which the status holds throughout: the last part of the run picked. An exact
/// fit is a fit; unknown never counts as holding; a cut may lie on the edge of the window, not inside.
///
///   const auto found = find_window(running & steady, {.length = 1h, .within = Window{run_time - 24h, run_time}});
///   if (!found.window) fmt::print("{}\n", found.reason);
///
/// O(log windows + runs looked at): for Pick::newest only those after the window, unless nothing is found. Throws
/// InputError for a length or align that is not positive and finite, an empty `within`, a cut that is not finite.
template <TimePoint Time>
[[nodiscard]] WindowSearch<Time> find_window(const Status<Time>& status,
                                             const std::type_identity_t<WindowOptions<Time>>& options);

/// The same where all statuses hold. If nothing is found, each one is explained: how long it prevents the others alone,
/// and whether the others would have fitted without it. Throws InputError for an empty list.
template <TimePoint Time>
[[nodiscard]] WindowSearch<Time> find_window(const std::vector<Named<Time>>& statuses,
                                             const std::type_identity_t<WindowOptions<Time>>& options);
template <TimePoint Time>
[[nodiscard]] WindowSearch<Time> find_window(std::initializer_list<Named<Time>> statuses,
                                             const std::type_identity_t<WindowOptions<Time>>& options) {
  return find_window(std::vector<Named<Time>>(statuses), options);
}

}  // namespace fidelity

#include <fidelity/sampling/detail/search_window.hpp>
