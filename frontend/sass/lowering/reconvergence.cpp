// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/reconvergence.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "frontend/sass/lowering/lowering.hpp"
#include "ir/lane_groups.hpp"
#include "ir/sizes.hpp"

namespace warpspan::sass {

namespace {

constexpr uint32_t none = UINT32_MAX;
constexpr size_t barrier_registers = 16;
constexpr uint32_t all_lanes = UINT32_MAX;

std::optional<uint8_t> barrier_of(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands()) {
    const bool is_barrier = operand.kind == OperandKind::registers && operand.register_class == RegisterClass::barrier;
    if (is_barrier) return operand.first;
  }
  return std::nullopt;
}

// Those that a BMOV gives lanes that no BSSY put there, or empties. One that is only read is taken for emptied.
std::vector<uint8_t> barriers_moved(const Instruction& instruction) {
  std::vector<uint8_t> barriers;
  if (instruction.mnemonic() != "BMOV") return barriers;
  for (const Operand& operand : instruction.operands()) {
    const bool is_barrier = operand.kind == OperandKind::registers && operand.register_class == RegisterClass::barrier;
    if (is_barrier) barriers.push_back(operand.first);
  }
  return barriers;
}

// Of a graph without block 0's predecessors, by the rule that the immediate dominator of a block is the nearest that
// all of its predecessors have in common; `order` has each block after one of its predecessors at least. K. Cooper, T.
// Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001.
std::vector<uint32_t> immediate_dominators(const std::vector<std::vector<uint32_t>>& predecessors,
                                           const std::vector<uint32_t>& order) {
  std::vector<uint32_t> rank(predecessors.size(), none), dominator(predecessors.size(), none);
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  dominator[order.front()] = order.front();
  const auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (rank[a] > rank[b]) a = dominator[a];
      while (rank[b] > rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t block : order) {
      if (block == order.front()) continue;
      uint32_t nearest = none;
      for (const uint32_t from : predecessors[block]) {
        if (rank[from] == none || dominator[from] == none) continue;
        nearest = nearest == none ? from : common(nearest, from);
      }
      changed = changed || dominator[block] != nearest;
      dominator[block] = nearest;
    }
  }
  return dominator;
}

