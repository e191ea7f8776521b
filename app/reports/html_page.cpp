#include "app/reports/html_page.hpp"

#include <fmt/format.h>

#include "app/reports/run_record.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

using support::Int128;

constexpr int64_t bar_width = 1000;

constexpr const char* page_style =
    ":root { color-scheme: light dark; --ink: #1c1f24; --soft: #5b626d; --line: #d5d8dc; --good: #1d7a3e; --bad: "
    "#c00000;\n"
    "  --unsure: #8a5a00 }\n"
    "body { font: 15px/1.5 sans-serif; color: var(--ink); background: #fff; max-width: 1100px; margin: 2em auto;\n"
    "  padding: 0 1em }\n"
    "h1 { font-size: 1.7em; margin-bottom: 0 } h2 { font-size: 1.25em; margin-top: 2em }\n"
    "h3 { font-size: 1em; margin: 1.5em 0 0.3em }\n"
    "p.source, caption, footer { color: var(--soft) } p.source { margin-top: 0.2em }\n"
    ".verdict { font-size: 1.15em; border-left: 5px solid; padding: 0.4em 0.8em }\n"
    ".good { color: var(--good) } .bad { color: var(--bad); font-weight: bold } .unsure { color: var(--unsure) }\n"
    ".scroll { overflow-x: auto; margin-top: 1em } table { border-collapse: collapse; min-width: 50% }\n"
    "caption { text-align: left; font-size: 0.9em; padding-bottom: 0.3em }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.25em 1.2em 0.25em 0; border-bottom: 1px solid "
    "var(--line);\n"
    "  overflow-wrap: anywhere }\n"
    "th { font-weight: 600 } .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }\n"
    "svg { display: block; width: 100%; height: auto; margin: 0.5em 0 } svg.bar { height: 22px }\n"
    "svg.key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.5em 0 0 }\n"
    ".bar rect { stroke: #000; stroke-opacity: 0.35; vector-effect: non-scaling-stroke } .full { stroke: var(--bad); "
    "stroke-width: 3 } .room { fill: #e6e8eb }\n"
    ".own { fill: #39424e } .rest { fill: #8a8f98 }\n"
    "footer { margin-top: 3em; font-size: 0.9em }\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  :root { --ink: #dde1e6; --soft: #9aa2ad; --line: #343a42; --good: #6cc58b; --bad: #ff7a72; --unsure: #e0b050 }\n"
    "  body { background: #15181d } .room { fill: #2a2f37 } .own { fill: #c3cad4 }\n"
    "}\n"
    "@media print {\n"
    "  body { max-width: none; margin: 0; font-size: 11px } * { print-color-adjust: exact }\n"
    "  svg, tr, li { break-inside: avoid } h2, h3 { break-after: avoid } .scroll { overflow: visible }\n"
    "}\n";

}  // namespace

std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& document) {
  return "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
         "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<title>" +
         title + "</title>\n<style>\n" + page_style + style + "</style>\n</head>\n<body>\n" + body +
         "<footer><p>warpspan " + xml_content(program_version()) + ", " + document +
         "</p></footer>\n</body>\n</html>\n";
}

std::string html_cell(const std::string& escaped, const char* kind) {
  return *kind == '\0' ? "<td>" + escaped + "</td>" : fmt::format("<td class=\"{}\">{}</td>", kind, escaped);
}

std::string number_cell(const std::string& text) { return html_cell(xml_content(text), "number"); }

std::string table_head(const std::vector<std::pair<const char*, const char*>>& columns) {
  std::string out = "<thead><tr>";
  for (const auto& [kind, words] : columns) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", *kind == '\0' ? "" : fmt::format(" class=\"{}\"", kind), words);
  }
  return out + "</tr></thead>\n";
}

std::string html_table(const std::string& caption, const std::string& head, const std::string& rows) {
  return "<div class=\"scroll\"><table>\n<caption>" + caption + "</caption>\n" + head + "<tbody>\n" + rows +
         "</tbody></table></div>\n";
}

std::string stacked_bar(const std::string& title, const std::vector<BarPart>& parts, Int128 all, Int128 full) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bar\" viewBox=\"0 0 {0} 22\" preserveAspectRatio=\"none\" "
      "role=\"img\">\n<title>{1}</title>\n<rect class=\"room\" width=\"{0}\" height=\"22\"/>\n",
      bar_width, xml_content(title));
  const auto x = [all](Int128 at) { return static_cast<int64_t>(at * (bar_width * 100) / all); };
  Int128 at = 0;
  for (const BarPart& part : parts) {
    out += fmt::format("<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"22\"><title>{}</title></rect>\n", part.kind,
                       pixels(x(at)), pixels(x(at + part.size) - x(at)), xml_content(part.words));
    at += part.size;
  }
  if (full < all) out += fmt::format("<path class=\"full\" d=\"M{} 0V22\"/>\n", pixels(x(full)));
  return out + "</svg>\n";
}

std::string colour_key(const std::string& kind) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
      "class=\"{}\" width=\"10\" height=\"10\"/></svg>",
      kind);
}

std::string pixels(int64_t hundredths) { return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100); }

}  // namespace warpspan::app
