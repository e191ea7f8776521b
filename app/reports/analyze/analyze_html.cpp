// SPDX-License-Identifier: GPL-3.0-or-later
// The report of analyze as a page: a table of all kernels, then each with its bounds, its code and what it assumes.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/kernel_page.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_kernels = 100;  // that are told in full
constexpr size_t most_open = 3;       // that are unfolded from the beginning
constexpr size_t longest_name = 200;

std::string title_of(const KernelReport& kernel) { return shorten(support::brief_name(kernel.name), longest_name); }

std::string prefix_of(size_t index) { return "k" + std::to_string(index + 1); }

int64_t cycles_of(const KernelReport& kernel) {
  const solver::Bound* bound = headline_bound(kernel.analysis);
  return bound == nullptr ? 0 : *bound->makespan;
}

// Places of those that are told in full: the costliest.
std::set<size_t> reported_in_full(const AnalyzeReport& report) {
  std::vector<double> times;
  for (const KernelReport& kernel : report.kernels) {
    times.push_back(static_cast<double>(cycles_of(kernel)) / static_cast<double>(kernel.machine.clock_khz));
  }
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a] > times[b]; });
  order.resize(std::min(order.size(), most_kernels));
  return {order.begin(), order.end()};
}

std::string overview(const AnalyzeReport& report, const std::set<size_t>& full) {
  std::string rows;
  size_t i = 0;
  for (const KernelReport& kernel : report.kernels) {
    const int64_t clock = kernel.machine.clock_khz;
    const auto time = [clock](std::optional<int64_t> cycles) {
      return cycles ? number_cell(duration(*cycles, clock), picoseconds(*cycles, clock).value_or(INT64_MAX))
                    : number_cell("-", -1);
    };
    const solver::Bound* bound = headline_bound(kernel.analysis);
    const std::string name = html_text(title_of(kernel));
    const std::string link = full.contains(i) ? fmt::format("<a href=\"#{}\">{}</a>", prefix_of(i), name) : name;
    ++i;
    rows += "<tr><th scope=\"row\">" + link + "</th>" +
            html_cell(html_text(extent(*kernel.launch.block) +
                                (kernel.launch.grid ? " on " + extent(*kernel.launch.grid) : ""))) +
            time(bound == nullptr ? std::nullopt : bound->makespan) + time(kernel.analysis.usual) +
            time(bound_with_nothing(kernel.analysis)) +
            (kernel.expected ? number_cell(rough_duration(kernel.expected->cycles, clock),
                                           picoseconds(kernel.expected->cycles, clock).value_or(INT64_MAX))
                             : number_cell("-", -1)) +
            html_cell(bound == nullptr ? "" : html_text(limited_by(*bound))) +
            html_cell(html_text(kernel.file), "words") + "</tr>\n";
  }
  const std::string caption =
      full.size() < report.kernels.size()
          ? fmt::format("The costliest {} are told in full below; the JSON report has all.", full.size())
          : std::string();
  return html_table(caption,
                    table_head({{"", "kernel"},
                                {"", "launch"},
                                {"number", "bound"},
                                {"number", "usual"},
                                {"number", "whatever it does"},
                                {"number", "expected"},
                                {"", "limited by"},
                                {"", "file"}}),
                    rows);
}

std::string kernels_text(const AnalyzeReport& report, const std::set<size_t>& full) {
  const bool one = report.kernels.size() == 1;
  std::string out;
  size_t lines = 0;
  for (const size_t i : full) {
    const auto held = report.kernels.at(i);
    const KernelReport& kernel = *held;
    lines += kernel.code ? kernel.code->lines.size() : 0;
    const bool with_code = i == *full.begin() || lines <= most_code_of_page;
    std::string body = kernel_sections(kernel, prefix_of(i), with_code);
    if (!with_code) body += code_left_out();
    if (one) {
      out += "<section id=\"k1\">\n" + body + "</section>\n";
    } else {
      out += fmt::format("<details class=\"kernel\" id=\"{}\"{}><summary><h2>{}</h2></summary>\n{}</details>\n",
                         prefix_of(i), full.size() <= most_open ? " open=\"\"" : "", html_text(title_of(kernel)), body);
    }
  }
  return out;
}

}  // namespace

std::string to_html(const AnalyzeReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  const std::set<size_t> full = reported_in_full(report);
  const bool one = report.kernels.size() == 1;
  const std::string title =
      one ? html_text(title_of(*report.kernels.at(0))) : counted(std::ssize(report.kernels), "kernel");
  std::string body = "<main>\n<h1>" + title + "</h1>\n<p class=\"source\">Worst-case makespan</p>\n";
  if (!one) body += overview(report, full);
  body += diagnostics_list(report.errors) + kernels_text(report, full) + "</main>\n" + run_section(report.run);
  return html_page("warpspan: " + title, "", body, "docs/pages.md");
}

}  // namespace warpspan::app
