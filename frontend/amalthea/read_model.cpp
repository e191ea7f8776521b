// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/model.hpp"
#include "frontend/amalthea/process_reader.hpp"
#include "frontend/amalthea/properties.hpp"
#include "frontend/amalthea/quantities.hpp"
#include "frontend/amalthea/references.hpp"

namespace warpspan::amalthea {

namespace {

constexpr std::string_view own_prefix = "warpspan.";
constexpr std::string_view namespace_prefix = "http://app4mc.eclipse.org/amalthea/";

using Names = std::vector<std::string_view>;

// "0.9.3", "3.1.0": a version that is understood.
bool is_known_version(std::string_view version) {
  constexpr std::string_view known[] = {"0.9.", "1.", "2.", "3."};
  return version.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::any_of(std::begin(known), std::end(known), [&](auto prefix) { return version.starts_with(prefix); });
}

std::optional<std::string> value_of(const Element& property) {
  constexpr std::string_view plain[] = {"StringObject", "IntegerObject", "LongObject", "BigIntegerObject",
                                        "BooleanObject"};
  const Element* value = property.child("value");
  if (value == nullptr || value->find("value") == nullptr) return std::nullopt;
  const std::string type = type_of(*value);
  if (type == "TimeObject") return text_of(*value, "value") + " " + text_of(*value, "unit");
  if (!has(plain, type)) return std::nullopt;
  return text_of(*value, "value");
}

TimeRange range_of(const Element& element) {
  TimeRange range;
  range.at = element.at;
  const auto widen = [&range](const Element& holder) {
    if (const Element* least = holder.child("lowerBound")) {
      const Amount time = time_of(*least);
      if (!range.least || time.value < range.least->value) range.least = time;
    }
    if (const Element* most = holder.child("upperBound")) {
      const Amount time = time_of(*most);
      if (!range.most || time.value > range.most->value) range.most = time;
    }
  };
  const std::string type = type_of(element);
  if (const Element* value = element.child("value"); type == "TimeConstant" && value != nullptr) {
    range.least = range.most = time_of(*value);
  } else if (type == "TimeHistogram") {
    for (const Element& entry : element.children) {
      if (entry.name != "entries" || entry.child("lowerBound") == nullptr || entry.child("upperBound") == nullptr)
        return {{}, {}, element.at};
      widen(entry);
    }
  } else {
    widen(element);
  }
  return range;
}

class ModelReader {
 public:
  explicit ModelReader(const support::SourceFile& file) : findings_(file) {}

  support::Result<Model> run(const Element& root) {
    read_root(root);
    if (findings_.has_errors()) return findings_.errors();
    return std::move(model_);
  }

 private:
  using Read = void (ModelReader::*)(const Element&);

  void read_root(const Element& root) {
    const std::string version = text_of(root, "xmlns:am");
    const std::string help = "give a model of APP4MC 0.9 to 3 as one file: its root is <am:Amalthea>, xmlns:am=\"" +
                             std::string(namespace_prefix) + "VERSION\"";
    if (root.name != "am:Amalthea") return findings_.error(root.at, "the root is <" + root.name + ">", help);
    if (!version.starts_with(namespace_prefix) || !is_known_version(version.substr(namespace_prefix.size())))
      return findings_.error(root.at, "the version of the model is not known: xmlns:am=\"" + version + "\"", help);
    for (const Element& part : root.children) read_part(part);
    refuse_properties(root);
  }

