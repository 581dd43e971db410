// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/finding.hpp>

namespace fidelity {

/// JSON with the keys in the order in which they were written.
using Json = nlohmann::ordered_json;

namespace detail {

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Names may come from files in any encoding: what is not UTF-8 is replaced.
inline void write_json_file(const std::filesystem::path& path, const Json& json) {
  write_file(path,
             [&](std::ostream& file) { file << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n'; });
}

inline Json json_of(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back({{"code", finding.code}, {"text", finding.text}});
  return list;
}

}  // namespace detail
}  // namespace fidelity
