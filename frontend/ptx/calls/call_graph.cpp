// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/call_graph.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "ir/sentences.hpp"
#include "support/nearest.hpp"

namespace warpspan::ptx {

namespace {

constexpr size_t most_errors = 100;

uint64_t add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// How much is copied with a function: its instructions, or labels, positions and entries of tables if there are more of
// these.
uint64_t size_of(const Function& f) {
  size_t entries = 0;
  for (const Table& table : f.tables) entries += table.labels.size();
  return std::max({f.instructions.size(), f.operands.size() / 8, f.labels.size(), f.positions.size(), entries}) + 1;
}

bool ends_thread(const Instruction& instruction) { return instruction.form->transfer == ir::Transfer::exit; }

// names: of a cycle, the called one first.
std::string how_to_give_depth(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  const std::string quote = first.find('$') == std::string::npos ? "" : "'";
  const std::string key = quote.empty() ? first : "\"" + first + "\"";
  return "say how many activations of " + (names.size() == 1 ? "it" : support::alternatives(names)) +
         " a thread has on its stack at the same time at most: {recursion} " + quote + first + "=DEPTH" + quote +
         ", such as 16, or a line under [kernel.recursion] of a facts file: " + key +
         " = 16; or rewrite the recursion as a loop";
}

// Functions are nodes in the order in which calls of them are found; the kernel is the first.
class Finder {
 public:
  Finder(const Module& module, const Function& entry, const CallFacts& facts)
      : module_(module), entry_(entry), facts_(facts) {
    nodes_.push_back({.function = &entry});
  }

  support::Result<std::vector<CalledFunction>> run(const SharingLimits& limits) {
    find_order();
    if (!errors_.empty()) return errors_;
    find_sizes();
    share(limits);
    std::vector<CalledFunction> called;
    for (const uint32_t id : order_) {
      if (id != 0) called.push_back({nodes_[id].index, nodes_[id].is_shared});
    }
    return called;
  }

 private:
  enum class State : uint8_t { unvisited, active, done };
  struct Node {
    const Function* function = nullptr;
    uint32_t index = none;  // into Module::functions
    State state = State::unvisited;
    std::vector<uint32_t> callees = {};  // nodes, one for each call
    uint64_t written = 0;                // instructions
    uint64_t copied = 0;                 // with copies of all that is called
    uint64_t copies = 0;
    bool ends_threads = false;  // it, or a function that it calls, has an exit or a trap
    bool is_shared = false;
  };

  uint32_t node_of(uint32_t index);
  void find_order();
  void visit(uint32_t caller, const Instruction& call, std::vector<uint32_t>& work);
  void fail_of_cycle(uint32_t callee, const Instruction& call, const std::vector<uint32_t>& work);
  void find_sizes();
  void share(const SharingLimits& limits);
  uint64_t share_above(uint64_t few_copies, uint64_t instructions);
  void fail(const Instruction& call, std::string message, std::string help) {
    if (errors_.size() < most_errors)
      errors_.push_back(module_.source->error_at(call.offset, std::move(message), std::move(help)));
  }

