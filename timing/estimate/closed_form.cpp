// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/estimate/closed_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/execution.hpp"
#include "ir/execution/trace.hpp"
#include "ir/sizes.hpp"
#include "timing/costs/cost.hpp"
#include "timing/estimate/loaded_values.hpp"

namespace warpspan::timing {

namespace {

using ir::AccessClass;
using ir::OperationKind;

constexpr auto lanes = static_cast<double>(ir::warp_lanes);
constexpr auto line_bytes = static_cast<double>(ir::memory_line_bytes);
constexpr auto sector_bytes = static_cast<double>(ir::sector_bytes);
constexpr auto sectors_of_line = static_cast<double>(ir::sectors_of_line);
constexpr double slices = 96;        // of the L2, each of which has atomics one after another
constexpr double known_in_l1 = 0.5;  // of what goes to unknown places
constexpr double moved_sectors = 2;  // at least, where memory is asked for one

double real(int64_t number) { return static_cast<double>(number); }

// Machine instructions that are usually issued for one of PTX, for which the costs count the most that there may be:
// operands are where they are needed, and sequences have a short path.
double usual_instructions(const ir::Kernel& kernel, const ir::Operation& operation, const OperationFigures& cost) {
  constexpr int64_t short_sequence = 9;
  constexpr double interval = 8, move = 0.5;  // cycles between two of a sequence; most moves are left out
  if (kernel.is_machine_code()) return real(cost.instructions);
  if (operation.kind == OperationKind::load_param) return 0;
  if (operation.kind == OperationKind::move) return move;
  if (cost.instructions > short_sequence) {
    return std::clamp(real(cost.latency.best) / interval, 1.0, real(cost.instructions));
  }
  const bool is_pair = ir::to_string(operation.kind).starts_with("int64");
  return is_pair ? real(std::min<int64_t>(cost.instructions, 2)) : 1;
}

bool is_of_shared(const ir::Operation& operation, const ir::Access* access) {
  return operation.space == ir::MemorySpace::shared || (access != nullptr && access->in_shared);
}

class Form {
 public:
  Form(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine,
       const SimulatedMachine& figures, const Costs& costs, std::vector<double> executions)
      : kernel_(kernel),
        flow_(flow),
        load_(load),
        machine_(machine),
        figures_(figures),
        costs_(costs),
        executions_(std::move(executions)),
        loaded_(loaded_values(kernel, flow)),
        results_(kernel.instructions.size()),
        active_(std::min(figures.multiprocessors, real(load.device_blocks))),
        share_(active_ / figures.multiprocessors),
        sector_(sector_bytes / std::min(figures.memory.port_bytes, figures.memory.l2_bytes / share_)) {}

  ClosedForm run() {
    for (const std::string_view name : {"double", "special"}) {
      if (const auto unit = machine_.resource(name)) units_.emplace(*unit, 0);
    }
    for (ir::BlockId block = 0; block < kernel_.blocks.size(); ++block) {
      if (executions_[block] > 0) add(block);
    }
    for (const auto& [unit, cycles] : units_) form_.units = std::max(form_.units, cycles);
    for (const auto& [object, bytes] : from_memory_) form_.memory += bytes / figures_.memory.memory_bytes;
    form_.waves = std::ceil(real(load_.blocks) / real(std::max<int64_t>(1, load_.residency.blocks.most)));
    form_.dispatch = real(load_.device_blocks) * figures_.blocks.interval;
    return form_;
  }

 private:
  // What an access asks for: of an execution by a warp, and of the multiprocessor in all.
  struct Asked {
    double times = 0;         // of the multiprocessor
    double bytes = 0;         // of a lane
    double transactions = 1;  // of one time
    double packed = 1;        // of one time, if lanes access words side by side
    double sectors = 1;       // of a transaction
    double requests = 0;      // times * transactions
    bool is_known = false;    // where it goes
  };