// Reverse post-order from a block.
std::vector<uint32_t> order_from(uint32_t entry, const std::vector<std::vector<uint32_t>>& successors) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(successors.size());
  std::vector<std::pair<uint32_t, size_t>> open = {{entry, 0}};
  seen[entry] = true;
  while (!open.empty()) {
    auto& [block, next] = open.back();
    if (next == successors[block].size()) {
      order.push_back(block);
      open.pop_back();
      continue;
    }
    const uint32_t to = successors[block][next++];
    if (!seen[to]) {
      seen[to] = true;
      open.emplace_back(to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Reconvergence::Reconvergence(const Code& code, const std::vector<CodeBlock>& blocks) : code_(code), blocks_(blocks) {
  find_setters();
  find_dominators();
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    uint32_t point = post_dominator_[b];
    while (point != none && !is_point(b, point)) point = post_dominator_[point];
    points_.push_back({point == none ? ir::no_block : point, {}});
    for (const uint32_t block : reached_on_two_paths(b)) {
      if (reconverges(block)) points_.back().earlier.push_back(block);
    }
  }
}

Reconvergence::Blocks Reconvergence::successors(uint32_t block) const {
  Blocks all = blocks_[block].targets;
  if (blocks_[block].next != none) all.push_back(blocks_[block].next);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Whether it is a BMOV after which a barrier register is as it was where the copy began.
bool Reconvergence::gives_back(const CodeBlock& block, uint32_t instruction) {
  auto restored =
      std::lower_bound(block.restored.begin(), block.restored.end(), instruction,
                       [](const RestoredValue& value, uint32_t wanted) { return value.instruction < wanted; });
  for (; restored != block.restored.end() && restored->instruction == instruction; ++restored) {
    if (restored->reg >= first_barrier) return true;
  }
  return false;
}

// A BSSY is named by its block; `none` stands for no BSSY, and for a register that a BMOV has changed.
// The state at the end of a block; `at`: where blocks begin. Notes which BSSYs a BREAK takes lanes out of.
Reconvergence::State Reconvergence::behind(uint32_t block, const std::vector<State>& at) {
  State state = at[block];
  for (uint32_t i = blocks_[block].first; i < blocks_[block].first + blocks_[block].count; ++i) {
    const Instruction& instruction = code_.instructions[i];
    if (code_.call_time(i) != nullptr) {
      const RegisterSet changed = changed_by_call();
      for (size_t r = 0; r < barrier_registers; ++r) {
        if (changed.barriers.test(r)) state[r].insert(none);
      }
    }
    const auto barrier = barrier_of(instruction);
    if (!barrier) continue;
    if (gives_back(blocks_[block], i)) {
      state[*barrier] = at[blocks_[block].entry][*barrier];
      continue;
    }
    const auto set = [&](uint8_t number, uint32_t setter) {
      if (instruction.guard.always()) state[number].clear();
      state[number].insert(setter);
    };
    for (const uint8_t number : barriers_moved(instruction)) set(number, none);
    if (instruction.mnemonic() == "BSSY") set(*barrier, block);
    if (instruction.mnemonic() != "BREAK") continue;
    for (const uint32_t setter : state[*barrier]) taken_out_.emplace(*barrier, setter);
  }
  return state;
}

void Reconvergence::find_setters() {
  std::vector<State> at(blocks_.size(), State(barrier_registers));
  for (auto& set : at[0]) set.insert(none);
  std::vector<uint32_t> open = {0};
  std::map<uint32_t, Blocks> restoring;  // by block where a copy begins
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    if (!blocks_[b].restored.empty()) restoring[blocks_[b].entry].push_back(b);
  }
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    const State state = behind(block, at);
    for (const uint32_t next : successors(block)) {
      bool changed = false;
      for (size_t r = 0; r < barrier_registers; ++r) {
        for (const uint32_t setter : state[r]) changed = at[next][r].insert(setter).second || changed;
      }
      if (!changed) continue;
      open.push_back(next);
      if (const auto dependent = restoring.find(next); dependent != restoring.end()) {
        open.insert(open.end(), dependent->second.begin(), dependent->second.end());
      }
    }
  }
  for (const auto& sets : at) {
    setters_.emplace_back();
    for (const auto& set : sets) setters_.back().emplace_back(set.begin(), set.end());
  }
}

void Reconvergence::find_dominators() {
  const size_t count = blocks_.size();
  std::vector<Blocks> forward(count), backward(count), to_end(count + 1), from_end(count + 1);
  const auto end = static_cast<uint32_t>(count);
  for (uint32_t b = 0; b < count; ++b) {
    forward[b] = successors(b);
    for (const uint32_t next : forward[b]) backward[next].push_back(b);
  }
  const auto dominator = immediate_dominators(backward, order_from(0, forward));
  dominators_.assign(count, std::vector<bool>(count));
  for (uint32_t b = 0; b < count; ++b) {
    for (uint32_t d = b; d != none; d = d == dominator[d] ? none : dominator[d]) dominators_[b][d] = true;
  }
  for (uint32_t b = 0; b < count; ++b) {
    to_end[b] = forward[b];
    // A run in which a lane traps is not bounded, so lanes need not reconverge after that.
    if (last(b).mnemonic() == "EXIT" || (forward[b].empty() && !is_trap(last(b)))) to_end[b].push_back(end);
  }
  for (uint32_t b = 0; b < count; ++b) {
    for (const uint32_t next : to_end[b]) from_end[next].push_back(b);
  }
  const auto post = immediate_dominators(to_end, order_from(end, from_end));
  for (uint32_t b = 0; b < count; ++b) post_dominator_.push_back(post[b] == end ? none : post[b]);
}

bool Reconvergence::reconverges(uint32_t block) const {
  const std::string_view name = first(block).mnemonic();
  return name == "BSYNC" || name == "WARPSYNC";
}

bool Reconvergence::is_point(uint32_t branch, uint32_t block) const {
  const Instruction& instruction = first(block);
  if (!reconverges(block) || !instruction.guard.always()) return false;
  if (instruction.mnemonic() == "WARPSYNC") {
    const Operand& mask = instruction.operands().front();
    if (instruction.has(Modifier::collective) || mask.kind != OperandKind::immediate) return false;
    // From sm_90 on ptxas writes 0 for all lanes.
    const bool is_zero_all = mask.value == 0 && code_.architecture >= 90;
    return is_zero_all || static_cast<uint32_t>(mask.value) == all_lanes;
  }
  const auto barrier = barrier_of(instruction);
  if (!barrier) return false;
  const Blocks& setters = setters_[block][*barrier];
  return setters.size() == 1 && setters.front() != none && dominators_[branch][setters.front()] &&
         !taken_out_.contains({*barrier, setters.front()});
}

// Nothing but lanes that end, all of them.
bool Reconvergence::only_ends(uint32_t block) const {
  const CodeBlock& code = blocks_[block];
  return first(block).mnemonic() == "EXIT" && first(block).guard.always() && code.count == 1;
}

// Blocks that are reached from one, itself included, without passing another.
Reconvergence::Blocks Reconvergence::reached(uint32_t from, uint32_t stop) const {
  std::vector<bool> seen(blocks_.size());
  Blocks all, open = {from};
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    if (block == stop || seen[block]) continue;
    seen[block] = true;
    all.push_back(block);
    const Blocks next = successors(block);
    open.insert(open.end(), next.begin(), next.end());
  }
  return all;
}

// Before its reconvergence point.
Reconvergence::Blocks Reconvergence::reached_on_two_paths(uint32_t branch) const {
  const Blocks successor_blocks = successors(branch);
  std::set<uint32_t> once, twice;
  if (successor_blocks.size() < 2) return {};
  for (const uint32_t successor : successor_blocks) {
    for (const uint32_t block : reached(successor, points_[branch].block)) {
      if (!once.insert(block).second) twice.insert(block);
    }
  }
  return {twice.begin(), twice.end()};
}

