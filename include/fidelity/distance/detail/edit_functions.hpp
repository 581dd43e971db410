// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/distance/detail/edit_costs.hpp>
#include <fidelity/distance/detail/edit_trace.hpp>
#include <fidelity/distance/edit_script.hpp>

namespace fidelity {

namespace detail {
template <class Costs>
EditScript make_script(const Costs& costs, std::size_t memory_limit) {
  const EditTrace<Costs> trace(costs, memory_limit);
  EditScript script{trace.cost(), {}};
  script.steps.reserve(trace.cells().size());
  for (const auto& [kind, i, j] : trace.cells()) {
    double cost = 0;
    if (kind == EditKind::delete_a)
      cost = costs.delete_a(i);
    else if (kind == EditKind::delete_b)
      cost = costs.delete_b(j);
    else
      cost = (i == 0 ? 0.0 : costs.match(i - 1, j - 1)) + costs.match(i, j);
    script.steps.push_back({kind, i, j, cost});
  }
  return script;
}

/// Refuses steps that are no path from the first samples to the last ones.
template <class Costs>
void require_path(const Costs& costs, const std::vector<EditStep>& steps) {
  const auto require = [](bool right, std::size_t k) {
    if (!right)
      fail("replay", Rule::bad_parameter,
           concat("step ", k, " is no step of a path from the first samples to the last"));
  };
  require(!steps.empty(), 0);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const EditStep& step = steps[k];
    require(step.i < costs.rows() && step.j < costs.columns(), k);
    if (k == 0) {
      require(step.kind == EditKind::match && step.i == 0 && step.j == 0, k);
    } else {
      const std::size_t in_a = step.kind == EditKind::delete_b ? 0 : 1, in_b = step.kind == EditKind::delete_a ? 0 : 1;
      require(step.i == steps[k - 1].i + in_a && step.j == steps[k - 1].j + in_b, k);
    }
  }
  require(steps.back().i + 1 == costs.rows() && steps.back().j + 1 == costs.columns(), steps.size());
}

template <class Costs>
TwedParts add_parts(const Costs& costs, const std::vector<EditStep>& steps, double penalty) {
  require_path(costs, steps);
  TwedParts parts;
  for (const auto& [kind, i, j, cost] : steps) {
    if (kind == EditKind::delete_a) {
      parts.value += costs.step_a(i);
      parts.time += costs.step_time_a(i);
      ++parts.deletions_a;
    } else if (kind == EditKind::delete_b) {
      parts.value += costs.step_b(j);
      parts.time += costs.step_time_b(j);
      ++parts.deletions_b;
    } else {
      parts.value += (i == 0 ? 0.0 : costs.value(i - 1, j - 1)) + costs.value(i, j);
      parts.time += (i == 0 ? 0.0 : costs.time(i - 1, j - 1)) + costs.time(i, j);
      ++parts.matches;
    }
  }
  parts.penalty = penalty * static_cast<double>(parts.deletions_a + parts.deletions_b);
  return parts;
}
}  // namespace detail

template <class A, class B, class M>
  requires detail::HasEditCosts<M> EditScript edit_script(const A& a, const B& b, const M& metric,
                                                          const EditScriptOptions& options) {
    return detail::with_edit_costs(a, b, metric, [&](const auto& costs, double) {
      EditScript script = detail::make_script(costs, options.memory_limit);
      detail::require_in_range("edit_script", script.cost);
      return script;
    });
  }

template <class A, class B, class M>
  requires detail::HasEditCosts<M>
double replay(const EditScript& script, const A& a, const B& b, const M& metric) {
  return detail::with_edit_costs(a, b, metric, [&](const auto& costs, double) {
    detail::require_path(costs, script.steps);
    return detail::require_in_range("replay", detail::replay_steps(costs, script.steps));
  });
}

template <class A, class B, class M>
  requires detail::HasEditCosts<M> TwedParts parts(const A& a, const B& b, const M& metric,
                                                   const EditScriptOptions& options) {
    return detail::with_edit_costs(a, b, metric, [&](const auto& costs, double penalty) {
      const EditScript script = detail::make_script(costs, options.memory_limit);
      detail::require_in_range("parts", script.cost);
      return detail::add_parts(costs, script.steps, penalty);
    });
  }

template <class A, class B, class M>
  requires detail::HasEditCosts<M> TwedParts parts(const EditScript& script, const A& a, const B& b, const M& metric) {
    return detail::with_edit_costs(a, b, metric, [&](const auto& costs, double penalty) {
      return detail::add_parts(costs, script.steps, penalty);
    });
  }

}  // namespace fidelity
