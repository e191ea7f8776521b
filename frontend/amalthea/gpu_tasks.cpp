// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/gpu_tasks.hpp"

#include <algorithm>

#include "frontend/amalthea/activation.hpp"
#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/lookup.hpp"
#include "frontend/amalthea/mapping.hpp"
#include "frontend/amalthea/steps.hpp"
#include "frontend/amalthea/work.hpp"
#include "support/checked.hpp"

namespace warpspan::amalthea {

namespace {

constexpr size_t most_tasks = 4096;  // of a tasks file

// Whether a < b, of numbers above 0.
bool is_less(const Decimal& a, const Decimal& b) {
  support::WideInteger left = a.digits, right = b.digits;
  for (int i = b.exponent; i < a.exponent; ++i) left *= 10;
  for (int i = a.exponent; i < b.exponent; ++i) right *= 10;
  if (!left.value()) return false;  // larger than any that fits
  return !right.value() || *left.value() < *right.value();
}

class Builder {
 public:
  Builder(const support::SourceFile& file, const Model& model) : model_(model), findings_(file) {}

  support::Result<GpuTasks> run() {
    for (const Stranger& one : model_.unread)
      findings_.note(one.at, one.what + " is not read: it changes no response time on the GPU");
    mapping_ = map_tasks(model_, findings_);
    if (!findings_.has_errors()) read_gpu();
    if (!findings_.has_errors()) read_tasks();
    if (findings_.has_errors()) return findings_.errors();
    result_.notes = findings_.notes();
    return std::move(result_);
  }

 private:
  void read_gpu() {
    const ProcessingUnitDefinition& definition = *mapping_.definition;
    const std::string title = "definition '" + definition.name + "'";
    refuse_strangers(findings_, definition.strangers, title);
    refuse_strangers(findings_, mapping_.unit->strangers, "processing unit '" + mapping_.unit->name + "'");
    result_.gpu = entries_of(definition, Owner::definition,
                             {"machine", "multiprocessors", "blocks", "threads", "shared", "registers", "copy_engines",
                              "copy_rate", "null_stream", "exclusive"},
                             title, findings_);
    result_.gpu_at = findings_.locate(definition.at);
    if (definition.find("machine") == nullptr && definition.find("multiprocessors") == nullptr)
      findings_.error(definition.at, "how many blocks the GPU '" + definition.name + "' holds is not told",
                      property_help("machine", "tx2", "the definition") +
                          ", or warpspan.multiprocessors and "
                          "warpspan.blocks");
    read_frequency();
    read_rate();
  }

  // The slowest of all that the domain may have.
  void read_frequency() {
    const auto* domain = follow_one(findings_, model_.domains, mapping_.unit->domain, mapping_.unit->at,
                                    "the frequency domain of processing unit '" + mapping_.unit->name + "'");
    if (domain == nullptr) return;
    const std::string title = "frequency domain '" + domain->name + "'";
    refuse_strangers(findings_, domain->strangers, title);
    const char* help = "write <defaultValue value=\"1300.0\" unit=\"MHz\"/>";
    if (domain->values.empty()) findings_.error(domain->at, title + " has no frequency", help);
    for (const DecimalAmount& one : domain->values) {
      if (!one.value) {
        findings_.error(one.at, "'" + one.written + "' is no frequency", help);
      } else if (!clock_.hertz || is_less(*one.value, *clock_.hertz)) {
        clock_.hertz = one.value;
        clock_.frequency = one.written;
      }
    }
    if (domain->values.size() > 1)
      findings_.note(domain->at,
                     title + " has several frequencies: ticks are taken at the slowest, " + clock_.frequency);
  }

  void read_rate() {
    for (const Reference& reference : mapping_.definition->features) {
      const Feature* feature = follow(findings_, model_.features, reference);
      if (feature == nullptr || (feature->name != "IPC" && !feature->name.starts_with("Instructions/"))) continue;
      if (!feature->number.value)
        findings_.error(feature->at, "'" + feature->number.written + "' is no number of instructions in a tick",
                        "write value=\"1.0\"");
      if (clock_.per_tick)
        findings_.error(reference.at, "'" + mapping_.definition->name + "' has two numbers of instructions in a tick",
                        "take one of them out");
      clock_.per_tick = feature->number.value;
    }
  }

  void read_tasks() {
    if (mapping_.tasks.size() > most_tasks)
      return findings_.error(mapping_.tasks[most_tasks]->at,
                             std::to_string(mapping_.tasks.size()) + " tasks are on the GPU",
                             "response times are found for at most " + std::to_string(most_tasks));
    size_t steps_left = most_steps;
    for (size_t i = 0; i < mapping_.tasks.size(); ++i)
      read_task(*mapping_.tasks[i], *mapping_.allocations[i], steps_left);
    refuse_host_allocations();
    const bool has_copies = std::any_of(result_.tasks.begin(), result_.tasks.end(), [](const GpuTask& task) {
      return std::any_of(task.work.begin(), task.work.end(),
                         [](const Operation& one) { return one.entries.front().key == "copy"; });
    });
    if (has_copies && mapping_.definition->find("copy_rate") == nullptr)
      findings_.error(mapping_.definition->at, "labels are copied, and how fast the GPU copies is not told",
                      property_help("copy_rate", "5000000000", "the definition") + ": bytes a second");
  }

  void read_task(const Task& task, const TaskAllocation& allocation, size_t& steps_left) {
    const std::string title = "task '" + task.name + "'";
    GpuTask result;
    result.at = findings_.locate(task.at);
    result.entries.push_back({"name", task.name, result.at});
    for (Entry& entry : entries_of(task, Owner::task, {"stream", "priority"}, title, findings_))
      result.entries.push_back(std::move(entry));
    if (task.find("stream") == nullptr)
      findings_.error(task.at, "the stream of " + title + " is not told",
                      property_help("stream", "1", "the task") + ": tasks of one stream run one after another");
    if (allocation.priority && task.find("priority") == nullptr)
      findings_.error(
          allocation.priority->at,
          "what " + allocation.priority->what + " of " + title + " mean for a stream of the GPU is not told",
          property_help("priority", "0", "the task") + ": larger ones go first");
    add_activation(model_, task, findings_, result.entries);
    const std::vector<Step> steps = steps_of(model_, task, steps_left, findings_);
    if (!findings_.has_errors()) result.work = work_of(model_, mapping_, clock_, steps, findings_);
    if (result.work.empty() && !findings_.has_errors())
      findings_.error(task.at, title + " does nothing on the GPU",
                      "give it a runnable with ticks, or map it elsewhere");
    for (const Step& step : steps) called_.push_back(step.owner);
    result_.tasks.push_back(std::move(result));
  }

  // A runnable of a task on the GPU that is allocated to something else.
  void refuse_host_allocations() {
    std::sort(called_.begin(), called_.end());
    for (const RunnableAllocation& allocation : model_.runnable_allocations) {
      if (allocation.runnable.size() != 1) continue;
      const Runnable* runnable = model_.runnables.find(allocation.runnable.front().name);
      if (runnable != nullptr && std::binary_search(called_.begin(), called_.end(), runnable))
        findings_.error(allocation.at,
                        "runnable '" + runnable->name + "' of a task on the GPU has an allocation of its own",
                        "allocate the task alone");
    }
  }

  const Model& model_;
  Findings findings_;
  Mapping mapping_;
  Clock clock_;
  GpuTasks result_;
  std::vector<const Runnable*> called_;
};

}  // namespace

support::Result<GpuTasks> gpu_tasks(const support::SourceFile& file, const Model& model) {
  return Builder(file, model).run();
}

}  // namespace warpspan::amalthea
