// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fidelity/detail/require.hpp>
#include <fidelity/io/detail/number.hpp>
#include <fidelity/io/detail/records.hpp>
#include <fidelity/io/load_report.hpp>

namespace fidelity::detail::io {

/// How the first rows of a file divide with one delimiter.
struct DelimiterTrial {
  char delimiter = ',';
  std::size_t header = 0;                ///< fields in the names row
  std::size_t rows = 0;                  ///< data rows looked at
  std::size_t equal = 0;                 ///< of these, rows with as many fields as the names row
  std::size_t most = 0;                  ///< fields of the widest row
  bool only_in_numbers = true;           ///< every comma of the data rows stands inside a number
  std::optional<ParseError> error = {};  ///< where the quotes went wrong; rows before it count
};

/// Fields without an empty last one (a delimiter at the line end, F12).
inline std::size_t fields_without_tail(const std::vector<Field>& fields) {
  return fields.size() - (!fields.empty() && fields.back().text.empty() && !fields.back().quoted ? 1 : 0);
}

inline DelimiterTrial try_delimiter(std::string_view bytes, const std::string& name, RecordSigns signs, char delimiter,
                                    const Records& header_at, const Records& data_at, std::size_t data_row) {
  constexpr std::size_t most_rows = 20;
  DelimiterTrial trial{.delimiter = delimiter};
  signs.delimiter = delimiter;
  try {
    Records header(bytes, name, signs, header_at.position(), header_at.next_line());
    if (!header.next_with_comments()) return trial;
    const std::size_t tail = fields_without_tail(header.fields());
    trial.header = trial.most = header.fields().size();
    Records records = header_at.position() == data_at.position()
                          ? header
                          : Records(bytes, name, signs, data_at.position(), data_at.next_line());
    records.skip_to_line(data_row);
    while (trial.rows < most_rows && records.next()) {
      if (records.is_empty()) continue;
      const auto& fields = records.fields();
      ++trial.rows;
      trial.most = std::max(trial.most, fields.size());
      if (fields.size() == trial.header || fields_without_tail(fields) == tail) ++trial.equal;
      for (const Field& field : fields) {
        double number = 0;
        if (field.text.find(',') == std::string_view::npos || field.quoted) continue;
        if (!parse_digits(field.text, {',', {}}, number) && !possible_thousands(field.text, ',') &&
            !possible_thousands(field.text, '.'))
          trial.only_in_numbers = false;
      }
    }
  } catch (const ParseError& error) {
    trial.error = error;
  }
  return trial;
}

/// The delimiter that divides the names row and the first data rows into the same number of fields (F8). Throws
/// ParseError if none does or several do; commas inside numbers do not count.
inline char detect_delimiter(std::string_view bytes, const std::string& name, const RecordSigns& signs,
                             const Records& header_at, const Records& data_at, std::size_t data_row) {
  std::vector<DelimiterTrial> trials;
  for (const char c : {';', '\t', '|', ','})
    trials.push_back(try_delimiter(bytes, name, signs, c, header_at, data_at, data_row));
  std::vector<DelimiterTrial> fits;
  const auto keep = [&](auto condition) {
    if (fits.empty()) std::copy_if(trials.begin(), trials.end(), std::back_inserter(fits), condition);
  };
  keep([](const DelimiterTrial& t) { return t.header > 1 && t.equal == t.rows && !t.error; });
  keep([](const DelimiterTrial& t) { return t.header > 1 && 2 * t.equal >= t.rows && !t.error; });  // a bad row
  keep([](const DelimiterTrial& t) { return t.header > 1 && t.equal == t.rows; });                  // a bad quote
  if (fits.size() > 1 && fits.back().delimiter == ',' && fits.front().only_in_numbers) fits.pop_back();
  if (fits.size() == 1) return fits.front().delimiter;
  if (fits.empty() && std::all_of(trials.begin(), trials.end(), [](const auto& t) { return t.most <= 1; })) return ',';
  for (const DelimiterTrial& trial : trials)
    if (fits.empty() && trial.error) throw *trial.error;
  const std::size_t line_end = std::min(bytes.find('\n', header_at.position()), bytes.size());
  const std::string_view line = bytes.substr(header_at.position(), line_end - header_at.position());
  throw ParseError(name, header_at.next_line(), 1,
                   fits.empty() ? "no delimiter gives this row and the data rows the same number of fields: the "
                                  "options delimiter, names_row and comment decide"
                                : "several delimiters give this row and the data rows the same number of fields: the "
                                  "option delimiter decides",
                   excerpt(line));
}

}  // namespace fidelity::detail::io
