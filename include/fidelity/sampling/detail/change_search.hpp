// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <fidelity/sampling/detail/change_double_double.hpp>

namespace fidelity::detail {

/// A start of a last segment with all that lies before it. Objectives are kept in 32 digits and compared less that of
/// an origin, one of the starts, so that a loud stretch does not drown what comes after it.
struct StartBase {
  std::size_t index;
  DoubleDouble objective;  ///< F(index) + penalty
  double ahead = 0;        ///< the same, less that of the origin
  double cost = 0;         ///< of the last segment, from here to the present end

  [[nodiscard]] double value() const { return ahead + cost; }
  [[nodiscard]] DoubleDouble whole() const { return objective + DoubleDouble{cost, 0}; }
  /// Values that are closer than this count as equal, so that rounding does not decide a tie.
  [[nodiscard]] double tolerance(double penalty) const { return 1e-12 * (std::fabs(ahead) + cost + penalty); }
  [[nodiscard]] bool not_above(const StartBase& other, double penalty) const {
    return value() <= other.value() + tolerance(penalty) + other.tolerance(penalty);
  }
  /// Whether the origin is so far away, beside what is decided here, that rounding begins to matter.
  [[nodiscard]] bool far(double penalty) const {
    const double near = cost + penalty;
    return near > 0 && std::fabs(ahead) > 1e4 * near;
  }
};

/// Counts all objectives from that of the best start, if the origin is far.
template <class Start>
void move_origin(const Start& best, double penalty, DoubleDouble& origin, std::vector<Start>& starts) {
  if (!best.far(penalty)) return;
  origin = best.objective;
  for (Start& s : starts) s.ahead = (s.objective - origin).value();
}

/// Walks back from the end: previous[t] is the last change point of the best segmentation of the first t samples.
inline std::vector<std::size_t> walk_back(const std::vector<std::size_t>& previous) {
  std::vector<std::size_t> changes;
  for (std::size_t t = previous.back(); t > 0; t = previous[t]) changes.push_back(t);
  std::reverse(changes.begin(), changes.end());
  return changes;
}

/// Optimal partitioning with pruning (PELT: Killick, Fearnhead, Eckley 2012) for any cost with
///   (1)  C(a, c) >= C(a, b) + C(b, c),
/// exact for every smallest segment m. With F(0) = -penalty and G(s, t) = F(s) + C(s, t) + penalty,
///   F(t) = min of G(s, t) over s = 0 and m <= s <= t - m.
///
/// Pruning is deferred. If F(s) + C(s, t) > F(t), then by (1), for every end u with t + m <= u,
///   G(s, u) >= F(s) + C(s, t) + C(t, u) + penalty > F(t) + C(t, u) + penalty = G(t, u):
/// the start t is better. But only from u = t + m on is it a start at all, so s has to stay until then.
///
/// Most starts need no evaluation. Where G(s, a) is known for some a < t, (1) gives G(s, t) >= G(s, a) + C(a, t). All
/// starts evaluated at an end a share C(a, t); these anchors a are every 32nd end. A start whose bound is above the
/// best value found is not evaluated, and may be pruned by its bound.
template <class Cost>
class PrunedSearch {
 public:
  PrunedSearch(const Cost& cost, std::size_t m, double penalty)
      : cost_(cost), m_(m), penalty_(penalty), previous_(cost.size() + 1), anchor_costs_(cost.size() / spacing + 1) {}

  /// The change points; the size is at least 2 m.
  std::vector<std::size_t> run() {
    const std::size_t n = cost_.size();
    std::vector<DoubleDouble> optimum(n + 1);  // F
    starts_.push_back({{.index = 0, .objective = {}}});
    for (std::size_t t = m_; t <= n; ++t) {
      if (const std::size_t s = t - m_; s >= m_ && s <= n - m_) {
        starts_.push_back({{s, optimum[s] + DoubleDouble{penalty_, 0}}});
        starts_.back().ahead = (starts_.back().objective - origin_).value();
      }
      if (t > n - m_ && t < n) continue;
      std::erase_if(starts_, [t](const Start& s) { return s.expires <= t; });
      optimum[t] = minimise(t);
    }
    return walk_back(previous_);
  }

 private:
  static constexpr std::size_t spacing = 32, never = std::numeric_limits<std::size_t>::max();

  struct Start : StartBase {
    std::optional<std::size_t> anchor = {};  ///< an end, as multiple of the spacing,
    double anchor_cost = 0;                  ///< and C(index, end)
    std::size_t expires = never;             ///< not needed for ends from here on
    bool exact = false;                      ///< cost is C at the present end; if not, it is not above that
  };
  struct AnchorCost {
    std::size_t end = 0;
    double cost = 0;
  };

  /// F(t); sets previous_[t].
  DoubleDouble minimise(std::size_t t) {
    const Start* best = nullptr;
    const auto evaluate = [&](Start& s) {
      s.cost = cost_(s.index, t);
      s.exact = true;
      if (t % spacing == 0) s.anchor = t / spacing, s.anchor_cost = s.cost;
      if (!best || s.value() < best->value()) best = &s;
    };
    for (Start& s : starts_) s.exact = false;
    // The start that won last is a good first guess: with it most bounds suffice.
    const auto guess = std::find_if(starts_.begin(), starts_.end(), [&](const Start& s) { return s.index == last_; });
    if (guess != starts_.end()) evaluate(*guess);
    for (Start& s : starts_) {
      if (s.exact) continue;
      if (s.anchor) {
        s.cost = s.anchor_cost + anchor_cost(*s.anchor, t);
        if (best && !s.not_above(*best, penalty_)) continue;
      }
      evaluate(s);
    }
    last_ = previous_[t] = std::find_if(starts_.begin(), starts_.end(), [&](const Start& s) {
                             return s.exact && s.not_above(*best, penalty_);
                           })->index;
    for (Start& s : starts_)
      if (s.value() - penalty_ > best->value() + s.tolerance(penalty_) + best->tolerance(penalty_))
        s.expires = std::min(s.expires, t + m_);
    move_origin(*best, penalty_, origin_, starts_);
    return best->whole();
  }

  double anchor_cost(std::size_t anchor, std::size_t t) {
    AnchorCost& known = anchor_costs_[anchor];
    if (known.end != t) known = {t, cost_(anchor * spacing, t)};
    return known.cost;
  }

  const Cost& cost_;
  std::size_t m_;
  double penalty_;
  std::vector<std::size_t> previous_;
  std::vector<AnchorCost> anchor_costs_;
  std::vector<Start> starts_;  ///< ascending
  DoubleDouble origin_;
  std::size_t last_ = 0;
};

}  // namespace fidelity::detail
