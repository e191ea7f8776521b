// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/page.hpp"

#include <fmt/format.h>

#include "app/reports/html/assets.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

std::string class_of(const std::string& kind) {
  return kind.empty() ? std::string() : fmt::format(" class=\"{}\"", kind);
}

std::string place_of(const support::Location& location) {
  if (location.file.empty()) return {};
  std::string text = location.file;
  if (location.line > 0) text += ":" + std::to_string(location.line);
  if (location.line > 0 && location.column > 0) text += ":" + std::to_string(location.column);
  return text + ": ";
}

const char* word_of(support::Severity severity) {
  switch (severity) {
    case support::Severity::error: return "error";
    case support::Severity::warning: return "warning";
    case support::Severity::note: break;
  }
  return "note";
}

std::string hashes(const char* what, const std::vector<Hashed>& all) {
  std::string rows;
  for (const Hashed& one : all) {
    rows += "<tr>" + row_head(one.name) + html_cell("<code>" + html_text(one.sha256) + "</code>") + "</tr>\n";
  }
  return rows.empty() ? rows : html_table("", table_head({{"", what}, {"", "SHA-256"}}), rows);
}

}  // namespace

std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& document) {
  return "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
         "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<meta name=\"color-scheme\" content=\"light dark\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>" +
         title + "</title>\n<style>\n" + page_style() + style + "</style>\n</head>\n<body>\n" + body +
         "<footer><p>warpspan " + html_text(program_version()) + ", " + document + "</p></footer>\n<script>\n" +
         page_script() + "</script>\n</body>\n</html>\n";
}

std::string verdict_line(const char* kind, const std::string& escaped) {
  return fmt::format("<p class=\"verdict {}\">{}</p>\n", kind, escaped);
}

std::string folded(const std::string& heading, const std::string& body, bool open) {
  if (body.empty()) return {};
  return fmt::format("<details{}><summary><h3>{}</h3></summary>\n{}</details>\n", open ? " open=\"\"" : "", heading,
                     body);
}

std::string html_cell(const std::string& escaped, const char* kind) {
  return fmt::format("<td{}>{}</td>", class_of(kind), escaped);
}

std::string number_cell(const std::string& text) { return html_cell(html_text(text), "number"); }

std::string number_cell(const std::string& text, int64_t value) {
  return fmt::format("<td class=\"number\" data-v=\"{}\">{}</td>", value, html_text(text));
}

std::string row_head(const std::string& text) { return "<th scope=\"row\">" + html_text(text) + "</th>"; }

std::string table_head(const std::vector<HeadCell>& columns) {
  std::string out = "<thead><tr>";
  for (const auto& [kind, words] : columns) out += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(kind), words);
  return out + "</tr></thead>\n";
}

std::string html_table(const std::string& caption, const std::string& head, const std::string& rows) {
  return scrolled("<table class=\"sorts\">\n" + (caption.empty() ? "" : "<caption>" + caption + "</caption>\n") + head +
                  "<tbody>\n" + rows + "</tbody></table>");
}

std::string scrolled(const std::string& body) { return "<div class=\"scroll\">\n" + body + "</div>\n"; }

std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string out = "<dl>\n";
  for (const auto& [name, text] : entries) out += "<div><dt>" + name + "</dt><dd>" + text + "</dd></div>\n";
  return out + "</dl>\n";
}

std::string diagnostics_list(const support::Diagnostics& diagnostics) {
  std::string items;
  for (const support::Diagnostic& one : diagnostics) {
    items += fmt::format("<li class=\"{0}\"><b>{0}</b> {1}", word_of(one.severity),
                         html_text(place_of(one.location) + one.message));
    if (!one.source_line.empty()) items += "<pre>" + html_text(one.source_line.substr(0, 400)) + "</pre>";
    if (!one.help.empty()) items += "<p>" + html_text(one.help) + "</p>";
    items += "</li>\n";
  }
  return items.empty() ? items : "<ul class=\"diagnostics\">\n" + items + "</ul>\n";
}

std::string run_section(const RunRecord& run) {
  if (run.command.empty() && run.inputs.empty()) return {};
  std::string out = "<section class=\"run\">\n<h2 id=\"run\">This run</h2>\n";
  if (!run.command.empty()) out += "<pre class=\"command\">" + html_text(command_line(run)) + "</pre>\n";
  out += hashes("read", run.inputs) + hashes("machine", run.machines);
  std::string assemblers;
  for (const AssemblerRun& one : run.assemblers) {
    assemblers += "<tr>" + row_head(one.command) + html_cell(html_text(one.version)) + "</tr>\n";
  }
  if (!assemblers.empty()) out += html_table("", table_head({{"", "assembler"}, {"", "says it is"}}), assemblers);
  return out + "</section>\n";
}

}  // namespace warpspan::app
