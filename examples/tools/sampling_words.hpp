// SPDX-License-Identifier: MIT
// What the command line of sample_process_data says: lengths of time, columns of files, conditions.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fidelity/fidelity.hpp>
#include <fidelity/io/csv.hpp>

namespace sampling {

namespace fd = fidelity;
using Length = fd::Duration<fd::Timestamp>;

/// The words of a condition; a name with blanks stands in double quotes.
inline std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t i = text.find_first_not_of(' '); i < text.size(); i = text.find_first_not_of(' ', i)) {
    const bool quoted = text[i] == '"';
    const std::size_t begin = i + (quoted ? 1 : 0);
    const std::size_t end = text.find(quoted ? '"' : ' ', begin);
    if (quoted && end == std::string_view::npos)
      throw std::invalid_argument(fmt::format("a double quote is not closed in '{}'", text));
    found.emplace_back(text.substr(begin, end - begin));
    i = std::min(end, text.size() - 1) + (quoted ? 1 : 0);
    if (!quoted && end == std::string_view::npos) break;
  }
  return found;
}

inline double number(const std::string& text, const std::string& what) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} wants a number, not '{}'", what, text));
  return value;
}

/// "90s", "15min", "1.5h", "2d", also in sequence: "1h30min".
inline Length length(const std::string& text, const std::string& what) {
  static const std::map<std::string, double> units{
      {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
  const auto refuse = [&] {
    return std::invalid_argument(
        fmt::format("{} wants a length of time such as 90s, 15min, 1h, 2d, not '{}'", what, text));
  };
  double nanoseconds = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t unit = std::min(text.find_first_not_of("0123456789.", i), text.size());
    const std::size_t end = std::min(text.find_first_of("0123456789.", unit), text.size());
    const auto factor = units.find(text.substr(unit, end - unit));
    if (unit == i || factor == units.end()) throw refuse();
    nanoseconds += number(text.substr(i, unit - i), what) * factor->second;
    i = end;
  }
  if (text.empty() || !(nanoseconds < 9e18)) throw refuse();
  return Length(static_cast<Length::rep>(nanoseconds));
}

/// "UTC" or "+01:00".
inline fd::Zone zone(const std::string& text) {
  if (text == "UTC" || text == "Z") return fd::Zone::utc();
  if (text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':') {
    const double hours = number(text.substr(1, 2), "--zone"), minutes = number(text.substr(4), "--zone");
    const auto offset = std::chrono::minutes(static_cast<int>(60 * hours + minutes));
    return fd::Zone::fixed(text[0] == '-' ? -offset : offset);
  }
  throw std::invalid_argument("--zone wants UTC or an offset such as +01:00, not '" + text + "'");
}

/// "0.5/h": a change per time.
inline fd::Rate rate(const std::string& text, const std::string& what) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw std::invalid_argument(fmt::format("{} wants a change per time such as 0.5/h, not '{}'", what, text));
  return fd::Rate{number(text.substr(0, slash), what), length("1" + text.substr(slash + 1), what)};
}

