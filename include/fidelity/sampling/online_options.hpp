// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/sampling/detail/required.hpp>
#include <fidelity/sampling/rate.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// What a detector for live data says after a sample.
enum class OnlineState {
  unknown,    ///< not enough samples since the start, a bad sample or a gap
  transient,  ///< the signal is changing
  steady,
};

/// Weights of the newest sample in the three exponential filters of the R-statistic, each in (0, 1].
struct RStatisticFilters {
  double value = 0.2;     ///< lambda_1, of the filtered value
  double variance = 0.1;  ///< lambda_2, of the variance about the filtered value
  double steps = 0.1;     ///< lambda_3, of the variance of the steps
};

struct RStatisticOptions {
  RStatisticFilters filters = {};
  std::size_t start_samples = 50;  ///< samples from which the filters start, at least 10
  double accept = 2.5;             ///< steady at or below this ratio
  double reject = 2.5;             ///< transient above this one; in between the state stays. At least `accept`.
  /// The sample after the start is left out, as in the public library InDSL (`ssid`), whose numbers then come out.
  bool skip_after_start = false;
};

struct KellyHedengrenOptions {
  std::size_t samples;  ///< samples in the window, at least 3: no default, it sets the time scale
  double alpha = 0.05;  ///< share of a steady signal that may fall outside, in (0, 1)
  double p_min = 0.9;   ///< share of samples inside from which the window is steady, 0 to 1
};

template <TimePoint Time = Timestamp>
struct WindowedSlopeOptions {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  detail::RequiredDuration<Time> window;  ///< length of the window, above 0; a longer step restarts
  detail::Required noise_max;             ///< largest spread about the line, unit of the signal, >= 0
  Rate slope_max;                         ///< largest slope, such as Rate{1.0, 1h}; >= 0
  double confidence = 0.95;               ///< of the test of the slope, in [0, 1)
  bool strict = false;  ///< steady only if the whole confidence interval of the slope lies within its limit
};

struct CusumOptions {
  std::size_t start_samples = 50;  ///< samples from which mean and sigma are learnt, at least 10
  double slack = 0.5;              ///< k / sigma: half the shift that is to be found, >= 0
  double limit = 5;                ///< h / sigma, above 0
};

}  // namespace fidelity
