// The report of rta for people: a table of the tasks, how busy the GPU is, what bounds are the sum of (in full only),
// the timeline if there is one, and the assumptions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/reports/readable.hpp"
#include "app/reports/response_times/response_formats.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::printable;

constexpr int64_t khz_of_picoseconds = 1'000'000'000;  // of a clock with a cycle each picosecond
constexpr size_t most_rows = 64;
constexpr size_t least_columns = 20;
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

std::string time_text(int64_t time, const ResponseReport& report) {
  if (time < 0) return "-" + time_text(-time, report);
  return report.has_units ? duration(time, khz_of_picoseconds) : thousands(time);
}

std::string or_dash(const std::optional<int64_t>& time, const ResponseReport& report) {
  return time ? time_text(*time, report) : "-";
}

std::string verdict_text(const TaskResponse& task) {
  switch (task.verdict) {
    case TaskVerdict::meets: return "meets its deadline";
    case TaskVerdict::may_miss: return "may miss it";
    case TaskVerdict::misses: return "misses it" + (task.bound ? "" : "; no bound: " + printable(task.reason));
    case TaskVerdict::bounded: return "has no deadline";
    case TaskVerdict::no_bound: return "no bound: " + printable(task.reason);
  }
  return {};
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

// Rounded up to a tenth of a per cent.
std::string share_text(int64_t millionths) {
  if (millionths == INT64_MAX) return "more than can be told";
  return percent(millionths / 1000 + (millionths % 1000 > 0 ? 1 : 0));
}

std::string gpu_text(const ResponseReport& report) {
  const rt::Gpu& gpu = report.workload.gpu;
  const std::string machine = report.machine.empty() ? "" : printable(report.machine) + ", ";
  if (report.whole_gpu) return machine + "one kernel at a time";
  std::vector<std::string> holds;
  for (size_t kind = 0; kind < rt::kinds; ++kind) {
    if (gpu.capacity[kind] > 0) holds.push_back(thousands(gpu.capacity[kind]) + " " + kind_words[kind]);
  }
  return fmt::format("{}{}{}", machine, counted(gpu.multiprocessors, "multiprocessor"),
                     holds.empty() ? "" : " of " + joined(holds));
}

std::string summary(const ResponseReport& report, const TextStyle& style) {
  const auto line = [&style](const char* what, const std::string& text) {
    return wrap(fmt::format("  {:<15}", what), text, style.width);
  };
  std::string out = line("GPU", gpu_text(report));
  out += line("utilisation", fmt::format("{} by kernels, {} of the busiest copy engine",
                                         share_text(report.kernel_millionths), share_text(report.copy_millionths)));
  if (report.runs > 0) {
    out += line("slowest found", fmt::format("in {} in which nothing takes longer than its most time; a task that "
                                             "misses its deadline does so in one of them",
                                             counted(report.runs, "run")));
  }
  return out;
}

std::string term_text(const rt::Term& term, const ResponseReport& report) {
  const std::string name = "'" + printable(report.workload.tasks[term.task].name) + "'";
  switch (term.reason) {
    case rt::Reason::own: return "its own blocks and copies";
    case rt::Reason::own_blocks: return "blocks of the same kernel before them";
    case rt::Reason::ahead: return "jobs of " + name + " ahead of it in its stream";
    case rt::Reason::larger_priority: return "kernels of " + name + ", of larger priority";
    case rt::Reason::equal_priority: return "kernels of " + name + ", of the same priority";
    case rt::Reason::smaller_priority: return "kernels of " + name + ", of smaller priority, which have begun";
    case rt::Reason::copies: return "copies of " + name;
    case rt::Reason::released_later: return "all that counts from a time before the release";
  }
  return {};
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

// Blocks in rows: each takes the first row of its multiprocessor that is free.
class Lanes {
 public:
  Lanes(const ResponseReport& report, size_t columns) : report_(report), run_(report.timeline->run) {
    for (const rt::BlockRun& block : run_.blocks) end_ = std::max(end_, block.end);
    step_ = std::max<int64_t>(1, end_ / static_cast<int64_t>(columns) + (end_ % static_cast<int64_t>(columns) > 0));
    for (const rt::BlockRun& block : run_.blocks) add(block);
  }

  int64_t step() const { return step_; }

  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const auto& [place, lanes] : lanes_) {
      for (size_t i = 0; i < lanes.size(); ++i) {
        const std::string name = (place.first ? "copy engine " : "multiprocessor ") + std::to_string(place.second);
        all.push_back({i == 0 ? name : "", "|" + lanes[i].cells});
      }
    }
    return all;
  }

 private:
  struct Lane {
    int64_t free_from = 0;
    std::string cells;
  };

  void add(const rt::BlockRun& block) {
    const size_t task = report_.timeline->releases[block.piece.job].task;
    const bool copies =
        std::holds_alternative<rt::Copy>(report_.workload.tasks[task].operations[block.piece.operation]);
    auto& lanes = lanes_[{copies, block.multiprocessor}];
    auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& one) { return one.free_from <= block.start; });
    if (lane == lanes.end()) lane = lanes.insert(lanes.end(), Lane{});
    lane->free_from = block.end;
    // A block has the columns that begin while it runs, and one at least.
    const auto begin = static_cast<size_t>(block.start / step_ + (block.start % step_ > 0));
    const auto end = static_cast<size_t>(block.end / step_ + (block.end % step_ > 0));
    const size_t first = end > begin ? begin : end - 1;
    lane->cells.resize(std::max(lane->cells.size(), std::max(end, first + 1)), ' ');
    std::fill(lane->cells.begin() + static_cast<std::ptrdiff_t>(first),
              lane->cells.begin() + static_cast<std::ptrdiff_t>(std::max(end, first + 1)),
              letters[task % letters.size()]);
  }

  const ResponseReport& report_;
  const rt::Run& run_;
  int64_t end_ = 1;
  int64_t step_ = 1;
  std::map<std::pair<bool, int64_t>, std::vector<Lane>> lanes_;  // by whether it copies, and the place
};

