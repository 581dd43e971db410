// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fidelity/sampling/detail/logic_scope.hpp>
#include <fidelity/sampling/detail/logic_stretches.hpp>

namespace fidelity::detail {

/// Walks through the pieces of a signal, as far as they may be used.
template <class S>
class PieceCursor {
 public:
  using Time = typename S::time_type;

  PieceCursor(const S& signal, const Places& places) : signal_(signal), places_(places), i_(places.first) { load(); }

  [[nodiscard]] bool done() const { return !piece_; }
  [[nodiscard]] const Segment<Time>& piece() const { return *piece_; }
  void next() {
    ++i_;
    load();
  }

  /// Value at the begin of a stretch inside the piece, or the limit at the end of it; samples exactly.
  [[nodiscard]] double value(Time t) const {
    if constexpr (SampledSignal<S>)
      if (piece_->degree > 0 && t == piece_->window.end) return static_cast<double>(signal_(i_ + 1));
    return (*piece_)(t);
  }

 private:
  void load() {
    for (piece_.reset(); i_ < places_.end; ++i_) {
      piece_ = signal_.segment(i_);
      if constexpr (SampledSignal<S>) {
        if (piece_ && i_ + 1 >= places_.samples) {
          if (signal_.interpolation() == Interpolation::hold) {
            piece_->window.end = held_until(signal_, i_, places_.samples);
          } else {
            piece_.reset();
          }
        }
      }
      if (piece_) return;
    }
  }

  const S& signal_;
  Places places_;
  std::size_t i_;
  std::optional<Segment<Time>> piece_;
};

/// Stretches of a - b while both pieces last.
template <class A, class B, class F>
void difference_stretches(const PieceCursor<A>& a, const PieceCursor<B>& b, const Window<typename A::time_type>& common,
                          const ConditionLevels& levels, F&& f) {
  const std::size_t degree = std::max(a.piece().degree, b.piece().degree);
  if (degree > 1) {
    Segment<typename A::time_type> difference{common, common.begin, {}, degree};
    const auto& p = a.piece();
    const auto& q = b.piece();
    const Coefficients from_a = shifted(p.coefficients, p.degree, p.seconds_to(common.begin));
    const Coefficients from_b = shifted(q.coefficients, q.degree, q.seconds_to(common.begin));
    for (std::size_t k = 0; k <= degree; ++k) difference.coefficients[k] = from_a[k] - from_b[k];
    polynomial_stretches(difference, levels, f);
    return;
  }
  const double y0 = a.value(common.begin) - b.value(common.begin);
  const double y1 = degree == 0 ? y0 : a.value(common.end) - b.value(common.end);
  if (!is_finite(y0) || !is_finite(y1))
    throw Overflow("fidelity::check_difference: the difference of the signals is not a finite number");
  if (y0 == y1) {
    const std::size_t region = levels.region(y0);
    f(common.begin, common.end, region, region);
  } else {
    line_stretches(common.begin, common.end, y0, y1, levels, f);
  }
}

}  // namespace fidelity::detail
