// SPDX-License-Identifier: MIT
// Definitions of what trajectory.hpp declares.
#pragma once

#include <limits>

#include <fidelity/detail/compensated_sum.hpp>
#include <fidelity/qss/detail/trajectory_sample.hpp>
#include <fidelity/qss/detail/trajectory_solve.hpp>
#include <fidelity/qss/trajectory.hpp>
#include <fidelity/series/detail/pieces.hpp>

namespace fidelity {

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::from_events(std::span<const Event> events, TrajectoryOptions<Time>&& options)
    -> std::shared_ptr<const Data> {
  std::vector<Event> sorted;
  if (options.sort) {
    sorted.assign(events.begin(), events.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const Event& a, const Event& b) { return a.time() < b.time(); });
    events = sorted;
  }
  const auto data = std::make_shared<Data>();
  for (const Event& event : events) data->order = std::max(data->order, event.order());
  if (options.order) {
    if (*options.order > Event::max_order)
      detail::fail("Trajectory", Rule::bad_parameter, "the order must be at most 7",
                   {.name = options.name, .value = static_cast<double>(*options.order)});
    data->order = std::min(data->order, *options.order);
  }
  data->name = std::move(options.name);
  data->end = options.end;
  data->before = options.before;
  data->after = options.after;
  data->reserve(events.size());
  std::optional<Time> ended;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const auto refuse = [&](std::string_view sentence, Time earlier) {
      detail::fail("Trajectory", Rule::time_not_increasing,
                   detail::concat(sentence, to_text(event.time()), " follows ", to_text(earlier)),
                   {.collection = "events", .index = i, .name = data->name});
    };
    if (i > 0 && event.time() < events[i - 1].time())
      refuse("events must come in order of time or be sorted; ", events[i - 1].time());
    if (ended && event.time() > *ended) refuse("no event may come after one of kind end; ", *ended);
    if (event.kind() == EventKind::end) ended = event.time();
    std::array<Scalar, Event::max_order + 1> row{};
    for (std::size_t k = 0; k <= data->order; ++k) row[k] = event.coefficient(k);
    data->append(event.time(), row.data(), event.kind());
  }
  if (ended) {
    if (data->end && *data->end != *ended)
      detail::fail("Trajectory", Rule::bad_parameter,
                   detail::concat("the end is given as ", to_text(*data->end), " but an event of kind end stands at ",
                                  to_text(*ended)),
                   {.name = data->name});
    data->end = ended;
  }
  data->finish("Trajectory");
  return data;
}

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::events() const -> std::vector<Event> {
  const auto& d = *data_;
  std::vector<Event> all;
  all.reserve(d.knots.size() + d.replaced.size() + 1);
  std::array<double, Event::max_order + 1> c{};
  const auto add = [&](Time t, std::size_t count, EventKind kind) {
    all.emplace_back("Trajectory::events", t, std::span<const double>(c.data(), count), kind);
  };
  for (std::size_t i = 0; i < d.knots.size(); ++i) {
    const EventKind kind = d.end == d.knots[i] ? EventKind::end : d.kinds[i];
    const auto replaced = d.replaced_at(i);
    if (kind == EventKind::external && replaced) {
      c[0] = static_cast<double>(*replaced);
      add(d.knots[i], 1, EventKind::internal);
    }
    std::copy_n(d.row(i), order() + 1, c.begin());
    add(d.knots[i], order() + 1, kind);
  }
  if (d.end && d.knots.back() < *d.end) {
    for (std::size_t k = 0; k <= order(); ++k) c[k] = *derivative(*d.end, k) / detail::falling(0, k);
    add(*d.end, order() + 1, EventKind::end);
  }
  return all;
}

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::derivative() const -> Trajectory {
  return detail::TrajectoryAccess::mapped("Trajectory::derivative", *this, order() > 0 ? order() - 1 : 0,
                                          [&](std::size_t i, detail::Coefficients& c) {
                                            for (std::size_t k = 1; k <= order(); ++k)
                                              c[k - 1] = static_cast<double>(k) * static_cast<double>(data_->row(i)[k]);
                                          });
}

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::antiderivative() const -> Trajectory {
  if (order() == Event::max_order)
    detail::fail("Trajectory::antiderivative", Rule::bad_parameter, "the integral of order 7 would be of order 8",
                 {.name = data_->name});
  detail::CompensatedSum sum;
  return detail::TrajectoryAccess::mapped(
      "Trajectory::antiderivative", *this, order() + 1, [&](std::size_t i, detail::Coefficients& c) {
        c[0] = sum.value();
        for (std::size_t k = 0; k <= order(); ++k)
          c[k + 1] = static_cast<double>(data_->row(i)[k]) / static_cast<double>(k + 1);
        if (const auto piece = segment(i); piece && piece->window.end != detail::time_limit<Time>())
          sum.add(detail::centred(*piece, piece->origin).integral());
      });
}

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::truncated(std::size_t order_limit) const -> Trajectory {
  auto result = detail::TrajectoryAccess::copy(*this);
  auto& d = *result;
  if (order_limit >= d.order) return *this;
  for (std::size_t i = 0; i < d.knots.size(); ++i)
    std::copy_n(d.rows.begin() + static_cast<std::ptrdiff_t>(i * (d.order + 1)), order_limit + 1,
                d.rows.begin() + static_cast<std::ptrdiff_t>(i * (order_limit + 1)));
  d.rows.resize(d.knots.size() * (order_limit + 1));
  d.order = order_limit;
  d.finish("Trajectory::truncated");
  return Trajectory(std::move(result));
}

