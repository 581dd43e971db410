// SPDX-License-Identifier: MIT
// Many values of a trajectory at once. The operations of every value are those of horner(), so the bits are the same.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include <fidelity/qss/detail/trajectory_data.hpp>
#include <fidelity/series/segment.hpp>

namespace fidelity::detail {

/// Four elapsed times, e = stamp - origin, from place i of a list of stamps or of a grid.
template <class Four>
[[gnu::always_inline]] inline void load_elapsed(std::span<const double> stamps, std::size_t i, double origin, Four& e) {
  std::memcpy(&e, stamps.data() + i, sizeof e);
  e -= origin;
}
template <class Four>
[[gnu::always_inline]] inline void load_elapsed(const Grid<double>& grid, std::size_t i, double origin, Four& e) {
  const Four number = Four{0, 1, 2, 3} + static_cast<double>(i);
  e = grid.start + number * grid.step;
  e -= origin;
}

/// Does no time stand before an earlier one? False where there is NaN, which value() refuses.
template <TimePoint Time>
bool never_falls(std::span<const Time> times) {
  std::size_t i = 0;
  bool rising = true;
  if constexpr (std::same_as<Time, double>) {
    using Two [[gnu::vector_size(16)]] = double;
    auto all = Two{} == Two{};
    for (; i + 3 <= times.size(); i += 2) {
      Two a, b;
      std::memcpy(&a, times.data() + i, sizeof a);
      std::memcpy(&b, times.data() + i + 1, sizeof b);
      all &= a <= b;
    }
    rising = all[0] != 0 && all[1] != 0;
  }
  for (; i + 1 < times.size(); ++i) rising &= times[i] <= times[i + 1];
  return rising;
}

/// The next time that the type can tell; the last one stays.
inline double just_after(double t) { return std::nextafter(t, std::numeric_limits<double>::infinity()); }
template <class Clock, class D>
std::chrono::time_point<Clock, D> just_after(std::chrono::time_point<Clock, D> t) {
  if constexpr (std::integral<typename D::rep>) {
    return t < decltype(t)::max() ? t + D{1} : t;
  } else {
    return decltype(t){D{std::nextafter(t.time_since_epoch().count(), D::max().count())}};
  }
}

/// Times that do not fall, for polynomials of one order known at compile time (8: any).
template <std::size_t Order, class Trajectory, class Scalar, TimePoint Time, class Stamps>
[[gnu::always_inline]] inline void increasing_body(const Trajectory& trajectory, const TrajectoryData<Scalar, Time>& d,
                                                   const Stamps& stamps, std::span<double> out, Side side) {
  const bool right = side == Side::right;
  const std::size_t count = out.size(), n = d.knots.size(), order = Order < 8 ? Order : d.order;
  const Time* const knots = d.knots.data();
  const auto alone = [&](std::size_t i) {
    out[i] = trajectory.value(stamps[i], side).value_or(std::numeric_limits<double>::quiet_NaN());
  };
  // Without an end nothing says that the values stay finite: the last piece is left to value().
  const Time end = d.end.value_or(knots[n - 1]);
  std::size_t i = 0, at = 0;
  for (; i < count && (right ? stamps[i] < knots[0] : stamps[i] <= knots[0]); ++i) alone(i);
  while (i < count) {
    const Time first = stamps[i];
    // The next piece is mostly the right one; a jump over many goes through the index.
    if (at + 1 < n && knots[at + 1] <= first) ++at;
    if (at + 1 < n && knots[at + 1] <= first) at = d.index.find(d.knots, first);
    if (!right && knots[at] == first) --at;
    Time until = at + 1 < n ? knots[at + 1] : end;
    if (!right || (at + 1 == n && d.end)) until = just_after(until);  // that instant belongs to the piece
    const auto inside = [&](std::size_t k) { return stamps[k] < until; };
    if (!inside(i)) break;
    const Scalar* const row = d.row(at);
    if constexpr (Order < 8 && std::same_as<Time, double>) {
      using Four [[gnu::vector_size(32)]] = double;
      Four c[Order + 1];
      for (std::size_t k = 0; k <= Order; ++k) c[k] = Four{} + static_cast<double>(row[k]);
      while (i + 8 <= count) {
        Four e, f, x = c[Order], y = c[Order];
        load_elapsed(stamps, i, knots[at], e);
        load_elapsed(stamps, i + 4, knots[at], f);
        for (std::size_t k = Order; k-- > 0;) {
          x = x * e + c[k];
          y = y * f + c[k];
        }
        // Those beyond the piece are written once more by the next one.
        std::memcpy(out.data() + i, &x, sizeof x);
        std::memcpy(out.data() + i + 4, &y, sizeof y);
        if (!inside(i + 7)) {
          std::size_t more = 0;
          for (std::size_t k = 0; k < 7; ++k) more += static_cast<std::size_t>(inside(i + k));
          i += more;
          break;
        }
        i += 8;
      }
    }
    for (; i < count && inside(i); ++i) out[i] = horner(row, order, seconds(stamps[i] - knots[at]));
  }
  for (; i < count; ++i) alone(i);
}

#if defined(__x86_64__)
/// The same with wider registers; the operations, and so the bits, do not change.
template <std::size_t Order, class Trajectory, class Scalar, TimePoint Time, class Stamps>
[[gnu::target("avx2")]] void increasing_wide(const Trajectory& trajectory, const TrajectoryData<Scalar, Time>& d,
                                             const Stamps& stamps, std::span<double> out, Side side) {
  increasing_body<Order>(trajectory, d, stamps, out, side);
}
#endif

template <std::size_t Order, class Trajectory, class Scalar, TimePoint Time, class Stamps>
void sample_increasing(const Trajectory& trajectory, const TrajectoryData<Scalar, Time>& d, const Stamps& stamps,
                       std::span<double> out, Side side) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return increasing_wide<Order>(trajectory, d, stamps, out, side);
#endif
  increasing_body<Order>(trajectory, d, stamps, out, side);
}

