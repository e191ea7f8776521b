// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/response/response_times.hpp"

#include <algorithm>
#include <set>

#include "app/facts/spelling.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/readable.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/machine_shelf.hpp"
#include "app/requests/response/kernel_key.hpp"
#include "app/requests/response/response_assumptions.hpp"
#include "app/requests/response/response_runs.hpp"
#include "solver/response/whole_gpu.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::Diagnostic;
using support::Diagnostics;
using support::usage_error;

void move_to(Diagnostic& wrong, const TasksPlace& place) {
  wrong.location = place.at;
  wrong.source_line = place.line;
}

// An error without a line stands at the place that asks for the file.
void name_place(Diagnostic& wrong, const TasksPlace& place) {
  const std::string& file = wrong.location.file;
  if (!file.empty() && wrong.message.find(file) == std::string::npos) wrong.message = file + ": " + wrong.message;
  move_to(wrong, place);
}

class ResponseAnalysis {
 public:
  explicit ResponseAnalysis(const ResponseRequest& request) : request_(request), workload_(request.workload) {
    report_.file = request.name;
    report_.has_units = request.has_units;
    report_.whole_gpu = request.exclusive || !request.bounded.empty();
  }

  ResponseReport run() {
    for (const auto step : {&ResponseAnalysis::take_machine, &ResponseAnalysis::refuse_other_gpu,
                            &ResponseAnalysis::refuse_streams, &ResponseAnalysis::fit_blocks,
                            &ResponseAnalysis::bound_all, &ResponseAnalysis::join_gpu, &ResponseAnalysis::solve}) {
      if (!has_error(report_.errors)) (this->*step)();
    }
    if (has_error(report_.errors)) {
      report_.tasks.clear();
      report_.timeline.reset();
    } else {
      report_.workload = std::move(workload_);
      add_assumptions();
    }
    return std::move(report_);
  }

 private:
  void error(const TasksPlace& place, std::string message, std::string help) {
    report_.errors.push_back(usage_error(std::move(message), std::move(help)));
    move_to(report_.errors.back(), place);
  }

  const TasksPlace& place_of(const OperationIndex& index) const { return request_.places[index.first][index.second]; }

  // Calls use(index, kernel) for each kernel that is given by its blocks.
  template <typename Use>
  void for_each_given(const Use& use) {
    for (size_t task = 0; task < workload_.tasks.size(); ++task) {
      auto& operations = workload_.tasks[task].operations;
      for (size_t i = 0; i < operations.size(); ++i) {
        auto* kernel = std::get_if<rt::Kernel>(&operations[i]);
        if (kernel != nullptr && !request_.bounded.contains({task, i})) use(OperationIndex(task, i), *kernel);
      }
    }
  }

  // The GPU's figures: the file's, or else the machine's.
  void take_machine() {
    if (!request_.machine.empty()) {
      const auto& machine = machines_.find(request_.machine, "");
      if (!machine) {
        for (const Diagnostic& wrong : machine.errors()) add_at(request_.machine_at, wrong);
        return;
      }
      report_.machine = machine->name;
      machines_.record(*machine, report_.run);
      workload_.gpu.multiprocessors = machine->multiprocessors;
      workload_.gpu.capacity = {machine->max_blocks.least, machine->max_warps * timing::warp_size,
                                machine->shared_bytes.least, machine->registers};
    }
    if (request_.multiprocessors) workload_.gpu.multiprocessors = *request_.multiprocessors;
    for (size_t kind = 0; kind < rt::kinds; ++kind) {
      if (request_.capacity[kind]) workload_.gpu.capacity[kind] = *request_.capacity[kind];
    }
  }

  // An error, at the place that asks for it unless it has one.
  void add_at(const TasksPlace& place, Diagnostic wrong) {
    if (wrong.location.file.empty()) move_to(wrong, place);
    report_.errors.push_back(std::move(wrong));
  }

  // A kernel of a file is bounded on a machine as it is.
  void refuse_other_gpu() {
    if (request_.bounded.empty()) return;
    const bool has_capacity = std::any_of(request_.capacity.begin(), request_.capacity.end(),
                                          [](const auto& amount) { return amount.has_value(); });
    if (request_.machine.empty()) {
      error(place_of(request_.bounded.begin()->first), "a kernel of a file, and no machine to bound it on",
            "write machine = \"NAME\" in [gpu]");
    } else if (has_capacity || request_.multiprocessors) {
      error(request_.gpu, "kernels of files are bounded on the machine as it is, and [gpu] has other figures of it",
            "leave multiprocessors, blocks, threads, shared and registers out of [gpu]");
    }
  }

