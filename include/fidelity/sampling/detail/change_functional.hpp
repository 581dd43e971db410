// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fidelity/sampling/detail/change_moments.hpp>
#include <fidelity/sampling/detail/change_search.hpp>

namespace fidelity::detail {

/// Functional pruning for the cost L2 (FPOP: Maidstone, Hocking, Rigaill, Fearnhead 2017), exact for every smallest
/// segment m. Seen from the end t, a segmentation whose last segment starts at s and has the level x costs
///   q(s, x) = F(s) + penalty + sum over s <= i < t of w_i (y_i - x)^2,
/// and F(t) is the minimum over x and all starts s <= t - m.
///
/// Start s is admitted when t = s + m, with all its m samples, and compared only with starts that were admitted before.
/// From then on all of them are allowed for every end, and a new sample adds the same w (y - x)^2 to each, so their
/// order at a level x never changes: where another one is lower at x, it stays lower, and s need not be kept at x. The
/// levels are divided into pieces, each with the start that is lowest there. A start without a piece is dropped: it
/// cannot become the minimum for any end. (With plain FPOP, F(t) + penalty would be compared at end t already, when t
/// is no start yet.)
class FunctionalSearch {
 public:
  FunctionalSearch(const PrefixMoments& moments, std::size_t m, double penalty)
      : moments_(moments), m_(m), penalty_(penalty), previous_(moments.size() + 1), optimum_(moments.size() + 1) {
    optimum_[0] = {-penalty, 0};
  }

  /// The change points; the size is at least 2 m.
  std::vector<std::size_t> run() {
    const std::size_t n = moments_.size();
    for (std::size_t t = m_; t <= n; ++t) {
      add_sample(t - 1);
      if (const std::size_t s = t - m_; s == 0 || s >= m_) admit(s, t);
      optimum_[t] = minimise(t);
    }
    return walk_back(previous_);
  }

 private:
  /// q(s, x) = objective + cost + weight (x - reference - mean)^2. The mean is less a value of the segment, so that
  /// its digits are not spent on the level.
  struct Start : StartBase {
    double weight = 0, reference = 0, mean = 0;
    bool kept = true;
  };
  /// From the end of the piece before to `end`, the start with this place among starts_ is lowest.
  struct Piece {
    double end;
    std::size_t owner;
  };

  void add_sample(std::size_t i) {
    const double y = moments_.value(i), w = moments_.weight_of(i);
    for (Start& s : starts_) {  // Welford 1962, West 1979
      const double before = (y - s.reference) - s.mean;
      s.weight += w;
      s.mean += w / s.weight * before;
      s.cost += w * before * ((y - s.reference) - s.mean);
    }
  }

  /// F(t); sets previous_[t].
  DoubleDouble minimise(std::size_t t) {
    const auto best = std::min_element(starts_.begin(), starts_.end(),
                                       [](const Start& a, const Start& b) { return a.value() < b.value(); });
    previous_[t] =
        std::find_if(starts_.begin(), best, [&](const Start& s) { return s.not_above(*best, penalty_); })->index;
    move_origin(*best, penalty_, origin_, starts_);
    return best->whole();
  }

  void admit(std::size_t index, std::size_t t) {
    const SegmentMoments moments = moments_(index, t);
    const double reference = moments_.value(index);
    const DoubleDouble objective = optimum_[index] + DoubleDouble{penalty_, 0};
    const Start fresh{{index, objective, (objective - origin_).value(), moments.squares},
                      moments.weight,
                      reference,
                      moments.mean - reference};
    next_.clear();
    if (starts_.empty()) next_.push_back({moments_.highest(), 0});
    double begin = moments_.lowest();
    for (const Piece& piece : pieces_) {
      const std::optional<Levels> kept = kept_levels(starts_[piece.owner], fresh);
      if (kept && kept->low <= piece.end && kept->high >= begin) {
        if (kept->low > begin) append(kept->low, starts_.size());
        append(std::min(kept->high, piece.end), piece.owner);
        if (kept->high < piece.end) append(piece.end, starts_.size());
      } else {
        append(piece.end, starts_.size());
      }
      begin = piece.end;
    }
    pieces_.swap(next_);
    starts_.push_back(fresh);
    remove_unused();
  }

  struct Levels {
    double low, high;
  };

  /// Where the old start is not above the fresh one: between the roots of a convex parabola, as the old one has more
  /// weight. The tolerance keeps a start that is equal in one point, for the sake of the tie rule.
  [[nodiscard]] std::optional<Levels> kept_levels(const Start& old, const Start& fresh) const {
    const double extra = moments_.weight(old.index, fresh.index).value();  // not a difference of rounded sums
    const double distance = (fresh.reference - old.reference) + (fresh.mean - old.mean);
    const double head_start = fresh.value() + fresh.tolerance(penalty_) + old.tolerance(penalty_) - old.value();
    const double discriminant = old.weight * fresh.weight * distance * distance + extra * head_start;
    if (discriminant < 0) return {};
    const double middle = (old.reference + old.mean) - fresh.weight * distance / extra;
    const double half = std::sqrt(discriminant) / extra;
    return Levels{middle - half, middle + half};
  }

  void append(double end, std::size_t owner) {
    if (!next_.empty() && next_.back().owner == owner)
      next_.back().end = end;
    else
      next_.push_back({end, owner});
  }

  void remove_unused() {
    for (Start& s : starts_) s.kept = false;
    for (const Piece& piece : pieces_) starts_[piece.owner].kept = true;
    places_.resize(starts_.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      places_[i] = count;
      if (starts_[i].kept) starts_[count++] = starts_[i];
    }
    starts_.resize(count);
    for (Piece& piece : pieces_) piece.owner = places_[piece.owner];
  }

  const PrefixMoments& moments_;
  std::size_t m_;
  double penalty_;
  std::vector<std::size_t> previous_;
  std::vector<DoubleDouble> optimum_;  ///< F
  DoubleDouble origin_;
  std::vector<Start> starts_;  ///< ascending
  std::vector<Piece> pieces_, next_;
  std::vector<std::size_t> places_;
};

}  // namespace fidelity::detail