  void read_part(const Element& part) {
    constexpr std::string_view unread[] = {"commonElements",   "eventModel",  "propertyConstraintsModel",
                                           "componentsModel",  "configModel", "measurementModel",
                                           "customProperties", "tags"};
    if (part.name == "swModel")
      return read_children(part, {{"tasks", &ModelReader::read_task},
                                  {"runnables", &ModelReader::read_runnable},
                                  {"labels", &ModelReader::read_label}});
    if (part.name == "hwModel")
      return read_children(part, {{"definitions", &ModelReader::read_definition},
                                  {"structures", &ModelReader::read_structure},
                                  {"domains", &ModelReader::read_domain},
                                  {"features", &ModelReader::read_feature},
                                  {"featureCategories", &ModelReader::read_features}});
    if (part.name == "osModel") return read_children(part, {{"operatingSystems", &ModelReader::read_system}});
    if (part.name == "stimuliModel") return read_children(part, {{"stimuli", &ModelReader::read_stimulus}});
    if (part.name == "constraintsModel") return read_children(part, {{"requirements", &ModelReader::read_requirement}});
    if (part.name == "mappingModel")
      return read_children(part, {{"taskAllocation", &ModelReader::read_task_allocation},
                                  {"schedulerAllocation", &ModelReader::read_scheduler_allocation},
                                  {"runnableAllocation", &ModelReader::read_runnable_allocation}});
    if (has(unread, part.name)) {
      if (!part.children.empty()) leave(part);
    } else {
      findings_.error(part.at, "'" + part.name + "' is no part of a model", "take it out if it says nothing of tasks");
    }
  }

  void read_children(const Element& part, const std::vector<std::pair<std::string_view, Read>>& readers) {
    for (const Element& child : part.children) {
      const auto reader =
          std::find_if(readers.begin(), readers.end(), [&](const auto& one) { return one.first == child.name; });
      if (reader == readers.end()) {
        leave(child);
      } else {
        (this->*reader->second)(child);
      }
    }
  }

  void leave(const Element& element) {
    if (element.name == "#text") return findings_.error(element.at, "text between elements", "take it out");
    if (left_.insert(element.name).second) model_.unread.push_back({"'" + element.name + "'", element.at});
  }

  // Its name, properties and what is not understood of it.
  void read_entity(const Element& element, Entity& entity, const Names& attributes, const Names& children) {
    entity.name = text_of(element, "name");
    entity.at = element.at;
    entity.strangers = strangers_of(element, attributes, children);
    for (const Element& child : element.children) {
      if (child.name != "customProperties") continue;
      const std::string key = text_of(child, "key");
      if (!key.starts_with(own_prefix)) continue;
      Property property{key.substr(own_prefix.size()), value_of(child), child.at};
      if (entity.find(property.key) != nullptr)
        findings_.error(child.at, "'" + key + "' stands twice in '" + entity.name + "'", "take one of them out");
      entity.properties.push_back(std::move(property));
    }
  }

  template <typename T>
  void add(Elements<T>& to, T entity, const char* kind) {
    if (entity.name.empty())
      return findings_.error(entity.at, std::string(kind) + " without a name", "write name=\"NAME\"");
    const auto [known, added] = to.by_name.emplace(entity.name, to.all.size());
    if (!added)
      return findings_.error(entity.at,
                             std::string(kind) + " '" + entity.name + "' is there twice, first in line " +
                                 std::to_string(findings_.locate(to.all[known->second].at).line),
                             "give each a name of its own");
    to.all.push_back(std::move(entity));
  }

  // Older models have the items of a runnable in itself.
  void read_process(const Element& element, Process& process) {
    read_items(element, process.items);
    for (const Element& child : element.children) {
      if (child.name == "callGraph" || child.name == "activityGraph") {
        read_items(child, process.items);
        for (Stranger& one : strangers_of(child, {}, {"items", "graphEntries"})) process.strangers.push_back(one);
      }
    }
  }

  void read_task(const Element& element) {
    Task task;
    read_entity(element, task, {"stimuli", "preemption", "multipleTaskActivationLimit"},
                {"stimuli", "callGraph", "activityGraph"});
    task.stimuli = references_of(element, "stimuli");
    read_process(element, task);
    add(model_.tasks, std::move(task), "a task");
  }

