// SPDX-License-Identifier: MIT
// A naive second opinion about trajectories: a list of all events as they came, searched from end to end, powers summed
// in long double; and random lists of events.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "reference/series_helpers.hpp"

#include <fidelity/qss/taylor_event.hpp>
#include <fidelity/series/segment.hpp>

namespace qss_test {

namespace fd = fidelity;
using Event = fd::TaylorEvent<>;
using Events = std::vector<Event>;
using series_test::Random;

/// The k-th derivative at t, of the last event not after t (right) or before t (left); nothing before the first one.
inline std::optional<double> naive_derivative(const Events& events, double t, std::size_t k, fd::Side side) {
  const Event* valid = nullptr;
  for (const Event& event : events)
    if (side == fd::Side::right ? event.time() <= t : event.time() < t) valid = &event;
  if (valid == nullptr) return std::nullopt;
  const long double e = static_cast<long double>(t) - valid->time();
  long double sum = 0;
  for (std::size_t j = k; j <= valid->order(); ++j) {
    long double term = valid->coefficient(j);
    for (std::size_t i = 0; i < k; ++i) term *= static_cast<long double>(j - i);
    sum += term * std::pow(e, static_cast<long double>(j - k));
  }
  return static_cast<double>(sum);
}

/// The integral over [a, b), cut at every event time, each part from its antiderivative.
inline double naive_integral(const Events& events, double a, double b) {
  long double sum = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const long double from = std::max<long double>(a, events[i].time());
    const long double to = i + 1 < events.size() ? std::min<long double>(b, events[i + 1].time()) : b;
    if (!(from < to)) continue;
    for (std::size_t k = 0; k <= events[i].order(); ++k) {
      const long double start = events[i].time(), power = static_cast<long double>(k + 1);
      sum += events[i].coefficient(k) / power * (std::pow(to - start, power) - std::pow(from - start, power));
    }
  }
  return static_cast<double>(sum);
}

/// Events of orders 0 to `order`, bursts of up to 5 at one time, jumps everywhere.
inline Events random_events(Random& random, std::size_t count, std::size_t order, double start = 0) {
  Events events;
  double t = start;
  while (events.size() < count) {
    t += random.real(0.1, 1.5);
    for (auto burst = random.integer(1, 6) == 1 ? random.integer(2, 5) : 1; burst > 0; --burst) {
      std::vector<double> c(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(order))) + 1);
      for (double& x : c) x = random.real(-1, 1);
      events.push_back(
          fd::from_taylor(t, c, random.integer(0, 2) == 0 ? fd::EventKind::external : fd::EventKind::internal));
    }
  }
  return events;
}

/// The worked scenario of the interpolator: order 1, an external event at 4 cuts the segment that began at 3.
inline Events worked_scenario() {
  return {fd::from_taylor(0.0, {1, 1}), fd::from_taylor(1.0, {2, 1}), fd::from_taylor(3.0, {4, 0.5}),
          fd::from_taylor(4.0, {4.5, 1.5}, fd::EventKind::external)};
}

/// Order 3 with two events at t = 2 and jumps at 2 and 3.5.
inline Events jumping_events() {
  return {fd::from_taylor(0.0, {1, -0.5, 0.25, -0.125}), fd::from_taylor(2.0, {0.25, 1, -1, 0.5}),
          fd::from_taylor(2.0, {0.5, -1, 0.75, 0.25}), fd::from_taylor(3.5, {-1, 0, 0, 2})};
}

}  // namespace qss_test