  void add(ir::BlockId block);
  void add_issue(const ir::Instruction& instruction, double times);
  void ask(ir::BlockId block, ir::InstructionId id);
  Asked asked_of(ir::InstructionId id, const ir::Access& access, double times) const;
  void load(ir::InstructionId id, const ir::Access& access, const Asked& asked, double times_of_warp);
  void store(const Asked& asked);
  void update(ir::BlockId block, ir::InstructionId id, const ir::Access& access, const Asked& asked);
  double warps_of(ir::BlockId block, ir::InstructionId id) const;
  double result_of(ir::InstructionId id) const;
  double latency_of(const ir::Block& block) const;
  bool is_decided(ir::BlockId block, const ir::Instruction& instruction) const;
  bool is_loaded(const ir::Instruction& instruction) const {
    const ir::RegisterId* reads = kernel_.reads(instruction);
    return std::any_of(reads, reads + instruction.reads, [this](ir::RegisterId reg) { return loaded_.registers[reg]; });
  }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Load& load_;
  const Machine& machine_;
  const SimulatedMachine& figures_;
  const Costs& costs_;
  const std::vector<double> executions_;  // by block
  const LoadedValues loaded_;
  std::vector<std::optional<double>> results_;  // by instruction, of accesses: cycles until the result is there
  const double active_, share_;                 // multiprocessors that have blocks
  const double sector_;                         // cycles in which one comes from the L2
  std::map<size_t, double> units_;              // by resource
  std::map<ir::ObjectId, double> from_memory_;  // bytes
  ClosedForm form_;
};

void Form::add(ir::BlockId block) {
  const ir::Block& code = kernel_.blocks[block];
  for (ir::InstructionId id = code.first; id < code.first + code.count; ++id) {
    add_issue(kernel_.instructions[id], executions_[block] * real(load_.warps));
    ask(block, id);
  }
  form_.latency += executions_[block] * latency_of(code);
}

void Form::add_issue(const ir::Instruction& instruction, double times) {
  const ir::Operation& operation = kernel_.operation(instruction);
  const OperationFigures& cost = costs_.of(instruction);
  const double usual = usual_instructions(kernel_, operation, cost);
  form_.issue += times * usual / figures_.schedulers;
  if (operation.kind == OperationKind::shuffle) form_.load_store += times;
  for (const Occupancy& occupancy : cost.occupancies) {
    const auto unit = units_.find(occupancy.resource);
    if (unit == units_.end()) continue;
    const bool each = machine_.resources[occupancy.resource].sharing == ResourceFigures::Sharing::scheduler;
    const double part = std::min(1.0, usual / real(std::max<int64_t>(1, cost.instructions)));
    unit->second += times * part * real(occupancy.cycles) / (each ? figures_.schedulers : 1);
  }
}

// Of the multiprocessor, that execute it.
double Form::warps_of(ir::BlockId block, ir::InstructionId id) const {
  double warps = real(load_.warps);
  if (const auto some = ir::warps_that_execute(flow_, block, id)) warps = std::min(warps, real(*some * load_.blocks));
  if (const auto blocks = ir::blocks_that_execute(flow_, block, id)) warps *= real(blocks->some) / real(blocks->all);
  return warps;
}

void Form::ask(ir::BlockId block, ir::InstructionId id) {
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[id]);
  const AccessClass access_class = ir::access_class(operation);
  using enum ir::MemorySpace;
  if (access_class == AccessClass::none || operation.space == parameter || operation.space == constant) return;
  const double times = executions_[block] * warps_of(block, id);
  const ir::Access* access = ir::access_of(flow_, id);
  if (is_of_shared(operation, access)) {
    const double passes = flow_.transactions[id] < ir::warp_lanes ? real(std::max(1U, flow_.transactions[id])) : 1;
    form_.load_store += times * passes;
    results_[id] = figures_.memory.shared + passes - 1;
    return;
  }
  if (access == nullptr) {
    constexpr int word = 4;
    form_.load_store += times * std::max(1, operation.bytes / word);
    if (operation.space == local) results_[id] = figures_.memory.l1_hit;
    return;
  }
  const Asked asked = asked_of(id, *access, times);
  switch (access_class) {
    case AccessClass::load: return load(id, *access, asked, executions_[block]);
    case AccessClass::store: return store(asked);
    default: return update(block, id, *access, asked);
  }
}

Form::Asked Form::asked_of(ir::InstructionId id, const ir::Access& access, double times) const {
  const ir::Instruction& instruction = kernel_.instructions[id];
  Asked asked;
  asked.times = times;
  asked.bytes = kernel_.operation(instruction).bytes;
  asked.packed = std::max(1.0, asked.bytes * lanes / line_bytes);
  asked.is_known = access.grid_lines && !access.form.empty();
  asked.transactions = std::max(1.0, real(flow_.transactions[id]));
  if (asked.is_known) {
    if (access.aligned_transactions > 0) asked.transactions = real(access.aligned_transactions);
    asked.sectors = std::clamp(asked.bytes * lanes / sector_bytes / asked.transactions, 1.0, sectors_of_line);
  } else if (asked.transactions >= lanes) {
    asked.transactions = is_loaded(instruction) ? asked.packed : std::sqrt(asked.packed * lanes);
  }
  asked.requests = asked.times * asked.transactions;
  return asked;
}

void Form::load(ir::InstructionId id, const ir::Access& access, const Asked& asked, double times_of_warp) {
  const MemoryFigures<double>& memory = figures_.memory;
  form_.load_store += asked.times * std::max(asked.transactions, asked.packed);
  if (asked.requests <= 0) return;
  double missed = asked.requests * (1 - known_in_l1), all = missed * active_;
  if (asked.is_known) {
    missed = std::min(asked.requests, real(*access.grid_lines));
    if (access.block_lines) missed = std::min(missed, real(*access.block_lines) * real(load_.blocks));
    all = real(*access.grid_lines);
  } else if (access.object != ir::no_object && flow_.objects[access.object].bytes) {
    all = std::max(1.0, real(*flow_.objects[access.object].bytes) / line_bytes);
    missed = std::min(missed, all);
  }
  if (kernel_.operation(kernel_.instructions[id]).facts.strong) missed = asked.requests;
  double waits = missed / asked.requests;
  if (asked.is_known && access.warp_lines) {
    const double new_to_warp = real(*access.warp_lines) / (times_of_warp * asked.transactions);
    waits = std::max(waits, std::min(1.0, new_to_warp));
  }
  const double from_memory = std::min(all, missed * active_);
  const double part = from_memory / (missed * active_);
  const double beyond = memory.l2_hit + part * (memory.memory_load - memory.l2_hit);
  results_[id] = memory.l1_hit + waits * (beyond - memory.l1_hit);
  form_.network += missed * asked.sectors * sector_;
  // Accesses to one object mostly go to the same lines.
  double& bytes = from_memory_[access.object];
  bytes = std::max(bytes, from_memory * std::max(asked.sectors, moved_sectors) * sector_bytes);
}

void Form::store(const Asked& asked) {
  const MemoryFigures<double>& memory = figures_.memory;
  form_.load_store +=
      asked.times * (std::max(asked.transactions, asked.packed) + asked.transactions * (memory.store_line - 1));
  const double whole = memory.store_sector * asked.sectors * sector_;
  const bool in_part = asked.is_known && asked.transactions > 1 && asked.bytes < asked.transactions;
  form_.network += asked.requests * (in_part ? std::max(memory.store_part * share_, whole) : whole);
}

// By loaded values, whether a warp executes it.
bool Form::is_decided(ir::BlockId block, const ir::Instruction& instruction) const {
  const ir::RegisterId* reads = kernel_.reads(instruction);
  const bool by_guard =
      instruction.guarded && std::any_of(reads, reads + instruction.reads, [this](ir::RegisterId reg) {
        return kernel_.register_bits[reg] == 1 && loaded_.registers[reg];
      });
  return by_guard || loaded_.blocks[block];
}

void Form::update(ir::BlockId block, ir::InstructionId id, const ir::Access& access, const Asked& asked) {
  form_.load_store += asked.requests;
  form_.network += asked.requests * figures_.atomics.sector * share_;
  double words = 1;
  if (asked.is_known && access.span) {
    words = std::clamp(real(access.span->end - access.span->first) / std::max(1.0, asked.bytes), 1.0, slices);
  }
  form_.atomics += asked.times * active_ * (is_decided(block, kernel_.instructions[id]) ? 1 : lanes) *
                   figures_.atomics.address / words;
  if (ir::access_class(kernel_.operation(kernel_.instructions[id])) == AccessClass::atomic) {
    results_[id] = figures_.atomics.result;
  }
}

double Form::result_of(ir::InstructionId id) const {
  using enum OperationKind;
  const OperationKind kind = kernel_.operation(kernel_.instructions[id]).kind;
  if (kind == load_param || kind == move || kind == branch || kind == exit) return 0;
  return results_[id] ? *results_[id] : real(costs_.of(kernel_.instructions[id]).latency.best) + 1;
}

double Form::latency_of(const ir::Block& block) const {
  constexpr double gap = 1.5;  // between two issues of a warp
  std::map<ir::RegisterId, double> ready;
  double issued = 0, end = 0, behind = 0, stored = 0;
  for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
    const ir::Instruction& instruction = kernel_.instructions[id];
    const ir::Operation& operation = kernel_.operation(instruction);
    const AccessClass access = ir::access_class(operation);
    const bool is_store = access == AccessClass::store || access == AccessClass::reduction;
    const double result = result_of(id);
    issued += gap * usual_instructions(kernel_, operation, costs_.of(instruction));
    double start = behind;
    for (const ir::RegisterId* reg = kernel_.reads(instruction); reg != kernel_.writes(instruction); ++reg) {
      if (const auto found = ready.find(*reg); found != ready.end()) start = std::max(start, found->second);
    }
    if (kernel_.is_machine_code()) behind = start = std::max(start, issued);
    const bool is_constant =
        operation.space == ir::MemorySpace::parameter || operation.space == ir::MemorySpace::constant;
    if (access == AccessClass::load && !is_constant) start = std::max(start, stored);
    if (is_store || access == AccessClass::atomic) stored = std::max(stored, start);
    if (operation.kind == OperationKind::barrier) start = behind = std::max(start, end) + result;
    const double there = operation.kind == OperationKind::barrier ? behind : start + result;
    for (uint32_t i = 0; i < instruction.writes; ++i) ready[kernel_.writes(instruction)[i]] = there;
    if (!is_store) end = std::max(end, there);
  }
  return std::max(issued, end);
}

