// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/activation.hpp"

#include "frontend/amalthea/lookup.hpp"

namespace warpspan::amalthea {

namespace {

constexpr const char* time_help = "write value=\"33\" unit=\"ms\", a whole number of s, ms, us, ns or ps";

class Activation {
 public:
  Activation(const Model& model, const Task& task, Findings& findings, std::vector<Entry>& entries)
      : model_(model), task_(task), findings_(findings), entries_(entries), title_("task '" + task.name + "'") {}

  void run() {
    read_period();
    read_deadline();
  }

 private:
  void add(const char* key, int64_t picoseconds, size_t at) {
    entries_.push_back({key, Picoseconds{picoseconds}, findings_.locate(at)});
  }

  // A time that has to be told, from `least` picoseconds on.
  std::optional<int64_t> checked_time(const std::optional<Amount>& time, int64_t least, const std::string& what,
                                      size_t at) {
    if (!time) {
      findings_.error(at, what + " is missing", time_help);
    } else if (!time->value) {
      findings_.error(time->at, what + " '" + time->written + "' is no time", time_help);
    } else if (*time->value < least) {
      findings_.error(time->at, what + " has to be more than 0", time_help);
    } else {
      return time->value;
    }
    return std::nullopt;
  }

  void read_period() {
    const Property* own = task_.find("period");
    if (task_.stimuli.empty() && own == nullptr) {
      return findings_.error(task_.at, title_ + " has no stimulus: when it is released is not told",
                             "give it a PeriodicStimulus, or " + property_help("period", "33 ms", "the task") +
                                 ": the least time between two releases");
    }
    if (task_.stimuli.size() > 1 && own == nullptr) {
      return findings_.error(task_.stimuli[1].at, title_ + " has " + std::to_string(task_.stimuli.size()) + " stimuli",
                             property_help("period", "33 ms", "the task") + ": the least time between two releases");
    }
    const Stimulus* only = nullptr;
    for (const Reference& reference : task_.stimuli) only = follow(findings_, model_.stimuli, reference);
    if (own != nullptr) return take_own(*own, task_.stimuli.size() == 1 ? only : nullptr);
    if (only != nullptr) read_stimulus(*only);
  }

  void take_own(const Property& own, const Stimulus* stimulus) {
    const auto value = own.value ? parse_property(Owner::task, "period", *own.value) : std::nullopt;
    if (!value) {
      return findings_.error(own.at, "'warpspan.period' has to be " + expected_of(Owner::task, "period"),
                             property_help("period", "33 ms", "the task"));
    }
    if (stimulus != nullptr && (stimulus->type == "PeriodicStimulus" || stimulus->type == "RelativePeriodicStimulus")) {
      return findings_.error(own.at, title_ + " has a period in its stimulus '" + stimulus->name + "' as well",
                             "take one of them out");
    }
    entries_.push_back({"period", *value, findings_.locate(own.at)});
  }

  void read_stimulus(const Stimulus& stimulus) {
    const std::string name = "stimulus '" + stimulus.name + "'";
    refuse_strangers(findings_, stimulus.strangers, name);
    if (stimulus.has_condition)
      findings_.note(stimulus.at, name + " has a condition: releases that it leaves out are counted");
    if (stimulus.type == "PeriodicStimulus") {
      read_periodic(stimulus, name);
    } else if (stimulus.type == "RelativePeriodicStimulus") {
      add_offset(stimulus.offset, name);
      const auto least = stimulus.next ? stimulus.next->least : std::nullopt;
      const auto period = checked_time(least, 1, "the lower bound of the next occurrence of " + name, stimulus.at);
      if (period) add("period", *period, least->at);
    } else if (stimulus.type == "SingleStimulus") {
      const auto offset = checked_time(stimulus.occurrence, 0, "the occurrence of " + name, stimulus.at);
      if (offset) add("offset", *offset, stimulus.occurrence->at);
    } else {
      findings_.error(
          task_.at,
          title_ + " is released by a stimulus of type '" + stimulus.type + "' (" + name +
              "), which does not tell the least time between two releases",
          property_help("period", "33 ms", "the task") +
              ": of a task that another one triggers, its period less the most that the trigger may be late");
    }
  }

  // Releases at k * recurrence + jitter are as far apart at least as the recurrence less what the jitter varies.
  void read_periodic(const Stimulus& stimulus, const std::string& name) {
    add_offset(stimulus.offset, name);
    auto period = checked_time(stimulus.recurrence, 1, "the recurrence of " + name, stimulus.at);
    if (!period) return;
    size_t at = stimulus.recurrence->at;
    if (const auto& jitter = stimulus.jitter) {
      const auto most = checked_time(jitter->most, 0, "the upper bound of the jitter of " + name, jitter->at);
      const auto least = jitter->least
                             ? checked_time(jitter->least, 0, "the lower bound of the jitter of " + name, jitter->at)
                             : std::optional<int64_t>(0);
      if (!most || !least) return;
      if (*most < *least) return findings_.error(jitter->at, "the jitter of " + name + " has its bounds exchanged");
      *period -= *most - *least;
      at = jitter->at;
    }
    if (const auto& distance = stimulus.least_distance) {
      const auto least = checked_time(distance, 0, "the minimal distance of " + name, stimulus.at);
      if (!least) return;
      if (*least > *period) at = distance->at;
      *period = std::max(*period, *least);
    }
    if (*period <= 0)
      return findings_.error(at, "the jitter of " + name + " lets two releases fall together",
                             "give it a minDistance, the least time between two releases");
    add("period", *period, at);
  }

  void add_offset(const std::optional<Amount>& offset, const std::string& name) {
    if (!offset) return;
    const auto time = checked_time(offset, 0, "the offset of " + name, offset->at);
    if (time && *time > 0) add("offset", *time, offset->at);
  }

  // The least of all upper limits of response times.
  void read_deadline() {
    std::optional<int64_t> deadline;
    size_t at = 0;
    const auto own = model_.requirements_of.find(task_.name);
    if (own == model_.requirements_of.end()) return;
    for (const size_t index : own->second) {
      const Requirement& requirement = model_.requirements[index];
      const std::string name = "requirement '" + requirement.name + "'";
      if (requirement.metric != "ResponseTime" || requirement.limit != "UpperLimit") {
        findings_.note(requirement.at,
                       name + " of " + title_ + " is no upper limit of a response time: it is left out");
        continue;
      }
      refuse_strangers(findings_, requirement.strangers, name);
      const auto time = checked_time(requirement.time, 1, "the limit of " + name, requirement.at);
      if (time && (!deadline || *time < *deadline)) {
        deadline = time;
        at = requirement.time->at;
      }
    }
    if (deadline) add("deadline", *deadline, at);
  }

  const Model& model_;
  const Task& task_;
  Findings& findings_;
  std::vector<Entry>& entries_;
  std::string title_;
};

}  // namespace

void add_activation(const Model& model, const Task& task, Findings& findings, std::vector<Entry>& entries) {
  Activation(model, task, findings, entries).run();
}

}  // namespace warpspan::amalthea
