// SPDX-License-Identifier: GPL-3.0-or-later
// Basic blocks, and how control leaves them.
#include "frontend/ptx/lowering/lowering.hpp"

namespace warpspan::ptx {

// A call that is inlined passes control to what stands behind it.
ir::Transfer Lowering::transfer_of(const Instruction& instruction) const {
  const bool is_call = instruction.form->transfer == ir::Transfer::call;
  const bool is_inlined = is_call && instruction.body == none && instruction.outside == none;
  return is_inlined ? ir::Transfer::fallthrough : instruction.form->transfer;
}

void Lowering::find_blocks() {
  const size_t count = function_->instructions.size();
  std::vector<bool> begins(count + 1, false);
  std::vector<const Label*> label_at(count + 1, nullptr);
  begins[0] = true;
  for (size_t i = 0; i < count; ++i) {
    const ir::Transfer transfer = transfer_of(function_->instructions[i]);
    if (transfer == ir::Transfer::fallthrough) continue;
    // A call goes on to another block, if only to an empty one.
    begins[i + 1] = i + 1 < count || transfer == ir::Transfer::call || begins[i + 1];
    for (const uint32_t label : targets_of(*function_, function_->instructions[i])) {
      const Label& target = function_->labels[label];
      begins[target.instruction] = true;
      if (label_at[target.instruction] == nullptr) label_at[target.instruction] = &target;
    }
  }
  block_at_.assign(count + 1, ir::no_block);
  for (size_t i = 0; i <= count; ++i) {
    if (!begins[i]) continue;
    block_at_[i] = static_cast<ir::BlockId>(kernel_.blocks.size());
    ir::Block block;
    if (label_at[i] != nullptr) block.label = label_at[i]->name;
    block.first = static_cast<ir::InstructionId>(first_instruction_ + i);
    kernel_.blocks.push_back(std::move(block));
  }
  for (size_t b = first_block_; b < kernel_.blocks.size(); ++b) {
    const size_t end = b + 1 < kernel_.blocks.size() ? kernel_.blocks[b + 1].first : first_instruction_ + count;
    kernel_.blocks[b].count = static_cast<uint32_t>(end - kernel_.blocks[b].first);
  }
}

void Lowering::connect_blocks() {
  const auto blocks = static_cast<ir::BlockId>(kernel_.blocks.size());
  for (auto b = static_cast<ir::BlockId>(first_block_); b < blocks; ++b) {
    ir::Block& block = kernel_.blocks[b];
    ir::ControlTransfer transfer;
    if (b + 1 < blocks) transfer.next = b + 1;
    if (block.count > 0) {
      const Instruction& last = function_->instructions[block.first - first_instruction_ + block.count - 1];
      transfer.kind = transfer_of(last);
      if (transfer.kind != ir::Transfer::fallthrough && last.guard != none) {
        transfer.guard = first_register_ + last.guard;
        transfer.guard_negated = last.guard_negated;
      }
      if (transfer.kind == ir::Transfer::call) transfer.callee = last.body;
      if (transfer.kind != ir::Transfer::fallthrough) {
        for (const uint32_t label : targets_of(*function_, last)) {
          transfer.targets.push_back(block_at_[function_->labels[label].instruction]);
        }
      }
    }
    set_transfer(block, std::move(transfer));
  }
}

}  // namespace warpspan::ptx
