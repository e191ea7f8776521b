// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/recursion.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/expander.hpp"
#include "frontend/ptx/calls/saved_registers.hpp"
#include "support/checked.hpp"
#include "support/nearest.hpp"

namespace warpspan::ptx {

namespace {

using support::Integer;

uint32_t index_of(const Module& module, const Function& function) {
  const auto is_it = [&function](const Function& f) { return &f == &function; };
  const auto found = std::find_if(module.functions.begin(), module.functions.end(), is_it);
  return static_cast<uint32_t>(found - module.functions.begin());
}

// What an entry reaches by calls, and the cycles in it.
class CallGraph {
 public:
  CallGraph(const Module& module, uint32_t entry) : module_(module) { find_components(entry); }

  // In the order in which calls reach them.
  const std::vector<uint32_t>& functions() const { return reached_; }
  const std::vector<uint32_t>& callees(uint32_t function) const { return nodes_.at(function).callees; }

  // Those that have a cycle, each after those that it calls.
  const std::vector<std::set<uint32_t>>& cyclic_components() const { return cyclic_; }

 private:
  struct Node {
    std::vector<uint32_t> callees;
    size_t next = 0;  // callee to be looked at
    uint32_t number = 0;
    uint32_t low = 0;
    bool is_open = true;  // its component is not known
  };

  Node& enter(uint32_t function) {
    Node& node = nodes_[function];
    node.callees = called_functions(module_, module_.functions[function]);
    node.number = node.low = static_cast<uint32_t>(reached_.size());
    reached_.push_back(function);
    open_.push_back(function);
    path_.push_back(function);
    return node;
  }

  // Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972.
  void find_components(uint32_t entry) {
    enter(entry);
    while (!path_.empty()) {
      const uint32_t function = path_.back();
      Node& node = nodes_[function];
      if (node.next < node.callees.size()) {
        const uint32_t callee = node.callees[node.next++];
        const auto known = nodes_.find(callee);
        if (known == nodes_.end()) {
          enter(callee);
        } else if (known->second.is_open) {
          node.low = std::min(node.low, known->second.number);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) nodes_[path_.back()].low = std::min(nodes_[path_.back()].low, node.low);
      if (node.low == node.number) close(function);
    }
  }

  void close(uint32_t root) {
    std::set<uint32_t> component;
    uint32_t one = none;
    do {
      one = open_.back();
      open_.pop_back();
      nodes_[one].is_open = false;
      component.insert(one);
    } while (one != root);
    const std::vector<uint32_t>& callees = nodes_[root].callees;
    const bool calls_itself = std::find(callees.begin(), callees.end(), root) != callees.end();
    if (component.size() > 1 || calls_itself) cyclic_.push_back(std::move(component));
  }

  const Module& module_;
  std::map<uint32_t, Node> nodes_;
  std::vector<uint32_t> reached_, open_, path_;
  std::vector<std::set<uint32_t>> cyclic_;
};

// Functions in which a depth-first search that does not enter those of `without` comes back to where it is.
std::set<uint32_t> closing_cycles(const CallGraph& graph, const Depths& without) {
  struct Step {
    uint32_t function;
    size_t next;
  };
  std::set<uint32_t> closing, entered, active;
  for (const uint32_t start : graph.functions()) {
    std::vector<Step> path;
    const auto enter = [&](uint32_t function) {
      if (without.count(function) > 0 || !entered.insert(function).second) return;
      active.insert(function);
      path.push_back({function, 0});
    };
    enter(start);
    while (!path.empty()) {
      const auto [function, next] = path.back();
      const std::vector<uint32_t>& callees = graph.callees(function);
      if (next == callees.size()) {
        active.erase(function);
        path.pop_back();
        continue;
      }
      ++path.back().next;
      if (active.count(callees[next]) > 0) closing.insert(callees[next]);
      enter(callees[next]);
    }
  }
  return closing;
}

Operand* target_of(Function& function, const Instruction& call) {
  Operand* operand = function.operands.data() + call.first_operand;
  while (operand->kind == Operand::Kind::list) ++operand;
  return operand;
}

// Copies of the functions of one component.
class Levels {
 public:
  Levels(Module& module, const std::set<uint32_t>& component, const Depths& depths) : module_(module) {
    Integer levels;
    for (const uint32_t function : component) {
      functions_[function].has_depth = depths.count(function) > 0;
      if (functions_[function].has_depth) levels += depths.at(function);
      instructions_ += static_cast<int64_t>(module.functions[function].instructions.size());
    }
    levels_ = levels.value().value_or(INT64_MAX);
    for (uint32_t v = 0; v < module.variables.size(); ++v) {
      const Variable& variable = module.variables[v];
      const bool is_of_activation =
          variable.space == ir::MemorySpace::local || variable.space == ir::MemorySpace::parameter;
      const auto known = functions_.find(variable.function);
      if (is_of_activation && known != functions_.end()) known->second.variables.push_back(v);
    }
  }

  // The sum over all copies.
  Integer instructions() const { return Integer(instructions_) * (Integer(levels_) + 1); }

