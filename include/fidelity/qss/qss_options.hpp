// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fidelity/detail/by_name.hpp>
#include <fidelity/series/signal.hpp>

namespace fidelity {

/// The two outputs of a quantised integrator: the polynomial of the state itself, and that of its quantised form.
enum class Port { interpolator, normal };

/// The integration method: quantised states (order 1 to 3), or their linearly implicit form for stiff systems (1, 2).
enum class QssMethod { qss, liqss };

/// How the slopes of q start, and what becomes of them at an internal event. Only `fresh` protects nonlinear systems
/// from steps that are too long for what x cuts off.
enum class QssConvention {
  fresh,  ///< from the derivative, evaluated anew
  zero,   ///< 0 at the start, then those of x as they are (qss-solver): for comparison
  devs,   ///< as zero; at the start the states fire in order, and those that have not yet read as 0 (PowerDEVS)
};

/// Largest allowed distance of x and q, in unit of the state: one number for all states, or one for each.
class Quantum {
 public:
  template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (std::is_arithmetic_v<Numbers> && ...))
  Quantum(Numbers... each) : values_{static_cast<double>(each)...} {}  // NOLINT: converts on purpose
  Quantum(std::vector<double> each) : values_(std::move(each)) {}      // NOLINT: converts on purpose

  [[nodiscard]] double operator[](std::size_t state) const { return values_[values_.size() == 1 ? 0 : state]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;
};

/// An input of a system: the polynomial pieces of any Signal in seconds (a series, a trajectory), copied.
class QssInput {
 public:
  template <Signal S>
    requires(std::same_as<typename S::time_type, double>)
  QssInput(const S& signal) {  // NOLINT: converts on purpose
    for (std::size_t i = 0; i < signal.segment_count(); ++i)
      if (const auto piece = signal.segment(i); piece && piece->window.begin < piece->window.end)
        pieces_.push_back(*piece);
  }
  /// In order of time, each with a length.
  [[nodiscard]] const std::vector<Segment<double>>& pieces() const { return pieces_; }

 private:
  std::vector<Segment<double>> pieces_;
};

/// What simulate() is to do; by name only. `quantum` and `end` must be given.
struct QssOptions {
  detail::OnlyByName only_by_name = detail::OnlyByName::make();
  std::size_t order = 3;                            ///< degree of the polynomials of x: 1 to 3, for liqss 1 or 2
  Quantum quantum;                                  ///< absolute, > 0; >= 0 with a relative one
  double relative_quantum = 0;                      ///< the quantum is max(quantum, relative_quantum |x|)
  double start = 0;                                 ///< seconds
  detail::Required end;                             ///< seconds, after start
  std::optional<double> dt_max = {};                ///< longest time between two internal events of a state, seconds
  QssMethod method = QssMethod::qss;                ///< liqss for stiff systems
  QssConvention convention = QssConvention::fresh;  ///< others only for comparison with other programs; qss only
  std::vector<QssInput> inputs = {};                ///< what q.input(k) reads; must cover start to end
};

}  // namespace fidelity
