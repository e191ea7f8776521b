// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/mapping.hpp"

#include <map>

#include "frontend/amalthea/lookup.hpp"

namespace warpspan::amalthea {

namespace {

enum class Place : uint8_t { unknown, host, gpu };

// The processing units of a scheduler or of an affinity.
struct Units {
  Place place = Place::unknown;
  std::set<const ProcessingUnit*> gpus;
};

std::vector<Reference> calls_of(const Process& process) {
  std::vector<Reference> calls;
  for (const Item& item : process.items) {
    if (item.kind == Item::Kind::call) calls.push_back(item.to);
    calls.insert(calls.end(), item.inner.begin(), item.inner.end());
  }
  return calls;
}

class Mapper {
 public:
  Mapper(const Model& model, Findings& findings) : model_(model), findings_(findings) {}

  Mapping run() {
    place_schedulers();
    place_runnables();
    for (const TaskAllocation& allocation : model_.task_allocations) allocate(allocation);
    for (const RunnableAllocation& allocation : model_.runnable_allocations) check_runnable(allocation);
    for (const Task& task : model_.tasks.all) place(task);
    choose_unit();
    return std::move(mapping_);
  }

 private:
  Units units_of(const std::vector<Reference>& references, size_t at) {
    Units units;
    for (const Reference& reference : references) {
      const ProcessingUnit* unit = follow(findings_, model_.units, reference);
      if (unit == nullptr) continue;
      const auto* definition = follow_one(findings_, model_.definitions, unit->definition, unit->at,
                                          "the definition of processing unit '" + unit->name + "'");
      if (definition == nullptr) continue;
      const Place own = definition->type == "GPU" ? Place::gpu : Place::host;
      if (units.place != Place::unknown && units.place != own)
        findings_.error(at, "a GPU and something else together serve the same tasks",
                        "give the GPU a scheduler of its own");
      if (own == Place::gpu) units.gpus.insert(unit);
      if (units.place != Place::gpu) units.place = own;
    }
    return units;
  }

  void place_schedulers() {
    for (const SchedulerAllocation& allocation : model_.scheduler_allocations) {
      const auto* scheduler = follow_one(findings_, model_.schedulers, allocation.scheduler, allocation.at,
                                         "the scheduler of a scheduler allocation");
      if (scheduler == nullptr) continue;
      if (!schedulers_.emplace(scheduler, units_of(allocation.units, allocation.at)).second)
        findings_.error(allocation.at, "scheduler '" + scheduler->name + "' is allocated twice",
                        "write all its processing units into one allocation");
    }
  }

  Units units_of(const Scheduler* scheduler) const {
    const auto known = schedulers_.find(scheduler);
    return known == schedulers_.end() ? Units() : known->second;
  }

  void allocate(const TaskAllocation& allocation) {
    if (allocation.task.size() == 1 && allocation.task.front().type != "Task") return;  // an interrupt
    const Task* task =
        follow_one(findings_, model_.tasks, allocation.task, allocation.at, "the task of a task allocation");
    const Scheduler* scheduler = follow_one(findings_, model_.schedulers, allocation.scheduler, allocation.at,
                                            "the scheduler of a task allocation");
    if (task == nullptr || scheduler == nullptr) return;
    Units units = units_of(scheduler);
    Units near = units_of(allocation.affinity, allocation.at);
    const bool known = near.place != Place::unknown && units.place != Place::unknown;
    if (known && near.place != units.place)
      findings_.error(allocation.at, "the affinity of task '" + task->name + "' is to units that its scheduler lacks",
                      "take one of the two out");
    if (near.place != Place::unknown) units = std::move(near);
    if (!allocations_.emplace(task, std::pair(&allocation, std::move(units))).second)
      findings_.error(allocation.at, "task '" + task->name + "' is allocated twice", "take one allocation out");
  }

  // Depth first without recursion: chains of calls may be long.
  void place_runnables() {
    for (const RunnableAllocation& allocation : model_.runnable_allocations) {
      if (allocation.runnable.size() != 1 || allocation.scheduler.size() != 1) continue;
      const Scheduler* scheduler = model_.schedulers.find(allocation.scheduler.front().name);
      if (scheduler != nullptr && units_of(scheduler).place == Place::gpu)
        allocated_.insert(model_.runnables.find(allocation.runnable.front().name));
    }
    for (const Runnable& runnable : model_.runnables.all) {
      if (!states_.contains(&runnable)) visit(runnable);
    }
  }

  enum class State : uint8_t { open, host, gpu };

  struct Frame {
    const Runnable* runnable;
    std::vector<Reference> calls;
    size_t next = 0;
    bool gpu = false;
  };

