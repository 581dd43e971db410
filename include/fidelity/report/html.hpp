// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <utility>

#include <fidelity/detail/write_file.hpp>
#include <fidelity/report/detail/html_comparison.hpp>
#include <fidelity/report/detail/html_page.hpp>
#include <fidelity/report/html_options.hpp>
#include <fidelity/validation/comparison.hpp>

namespace fidelity {

/// A comparison as one self-contained page: verdict and parameters first, then criteria, all runs overlaid, the matrix
/// of distances with the transport plan, distributions, the runs to blame, flags, what is not available and why. It
/// needs no network and no script (a small one shows values under the pointer), prints, follows light or dark, fits a
/// phone. Everything comes from the comparison, so a page can be made again from its JSON.
[[nodiscard]] inline std::string to_html(const Comparison& comparison, const HtmlOptions& options = {}) {
  detail::HtmlPage page(options.title.empty() ? "Simulated against measured runs" : options.title);
  detail::HtmlComparison(comparison, page).write();
  page.files(options.files);
  return std::move(page).finish();
}

/// Writes that page, whole or not at all. Throws std::system_error, which names the file.
inline void write_html(const std::filesystem::path& path, const Comparison& comparison,
                       const HtmlOptions& options = {}) {
  const std::string page = to_html(comparison, options);
  detail::write_file(path, [&](std::ostream& file) { file << page; });
}

}  // namespace fidelity
