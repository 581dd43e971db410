// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/layout.hpp>
#include <fidelity/io/detail/records.hpp>

namespace fidelity::detail::io {

/// Says that text k of filter i does not occur, and which texts do. `rows` stand before the first data row.
[[noreturn]] inline void refuse_filter(Records rows, const Layout& layout, std::size_t i, std::size_t k,
                                       const std::string& name) {
  constexpr std::size_t most = 30;
  const Layout::Filter& filter = layout.filters[i];
  std::vector<std::string> known;
  while (known.size() <= most && rows.next()) {
    if (rows.is_empty() || rows.fields().size() <= filter.column) continue;
    const std::string_view text = rows.fields()[filter.column].text;
    if (std::find(known.begin(), known.end(), text) == known.end()) known.emplace_back(text);
  }
  std::string list;
  for (std::size_t j = 0; j < std::min(known.size(), most); ++j)
    list += concat(j == 0 ? "'" : ", '", excerpt(known[j]), "'");
  if (known.size() > most) list += " and more";
  fail("read_csv", Rule::unknown_name,
       concat("where: '", filter.texts[k], "' does not occur in column '", layout.label(filter.column), "' of '", name,
              "', which holds ", list),
       {.collection = "where", .name = filter.texts[k]});
}

}  // namespace fidelity::detail::io