  void visit(const Runnable& root) {
    std::vector<Frame> frames;
    const auto enter = [&](const Runnable* runnable) {
      states_[runnable] = State::open;
      const bool own = !runnable->properties.empty() || allocated_.contains(runnable);
      frames.push_back({runnable, calls_of(*runnable), 0, own});
    };
    enter(&root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.next == frame.calls.size()) {
        states_[frame.runnable] = frame.gpu ? State::gpu : State::host;
        const bool gpu = frame.gpu;
        frames.pop_back();
        if (!frames.empty()) frames.back().gpu = frames.back().gpu || gpu;
        continue;
      }
      const Reference& call = frame.calls[frame.next++];
      const Runnable* callee = follow(findings_, model_.runnables, call);
      if (callee == nullptr) continue;
      const auto known = states_.find(callee);
      if (known == states_.end()) {
        enter(callee);
      } else if (known->second == State::open) {
        findings_.error(call.at, "runnable '" + callee->name + "' calls itself, here or through others",
                        "a chain of calls has to end");
      } else {
        frame.gpu = frame.gpu || known->second == State::gpu;
      }
    }
  }

  void check_runnable(const RunnableAllocation& allocation) {
    follow_one(findings_, model_.runnables, allocation.runnable, allocation.at, "the runnable of an allocation");
    follow_one(findings_, model_.schedulers, allocation.scheduler, allocation.at, "the scheduler of an allocation");
  }

  // The first call of what belongs to a GPU.
  const Reference* call_of_gpu(const std::vector<Reference>& calls) {
    const Reference* found = nullptr;
    for (const Reference& call : calls) {
      const Runnable* callee = follow(findings_, model_.runnables, call);
      if (callee == nullptr || found != nullptr) continue;
      const auto state = states_.find(callee);
      if (state != states_.end() && state->second == State::gpu) found = &call;
    }
    return found;
  }

  void place(const Task& task) {
    const auto known = allocations_.find(&task);
    const Place place = known == allocations_.end() ? Place::unknown : known->second.second.place;
    if (place == Place::gpu) {
      mapping_.tasks.push_back(&task);
      mapping_.allocations.push_back(known->second.first);
      used_.insert(known->second.second.gpus.begin(), known->second.second.gpus.end());
      return;
    }
    const std::vector<Reference> calls = calls_of(task);
    const std::string name = "task '" + task.name + "'";
    if (const Reference* call = call_of_gpu(calls)) {
      findings_.error(call->at, name + " runs on no GPU, and calls '" + call->written + "', which belongs to one",
                      "make a task of what runs on the GPU, with a task allocation to the GPU's scheduler: when a "
                      "host gets to a launch is not known here");
    } else if (!task.properties.empty()) {
      findings_.error(task.properties.front().at,
                      name + " runs on no GPU, and has 'warpspan." + task.properties.front().key + "'",
                      "give it a task allocation to the GPU's scheduler, or take the property out");
    } else {
      findings_.note(
          task.at, name + (place == Place::host ? " runs on no GPU" : " is allocated to nothing") + ": it is left out");
    }
  }

  void choose_unit() {
    if (findings_.has_errors()) return;
    if (mapping_.tasks.empty())
      return findings_.error(0, "no task of the model runs on a GPU",
                             "map one: a task allocation to a scheduler whose processing unit has a definition with "
                             "puType=\"GPU\"");
    if (used_.size() != 1)
      return findings_.error((*used_.rbegin())->at, "tasks are on several GPUs, and response times are those of one",
                             "make a model of each GPU");
    mapping_.unit = *used_.begin();
    mapping_.definition = model_.definitions.find(mapping_.unit->definition.front().name);
    for (const ProcessingUnitDefinition& other : model_.definitions.all) {
      if (&other != mapping_.definition && !other.properties.empty())
        findings_.error(other.properties.front().at, "definition '" + other.name + "' is not that of the GPU",
                        "move the property to '" + mapping_.definition->name + "'");
    }
  }

  const Model& model_;
  Findings& findings_;
  Mapping mapping_;
  std::map<const Scheduler*, Units> schedulers_;
  std::map<const Task*, std::pair<const TaskAllocation*, Units>> allocations_;
  std::set<const ProcessingUnit*> used_;  // GPUs that tasks are on
  std::set<const Runnable*> allocated_;   // to the GPU
  std::map<const Runnable*, State> states_;
};

}  // namespace

Mapping map_tasks(const Model& model, Findings& findings) { return Mapper(model, findings).run(); }

}  // namespace warpspan::amalthea
