// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fidelity/errors.hpp>
#include <fidelity/io/detail/text.hpp>

namespace fidelity::detail::io {

/// One field without its quotes and the blanks around it. `begin` points into the file.
struct Field {
  std::string_view text;
  const char* begin = nullptr;
  bool quoted = false;
};

/// The signs that divide a file into records and fields.
struct RecordSigns {
  char delimiter = ',';
  char quote = '"';
  std::string comment = {};
};

/// Reads records of RFC 4180 one after the other from a text in memory (F5, F6). A record may span lines.
class Records {
 public:
  /// `position` is the start of line number `line` (or lies inside it).
  Records(std::string_view bytes, const std::string& name, RecordSigns signs, std::size_t position = 0,
          std::size_t line = 1)
      : bytes_(bytes), name_(&name), signs_(std::move(signs)), next_(bytes.data() + position), next_line_(line) {}

  /// Moves to the next record, past comment lines; false at the end of the text.
  bool next() {
    while (skip_comment()) {
    }
    if (next_ == end()) return false;
    read_record();
    return true;
  }

  /// As next(), but a comment line is a record too; its prefix is not part of it.
  bool next_with_comments() {
    if (next_ == end()) return false;
    if (at_comment()) next_ = skip_blanks(next_) + signs_.comment.size();
    read_record();
    return true;
  }

  /// Passes one comment line, if the next line is one.
  bool skip_comment() {
    if (next_ == end() || !at_comment()) return false;
    ++comments_;
    last_comment_line_ = next_line_;
    last_comment_position_ = position();
    skip_line();
    return true;
  }

  /// Moves to the start of a line; false if the text ends before it.
  bool skip_to_line(std::size_t line) {
    while (next_line_ < line && next_ != end()) skip_line();
    return next_ != end();
  }

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  /// Line of the first character of the record.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Where the next record begins.
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(next_ - bytes_.data()); }
  [[nodiscard]] std::size_t next_line() const { return next_line_; }
  [[nodiscard]] std::size_t comments() const { return comments_; }
  /// Line number of the last comment line that was passed, 0 if there was none, and where it begins.
  [[nodiscard]] std::size_t last_comment_line() const { return last_comment_line_; }
  [[nodiscard]] std::size_t last_comment_position() const { return last_comment_position_; }

  /// A row of nothing but blanks and delimiters (F12).
  [[nodiscard]] bool is_empty() const {
    return std::all_of(fields_.begin(), fields_.end(), [](const Field& f) { return f.text.empty() && !f.quoted; });
  }

  /// Line of a place in the current record.
  [[nodiscard]] std::size_t line_of(const char* place) const {
    return line_ + static_cast<std::size_t>(std::count(record_, std::max(record_, place), '\n'));
  }

  /// An error at a place of the current record.
  [[nodiscard]] ParseError error(const char* place, std::string reason, std::string_view text) const {
    const char* first = place;
    while (first != bytes_.data() && first[-1] != '\n') --first;
    return {*name_, line_of(place), static_cast<std::size_t>(place - first) + 1, std::move(reason), excerpt(text)};
  }
  [[nodiscard]] ParseError error(const Field& field, std::string reason) const {
    return error(field.begin, std::move(reason), field.text);
  }

 private:
  [[nodiscard]] const char* end() const { return bytes_.data() + bytes_.size(); }
  [[nodiscard]] const char* skip_blanks(const char* p) const {
    while (p != end() && is_blank(*p) && *p != signs_.delimiter) ++p;
    return p;
  }
  [[nodiscard]] bool at_comment() const {
    if (signs_.comment.empty()) return false;
    const char* p = skip_blanks(next_);
    return std::string_view(p, static_cast<std::size_t>(end() - p)).starts_with(signs_.comment);
  }
  void skip_line() {
    next_ = std::find(next_, end(), '\n');
    if (next_ != end()) ++next_;
    ++next_line_;
  }
  void read_record() {
    fields_.clear();
    if (!unescaped_.empty()) unescaped_.clear();
    record_ = next_;
    line_ = next_line_;
    const char* p = next_;
    for (;; ++p) {
      const char* const first = skip_blanks(p);
      if (first != end() && *first == signs_.quote) {
        p = read_quoted(first);
      } else {
        p = find_either(first, end(), signs_.delimiter, '\n');
        const char* last = p;
        if (last != first && last[-1] == '\r' && (p == end() || *p == '\n')) --last;
        while (last != first && is_blank(last[-1])) --last;
        fields_.push_back({{first, static_cast<std::size_t>(last - first)}, first, false});
      }
      if (p == end() || *p == '\n') break;
    }
    ++next_line_;
    next_ = p == end() ? p : p + 1;
  }

  /// Reads the field whose opening quote stands at `open`; gives the delimiter or line end behind it.
  const char* read_quoted(const char* open) {
    const char* const first = open + 1;
    const char* p = first;
    std::string* copy = nullptr;  // only if there are doubled quotes
    const char* copied = first;
    for (;; ++p) {
      p = find_either(p, end(), signs_.quote, '\n');
      if (p == end()) throw error(open, "a quoted field does not end", {open, static_cast<std::size_t>(p - open)});
      if (*p == '\n') {
        ++next_line_;
      } else if (p + 1 != end() && p[1] == signs_.quote) {
        if (copy == nullptr) copy = &unescaped_.emplace_back();
        copy->append(copied, ++p);
        copied = p + 1;
      } else {
        break;
      }
    }
    const std::string_view inside(first, static_cast<std::size_t>(p - first));
    if (copy != nullptr) copy->append(copied, p);
    fields_.push_back({copy != nullptr ? std::string_view(*copy) : inside, first, true});
    p = skip_blanks(p + 1);
    if (p != end() && *p == '\r' && (p + 1 == end() || p[1] == '\n')) ++p;
    if (p != end() && *p != signs_.delimiter && *p != '\n')
      throw error(p, "text after a closing quote", {p, static_cast<std::size_t>(std::find(p, end(), '\n') - p)});
    return p;
  }

  std::string_view bytes_;
  const std::string* name_;
  RecordSigns signs_;
  const char* next_;
  std::size_t next_line_;
  const char* record_ = nullptr;
  std::size_t line_ = 1;
  std::vector<Field> fields_;
  std::deque<std::string> unescaped_;
  std::size_t comments_ = 0;
  std::size_t last_comment_line_ = 0;
  std::size_t last_comment_position_ = 0;
};

}  // namespace fidelity::detail::io
