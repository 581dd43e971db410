// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fidelity/detail/parallel.hpp>
#include <fidelity/detail/require.hpp>
#include <fidelity/validation/comparison.hpp>
#include <fidelity/validation/detail/explain.hpp>
#include <fidelity/validation/detail/flags.hpp>
#include <fidelity/validation/options.hpp>
#include <fidelity/validation/significance.hpp>

namespace fidelity::detail {

/// Computes one part of a comparison after the other, each with a reason where it is absent. Once the progress callback
/// has asked to stop, the parts that follow are absent too; what is complete stays.
class Measuring {
 public:
  Measuring(Comparison& comparison, const ComparisonOptions& options) : c_(comparison), options_(options) {}

  void run() {
    ratio();
    permutation();
    intervals();
    leave_one_out();
    trimmed();
    if (c_.measured_matrix) c_.measured_medoid = medoid(*c_.measured_matrix);
    if (c_.simulated_matrix) c_.simulated_medoid = medoid(*c_.simulated_matrix);
  }

 private:
  [[nodiscard]] std::size_t simulated() const { return c_.simulations.size(); }
  [[nodiscard]] std::size_t measured() const { return c_.measurements.size(); }
  void absent(std::string code, std::string text) { c_.absent.push_back({std::move(code), std::move(text)}); }

  template <class Part>
  void guarded(std::string_view code, Part part) {
    if (!has_flag(c_, "cancelled")) {
      try {
        return part();
      } catch (const Cancelled&) {
        note_cancelled(c_);
      }
    }
    absent(std::string(code), "the comparison was stopped before");
  }

  /// The ratio of groups of the same size (rule V5).
  void ratio() {
    const std::size_t n = simulated(), m = measured();
    if (options_.splits == 0) return absent("ratio", "it was not asked for (splits = 0)");
    if (!c_.measured_matrix) return absent("ratio", no_measured_block(c_, options_));
    if (m < 4)
      return absent("ratio",
                    concat("two groups of measured runs need at least 4 of them; there ", m == 1 ? "is " : "are ", m));
    if (n < 2) return absent("ratio", "a group of simulated runs needs at least 2 of them; there is 1");
    guarded("ratio", [&] {
      c_.halves = fidelity::split_halves(c_.matrix, *c_.measured_matrix,
                                         {.order = c_.order,
                                          .splits = options_.splits,
                                          .seed = options_.seed,
                                          .threads = options_.threads,
                                          .progress = options_.progress});
    });
    if (!c_.halves) return;
    const auto& [base, like] = std::tie(c_.halves->base, c_.halves->like);
    if (!(base.median > 0)) {
      if (!has_flag(c_, "no_spread"))
        c_.flags.push_back({"no_spread", "groups of measured runs have distance 0 from each other"});
      return absent("ratio", "groups of measured runs have distance 0 from each other");
    }
    c_.ratio = like.median / base.median;
    if (like.median > base.quantile95)
      c_.flags.push_back({"distinguishable",
                          concat("simulated groups are farther from measured ones (median ", short_text(like.median),
                                 ") than at least 95 % of measured groups are from each other (",
                                 short_text(base.quantile95), "): the difference is no accident of the draw")});
  }

  /// p and the energy distance, from the pooled matrix.
  void permutation() {
    if (options_.permutations == 0) return absent("p_value", "it was not asked for (permutations = 0)");
    if (!c_.simulated_matrix || !c_.measured_matrix)
      return absent("p_value", has_flag(c_, "cancelled") ? "the comparison was stopped before"
                                                         : "the distances inside both ensembles are not known");
    const CostMatrix pooled = pooled_matrix();
    c_.energy = energy_distance(pooled, simulated());
    guarded("p_value", [&] {
      c_.permutation = permutation_test(pooled, simulated(),
                                        {.order = c_.order,
                                         .permutations = options_.permutations,
                                         .seed = options_.seed,
                                         .threads = options_.threads,
                                         .progress = options_.progress});
      c_.p_value = c_.permutation->p_value;
    });
    if (!c_.permutation) return;
    if (c_.permutation->smallest_p > 1 - c_.confidence)
      c_.flags.push_back({"no_power", concat("p cannot fall below ", short_text(c_.permutation->smallest_p),
                                             " with these runs: it can show no difference")});
    for (const auto& [side, distinct] :
         {std::pair{"simulated", c_.distinct_simulations}, std::pair{"measured", c_.distinct_measurements}})
      if (distinct == 1U)
        c_.flags.push_back({"not_meaningful", concat("p is about one single distinct ", side,
                                                     " run, not about an ensemble; do not read it as evidence")});
  }