  // The calls of these functions, of which none is of the component, go to copies.
  void enter_from(const std::vector<uint32_t>& callers) {
    for (const uint32_t caller : callers) {
      if (functions_.count(caller) == 0) redirect(caller, 0);
    }
    while (!open_.empty()) {
      const auto [copy, level] = open_.back();
      open_.pop_back();
      redirect(copy, level);
    }
  }

 private:
  struct Original {
    bool has_depth = false;
    std::vector<uint32_t> variables = {};     // of an activation
    std::map<int64_t, uint32_t> copies = {};  // by level
    uint32_t beyond = none;                   // what is called beyond the last level
  };

  void redirect(uint32_t caller, int64_t level) {
    Function& function = module_.functions[caller];  // a deque: it stays where it is
    for (Instruction& instruction : function.instructions) {
      if (!is_call(instruction)) continue;
      const auto callee = functions_.find(called_function(function, instruction));
      if (callee == functions_.end()) continue;
      target_of(function, instruction)->index = copy_of(callee->first, level + (callee->second.has_depth ? 1 : 0));
      instruction.stays_call = true;
    }
  }

  uint32_t copy_of(uint32_t original, int64_t level) {
    Original& known = functions_[original];
    if (level > levels_) return beyond(original);
    const auto [copy, fresh] = known.copies.try_emplace(level, static_cast<uint32_t>(module_.functions.size()));
    if (!fresh) return copy->second;
    module_.functions.push_back(module_.functions[original]);
    module_.functions.back().level = level;
    give_variables(known.variables, module_.functions.back());
    open_.emplace_back(copy->second, level);
    return copy->second;
  }

  void give_variables(const std::vector<uint32_t>& of_original, Function& copy) {
    std::map<uint32_t, uint32_t> own;
    for (const uint32_t original : of_original) {
      own[original] = static_cast<uint32_t>(module_.variables.size());
      module_.variables.push_back(module_.variables[original]);
      module_.variables.back().function = static_cast<uint32_t>(module_.functions.size() - 1);
    }
    const auto rename = [&own](uint32_t& variable) {
      const auto known = own.find(variable);
      if (known != own.end()) variable = known->second;
    };
    for (Operand& operand : copy.operands) {
      if (operand.kind == Operand::Kind::variable) rename(operand.index);
    }
    for (auto* list : {&copy.parameters, &copy.results}) {
      for (Parameter& parameter : *list) rename(parameter.variable);
    }
  }

  uint32_t beyond(uint32_t original) {
    uint32_t& known = functions_[original].beyond;
    if (known != none) return known;
    known = static_cast<uint32_t>(module_.functions.size());
    Function function = module_.functions[original];
    Instruction ret = function.instructions.front();
    ret.form = module_.forms->find("ret");
    ret.operand_count = 0;
    ret.guard = none;
    function.instructions = {ret};
    function.operands.clear();
    function.labels.clear();
    function.tables.clear();
    module_.functions.push_back(std::move(function));
    return known;
  }

  Module& module_;
  std::map<uint32_t, Original> functions_;  // of the component
  int64_t levels_ = 0, instructions_ = 0;
  std::vector<std::pair<uint32_t, int64_t>> open_;  // copies whose calls are still those of the original
};

}  // namespace

std::vector<RecursiveFunction> recursive_functions(const Module& module, const Function& entry, const Depths& depths) {
  const CallGraph graph(module, index_of(module, entry));
  const std::set<uint32_t> closing = closing_cycles(graph, depths);
  std::set<uint32_t> cyclic;
  for (const auto& component : graph.cyclic_components()) cyclic.insert(component.begin(), component.end());
  std::vector<RecursiveFunction> functions;
  for (const uint32_t function : graph.functions()) {
    if (cyclic.count(function) > 0) functions.push_back({function, closing.count(function) > 0});
  }
  return functions;
}

support::Result<std::optional<Module>> without_recursion(const Module& module, const Function& entry,
                                                         const Depths& depths) {
  const CallGraph graph(module, index_of(module, entry));
  const auto has_depth = [&depths](uint32_t function) { return depths.count(function) > 0; };
  std::vector<std::set<uint32_t>> components;
  std::set<uint32_t> saving;
  for (const std::set<uint32_t>& component : graph.cyclic_components()) {
    if (std::none_of(component.begin(), component.end(), has_depth)) continue;
    components.push_back(component);
    saving.insert(component.begin(), component.end());
  }
  if (components.empty()) return std::optional<Module>();
  Module copied = module;
  save_registers(copied, saving);
  Integer instructions;
  for (const std::set<uint32_t>& component : components) {
    Levels levels(copied, component, depths);
    instructions += levels.instructions();
    if (instructions.value().value_or(INT64_MAX) > static_cast<int64_t>(most_instructions)) {
      const Function& deep = module.functions[*std::find_if(component.begin(), component.end(), has_depth)];
      return module.source->error_at(deep.offset,
                                     "the activations of '" + std::string(deep.name) + "' have more than " +
                                         std::to_string(most_instructions) + " instructions together",
                                     "give it a smaller depth, or rewrite the recursion as a loop");
    }
    levels.enter_from(graph.functions());
  }
  return std::optional<Module>(std::move(copied));
}

}  // namespace warpspan::ptx
