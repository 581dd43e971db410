// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fidelity/qss/detail/earliest.hpp>
#include <fidelity/qss/detail/first_exit.hpp>
#include <fidelity/qss/jet.hpp>
#include <fidelity/series/detail/polynomial.hpp>

namespace fidelity::detail {

/// The smallest s > 0 at which c[0] + c[1] s + c[2] s^2 goes from above zero to below, or never.
inline double first_fall(double c, double b, double a) {
  if (a == 0) return b < 0 && c > 0 ? -c / b : never;
  const double discriminant = b * b - 4 * a * c;
  if (!(discriminant > 0)) return never;
  // Its slope there is -sqrt(discriminant), so that the falling root is (-b - sqrt) / (2 a) = 2 c / (-b + sqrt).
  const double root = std::sqrt(discriminant);
  const double s = b > 0 ? -(b + root) / (2 * a) : 2 * c / (root - b);
  return s > 0 ? s : never;
}

/// The same for degree 7, for 0 < s < end.
inline double first_fall(const Coefficients& g, double end) {
  const Roots roots = roots_between(g, 7, 0, end);
  double left = 0;
  for (std::size_t k = 0; k < roots.count; ++k) {
    const double root = roots.values[k], right = k + 1 < roots.count ? roots.values[k + 1] : end;
    if (sign_of(g, 7, 0.5 * (left + root)) > 0 && sign_of(g, 7, 0.5 * (root + right)) < 0) return root;
    left = root;
  }
  return never;
}

/// How far a Taylor polynomial of degree 7 can be taken for its function: as long as each of its last two terms is
/// less than `part` of the largest term. Never, if they are 0.
inline double reach(const Coefficients& g, double part) {
  double shortest = never;
  for (std::size_t last = 6; last <= 7; ++last) {
    if (g[last] == 0) continue;
    double longest = 0;
    for (std::size_t k = 0; k < 6; ++k)
      longest = std::max(longest, std::pow(part * std::abs(g[k] / g[last]), 1 / static_cast<double>(last - k)));
    shortest = std::min(shortest, longest);
  }
  return shortest;
}

/// When each guard fires: when it falls through zero, by its polynomial or because it has jumped. A guard whose Taylor
/// series goes on is looked at again where its polynomial is not good any more, and shortly before it falls.
class Guards {
 public:
  explicit Guards(std::size_t count)
      : above_(count), only_look_(count), firings_(count), next_(count == 0 ? 1 : count) {}

  /// Guard k has the polynomial g from t on; what is later than `end` does not matter.
  void update(std::size_t k, double t, const Jet<8>& g, double end) {
    const auto [fall, only_look] = next_time(g, end - t);
    if (holds(t, g, fall)) above_[k] = true;
    const bool has_fallen = above_[k] && !holds(t, g, fall);
    only_look_[k] = only_look && !has_fallen;
    double time = t + fall;
    if (!(time > t)) time = only_look ? std::nextafter(t, never) : never;
    next_.set(k, has_fallen ? t : time);
  }
  /// Is guard k, whose time has come, not below zero now, or was it only to be looked at?
  [[nodiscard]] bool only_near(std::size_t k, double t, const Jet<8>& g, double end) const {
    return only_look_[k] || holds(t, g, next_time(g, end - t).wait);
  }
  /// Guard k has fired: it must rise above zero before it does again.
  void fired(std::size_t k, double t) {
    above_[k] = false;
    Firings& past = firings_[k];
    const double interval = t - past.last;
    past.ratio = past.interval < never ? interval / past.interval : 1;
    past.shorter = past.ratio < 1 ? past.shorter + 1 : 0;
    past.clearly = past.ratio <= 0.96 ? past.clearly + 1 : past.clearly / 2;  // the quantum makes the last ones uneven
    past.longer = std::max(interval, past.interval);
    past.interval = interval;
    past.last = t;
  }
  /// Do the firings of guard k accumulate? Either they come closer and closer and their limit is now, or they did so
  /// clearly and the next one has not come: the guard has not risen above zero any more.
  [[nodiscard]] bool accumulate(std::size_t k, double t, const Jet<8>& g) const {
    const Firings& past = firings_[k];
    const bool at_limit = past.shorter >= 4 && past.interval * past.ratio <= 1e-9 * t * (1 - past.ratio);
    const bool missed = past.clearly >= 4 && !above_[k] && g.c[0] < 0 && t > past.last + 2 * past.longer;
    return at_limit || missed;
  }
  [[nodiscard]] Earliest::Entry first() const { return next_.first(); }

 private:
  struct Next {
    double wait;
    bool only_look;
  };
  /// Is g above zero and stays so for a time that can be told from none?
  static bool holds(double t, const Jet<8>& g, double wait) { return g.c[0] > 0 && t + wait > t; }

  static Next next_time(const Jet<8>& g, double left) {
    if (std::all_of(g.c.begin() + 3, g.c.end(), [](double c) { return c == 0; }))
      return {first_fall(g.c[0], g.c[1], g.c[2]), false};
    const double good = reach(g.c, 1e-6), until = std::min(good, left);
    const double fall = first_fall(g.c, until);
    if (fall == never) return {good, true};
    const double close = reach(g.c, 1e-15);
    if (fall <= close) return {fall, false};
    return {std::max(close, 0.9 * fall), true};
  }

  struct Firings {
    double last = -never, interval = never;  ///< when it fired last, and how long after the time before
    double longer = never, ratio = 1;        ///< the longer of the last two intervals, and their ratio
    std::size_t shorter = 0, clearly = 0;    ///< how many intervals in succession were shorter
  };

  std::vector<bool> above_, only_look_;
  std::vector<Firings> firings_;
  Earliest next_;
};

}  // namespace fidelity::detail
