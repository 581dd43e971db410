// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/first_exit.hpp>
#include <fidelity/qss/detail/reads.hpp>
#include <fidelity/qss/jet.hpp>
#include <fidelity/qss/qss_options.hpp>
#include <fidelity/series/detail/polynomial.hpp>

namespace fidelity::detail {

/// p(e + shift) for few coefficients, without a loop that g++ -O2 would keep.
template <std::size_t Size>
std::array<double, Size> advanced(std::array<double, Size> c, double shift) {
  static_assert(Size <= 4);
  if constexpr (Size == 2) c[0] += shift * c[1];
  if constexpr (Size == 3) {
    c[0] += shift * (c[1] + shift * c[2]);
    c[1] += 2 * shift * c[2];
  }
  if constexpr (Size == 4) {
    c[0] += shift * (c[1] + shift * (c[2] + shift * c[3]));
    c[1] += shift * (2 * c[2] + 3 * shift * c[3]);
    c[2] += 3 * shift * c[3];
  }
  return c;
}

/// One state: x and q, each with the time that its coefficients belong to. Times are seconds since the start.
template <std::size_t Order>
struct QuantisedState {
  std::array<double, Order + 1> x{};
  std::array<double, Order> q{};
  double x_time = 0, q_time = 0;
  double quantum = 0;
  double fired = 0;              ///< last internal event
  double centre = 0, width = 0;  ///< liqss: q stays while |q - x - centre| <= width
  bool reads_itself = false;
  bool curved = false;  ///< its derivative has been seen to go on beyond the order
};

/// The input pieces of a run and where it stands in each.
class InputCursor {
 public:
  InputCursor(const std::vector<QssInput>& inputs, double start) : inputs_(&inputs), start_(start) {
    for (const auto& input : inputs) {
      std::size_t at = 0;
      while (at + 1 < input.pieces().size() && input.pieces()[at + 1].window.begin <= start) ++at;
      place_.push_back(at);
      for (const auto& piece : input.pieces())
        if (piece.degree > highest_degree_) highest_degree_ = piece.degree;
    }
  }
  [[nodiscard]] std::size_t count() const { return place_.size(); }
  [[nodiscard]] std::size_t highest_degree() const { return highest_degree_; }

  /// The next knot of input k, or never.
  [[nodiscard]] double next(std::size_t k) const {
    const auto& pieces = (*inputs_)[k].pieces();
    return place_[k] + 1 < pieces.size() ? pieces[place_[k] + 1].window.begin - start_ : never;
  }
  [[nodiscard]] double next() const {
    double t = never;
    for (std::size_t k = 0; k < count(); ++k) t = std::min(t, next(k));
    return t;
  }
  void pass(std::size_t k) { ++place_[k]; }

  template <std::size_t Size>
  [[nodiscard]] Jet<Size> value(std::size_t k, double t) const {
    const auto& piece = (*inputs_)[k].pieces()[place_[k]];
    const Coefficients c = shifted(piece.coefficients, piece.degree, t + (start_ - piece.origin));
    return Jet<Size>::each([&](std::size_t order) { return c[order]; });
  }

 private:
  const std::vector<QssInput>* inputs_;
  double start_;
  std::vector<std::size_t> place_;
  std::size_t highest_degree_ = 0;
};

/// What a system sees at one instant, as jets of Size >= Order coefficients.
template <std::size_t Order, std::size_t Size>
class SystemView {
 public:
  SystemView(std::span<const QuantisedState<Order>> states, const InputCursor& inputs, Reads& reads, double start,
             double t)
      : states_(states), inputs_(&inputs), reads_(&reads), start_(start), t_(t) {}

  /// State j. Throws InputError if there is none.
  [[nodiscard]] Jet<Size> operator[](std::size_t j) const {
    require("state", j, states_.size());
    reads_->read(j);
    const auto& state = states_[j];
    const auto q = advanced(state.q, t_ - state.q_time);
    if constexpr (Size == Order) {
      Jet<Size> jet;
      jet.c = q;
      return jet;
    } else {
      return Jet<Size>::each([&](std::size_t k) { return k < Order ? q[k] : 0.0; });
    }
  }
  /// Input k of the options. Throws InputError if there is none.
  [[nodiscard]] Jet<Size> input(std::size_t k) const {
    require("input", k, inputs_->count());
    reads_->read(states_.size() + k);
    return inputs_->template value<Size>(k, t_);
  }
  /// Seconds, as in the options (not since the start).
  [[nodiscard]] Jet<Size> time() const {
    reads_->read(states_.size() + inputs_->count());
    return Jet<Size>{start_ + t_, 1.0};
  }
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  static void require(std::string_view what, std::size_t index, std::size_t count) {
    if (index >= count)
      fail("simulate", Rule::index_out_of_range,
           concat("the system reads ", what, " ", index, count == 1 ? ", there is " : ", there are ", count),
           {.index = index});
  }
  std::span<const QuantisedState<Order>> states_;
  const InputCursor* inputs_;
  Reads* reads_;
  double start_, t_;
};

}  // namespace fidelity::detail
