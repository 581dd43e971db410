// SPDX-License-Identifier: MIT
// Change points the slow and obvious way: costs as in the textbook, from the samples of the segment and with
// logarithms; search by trying every segmentation, or every start for every end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <fidelity/detail/random.hpp>

namespace change_point_oracle {

using Values = std::vector<double>;
using Indices = std::vector<std::size_t>;
using Cost = std::function<double(std::size_t, std::size_t)>;  // of samples begin <= i < end
using std::size_t;

inline Values part(const Values& y, size_t begin, size_t end) {
  return {y.begin() + static_cast<std::ptrdiff_t>(begin), y.begin() + static_cast<std::ptrdiff_t>(end)};
}

inline double total(const Values& y) {
  double sum = 0;
  for (const double x : y) sum += x;
  return sum;
}

/// Sum of w (y - mean)^2.
inline double squares(const Values& y, const Values& w) {
  const double n = total(w);
  double mean = 0, sum = 0;
  for (size_t i = 0; i < y.size(); ++i) mean += w[i] * y[i] / n;
  for (size_t i = 0; i < y.size(); ++i) sum += w[i] * (y[i] - mean) * (y[i] - mean);
  return sum;
}

inline Values ones(const Values& y) { return Values(y.size(), 1.0); }

inline Cost l2(const Values& y, const Values& w) {
  return [=](size_t a, size_t b) { return squares(part(y, a, b), part(w, a, b)); };
}

inline Cost normal(const Values& y, const Values& w, double min_spread) {
  return [=](size_t a, size_t b) {
    const double u = min_spread * min_spread, s = squares(part(y, a, b), part(w, a, b)), n = total(part(w, a, b));
    const double v = std::max(s / n, u);
    return n * std::log(v / u) + s / v;
  };
}

inline Cost line(const Values& y, const Values& w) {
  return [=](size_t a, size_t b) {
    double n = 0, mx = 0, my = 0, xx = 0, xy = 0, rest = 0;
    for (size_t i = a; i < b; ++i) n += w[i];
    for (size_t i = a; i < b; ++i) mx += w[i] * static_cast<double>(i) / n, my += w[i] * y[i] / n;
    for (size_t i = a; i < b; ++i) {
      const double x = static_cast<double>(i) - mx;
      xx += w[i] * x * x, xy += w[i] * x * (y[i] - my);
    }
    for (size_t i = a; i < b; ++i) {
      const double r = y[i] - my - (xx > 0 ? xy / xx : 0) * (static_cast<double>(i) - mx);
      rest += w[i] * r * r;
    }
    return rest;
  };
}

inline Cost poisson(const Values& y, const Values& w) {
  return [=](size_t a, size_t b) {
    double n = 0, mean = 0, sum = 0;
    for (size_t i = a; i < b; ++i) n += w[i];
    for (size_t i = a; i < b; ++i) mean += w[i] * y[i] / n;
    for (size_t i = a; i < b; ++i) sum += y[i] > 0 ? 2 * w[i] * y[i] * std::log(y[i] / mean) : 0;
    return sum;
  };
}

/// Haynes, Fearnhead, Eckley 2017, with half weight for equal values.
inline Cost empirical(const Values& y) {
  const double n = static_cast<double>(y.size());
  const size_t k = std::max<size_t>(1, std::min(y.size(), static_cast<size_t>(std::ceil(4 * std::log(n)))));
  Values sorted = y, q;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < k; ++i) {
    const double z = -1 + (2 * static_cast<double>(i) + 1) / static_cast<double>(k);
    q.push_back(sorted[static_cast<size_t>(std::floor((n - 1) / (1 + std::pow(2 * n - 1, -z))))]);
  }
  return [=](size_t a, size_t b) {
    double sum = 0;
    const double length = static_cast<double>(b - a);
    for (const double level : q) {
      double below = 0;
      for (size_t t = a; t < b; ++t) below += (y[t] < level) + 0.5 * (y[t] == level);
      const double f = below / length;
      if (f > 0 && f < 1) sum += length * (f * std::log(f) + (1 - f) * std::log(1 - f));
    }
    return -2 * std::log(2 * n - 1) / static_cast<double>(k) * sum;
  };
}

struct Optimum {
  double objective = std::numeric_limits<double>::infinity();
  Indices changes;
};

/// The costs of all segments, so that each is worked out once.
inline Cost tabulated(size_t n, const Cost& cost) {
  std::vector<double> table((n + 1) * (n + 1));
  for (size_t a = 0; a < n; ++a)
    for (size_t b = a + 1; b <= n; ++b) table[a * (n + 1) + b] = cost(a, b);
  return [=](size_t a, size_t b) { return table[a * (n + 1) + b]; };
}

/// The later `a` the greater: compares the last change points first; none is earliest.
inline bool earlier(const Indices& a, const Indices& b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

inline bool equal_objectives(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-13 + 1e-9 * std::min(std::abs(a), std::abs(b));
}

/// Tries every segmentation into segments of at least m samples. Among equal ones (1e-9) the earliest wins.
inline Optimum enumerate(size_t n, size_t m, double penalty, const Cost& cost) {
  Optimum best;
  Indices changes;
  const std::function<void(size_t, double)> extend = [&](size_t begin, double sum) {
    if (n - begin >= m || begin == 0) {
      const double objective = sum + cost(begin, n);
      const bool equal = equal_objectives(objective, best.objective);
      if (equal ? earlier(changes, best.changes) : objective < best.objective) best = {objective, changes};
    }
    for (size_t end = begin + m; end + m <= n; ++end) {
      changes.push_back(end);
      extend(end, sum + cost(begin, end) + penalty);
      changes.pop_back();
    }
  };
  extend(0, 0);
  return best;
}

/// Optimal partitioning without any pruning, with the same rule for ties.
inline Optimum search_all_starts(size_t n, size_t m, double penalty, const Cost& cost) {
  std::vector<Optimum> best(n + 1);
  best[0].objective = -penalty;
  for (size_t t = 1; t <= n; ++t)
    for (size_t s = 0; s < t; ++s) {
      const bool whole = s == 0 && t == n;
      if (!whole && (t - s < m || (s > 0 && s < m))) continue;
      const double objective = best[s].objective + cost(s, t) + penalty;
      if (equal_objectives(objective, best[t].objective) || objective > best[t].objective) continue;
      best[t] = {objective, best[s].changes};
      if (s > 0) best[t].changes.push_back(s);
    }
  return best[n];
}

/// Small whole numbers with some steps and ramps: many ties, many repeated values.
inline Values small_integers(fidelity::detail::Random& random, size_t n) {
  Values y(n);
  const size_t spread = 1 + random.below(4);
  double level = 0, slope = 0;
  for (double& x : y) {
    if (random.below(6) == 0) level = static_cast<double>(random.below(8)), slope = 0;
    if (random.below(12) == 0) slope = static_cast<double>(random.below(3)) - 1;
    level += slope;
    x = std::max(0.0, level) + static_cast<double>(random.below(spread));
  }
  return y;
}

/// Scenario A (no change) or B (a step of 3 every 100 samples): sums of twelve uniform numbers, mean 0, variance 1.
inline Values scenario(size_t n, bool steps, double offset = 0) {
  fidelity::detail::Random random(0);
  Values y(n);
  for (size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 12; ++k) y[i] += random.uniform();
    y[i] += -6 + (steps ? 3 * static_cast<double>(i / 100 % 2) : 0) + offset;
  }
  return y;
}

}  // namespace change_point_oracle
