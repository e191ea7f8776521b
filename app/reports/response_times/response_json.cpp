// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.rta/1", "file", "machine", "time_unit", "whole_gpu", "gpu", "tasks": [...], "kernel_millionths",
//  "copy_millionths", "engine_millionths", "runs", "timeline", "assumptions": [...], "errors": [...], "warnings":
//  [...], "version", "status", "run"}; errors, warnings, status and run as in analyze_json.cpp.
//   "machine"     its name, or null
//   "time_unit"   "ps", or null where the file gives times no unit: of all times below
//   "whole_gpu"   a kernel takes the whole GPU, which "gpu" has as one multiprocessor that holds one block
//   "gpu"         {"multiprocessors", "blocks", "threads", "shared_bytes", "registers": of each, 0 where nothing needs
//                 any, "copy_engines", "null_stream": "none" or "legacy"}, or null after an error
//   "tasks"       [{"name", "stream", "priority", "offset", "period", "deadline", "bound", "slowest": null where there
//                 is none, "verdict": "meets", "may-miss", "misses", "bounded" or "no-bound", "reason",
//                 "kernel_millionths", "copy_millionths", "engine_millionths": [by copy engine],
//                 "work": [{"copy": "to-device", "to-host" or null, "blocks", "time": of one block or of the copy,
//                           "file", "kernel", "cycles": null where it is not from a file}],
//                 "terms": [{"task", "reason", "time"}], empty without --explain}]
//   "timeline"    {"jobs": [{"task", "release", "end"}], "blocks": [{"job", "operation", "block", "place", "start",
//                 "end"}]}, or null without --timeline; place: the multiprocessor or the copy engine, from 0
#include <algorithm>

#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "app/reports/response_times/response_formats.hpp"
#include "app/reports/response_times/response_words.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;

const char* to_string(rt::Reason reason) {
  switch (reason) {
    case rt::Reason::own: return "own";
    case rt::Reason::own_blocks: return "own-blocks";
    case rt::Reason::ahead: return "ahead";
    case rt::Reason::larger_priority: return "larger-priority";
    case rt::Reason::equal_priority: return "equal-priority";
    case rt::Reason::smaller_priority: return "smaller-priority";
    case rt::Reason::copies: return "copies";
    case rt::Reason::released_later: return "released-later";
  }
  return "own";
}

Json gpu_to_json(const rt::Gpu& gpu) {
  const auto of = [&gpu](rt::Kind kind) { return gpu.capacity[static_cast<size_t>(kind)]; };
  return {{"multiprocessors", gpu.multiprocessors},
          {"blocks", of(rt::Kind::blocks)},
          {"threads", of(rt::Kind::threads)},
          {"shared_bytes", of(rt::Kind::shared_bytes)},
          {"registers", of(rt::Kind::registers)},
          {"copy_engines", gpu.copy_engines},
          {"null_stream", gpu.null_stream == rt::NullStream::legacy ? "legacy" : "none"}};
}

Json operation_to_json(const rt::Operation& operation) {
  const auto* copy = std::get_if<rt::Copy>(&operation);
  const auto* kernel = std::get_if<rt::Kernel>(&operation);
  Json direction;
  if (copy != nullptr) direction = copy->direction == rt::Direction::to_host ? "to-host" : "to-device";
  return {{"copy", direction},
          {"blocks", kernel == nullptr ? 0 : kernel->blocks},
          {"time", kernel == nullptr ? copy->time : kernel->block_time},
          {"file", nullptr},
          {"kernel", nullptr},
          {"cycles", nullptr}};
}

Json work_to_json(const rt::Task& task, const TaskResponse& found) {
  Json work = Json::array();
  for (const rt::Operation& operation : task.operations) work.push_back(operation_to_json(operation));
  for (const BoundedOperation& bounded : found.bounded) {
    Json& operation = work[bounded.operation];
    operation["file"] = bounded.file;
    operation["kernel"] = bounded.kernel;
    operation["cycles"] = bounded.cycles;
  }
  return work;
}

Json engines_to_json(const ResponseReport& report, const rt::Utilisation& utilisation) {
  Json engines = Json::array();
  for (size_t i = 0; i < engines_of(report); ++i) engines.push_back(utilisation.engines[i]);
  return engines;
}

int64_t copies_of(const rt::Utilisation& utilisation) {
  return (support::Integer(utilisation.engines[0]) + utilisation.engines[1]).value().value_or(INT64_MAX);
}

Json task_to_json(const ResponseReport& report, size_t index) {
  const rt::Task& task = report.workload.tasks[index];
  const TaskResponse& found = report.tasks[index];
  Json terms = Json::array();
  for (const rt::Term& term : found.terms) {
    terms.push_back(
        {{"task", report.workload.tasks[term.task].name}, {"reason", to_string(term.reason)}, {"time", term.time}});
  }
  return {{"name", task.name},
          {"stream", task.stream},
          {"priority", task.priority},
          {"offset", task.offset},
          {"period", or_null(task.period)},
          {"deadline", or_null(rt::deadline_of(task))},
          {"bound", or_null(found.bound)},
          {"slowest", or_null(found.slowest)},
          {"verdict", to_string(found.verdict)},
          {"reason", found.reason},
          {"kernel_millionths", found.utilisation.kernels},
          {"copy_millionths", copies_of(found.utilisation)},
          {"engine_millionths", engines_to_json(report, found.utilisation)},
          {"work", work_to_json(task, found)},
          {"terms", terms}};
}

Json timeline_to_json(const ResponseReport& report) {
  if (!report.timeline) return nullptr;
  const Timeline& timeline = *report.timeline;
  Json jobs = Json::array(), blocks = Json::array();
  for (size_t job = 0; job < timeline.releases.size(); ++job) {
    const rt::Release& release = timeline.releases[job];
    jobs.push_back({{"task", report.workload.tasks[release.task].name},
                    {"release", release.time},
                    {"end", timeline.run.finish[job]}});
  }
  for (const rt::BlockRun& block : timeline.run.blocks) {
    blocks.push_back({{"job", block.piece.job},
                      {"operation", block.piece.operation},
                      {"block", block.piece.block},
                      {"place", block.multiprocessor},
                      {"start", block.start},
                      {"end", block.end}});
  }
  return {{"jobs", jobs}, {"blocks", blocks}};
}

}  // namespace

std::string to_json(const ResponseReport& report, const TextStyle&) {
  Json tasks = Json::array();
  for (size_t i = 0; i < report.tasks.size(); ++i) tasks.push_back(task_to_json(report, i));
  return dump({{"schema", "warpspan.rta/1"},
               {"file", report.file},
               {"machine", report.machine.empty() ? Json() : Json(report.machine)},
               {"time_unit", report.has_units ? Json("ps") : Json()},
               {"whole_gpu", report.whole_gpu},
               {"gpu", report.tasks.empty() ? Json() : gpu_to_json(report.workload.gpu)},
               {"tasks", tasks},
               {"kernel_millionths", report.utilisation.kernels},
               {"copy_millionths", std::max(report.utilisation.engines[0], report.utilisation.engines[1])},
               {"engine_millionths", engines_to_json(report, report.utilisation)},
               {"runs", report.runs},
               {"timeline", timeline_to_json(report)},
               {"assumptions", report.assumptions},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors, !all_meet(report)))},
               {"run", run_to_json(report.run)}});
}

}  // namespace warpspan::app
