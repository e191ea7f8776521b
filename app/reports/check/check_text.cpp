// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check for people: a table with a row for each limit, what is to know of each that does not hold, and a
// line that counts.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/machine_code_section.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using Quantity = CheckedLimit::Quantity;

constexpr size_t narrowest_kernel = 15, widest_kernel = 60;
constexpr size_t most_parts = 3;  // of a sum
constexpr size_t most_lines = 3;  // of source, for one that does not hold
constexpr int64_t bar_cells = 6;

std::string painted(const std::string& text, const char* code, bool colour) {
  return colour ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

std::string kernel_name(const CheckResult& result) { return support::printable(support::short_name(result.kernel)); }

std::string distinction(const CheckResult& result) {
  const bool has_both = !result.label.empty() && !result.apart.empty();
  return support::printable(result.label + (has_both ? ", " : "") + result.apart);
}

// With what tells it apart from other results of the kernel.
std::string full_name(const CheckResult& result) {
  const std::string more = distinction(result);
  return kernel_name(result) + (more.empty() ? "" : " (" + more + ")");
}

// "12 cycles" and the like; else the limit is one of time.
bool in_cycles(const CheckedLimit& limit) { return limit.text.find("cycle") != std::string::npos; }

// a * b / c for c above 0, rounded up.
int64_t share_up(support::Int128 a, support::Int128 b, support::Int128 c) {
  return static_cast<int64_t>(std::min<support::Int128>((a * b + c - 1) / c, INT64_MAX));
}

// The time in the unit of the limit, rounded up to nanoseconds.
std::string time_text(int64_t cycles, int64_t clock_khz, const CheckedLimit& limit) {
  const std::string unit = limit.text.substr(limit.text.find_first_not_of("0123456789. "));
  const size_t decimals = unit == "s" ? 9 : unit == "ms" ? 6 : unit == "ns" ? 0 : 3;
  std::string digits = std::to_string(share_up(cycles, 1'000'000, clock_khz));
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - decimals);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return digits.substr(0, digits.size() - decimals) + (fraction.empty() ? "" : "." + fraction) + " " + unit;
}

// In the unit of the budget.
std::string value_text(const CheckResult& result, const CheckedLimit& limit) {
  if (!limit.value) return "-";
  if (!is_time(limit)) {
    return thousands(*limit.value) + " " + std::string(limit.quantity == Quantity::registers ? "regs" : "bytes");
  }
  if (in_cycles(limit) || limit.text.empty() || !result.report) return counted(*limit.value, "cycle");
  return time_text(*limit.value, result.report.get()->machine.clock_khz, limit);
}

// "makespan" goes without saying.
std::string limit_text(const CheckedLimit& limit) {
  if (limit.since_baseline) return "baseline + " + limit.tolerance;
  if (limit.quantity == Quantity::expected) return "expect " + support::printable(limit.text);
  if (limit.quantity == Quantity::makespan) {
    return in_cycles(limit) ? counted(limit.most, "cycle") : support::printable(limit.text);
  }
  return std::string(to_string(limit.quantity)) + " " + thousands(limit.most);
}

// How much of the limit is taken, and what is left of it: "######..  12.5 %".
std::string headroom_bar(const CheckedLimit& limit) {
  if (!limit.value) return limit.quantity == Quantity::makespan ? "" : "no log";
  if (limit.most == 0 && *limit.value > 0) return "above 0";
  const bool over = *limit.value > limit.most;
  const int64_t filled = over || limit.most == 0 ? bar_cells : share_up(*limit.value, bar_cells, limit.most);
  const std::string bar = std::string(static_cast<size_t>(filled), over ? '!' : '#') +
                          std::string(static_cast<size_t>(bar_cells - filled), '.');
  return bar + fmt::format(" {:>7}", limit.most == 0 ? percent(0) : headroom_text(limit));
}

// "waiting for memory" is "memory" where the heading says that it limits.
std::string limiting_part(const std::string& limited_by) {
  constexpr std::string_view waiting = "waiting for ";
  return limited_by.starts_with(waiting) ? limited_by.substr(waiting.size()) : limited_by;
}

