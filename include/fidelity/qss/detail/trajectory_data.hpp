// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/trajectory_evaluate.hpp>
#include <fidelity/qss/detail/trajectory_index.hpp>
#include <fidelity/qss/outside.hpp>
#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity::detail {

/// What a trajectory knows. One row of order + 1 coefficients a knot, one after the other: an event of order 3 costs 41
/// bytes, and 8 for the index.
template <class Scalar, TimePoint Time>
struct TrajectoryData {
  /// An event that another one at the same time replaced; it still counts for the held value.
  struct Replaced {
    std::size_t knot;
    Scalar value;
  };

  std::size_t order = 0;
  std::vector<Time> knots;
  std::vector<Scalar> rows;
  std::vector<EventKind> kinds;
  std::vector<Replaced> replaced;  // at most one a knot, ascending
  std::optional<Time> end;
  std::string name;
  Outside before = Outside::missing, after = Outside::missing;
  TimeIndex<Time> index;

  [[nodiscard]] const Scalar* row(std::size_t i) const { return rows.data() + i * (order + 1); }

  /// The value at knot i of the event that an external one replaced there and that counts for holding.
  [[nodiscard]] std::optional<Scalar> replaced_at(std::size_t i) const {
    const auto place = std::lower_bound(replaced.begin(), replaced.end(), i,
                                        [](const Replaced& r, std::size_t knot) { return r.knot < knot; });
    return place != replaced.end() && place->knot == i ? std::optional(place->value) : std::nullopt;
  }

  void reserve(std::size_t count) {
    knots.reserve(count);
    rows.reserve(count * (order + 1));
    kinds.reserve(count);
  }

  /// Adds an event, not before the last one; at the same time it replaces it. `c` holds order + 1 coefficients.
  void append(Time t, const Scalar* c, EventKind kind) {
    if (!knots.empty() && knots.back() == t) {
      if (kind == EventKind::external && kinds.back() != EventKind::external) {
        if (!replaced.empty() && replaced.back().knot + 1 == knots.size()) replaced.pop_back();
        replaced.push_back({knots.size() - 1, rows[rows.size() - order - 1]});
      }
      std::copy_n(c, order + 1, rows.end() - static_cast<std::ptrdiff_t>(order) - 1);
      kinds.back() = kind;
    } else {
      knots.push_back(t);
      rows.insert(rows.end(), c, c + order + 1);
      kinds.push_back(kind);
    }
  }

  /// Adds knot i of another trajectory of this order, with what its event replaced.
  void append_knot(const TrajectoryData& other, std::size_t i) {
    append(other.knots[i], other.row(i), other.kinds[i]);
    if (const auto value = other.replaced_at(i)) replaced.push_back({knots.size() - 1, *value});
  }

  /// Everything appended: checks the end and that no value in the domain leaves the range of double; makes the index.
  void finish(std::string_view function) {
    if (knots.empty()) fail(function, Rule::empty, "a trajectory has at least one event", {.name = name});
    if (end) {
      if (!is_finite_time(*end))
        fail(function, Rule::time_not_finite, "the end of a trajectory must be finite", {.name = name});
      if (*end < knots.back())
        fail(function, Rule::bad_parameter,
             concat("the end at ", to_text(*end), " lies before the last event at ", to_text(knots.back())),
             {.name = name});
    }
    (void)difference(function, end.value_or(knots.back()), knots.front());
    for (std::size_t i = 0; i < knots.size(); ++i) {
      const std::optional<Time> next = i + 1 < knots.size() ? std::optional{knots[i + 1]} : end;
      const double length = next ? seconds(*next - knots[i]) : 0;
      double bound = 0;
      for (std::size_t k = order + 1; k-- > 0;) bound = bound * length + std::abs(static_cast<double>(row(i)[k]));
      if (!is_finite(bound))
        throw Overflow(concat("fidelity::", function, ": the polynomial of the event at ", to_text(knots[i]),
                              " leaves the range of numbers before the next one"));
    }
    index = TimeIndex<Time>(knots);
  }
};

}  // namespace fidelity::detail
