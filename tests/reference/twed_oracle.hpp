// SPDX-License-Identifier: MIT
// The time warp edit distance twice more, naive and slow: as the full table of the paper (with the zero sample in front
// of both series and an infinite border), and as the cheapest of all paths, listed one by one. And its variants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fidelity/series/series.hpp>

namespace oracle {

/// A series whose stamps are multiplied by the stiffness. `Cost` is int64 for exact problems, else long double.
template <class Cost>
struct Sequence {
  std::vector<Cost> times;
  std::vector<std::vector<Cost>> values;  // sample by sample
};

template <class Cost>
Cost magnitude(Cost x) {
  return x < 0 ? -x : x;
}

template <class Cost>
Cost sum_of_magnitudes(const std::vector<Cost>& x, const std::vector<Cost>& y) {
  Cost sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += magnitude(x[c] - y[c]);
  return sum;
}

template <class Cost>
Cost largest_magnitude(const std::vector<Cost>& x, const std::vector<Cost>& y) {
  Cost largest = 0;
  for (std::size_t c = 0; c < x.size(); ++c) largest = std::max(largest, magnitude(x[c] - y[c]));
  return largest;
}

/// The table of the paper: row and column 0 stand for the zero sample.
template <class Cost, class Distance>
Cost twed(Sequence<Cost> a, Sequence<Cost> b, Cost penalty, Distance distance) {
  const std::size_t channels = a.values[0].size();
  for (auto* s : {&a, &b}) {
    s->times.insert(s->times.begin(), Cost{0});
    s->values.insert(s->values.begin(), std::vector<Cost>(channels, Cost{0}));
  }
  const std::size_t n = a.times.size(), m = b.times.size();
  const Cost infinite = Cost{1'000'000'000'000'000};
  std::vector<std::vector<Cost>> table(n, std::vector<Cost>(m, infinite));
  table[0][0] = 0;
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < m; ++j) {
      const Cost match = table[i - 1][j - 1] + distance(a.values[i], b.values[j]) +
                         distance(a.values[i - 1], b.values[j - 1]) + magnitude(a.times[i] - b.times[j]) +
                         magnitude(a.times[i - 1] - b.times[j - 1]);
      const Cost delete_a =
          table[i - 1][j] + distance(a.values[i], a.values[i - 1]) + (a.times[i] - a.times[i - 1]) + penalty;
      const Cost delete_b =
          table[i][j - 1] + distance(b.values[j], b.values[j - 1]) + (b.times[j] - b.times[j - 1]) + penalty;
      table[i][j] = std::min({match, delete_a, delete_b});
    }
  return table[n - 1][m - 1];
}

/// Cost of the cheapest way from samples (i, j) to the ends, all ways listed: 321 for 5 against 5 samples.
template <class Cost, class Distance>
Cost cheapest_path(const Sequence<Cost>& a, const Sequence<Cost>& b, Cost penalty, Distance distance, std::size_t i = 0,
                   std::size_t j = 0) {
  const auto phi = [&](std::size_t k, std::size_t l) {
    return distance(a.values[k], b.values[l]) + magnitude(a.times[k] - b.times[l]);
  };
  const auto deletion = [&](const Sequence<Cost>& s, std::size_t k) {
    return distance(s.values[k], s.values[k - 1]) + (s.times[k] - s.times[k - 1]) + penalty;
  };
  const Cost begin = i == 0 && j == 0 ? phi(0, 0) : Cost{0};
  const bool more_a = i + 1 < a.times.size(), more_b = j + 1 < b.times.size();
  if (!more_a && !more_b) return begin;
  std::vector<Cost> ways;
  const auto rest = [&](std::size_t k, std::size_t l) { return cheapest_path(a, b, penalty, distance, k, l); };
  if (more_a && more_b) ways.push_back(phi(i, j) + phi(i + 1, j + 1) + rest(i + 1, j + 1));
  if (more_a) ways.push_back(deletion(a, i + 1) + rest(i + 1, j));
  if (more_b) ways.push_back(deletion(b, j + 1) + rest(i, j + 1));
  return begin + *std::min_element(ways.begin(), ways.end());
}

/// Letters of the path that is found from the end, each time by the cheapest way to the cell, and where several are
/// equally cheap in the order match (M), delete in a (A), delete in b (B).
template <class Cost, class Distance>
std::string cheapest_letters(const Sequence<Cost>& a, const Sequence<Cost>& b, Cost penalty, Distance distance) {
  const auto part = [](const Sequence<Cost>& s, std::size_t n) {
    const auto end = static_cast<std::ptrdiff_t>(n);
    return Sequence<Cost>{{s.times.begin(), s.times.begin() + end}, {s.values.begin(), s.values.begin() + end}};
  };
  const auto upto = [&](std::size_t i, std::size_t j) { return twed(part(a, i), part(b, j), penalty, distance); };
  const auto phi = [&](std::size_t i, std::size_t j) {
    return distance(a.values[i - 1], b.values[j - 1]) + magnitude(a.times[i - 1] - b.times[j - 1]);
  };
  std::string letters;
  std::size_t i = a.times.size(), j = b.times.size();
  while (i > 1 || j > 1) {
    const Cost cost = upto(i, j);
    if (i > 1 && j > 1 && cost == upto(i - 1, j - 1) + phi(i - 1, j - 1) + phi(i, j)) {
      letters += 'M', --i, --j;
    } else if (i > 1 && cost == upto(i - 1, j) + distance(a.values[i - 1], a.values[i - 2]) +
                                    (a.times[i - 1] - a.times[i - 2]) + penalty) {
      letters += 'A', --i;
    } else {
      letters += 'B', --j;
    }
  }
  letters += 'M';
  return {letters.rbegin(), letters.rend()};
}

/// The table with an infinite cost where the stamps, times the stiffness, are more than the window apart;
/// -1 where no path exists.
template <class Cost, class Distance>
Cost twed_in_window(const Sequence<Cost>& a, const Sequence<Cost>& b, Cost penalty, Distance distance, Cost window) {
  const std::size_t n = a.times.size(), m = b.times.size();
  const Cost infinite = Cost{1'000'000'000'000'000};
  std::vector<std::vector<Cost>> table(n, std::vector<Cost>(m, infinite));
  const auto phi = [&](std::size_t i, std::size_t j) {
    return distance(a.values[i], b.values[j]) + magnitude(a.times[i] - b.times[j]);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      if (magnitude(a.times[i] - b.times[j]) > window) continue;
      Cost best = i == 0 && j == 0 ? phi(0, 0) : infinite;
      if (i > 0 && j > 0) best = std::min(best, table[i - 1][j - 1] + phi(i - 1, j - 1) + phi(i, j));
      if (i > 0)
        best = std::min(
            best, table[i - 1][j] + distance(a.values[i], a.values[i - 1]) + a.times[i] - a.times[i - 1] + penalty);
      if (j > 0)
        best = std::min(
            best, table[i][j - 1] + distance(b.values[j], b.values[j - 1]) + b.times[j] - b.times[j - 1] + penalty);
      table[i][j] = std::min(best, infinite);
    }
  return table[n - 1][m - 1] == infinite ? Cost{-1} : table[n - 1][m - 1];
}

/// The table with a zero sample in front, a border of plain changes of value, and nothing matched with the zero sample.
template <class Cost, class Distance>
Cost twed_with_legacy_border(Sequence<Cost> a, Sequence<Cost> b, Cost penalty, Distance distance) {
  for (auto* s : {&a, &b}) {
    s->values.insert(s->values.begin(), std::vector<Cost>(s->values[0].size(), Cost{0}));
    s->times.insert(s->times.begin(), Cost{0});
  }
  const std::size_t n = a.times.size(), m = b.times.size();
  std::vector<std::vector<Cost>> table(n, std::vector<Cost>(m, Cost{0}));
  const auto phi = [&](std::size_t i, std::size_t j) {
    return i == 0 || j == 0 ? Cost{0} : distance(a.values[i], b.values[j]) + magnitude(a.times[i] - b.times[j]);
  };
  const auto change = [&](const Sequence<Cost>& s, std::size_t k) { return distance(s.values[k], s.values[k - 1]); };
  for (std::size_t i = 1; i < n; ++i) table[i][0] = table[i - 1][0] + change(a, i);
  for (std::size_t j = 1; j < m; ++j) table[0][j] = table[0][j - 1] + change(b, j);
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < m; ++j)
      table[i][j] = std::min({table[i - 1][j - 1] + phi(i - 1, j - 1) + phi(i, j),
                              table[i - 1][j] + change(a, i) + (a.times[i] - a.times[i - 1]) + penalty,
                              table[i][j - 1] + change(b, j) + (b.times[j] - b.times[j - 1]) + penalty});
  return table[n - 1][m - 1];
}

using Random = std::mt19937;

/// An integer in [low, high]; the same on every platform.
inline int uniform(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

/// A small irregular series on a grid of eighths, with negative values and stamps.
struct Eighths {
  std::vector<int> times;
  std::vector<int> values;  // sample after sample
  std::size_t channels;

  [[nodiscard]] fidelity::Series<double, double> series() const {
    std::vector<double> t, x;
    for (const int k : times) t.push_back(k / 8.0);
    for (const int k : values) x.push_back(k / 8.0);
    return {std::move(t), std::move(x), {.channel_names = std::vector<std::string>(channels, std::string("x"))}};
  }
  /// Everything in units of 1/64; stiffness_eighths is 8 times the stiffness.
  template <class Cost>
  [[nodiscard]] Sequence<Cost> sequence(int stiffness_eighths) const {
    Sequence<Cost> out;
    for (const int k : times) out.times.push_back(static_cast<Cost>(k) * static_cast<Cost>(stiffness_eighths));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % channels == 0) out.values.emplace_back();
      out.values.back().push_back(static_cast<Cost>(values[i]) * 8);
    }
    return out;
  }
};

inline Eighths random_series(Random& random, std::size_t length, std::size_t channels) {
  Eighths out{{}, {}, channels};
  int t = uniform(random, -20, 20);
  for (std::size_t i = 0; i < length; ++i) {
    out.times.push_back(t);
    t += uniform(random, 1, 12);
    for (std::size_t c = 0; c < channels; ++c) out.values.push_back(uniform(random, -24, 24));
  }
  return out;
}

/// An irregular series whose numbers are not dyadic, so that another order of operations shows in the last bit.
inline fidelity::Series<double, double> rough_series(Random& random, std::size_t length, std::size_t channels) {
  std::vector<double> times, values;
  double t = uniform(random, -50, 50) / 7.0;
  for (std::size_t i = 0; i < length; ++i) {
    times.push_back(t += uniform(random, 1, 40) / 11.0);
    for (std::size_t c = 0; c < channels; ++c) values.push_back(uniform(random, -999, 999) / 13.0);
  }
  return {std::move(times), std::move(values), {.channel_names = std::vector<std::string>(channels, std::string("x"))}};
}

}  // namespace oracle