constexpr size_t name_column = 1, label_column = 2, expected_column = 4;

// An estimate, where it is by a simulation.
std::string expected_text(const CheckResult& result) {
  const auto kernel = result.report.get();
  if (!kernel || !kernel->expected) return {};
  const ExpectedTime& expected = *kernel->expected;
  if (expected.method != ExpectedTime::Method::simulated) return {};
  return rough_duration(expected.cycles, kernel->machine.clock_khz);
}

// A kernel that was bounded is not unbounded, whatever else is not known.
std::string status_word(const CheckResult& result) {
  const bool is_bounded = result.verdict == Verdict::unbounded && result.report;
  return is_bounded ? "unknown" : std::string(to_string(result.verdict));
}

// The rows of one result: status, kernel and label stand in the first.
void add_rows(const CheckResult& result, std::vector<Row>& rows) {
  const Row head = {status_word(result), kernel_name(result), distinction(result)};
  const std::vector<CheckedLimit> limits = shown_limits(result);
  const size_t count = std::max<size_t>(1, limits.size());
  for (size_t i = 0; i < count; ++i) {
    Row row = i == 0 ? head : Row(head.size());
    if (limits.empty()) {
      row.insert(row.end(), {"-", "", "-", "", ""});
    } else {
      const CheckedLimit& limit = limits[i];
      const bool is_makespan = limit.quantity == Quantity::makespan;
      row.insert(row.end(), {value_text(result, limit), is_makespan ? expected_text(result) : "", limit_text(limit),
                             headroom_bar(limit), is_makespan ? limiting_part(result.limited_by) : ""});
    }
    rows.push_back(std::move(row));
  }
}

// Names of kernels get what the other columns leave of the line.
void shorten_names(std::vector<Row>& rows, size_t line_width) {
  size_t taken = 0;
  for (size_t column = 0; column < rows.front().size(); ++column) {
    if (column == name_column) continue;
    size_t widest = 0;
    for (const Row& row : rows) widest = std::max(widest, row[column].size());
    taken += widest + 2;
  }
  const size_t left = taken < line_width ? line_width - taken : 0;
  const size_t width = std::clamp(left, narrowest_kernel, widest_kernel);
  for (Row& row : rows) {
    std::string& name = row[name_column];
    if (name.size() > width) name = shorten(name, width - 4);
  }
}

// Without a column in which nothing stands.
void drop_if_empty(std::vector<Row>& rows, size_t column) {
  const bool empty = std::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) { return row[column].empty(); });
  for (Row& row : rows) {
    if (empty) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

std::string result_table(const CheckReport& report, const TextStyle& style) {
  std::vector<Row> rows = {{"", "kernel", "launch", "bound", "expected", "budget", "headroom", "limited by"}};
  for (const CheckResult& result : report.results) add_rows(result, rows);
  const bool has_expected =
      std::any_of(rows.begin() + 1, rows.end(), [](const Row& row) { return !row[expected_column].empty(); });
  drop_if_empty(rows, expected_column);
  drop_if_empty(rows, label_column);
  shorten_names(rows, style.width);
  std::vector<Align> alignments(rows.front().size(), Align::left);
  for (size_t from_end = 3; from_end <= (has_expected ? 5 : 4); ++from_end)
    alignments[alignments.size() - from_end] = Align::right;
  const std::string text = table(alignments, rows, 0);
  if (!style.colour) return text;
  std::string out;
  size_t begin = 0;
  for (const Row& row : rows) {
    const size_t end = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, end - begin);
    const std::string& status = row[0];
    out += status.empty() ? line : painted(status, status == "pass" ? "32" : "31", true) + line.substr(status.size());
    begin = end;
  }
  return out;
}

std::string at(const support::Location& place) {
  if (place.file.empty()) return {};
  return support::printable(place.file) + (place.line > 0 ? ":" + std::to_string(place.line) : "");
}

