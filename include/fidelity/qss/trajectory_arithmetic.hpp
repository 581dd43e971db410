// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fidelity/detail/require.hpp>
#include <fidelity/qss/detail/trajectory_access.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/detail/polynomial.hpp>

namespace fidelity {

namespace detail {

/// A trajectory on the common part of two domains with the knots of both: f(a, b) makes the coefficients.
template <class Scalar, TimePoint Time, class F>
Trajectory<Scalar, Time> combined(std::string_view function, const Trajectory<Scalar, Time>& a,
                                  const Trajectory<Scalar, Time>& b, std::size_t order, F&& f) {
  using Data = TrajectoryData<Scalar, Time>;
  const Data &first = TrajectoryAccess::data(a), &second = TrajectoryAccess::data(b);
  const Time begin = std::max(first.knots.front(), second.knots.front());
  auto data = std::make_shared<Data>();
  data->order = order;
  if (first.end || second.end)
    data->end = std::min(first.end.value_or(time_limit<Time>()), second.end.value_or(time_limit<Time>()));
  if (data->end && *data->end < begin)
    fail(function, Rule::window_outside,
         concat("the two trajectories have no time in common: one begins at ", to_text(begin), ", the other ends at ",
                to_text(*data->end)));
  std::size_t i = *a.segment_at(begin), j = *b.segment_at(begin);
  const auto at = [&](const Data& d, std::size_t place, Time t) {
    Coefficients c{};
    for (std::size_t k = 0; k <= d.order; ++k) c[k] = static_cast<double>(d.row(place)[k]);
    return t == d.knots[place] ? c : shifted(c, d.order, seconds(t - d.knots[place]));
  };
  for (Time t = begin;;) {
    const Coefficients c = f(at(first, i, t), at(second, j, t));
    std::array<Scalar, 8> row{};
    for (std::size_t k = 0; k <= order; ++k) row[k] = static_cast<Scalar>(c[k]);
    data->append(t, row.data(), EventKind::internal);
    const bool more_first = i + 1 < first.knots.size(), more_second = j + 1 < second.knots.size();
    if (!more_first && !more_second) break;
    t = std::min(more_first ? first.knots[i + 1] : time_limit<Time>(),
                 more_second ? second.knots[j + 1] : time_limit<Time>());
    if (data->end && t > *data->end) break;
    if (more_first && first.knots[i + 1] == t) ++i;
    if (more_second && second.knots[j + 1] == t) ++j;
  }
  return TrajectoryAccess::make(function, std::move(data));
}

/// f(c, k) in place of each coefficient k, also in what external events replaced.
template <class Scalar, TimePoint Time, class F>
Trajectory<Scalar, Time> each_coefficient(std::string_view function, const Trajectory<Scalar, Time>& a, F&& f) {
  auto data = TrajectoryAccess::copy(a);
  for (std::size_t i = 0; i < data->rows.size(); ++i)
    data->rows[i] = static_cast<Scalar>(f(static_cast<double>(data->rows[i]), i % (data->order + 1)));
  for (auto& [knot, value] : data->replaced) value = static_cast<Scalar>(f(static_cast<double>(value), 0));
  return TrajectoryAccess::make(function, std::move(data));
}

inline void require_finite(std::string_view function, double x) {
  if (!is_finite(x)) fail(function, Rule::bad_parameter, "the number must be finite", {.value = x});
}

}  // namespace detail

/// Sum, difference and product on the common part of the two domains, over the knots of both. The polynomials are exact
/// but for rounding; the order of a product is the sum of the orders. All knots count as internal events. Throw
/// InputError where the domains have no instant in common and for a product of order above 7.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator+(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b) {
  return detail::combined("operator+", a, b, std::max(a.order(), b.order()),
                          [](detail::Coefficients x, const detail::Coefficients& y) {
                            for (std::size_t k = 0; k < x.size(); ++k) x[k] += y[k];
                            return x;
                          });
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator-(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b) {
  return detail::combined("operator-", a, b, std::max(a.order(), b.order()),
                          [](detail::Coefficients x, const detail::Coefficients& y) {
                            for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
                            return x;
                          });
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator*(const Trajectory<Scalar, Time>& a, const Trajectory<Scalar, Time>& b) {
  const std::size_t order = a.order() + b.order();
  if (order > TaylorEvent<Scalar, Time>::max_order)
    detail::fail("operator*", Rule::bad_parameter,
                 detail::concat("the product of orders ", a.order(), " and ", b.order(), " is above order 7"));
  return detail::combined("operator*", a, b, order, [&](const detail::Coefficients& x, const detail::Coefficients& y) {
    detail::Coefficients product{};
    for (std::size_t j = 0; j <= a.order(); ++j)
      for (std::size_t k = 0; k <= b.order(); ++k) product[j + k] += x[j] * y[k];
    return product;
  });
}

/// A factor on the value.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator*(const Trajectory<Scalar, Time>& a, double factor) {
  detail::require_finite("operator*", factor);
  return detail::each_coefficient("operator*", a, [&](double c, std::size_t) { return c * factor; });
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator*(double factor, const Trajectory<Scalar, Time>& a) {
  return a * factor;
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator-(const Trajectory<Scalar, Time>& a) {
  return a * -1.0;
}
/// A number added to the value.
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator+(const Trajectory<Scalar, Time>& a, double offset) {
  detail::require_finite("operator+", offset);
  return detail::each_coefficient("operator+", a, [&](double c, std::size_t k) { return k == 0 ? c + offset : c; });
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator+(double offset, const Trajectory<Scalar, Time>& a) {
  return a + offset;
}

template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator-(const Trajectory<Scalar, Time>& a, double offset) {
  return a + -offset;
}
template <class Scalar, TimePoint Time>
[[nodiscard]] Trajectory<Scalar, Time> operator-(double offset, const Trajectory<Scalar, Time>& a) {
  return -a + offset;
}

}  // namespace fidelity