/// Times in any order: the searches of a block overlap.
template <std::size_t Order, class Trajectory, class Scalar, TimePoint Time>
void sample_scattered(const Trajectory& trajectory, const TrajectoryData<Scalar, Time>& d, std::span<const Time> times,
                      std::span<double> out, Side side) {
  constexpr std::size_t block = 64;
  const std::size_t order = Order < 8 ? Order : d.order;
  const Time front = d.knots.front(), back = d.knots.back();
  const std::span<const Time> knots = d.knots;
  std::size_t place[block];
  for (std::size_t from = 0; from < times.size(); from += block) {
    const std::size_t size = std::min(block, times.size() - from);
    const Time* const t = times.data() + from;
    const auto inside = [&](std::size_t j) { return front <= t[j] && t[j] < back; };
    for (std::size_t j = 0; j < size; ++j) {
      place[j] = inside(j) ? d.index.first_guess(t[j]) : 0;
      __builtin_prefetch(knots.data() + place[j]);
    }
    for (std::size_t j = 0; j < size; ++j) {
      if (inside(j)) place[j] = d.index.find_from(knots, t[j], place[j]);
      __builtin_prefetch(d.row(place[j]));
    }
    for (std::size_t j = 0; j < size; ++j) {
      const Time knot = knots[place[j]];
      out[from + j] = inside(j) && (side == Side::right || knot < t[j])
                          ? horner(d.row(place[j]), order, seconds(t[j] - knot))
                          : trajectory.value(t[j], side).value_or(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

/// Calls f with the order as a compile-time number, 8 for those above 3.
template <class F>
void with_order(std::size_t order, F&& f) {
  switch (order) {
    case 0:
      return f(std::integral_constant<std::size_t, 0>{});
    case 1:
      return f(std::integral_constant<std::size_t, 1>{});
    case 2:
      return f(std::integral_constant<std::size_t, 2>{});
    case 3:
      return f(std::integral_constant<std::size_t, 3>{});
    default:
      return f(std::integral_constant<std::size_t, 8>{});
  }
}

}  // namespace fidelity::detail
