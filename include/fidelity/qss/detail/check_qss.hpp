// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/qss_options.hpp>

namespace fidelity::detail {

inline void check_qss_input(const QssInput& input, std::size_t k, double start, double end) {
  const auto& pieces = input.pieces();
  double known = start;  // the input is known from the start up to here
  bool begins = false;
  for (const auto& piece : pieces) {
    for (std::size_t c = 0; c <= piece.degree; ++c)
      if (!is_finite(piece.coefficients[c]))
        fail("simulate", Rule::value_not_finite, "an input is not finite", {.collection = "inputs", .index = k});
    if (piece.window.begin <= known && piece.window.end > known) known = piece.window.end, begins = true;
  }
  if (!begins || known < end)
    fail("simulate", Rule::window_outside,
         concat("an input is missing from ", known, " s on, the run goes from ", start, " s to ", end, " s"),
         {.collection = "inputs", .index = k});
}

/// Throws InputError where the arguments of simulate() break a rule.
inline void check_qss(const std::vector<double>& x0, const QssOptions& options) {
  const auto reject = [](std::string_view sentence, double value) {
    fail("simulate", Rule::bad_parameter, sentence, {.value = value});
  };
  const bool implicit = options.method == QssMethod::liqss;
  if (x0.empty()) fail("simulate", Rule::empty, "a system has at least one state");
  for (std::size_t i = 0; i < x0.size(); ++i)
    if (!is_finite(x0[i]))
      fail("simulate", Rule::value_not_finite, "the initial state must be finite",
           {.collection = "x0", .index = i, .value = x0[i]});
  if (options.order < 1 || options.order > (implicit ? 2U : 3U))
    reject(implicit ? "the order of liqss must be 1 or 2" : "the order must be 1, 2 or 3",
           static_cast<double>(options.order));
  if (implicit && options.convention != QssConvention::fresh)
    fail("simulate", Rule::bad_parameter, "liqss knows the convention fresh only");

  if (!is_finite(options.relative_quantum) || options.relative_quantum < 0)
    reject("the relative quantum must be finite and not negative", options.relative_quantum);
  if (options.quantum.size() != 1 && options.quantum.size() != x0.size())
    fail("simulate", Rule::size_mismatch,
         concat("there are ", options.quantum.size(), " quanta for ", x0.size(), " states; give one, or one for each"));
  for (std::size_t i = 0; i < options.quantum.size(); ++i)
    if (const double q = options.quantum[i]; !is_finite(q) || q < 0 || (q == 0 && options.relative_quantum == 0))
      fail("simulate", Rule::bad_parameter, "the quantum must be positive and finite (0 only with a relative quantum)",
           {.collection = "quantum", .index = i, .value = q});

  const double end = options.end;
  if (!is_finite(options.start)) reject("the start must be finite", options.start);
  if (!is_finite(end) || !(end > options.start)) reject("the end must be finite and after the start", end);
  if (!is_finite(end - options.start)) reject("the run is too long for a double", end);
  if (options.dt_max && !(is_finite(*options.dt_max) && *options.dt_max > 0))
    reject("dt_max must be positive and finite", *options.dt_max);
  for (std::size_t k = 0; k < options.inputs.size(); ++k) check_qss_input(options.inputs[k], k, options.start, end);
}

}  // namespace fidelity::detail
