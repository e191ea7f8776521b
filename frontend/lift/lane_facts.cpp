// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/lane_facts.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>

#include "frontend/lift/accesses/execution_domains.hpp"
#include "frontend/lift/accesses/memory_accesses.hpp"
#include "frontend/lift/accesses/shared_windows.hpp"
#include "frontend/lift/accesses/transactions.hpp"
#include "frontend/lift/common_values.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/address_forms.hpp"
#include "frontend/lift/values/lane_values.hpp"
#include "frontend/lift/values/uniformity.hpp"

namespace warpspan::lift {

namespace {

class LaneFacts {
 public:
  LaneFacts(LiftedBody& of, const LoopIds& ids, ir::Flow& flow) : of_(of), ids_(ids), flow_(flow) {}

  void find();

 private:
  ReconvergencePoints find_reconvergence() const;
  std::vector<const llvm::BasicBlock*> on_two_paths(ir::BlockId branch) const;
  ValueSet find_sources() const;
  ValueSet find_accesses();
  void find_shared();
  void find_warps(ExecutionDomains& domains);
  void find_lanes_of_copies(ExecutionDomains& domains);
  void find_elected(ExecutionDomains& domains);
  void find_electing(ExecutionDomains& domains);
  void find_targets();
  void find_sleepers(const Uniformity& uniformity);
  void find_disputed_barriers(const Uniformity& in_warp, const Uniformity& in_block);
  bool is_divergent(const Uniformity& uniformity, const llvm::BasicBlock& block) const;
  std::optional<int64_t> trip_count(const llvm::Loop& loop) const { return flow_.loops[ids_.lookup(&loop)].trip_count; }