  // The bound of a kernel of a file holds where no other kernel runs beside it.
  void refuse_streams() {
    if (request_.bounded.empty() || request_.exclusive) return;
    std::optional<int64_t> known;
    for (size_t task = 0; task < workload_.tasks.size(); ++task) {
      const auto& operations = workload_.tasks[task].operations;
      for (size_t i = 0; i < operations.size(); ++i) {
        if (!std::holds_alternative<rt::Kernel>(operations[i])) continue;
        const int64_t stream = workload_.tasks[task].stream;
        if (known.value_or(stream) != stream) {
          error(place_of({task, i}),
                "kernels in streams " + std::to_string(*known) + " and " + std::to_string(stream) +
                    " may run at the same time, and the bound of a kernel of a file holds for the kernel alone",
                "put all kernels into one stream; or write exclusive = true in [gpu] if the application never lets "
                "kernels of several streams run at the same time");
          return;
        }
        known = stream;
      }
    }
  }

  // What [gpu] says nothing of is no limit: there blocks need nothing.
  void fit_blocks() {
    const rt::Gpu& gpu = workload_.gpu;
    bool some = false, unlimited = false;
    for_each_given([&](const OperationIndex& index, rt::Kernel& kernel) {
      some = true;
      for (size_t kind = 0; kind < rt::kinds; ++kind) {
        if (request_.machine.empty() && !request_.capacity[kind]) kernel.need[kind] = 0;
        if (kernel.need[kind] > gpu.capacity[kind]) refuse_block(index, kernel, kind);
      }
      unlimited = unlimited || rt::fitting(gpu.capacity, kernel.need) == INT64_MAX;
    });
    if (some && request_.machine.empty() && !request_.multiprocessors) {
      error(request_.gpu, "missing key 'multiprocessors' in [gpu]", "write multiprocessors = 2, or a machine");
    }
    if (unlimited) {
      error(request_.gpu, "nothing in [gpu] limits how many blocks run at once",
            "write blocks = 16: how many a multiprocessor holds, or a machine");
    }
  }

  void refuse_block(const OperationIndex& index, const rt::Kernel& kernel, size_t kind) {
    error(place_of(index),
          "a block needs " + std::to_string(kernel.need[kind]) + " " + kind_words[kind] +
              ", and a multiprocessor has " + std::to_string(workload_.gpu.capacity[kind]),
          "make the blocks smaller");
  }

  void bound_all() {
    report_.tasks.resize(workload_.tasks.size());
    for (const auto& [index, kernel] : request_.bounded) bound(index, kernel);
  }

  // A kernel with the same launch in several places is bounded once.
  const AnalyzeReport& bound_of(const KernelOfFile& kernel) {
    const auto [known, added] = bounds_.try_emplace(key_of(kernel));
    if (!added) return known->second;
    BoundRequest request;
    request.kernels.files = {kernel.file};
    request.kernels.compilation = kernel.compilation;
    if (!kernel.kernel.empty()) request.kernels.kernels = {kernel.kernel};
    request.kernels.launch = kernel.launch;
    request.kernels.facts = kernel.facts;
    request.machine = request_.machine;
    request.assumed = kernel.assumed;
    request.string_model = false;
    request.limits.memory = request_.memory;
    known->second = bound_kernels(request, machines_);
    report_.run.add(known->second.run);
    return known->second;
  }

  void bound(const OperationIndex& index, const KernelOfFile& kernel) {
    const AnalyzeReport& found = bound_of(kernel);
    // What a task says of its kernel, and is true of none. What a file of facts says may be for others.
    const auto is_unused_claim = [this](const Diagnostic& one) {
      return one.severity == support::Severity::warning && one.location.file == request_.name;
    };
    for (Diagnostic wrong : found.errors) {
      if (wrong.location.line == 0) name_place(wrong, place_of(index));
      name_keys(wrong, place_of(index).at);
      if (is_unused_claim(wrong)) wrong.severity = support::Severity::error;
      if (!has_same(report_.errors, wrong)) report_.errors.push_back(std::move(wrong));
    }
    if (has_error(found.errors) || std::any_of(found.errors.begin(), found.errors.end(), is_unused_claim)) return;
    if (found.kernels.size() != 1) {
      error(place_of(index),
            std::to_string(found.kernels.size()) + " kernels of '" + kernel.file + "' are meant, not 1",
            "write kernel = \"NAME\"");
      return;
    }
    take_bound(index, *found.kernels.at(0));
  }

