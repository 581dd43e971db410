// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fidelity/finding.hpp>
#include <fidelity/report/detail/html_style.hpp>
#include <fidelity/report/detail/svg_style.hpp>
#include <fidelity/report/detail/xml_text.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/validation/criteria.hpp>
#include <fidelity/version.hpp>

namespace fidelity::detail {

/// Only a pass is green.
inline const char* colour_of(Verdict verdict) {
  return verdict == Verdict::pass ? "green" : verdict == Verdict::fail ? "red" : "amber";
}
/// Sign and word, so that it reads without colour.
inline std::string_view signed_word(Verdict verdict) {
  return verdict == Verdict::pass ? "\u2713 pass" : verdict == Verdict::fail ? "\u2717 fail" : "? incomplete";
}
inline std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"badge {}\">{}</span>", colour_of(verdict), signed_word(verdict));
}

/// A number for people, with its unit; what is no number is said in words.
inline std::string html_number(double value, std::string_view unit = {}) {
  if (!is_finite(value)) return "not a number";
  return xml_text(unit.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit));
}

/// A share for people: 100 % is said of the whole only.
inline std::string coverage_words(double share) {
  return share < 1 ? fmt::format("{:.4g} %", std::min(100 * share, 99.99)) : "100 %";
}

/// A cell of a table: markup, and whether it is a number.
struct HtmlCell {
  HtmlCell(std::string markup_, bool number_ = false) : markup(std::move(markup_)), number(number_) {}
  std::string markup;
  bool number;
};

/// One self-contained page, written from top to bottom: no outside resource, and the reader's browser is told to fetch
/// none.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title) {
    out_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\"/>\n<meta name=\"generator\" content=\"fidelity {}\"/>\n<title>{}</title>\n"
        "<style>\n{}{}</style>\n</head>\n<body>\n<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\">{}"
        "</svg>\n<h1>{}</h1>\n",
        version, xml_text(title), svg_style, html_style, svg_patterns, xml_text(title));
  }

  void banner(std::string_view colour, std::string_view word, const std::vector<std::string>& sentences) {
    out_ += fmt::format("<div class=\"banner {}\" id=\"verdict\"><b>{}</b>\n", colour, xml_text(word));
    for (const std::string& sentence : sentences) out_ += fmt::format("<p>{}</p>\n", xml_text(sentence));
    out_ += "</div>\n";
  }
  void banner(Verdict verdict, const std::vector<std::string>& sentences) {
    banner(colour_of(verdict), signed_word(verdict), sentences);
  }

  void section(std::string_view title) { out_ += fmt::format("<h2>{}</h2>\n", xml_text(title)); }
  void paragraph(std::string_view text) { out_ += fmt::format("<p>{}</p>\n", xml_text(text)); }
  void remark(std::string_view text) { out_ += fmt::format("<p class=\"remark\">{}</p>\n", xml_text(text)); }
  void markup(std::string_view text) { out_ += text; }

  /// Name, value and a small remark below, side by side.
  struct Fact {
    std::string name, value, remark = {};
  };
  void facts(const std::vector<Fact>& facts) {
    out_ += "<dl>\n";
    for (const Fact& fact : facts)
      out_ += fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", xml_text(fact.name), xml_text(fact.value),
                          fact.remark.empty() ? "" : "<small>" + xml_text(fact.remark) + "</small>");
    out_ += "</dl>\n";
  }

  /// A table; on a phone each row becomes a stack of named lines.
  void table(const std::vector<std::string>& heads, const std::vector<std::vector<HtmlCell>>& rows) {
    out_ += "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr>";
    for (std::size_t k = 0; k < heads.size(); ++k)
      out_ += fmt::format("<th{}>{}</th>", !rows.empty() && rows.front()[k].number ? " class=\"num\"" : "",
                          xml_text(heads[k]));
    out_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : rows) {
      out_ += "<tr>";
      for (std::size_t k = 0; k < row.size(); ++k)
        out_ += fmt::format("<td{}{}>{}</td>", row[k].number ? " class=\"num\"" : "",
                            k == 0 || row[k].markup.empty() ? "" : " data-head=\"" + xml_text(heads[k]) + "\"",
                            row[k].markup);
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
  }

  void findings(const std::vector<Finding>& findings) {
    out_ += "<ul>\n";
    for (const Finding& finding : findings)
      out_ += fmt::format("<li><b>{}</b>: {}</li>\n", xml_text(finding.code), xml_text(finding.text));
    out_ += "</ul>\n";
  }

  void files(const std::vector<std::string>& names) {
    if (names.empty()) return;
    out_ += "<p class=\"remark\">Files:";
    for (const std::string& name : names) out_ += " <code>" + xml_text(name) + "</code>";
    out_ += "</p>\n";
  }

  /// A picture at two widths, for a desktop and for a phone; `draw(width)` gives SVG.
  template <class Draw>
  void picture(Draw&& draw) {
    out_ += "<figure><div class=\"wide\">";
    out_ += draw(960.0);
    out_ += "</div><div class=\"narrow\">";
    out_ += draw(370.0);
    out_ += "</div></figure>\n";
  }

  [[nodiscard]] std::string finish() && {
    out_ += fmt::format("<p class=\"remark\">Written by fidelity {}.</p>\n<script>\n{}</script>\n</body>\n</html>\n",
                        version, html_script);
    return std::move(out_);
  }

 private:
  std::string out_;
};

}  // namespace fidelity::detail
