// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/sampling/detail/change_costs.hpp>
#include <fidelity/sampling/detail/change_functional.hpp>
#include <fidelity/sampling/detail/change_search.hpp>

namespace fidelity::detail {

/// Change points and what their segments cost, without penalties.
struct Segmentation {
  std::vector<std::size_t> changes;
  double cost = 0;

  [[nodiscard]] double objective(double penalty) const { return cost + penalty * static_cast<double>(changes.size()); }
};

template <class Cost>
Segmentation optimal_segmentation(const Cost& cost, std::size_t m, double penalty) {
  Segmentation result;
  if (cost.size() / 2 >= m) {
    if constexpr (requires { cost.moments(); })
      result.changes = FunctionalSearch(cost.moments(), m, penalty).run();
    else
      result.changes = PrunedSearch(cost, m, penalty).run();
  }
  CompensatedSum sum;
  std::size_t begin = 0;
  for (const std::size_t change : result.changes) sum.add(cost(std::exchange(begin, change), change));
  sum.add(cost(begin, cost.size()));
  result.cost = sum.value();
  return result;
}

/// A segmentation and the penalties for which it is optimal.
struct PathPiece {
  double low, high;
  Segmentation segmentation;
};

/// All optimal segmentations for penalties from low to high (CROPS: Haynes, Eckley, Fearnhead 2017). A segmentation
/// with k changes has the objective cost + k * penalty, a line over the penalty; the optimum is the lower envelope of
/// all lines. Where the lines of two segmentations cross, the search either finds one below both or proves that they
/// are neighbours on the envelope.
template <class Cost>
class PenaltyPath {
 public:
  PenaltyPath(const Cost& cost, std::size_t m) : cost_(cost), m_(m) {}

  std::vector<PathPiece> run(double low, double high) {
    Segmentation last = search(high);
    pieces_.clear();
    begin_ = low;
    if (low < high) between(search(low), last);
    if (pieces_.empty() || begin_ < high) pieces_.push_back({begin_, high, std::move(last)});
    return std::move(pieces_);
  }

 private:
  Segmentation search(double penalty) const { return optimal_segmentation(cost_, m_, penalty); }

  /// Appends the pieces from that of `many` up to, without, that of `few`.
  void between(Segmentation many, const Segmentation& few) {
    if (many.changes.size() <= few.changes.size()) return;
    const double extra = static_cast<double>(many.changes.size() - few.changes.size());
    const double crossing = std::max(begin_, (few.cost - many.cost) / extra);
    if (extra > 1) {
      Segmentation middle = search(crossing);
      const double objective = few.objective(crossing);
      if (middle.objective(crossing) < objective * (1 - 1e-11) && middle.changes.size() < many.changes.size() &&
          middle.changes.size() > few.changes.size()) {
        between(std::move(many), middle);
        return between(std::move(middle), few);
      }
    }
    if (crossing > begin_) pieces_.push_back({begin_, crossing, std::move(many)});
    begin_ = crossing;
  }

  const Cost& cost_;
  std::size_t m_;
  std::vector<PathPiece> pieces_;
  double begin_ = 0;
};

}  // namespace fidelity::detail
