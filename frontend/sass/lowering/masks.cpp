// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/masks.hpp"

#include <algorithm>
#include <optional>

#include "frontend/sass/lowering/registers.hpp"

namespace warpspan::sass {

namespace {

bool has_mask(const Instruction& instruction) {
  return instruction.mnemonic() == "WARPSYNC" && instruction.operands().front().kind == OperandKind::registers;
}

// Whether the instruction sets the register to all ones: MOV, or IMAD of RZ, RZ and the number.
bool sets_all(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (!instruction.guard.always() || (!name.ends_with("MOV") && name != "IMAD")) return false;
  bool has_number = false;
  for (const Operand& operand : instruction.operands()) {
    if (operand.role != Role::read || operand.is_fixed_register()) continue;
    const bool is_all = operand.kind == OperandKind::immediate && static_cast<uint32_t>(operand.value) == UINT32_MAX;
    if (!is_all || has_number) return false;
    has_number = true;
  }
  return has_number;
}

// Whether masks of lanes that come jointly to the WARPSYNC that the block begins with may differ: unless the register
// has been set to all ones on the only path that leads there, or to what a vote told all that came that path jointly.
bool may_part(const Code& code, const std::vector<CodeBlock>& blocks, const std::vector<std::optional<uint32_t>>& lone,
              uint32_t block) {
  const Instruction& barrier = code.instructions[blocks[block].first];
  if (!has_mask(barrier)) return false;
  const Operand& mask = barrier.operands().front();
  bool may_have_met = false;  // lanes that did not vote jointly
  for (size_t left = blocks.size(); left > 0 && lone[block]; --left) {
    const Instruction& first = code.instructions[blocks[block].first];
    const bool is_same = has_mask(first) && first.operands().front() == mask;
    may_have_met = may_have_met || first.mnemonic() == "BSYNC" || (first.mnemonic() == "WARPSYNC" && !is_same);
    block = *lone[block];
    for (uint32_t i = blocks[block].first + blocks[block].count; i-- > blocks[block].first;) {
      const Instruction& before = code.instructions[i];
      const bool votes = before.mnemonic() == "VOTE" && before.guard.always();
      if (writes(before).contains(mask.register_class, mask.first))
        return !sets_all(before) && (!votes || may_have_met);
      if (before.mnemonic().starts_with("CALL")) return true;
    }
  }
  return true;
}

// Whether its answer is that of the lanes that execute it jointly: with masks that differ it would be wrong if they all
// did.
bool asks_lanes(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  return name.starts_with("VOTE") || name.ends_with("REDUX") || name == "MATCH";
}

// Whether such a question comes behind one of the blocks.
bool asks_behind(const Code& code, const std::vector<CodeBlock>& blocks, std::vector<uint32_t> open) {
  std::vector<bool> seen(blocks.size());
  while (!open.empty()) {
    const CodeBlock& block = blocks[open.back()];
    open.pop_back();
    const auto first = code.instructions.begin() + block.first;
    if (std::any_of(first, first + block.count, asks_lanes)) return true;
    const auto add = [&](uint32_t next) {
      if (next == UINT32_MAX || seen[next]) return;
      seen[next] = true;
      open.push_back(next);
    };
    add(block.next);
    for (const uint32_t target : block.targets) add(target);
  }
  return false;
}

}  // namespace

Masks find_masks(const Code& code, const std::vector<CodeBlock>& blocks) {
  const auto lone = lone_predecessors(blocks);
  std::vector<uint32_t> parting;
  for (uint32_t block = 0; block < blocks.size(); ++block) {
    if (may_part(code, blocks, lone, block)) parting.push_back(block);
  }
  if (parting.empty()) return Masks::alike;
  return asks_behind(code, blocks, parting) ? Masks::part_lanes : Masks::taken_alike;
}

}  // namespace warpspan::sass
