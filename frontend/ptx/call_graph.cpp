#include "frontend/ptx/call_graph.hpp"

#include <algorithm>
#include <string>

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

// The kernel is a node of its own, behind all functions.
class Finder {
 public:
  Finder(const Module& module, const Function& entry)
      : module_(module), entry_(entry), root_(static_cast<uint32_t>(module.functions.size())), nodes_(root_ + 1) {}

  support::Result<CallGraph> run(const SharingLimits& limits) {
    find_order();
    if (!errors_.empty()) return errors_;
    find_sizes();
    share(limits);
    graph_.order.pop_back();  // the kernel itself
    return std::move(graph_);
  }

 private:
  enum class State : uint8_t { unvisited, active, done };
  struct Node {
    State state = State::unvisited;
    std::vector<uint32_t> callees;  // one for each call
    uint64_t written = 0;           // instructions
    uint64_t copied = 0;            // with copies of all that is called
  };

  const Function& function(uint32_t node) const { return node == root_ ? entry_ : module_.functions[node]; }
  uint32_t node_of(uint32_t index) const { return &module_.functions[index] == &entry_ ? root_ : index; }

  void find_order();
  void visit(const Function& caller, const Instruction& call, Node& node, std::vector<uint32_t>& work);
  void find_sizes();
  void share(const SharingLimits& limits);
  uint64_t share_above(uint64_t few_copies, uint64_t instructions);
  void fail(const Instruction& call, std::string message, std::string help) {
    if (errors_.size() < most_errors)
      errors_.push_back(module_.source->error_at(call.offset, std::move(message), std::move(help)));
  }

  const Module& module_;
  const Function& entry_;
  uint32_t root_;
  std::vector<Node> nodes_;
  CallGraph graph_;
  support::Diagnostics errors_;
};

// A depth-first search; a function is active while what it calls is searched.
void Finder::find_order() {
  std::vector<uint32_t> work = {root_};
  while (!work.empty()) {
    const uint32_t id = work.back();
    Node& node = nodes_[id];
    if (node.state == State::active) graph_.order.push_back(id);
    if (node.state != State::unvisited) {
      node.state = State::done;
      work.pop_back();
      continue;
    }
    node.state = State::active;
    node.written = function(id).instructions.size() + 1;
    for (const Instruction& instruction : function(id).instructions) {
      if (is_call(instruction)) visit(function(id), instruction, node, work);
    }
  }
}

void Finder::visit(const Function& caller, const Instruction& call, Node& node, std::vector<uint32_t>& work) {
  const uint32_t index = called_function(caller, call);
  if (index == none) {
    return fail(call, "an indirect call cannot be bounded: its target is not known", "call the function by its name");
  }
  const Function& callee = module_.functions[index];
  const std::string name(callee.name);
  if (nodes_[node_of(index)].state == State::active) {
    return fail(call, "recursive call of '" + name + "' cannot be bounded", "rewrite the recursion as a loop");
  }
  if (!callee.has_body) {
    return fail(call, "'" + name + "' has no body in this file, so its time cannot be bounded",
                "link it in (nvcc -dlto, clang with its bitcode), or take the call out");
  }
  node.callees.push_back(index);
  if (nodes_[index].state == State::unvisited) work.push_back(index);
}

void Finder::find_sizes() {
  for (const uint32_t id : graph_.order) {
    Node& node = nodes_[id];
    node.copied = node.written;
    for (const uint32_t callee : node.callees) node.copied = add(node.copied, nodes_[callee].copied);
  }
}

void Finder::share(const SharingLimits& limits) {
  uint64_t written = 0;
  for (const uint32_t id : graph_.order) written = add(written, nodes_[id].written);
  const uint64_t most = add(multiply(written, std::max<uint64_t>(limits.few_copies, 1)), limits.instructions);
  uint64_t instructions = limits.instructions;
  while (share_above(limits.few_copies, instructions) > most && instructions > 0) instructions /= 2;
}

// Shares what the limits say. How many instructions all bodies have then.
uint64_t Finder::share_above(uint64_t few_copies, uint64_t instructions) {
  graph_.is_shared.assign(nodes_.size(), false);
  std::vector<uint64_t> copies(nodes_.size(), 0);
  copies[root_] = 1;
  uint64_t all = 0;
  for (auto id = graph_.order.rbegin(); id != graph_.order.rend(); ++id) {
    const Node& node = nodes_[*id];
    const bool is_shared =
        *id != root_ && copies[*id] > few_copies && multiply(copies[*id], node.copied) > instructions;
    graph_.is_shared[*id] = is_shared;
    const uint64_t bodies = is_shared ? 1 : copies[*id];
    all = add(all, multiply(bodies, node.written));
    for (const uint32_t callee : node.callees) copies[callee] = add(copies[callee], bodies);
  }
  return all;
}

}  // namespace

bool is_call(const Instruction& instruction) { return instruction.form->opcode->name == "call"; }

uint32_t called_function(const Function& caller, const Instruction& call) {
  const Operand* begin = caller.begin(call);
  const Operand* end = begin + call.operand_count;
  const Operand* target = std::find_if(begin, end, [](const Operand& o) { return o.kind != Operand::Kind::list; });
  return target == end || target->kind != Operand::Kind::function ? none : target->index;
}

support::Result<CallGraph> find_calls(const Module& module, const Function& entry, const SharingLimits& limits) {
  return Finder(module, entry).run(limits);
}

}  // namespace warpspan::ptx
