// SPDX-License-Identifier: MIT
// What a fuzzer gives to the readers, and what must be true of the answer: a result that survives a round trip, or an
// error that says why. The first bytes choose options. Anything else throws std::logic_error or crashes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fidelity/io/csv.hpp>
#include <fidelity/io/mat4.hpp>
#include <fidelity/io/timestamp.hpp>

namespace fuzz {
namespace fd = fidelity;

inline void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

/// Runs `call`; errors of the file and of the call are answers.
template <class Call>
void expect_answer(Call&& call) {
  try {
    call();
  } catch (const fd::ParseError& error) {
    require(error.line > 0 && error.column > 0 && !error.reason.empty(), "an error without a place or a reason");
  } catch (const fd::InputError&) {
  } catch (const fd::Overflow&) {
  }
}

/// Takes bytes off the front, one for each choice; zeros once there are none.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  unsigned pick(unsigned count) {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % count;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

inline const fd::Zone& zone() {
  static const fd::Zone zone = fd::Zone::posix("CET-1CEST,M3.5.0,M10.5.0/3");
  return zone;
}

template <class Time>
fd::CsvOptions<Time> csv_options(Choices& choices) {
  fd::CsvOptions<Time> options;
  if (const unsigned k = choices.pick(8); k > 0 && k < 5) options.delimiter = ",;\t|"[k - 1];
  if (const unsigned k = choices.pick(5); k == 1 || k == 2) options.decimal = ".,"[k - 1];
  if (const unsigned k = choices.pick(8); k > 0 && k < 5) options.thousands = ".,' "[k - 1];
  if (choices.pick(2) == 1) options.comment = "#";
  if (const unsigned k = choices.pick(8); k > 0) {
    if (k == 1) options.names_row = fd::NamesRow::none;
    if (k == 2) options.names_row = fd::NamesRow::last_comment;
    if (k == 3) options.names_row = 2;
    if (k == 4) options.units_row = 2;
    if (k == 5) options.first_data_row = 3;
  }
  if (choices.pick(2) == 1) options.bad_rows = fd::BadRows::skip;
  if (const unsigned k = choices.pick(12); k > 0 && k < 10) options.time_unit = static_cast<fd::TimeUnit>(k - 1);
  if (const unsigned k = choices.pick(6); k > 0) {
    if (k == 1) options.time_columns = {1, 2};
    if (k == 2) options.time_columns = {2};
    if (k == 3) options.channels = {2};
    if (k == 4) options.quality_column = 2;
    if (k == 4) options.quality_map = fd::opc_quality();
  }
  if (const unsigned k = choices.pick(4); k > 0) options.label = static_cast<fd::Label>(k - 1);
  options.duplicates = static_cast<fd::Duplicates>(choices.pick(5));
  if (choices.pick(2) == 1) options.bad = fd::BadSamples::hold_over;
  if (choices.pick(2) == 1) options.suspect = fd::Suspect::use;
  if (choices.pick(2) == 1) options.interpolation = fd::Interpolation::hold;
  if (const unsigned k = choices.pick(4); k > 0) {
    options.zone = zone();
    options.zone_mode = static_cast<fd::ZoneMode>(k);
  }
  if (choices.pick(2) == 1) {
    if constexpr (std::same_as<Time, double>)
      options.max_gap = 1.5;
    else
      options.max_gap = std::chrono::minutes{90};
  }
  return options;
}

template <class Time>
void require_round_trip(const fd::Series<double, Time>& series) {
  std::ostringstream stream;
  fd::write_csv(stream, series);
  const std::string bytes = stream.str();
  const auto copy = fd::read_csv<Time>(fd::CsvText{bytes, "copy"}, {.duplicates = fd::Duplicates::event}).series;
  require(copy.size() == series.size() && copy.channels() == series.channels(), "the copy has another size");
  for (std::size_t i = 0; i < series.size(); ++i) {
    require(copy.time(i) == series.time(i), "the copy has another time");
    for (std::size_t c = 0; c < series.channels(); ++c)
      require(fd::detail::is_nan(series(i, c))
                  ? fd::detail::is_nan(copy(i, c))
                  : std::bit_cast<std::uint64_t>(copy(i, c)) == std::bit_cast<std::uint64_t>(series(i, c)),
              "the copy has another value");
  }
}

template <class Time>
void csv_as(Choices choices) {
  expect_answer([&] {
    const bool groups = choices.pick(8) == 7;
    fd::CsvOptions<Time> options = csv_options<Time>(choices);
    const fd::CsvText text{choices.rest(), "fuzz.csv"};
    if (groups) {
      options.group_by = {2};
      for (const auto& group : fd::read_csv_groups<Time>(text, options).groups) require_round_trip(group.series);
    } else {
      require_round_trip(fd::read_csv<Time>(text, options).series);
    }
  });
}

inline void csv(std::string_view bytes) {
  Choices choices(bytes);
  if (choices.pick(2) == 0) {
    csv_as<fd::Timestamp>(choices);
  } else {
    csv_as<double>(choices);
  }
}

inline void stamp(std::string_view bytes) {
  Choices choices(bytes);
  const unsigned kind = choices.pick(16);
  expect_answer([&] {
    if (kind == 14) {
      (void)fd::Zone::file(fd::CsvText{choices.rest(), "zone"});
      return;
    }
    if (kind == 15) {
      (void)fd::Zone::posix(choices.rest());
      return;
    }
    fd::TimeFormat<> format;
    const char* const patterns[] = {"%d.%m.%Y %H:%M:%S", "%m/%d/%y %I:%M %p", "%Y%m%d%H%M%S%f", "%Y-%m-%dT%H:%M%z"};
    if (kind >= 1 && kind <= 4) format.pattern = patterns[kind - 1];
    if (kind >= 5 && kind <= 13) format.unit = static_cast<fd::TimeUnit>(kind - 5);
    const std::string_view text = choices.rest();
    const fd::Timestamp time = fd::parse_time(text, format);
    require(fd::parse_time(fd::to_text(time)) == time, "the stamp does not survive a round trip");
    format.zone = zone();
    format.zone_mode = fd::ZoneMode::later;
    (void)fd::parse_time(text, format);
  });
  expect_answer([&] { (void)fd::parse_time<double>(choices.rest()); });
}

inline void mat4(std::string_view bytes) {
  expect_answer([&] {
    const fd::Mat4File file = fd::read_mat4(fd::CsvText{bytes, "fuzz.mat"});
    std::size_t left = 20;
    for (const fd::Mat4Variable& variable : file.variables()) {
      if (left-- == 0) break;
      expect_answer([&] {
        if (variable.is_constant()) {
          (void)file.constant(variable.name);
        } else {
          require(file.series(variable.name).size() > 0, "an empty series");
        }
      });
    }
  });
}

}  // namespace fuzz