  void read_runnable(const Element& element) {
    Runnable runnable;
    read_entity(element, runnable, {"callback", "service", "asilLevel", "section", "activations", "activation"},
                {"runnableItems", "callGraph", "activityGraph", "size", "section", "activations", "activation"});
    read_process(element, runnable);
    add(model_.runnables, std::move(runnable), "a runnable");
  }

  void read_label(const Element& element) {
    Label label;
    read_entity(element, label, {"constant", "bVolatile", "dataStability", "stabilityLevel", "section"},
                {"size", "dataType", "section"});
    if (const Element* size = element.child("size")) label.size = size_of(*size);
    add(model_.labels, std::move(label), "a label");
  }

  void read_stimulus(const Element& element) {
    constexpr std::string_view conditions[] = {"executionCondition", "enablingModeValueList", "disablingModeValueList"};
    Stimulus stimulus;
    read_entity(element, stimulus, {},
                {"offset", "recurrence", "minDistance", "jitter", "stimulusDeviation", "nextOccurrence", "occurrence",
                 "setModeValueList", "executionCondition", "enablingModeValueList", "disablingModeValueList"});
    stimulus.type = type_of(element);
    for (const Element& child : element.children) {
      if (child.name == "offset") stimulus.offset = time_of(child);
      if (child.name == "recurrence") stimulus.recurrence = time_of(child);
      if (child.name == "minDistance") stimulus.least_distance = time_of(child);
      if (child.name == "occurrence") stimulus.occurrence = time_of(child);
      if (child.name == "jitter" || child.name == "stimulusDeviation") stimulus.jitter = range_of(child);
      if (child.name == "nextOccurrence") stimulus.next = range_of(child);
      if (has(conditions, child.name)) stimulus.has_condition = true;
    }
    add(model_.stimuli, std::move(stimulus), "a stimulus");
  }

  void read_definition(const Element& element) {
    if (type_of(element) != "ProcessingUnitDefinition") return leave_typed(element);
    ProcessingUnitDefinition definition;
    read_entity(element, definition, {"puType", "features", "classifiers"}, {"features", "classifiers"});
    definition.type = text_of(element, "puType");
    definition.features = references_of(element, "features");
    add(model_.definitions, std::move(definition), "a processing unit definition");
  }

  void read_structure(const Element& element) {
    for (const Element& child : element.children) {
      if (child.name == "structures") read_structure(child);
      if (child.name == "modules") read_module(child);
    }
  }

  void read_module(const Element& element) {
    if (type_of(element) != "ProcessingUnit") return leave_typed(element);
    ProcessingUnit unit;
    read_entity(element, unit, {"definition", "frequencyDomain", "powerDomain"},
                {"definition", "frequencyDomain", "powerDomain", "ports", "accessElements", "caches"});
    unit.definition = references_of(element, "definition");
    unit.domain = references_of(element, "frequencyDomain");
    add(model_.units, std::move(unit), "a processing unit");
  }

  void leave_typed(const Element& element) {
    const std::string type = type_of(element).empty() ? element.name : type_of(element);
    if (left_.insert(type).second) model_.unread.push_back({"'" + type + "'", element.at});
  }

  void read_domain(const Element& element) {
    if (type_of(element) != "FrequencyDomain") return leave_typed(element);
    FrequencyDomain domain;
    read_entity(element, domain, {"clockGating"}, {"defaultValue", "possibleValues"});
    for (const Element& child : element.children) {
      if (child.name == "defaultValue" || child.name == "possibleValues") domain.values.push_back(frequency_of(child));
    }
    add(model_.domains, std::move(domain), "a frequency domain");
  }

  void read_feature(const Element& element) { add_feature(element, {}); }

  void read_features(const Element& element) {
    for (const Element& child : element.children) {
      if (child.name == "features") add_feature(child, text_of(element, "name") + "/");
    }
  }

