// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a simulation as a page: the expected time, what warps waited for, and each instruction that was
// executed with its part of that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reports/html/charts.hpp"
#include "app/reports/html/code_panes.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/palette.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/simulate/simulate_formats.hpp"
#include "app/reports/simulate/timeline_html.hpp"
#include "app/reports/xml.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

int64_t whole(double value) { return static_cast<int64_t>(std::llround(value)); }

std::string part(double share) { return percent(whole(share * 1000)); }

double part_of(double value, double all) { return all > 0 ? value / all : 0; }

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// Who waited how long for what.
struct Activities {
  std::array<double, timing::activities> cycles{};  // of all warps
  std::array<size_t, timing::activities> order{};   // the longest first
  ActivityColours colours;
  double all = 0;
};

Activities activities_of(const SimulatedKernel& kernel) {
  Activities of;
  for (const SimulatedLine& line : kernel.lines) {
    for (size_t i = 0; i < timing::stalls; ++i) of.cycles[i] += line.stalls[i];
    of.cycles[timing::issuing] += line.issued;
    of.all += line.cycles;
  }
  std::iota(of.order.begin(), of.order.end(), size_t{0});
  std::stable_sort(of.order.begin(), of.order.end(), [&of](size_t a, size_t b) { return of.cycles[a] > of.cycles[b]; });
  size_t colour = 0;
  for (const size_t i : of.order) {
    of.colours[i] = i == timing::issuing ? "own" : colour < chart_colours.size() ? colour_number(colour++) : "rest";
  }
  return of;
}

std::string stalls_of(const Activities& of) {
  std::vector<BarPart> bar;
  std::string rows;
  int64_t full = 0;
  for (const size_t i : of.order) {
    const double share = part_of(of.cycles[i], of.all);
    const int64_t size = whole(share * 10000);
    if (size == 0) continue;
    const std::string name = activity_name(i);
    bar.push_back({of.colours[i], name + ": " + part(share), size});
    full += size;
    rows += "<tr><th scope=\"row\">" + colour_key(of.colours[i]) + name + "</th>" + number_cell(part(share), size) +
            number_cell(thousands(whole(of.cycles[i])), whole(of.cycles[i])) +
            html_cell(i == timing::issuing ? "the warp issued an instruction"
                                           : html_text(description(static_cast<timing::Stall>(i))),
                      "words") +
            "</tr>\n";
  }
  if (rows.empty()) return rows;
  const std::string title = "What warps wait for";
  full = std::max<int64_t>(full, 10000);
  return folded(
      title,
      stacked_bar(title, bar, full, full) +
          html_table("", table_head({{"", ""}, {"number", "of all"}, {"number", "cycles of warps"}, {"", ""}}), rows));
}

// A bar for each unit: they are busy side by side.
std::string units_of(const timing::Simulation& simulation) {
  std::vector<std::pair<double, std::string>> units = {{simulation.issue, "issue slots"}};
  for (size_t unit = 1; unit < timing::units_of_scheduler; ++unit) {
    if (simulation.busy[unit] > 0) {
      units.emplace_back(simulation.busy[unit], std::string(to_string(static_cast<timing::SimulatedUnit>(unit))));
    }
  }
  units.emplace_back(simulation.occupancy, "room for warps");
  std::stable_sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string rows;
  for (const auto& [busy, name] : units) {
    const int64_t size = std::clamp<int64_t>(whole(busy * 10000), 0, 10000);
    rows += "<tr>" + row_head(name) + number_cell(part(busy), size) +
            html_cell(stacked_bar(name, {{"limit", part(busy), size}}, 10000, 10000), "taken") + "</tr>\n";
  }
  return folded("How busy the multiprocessor is",
                html_table("", table_head({{"", "unit"}, {"number", "of the time"}, {"", ""}}), rows));
}

