// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/response_times/response_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace rt = solver::response_times;
using support::printable;

namespace {

constexpr int64_t khz_of_picoseconds = 1'000'000'000;  // of a clock with a cycle each picosecond

constexpr TimeUnit units[] = {
    {1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "us"}, {1000, "ns"}, {1, "ps"}};

}  // namespace

std::string time_text(int64_t time, const ResponseReport& report) {
  if (time < 0) return "-" + time_text(-time, report);
  return report.has_units ? duration(time, khz_of_picoseconds) : thousands(time);
}

TimeUnit time_unit(int64_t most, const ResponseReport& report) {
  if (!report.has_units) return {};
  const auto fits = [most](const TimeUnit& unit) { return unit.size <= most; };
  const auto* unit = std::find_if(std::begin(units), std::end(units), fits);
  return unit == std::end(units) ? units[std::size(units) - 1] : *unit;
}

std::string in_unit(int64_t time, const TimeUnit& unit) {
  std::string decimals = std::to_string(unit.size + time % unit.size).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return thousands(time / unit.size) + (decimals.empty() ? "" : "." + decimals);
}

std::string exact_time(int64_t time, const ResponseReport& report) {
  if (time < 0) return "-" + exact_time(-time, report);
  if (time == 0) return "0";
  const TimeUnit unit = time_unit(time, report);
  return in_unit(time, unit) + (report.has_units ? std::string(" ") + unit.name : "");
}

std::string short_text(const std::string& text, size_t most) {
  const std::string whole = printable(text);
  if (whole.size() <= most) return whole;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xc0) == 0x80) --end;
  return whole.substr(0, end) + " ...";
}

std::string share_text(int64_t millionths) {
  if (millionths == INT64_MAX) return "more than can be told";
  return percent(millionths / 1000 + (millionths % 1000 > 0 ? 1 : 0));
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

std::string gpu_text(const ResponseReport& report) {
  const rt::Gpu& gpu = report.workload.gpu;
  const std::string machine = report.machine.empty() ? "" : printable(report.machine) + ", ";
  if (report.whole_gpu) return machine + "one kernel at a time";
  std::vector<std::string> capacities;
  for (size_t kind = 0; kind < rt::kinds; ++kind) {
    if (gpu.capacity[kind] > 0) capacities.push_back(thousands(gpu.capacity[kind]) + " " + kind_words[kind]);
  }
  return fmt::format("{}{}{}", machine, counted(gpu.multiprocessors, "multiprocessor"),
                     capacities.empty() ? "" : " of " + joined(capacities));
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

std::string operation_text(const ResponseReport& report, size_t task, size_t operation) {
  for (const BoundedOperation& bounded : report.tasks[task].bounded) {
    if (bounded.operation == operation) return "kernel " + printable(support::short_name(bounded.kernel));
  }
  const rt::Operation& one = report.workload.tasks[task].operations[operation];
  if (const auto* copy = std::get_if<rt::Copy>(&one)) {
    return copy->direction == rt::Direction::to_host ? "copy to the host" : "copy to the device";
  }
  return "kernel of " + counted(std::get<rt::Kernel>(one).blocks, "block");
}

size_t engines_of(const ResponseReport& report) { return static_cast<size_t>(report.workload.gpu.copy_engines); }

std::vector<Share> shares_of(const ResponseReport& report) {
  std::vector<Share> shares = {{"kernels", report.utilisation.kernels, {}}};
  for (const TaskResponse& task : report.tasks) shares.back().tasks.push_back(task.utilisation.kernels);
  for (size_t engine = 0; engine < engines_of(report); ++engine) {
    shares.push_back({"copy engine " + std::to_string(engine), report.utilisation.engines[engine], {}});
    for (const TaskResponse& task : report.tasks) shares.back().tasks.push_back(task.utilisation.engines[engine]);
  }
  return shares;
}

}  // namespace warpspan::app
