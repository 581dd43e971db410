// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/csv_options.hpp>
#include <fidelity/io/detail/dialect.hpp>
#include <fidelity/io/detail/records.hpp>

namespace fidelity::detail::io {

/// What each column is for. Columns count from 0.
struct Layout {
  struct Filter {
    std::size_t column;
    std::vector<std::string> texts;
  };
  std::size_t width = 0;
  bool spare_tail = false;  ///< every row has one more, empty field (F12)
  std::vector<std::string> names;
  std::vector<std::string> units;
  std::vector<std::size_t> time;
  std::vector<std::size_t> keys;
  std::vector<Filter> filters;
  std::vector<std::size_t> channels;
  bool channels_named = false;
  std::optional<std::size_t> quality;

  /// Fields of a row; one more where every row ends with a delimiter.
  [[nodiscard]] std::size_t row_size() const { return width + (spare_tail ? 1 : 0); }
  [[nodiscard]] bool passes_filters(const std::vector<Field>& fields) const {
    return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
      return std::find(filter.texts.begin(), filter.texts.end(), fields[filter.column].text) != filter.texts.end();
    });
  }

  /// The name as a person would find the column.
  [[nodiscard]] std::string label(std::size_t column) const {
    return names[column].empty() ? concat("column ", column + 1) : names[column];
  }

  /// The column that the caller means; InputError with all known names if there is none.
  [[nodiscard]] std::size_t find(const CsvColumn& wanted, const std::string& option) const {
    if (wanted.is_position()) {
      if (wanted.position() >= 1 && wanted.position() <= width) return wanted.position() - 1;
      fail("read_csv", Rule::index_out_of_range, concat(option, ": the columns have positions 1 to ", width),
           {.collection = option});
    }
    const auto found = std::find(names.begin(), names.end(), wanted.name());
    if (!wanted.name().empty() && found != names.end()) return static_cast<std::size_t>(found - names.begin());
    constexpr std::size_t most = 50;
    std::string known;
    for (std::size_t i = 0; i < std::min(width, most); ++i)
      known += (i == 0 ? "'" : ", '") + (names[i].empty() ? concat("(", i + 1, ")") : names[i]) + "'";
    if (width > most) known += concat(" and ", width - most, " more");
    fail("read_csv", Rule::unknown_name,
         concat(option, ": there is no column '", wanted.name(), "'; the columns are ", known),
         {.collection = option, .name = wanted.name()});
  }
};

/// Numbers of fields: what the names row and the first data row say together.
inline Layout measure(const Dialect& dialect, const std::vector<Field>& first_row) {
  Layout layout;
  layout.names = dialect.names;
  const bool tail = !first_row.empty() && first_row.back().text.empty() && !first_row.back().quoted;
  if (!dialect.names_row) {
    layout.names.resize(first_row.size());
  } else if (layout.names.size() > 1 && layout.names.back().empty() && first_row.size() + 1 == layout.names.size()) {
    layout.names.pop_back();
  } else if (first_row.size() == layout.names.size() + 1 && tail) {
    layout.spare_tail = true;
  }
  layout.width = layout.names.size();
  layout.units = dialect.units;
  layout.units.resize(layout.width);
  return layout;
}

/// Gives every column its purpose.
template <class Time>
Layout find_layout(const Dialect& dialect, const std::vector<Field>& first_row, const CsvOptions<Time>& options) {
  Layout layout = measure(dialect, first_row);
  for (const CsvColumn& column : options.group_by) layout.keys.push_back(layout.find(column, "group_by"));
  for (const CsvFilter& filter : options.where) {
    const std::size_t column = layout.find(filter.column, "where");
    auto known = std::find_if(layout.filters.begin(), layout.filters.end(),
                              [&](const Layout::Filter& f) { return f.column == column; });
    if (known == layout.filters.end()) known = layout.filters.insert(known, {column, {}});
    known->texts.push_back(filter.text);
  }
  const auto is_key = [&](std::size_t column) {
    return std::find(layout.keys.begin(), layout.keys.end(), column) != layout.keys.end() ||
           std::any_of(layout.filters.begin(), layout.filters.end(),
                       [&](const Layout::Filter& f) { return f.column == column; });
  };
  const auto is_time = [&](std::size_t column) {
    return std::find(layout.time.begin(), layout.time.end(), column) != layout.time.end();
  };
  for (const CsvColumn& column : options.time_columns) layout.time.push_back(layout.find(column, "time_columns"));
  for (std::size_t i = 0; i < layout.width && layout.time.empty(); ++i)
    if (!is_key(i)) layout.time.push_back(i);
  if (layout.time.empty())
    fail("read_csv", Rule::bad_parameter, "every column is named in group_by or where: none is left for the time");

  layout.channels_named = !options.channels.empty();
  for (const CsvColumn& column : options.channels) {
    const std::size_t index = layout.find(column, "channels");
    if (std::find(layout.channels.begin(), layout.channels.end(), index) != layout.channels.end())
      fail("read_csv", Rule::bad_parameter, concat("channels: '", layout.label(index), "' stands there twice"));
    layout.channels.push_back(index);
  }
  if (options.quality_column) layout.quality = layout.find(*options.quality_column, "quality_column");
  for (std::size_t i = 0; i < layout.width && !layout.channels_named; ++i)
    if (!is_key(i) && !is_time(i) && layout.quality != i) layout.channels.push_back(i);
  return layout;
}

}  // namespace fidelity::detail::io
