// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <fidelity/qss/detail/trajectory_data.hpp>
#include <fidelity/series/detail/polynomial.hpp>

namespace fidelity {
template <std::floating_point Scalar, TimePoint Time>
class Trajectory;

namespace detail {

/// Makes trajectories from what they store, for functions of this room.
struct TrajectoryAccess {
  template <class Scalar, TimePoint Time>
  static const TrajectoryData<Scalar, Time>& data(const Trajectory<Scalar, Time>& t) {
    return *t.data_;
  }
  template <class Scalar, TimePoint Time>
  static Trajectory<Scalar, Time> make(std::string_view function, std::shared_ptr<TrajectoryData<Scalar, Time>> data) {
    data->finish(function);
    return Trajectory<Scalar, Time>(std::move(data));
  }
  template <class Scalar, TimePoint Time>
  static std::shared_ptr<TrajectoryData<Scalar, Time>> copy(const Trajectory<Scalar, Time>& t) {
    return std::make_shared<TrajectoryData<Scalar, Time>>(*t.data_);
  }
  /// Without events, with the same end, name and policies.
  template <class Scalar, TimePoint Time>
  static std::shared_ptr<TrajectoryData<Scalar, Time>> like(const Trajectory<Scalar, Time>& t, std::size_t order) {
    auto data = std::make_shared<TrajectoryData<Scalar, Time>>();
    data->order = order;
    data->end = t.data_->end;
    data->name = t.data_->name;
    data->before = t.data_->before;
    data->after = t.data_->after;
    data->reserve(t.data_->knots.size());
    return data;
  }
  /// The same knots with other coefficients: f(i, c) fills those of knot i, which are 0. The values are not those of
  /// the events, therefore all knots count as internal.
  template <class Scalar, TimePoint Time, class F>
  static Trajectory<Scalar, Time> mapped(std::string_view function, const Trajectory<Scalar, Time>& t,
                                         std::size_t order, F&& f) {
    auto data = like(t, order);
    for (std::size_t i = 0; i < t.data_->knots.size(); ++i) {
      Coefficients c{};
      f(i, c);
      std::array<Scalar, 8> row{};
      for (std::size_t k = 0; k <= order; ++k) row[k] = static_cast<Scalar>(c[k]);
      data->append(t.data_->knots[i], row.data(), EventKind::internal);
    }
    return make(function, std::move(data));
  }
};

}  // namespace detail
}  // namespace fidelity
