// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/barrier_states.hpp"

#include "frontend/sass/lowering/registers.hpp"

namespace warpspan::sass {

namespace {

// Whether nothing but questions reads the register behind an instruction of a block.
bool is_only_asked(const Code& code, const std::vector<CodeBlock>& blocks, uint32_t block, uint32_t from, uint8_t reg) {
  std::vector<std::pair<uint32_t, uint32_t>> open = {{block, from}};
  std::vector<bool> seen(blocks.size());
  while (!open.empty()) {
    const auto [b, first] = open.back();
    open.pop_back();
    bool is_over = false;
    for (uint32_t i = first; i < blocks[b].first + blocks[b].count && !is_over; ++i) {
      const Instruction& instruction = code.instructions[i];
      const bool asks = instruction.known() && instruction.mnemonic() == "SYNCS.PHASECHK";
      if ((!asks && reads(instruction).general.test(reg)) || code.call_time(i) != nullptr) return false;
      is_over = instruction.guard.always() && surely_writes(instruction).general.test(reg);
    }
    if (is_over) continue;
    std::vector<uint32_t> next = blocks[b].targets;
    if (blocks[b].next != UINT32_MAX) next.push_back(blocks[b].next);
    for (const uint32_t to : next) {
      if (!seen[to]) open.emplace_back(to, blocks[to].first);
      seen[to] = true;
    }
  }
  return true;
}

}  // namespace

std::set<const Instruction*> arrivals_only_asked_about(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::set<const Instruction*> found, others;
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    for (uint32_t i = blocks[b].first; i < blocks[b].first + blocks[b].count; ++i) {
      const Instruction& instruction = code.instructions[i];
      if (!instruction.known() || instruction.mnemonic() != "SYNCS.ARRIVE") continue;
      const Operand& state = instruction.operands().front();
      if (!state.in_register() || state.count < 2) continue;
      const auto upper = static_cast<uint8_t>(state.first + 1);
      (is_only_asked(code, blocks, b, i + 1, upper) ? found : others).insert(&instruction);
    }
  }
  for (const Instruction* instruction : others) found.erase(instruction);  // in another copy of a function
  return found;
}

}  // namespace warpspan::sass
