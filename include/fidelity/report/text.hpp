// SPDX-License-Identifier: MIT
/// Everything that people read: comparisons, samplings, load reports.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <fidelity/io/load_report.hpp>
#include <fidelity/report/comparison_text.hpp>
#include <fidelity/report/comparisons_text.hpp>
#include <fidelity/report/detail/load_report_text.hpp>
#include <fidelity/report/sampling_text.hpp>

namespace fidelity {

/// What a reader did to a file, for people: choices, counts, and everything it skipped, changed or assumed.
[[nodiscard]] inline std::string to_text(const LoadReport& report) { return detail::load_report_text(report); }

}  // namespace fidelity

/// `fmt::print("{}", report)`.
template <>
struct fmt::formatter<fidelity::LoadReport> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const fidelity::LoadReport& report, Context& context) const {
    return fmt::formatter<std::string_view>::format(fidelity::to_text(report), context);
  }
};
