// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fidelity/detail/require.hpp>

namespace fidelity::detail::io {

/// The folder with the time zone files of the system: TZDIR if it is set, else the first usual one that exists.
inline std::filesystem::path zone_folder() {
  std::error_code ignored;
  if (const char* const given = std::getenv("TZDIR"); given != nullptr && *given != '\0') {
    if (std::filesystem::is_directory(given, ignored)) return given;
    fail("Zone::named", Rule::bad_parameter, concat("TZDIR names the folder '", given, "', which does not exist"));
  }
  constexpr std::array usual{"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"};
  for (const char* const folder : usual)
    if (std::filesystem::is_directory(folder, ignored)) return folder;
  fail("Zone::named", Rule::bad_parameter,
       "this machine has no time zone files (/usr/share/zoneinfo): install the package tzdata, let TZDIR name their "
       "folder, or give the rule with Zone::posix()");
}

/// The file of a zone such as Europe/Oslo. Throws InputError if the name is none, or has no file.
inline std::filesystem::path zone_file(std::string_view name) {
  const std::filesystem::path relative{name};
  bool plain = !name.empty() && relative.is_relative() && name.find('\\') == std::string_view::npos &&
               name.find('\0') == std::string_view::npos;
  for (const auto& part : relative)  // stay inside the folder
    plain = plain && !part.empty() && part != "." && part != "..";
  if (!plain || name == "localtime" || name == "posixrules")
    fail("Zone::named", Rule::unknown_name,
         "a zone has a name such as Europe/Oslo; the zone of this machine is never used", {.name = std::string(name)});
  const std::filesystem::path folder = zone_folder();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(folder / relative, ignored))
    fail("Zone::named", Rule::unknown_name, concat("there is no zone '", name, "' in the folder ", folder.string()));
  return folder / relative;
}

}  // namespace fidelity::detail::io