std::string miss_text(const CheckResult& result, const CheckedLimit& limit) {
  const std::string what(limit.quantity == Quantity::makespan   ? "bound"
                         : limit.quantity == Quantity::expected ? "expected time"
                         : limit.quantity == Quantity::usual    ? "bound with what is usual"
                                                                : to_string(limit.quantity));
  const bool over = limit.verdict != Verdict::fell;
  const auto most = static_cast<uint64_t>(limit.most), value = static_cast<uint64_t>(*limit.value);
  const auto distance = static_cast<int64_t>(over ? value - most : most - value);
  const std::string unit = limit.quantity == Quantity::registers ? "register" : is_time(limit) ? "cycle" : "byte";
  const std::string tolerance = limit.tolerance.empty() ? "" : " and " + limit.tolerance;
  const std::string grown = growth_text(result, limit);
  return fmt::format("{} {} by {}: {} where {} is {}", what, over ? "over" : "fell below the budget",
                     counted(distance, unit), value_text(result, limit),
                     limit.since_baseline ? "the baseline"
                     : over               ? "the budget"
                                          : "it",
                     limit.since_baseline                   ? baseline_text(limit) + tolerance
                     : limit.quantity == Quantity::expected ? support::printable(limit.text) + tolerance
                     : limit.quantity == Quantity::makespan ? limit_text(limit)
                                                            : thousands(limit.most)) +
         (grown.empty() ? "" : ". " + grown);
}

// The largest parts, and the others together: "98,472 one warp alone + 66,548 fetching code + 7,098 else".
std::string sum_text(const solver::Bound& bound) {
  std::vector<solver::Part> parts = bound.parts;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const solver::Part& a, const solver::Part& b) { return a.cycles > b.cycles; });
  std::string text;
  int64_t others = bound.makespan.value();
  for (size_t i = 0; i < std::min(most_parts, parts.size()); ++i) {
    if (parts[i].cycles == 0) continue;
    text += (text.empty() ? "" : " + ") + thousands(parts[i].cycles) + " " + part_name(parts[i]);
    others -= parts[i].cycles;
  }
  return others == 0 ? text : text + " + " + thousands(others) + " else";
}

// The text of each line gets what the other columns leave of `width`.
std::string lines_text(const std::vector<LineCost>& lines, size_t width) {
  constexpr size_t indent = 4, least_room = 24, dots = 4;
  std::vector<Row> rows;
  size_t place = 0, cycles = 0;  // columns
  for (size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
    const LineCost& line = lines[i];
    rows.push_back({support::printable(line.file) + ":" + std::to_string(line.line), counted(line.cycles(), "cycle"),
                    support::printable(single_blanks(line.text))});
    place = std::max(place, rows.back()[0].size());
    cycles = std::max(cycles, rows.back()[1].size());
  }
  const size_t taken = indent + place + 2 + cycles + 2;
  const size_t room = std::max(least_room, width - std::min(width, taken));
  for (Row& row : rows) {
    if (row.back().size() > room) row.back() = shorten(row.back(), room - dots);
  }
  return rows.empty() ? std::string() : table({Align::left, Align::right, Align::left}, rows, indent);
}

// What is to know of a result that does not hold.
std::string failure_text(const CheckResult& result, const TextStyle& style) {
  std::string out = painted(full_name(result), "1", style.colour);
  const std::string place = at(result.location), entry = at(result.entry);
  out += fmt::format(" ({}{}{})\n", place, place.empty() || entry.empty() ? "" : ", budget at ", entry);
  for (const CheckedLimit& limit : result.limits) {
    if (misses(limit.verdict)) {
      out += wrap("  ", miss_text(result, limit), style.width);
    }
  }
  for (const support::Diagnostic& error : result.errors) {
    out += wrap("  ", support::printable(error.message), style.width);
    if (!error.help.empty()) out += wrap("    ", support::printable(error.help), style.width);
  }
  if (result.verdict == Verdict::fell) {
    out += "  the budget no longer says what is true: let 'warpspan check --update' write it anew\n";
  }
  if (result.report && (result.verdict == Verdict::over || result.verdict == Verdict::grew)) {
    const auto kernel = result.report.get();
    const std::string assumed = assumed_text(result);
    out += wrap("  = ", sum_text(*headline_bound(kernel->analysis)), style.width) +
           (assumed.empty() ? "" : wrap("  ", assumed, style.width)) + lines_text(kernel->lines, style.width);
  }
  return out;
}

