// SPDX-License-Identifier: MIT
// A naive second opinion about quantised integrators of linear systems x' = A x + b: every state is advanced at every
// event, in long double, and the next event is found by halving intervals, without a formula for roots. Beside it what
// the tests of integrators share: quantised events as functions of time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/qss/integrator.hpp>

namespace integrator_test {

using Real = long double;
using Polynomial = std::vector<Real>;

inline Polynomial moved(const Polynomial& p, Real e) {
  Polynomial r(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) {
    Real binomial = 1, power = 1;
    for (std::size_t j = k; j < p.size(); ++j) {
      r[k] += binomial * p[j] * power;
      binomial = binomial * static_cast<Real>(j + 1) / static_cast<Real>(j + 1 - k);
      power *= e;
    }
  }
  return r;
}

/// The first place of [a, b] where |p| >= level, to 1e-17 (relative above 1): intervals on which p cannot get there are
/// left out.
inline std::optional<Real> first_place(const Polynomial& p, Real level, Real a, Real b) {
  const Real half = (b - a) / 2, middle = a + half;
  const Polynomial local = moved(p, middle);
  Real bound = 0;
  for (std::size_t k = p.size(); k-- > 0;) bound = bound * half + std::abs(local[k]);
  if (bound < level) return std::nullopt;
  if (half <= 1e-17L * std::max(middle, 1.0L)) return middle;
  if (const auto left = first_place(p, level, a, middle)) return left;
  return first_place(p, level, middle, b);
}

struct OracleEvent {
  std::size_t state;
  double time;
};

/// The internal events of a run in order of time.
inline std::vector<OracleEvent> oracle_run(const std::vector<std::vector<double>>& A, const std::vector<double>& b,
                                           const std::vector<double>& x0, std::size_t order, Real quantum, Real end,
                                           bool fresh) {
  const std::size_t n = x0.size();
  std::vector<Polynomial> x(n, Polynomial(order + 1)), q(n, Polynomial(order));
  const auto f = [&](std::size_t i, std::size_t k) {
    Real sum = k == 0 ? b[i] : 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += A[i][j] * q[j][k];
    return sum;
  };
  const auto set_slopes = [&](std::size_t i) {
    for (std::size_t k = 0; k < order; ++k) x[i][k + 1] = f(i, k) / static_cast<Real>(k + 1);
  };
  for (std::size_t i = 0; i < n; ++i) x[i][0] = q[i][0] = x0[i];
  if (fresh)
    for (std::size_t k = 1; k < order; ++k)
      for (std::size_t i = 0; i < n; ++i) q[i][k] = f(i, k - 1) / static_cast<Real>(k);
  for (std::size_t i = 0; i < n; ++i) set_slopes(i);

  std::vector<OracleEvent> events;
  for (Real t = 0;;) {
    std::optional<Real> wait;
    std::size_t first = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Polynomial d(order + 1);
      for (std::size_t k = 0; k <= order; ++k) d[k] = (k < order ? q[i][k] : 0.0L) - x[i][k];
      const auto s = first_place(d, quantum, 0, wait ? std::min(*wait, end - t) : end - t);
      if (s && (!wait || *s < *wait)) wait = s, first = i;
    }
    if (!wait) return events;
    t += *wait;
    for (std::size_t i = 0; i < n; ++i) x[i] = moved(x[i], *wait), q[i] = moved(q[i], *wait);
    q[first].assign(x[first].begin(), x[first].end() - 1);
    if (fresh) {
      for (std::size_t k = 1; k < order; ++k) q[first][k] = f(first, k - 1) / static_cast<Real>(k);
      set_slopes(first);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (A[i][first] != 0) set_slopes(i);
    events.push_back({first, static_cast<double>(t)});
  }
}

/// x' = f(x) by the classical method of Runge and Kutta: the states after 0 .. steps equal steps.
template <class F>
std::vector<std::vector<double>> runge_kutta(F f, std::vector<double> x, double end, int steps) {
  const double h = end / steps;
  const auto moved_by = [](std::vector<double> a, double factor, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
    return a;
  };
  std::vector<std::vector<double>> states(1, x);
  for (int k = 0; k < steps; ++k) {
    const auto k1 = f(x), k2 = f(moved_by(x, h / 2, k1)), k3 = f(moved_by(x, h / 2, k2)), k4 = f(moved_by(x, h, k3));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    states.push_back(x);
  }
  return states;
}

/// Value of the polynomial that holds at t: the last event at or before it.
inline double value_at(const std::vector<fidelity::TaylorEvent<>>& events, double t) {
  const auto after = std::upper_bound(events.begin(), events.end(), t,
                                      [](double s, const fidelity::TaylorEvent<>& event) { return s < event.time(); });
  const auto& event = *(after == events.begin() ? after : after - 1);
  double sum = 0;
  for (std::size_t k = event.order() + 1; k-- > 0;) sum = sum * (t - event.time()) + event.coefficient(k);
  return sum;
}

/// The largest |q - x| of a state, in quanta, looked at in every step up to the limit from the left at its end.
inline double largest_distance(const fidelity::QssRun& run, std::size_t i, double absolute, double relative = 0) {
  double largest = 0;
  std::size_t k = 0;
  double quantum = 0;
  const auto& x = run.states[i];
  const auto& q = run.quantised[i];
  for (std::size_t m = 0; m + 1 < x.size(); ++m) {
    while (k + 1 < q.size() && q[k + 1].time() <= x[m].time()) ++k;
    if (m == 0 || x[m].kind() == fidelity::EventKind::internal)
      quantum = std::max(absolute, relative * std::abs(x[m].coefficient(0)));
    for (int part = 0; part <= 8; ++part) {
      const double e = (x[m + 1].time() - x[m].time()) * part / 8, late = x[m].time() + e - q[k].time();
      double xe = 0, qe = 0;
      for (std::size_t c = x[m].order() + 1; c-- > 0;) xe = xe * e + x[m].coefficient(c);
      for (std::size_t c = q[k].order() + 1; c-- > 0;) qe = qe * late + q[k].coefficient(c);
      largest = std::max(largest, std::abs(qe - xe) / quantum);
    }
  }
  return largest;
}

}  // namespace integrator_test