  void take_bound(const OperationIndex& index, const KernelReport& kernel) {
    const solver::Bound& bound = *headline_bound(kernel.analysis);
    const auto time = picoseconds(*bound.makespan, kernel.machine.clock_khz);
    if (!time) {
      error(place_of(index), "the bound of the kernel exceeds 2^63 picoseconds", "make the launch smaller");
      return;
    }
    auto& operation = std::get<rt::Kernel>(workload_.tasks[index.first].operations[index.second]);
    operation.block_time = std::max<int64_t>(1, *time);
    report_.tasks[index.first].bounded.push_back({index.second, kernel.file, kernel.name, *bound.makespan});
    for (const std::string& sentence : bound.assumptions) assume(sentence, support::short_name(kernel.name));
    if (!kernel.elsewhere.empty()) elsewhere_.insert(kernel.elsewhere);
  }

  // Each kernel alone on the GPU.
  void join_gpu() {
    if (!report_.whole_gpu) return;
    for_each_given([&](const OperationIndex& index, rt::Kernel& kernel) {
      const auto time = rt::time_alone(workload_.gpu, kernel);
      if (!time) error(place_of(index), "the kernel takes more than 2^63 - 1", "give smaller times");
      kernel = {1, time.value_or(1), {}};
    });
    rt::take_whole_gpu(workload_);
  }

  void solve() {
    const auto responses = rt::response_bounds(workload_);
    if (!responses) {
      add_all(responses.errors());
      return;
    }
    report_.utilisation = responses->utilisation;
    ResponseRuns runs(request_, workload_, report_);
    // Before the search, which takes seconds: what is too large to be drawn is reported at once.
    if (request_.timeline || request_.pictures) add_all(runs.draw());
    if (!has_error(report_.errors)) add_all(runs.search());
    for (size_t i = 0; i < report_.tasks.size(); ++i) {
      TaskResponse& task = report_.tasks[i];
      const rt::ResponseBound& bound = responses->tasks[i];
      task.bound = bound.response;
      task.reason = bound.reason;
      task.utilisation = bound.utilisation;
      task.verdict = verdict_of(bound.verdict, task, rt::deadline_of(workload_.tasks[i]));
      if (request_.terms) task.terms = rt::terms_of(workload_, *responses, i);
    }
    if (request_.pictures) add_all(runs.draw_slowest());
  }

  static TaskVerdict verdict_of(rt::Verdict verdict, const TaskResponse& task, const std::optional<int64_t>& deadline) {
    if (task.slowest && deadline && *task.slowest > *deadline) return TaskVerdict::misses;
    switch (verdict) {
      case rt::Verdict::meets_deadline: return TaskVerdict::meets;
      case rt::Verdict::may_miss: return TaskVerdict::may_miss;
      case rt::Verdict::bounded: return TaskVerdict::bounded;
      case rt::Verdict::no_bound: break;
    }
    return TaskVerdict::no_bound;
  }

  void add_all(const Diagnostics& errors) {
    for (const Diagnostic& wrong : errors) add_at(request_.gpu, wrong);
  }

  void assume(const std::string& sentence, const std::string& kernel) {
    const auto known = std::find_if(of_kernels_.begin(), of_kernels_.end(),
                                    [&sentence](const auto& one) { return one.first == sentence; });
    auto& kernels = known == of_kernels_.end() ? of_kernels_.emplace_back(sentence, Words()).second : known->second;
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  }

  // Those of all kernels of files come last, but that their code is of another GPU: everybody is to see that.
  void add_assumptions() {
    report_.assumptions = assumptions_of(request_, report_.machine, report_.whole_gpu);
    report_.own_assumptions = report_.assumptions.size();
    for (const bool is_elsewhere : {true, false}) {
      for (const auto& [sentence, kernels] : of_kernels_) {
        if (elsewhere_.contains(sentence) != is_elsewhere) continue;
        report_.assumptions.push_back(joined(kernels) + ": " + sentence);
        if (is_elsewhere) ++report_.own_assumptions;
      }
    }
  }

  const ResponseRequest& request_;
  rt::Workload workload_;
  ResponseReport report_;
  MachineShelf machines_;
  std::map<KernelKey, AnalyzeReport> bounds_;
  using Words = std::vector<std::string>;
  std::vector<std::pair<std::string, Words>> of_kernels_;  // sentences, and which kernels they are for
  std::set<std::string> elsewhere_;                        // of these: that no device of the machine runs the code
};

}  // namespace

ResponseReport response_times(const ResponseRequest& request) { return ResponseAnalysis(request).run(); }

}  // namespace warpspan::app