std::string code_of(const SimulatedKernel& kernel, double all, const std::string& prefix) {
  Pane pane{"machine code, in its order", {"at", "of all", "issued", "mostly", ""}, {}};
  double hottest = 1;
  for (const SimulatedLine& line : kernel.lines) hottest = std::max(hottest, line.cycles);
  for (const SimulatedLine& line : kernel.lines) {
    const auto most = std::max_element(line.stalls.begin(), line.stalls.end());
    const auto stall = static_cast<timing::Stall>(most - line.stalls.begin());
    PaneLine row;
    row.number = line.place;
    std::string why = *most > 0 ? std::string(to_string(stall)) : "";
    if (!line.awaited.empty()) why += " of " + line.awaited;
    row.cells = {part(part_of(line.cycles, all)), thousands(whole(line.issued)), why};
    row.text = line.text;
    if (line.source_line > 0) {
      row.text += "    // " + file_name(line.source_file) + ":" + std::to_string(line.source_line);
    }
    row.heat = heat_of(whole(line.cycles), whole(hottest));
    pane.lines.push_back(std::move(row));
  }
  return folded("Instructions",
                "<p class=\"remark\">The darker, the longer warps waited there.</p>\n" + code_panes({pane}, prefix));
}

std::string head_of(const SimulatedKernel& kernel) {
  const timing::Simulation& simulation = kernel.simulation;
  std::string launch = fmt::format("block {} ({})", extent(kernel.block), counted(kernel.warps_per_block, "warp"));
  launch += kernel.grid_given ? ", grid " + extent(kernel.grid) : ", one block alone on the device";
  const std::string simulated =
      fmt::format("{} of {} of one of {}, {} at a time, {}", thousands(simulation.simulated_blocks),
                  counted(simulation.blocks, "block"), counted(whole(simulation.multiprocessors), "multiprocessor"),
                  thousands(simulation.resident), counted(whole(simulation.instructions), "warp instruction"));
  std::vector<std::pair<std::string, std::string>> entries = {
      {"file", html_text(kernel.file)},
      {"machine", html_text(kernel.machine + ": " + kernel.description)},
      {"launch", launch},
      {"simulated", simulated},
      {"policy", html_text(kernel.policy)}};
  std::string out = description_list(entries) + "<div class=\"figures\">\n";
  const auto figure = [&out](const char* kind, const std::string& what, const std::string& value,
                             const std::string& detail) {
    out += fmt::format(
        "<div class=\"figure{}\"><span class=\"soft\">{}</span><b>{}</b><span class=\"cycles\">{}</span></div>\n", kind,
        what, html_text(value), html_text(detail));
  };
  figure(" decides", "expected", rough_duration(kernel.expected.cycles, kernel.clock_khz),
         counted(kernel.expected.cycles, "cycle") + ", " + caution(kernel.expected));
  if (kernel.slowest) {
    figure("", "slowest run found with the figures of the bound", duration(kernel.slowest->longest(), kernel.clock_khz),
           counted(kernel.slowest->longest(), "cycle"));
    if (kernel.slowest->bound) {
      figure("", "at most", duration(*kernel.slowest->bound, kernel.clock_khz),
             counted(*kernel.slowest->bound, "cycle"));
    }
  }
  return out + "</div>\n";
}

std::string remarks_list(const SimulatedKernel& kernel) {
  std::string items;
  for (const std::string& remark : remarks_of(kernel)) items += "<li>" + html_text(remark) + "</li>\n";
  return items.empty() ? items : folded("What it rests on", "<ul>\n" + items + "</ul>\n");
}

}  // namespace

std::string to_html(const SimulateReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  std::string body =
      "<main>\n<h1>Expected times</h1>\n<p class=\"source\">Estimates by simulation: a run may take "
      "longer.</p>\n" +
      diagnostics_list(report.errors);
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    const SimulatedKernel& kernel = report.kernels[i];
    const Activities activities = activities_of(kernel);
    const std::string prefix = "k" + std::to_string(i + 1);
    body += fmt::format("<details class=\"kernel\" id=\"{}\"{}><summary><h2>{}</h2></summary>\n", prefix,
                        report.kernels.size() <= 3 ? " open=\"\"" : "", html_text(support::brief_name(kernel.name)));
    body += head_of(kernel) + stalls_of(activities) + timeline_section(kernel, activities.colours);
    body += units_of(kernel.simulation);
    if (!kernel.lines.empty()) body += code_of(kernel, activities.all, prefix);
    body += remarks_list(kernel) + "</details>\n";
  }
  return html_page("warpspan simulate", "", body + "</main>\n" + run_section(report.run), "docs/pages.md");
}

}  // namespace warpspan::app
