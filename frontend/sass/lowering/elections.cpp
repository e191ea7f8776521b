// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/elections.hpp"

#include <algorithm>
#include <bitset>
#include <span>

#include "frontend/sass/lowering/registers.hpp"
#include "ir/sizes.hpp"

namespace warpspan::sass {

namespace {

constexpr int64_t most_trips = ir::warp_lanes + 1;

bool is_guarded_by(const Instruction& instruction, uint8_t predicate) {
  const Guard& guard = instruction.guard;
  return !guard.uniform && !guard.negated && guard.number == predicate;
}

bool is_constant(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return instruction.mnemonic() == "PLOP3" && instruction.guard.always() &&
         std::all_of(operands.begin(), operands.end(), [](const Operand& o) {
           return o.role != Role::read || !o.is_predicate() || o.is_fixed_register();
         });
}

// Of the lanes with a predicate.
bool elects(const Instruction& instruction, uint8_t waiting) {
  return (instruction.mnemonic() == "ELECT" || instruction.mnemonic() == "R2UR") && is_guarded_by(instruction, waiting);
}

// The predicate under which all lanes go back to the first instruction; no_register: they go back otherwise.
uint8_t waiting_predicate(const Instruction& branch) {
  const auto is_other_condition = [](const Operand& o) {
    return o.is_predicate() && (!o.is_fixed_register() || o.negated);
  };
  const bool goes_together = branch.mnemonic() == "BRA" && branch.has(Modifier::any) && !branch.guard.uniform &&
                             !branch.guard.negated &&
                             std::none_of(branch.operands().begin(), branch.operands().end(), is_other_condition);
  return goes_together ? branch.guard.number : no_register;
}

// What a PLOP3 that is guarded by a predicate makes of predicates that are true: of this one and PT.
bool gives_false(const Instruction& instruction, uint8_t guard) {
  unsigned index = 0;  // of the bit of the table
  for (const Operand& source : instruction.operands().subspan(2, 3)) {
    const bool is_true =
        source.register_class == RegisterClass::predicate && (source.first == no_register || source.first == guard);
    if (!is_true) return false;
    index = 2 * index + (source.negated ? 0 : 1);
  }
  return (instruction.modifier(Modifier::lut).value_or(0) >> index & 1) == 0;
}

// Whether it takes a predicate from lanes, and gives it to none.
bool takes(const Instruction& instruction, uint8_t waiting) {
  if (instruction.mnemonic() != "PLOP3" || instruction.operands()[1].first == waiting) return false;
  const Guard& guard = instruction.guard;
  if (is_guarded_by(instruction, waiting)) return true;
  return guard.number != no_register && is_guarded_by(instruction, guard.number) &&
         gives_false(instruction, guard.number);
}

bool is_election(std::span<const Instruction> body) {
  RegisterSet written;
  for (const Instruction& instruction : body) {
    if (!instruction.known()) return false;
    written |= writes(instruction);
  }
  const uint8_t waiting = waiting_predicate(body.back());
  if (waiting == no_register || written.uniform_predicates.any()) return false;
  bool is_elected = false;
  int takings = 0;
  std::bitset<8> changing;  // written, and not known to be constant at the end
  for (const Instruction& instruction : body) {
    const bool is_electing = elects(instruction, waiting);
    is_elected = is_elected || is_electing;
    if (is_electing && (reads(instruction).general & written.general).any()) return false;
    const std::bitset<8> own = writes(instruction).predicates;
    if (own.none()) continue;
    if (!is_electing && instruction.mnemonic() != "PLOP3") return false;
    if (own[waiting]) {
      if (++takings > 1 || !takes(instruction, waiting)) return false;
    } else {
      changing = is_constant(instruction) ? changing & ~own : changing | own;
    }
  }
  return is_elected && takings == 1 && changing.none();
}

// Of a body that is an election: by Theorem 2.
bool elects_each_time(std::span<const Instruction> body) {
  const uint8_t waiting = waiting_predicate(body.back());
  uint8_t elected = no_register;  // what the last election has written, nothing since
  for (const Instruction& instruction : body) {
    const auto operands = instruction.operands();
    if (writes(instruction).predicates[waiting]) return elected != no_register && is_guarded_by(instruction, elected);
    if (elected != no_register && writes(instruction).predicates[elected]) elected = no_register;
    const auto reads_more = [](const Operand& o) {
      return o.role == Role::read && o.is_predicate() && (!o.is_fixed_register() || o.negated);
    };
    const bool is_plain = instruction.mnemonic() == "ELECT" && is_guarded_by(instruction, waiting) &&
                          std::none_of(operands.begin(), operands.end(), reads_more);
    if (is_plain && operands[0].is_predicate() && operands[0].first != waiting) elected = operands[0].first;
  }
  return false;
}

bool is_one_block(const ir::Flow& flow, ir::LoopId loop) {
  for (ir::BlockId b = 0; b < flow.blocks.size(); ++b) {
    if (flow.blocks[b].loop == loop && b != flow.loops[loop].header) return false;
  }
  return std::none_of(flow.loops.begin(), flow.loops.end(),
                      [&](const ir::Loop& other) { return other.parent == loop; });
}

}  // namespace

void add_elections(const Code& code, const std::vector<CodeBlock>& blocks, ir::Flow& flow) {
  for (ir::LoopId l = 0; l < flow.loops.size(); ++l) {
    ir::Loop& loop = flow.loops[l];
    if (loop.trip_count && *loop.trip_count <= most_trips) continue;
    const CodeBlock& block = blocks[loop.header];
    if (!is_one_block(flow, l) || !is_election(std::span(code.instructions).subspan(block.first, block.count)))
      continue;
    loop.trip_count = most_trips;
    loop.source = ir::TripCountSource::elections;
    loop.obstacle.clear();
    loop.remedies.clear();
    loop.array_remedies.clear();
    loop.looks_like_waiting = false;
  }
}

void limit_elections(const Code& code, const std::vector<CodeBlock>& blocks, const ir::Kernel& steps, ir::Flow& flow) {
  for (ir::Loop& loop : flow.loops) {
    if (loop.source != ir::TripCountSource::elections || !loop.trip_count) continue;
    const CodeBlock& block = blocks[loop.header];
    if (!elects_each_time(std::span(code.instructions).subspan(block.first, block.count))) continue;
    const ir::Block& own = steps.blocks[loop.header];
    for (const ir::BulkCopy& copy : flow.copies) {
      const bool is_in = copy.instruction >= own.first && copy.instruction < own.first + own.count;
      if (is_in) loop.trip_count = std::clamp<int64_t>(copy.lanes, 1, *loop.trip_count);
    }
  }
}

}  // namespace warpspan::sass
