// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/assets.hpp"

#include <fmt/format.h>

#include "app/reports/palette.hpp"

namespace warpspan::app {

namespace {

constexpr const char* layout_style = R"(:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f6f7f8; --ink: #1c1f24; --soft: #59616c; --line: #d9dce1; --link: #1f5fb0;
  --good: #1a6e38; --bad: #b3201c; --unsure: #805300; --heat: 217, 96, 20; --mark: #1f5fb0; --lit: #e3edfa;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box }
body {
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif;
  color: var(--ink); background: var(--ground); max-width: 1560px; margin: 0 auto; padding: 1.5rem 2rem 3rem;
  overflow-wrap: anywhere;
}
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
h1, h2, h3 { line-height: 1.25; font-weight: 600 }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.3rem; margin: 2.5rem 0 0.25rem }
h3 { font-size: 1rem; margin: 1.5rem 0 0.3rem } summary h3 { display: inline; margin: 0 }
p, li, dd, caption { max-width: 100ch }
p.source, caption, footer, .soft, dt, .remark { color: var(--soft) } p.source { margin: 0.2rem 0 1rem }
code, pre, .code { font-family: var(--mono); font-size: 0.8125rem }
pre { white-space: pre-wrap; background: var(--raised); padding: 0.6rem 0.8rem; border-radius: 4px; margin: 0.5rem 0 }
details { border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: 0.6rem }
summary { cursor: pointer } summary h2 { display: inline-block; margin: 0.25rem 0 }
ul { padding-left: 1.25rem } li { margin: 0.3rem 0 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.1rem 2rem; margin: 0.75rem 0 }
dl div { display: flex; gap: 0.75rem } dt { flex: 0 0 5.5rem } dd { margin: 0; min-width: 0 }
.verdict { font-size: 1.1rem; border-left: 4px solid; padding: 0.2rem 0 0.2rem 0.8rem; margin: 1rem 0 }
.good { color: var(--good) } .bad { color: var(--bad); font-weight: 600 } .unsure { color: var(--unsure) }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; margin: 1rem 0 }
.figure { border-left: 3px solid var(--line); padding: 0.1rem 0 0.1rem 0.9rem } .figure.decides { border-color: var(--mark) }
.figure b { display: block; font-size: 1.6rem; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums }
.figure span { display: block } .figure .cycles { font-variant-numeric: tabular-nums }
.diagnostics .error b { color: var(--bad) } .diagnostics .warning b { color: var(--unsure) }
.diagnostics p { margin: 0.1rem 0; color: var(--soft) }
footer { margin-top: 3rem; font-size: 0.9rem; border-top: 1px solid var(--line) }
.find { margin: 0.5rem 0; width: min(100%, 22rem); font: inherit; padding: 0.25rem 0.5rem; color: inherit;
  background: var(--ground); border: 1px solid var(--line); border-radius: 4px }
)";

constexpr const char* table_style = R"(.scroll { overflow-x: auto; margin: 0.6rem 0 }
table { border-collapse: collapse; font-size: 0.9rem }
caption { text-align: left; padding-bottom: 0.3rem; max-width: min(100ch, calc(100vw - 1.6rem)) }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1.5rem 0.25rem 0; border-bottom: 1px solid var(--line) }
td { min-width: 3rem; overflow-wrap: normal } td.words, tbody th { overflow-wrap: anywhere } tbody th { min-width: 9rem } th { font-weight: 600 } thead th { color: var(--soft); font-weight: 500; white-space: nowrap }
tbody th { font-weight: 500 } .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.words { min-width: 16rem }
th[aria-sort] { cursor: pointer } th[aria-sort]:hover { color: var(--ink) }
th[aria-sort=ascending]::after { content: " \25b4" } th[aria-sort=descending]::after { content: " \25be" }
.assumption td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums }
.assumption p { margin: 0 0 0.2rem; max-width: 110ch }
)";

