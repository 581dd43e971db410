// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_sweep.hpp>
#include <fidelity/distance/twed.hpp>

namespace fidelity {

/// One step of an edit script: samples i of a and j of b, counted from 0, are matched; or sample i of a is deleted
/// while sample j of b is the last one dealt with (delete_a), or the other way round (delete_b).
struct EditStep {
  EditKind kind;
  std::size_t i, j;
  double cost;  ///< of this step alone, in the unit of the values
  friend bool operator==(const EditStep&, const EditStep&) = default;
};

/// One cheapest way to turn series a into series b. It begins with the match of the two first samples, every step
/// advances by one sample in a (delete_a), in b (delete_b) or in both (match), and it ends at the two last ones.
struct EditScript {
  double cost = 0;  ///< the distance, bit for bit; the costs of the steps add up to it within rounding
  std::vector<EditStep> steps = {};
};

/// What a distance is made of, in the unit of the values. The three parts add up to it within rounding.
struct TwedParts {
  double value = 0;    ///< differences of values
  double time = 0;     ///< stiffness times differences of stamps
  double penalty = 0;  ///< penalty times number of deletions
  std::size_t matches = 0, deletions_a = 0, deletions_b = 0;

  [[nodiscard]] double sum() const { return value + time + penalty; }
};

struct EditScriptOptions {
  /// Bytes for the choices at the cells, 2 bits each. A table of n x m cells that needs more is swept again in blocks
  /// of rows: the same script, in up to log2(n) times the time of one sweep, with at most this memory or about 8 m
  /// log2(n) bytes, whichever is more. The script itself has at most n + m steps.
  std::size_t memory_limit = std::size_t{64} << 20U;
};

namespace detail {
template <>
struct EditCosts<Twed> {
  template <TimePoint Time, class F>
  static auto call(const Twed& twed, const PreparedTwed<Time>& a, const PreparedTwed<Time>& b, F&& f) {
    require_prepared_by("Twed", twed, a, b);
    return with_packed_costs(a.packed, b.packed, twed.norm,
                             [&](const auto& costs) { return f(costs, double{twed.penalty}); });
  }
};
}  // namespace detail

/// The steps of one cheapest path between two series, or series that were prepared by `metric`, which is a Twed or what
/// twed_with() made. Where several steps lead to a cell equally cheaply, the match is taken, else the deletion in a.
/// The choice is made by the cost of the whole candidate, so replay() gives the distance bit for bit. Paths are those
/// of Marteau 2009, IEEE TPAMI 31(2), equation 4. O(n m) time; for the memory see EditScriptOptions. Throws what the
/// distance throws.
template <class A, class B, class M>
  requires detail::HasEditCosts<M>
[[nodiscard]] EditScript edit_script(const A& a, const B& b, const M& metric, const EditScriptOptions& options = {});

/// Cost of a path, added up in the order of the distance: of one that edit_script() returned it is the distance bit for
/// bit, of any other path it is not below it. O(steps). InputError (bad_parameter) for steps that are no path.
template <class A, class B, class M>
  requires detail::HasEditCosts<M>
[[nodiscard]] double replay(const EditScript& script, const A& a, const B& b, const M& metric);

/// What the distance of two series is made of, along the path of their edit script: why two runs differ.
template <class A, class B, class M>
  requires detail::HasEditCosts<M>
[[nodiscard]] TwedParts parts(const A& a, const B& b, const M& metric, const EditScriptOptions& options = {});

/// The same for a script that is at hand. O(steps).
template <class A, class B, class M>
  requires detail::HasEditCosts<M>
[[nodiscard]] TwedParts parts(const EditScript& script, const A& a, const B& b, const M& metric);

}  // namespace fidelity

#include <fidelity/distance/detail/edit_functions.hpp>