// How often each block is executed, on the path on which most is issued and awaited.
std::optional<std::vector<double>> executions_of(const ir::Kernel& kernel, const ir::Flow& flow, const Costs& costs) {
  constexpr int64_t awaited_with_others = 8;
  if (flow.lanes_part) {  // lanes that masks may part are taken to go on jointly
    ir::Flow joint = flow;
    joint.lanes_part = false;
    return executions_of(kernel, joint, costs);
  }
  const auto paths = ir::largest_block_paths(kernel, flow, 1, [&](ir::BlockId id) {
    support::Integer sum = 0;
    const ir::Block& block = kernel.blocks[id];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const OperationFigures& cost = costs.of(kernel.instructions[i]);
      sum += cost.instructions + cost.latency.average / awaited_with_others;
    }
    return std::vector<support::Integer>{sum};
  });
  if (!paths || paths->executions.empty()) return std::nullopt;
  std::vector<double> executions(kernel.blocks.size());
  for (size_t i = 0; i < paths->executions.front().size(); ++i) {
    const auto times = paths->executions.front()[i].value();
    if (!times) return std::nullopt;
    executions[i] = real(*times);
  }
  return executions;
}

}  // namespace

double ClosedForm::cycles() const {
  constexpr double beginning = 900;  // in which the first lines of code and of constants come
  return beginning + waves * latency + std::max({issue, units, load_store, network, memory, atomics, dispatch});
}

std::optional<ClosedForm> closed_form(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load,
                                      const Machine& machine, const SimulatedMachine& figures) {
  if (kernel.calls_outside()) return std::nullopt;
  const auto costs = costs_of(kernel, machine);
  if (!costs) return std::nullopt;
  auto executions = executions_of(kernel, flow, *costs);
  if (!executions) return std::nullopt;
  return Form(kernel, flow, load, machine, figures, *costs, std::move(*executions)).run();
}

}  // namespace warpspan::timing