std::string timeline(const ResponseReport& report, const TextStyle& style) {
  const Lanes lanes(report, std::max(least_columns, style.width - std::min<size_t>(style.width, 24)));
  std::string out = "\n" + wrap("",
                                fmt::format("timeline: everything takes its most time; a column is {}",
                                            report.has_units ? time_text(lanes.step(), report)
                                                             : counted(lanes.step(), "unit") + " of time"),
                                style.width);
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(report.tasks.size(), letters.size()); ++i) {
    names.push_back(fmt::format("{} {}", letters[i], printable(report.workload.tasks[i].name)));
  }
  if (report.tasks.size() > letters.size()) names.emplace_back("letters are used again after that");
  out += wrap("  ", joined(names), style.width);
  std::vector<Row> rows = lanes.rows();
  const size_t left_out = rows.size() > most_rows ? rows.size() - most_rows : 0;
  rows.resize(rows.size() - left_out);
  out += table({Align::left, Align::left}, rows, 2);
  if (left_out > 0) out += fmt::format("  and {} more\n", counted(static_cast<int64_t>(left_out), "row"));
  return out;
}

std::string assumption_text(const ResponseReport& report, const TextStyle& style) {
  const size_t told = style.explain ? report.assumptions.size() : report.own_assumptions;
  std::string out = "\nassumptions\n";
  for (size_t i = 0; i < told; ++i) out += wrap("  - ", printable(report.assumptions[i]), style.width);
  const auto left_out = static_cast<int64_t>(report.assumptions.size() - told);
  if (left_out > 0) {
    out +=
        wrap("  - ", "and " + std::to_string(left_out) + " of bounds of kernels: in full with --explain", style.width);
  }
  return out;
}

}  // namespace

std::string to_text(const ResponseReport& report, const TextStyle& style) {
  if (report.tasks.empty()) return {};
  std::string out = task_table(report, style) + "\n" + summary(report, style);
  if (style.explain) out += sums(report, style);
  if (report.timeline) out += timeline(report, style);
  return out + assumption_text(report, style);
}

}  // namespace warpspan::app
