// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/code_panes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

constexpr size_t lines_of_table = 200;

// A line that something belongs to leads there, also without the script: to the first line of the other side.
class PaneText {
 public:
  PaneText(const Pane& pane, const std::string& own, const std::string& other, bool has_from)
      : pane_(pane), own_(own), other_(other), has_from_(has_from) {}

  // Many lines come in several tables, of which a browser lays out those that are on the screen.
  std::string run() {
    const std::string begin = "<table class=\"code\">\n" + columns();
    std::string out = "<div>\n<h4>" + html_text(pane_.title) + "</h4>\n<div class=\"pane\" tabindex=\"0\">" +
                      "<div class=\"heads\">" + begin + "<thead><tr>";
    for (size_t i = 0; i < pane_.heads.size(); ++i) {
      out += fmt::format("<th scope=\"col\"{}>{}</th>", class_of_column(i), pane_.heads[i]);
    }
    if (has_from_) out += "<th scope=\"col\">from</th>";
    out += "</tr></thead></table></div>\n";
    for (size_t first = 0; first < pane_.lines.size(); first += lines_of_table) {
      const size_t end = std::min(pane_.lines.size(), first + lines_of_table);
      out +=
          pane_.lines.size() <= lines_of_table
              ? "<div>"
              : fmt::format("<div class=\"lines\" style=\"contain-intrinsic-height: calc(1.45em * {})\">", end - first);
      out += begin + "<tbody>\n";
      for (size_t i = first; i < end; ++i) {
        const PaneLine& line = pane_.lines[i];
        out += line.left_out > 0 ? gap(line) : row(line);
      }
      out += "</tbody></table></div>\n";
    }
    return out + "</div></div>\n";
  }

 private:
  // Numbers, then why, then the text.
  std::string class_of_column(size_t column) const {
    if (column == 0 || column + 1 >= pane_.heads.size()) return {};
    return column + 2 == pane_.heads.size() ? " class=\"why\"" : " class=\"number\"";
  }

  // Columns as wide as their longest cell, so that a browser need not look at all of them before it draws the first.
  std::string columns() const {
    const auto letters = [](const std::string& text) {
      return std::count_if(text.begin(), text.end(),
                           [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    };
    std::vector<std::ptrdiff_t> widest;
    for (const std::string& head : pane_.heads) widest.push_back(letters(head));
    if (has_from_) widest.push_back(letters("from"));
    for (const PaneLine& line : pane_.lines) {
      const auto widen = [&](size_t column, const std::string& text) {
        widest[column] = std::max(widest[column], letters(text));
      };
      widen(0, line.number);
      for (size_t i = 0; i < line.cells.size(); ++i) widen(i + 1, line.cells[i]);
      widen(pane_.heads.size() - 1, line.text);
      if (has_from_) widen(pane_.heads.size(), line.from);
    }
    std::string out = "<colgroup>";
    for (size_t i = 0; i < widest.size(); ++i) {
      const std::string kind = i + 1 == pane_.heads.size() ? " class=\"text\"" : class_of_column(i);
      out += fmt::format("<col{} style=\"width: {}ch\"/>", kind, widest[i] + (i == 0 ? 3 : 2));
    }
    return out + "<col class=\"room\"/></colgroup>\n";  // what is left of the pane
  }

  std::string gap(const PaneLine& line) const {
    return fmt::format("<tr class=\"gap\"><td colspan=\"{}\">{}</td></tr>\n", pane_.heads.size() + (has_from_ ? 2 : 1),
                       counted(line.left_out, "line") + " without instructions of this kernel");
  }

  std::string row(const PaneLine& line) {
    std::string out = "<tr";
    const std::string kind = line.heat + (line.is_worst ? (line.heat.empty() ? "worst" : " worst") : "");
    if (!kind.empty()) out += " class=\"" + kind + "\"";
    const bool is_linked = !line.key.empty() && !other_.empty();
    if (is_linked) {
      out += " data-k=\"" + line.key + "\"";
      if (named_.insert(line.key).second) out += " id=\"" + own_ + line.key + "\"";
    }
    out += "><td>" + link(is_linked && !has_from_, line.key, line.number) + "</td>";
    for (size_t i = 0; i < line.cells.size(); ++i) {
      out += fmt::format("<td class=\"{}\">{}</td>", i + 1 < line.cells.size() ? "number" : "why",
                         html_text(line.cells[i]));
    }
    out += "<td>" + html_text(line.text) + "</td>";
    if (has_from_) out += "<td class=\"from\">" + link(is_linked, line.key, line.from) + "</td>";
    return out + "</tr>\n";
  }

  std::string link(bool is_linked, const std::string& key, const std::string& text) const {
    const std::string escaped = html_text(text);
    return is_linked && !text.empty() ? fmt::format("<a href=\"#{}{}\">{}</a>", other_, key, escaped) : escaped;
  }

  const Pane& pane_;
  const std::string own_, other_;  // what names in the page begin with
  const bool has_from_;
  std::set<std::string> named_;
};

}  // namespace

std::string code_panes(const std::vector<Pane>& panes, const std::string& prefix) {
  if (panes.empty()) return {};
  const std::string source = prefix + "s", code = prefix + "c";
  std::string left;
  for (size_t i = 0; i + 1 < panes.size(); ++i) left += PaneText(panes[i], source, code, false).run();
  const bool both = panes.size() > 1;
  return fmt::format("<div class=\"panes{}\">\n", both ? " both" : "") + (both ? "<div>\n" + left + "</div>\n" : "") +
         PaneText(panes.back(), code, both ? source : "", both).run() + "</div>\n";
}

}  // namespace warpspan::app
