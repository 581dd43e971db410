// SPDX-License-Identifier: MIT
/// Several comparisons side by side, as JSON.
#pragma once

#include <filesystem>
#include <utility>

#include <fidelity/report/comparison_json.hpp>
#include <fidelity/report/detail/json_parts.hpp>
#include <fidelity/validation/comparisons.hpp>
#include <fidelity/version.hpp>

namespace fidelity {

/// A ranking as JSON (schema "fidelity/ranking/1"), each model with its whole comparison.
[[nodiscard]] inline Json to_json(const Ranking& ranking) {
  Json models = Json::array();
  for (const RankedModel& model : ranking.models)
    models.push_back({{"rank", model.rank},
                      {"index", model.index},
                      {"name", model.name},
                      {"comparison", to_json(model.comparison)}});
  return {{"schema", "fidelity/ranking/1"},
          {"version", version},
          {"ordered_by", ranking.by_ratio ? "ratio" : "distance"},
          {"by_interval", ranking.by_interval},
          {"models", std::move(models)}};
}

/// Several signals as JSON (schema "fidelity/signals/1"): each alone and the joint comparison.
[[nodiscard]] inline Json to_json(const SignalsComparison& result) {
  Json signals = Json::array();
  for (const SignalResult& signal : result.signals)
    signals.push_back({{"name", signal.name},
                       {"scale", signal.scale},
                       {"nominal", signal.nominal},
                       {"weight", signal.weight},
                       {"scaled_distance", signal.scaled_distance},
                       {"joint_plan_distance", signal.joint_plan_distance},
                       {"comparison", to_json(signal.comparison)}});
  return {{"schema", "fidelity/signals/1"},     {"version", version},
          {"verdict", to_text(result.verdict)}, {"reasons", detail::json_of(result.reasons)},
          {"signals", std::move(signals)},      {"joint", to_json(result.joint)}};
}

/// Several operating points as JSON (schema "fidelity/points/1"), each with its whole comparison.
[[nodiscard]] inline Json to_json(const PointsComparison& result) {
  Json points = Json::array();
  for (const PointResult& point : result.points)
    points.push_back({{"name", point.name}, {"comparison", to_json(point.comparison)}});
  return {{"schema", "fidelity/points/1"},
          {"version", version},
          {"verdict", to_text(result.verdict)},
          {"reasons", detail::json_of(result.reasons)},
          {"worst", result.worst},
          {"worst_name", result.points[result.worst].name},
          {"worst_by", result.by_ratio ? "ratio" : "distance"},
          {"points", std::move(points)}};
}

/// Written as a JSON file, which appears whole or not at all. Throws std::system_error.
inline void write_json(const std::filesystem::path& path, const Ranking& ranking) {
  detail::write_json_file(path, to_json(ranking));
}
inline void write_json(const std::filesystem::path& path, const SignalsComparison& result) {
  detail::write_json_file(path, to_json(result));
}
inline void write_json(const std::filesystem::path& path, const PointsComparison& result) {
  detail::write_json_file(path, to_json(result));
}

}  // namespace fidelity
