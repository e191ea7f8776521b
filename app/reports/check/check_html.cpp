// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as a page: the verdict, a row for each limit, and what is to know of each kernel.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/kernel_page.hpp"
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/compare/line_changes_html.hpp"
#include "app/reports/html/charts.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_details = 100;

std::string name_of(size_t index) { return "r" + std::to_string(index + 1); }

std::string place_of(const support::Location& place) {
  return place.file.empty() ? "" : place.file + (place.line > 0 ? ":" + std::to_string(place.line) : "");
}

const char* kind_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "good";
    case Verdict::over:
    case Verdict::slower: return "bad";
    default: return "unsure";
  }
}

std::string value_text(const CheckResult& result, const CheckedLimit& limit) {
  if (!limit.value) return "-";
  if (is_time(limit) && result.report) return duration(*limit.value, result.report.get()->machine.clock_khz);
  return thousands(*limit.value) + " " + std::string(unit_of(limit.quantity));
}

std::string limit_words(const CheckedLimit& limit) {
  const std::string text = limit.text.empty() ? thousands(limit.most) : limit.text;
  return limit.tolerance.empty() ? text : text + " and " + limit.tolerance;
}

// How much of the limit is taken; all of it, in the colour of a fault, where it is exceeded.
std::string taken_bar(const CheckedLimit& limit) {
  if (!limit.value || limit.most <= 0) return html_cell("");
  const bool over = *limit.value > limit.most;
  const support::Int128 all = std::max(limit.most, *limit.value);
  const std::vector<BarPart> parts = {{over ? "over" : "limit", value_text({}, limit), *limit.value}};
  return html_cell(stacked_bar(std::string(to_string(limit.quantity)), parts, all, limit.most), "taken");
}

std::string rows_of(const CheckResult& result, size_t index, bool has_detail) {
  const std::string name = html_text(title_of(result));
  const std::string link = has_detail ? fmt::format("<a href=\"#{}\">{}</a>", name_of(index), name) : name;
  std::string rows;
  for (size_t i = 0; i < std::max<size_t>(1, result.limits.size()); ++i) {
    const CheckedLimit* limit = i < result.limits.size() ? &result.limits[i] : nullptr;
    const Verdict verdict = limit == nullptr ? result.verdict : limit->verdict;
    const auto left = limit == nullptr ? std::nullopt : headroom(*limit);
    rows += "<tr>" + html_cell(std::string(to_string(verdict)), kind_of(verdict)) + "<th scope=\"row\">" + link +
            "</th>" + html_cell(limit == nullptr ? "" : std::string(to_string(limit->quantity)));
    rows +=
        limit == nullptr ? number_cell("-", -1) : number_cell(value_text(result, *limit), limit->value.value_or(-1));
    rows += limit == nullptr ? number_cell("-", -1) : number_cell(limit_words(*limit), limit->most);
    rows += limit == nullptr ? html_cell("") : taken_bar(*limit);
    rows += left ? number_cell(headroom_text(*limit), *left) : number_cell("", INT64_MIN);
    const bool is_bound = limit != nullptr && limit->quantity == CheckedLimit::Quantity::makespan;
    rows += html_cell(is_bound ? html_text(result.limited_by) : "") + "</tr>\n";
  }
  return rows;
}

// What changed since the baseline, by figure and by line.
std::string since_section(const CheckResult& result) {
  if (!result.since) return {};
  if (!result.since->unknown.empty())
    return folded("Since the baseline", "<p>" + html_text(result.since->unknown) + "</p>\n");
  std::string rows;
  for (const SinceBaseline::Figure& one : changed_figures(result)) {
    const auto cell = [&one](int64_t value) { return number_cell(thousands(value) + " " + one.unit, value); };
    rows += "<tr>" + row_head(one.name) + cell(one.before) + cell(one.after) +
            number_cell(percent_change(one.before, one.after)) + "</tr>\n";
  }
  if (rows.empty()) return {};
  return folded(
      "Since the baseline",
      html_table("", table_head({{"", ""}, {"number", "was"}, {"number", "is"}, {"number", "change"}}), rows) +
          line_change_table("Cycles of the bound, by line.", result.since->bound) +
          line_change_table("Cycles of the expected time, by line.", result.since->expected));
}

