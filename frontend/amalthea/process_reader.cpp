// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/process_reader.hpp"

#include <algorithm>

#include "frontend/amalthea/quantities.hpp"
#include "frontend/amalthea/references.hpp"
#include "support/digits.hpp"

namespace warpspan::amalthea {

namespace {

// Elements that hold items, by version: 0.9.0 <graphEntries>, <calls> and <runnableItems>; later <items>.
constexpr std::string_view item_names[] = {"graphEntries", "calls", "items", "runnableItems"};

constexpr std::string_view call_types[] = {"RunnableCall", "TaskRunnableCall"};
constexpr std::string_view sequence_types[] = {"CallSequence", "Group"};
constexpr std::string_view execution_types[] = {"Ticks", "ExecutionNeed", "RunnableInstructions"};
constexpr std::string_view signal_types[] = {"SetEvent", "ClearEvent", "InterProcessTrigger"};

std::optional<int64_t> number_of(const Element& element, std::string_view attribute) {
  const std::string* text = element.find(attribute);
  return text == nullptr ? std::nullopt : support::parse_digits<int64_t>(*text);
}

// The most of a deviation of whole numbers, in the spellings of all versions.
std::optional<int64_t> most_of(const Element& deviation) {
  constexpr std::string_view constants[] = {"DiscreteValueConstant", "NeedConstant", "InstructionsConstant"};
  constexpr std::string_view bounded[] = {"DiscreteValueInterval",
                                          "DiscreteValueBoundaries",
                                          "DiscreteValueStatistics",
                                          "DiscreteValueUniformDistribution",
                                          "DiscreteValueBetaDistribution",
                                          "DiscreteValueGaussDistribution",
                                          "DiscreteValueWeibullEstimatorsDistribution"};
  constexpr std::string_view older[] = {"NeedDeviation", "InstructionsDeviation"};
  const std::string type = type_of(deviation);
  if (has(constants, type)) return number_of(deviation, "value");
  if (has(bounded, type)) return number_of(deviation, "upperBound");
  if (has(older, type)) {
    const Element* inner = deviation.child("deviation");
    const Element* most = inner == nullptr ? nullptr : inner->child("upperBound");
    return most == nullptr ? std::nullopt : number_of(*most, "value");
  }
  if (type != "DiscreteValueHistogram") return std::nullopt;
  std::optional<int64_t> most;
  for (const Element& entry : deviation.children) {
    const auto bound = entry.name == "entries" ? number_of(entry, "upperBound") : std::nullopt;
    if (!bound) return std::nullopt;
    most = std::max(most.value_or(0), *bound);
  }
  return most;
}

Amount amount_of(const Element& deviation) {
  const std::string type = type_of(deviation);
  return {most_of(deviation), type.empty() ? "<" + deviation.name + ">" : type, deviation.at};
}

// <default key="Instructions"><value/></default>, <needs key="Instructions"><value/></needs>: the <value>. Of other
// needs nothing.
const Element* need_of(const Element& element) {
  const std::string* key = element.find("key");
  return key != nullptr && *key == "Instructions" ? element.child("value") : nullptr;
}

void read_execution(const Element& element, Item& item) {
  const std::string type = type_of(element);
  item.execution.is_instructions = type != "Ticks";
  const bool has_needs = type == "ExecutionNeed";
  const auto add = [&item](std::optional<Reference> on, const Element* deviation, const Element& at) {
    item.execution.cases.push_back(
        {std::move(on), deviation == nullptr ? Amount{{}, "<" + at.name + ">", at.at} : amount_of(*deviation)});
  };
  for (const Element& child : element.children) {
    if (child.name == "default" || child.name == "needs") {
      add({}, has_needs ? need_of(child) : &child, child);
    } else if (child.name == "extended") {
      std::vector<Reference> on = references_of(child, "key");
      if (on.size() != 1) on.assign(1, {{}, {}, "<extended>", child.at});
      const Element* value = child.child("value");
      add(on.front(), value != nullptr && has_needs ? need_of(*value) : value, child);
    }
  }
}

// Runnables that are called somewhere below.
void collect_calls(const Element& element, std::vector<Reference>& calls) {
  if (has(call_types, type_of(element))) {
    for (Reference& reference : references_of(element, "runnable")) calls.push_back(std::move(reference));
  }
  for (const Element& child : element.children) collect_calls(child, calls);
}

Item other_item(const Element& element) {
  Item item;
  item.at = element.at;
  item.type = type_of(element).empty() ? element.name : type_of(element);
  collect_calls(element, item.inner);
  return item;
}

// An item with the one reference that it has to have, or one that is not understood.
Item referring_item(const Element& element, std::string_view key, Item::Kind kind) {
  Item item = other_item(element);
  std::vector<Reference> to = references_of(element, key);
  if (to.size() != 1) return item;
  item.kind = kind;
  item.to = std::move(to.front());
  item.inner.clear();
  return item;
}

Item item_of(const Element& element) {
  const std::string type = type_of(element);
  Item item;
  if (has(call_types, type)) {
    item = referring_item(element, "runnable", Item::Kind::call);
    item.strangers = strangers_of(element, {"runnable"}, {"runnable"});
  } else if (type == "LabelAccess") {
    const std::string* access = element.find("access");
    const bool reads = access != nullptr && *access == "read";
    if (!reads && (access == nullptr || *access != "write")) return other_item(element);
    item = referring_item(element, "data", reads ? Item::Kind::read : Item::Kind::write);
    item.strangers = strangers_of(element, {"data", "access", "dataStability", "implementation"}, {"data"});
  } else if (has(execution_types, type)) {
    item = other_item(element);
    item.kind = Item::Kind::execution;
    item.strangers = strangers_of(element, {}, {"default", "extended", "needs"});
    read_execution(element, item);
  } else {
    item = other_item(element);
    if (has(signal_types, type)) item.kind = Item::Kind::signal;
  }
  return item;
}

bool is_sequence(const Element& element) {
  const std::string* ordered = element.find("ordered");
  return has(sequence_types, type_of(element)) && (ordered == nullptr || *ordered == "true") &&
         strangers_of(element, {"ordered", "interruptible"}, {"items", "calls"}).empty();
}

}  // namespace

std::string type_of(const Element& element) {
  const std::string* type = element.find("xsi:type");
  constexpr std::string_view prefix = "am:";
  return type == nullptr || !type->starts_with(prefix) ? std::string() : type->substr(prefix.size());
}

std::vector<Stranger> strangers_of(const Element& element, const std::vector<std::string_view>& known_attributes,
                                   const std::vector<std::string_view>& known_children) {
  constexpr std::string_view always[] = {"name", "xsi:type", "xmi:id", "description", "displayName", "tags"};
  constexpr std::string_view children[] = {"tags", "customProperties"};
  std::vector<Stranger> strangers;
  for (const Attribute& attribute : element.attributes) {
    if (!has(always, attribute.name) && !has(known_attributes, attribute.name))
      strangers.push_back({"attribute '" + attribute.name + "'", element.at});
  }
  for (const Element& child : element.children) {
    if (child.name == "#text") {
      strangers.push_back({"text", child.at});
    } else if (!has(children, child.name) && !has(known_children, child.name)) {
      strangers.push_back({"element '" + child.name + "'", child.at});
    }
  }
  return strangers;
}

void read_items(const Element& parent, std::vector<Item>& items) {
  for (const Element& child : parent.children) {
    if (!has(item_names, child.name)) continue;
    if (is_sequence(child)) {
      read_items(child, items);
    } else {
      items.push_back(item_of(child));
    }
  }
}

}  // namespace warpspan::amalthea