/// The signals of all files by the name of their column; where two files have a column of one name, by file:column.
class Signals {
 public:
  void add(const fd::Series<>& series) {
    for (std::size_t c = 0; c < series.channels(); ++c) {
      const auto one = fd::channel(series, c);
      const std::string column(one.name());
      names_.push_back(column);
      count_[column]++;
      signals_.insert_or_assign(column, one);
      signals_.insert_or_assign(std::string(series.name()) + ":" + column, one);
    }
    last_ = last_ ? std::max(*last_, series.span().end) : series.span().end;
  }
  [[nodiscard]] const fd::SeriesView<>& operator[](const std::string& name) const {
    const auto found = signals_.find(name);
    if (found == signals_.end()) {
      std::string known;
      for (const std::string& each : names_) known += (known.empty() ? "" : ", ") + each;
      throw std::invalid_argument(fmt::format("there is no column '{}'; the files have {}", name, known));
    }
    if (const auto many = count_.find(name); many != count_.end() && many->second > 1)
      throw std::invalid_argument(fmt::format("several files have a column '{0}'; write file:{0}, without .csv", name));
    return found->second;
  }
  /// A column keeps its value until the next sample from now on, by whichever name it is asked for.
  void hold(const std::string& name, std::optional<Length> max_gap) {
    const fd::SeriesView<> signal = (*this)[name];
    for (auto& [key, each] : signals_)
      if (each.values().data() == signal.values().data())
        each = fd::with_interpolation(signal, fd::Interpolation::hold, max_gap);
  }
  [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
  [[nodiscard]] fd::Timestamp last() const { return *last_; }

 private:
  std::map<std::string, fd::SeriesView<>> signals_;
  std::map<std::string, int> count_;
  std::vector<std::string> names_;
  std::optional<fd::Timestamp> last_;
};

/// A condition with the signal it looks at, for the picture.
struct Condition {
  fd::Validator<> validator;
  fd::SeriesView<> signal;
  std::vector<double> levels = {};
  std::optional<fd::SteadyStateOptions<>> steady = {};  ///< to mark its change points
};

/// "flow > 45", "valve = 1", "level between 2 and 3".
inline Condition logic(const std::string& text, const Signals& signals) {
  const auto w = words(text);
  const std::string form = "--logic wants 'column > 45' with > >= < <= = !=, or 'column between 2 and 3'";
  if (w.size() == 5 && w[1] == "between" && w[3] == "and") {
    const double low = number(w[2], "--logic"), high = number(w[4], "--logic");
    return {fd::logic(text, signals[w[0]], fd::Between{low, high}), signals[w[0]], {low, high}};
  }
  if (w.size() != 3) throw std::invalid_argument(form + " (a name with blanks in double quotes), not '" + text + "'");
  const auto& signal = signals[w[0]];
  const double value = number(w[2], "--logic");
  const auto made = [&](auto condition) { return Condition{fd::logic(text, signal, condition), signal, {value}}; };
  if (w[1] == ">") return made(fd::Greater{value});
  if (w[1] == ">=") return made(fd::GreaterEqual{value});
  if (w[1] == "<") return made(fd::Less{value});
  if (w[1] == "<=") return made(fd::LessEqual{value});
  if (w[1] == "=" || w[1] == "==") return made(fd::Equal{value});
  if (w[1] == "!=") return made(fd::NotEqual{value});
  throw std::invalid_argument(form + ", not '" + text + "'");
}

/// "pressure noise=0.1 slope=0.5/h min=30min step=1min jump=0.3 cost=l2"; everything after the column may be left out.
inline Condition steady(const std::string& text, const Signals& signals) {
  const auto w = words(text);
  if (w.empty()) throw std::invalid_argument("--steady wants a column");
  fd::SteadyStateOptions<> options;
  for (std::size_t i = 1; i < w.size(); ++i) {
    const std::size_t equals = std::min(w[i].find('='), w[i].size());
    const std::string key = w[i].substr(0, equals), value = w[i].substr(std::min(equals + 1, w[i].size()));
    const std::string what = "--steady " + key;
    if (key == "noise")
      options.noise_max = number(value, what);
    else if (key == "slope")
      options.slope_max = rate(value, what);
    else if (key == "min")
      options.min_duration = length(value, what);
    else if (key == "step")
      options.step = length(value, what);
    else if (key == "jump")
      options.level_jump = number(value, what);
    else if (key == "cost" && value == "l2")
      options.cost = fd::L2{};
    else if (key == "cost" && value == "normal")
      options.cost = fd::NormalMeanVariance{};
    else if (key == "cost" && value == "trend")
      options.cost = fd::LinearTrend{};
    else if (key != "cost" || value != "ed")
      throw std::invalid_argument(fmt::format(
          "--steady knows noise=, slope=, min=, step=, jump= and cost=ed, l2, normal or trend, not '{}'", w[i]));
  }
  const auto& signal = signals[w[0]];
  return {fd::steady(w[0] + " steady", signal, options), signal, {}, options};
}

/// "pressure 15 3.5 -3": the three thresholds of the public connector.
inline Condition cognite(const std::string& text, const Signals& signals) {
  const auto w = words(text);
  if (w.size() != 4)
    throw std::invalid_argument("--cognite wants 'column min_section_size var_threshold slope_threshold'");
  const double section = number(w[1], "--cognite");
  if (!(section >= 1 && section <= 1e9) || section != static_cast<double>(static_cast<std::size_t>(section)))
    throw std::invalid_argument("--cognite: min_section_size must be a whole number of at least 1");
  const fd::CogniteSteadyState options{.min_section_size = static_cast<std::size_t>(section),
                                       .var_threshold = number(w[2], "--cognite"),
                                       .slope_threshold = number(w[3], "--cognite")};
  return {fd::steady(w[0] + " steady (connector)", signals[w[0]], options), signals[w[0]]};
}

}  // namespace sampling
