// SPDX-License-Identifier: GPL-3.0-or-later
// The report of rta for people: a table of the tasks, one of the kernels of files, how busy the GPU is, what bounds are
// the sum of (in full only), the timeline if there is one, and the assumptions.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "app/reports/response_times/response_formats.hpp"
#include "app/reports/response_times/response_words.hpp"
#include "app/reports/response_times/timeline_lanes.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::printable;

constexpr size_t most_rows = 64;
constexpr size_t most_shares = 8;  // tasks of a line
constexpr size_t least_columns = 20;
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

std::string or_dash(const std::optional<int64_t>& time, const ResponseReport& report) {
  return time ? time_text(*time, report) : "-";
}

std::string task_table(const ResponseReport& report, const TextStyle& style) {
  std::vector<Row> rows = {{"task", "stream", "period", "deadline", "bound", "slowest found", ""}};
  for (size_t i = 0; i < report.tasks.size(); ++i) {
    const rt::Task& task = report.workload.tasks[i];
    const TaskResponse& found = report.tasks[i];
    rows.push_back({printable(task.name), std::to_string(task.stream), or_dash(task.period, report),
                    or_dash(rt::deadline_of(task), report), or_dash(found.bound, report),
                    or_dash(found.slowest, report), verdict_text(found)});
  }
  return table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left}, rows,
               0, style.width);
}

// The kernels of files, each by its own bound, which is for the kernel alone on the GPU.
std::string kernel_bounds(const ResponseReport& report, const TextStyle& style) {
  std::vector<Row> rows = {{"task", "kernel", "its own bound", "", "file"}};
  for (size_t i = 0; i < report.tasks.size(); ++i) {
    const rt::Task& task = report.workload.tasks[i];
    for (const BoundedOperation& one : report.tasks[i].bounded) {
      const auto& kernel = std::get<rt::Kernel>(task.operations[one.operation]);
      rows.push_back({printable(task.name), printable(support::brief_name(one.kernel)),
                      time_text(kernel.block_time, report), counted(one.cycles, "cycle"), printable(one.file)});
    }
  }
  if (rows.size() == 1) return {};
  const size_t left_out = rows.size() > most_rows + 1 && !style.explain ? rows.size() - 1 - most_rows : 0;
  rows.resize(rows.size() - left_out);
  std::string out = table({Align::left, Align::left, Align::right, Align::right, Align::left}, rows, 2, style.width);
  if (left_out > 0)
    out += fmt::format("  and {}, with --explain\n", counted(static_cast<int64_t>(left_out), "other kernel"));
  return out + "\n";
}