  void add_feature(const Element& element, const std::string& category) {
    Feature feature;
    read_entity(element, feature, {"value", "featureType"}, {"value"});
    if (!feature.name.empty()) feature.name = category + feature.name;
    const Element* value = element.child("value");
    const std::string text = text_of(value == nullptr ? element : *value, "value");
    feature.number = {decimal_of(text), text, element.at};
    add(model_.features, std::move(feature), "a feature");
  }

  void read_system(const Element& element) {
    constexpr std::string_view schedulers[] = {"taskSchedulers", "interruptControllers"};
    for (const Element& child : element.children) {
      if (!has(schedulers, child.name)) continue;
      Scheduler scheduler;
      read_entity(child, scheduler, {}, {});
      if (child.name == "taskSchedulers") add(model_.schedulers, std::move(scheduler), "a scheduler");
      if (const Element* algorithm = child.child("schedulingAlgorithm")) leave(*algorithm);
    }
  }

  void read_requirement(const Element& element) {
    if (type_of(element) != "ProcessRequirement") return leave_typed(element);
    Requirement requirement;
    read_entity(element, requirement, {"process", "severity"}, {"process", "limit"});
    requirement.process = references_of(element, "process");
    if (const Element* limit = element.child("limit")) {
      requirement.limit = text_of(*limit, "limitType");
      requirement.metric = text_of(*limit, "metric");
      if (type_of(*limit) != "TimeRequirementLimit") requirement.metric = type_of(*limit);
      if (const Element* time = limit->child("limitValue")) requirement.time = time_of(*time);
    }
    if (requirement.process.size() == 1 && requirement.process.front().type == "Task")
      model_.requirements_of[requirement.process.front().name].push_back(model_.requirements.size());
    model_.requirements.push_back(std::move(requirement));
  }

  void read_task_allocation(const Element& element) {
    TaskAllocation allocation;
    allocation.at = element.at;
    allocation.task = references_of(element, "task");
    allocation.scheduler = references_of(element, "scheduler");
    allocation.affinity = references_of(element, "affinity");
    if (const Element* parameters = element.child("schedulingParameters"))
      allocation.priority = {"scheduling parameters", parameters->at};
    model_.task_allocations.push_back(std::move(allocation));
  }

  void read_scheduler_allocation(const Element& element) {
    SchedulerAllocation allocation;
    allocation.at = element.at;
    allocation.scheduler = references_of(element, "scheduler");
    allocation.units = references_of(element, "responsibility");
    model_.scheduler_allocations.push_back(std::move(allocation));
  }

  void read_runnable_allocation(const Element& element) {
    RunnableAllocation allocation;
    allocation.at = element.at;
    allocation.runnable = references_of(element, "entity");
    allocation.scheduler = references_of(element, "scheduler");
    model_.runnable_allocations.push_back(std::move(allocation));
  }

  // Where a property has a meaning; where it has none it would be lost.
  void refuse_properties(const Element& element) {
    for (const Element& child : element.children) {
      if (child.name == "customProperties") {
        refuse_property(element, child);
      } else {
        refuse_properties(child);
      }
    }
  }

  void refuse_property(const Element& owner, const Element& property) {
    const std::string key = text_of(property, "key");
    if (!key.starts_with(own_prefix)) return leave(property);
    const std::string type = type_of(owner);
    const std::string problem = wrong_property(owner.name, type, std::string_view(key).substr(own_prefix.size()));
    if (!problem.empty()) findings_.error(property.at, "'" + key + "' means nothing here", problem);
  }

  Findings findings_;
  Model model_;
  std::set<std::string> left_;
};

}  // namespace

const Property* Entity::find(std::string_view key) const {
  for (const Property& property : properties) {
    if (property.key == key) return &property;
  }
  return nullptr;
}

support::Result<Model> read_model(const support::SourceFile& file) {
  const auto root = read_xml(file);
  if (!root) return root.errors();
  return ModelReader(file).run(*root);
}

}  // namespace warpspan::amalthea
