// SPDX-License-Identifier: GPL-3.0-or-later
// What an AMALTHEA model (Eclipse APP4MC) says of tasks and of what they run on, in one spelling for all its versions.
// Nothing is checked here: what an element says that is not understood is kept beside it, since most of a model has
// nothing to do with a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/amalthea/xml.hpp"

namespace warpspan::amalthea {

// "detect?type=Task", also as href="amlt:/#detect?type=Task".
struct Reference {
  std::string name, type;  // both empty if it is written otherwise
  std::string written;
  size_t at = 0;
};

// An amount as it is written, "33 ms", in one unit: picoseconds, bytes (rounded up), ticks. Nothing if it is none, is
// negative or does not fit.
struct Amount {
  std::optional<int64_t> value;
  std::string written;
  size_t at = 0;
};

// A number without loss: digits * 10^exponent.
struct Decimal {
  int64_t digits = 0;
  int exponent = 0;
};

struct DecimalAmount {
  std::optional<Decimal> value;  // above 0; of frequencies in Hz
  std::string written;
  size_t at = 0;
};

// A time that varies; a bound that is not told is nothing.
struct TimeRange {
  std::optional<Amount> least, most;
  size_t at = 0;
};

// An attribute or a child that is not understood.
struct Stranger {
  std::string what;  // "attribute 'chunk'", "element 'statistic'"
  size_t at = 0;
};

// <customProperties key="warpspan.stream">. Of other keys only the place is kept.
struct Property {
  std::string key;  // without "warpspan."
  std::optional<std::string> value;
  size_t at = 0;
};

struct Entity {
  std::string name;
  size_t at = 0;
  std::vector<Property> properties;  // "warpspan." ones
  std::vector<Stranger> strangers;

  const Property* find(std::string_view key) const;
};

// The most that an execution takes.
struct Execution {
  bool is_instructions = false;  // else ticks
  struct Case {
    std::optional<Reference> on;  // a processing unit definition; nothing: any other
    Amount most;
  };
  std::vector<Case> cases;
};

// A step of what a task or a runnable does.
struct Item {
  enum class Kind : uint8_t {
    call,       // of a runnable
    read,       // of a label
    write,      // of a label
    execution,  // of ticks or instructions
    signal,     // an event or a trigger that is set, which takes no time
    other,      // not understood
  };
  Kind kind = Kind::other;
  size_t at = 0;
  std::string type;  // as written: "ModeSwitch"
  Reference to;      // of calls and accesses
  Execution execution;
  std::vector<Reference> inner;  // runnables that what is not understood calls
  std::vector<Stranger> strangers;
};

struct Process : Entity {
  std::vector<Item> items;
};

struct Task : Process {
  std::vector<Reference> stimuli;
};

struct Runnable : Process {};

struct Label : Entity {
  std::optional<Amount> size;  // bytes
};

struct Stimulus : Entity {
  std::string type;  // "PeriodicStimulus"
  std::optional<Amount> offset, recurrence, least_distance, occurrence;
  std::optional<TimeRange> jitter, next;
  bool has_condition = false;
};

struct ProcessingUnitDefinition : Entity {
  std::string type;  // "GPU"
  std::vector<Reference> features;
};

struct ProcessingUnit : Entity {
  std::vector<Reference> definition, domain;
};

struct FrequencyDomain : Entity {
  std::vector<DecimalAmount> values;
};

struct Feature : Entity {  // "Instructions/IPC_1", or "IPC" of older models
  DecimalAmount number;
};

struct Scheduler : Entity {};

struct TaskAllocation {
  std::vector<Reference> task, scheduler, affinity;
  std::optional<Stranger> priority;
  size_t at = 0;
};

struct SchedulerAllocation {
  std::vector<Reference> scheduler, units;
  size_t at = 0;
};

struct RunnableAllocation {
  std::vector<Reference> runnable, scheduler;
  size_t at = 0;
};

struct Requirement : Entity {
  std::vector<Reference> process;
  std::string limit, metric;  // "UpperLimit", "ResponseTime"
  std::optional<Amount> time;
};

// Elements of a kind, in the order of the file, and by name.
template <typename T>
struct Elements {
  std::vector<T> all;
  std::map<std::string, size_t> by_name;

  const T* find(const std::string& name) const {
    const auto at = by_name.find(name);
    return at == by_name.end() ? nullptr : &all[at->second];
  }
};

struct Model {
  Elements<Task> tasks;
  Elements<Runnable> runnables;
  Elements<Label> labels;
  Elements<Stimulus> stimuli;
  Elements<ProcessingUnitDefinition> definitions;
  Elements<ProcessingUnit> units;
  Elements<FrequencyDomain> domains;
  Elements<Feature> features;
  Elements<Scheduler> schedulers;
  std::vector<TaskAllocation> task_allocations;
  std::vector<SchedulerAllocation> scheduler_allocations;
  std::vector<RunnableAllocation> runnable_allocations;
  std::vector<Requirement> requirements;
  std::map<std::string, std::vector<size_t>> requirements_of;  // indices, by the name of the task
  std::vector<Stranger> unread;  // the first of each kind of element that cannot change response times on a GPU
};

// The model in a file. All errors in it, as wrong use with their places: what read_xml refuses; a root that is no
// am:Amalthea of versions 0.9 to 3; a part of the model that no version has; elements without a name, or two of one
// kind with the same name; a "warpspan." property where none has a meaning.
support::Result<Model> read_model(const support::SourceFile& file);

}  // namespace warpspan::amalthea