// What they decide follows from which lanes execute them, and from a mask that is the same for all.
void Reconvergence::join_questions(ir::Flow& facts) const {
  constexpr unsigned plain_branches = 1;  // BRA and BRA.U
  std::vector<bool> apart(blocks_.size());
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    if (!facts.blocks[b].divergent) continue;
    for (const uint32_t successor : successors(b)) {
      for (const uint32_t block : reached(successor, points_[b].block)) apart[block] = true;
    }
  }
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    const Instruction& branch = last(b);
    if (apart[b] || !branch.guard.always() || branch.modifier(Modifier::branch).value_or(0) <= plain_branches) continue;
    const auto operands = branch.operands();
    const bool has_fixed_mask = std::all_of(operands.begin(), operands.end(), [](const Operand& operand) {
      return operand.kind != OperandKind::registers || operand.is_fixed_register();
    });
    if (has_fixed_mask) facts.blocks[b].warps_differ = facts.blocks[b].divergent = false;
  }
}

void Reconvergence::spread_accesses(const ir::Kernel& kernel, ir::Flow& facts) const {
  std::vector<bool> apart(blocks_.size());
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    if (!facts.blocks[b].divergent) continue;
    for (const uint32_t block : reached_on_two_paths(b)) apart[block] = true;
  }
  for (ir::Access& access : facts.accesses) {
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const ir::Block& block = kernel.blocks[b];
      const bool inside = access.instruction >= block.first && access.instruction < block.first + block.count;
      if (inside && apart[b]) access.dense = access.covers_lines = false;
    }
  }
}

// Whether lanes leave a loop by the branch that may have more iterations than groups come to the reconvergence point.
bool Reconvergence::counts_lanes(const ir::Flow& facts, uint32_t branch) const {
  const ir::BlockId point = points_[branch].block;
  if (!facts.blocks[branch].divergent || point == ir::no_block || first(point).control.wait_mask != 0) return false;
  for (ir::LoopId loop = facts.blocks[branch].loop; loop != ir::no_loop; loop = facts.loops[loop].parent) {
    if (ir::contains(facts, loop, point)) return false;
    if (facts.loops[loop].trip_count.value_or(INT64_MAX) >= ir::warp_lanes) return true;
  }
  return false;
}

std::vector<ir::InstructionId> Reconvergence::add_arrivals(ir::Kernel& kernel, ir::Flow& facts) const {
  std::vector<ir::Instruction> all;
  std::vector<ir::InstructionId> copied;
  const auto add = [&](ir::InstructionId instruction) {
    all.push_back(kernel.instructions[instruction]);
    copied.push_back(instruction);
  };
  std::vector<uint32_t> transactions;
  std::vector<ir::InstructionId> now(kernel.instructions.size());
  const std::vector<ir::Block> before = kernel.blocks;
  std::vector<bool> has_copies(before.size());
  for (uint32_t b = 0; b < before.size(); ++b) {
    if (counts_lanes(facts, b)) has_copies[points_[b].block] = true;
  }
  for (uint32_t b = 0; b < before.size(); ++b) {
    const ir::BlockId point = points_[b].block;
    const Blocks next = successors(b);
    const bool divides = facts.blocks[b].divergent && next.size() > 1;
    ir::Block& block = kernel.blocks[b];
    block.first = static_cast<ir::InstructionId>(all.size());
    for (ir::InstructionId i = before[b].first; i < before[b].first + before[b].count; ++i) {
      const bool is_branch = i + 1 == before[b].first + before[b].count;
      if (divides && is_branch && point != ir::no_block && !counts_lanes(facts, b)) {
        for (size_t other = 1; other < next.size(); ++other) add(before[point].first);
      }
      for (const uint32_t successor : next) {
        if (!divides || !is_branch || successor == point || !only_ends(successor)) continue;
        add(before[successor].first);
        kernel.blocks[successor].only_ends = true;
      }
      transactions.resize(all.size());
      now[i] = static_cast<ir::InstructionId>(all.size());
      add(i);
      transactions.push_back(facts.transactions[i]);
      if (!has_copies[b] || i != before[b].first) continue;
      for (int64_t other = 1; other < ir::warp_lanes; ++other) add(i);
      transactions.resize(all.size());
    }
    block.count = static_cast<uint32_t>(all.size()) - block.first;
  }
  kernel.instructions = std::move(all);
  facts.transactions = std::move(transactions);
  for (ir::InstructionId& barrier : facts.partial_barriers) barrier = now[barrier];
  for (ir::Sleep& sleep : facts.sleeps) sleep.instruction = now[sleep.instruction];
  for (ir::BulkCopy& copy : facts.copies) copy.instruction = now[copy.instruction];
  for (ir::PartialAccess& access : facts.partial_accesses) access.instruction = now[access.instruction];
  for (ir::Access& access : facts.accesses) access.renumber([&now](ir::InstructionId id) { return now[id]; });
  return copied;
}

}  // namespace warpspan::sass
