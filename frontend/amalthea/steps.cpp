// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/steps.hpp"

#include <algorithm>

#include "frontend/amalthea/gpu_tasks.hpp"
#include "frontend/amalthea/lookup.hpp"

namespace warpspan::amalthea {

namespace {

constexpr size_t deepest_call = 64;
constexpr const char* copy_values = "to-device, to-host or none";

class Steps {
 public:
  Steps(const Model& model, const Task& task, size_t& left, Findings& findings)
      : model_(model), task_(task), left_(left), findings_(findings) {}

  std::vector<Step> run() {
    refuse_strangers(findings_, task_.strangers, "task '" + task_.name + "'");
    add_process(task_, nullptr, 0);
    if (!findings_.has_errors()) find_directions();
    return std::move(steps_);
  }

 private:
  std::string title(const Runnable* owner) const {
    return owner == nullptr ? "task '" + task_.name + "'" : "runnable '" + owner->name + "'";
  }

  void add_process(const Process& process, const Runnable* owner, size_t depth) {
    const auto executions = std::count_if(process.items.begin(), process.items.end(),
                                          [](const Item& item) { return item.kind == Item::Kind::execution; });
    const bool of_file = owner != nullptr && owner->find("file") != nullptr;
    if (executions > 1)
      return findings_.error(process.at, title(owner) + " has several executions, and a kernel is one",
                             "make a runnable of each");
    if (of_file && executions == 0 && !process.items.empty())
      return findings_.error(process.at, "where in " + title(owner) + " its kernel runs is not told",
                             "put what is before and behind it into runnables of their own");
    if (executions == 0 && !of_file && owner != nullptr && owner->find("blocks") != nullptr)
      return findings_.error(process.at, title(owner) + " has blocks, and no ticks that tell the time of one",
                             "add <items xsi:type=\"am:Ticks\"> with the most ticks of a block");
    const bool is_kernel = of_file || executions == 1;
    bool is_before = true;
    bool joins = false;  // the access before this one stands together with it
    if (of_file && executions == 0) add_kernel(owner, process.at, nullptr);
    for (const Item& item : process.items) {
      if (left_ == 0 || stopped_) return stop(item.at);
      --left_;
      refuse_strangers(findings_, item.strangers, "'" + item.type + "' in " + title(owner));
      const bool is_access = item.kind == Item::Kind::read || item.kind == Item::Kind::write;
      if (is_access && !joins) {
        steps_.push_back({owner, item.at, false, nullptr, {}, {}});
        if (is_kernel) steps_.back().direction = is_before ? Direction::to_device : Direction::to_host;
      }
      if (is_access) steps_.back().accesses.push_back(&item);
      joins = is_access;
      if (item.kind == Item::Kind::execution) {
        is_before = false;
        add_kernel(owner, item.at, &item.execution);
      } else if (item.kind == Item::Kind::call) {
        add_call(item, owner, depth);
      } else if (item.kind == Item::Kind::other) {
        findings_.error(item.at, "'" + item.type + "' in " + title(owner) + " is not understood on a GPU",
                        "a job's work is a fixed list of label accesses and ticks, in groups and called runnables");
      } else if (item.kind == Item::Kind::signal) {
        findings_.note(item.at, "'" + item.type + "' in " + title(owner) + " takes no time of the GPU: it is left out");
      }
    }
  }

  void add_kernel(const Runnable* owner, size_t at, const Execution* execution) {
    if (owner == nullptr)
      return findings_.error(at, title(owner) + " has ticks of its own, and nothing tells its blocks",
                             "put them into a runnable that the task calls");
    steps_.push_back({owner, at, true, execution, {}, {}});
  }

  void add_call(const Item& item, const Runnable* owner, size_t depth) {
    const Runnable* callee = follow(findings_, model_.runnables, item.to);
    if (callee == nullptr) return;
    refuse_strangers(findings_, callee->strangers, "runnable '" + callee->name + "'");
    if (depth + 1 == deepest_call)
      return findings_.error(item.at, "calls from " + title(owner) + " are more than 64 deep", "call fewer in a chain");
    if (callee->items.empty() && callee->find("file") == nullptr)
      findings_.note(callee->at, "runnable '" + callee->name + "' does nothing: it is left out");
    add_process(*callee, callee, depth + 1);
  }

  void stop(size_t at) {
    if (!stopped_)
      findings_.error(at, "the tasks on the GPU have more than " + std::to_string(most_steps) + " steps",
                      "response times are found for fewer");
    stopped_ = true;
  }

  // Accesses of a runnable that is no kernel: as it says, else before all kernels to the GPU and behind all back.
  void find_directions() {
    const auto is_kernel = [](const Step& step) { return step.is_kernel; };
    const auto first = std::find_if(steps_.begin(), steps_.end(), is_kernel);
    const auto last = std::find_if(steps_.rbegin(), steps_.rend(), is_kernel).base();
    for (auto step = steps_.begin(); step != steps_.end(); ++step) {
      const Property* own = step->owner == nullptr ? nullptr : step->owner->find("copy");
      if (own != nullptr) {
        take_own(*own, *step);
      } else if (!step->is_kernel && !step->direction) {
        if (first == steps_.end() || (step > first && step < last)) {
          refuse_direction(*step, first == steps_.end() ? "no kernel" : "kernels before and behind them");
        } else {
          step->direction = step < first ? Direction::to_device : Direction::to_host;
        }
      }
    }
  }

  void take_own(const Property& own, Step& step) {
    const std::string value = own.value.value_or("");
    if (step.is_kernel) {
      findings_.error(own.at,
                      title(step.owner) + " is a kernel: what it reads is copied before it, what it writes behind",
                      "take 'warpspan.copy' out, or write key=\"warpspan.memory\" for labels that are not copied");
    } else if (value == "to-device") {
      step.direction = Direction::to_device;
    } else if (value == "to-host") {
      step.direction = Direction::to_host;
    } else if (value == "none") {
      step.direction.reset();
    } else {
      findings_.error(own.at, std::string("'warpspan.copy' has to be ") + copy_values,
                      property_help("copy", "to-device", "the runnable"));
    }
  }

  void refuse_direction(const Step& step, const std::string& why) {
    findings_.error(step.at,
                    "label accesses in " + title(step.owner) + ", and " + why + " in task '" + task_.name +
                        "': where they are copied to is not told",
                    property_help("copy", "to-device", "their runnable") + ": " + copy_values);
  }

  const Model& model_;
  const Task& task_;
  size_t& left_;
  Findings& findings_;
  std::vector<Step> steps_;
  bool stopped_ = false;
};

}  // namespace

std::vector<Step> steps_of(const Model& model, const Task& task, size_t& steps_left, Findings& findings) {
  return Steps(model, task, steps_left, findings).run();
}

}  // namespace warpspan::amalthea