constexpr const char* chart_style = R"(svg { display: block; max-width: 100%; margin: 0.5rem 0 }
svg.bar, svg.timeline { width: 100%; height: auto } svg.bar { height: 22px }
.scroll svg { max-width: none } svg.timeline { min-width: 800px }
svg.key { display: inline-block; width: 0.75em; height: 0.75em; margin: 0 0.5em 0 0 }
.bar rect { stroke: var(--ground); stroke-width: 1px; vector-effect: non-scaling-stroke }
.taken svg { width: 14rem; height: 12px; margin: 0.35rem 0 }
.full { stroke: var(--bad); stroke-width: 3 } .bar .room { fill: var(--raised); stroke: none }
.own { fill: var(--ink) } .rest { fill: #8a8f98 } .limit { fill: var(--mark) }
.steps { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(8rem, 2fr) max-content max-content minmax(0, 1.6fr);
  gap: 0.3rem 1rem; align-items: center; margin: 0.8rem 0; font-size: 0.9rem; list-style: none; padding: 0 }
.steps li { display: contents } .steps svg { margin: 0; height: 16px; width: 100% } .steps .tick { stroke: var(--line) }
.steps .bar rect { stroke: none; fill: #7d97b8 } .steps .here rect { fill: var(--mark) } .steps .guess rect { fill: #8a8f98 }
.steps .here span:first-child { font-weight: 600 }
.steps span { font-variant-numeric: tabular-nums } .steps .time, .steps .gain { text-align: right }
.steps .axis { position: relative; height: 1.3em; color: var(--soft); font-size: 0.8rem }
.steps .axis i { position: absolute; transform: translateX(-50%); font-style: normal; white-space: nowrap }
.steps .axis i:first-child { transform: none } .steps .axis i:last-child { transform: translateX(-100%) }
svg.warps { width: 100%; min-width: 1200px; height: auto } .warps text { fill: var(--ink); font-size: 11px }
.warps .tick { text-anchor: middle; fill: var(--soft) } .warps .grid { stroke: var(--line) }
.warps .begin { stroke: var(--ground); stroke-width: 2 } .legend span { display: inline-block; margin-right: 1.2rem }
.flow { font-family: var(--mono); font-size: 11px; max-width: none; margin: 0 }
.flow rect { fill: var(--ground); stroke: #8a8f98 } .flow .worst rect { stroke: var(--bad); stroke-width: 2.5 }
.flow .never { opacity: 0.55 } .flow text { fill: var(--ink) } .flow .soft { fill: var(--soft) }
.flow path { fill: none; stroke: #8a8f98 } .flow path.worst { stroke: var(--bad); stroke-width: 2.2 }
.flow path.back { stroke-dasharray: 5 3 }
.flow path.tip { fill: #8a8f98; stroke: none } .flow path.tip.worst { fill: var(--bad) }
)";

// Eight steps of one hue; text on the darkest keeps a contrast above 4.5.
constexpr const char* code_style = R"(.panes { display: grid; gap: 1rem 1.5rem; grid-template-columns: minmax(0, 1fr) }
@media (min-width: 1100px) { .panes.both { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) } }
.pane { overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: 4px; overflow-wrap: normal }
.panes h4 { font: inherit; font-size: 0.9rem; color: var(--soft); margin: 0 0 0.3rem; overflow-wrap: anywhere }
.code { border-collapse: separate; border-spacing: 0; table-layout: fixed; width: 0; min-width: 100%; line-height: 1.45 }
.code th, .code td { padding: 0 1ch 0 0; border: 0; white-space: pre; min-width: 0 }
.heads { position: sticky; top: 0; z-index: 1; background: var(--raised); width: fit-content; min-width: 100% }
.lines { content-visibility: auto; font-size: 0.8125rem; width: fit-content; min-width: 100% }
.code thead th { padding: 0.25rem 1ch 0.25rem 0 }
.code td:first-child, .code th:first-child { text-align: right; color: var(--soft) }
.code td:first-child a, .code .from a { color: inherit } .code .from, .code .why { color: var(--soft) }
.code .gap td { color: var(--soft); background: var(--raised); text-align: left }
.code tr[data-k] { cursor: pointer } .code tr.on td { background: var(--lit); box-shadow: inset 0 1px var(--mark), inset 0 -1px var(--mark) }
.code tr:target td { background: var(--lit) } .code tr.worst td:first-child { border-left: 3px solid var(--bad) }
.code td:first-child { border-left: 3px solid transparent }
)";

constexpr const char* dark_style = R"(@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #15181d; --raised: #1d2127; --ink: #dde1e6; --soft: #9aa2ad; --line: #343a42; --link: #82b1ee;
    --good: #6cc58b; --bad: #ff8a82; --unsure: #e0b050; --heat: 235, 112, 40; --mark: #82b1ee; --lit: #24364d;
  }
  .steps .bar rect { fill: #4a6488 } .steps .here rect { fill: #82b1ee } .steps .guess rect { fill: #8a8f98 }
}
@media (max-width: 760px) {
  body { padding: 1rem 0.8rem 2rem; font-size: 14px }
  .steps { grid-template-columns: minmax(0, 1fr) max-content max-content; gap: 0.1rem 0.8rem }
  .steps li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; margin-bottom: 0.5rem }
  .steps .drawn, .steps .what { grid-column: 1 / -1 } .steps .drawn { grid-row: 2 } .steps .what { grid-row: 3; color: var(--soft) }
  .words { min-width: 13rem } .steps .none, .code .why { display: none } th, td { padding-right: 0.9rem }
}
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 10.5px } * { print-color-adjust: exact }
  svg, tr, li, .figure { break-inside: avoid } h2, h3, summary { break-after: avoid }
  .scroll, .pane { overflow: visible; max-height: none } .panes.both { grid-template-columns: minmax(0, 1fr) }
  th, td, .number, .words, tbody th, thead th { min-width: 0; white-space: normal; padding-right: 0.7rem }
  td { overflow-wrap: break-word } td.words, tbody th, td a, td code { overflow-wrap: anywhere }
  thead th, .number { overflow-wrap: normal } .number { white-space: nowrap } tbody th { min-width: 5rem } .taken svg { width: 5rem }
  .scroll svg { max-width: 100%; min-width: 0; height: auto } .code col.text { width: auto !important } .code col.room { width: 0 }
  .code td, .code th { white-space: pre-wrap } .find { display: none } footer { border: 0 }
}
)";