// Of kernels that miss something, as long as the page does not grow too large.
std::string sections_of(const KernelReport& report, const std::string& prefix, size_t& room) {
  const size_t lines = report.code ? report.code->lines.size() : 0;
  const bool fits = lines <= room;
  if (fits) room -= lines;
  return kernel_sections(report, prefix, fits) + (fits ? "" : code_left_out());
}

std::string detail_of(const CheckResult& result, size_t index, size_t& room) {
  std::string body = description_list(
      {{"kernel", html_text(place_of(result.location).empty() ? result.file : place_of(result.location))},
       {"budget", html_text(place_of(result.entry))}});
  for (const CheckedLimit& limit : result.limits) {
    body += fmt::format("<p class=\"{}\">{}: {}</p>\n", kind_of(limit.verdict), to_string(limit.quantity),
                        html_text(limit_text(limit, result)));
  }
  if (result.report) {
    if (const std::string assumed = assumed_text(result); !assumed.empty())
      body += "<p>" + html_text(assumed) + "</p>\n";
  }
  body += diagnostics_list(result.errors);
  body += since_section(result);
  if (const auto kernel = result.report.get()) body += sections_of(*kernel, name_of(index), room);
  return fmt::format("<details class=\"kernel\" id=\"{}\"{}><summary><h2>{}</h2></summary>\n{}</details>\n",
                     name_of(index), result.verdict == Verdict::pass ? "" : " open=\"\"", html_text(title_of(result)),
                     body);
}

// What does not pass comes first.
std::vector<size_t> detailed(const CheckReport& report) {
  std::vector<size_t> order;
  for (const bool passes : {false, true}) {
    for (size_t i = 0; i < report.results.size(); ++i) {
      if ((report.results[i].verdict == Verdict::pass) == passes) order.push_back(i);
    }
  }
  order.resize(std::min(order.size(), most_details));
  return order;
}

}  // namespace

std::string to_html(const CheckReport& report, const TextStyle&) {
  const bool passed = passes(report);
  const std::vector<size_t> order = detailed(report);
  std::string rows;
  for (size_t i = 0; i < report.results.size(); ++i) {
    rows += rows_of(report.results[i], i, std::find(order.begin(), order.end(), i) != order.end());
  }
  const std::string summary = report.results.empty() ? "no budget was checked" : summary_of(report);
  std::string body = "<main>\n<h1>Budgets of kernels</h1>\n<p class=\"source\">" + html_text(report.budgets) +
                     "</p>\n" + verdict_line(passed ? "good" : "bad", html_text(summary));
  if (!rows.empty()) {
    const std::string caption = order.size() < report.results.size()
                                    ? fmt::format("{} of {} are told in full below, those that fail first.",
                                                  order.size(), report.results.size())
                                    : std::string();
    body += html_table(caption,
                       table_head({{"", ""},
                                   {"", "kernel"},
                                   {"", "limit"},
                                   {"number", "value"},
                                   {"number", "budget"},
                                   {"", ""},
                                   {"number", "headroom"},
                                   {"", "limited by"}}),
                       rows);
  }
  support::Diagnostics others;
  for (const support::Diagnostic& error : report.errors) {
    const bool is_shown = std::any_of(order.begin(), order.end(), [&](size_t i) {
      const support::Diagnostics& own = report.results[i].errors;
      return std::any_of(own.begin(), own.end(), [&](const auto& one) { return one.message == error.message; });
    });
    if (!is_shown) others.push_back(error);
  }
  body += diagnostics_list(others);
  size_t room = most_code_of_page;
  for (const size_t i : order) body += detail_of(report.results[i], i, room);
  return html_page(std::string("warpspan check: ") + (passed ? "passed" : "failed"),
                   std::string(line_change_style) + ".over { fill: var(--bad) }\n",
                   body + "</main>\n" + run_section(report.run), "docs/pages.md");
}

}  // namespace warpspan::app
