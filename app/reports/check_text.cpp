// The report of check for people: a table with a row for each limit, what is to know of each that does not hold, and a
// line that counts.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/check_formats.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/report_sections.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using Quantity = CheckedLimit::Quantity;

constexpr size_t line_width = 100;
constexpr size_t narrowest_kernel = 20, widest_kernel = 60;
constexpr size_t most_parts = 3;  // of a sum
constexpr size_t most_lines = 3;  // of source, for one that does not hold
constexpr int64_t bar_cells = 8;

std::string painted(const std::string& text, const char* code, bool colour) {
  return colour ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

std::string kernel_name(const CheckResult& result) {
  const std::string name = support::printable(support::short_name(result.kernel));
  return result.label.empty() ? name : name + " (" + support::printable(result.label) + ")";
}

// "12 cycles" and the like; else the limit is one of time.
bool in_cycles(const CheckedLimit& limit) { return limit.text.find("cycle") != std::string::npos; }

// a * b / c for c above 0, rounded up.
int64_t share_up(support::Int128 a, support::Int128 b, support::Int128 c) {
  return static_cast<int64_t>(std::min<support::Int128>((a * b + c - 1) / c, INT64_MAX));
}

// The time in the unit of the limit, with 3 decimals, never less.
std::string time_text(int64_t cycles, int64_t clock_khz, const CheckedLimit& limit) {
  const std::string unit = limit.text.substr(limit.text.find_first_not_of("0123456789. "));
  const int64_t in_unit = unit == "s" ? 1'000'000'000 : unit == "ms" ? 1'000'000 : unit == "ns" ? 1 : 1000;
  const int64_t thousandths = share_up(cycles, 1'000'000'000, support::Int128{clock_khz} * in_unit);
  return fmt::format("{}.{:03} {}", thousands(thousandths / 1000), thousandths % 1000, unit);
}

// In the unit of the budget.
std::string value_text(const CheckResult& result, const CheckedLimit& limit) {
  if (!limit.value) return "-";
  if (limit.quantity != Quantity::makespan) {
    return thousands(*limit.value) + " " + std::string(limit.quantity == Quantity::registers ? "regs" : "bytes");
  }
  if (in_cycles(limit) || limit.text.empty() || !result.report) return counted(*limit.value, "cycle");
  return time_text(*limit.value, result.report->machine.clock_khz, limit);
}

// "makespan" goes without saying.
std::string limit_text(const CheckedLimit& limit) {
  if (limit.quantity == Quantity::makespan) {
    return in_cycles(limit) ? counted(limit.most, "cycle") : support::printable(limit.text);
  }
  return std::string(to_string(limit.quantity)) + " " + thousands(limit.most);
}

// How much of the limit is taken, and what is left of it: "######..  12.5 %".
std::string headroom(const CheckedLimit& limit) {
  if (!limit.value) return {};
  if (limit.most == 0) return *limit.value == 0 ? std::string(bar_cells, '#') + "   0.0 %" : "above 0";
  const int64_t filled = std::min(bar_cells, share_up(*limit.value, bar_cells, limit.most));
  const bool over = *limit.value > limit.most;
  const support::Int128 distance = support::Int128{*limit.value} - limit.most;
  const int64_t left = over ? share_up(distance, 1000, limit.most) : 1000 - share_up(*limit.value, 1000, limit.most);
  const std::string bar = std::string(static_cast<size_t>(filled), over ? '!' : '#') +
                          std::string(static_cast<size_t>(bar_cells - filled), '.');
  return bar + fmt::format(" {:>5} %", fmt::format("{}{}.{}", over ? "-" : "", left / 10, left % 10));
}

// The rows of one result: the status and the kernel stand in the first.
void add_rows(const CheckResult& result, std::vector<Row>& rows) {
  const std::string status(to_string(result.verdict));
  if (result.limits.empty()) rows.push_back({status, kernel_name(result), "-", "-", "", ""});
  for (size_t i = 0; i < result.limits.size(); ++i) {
    const CheckedLimit& limit = result.limits[i];
    const bool is_makespan = limit.quantity == Quantity::makespan;
    rows.push_back({i == 0 ? status : "", i == 0 ? kernel_name(result) : "", value_text(result, limit),
                    limit_text(limit), headroom(limit), is_makespan ? result.limited_by : ""});
  }
}

// Names of kernels get what the other columns leave of the line.
void shorten_names(std::vector<Row>& rows) {
  size_t taken = 0;
  for (const size_t column : {0, 2, 3, 4, 5}) {
    size_t widest = 0;
    for (const Row& row : rows) widest = std::max(widest, row[column].size());
    taken += widest + 2;
  }
  const size_t left = taken < line_width ? line_width - taken : 0;
  const size_t width = std::clamp(left, narrowest_kernel, widest_kernel);
  for (Row& row : rows) {
    if (row[1].size() > width) row[1] = shorten(row[1], width - 4);
  }
}

std::string result_table(const CheckReport& report, bool colour) {
  std::vector<Row> rows = {{"", "kernel", "bound", "budget", "headroom", "limited by"}};
  for (const CheckResult& result : report.results) add_rows(result, rows);
  shorten_names(rows);
  std::string text = table({Align::left, Align::left, Align::right, Align::right, Align::left, Align::left}, rows, 0);
  if (!colour) return text;
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
  const std::string what(limit.quantity == Quantity::makespan ? "bound" : to_string(limit.quantity));
  const bool over = limit.verdict == Verdict::over;
  const auto most = static_cast<uint64_t>(limit.most), value = static_cast<uint64_t>(*limit.value);
  const auto distance = static_cast<int64_t>(over ? value - most : most - value);
  const std::string unit = limit.quantity == Quantity::registers  ? "register"
                           : limit.quantity == Quantity::makespan ? "cycle"
                                                                  : "byte";
  return fmt::format("{} {} by {}: {} where {} is {}", what, over ? "over" : "fell below the budget",
                     counted(distance, unit), value_text(result, limit), over ? "the budget" : "it", limit_text(limit));
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

std::string lines_text(const std::vector<LineCost>& lines) {
  std::vector<Row> rows;
  for (size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
    const LineCost& line = lines[i];
    rows.push_back({support::printable(line.file) + ":" + std::to_string(line.line), counted(line.cycles(), "cycle"),
                    shorten(support::printable(line.text), 50)});
  }
  return rows.empty() ? std::string() : table({Align::left, Align::right, Align::left}, rows, 4);
}

// What is to know of a result that does not hold.
std::string failure_text(const CheckResult& result, bool colour) {
  std::string out = painted(kernel_name(result), "1", colour);
  const std::string place = at(result.location), entry = at(result.entry);
  out += fmt::format(" ({}{}{})\n", place, place.empty() || entry.empty() ? "" : ", budget at ", entry);
  for (const CheckedLimit& limit : result.limits) {
    if (limit.verdict == Verdict::over || limit.verdict == Verdict::fell) {
      out += wrap("  ", miss_text(result, limit));
    }
  }
  for (const support::Diagnostic& error : result.errors) {
    out += wrap("  ", support::printable(error.message));
    if (!error.help.empty()) out += wrap("    ", support::printable(error.help));
  }
  if (result.verdict == Verdict::fell) {
    out += "  the budget no longer says what is true: let 'warpspan check --update' write it anew\n";
  }
  if (result.report && result.verdict == Verdict::over) {
    out += wrap("  = ", sum_text(*headline_bound(result.report->analysis))) + lines_text(result.report->lines);
  }
  return out;
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
  add(Verdict::fell, "fell");
  add(Verdict::unbounded, "without a bound");
  add(Verdict::missing, "without a kernel");
  add(Verdict::unused, "without a budget");
  return text;
}

}  // namespace

std::string to_text(const CheckReport& report, bool colour) {
  std::string out = report.results.empty() ? "" : result_table(report, colour) + "\n";
  for (const CheckResult& result : report.results) {
    if (result.verdict != Verdict::pass) out += failure_text(result, colour) + "\n";
  }
  const bool whole = passes(report);
  std::string last = report.results.empty() ? "no budget was checked" : counts_text(report);
  const bool all_pass = std::all_of(report.results.begin(), report.results.end(),
                                    [](const CheckResult& result) { return result.verdict == Verdict::pass; });
  if (!whole && all_pass && !report.results.empty()) last += "; the check failed";
  return out + painted(last, whole ? "32" : "31", colour) + "\n";
}

}  // namespace warpspan::app