std::string style_text() {
  std::string out = std::string(layout_style) + table_style + chart_style + code_style;
  for (size_t i = 0; i < chart_colours.size(); ++i) out += fmt::format(".c{} {{ fill: {} }} ", i, chart_colours[i]);
  out += "\n";
  constexpr int steps = 8, hundredths_a_step = 6;
  for (int i = 1; i <= steps; ++i) {
    out += fmt::format(
        ".code .h{0}, .flow .h{0} rect {{ background: rgba(var(--heat), 0.{1:02}); fill: rgba(var(--heat), 0.{1:02}) "
        "}}\n"
        ".code .h{0} td, .code .h{0} td:first-child {{ color: var(--ink) }}\n",
        i, i * hundredths_a_step);
  }
  return out + dark_style;
}

// Tables are sorted by their heads and searched where they are long; a line of code shows what belongs to it beside it.
constexpr const char* script_text = R"((function () {
  "use strict";
  var each = function (list, use) { Array.prototype.forEach.call(list, use); };
  var key = function (row, column) {
    var cell = row.cells[column];
    if (!cell) return "";
    var value = cell.getAttribute("data-v");
    return value === null ? cell.textContent.trim() : Number(value);
  };
  var order = function (a, b) {
    if (typeof a === "number" ? typeof b === "number" : false) return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  var sort = function (table, heads, column) {
    var up = heads[column].getAttribute("aria-sort") === "descending";
    each(heads, function (head) { head.setAttribute("aria-sort", "none"); });
    heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) { return (up ? 1 : -1) * order(key(a, column), key(b, column)); });
    each(rows, function (row) { body.appendChild(row); });
  };
  var add_find = function (table) {
    var input = document.createElement("input");
    input.type = "search"; input.className = "find"; input.placeholder = "find in " + table.tBodies[0].rows.length + " rows";
    input.setAttribute("aria-label", "find rows");
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      each(table.tBodies[0].rows, function (row) { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    });
    table.parentNode.parentNode.insertBefore(input, table.parentNode);
  };
  each(document.querySelectorAll("table.sorts"), function (table) {
    if (!table.tHead || !table.tBodies[0]) return;
    var size = table.tBodies[0].rows.length;
    if (size > 15) add_find(table);
    if (!(size > 1)) return;
    var heads = table.tHead.rows[0].cells;
    each(heads, function (head, column) {
      head.setAttribute("aria-sort", "none"); head.tabIndex = 0;
      head.addEventListener("click", function () { sort(table, heads, column); });
      head.addEventListener("keydown", function (event) { if (event.key === "Enter") sort(table, heads, column); });
    });
  });
  var show = function (row) {
    var panes = row.closest(".panes"), pane = row.closest(".pane");
    each(panes.querySelectorAll("tr.on"), function (other) { other.classList.remove("on"); });
    each(panes.querySelectorAll("tr[data-k='" + row.getAttribute("data-k") + "']"), function (same) { same.classList.add("on"); });
    each(panes.querySelectorAll(".pane"), function (other) {
      var first = other === pane ? null : other.querySelector("tr.on");
      if (first) other.scrollTop += first.getBoundingClientRect().top - other.getBoundingClientRect().top - other.clientHeight / 3;
    });
  };
  document.addEventListener("click", function (event) {
    var row = event.target.closest ? event.target.closest("tr[data-k]") : null;
    if (!row) return;
    if (event.target.closest("a")) event.preventDefault();
    show(row);
  });
  var target = function () {
    var wanted = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    for (var at = wanted; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (wanted) wanted.scrollIntoView();
  };
  window.addEventListener("hashchange", target);
  target();
}());
)";

}  // namespace

const std::string& page_style() {
  static const std::string style = style_text();
  return style;
}

const std::string& page_script() {
  static const std::string script = script_text;
  return script;
}

}  // namespace warpspan::app