  LiftedBody& of_;
  const LoopIds& ids_;
  ir::Flow& flow_;
};

// Values that prove to be the same in each warp make more branches uniform, and these more values.
void LaneFacts::find() {
  OffsetTables tables(of_.block);
  const auto trips = [this](const llvm::Loop& loop) { return trip_count(loop); };
  const auto known = [this](llvm::Value& value, bool is_signed) { return of_.counts.range(value, is_signed); };
  ValueOrigins origins(of_.loops, known, trips);
  const auto range = [&](llvm::Value& value, bool is_signed) { return origins.range(value, is_signed); };
  const ReconvergencePoints points = find_reconvergence();
  const ValueSet sources = find_sources();
  Uniformity uniformity(*of_.lifted.function, of_.loops, {}, Uniformity::Scope::warp, points, sources);
  const ValueSet more = LaneValues(*of_.lifted.function, of_.loops, uniformity, tables, range).more_uniform();
  if (!more.empty())
    uniformity = Uniformity(*of_.lifted.function, of_.loops, more, Uniformity::Scope::warp, points, sources);
  flow_.same_unwritten = uniformity.relies_on_own_memory();
  const LaneValues lanes(*of_.lifted.function, of_.loops, uniformity, tables, range);
  const Uniformity in_block(*of_.lifted.function, of_.loops, {}, Uniformity::Scope::block);
  for (const ir::BlockId b : flow_.order) {
    flow_.blocks[b].divergent = is_divergent(uniformity, *of_.lifted.graph.blocks[b]);
    flow_.blocks[b].warps_differ = is_divergent(in_block, *of_.lifted.graph.blocks[b]);
  }
  const auto count = [&](const LaneValues& values) {
    StepValues steps(uniformity, values, tables, range, origins);
    return Transactions(of_.body, values, steps, tables, of_.lifted.has_local_pointers).count(*of_.lifted.function);
  };
  flow_.transactions = count(lanes);
  find_targets();
  find_sleepers(uniformity);
  find_disputed_barriers(uniformity, in_block);
  const ValueSet pointers = find_accesses();
  std::vector<uint32_t> aligned = flow_.transactions;
  if (!pointers.empty()) {
    aligned = count(LaneValues(*of_.lifted.function, of_.loops, uniformity, tables, range, pointers));
  }
  for (ir::Access& access : flow_.accesses) {
    access.aligned_transactions = std::min(flow_.transactions[access.instruction], aligned[access.instruction]);
    const int64_t bytes = ir::warp_lanes * of_.kernel.operation(of_.kernel.instructions[access.instruction]).bytes;
    access.covers_lines = access.covers_lines && access.aligned_transactions * ir::memory_line_bytes == bytes;
  }
}

ReconvergencePoints LaneFacts::find_reconvergence() const {
  if (of_.any_groups) {
    ReconvergencePoints points;
    for (const ir::BlockId b : flow_.order) {
      if (of_.kernel.blocks[b].successors.size() < 2) continue;
      const ir::BlockId next = flow_.blocks[b].reconvergence;
      points[of_.lifted.graph.blocks[b]] = {next == ir::no_block ? nullptr : of_.lifted.graph.blocks[next],
                                            on_two_paths(b)};
    }
    return points;
  }
  return declared_points(of_.body, of_.lifted.graph);
}

// Where lanes that take different successors may meet before its post-dominator.
std::vector<const llvm::BasicBlock*> LaneFacts::on_two_paths(ir::BlockId branch) const {
  std::vector<size_t> paths(of_.kernel.blocks.size());  // from how many successors a block is reached
  std::vector<const llvm::BasicBlock*> all;
  std::vector<ir::BlockId> successors = of_.kernel.blocks[branch].successors;
  std::sort(successors.begin(), successors.end());
  successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
  for (const ir::BlockId successor : successors) {
    std::vector<bool> seen(paths.size());
    std::vector<ir::BlockId> open = {successor};
    while (!open.empty()) {
      const ir::BlockId next = open.back();
      open.pop_back();
      if (next == flow_.blocks[branch].reconvergence || seen[next]) continue;
      seen[next] = true;
      if (++paths[next] == 2) all.push_back(of_.lifted.graph.blocks[next]);
      open.insert(open.end(), of_.kernel.blocks[next].successors.begin(), of_.kernel.blocks[next].successors.end());
    }
  }
  return all;
}

// Values that are the same for those lanes only that have executed them together.
ValueSet LaneFacts::find_sources() const {
  ValueSet sources;
  if (!of_.any_groups) return sources;
  for (const llvm::Instruction& instruction : llvm::instructions(*of_.lifted.function)) {
    if (call_kind(instruction) == CallKind::group) sources.insert(&instruction);
  }
  return sources;
}

bool LaneFacts::is_divergent(const Uniformity& uniformity, const llvm::BasicBlock& block) const {
  if (uniformity.is_divergent_branch(block)) return true;
  for (const llvm::BasicBlock* next : llvm::successors(&block)) {
    if (is_second_part(of_.lifted.graph, *next) && uniformity.is_divergent_branch(*next)) return true;
  }
  return false;
}

// The values that parameters give addresses by. What shared bodies are passed is unknown.
ValueSet LaneFacts::find_accesses() {
  if (of_.program.bodies.size() > 1) {
    flow_.accesses = unknown_accesses(of_.body, flow_);
    return {};
  }
  OffsetTables tables(of_.block);
  const auto trips = [this](const llvm::Loop& loop) { return trip_count(loop); };
  AddressForms forms(*of_.lifted.function, of_.loops, tables, of_.launch.grid ? &*of_.launch.grid : nullptr, trips);
  ExecutionDomains domains(of_.body, of_.dominators, of_.post_dominators, of_.loops, forms);
  const auto range = [this](llvm::Value& value, bool is_signed) { return of_.counts.range(value, is_signed); };
  MemoryAccesses accesses(of_.program, of_.body, of_.launch, of_.dead, of_.loops, forms, domains, range, flow_);
  accesses.find(*of_.lifted.function);
  find_shared();
  find_warps(domains);
  find_lanes_of_copies(domains);
  find_elected(domains);
  find_electing(domains);
  return accesses.pointers();
}

// Which of the accesses by generic addresses are none of global memory, and which of nothing else.
void LaneFacts::find_shared() {
  const SharedWindows windows(of_.program, of_.body, of_.launch.dynamic_shared, of_.counts.evolution());
  for (const llvm::Instruction& instruction : llvm::instructions(*of_.lifted.function)) {
    const CallKind kind = call_kind(instruction);
    if (kind != CallKind::access && kind != CallKind::fragment) continue;
    const auto& call = llvm::cast<llvm::CallInst>(instruction);
    const auto from = origin(call);
    if (!from || of_.body.operation(*from).space != ir::MemorySpace::generic) continue;
    ir::Access* access = ir::access_of(flow_, *from);
    if (access == nullptr) continue;
    if (windows.holds(call)) {
      *access = {};
      access->instruction = *from;
      access->in_shared = true;
    } else {
      access->in_global = access->object != ir::no_object && !windows.mentions_shared(call);
    }
  }
}

// Nothing is to be found for blocks that no thread can avoid.
void LaneFacts::find_warps(ExecutionDomains& domains) {
  const llvm::BasicBlock& entry = of_.lifted.function->getEntryBlock();
  for (const ir::BlockId b : flow_.order) {
    const llvm::BasicBlock& block = *of_.lifted.graph.blocks[b];
    if (of_.post_dominators.dominates(&block, &entry)) continue;
    const auto some = domains.executing(domains.of(block));
    if (!some) continue;
    flow_.blocks[b].warps = some->warps;
    flow_.blocks[b].blocks = some->blocks;
  }
}

void LaneFacts::find_lanes_of_copies(ExecutionDomains& domains) {
  for (const ir::BlockId b : flow_.order) {
    const ir::Block& block = of_.kernel.blocks[b];
    std::optional<int64_t> lanes;
    for (ir::BulkCopy& copy : flow_.copies) {
      if (copy.instruction < block.first || copy.instruction >= block.first + block.count) continue;
      if (!lanes) lanes = domains.lanes(domains.of(*of_.lifted.graph.blocks[b]));
      copy.lanes = *lanes;
    }
  }
}

// Lanes that ask for different times are served one after another.
void LaneFacts::find_sleepers(const Uniformity& uniformity) {
  std::map<uint32_t, bool> alike;
  for (const llvm::Instruction& instruction : llvm::instructions(*of_.lifted.function)) {
    const auto from = origin(instruction);
    if (!from || call_kind(instruction) != CallKind::amount) continue;
    const bool is_alike = uniformity.is_uniform_use(instruction.getOperandUse(0));
    alike.try_emplace(*from, true).first->second &= is_alike;
  }
  for (ir::InstructionId id = 0; id < of_.kernel.instructions.size(); ++id) {
    if (of_.kernel.operation(of_.kernel.instructions[id]).kind != ir::OperationKind::sleep) continue;
    const auto found = alike.find(id);
    flow_.transactions[id] = found != alike.end() && found->second ? 1 : ir::warp_lanes;
  }
}

// A guard on which all threads of the block agree is a branch around the barrier which they take together. ptxas guards
// barriers so in loops that it has rotated.
void LaneFacts::find_disputed_barriers(const Uniformity& in_warp, const Uniformity& in_block) {
  std::vector<bool> agreed(of_.kernel.instructions.size());
  for (const llvm::Instruction& instruction : llvm::instructions(*of_.lifted.function)) {
    const auto from = origin(instruction);
    if (!from || call_kind(instruction) != CallKind::guard) continue;
    const llvm::Use& guard = instruction.getOperandUse(0);
    agreed[*from] = in_warp.is_uniform_use(guard) && in_block.is_uniform_use(guard);
  }
  for (ir::InstructionId id = 0; id < of_.kernel.instructions.size(); ++id) {
    const ir::Instruction& instruction = of_.kernel.instructions[id];
    const bool is_barrier = of_.kernel.operation(instruction).kind == ir::OperationKind::barrier;
    if (is_barrier && instruction.guarded && !agreed[id]) flow_.partial_barriers.push_back(id);
  }
}

// An indexed branch loads where to go, from one address for each target that lanes have.
void LaneFacts::find_targets() {
  for (const ir::BlockId b : flow_.order) {
    const ir::Block& block = of_.kernel.blocks[b];
    if (block.count == 0 || !flow_.blocks[b].divergent) continue;
    const ir::InstructionId last = block.first + block.count - 1;
    if (block.transfer.kind != ir::Transfer::indexed) continue;
    const auto targets = static_cast<uint32_t>(block.successors.size());
    flow_.transactions[last] = std::clamp<uint32_t>(targets, 1, ir::warp_lanes);
  }
}

// Machine code makes bulk copies for one lane after another, in a loop of one block that elects them (ptxas writes no
// others): all that ask have the election's guard when they come to it.
void LaneFacts::find_electing(ExecutionDomains& domains) {
  if (!of_.body.is_machine_code) return;
  for (const llvm::Instruction& instruction : llvm::instructions(*of_.lifted.function)) {
    const auto from = origin(instruction);
    if (!from || call_kind(instruction) != CallKind::guard || !of_.body.operation(*from).facts.elects) continue;
    const llvm::BasicBlock& block = *instruction.getParent();
    const llvm::Loop* loop = of_.loops.getLoopFor(&block);
    if (loop == nullptr || loop->getHeader() != &block || loop->getLoopLatch() != &block) continue;
    const llvm::Value* guard = instruction.getOperand(0);
    const llvm::BasicBlock* before = loop->getLoopPredecessor();
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(guard);
    if (before != nullptr && phi != nullptr && phi->getParent() == &block)
      guard = phi->getIncomingValueForBlock(before);
    if (!loop->isLoopInvariant(guard)) continue;
    const int64_t lanes = domains.lanes(domains.where(*guard, domains.of(block)));
    const ir::Block& own = of_.kernel.blocks[of_.lifted.graph.id(&block)];
    for (ir::BulkCopy& copy : flow_.copies) {
      if (copy.instruction >= own.first && copy.instruction < own.first + own.count)
        copy.lanes = std::min(copy.lanes, lanes);
    }
  }
}

// One thread's access to global or shared memory.
void LaneFacts::find_elected(ExecutionDomains& domains) {
  const auto elects = [](const ir::Operation& operation) { return operation.facts.elects; };
  if (std::none_of(of_.kernel.operations.begin(), of_.kernel.operations.end(), elects)) return;
  for (const ir::BlockId b : flow_.order) {
    if (!domains.of(*of_.lifted.graph.blocks[b]).is_elected) continue;
    const ir::Block& block = of_.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = of_.kernel.operation(of_.kernel.instructions[i]);
      const bool is_known = operation.space == ir::MemorySpace::global || operation.space == ir::MemorySpace::shared;
      const auto transactions = is_known ? ir::transactions_of_lane(operation) : std::nullopt;
      if (transactions) flow_.transactions[i] = std::min(flow_.transactions[i], static_cast<uint32_t>(*transactions));
    }
  }
}

}  // namespace

void find_lane_facts(LiftedBody& of, const LoopIds& loops, ir::Flow& flow) { LaneFacts(of, loops, flow).find(); }

}  // namespace warpspan::lift