// "kernels 12.3 %: a 8.2 %, b 4.1 %": those that take most come first.
std::string share_line(const ResponseReport& report, const Share& share) {
  std::vector<size_t> order;
  for (size_t i = 0; i < share.tasks.size(); ++i) {
    if (share.tasks[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return share.tasks[a] > share.tasks[b]; });
  std::vector<std::string> words;
  for (const size_t i : order) {
    if (words.size() == most_shares) break;
    words.push_back(printable(report.workload.tasks[i].name) + " " + share_text(share.tasks[i]));
  }
  if (order.size() > words.size()) words.push_back("and " + std::to_string(order.size() - words.size()) + " more");
  return share.of + " " + share_text(share.millionths) + (words.empty() ? "" : ": " + joined(words));
}

std::string summary(const ResponseReport& report, const TextStyle& style) {
  const auto line = [&style](const char* what, const std::string& text) {
    return wrap(fmt::format("  {:<15}", what), text, style.width);
  };
  std::string out = line("GPU", gpu_text(report));
  const char* name = "utilisation";
  for (const Share& share : shares_of(report)) {
    out += line(name, share_line(report, share));
    name = "";
  }
  if (report.runs > 0) {
    out += line("slowest found", fmt::format("in {} in which nothing takes longer than its most time; a task that "
                                             "misses its deadline does so in one of them",
                                             counted(report.runs, "run")));
  }
  if (!style.explain && !all_meet(report)) {
    out += line("to see why", "--explain has what each bound is the sum of, --output FILE.html the slowest runs, too");
  }
  return out;
}

std::string sums(const ResponseReport& report, const TextStyle& style) {
  std::string out;
  for (size_t i = 0; i < report.tasks.size(); ++i) {
    const TaskResponse& task = report.tasks[i];
    if (!task.bound) continue;
    out += fmt::format("\n{}: {} is the sum of\n", printable(report.workload.tasks[i].name),
                       time_text(*task.bound, report));
    std::vector<Row> rows;
    for (const rt::Term& term : task.terms) rows.push_back({time_text(term.time, report), term_text(term, report)});
    out += table({Align::right, Align::left}, rows, 2, style.width);
  }
  return out;
}

// Blocks as letters: each has the columns that begin while it runs, and one at least.
class Columns {
 public:
  Columns(const ResponseReport& report, size_t columns) : report_(report), timeline_(*report.timeline) {
    int64_t end = 1;
    for (const rt::BlockRun& block : timeline_.run.blocks) end = std::max(end, block.end);
    const auto count = static_cast<int64_t>(columns);
    step_ = std::max<int64_t>(1, end / count + (end % count > 0));
  }

  int64_t step() const { return step_; }

  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const Lane& lane : lanes_of(report_.workload, timeline_)) {
      const std::string name = (lane.copies ? "copy engine " : "multiprocessor ") + std::to_string(lane.place);
      all.push_back({lane.first ? name : "", "|" + cells(lane)});
    }
    return all;
  }

 private:
  std::string cells(const Lane& lane) const {
    std::string cells;
    for (const size_t index : lane.blocks) {
      const rt::BlockRun& block = timeline_.run.blocks[index];
      const auto begin = static_cast<size_t>(block.start / step_ + (block.start % step_ > 0));
      const auto end = static_cast<size_t>(block.end / step_ + (block.end % step_ > 0));
      const size_t first = end > begin ? begin : end - 1;
      const size_t last = std::max(end, first + 1);
      cells.resize(std::max(cells.size(), last), ' ');
      std::fill(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.begin() + static_cast<std::ptrdiff_t>(last),
                letters[task_of(timeline_, block) % letters.size()]);
    }
    return cells;
  }

  const ResponseReport& report_;
  const Timeline& timeline_;
  int64_t step_ = 1;
};

std::string timeline(const ResponseReport& report, const TextStyle& style) {
  const Columns columns(report, std::max(least_columns, style.width - std::min<size_t>(style.width, 24)));
  std::string out = "\n" + wrap("",
                                fmt::format("timeline: everything takes its most time; a column is {}",
                                            report.has_units ? time_text(columns.step(), report)
                                                             : counted(columns.step(), "unit") + " of time"),
                                style.width);
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(report.tasks.size(), letters.size()); ++i) {
    names.push_back(fmt::format("{} {}", letters[i], printable(report.workload.tasks[i].name)));
  }
  if (report.tasks.size() > letters.size()) names.emplace_back("letters are used again after that");
  out += wrap("  ", joined(names), style.width);
  std::vector<Row> rows = columns.rows();
  const size_t left_out = rows.size() > most_rows ? rows.size() - most_rows : 0;
  rows.resize(rows.size() - left_out);
  out += table({Align::left, Align::left}, rows, 2);
  if (left_out > 0) out += fmt::format("  and {} more\n", counted(static_cast<int64_t>(left_out), "row"));
  return out;
}

std::string assumption_text(const ResponseReport& report, const TextStyle& style) {
  const size_t shown = style.explain ? report.assumptions.size() : report.own_assumptions;
  std::string out = "\nassumptions\n";
  for (size_t i = 0; i < shown; ++i) out += wrap("  - ", printable(report.assumptions[i]), style.width);
  const auto left_out = static_cast<int64_t>(report.assumptions.size() - shown);
  if (left_out > 0) {
    out +=
        wrap("  - ", "and " + std::to_string(left_out) + " of bounds of kernels: in full with --explain", style.width);
  }
  return out;
}

}  // namespace

std::string to_text(const ResponseReport& report, const TextStyle& style) {
  if (report.tasks.empty()) return {};
  std::string out = task_table(report, style) + "\n" + kernel_bounds(report, style) + summary(report, style);
  if (style.explain) out += sums(report, style);
  if (report.timeline) out += timeline(report, style);
  return out + assumption_text(report, style);
}

}  // namespace warpspan::app