  const Module& module_;
  const Function& entry_;
  const CallFacts& facts_;
  std::vector<Node> nodes_;
  std::unordered_map<uint32_t, uint32_t> ids_;  // by index into Module::functions
  std::vector<uint32_t> order_;                 // nodes, each after those it calls
  support::Diagnostics errors_;
};

uint32_t Finder::node_of(uint32_t index) {
  const Function& function = module_.functions[index];
  if (&function == &entry_) return 0;
  const auto [known, is_new] = ids_.emplace(index, static_cast<uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({.function = &function, .index = index});
  return known->second;
}

// A depth-first search; a function is active while what it calls is searched.
void Finder::find_order() {
  std::vector<uint32_t> work = {0};
  while (!work.empty()) {
    const uint32_t id = work.back();
    if (nodes_[id].state == State::active) order_.push_back(id);
    if (nodes_[id].state != State::unvisited) {
      nodes_[id].state = State::done;
      work.pop_back();
      continue;
    }
    const Function& function = *nodes_[id].function;
    nodes_[id].state = State::active;
    nodes_[id].written = size_of(function);
    nodes_[id].ends_threads = std::any_of(function.instructions.begin(), function.instructions.end(), ends_thread);
    for (const Instruction& instruction : function.instructions) {
      if (is_call(instruction)) visit(id, instruction, work);
    }
  }
}

void Finder::visit(uint32_t caller, const Instruction& call, std::vector<uint32_t>& work) {
  const uint32_t index = called_function(*nodes_[caller].function, call);
  if (index == none) {
    return fail(call, "an indirect call cannot be bounded: its target is not known",
                "call the function by its name, or list its targets (.calltargets)");
  }
  const Function& callee = module_.functions[index];
  const std::string name(callee.name);
  if (is_failed_assertion(callee)) {
    nodes_[caller].ends_threads = true;
    return;
  }
  if (!callee.has_body) {
    if (facts_.times.count(index) == 0 && !facts_.may_lack_times)
      fail(call, ir::has_no_body(name), ir::how_to_give_time(name));
    return;
  }
  const uint32_t id = node_of(index);
  if (nodes_[id].state == State::active) return fail_of_cycle(id, call, work);
  nodes_[caller].callees.push_back(id);
  if (nodes_[id].state == State::unvisited) work.push_back(id);
}

// The callee is active, and what is active behind it calls it.
void Finder::fail_of_cycle(uint32_t callee, const Instruction& call, const std::vector<uint32_t>& work) {
  std::vector<std::string> names;
  for (auto id = std::find(work.rbegin(), work.rend(), callee).base() - 1; id != work.end(); ++id) {
    const bool is_later = std::find(id + 1, work.end(), *id) != work.end();  // only the last is active
    if (nodes_[*id].state == State::active && !is_later) names.emplace_back(nodes_[*id].function->name);
  }
  const support::Location at = module_.source->locate(call.offset);
  const auto at_call = [&at](const support::Diagnostic& error) {
    return error.location.line == at.line && error.location.column == at.column;
  };
  if (std::any_of(errors_.begin(), errors_.end(), at_call)) return;  // of another activation (recursion.hpp)
  fail(call, "recursive call of '" + names.front() + "' cannot be bounded", how_to_give_depth(names));
}

void Finder::find_sizes() {
  for (const uint32_t id : order_) {
    Node& node = nodes_[id];
    node.copied = node.written;
    for (const uint32_t callee : node.callees) {
      node.copied = add(node.copied, nodes_[callee].copied);
      node.ends_threads |= nodes_[callee].ends_threads;
    }
  }
}

void Finder::share(const SharingLimits& limits) {
  uint64_t written = 0;
  for (const Node& node : nodes_) written = add(written, node.written);
  const uint64_t most = add(multiply(written, std::max<uint64_t>(limits.few_copies, 1)), limits.instructions);
  uint64_t instructions = limits.instructions;
  while (share_above(limits.few_copies, instructions) > most && instructions > 0) instructions /= 2;
}

// Shares what the limits say. How many instructions all bodies have then.
uint64_t Finder::share_above(uint64_t few_copies, uint64_t instructions) {
  for (Node& node : nodes_) node.copies = 0;
  nodes_[0].copies = 1;
  uint64_t all = 0;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
    Node& node = nodes_[*id];
    const bool is_far = node.copies > few_copies || node.function->level > static_cast<int64_t>(few_copies);
    const bool is_large = is_far && multiply(node.copies, node.copied) > instructions;
    node.is_shared = *id != 0 && is_large && !node.ends_threads;
    const uint64_t bodies = node.is_shared ? 1 : node.copies;
    all = add(all, multiply(bodies, node.written));
    for (const uint32_t callee : node.callees) nodes_[callee].copies = add(nodes_[callee].copies, bodies);
  }
  return all;
}

}  // namespace

bool is_failed_assertion(const Function& function) { return !function.has_body && function.name == "__assertfail"; }

std::vector<uint32_t> targets_of(const Function& function, const Instruction& instruction) {
  std::vector<uint32_t> labels;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function.begin(instruction)[i];
    if (operand.role == Role::target) labels.push_back(operand.index);
    if (operand.role == Role::targets) {
      const std::vector<uint32_t>& table = function.tables[operand.index].labels;
      labels.insert(labels.end(), table.begin(), table.end());
    }
  }
  return labels;
}

bool is_call(const Instruction& instruction) { return instruction.form->transfer == ir::Transfer::call; }

uint32_t called_function(const Function& caller, const Instruction& call) {
  const Operand* begin = caller.begin(call);
  const Operand* end = begin + call.operand_count;
  const Operand* target = std::find_if(begin, end, [](const Operand& o) { return o.kind != Operand::Kind::list; });
  return target == end || target->kind != Operand::Kind::function ? none : target->index;
}

bool returns_before_end(const Function& function) {
  if (function.instructions.empty()) return false;
  const Instruction& last = function.instructions.back();
  const bool is_last = function.labels.empty() || function.labels.back().instruction < function.instructions.size();
  const ir::Transfer transfer = last.form->transfer;
  const bool goes_on = transfer == ir::Transfer::fallthrough || transfer == ir::Transfer::call;
  return is_last && last.guard == none && !goes_on;
}

std::vector<uint32_t> called_functions(const Module& module, const Function& caller) {
  std::vector<uint32_t> called;
  std::set<uint32_t> known;
  for (const Instruction& instruction : caller.instructions) {
    const uint32_t callee = is_call(instruction) ? called_function(caller, instruction) : none;
    if (callee != none && module.functions[callee].has_body && known.insert(callee).second) called.push_back(callee);
  }
  return called;
}

std::vector<ir::Frame> frames_of(const Module& module, const Function& entry) {
  const auto is_entry = [&entry](const Function& function) { return &function == &entry; };
  const auto first = std::find_if(module.functions.begin(), module.functions.end(), is_entry);
  std::vector<uint32_t> reached = {static_cast<uint32_t>(first - module.functions.begin())};
  std::set<uint32_t> known;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const uint32_t callee : called_functions(module, module.functions[reached[i]])) {
      if (known.insert(callee).second) reached.push_back(callee);
    }
  }
  std::map<uint32_t, int64_t> bytes;
  for (const Variable& variable : module.variables) {
    if (variable.space != ir::MemorySpace::local || variable.function == none) continue;
    const int64_t alignment = std::max<int64_t>(variable.alignment, 1);
    // A whole multiple of the alignment; of several variables, each may begin behind a gap.
    const auto [own, is_first] = bytes.try_emplace(variable.function, 0);
    own->second += (variable.bytes + alignment - 1) / alignment * alignment + (is_first ? 0 : alignment - 1);
  }
  std::vector<ir::Frame> frames;
  for (const uint32_t function : reached) {
    const Function& one = module.functions[function];
    if (!one.saves_registers) frames.push_back({std::string(one.name), bytes[function]});
  }
  return frames;
}

support::Result<std::vector<CalledFunction>> find_calls(const Module& module, const Function& entry,
                                                        const SharingLimits& limits, const CallFacts& facts) {
  return Finder(module, entry, facts).run(limits);
}

}  // namespace warpspan::ptx