// Errors that are of no result, such as one of the budgets file.
std::string other_errors(const CheckReport& report, const TextStyle& style) {
  const auto is_of_result = [&report](const support::Diagnostic& error) {
    return std::any_of(report.results.begin(), report.results.end(),
                       [&error](const CheckResult& result) { return has_same(result.errors, error); });
  };
  std::string out;
  for (const support::Diagnostic& error : report.errors) {
    if (!is_error(error) || is_of_result(error)) continue;
    const std::string place = at(error.location);
    out += wrap("", (place.empty() ? "" : place + ": ") + support::printable(error.message), style.width);
    if (!error.help.empty()) out += wrap("  ", support::printable(error.help), style.width);
  }
  return out.empty() ? out : out + "\n";
}

// What is not as in the baseline.
std::string since_text(const CheckReport& report) {
  std::vector<Row> rows = {{"since the baseline", "", "was", "is", "change"}};
  for (const CheckResult& result : report.results) {
    std::string name = full_name(result);
    for (const SinceBaseline::Figure& one : changed_figures(result)) {
      rows.push_back(
          {name, one.name, thousands(one.before), thousands(one.after), percent_change(one.before, one.after)});
      name.clear();
    }
  }
  if (rows.size() == 1) return {};
  return table({Align::left, Align::left, Align::right, Align::right, Align::right}, rows, 0) + "\n";
}

std::string counts_text(const CheckReport& report) {
  const auto count = [&report](Verdict verdict) {
    return std::count_if(report.results.begin(), report.results.end(),
                         [verdict](const CheckResult& result) { return result.verdict == verdict; });
  };
  const auto total = static_cast<int64_t>(report.results.size()) - count(Verdict::unused);
  std::string text = fmt::format("{} of {} hold{}", count(Verdict::pass), counted(total, "budget"),
                                 count(Verdict::pass) == 1 && total == 1 ? "s" : "");
  const auto add = [&text, &count](Verdict verdict, const char* words) {
    if (count(verdict) > 0) text += fmt::format("; {} {}", count(verdict), words);
  };
  add(Verdict::over, "over");
  add(Verdict::slower, "slower than expected");
  add(Verdict::grew, "grew");
  add(Verdict::fell, "fell");
  add(Verdict::unbounded, "without a bound");
  add(Verdict::missing, "without a kernel");
  add(Verdict::unused, "without a budget");
  return text;
}

}  // namespace

std::string to_text(const CheckReport& report, const TextStyle& style) {
  std::string out = report.results.empty() ? "" : result_table(report, style) + "\n";
  for (const CheckResult& result : report.results) {
    if (result.verdict != Verdict::pass) out += failure_text(result, style) + "\n";
  }
  out += other_errors(report, style) + since_text(report);
  const bool whole = passes(report);
  std::string last = report.results.empty() ? "no budget was checked" : counts_text(report);
  const bool all_pass = std::all_of(report.results.begin(), report.results.end(),
                                    [](const CheckResult& result) { return result.verdict == Verdict::pass; });
  if (!whole && all_pass && !report.results.empty()) last += "; the check failed";
  const auto is_of_ptx = [](const CheckResult& result) {
    return result.report && !is_machine_code(*result.report.get());
  };
  if (style.offers_assembler && std::any_of(report.results.begin(), report.results.end(), is_of_ptx))
    out += assembler_offer(style.width) + "\n";
  return out + painted(last, whole ? "32" : "31", style.colour) + "\n";
}

}  // namespace warpspan::app