namespace detail {
/// The events that are not external, replaced ones too, as knots of order 0 in `held`.
template <class Scalar, TimePoint Time>
void append_anchors(const TrajectoryData<Scalar, Time>& d, TrajectoryData<Scalar, Time>& held) {
  for (std::size_t i = 0; i < d.knots.size(); ++i) {
    if (d.kinds[i] != EventKind::external)
      held.append(d.knots[i], d.row(i), d.kinds[i]);
    else if (const auto value = d.replaced_at(i))
      held.append(d.knots[i], &*value, EventKind::internal);
  }
  if (held.knots.empty())
    fail("Trajectory::held", Rule::empty, "all events are external, there is nothing to hold", {.name = d.name});
}
}  // namespace detail

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::held() const -> Trajectory {
  auto result = detail::TrajectoryAccess::like(*this, 0);
  detail::append_anchors(*data_, *result);
  result->finish("Trajectory::held");
  return Trajectory(std::move(result));
}

template <std::floating_point Scalar, TimePoint Time>
auto Trajectory<Scalar, Time>::linear() const -> Trajectory {
  Data anchors = *detail::TrajectoryAccess::like(*this, 0);
  detail::append_anchors(*data_, anchors);
  auto result = detail::TrajectoryAccess::like(*this, 1);
  const std::size_t n = anchors.knots.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const Time t = anchors.knots[i], next = last ? anchors.end.value_or(t) : anchors.knots[i + 1];
    const double from = static_cast<double>(anchors.rows[i]);
    const double to = last ? value(next, Side::right).value_or(from) : static_cast<double>(anchors.rows[i + 1]);
    std::array<Scalar, 2> row{anchors.rows[i], 0};
    if (t < next) row[1] = static_cast<Scalar>((to - from) / seconds(next - t));
    result->append(t, row.data(), anchors.kinds[i]);
  }
  if (!result->end) result->end = result->knots.back();
  result->finish("Trajectory::linear");
  return Trajectory(std::move(result));
}

template <std::floating_point Scalar, TimePoint Time>
LevelTimes<Time> Trajectory<Scalar, Time>::solve(double level) const {
  if (!detail::is_finite(level))
    detail::fail("Trajectory::solve", Rule::bad_parameter, "the level must be finite",
                 {.name = data_->name, .value = level});
  return detail::LevelSearch<Scalar, Time>(*data_, level).run();
}

template <std::floating_point Scalar, TimePoint Time>
std::vector<Time> Trajectory<Scalar, Time>::knots_where_differ(std::string_view function, std::size_t k,
                                                               double tolerance) const {
  if (!(tolerance >= 0))
    detail::fail(function, Rule::bad_parameter, "the tolerance must be at least 0",
                 {.name = data_->name, .value = tolerance});
  const auto& d = *data_;
  std::vector<Time> found;
  for (std::size_t i = 1; i < d.knots.size(); ++i) {
    const double left = detail::horner_derivative(d.row(i - 1), d.order, k, seconds(d.knots[i] - d.knots[i - 1]));
    const double right = detail::horner_derivative(d.row(i), d.order, k, 0);
    if (std::abs(right - left) > tolerance) found.push_back(d.knots[i]);
  }
  return found;
}

template <std::floating_point Scalar, TimePoint Time>
void Trajectory<Scalar, Time>::sample(std::span<const Time> times, std::span<double> out, Side side) const {
  if (times.size() != out.size())
    detail::fail("Trajectory::sample", Rule::size_mismatch,
                 detail::concat("there are ", times.size(), " times and room for ", out.size(), " values"),
                 {.name = data_->name});
  detail::with_order(order(), [&](auto known) {
    constexpr std::size_t block = 1024;  // stays in the cache between the look at its order and the work
    for (std::size_t from = 0; from < times.size(); from += block) {
      const std::size_t size = std::min(block, times.size() - from);
      const auto part = times.subspan(from, size);
      detail::never_falls(part) ? detail::sample_increasing<known()>(*this, *data_, part, out.subspan(from, size), side)
                                : detail::sample_scattered<known()>(*this, *data_, part, out.subspan(from, size), side);
    }
  });
}

template <std::floating_point Scalar, TimePoint Time>
void Trajectory<Scalar, Time>::sample(const Grid<Time>& grid, std::span<double> out, Side side) const {
  if (grid.count != out.size())
    detail::fail("Trajectory::sample", Rule::size_mismatch,
                 detail::concat("the grid has ", grid.count, " points and there is room for ", out.size(), " values"),
                 {.name = data_->name});
  (void)detail::checked_grid("Trajectory::sample", grid.start, grid.step, grid.count);
  detail::with_order(order(), [&](auto known) { detail::sample_increasing<known()>(*this, *data_, grid, out, side); });
}

}  // namespace fidelity
