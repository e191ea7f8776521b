// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/beside/places.hpp"

#include <algorithm>

namespace warpspan::beside {

bool decides(const ir::Block& block) { return block.count > 0 && (block.may_end || block.successors.size() > 1); }

bool is_compared(const ir::Operation& operation) {
  const bool is_known = operation.space == ir::MemorySpace::global || operation.space == ir::MemorySpace::shared;
  const bool is_plain =
      !ir::is_fragment_access(operation) && !ir::is_async_copy(operation) && !ir::is_bulk_copy(operation);
  return is_known && is_plain && operation.bytes > 0 && ir::access_class(operation) != ir::AccessClass::none;
}

bool are_alike(const ir::Operation& a, const ir::Operation& b) { return a.kind == b.kind && a.bytes == b.bytes; }

Places::Places(const ir::Kernel& of_kernel, const ir::Flow& of_flow, std::vector<uint32_t> lines)
    : kernel(of_kernel), flow(of_flow), lines_(std::move(lines)), blocks_(of_flow.loops.size()) {
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (!flow.blocks[b].reachable) continue;
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (lines_[i] != 0) places_[lines_[i]].push_back({b, i});
    }
    for (ir::LoopId l = flow.blocks[b].loop; l != ir::no_loop; l = flow.loops[l].parent) blocks_[l].push_back(b);
  }
}

std::span<const Place> Places::at(uint32_t line) const {
  const auto found = places_.find(line);
  return found == places_.end() ? std::span<const Place>() : found->second;
}

uint32_t Places::line_of_end(ir::BlockId block) const {
  const ir::Block& of = kernel.blocks[block];
  return of.count == 0 ? 0 : lines_[of.first + of.count - 1];
}

bool Places::decides_at(uint32_t line) const {
  const auto all = at(line);
  return std::any_of(all.begin(), all.end(), [&](const Place& place) {
    const ir::Block& block = kernel.blocks[place.block];
    return decides(block) && place.instruction + 1 == block.first + block.count;
  });
}

bool Places::is_inside(ir::LoopId loop, ir::LoopId other) const {
  while (loop != ir::no_loop && loop != other) loop = flow.loops[loop].parent;
  return loop == other;
}

bool Places::is_in(ir::BlockId block, ir::LoopId loop) const { return is_inside(flow.blocks[block].loop, loop); }

bool Places::leaves(ir::BlockId block, ir::LoopId loop) const {
  const ir::Block& of = kernel.blocks[block];
  return of.may_end || of.successors.empty() ||
         std::any_of(of.successors.begin(), of.successors.end(), [&](ir::BlockId next) { return !is_in(next, loop); });
}

std::vector<ir::InstructionId> vanished_accesses(const Places& code, const Places& ptx) {
  std::vector<ir::InstructionId> vanished;
  for (ir::BlockId b = 0; b < ptx.kernel.blocks.size(); ++b) {
    const ir::Block& block = ptx.kernel.blocks[b];
    for (ir::InstructionId i = block.first; ptx.flow.blocks[b].reachable && i < block.first + block.count; ++i) {
      const auto at = code.at(ptx.line(i));
      const auto is_like = [&](const Place& place) {
        return are_alike(code.operation(place.instruction), ptx.operation(i));
      };
      if (is_compared(ptx.operation(i)) && std::none_of(at.begin(), at.end(), is_like)) vanished.push_back(i);
    }
  }
  return vanished;
}

std::vector<uint32_t> own_lines(const ir::Kernel& kernel) {
  std::vector<uint32_t> lines;
  for (const ir::Instruction& instruction : kernel.instructions) lines.push_back(instruction.line);
  return lines;
}

}  // namespace warpspan::beside