  [[nodiscard]] CostMatrix pooled_matrix() const {
    const Eigen::Index n = c_.matrix.rows(), m = c_.matrix.cols();
    CostMatrix pooled(n + m, n + m);
    pooled.topLeftCorner(n, n) = *c_.simulated_matrix;
    pooled.topRightCorner(n, m) = c_.matrix;
    pooled.bottomLeftCorner(m, n) = c_.matrix.transpose();
    pooled.bottomRightCorner(m, m) = *c_.measured_matrix;
    return pooled;
  }

  void intervals() {
    const auto both_absent = [&](const std::string& text) {
      absent("interval", text);
      absent("ratio_interval", text);
    };
    if (options_.bootstraps == 0) return both_absent("it was not asked for (bootstraps = 0)");
    if (measured() < 2) return both_absent("it needs at least 2 measured runs; there is 1");
    if (c_.distinct_measurements == 1U) return both_absent("all measured runs are equal: their spread is not known");
    c_.drawn = c_.distinct_simulations == 1U ? Resample::measured : options_.bootstrap_runs;
    const BootstrapOptions options{.level = options_.confidence,
                                   .replicates = options_.bootstraps,
                                   .method = options_.interval_method,
                                   .resample = c_.drawn,
                                   .order = c_.order,
                                   .seed = options_.seed,
                                   .threads = options_.threads,
                                   .progress = options_.progress};
    guarded("interval", [&] { c_.interval = bootstrap_interval(c_.matrix, options); });
    if (c_.interval && c_.halves && c_.distance <= c_.halves->base.quantile95)
      c_.flags.push_back(
          {"near_zero", concat("the distance is not above what ", c_.halves->half_size, " measured runs are from ",
                               c_.halves->half_size, " others (95 % quantile ", short_text(c_.halves->base.quantile95),
                               "): its interval is not reliable, distances of samples are too large")});
    if (!options_.ratio_interval) return absent("ratio_interval", "it was not asked for (ratio_interval = false)");
    if (!c_.ratio) return absent("ratio_interval", "there is no ratio");
    guarded("ratio_interval", [&] {
      c_.ratio_interval = bootstrap_ratio(c_.matrix, *c_.measured_matrix, *c_.halves, options);
      if (!c_.ratio_interval) absent("ratio_interval", "the measured runs, drawn anew, have too little spread for it");
    });
  }

  void leave_one_out() {
    if (!options_.leave_one_out) return;
    guarded("distance_without", [&] {
      const LeaveOneOut left = fidelity::leave_one_out(
          c_.matrix, {.order = c_.order, .threads = options_.threads, .progress = options_.progress});
      for (std::size_t i = 0; i < left.simulations.size(); ++i)
        c_.simulations[i].distance_without = left.simulations[i].distance;
      for (std::size_t j = 0; j < left.measurements.size(); ++j)
        c_.measurements[j].distance_without = left.measurements[j].distance;
    });
    if (simulated() == 1) absent("distance_without", "the only simulated run cannot be left out");
    if (measured() == 1) absent("distance_without", "the only measured run cannot be left out");
  }

  void trimmed() {
    const OutlierBudget& budget = options_.outlier_budget;
    if (budget.simulated > 0 || budget.measured > 0) c_.trimmed = trimmed_wasserstein(c_.matrix, budget, c_.order);
  }

  Comparison& c_;
  const ComparisonOptions& options_;
};

}  // namespace fidelity::detail
